"""What a design cost and used by month, beside what was planned of it.

The plan's months are those of its cumulative cost: month 1 has what is paid at its start. The
cost of a cause is planned by year; a month has a twelfth of it, or, of what is bought, all in the
year's first month. Energy is planned for the whole horizon, and is spread over it evenly.
A month that nobody entered is unknown, not zero: sums are of the months that were entered, on
both sides, and the running sum ends where one is missing.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from math import fsum
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationError, model_validator

from capmodels.errors import Fault, ParamsError, pointer_of
from capmodels.numbers import Currency, counted, money, percent, quantity
from capmodels.plans.causes import CAPITAL_CAUSES
from capmodels.spec import JSONDict, Params, faults_of
from capmodels.units import MONTHS_PER_YEAR
from capmodels.written_numbers import Mark, marks_of, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from capmodels.plans.opened import Term

    # The input that a cause of a design goes with, by letter and cause.
    Driver = Callable[[str, str], Term | None]

ROWS_MOST = 2_000
COLUMNS = ("month", "cause", "cost_usd", "energy_kwh")
# From so many months on, what they differ by says how far a field may be off.
MONTHS_FOR_RANGE = 3
_LOW, _HIGH = 0.1, 0.9
_AMOUNT_MOST = 1e15


class Row(Params):
    """What one month cost and used: in all, or of one cause."""

    month: str = Field(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$", description="As 2026-03.")
    cause: str = Field("", max_length=40, description="Of the plan; empty: in all.")
    cost_usd: float | None = Field(None, ge=-_AMOUNT_MOST, le=_AMOUNT_MOST)
    energy_kwh: float | None = Field(None, ge=0.0, le=_AMOUNT_MOST)


class Actuals(Params):
    """What was entered for a study: which design was built, since when, and its months."""

    letter: str = Field("", pattern=r"^[A-H]?$", description="Empty: the approved winner.")
    starts_on: str | None = Field(
        None, pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$", description="The plan's first month."
    )
    rows: Annotated[tuple[Row, ...], Field(max_length=ROWS_MOST)] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Actuals:
        keys = [(row.month, row.cause) for row in self.rows]
        if len(set(keys)) < len(keys):
            month, cause = next(key for at, key in enumerate(keys) if key in keys[:at])
            message = f"{month} stands twice{f' for {cause}' if cause else ''}."
            raise ValueError(message)
        return self


def parse_actuals_csv(
    text: str, mark: Mark | None = None, notes: list[str] | None = None
) -> list[JSONDict]:
    """Return the rows of a table with the columns month, cause, cost_usd and energy_kwh.

    ``mark`` stands before decimals in columns that leave it open; ``notes`` takes the sentences
    of how numbers were read.

    Raises
    ------
    ParamsError
        With every cell that cannot be read; or at ``/numbers`` where a column could be read in
        two ways.
    """
    head = text.lstrip("\ufeff").partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    file = io.StringIO(text.lstrip("\ufeff"))
    table = csv.DictReader(file, restkey="more", delimiter=delimiter)
    named = [name.strip().lower() for name in table.fieldnames or []]
    unknown = [name for name in named if name not in COLUMNS]
    if unknown or "month" not in named or not {"cost_usd", "energy_kwh"} & set(named):
        message = f"The first line names the columns: {', '.join(COLUMNS)}."
        raise ParamsError([Fault("/csv", "columns", message)])
    rows, faults = [], []
    lines = list(enumerate(table, start=2))
    marks = marks_of(_amounts(named, [cells for _, cells in lines]), mark, notes=notes)
    for line, cells in lines:
        if not any(isinstance(cell, str) and cell.strip() for cell in cells.values()):
            continue
        try:
            rows.append(_row_of(dict(zip(named, cells.values(), strict=False)), marks))
        except ValidationError as exc:
            faults += [
                Fault("/csv", fault.code, f"Line {line}, {fault.pointer[1:]}: {fault.message}")
                for fault in faults_of(exc, cells)
            ]
    if faults:
        raise ParamsError(faults)
    return rows


def _amounts(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The cells of each column of amounts."""
    return {
        name: [one for row in rows if isinstance(one := list(row.values())[at], str)]
        for at, name in enumerate(names)
        if name in {"cost_usd", "energy_kwh"}
    }


def _row_of(cells: Mapping[str, Any], marks: Mapping[str, Mark]) -> JSONDict:
    told = {name: (cell or "").strip() for name, cell in cells.items() if isinstance(cell, str)}
    given: JSONDict = {name: cell for name, cell in told.items() if cell}
    for name in marks.keys() & given.keys():
        with suppress(ValueError):  # what is no number is told by the row's own check
            given[name] = number_of(given[name], marks[name])
    return Row.model_validate(given).model_dump()


