"""The figures of runs of arrays as tables: of one run, and of several side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.numbers import missing, percent, quantity, span
from capmodels.storage.simulator.results import PERCENTILES, ArrayFigure, FigureRow, FiguresTable
from capmodels.storage.simulator.told import (
    all_responses,
    life_text,
    load_text,
    mean_interval_ms,
    most_worn,
    ms_text,
    span_text,
    withheld,
    yearly_usd,
)
from capmodels.told import Table, TableRow
from capmodels.units import HOURS_PER_YEAR, SECONDS_PER_DAY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.storage.simulator.results import ArrayMeasures, Requests

# What a figure is of, where its name does not say it.
_MEANS = {
    "mean_ms": "From a request's arrival to its answer, all requests.",
    **{
        name: f"{percent(share)} of requests are answered within it."
        for name, share, _ in PERCENTILES
    },
    "busy": "Share of the time in which the drive that works most serves or seeks.",
    "starts": "From standby, of the drive that wakes most often.",
    "wear": "Until the ratings of the drive that is worn first are used up at this pace.",
    "queue": "Operations that wait at a drive or are served by it, over time.",
    "usd_per_year": "Electricity at the price entered, drives over their life.",
}
# Rows that say why they have no value for an array that cannot keep up; the others hint at it.
_SPOKEN = {"mean_ms", "p95_ms"}


class Beside(NamedTuple):
    """An array as a column: its figures, or why there are none; whether it cannot keep up."""

    letter: str
    title: str
    figures: Sequence[ArrayFigure]
    why_none: str | None = None
    is_off: bool = False


def table_of(run: ArrayMeasures) -> Table:
    """The figures of one run, with what is said of them."""
    rows = (
        TableRow(head=row.label, cells=(row.text, row.note or ""), means=_MEANS.get(row.id))
        for row in rows_of(run)
        if row.value is not None or row.note is not None
    )
    columns = ("Figure", "Value", "Remark")
    return Table(title="Figures of the array", columns=columns, rows=tuple(rows))


def side_by_side(title: str, arrays: Sequence[Beside]) -> FiguresTable:
    """A line for each figure that any array has, or has a reason for; the best of it marked."""
    known = next((array.figures for array in arrays if array.figures), ())
    lines = [
        [
            next((one for one in array.figures if one.id == row.id), None) or _refused(row, array)
            for array in arrays
        ]
        for row in known
    ]
    rows = [
        _line(line, arrays)
        for line in lines
        if any(one.value is not None or one.note is not None for one in line)
    ]
    return FiguresTable(
        title=title,
        columns=("Figure", *(one.title or f"Array {one.letter}" for one in arrays)),
        rows=tuple(rows),
        letters=tuple(one.letter for one in arrays),
    )


def _refused(row: ArrayFigure, array: Beside) -> ArrayFigure:
    return row.model_copy(update={"value": None, "text": missing(), "note": array.why_none})


def _line(line: Sequence[ArrayFigure], arrays: Sequence[Beside]) -> FigureRow:
    first = line[0]
    spoken = first.id in _SPOKEN
    return FigureRow(
        head=first.label,
        cells=tuple(one.text for one in line),
        means=_MEANS.get(first.id),
        under=tuple(
            one.note if spoken or one.value is not None or not array.is_off else None
            for one, array in zip(line, arrays, strict=True)
        ),
        hints=tuple(one.note if one.value is None else None for one in line),
        best=_best(line, arrays),
    )


def _best(line: Sequence[ArrayFigure], arrays: Sequence[Beside]) -> str | None:
    """Who has the best value; None where they read the same, stand alone or cannot be compared."""
    lower = line[0].lower_is_better
    known = sorted(
        (one.value if lower else -one.value, at)
        for at, one in enumerate(line)
        if one.value is not None and not arrays[at].is_off
    )
    if lower is None or len(known) < 2:
        return None
    first, second = known[0][1], known[1][1]
    return None if line[first].text == line[second].text else arrays[first].letter


def _row(
    name: str,
    label: str,
    unit: str,
    value: float | None,
    lower_is_better: bool | None = True,
    *,
    note: str | None = None,
    text: str | None = None,
) -> ArrayFigure:
    shown = quantity(value, unit) if text is None or value is None else text
    return ArrayFigure(
        id=name,
        label=label,
        unit=unit,
        value=value,
        text=shown,
        note=note,
        lower_is_better=lower_is_better,
    )


def _response(
    run: ArrayMeasures, name: str, label: str, none: str, interval: tuple[float, float] | None
) -> ArrayFigure:
    value: float | None = getattr(all_responses(run), name)
    reason = withheld(run)
    note: str | None = none if reason is None else f"Withheld: {reason}."
    if value is not None:
        ends = None if interval is None else span(interval[0] / 1000, interval[1] / 1000, "s")
        note = None if ends is None else f"95% interval {ends}"
    return _row(name, label, "ms", value, note=note, text=ms_text(value))


def _responses(run: ArrayMeasures) -> Iterator[ArrayFigure]:
    few = "Of fewer than 10,000 requests a tail percentile says little."
    yield _response(run, "mean_ms", "Mean response", few, mean_interval_ms(run))
    known = {row.percentile_fraction: (row.low_ms, row.high_ms) for row in run.percentile_intervals}
    for name, share, label in PERCENTILES:
        yield _response(run, name, label, few, known.get(share))
    yield _response(run, "max_ms", "Longest response", few, None)
    yield _mean_of(run, "reads", "Mean of reads")
    yield _mean_of(run, "writes", "Mean of writes")


def _mean_of(run: ArrayMeasures, requests: Requests, label: str) -> ArrayFigure:
    value = next(row.mean_ms for row in run.responses if row.requests == requests)
    reason = withheld(run)
    none = f"There were no {requests}." if reason is None else f"Withheld: {reason}."
    note = none if value is None else None
    return _row(requests, label, "ms", value, note=note, text=ms_text(value))


def _per_day(run: ArrayMeasures, most: float) -> float:
    return most * SECONDS_PER_DAY / max(run.duration_s, 1e-9)


def rows_of(run: ArrayMeasures) -> Iterator[ArrayFigure]:
    """The figures of a run."""
    yield from _responses(run)
    passed = quantity(run.throughput_mb_per_s, "MB/s")
    yield _row("throughput", "Served", "1/s", run.throughput_per_s, False, note=passed)
    busy = max(device.utilization_fraction for device in run.devices)
    yield _row("busy", "Busiest drive", "fraction", busy, None, text=load_text(busy))
    yield _row("power", "Power", "W", run.power_w)
    yield _row("energy", "Energy of a year", "kWh", run.power_w * HOURS_PER_YEAR / 1000)
    each = run.energy_per_1000_requests_j
    yield _row("per_request", "Energy of 1,000 requests", "J", each)
    starts = _per_day(run, max(device.spin_ups_count for device in run.devices))
    yield _row("starts", "Wakes of a day, most of a drive", "count", starts)
    yield _wear_row(run)
    yield from _further(run)


def _wear_row(run: ArrayMeasures) -> ArrayFigure:
    label, most = "Endurance remaining", most_worn(run)
    if most is None:
        return _row("wear", label, "yr", None, False, note="No wear in this run, or no rating.")
    device, years = most
    return _row("wear", label, "yr", years, False, note=device.name, text=life_text(years))


def _further(run: ArrayMeasures) -> Iterator[ArrayFigure]:
    """Rows that only some arrays have a value of."""
    longest = max(run.devices, key=lambda device: device.mean_queue_count)
    note = f"{longest.name}, at most {longest.max_queue_count}"
    queue = longest.mean_queue_count
    yield _row("queue", "Longest queue of a drive, mean", "count", queue, note=note)
    loads = _per_day(run, max(device.load_unloads_count for device in run.devices))
    yield _row("loads", "Head loads of a day, most of a drive", "count", loads or None)
    yield _cost_row(run)
    years = run.per_year.mttdl_years
    yield _row("mttdl", "Mean time to data loss", "yr", years, False)
    hits = [None if part is None else part.hit_fraction for part in (run.cache, run.copies)]
    yield _row("cache_hits", "Reads that the cache answers", "fraction", hits[0], False)
    yield _row("copy_hits", "Reads that a copy in free space serves", "fraction", hits[1], False)
    parity = run.parity_operations_count or None
    yield _row("parity_operations", "Operations for parity", "count", parity)
    rate, rebuild = run.rebuild_mb_per_s, run.rebuild_s
    at = None if rate is None else f"at {quantity(rate, 'MB/s')}"
    text = None if rebuild is None else span_text(rebuild)
    yield _row("rebuild", "Rebuild of a whole disk", "s", rebuild, note=at, text=text)


def _cost_row(run: ArrayMeasures) -> ArrayFigure:
    name, label, usd = "usd_per_year", "Energy and drives of a year", yearly_usd(run)
    energy = quantity(run.per_year.energy_usd_per_year, "USD")
    if usd is None:
        note = f"Energy {energy}; the price of a drive is not entered."
        return _row(name, label, "USD", None, note=note)
    drives = quantity(run.per_year.capital_usd_per_year, "USD")
    return _row(name, label, "USD", usd, note=f"energy {energy}, drives {drives}")
