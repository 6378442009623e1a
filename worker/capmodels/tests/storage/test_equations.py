"""Seek, service, sleep and layout against the papers' figures and textbook limits."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from capmodels.errors import ModelError
from capmodels.storage.drive import drives, power_states, seek, service, times
from capmodels.storage.simulator.parity_kernel import parity_disk, parity_member

if TYPE_CHECKING:
    from numpy.typing import NDArray

SERVER = service.Moments(6.300, 43.405)


def _mean_over_random_pairs(curve: seek.ThreePoint, power: int = 1) -> float:
    n = 200_000
    total = 0.0
    for i in range(n):
        u = (i + 0.5) / n
        total += 2 * (1 - u) * seek.three_point_ms(curve, u) ** power
    return total / n


@pytest.mark.parametrize(
    "triple", [(1.0, 10.0, 16.0), (0.6, 3.9, 7.5), (2.0, 9.9, 21.0), (3.0, 13.0, 25.0)]
)
def test_three_point_curve_keeps_its_three_points(triple: tuple[float, float, float]) -> None:
    low, mean, high = triple
    curve = seek.three_point(min_ms=low, avg_ms=mean, max_ms=high)

    assert seek.three_point_ms(curve, 1.0) == pytest.approx(high, rel=1e-12)
    assert _mean_over_random_pairs(curve) == pytest.approx(mean, rel=1e-3)
    assert seek.three_point_mean_ms(curve) == pytest.approx(mean, rel=1e-12)
    square = seek.three_point_mean_square_ms2(curve)
    assert _mean_over_random_pairs(curve, 2) == pytest.approx(square, rel=1e-3)


@pytest.mark.decisive
def test_check_5_laptop_disk_curve() -> None:
    curve = seek.three_point(min_ms=1.0, avg_ms=10.0, max_ms=16.0)
    assert curve == (20.0, -5.0, 1.0)


@pytest.mark.parametrize(
    ("drive", "mean", "square"),
    [(drives.ULTRASTAR_15K73, 6.300, 43.405), (drives.TRAVELSTAR_7K60, 14.637, 230.82)],
)
def test_moments_of_the_papers_drives(drive: drives.HardDisk, mean: float, square: float) -> None:
    moments = times.service_moments(drive, 8192)
    assert moments is not None
    assert moments.mean_ms == pytest.approx(mean, abs=0.001)
    assert moments.mean_square_ms2 == pytest.approx(square, abs=0.01)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(low=st.floats(0.1, 3), width=st.floats(1, 30), ratio=st.floats(0.34, 0.6))
def test_a_valid_curve_never_falls(low: float, width: float, ratio: float) -> None:
    try:
        curve = seek.three_point(min_ms=low, avg_ms=low + ratio * width, max_ms=low + width)
    except ModelError:
        return
    values = [seek.three_point_ms(curve, i / 100) for i in range(1, 101)]
    assert all(a <= b + 1e-9 for a, b in itertools.pairwise(values))


def test_refuses_a_curve_that_would_fall() -> None:
    with pytest.raises(ModelError, match="No seek curve"):
        seek.three_point(min_ms=1.0, avg_ms=15.0, max_ms=16.0)


@pytest.mark.parametrize(
    ("curve", "near", "far"),
    [
        (seek.TwoRegime(383, 3.24, 0.400, 8.00, 0.008), 11.07, 11.06),
        (seek.TwoRegime(616, 3.45, 0.597, 10.8, 0.012), 18.27, 18.19),
    ],
)
def test_two_regimes_nearly_meet(curve: seek.TwoRegime, near: float, far: float) -> None:
    join = curve.v1_cylinders
    assert curve.v2_ms + curve.v3_ms * math.sqrt(join) == pytest.approx(near, abs=0.005)
    assert seek.two_regime_ms(curve, join) == pytest.approx(far, abs=0.012)


def test_check_18_calibrated_curve_of_fs2() -> None:
    join = seek.FS2_JOIN_SECTORS
    assert seek.fs2_seek_ms(join - 1) == pytest.approx(5.150, abs=0.01)
    assert seek.fs2_seek_ms(join) == pytest.approx(5.150, abs=0.001)
    values = [seek.fs2_seek_ms(x * 1e5) for x in range(1, 1526)]
    assert all(a <= b for a, b in itertools.pairwise(values))
    assert seek.fs2_mean_seek_ms(int(78.15e9 / 512)) == pytest.approx(8.67, abs=0.01)
    a3, a2, a1, a0 = 8e-21, -2e-13, 1e-6, 1.35  # as printed: below zero before the join
    x = join - 1
    assert ((a3 * x + a2) * x + a1) * x + a0 == pytest.approx(-1.20, abs=0.01)


@pytest.mark.parametrize(
    ("rate", "expected"), [(125.0, 19.07), (100.0, 12.17), (10.0, 6.53), (1.0, 6.32)]
)
def test_pollaczek_khinchine_of_the_server_disk(rate: float, expected: float) -> None:
    assert service.response_ms(rate, SERVER) == pytest.approx(expected, abs=0.01)


def test_exponential_and_constant_service_give_the_textbook_queues() -> None:
    exponential = service.Moments(6.3, 2 * 6.3**2)
    constant = service.Moments(6.3, 6.3**2)
    assert service.response_ms(125.0, exponential) == pytest.approx(6.3 / (1 - 0.7875))
    assert service.response_ms(125.0, constant) == pytest.approx(17.97, abs=0.01)
    with pytest.raises(ModelError, match="not below 1"):
        service.response_ms(160.0, SERVER)


def test_check_14_break_even_times() -> None:
    first, second = times.break_even_timeouts_s(drives.TRAVELSTAR_7K60)
    assert first == pytest.approx(2.110, abs=0.001)
    assert second == pytest.approx(14.084, abs=0.001)
    skipping = power_states.break_even_s(
        down=power_states.Transition(2.94, 1.25),
        up=power_states.Transition(9.0, 3.0),
        idle_w=2.0,
        low_w=0.25,
    )
    assert skipping == pytest.approx(6.216, abs=0.001)


def test_a_break_even_time_out_costs_at_most_twice_the_optimum() -> None:
    state = power_states.LowState(
        0.85, power_states.Transition(2.15, 0.85), power_states.Transition(1.45, 0.53)
    )
    timeout = power_states.break_even_s(down=state.down, up=state.up, idle_w=2.0, low_w=0.85)
    for gap in (0.1, 1.0, 2.0, 2.2, 5.0, 100.0):
        asleep = 3.6 + 0.85 * max(gap - 1.38, 0.0)
        best = min(2.0 * gap, asleep)
        ours = 2.0 * gap if gap < timeout else 2.0 * timeout + asleep - 0.85 * timeout
        assert ours <= 2 * best * 1.0001


def test_check_26_left_symmetric_places() -> None:
    found = [(parity_member(chunk // 3, chunk % 3, 4, 1), chunk // 3) for chunk in range(12)]
    assert [disk for disk, _row in found] == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]
    assert [row for _disk, row in found] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert [parity_disk(stripe, 4) for stripe in range(5)] == [3, 2, 1, 0, 3]


@pytest.mark.parametrize(("disks", "parities"), [(3, 1), (4, 1), (7, 1), (4, 2), (9, 2)])
def test_a_stripe_uses_every_disk_once_and_parity_goes_round(disks: int, parities: int) -> None:
    data = disks - parities
    for stripe in range(2 * disks):
        used = {parity_member(stripe, index, disks, parities) for index in range(data)}
        used |= {(parity_disk(stripe, disks) + p) % disks for p in range(parities)}
        assert used == set(range(disks))
    holders = [parity_disk(stripe, disks) for stripe in range(5 * disks)]
    assert {holders.count(d) for d in range(disks)} == {5}


def test_check_28_nearest_of_n_heads() -> None:
    dice = np.random.default_rng(1)

    def distances(copies: int) -> NDArray[np.float64]:
        place = dice.random((1_000_000, 1))
        found: NDArray[np.float64] = np.abs(place - dice.random((1_000_000, copies)))
        return found

    # The mean of a million distances below 1 is off by a thousandth of their spread.
    assert distances(1).mean() == pytest.approx(1 / 3, rel=0.004)
    two = distances(2)
    assert two.min(axis=1).mean() == pytest.approx(5 / 24, rel=0.004)
    assert two.max(axis=1).mean() == pytest.approx(11 / 24, rel=0.004)
    assert distances(3).min(axis=1).mean() == pytest.approx(0.15, rel=0.004)


@pytest.mark.parametrize(
    "change",
    [{"seeks_ms": (1.0, 2.0, 3.0)}, {"distances_count": (9, 1)}, {"cylinders_count": 10**9}],
)
def test_refuses_a_seek_table_that_cannot_be(change: dict[str, object]) -> None:
    table = {"cylinders_count": 100, "distances_count": (1, 9), "seeks_ms": (1.0, 2.0)}
    assert drives.TableSeek.model_validate(table).cylinders_count == 100
    with pytest.raises(ValidationError):
        drives.TableSeek.model_validate({**table, **change})