@dataclass(frozen=True, slots=True)
class _Planned:
    """One design of a plan's answer, and its first month."""

    design: Mapping[str, Any]
    first: date

    @property
    def months(self) -> int:
        return len(self.design["cumulative_usd"]) - 1

    def number(self, month: str) -> int:
        """Which month of the plan a month of the calendar is, from 1."""
        year, of_year = (int(part) for part in month.split("-"))
        return (year - self.first.year) * MONTHS_PER_YEAR + of_year - self.first.month + 1

    def name(self, number: int) -> str:
        at = self.first.month - 1 + number - 1
        year, of_year = self.first.year + at // MONTHS_PER_YEAR, at % MONTHS_PER_YEAR + 1
        return f"{year:04}-{of_year:02}"

    def cost_usd(self, number: int) -> float:
        running = self.design["cumulative_usd"]
        return float(running[number] - (running[number - 1] if number > 1 else 0.0))

    def cause_usd(self, cause: str, number: int) -> float:
        at, of_year = divmod(number - 1, MONTHS_PER_YEAR)
        amount = float(self.design["years"][at]["causes"].get(cause, 0.0))
        if cause in CAPITAL_CAUSES:
            return 0.0 if of_year else amount
        return amount / min(MONTHS_PER_YEAR, self.months - at * MONTHS_PER_YEAR)

    @property
    def month_kwh(self) -> float | None:
        kwh = self.design["energy"]["kwh"]
        return None if kwh is None else float(kwh) / self.months


def compared(
    result: Mapping[str, Any], actuals: Actuals, starts_on: date, driver: Driver
) -> JSONDict:
    """Hold what happened against a plan's answer; ``starts_on`` where nobody entered a month.

    ``driver`` is the input that the amount of a cause of a design goes with.

    Raises
    ------
    ParamsError
        When the answer has no such design, or a month or a cause is none of its plan.
    """
    plan = _planned(result, actuals, starts_on)
    _require_known(plan, actuals.rows)
    months = list(_months(plan, actuals.rows))
    known = [one for one in months if one["actual_usd"] is not None]
    total = _difference(
        fsum(one["planned_usd"] for one in known), fsum(one["actual_usd"] for one in known)
    )
    drawn = [one for one in months if one["actual_kwh"] is not None and one["planned_kwh"]]
    used = _difference(
        fsum(one["planned_kwh"] for one in drawn), fsum(one["actual_kwh"] for one in drawn)
    )
    energy = {"months_count": len(drawn), **used}
    return {
        "letter": plan.design["letter"],
        "title": plan.design["title"],
        "starts_on": plan.name(1),
        "sentence": _sentence(
            len(known), total, energy, months, Currency.stated(result["currency"])
        ),
        "months": months,
        "total": {"months_count": len(known), **total},
        "energy": energy,
        "causes": list(_causes(plan, actuals.rows, driver)),
        "known_causes": [
            {"cause": one["cause"], "label": one["label"]} for one in plan.design["causes"]
        ],
        "designs": [{"letter": one["letter"], "title": one["title"]} for one in result["designs"]],
    }


def with_bill(
    result: Mapping[str, Any], actuals: Actuals, starts_on: date, costs_usd: Mapping[str, float]
) -> Actuals:
    """Put what a bill says that months cost in all in place of what was entered of them.

    What was entered of their energy and their causes stays; months outside the plan are left out.

    Raises
    ------
    ParamsError
        When none of the bill's months is one of the plan.
    """
    plan = _planned(result, actuals, starts_on)
    costs = {
        month: cost for month, cost in costs_usd.items() if 1 <= plan.number(month) <= plan.months
    }
    if not costs:
        span = f"{min(costs_usd, default='none')} to {max(costs_usd, default='none')}"
        message = (
            f"The bill's months ({span}) are not among the plan's "
            f"({plan.name(1)} to {plan.name(plan.months)})."
        )
        raise ParamsError([Fault("/bill", "out_of_range", message)])
    known = {row.month: row.energy_kwh for row in actuals.rows if not row.cause}
    billed = [
        Row(month=month, cost_usd=cost, energy_kwh=known.get(month))
        for month, cost in costs.items()
    ]
    kept = [row for row in actuals.rows if row.cause or row.month not in costs]
    rows = tuple(sorted([*kept, *billed], key=lambda row: (row.month, row.cause)))
    return actuals.model_copy(update={"rows": rows})


def _planned(result: Mapping[str, Any], actuals: Actuals, starts_on: date) -> _Planned:
    designs = {design["letter"]: design for design in result["designs"]}
    wanted = actuals.letter or result["winner"] or min(designs)
    if wanted not in designs:
        message = f"The approved version has no design {wanted}. Choose {', '.join(designs)}."
        raise ParamsError([Fault("/letter", "not_a_choice", message)])
    said = actuals.starts_on
    first = date(int(said[:4]), int(said[5:]), 1) if said else starts_on.replace(day=1)
    return _Planned(designs[wanted], first)


def _require_known(plan: _Planned, rows: Sequence[Row]) -> None:
    causes = {one["cause"] for one in plan.design["causes"]}
    last = plan.name(plan.months)
    faults = []
    for at, row in enumerate(rows):
        if not 1 <= plan.number(row.month) <= plan.months:
            message = f"The plan has the months {plan.name(1)} to {last}; {row.month} is none."
            faults.append(Fault(pointer_of("rows", at, "month"), "out_of_range", message))
        if row.cause and row.cause not in causes:
            known = ", ".join(sorted(causes))
            message = f"Design {plan.design['letter']} has no cause {row.cause}: {known}."
            faults.append(Fault(pointer_of("rows", at, "cause"), "not_a_choice", message))
    if faults:
        raise ParamsError(faults)


