"""The assumptions and inputs of a study as rows: value, range, quality, date, source."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from capmodels.numbers import (
    USD,
    Currency,
    exact,
    is_money,
    range_end,
    span,
    stated_day,
)
from capmodels.plans.document.combinations import said_plainly

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput

QUALITY_WORDS = {"recalled": "estimated from memory", "typed": "entered"}
HIDDEN = frozenset({"letter", "title", "kind", "name"})
# The source of a default that says: this study has none of it. Such zeros are not listed.
NOT_ENTERED = "None unless entered"
# A longer list is a series, shown by its length and extent.
LIST_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a document, and what the schema says of it."""

    pointer: str
    trail: tuple[str, ...]
    value: Any
    schema: JSONDict


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRow:
    """One line of the table of inputs.

    ``source`` counts from 1; 0 where there is none, and then ``reason`` says why it is so,
    where anybody did.
    """

    label: str
    value: str
    range: str
    quality: str
    unsure: bool
    as_of: str
    amount: float | None
    unit: str
    source: int
    reason: str
    note: str


@dataclass(frozen=True, slots=True)
class InputGroup:
    """The inputs of one design, of the workload or of the assumptions."""

    letter: str
    title: str
    rows: tuple[InputRow, ...]


@dataclass(slots=True)
class Sources:
    """The sources named so far, numbered in the order of their first use."""

    found: dict[tuple[str, str], int] = field(default_factory=dict)

    def number(self, origin: Mapping[str, Any]) -> int:
        """Return the number of a source, giving it one at its first use; 0 for none."""
        title = origin.get("source") or ""
        if not title or not is_source(origin):
            return 0
        key = (title, origin.get("url") or "")
        return self.found.setdefault(key, len(self.found) + 1)

    @property
    def listed(self) -> list[JSONDict]:
        """The sources in the order of their numbers."""
        return [{"number": n, "title": t, "url": u} for (t, u), n in self.found.items()]


def is_source(origin: Mapping[str, Any]) -> bool:
    """Whether an origin names what can be looked up, and not only why a value was chosen.

    >>> is_source({"quality": "assumed", "source": "One site"})
    False
    >>> is_source({"quality": "recalled", "source": "General knowledge", "as_of": "2025-12-01"})
    False
    """
    quality = origin.get("quality")
    if quality in {"measured", "published"} or origin.get("url"):
        return True
    return quality == "derived" and bool(origin.get("as_of"))


def input_groups(report: ReportInput, currency: Currency = USD) -> tuple[list[InputGroup], Sources]:
    """Return the inputs of a study by group, and the sources that they name.

    Values and ranges are written in the currency; ``amount`` is as it is held, in US dollars.
    """
    sources = Sources()
    ranges = {row["pointer"]: row for row in report.document.get("ranges") or []}
    groups = []
    for key, title, leaves in document_leaves(report.document, report.schema):
        rows = tuple(
            _row(report, leaf, ranges, (sources, currency))
            for leaf in leaves
            if _is_shown(report, leaf)
        )
        if rows:
            groups.append(InputGroup(key, title, rows))
    return groups, sources


def document_leaves(document: JSONDict, schema: JSONDict) -> Iterator[tuple[str, str, list[Leaf]]]:
    """Return the parts of a study with all their values: letter, title and leaves of each."""
    properties = schema.get("properties", {})
    for name in ("assumptions", "workload", "baseline"):
        if part := document.get(name):
            title = properties.get(name, {}).get("title") or name.capitalize()
            yield "", title, leaves_of(part, properties.get(name, {}), schema, f"/{name}")
    item = properties.get("designs", {}).get("items", {})
    for design in document.get("designs", []):
        letter = design["letter"]
        leaves = leaves_of(design, item, schema, f"/designs/{letter}")
        yield letter, design["title"], leaves


def leaves_of(value: Any, schema: JSONDict, root: JSONDict, pointer: str) -> list[Leaf]:
    """Return every value of a document with its title, unit and pointer, in document order."""
    return list(_walk(value, schema, root, (pointer, ())))


