"""Loss of data and failure rates against chains, exact limits and textbook samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from capmodels import registry, spec
from capmodels.errors import ModelError, ParamsError
from capmodels.reliability.array_loss import failure_rate_per_h
from capmodels.reliability.fleet_rates import poisson_limits
from capmodels.reliability.loss_chain import Group, group_chain, mean_time_h, repair_rates

LOSS = registry.get_model("reliability.array_loss")
FLEET = registry.get_model("reliability.fleet_rates")
LIVES = registry.get_model("reliability.lifetimes")


@pytest.mark.decisive
def test_check_32_closed_form_of_raid5() -> None:
    rate, repair, disks = 1e-6, 1 / 24, 4
    closed = ((2 * disks - 1) * rate + repair) / (disks * (disks - 1) * rate**2)
    group = Group(disks, 1, rate, repair_rates(1, rebuild_h=24.0))
    ours = mean_time_h(group_chain(group))
    assert ours == pytest.approx(closed, rel=1e-12)
    assert ours / 8760 == pytest.approx(3.964e5, rel=0.001)


@pytest.mark.parametrize(
    ("afr", "raid5", "two", "three"),
    [
        (0.0088, 3.89e5, 2.34e6, 6.4e10),
        (0.017, 1.04e5, 6.21e5, 8.8e9),
        (0.03, 3.28e4, 1.97e5, 1.6e9),
        (0.086, 3.77e3, 2.26e4, 6.1e7),
    ],
)
def test_table_of_mttdl(afr: float, raid5: float, two: float, three: float) -> None:
    def years(layout: str, disks: int) -> float:
        document = {"layout": layout, "disks_count": disks, "afr_fraction": afr, "mttr_h": 24.0}
        return float(spec.evaluate(LOSS, document).mttdl_years)

    assert years("raid5", 4) == pytest.approx(raid5, rel=0.006)
    assert years("mirror", 2) == pytest.approx(two, rel=0.006)
    assert years("mirror", 3) == pytest.approx(three, rel=0.02)


def test_raid10_loses_as_often_as_its_pairs_together() -> None:
    pair = spec.evaluate(LOSS, {"layout": "mirror", "disks_count": 2}).mttdl_years
    eight = spec.evaluate(LOSS, {"layout": "raid10", "disks_count": 8}).mttdl_years
    assert eight == pytest.approx(pair / 4, rel=1e-3)


def test_no_redundancy_fails_with_its_first_disk() -> None:
    found = spec.evaluate(LOSS, {"layout": "raid0", "disks_count": 10, "afr_fraction": 0.03})
    assert found.mttdl_years == pytest.approx(1 / (10 * failure_rate_per_h(0.03) * 8760))
    assert found.loss_fraction == pytest.approx(1 - 0.97 ** (10 * 5))


def test_refuses_an_odd_raid10() -> None:
    with pytest.raises(ParamsError):
        spec.evaluate(LOSS, {"layout": "raid10", "disks_count": 5})


@pytest.mark.parametrize("count", [0, 1, 3, 10, 100, 499, 500, 20_000])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_limits_are_the_exact_ones(count: int, confidence: float) -> None:
    tail = (1 - confidence) / 2
    low = stats.chi2.ppf(tail, 2 * count) / 2 if count else 0.0
    high = stats.chi2.ppf(1 - tail, 2 * count + 2) / 2
    assert poisson_limits(count, confidence) == pytest.approx((low, high), rel=1e-5, abs=1e-9)


def test_rates_of_a_published_cohort() -> None:
    # WUH721816ALE6L4 in Backblaze's data: 102 failures in 11,616,742 drive days.
    cohort = {"name": "w", "drive_days_count": 11_616_742.0, "failures_count": 102}
    rate = spec.evaluate(FLEET, {"cohorts": [cohort]}).fleet
    assert rate.afr_per_year == pytest.approx(0.0032, abs=0.00005)
    assert rate.low_per_year < rate.afr_per_year < rate.high_per_year


def test_weibull_recovers_its_own_sample() -> None:
    ages = np.random.Generator(np.random.PCG64(1)).weibull(1.5, 3000) * 1000.0
    failed = ages < 1500.0
    document = {
        "durations_years": np.minimum(ages, 1500.0).tolist(),
        "failed": [bool(value) for value in failed],
    }
    found = spec.evaluate(LIVES, document)
    assert found.weibull_shape_ratio == pytest.approx(1.5, rel=0.05)
    assert found.weibull_scale_years == pytest.approx(1000.0, rel=0.05)
    assert found.weibull_shape_low_ratio < 1.5 < found.weibull_shape_high_ratio
    middle = next(point for point in found.curve if point.age_years >= 1000.0)
    assert middle.survival_fraction == pytest.approx(np.exp(-1), abs=0.03)
    law = np.exp(-((middle.age_years / found.weibull_scale_years) ** found.weibull_shape_ratio))
    assert middle.weibull_fraction == pytest.approx(law, rel=1e-12)


def test_counted_rows_equal_single_drives() -> None:
    single = {"durations_years": [10.0, 10.0, 20.0], "failed": [True, True, False]}
    counted = {"durations_years": [10.0, 20.0], "failed": [True, False], "drives_count": [2, 1]}
    one, other = (spec.evaluate(LIVES, document).curve for document in (single, counted))
    # The law is fitted by steps, which round otherwise.
    assert [point.model_copy(update={"weibull_fraction": 0.0}) for point in one] == [
        point.model_copy(update={"weibull_fraction": 0.0}) for point in other
    ]
    assert [point.weibull_fraction for point in one] == pytest.approx(
        [point.weibull_fraction for point in other], rel=1e-4
    )


def test_nothing_failed_means_no_fit() -> None:
    with pytest.raises(ModelError, match="No drive failed"):
        spec.evaluate(LIVES, {"durations_years": [1.0, 2.0], "failed": [False, False]})


def test_published_check_of_lifetimes() -> None:
    assert all(spec.run_check(LIVES, check)["ok"] for check in LIVES.checks)


def test_late_entry_is_the_product_of_those_at_risk() -> None:
    # At 2 years two are watched, at 4 years three, at 5 years two.
    document = {
        "durations_years": [2.0, 4.0, 5.0, 6.0, 4.5],
        "failed": [True, True, True, False, False],
        "entered_years": [0.5, 1.0, 3.0, 3.5, 4.2],
    }
    curve = spec.evaluate(LIVES, document).curve
    at = {point.age_years: point.survival_fraction for point in curve}
    assert at[2.0] == pytest.approx(1 / 2)
    assert at[4.0] == pytest.approx(1 / 2 * 2 / 3)
    assert at[5.0] == pytest.approx(1 / 2 * 2 / 3 * 1 / 2)


def test_without_their_entry_survivors_look_too_sturdy() -> None:
    rng = np.random.Generator(np.random.PCG64(2))
    ages, entered = rng.weibull(1.3, 20_000) * 4.0, rng.uniform(0.0, 3.0, 20_000)
    seen = ages > entered + 0.01
    last = np.minimum(ages, entered + 2.0)[seen]
    document = {"durations_years": last.tolist(), "failed": (ages < entered + 2.0)[seen].tolist()}
    known = spec.evaluate(LIVES, document | {"entered_years": entered[seen].tolist()})
    assert known.weibull_shape_ratio == pytest.approx(1.3, rel=0.05)
    assert known.weibull_scale_years == pytest.approx(4.0, rel=0.05)
    assert spec.evaluate(LIVES, document).weibull_shape_ratio > 1.5


def test_an_entry_after_the_end_is_refused() -> None:
    document = {"durations_years": [1.0, 2.0], "failed": [True, True], "entered_years": [0.0, 2.0]}
    with pytest.raises(ParamsError, match="comes in before"):
        spec.evaluate(LIVES, document)


def test_too_young_a_record_says_so() -> None:
    document = {
        "durations_years": [0.01, 1.0, 2.0], "failed": [True, False, False],
        "entered_years": [0.0, 0.5, 0.5],
    }  # fmt: skip
    with pytest.raises(ModelError, match="Add more days"):
        spec.evaluate(LIVES, document)