def _months(plan: _Planned, rows: Sequence[Row]) -> Iterator[JSONDict]:
    """Every month of the plan, with what is known of it."""
    by_month: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        by_month[plan.number(row.month)].append(row)
    running: float | None = 0.0
    design = plan.design
    for number in range(1, plan.months + 1):
        actual = _in_all(by_month[number], "cost_usd")
        running = None if running is None or actual is None else running + actual
        planned = plan.cost_usd(number)
        low, high = (_at(design[f"cumulative_{end}_usd"], number) for end in ("p10", "p90"))
        yield {
            "month": plan.name(number),
            "planned_usd": planned,
            "actual_usd": actual,
            "difference_usd": None if actual is None else actual - planned,
            "planned_kwh": plan.month_kwh,
            "actual_kwh": _in_all(by_month[number], "energy_kwh"),
            "planned_so_far_usd": float(design["cumulative_usd"][number]),
            "p10_so_far_usd": low,
            "p90_so_far_usd": high,
            "actual_so_far_usd": running,
            "is_within": (
                None if running is None or low is None or high is None else low <= running <= high
            ),
        }


def _at(series: Sequence[float] | None, number: int) -> float | None:
    return None if series is None else float(series[number])


def _in_all(rows: Sequence[Row], field: str) -> float | None:
    """A month's amount as entered in all, else the sum of its causes; None: nobody entered it."""
    whole = [value for row in rows if not row.cause and (value := getattr(row, field)) is not None]
    parts = [value for row in rows if row.cause and (value := getattr(row, field)) is not None]
    return fsum(whole or parts) if whole or parts else None


def _causes(plan: _Planned, rows: Sequence[Row], driver: Driver) -> Iterator[JSONDict]:
    """Causes that the entered months tell of, the one with the largest difference first."""
    told: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        if row.cause and row.cost_usd is not None:
            planned = plan.cause_usd(row.cause, plan.number(row.month))
            told[row.cause].append((planned, row.cost_usd))
    found = []
    for cause in plan.design["causes"]:
        pairs = told.get(cause["cause"])
        if pairs:
            amounts = _difference(fsum(p for p, _ in pairs), fsum(a for _, a in pairs))
            head = {"cause": cause["cause"], "label": cause["label"]}
            field = driver(plan.design["letter"], cause["cause"])
            offer = None if field is None else _offer(field, pairs)
            found.append({**head, "months_count": len(pairs), **amounts, "offer": offer})
    yield from sorted(found, key=lambda one: -abs(one["difference"]))


def _offer(field: Term, pairs: Sequence[tuple[float, float]]) -> JSONDict | None:
    """The range that a field of the study gets if all of a cause's difference were its.

    From the 10th to the 90th percentile of what a month cost over what it was planned to.
    """
    ratios = sorted(actual / planned for planned, actual in pairs if planned > 0)
    if len(ratios) < MONTHS_FOR_RANGE or ratios[0] <= 0:
        return None
    low, high = (_percentile(ratios, share) for share in (_LOW, _HIGH))
    (value,) = field.values
    return {
        "pointer": field.pointer,
        "field": field.name,
        "unit": field.unit,
        "value": value,
        "low": value * min(1.0, low),
        "high": value * max(1.0, high),
    }


def _percentile(values: Sequence[float], share: float) -> float:
    at = share * (len(values) - 1)
    below = int(at)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (at - below)


def _difference(planned: float, actual: float) -> JSONDict:
    return {
        "planned": planned,
        "actual": actual,
        "difference": actual - planned,
        "difference_fraction": (actual - planned) / planned if planned > 0 else None,
    }


def _sentence(
    count: int,
    total: Mapping[str, Any],
    energy: Mapping[str, Any],
    months: Sequence[Mapping[str, Any]],
    currency: Currency,
) -> str:
    said = []
    if count:
        spent = money(total["actual"], currency)
        of = f"{counted(count, 'month')} cost {spent}{_off(total)}"
        judged = [one["is_within"] for one in months if one["is_within"] is not None]
        where = "within" if judged and judged[-1] else "outside"
        band = f"; the sum so far is {where} P10 to P90 of the approved version" if judged else ""
        said.append(f"{of}{band}.")
    if energy["months_count"]:
        used = (
            f"{counted(energy['months_count'], 'month')} used {quantity(energy['actual'], 'kWh')}"
        )
        said.append(f"{used}{_off(energy)}.")
    return " ".join(said) or "No month has a cost yet."


def _off(amounts: Mapping[str, Any]) -> str:
    share = amounts["difference_fraction"]
    more = "more" if amounts["difference"] >= 0 else "less"
    return "" if share is None else f", {percent(abs(share))} {more} than planned"