def _walk(
    value: Any, schema: JSONDict, root: JSONDict, place: tuple[str, tuple[str, ...]]
) -> Iterator[Leaf]:
    pointer, trail = place
    schema = resolved(schema, value, root)
    if isinstance(value, Mapping):
        properties = schema.get("properties", {})
        for key, inner in value.items():
            if key in HIDDEN:
                continue
            inner_schema = properties.get(key) or additional(schema)
            title = inner_schema.get("title") or str(key).replace("_", " ").capitalize()
            yield from _walk(inner, inner_schema, root, (f"{pointer}/{key}", (*trail, title)))
    elif is_parts(value):
        for i, inner in enumerate(value):
            # A part with a name of its own stands without the title of its list.
            name = _name_of(inner)
            here = (*trail[:-1], name) if name else (*trail, f"No. {i + 1}")
            yield from _walk(inner, schema.get("items", {}), root, (f"{pointer}/{i}", here))
    else:
        yield Leaf(pointer, trail, value, schema)


def additional(schema: JSONDict) -> JSONDict:
    """Return what a schema says of values whose names it does not list."""
    extra = schema.get("additionalProperties")
    return extra if isinstance(extra, dict) else {}


def is_parts(value: Any) -> bool:
    """Whether a value is a list of parts, each with fields of its own."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _name_of(part: Mapping[str, Any]) -> str:
    names = (part.get(key) for key in ("name", "title", "label"))
    return next((name for name in names if isinstance(name, str) and name), "")


def resolved(schema: JSONDict, value: Any, root: JSONDict) -> JSONDict:
    """Follow references, and choose the member of a union that the value is of.

    What stands beside a reference (title, default, unit) overrides the target's own.
    """
    for _depth in range(16):
        if "$ref" in schema:
            target = root
            for key in schema["$ref"].removeprefix("#/").split("/"):
                target = target[key]
            schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
        elif "allOf" in schema and len(schema["allOf"]) == 1:
            beside = {k: v for k, v in schema.items() if k != "allOf"}
            schema = {**schema["allOf"][0], **beside}
        elif "oneOf" in schema or "anyOf" in schema:
            name = "oneOf" if "oneOf" in schema else "anyOf"
            beside = {k: v for k, v in schema.items() if k not in {name, "discriminator"}}
            schema = {**_member(schema, schema[name], value, root), **beside}
        else:
            return schema
    return schema


def _member(union: JSONDict, members: Sequence[JSONDict], value: Any, root: JSONDict) -> JSONDict:
    discriminator = union.get("discriminator")
    if discriminator and isinstance(value, Mapping):
        tag = value.get(discriminator["propertyName"])
        if reference := discriminator.get("mapping", {}).get(tag):
            return {"$ref": reference}
    wanted = {dict: "object", list: "array", str: "string", bool: "boolean"}.get(type(value))
    for member in members:
        kind = resolved(member, value, root).get("type")
        if kind == wanted or (wanted is None and kind in {"number", "integer"}):
            return member
    return next((m for m in members if m.get("type") != "null"), {})


# Told with the findings of the like-for-like check, in words.
_ACCEPTED = "/assumptions/accepted/"
# Alternatives stand beside the inputs that they are of.
_CHOICES = "/assumptions/choices"


def _is_shown(report: ReportInput, leaf: Leaf) -> bool:
    if leaf.pointer.startswith((_ACCEPTED, _CHOICES)):
        return False
    if leaf.value is None or leaf.value in ("", [], {}):
        return False
    return bool(leaf.value) or _origin(report, leaf).get("source") != NOT_ENTERED


def _row(
    report: ReportInput,
    leaf: Leaf,
    ranges: Mapping[str, JSONDict],
    told: tuple[Sources, Currency],
) -> InputRow:
    sources, currency = told
    origin = _origin(report, leaf)
    unit = leaf.schema.get("unit")
    spread = ranges.get(leaf.pointer) or origin
    low, high = spread.get("low"), spread.get("high")
    low, high = (_in(currency, end, unit) for end in (low, high))
    others = _others(report, leaf)
    sign = currency.symbol if is_money(unit) else "$"
    number, quality = sources.number(origin), origin.get("quality") or "typed"
    return InputRow(
        label=" › ".join(leaf.trail),
        value=value_text(_in(currency, _called(leaf.value, leaf), unit), unit).replace("$", sign),
        range=others or range_text(low, high, unit).replace("$", sign),
        amount=float(leaf.value) if _is_number(leaf.value) else None,
        unit=unit or "",
        quality=QUALITY_WORDS.get(quality, quality),
        unsure=quality in {"recalled", "assumed"},
        as_of=origin.get("as_of") or "",
        source=number,
        reason="" if number or quality == "typed" else origin.get("source") or "",
        note=origin.get("note") or "",
    )


def _others(report: ReportInput, leaf: Leaf) -> str:
    """The alternatives of an input with their odds; nothing where it is settled."""
    choices = report.document.get("assumptions", {}).get("choices") or []
    none: list[JSONDict] = []
    others = next((one["others"] for one in choices if one["pointer"] == leaf.pointer), none)
    return ", ".join(
        f"{said_plainly(_called(one['value'], leaf))} {range_end(one['odds_fraction'], 'fraction')}"
        for one in others
    )


def _in(currency: Currency, value: Any, unit: str | None) -> Any:
    """Return what is held in US dollars in a currency; all else as it is."""
    if not is_money(unit) or currency.per_usd == 1:
        return value
    if isinstance(value, list):
        return [_in(currency, one, unit) for one in value]
    if not _is_number(value):
        return value
    return float(f"{value * currency.per_usd:.12g}")


def _called(value: Any, leaf: Leaf) -> Any:
    """A value of an input, or what the form calls it where it is a choice with a name."""
    choices = leaf.schema.get("choices", {})
    return choices.get(value, value) if isinstance(value, str) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _origin(report: ReportInput, leaf: Leaf) -> Mapping[str, Any]:
    pointer = leaf.pointer
    while pointer:
        # What is said of a whole part holds for what is in it.
        if stated := report.provenance.get(pointer):
            return stated
        pointer = pointer.rpartition("/")[0]
    is_default = leaf.value == leaf.schema.get("default") and "default" in leaf.schema
    origin: Mapping[str, Any] = leaf.schema.get("default_source", {}) if is_default else {}
    return origin


def value_text(value: Any, unit: str | None) -> str:
    """Write a value in full: every digit held, shares as percent, long lists by their extent."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _number_text(float(value), unit)
    if isinstance(value, list):
        return _list_text(value, unit)
    if isinstance(value, str) and _is_word(value):
        return value.replace("_", " ")
    return stated_day(str(value))


