"""Where a design's month differs from the bill's, line by line, and why."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from capmodels.imports.baseline import DEMANDS, is_sized, rate_of
from capmodels.imports.kinds import PURCHASE, SUPPORT, UNUSED
from capmodels.imports.preview import Column, cents, table
from capmodels.units import HOURS_PER_MONTH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.plans.comparison import DesignResult
    from capmodels.spec import JSONDict

_MACHINE_CAUSES = frozenset({"instances", "commitment", "remaining"})
_REST = "Everything else that runs"
_APART = "Not in the model: it is no cost of running the work"
_ADDED = "Not on the bill"


@dataclass(slots=True)
class Row:
    """One line of the bill, of the design, or of both. [USD a month]"""

    what: str
    bill_usd: float
    model_usd: float
    why: str


def explain(
    bill: Mapping[str, Any], said: Mapping[str, Any], design: DesignResult, spec: Mapping[str, Any]
) -> JSONDict:
    """Return a table that leads from the month of a bill to that of a design.

    ``said`` is what was entered when it was accepted, ``spec`` the design as it is entered. The
    rows add up to the invoice on one side and to the plan's cost on the other.
    """
    months = len(design.cumulative_usd) - 1  # from the start on
    cost = said.get("cost") or bill["suggested_cost"]
    scale = Decimal(1) / (rate_of(bill["currency"], said.get("per_usd")) * len(bill["months"]))
    model = {cause.label: (cause.cause, cause.amount_usd / months) for cause in design.causes}
    totals: dict[str, float] = {}
    for cause, usd in model.values():
        totals[cause] = totals.get(cause, 0.0) + usd
    kinds = [{**row, "usd": float(Decimal(row[cost]) * scale)} for row in bill["kinds"]]
    rows = _machines(bill, kinds, totals, design, scale)
    if design.is_baseline:
        rest = sum(row["usd"] for row in kinds if not _is_machines(row) and row["place"] != "apart")
        rows.append(Row(_REST, rest, totals.pop("storage", 0.0), _grown(design)))
    else:
        rows += _parts(bill, kinds, totals, spec, design)
    rows += [
        Row(label, 0.0, totals.pop(cause), _ADDED)
        for label, (cause, _) in model.items()
        if cause in totals
    ]
    rows += [Row(row["label"], row["usd"], 0.0, _APART) for row in kinds if row["place"] == "apart"]
    timing = float((Decimal(bill["totals"]["billed"]) - Decimal(bill["totals"][cost])) * scale)
    if abs(timing) > 0.005:
        late = "Commitments are paid in other months than used"
        rows.append(Row("Paid in advance", timing, 0.0, late))
    return _drawn(design.title, [row for row in rows if row.bill_usd or row.model_usd])


def _is_machines(row: Mapping[str, Any]) -> bool:
    return row["place"] == "instances" or row["kind"] in {UNUSED.id, PURCHASE.id}


def _machines(
    bill: Mapping[str, Any],
    kinds: Sequence[Mapping[str, Any]],
    totals: dict[str, float],
    design: DesignResult,
    scale: Decimal,
) -> list[Row]:
    """Machines taken apart: how many, what an hour costs, and commitments that nobody used."""
    paid = sum(row["usd"] for row in kinds if row["place"] == "instances")
    unused = sum(row["usd"] for row in kinds if row["kind"] in {UNUSED.id, PURCHASE.id})
    model = sum(totals.pop(cause, 0.0) for cause in _MACHINE_CAUSES)
    chosen = "Commitments are chosen anew, so that none is left unused"
    rows = [Row("Commitments not used, and bought", unused, 0.0, chosen)]
    hours = float(sum((Decimal(row["hours"]) for row in bill["machines"]), Decimal(0)))
    before = hours / len(bill["months"]) / HOURS_PER_MONTH
    years = [sum(group.count for group in year.groups) for year in design.sizing]
    count = sum(years) / len(years) if years else before
    if design.kind not in {"cloud", "baseline"} or not before or not count:
        gone = "" if design.kind == "hybrid" else "The design rents none"
        return [*rows, Row("Machines", paid, model, gone)]
    price, own = paid / before, model / count
    many = f"{before:,.1f} on the bill, {count:,.1f} in the design on average"
    rows.append(Row("Machines, at the bill's price", paid, count * price, many))
    if design.is_baseline:
        return [*rows[:-1], Row("Machines", paid, model, _grown(design))]
    each = (
        f"${price / HOURS_PER_MONTH:,.4f} an hour on the bill, ${own / HOURS_PER_MONTH:,.4f} in "
        "the design"
    )
    return [*rows, Row("Price of a machine's hour", 0.0, model - count * price, each)]


def _parts(
    bill: Mapping[str, Any],
    kinds: Sequence[Mapping[str, Any]],
    totals: dict[str, float],
    spec: Mapping[str, Any],
    design: DesignResult,
) -> list[Row]:
    """Storage, transfer and services: a row for each kind of charge."""
    priced = {row["kind"] for row in bill["stored"] if row["kind"] in DEMANDS and is_sized(row)}
    rows = []
    for place, label in (("storage", "Storage"), ("transfer", "Transfer")):
        usd = sum(row["usd"] for row in kinds if row["kind"] in priced and row["place"] == place)
        rows.append(Row(label, usd, totals.pop(place, 0.0), _grown(design)))
    entered = {line["name"]: line["usd_per_month"] for line in spec.get("services", ())}
    whole, services = sum(entered.values()), totals.pop("services", 0.0)
    for row in kinds:
        if row["place"] == "apart" or row["kind"] in priced or _is_machines(row):
            continue
        if row["kind"] == SUPPORT.id and "support" in totals:
            rows.append(Row(row["label"], row["usd"], totals.pop("support"), _grown(design)))
            continue
        there = entered.pop(row["label"], None)
        usd = 0.0 if there is None or not whole else services * there / whole
        rows.append(Row(row["label"], row["usd"], usd, _GONE if there is None else _grown(design)))
    rows += [
        Row(name, 0.0, services * usd / whole, _ADDED) for name, usd in entered.items() if whole
    ]
    return rows


_GONE = "The design has no such service"


def _grown(design: DesignResult) -> str:
    return "The mean of a month with growth and price changes, over the horizon"


def _drawn(title: str, rows: Sequence[Row]) -> JSONDict:
    whole = Row("Invoiced, and the design", 0.0, 0.0, "")
    for row in rows:
        whole.bill_usd += row.bill_usd
        whole.model_usd += row.model_usd
    columns = (
        Column("Line", "what"),
        Column("On the bill", "bill", "money", "USD"),
        Column("In the design", "model", "money", "USD"),
        Column("Difference", "apart", "money", "USD"),
        Column("Why", "why"),
    )
    return table(
        f"From the bill to {title}",
        columns,
        [
            {
                "what": row.what,
                "bill": cents(row.bill_usd),
                "model": cents(row.model_usd),
                "apart": cents(row.model_usd - row.bill_usd),
                "why": "" if abs(row.model_usd - row.bill_usd) < 0.005 else row.why,
            }
            for row in [*rows, whole]
        ],
        "A month, on average.",
    )
