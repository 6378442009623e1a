"""What a utilization trace is told by: its sentences, and its charts as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.formats.told_axes import (
    HOURS,
    clock,
    mean,
    most,
    of_steps,
    over_time,
    peak_hours,
    peak_said,
)
from capmodels.numbers import counted, duration, percent, quantity
from capmodels.told import Axis, Figure, Series

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Summary = Mapping[str, Any]

_DAY_S = 86_400
_MISSING_FEW = 0.0005
_CPU = Axis(title="CPU in use", unit="fraction")


def utilization_headline(of: Summary) -> str:
    """One sentence: how many machines, for how long, how busy; without CPU what they draw."""
    machines = of["machines_count"]
    who = "One machine" if machines == 1 else counted(machines, "machine")
    busy, watts = of["cpu_mean_fraction"], of.get("power_mean_w")
    said = "" if watts is None else f", drawing {quantity(watts, 'W')} on average"
    if busy is not None:
        said = f", {percent(busy)} busy on average"
    return f"{who} over {duration(of['duration_s'])}{said}."


def utilization_notes(of: Summary) -> Iterator[str]:
    """The other sentences, the most telling first."""
    if of["cpu_mean_fraction"] is not None:
        together = f" All together peak at {percent(of['together_peak_fraction'])}."
        yield (
            f"One sample of 20 is above {percent(of['cpu_p95_fraction'])}; the highest is "
            f"{percent(of['cpu_peak_fraction'])}." + ("" if of["machines_count"] == 1 else together)
        )
    few = of["missing_fraction"] <= _MISSING_FEW
    missing = "no sample is" if few else f"{percent(of['missing_fraction'])} of the samples are"
    yield f"A step is {duration(of['step_s'])}; {missing} missing."
    # Files that were read before have the first of them.
    first = of.get("peak_hour")
    peaks = of.get("peak_hours", [] if first is None else [first])
    if peaks and of["duration_s"] >= _DAY_S:
        yield f"{peak_said(peaks, HOURS)}."
    if of.get("memory_mean_fraction") is not None:
        usual, highest = percent(of["memory_mean_fraction"]), percent(of["memory_peak_fraction"])
        yield f"Memory is {usual} full on average, {highest} at most."
    if of.get("power_mean_w") is not None:
        usual, highest = quantity(of["power_mean_w"], "W"), quantity(of["power_peak_w"], "W")
        yield f"Together they draw {usual} on average, {highest} at most."


def utilization_figures(charts: Mapping[str, Any]) -> Iterator[Figure]:
    """CPU over time, by machine and by hour, memory and power, as far as they are known."""
    if band := charts.get("band"):
        yield _band(band, is_one=len(charts["heat"]["names"]) == 1)
        yield _heat(charts["heat"])
        yield _hours(charts["hours"])
    if memory := charts.get("memory"):
        values = memory["mean_fraction"]
        title = f"Memory is at most {percent(most(values))} full"
        along = Axis(title="Memory in use", unit="fraction")
        yield over_time("Memory over time", title, along, memory["step_s"], values)
    if power := charts.get("power"):
        values = power["total_w"]
        title = f"Together they draw up to {quantity(most(values), 'W')}"
        along = Axis(title="Power", unit="W")
        yield over_time("Power over time", title, along, power["step_s"], values)


def _band(band: Mapping[str, Any], *, is_one: bool) -> Figure:
    step, count = band["step_s"], len(band["mean"])
    places = of_steps(step, count)
    lines = (("Mean", "mean", "p5", "p95"), ("Median", "p50", "p25", "p75"))
    return Figure(
        kind="lines",
        name="CPU over time, mean and spread of the machines",
        title=_busiest(band, is_one=is_one),
        along=_CPU,
        across=clock(count * step),
        series=tuple(
            Series(name=name, values=band[key], low=band[low], high=band[high], **places)
            for name, key, low, high in lines
        ),
        note="Shaded: 5% to 95% of the machines, and a quarter to three quarters of them.",
    )


def _busiest(band: Mapping[str, Any], *, is_one: bool) -> str:
    within, mean_most = f"Over {duration(band['step_s'])}", percent(most(band["mean"]))
    if is_one:
        return f"{within}, the machine is {mean_most} busy at most"
    return (
        f"{within}, all together are {mean_most} busy at most; the busiest twentieth of machines "
        f"reach {percent(most(band['p95']))}"
    )


def _heat(heat: Mapping[str, Any]) -> Figure:
    """Machines from the busiest, on top, to the idlest."""
    rows, names, step = heat["cpu_fraction"], heat["names"], heat["step_s"]
    count, levels = len(rows[0]) if rows else 0, tuple(range(len(rows) - 1, -1, -1))
    places = of_steps(step, count)
    return Figure(
        kind="cells",
        name="CPU by machine",
        title=f"The machine is {percent(mean(rows[0]))} busy on average"
        if len(rows) == 1
        else f"The busiest of the machines is {percent(mean(rows[0]))} busy on average, the "
        f"idlest {percent(mean(rows[-1]))}",
        along=Axis(title="", unit="", ticks=levels, ticks_said=tuple(names)),
        across=clock(count * step),
        measure=_CPU,
        levels=levels,
        series=tuple(
            Series(name=name, values=row, **(places if at == 0 else {}))
            for at, (name, row) in enumerate(zip(names, rows, strict=True))
        ),
    )


def _hours(hours: Mapping[str, Any]) -> Figure:
    means = hours["mean_fraction"]
    peak = most(means)
    return Figure(
        kind="columns",
        name="Shape of the day",
        title=f"{peak_said(peak_hours(means), HOURS)}: {percent(peak)} busy on average",
        along=_CPU,
        across=Axis(title="Hour of the day, as in the file", unit=""),
        rows=tuple(f"{hour}:00" for hour in range(24)),
        series=(
            Series(name="Mean", values=means),
            Series(name="P95 of the machines", values=hours["p95_fraction"], style="dots"),
        ),
    )
