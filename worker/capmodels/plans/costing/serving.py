"""GPUs of each kind that inference streams and training jobs need, by the models of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import largest, maximum, minimum, smallest
from capmodels.plans.document.gpu_kinds import accelerator_named
from capmodels.plans.document.training import TrainingJob
from capmodels.serving.accelerators import ACCELERATORS
from capmodels.serving.size import ways_of, why_not
from capmodels.serving.size_told import verdict_words
from capmodels.training.time import accelerators_for, is_near, run_h
from capmodels.units import HOURS_PER_MONTH
from capmodels.worked import named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capmodels.amounts import Amount
    from capmodels.plans.document.inference import InferenceStream
    from capmodels.plans.document.workload import DemandWorkload
    from capmodels.serving.size import Way

    ModelWork = InferenceStream | TrainingJob

# The GPU in which those of streams are counted, where the work names none that serves them.
REFERENCE = "NVIDIA H100 SXM"


def way_of(stream: InferenceStream, accelerator: str, joined: int | None = None) -> Way | None:
    """The replica of an accelerator that serves most per GPU, of as many as a machine joins."""
    ways = ways_of(stream.asks).get(accelerator, ())
    within = [way for way in ways if joined is None or way.accelerators <= joined]
    return max(within, key=lambda way: way.requests_per_s / way.accelerators, default=None)


def gpus_of(one: ModelWork, accelerator: str, joined: int | None = None) -> Amount | None:
    """GPUs of a kind for a stream, a replica at least, or for a training job; None: they do not.

    A job has as many as end a run in time, and hold it.
    """
    if isinstance(one, TrainingJob):
        sheet = ACCELERATORS[accelerator]
        return accelerators_for(one.flop, one.window_h, one.shape, sheet, one.learns, one.stops)
    way = way_of(one, accelerator, joined)
    if way is None:
        return None
    replicas = one.rate_per_s / (way.requests_per_s * one.served_ratio)
    return way.accelerators * maximum(replicas, 1.0)


def gpus_needed(
    models: Iterable[ModelWork], accelerator: str, joined: int | None = None
) -> Amount | None:
    """GPUs of a kind for all streams and training jobs; None: one of them they do not."""
    total: Amount = 0.0
    for one in models:
        needed = gpus_of(one, accelerator, joined)
        if needed is None:
            return None
        total = total + needed
    return total


def running_share(one: ModelWork, accelerator: str, count: Amount) -> Amount:
    """Share of its GPUs that a stream or a training job uses on average."""
    if not isinstance(one, TrainingJob):
        return one.mean_fraction
    sheet = ACCELERATORS[accelerator]
    hours = run_h(one.flop, count, one.shape, sheet, one.learns, one.stops)
    return minimum(one.runs_per_month * hours / HOURS_PER_MONTH, 1.0)


def is_measured(models: Iterable[ModelWork], accelerator: str) -> bool:
    """Whether a kind of GPU, or its generation, was measured with models of their kind."""

    def near(one: ModelWork) -> bool:
        if isinstance(one, TrainingJob):
            return is_near(ACCELERATORS[accelerator])
        way = way_of(one, accelerator)
        return way is not None and way.nearness != "extrapolated"

    return all(map(near, models))


def reference_of(work: DemandWorkload) -> str | None:
    """The kind of GPU in which the need of models is counted; None where none serves them all."""
    named_one = accelerator_named(work.gpu)
    first = [name for name in (named_one, REFERENCE) if name is not None]
    tried = dict.fromkeys([*first, *sorted(ACCELERATORS)])
    return next((name for name in tried if gpus_needed(work.of_models, name) is not None), None)


def with_gpus_of_models(work: DemandWorkload) -> DemandWorkload:
    """The work with the GPUs that its streams and jobs need, counted in those of the reference."""
    if not work.of_models:
        return work
    reference = reference_of(work)
    if reference is None:
        return work.model_copy(update={"gpu_peak_count": 1.0, "gpu_mean_count": 1.0})
    peak: Amount = 0.0
    mean: Amount = 0.0
    for one in work.of_models:
        needed = gpus_of(one, reference)
        assert needed is not None
        peak = peak + needed
        mean = mean + needed * running_share(one, reference, needed)
    return work.model_copy(
        update={
            "gpu_peak_count": named(peak, "GPUs that models need", "GPUs"),
            "gpu_mean_count": named(mean, "GPUs in use, mean", "GPUs"),
        }
    )


def gpu_work(work: DemandWorkload, kind: str | None, per_machine: Amount) -> Amount:
    """Work of a GPU over that of one of the reference; 1 where GPUs are typed, or serve none."""
    if not work.of_models:
        return 1.0
    accelerator, reference = accelerator_named(kind), reference_of(work)
    if accelerator is None or reference is None:
        return 1.0
    mine = gpus_needed(work.of_models, accelerator, int(smallest(per_machine)))
    theirs = gpus_needed(work.of_models, reference)
    return 1.0 if mine is None or theirs is None else theirs / mine


def unserved(models: Iterable[ModelWork], kind: str | None, per_machine: Amount) -> str | None:
    """Why GPUs of a kind do not serve streams or train, in a sentence; None where they do."""
    for one in models:
        does = "train" if isinstance(one, TrainingJob) else "serve"
        what = f"{one.model} ({one.name})"
        if kind is None:
            return f"Which GPUs are to {does} {what} is not entered."
        accelerator = accelerator_named(kind)
        if accelerator is None:
            return f"How fast {kind} {does}s {what} is not known."
        if gpus_of(one, accelerator, int(smallest(per_machine))) is not None:
            continue
        if isinstance(one, TrainingJob):
            return (
                f"How fast {kind} trains {what} is not known."
                if not ACCELERATORS[accelerator].speed_known
                else f"{kind} does not train {what} in {largest(one.window_h):,g} h: as many as "
                "that takes stop more often than they get on."
            )
        if way_of(one, accelerator) is not None:
            return (
                f"{kind} does not serve {what}: a replica within its limits takes more than the "
                f"{smallest(per_machine):g} of a machine."
            )
        left = why_not(one.asks, accelerator)
        return f"{kind} does not serve {what}: {verdict_words(left.verdicts)}. {left.reason}"
    return None
