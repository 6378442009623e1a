"""The ranges that a study starts with: how far off its lists and defaults may be.

A draft may be incomplete, so this walks the document beside the classes of its fields and
validates nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import BaseModel

from capmodels.plans.document.pointers import Leaf, Path, facts_of, may_vary
from capmodels.plans.document.study import StudySpec

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

JSONDict = dict[str, Any]

# Numbers of nodes that serve queries set a queue, which takes one value at a time.
OF_A_SERVER = frozenset({"perf_per_core_ratio", "cores_per_node_count"})


def design_spreads(design: Mapping[str, Any], origins: Mapping[str, Any]) -> list[JSONDict]:
    """Return the ranges that a design starts with, as a study holds them.

    Parameters
    ----------
    design
        Letter, kind and fields, as the plan takes it.
    origins
        Where its numbers come from, by pointer relative to the design; ``low`` and ``high``
        of an origin are the spread of its source.
    """
    classes = _classes(StudySpec.model_fields["designs"].annotation)
    return _ranges(classes, design, f"/designs/{design['letter']}", origins)


def shared_spreads(
    part: Literal["workload", "assumptions"],
    document: Mapping[str, Any],
    origins: Mapping[str, Any],
) -> list[JSONDict]:
    """Return the ranges that the workload or the assumptions start with."""
    classes = _classes(StudySpec.model_fields[part].annotation)
    return _ranges(classes, document, f"/{part}", origins)


def _ranges(
    classes: Sequence[type[BaseModel]], held: Any, prefix: str, origins: Mapping[str, Any]
) -> list[JSONDict]:
    path: Path = tuple(part for part in prefix.split("/") if part)
    found = []
    for leaf, spread in _leaves(classes, held, path):
        origin = origins.get(leaf.pointer[len(prefix) :])
        ends = _ends(origin) if isinstance(origin, Mapping) else spread
        if ends is not None and _fits(leaf, *ends):
            found.append({"pointer": leaf.pointer, "low": ends[0], "high": ends[1]})
    return found


def movable(classes: Sequence[type[BaseModel]], held: Any, path: Path) -> Iterator[Leaf]:
    """Yield the numbers below a path of a draft that may have a range."""
    for leaf, _spread in _leaves(classes, held, path):
        yield leaf


def _leaves(
    classes: Sequence[type[BaseModel]], held: Any, path: Path
) -> Iterator[tuple[Leaf, tuple[float, float] | None]]:
    """Yield the numbers that a draft holds or has by default, with their default's spread."""
    model = _class_of(classes, held)
    if model is None:
        return
    for name, info in model.model_fields.items():
        value = _plain(held.get(name, info.default))
        at = (*path, name)
        if isinstance(value, Mapping):
            yield from _leaves(_classes(info.annotation), value, at)
        elif isinstance(value, list | tuple):
            inner = _classes(info.annotation)
            for index, item in enumerate(value):
                yield from _leaves(inner, _plain(item), (*at, index))
        elif isinstance(value, int | float) and not _sets_the_queue(name, held):
            pointer = "".join(f"/{part}" for part in at)
            facts, of_tracks = facts_of(model, name), held.get("geometry") is not None
            leaf = Leaf(pointer, at, value, facts, of_tracks)
            if may_vary(leaf):
                yield leaf, _default_spread(info, value)


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def _sets_the_queue(name: str, held: Mapping[str, Any]) -> bool:
    return name in OF_A_SERVER and held.get("role") == "service"


def _classes(annotation: Any) -> list[type[BaseModel]]:
    """Every class that a field of this type may hold, alone or in a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for inner in get_args(annotation) for found in _classes(inner)]


def _class_of(classes: Sequence[type[BaseModel]], held: Any) -> type[BaseModel] | None:
    """The class that a part of a draft is of, by its tag where there are several."""
    if not isinstance(held, Mapping):
        return None
    return next((model for model in classes if _is_tagged(model, held)), None)


def _is_tagged(model: type[BaseModel], held: Mapping[str, Any]) -> bool:
    info = model.model_fields.get("kind")
    if info is None or get_origin(info.annotation) is not Literal:
        return True
    return held.get("kind", info.default) in get_args(info.annotation)


def _default_spread(info: FieldInfo, value: float) -> tuple[float, float] | None:
    extra = info.json_schema_extra
    source = extra.get("default_source") if isinstance(extra, dict) else None
    return _ends(source) if isinstance(source, dict) and value == info.default else None


def _ends(source: Mapping[str, Any]) -> tuple[float, float] | None:
    low, high = source.get("low"), source.get("high")
    if isinstance(low, int | float) and isinstance(high, int | float):
        return float(low), float(high)
    return None


def _fits(leaf: Leaf, low: float, high: float) -> bool:
    return low < high and low <= leaf.value <= high and leaf.allows(low) and leaf.allows(high)
