"""Ways to save energy: limits, the papers' range, and the simulator on the presets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.storage.alternatives import concentrated_shares, popular_share, preset
from capmodels.storage.alternatives_params import AlternativesParams
from capmodels.storage.array import ArrayParams
from capmodels.storage.drive.drives import ULTRASTAR_15K73
from capmodels.storage.drive.times import service_moments
from capmodels.storage.simulator import slots as array_slots
from capmodels.storage.simulator.build import array_sectors, build, sectors_of
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign
from capmodels.tests.asking import ask, faults

MODEL = "storage.alternatives"


def rows(**params: Any) -> dict[str, Any]:
    return {row.kind: row for row in ask(MODEL, **params).rows}


def test_under_a_server_s_load_nothing_but_laptops_and_slow_disks_saves() -> None:
    # The argument of TR 837: gaps are too short to spin down, unless only one disk is asked.
    found = rows(arrival_rate_per_s=80.0)
    assert 0.5 < found["laptop"].saved_fraction < 0.8
    assert found["multi_speed"].saved_fraction > 0.5
    assert not found["multi_speed"].sold
    assert found["laptop"].sold
    for kind in ("idle_array", "concentrated"):
        assert found[kind].saved_fraction < 0.05


@pytest.mark.decisive
def test_an_archive_can_sleep() -> None:
    found = rows(arrival_rate_per_s=0.002, popularity_exponent=0.9)
    asleep = 8 * 2.0
    assert found["concentrated"].power_w == pytest.approx(asleep, rel=0.35)
    assert found["idle_array"].power_w == pytest.approx(12.0 + asleep, rel=0.15)
    assert found["concentrated"].response_mean_ms > 20_000
    assert found["idle_array"].response_mean_ms < found["concentrated"].response_mean_ms


def test_a_load_that_no_disk_carries_has_no_response() -> None:
    found = rows(arrival_rate_per_s=8 * 160.0)
    assert found["always_on"].response_mean_ms is None
    # Three laptop disks carry 205 requests/s where the server disk carries 159.
    assert found["laptop"].response_mean_ms is not None


def test_slower_speeds_are_taken_while_they_carry_the_load() -> None:
    speeds = [
        rows(arrival_rate_per_s=rate)["multi_speed"].speed_rpm for rate in (10, 500, 700, 880)
    ]
    assert speeds == sorted(speeds)
    assert speeds[0] == 3600
    slow = json.loads(rows(arrival_rate_per_s=10)["multi_speed"].preset)["array"]["drive"]
    share = 0.2 + 0.8 * (3600 / 15_037) ** 2.8
    assert slow["idle_w"] == pytest.approx(12.0 * share)
    assert slow["active_w"] - slow["idle_w"] == pytest.approx(3.6)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    count=st.integers(1, 40),
    exponent=st.floats(0, 0.95),
    rate=st.floats(0.01, 5000),
)
def test_concentration_asks_every_request_once_and_fills_no_disk(
    count: int, exponent: float, rate: float
) -> None:
    params = AlternativesParams.model_validate(
        {"disks_count": count, "popularity_exponent": exponent, "arrival_rate_per_s": rate}
    )
    shares = concentrated_shares(params)
    moments = service_moments(ULTRASTAR_15K73, 8192)
    assert moments is not None
    assert sum(shares) == pytest.approx(1.0)
    busiest = max(shares) * rate * moments.mean_ms / 1000
    # Beyond what all can carry, all carry the same.
    even = rate * moments.mean_ms / 1000 / count
    assert busiest <= max(0.7, even) * (1 + 1e-9)


def test_uniform_popularity_is_uniform() -> None:
    assert popular_share(0.3, 0.0) == pytest.approx(0.3)
    params = AlternativesParams(popularity_exponent=0.0)
    assert concentrated_shares(params) == pytest.approx([1 / 8] * 8)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["concentrated", "idle_array"])
def test_the_presets_do_in_the_simulator_what_the_closed_forms_say(kind: str) -> None:
    found = rows(disks_count=4, arrival_rate_per_s=0.1, popularity_exponent=0.6)[kind]
    document = json.loads(found.preset)
    document["workload"]["requests_count"] = 6000
    simulated = ask("storage.array", **document)
    cache_w = 12.0 if kind == "idle_array" else 0.0
    assert simulated.power_w + cache_w == pytest.approx(found.power_w, rel=0.04)
    starts = sum(device.spin_ups_count for device in simulated.devices)
    per_year = starts / 4 / simulated.duration_s * 8760 * 3600
    assert per_year == pytest.approx(found.starts_per_year, rel=0.07)
    if kind == "concentrated":
        mean = simulated.responses[0].mean_ms
        assert mean == pytest.approx(found.response_mean_ms, rel=0.08)


def test_presets_are_the_designs_they_are_made_of() -> None:
    params = AlternativesParams()
    for row in ask(MODEL).rows:
        design, workload = preset(row.kind, params)
        read = ArrayParams.model_validate_json(row.preset)
        assert (read.array, read.workload) == (design, workload)


def test_three_are_proposed_and_all_but_other_speeds_set_what_reaches_the_disks() -> None:
    found = [row for row in ask(MODEL).rows if row.proposed]
    assert {row.kind: row.sets_workload for row in found} == {
        "multi_speed": False,
        "idle_array": True,
        "concentrated": True,
    }


def test_each_says_what_it_saves() -> None:
    said = rows(arrival_rate_per_s=10)
    assert said["always_on"].told.startswith("8 disks")
    assert "as much as always on" in said["always_on"].told
    assert "less than always on" in said["multi_speed"].told
    assert "overloaded" in rows(arrival_rate_per_s=8 * 160.0)["always_on"].told


def test_disks_one_after_another_hold_a_whole_disk_each() -> None:
    joined = ArrayDesign(layout=Layout(kind="concatenated", disks_count=3), timeouts=None)
    whole = sectors_of(joined.drive.capacity_gb)
    assert array_sectors(joined) == 3 * whole
    assert build(joined).record["plan"][array_slots.CHUNK] == whole


def test_refuses_what_cannot_be() -> None:
    assert faults(MODEL, {"disks_count": 2, "cache_disks_count": 3}) == {
        "/cache_disks_count": "too_many"
    }
    state = {"power_w": 12.0, "down_j": 1.0, "down_s": 1.0, "up_j": 1.0, "up_s": 1.0}
    assert faults(MODEL, {"size_bytes": 512 << 40}) == {"/size_bytes": "out_of_range"}
    assert faults(MODEL, {"sleeping": state}) == {"/sleeping/power_w": "out_of_range"}
