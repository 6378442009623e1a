"""What a bill says: totals, months, services, machines, commitments, and what was not placed.

All sums are exact (``decimal``); they reach the document as text, so that nobody rounds them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Context, Decimal, localcontext
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FAULTS_KEPT, FileRefused
from capmodels.imports.charges import (
    MONTH,
    Columns,
    Commitment,
    Group,
    bad_cells,
    begins_with_none,
    read_commitments,
    read_groups,
    read_tags,
    with_amounts,
    with_months,
)
from capmodels.imports.kinds import (
    INSTANCES,
    UNPLACED,
    Kind,
    instance_type_of,
    kind_of,
    part_of,
    stored,
)
from capmodels.imports.origins import Span
from capmodels.numbers import percent
from capmodels.providers import providers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

ZERO = Decimal(0)
# Above this share of it, the cost of use does not fit the invoice.
MISFIT = Decimal("0.01")
# As many digits as DuckDB's sums have, and some: Python's own 28 would round them.
EXACT = Context(prec=60)
UNPLACED_KEPT = 200
TAG_VALUES_KEPT = 30
TAG_KEYS_KEPT = 30
# Where names of people and things stand in what a bill says.
BILL_NAMES = ("tags.values.value", "commitments.id")


@dataclass(slots=True)
class Sums:
    """What some charges add up to."""

    billed: Decimal = ZERO
    effective: Decimal = ZERO
    list: Decimal = ZERO
    quantity: Decimal = ZERO
    rows: Span = field(default_factory=Span)

    def add(self, group: Group) -> None:
        """Count a group of charges in."""
        self.billed += group.billed
        self.effective += group.effective
        self.list += group.list
        self.quantity += group.quantity
        self.rows.add(group.first_row, group.last_row, group.rows_count)

    def document(self) -> JSONDict:
        """The sums as text, without zeros at the end."""
        return {
            "billed": plain(self.billed),
            "effective": plain(self.effective),
            "list": plain(self.list),
            "rows_count": self.rows.count,
            "rows": self.rows.document(),
        }


@dataclass(slots=True)
class Tables:
    """The sums of a bill by everything that it is told by."""

    total: Sums = field(default_factory=Sums)
    kinds: dict[str, Sums] = field(default_factory=lambda: defaultdict(Sums))
    months: dict[str, Sums] = field(default_factory=lambda: defaultdict(Sums))
    services: dict[tuple[str, str], Sums] = field(default_factory=lambda: defaultdict(Sums))
    regions: dict[str, Sums] = field(default_factory=lambda: defaultdict(Sums))
    machines: dict[tuple[str, str, bool], Sums] = field(default_factory=lambda: defaultdict(Sums))
    stored: dict[tuple[str, str], Sums] = field(default_factory=lambda: defaultdict(Sums))
    unplaced: dict[tuple[str, str], Sums] = field(default_factory=lambda: defaultdict(Sums))
    parts: dict[tuple[str, str, bool], dict[str, Sums]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Sums))
    )
    kind_by_id: dict[str, Kind] = field(default_factory=dict)

    def add(self, group: Group) -> None:
        """Count a group of charges in, wherever it belongs."""
        kind = kind_of(group)
        self.kind_by_id[kind.id] = kind
        for sums in (
            self.total,
            self.kinds[kind.id],
            self.months[group.month],
            self.services[group.service_category, group.service],
            self.regions[group.region],
        ):
            sums.add(group)
        if kind is INSTANCES and (part := part_of(group)) is not None:
            self.parts[part[0], group.region, group.commitment_use == "Used"][part[1]].add(group)
        elif kind is INSTANCES:
            is_committed = group.commitment_use == "Used"
            self.machines[instance_type_of(group), group.region, is_committed].add(group)
        elif kind.unit is not None:
            held = stored(group)
            self.stored[kind.id, held.unit].add(held)
        elif kind is UNPLACED:
            self.unplaced[group.service or group.service_category, group.description].add(group)

    def join(self) -> None:
        """Make machines of one vCPU of the cores and RAM that are billed apart, as Google does.

        They are named as a custom machine of the family with so much RAM a core.
        """
        for (family, region, is_committed), held in self.parts.items():
            core, ram = held["core"], held["ram"]
            mib = round(1024 * ram.quantity / core.quantity) if core.quantity > 0 else 0
            whole = self.machines[f"{family}-custom-1-{mib}", region, is_committed]
            whole.quantity += core.quantity
            for part in (one for one in (core, ram) if one.rows.count):
                whole.billed += part.billed
                whole.effective += part.effective
                whole.list += part.list
                whole.rows.add(part.rows.first, part.rows.last, part.rows.count)


def span_of(months: Sequence[str]) -> str:
    """Months written YYYY-MM, as one says them: Sep 2026, or Jan 2026 to Sep 2026."""
    ordered = sorted(months)
    said = [_month(one) for one in {ordered[0]: 0, ordered[-1]: 0}]
    return " to ".join(said)


def _month(month: str) -> str:
    return datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC).strftime("%b %Y")


def plain(amount: Decimal) -> str:
    """An exact amount as text, without an exponent and without zeros at the end."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") or "0" if "." in text else text


