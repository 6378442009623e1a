"""Rule 27: GPUs. Designs whose GPUs are of different kinds do not carry the same work.

Where inference streams say what the work is, how fast each kind serves them is known; then they
have to fit, to be fast enough, and to serve at one precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.plans.check.rule import Found, Rule, clouds, clusters, demand_of
from capmodels.plans.costing.serving import unserved, way_of
from capmodels.plans.document.gpu_kinds import accelerator_named, are_alike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.document.workload import DemandWorkload


class Gpus(NamedTuple):
    """The GPUs of a group or an instance: in which design, where their kind is said, and which."""

    letter: str
    pointer: str
    kind: str | None
    joined: float

    @property
    def named(self) -> str:
        """The kind, and whose."""
        return f"{self.kind or 'GPUs of a kind that is not said'} in {self.letter}"


def gpus_of(study: StudySpec) -> list[Gpus]:
    """Every kind of GPU that serves GPU demand, design by design."""
    found = [
        Gpus(
            design.letter,
            f"/designs/{design.letter}/instances/{place}/gpu",
            item.gpu,
            item.gpus_count,
        )
        for design in clouds(study)
        for place, item in enumerate(design.instances)
        if item.gpus_count > 0
    ]
    return found + [
        Gpus(
            owned.letter,
            f"/designs/{owned.letter}/node_groups/{place}/gpu",
            group.gpu,
            group.gpus_per_node_count,
        )
        for owned in clusters(study)
        for place, group in enumerate(owned.node_groups)
        if group.role == "gpu"
    ]


def find(study: StudySpec) -> Iterator[Found]:
    """GPUs that are not of the kind that the work asks for, or not of the first one's.

    What serves inference streams is known of each kind; the precision at which it does may differ.
    """
    work = demand_of(study)
    if work is None or not work.asks_gpus:
        return
    if work.of_models:
        yield from _of_models(study, work)
        return
    there = gpus_of(study)
    # The kind that most is known of: the work's, else the first that a design says.
    first = next((one for one in there if one.kind), None)
    against = work.gpu or (first and first.kind)
    of = f"{against} for the work" if work.gpu else first.named if first else ""
    if len({one.letter for one in there}) < 2 and not work.gpu:
        return
    for one in there:
        if one is first and not work.gpu:
            continue
        if against is None or one.kind is None or not are_alike(one.kind, against):
            beside = f" beside {of}" if of else ""
            yield Found(
                one.pointer,
                f"{one.named[0].upper()}{one.named[1:]}{beside}: how fast they are for the work, "
                "and what fits into their memory, is not known here, so the designs are not "
                "comparable. Choose one kind for all designs.",
            )


def _of_models(study: StudySpec, work: DemandWorkload) -> Iterator[Found]:
    """GPUs that do not serve or train, and designs that serve at unlike precisions."""
    for job in work.trainings:
        for one in gpus_of(study):
            why = unserved((job,), one.kind, one.joined)
            if why is not None:
                yield Found(one.pointer, f"Design {one.letter}: {why}")
    for stream in work.streams:
        used: dict[str, str] = {}
        for one in gpus_of(study):
            why = unserved((stream,), one.kind, one.joined)
            if why is not None:
                yield Found(one.pointer, f"Design {one.letter}: {why}")
                continue
            way = way_of(stream, accelerator_named(one.kind) or "", int(one.joined))
            if way is None:
                continue
            first = next(iter(used.items()), None)
            if first is not None and first[0] != way.precision and way.precision not in used:
                yield Found(
                    one.pointer,
                    f"{one.named} serve {stream.model} at {way.precision.upper()}, those in "
                    f"{first[1]} at {first[0].upper()}: answers of unlike precision may be of "
                    "unlike quality, which is not known here. Allow one precision to compare "
                    "like with like.",
                )
            used.setdefault(way.precision, one.letter)


RULE = Rule(27, "One kind of GPU", find)
