"""Trends of devices against closed forms and limits."""

from __future__ import annotations

import numpy as np
import pytest

from capmodels.performance.device_trends import accesses_per_j, log_slope
from capmodels.performance.device_trends_params import CacheLevel, Platform
from capmodels.tests.asking import ask, faults

MODEL = "performance.device_trends"


def platform(**changes: object) -> Platform:
    given = {
        "name": "one",
        "cores_count": 1,
        "power_w": 10.0,
        "caches": (CacheLevel(size_bytes=1024.0, access_ns=1.0),),
        "memory_ns": 100.0,
    }
    return Platform.model_validate(given | changes)


@pytest.mark.decisive
def test_the_slope_is_numpy_s_line_through_the_logarithms() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    x, y = rng.uniform(1, 1e4, 20), rng.uniform(1, 1e3, 20)
    slope, _ = np.polyfit(np.log(x), np.log(y), 1)
    ours = log_slope(list(zip(x.tolist(), y.tolist(), strict=True)))
    assert ours == pytest.approx(slope, rel=1e-9)


def test_alike_speeds_have_no_slope() -> None:
    assert log_slope([(5.0, 1.0), (5.0, 2.0)]) is None


def test_within_the_first_cache_only_its_time_counts() -> None:
    assert accesses_per_j(platform(), 512.0) == pytest.approx(1 / (1e-9 * 10))


def test_a_working_set_without_end_costs_memory_s_time() -> None:
    assert accesses_per_j(platform(), 1e15) == pytest.approx(1 / (100e-9 * 10), rel=1e-6)


def test_twice_the_cache_is_a_half_hit() -> None:
    assert accesses_per_j(platform(), 2048.0) == pytest.approx(1 / (50.5e-9 * 10))


def test_more_than_fits_never_helps() -> None:
    rates = [accesses_per_j(platform(), 2.0**power) for power in range(4, 30)]
    assert rates == sorted(rates, reverse=True)


def test_of_the_default_platforms_each_wins_somewhere() -> None:
    result = ask(MODEL)
    assert {point.best for point in result.flips} == {
        "Two slow cores, small caches",
        "Four fast cores, large caches",
    }
    assert result.best_disk == "Seagate ST320LT030"


def test_caches_must_rise() -> None:
    levels = [{"size_bytes": 64.0, "access_ns": 1.0}, {"size_bytes": 32.0, "access_ns": 2.0}]
    given = platform().model_dump(mode="json") | {"caches": levels}
    assert faults(MODEL, {"platforms": [given]}) == {
        "/platforms/0/caches/1/size_bytes": "not_rising"
    }


def test_nothing_to_compare_is_refused() -> None:
    assert faults(MODEL, {"disks": []}) == {"/disks": "too_short"}
