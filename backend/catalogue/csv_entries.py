"""A workspace's own entries from a table: every line, or none and every fault of all lines."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from django.utils.text import slugify
from django.utils.timezone import now
from pydantic import ValidationError

from accounts.services import audit_record
from capmodels.errors import Fault
from capmodels.sentences import sentence_of
from capmodels.written_numbers import MARKS_BY_NAME, Mark, marks_of, number_of
from catalogue.arrived import arrived
from catalogue.documents import EntryInput, ValueInput, values_of
from catalogue.fields import NAME, unit_of
from catalogue.models import Entry
from catalogue.selectors import fields_of
from catalogue.versions import versions_keep
from common.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.spec import JSONDict
    from catalogue.fixture_entries import ValueDict
    from common.principal import Principal

LINES_MOST = 20_000
_FAULTS_MOST = 200
HEADS = ("slug", "title")
OF_ALL = ("source", "url", "as_of", "quality", "note")
# A column of JSON, by field, for values whose origin is not the line's, or that have a range.
ORIGINS = "origins"
# What a value is where a line does not say it.
NOT_SAID = ValueInput(value=0).model_dump(exclude={"value", "unit"})
# What a program for tables would take for a formula, and is marked with an apostrophe before it.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


@dataclass(frozen=True, slots=True)
class Done:
    """What a table did."""

    added: int
    changed: int
    numbers_read: Sequence[str] = ()
    fields_new: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    slug: str
    title: str
    values: dict[str, ValueDict]


def entries_from_csv(*, principal: Principal, kind: str, csv: str, numbers: str = "") -> Done:
    """Add the entries of a table; those whose slug the workspace has already are changed.

    ``numbers`` says which sign stands before decimals in columns that leave it open.

    Raises
    ------
    Invalid
        With every fault of every line, each with its number and why.
    ParamsError
        At ``/numbers``, where a column could be read in two ways.
    """
    names, rows = _table(csv)
    notes: list[str] = []
    written = _numbers(names, [cells for _, cells in rows])
    marks = marks_of(written, MARKS_BY_NAME.get(numbers), notes=notes)
    faults = list(_head_faults(names))
    lines: list[_Line] = []
    for number, cells in rows if not faults else ():
        if len(cells) > len(names):
            why = f"It has {len(cells)} cells, the head {len(names)}."
            faults.append(_fault(number, "line", "too_many", why))
            continue
        read, wrong = _line(number, dict(zip(names, cells, strict=False)), kind, marks)
        lines += read
        faults += wrong
    slugs = [line.slug for line in lines]
    known = {entry.slug: entry for entry in Entry.objects.filter(slug__in=slugs)}
    faults += _slug_faults(lines, known, kind)
    if not faults and not lines:
        faults.append(_fault(1, "title", "missing", "The table has no lines below its head."))
    if faults:
        raise Invalid(faults=faults[:_FAULTS_MOST])
    of_kind = fields_of(kind)
    done = _store(lines, known, kind, principal)
    arrived("Table", len(lines))
    audit_record(principal, "catalogue.csv", target=f"{kind}: {len(lines)} entries")
    fields = {name: None for line in lines for name in line.values if name not in of_kind}
    return replace(done, numbers_read=notes, fields_new=tuple(fields))


def _store(lines: list[_Line], known: dict[str, Entry], kind: str, principal: Principal) -> Done:
    new = [line for line in lines if line.slug not in known]
    Entry.objects.bulk_create([_entry(line, kind, principal) for line in new], batch_size=500)
    versions_keep([known[line.slug].id for line in lines if line.slug in known])
    for line in lines:
        if line.slug in known:
            entry = known[line.slug]
            entry.title, entry.values = line.title, dict(line.values)
            entry.revision += 1
            entry.updated_at = now()
            entry.save(update_fields=["title", "values", "revision", "updated_at"])
    return Done(len(new), len(lines) - len(new))


def _table(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    head = text.lstrip("\ufeff").partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter)
    rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]
    names = [name.lower().replace(" ", "_") for name in rows[0][1]] if rows else []
    return names, rows[1:]


def _numbers(names: list[str], rows: list[list[str]]) -> dict[str, list[str]]:
    """Return the cells of each column of numbers."""
    return {
        name: [row[at] for row in rows if len(row) > at and not row[at].startswith("[")]
        for at, name in enumerate(names)
        if NAME.fullmatch(name) and name not in (*HEADS, *OF_ALL, ORIGINS) and unit_of(name)
    }


def _fault(number: int, name: str, code: str, why: str) -> Fault:
    return Fault(f"/lines/{number}/{name}", code, f"Line {number}, {name}: {why}")


def _head_faults(names: list[str]) -> list[Fault]:
    faults = []
    if "title" not in names:
        faults.append(_fault(1, "title", "missing", "Name one column title."))
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            faults.append(_fault(1, name, "duplicate", "Two columns have this name."))
        if not NAME.match(name):
            why = "Name a field in lower case with underscores, its unit last, as in idle_w."
            faults.append(_fault(1, name or "blank", "name", why))
    if not set(names) - {*HEADS, *OF_ALL}:
        why = "Add at least one field, its unit last in its name, as in usd_per_h."
        faults.append(_fault(1, "title", "missing", why))
    return faults


def _line(
    number: int, cells: dict[str, str], kind: str, marks: dict[str, Mark]
) -> tuple[list[_Line], list[Fault]]:
    """Return a line as it is read, or what is wrong with it."""
    origin = {name: _unmarked(cells[name]) for name in OF_ALL if cells.get(name)}
    fields = {
        name: _value(name, text, marks.get(name, "."))
        for name, text in cells.items()
        if name not in (*HEADS, *OF_ALL, ORIGINS) and text
    }
    faults = [
        _fault(number, name, "not_a_number", f"Enter a number, not {cells[name]!r}.")
        for name, value in fields.items()
        if value is None
    ]
    apart = _origins(cells.get(ORIGINS, ""))
    if apart is None:
        why = 'Enter JSON by field, such as {"idle_w": {"quality": "measured"}}.'
        faults.append(_fault(number, ORIGINS, "not_json", why))
    values = {name: {"value": value, **origin} for name, value in fields.items()}
    for name, said in (apart or {}).items():
        values[name] = {**origin, **values.get(name, {}), **said}
    document: dict[str, Any] = {
        "kind": kind,
        "title": _unmarked(cells.get("title", "")),
        "values": values,
        **({"slug": cells["slug"]} if cells.get("slug") else {}),
    }
    if faults:
        return [], faults
    try:
        given = EntryInput.model_validate(document)
        read = values_of(given.values)
    except ValidationError as error:
        told = [
            ([str(part) for part in one["loc"]], sentence_of(cast("JSONDict", one)))
            for one in error.errors()
        ]
    except Invalid as error:
        told = [(fault.pointer.split("/")[1:], fault.message) for fault in error.faults]
    else:
        slug = given.slug or slugify(given.title)[:80].strip("-")
        return [_Line(number, slug, given.title, read)], []
    return [], [_worded(number, at, why) for at, why in told]


def _worded(number: int, at: list[str], why: str) -> Fault:
    inner = [part for part in at if part not in ("values", "value", "float", "str")]
    return _fault(number, inner[0] if inner else "line", "invalid", why)


def marked(text: str) -> str:
    """Return a text that no program for tables takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def _unmarked(text: str) -> str:
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def _origins(text: str) -> dict[str, dict[str, Any]] | None:
    """Return what is said of values apart; None where it is not JSON of that form."""
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        return None
    is_form = isinstance(found, dict) and all(isinstance(one, dict) for one in found.values())
    return found if is_form else None


