"""What a rule of the like-for-like check is, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.owned import OwnedCluster
from capmodels.plans.document.workload import DemandWorkload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.plans.document.study import StudySpec


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