def _is_word(value: str) -> bool:
    return value.replace("_", "").isalpha() and value.islower()


def _number_text(value: float, unit: str | None) -> str:
    if not math.isfinite(value):
        return str(value)
    if unit is None and value.is_integer():
        # A year, a seed: no quantity, so its digits are not grouped.
        return f"{value:.0f}"
    if unit and unit.startswith("USD") and abs(value) >= 1:
        value = round(value, 2)
    text = exact(value, unit)
    # $0.80/h rather than $0.8/h.
    return re.sub(r"^(.?\$[\d,]+\.\d)(?!\d)", r"\g<1>0", text)


def _list_text(values: Sequence[Any], unit: str | None) -> str:
    if values and all(isinstance(row, list) and len(row) == len(values[0]) for row in values):
        # A schedule, a matrix: its rows one after the other would fill a page.
        flat = [value for row in values for value in row]
        _, _, ends = _list_text(flat, unit).partition(" values, ")
        if ends:
            return f"{len(values)} × {len(values[0])} values, {ends}"
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(values) <= LIST_SHOWN or len(numbers) < len(values):
        return ", ".join(value_text(v, unit) for v in values)
    low, high = min(numbers), max(numbers)
    same = low == high
    ends = f"all {exact(low, unit)}" if same else span(low, high, unit or "", write=range_end)
    return f"{len(values)} values, {ends}"


def range_text(low: float | None, high: float | None, unit: str | None) -> str:
    """Write the ends of a range, the unit once where both ends share it."""
    if low is None or high is None or low == high:
        return ""
    if unit and unit.startswith("USD"):
        # An end of a range is an estimate, whatever digits its product has.
        low, high = (float(f"{end:.3g}") if abs(end) < 1000 else end for end in (low, high))
    first, second = value_text(low, unit), value_text(high, unit)
    shared = _number_text(0.0, unit).lstrip("$").removeprefix("0")
    if shared and first.endswith(shared):
        first = first.removesuffix(shared)
    if first.startswith("$") and second.startswith("$"):
        second = second.removeprefix("$")
    return f"{first}–{second}" if low >= 0 else f"{first} to {second}"


def by_branch(rows: Sequence[InputRow]) -> list[tuple[str, list[InputRow]]]:
    """Gather rows by the part of the label before the last step, in the order of first use.

    What has no such part comes first, so that no row seems to belong to the group above it.
    """
    branches: dict[str, list[InputRow]] = {"": []}
    for row in rows:
        branches.setdefault(row.label.rpartition(" › ")[0], []).append(row)
    return [(branch, members) for branch, members in branches.items() if members]
