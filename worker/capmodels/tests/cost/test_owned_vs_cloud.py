"""Owned versus cloud: the paper's sensitivity, brute force, edge cases, faults."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.optimize import brentq

from capmodels.cost.owned_vs_cloud import SPEC, instances_equivalent, round_half_up
from capmodels.cost.owned_vs_cloud_checks import measured_prototypes, prototypes
from capmodels.cost.owned_vs_cloud_params import NodeGroup
from capmodels.tests.asking import ask, faults

MODEL = "cost.owned_vs_cloud"
# The tariff at which the paper's rounded $27,000 of energy is exact.
PRINTED = {"electricity_usd_per_kwh": 27_000 / 157_680}


def at(utilization: float, **changes: Any) -> Any:
    return ask(MODEL, groups=[{"utilization_fraction": utilization}], **changes)


# Utilisation, EC2 a year, cloud over two years, break-even in years: reference 1.2.
SENSITIVITY = [
    (0.05, 33_638, 155_517, None),
    (0.10, 67_277, 222_794, 19.8),
    (0.15, 100_915, 290_070, 4.0),
    (0.20, 134_554, 357_347, 2.2),
    (0.25, 168_192, 424_624, 1.54),
    (0.50, 336_384, 761_008, 0.61),
    (0.90, 605_491, 1_299_222, 0.31),
]


@pytest.mark.parametrize(("utilization", "ec2", "cloud", "years"), SENSITIVITY)
def test_reproduces_the_sensitivity_to_utilisation(
    utilization: float, ec2: float, cloud: float, years: float | None
) -> None:
    result = at(utilization, **PRINTED)
    yearly = next(cause.amount_usd for cause in result.causes if cause.cause == "instances") / 2
    assert yearly == pytest.approx(ec2, abs=0.5)
    assert result.cloud_total_usd == pytest.approx(cloud, abs=0.51)
    if years is None:
        assert result.break_even.reason == "never"
        assert result.break_even.sentence == "Owning never pays off (undiscounted)."
    else:
        assert result.break_even.years == pytest.approx(years, abs=0.051)


@pytest.mark.parametrize(
    ("years", "tie"), [(1, 0.337), (2, 0.2124), (3, 0.171), (4, 0.150), (5, 0.137)]
)
@pytest.mark.decisive
def test_reproduces_the_tie_utilisation_by_horizon(years: float, tie: float) -> None:
    result = at(0.25, horizon_years=float(years), **PRINTED)
    assert result.tie.utilization_fraction == pytest.approx(tie, abs=0.0005)


def test_pay_off_time_at_the_two_year_tie_is_two_years() -> None:
    tie = at(0.25).tie.utilization_fraction
    assert at(tie).break_even.years == pytest.approx(2.0, rel=1e-12)


def test_paper_rounding_prints_the_paper_s_figures() -> None:
    result = ask(MODEL, rounding="paper")
    assert (result.own_printed_usd, result.cloud_printed_usd) == (374_000, 424_000)
    yearly = {cause.cause: cause.amount_usd / 2 for cause in result.causes}
    assert (yearly["energy"], yearly["instances"], yearly["storage"]) == (27_000, 168_000, 43_000)
    assert ask(MODEL).own_printed_usd is None


def test_without_rounding_once_only_transfer_still_prints_a_thousand_more() -> None:
    assert round_half_up(ask(MODEL).cloud_total_usd) == 425_000


def test_yearly_transfer_gives_the_total_that_the_paper_does_not_print() -> None:
    result = ask(MODEL, rounding="paper", transfer={"period": "yearly"})
    assert result.cloud_printed_usd == 426_000


@pytest.mark.parametrize(
    ("equivalence", "tb", "count"),
    [
        ("by_core", 2.0, 96.0),
        ("by_disk_count", 2.0, 96.0),
        ("by_capacity", 1.69, 192 / 1.69),
        ("max_of_all", 1.69, 192 / 1.69),
    ],
)
def test_equivalence_is_a_choice(equivalence: str, tb: float, count: float) -> None:
    group = NodeGroup.model_validate({"equivalence": equivalence, "instance": {"storage_tb": tb}})
    assert instances_equivalent(group) == pytest.approx(count)


def test_prototype_clusters_cross_in_the_third_year() -> None:
    result = ask(MODEL, **measured_prototypes(), rounding="paper")
    monthly = result.monthly
    at_24, at_36 = monthly.time_months.index(24.0), monthly.time_months.index(36.0)
    assert (monthly.own_cumulative_usd[at_24], monthly.cloud_cumulative_usd[at_24]) == (
        pytest.approx(300_000),
        pytest.approx(264_000),
    )
    assert monthly.own_cumulative_usd[at_36] == pytest.approx(375_000)
    assert monthly.cloud_cumulative_usd[at_36] == pytest.approx(396_000)


def test_copying_brings_the_prototypes_break_even_forward() -> None:
    # $8,000 a year of copying at the printed figures: 2.31 years (reference 1.3).
    document = prototypes(0.25, 0.25) | {"storage_usd_per_gb_month": 0.0}
    extra = (96_000 + 36_000 + 8_000 - 117_384) / 1000
    document |= {"transfer": {"in_tb": extra, "in_usd_per_gb": 1.0, "out_tb": 0.0,
                              "period": "yearly"}}  # fmt: skip
    assert ask(MODEL, **document).break_even.years == pytest.approx(2.31, abs=0.005)


GROWN = {
    "growth_fraction_per_year": 0.3,
    "discount_fraction_per_year": 0.08,
    "horizon_years": 4.0,
}


def test_sums_agree_with_a_loop_over_months() -> None:
    result = ask(MODEL, **GROWN)
    own, cloud = 170_000.0, 1_840.0
    own_npv, cloud_npv = own, cloud
    for month in range(1, 49):
        own_part = 101_805.60 / 12
        cloud_part = 211_392.0 / 12 * 1.3 ** ((month - 1) / 12)
        worth = 1.08 ** (-month / 12)
        own, cloud = own + own_part, cloud + cloud_part
        own_npv, cloud_npv = own_npv + own_part * worth, cloud_npv + cloud_part * worth
        assert result.monthly.own_usd[month] == pytest.approx(own_part, rel=1e-10)
        assert result.monthly.cloud_usd[month] == pytest.approx(cloud_part, rel=1e-10)
        assert result.monthly.cloud_cumulative_usd[month] == pytest.approx(cloud, rel=1e-12)
        assert result.monthly.cloud_cumulative_npv_usd[month] == pytest.approx(cloud_npv)
    assert result.own_total_usd == pytest.approx(own, rel=1e-12)
    assert result.cloud_total_usd == pytest.approx(cloud, rel=1e-12)
    assert result.own_npv_usd == pytest.approx(own_npv, rel=1e-12)
    assert result.cloud_npv_usd == pytest.approx(cloud_npv, rel=1e-12)


def test_monthly_series_ends_on_the_horizon_and_adds_up() -> None:
    result = ask(MODEL, horizon_years=1.3)
    monthly = result.monthly
    assert monthly.time_months[-1] == pytest.approx(15.6)
    assert len(monthly.time_months) == 17
    assert monthly.own_cumulative_usd[-1] == pytest.approx(result.own_total_usd, rel=1e-12)
    assert sum(monthly.cloud_usd) == pytest.approx(result.cloud_total_usd, rel=1e-12)
    assert result.own_total_usd == pytest.approx(170_000 + 1.3 * 101_805.6)


def _lead_usd(years: float, growth: float, discount: float) -> float:
    """Owning's lead after whole or part months, written with powers."""
    months = 12 * years
    grow, worth = (1 + growth) ** (1 / 12), (1 + discount) ** (-1 / 12)
    ratio = grow * worth
    cloud = 211_392.0 / 12 * worth * (1 - ratio**months) / (1 - ratio)
    own = 101_805.6 / 12 * worth * (1 - worth**months) / (1 - worth)
    lead: float = cloud - own - (170_000 - 1_840)
    return lead


