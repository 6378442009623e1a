"""Training jobs of a workload: which model learns how much, by when, and how often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, field_validator, model_validator

from capmodels.amounts import minimum
from capmodels.plans.document.bounded import MOST_COUNT
from capmodels.plans.document.fields import Finding, Name, PositiveRatio, refuse
from capmodels.plans.document.inference import known_model
from capmodels.serving.open_models import OPEN_MODELS
from capmodels.spec import Params, assumed, blank, default, derived, preset
from capmodels.training.time import (
    CHECKPOINT_H,
    H_PER_STOP,
    RESTART_H,
    CheckpointH,
    HoursPerStop,
    Kind,
    Sequence,
    Stops,
    TrainTokens,
    training_flop,
)
from capmodels.units import HOURS_PER_MONTH, DurationH, Real, of_unit

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.serving.architectures import Architecture

# Of a training job, what may have a range: it enters sums.
VARYING = frozenset({"train_tokens", "runs_per_month", "time_ratio"})


class TrainingJob(Params):
    """Runs that train or tune one language model; see training.time."""

    name: Name = Field(title="Training job")
    model: str = Field(
        description="An open model.", json_schema_extra={"enum": [*sorted(OPEN_MODELS)]}
    )
    learns: Kind = preset("full", "All weights, or adapters on frozen ones (LoRA).", title="Learns")
    train_tokens: TrainTokens | None = blank(
        "Tokens that a run learns, repeats included. Empty: its FLOP are entered.",
        title="Tokens of a run",
    )
    run_flop: Annotated[Real, of_unit("FLOP", gt=0, le=1e30)] | None = blank(
        "Work of a run. Empty: by the model and its tokens.", title="FLOP of a run"
    )
    sequence_tokens: Sequence = default(
        8192.0, "Tokens of a sequence.", source="MLPerf training, Llama 3.1", title="Sequence"
    )
    deadline_h: Annotated[Real, of_unit("h", gt=0, le=100_000)] = assumed(
        168.0, "A run ends within it, and before the next one starts.", title="Deadline"
    )
    runs_per_month: Annotated[Real, of_unit("1/month", gt=0, le=MOST_COUNT)] = assumed(
        1.0, "Runs in a month, one after another; today.", title="Runs"
    )
    h_per_stop: HoursPerStop = H_PER_STOP
    restart_h: DurationH = RESTART_H
    checkpoint_h: CheckpointH = CHECKPOINT_H
    time_ratio: PositiveRatio = derived(
        1.0,
        "Time that a run takes over what is predicted: the error of the prediction, or what you "
        "measured.",
        source="80% of measurements left out of the fit, training.time",
        title="Time over predicted",
        low=0.85,
        high=1.19,
    )

    @field_validator("model")
    @classmethod
    def _is_known(cls, value: str) -> str:
        return known_model(value)

    @model_validator(mode="after")
    def _has_work(self) -> TrainingJob:
        if (self.train_tokens is None) == (self.run_flop is None):
            sentence = (
                "What a run is worth is not clear. Enter its tokens or its FLOP, one of them."
            )
            refuse([Finding(("train_tokens",), "needed", sentence)])
        return self

    @property
    def shape(self) -> Architecture:
        """The model's shape."""
        return OPEN_MODELS[self.model]

    @property
    def flop(self) -> Amount:
        """Work of a run, with the error of its time. [FLOP]"""
        by_tokens = training_flop(
            self.shape, self.train_tokens or 0.0, self.sequence_tokens, self.learns
        )
        return (self.run_flop or by_tokens) * self.time_ratio

    @property
    def window_h(self) -> Amount:
        """In what time a run has to end. [h]"""
        return minimum(self.deadline_h, HOURS_PER_MONTH / self.runs_per_month)

    @property
    def stops(self) -> Stops:
        """What a run loses to stops and checkpoints."""
        return Stops(self.h_per_stop, self.restart_h, self.checkpoint_h)


Trainings = Annotated[
    tuple[TrainingJob, ...],
    Field(
        title="Training jobs",
        description="Language models that the work trains or tunes: they say how many GPUs of each "
        "kind are needed, in place of a typed count.",
        max_length=8,
    ),
]
