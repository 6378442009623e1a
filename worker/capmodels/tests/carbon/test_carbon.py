"""Carbon models against hand sums, the SCI example and the published coefficients."""

from __future__ import annotations

import pytest

from capmodels.carbon.instance_power import COEFFICIENTS, vcpu_w
from capmodels.tests.asking import ask, faults


class TestOperational:
    @pytest.mark.decisive
    def test_an_hourly_loop_agrees(self) -> None:
        power = [100.0 * (hour + 1) for hour in range(24)]
        grid = [300.0 + 10 * (hour % 5) for hour in range(168)]
        intensity = {"kind": "hourly", "hourly_gco2e_per_kwh": grid, "zone": "PJM"}
        result = ask("carbon.operational", hourly_power_w=power, intensity=intensity, pue=1.2)
        loop = sum(power[h % 24] * 1.2 / 1000 * grid[h % 168] for h in range(8760)) / 1000
        assert result.location_kgco2e == pytest.approx(loop, rel=1e-12)
        assert (result.zone, result.factor_year, result.basis) == ("PJM", None, "direct")

    def test_work_in_clean_hours_emits_less_than_the_flat_mean_says(self) -> None:
        intensity = {"kind": "hourly", "hourly_gco2e_per_kwh": [100.0] * 12 + [500.0] * 12}
        result = ask(
            "carbon.operational", hourly_power_w=[900.0] * 12 + [100.0] * 12, intensity=intensity
        )
        assert result.flat_mean_gco2e_per_kwh == pytest.approx(300)
        assert result.mean_gco2e_per_kwh == pytest.approx(140)

    def test_certificates_change_the_market_figure_alone(self) -> None:
        result = ask("carbon.operational", certified_fraction=0.25)
        assert result.market_kgco2e == pytest.approx(0.75 * result.location_kgco2e)
        residual = ask("carbon.operational", residual_gco2e_per_kwh=758.0)
        assert residual.market_kgco2e == pytest.approx(2 * residual.location_kgco2e)

    def test_a_price_on_carbon_is_per_tonne(self) -> None:
        assert ask("carbon.operational", carbon_usd_per_t=100.0).carbon_usd == pytest.approx(
            5_976.072
        )

    def test_no_power_has_no_mean_intensity(self) -> None:
        assert ask("carbon.operational", hourly_power_w=[0.0]).mean_gco2e_per_kwh is None

    def test_faults(self) -> None:
        document = {
            "hourly_power_w": [],
            "duration_h": 0,
            "intensity": {"kind": "yearly", "intensity_gco2e_per_kwh": -1.0, "basis": "guess"},
            "certified_fraction": 1.1,
        }
        assert faults("carbon.operational", document) == {
            "/hourly_power_w": "too_short",
            "/duration_h": "out_of_range",
            "/intensity/intensity_gco2e_per_kwh": "out_of_range",
            "/intensity/basis": "not_a_choice",
            "/certified_fraction": "out_of_range",
        }


class TestEmbodied:
    @pytest.mark.decisive
    def test_the_whole_life_takes_the_whole(self) -> None:
        result = ask("carbon.embodied", duration_h=4 * 8760.0)
        assert result.share_kgco2e == pytest.approx(1000)
        assert result.time_fraction == 1

    def test_a_share_takes_its_share(self) -> None:
        quarter = ask("carbon.embodied", resource_fraction=0.25, duration_h=8760.0)
        assert quarter.share_kgco2e == pytest.approx(1000 / 4 / 4)

    def test_carbon_per_unit_of_work_adds_operation(self) -> None:
        result = ask("carbon.embodied", duration_h=8760.0, operational_kgco2e=750.0,
                     work_count=1000.0)  # fmt: skip
        assert result.sci_kgco2e_per_unit == pytest.approx(1.0)
        assert result.embodied_fraction == pytest.approx(0.25)

    def test_no_carbon_has_no_share(self) -> None:
        result = ask("carbon.embodied", embodied_kgco2e=0.0)
        assert (result.embodied_fraction, result.reason) == (None, "no_carbon")

    def test_faults(self) -> None:
        document = {"life_years": 1.0, "duration_h": 9000.0, "work_count": 0.0}
        assert faults("carbon.embodied", document) == {
            "/duration_h": "beyond_life",
            "/work_count": "out_of_range",
        }


class TestInstancePower:
    @pytest.mark.parametrize(
        ("provider", "watts"), [("aws", 2.12), ("gcp", 2.485), ("azure", 2.27)]
    )
    def test_half_load_of_each_provider(self, provider: str, watts: float) -> None:
        assert ask("carbon.instance_power", provider=provider).power_w == pytest.approx(watts)

    @pytest.mark.parametrize("provider", ["aws", "gcp", "azure"])
    @pytest.mark.parametrize("load", [0.0, 0.5, 1.0])
    def test_the_mean_lies_in_the_range_of_the_families(self, provider: str, load: float) -> None:
        result = ask("carbon.instance_power", provider=provider, utilization_fraction=load)
        assert result.low_power_w <= result.power_w <= result.high_power_w
        assert result.low_kgco2e <= result.operational_kgco2e <= result.high_kgco2e

    def test_energy_is_the_sum_of_its_causes(self) -> None:
        result = ask("carbon.instance_power", vcpus_count=8.0, extra_memory_gb=32.0, hdd_tb=2.0,
                     ssd_tb=1.0, replication_ratio=2.0, moved_gb=1000.0)  # fmt: skip
        parts = (result.compute_kwh, result.memory_kwh, result.storage_kwh, result.network_kwh)
        assert sum(parts) == pytest.approx(result.energy_kwh, rel=1e-12)
        assert result.storage_kwh == pytest.approx(2 * (2 * 0.65 + 1.2) * 8.76 * 1.135)
        assert result.network_kwh == pytest.approx(1.0)

    def test_a_pue_of_one_s_own_replaces_the_provider_s(self) -> None:
        result = ask("carbon.instance_power", pue=2.0)
        assert result.energy_kwh == pytest.approx(2.12 * 8.76 * 2)

    def test_the_coefficients_are_idle_and_full(self) -> None:
        idle, busy = COEFFICIENTS["aws"].mean
        assert vcpu_w(idle_w=idle, busy_w=busy, utilization_fraction=0.0) == 0.74
        assert vcpu_w(idle_w=idle, busy_w=busy, utilization_fraction=1.0) == 3.50

    def test_faults(self) -> None:
        document = {"provider": "oracle", "utilization_fraction": 1.2, "replication_ratio": 0.0}
        assert faults("carbon.instance_power", document) == {
            "/provider": "not_a_choice",
            "/utilization_fraction": "out_of_range",
            "/replication_ratio": "out_of_range",
        }
