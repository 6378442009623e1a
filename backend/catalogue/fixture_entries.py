"""Puts the rows of ``fixtures/`` together into entries, and says what breaks their rules."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from capmodels.cost.bill_of_materials import NOTHING, Estimate, Machine, Part, machine_of
from capmodels.performance import core_speed
from catalogue.fields import NAME, SLUG, is_price, unit_of
from catalogue.fixture_rows import (
    QUALITIES,
    ROOT,
    Cell,
    FixtureError,
    Number,
    Origin,
    Row,
    Source,
    Table,
    Value,
    folders_of,
    read_sources,
    read_tables,
    source_files,
    value_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# Raised when the shape of a stored value changes, so that the catalogue is loaded again.
LOADER_VERSION = b"3"


class ValueDict(TypedDict):
    """One field of an entry: its value, and where that comes from."""

    value: Any
    unit: str | None
    quality: str
    source: str
    url: str | None
    as_of: str | None
    low: float | None
    high: float | None
    note: str


@dataclass(frozen=True, slots=True)
class Seed:
    """One built-in entry, ready to be stored."""

    slug: str
    kind: str
    title: str
    values: dict[str, ValueDict]


def digest(root: Path = ROOT, organisation: Path | None = None) -> str:
    """Return the hash of all files that the catalogue is made of."""
    hashed = hashlib.sha256(LOADER_VERSION + core_speed.SPEC.version.encode())
    for place, path in source_files(folders_of(root, organisation)):
        content = path.read_bytes()
        hashed.update(f"{place}:{len(content)}:".encode())
        hashed.update(content)
    return hashed.hexdigest()


def read_entries(root: Path = ROOT, organisation: Path | None = None) -> list[Seed]:
    """Return the built-in entries in the order of their files.

    Raises
    ------
    FixtureError
        With every place where the files break a rule of their format.
    """
    folders = folders_of(root, organisation)
    sources, tables = read_sources(folders), read_tables(folders)
    faults = list(_faults(tables, sources))
    if faults:
        raise FixtureError(faults)
    own = {
        row.slug: _values(row, table, sources[_folder(row)])
        for table in tables
        for row in table.rows
    }
    rows = [row for table in tables for row in table.rows]
    by_slug = {row.slug: row for row in rows}
    seeds = [
        Seed(row.slug, row.kind, row.title, _with_inherited(row, by_slug, own)) for row in rows
    ]
    _assemble(seeds)
    _add_speeds(seeds)
    return seeds


def _folder(row: Row) -> str:
    return row.place.partition("/")[0]


def _values(row: Row, table: Table, sources: dict[str, Source]) -> dict[str, ValueDict]:
    return {
        name: _value(name, cell, sources[cell.origin.source], several=name in table.lists)
        for name, cell in row.cells.items()
    }


def _value(name: str, cell: Cell, source: Source, *, several: bool) -> ValueDict:
    return {
        "value": value_of(name, cell.text, several=several),
        "unit": unit_of(name),
        "quality": cell.origin.quality,
        "source": source.title,
        "url": source.url or None,
        "as_of": cell.origin.as_of.isoformat(),
        "low": cell.origin.low,
        "high": cell.origin.high,
        "note": cell.origin.note,
    }


def _with_inherited(
    row: Row, by_slug: dict[str, Row], own: dict[str, dict[str, ValueDict]]
) -> dict[str, ValueDict]:
    """Return the row's values; a blank field takes that of the first row it inherits from."""
    values = dict(own[row.slug])
    for parent in row.inherits:
        for name, value in _with_inherited(by_slug[parent], by_slug, own).items():
            values.setdefault(name, value)
    return values


# Whole prices are rare: the note of a server's parts says what its sum was held to, if anything.
_UNJUDGED = "no price of the whole is at hand to judge the sum by"


def _assemble(seeds: list[Seed]) -> None:
    """Give every server that names its parts what they say of it; what its row says stays."""
    by_slug = {seed.slug: seed for seed in seeds}
    for seed in seeds:
        names = seed.values.get("parts")
        if names is None:
            continue
        counts = seed.values["parts_count"]["value"]
        parts = [
            _part(by_slug[slug], count)
            for slug, count in zip(names["value"].split(), counts, strict=True)
        ]
        for name, value in _said(machine_of(parts), parts, seed).items():
            seed.values.setdefault(name, value)


