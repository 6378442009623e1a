"""GPUs that inference streams need, of each kind, by the model of serving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import maximum, smallest
from capmodels.plans.document.gpu_kinds import accelerator_named
from capmodels.serving.size import ways_of, why_not
from capmodels.serving.size_told import verdict_words
from capmodels.worked import named

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.document.inference import InferenceStream
    from capmodels.plans.document.workload import DemandWorkload
    from capmodels.serving.size import Way

# The GPU in which those of streams are counted, where the work names none that serves them.
REFERENCE = "NVIDIA H100 SXM"


def way_of(stream: InferenceStream, accelerator: str, joined: int | None = None) -> Way | None:
    """The replica of an accelerator that serves most per GPU, of as many as a machine joins."""
    ways = ways_of(stream.asks).get(accelerator, ())
    within = [way for way in ways if joined is None or way.accelerators <= joined]
    return max(within, key=lambda way: way.requests_per_s / way.accelerators, default=None)


def gpus_needed(
    streams: tuple[InferenceStream, ...], accelerator: str, joined: int | None = None
) -> Amount | None:
    """GPUs of a kind for all the streams, a replica of each at least; None: it serves one not."""
    total: Amount = 0.0
    for stream in streams:
        way = way_of(stream, accelerator, joined)
        if way is None:
            return None
        replicas = stream.rate_per_s / (way.requests_per_s * stream.served_ratio)
        total = total + way.accelerators * maximum(replicas, 1.0)
    return total


def is_measured(streams: tuple[InferenceStream, ...], accelerator: str) -> bool:
    """Whether a kind of GPU, or its generation, was measured with models of the streams' kind."""
    ways = [way_of(stream, accelerator) for stream in streams]
    return all(way is not None and way.nearness != "extrapolated" for way in ways)


def reference_of(work: DemandWorkload) -> str | None:
    """The kind of GPU in which the streams' need is counted; None where none serves them all."""
    named_one = accelerator_named(work.gpu)
    served = [
        {name for name in ways_of(stream.asks) if way_of(stream, name)} for stream in work.streams
    ]
    all_of = set.intersection(*served) if served else set()
    first = [name for name in (named_one, REFERENCE) if name in all_of]
    return next(iter([*first, *sorted(all_of)]), None)


def with_gpus_of_streams(work: DemandWorkload) -> DemandWorkload:
    """The work with the GPUs that its streams need, counted in those of the reference."""
    if not work.streams:
        return work
    reference = reference_of(work)
    needed = None if reference is None else gpus_needed(work.streams, reference)
    peak: Amount = 1.0 if needed is None else named(needed, "GPUs that streams need", "GPUs")
    total: Amount = 0.0
    mean: Amount = 0.0
    for stream in work.streams:
        total = total + stream.rate_per_s
        mean = mean + stream.rate_per_s * stream.mean_fraction
    return work.model_copy(update={"gpu_peak_count": peak, "gpu_mean_count": peak * mean / total})


def gpu_work(work: DemandWorkload, kind: str | None, per_machine: Amount) -> Amount:
    """Work of a GPU over that of one of the reference; 1 where GPUs are typed, or serve none."""
    if not work.streams:
        return 1.0
    accelerator, reference = accelerator_named(kind), reference_of(work)
    if accelerator is None or reference is None:
        return 1.0
    mine = gpus_needed(work.streams, accelerator, int(smallest(per_machine)))
    theirs = gpus_needed(work.streams, reference)
    return 1.0 if mine is None or theirs is None else theirs / mine


def unserved(work: DemandWorkload, kind: str | None, per_machine: Amount) -> str | None:
    """Why GPUs of a kind do not serve the streams, in a sentence; None where they do."""
    for stream in work.streams:
        what = f"{stream.model} ({stream.name})"
        if kind is None:
            return f"Which GPUs are to serve {what} is not entered."
        accelerator = accelerator_named(kind)
        if accelerator is None:
            return f"How fast {kind} serves {what} is not known."
        if way_of(stream, accelerator, int(smallest(per_machine))) is not None:
            continue
        if way_of(stream, accelerator) is not None:
            return (
                f"{kind} does not serve {what}: a replica within its limits takes more than the "
                f"{smallest(per_machine):g} of a machine."
            )
        left = why_not(stream.asks, accelerator)
        return f"{kind} does not serve {what}: {verdict_words(left.verdicts)}. {left.reason}"
    return None
