"""What a forecast says."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.numbers import percent, significant
from capmodels.told import Axis, Figure, Series, Table, TableRow, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.demand.params import BackTest, ForecastParams

_POINTS_MOST = 300
_REPEATED = {"hour": "week", "day": "week", "month": "year", "quarter": "year"}


def headline(params: ForecastParams, growth: Sequence[float | None], change: float | None) -> str:
    """Growth a year with its range."""
    middle, low, high = growth
    if not any((middle, low, high, change)):
        is_constant = min(params.values) == max(params.values)
        return f"**The series {'does not change' if is_constant else 'neither grows nor falls'}.**"
    if middle is None or low is None or high is None:
        amount = "" if change is None else f" by {significant(abs(change))} a year"
        return f"**The series {'falls' if (change or 0) < 0 else 'grows'}{amount}.**"
    way = "grows" if middle >= 0 else "falls"
    sure = percent(params.interval_fraction)
    found = f"**The series {way} by {_share(abs(middle))} a year**"
    found += f" ({_share(low)} to {_share(high)}, {sure} sure)."
    return found if low > 0 or high < 0 else f"{found} It may as well stand still."


def _share(fraction: float) -> str:
    """Write three digits: a range of growth is often narrow."""
    return f"{significant(100 * fraction)}%"


def notes(
    params: ForecastParams, tried: BackTest | None, seasons: Sequence[str]
) -> tuple[str, ...]:
    """Which seasons were found, and how the forecast did on the last part of the series."""
    held = f"The {listed(seasons)}" if seasons else "No season"
    found = [
        f"{held} {'is' if len(seasons) < 2 else 'are'} told apart from the trend."
        if seasons
        else "The series is too short for a season; only its trend is carried on."
    ]
    if tried is None:
        return (*found, "The series is too short to try the forecast on its own last part.")
    size = tried.mean_error_fraction
    missed = significant(tried.mean_error) if size is None else percent(size)
    found.append(
        f"On its own last {tried.steps_count:,} {params.step}s the forecast is off by {missed} on "
        f"average, and {percent(tried.within_fraction)} of the values lie in its range."
    )
    naive = f"repeating the last {_REPEATED[params.step]}"
    if tried.naive_period_count == 1:
        naive = "repeating the last value"
    found.append(
        f"That is better than {naive}: {significant(tried.mean_error)} against "
        f"{significant(tried.naive_error)}."
        if tried.is_better
        else f"That is no better than {naive}: {significant(tried.mean_error)} against "
        f"{significant(tried.naive_error)}. Do not rely on it."
    )
    return tuple(found)


def tables(params: ForecastParams, tried: BackTest | None) -> tuple[Table, ...]:
    """The back-test: mean error of the forecast and of the one without a model."""
    if tried is None:
        return ()
    repeated = _REPEATED[params.step] if tried.naive_period_count > 1 else "value"
    return (
        Table(
            title=f"Tried on the last {tried.steps_count:,} {params.step}s",
            columns=("Forecast", "Mean error"),
            rows=(
                TableRow(
                    head="Trend and seasons",
                    cells=(significant(tried.mean_error),),
                    is_best=tried.is_better,
                ),
                TableRow(
                    head=f"The last {repeated} again",
                    cells=(significant(tried.naive_error),),
                    is_best=not tried.is_better,
                ),
            ),
        ),
    )


def _thinned(values: Sequence[float], first: int, width: int) -> tuple[list[float], list[float]]:
    """Places and means of so many values at a time."""
    groups = [values[at : at + width] for at in range(0, len(values), width)]
    places = [first + at * width + (len(group) - 1) / 2 for at, group in enumerate(groups)]
    return places, [math.fsum(group) / len(group) for group in groups]


def figures(
    params: ForecastParams, forecast: Sequence[float], low: Sequence[float], high: Sequence[float]
) -> tuple[Figure, ...]:
    """The last part of the series, and the forecast with its range."""
    past = params.values[-3 * len(forecast) :] if len(forecast) > 7 else params.values[-24:]
    width = math.ceil((len(past) + len(forecast)) / _POINTS_MOST)
    lines = (
        ("Series", past, 1 - len(past)),
        ("Forecast", forecast, 1),
        ("Low end", low, 1),
        ("High end", high, 1),
    )
    series = []
    for name, values, first in lines:
        places, means = _thinned(values, first, width)
        series.append(Series(name=name, at=tuple(places), values=tuple(means)))
    last = series[1].values[-1] or 0.0
    return (
        Figure(
            kind="lines",
            name="Forecast",
            title=f"After {len(forecast):,} {params.step}s: {significant(last)}",
            along=Axis(title="Value", unit=""),
            across=Axis(title=f"{params.step.capitalize()}s from the last value", unit=""),
            series=tuple(series),
            note=None if width == 1 else f"Each point is the mean of {width:,} {params.step}s.",
        ),
    )
