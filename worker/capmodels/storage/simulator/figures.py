"""What runs of arrays are drawn as: responses, energy, power over time, states, load curves.

Of one run or of several side by side. Each has the numbers behind it as a table.
"""

from __future__ import annotations

from bisect import bisect_left
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.numbers import percent, quantity
from capmodels.storage.simulator.results import PERCENTILES, ArrayMeasures, DeviceUse
from capmodels.storage.simulator.told import all_responses, ms_text, wear_short, wear_text, withheld
from capmodels.told import Axis, Column, Figure, Series

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from capmodels.storage.simulator.series import CurvePoint

# From working to deep asleep, then what changing between them takes, then the cache.
STATES = {
    "active": ("Serving", "serving requests"),
    "seek": ("Seeking", "seeking"),
    "idle": ("Idle", "idle"),
    "low_power_idle": ("Low-power idle", "in low-power idle"),
    "standby": ("Standby", "in standby"),
    "transition": ("Between states", "going between states"),
}
CAUSES = STATES | {"solid_state_cache": ("SSD cache", "in the cache")}
RESPONSES = "Response times"
ENERGY = "Energy by cause"
POWER = "Power over time"
IN_STATE = "Time in each state"
CURVE = "Throughput against response"
_MARKED = ("p50_ms", "p95_ms", "p99_ms")
_SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999)
# A run is told in the largest unit of which there are at least two, of minutes four.
_TIME_UNITS = ((172_800.0, "days", 86_400.0), (7200.0, "hours", 3600.0), (240.0, "minutes", 60.0))
# Field, label and unit of what the columns of a figure's table have.
Measure = tuple[str, str, str]
_OF_A_DRIVE: tuple[Measure, ...] = (
    ("spin_ups_count", "Wakes from standby", "count"),
    ("low_power_wakes_count", "Wakes from low-power idle", "count"),
    ("max_queue_count", "Longest queue", "count"),
    ("power_w", "Mean power", "W"),
    ("reads_count", "Reads", "count"),
    ("writes_count", "Writes", "count"),
)
_OF_A_POINT: tuple[Measure, ...] = (
    ("throughput_per_s", "Throughput", "1/s"),
    ("mean_ms", "Mean response", "ms"),
    ("p95_ms", "p95", "ms"),
    ("p99_ms", "p99", "ms"),
    ("power_w", "Power", "W"),
)
# Loads that lie further apart than this are told on a logarithmic axis.
_WIDE = 200.0


class Shown(NamedTuple):
    """A run as it is told: its letter (none of a run alone), its title, what it found."""

    letter: str
    title: str
    run: ArrayMeasures

    @property
    def name(self) -> str:
        """What it is called beside others."""
        return ", ".join(part for part in (self.letter, self.title) if part) or "The array"

    @property
    def short(self) -> str:
        """What a sentence calls it."""
        return self.letter or "The array"


def figures(rows: Sequence[Shown]) -> tuple[Figure, ...]:
    """Everything that runs are drawn as, as far as they have it."""
    made = (responses(rows), energy(rows), in_states(rows), load_curve(rows))
    return tuple(figure for figure in made if figure is not None)


def _curve_of(run: ArrayMeasures) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Points of the distribution, and the tail's percentiles past the last of them. [ms, 1]"""
    whole, shares = all_responses(run), run.cdf_fraction
    past = [
        (at, share)
        for share, at in ((0.999, whole.p999_ms), (1.0, whole.max_ms))
        if at is not None and share > shares[-1]
    ]
    return (
        (*run.cdf_response_ms, *(at for at, _ in past)),
        (*shares, *(share for _, share in past)),
    )


def _within(run: ArrayMeasures, share: float) -> float | None:
    """The response within which a share of the requests was answered. [ms]"""
    known = {fraction: name for name, fraction, _ in PERCENTILES}
    if share in known:
        value: float | None = getattr(all_responses(run), known[share])
        return value
    shares, times = run.cdf_fraction, run.cdf_response_ms
    place = bisect_left(shares, share)
    if place == len(shares):
        return None
    if place == 0:
        return times[0]
    part = (share - shares[place - 1]) / (shares[place] - shares[place - 1])
    return times[place - 1] + part * (times[place] - times[place - 1])


