"""Where a series is going: trend and seasons with a range, tried on its own last part."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from capmodels.demand.params import BackTest, ForecastParams, ForecastResult
from capmodels.demand.traced import with_values
from capmodels.demand.words import figures, headline, notes, tables
from capmodels.seasons import YEAR_STEPS, Step, seasons_of
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.regression import Array, Fit

_BOOK = "Hyndman and Athanasopoulos 2021"


# What a forecast without any model repeats: a week, or a year of months.
_REPEATED: dict[Step, int] = {"hour": 168, "day": 7, "month": 12, "quarter": 4}


def _fit(values: Sequence[float], params: ForecastParams) -> Fit:
    import numpy as np

    from capmodels.regression import fitted

    series = np.asarray(values, dtype=np.float64)
    if params.trend == "share":
        series = np.log(series)
    seasons = seasons_of(params.step, len(values))
    return fitted(series, seasons, is_correlated=params.errors == "correlated")


def _ranged(fit: Fit, steps: int, params: ForecastParams) -> tuple[Array, Array, Array]:
    """Forecast and the ends of its range."""
    import numpy as np

    from capmodels.regression import quantile

    mean, deviation = fit.ahead(steps)
    wide = quantile(params.interval_fraction, fit.freedom) * deviation
    ends = (mean, mean - wide, mean + wide)
    middle, low, high = (np.exp(each) if params.trend == "share" else each for each in ends)
    return middle, low, high


def _growth(fit: Fit, params: ForecastParams) -> tuple[list[float | None], float | None]:
    """Growth a year as a share with its range, and as an amount where it is one.

    Of a trend by an amount, the share is that of the level at the end of the series.
    """
    year = YEAR_STEPS[params.step]
    slope, wide = fit.slope, fit.slope_off(params.interval_fraction)
    size = 1.0 if params.trend == "share" else max(map(abs, params.values))
    least = fit.least_slope(size)
    slope, wide = (0.0 if abs(each) <= least else each for each in (slope, wide))
    slopes = [each * year for each in (slope, slope - wide, slope + wide)]
    if params.trend == "share":
        return [math.expm1(each) for each in slopes], None
    level = fit.trend(fit.count - 1)
    if level <= 0:
        return [None] * 3, slopes[0]
    return [each / level for each in slopes], slopes[0]


def _back_test(params: ForecastParams) -> BackTest | None:
    """Forecast the last fifth, or as much as is asked for, from what was before it."""
    import numpy as np

    count = len(params.values)
    steps = min(params.ahead_count, count // 5)
    before = params.values[: count - steps]
    fit = _fit(before, params)
    if steps < 1 or fit.freedom < 1:
        return None
    actual = np.asarray(params.values[count - steps :])
    forecast, low, high = _ranged(fit, steps, params)
    period = _REPEATED[params.step]
    period = period if len(before) >= period else 1
    naive = np.asarray([before[len(before) - period + at % period] for at in range(steps)])
    error, naive_error = (float(np.abs(actual - each).mean()) for each in (forecast, naive))
    size = float(np.abs(actual).mean())
    return BackTest(
        steps_count=steps,
        mean_error=error,
        mean_error_fraction=error / size if size > 0 else None,
        naive_error=naive_error,
        naive_period_count=period,
        is_better=error < naive_error,
        within_fraction=float(((actual >= low) & (actual <= high)).mean()),
    )


def _run(params: ForecastParams, context: Context) -> ForecastResult:
    params = with_values(params)
    tried = _back_test(params)
    context.report(0.5, "Forecasting")
    fit = _fit(params.values, params)
    forecast, low, high = (each.tolist() for each in _ranged(fit, params.ahead_count, params))
    growth, change = _growth(fit, params)
    seasons = tuple(one.name for one in seasons_of(params.step, len(params.values)))
    return ForecastResult(
        headline=headline(params, growth, change),
        notes=notes(params, tried, seasons),
        tables=tables(params, tried),
        figures=figures(params, forecast, low, high),
        forecast=tuple(forecast),
        range_low=tuple(low),
        range_high=tuple(high),
        growth_fraction_per_year=growth[0],
        growth_low_fraction_per_year=growth[1],
        growth_high_fraction_per_year=growth[2],
        change_per_year=change,
        seasons=seasons,
        correlation_ratio=fit.rho,
        back_test=tried,
    )


# What sets each month of the example apart from its trend and its year. [%]
_IRREGULAR = (
    *(0.9, -2.1, 1.4, 3.0, -0.6, -2.8, 1.9, 0.3, -1.5, 2.2, -3.1, 0.7),
    *(-1.2, 2.6, -0.4, 1.1, -2.3, 0.5, 3.2, -1.8, -0.9, 1.7, -2.5, 1.3),
)


def _start() -> dict[str, Any]:
    rounded = [
        round(
            1000 * 1.2 ** (at / 12) * (1 + 0.05 * math.cos(math.pi * at / 6)) * (1 + off / 100), 1
        )
        for at, off in enumerate(_IRREGULAR)
    ]
    return {"step": "month", "values": rounded, "ahead_count": 12, "trend": "share"}


def _beer() -> dict[str, Any]:
    return {"errors": "independent"}


def _beer_change_per_year() -> float:
    change = _run(ForecastParams.model_validate(_beer()), Context()).change_per_year
    return math.nan if change is None else change


SPEC = ModelSpec(
    id="demand.forecast",
    version="1.1.2",
    title="Forecast of a series",
    summary="Trend, week and year of an hourly, daily, monthly or quarterly series, carried on "
    "with a range; tried on the series' own last part; growth a year for a study.",
    params=ForecastParams,
    start=_start,
    start_source="an example: 24 months of a bill that rises by a fifth a year, busier in winter",
    result=ForecastResult,
    run=_run,
    points=lambda params: len(params.values) + params.ahead_count,
    instant=False,
    quick_limit=80_000,
    citations=(
        Citation(
            text="R. J. Hyndman, G. Athanasopoulos, Forecasting: Principles and Practice, 3rd "
            "edition, 2021",
            url="https://otexts.com/fpp3/",
            section="5.8, 7.4, 10.5",
        ),
        Citation(
            text="S. J. Prais, C. B. Winsten, Trend Estimators and Serial Correlation, Cowles "
            "Commission 1954",
        ),
    ),
    formulas=(
        Formula(
            "series",
            "y(t) = a + b t + sum of c cos(2 pi k t / s) + d sin(2 pi k t / s) + e(t)",
            f"{_BOOK}, sections 7.4 and 10.5",
            {"s": "steps of a season", "y": "values, or their logarithms"},
        ),
        Formula("error", "e(t) = rho e(t - 1) + u(t)", "Prais and Winsten 1954"),
        Formula(
            "range",
            "variance(h) = sigma^2 (1 - rho^(2 h)) / (1 - rho^2) + z' C z, with "
            "z = x(n + h) - rho^h x(n)",
            "A. S. Goldberger, Best Linear Unbiased Prediction, JASA 57 (1962)",
        ),
    ),
    checks=(
        Check(
            "FC1",
            "Trend of Australia's beer production since 1992 by least squares, a quarter",
            -0.34027,
            lambda: _beer_change_per_year() / 4,
            source=f"{_BOOK}, section 7.4: -0.34027 megalitres a quarter",
            printed="-0.34027",
            tolerance=0.000005,
            unit="1/quarter",
            params=_beer,
            kind="predicted",
            tests="demand.params.ForecastParams.values",
        ),
    ),
    limits=(
        "What trend and seasons do not hold, holidays, steps and causes, is not foreseen.",
        "The range takes what was missed so far for all that can be missed; a change of trend "
        "is outside of it.",
        "Of a trace, all machines count alike, and only hours or days that it has whole; a gap in "
        "it holds the sample before.",
        "Values stand at equal steps without gaps; months count alike.",
        "Of growth by a share, the forecast is the middle outcome, not the mean.",
    ),
)
