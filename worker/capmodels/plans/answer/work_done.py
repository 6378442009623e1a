"""The work of a study over its horizon, and what a watt, a watt-hour and a dollar do of it.

Performance per watt and per watt-hour after the studies of low-power clusters (FAWN, SOSP
2009; SeaMicro, 2011), here of a whole design at the study's load over the horizon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import fsum
from capmodels.numbers import SYMBOLS
from capmodels.plans.answer.row import Value, row_of
from capmodels.plans.costing.service_load import rate_per_s
from capmodels.plans.costing.use_cost import use_of
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.units import (
    HOURS_PER_DAY,
    JOULES_PER_KWH,
    MONTHS_PER_YEAR,
    SECONDS_PER_HOUR,
    WATTS_PER_KW,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.scene import Scene
    from capmodels.spec import JSONDict

# Rows of work by the energy that it takes.
BY_ENERGY = ("work_per_w", "work_per_wh", "work_energy")
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
    """The work that a study counts: requests, else jobs, else core-hours, else data kept."""
    hours = scene.hours_per_month * scene.months
    if scene.demand is None:
        return _of_machines(scene, hours)
    service, timeline = scene.work.service, scene.timeline
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


def work_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """Rows of the work done per watt, watt-hour and dollar, and of the energy of one unit."""
    work = work_of(scene)
    if work is None:
        return []
    hours = scene.hours_per_month * scene.months
    whole = work.one in {"request", "job"}
    told: tuple[tuple[str, str, str, bool, Callable[[float], float]], ...] = (
        (
            "work_per_w",
            "Work per watt",
            f"{work.rate_unit}/W",
            False,
            lambda kwh: work.rate / (kwh * WATTS_PER_KW / hours),
        ),
        (
            "work_per_wh",
            "Work per watt-hour",
            f"{work.unit}/Wh",
            False,
            lambda kwh: work.amount / (kwh * WATTS_PER_KW),
        ),
        (
            "work_energy",
            f"{'Joules' if whole else 'Energy'} per {work.one}",
            "J" if whole else "kWh",
            True,
            lambda kwh: kwh * (JOULES_PER_KWH if whole else 1.0) / work.amount,
        ),
    )
    rows = [
        row_of(row_id, label, unit, columns, _by_energy(figure), lower=lower)
        for row_id, label, unit, lower, figure in told
    ]
    estimated = {
        column.letter: "at an estimate of its energy"
        for column in columns
        if column.energy.basis == "estimate"
    }
    currency = scene.assumptions.currency
    money = row_of(
        "work_per_usd",
        f"Work per {'dollar' if currency.code == 'USD' else currency.code} of total cost",
        f"{work.unit}/{SYMBOLS.get(currency.code, currency.code)}",
        columns,
        _per_amount(work, currency.per_usd),
        lower=False,
    )
    return [*({**_readable(row), "notes": estimated} for row in rows), _readable(money)]


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


def _by_energy(figure: Callable[[float], float]) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        kwh = column.energy.kwh
        if not column.carries_load:
            return None, SHORT
        if kwh is None:
            return None, column.energy.reason
        return (figure(kwh), None) if kwh > 0 else (None, "It draws no power.")

    return value


def _per_amount(work: Work, per_usd: float) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        if not column.carries_load:
            return None, SHORT
        if column.ranked_usd <= 0:
            return None, "It costs nothing."
        return work.amount / (column.ranked_usd * per_usd), None

    return value
