"""A replayed day as tables and figures: hosts on, energy and broken service by policy."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from capmodels.numbers import counted, money, percent, quantity, significant, tiny
from capmodels.told import Axis, Figure, Series, Table, TableRow, column, facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from capmodels.consolidation.dynamic_params import DayResult, StaticPlan, StepPoint

_STEPS_H = (1, 2, 3, 4, 6, 12, 24, 48, 168)
_TICKS = 9
_LONG_H = 720
_COLUMNS: tuple[tuple[str, str | None, Callable[[DayResult], str]], ...] = (
    ("Energy", None, lambda day: quantity(day.energy_kwh, "kWh")),
    ("Saved a year", None, lambda day: money(day.saving.usd_per_year if day.saving else None)),
    (
        "On, most",
        "Hosts on, at the percentile and at most",
        lambda day: f"{significant(day.hosts_on_percentile_count)}, {day.hosts_on_most_count}",
    ),
    ("Moves", None, lambda day: f"{day.migrations_count:,}"),
    (
        "A day per host",
        "Moves a day for each host that is on",
        lambda day: significant(day.moves_per_host_per_day),
    ),
    ("Switched", "Servers that were switched on", lambda day: f"{day.switches_count:,}"),
    (
        "Moving, switching",
        "What copying machines and switching servers draw",
        lambda day: quantity(day.moving_kwh + day.switching_kwh, "kWh"),
    ),
    (
        "SLATAH",
        "Share of host time in which less was given than asked",
        lambda day: percent(day.slatah_fraction),
    ),
    ("PDM", "Share of what is asked that moves withhold", lambda day: percent(day.pdm_fraction)),
    ("SLAV", "SLATAH times PDM", lambda day: tiny(day.slav_fraction)),
    ("ESV", "Energy times SLAV; less is better", lambda day: tiny(day.esv_kwh)),
)


def tables(
    static: StaticPlan, days: Sequence[DayResult], best: DayResult | None, hosts_count: int
) -> tuple[Table, ...]:
    """Energy and service by policy, and what the load needs if nothing moves."""
    rows = (
        TableRow(
            head=day.policy,
            cells=tuple(said(day) for _, _, said in _COLUMNS),
            is_best=day is best,
        )
        for day in days
    )
    needed = f"{static.hosts_count} of {hosts_count}" if static.fits else f"more than {hosts_count}"
    still = [
        ("Hosts needed", needed),
        ("At least", f"{static.bound_count}"),
        ("Constraint", "CPU" if static.binding == "cpu" else "memory"),
        ("Energy", quantity(static.energy_kwh, "kWh")),
        ("Host time short of CPU", percent(static.short_fraction)),
    ]
    measures = Table(
        title="Energy and service by policy",
        columns=("Policy", *(label for label, _, _ in _COLUMNS)),
        means=(None, *(means for _, means, _ in _COLUMNS)),
        rows=tuple(rows),
    )
    return (measures, facts("If nothing moves", still))


def _hours(duration_h: float) -> Axis:
    every = next((step for step in _STEPS_H if duration_h / step <= _TICKS), _LONG_H)
    ticks = range(0, int(duration_h) + 1, every)
    return Axis(title="Hours", unit="h", ticks=ticks, ticks_said=tuple(map(str, ticks)))


def _over_time(
    days: Iterable[DayResult],
    values: Callable[[DayResult], Iterable[float]],
    kinds: Callable[[StepPoint], str] | None = None,
) -> tuple[Series, ...]:
    return tuple(
        Series(
            name=day.policy,
            end=day.policy,
            at=tuple(round(point.at_h, 4) for point in day.series),
            values=tuple(values(day)),
            kinds=tuple(kinds(point) for point in day.series) if kinds else (),
        )
        for day in days
    )


def _energy_kwh(day: DayResult) -> list[float]:
    """Energy since the start at each step; the last is the day's. [kWh]"""
    sums = list(accumulate(point.energy_kwh for point in day.series))
    scale = day.energy_kwh / sums[-1] if sums[-1] > 0 else 1.0
    return [value * scale for value in sums]


def figures(
    days: Sequence[DayResult], best: DayResult | None, hosts_count: int, duration_h: float
) -> tuple[Figure, ...]:
    """Hosts on and energy over time, and energy against broken service."""
    drawn = [day for day in days if day.series]
    across = _hours(duration_h)
    found = (
        [_energy_and_service(days, best)] if sum(day.policy != "NPA" for day in days) > 1 else []
    )
    if not drawn:
        return tuple(found)
    title = "Hosts on over time"
    if best is not None:
        title = (
            f"{best.policy} needs at most {best.hosts_on_most_count} of {hosts_count} hosts "
            "after the first hour"
        )
    most = "; ".join(f"{day.policy}: at most {day.hosts_on_most_count} on" for day in drawn)
    least = min(drawn, key=lambda day: day.energy_kwh)
    takes = f"{least.policy} takes least energy: {quantity(least.energy_kwh, 'kWh')}"
    return (
        Figure(
            kind="lines",
            name="Hosts on over time",
            title=title,
            summary=f"{title}. {most}.",
            across=across,
            along=Axis(title="Hosts on", unit="count"),
            series=_over_time(
                drawn,
                lambda day: (point.hosts_on_count for point in day.series),
                lambda point: counted(point.migrations_count, "move"),
            ),
            best=best and best.policy,
        ),
        Figure(
            kind="lines",
            name="Energy over time",
            title=takes,
            summary=f"{takes}. {_each(days, lambda day: quantity(day.energy_kwh, 'kWh'))}.",
            across=across,
            along=Axis(title="Energy since the start", unit="kWh"),
            series=_over_time(drawn, _energy_kwh),
            best=best and best.policy,
        ),
        *found,
    )


def _each(days: Iterable[DayResult], said: Callable[[DayResult], str]) -> str:
    return "; ".join(f"{day.policy}: {said(day)}" for day in days)


def _energy_and_service(days: Sequence[DayResult], best: DayResult | None) -> Figure:
    """Energy against broken service: the nearer to the corner, the better."""
    moved = [day for day in days if day.policy != "NPA"]
    title = "Less energy is paid for with time in which servers are short"
    said = _each(
        moved,
        lambda day: (
            f"{quantity(day.energy_kwh, 'kWh')}, short {percent(day.slatah_fraction)} of the time"
        ),
    )
    return Figure(
        kind="points",
        name="Energy and service",
        title=title,
        summary=f"{title}. {said}.",
        across=Axis(title="Energy", unit="kWh"),
        along=Axis(title="Time in which servers are short (SLATAH)", unit="fraction"),
        series=tuple(
            Series(
                name=day.policy,
                at=(day.energy_kwh,),
                values=(day.slatah_fraction,),
                names=(day.policy,),
            )
            for day in moved
        ),
        best=best and best.policy,
        twin=(
            column("Policy", (day.policy for day in days)),
            column("Energy", (day.energy_kwh for day in days), "kWh"),
            column("Most servers on", (day.hosts_on_most_count for day in days), "count"),
            column("Hosts on, mean", (day.hosts_on_mean_count for day in days), "count"),
            column("Moves", (day.migrations_count for day in days), "count"),
            column("SLATAH", (day.slatah_fraction for day in days), "fraction"),
            column("PDM", (day.pdm_fraction for day in days), "fraction"),
            column("SLAV", (day.slav_fraction for day in days), "fraction"),
            column("ESV", (day.esv_kwh for day in days), "kWh"),
        ),
    )
