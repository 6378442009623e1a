"""Reads the CSV files of ``fixtures/``: rows, their sources, and what is wrong with them.

The format is described in ``fixtures/README.md``. Nothing here knows the database.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from catalogue.fields import unit_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2] / "fixtures"
SOURCES_FILE = "sources.csv"
# `examples` holds study documents, not entries.
FOLDERS = ("hardware", "prices", "carbon", "shapes", "papers")
# Beside them an operator may name a folder of files for every workspace of the installation.
ORGANISATION = "organisation"
FIXED_COLUMNS = ("slug", "title", "kind", "inherits", "source", "quality", "as_of", "overrides")
QUALITIES = ("measured", "published", "recalled", "assumed", "derived")

Number = float | int
Value = Number | str | list[Number]


class FixtureError(Exception):
    """The files do not follow their format; says every place."""

    def __init__(self, faults: list[str]) -> None:
        """Keep the faults; the message lists them."""
        self.faults = faults
        super().__init__("\n".join(faults))


@dataclass(frozen=True, slots=True)
class Source:
    """Where numbers come from, and the date that they may not be newer than."""

    id: str
    title: str
    publisher: str
    url: str
    dated: date
    retrieved: date
    licence: str
    note: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What is said about one cell besides its value."""

    source: str
    quality: str
    as_of: date
    low: Number | None = None
    high: Number | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a row, as the file has it."""

    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Row:
    """One catalogue entry, as the file has it."""

    place: str
    slug: str
    title: str
    kind: str
    inherits: tuple[str, ...]
    cells: dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Table:
    """One CSV file; ``lists`` are the columns whose cells hold several numbers."""

    place: str
    rows: list[Row]
    lists: frozenset[str]


def folders_of(root: Path = ROOT, organisation: Path | None = None) -> dict[str, Path]:
    """Return the folders that the catalogue is made of, by the name that their places begin with.

    Raises
    ------
    FixtureError
        When the organisation's own folder has no list of sources.
    """
    folders = {name: root / name for name in FOLDERS}
    if organisation is None:
        return folders
    if not (organisation / SOURCES_FILE).is_file():
        raise FixtureError([f"{organisation}: there is no file {SOURCES_FILE}"])
    return {**folders, ORGANISATION: organisation}


def source_files(folders: dict[str, Path]) -> list[tuple[str, Path]]:
    """Return every CSV file of some folders with its place, in a fixed order."""
    return [
        (f"{name}/{path.name}", path)
        for name, folder in folders.items()
        for path in sorted(folder.glob("*.csv"))
    ]


def read_sources(folders: dict[str, Path]) -> dict[str, dict[str, Source]]:
    """Return the sources of each folder by their id; raise FixtureError for a bad file."""
    return {name: _folder_sources(folder) for name, folder in folders.items()}


def read_tables(folders: dict[str, Path] | None = None) -> list[Table]:
    """Return every file but the sources; raise FixtureError for what cannot be read."""
    faults: list[str] = []
    tables = [
        _read_table(path, place, faults)
        for place, path in source_files(folders or folders_of())
        if path.name != SOURCES_FILE
    ]
    if faults:
        raise FixtureError(faults)
    return tables


def _folder_sources(folder: Path) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for line in _lines(folder / SOURCES_FILE):
        try:
            source = Source(
                id=line["source"],
                title=line["title"],
                publisher=line["publisher"],
                url=line["url"],
                dated=date.fromisoformat(line["date"]),
                retrieved=date.fromisoformat(line["retrieved"]),
                licence=line["licence"],
                note=line["note"],
            )
        except (KeyError, ValueError) as exc:
            raise FixtureError([f"{folder.name}/{SOURCES_FILE}: {exc}"]) from exc
        if source.id in found:
            raise FixtureError([f"{folder.name}/{SOURCES_FILE}: {source.id} stands twice"])
        found[source.id] = source
    return found


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, strict=True)


def _read_table(path: Path, place: str, faults: list[str]) -> Table:
    rows: list[Row] = []
    for number, line in enumerate(_lines(path), start=2):
        here = f"{place}:{number}"
        try:
            rows.append(_row(here, line))
        except (KeyError, ValueError, TypeError, AttributeError) as exc:
            faults.append(f"{here}: {type(exc).__name__}: {exc}")
    return Table(place=place, rows=rows, lists=_list_columns(rows))


def _row(place: str, line: dict[str, str]) -> Row:
    base = Origin(line["source"], line["quality"], date.fromisoformat(line["as_of"]))
    cells = {
        name: Cell(text.strip(), base)
        for name, text in line.items()
        if name not in FIXED_COLUMNS and text.strip()
    }
    for name, parts in _overrides(line["overrides"]):
        if name not in cells:
            message = f"the override of {name} meets no value"
            raise ValueError(message)
        cells[name] = replace(cells[name], origin=_overridden(base, parts))
    return Row(
        place=place,
        slug=line["slug"],
        title=line["title"],
        kind=line["kind"],
        inherits=tuple((line.get("inherits") or "").split()),
        cells=cells,
    )


def _overrides(text: str) -> Iterator[tuple[str, list[str]]]:
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        names, equals, said = part.partition("=")
        parts = [piece.strip() for piece in said.split("|")]
        if not equals or len(parts) > 6:
            message = f"not an override: {part}"
            raise ValueError(message)
        for name in names.split(","):
            yield name.strip(), parts + [""] * (6 - len(parts))


def _overridden(base: Origin, parts: list[str]) -> Origin:
    source, quality, as_of, low, high, note = parts
    return Origin(
        source=source or base.source,
        quality=quality or base.quality,
        as_of=date.fromisoformat(as_of) if as_of else base.as_of,
        low=number_of(low) if low else None,
        high=number_of(high) if high else None,
        note=note,
    )


def number_of(text: str) -> Number:
    """Return the number in a cell, whole where it is written so; ValueError for another text."""
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _list_columns(rows: list[Row]) -> frozenset[str]:
    """Return the columns with numbers of which at least one cell holds several."""
    return frozenset(
        name
        for row in rows
        for name, cell in row.cells.items()
        if unit_of(name) is not None and len(cell.text.split()) > 1
    )


def value_of(name: str, text: str, *, several: bool) -> Value:
    """Return a cell's value: a text for a name without a unit, else a number or a list.

    Raises
    ------
    ValueError
        When a name with a unit holds something else than numbers.
    """
    if unit_of(name) is None:
        return text
    return [number_of(part) for part in text.split()] if several else number_of(text)
