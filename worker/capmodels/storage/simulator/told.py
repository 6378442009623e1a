"""What a run of the array simulator says: headline, wear and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.numbers import months, percent, quantity, significant
from capmodels.units import SECONDS_PER_DAY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.storage.simulator.results import ArrayMeasures, DeviceUse, Responses

_DAYS_PER_YEAR = 365.0
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


def told(run: ArrayMeasures) -> Told:
    """Say what a run found."""
    return Told(
        headline=_headline(run),
        withheld=withheld(run),
        wear=wear_text(run),
        notes=tuple(_notes(run)),
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
    for unit, size in (("days", SECONDS_PER_DAY), ("hours", 3600.0), ("minutes", 60.0)):
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
    days = max(duration_s, 1e-9) / SECONDS_PER_DAY
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


def mean_interval_ms(run: ArrayMeasures) -> tuple[float, float] | None:
    """95% interval of the mean response; None where it is not known. [ms]"""
    low, high = run.mean_interval_low_ms, run.mean_interval_high_ms
    return None if low is None or high is None else (low, high)


def _notes(run: ArrayMeasures) -> Iterator[str]:
    if run.stopped_early:
        low, high = mean_interval_ms(run) or (0.0, 0.0)
        known = f"to ± {percent((high - low) / (high + low))}" if low + high > 0 else "well enough"
        count = f"{run.requests_count:,}"
        yield f"stopped early, after {count} requests: the mean is known {known}."
    for warning in run.warnings:
        # That an array cannot keep up is said in the headline.
        if warning in _WARNINGS:
            yield _WARNINGS[warning]
