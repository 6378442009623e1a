"""Data loss from lost disks on, against closed forms and independent solutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.reliability.array_loss import SPEC as LOSS
from capmodels.reliability.array_loss import failure_rate_per_h, loss_chain_of
from capmodels.reliability.loss_chain import (
    Domains,
    Group,
    group_chain,
    loss_of_groups,
    loss_within,
    mean_time_h,
    pairs_chain,
    repair_rates,
)
from capmodels.reliability.loss_params import ArrayLossParams, Repair, Scrubbing, SharedFate
from capmodels.spec import Context
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign, YearTerms
from capmodels.storage.simulator.per_year import loss_chance, mttdl_of, repair_h_of
from capmodels.tests.reliability.exact_chain import exact_loss, exact_years


def _chain(layout: Any, disks: int, rate: float, mttr_h: float, unreadable: float = 0.0) -> Any:
    if layout == "raid10":
        return pairs_chain(
            disks // 2, rate_per_h=rate, repair_per_h=1 / mttr_h, unreadable=unreadable
        )
    tolerated = {"raid5": 1, "raid6": 2, "mirror": disks - 1}[layout]
    repairs = repair_rates(tolerated, rebuild_h=mttr_h)
    return group_chain(Group(disks, tolerated, rate, repairs, unreadable))


@pytest.mark.parametrize(
    ("n", "m"), [(8, 2), (3, 2), (11, 3), (14, 4), (4, 1)], ids=["6", "3-mirror", "8+3", "7", "5"]
)
@pytest.mark.parametrize("unreadable", [0.0, 1e-9, 0.38, 1.0])
@pytest.mark.decisive
def test_groups_agree_with_an_independent_chain(n: int, m: int, unreadable: float) -> None:
    rate = failure_rate_per_h(0.017)
    repairs = repair_rates(m, rebuild_h=24.0)
    ours = mean_time_h(group_chain(Group(n, m, rate, repairs, unreadable))) / 8760
    assert ours == pytest.approx(exact_years(n, m, rate, 24.0, unreadable), rel=1e-9)


def _lost(**more: Any) -> float:
    given = {"layout": "raid6", "disks_count": 8, "disk_gb": 20_000.0, "mttr_h": 24.0}
    document = {**given, "unrecoverable_per_bit": 1e-15, **more}
    return LOSS.run(ArrayLossParams.model_validate(document), Context()).any_loss_fraction


@pytest.mark.parametrize("mttr_h", [3.0, 24.0, 500.0])
@pytest.mark.parametrize("per_bit", [0.0, 1e-15])
@pytest.mark.parametrize(
    ("layout", "disks", "tolerated"),
    [("raid5", 5, 1), ("raid6", 14, 2), ("mirror", 3, 2), ("raid7", 17, 3), ("raid10", 12, 1)],
    ids=["5", "6", "3-mirror", "7", "10"],
)
def test_the_chance_in_a_mission_is_that_of_the_chain_from_its_start(
    layout: str, disks: int, tolerated: int, per_bit: float, mttr_h: float
) -> None:
    given = {"disk_gb": 6000.0, "afr_fraction": 0.031, "mission_years": 3.0}
    document = {**given, "layout": layout, "disks_count": disks, "mttr_h": mttr_h}
    asked = ArrayLossParams.model_validate({**document, "unrecoverable_per_bit": per_bit})
    found = LOSS.run(asked, Context())
    members = 2 if layout == "raid10" else disks
    unreadable = -math.expm1(-(members - tolerated) * 6000.0 * 8e9 * per_bit)
    rate = failure_rate_per_h(0.031)
    for ours, bad in ((found.loss_fraction, 0.0), (found.any_loss_fraction, unreadable)):
        one = exact_loss(members, tolerated, rate, mttr_h, bad, 3.0 * 8760)
        exact = -math.expm1(disks // members * math.log1p(-one))
        assert ours == pytest.approx(exact, rel=1e-9)


def test_a_raid6_loses_by_the_sectors_of_its_last_rebuild() -> None:
    # The failures alone are thousands of times rarer.
    assert _lost() == pytest.approx(1.4e-4, rel=0.02)
    assert _lost(unrecoverable_per_bit=0.0) == pytest.approx(3e-8, rel=0.1)
    assert _lost(layout="mirror", disks_count=3) > 10 * _lost(
        layout="mirror", disks_count=3, unrecoverable_per_bit=0.0
    )
    triple = _lost(layout="raid7")
    assert triple < _lost() / 100


def test_what_makes_a_loss_likelier_does() -> None:
    plain = _lost()
    for more in (
        {"shared_fate": SharedFate(together_ratio=10.0)},
        {"shared_fate": SharedFate(domains_count=2, domain_fraction_per_year=0.001)},
        {"shared_fate": SharedFate(above_degrees=10.0)},
        {"scrubbing": Scrubbing(interval_h=8760.0)},
        {"mttr_h": None, "repair": Repair(rebuild_mb_per_s=20.0)},
    ):
        assert _lost(**more) > 1.01 * plain
    spared = Repair(spares_count=2, rebuild_mb_per_s=100.0)
    waited = spared.model_copy(update={"spares_count": 0})
    assert _lost(mttr_h=None, repair=spared) < 0.7 * _lost(mttr_h=None, repair=waited)


def test_a_node_that_holds_more_members_than_are_tolerated_is_the_loss() -> None:
    repairs = repair_rates(2, rebuild_h=24.0)
    group = Group(8, 2, 1e-12, repairs, domains=(Domains(2, 1e-5),))
    # Four members a node: either node is the loss.
    assert mean_time_h(group_chain(group)) == pytest.approx(1 / 2e-5, rel=1e-3)
    spread = group._replace(domains=(Domains(8, 1e-5),))
    alone = Group(8, 2, 1e-5 + 1e-12, repairs)
    assert mean_time_h(group_chain(spread)) == pytest.approx(mean_time_h(group_chain(alone)))


RATE, REPAIR, UNREADABLE = 2e-6, 1 / 48, 0.03
Pairs = list[tuple[int, int]]


def _events(parts: Pairs, state: tuple[int, ...], ratio: float, part_rate: float) -> Any:
    """What may come next of pairs: members that go (pair, which), or none of one pair; its rate."""
    crowd = ratio if any(state) else 1.0
    for pair, lost in enumerate(state):
        for member in {1, 2} - {lost}:
            yield [(pair, member)], RATE * crowd
        if lost:
            yield [(pair, 0)], REPAIR
    for part in {part for pair in parts for part in pair}:
        yield (
            [(i, m + 1) for i, pair in enumerate(parts) for m in (0, 1) if pair[m] == part],
            (part_rate),
        )


def _after(state: tuple[int, ...], gone: Any) -> tuple[tuple[int, ...], float]:
    """The pattern that follows, and the chance that data are kept on the way to it."""
    after, kept = list(state), 1.0
    for pair, member in gone:
        if member and not after[pair]:
            kept *= 1 - UNREADABLE
        elif member and after[pair] != member:
            kept = 0.0
            continue
        after[pair] = member
    return tuple(after), kept


def _years_of_members(parts: Pairs, ratio: float, part_rate: float) -> float:
    """Mean time to lost data of pairs, every pattern of lost members a state; by part as well."""
    states = list(np.ndindex(*(3,) * len(parts)))  # of a pair: none lost, its first, its second
    place = {state: at for at, state in enumerate(states)}
    leaving = np.zeros((len(states), len(states)))
    for at, state in enumerate(states):
        for gone, per_h in _events(parts, state, ratio, part_rate):
            after, kept = _after(state, gone)
            leaving[at, at] += per_h
            leaving[at, place[after]] -= per_h * kept
    return float(np.linalg.solve(leaving, np.ones(len(states)))[place[(0,) * len(parts)]] / 8760)


@pytest.mark.parametrize("ratio", [1.0, 30.0])
@pytest.mark.parametrize("part_rate", [0.0, 1e-7, 1e-5])
@pytest.mark.parametrize("parts", [[(0, 1), (1, 2), (2, 0)], [(0, 1)] * 3], ids=["three", "two"])
def test_pairs_share_their_fate_as_every_pattern_of_members_has_it(
    parts: list[tuple[int, int]], part_rate: float, ratio: float
) -> None:
    exact = _years_of_members(parts, ratio, part_rate)
    count = len({part for pair in parts for part in pair})
    chain = pairs_chain(
        3, rate_per_h=RATE, repair_per_h=REPAIR, unreadable=UNREADABLE, together_ratio=ratio,
        domains=(Domains(count, part_rate),) if part_rate else (),
    )  # fmt: skip
    # Which of a pair is lost is not followed: a part that comes back is counted as any other.
    assert mean_time_h(chain) / 8760 == pytest.approx(exact, rel=1e-6 if part_rate == 0 else 0.003)


def test_shared_fate_counts_in_raid10_too() -> None:
    plain = {"layout": "raid10", "disks_count": 12, "unrecoverable_per_bit": 0.0}
    for fate in (
        SharedFate(together_ratio=10.0),
        SharedFate(domains_count=2, domain_fraction_per_year=0.01),
    ):
        assert _lost(**plain, shared_fate=fate) > 1.01 * _lost(**plain)
    one = SharedFate(domains_count=1, domain_fraction_per_year=0.5)
    assert _lost(**plain, shared_fate=one) > 0.9


@pytest.mark.parametrize("domains", [None, 2, 8])
def test_pairs_of_drives_that_cannot_be_read_lose_with_the_first(domains: int | None) -> None:
    fate = SharedFate(domains_count=domains, domain_fraction_per_year=0.001 if domains else 0.0)
    params = ArrayLossParams(
        layout="raid10", disks_count=8, disk_gb=20_000.0, unrecoverable_per_bit=1e-9,
        shared_fate=fate,
    )  # fmt: skip
    found = LOSS.run(params, Context())
    assert found.rebuild_unreadable_fraction == 1.0
    first = 8 * found.rate_per_h - (domains or 0) * math.log(0.999) / 8760
    assert found.any_mttdl_years == pytest.approx(1 / first / 8760, rel=1e-9)
    assert found.mttdl_years > 2 * found.any_mttdl_years


def test_groups_lose_together_what_one_loses() -> None:
    assert loss_of_groups(1e-12, 1000) == pytest.approx(1e-9)
    assert loss_of_groups(1.0, 2) == 1.0
    assert loss_of_groups(1.0, 0) == 0.0


@pytest.mark.parametrize("unreadable", [0.0, 0.2])
@pytest.mark.parametrize(("layout", "disks"), [("raid6", 6), ("mirror", 4), ("raid10", 8)])
def test_mean_times_solve_the_linear_equations(layout: Any, disks: int, unreadable: float) -> None:
    chain = _chain(layout, disks, 1e-3, 24.0, unreadable)
    rates = np.array(chain.rates)
    states = len(rates)
    generator = rates[:, :states] - np.diag(rates.sum(axis=1))
    solved = np.linalg.solve(generator, -np.ones(states)) * (1 - np.array(chain.at_start))
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
        drive = ArrayDesign().drive.model_copy(update={"unrecoverable_per_bit": 0.0})
        design = ArrayDesign(layout=layout, drive=drive)
        years = mttdl_of(design, 24.0)
        assert years is not None
        return years, loss_chance(design, YearTerms(), 24.0)

    whole, degraded = of(0), of(1)
    rate = failure_rate_per_h(ArrayDesign().drive.afr_fraction)
    # One of three dies within a repair of 24 h, to first order; then it is as if none was lost.
    early = 3 * rate * 24
    assert degraded[1] == pytest.approx(early + whole[1], rel=0.01)
    assert degraded[0] == pytest.approx((1 - early) * whole[0], rel=1e-3)
    # Section 6.7 of the storage reference: 1.3e-5 to 1.3e-3 in five years with all disks.
    assert degraded[1] > 2 * whole[1]


def test_a_repair_takes_what_the_rebuild_took() -> None:
    layout = Layout(kind="raid5", disks_count=4, rebuild_mb_per_s=100.0)
    drive = ArrayDesign().drive.model_copy(update={"capacity_gb": 360.0})
    design = ArrayDesign(layout=layout, drive=drive)
    assert repair_h_of(design, YearTerms(), 7200.0) == pytest.approx(26.0)
    assert repair_h_of(design, YearTerms(spares_count=1), 7200.0) == pytest.approx(2.0)
    assert repair_h_of(design, YearTerms(spares_count=1), None) == pytest.approx(1.0)
    assert repair_h_of(design, YearTerms(repair_h=5.0), 7200.0) == 5.0


def test_one_function_answers_for_the_simulator_and_the_model() -> None:
    design = ArrayDesign(layout=Layout(kind="raid6", disks_count=8))
    chain = loss_chain_of(
        ArrayLossParams(
            layout="raid6",
            disks_count=8,
            disk_gb=design.drive.capacity_gb,
            afr_fraction=design.drive.afr_fraction,
            mttr_h=24.0,
            unrecoverable_per_bit=design.drive.unrecoverable_per_bit,
        )
    )
    assert mttdl_of(design, 24.0) == pytest.approx(mean_time_h(chain) / 8760)