def _marked(run: ArrayMeasures, times: Sequence[float]) -> tuple[str, ...]:
    """Names of the points nearest to the percentiles that are marked."""
    names = [""] * len(times)
    for name, _, label in PERCENTILES:
        at: float | None = getattr(all_responses(run), name)
        if name in _MARKED and at is not None:
            place = min(range(len(times)), key=lambda point: abs(times[point] - at))
            names[place] = f"{label}: {ms_text(at)}"
    return tuple(names)


def responses(rows: Sequence[Shown]) -> Figure | None:
    """Distribution of response times, a curve for each run."""
    drawn = [row for row in rows if row.run.cdf_response_ms]
    if not drawn:
        return None
    known = [(at, row) for row in drawn if (at := all_responses(row.run).p95_ms) is not None]
    within = [
        f"{row.letter} within {ms_text(at)}".strip() for at, row in sorted(known, key=itemgetter(0))
    ]
    by = "by " if rows[0].letter else ""
    off = [f"{row.short}: {why}" for row in rows if (why := withheld(row.run)) is not None]
    series = []
    for row in drawn:
        times, shares = _curve_of(row.run)
        names = _marked(row.run, times)
        series.append(Series(name=row.name, role=row.letter, at=times, values=shares, names=names))
    return Figure(
        kind="lines",
        name=RESPONSES,
        title=f"95% of requests are answered {by}{', '.join(within[:3])}"
        if within
        else "No array keeps up with the load",
        along=Axis(title="Share of requests", unit="fraction"),
        across=Axis(title="Response time", unit="ms", is_log=True),
        series=tuple(series),
        note="; ".join(off) or None,
        twin=(
            _column("Share of requests", "fraction", _SHARES),
            *(
                _column(row.name, "ms", (_within(row.run, share) for share in _SHARES))
                for row in drawn
            ),
        ),
    )


def _column(label: str, unit: str, values: Iterable[str | float | None]) -> Column:
    return Column(label=label, unit=unit, values=tuple(values))


def _columns(series: Iterable[Series], unit: str) -> Iterator[Column]:
    """The values of each series as a column."""
    return (_column(one.name, unit, one.values) for one in series)


def _measured(measures: Iterable[Measure], things: Sequence[Any]) -> Iterator[Column]:
    """What each thing has of each measure, as columns."""
    for name, label, unit in measures:
        yield _column(label, unit, (getattr(thing, name) for thing in things))


def _cause_w(run: ArrayMeasures, cause: str) -> float:
    """Mean power that goes to one cause. [W]"""
    joules = next((one.energy_j for one in run.energy_by_cause if one.cause == cause), 0.0)
    return joules / run.duration_s if run.duration_s > 0 else 0.0


def _series(
    causes: Sequence[str], count: int, value: Callable[[int, str], float]
) -> tuple[Series, ...]:
    """A series for each cause that any row has something of."""
    made = (
        Series(
            name=CAUSES[cause][0],
            role=cause,
            values=tuple(value(at, cause) for at in range(count)),
        )
        for cause in causes
    )
    return tuple(one for one in made if any(one.values))


def energy(rows: Sequence[Shown]) -> Figure:
    """Mean power by cause, a bar for each run."""
    most = max(rows, key=lambda row: row.run.power_w)
    cause = max(CAUSES, key=lambda cause: _cause_w(most.run, cause))
    share = percent(_cause_w(most.run, cause) / (most.run.power_w or 1))
    series = _series(tuple(CAUSES), len(rows), lambda at, cause: _cause_w(rows[at].run, cause))
    return Figure(
        kind="stacked",
        name=ENERGY,
        title=f"{most.short} spends {share} of its energy {CAUSES[cause][1]}",
        along=Axis(title="Mean power", unit="W"),
        rows=tuple(row.name for row in rows),
        row_notes=tuple(f"{quantity(row.run.power_w, 'W')}, {wear_short(row.run)}" for row in rows),
        series=series,
        twin=(
            _column("Cause", "", (*(one.name for one in series), "All")),
            *(
                _column(row.name, "W", (*(one.values[at] for one in series), row.run.power_w))
                for at, row in enumerate(rows)
            ),
        ),
    )


def _time_unit(seconds: float) -> tuple[str, float]:
    return next(((unit, size) for least, unit, size in _TIME_UNITS if seconds > least), ("s", 1.0))


