"""The kernel gives what the scalar path gives."""

from __future__ import annotations

import math

import numpy as np
import pytest

from capmodels.cost.owned_vs_cloud import compare
from capmodels.cost.owned_vs_cloud_kernel import Answers, Points, compare_points
from capmodels.cost.owned_vs_cloud_params import OwnedVsCloudParams, OwnedVsCloudResult

SEED = 2008
TOTALS = Answers._fields[:4]


def random_points(count: int) -> Points:
    """Points over the model's range; every tenth has no growth, every seventh no discount."""
    rng = np.random.default_rng(SEED)
    growth = rng.uniform(-0.5, 1.0, count)
    discount = rng.uniform(0.0, 0.3, count)
    growth[::10] = 0.0
    discount[::7] = 0.0
    growth[5::70] = discount[5::70]
    once = rng.uniform(0.0, 1e4, count)
    once[3::50] = 1e6
    return Points(
        capex_usd=rng.uniform(0.0, 5e5, count),
        own_usd_per_year=rng.uniform(1e3, 3e5, count),
        compute_full_usd_per_year=rng.uniform(1e4, 1e6, count),
        utilization_fraction=rng.uniform(0.0, 1.0, count),
        other_usd_per_year=rng.uniform(0.0, 1e5, count),
        once_usd=once,
        growth_fraction_per_year=growth,
        discount_fraction_per_year=discount,
        horizon_years=rng.uniform(0.1, 20.0, count),
    )


def scalar_answer(points: Points, row: int) -> OwnedVsCloudResult:
    values = {name: float(column[row]) for name, column in points._asdict().items()}
    group = {
        "nodes_count": 1,
        "equivalence": "explicit",
        "instances_count": 1.0,
        "instance": {"price_usd_per_h": values["compute_full_usd_per_year"] / 8760},
        "utilization_fraction": values["utilization_fraction"],
    }
    document = {
        "capex_usd": values["capex_usd"],
        "power_w": 0.0,
        "facility_usd_per_year": 0.0,
        "staff_usd_per_year": values["own_usd_per_year"],
        "groups": [group],
        "storage_tb": 1.0,
        "storage_usd_per_gb_month": values["other_usd_per_year"] / 12_000,
        "transfer": {
            "in_tb": 1.0,
            "in_usd_per_gb": values["once_usd"] / 1000,
            "out_tb": 0.0,
        },
        "growth_fraction_per_year": values["growth_fraction_per_year"],
        "discount_fraction_per_year": values["discount_fraction_per_year"],
        "horizon_years": values["horizon_years"],
    }
    return compare(OwnedVsCloudParams.model_validate(document))


@pytest.fixture(scope="module")
def points() -> Points:
    return random_points(700)


@pytest.fixture(scope="module")
def answers(points: Points) -> Answers:
    return compare_points(points)


@pytest.fixture(scope="module")
def scalar(points: Points) -> list[OwnedVsCloudResult]:
    return [scalar_answer(points, row) for row in range(len(points.capex_usd))]


@pytest.mark.parametrize("name", TOTALS)
def test_totals_equal_the_scalar_path(
    name: str, answers: Answers, scalar: list[OwnedVsCloudResult]
) -> None:
    expected = [getattr(result, name) for result in scalar]
    np.testing.assert_allclose(getattr(answers, name), expected, rtol=1e-12)


@pytest.mark.decisive
def test_ties_equal_the_scalar_path(answers: Answers, scalar: list[OwnedVsCloudResult]) -> None:
    for tie, result in zip(answers.tie_utilization_fraction, scalar, strict=True):
        # The tie is a difference of totals: its last bits are those of the larger total.
        scale = max(result.own_total_usd, result.cloud_total_usd)
        expected = result.tie.utilization_fraction
        assert expected is not None
        full = result.compute_full_usd_per_h * 8760 * len(result.monthly.time_months) / 12
        assert tie == pytest.approx(expected, rel=1e-12, abs=1e-12 * scale / full + 1e-12)


def test_break_evens_equal_the_scalar_path(
    answers: Answers, scalar: list[OwnedVsCloudResult]
) -> None:
    finite = 0
    for years, result in zip(answers.break_even_years, scalar, strict=True):
        expected = result.break_even.years
        if expected is None:
            assert math.isnan(years)
            continue
        assert years == pytest.approx(expected, rel=1e-12, abs=1e-15)
        finite += expected > 0
    assert finite > 300


def test_the_paper_s_clusters_pay_off_as_printed() -> None:
    one = [np.array([value]) for value in (170_000, 102_000, 672_000, 0.25, 43_000, 1_840, 0, 0, 2)]
    answers = compare_points(Points(*(column.astype(float) for column in one)))
    assert answers.own_total_usd[0] == 374_000
    assert answers.cloud_total_usd[0] == 423_840
    assert answers.break_even_years[0] == pytest.approx(168_160 / 109_000, rel=1e-12)


def test_a_length_that_fills_no_whole_block_is_answered_to_its_end() -> None:
    some = random_points(301)
    whole = compare_points(some)
    part = compare_points(Points(*(np.ascontiguousarray(column[256:]) for column in some)))
    for whole_column, part_column in zip(whole, part, strict=True):
        np.testing.assert_array_equal(whole_column[256:], part_column)
