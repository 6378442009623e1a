"""Pointers into a study: what a number is, and the study with another number there.

Designs are addressed by letter: ``/designs/D/staff_fte``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, get_args

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from capmodels.numbers import whole_of
from capmodels.plans.document import inference, training

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from capmodels.plans.document.question import Question

Path = tuple[int | str, ...]

# What one machine, drive or instance has of a resource: work is divided by it, and 0 says
# that it was not entered. So it has a range only where it is above 0, and none down to 0.
CAPACITIES = frozenset(
    {
        *("cores_per_node_count", "ram_gib", "gpus_per_node_count", "disks_count", "disks_tb"),
        *("io_per_s", "throughput_mb_per_s", "nic_gbit_per_s", "rate_gbit_per_s"),
    }
)

# These set the form of the calculation, not a value in it.
FIXED = frozenset(
    {
        "hours_per_year",
        "per_usd",
        "gb_per_tb",
        "exponent",
        "load_fraction",
        "knee_load_fraction",
        "up_to_tb",
        "up_to_usd_per_month",
        "up_to_kw",
        "up_to_kwh",
        "hours_per_month",
        "gpus_count",
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
    """A number of a study: its value, its place, and what the schema says of it.

    ``of_tracks`` says that it is of a drive whose tracks are described, and so hold so much.
    """

    pointer: str
    path: Path
    value: Any
    facts: FieldFacts
    of_tracks: bool = False

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
    # Of two bounds the tighter one holds: a share of at most 1 that stays below 1.
    low = max((bounds[kind] for kind in (Ge, Gt) if kind in bounds), default=None)
    high = min((bounds[kind] for kind in (Le, Lt) if kind in bounds), default=None)
    return FieldFacts(
        title=info.title or name,
        unit=str(extra.get("unit", "")),
        low=low,
        high=high,
        open_low=low is not None and (bounds.get(Gt) == low or name in CAPACITIES),
        open_high=high is not None and bounds.get(Lt) == high,
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


@lru_cache(maxsize=4096)
def _parts(pointer: str) -> tuple[str, ...]:
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))


def part_of(study: Question, pointer: str) -> object | None:
    """Return the design, the workload or the assumptions that a pointer leads into, if any."""
    first, second = _parts(pointer)[:2]
    if first == "designs":
        return next((design for design in study.designs if design.letter == second), None)
    return getattr(study, first, None)


def _walk(study: Any, pointer: str) -> tuple[Path, Any, Any] | None:
    """The path of a pointer, what holds the last of it, and the value there."""
    owner, here, path = study, study, list[int | str]()
    for part in _parts(pointer):
        owner, key = here, _key(here, part, path)
        if key is None:
            return None
        here = here[key] if isinstance(key, int) else getattr(here, key)
        path.append(key)
    return tuple(path), owner, here


def _key(here: Any, part: str, path: list[int | str]) -> int | str | None:
    """The attribute or index that a part of a pointer stands for, if there is one."""
    if isinstance(here, tuple):
        if path == ["designs"]:
            letters = (place for place, design in enumerate(here) if design.letter == part)
            return next(letters, None)
        at = whole_of(part)
        return at if at is not None and at < len(here) else None
    return part if isinstance(here, BaseModel) and part in here.__pydantic_fields__ else None


def leaf_at(study: Any, pointer: str) -> Leaf | None:
    """Return the number at a pointer, or None when there is no field of that name."""
    walked = _walk(study, pointer)
    if walked is None or not isinstance(walked[0][-1], str):
        return None
    path, owner, value = walked
    kind: type[BaseModel] = type(owner)
    facts = facts_of(kind, str(path[-1]))
    of_tracks = getattr(owner, "geometry", None) is not None
    return Leaf(pointer=pointer, path=path, value=value, facts=facts, of_tracks=of_tracks)


# Of a drive, what enters sums; its mechanics set the service times.
OF_A_DRIVE = frozenset({"capacity_gb", "active_w", "idle_w", "afr_fraction", "endurance_tb"})
DRIVES = frozenset({"drive", "device"})
# Read by models that take one value at a time.
OF_A_SERVICE = frozenset(
    {"service_ms", "service_variation_ratio", "latency_bound_ms", "percentile_fraction"}
)


# What of memory, and of models that are served or trained, may have a range.
_OF_MODELS = {
    "memory": frozenset({"measured_ratio"}),
    "streams": inference.VARYING,
    "trainings": training.VARYING,
}


def may_vary(leaf: Leaf) -> bool:
    """Whether a value may have a range: a real number that is there and enters the sums."""
    if not DRIVES.isdisjoint(leaf.path) and leaf.path[-1] not in OF_A_DRIVE:
        return False
    if leaf.of_tracks and leaf.path[-1] == "capacity_gb":
        return False
    if leaf.path[-1] in OF_A_SERVICE:
        return False
    if any(part in leaf.path and leaf.path[-1] not in may for part, may in _OF_MODELS.items()):
        return False
    if leaf.path[-1] in CAPACITIES and not leaf.value:
        return False
    return (
        leaf.facts.is_real
        and isinstance(leaf.value, float | int)
        and not isinstance(leaf.value, bool)
        and leaf.path[-1] not in FIXED
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