def _value(name: str, text: str, mark: Mark) -> float | str | list[float] | None:
    if unit_of(name) is None:
        return _unmarked(text)
    try:
        if text.startswith("["):
            return [float(number) for number in json.loads(text)]
        value = number_of(text.removeprefix("$").removesuffix("%"), mark)
        return value / 100.0 if text.endswith("%") else value
    except (TypeError, ValueError):
        return None


def _slug_faults(lines: list[_Line], known: dict[str, Entry], kind: str) -> list[Fault]:
    faults = []
    seen: dict[str, int] = {}
    for line in lines:
        if not line.slug:
            why = "Enter a short name of letters and digits as slug."
            faults.append(_fault(line.number, "slug", "missing", why))
        elif line.slug in seen:
            why = f"Line {seen[line.slug]} has the same name {line.slug!r}. Enter another slug."
            faults.append(_fault(line.number, "slug", "taken", why))
        elif line.slug in known and (known[line.slug].kind != kind or not known[line.slug].is_own):
            why = f"There is an entry called {line.slug!r} already. Enter another slug."
            faults.append(_fault(line.number, "slug", "taken", why))
        seen.setdefault(line.slug, line.number)
    if len(lines) > LINES_MOST:
        why = f"{len(lines):,} lines are too many at once. Enter at most {LINES_MOST:,}."
        faults.append(_fault(lines[-1].number, "title", "too_many", why))
    return faults


def _entry(line: _Line, kind: str, principal: Principal) -> Entry:
    entry = Entry(
        workspace_id=principal.workspace_id,
        slug=line.slug,
        kind=kind,
        title=line.title,
        values=line.values,
    )
    entry.take_keys()
    return entry
