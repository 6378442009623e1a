"""Commitments, spot, tiers, growth, batch, showback, time of use: brute force and limits."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from capmodels.cost.commitment import optimal_commitment
from capmodels.cost.showback import printed_cents
from capmodels.cost.spot import wasted_fraction
from capmodels.cost.tiered import tier_lines
from capmodels.cost.time_of_use import month_ends_h
from capmodels.tests.asking import ask, faults

DAY = [float(20 + 15 * ((hour * 7) % 24 > 9) + hour % 5) for hour in range(24)]


class TestCommitment:
    @pytest.mark.parametrize("ratio", [0.05, 0.28, 0.34, 0.6, 0.661, 0.99])
    def test_no_other_amount_costs_less(self, ratio: float) -> None:
        def cost(amount: float) -> float:
            return sum(amount * ratio + max(0.0, need - amount) for need in DAY)

        best = optimal_commitment(DAY, price_ratio=ratio)
        amounts = np.linspace(0, max(DAY), 401)
        assert cost(best) <= min(cost(float(amount)) for amount in amounts) + 1e-9

    def test_for_a_smooth_demand_it_is_the_newsvendor_s_quantile(self) -> None:
        rng = np.random.default_rng(1)
        demand = [float(value) for value in rng.uniform(0, 100, 20_000)]
        best = optimal_commitment(demand, price_ratio=0.6)
        assert best == pytest.approx(float(np.quantile(demand, 0.4)), abs=0.05)

    def test_costs_are_a_loop_over_the_hours(self) -> None:
        result = ask("cost.commitment", hourly_demand_count=DAY, committed_count=30.0,
                     on_demand_usd_per_h=2.0, offer={"kind": "discount", "discount_fraction": 0.4}
                     )  # fmt: skip
        loop = sum(30.0 * 1.2 + 2.0 * max(0.0, need - 30.0) for need in DAY) / 24
        assert result.cost_usd_per_h == pytest.approx(loop, rel=1e-12)
        assert result.on_demand_usd_per_h == pytest.approx(2.0 * sum(DAY) / 24)
        assert result.peak_committed_usd_per_h == pytest.approx(1.2 * max(DAY))
        assert result.used_fraction == pytest.approx(sum(min(30.0, d) for d in DAY) / 24 / 30)
        assert result.optimal_usd_per_h <= min(point.cost_usd_per_h for point in result.curve)

    def test_an_upfront_payment_is_spread_over_its_term(self) -> None:
        offer = {
            "kind": "price",
            "upfront_usd": 26_280.0,
            "hourly_usd_per_h": 0.2,
            "term_years": 3.0,
        }
        result = ask(
            "cost.commitment", hourly_demand_count=DAY, on_demand_usd_per_h=4.0, offer=offer
        )
        assert result.effective_usd_per_h == pytest.approx(1.2)
        assert result.break_even_fraction == pytest.approx(0.3)

    def test_a_commitment_dearer_than_on_demand_is_not_taken(self) -> None:
        offer = {"kind": "price", "upfront_usd": 0.0, "hourly_usd_per_h": 5.0, "term_years": 1.0}
        result = ask(
            "cost.commitment", hourly_demand_count=DAY, on_demand_usd_per_h=4.0, offer=offer
        )
        assert (result.optimal_count, result.saved_fraction) == (0, 0)
        assert result.used_fraction is None

    def test_faults(self) -> None:
        document = {"hourly_demand_count": [1.0, 2.0], "committed_count": 3.0,
                    "on_demand_usd_per_h": 0.0,
                    "offer": {"kind": "discount", "discount_fraction": 1.5}}  # fmt: skip
        assert faults("cost.commitment", document) == {
            "/committed_count": "above_peak",
            "/on_demand_usd_per_h": "out_of_range",
            "/offer/discount_fraction": "out_of_range",
        }


class TestSpot:
    def test_young_s_interval_wastes_least(self) -> None:
        times = {"checkpoint_h": 0.1, "restart_h": 0.2, "interruption_mean_h": 24.0}
        best = minimize_scalar(
            lambda interval: wasted_fraction(interval_h=interval, **times),
            bounds=(0.01, 24),
            method="bounded",
            options={"xatol": 1e-9},
        )
        assert ask("cost.spot", **times).interval_h == pytest.approx(best.x, rel=1e-5)

    def test_waste_is_nearly_a_tenth(self) -> None:
        assert ask("cost.spot").wasted_fraction == pytest.approx(0.096, abs=0.0006)

    def test_without_checkpoints_only_restarts_are_wasted(self) -> None:
        result = ask("cost.spot", checkpoint_h=0.0)
        assert (result.interval_h, result.wasted_fraction) == (0, pytest.approx(0.1 / 24))

    def test_interrupted_too_often_it_is_never_done(self) -> None:
        result = ask("cost.spot", interruption_mean_h=0.1)
        assert (result.useful_usd_per_h, result.reason) == (None, "never_done")
        assert result.warnings

    def test_faults(self) -> None:
        document = {"price_usd_per_h": 0.0, "interruption_mean_h": 0.0, "interval_h": 0.0}
        assert set(faults("cost.spot", document).values()) == {"out_of_range"}


class TestTiered:
    @pytest.mark.parametrize("amount", [0.0, 10.0, 49.9, 50.0, 70.0, 5e4])
    def test_the_parts_add_up(self, amount: float) -> None:
        parts = [part for part, _ in tier_lines(amount, [(50.0, 3.0), (500.0, 2.0), (None, 1.0)])]
        assert sum(parts) == pytest.approx(amount)
        assert all(part >= 0 for part in parts)

    def test_400_terabytes_of_s3_and_60_of_egress(self) -> None:
        result = ask("cost.tiered", gb_per_tb=1000.0)
        assert result.storage_usd_per_month == pytest.approx(50e3 * 0.023 + 350e3 * 0.022)
        assert result.transfer_usd_per_month == pytest.approx(
            10e3 * 0.09 + 40e3 * 0.085 + 10e3 * 0.07
        )

    def test_a_gb_has_two_to_the_thirty_bytes_and_its_tb_1024_of_them(self) -> None:
        result = ask("cost.tiered", moved_tb_per_month=0.05, free_gb_per_month=100.0)
        stored_gb = 400e12 / 2**30
        assert result.storage_usd_per_month == pytest.approx(
            51_200 * 0.023 + (stored_gb - 51_200) * 0.022
        )
        assert result.transfer_usd_per_month == 0.0

    def test_support_is_charged_band_by_band(self) -> None:
        result = ask("cost.tiered", stored_tb=0.0, moved_tb_per_month=0.0,
                     other_usd_per_month=300_000.0)  # fmt: skip
        assert result.support_usd_per_month == pytest.approx(1_000 + 4_900 + 8_500 + 1_500)
        assert result.storage_mean_usd_per_gb_month is None

    def test_support_has_a_least_price(self) -> None:
        nothing = {"stored_tb": 0.0, "moved_tb_per_month": 0.0}
        result = ask("cost.tiered", **nothing, support_least_usd_per_month=100.0)
        assert result.total_usd_per_month == 100

    def test_open_and_falling_tiers_are_refused(self) -> None:
        price = {"price_usd_per_gb_month": 0.02}
        move = {"price_usd_per_gb": 0.02}
        document = {
            "storage_tiers": [price, price],
            "transfer_tiers": [{"up_to_tb": 10.0, **move}, {"up_to_tb": 5.0, **move}, move],
            "support_bands": [],
        }
        assert faults("cost.tiered", document) == {
            "/storage_tiers/0/up_to_tb": "open_tier",
            "/transfer_tiers/1/up_to_tb": "unsorted_tiers",
            "/support_bands": "too_short",
        }


class TestGrowth:
    def test_exhaustion_is_when_a_loop_over_days_passes_the_capacity(self) -> None:
        result = ask("cost.growth", growth_fraction_per_year=0.5)
        demand, days = 96.0, 0
        while demand < 384 * 0.7:
            demand, days = demand * 1.5 ** (1 / 365), days + 1
        assert result.exhausted_years == pytest.approx(days / 365, abs=1.5 / 365)

    def test_the_order_comes_a_lead_time_before(self) -> None:
        result = ask("cost.growth", growth_fraction_per_year=0.5, lead_months=6.0)
        assert result.exhausted_years - result.order_years == pytest.approx(0.5)
        for order in result.orders:
            assert order.needed_years - order.order_years == pytest.approx(0.5)

    def test_with_its_orders_demand_never_exceeds_the_usable_capacity(self) -> None:
        result = ask("cost.growth", growth_fraction_per_year=0.8, horizon_years=6.0)
        assert result.orders_count == len(result.orders) > 3
        for point in result.years:
            assert point.demand_count <= 0.7 * point.capacity_count * (1 + 1e-9)

    def test_an_order_that_should_have_been_placed_is_late(self) -> None:
        result = ask("cost.growth", demand_count=260.0, lead_months=12.0)
        assert result.orders[0].late
        assert "too late" in result.warnings[0]

    @pytest.mark.parametrize(
        ("demand", "growth", "reason"),
        [(96.0, 0.0, "never"), (96.0, -0.5, "never"), (0.0, 1.0, "never"),
         (300.0, 0.0, "exhausted_now")],
    )  # fmt: skip
    def test_never_and_now_are_values(self, demand: float, growth: float, reason: str) -> None:
        result = ask("cost.growth", demand_count=demand, growth_fraction_per_year=growth)
        assert result.reason == reason

    def test_endless_small_orders_are_cut_off_and_said(self) -> None:
        result = ask("cost.growth", growth_fraction_per_year=2.0, block_count=0.5)
        assert result.orders_count == 1000
        assert any("first 1000 orders" in warning for warning in result.warnings)


class TestBatch:
    def test_work_is_jobs_times_steps_times_seconds_times_reruns(self) -> None:
        job = {"runs_count": 1000.0, "steps_count": 46.0, "step_s": 5000.0, "reruns_ratio": 2.0}
        result = ask("cost.batch_utilization", jobs=[job])
        assert result.work_s == 460e6
        assert result.utilization_fraction == pytest.approx(0.186, abs=0.0005)
        assert result.work_s + result.spare_s == pytest.approx(result.capacity_s)
        assert result.spare_slots_count == pytest.approx(188 * (1 - result.utilization_fraction))

    def test_with_two_slots_on_the_old_nodes_uncle_is_39_percent_busy(self) -> None:
        groups = [{"nodes_count": 11}, {"nodes_count": 36, "slots_per_node_count": 2}]
        result = ask("cost.batch_utilization", jobs=[{"step_s": 600e6}], groups=groups)
        assert result.slots_count == 116
        assert result.utilization_fraction == pytest.approx(0.39, abs=0.005)

    def test_a_common_year_makes_the_prototypes_95_428(self) -> None:
        old = {"nodes_count": 36, "node_usd_per_h": 0.20}
        clusters = (
            ask("cost.batch_utilization"),
            ask("cost.batch_utilization", jobs=[{"step_s": 600e6}],
                groups=[{"nodes_count": 11}, old]),
        )  # fmt: skip
        value = sum(cluster.value_usd_per_year for cluster in clusters)
        assert value == pytest.approx(95_428, abs=1)

    def test_work_that_does_not_fit_is_shown_above_one_with_a_warning(self) -> None:
        result = ask("cost.batch_utilization", jobs=[{"step_s": 1e10}])
        assert result.utilization_fraction > 1
        assert result.spare_s == 0
        assert result.warnings

    def test_no_nodes_have_no_utilisation(self) -> None:
        assert ask("cost.batch_utilization", groups=[]).utilization_fraction is None

    def test_faults(self) -> None:
        document = {"jobs": [{"reruns_ratio": 0.5, "step_s": -1.0}], "period_h": 0.0}
        assert faults("cost.batch_utilization", document) == {
            "/jobs/0/reruns_ratio": "out_of_range",
            "/jobs/0/step_s": "out_of_range",
            "/period_h": "out_of_range",
        }


def project(title: str, core_h: float, tb: float = 1.0) -> dict[str, Any]:
    return {"title": title, "used_core_h": core_h, "stored_tb_months": tb}


class TestShowback:
    def test_projects_pay_by_their_share(self) -> None:
        result = ask("cost.showback", projects=[project("a", 300.0), project("b", 100.0, 3.0)])
        a, b = result.projects
        assert (a.compute_usd, b.compute_usd) == (4_500, 1_500)
        assert (a.storage_usd, b.storage_usd) == (625, 1_875)

    def test_everything_adds_up_printed_and_not(self) -> None:
        projects = [project(str(i), 1 + math.sqrt(i), 1 / (1 + i)) for i in range(37)]
        result = ask("cost.showback", projects=projects, capacity_core_h=1000.0)
        exact = sum(row.total_usd for row in result.projects)
        exact += result.unused_compute_usd + result.unused_storage_usd
        assert exact == pytest.approx(result.total_usd, rel=1e-9)
        printed = sum(Decimal(str(row.printed_usd)) for row in result.projects)
        assert printed + Decimal(str(result.unused_printed_usd)) == Decimal("8500.00")

    def test_cents_go_to_those_that_lost_most(self) -> None:
        assert printed_cents([0.004, 0.004, 0.002]) == [1, 0, 0]
        assert printed_cents([1.006, 2.007, 3.007]) == [100, 201, 301]
        for amounts in itertools.product([0.001, 0.335, 7.777], repeat=3):
            assert sum(printed_cents(amounts)) == math.floor(math.fsum(amounts) * 100 + 0.5)

    def test_idle_capacity_is_shown_apart_when_asked(self) -> None:
        result = ask("cost.showback", projects=[project("a", 250.0)], capacity_core_h=1000.0)
        assert result.projects[0].compute_usd == 1_500
        assert result.unused_compute_usd == 4_500

    def test_use_above_the_capacity_is_said(self) -> None:
        result = ask("cost.showback", projects=[project("a", 250.0)], capacity_core_h=100.0)
        assert result.reason == "used_above_capacity"
        assert result.unused_compute_usd == 0

    def test_cost_that_nobody_used_stays_unused(self) -> None:
        result = ask("cost.showback", projects=[project("a", 0.0, 0.0)])
        assert result.core_h_usd is None
        assert result.unused_compute_usd + result.unused_storage_usd == 8_500

    def test_a_market_serves_the_highest_bids_at_one_price(self) -> None:
        rng = np.random.default_rng(5)
        for _ in range(50):
            count = int(rng.integers(1, 8))
            wanted, bids = rng.uniform(1, 50, count), rng.uniform(0, 0.2, count).round(3)
            offered = float(rng.uniform(20, 200))
            projects = [
                project(str(i), float(wanted[i])) | {"bid_usd_per_core_h": float(bids[i])}
                for i in range(count)
            ]
            result = ask(
                "cost.showback",
                rule="market",
                projects=projects,
                compute_usd=0.05 * offered,
                capacity_core_h=offered,
            )
            price = result.core_h_usd
            served = np.array([row.core_h for row in result.projects])
            assert served.sum() <= offered + 1e-9
            assert price >= 0.05 - 1e-12
            # Whoever bids more than the price has all, whoever bids less has nothing.
            assert np.allclose(served[bids > price], wanted[bids > price])
            assert not served[bids < price].any()
            # Of the least bids at which no more is asked for than there is, it is the lowest.
            levels = [0.05, *(float(bid) for bid in bids if bid >= 0.05)]
            fits = [level for level in levels if wanted[bids > level].sum() <= offered]
            assert price == pytest.approx(min(fits))
            paid = sum(row.total_usd for row in result.projects)
            rest = result.unused_compute_usd + result.unused_storage_usd - result.surplus_usd
            assert paid + rest == pytest.approx(result.total_usd)

    def test_a_market_needs_bids_and_an_offer(self) -> None:
        asked = {"rule": "market", "projects": [project("a", 1.0)]}
        assert faults("cost.showback", asked) == {
            "/projects/0/bid_usd_per_core_h": "bid_missing",
            "/capacity_core_h": "capacity_missing",
        }

    def test_faults(self) -> None:
        assert faults("cost.showback", {"projects": []}) == {"/projects": "too_short"}
        twice = {"projects": [project("a", 1.0), project("a", 2.0)]}
        assert faults("cost.showback", twice) == {"/projects/1/title": "repeated"}


class TestTimeOfUse:
    def test_a_flat_load_pays_the_mean_price(self) -> None:
        result = ask("cost.time_of_use")
        assert result.mean_usd_per_kwh == pytest.approx(result.flat_usd_per_kwh, rel=1e-12)
        assert result.energy_kwh == pytest.approx(157_680)

    def test_a_flat_price_gives_the_paper_s_power_bill(self) -> None:
        price = {"kind": "flat", "electricity_usd_per_kwh": 0.17}
        assert ask("cost.time_of_use", price=price).total_usd == pytest.approx(26_805.6)

    def test_a_loop_over_the_year_agrees(self) -> None:
        power = [10_000.0 + 500 * hour for hour in range(24)]
        prices = [0.05 + 0.01 * (hour % 7) for hour in range(168)]
        price = {"kind": "hourly", "hourly_usd_per_kwh": prices}
        result = ask("cost.time_of_use", hourly_power_w=power, price=price, pue=1.3,
                     demand_usd_per_kw_month=10.0)  # fmt: skip
        loop = sum(power[h % 24] * 1.3 / 1000 * prices[h % 168] for h in range(8760))
        assert result.energy_usd == pytest.approx(loop, rel=1e-12)
        assert result.demand_usd == pytest.approx(12 * 10 * 21.5 * 1.3)
        assert result.load_factor_fraction == pytest.approx(15_750 / 21_500)

    def test_each_month_s_peak_is_its_own(self) -> None:
        year = [1_000.0] * 8760
        year[month_ends_h(8760)[0]] = 5_000.0  # first hour of February
        result = ask("cost.time_of_use", hourly_power_w=year, demand_usd_per_kw_month=1.0)
        assert [month.peak_w for month in result.months] == [1e3, 5e3] + [1e3] * 10
        assert result.demand_usd == pytest.approx(16)

    def test_a_leap_year_has_one_day_more_in_february(self) -> None:
        ends = month_ends_h(8784)
        assert ends[1] - ends[0] == 29 * 24
        result = ask("cost.time_of_use", year_h=8784)
        assert result.energy_kwh == pytest.approx(18 * 8784)

    def test_negative_prices_are_real(self) -> None:
        price = {"kind": "hourly", "hourly_usd_per_kwh": [-0.05]}
        assert ask("cost.time_of_use", price=price).total_usd < 0

    def test_no_power_has_no_mean_price(self) -> None:
        result = ask("cost.time_of_use", hourly_power_w=[0.0])
        assert (result.mean_usd_per_kwh, result.load_factor_fraction) == (None, None)

    def test_faults(self) -> None:
        document = {"hourly_power_w": [1.0, -1.0], "pue": 0.5,
                    "price": {"kind": "day", "hourly_usd_per_kwh": [0.1]}}  # fmt: skip
        assert faults("cost.time_of_use", document) == {
            "/hourly_power_w/1": "out_of_range",
            "/pue": "out_of_range",
            "/price/hourly_usd_per_kwh": "too_short",
        }
