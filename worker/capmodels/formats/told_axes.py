"""Axes of times and of powers of ten, and lines over time, for what a trace tells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from capmodels.numbers import duration, is_level, quantity
from capmodels.told import Axis, Figure, Series, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Values = Sequence[float | None]

_TICKS_MOST = 7
_FEW_DECADES = 1.5
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
# What a clock or a calendar is read in.
_STEPS_S = (
    *(0.1, 0.5, 1, 5, 10, 30, _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 30 * _MINUTE),
    *(_HOUR, 2 * _HOUR, 3 * _HOUR, 6 * _HOUR, 12 * _HOUR),
    *(_DAY, 2 * _DAY, 7 * _DAY, 14 * _DAY, 28 * _DAY, 91 * _DAY),
)
SHARE = Axis(title="Share", unit="fraction")


def most(*series: Values) -> float:
    """The largest value that is known; 0 where none is."""
    return max((value for values in series for value in values if value is not None), default=0.0)


def peak_hours(means: Values) -> list[int]:
    """The busiest hours of a day or week: those whose means are level, as they are written."""
    peak = most(means)
    return [at for at, mean in enumerate(means) if mean is not None and is_level(mean, peak)]


_ROWS_NAMED = 3


def peak_said(hours: Sequence[int], names: Sequence[str], whole: str = "day") -> str:
    """Say which hours are the busiest, each of those that are level; of a row its ends.

    >>> peak_said([9], HOURS), peak_said([9, 14], HOURS, "week")
    ('The busiest hour of the day is 09:00', 'The busiest hours of the week are 09:00 and 14:00')
    >>> peak_said([9, 10, 11, 20], HOURS), peak_said(range(24), HOURS)
    ('The busiest hours of the day are 09:00 to 11:00 and 20:00', 'All hours of the day are level')
    """
    if len(hours) == len(names):
        return f"All hours of the {whole} are level"
    rows: list[list[int]] = []
    for hour in hours:
        if rows and rows[-1][-1] == hour - 1:
            rows[-1].append(hour)
        else:
            rows.append([hour])
    said = [" to ".join(names[at] for at in dict.fromkeys((row[0], row[-1]))) for row in rows]
    if len(rows) > _ROWS_NAMED:
        said = [said[0], f"{len(hours) - len(rows[0])} others"]
    are = f"hour of the {whole} is" if len(hours) == 1 else f"hours of the {whole} are"
    return f"The busiest {are} {listed(said)}"


HOURS = tuple(f"{hour:02d}:00" for hour in range(24))


def mean(values: Values) -> float:
    """Mean of what is known; 0 where nothing is."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / max(len(known), 1)


def clock(seconds: float) -> Axis:
    """Time from the start, ticked at steps that a clock has."""
    step = next((one for one in _STEPS_S if one >= seconds / _TICKS_MOST), seconds)
    ticks = [at * step for at in range(int(seconds * 1.001 / step) + 1)]
    said = tuple(duration(at) if at else "0" for at in ticks)
    return Axis(title="Time from the start", unit="s", ticks=tuple(ticks), ticks_said=said)


def decades(title: str, unit: str, ends: Sequence[float], said: Callable[[float], str]) -> Axis:
    """An axis of powers of ten, each in its own words; twos and fives too where few."""
    first = math.floor(math.log10(ends[0]) + 1e-9)
    last = math.ceil(math.log10(ends[-1]) - 1e-9)
    step = max(1, math.ceil((last - first) / (_TICKS_MOST + 1)))
    each = (1, 2, 5) if math.log10(ends[-1] / ends[0]) < _FEW_DECADES else (1,)
    ticks = tuple(10.0**power * one for power in range(first, last + 1, step) for one in each)
    return Axis(
        title=title, unit=unit, is_log=True, ticks=ticks, ticks_said=tuple(map(said, ticks))
    )


def seconds_said(value_s: float) -> str:
    """A power of ten of seconds: 10 µs, 1 ms, 100 s."""
    for scale, unit in ((1e6, "µs"), (1e3, "ms")):
        if value_s < 0.9 / scale * 1e3:
            return f"{value_s * scale:.3g} {unit}"
    return f"{value_s:,.0f} s"


def of_steps(step_s: float, count: int) -> dict[str, Any]:
    """Where the values of so many steps stand, and what their times are called."""
    return {
        "at": tuple((at + 0.5) * step_s for at in range(count)),
        "names": tuple(duration(at * step_s) for at in range(count)),
    }


def over_time(name: str, title: str, along: Axis, step_s: float, values: Values) -> Figure:
    """One line over time."""
    line = Series(name=along.title, values=tuple(values), **of_steps(step_s, len(values)))
    across = clock(len(values) * step_s)
    return Figure(kind="lines", name=name, title=title, along=along, across=across, series=(line,))


def time_said(value_s: float) -> str:
    """A short time with its own unit: 610 µs, 6.3 ms, 1.05 s."""
    return quantity(value_s, "s") if value_s > 0 else "0 s"