def power(row: Shown) -> Figure | None:
    """Power of one run over time, stacked by what its drives were doing."""
    pieces = row.run.power_over_time
    if not pieces:
        return None
    unit, size = _time_unit(pieces[-1].end_s)
    watts = [piece.power_w for piece in pieces]
    spread = f"{quantity(min(watts), 'W')} to {quantity(max(watts), 'W')}"
    order = ("standby", "low_power_idle", "idle", "seek", "active", "transition")
    series = _series(order, len(pieces), lambda at, state: getattr(pieces[at], f"{state}_w"))
    starts = (*(piece.start_s / size for piece in pieces), pieces[-1].end_s / size)
    return Figure(
        kind="steps",
        name=POWER,
        title=f"{row.short} draws {quantity(row.run.power_w, 'W')} on average, {spread}; "
        f"{wear_text(row.run)}",
        along=Axis(title="Power", unit="W"),
        across=Axis(title="Time", unit=unit),
        series=tuple(one.model_copy(update={"at": starts}) for one in series),
        twin=(
            *_measured((("start_s", "From", "s"), ("end_s", "To", "s")), pieces),
            _column(f"{row.name}: power", "W", watts),
            *_columns(series, "W"),
        ),
    )


def _share(device: DeviceUse, state: str) -> float:
    return next((use.time_fraction for use in device.states if use.state == state), 0.0)


def in_states(rows: Sequence[Shown]) -> Figure:
    """Share of the time that each drive spent in each state."""
    drives = [(row, device) for row in rows for device in row.run.devices]
    count = len(drives)
    asleep = sum(
        _share(device, "standby") + _share(device, "low_power_idle") > 0.5 for _, device in drives
    )
    sleep = "sleeps" if asleep == 1 else "sleep"
    series = _series(tuple(STATES), count, lambda at, state: _share(drives[at][1], state))
    return Figure(
        kind="stacked",
        name=IN_STATE,
        title=f"{asleep} of {count} drives {sleep} for most of the time"
        if asleep
        else "No drive sleeps for most of the time",
        along=Axis(title="Share of the time", unit="fraction"),
        rows=tuple(f"{row.letter}  {device.name}".strip() for row, device in drives),
        series=series,
        twin=(
            _column("Drive", "", (f"{row.name}: {device.name}" for row, device in drives)),
            *_columns(series, "fraction"),
            *_measured(_OF_A_DRIVE, [device for _, device in drives]),
        ),
    )


def _answered(row: Shown) -> list[CurvePoint]:
    return [point for point in row.run.curve if point.mean_ms is not None]


def _most_per_s(row: Shown) -> float:
    """The largest load that a run still answered, of those tried. [1/s]"""
    return max(point.throughput_per_s for point in _answered(row))


def _load_lines(row: Shown) -> Iterator[Series]:
    points = _answered(row)
    for word, name in (("mean", "mean_ms"), ("p95", "p95_ms")):
        known = [point for point in points if getattr(point, name) is not None]
        if known:
            yield Series(
                name=row.name if word == "mean" else f"{row.short}, {word}",
                role=row.letter,
                at=tuple(point.throughput_per_s for point in known),
                values=tuple(getattr(point, name) for point in known),
            )


def load_curve(rows: Sequence[Shown]) -> Figure | None:
    """Mean response against throughput, a curve for each run: how much each bears."""
    drawn = [row for row in rows if _answered(row)]
    if not drawn:
        return None
    best = max(drawn, key=_most_per_s)
    points = [(row, point) for row in drawn for point in _answered(row)]
    rates = [point.throughput_per_s for _, point in points]
    bears = "bears most:" if len(drawn) > 1 else "bears up to"
    return Figure(
        kind="lines",
        name=CURVE,
        title=f"{best.short} {bears} {quantity(_most_per_s(best), '1/s')}",
        along=Axis(title="Response", unit="ms", is_log=True),
        across=Axis(
            title="Requests per second",
            unit="",
            is_log=max(rates) > _WIDE * max(min(rates), 1e-9),
        ),
        series=tuple(line for row in drawn for line in _load_lines(row)),
        twin=(
            _column("Array", "", (row.name for row, _ in points)),
            *_measured(_OF_A_POINT, [point for _, point in points]),
        ),
    )
