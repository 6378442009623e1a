"""NPV, IRR, equivalent annual cost, depreciation, facility and TCO: closed forms, limits."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from capmodels.cost.irr import irr_fractions
from capmodels.cost.npv import months_from_years, years_from_months
from capmodels.tests.asking import ask, faults

OWNING_INSTEAD = [1_840.0 - 170_000.0] + [109_000.0] * 3


def npv(flows: list[float], rate: float) -> float:
    return sum(flow * (1 + rate) ** -year for year, flow in enumerate(flows))


class TestNpv:
    def test_of_a_perpetuity_s_first_hundred_years(self) -> None:
        flows = [0.0] + [100.0] * 1000
        result = ask("cost.npv", flows_usd=flows, discount_fraction_per_year=0.05)
        assert result.npv_usd == pytest.approx(100 / 0.05, rel=1e-12)

    def test_says_its_convention_and_gives_the_other(self) -> None:
        flows = [100.0] + [1200.0] * 2
        by_year = ask("cost.npv", flows_usd=flows, discount_fraction_per_year=0.08)
        by_month = ask("cost.npv", flows_usd=[100.0] + [100.0] * 24, period="month")
        assert by_year.npv_usd == pytest.approx(npv(flows, 0.08), rel=1e-12)
        assert by_year.convention == "Payments at the end of each year."
        assert by_month.convention == "Payments at the end of each month."
        assert by_month.npv_usd == pytest.approx(by_year.npv_by_month_usd, rel=1e-12)
        assert by_month.npv_by_year_usd == pytest.approx(by_year.npv_usd, rel=1e-12)

    def test_years_spread_over_months_add_up_again(self) -> None:
        years = [5.0, 12.0, 24.0]
        assert years_from_months(months_from_years(years)) == pytest.approx(years)
        assert years_from_months([1.0] * 15) == [1.0, 12.0, 2.0]

    def test_a_payment_now_is_not_discounted(self) -> None:
        assert ask("cost.npv", flows_usd=[7.0], discount_fraction_per_year=1.0).npv_usd == 7.0

    def test_faults(self) -> None:
        document = {"flows_usd": [1.0, float("nan"), True], "discount_fraction_per_year": -0.1}
        assert faults("cost.npv", document) == {
            "/flows_usd/1": "not_finite",
            "/flows_usd/2": "wrong_type",
            "/discount_fraction_per_year": "out_of_range",
        }


class TestIrr:
    @pytest.mark.decisive
    def test_is_where_scipy_finds_the_npv_to_vanish(self) -> None:
        flows = [-500.0, 50.0, 150.0, 250.0, 350.0, -20.0]
        root = brentq(lambda rate: npv(flows, rate), 0, 1, xtol=1e-14)
        assert irr_fractions(flows)[-1] == pytest.approx(root, rel=1e-9)

    def test_of_one_payment_back_is_the_plain_return(self) -> None:
        result = ask("cost.irr", flows_usd=[-100.0, 0.0, 121.0])
        assert result.irr_fraction_per_year == pytest.approx(0.1, rel=1e-12)

    def test_by_the_month_compounds_to_the_year(self) -> None:
        flows = [-100.0] + [0.0] * 11 + [110.0]
        result = ask("cost.irr", flows_usd=flows, period="month")
        assert result.irr_fraction_per_year == pytest.approx(0.1, rel=1e-9)

    def test_without_a_gain_there_is_none(self) -> None:
        result = ask("cost.irr", flows_usd=[-1.0, -1.0])
        assert (result.irr_fraction_per_year, result.reason) == (None, "no_rate")

    @pytest.mark.parametrize("length", [2, 3, 601])
    def test_payments_of_nothing_have_no_rate(self, length: int) -> None:
        result = ask("cost.irr", flows_usd=[0.0] * length)
        assert (result.irr_fraction_per_year, result.reason) == (None, "no_payments")
        assert result.rates_fraction_per_year == ()

    def test_fifty_years_by_the_month_have_a_rate(self) -> None:
        flows = [-100.0] + [1.0] * 600
        monthly = brentq(lambda rate: npv(flows, rate), 0, 1, xtol=1e-15)
        result = ask("cost.irr", flows_usd=flows, period="month")
        assert result.irr_fraction_per_year == pytest.approx((1 + monthly) ** 12 - 1, rel=1e-9)

    def test_time_before_the_first_payment_moves_no_rate(self) -> None:
        result = ask("cost.irr", flows_usd=[0.0] * 300 + [-100.0, 110.0] + [0.0] * 290)
        assert result.irr_fraction_per_year == pytest.approx(0.1, rel=1e-12)

    @pytest.mark.parametrize("seed", range(20))
    def test_random_payments_are_worth_nothing_at_each_rate(self, seed: int) -> None:
        dice = random.Random(seed)
        flows = [dice.uniform(-100, 100) for _ in range(dice.randint(2, 40))]
        size = sum(map(abs, flows))
        for rate in irr_fractions(flows):
            worth = npv(flows, rate) if rate >= 0 else npv(flows[::-1], 1 / (1 + rate) - 1)
            assert abs(worth) < 1e-10 * size
        roots = np.polynomial.polynomial.polyroots(flows[::-1])
        real = [root.real for root in roots if abs(root.imag) < 1e-9 and root.real > 0]
        assert len(irr_fractions(flows)) == sum(0.02 < root < 54 for root in real)

    def test_two_rates_are_both_shown_and_none_is_chosen(self) -> None:
        # Rates of 10% and 20%: (x - 1.1)(x - 1.2) with x = 1 + r.
        result = ask("cost.irr", flows_usd=[-100.0, 230.0, -132.0])
        assert result.reason == "several_rates"
        assert result.irr_fraction_per_year is None
        assert result.rates_fraction_per_year == pytest.approx((0.1, 0.2), rel=1e-9)
        assert result.sign_changes_count == 2

    def test_owning_at_its_own_rate_is_worth_nothing(self) -> None:
        result = ask("cost.irr", flows_usd=OWNING_INSTEAD)
        worth = ask(
            "cost.npv",
            flows_usd=OWNING_INSTEAD,
            discount_fraction_per_year=result.irr_fraction_per_year,
        )
        assert worth.npv_usd == pytest.approx(0, abs=1e-6)


class TestEquivalentAnnualCost:
    @pytest.mark.decisive
    def test_is_the_level_payment_with_the_same_present_value(self) -> None:
        asset = {"capex_usd": 1000.0, "opex_usd_per_year": 50.0, "salvage_usd": 100.0,
                 "life_years": 5.0}  # fmt: skip
        result = ask("cost.equivalent_annual_cost", assets=[asset]).assets[0]
        present = npv([1000.0] + [50.0] * 4 + [50.0 - 100.0], 0.08)
        assert result.npv_usd == pytest.approx(present, rel=1e-12)
        assert npv([0.0] + [result.eac_usd_per_year] * 5, 0.08) == pytest.approx(present)

    def test_without_interest_it_is_cost_over_life(self) -> None:
        asset = {"capex_usd": 900.0, "life_years": 3.0}
        result = ask("cost.equivalent_annual_cost", assets=[asset], discount_fraction_per_year=0.0)
        assert result.assets[0].eac_usd_per_year == pytest.approx(300)

    def test_a_dearer_asset_that_lasts_longer_may_be_cheaper(self) -> None:
        short = {"title": "short", "capex_usd": 1000.0, "life_years": 3.0}
        long = {"title": "long", "capex_usd": 1500.0, "life_years": 6.0}
        assert ask("cost.equivalent_annual_cost", assets=[short, long]).cheapest_index == 1

    @pytest.mark.parametrize(("use", "usd"), [(0.18, 0.262), (0.5, 0.094)])
    def test_a_used_core_hour_of_the_48_nodes(self, use: float, usd: float) -> None:
        asset = {"capex_usd": 170e3, "opex_usd_per_year": 102e3, "life_years": 3.0,
                 "useful_core_h_per_year": 384 * 8760 * use}  # fmt: skip
        result = ask("cost.equivalent_annual_cost", assets=[asset], discount_fraction_per_year=0.0)
        assert result.assets[0].levelised_usd_per_core_h == pytest.approx(usd, abs=0.0005)

    def test_no_useful_work_has_no_price(self) -> None:
        asset = {"capex_usd": 1.0, "life_years": 1.0, "useful_core_h_per_year": 0.0}
        result = ask("cost.equivalent_annual_cost", assets=[asset]).assets[0]
        assert result.levelised_usd_per_core_h is None
        assert result.levelised_reason == "no_useful_work"

    def test_faults(self) -> None:
        document = {"assets": [{"capex_usd": -1.0, "life_years": 0.0}, {"life_years": 1.0}]}
        assert faults("cost.equivalent_annual_cost", document) == {
            "/assets/0/capex_usd": "out_of_range",
            "/assets/0/life_years": "out_of_range",
            "/assets/1/capex_usd": "missing",
        }


class TestDepreciation:
    def test_macrs_writes_the_whole_price_off_in_six_years(self) -> None:
        result = ask("cost.depreciation", method="macrs_5", cost_usd=1000.0)
        amounts = [year.depreciation_usd for year in result.years]
        assert amounts == pytest.approx([200, 320, 192, 115.2, 115.2, 57.6])
        assert result.years[-1].book_value_usd == pytest.approx(0, abs=1e-9)

    def test_straight_line_ends_on_the_salvage_value(self) -> None:
        result = ask("cost.depreciation", cost_usd=1000.0, salvage_usd=100.0, life_years=4)
        assert [year.book_value_usd for year in result.years] == [775, 550, 325, 100]

    def test_tax_takes_its_share_of_profit_and_spares_that_of_depreciation(self) -> None:
        year = ask("cost.depreciation", cost_usd=900.0, life_years=3, tax_fraction=0.25,
                   revenue_usd_per_year=1000.0, opex_usd_per_year=200.0).years[0]  # fmt: skip
        assert year.after_tax_usd == pytest.approx(1000 - 200 - 0.25 * (1000 - 200 - 300))
        assert year.tax_shield_usd == pytest.approx(75)

    def test_salvage_above_the_price_is_refused(self) -> None:
        document = {"cost_usd": 10.0, "salvage_usd": 11.0, "life_years": 0}
        assert faults("cost.depreciation", document) == {
            "/salvage_usd": "salvage_above_cost",
            "/life_years": "out_of_range",
        }


class TestFacility:
    def test_the_bill_is_three_and_a_half_million(self) -> None:
        result = ask("cost.facility")
        assert result.total_usd_per_month == pytest.approx(3.532e6, abs=500)
        assert sum(line.usd_per_month for line in result.lines) == pytest.approx(
            result.total_usd_per_month, rel=1e-12
        )
        assert result.burdened_power_fraction == pytest.approx(0.31, abs=0.005)

    def test_without_interest_assets_are_paid_in_equal_parts(self) -> None:
        lines = {
            line.line: line.usd_per_month
            for line in ask("cost.facility", rate_fraction_per_year=0.0).lines
        }
        assert lines["servers"] == pytest.approx(46_000 * 1_450 / 36)
        assert lines["network"] == pytest.approx(12.8e6 / 48)

    @pytest.mark.parametrize("name", ["server", "facility", "network"])
    def test_a_life_of_nothing_is_refused(self, name: str) -> None:
        field = f"{name}_life_years"
        assert faults("cost.facility", {field: 0.0}) == {f"/{field}": "out_of_range"}


class TestClusterTco:
    @pytest.mark.parametrize(
        ("power_w", "tco"), [(3000.0, 168_002.26), (3500.0, 169_335.97), (4000.0, 170_669.68)]
    )
    def test_reproduces_the_reference_s_totals(self, power_w: float, tco: float) -> None:
        assert ask("cost.cluster_tco", power_w=power_w).tco_usd == pytest.approx(tco, abs=0.005)

    def test_energy_equals_the_capital_at_a_dollar_twenty(self) -> None:
        result = ask("cost.cluster_tco")
        assert result.parity_usd_per_kwh == pytest.approx(1.20, abs=0.005)
        at_parity = ask("cost.cluster_tco", electricity_usd_per_kwh=result.parity_usd_per_kwh)
        assert at_parity.energy_fraction == pytest.approx(0.5)

    def test_without_power_there_is_no_parity(self) -> None:
        result = ask("cost.cluster_tco", power_w=0.0)
        assert (result.parity_usd_per_kwh, result.parity_reason) == (None, "no_power")

    def test_capital_by_part_follows_the_parts(self) -> None:
        by_part = {"kind": "by_part", "fixed_usd": 1e4, "node_usd": 100.0, "nodes_count": 384,
                   "disk_usd": 50.0, "disks_count": 64}  # fmt: skip
        assert ask("cost.cluster_tco", capital=by_part).capex_usd == 10_000 + 38_400 + 3_200

    def test_performance_per_tco_is_one_over_time_and_cost(self) -> None:
        result = ask("cost.cluster_tco", job_s=100.0)
        assert result.performance_per_s_per_usd == pytest.approx(1 / (100 * 169_335.97))

    def test_faults(self) -> None:
        document: dict[str, Any] = {"capital": {"kind": "by_part"}, "horizon_years": 0.0}
        assert faults("cost.cluster_tco", document) == {
            "/capital/fixed_usd": "missing",
            "/capital/node_usd": "missing",
            "/capital/nodes_count": "missing",
            "/capital/disk_usd": "missing",
            "/capital/disks_count": "missing",
            "/horizon_years": "out_of_range",
        }
