"""What a rule of the like-for-like check is, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.owned import OwnedCluster
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.study import StudySpec
from capmodels.plans.document.workload import DemandWorkload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from capmodels.plans.document.array_spec import ArraySpec


@dataclass(frozen=True, slots=True)
class Change:
    """One place of the document and what to write there; designs by letter."""

    pointer: str
    value: Any


@dataclass(frozen=True, slots=True)
class Found:
    """Where designs are not alike: a sentence, the field, and what would make them so.

    Without changes the amount is unknown. ``not_counted`` says that it is a cost that every
    real design of its kind has, and nobody entered.
    """

    pointer: str
    sentence: str
    changes: tuple[Change, ...] = ()
    not_counted: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by its number in the specification, its name, and what it finds in a study."""

    number: int
    title: str
    find: Callable[[StudySpec], Iterable[Found]]


def clouds(study: StudySpec) -> list[Cloud]:
    """The rented designs of a study."""
    return [design for design in study.designs if isinstance(design, Cloud)]


def clusters(study: StudySpec) -> list[OwnedCluster]:
    """The owned clusters of a study."""
    return [design for design in study.designs if isinstance(design, OwnedCluster)]


def arrays(study: StudySpec) -> list[tuple[str, str, ArraySpec]]:
    """Every kind of arrays of a study: its design's letter, its pointer and what it is."""
    found = []
    for design in study.designs:
        if not isinstance(design, OwnedCluster | DiskArray) or design.array is None:
            continue
        at = f"/designs/{design.letter}"
        found.append((design.letter, f"{at}/array", design.array))
        for place, tier in enumerate(() if design.tiering is None else design.tiering.colder):
            found.append((design.letter, f"{at}/tiering/colder/{place}/array", tier.array))
    return found


def demand_of(study: StudySpec) -> DemandWorkload | None:
    """The workload, where it is a demand."""
    return study.workload if isinstance(study.workload, DemandWorkload) else None


def read_anew(document: dict[str, Any], replaced: Iterable[str]) -> StudySpec:
    """Return a changed study, read anew; ``replaced`` are the pointers that were written.

    What was replaced has no alternatives, and what it held no longer has no range: neither has a
    correlation that was of one.
    """
    fixed = tuple(replaced)
    within = tuple(f"{pointer}/" for pointer in fixed)
    assumptions = document["assumptions"]
    choices = [
        one
        for one in assumptions["choices"]
        if one["pointer"] not in fixed and not one["pointer"].startswith(within)
    ]
    bare = {**assumptions, "choices": choices, "correlations": []}
    known = StudySpec.model_validate({**document, "ranges": [], "assumptions": bare})
    ranges = [one for one in document["ranges"] if leaf_at(known, one["pointer"]) is not None]
    study = StudySpec.model_validate({**document, "ranges": ranges, "assumptions": bare})
    keys = {quantity.key for quantity in quantities_of(study)}
    tied = [one for one in assumptions["correlations"] if {one["first"], one["second"]} <= keys]
    if not tied:
        return study
    return StudySpec.model_validate(
        {**document, "ranges": ranges, "assumptions": {**bare, "correlations": tied}}
    )