def _part(seed: Seed, count: float) -> Part:
    values = seed.values

    def amount(name: str) -> float:
        return float(values[name]["value"]) if name in values else 0.0

    def estimate(name: str) -> Estimate | None:
        if name not in values:
            return None
        value = float(values[name]["value"])
        ends = (values[name][end] for end in ("low", "high"))
        return Estimate(value, *(value if end is None else float(end) for end in ends))

    return Part(
        title=seed.title,
        component=str(values["component"]["value"]),
        count=float(count),
        unit_price_usd=estimate("unit_price_usd"),
        discount_fraction=estimate("discount_fraction") or NOTHING,
        as_of=(values["unit_price_usd"]["as_of"] or "") if "unit_price_usd" in values else "",
        maker=str(values["vendor"]["value"]) if "vendor" in values else "",
        cores_count=amount("cores_count"),
        threads_count=amount("threads_count"),
        tdp_w=amount("tdp_w"),
        capacity_gib=amount("capacity_gb"),
        power_w=estimate("power_w") or NOTHING,
    )


def _said(machine: Machine, parts: list[Part], seed: Seed) -> Mapping[str, ValueDict]:
    """The fields of a server that its parts decide, each with how it was found."""
    found: dict[str, Any] = {}
    whole = seed.values["parts"]
    if machine.unit_price_usd is not None:
        judged = whole["note"] or _UNJUDGED
        how = f"sum of its parts, without drives and GPUs, the oldest price first; {judged}"
        found["unit_price_usd"] = (_rounded(machine.unit_price_usd), how, machine.oldest_price)
    counts = {
        "sockets_per_node_count": machine.sockets_count,
        "cores_per_node_count": machine.cores_count,
        "threads_per_node_count": machine.threads_count,
        "ram_gib": machine.ram_gib,
    }
    found |= {name: (round(count), "of its parts", "") for name, count in counts.items() if count}
    share = "share of the TDP of its processors that servers of their maker draw in SPECpower"
    for name, watts, how in (
        ("idle_w", machine.idle_w, share),
        ("peak_w", machine.peak_w, share),
        ("adder_w", machine.adder_w, "memory, cards and boards, without drives and GPUs"),
    ):
        if watts.value:
            found[name] = (_rounded(watts), how, "")
    cpu = next((part.title for part in parts if part.component == "cpu"), None)
    if cpu is not None:
        found["cpu"] = (cpu, "of its parts", "")
    return {
        name: {
            "value": value.value if isinstance(value, Estimate) else value,
            "unit": unit_of(name),
            "quality": "derived",
            "source": whole["source"],
            "url": None,
            "as_of": as_of or whole["as_of"],
            "low": value.low if isinstance(value, Estimate) else None,
            "high": value.high if isinstance(value, Estimate) else None,
            "note": how,
        }
        for name, (value, how, as_of) in found.items()
    }


def _add_speeds(seeds: list[Seed]) -> None:
    """Give servers and rented families the speed of their cores that was measured.

    What a row says stays only where no result of its processor, or of its family, is held.
    """
    for seed in seeds:
        if seed.kind == "server" and "cpu" in seed.values:
            sockets = seed.values.get("sockets_per_node_count")
            name = str(seed.values["cpu"]["value"])
            field = "perf_per_core_ratio"
            found = core_speed.ratio_of_processor(name, int(sockets["value"]) if sockets else 1)
        elif seed.slug.startswith("aws-") and seed.kind in {"instance", "instance_family"}:
            field = "perf_per_vcpu_ratio"
            found = core_speed.ratio_of_vcpu(seed.slug.split("-", 2)[1])
        else:
            continue
        if found is None:
            continue
        seed.values[field] = {
            "value": round(found.value, 3),
            "unit": unit_of(field),
            "quality": "derived",
            "source": found.source,
            "url": None,
            "as_of": _MEASURED,
            "low": round(found.low, 3),
            "high": round(found.high, 3),
            "note": f"over a vCPU of AWS's {core_speed.REFERENCE}, a whole core of Zen 4",
        }


# Of the newest of the results.
_MEASURED = "2026-07-31"


def _rounded(estimate: Estimate) -> Estimate:
    return Estimate(*(round(end, 2) for end in estimate))