def bill_of(
    table: Table,
    columns: Columns,
    *,
    numbers: Sequence[str],
    report: Callable[[float, str], None],
) -> JSONDict:
    """Return what a bill says.

    ``numbers`` names the file's own columns that must hold numbers.

    Raises
    ------
    FileRefused
        When it holds no charge, or more than one currency.
    """
    report(0.5, "Adding up the charges")
    tables = Tables()
    table, blank, blank_count = with_amounts(table, numbers)
    groups = read_groups(table, columns)
    astray: list[tuple[int, str]] = []
    astray_count = 0
    if not all(re.fullmatch(MONTH, group.month or "") for group in groups):
        table, astray, astray_count = with_months(table, columns)
        groups = read_groups(table, columns)
    with localcontext(EXACT):
        for group in groups:
            tables.add(group)
        tables.join()
    if not tables.total.rows.count:
        lost, _ = table.rejected(1)
        why = f" Line {lost[0][0]}: {lost[0][1]}" if lost else ""
        raise FileRefused(f"The bill has no rows that can be read.{why}")
    currencies = sorted({group.currency for group in groups if group.currency})
    if len(currencies) > 1:
        message = f"The bill is in several currencies ({', '.join(currencies)}). Import one each."
        raise FileRefused(message)
    report(0.8, "Looking at commitments and tags")
    currency = currencies[0] if currencies else ""
    notes = _notes(groups)
    lost, lost_count = table.rejected(FAULTS_KEPT)
    wrong, wrong_count, wrong_rows = bad_cells(table, numbers, FAULTS_KEPT)
    faults = [
        *((line, f"{said}; the row is left out.") for line, said in lost),
        *((row, "There is no amount in it; the row is left out.") for row in blank),
        *(
            (row, f"The billing period {begins_with_none(said)}; the row is left out.")
            for row, said in astray
        ),
        *(
            (cell.row, f"{cell.column}: {cell.text!r} is not a number; it counts as nothing.")
            for cell in wrong
        ),
    ]
    return {
        "headline": _headline(tables, currency),
        "notes": notes if currency else [*notes, _NO_CURRENCY],
        "suggested_cost": "billed" if notes else "effective",
        "currency": currency,
        "providers": providers_of(
            (group.provider for group in groups), (group.service for group in groups)
        ),
        "totals": tables.total.document(),
        "months": _keyed(tables.months, "month"),
        "kinds": _kinds(tables),
        "services": _services(tables.services),
        "regions": _keyed(tables.regions, "region"),
        "machines": _machines(tables.machines),
        "stored": _stored(tables),
        "commitments": [_commitment(item) for item in read_commitments(table, columns)],
        "tags": _tags(read_tags(table, columns)),
        "unplaced": _unplaced(tables.unplaced),
        "faults": [{"line": line, "message": said} for line, said in sorted(faults)[:FAULTS_KEPT]],
        "faults_count": wrong_count + lost_count + blank_count + astray_count,
        "unread_count": wrong_rows + blank_count + astray_count,
    }


def _notes(groups: Sequence[Group]) -> list[str]:
    """What cannot be right: a cost of use that differs from the invoice without a commitment.

    FOCUS 1.2, "EffectiveCost": it differs from the billed cost only by what was paid in advance.
    """
    plain_use = [
        group
        for group in groups
        if group.category == "usage" and not group.commitment_use and group.pricing != "Committed"
    ]
    billed = sum((group.billed for group in plain_use), ZERO)
    apart = sum((group.misfit for group in plain_use), ZERO)
    if apart <= abs(billed) * MISFIT or not any(group.effective for group in groups):
        return []
    return [
        f"The cost of use in this file differs from the invoice by {apart:,.2f} where no "
        "commitment is involved, as if it had been rounded. Count the cost as invoiced."
    ]


_NO_CURRENCY = "The bill does not name its currency: its amounts are taken as US dollars."