def test_discounted_break_even_is_where_present_values_meet() -> None:
    result = ask(MODEL, **GROWN).break_even_discounted
    root = brentq(_lead_usd, 0.01, 20, args=(0.3, 0.08), xtol=1e-13)
    assert result.discounted
    assert result.crossings_count == 1
    assert result.years == pytest.approx(root, rel=1e-9)


def test_discounting_brings_the_pay_off_later() -> None:
    result = ask(MODEL, discount_fraction_per_year=0.08)
    assert result.break_even.years < result.break_even_discounted.years
    assert result.break_even.sentence.endswith("(undiscounted).")


def test_shrinking_work_crosses_twice_and_says_so() -> None:
    result = ask(MODEL, growth_fraction_per_year=-0.1, horizon_years=10.0).break_even
    assert result.crossings_count == 2
    assert result.years == result.crossings_years[0]
    first, last = (
        brentq(lambda t: _lead_usd(t, -0.1, 1e-9), low, high) for low, high in ((0.1, 5), (5, 90))
    )
    assert result.crossings_years == pytest.approx((first, last), rel=1e-6)
    assert f"after {last:.1f} years renting is cheaper again" in result.sentence


def test_an_early_lead_that_is_lost_and_won_back_counts_from_the_last_crossing() -> None:
    # Owning starts ahead, runs dearer, and wins as the rented work grows.
    changes = {"capex_usd": 0.0, "growth_fraction_per_year": 0.5, "staff_usd_per_year": 150_000.0}
    result = at(0.1, **changes).break_even
    assert result.crossings_count == 2
    assert result.years == result.crossings_years[-1]


