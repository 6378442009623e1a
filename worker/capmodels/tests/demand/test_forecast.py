"""A forecast against dense generalised least squares, series made by hand, and its own words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.errors import ParamsError
from capmodels.formats.trace_store import held, using
from capmodels.formats.trace_types import UtilizationTrace
from capmodels.regression import fitted, terms
from capmodels.seasons import Season
from capmodels.tests.asking import ask, faults


def wave(count: int, period: int, size: float) -> list[float]:
    return [size * math.sin(2 * math.pi * at / period) for at in range(count)]


def correlated(seed: int, count: int, rho: float) -> np.ndarray:
    """An error that remembers its last value."""
    rng = np.random.default_rng(seed)
    values = [rng.normal() / math.sqrt(1 - rho**2)]
    for _ in range(count - 1):
        values.append(rho * values[-1] + rng.normal())
    return np.array(values)


@pytest.mark.decisive
def test_the_forecast_is_the_best_linear_one_of_dense_generalised_least_squares() -> None:
    seasons = (Season(12, 6),)
    series = 50 + 0.3 * np.arange(60) + np.array(wave(60, 12, 5.0)) + correlated(4, 60, 0.6)
    fit = fitted(series, seasons, is_correlated=True)
    past, ahead = terms(np.arange(60), seasons), terms(np.arange(60, 70), seasons)
    apart = np.abs(np.subtract.outer(np.arange(70), np.arange(70)))
    whole = fit.sigma**2 / (1 - fit.rho**2) * fit.rho**apart
    inverse, across = np.linalg.inv(whole[:60, :60]), whole[60:, :60]
    spread = np.linalg.inv(past.T @ inverse @ past)
    line = spread @ past.T @ inverse @ series
    mean = ahead @ line + across @ inverse @ (series - past @ line)
    off = ahead - across @ inverse @ past
    variance = np.diag(whole[60:, 60:] - across @ inverse @ across.T + off @ spread @ off.T)
    ours, deviation = fit.ahead(10)
    assert fit.coefficients == pytest.approx(line, rel=1e-6, abs=1e-6)
    assert ours == pytest.approx(mean, rel=1e-6)
    assert deviation == pytest.approx(np.sqrt(variance), rel=1e-6)


@pytest.mark.parametrize("errors", ["correlated", "independent"])
def test_a_series_without_chance_is_carried_on_exactly(errors: str) -> None:
    whole = [200 + 2 * at + up for at, up in enumerate(wave(72, 12, 30.0))]
    result = ask("demand.forecast", step="month", values=whole[:60], ahead_count=12, errors=errors)
    assert result.forecast == pytest.approx(whole[60:], rel=1e-6)
    assert result.change_per_year == pytest.approx(24, rel=1e-6)
    assert result.growth_fraction_per_year == pytest.approx(24 / (200 + 2 * 59), rel=1e-6)
    assert result.seasons == ("year",)
    assert result.back_test.is_better


def test_growth_by_a_share_is_that_of_the_series() -> None:
    values = [3e-3 * 1.02**at for at in range(48)]
    result = ask("demand.forecast", step="month", values=values, trend="share")
    assert result.growth_fraction_per_year == pytest.approx(1.02**12 - 1, rel=1e-6)
    assert result.change_per_year is None
    assert result.forecast[-1] == pytest.approx(3e-3 * 1.02**55, rel=1e-6)


def test_ranges_hold_as_many_outcomes_as_they_say() -> None:
    held, growths = 0.0, 0
    for seed in range(60):
        whole = (100 + 0.2 * np.arange(110) + 3 * correlated(seed, 110, 0.5)).tolist()
        result = ask("demand.forecast", step="day", values=whole[:100], ahead_count=10)
        ends = zip(result.range_low, whole[100:], result.range_high, strict=True)
        held += sum(low <= value <= high for low, value, high in ends)
        level = 100 + 0.2 * 99
        low, high = result.growth_low_fraction_per_year, result.growth_high_fraction_per_year
        growths += low <= 0.2 * 365.25 / level <= high
    assert 0.85 < held / 600 < 0.95
    assert growths / 60 > 0.8


def test_hours_know_the_hours_of_the_week_and_beat_its_repetition() -> None:
    hours = np.arange(2_016)
    load = 100 + 20 * np.sin(hours * math.pi / 12) + 8.0 * (hours // 24 % 7 < 5)
    load = load + 0.01 * hours + correlated(1, len(hours), 0.8)
    result = ask("demand.forecast", step="hour", values=load.tolist(), ahead_count=336)
    assert result.seasons == ("week",)
    assert result.back_test.is_better
    assert (result.back_test.steps_count, result.back_test.naive_period_count) == (336, 168)
    assert result.correlation_ratio == pytest.approx(0.8, abs=0.05)
    assert max(len(series.values) for series in result.figures[0].series) <= 300


def test_days_know_the_week_and_the_year() -> None:
    days = np.arange(1_000)
    load = 500 + 40 * np.cos(days * 2 * math.pi / 365.25) + 9.0 * (days % 7 < 5)
    load = load + 0.1 * days + correlated(2, len(days), 0.5)
    result = ask("demand.forecast", step="day", values=load.tolist(), ahead_count=200)
    assert result.seasons == ("week", "year")
    assert result.notes[0] == "The week and year are told apart from the trend."
    assert result.change_per_year == pytest.approx(36.5, rel=0.05)
    assert result.back_test.is_better


def test_a_forecast_that_is_no_better_than_repetition_says_so() -> None:
    weeks = [1.0, 5.0, 2.0, 8.0, 9.0, 3.0, 4.0] * 10
    jump = [*weeks[:40], *(value + 50 for value in weeks[40:])]
    result = ask("demand.forecast", step="day", values=jump, ahead_count=7)
    assert result.back_test.naive_error == 0
    assert not result.back_test.is_better
    assert "no better than repeating the last week" in result.notes[-1]


def test_short_and_constant_series_are_answered() -> None:
    result = ask("demand.forecast", step="hour", values=[5.0] * 8)
    assert result.forecast == pytest.approx([5.0] * 8)
    assert result.growth_fraction_per_year == pytest.approx(0, abs=1e-9)
    assert (result.seasons, result.back_test.steps_count) == ((), 1)
    falling = ask("demand.forecast", step="day", values=[-float(at) for at in range(20)])
    assert falling.growth_fraction_per_year is None
    assert falling.change_per_year == pytest.approx(-365.25)
    assert falling.headline == "**The series falls by 365 a year.**"


@pytest.mark.parametrize("trend", ["amount", "share"])
@pytest.mark.parametrize("step", ["hour", "day", "month", "quarter"])
@pytest.mark.parametrize("value", [1e-6, 0.1, 1 / 3, 12_345.67, 7e11])
@pytest.mark.parametrize("count", [8, 31, 300])
def test_a_constant_series_does_not_change(count: int, value: float, step: str, trend: str) -> None:
    result = ask("demand.forecast", step=step, values=[value] * count, trend=trend)
    assert result.headline == "**The series does not change.**"
    assert result.growth_fraction_per_year == 0
    assert result.growth_low_fraction_per_year == result.growth_high_fraction_per_year == 0
    assert result.forecast == pytest.approx([value] * len(result.forecast), rel=1e-9)


def test_a_series_that_repeats_itself_neither_grows_nor_falls() -> None:
    week = [3.0, 5.0, 2.0, 8.0, 9.0, 3.0, 4.0]
    result = ask("demand.forecast", step="day", values=week * 8)
    assert result.headline == "**The series neither grows nor falls.**"
    nothing = ask("demand.forecast", step="day", values=[0.0] * 20)
    assert nothing.headline == "**The series does not change.**"


@pytest.mark.parametrize("share", [1e-9, -1e-7])
def test_the_least_trend_that_is_one_is_told(share: float) -> None:
    values = [5.0 * (1 + share * at) for at in range(48)]
    result = ask("demand.forecast", step="month", values=values)
    assert result.growth_fraction_per_year == pytest.approx(12 * share, rel=1e-3)
    assert ("grows" if share > 0 else "falls") in result.headline


def test_what_is_no_series_is_refused() -> None:
    assert faults("demand.forecast", {"values": [1.0] * 7, "ahead_count": 0}) == {
        "/values": "too_short",
        "/ahead_count": "out_of_range",
    }
    assert faults("demand.forecast", {"values": [1.0] * 8 + [0.0], "trend": "share"}) == {
        "/trend": "not_positive"
    }
    assert faults("demand.forecast", {"values": [*[1.0] * 8, None]}) == {"/values/8": "wrong_type"}


TRACE = "00000000-0000-4000-8000-000000000009"
MONDAY_S = 1_762_128_000.0


def of_trace(shares: np.ndarray, step_s: float, start_s: float, **params: object) -> Any:
    """Ask for a forecast of a trace."""
    loader, refs = held({TRACE: UtilizationTrace(step_s, ("a", "b"), shares, start_s=start_s)})
    with using(loader):
        return ask("demand.forecast", trace=refs[TRACE].model_dump(), **params)


@pytest.mark.parametrize(("step", "seconds"), [("hour", 3600.0), ("day", 86_400.0)])
def test_a_trace_is_forecast_by_the_whole_hours_and_days_that_it_has(
    step: str, seconds: float
) -> None:
    start_s, steps = MONDAY_S + 1_500.0, 21 * 288
    shares = np.random.default_rng(5).uniform(0.1, 0.7, (2, steps)).astype(np.float32)
    found = of_trace(shares, 300.0, start_s, step=step, ahead_count=3)
    sums: dict[int, list[float]] = {}
    for at in range(steps):
        place = int((start_s + 300.0 * (at + 0.5)) // seconds)
        sums.setdefault(place, []).append(float(shares[:, at].astype(float).mean()))
    values = [sum(one) / len(one) for one in sums.values() if len(one) == seconds / 300.0]
    assert len(values) == len(sums) - 2
    plain = ask("demand.forecast", values=values, step=step, ahead_count=3)
    assert found.forecast == pytest.approx(plain.forecast, rel=1e-9)
    assert found.headline == plain.headline


def test_a_trace_that_cannot_be_forecast_says_what_would_do() -> None:
    short, rest = np.full((2, 100), 0.3, np.float32), np.zeros((2, 4000), np.float32)
    for shares, asked, code in (
        (short, {"step": "day"}, "too_short"),
        (rest, {"step": "hour", "trend": "share"}, "not_positive"),
    ):
        with pytest.raises(ParamsError) as told:
            of_trace(shares, 300.0, MONDAY_S, **asked)
        assert [fault.code for fault in told.value.faults] == [code]
    with pytest.raises(ParamsError) as told:
        of_trace(rest, 7200.0, MONDAY_S, step="hour")
    assert [fault.pointer for fault in told.value.faults] == ["/step"]
    with pytest.raises(ParamsError):
        of_trace(rest, 300.0, MONDAY_S, step="month")