def _headline(tables: Tables, currency: str) -> str:
    """The bill in a sentence."""
    span = span_of(list(tables.months))
    parts = [
        (sums.effective, tables.kind_by_id[key].label)
        for key, sums in tables.kinds.items()
        if tables.kind_by_id[key].place != "apart" and sums.effective > 0
    ]
    whole = sum((cost for cost, _ in parts), ZERO)
    largest = ", ".join(
        f"{label[0].lower() if label[1:2].islower() else label[0]}{label[1:]} "
        f"{percent(float(cost / whole))}"
        for cost, label in sorted(parts, reverse=True)[:3]
    )
    said = f"{span}: {tables.total.billed:,.2f} {currency or 'in no named currency'} invoiced"
    return f"{said}; of what runs, {largest}." if largest else f"{said}."


def _keyed(sums: Mapping[str, Sums], name: str) -> list[JSONDict]:
    return [{name: key, **item.document()} for key, item in sorted(sums.items())]


def _dearest(sums: Mapping[Any, Sums]) -> Iterable[tuple[Any, Sums]]:
    return sorted(sums.items(), key=lambda pair: (-abs(pair[1].effective), pair[0]))


def _kinds(tables: Tables) -> list[JSONDict]:
    rows = []
    for key, sums in _dearest(tables.kinds):
        kind = tables.kind_by_id[key]
        rows.append({"kind": key, "label": kind.label, "place": kind.place, **sums.document()})
    return rows


def _services(services: Mapping[tuple[str, str], Sums]) -> list[JSONDict]:
    return [
        {"category": category, "service": service, **sums.document()}
        for (category, service), sums in _dearest(services)
    ]


def _machines(machines: Mapping[tuple[str, str, bool], Sums]) -> list[JSONDict]:
    return [
        {
            "type": name,
            "region": region,
            "is_committed": committed,
            "hours": plain(sums.quantity),
            **sums.document(),
        }
        for (name, region, committed), sums in _dearest(machines)
    ]


def _stored(tables: Tables) -> list[JSONDict]:
    return [
        {"kind": key, "unit": unit, "quantity": plain(sums.quantity), **sums.document()}
        for (key, unit), sums in _dearest(tables.stored)
    ]


def _commitment(item: Commitment) -> JSONDict:
    paid = item.used + item.unused
    return {
        "id": item.id,
        "type": item.type or "",
        "used": plain(item.used),
        "unused": plain(item.unused),
        "list_covered": plain(item.list_covered),
        "used_fraction": float(item.used / paid) if paid > 0 else None,
        # equal to what was paid, it is no list price
        "saved_fraction": (
            float(1 - item.used / item.list_covered)
            if item.list_covered > 0 and item.list_covered != item.used
            else None
        ),
        "ends_on": item.ends_on,
    }


def _unplaced(unplaced: Mapping[tuple[str, str], Sums]) -> JSONDict:
    ordered = list(_dearest(unplaced))
    rest = Sums()
    for _, sums in ordered:
        rest.billed += sums.billed
        rest.effective += sums.effective
        rest.list += sums.list
        rest.rows.add(sums.rows.first, sums.rows.last, sums.rows.count)
    rows = [
        {"service": service, "description": description, **sums.document()}
        for (service, description), sums in ordered[:UNPLACED_KEPT]
    ]
    return {"lines_count": len(ordered), "totals": rest.document(), "lines": rows}


def _tags(sets: list[tuple[str, Decimal]]) -> list[JSONDict]:
    """What each value of each tag cost; what has the tag not is not told here."""
    found: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for text, cost in sets:
        for key, value in _pairs(text):
            found[key][value] += cost
    rows = []
    for key in sorted(found, key=lambda name: -sum(found[name].values()))[:TAG_KEYS_KEPT]:
        values = sorted(found[key].items(), key=lambda pair: (-pair[1], pair[0]))
        rows.append(
            {
                "key": key,
                "values_count": len(values),
                "values": [
                    {"value": value, "effective": plain(cost)}
                    for value, cost in values[:TAG_VALUES_KEPT]
                ],
            }
        )
    return rows


def _pairs(text: str) -> list[tuple[str, str]]:
    """The pairs of a set of tags: a JSON object, with or without its braces, or a list of pairs."""
    if not text:
        return []
    whole = text if text.startswith(("{", "[")) else "{" + text + "}"
    try:
        read = json.loads(whole)
    except ValueError:
        return []
    if isinstance(read, list):
        pairs = [one for one in read if isinstance(one, dict) and "key" in one]
        read = {one["key"]: one.get("value", "") for one in pairs}
    return [(str(key), str(value)) for key, value in read.items()] if isinstance(read, dict) else []
