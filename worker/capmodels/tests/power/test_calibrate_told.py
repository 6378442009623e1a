"""What a fitted power curve tells."""

from __future__ import annotations

from typing import Any

from capmodels.power.calibrate import Estimate, KindError, LoadBand
from capmodels.power.calibrate_told import power_told
from capmodels.power.curves import TwoSegmentsCurve

WARNING = "The load never passes 60%: full power is extrapolated from there."
FOUND: dict[str, Any] = {
    "curve": TwoSegmentsCurve(
        power_idle_w=54,
        power_max_w=243,
        knee_utilization_fraction=0.1,
        knee_range_fraction=0.13,
    ),
    "power_idle": Estimate(value_w=54, low_w=52, high_w=56),
    "power_max": Estimate(value_w=243, low_w=238, high_w=250),
    "median_error_fraction": 0.012,
    "root_mean_square_w": 3.0,
    "kinds": (
        KindError(kind="linear", root_mean_square_w=5.0, median_error_fraction=0.03),
        KindError(kind="two_segments", root_mean_square_w=3.0, median_error_fraction=0.012),
    ),
    "bands": (LoadBand(utilization_fraction=0.5, samples_count=40, measured_w=130, curve_w=128),),
    "samples_count": 1440,
    "warnings": (WARNING,),
}


def test_idle_and_full_power_are_said_with_how_sure_they_are_and_the_shape() -> None:
    told = power_told(FOUND, 0.9)
    headline = told["headline"].replace("\u00a0", " ")
    assert "**A machine draws 54.0 W when idle** (52.0 to 56.0 W in 90% of refits)" in headline
    assert "two segments that meet at 10% load, 13% of the way up" in headline
    assert "off by 1.2% in the median" in told["notes"][0]
    assert WARNING in told["notes"]
    assert [row.is_best for row in told["tables"][0].rows] == [False, True]


def test_the_chart_runs_from_idle_to_full_load_with_every_tenth_that_was_measured() -> None:
    (figure,) = power_told(FOUND, 0.9)["figures"]
    curve, measured, ends = figure.series
    assert curve.at == (0, 0.5, 1)
    assert (measured.at, measured.values) == ((0.5,), (130,))
    assert measured.names == ("50%, 40 samples",)
    assert ends.low == (52, 238)
