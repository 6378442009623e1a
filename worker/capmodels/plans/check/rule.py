"""What a rule of the like-for-like check is, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.owned import OwnedCluster
from capmodels.plans.document.workload import DemandWorkload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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


def demand_of(study: StudySpec) -> DemandWorkload | None:
    """The workload, where it is a demand."""
    return study.workload if isinstance(study.workload, DemandWorkload) else None
