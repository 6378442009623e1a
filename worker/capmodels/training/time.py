"""How long a training run takes, and whether it fits: FLOP, the share that is reached, restarts."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from capmodels.amounts import as_number, largest, maximum
from capmodels.errors import ModelError
from capmodels.serving.bands import Banded
from capmodels.serving.choices import (
    AcceleratorChoice,
    ListedAccelerator,
    ModelChoice,
    accelerator_of,
    architecture_of,
    open_model,
)
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    one_point,
    preset,
    recalled,
)
from capmodels.units import (
    BYTES_PER_GB,
    BYTES_PER_GIB,
    SECONDS_PER_HOUR,
    DurationH,
    Fraction,
    Real,
    Whole,
    of_unit,
)

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.serving.accelerators import Accelerator
    from capmodels.serving.architectures import Architecture

Kind = Literal["full", "lora"]
TrainTokens = Annotated[Real, of_unit("tokens", gt=0, le=1e16)]
Flop = Annotated[Real, of_unit("FLOP", ge=0)]
SignedGb = Annotated[Real, of_unit("GB")]

# Share of the 16-bit peak that MLPerf training 4.1 to 5.1 reached, in logarithms: fitted to 82
# distinct (benchmark, accelerator, count, round) of 70B LoRA, 8B and 405B. Shares above 0.5
# come of FP8 and FP4. Error of the time: 7% in the median (p90 22%) with one configuration left
# out, 7% (p90 24%) with a whole accelerator left out (`python -m bench._accuracy DATA training`).
_LEVEL = {"lora": -0.257, "full": -0.188}
_PER_DOUBLING = {"lora": -0.080, "8B": -0.175, "405B": -0.002}
_PER_MEMORY = 0.115
_GENERATION = {"blackwell": 0.044, "cdna3": -0.458, "cdna4": -0.312}
_PER_YEAR = 0.123
# Power sustains rates: by the doubling of W per TFLOP/s of the sheet beside H100 SXM's. And what
# has 4-bit products trains with them since autumn 2025.
_PER_POWER, _H100_W_PER_TFLOP = 0.446, 700.0 / 989.0
_FOUR_BIT, _FOUR_BIT_YEARS = 0.168, -0.3
_MOST_IN_16_BIT = 0.57
_MEASURED = {
    "NVIDIA H100 SXM", "NVIDIA H200 SXM", "NVIDIA B200 SXM", "NVIDIA B300 SXM", "NVIDIA GB200",
    "NVIDIA GB300", "AMD MI300X", "AMD MI325X", "AMD MI350X", "AMD MI355X",
}  # fmt: skip
# MLPerf training 5.1, whose software the figures of a study are of. [yr]
LATEST_YEARS = -0.1
# A run that keeps less of its time than this does not get on; and how often a count is corrected.
_LEAST_KEPT, _ROUNDS = 0.1, 12
_KNOWN, _UNSEEN, _FAR = (0.87, 1.19), (0.85, 1.19), (0.5, 2.5)


def training_flop(
    architecture: Architecture, tokens: Amount, sequence: float, kind: Kind
) -> Amount:
    """Work of a training run. [FLOP]

    6 per active parameter and token (Kaplan et al. 2020, arXiv 2001.08361), 4 where weights
    are frozen and only adapters learn; and causal attention, 6 L a d S per token.
    """
    each = 6.0 if kind == "full" else 4.0
    weights = architecture.weights - architecture.expert_weights * (
        1.0 - architecture.used_expert_share
    )
    width = architecture.heads_count * architecture.head_size_count
    return tokens * (each * weights + 6.0 * architecture.layers_count * width * sequence)


def reached_share(
    architecture: Architecture, accelerator: Accelerator, count: float, kind: Kind, years: float
) -> float:
    """Share of the 16-bit peak that a run reaches (MFU); above 1 with 4-bit products.

    The loss per doubling of accelerators lies between that of 8B and of 405B by the model's
    size, from as many accelerators on as those benchmarks take at least: fewer lose nothing.
    """
    least, power = _spread(architecture, kind)
    return _share_of_few(architecture, accelerator, kind, years) * max(1.0, count / least) ** -power


def _spread(architecture: Architecture, kind: Kind) -> tuple[float, float]:
    """Accelerators from which on more of them reach less each, and by what power."""
    place = (math.log(architecture.weights) - math.log(8e9)) / math.log(405 / 8)
    size = min(1.0, max(0.0, place))
    if kind == "lora":
        slope, least = _PER_DOUBLING["lora"], 8.0
    else:
        slope = _PER_DOUBLING["8B"] + size * (_PER_DOUBLING["405B"] - _PER_DOUBLING["8B"])
        least = 8.0 * 64.0**size
    return least, -slope / math.log(2.0)


def _share_of_few(
    architecture: Architecture, accelerator: Accelerator, kind: Kind, years: float
) -> float:
    """Share of the 16-bit peak that few accelerators reach.

    Those without 8-bit products reach at most 0.57 of it: A100, of 22B to 1T parameters
    (Korthikanti et al. 2022, arXiv 2205.05198).
    """
    power = (accelerator.tdp_w or 0.0) / accelerator.half_tflop_per_s / _H100_W_PER_TFLOP
    has_four_bit = accelerator.fp4_tflop_per_s is not None and years > _FOUR_BIT_YEARS
    share = math.exp(
        _LEVEL[kind]
        + (_PER_POWER * math.log2(power) if power else 0.0)
        + (_FOUR_BIT if has_four_bit else 0.0)
        + _PER_MEMORY * math.log2(accelerator.memory_gib / 80.0)
        + _GENERATION.get(accelerator.generation, 0.0)
        + _PER_YEAR * years
    )
    return min(share, _MOST_IN_16_BIT) if accelerator.fp8_tflop_per_s is None else share


class Stops(NamedTuple):
    """What a run loses: accelerator hours between stops, and what each and a checkpoint take."""

    h_per_stop: float
    restart_h: float
    checkpoint_h: float

    def lost(self, count: Amount) -> Amount:
        """Share of the time that does no lasting work; 1 and more means never done.

        Checkpoints at the interval that loses least: sqrt(2 C / M) + R / M with M hours between
        stops (Young 1974, Daly 2006).
        """
        per_h = count / self.h_per_stop
        return (2.0 * self.checkpoint_h * per_h) ** 0.5 + self.restart_h * per_h


def accelerators_for(
    work_flop: Amount,
    hours: Amount,
    architecture: Architecture,
    accelerator: Accelerator,
    kind: Kind,
    stops: Stops,
    *,
    reached: float | None = None,
    years: float = LATEST_YEARS,
) -> Amount | None:
    """Accelerators with which a run ends in time and whose memory holds it; None: none are.

    Time = FLOP / (n F MFU(n)) / (1 - lost(n)), solved for n; both loss of time and MFU grow worse
    with n.
    """
    if reached is None and not accelerator.speed_known:
        return None
    least, power = _spread(architecture, kind) if reached is None else (1.0, 0.0)
    few = reached or _share_of_few(architecture, accelerator, kind, years)
    one = accelerator.half_tflop_per_s * 1e12 * few * hours * SECONDS_PER_HOUR

    def needed(count: Amount) -> Amount:
        kept = maximum(1.0 - stops.lost(count), _LEAST_KEPT)
        alone = work_flop / (one * kept)
        return alone * maximum(alone / least, 1.0) ** (power / (1.0 - power))

    count: Amount = 1.0
    for _ in range(_ROUNDS):
        count = needed(count)
    if largest(stops.lost(count)) >= 1.0 - _LEAST_KEPT:
        return None
    return maximum(count, float(fewest(architecture, accelerator, kind)))


def fewest(architecture: Architecture, accelerator: Accelerator, kind: Kind) -> int:
    """Accelerators whose memory holds weights, gradients and optimiser, nine tenths full."""
    each = 0.9 * accelerator.memory_gib * BYTES_PER_GIB / BYTES_PER_GB
    return max(1, math.ceil(state_gb(architecture, kind) / each))


def run_h(
    work_flop: Amount,
    count: Amount,
    architecture: Architecture,
    accelerator: Accelerator,
    kind: Kind,
    stops: Stops,
    *,
    reached: float | None = None,
    years: float = LATEST_YEARS,
) -> Amount:
    """Time of a run on some accelerators, with what it loses to stops and checkpoints. [h]"""
    least, power = _spread(architecture, kind) if reached is None else (1.0, 0.0)
    few = reached or _share_of_few(architecture, accelerator, kind, years)
    share = few * maximum(count / least, 1.0) ** -power
    busy = work_flop / (count * accelerator.half_tflop_per_s * 1e12 * share) / SECONDS_PER_HOUR
    return busy / maximum(1.0 - stops.lost(count), _LEAST_KEPT)


def state_gb(architecture: Architecture, kind: Kind) -> float:
    """Weights, gradients and optimiser of a run. [GB]

    2 + 2 + 12 bytes per parameter in mixed precision with Adam (Rajbhandari et al. 2020, arXiv
    1910.02054); of adapters only the weights count.
    """
    return architecture.weights * (16.0 if kind == "full" else 2.0) / BYTES_PER_GB


HoursPerStop = Annotated[Real, of_unit("h", gt=0)]
CheckpointH = Annotated[Real, of_unit("h", ge=0)]
ReachedShare = Annotated[Real, of_unit("fraction", gt=0, le=4)]
Sequence = Annotated[Real, of_unit("tokens", ge=1, le=1e7)]

# What stops a run unplanned costs, in a question of its own and in a study.
H_PER_STOP: Any = recalled(
    50_000.0,
    "Accelerator hours between unplanned stops.",
    source="Llama 3: 419 in 54 days on 16,384 H100 (arXiv 2407.21783)",
    low=20_000.0,
    high=80_000.0,
)
RESTART_H: Any = assumed(0.2, "To start again after a stop.", low=0.05, high=0.35)
CHECKPOINT_H: Any = assumed(0.01, "The run waits for a checkpoint.", low=0.001, high=0.019)


class TrainingParams(Params):
    """A model, the tokens it learns, and the accelerators."""

    model: ModelChoice = preset(open_model("Llama-3.1-8B"), "The language model.")
    accelerator: AcceleratorChoice = preset(
        ListedAccelerator(name="NVIDIA H100 SXM"), "The accelerator."
    )
    accelerators_count: Annotated[Whole, of_unit("count", ge=1, le=1_000_000)] = assumed(
        64, "Accelerators of the run."
    )
    kind: Kind = preset("full", "All weights, or adapters on frozen ones (LoRA).")
    train_tokens: TrainTokens = assumed(1e10, "Tokens that it learns.", title="Tokens")
    sequence_tokens: Sequence = default(
        8192.0, "Tokens of a sequence.", source="MLPerf training, Llama 3.1", title="Sequence"
    )
    reached_fraction: ReachedShare | None = blank(
        "Share of the 16-bit peak that you measured; by MLPerf when empty.", title="MFU"
    )
    software_years: Annotated[Real, of_unit("yr", ge=-2, le=1)] = assumed(
        LATEST_YEARS,
        "Date of the software, counted from the start of 2026.",
        source="MLPerf training 5.1",
        title="Software of",
    )
    h_per_stop: HoursPerStop = H_PER_STOP
    restart_h: DurationH = RESTART_H
    checkpoint_h: CheckpointH = CHECKPOINT_H


class TrainingResult(Result):
    """How long it takes, and where the time goes."""

    duration_h: Banded
    accelerator_h: Banded
    work_flop: Flop
    reached_fraction: Annotated[Real, of_unit("fraction", ge=0)]
    checkpoint_interval_h: DurationH
    lost_fraction: Fraction
    stops_count: Annotated[Real, of_unit("count", ge=0)]
    state_gb: Annotated[Real, of_unit("GB", ge=0)]
    memory_gb: Annotated[Real, of_unit("GB", ge=0)]
    fits: bool
    told: str


def _run(params: TrainingParams, _context: Context) -> TrainingResult:
    architecture, accelerator = architecture_of(params.model), accelerator_of(params.accelerator)
    count = float(params.accelerators_count)
    if not accelerator.speed_known and params.reached_fraction is None:
        message = (
            f"How fast {accelerator.name} trains is unknown: no measurement of its kind is here. "
            "Enter the share of its peak that you measured."
        )
        raise ModelError(message)
    share = params.reached_fraction or reached_share(
        architecture, accelerator, count, params.kind, params.software_years
    )
    work = training_flop(architecture, params.train_tokens, params.sequence_tokens, params.kind)
    stop_h = params.h_per_stop / count
    stops = Stops(params.h_per_stop, params.restart_h, params.checkpoint_h)
    lost = as_number(stops.lost(count))
    if lost >= 1.0 - _LEAST_KEPT:
        raise ModelError("It stops more often than it gets on. Enter fewer accelerators.")
    hours = as_number(
        run_h(work, count, architecture, accelerator, params.kind, stops,
              reached=params.reached_fraction, years=params.software_years)
    )  # fmt: skip
    memory = count * accelerator.memory_gib * BYTES_PER_GIB / BYTES_PER_GB
    state = state_gb(architecture, params.kind)
    low, high = (1.0, 1.0) if params.reached_fraction else band_of(accelerator)
    return TrainingResult(
        duration_h=Banded(low=hours * low, value=hours, high=hours * high),
        accelerator_h=Banded(
            low=hours * low * count, value=hours * count, high=hours * high * count
        ),
        work_flop=work,
        reached_fraction=share,
        checkpoint_interval_h=math.sqrt(2.0 * params.checkpoint_h * stop_h),
        lost_fraction=lost,
        stops_count=hours / stop_h,
        state_gb=state,
        memory_gb=memory,
        fits=state <= 0.9 * memory,
        told="Weights, gradients and optimiser fit."
        if state <= 0.9 * memory
        else "Weights, gradients and optimiser do not fit on so many accelerators.",
    )


def band_of(accelerator: Accelerator) -> tuple[float, float]:
    """Between what factors of what is predicted the time of four of five runs lies."""
    if accelerator.name in _MEASURED:
        return _KNOWN
    return _UNSEEN if is_near(accelerator) else _FAR


def is_near(accelerator: Accelerator) -> bool:
    """Whether training was measured on its generation."""
    return accelerator.generation in {"hopper", "blackwell", "cdna3", "cdna4"}


def _minutes(accelerator: str, count: int, samples: float, years: float) -> float:
    params = TrainingParams(
        model=open_model("Llama-3.1-405B"),
        accelerator=ListedAccelerator(name=accelerator),
        accelerators_count=count,
        train_tokens=samples * 8192.0,
        software_years=years,
        h_per_stop=1e12,
        checkpoint_h=0.0,
    )
    return _run(params, Context()).duration_h.value * 60.0


_run_of = partial(
    Check,
    unit="min",
    kind="fitted",
    fitted_to="Results of MLPerf training, this one among them: overheads and use.",
    tests="serving.architectures.Architecture.layers_count",
    wider="A tenth: the model is no closer than that.",
)

SPEC = ModelSpec(
    id="training.time",
    version="1.1.0",
    title="Time of a training run",
    summary="How long a model trains on accelerators, with checkpoints and restarts, and whether "
    "weights, gradients and optimiser fit.",
    params=TrainingParams,
    result=TrainingResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text="J. Kaplan et al., Scaling Laws, 2020", url="https://arxiv.org/abs/2001.08361"),
        Citation(text="MLPerf training 4.1, 5.0 and 5.1, closed division (MLCommons)"),
        Citation(text="J. Daly, A higher order estimate of the optimum checkpoint interval, 2006",
                 url="https://doi.org/10.1016/j.future.2004.11.016"),
    ),
    formulas=(
        Formula("flop", "FLOP = 6 A D + 6 L a d S D", "Kaplan et al. 2020; 4 A D with LoRA"),
        Formula("time", "time = FLOP / (n F MFU) / (1 - lost)", "definition"),
        Formula("interval", "interval = sqrt(2 checkpoint (time between stops))", "Daly 2006"),
    ),
    checks=(
        _run_of("T1", "405B on 512 H100, 276,480 sequences of 8,192", 230.7,
              lambda: _minutes("NVIDIA H100 SXM", 512, 276_480.0, -0.6),
              source="MLPerf training 5.0", tolerance=0.1 * 230.7),
        _run_of("T2", "405B on 2,560 GB200, 326,400 sequences of 8,192", 18.75,
              lambda: _minutes("NVIDIA GB200", 2560, 326_400.0, -0.1),
              source="MLPerf training 5.1", tolerance=0.1 * 18.75),
    ),
    limits=(
        "Tokens are given: that larger batches need more of them for the same loss is not here.",
        "Activations are taken to be recomputed or to fit beside the state.",
        "Models of experts and other sizes than 8B to 405B are extrapolated.",
        "Error of the time of MLPerf training 4.1 to 5.1 (median / 90th percentile): 7 / 22% with "
        "one of 82 configurations left out, 7 / 24% with all of an accelerator; the 80% bands hold "
        "78 and 79%.",
    ),
)  # fmt: skip