def _faults(tables: list[Table], sources: dict[str, dict[str, Source]]) -> Iterator[str]:
    """Say every broken rule of the files, with its place."""
    rows = [row for table in tables for row in table.rows]
    yield from _doubles(rows)
    yield from _source_faults(rows, sources)
    parents = {row.slug: row.inherits for row in rows}
    for table in tables:
        yield from _column_faults(table)
        for row in table.rows:
            yield from _row_faults(row, parents)
            for name, cell in row.cells.items():
                source = sources[_folder(row)].get(cell.origin.source)
                said = [
                    *_origin_faults(cell.origin, source),
                    *_cell_faults(name, cell, several=name in table.lists),
                ]
                yield from (f"{row.place} {name}: {fault}" for fault in said)


def _doubles(rows: list[Row]) -> Iterator[str]:
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        for key in (("slug", row.slug), ("title", row.kind, row.title)):
            if key in seen:
                yield f"{row.place}: the {key[0]} {key[-1]!r} stands twice"
            seen.add(key)


def _source_faults(rows: list[Row], sources: dict[str, dict[str, Source]]) -> Iterator[str]:
    used = {(_folder(row), cell.origin.source) for row in rows for cell in row.cells.values()}
    shared: dict[str, Source] = {}
    for folder, found in sources.items():
        for source in found.values():
            place = f"{folder}/sources.csv {source.id}"
            if (folder, source.id) not in used:
                yield f"{place}: no cell uses it"
            if shared.setdefault(source.id, source) != source:
                yield f"{place}: says something else than in another folder"
            if not (source.title and source.publisher and source.licence):
                yield f"{place}: title, publisher and licence must be there"
            if source.url and not source.url.startswith("https://"):
                yield f"{place}: the address must begin with https://"
            if source.retrieved < source.dated:
                yield f"{place}: retrieved before it was published"


def _column_faults(table: Table) -> Iterator[str]:
    columns: dict[str, list[str]] = {}
    for row in table.rows:
        for name, cell in row.cells.items():
            columns.setdefault(name, []).append(cell.text)
    for name, texts in columns.items():
        if not NAME.match(name):
            yield f"{table.place} {name}: a column is named in lower case with underscores"
        if unit_of(name) is None and all(map(_is_number, texts)):
            yield f"{table.place} {name}: a column of numbers needs a unit at the end of its name"


def _row_faults(row: Row, parents: dict[str, tuple[str, ...]]) -> Iterator[str]:
    if not (SLUG.match(row.slug) and row.title and row.kind and row.cells):
        yield f"{row.place}: slug, title, kind and at least one value must be there"
    above, seen = list(row.inherits), {row.slug}
    while above:
        parent = above.pop()
        if parent in seen or parent not in parents:
            yield f"{row.place}: inherits from {parent!r}, which is not there or above itself"
            return
        seen.add(parent)
        above += parents[parent]


def _origin_faults(origin: Origin, source: Source | None) -> Iterator[str]:
    if source is None:
        yield f"the source {origin.source!r} is not in sources.csv"
    elif origin.as_of > source.dated:
        yield f"dated {origin.as_of}, newer than its source of {source.dated}"
    if origin.quality not in QUALITIES:
        yield f"{origin.quality!r} is not one of {', '.join(QUALITIES)}"


def _cell_faults(name: str, cell: Cell, *, several: bool) -> Iterator[str]:
    try:
        value = value_of(name, cell.text, several=several)
    except ValueError:
        yield f"{cell.text!r} is not a number"
        return
    yield from _range_faults(value, cell.origin)
    if is_price(name) and not cell.origin.note.startswith("free"):
        prices = value if isinstance(value, list) else [value]
        if any(price == 0 for price in prices) and not name.endswith("from_usd_per_month"):
            yield "a price of zero; leave it blank, or begin its note with 'free'"


def _range_faults(value: Value, origin: Origin) -> Iterator[str]:
    unsure = origin.quality in {"recalled", "assumed"}
    if origin.quality == "derived" and not isinstance(value, str) and not origin.note:
        yield "a derived number needs a note that says how"
    if isinstance(value, list | str):
        if origin.low is not None or origin.high is not None:
            yield "only a single number has a range"
        if unsure and isinstance(value, list) and not origin.note:
            yield f"a list that is {origin.quality} needs a note"
        return
    if unsure and (origin.low is None or origin.high is None):
        yield f"a value that is {origin.quality} needs low and high"
    low = value if origin.low is None else origin.low
    high = value if origin.high is None else origin.high
    numbers: list[Number] = [low, value, high]
    if not all(map(math.isfinite, numbers)) or numbers != sorted(numbers):
        yield f"{low} to {high} does not hold {value}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