def test_nothing_to_pay_at_the_start_is_a_pay_off_at_once() -> None:
    result = ask(MODEL, capex_usd=0.0).break_even
    assert (result.years, result.reason, result.crossings_count) == (0.0, "always", 0)


def test_equal_starts_and_dearer_owning_break_even_at_zero_without_always() -> None:
    result = at(0.05, capex_usd=1_840.0).break_even
    assert (result.years, result.reason) == (0.0, None)


def test_tie_below_zero_and_above_one_are_worded() -> None:
    idle = ask(MODEL, capex_usd=0.0, staff_usd_per_year=0.0, facility_usd_per_year=0.0)
    assert idle.tie.utilization_fraction == 0.0
    assert idle.tie.sentence == "Owning is cheaper even idle."
    full = ask(MODEL, capex_usd=2e6)
    assert full.tie.utilization_fraction > 1
    assert full.tie.sentence == "Renting is cheaper even at full use."


def test_no_use_at_all_is_valid() -> None:
    result = at(0.0)
    assert result.cheaper == "cloud"
    assert result.break_even.reason == "never"


def test_growth_beyond_the_owned_nodes_is_warned_about() -> None:
    assert ask(MODEL).warnings == ()
    assert "outgrows" in at(0.5, growth_fraction_per_year=1.0).warnings[0]


def test_cooling_is_energy_times_pue_less_one() -> None:
    causes = {cause.cause: cause.amount_usd for cause in ask(MODEL, pue=1.4).causes}
    assert causes["cooling"] == pytest.approx(0.4 * causes["energy"])


def test_every_cause_has_its_formula() -> None:
    known = {formula.id for formula in SPEC.formulas}
    assert {cause.formula for cause in ask(MODEL).causes} <= known


def test_all_faults_come_at_once_each_at_its_place() -> None:
    document = {
        "power_w": -1.0,
        "pue": 0.9,
        "electricity_usd_per_kwh": float("nan"),
        "capex_usd": True,
        "storage_tb": "many",
        "horizon_years": 0.0,
        "year_h": 8761,
        "groups": [
            {"utilization_fraction": 1.2, "instance": {"price_usd_per_h": 0.0}},
            {"nodes_count": 0, "cores_per_node_count": 1.5, "equivalence": "by_color"},
            {"equivalence": "explicit"},
        ],
        "copy_in": {"network_gbit_per_s": 0.0},
        "surprise": 1,
    }
    assert faults(MODEL, document) == {
        "/power_w": "out_of_range",
        "/pue": "out_of_range",
        "/electricity_usd_per_kwh": "not_finite",
        "/capex_usd": "wrong_type",
        "/storage_tb": "wrong_type",
        "/horizon_years": "out_of_range",
        "/year_h": "not_a_choice",
        "/groups/0/utilization_fraction": "out_of_range",
        "/groups/0/instance/price_usd_per_h": "out_of_range",
        "/groups/1/nodes_count": "out_of_range",
        "/groups/1/cores_per_node_count": "wrong_type",
        "/groups/1/equivalence": "not_a_choice",
        "/groups/2/instances_count": "missing",
        "/copy_in/network_gbit_per_s": "out_of_range",
        "/surprise": "unknown_field",
    }


@pytest.mark.parametrize("count", [0, 101])
def test_groups_are_one_to_a_hundred(count: int) -> None:
    assert list(faults(MODEL, {"groups": [{}] * count})) == ["/groups"]
