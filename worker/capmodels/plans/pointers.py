"""Pointers into a study: what a number is, and the study with another number there.

Designs are addressed by letter: ``/designs/D/staff_fte``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Path = tuple[int | str, ...]

# These set the form of the calculation, not a value in it.
_FIXED = frozenset(
    {
        "hours_per_year",
        "per_usd",
        "exponent",
        "load_fraction",
        "knee_load_fraction",
        "up_to_tb",
        "up_to_usd_per_month",
        "hours_per_month",
    }
)


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """What the schema says of a number: name, unit, bounds and default range."""

    title: str
    unit: str
    low: float | None
    high: float | None
    open_low: bool
    open_high: bool
    is_real: bool


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number of a study: its value, its place, and what the schema says of it."""

    pointer: str
    path: Path
    value: Any
    facts: FieldFacts

    def allows(self, value: float) -> bool:
        """Whether the schema's bounds allow a value."""
        facts = self.facts
        above = (
            facts.low is None or value > facts.low or (value == facts.low and not facts.open_low)
        )
        below = (
            facts.high is None
            or value < facts.high
            or (value == facts.high and not facts.open_high)
        )
        return above and below


@cache
def facts_of(model: type[BaseModel], name: str) -> FieldFacts:
    """Return what the schema says of one field."""
    info = model.model_fields[name]
    parts = list(_metadata(info))
    extra: dict[str, Any] = {}
    bounds: dict[type, float] = {}
    for part in parts:
        if isinstance(part, FieldInfo) and isinstance(part.json_schema_extra, dict):
            extra |= part.json_schema_extra
        for kind in (Ge, Gt, Le, Lt):
            if isinstance(part, kind):
                bounds[kind] = float(getattr(part, kind.__name__.lower()))
    return FieldFacts(
        title=info.title or name,
        unit=str(extra.get("unit", "")),
        low=bounds.get(Ge, bounds.get(Gt)),
        high=bounds.get(Le, bounds.get(Lt)),
        open_low=Ge not in bounds and Gt in bounds,
        open_high=Le not in bounds and Lt in bounds,
        is_real=_is_real(info.annotation),
    )


def _metadata(info: FieldInfo) -> Iterable[Any]:
    yield info
    yield from info.metadata
    yield from _nested(info.annotation)


def _nested(annotation: Any) -> Iterable[Any]:
    for part in getattr(annotation, "__metadata__", ()):
        yield part
        if isinstance(part, FieldInfo):
            yield from part.metadata
    for argument in get_args(annotation):
        yield from _nested(argument)


def _is_real(annotation: Any) -> bool:
    return annotation is float or any(_is_real(item) for item in get_args(annotation))


def path_of(study: Any, pointer: str) -> Path | None:
    """Return the attribute path of a pointer, or None when it leads nowhere."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]
    if parts[0] == "designs":
        letters = [design.letter for design in study.designs]
        if len(parts) < 2 or parts[1] not in letters:
            return None
        parts[1] = str(letters.index(parts[1]))
    here, path = study, list[int | str]()
    for part in parts:
        key: int | str = int(part) if isinstance(here, tuple) and part.isdigit() else part
        found, here = _step(here, key)
        if not found:
            return None
        path.append(key)
    return tuple(path)


def _step(here: Any, key: int | str) -> tuple[bool, Any]:
    if isinstance(here, tuple):
        inside = isinstance(key, int) and key < len(here)
        return inside, here[key] if inside and isinstance(key, int) else None
    known = isinstance(here, BaseModel) and key in type(here).model_fields
    return known, getattr(here, str(key)) if known else None


def leaf_at(study: Any, pointer: str) -> Leaf | None:
    """Return the number at a pointer, or None when there is no field of that name."""
    path = path_of(study, pointer)
    if path is None or not isinstance(path[-1], str):
        return None
    owner = study
    for key in path[:-1]:
        owner = owner[key] if isinstance(key, int) else getattr(owner, key)
    kind: type[BaseModel] = type(owner)
    return Leaf(
        pointer=pointer,
        path=path,
        value=getattr(owner, path[-1]),
        facts=facts_of(kind, path[-1]),
    )


# Of a drive, what enters sums; its mechanics set the service times.
_OF_A_DRIVE = frozenset({"capacity_gb", "active_w", "idle_w", "afr_fraction", "endurance_tb"})
_DRIVES = frozenset({"drive", "device"})


def may_vary(leaf: Leaf) -> bool:
    """Whether a value may have a range: a real number that is there and enters the sums."""
    if not _DRIVES.isdisjoint(leaf.path) and leaf.path[-1] not in _OF_A_DRIVE:
        return False
    return (
        leaf.facts.is_real
        and isinstance(leaf.value, float | int)
        and not isinstance(leaf.value, bool)
        and leaf.path[-1] not in _FIXED
    )


def substitute(root: Any, values: Mapping[Path, Any]) -> Any:
    """Return a study with other values at some paths; nothing is validated.

    A value may be an array of draws: the equations take either.
    """
    groups: dict[int | str, dict[Path, Any]] = {}
    for path, value in values.items():
        groups.setdefault(path[0], {})[path[1:]] = value
    changed = {
        key: inner[()] if () in inner else substitute(_get(root, key), inner)
        for key, inner in groups.items()
    }
    if isinstance(root, tuple):
        return tuple(changed.get(index, item) for index, item in enumerate(root))
    return root.model_copy(update=changed)


def _get(root: Any, key: int | str) -> Any:
    return root[key] if isinstance(key, int) else getattr(root, key)
