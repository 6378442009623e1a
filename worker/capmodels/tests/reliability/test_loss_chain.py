"""Data loss from lost disks on, against closed forms and independent solutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.reliability.array_loss import failure_rate_per_h, mttdl_h
from capmodels.reliability.loss_chain import chain_of, loss_within, mean_time_h
from capmodels.storage.simulator.params import ArrayDesign, Layout, YearTerms
from capmodels.storage.simulator.per_year import loss_chance, mttdl_years


def _chain(layout: Any, disks: int, rate: float, mttr_h: float) -> Any:
    return chain_of(layout, disks_count=disks, rate_per_h=rate, mttr_h=mttr_h)


@pytest.mark.parametrize(
    ("layout", "disks", "losses"), [("raid5", 4, 2), ("raid6", 8, 3), ("mirror", 5, 5)]
)
def test_from_no_lost_disk_it_is_the_mttdl(layout: Any, disks: int, losses: int) -> None:
    ours = mean_time_h(_chain(layout, disks, 2e-6, 24.0), 0)
    known = mttdl_h(disks_count=disks, losses_to_fail=losses, rate_per_h=2e-6, mttr_h=24.0)
    assert ours == pytest.approx(known, rel=1e-12)


@pytest.mark.parametrize(("layout", "disks"), [("raid6", 6), ("mirror", 4), ("raid10", 8)])
def test_mean_times_solve_the_linear_equations(layout: Any, disks: int) -> None:
    chain = _chain(layout, disks, 1e-3, 24.0)
    states = len(chain.more)
    generator = np.diag(chain.more[:-1], 1) + np.diag(chain.repaired[1:], -1)
    generator -= np.diag(np.sum(chain, axis=0))
    solved = np.linalg.solve(generator, -np.ones(states))
    ours = [mean_time_h(chain, k) for k in range(states)]
    assert ours == pytest.approx(list(solved), rel=1e-9)


def test_a_degraded_raid5_follows_its_two_exponentials() -> None:
    rate, repair, disks = 1e-4, 1 / 24, 4
    for start in (0, 1):
        # x' = A x for the chances of none and one lost; eigenvalues of A by its trace.
        first, second = disks * rate, (disks - 1) * rate
        trace, product = first + second + repair, first * second
        root = math.sqrt(trace * trace - 4 * product)
        slow, fast = product / ((trace + root) / 2), (trace + root) / 2
        # Survival a e^(-slow t) + b e^(-fast t), its slope at 0 that of the start.
        slope = second if start else 0.0
        share = (fast - slope) / (fast - slow)
        for hours in (1.0, 100.0, 50_000.0):
            lost = -share * math.expm1(-slow * hours) - (1 - share) * math.expm1(-fast * hours)
            ours = loss_within(_chain("raid5", disks, rate, 24.0), start, hours)
            assert ours == pytest.approx(lost, rel=1e-6)


@pytest.mark.parametrize(("layout", "disks", "survives"), [("raid6", 6, 2), ("mirror", 4, 3)])
@pytest.mark.parametrize("start", [0, 1, 2])
def test_without_repair_it_is_a_matter_of_how_many_die(
    layout: Any, disks: int, survives: int, start: int
) -> None:
    rate, hours = 1e-5, 20_000.0
    dies = -math.expm1(-rate * hours)
    left = disks - start
    lost = sum(
        math.comb(left, n) * dies**n * (1 - dies) ** (left - n)
        for n in range(survives - start + 1, left + 1)
    )
    ours = loss_within(_chain(layout, disks, rate, 1e15), start, hours)
    assert ours == pytest.approx(lost, rel=1e-6)


@pytest.mark.parametrize("lost", [0, 1, 3])
def test_a_raid10_is_its_pairs_each_on_its_own(lost: int) -> None:
    rate, hours = failure_rate_per_h(0.05), 40_000.0
    pair = [loss_within(_chain("mirror", 2, rate, 48.0), start, hours) for start in (0, 1)]
    survives = (1 - pair[1]) ** lost * (1 - pair[0]) ** (4 - lost)
    ours = loss_within(_chain("raid10", 8, rate, 48.0), lost, hours)
    assert ours == pytest.approx(1 - survives, rel=1e-9)


def test_small_chances_are_exact() -> None:
    # Four copies, three lost, an hour of repair: the last one dies within it, or never matters.
    rate = 1e-9
    chain = _chain("mirror", 4, rate, 1.0)
    # Chance that the copy left dies before any of the three repairs, to first order.
    assert loss_within(chain, 3, 1000.0) == pytest.approx(rate / 3, rel=1e-6)
    assert 0 < loss_within(chain, 0, 1000.0) < 1e-30
    assert loss_within(chain, 3, 0.0) == 0.0


def test_an_array_with_a_lost_disk_tells_the_chance_until_it_is_repaired() -> None:
    def of(lost: int) -> tuple[float, float]:
        layout = Layout(kind="raid5", disks_count=4, failed_disk_count=lost)
        design = ArrayDesign(layout=layout)
        years = mttdl_years(design, 24.0)
        assert years is not None
        return years, loss_chance(design, YearTerms())

    whole, degraded = of(0), of(1)
    rate = failure_rate_per_h(ArrayDesign().drive.afr_fraction)
    # One of three dies within a repair of 24 h, to first order; then it is as if none was lost.
    early = 3 * rate * 24
    assert degraded[1] == pytest.approx(early + whole[1], rel=0.01)
    assert degraded[0] == pytest.approx((1 - early) * whole[0], rel=1e-3)
    # Section 6.7 of the storage reference: 1.3e-5 to 1.3e-3 in five years with all disks.
    assert degraded[1] > 2 * whole[1]
