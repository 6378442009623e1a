"""What a run of the array simulator says: headline, wear, notes, and its figures as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.numbers import months, percent, quantity, significant, span
from capmodels.storage.simulator.results import PERCENTILES, ArrayFigure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.storage.simulator.results import ArrayMeasures, DeviceUse, Requests, Responses

_DAY_S = 86_400.0
_DAYS_PER_YEAR = 365.0
_HOURS_PER_YEAR = 8760.0
_LONGEST_YEARS = 100.0  # past it no one asks
_WITHHELD = {
    "queue_overflow": "a queue grew past what the simulator holds",
    "utilization": "a disk was busy at least 98% of the time",
    "response_grows": "responses grew without end",
}
_WARNINGS = {
    "few_requests": "has answered fewer than 10,000 requests: they say little of the slowest, and "
    "p99 and p99.9 are withheld.",
    "trace_folded": "is smaller than what the trace reaches: addresses past its end are folded "
    "back onto it.",
}


class Told(NamedTuple):
    """The words of a result."""

    headline: str
    withheld: str | None
    wear: str
    notes: tuple[str, ...]
    measures: tuple[ArrayFigure, ...]


def told(run: ArrayMeasures) -> Told:
    """Say what a run found."""
    return Told(
        headline=_headline(run),
        withheld=withheld(run),
        wear=wear_text(run),
        notes=tuple(_notes(run)),
        measures=tuple(_rows(run)),
    )


def withheld(run: ArrayMeasures) -> str | None:
    """Why percentiles are withheld, as half a sentence."""
    return None if run.saturated_reason is None else _WITHHELD[run.saturated_reason]


def ms_text(value_ms: float | None) -> str:
    """A response time: 6.30 ms, 85.0 µs, 1.25 s."""
    return quantity(None if value_ms is None else value_ms / 1000, "s")


def life_text(years: float) -> str:
    """A time in service: 12.0 days, 5 months, 3.00 yr.

    >>> life_text(0.5).replace(chr(160), " "), life_text(1e3)
    ('6 months', 'more than 100 yr')
    """
    if years > _LONGEST_YEARS:
        return f"more than {_LONGEST_YEARS:.0f} yr"
    if years >= 3:
        return quantity(years, "yr")
    return months(years * 12) if years >= 0.25 else quantity(years * _DAYS_PER_YEAR, "days")


def span_text(seconds: float) -> str:
    """A time in the largest unit of which there are at least two: 90.0 s, 5.20 hours, 207 days."""
    for unit, size in (("days", _DAY_S), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            return f"{significant(seconds / size)} {unit}"
    return quantity(seconds, "s")


def load_text(share: float) -> str:
    """How busy a drive is; shares too small to tell as less than that."""
    return "< 0.1%" if 0 < share < 0.0005 else percent(share)


def all_responses(run: ArrayMeasures) -> Responses:
    """Responses of all requests."""
    return next(row for row in run.responses if row.requests == "all")


def most_worn(run: ArrayMeasures) -> tuple[DeviceUse, float] | None:
    """The device whose rating is used up first, and after how many years."""
    known = [
        (device, device.years_to_rating_years)
        for device in run.devices
        if device.years_to_rating_years is not None
    ]
    return min(known, key=lambda pair: pair[1], default=None)


def _is_flash(device: DeviceUse) -> bool:
    return device.write_amplification_ratio is not None or device.name == "cache"


def _count(value: float) -> str:
    return f"{float(f'{value:.2g}'):,g}" if value < 10 else f"{value:,.0f}"


def _amount(device: DeviceUse, duration_s: float, years: float) -> str:
    """What a device takes of its rating in a day; the rating is what those days add up to."""
    days = max(duration_s, 1e-9) / _DAY_S
    if not _is_flash(device):
        daily = device.spin_ups_count / days
        rated = float(f"{daily * _DAYS_PER_YEAR * years:.3g}")
        return f"{_count(daily)} start-stops a day of {rated:,.0f} rated"
    daily_tb = device.written_tb / days
    text = f"{quantity(daily_tb * 1e12, 'B')} written a day"
    more = device.write_amplification_ratio or 1.0
    if more > 1.005:
        return f"{text}, {significant(more)} times that on flash"
    return f"{text} of {quantity(daily_tb * _DAYS_PER_YEAR * years * 1e12, 'B')} rated"


def _unworn(run: ArrayMeasures) -> str:
    if any(_is_flash(device) and device.written_tb > 0 for device in run.devices):
        return "wear unknown: the drive has no rated writes"
    return "nothing written" if all(map(_is_flash, run.devices)) else "no start-stops"


def wear_text(run: ArrayMeasures) -> str:
    """What the power of a run costs in wear, of the drive that is worn first, half a sentence."""
    most = most_worn(run)
    if most is None:
        return _unworn(run)
    device, years = most
    return f"{_amount(device, run.duration_s, years)}, worn in {life_text(years)}"


def wear_short(run: ArrayMeasures) -> str:
    """When the drive that is worn first is worn, in a few words."""
    most = most_worn(run)
    if most is None:
        return _unworn(run)
    return "hardly worn" if most[1] > _LONGEST_YEARS else f"worn in {life_text(most[1])}"


def yearly_usd(run: ArrayMeasures) -> float | None:
    """Energy and drives of a year; None where the price of a drive is not known. [USD/yr]"""
    capital = run.per_year.capital_usd_per_year
    return None if capital is None else run.per_year.energy_usd_per_year + capital


def _headline(run: ArrayMeasures) -> str:
    reason = withheld(run)
    if reason is not None:
        return f"**The array cannot keep up**: {reason}; percentiles are withheld."
    usd, sentences = yearly_usd(run), list(_within(run))
    sentences.append(f"The array draws {quantity(run.power_w, 'W')}; {wear_text(run)}.")
    if usd is not None:
        sentences.append(f"Drives and energy cost {quantity(usd, 'USD')} a year.")
    return " ".join(sentences)


def _within(run: ArrayMeasures) -> Iterator[str]:
    """Say in what time requests are answered; of reads apart where there are writes too."""
    whole = all_responses(run)
    if whole.p95_ms is None:
        return
    said = f"95% of requests are answered within **{ms_text(whole.p95_ms)}**"
    if whole.p99_ms is not None:
        said += f", 99% within **{ms_text(whole.p99_ms)}**"
        reads = next(row for row in run.responses if row.requests == "reads")
        if reads.p99_ms is not None and reads.requests_count < whole.requests_count:
            said += f" (of reads **{ms_text(reads.p99_ms)}**)"
    if run.rebuild_s is not None:
        said += f", while a disk is rebuilt in {span_text(run.rebuild_s)}"
    yield f"{said}."


def _notes(run: ArrayMeasures) -> Iterator[str]:
    if run.stopped_early:
        low, high = _mean_interval(run) or (0.0, 0.0)
        known = f"to ± {percent((high - low) / (high + low))}" if low + high > 0 else "well enough"
        count = f"{run.requests_count:,}"
        yield f"stopped early, after {count} requests: the mean is known {known}."
    for warning in run.warnings:
        # That an array cannot keep up is said in the headline.
        if warning in _WARNINGS:
            yield _WARNINGS[warning]


def _row(  # noqa: PLR0913 -- a row has this many facets
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


def _mean_interval(run: ArrayMeasures) -> tuple[float, float] | None:
    low, high = run.mean_interval_low_ms, run.mean_interval_high_ms
    return None if low is None or high is None else (low, high)


def _responses(run: ArrayMeasures) -> Iterator[ArrayFigure]:
    few = "Of fewer than 10,000 requests a tail percentile says little."
    yield _response(run, "mean_ms", "Mean response", few, _mean_interval(run))
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
    return most * _DAY_S / max(run.duration_s, 1e-9)


def _rows(run: ArrayMeasures) -> Iterator[ArrayFigure]:
    yield from _responses(run)
    passed = quantity(run.throughput_mb_per_s, "MB/s")
    yield _row("throughput", "Served", "1/s", run.throughput_per_s, False, note=passed)
    busy = max(device.utilization_fraction for device in run.devices)
    yield _row("busy", "Busiest drive", "fraction", busy, None, text=load_text(busy))
    yield _row("power", "Power", "W", run.power_w)
    yield _row("energy", "Energy of a year", "kWh", run.power_w * _HOURS_PER_YEAR / 1000)
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
    cache = None if run.cache is None else run.cache.hit_fraction
    yield _row("cache_hits", "Reads that the cache answers", "fraction", cache, False)
    copies = None if run.copies is None else run.copies.hit_fraction
    yield _row("copy_hits", "Reads that a copy in free space serves", "fraction", copies, False)
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
