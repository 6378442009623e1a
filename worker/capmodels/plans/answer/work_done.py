"""The work of a study over its horizon, and what a watt, a watt-hour and a dollar do of it.

Performance per watt and per watt-hour after the studies of low-power clusters (FAWN, SOSP
2009; SeaMicro, 2011), here of a whole design at the study's load over the horizon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from capmodels.amounts import fsum
from capmodels.numbers import SYMBOLS
from capmodels.plans.answer.row import (
    AT_MEAN,
    WORK_ENERGY,
    WORK_PER_AMOUNT,
    WORK_PER_W,
    WORK_PER_WH,
    Value,
    row_of,
)
from capmodels.plans.costing.service_load import rate_per_s
from capmodels.plans.costing.tokens import TOKENS_PER_MILLION, output_tokens
from capmodels.plans.costing.use_cost import use_of
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.units import (
    HOURS_PER_DAY,
    JOULES_PER_KWH,
    MONTHS_PER_YEAR,
    SECONDS_PER_HOUR,
    WATTS_PER_KW,
)
from capmodels.worked import named, through

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.scene import Scene
    from capmodels.spec import JSONDict

# Rows of work by the energy that it takes.
BY_ENERGY = (WORK_PER_W, WORK_PER_WH, WORK_ENERGY)
SHORT = "It does not meet demand."
_SIZES = ((1e9, "bn "), (1e6, "M "))


@dataclass(frozen=True, slots=True)
class Work:
    """All work of the horizon: how it is counted, how much it is, and at which mean rate.

    ``rate_unit`` is the unit of the rate, ``rate`` work in it: requests/s of requests.
    """

    one: str
    unit: str
    rate_unit: str
    amount: float
    rate: float


def work_of(scene: Scene) -> Work | None:
    """The work of a study: output tokens, else requests, jobs, core-hours, or data kept."""
    hours = scene.hours_per_month * scene.months
    if scene.demand is None:
        return _of_machines(scene, hours)
    service, timeline = scene.work.service, scene.timeline
    if scene.work.streams:
        amount = fsum(output_tokens(scene.work, scene)) * TOKENS_PER_MILLION
        return Work("token", "tokens", "tokens/s", amount, amount / (hours * SECONDS_PER_HOUR))
    if service is not None and service.query_rate_per_s > 0:
        months = [rate_per_s(scene, month + 0.5) / scene.p99_ratio for month in range(scene.months)]
        mean = fsum(months) / scene.months
        amount = mean * hours * SECONDS_PER_HOUR
        return Work("request", "requests", "requests/s", amount, mean)
    if scene.work.jobs_per_day > 0:
        mean = scene.work.jobs_per_day * fsum(timeline.cores.factors) / scene.months
        return Work("job", "jobs", "jobs/day", mean * hours / HOURS_PER_DAY, mean)
    busy = fsum(timeline.cores.monthly) / scene.months
    if busy > 0:
        return Work("core-hour", "core-h", "busy cores", busy * hours, busy)
    return _of_data(scene)


def _of_data(scene: Scene) -> Work | None:
    """Data kept; None where there is none."""
    timeline = scene.timeline
    kept = (timeline.block_tb, timeline.object_tb, timeline.archive_tb)
    stored = fsum(fsum(data.monthly) for data in kept) / scene.months
    if stored <= 0:
        return None
    return Work("TB-year", "TB-yr", "TB", stored * scene.months / MONTHS_PER_YEAR, stored)


def _of_machines(scene: Scene, hours: float) -> Work | None:
    """Core-hours of machines whose use is known."""
    work = scene.study.workload
    if not isinstance(work, UtilizationWorkload):
        raise TypeError
    busy = fsum(
        item.node_count * item.cores_per_node_count * use_of(item, work) for item in work.machines
    )
    return Work("core-hour", "core-h", "busy cores", busy * hours, busy) if busy > 0 else None


@dataclass(frozen=True, slots=True)
class WorkFigure:
    """What a watt, a watt-hour or a unit of money does of the work: of kWh, or of US dollars."""

    id: str
    label: str
    unit: str
    lower_is_better: bool
    of: Callable[[float], float]


def shown_in(usd: float, per_usd: float) -> float:
    """Return US dollars in the currency in which amounts are shown."""
    return cast("float", through(in_currency, usd, per_usd))


def in_currency(usd: float, per_usd: float) -> float:
    """Return US dollars in another currency: one step, which is not read where money is shown."""
    return usd * per_usd


def work_figures(scene: Scene) -> list[WorkFigure]:
    """The work done per watt, watt-hour and unit of money, and the energy of one unit of it."""
    work = work_of(scene)
    if work is None:
        return []
    hours = scene.hours_per_month * scene.months
    amount = named(work.amount, "Work over the horizon", work.unit)
    rate = named(work.rate, "Work at a time", work.rate_unit)
    whole, of_tokens = work.one in {"request", "job", "token"}, work.one == "token"
    joules = JOULES_PER_KWH if whole else 1.0
    currency = scene.assumptions.currency
    return [
        WorkFigure(
            WORK_PER_W,
            "Output tokens per joule" if of_tokens else "Work per watt",
            "tokens/J" if of_tokens else f"{work.rate_unit}/W",
            False,
            lambda kwh: rate / (kwh * WATTS_PER_KW / hours),
        ),
        WorkFigure(
            WORK_PER_WH,
            "Work per watt-hour",
            f"{work.unit}/Wh",
            False,
            lambda kwh: amount / (kwh * WATTS_PER_KW),
        ),
        WorkFigure(
            WORK_ENERGY,
            f"{'Joules' if whole else 'Energy'} per {work.one}",
            "J" if whole else "kWh",
            True,
            lambda kwh: kwh * joules / amount,
        ),
        WorkFigure(
            WORK_PER_AMOUNT,
            f"Work per {'dollar' if currency.code == 'USD' else currency.code} of total cost",
            f"{work.unit}/{SYMBOLS.get(currency.code, currency.code)}",
            False,
            lambda usd: amount / shown_in(usd, currency.per_usd),
        ),
    ]


def work_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """Rows of the work done per watt, watt-hour and unit of money, and of the energy of one."""
    estimated = {
        column.letter: "at an estimate of its energy"
        for column in columns
        if column.energy.basis == "estimate"
    }
    meant = {column.letter: AT_MEAN for column in columns if column.mean_usd is not None}
    rows = []
    for figure in work_figures(scene):
        of_money = figure.id == WORK_PER_AMOUNT
        value = _per_amount(figure) if of_money else _by_energy(figure)
        row = row_of(
            figure.id, figure.label, figure.unit, columns, value, lower=figure.lower_is_better
        )
        rows.append({**_readable(row), "notes": meant if of_money else estimated})
    return rows


def _readable(row: JSONDict) -> JSONDict:
    """A row of millions of work or more with that in its unit: 636 M requests/$."""
    if row["lower_is_better"]:
        return row
    largest = max((abs(value) for value in row["values"].values() if value is not None), default=0)
    size, prefix = next(((size, word) for size, word in _SIZES if largest >= size), (1.0, ""))
    values = {
        letter: None if value is None else value / size for letter, value in row["values"].items()
    }
    return {**row, "unit": f"{prefix}{row['unit']}", "values": values}


def _by_energy(figure: WorkFigure) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        kwh = column.energy.kwh
        if not column.carries_load:
            return None, SHORT
        if kwh is None:
            return None, column.energy.reason
        return (figure.of(kwh), None) if kwh > 0 else (None, "It draws no power.")

    return value


def _per_amount(figure: WorkFigure) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        if not column.carries_load:
            return None, SHORT
        if column.ranked_usd <= 0:
            return None, "It costs nothing."
        return figure.of(column.ranked_usd), None

    return value
