"""Coded clusters whose racks, nodes and drives are lost, against chains over every one of them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from capmodels.storage.cluster.recovery import lost_of
from capmodels.tests.storage.test_cluster_code import answered, cluster_of, plain_drive


def _years_of_any(count: int, survived: int, rate: float, repair: float) -> float:
    """Mean time until one more than so many of all are lost, from each state to the next."""
    step = total = 0.0
    for lost in range(survived + 1):
        step = (1 + lost * repair * step) / ((count - lost) * rate)
        total += step
    return total / 8760


@pytest.mark.parametrize("copies", [2, 3, 4])
@pytest.mark.parametrize("recovery_mb_per_s", [0.5, 4.0, 400.0])
def test_racks_lost_one_after_another_are_a_loss(copies: int, recovery_mb_per_s: float) -> None:
    # Of racks of one drive it is the same whether a drive is lost or the rack around it.
    found = answered(
        machines={
            "nodes_count": 6, "drives_per_node_count": 1, "racks_count": 6,
            "node_fraction_per_year": 0.0, "rack_fraction_per_year": 0.4,
        },
        drive=plain_drive() | {"unrecoverable_per_bit": 0.0},
        code={"data_count": 1, "parity_count": copies - 1},
        failure_domain="rack",
        placement_groups_count=10_000,
        recovery={"drive_mb_per_s": recovery_mb_per_s, "detection_h": 0.0},
        work={"requests_per_s": 0.0},
        afr_fraction=0.01,
    )  # fmt: skip
    rate = -(math.log(0.6) + math.log(0.99)) / 8760
    exact = _years_of_any(6, copies - 1, rate, 1 / found.drive_lost.recovery_h)
    assert 0.7 < found.durability.mttdl_years / exact < 1.07
    assert found.durability.mttdl_years <= found.durability.group_mttdl_years


def _rack_steps(state: int, each: int, drive: Any, rack: Any) -> Any:
    """Rates and what follows: low bits are shards lost alone, the three above them racks."""
    shards = 3 * each
    for i in range(3):
        at, of_it = 1 << shards + i, ((1 << each) - 1) << each * i
        # What was lost of a rack before it goes, goes with it.
        yield (rack[1], state ^ at) if state & at else (rack[0], (state | at) & ~of_it)
    for i in range(shards):
        if not state >> shards + i // each & 1:
            yield drive[state >> i & 1], state ^ (1 << i)


def _years_of_racks(each: int, survived: int, drive: Any, rack: Any) -> float:
    """Mean time until a group on three racks has lost too many: each rack and shard is up or not.

    Of drives and racks: rate and repair.
    """
    shards = 3 * each
    alone = (1 << shards) - 1
    states = [
        state
        for state in range(1 << shards + 3)
        if (state & alone).bit_count() + each * (state >> shards).bit_count() <= survived
    ]
    place = {state: at for at, state in enumerate(states)}
    leaving = np.zeros((len(states), len(states)))
    for at, state in enumerate(states):
        for rate, after in _rack_steps(state, each, drive, rack):
            leaving[at, at] += rate
            if after in place:
                leaving[at, place[after]] -= rate
    return float(np.linalg.solve(leaving, np.ones(len(states)))[place[0]] / 8760)


@pytest.mark.parametrize("afr_fraction", [0.002, 0.1, 0.5])
@pytest.mark.parametrize("parity", [2, 3, 4])
def test_a_lost_rack_is_whole_at_its_own_time(parity: int, afr_fraction: float) -> None:
    machines = {
        "nodes_count": 6, "drives_per_node_count": 20, "racks_count": 3,
        "node_fraction_per_year": 0.0, "rack_fraction_per_year": 0.05,
    }  # fmt: skip
    given: dict[str, Any] = {
        "machines": machines,
        "code": {"data_count": 6 - parity, "parity_count": parity},
        "drive": plain_drive() | {"unrecoverable_per_bit": 0.0},
        "recovery": {"drive_mb_per_s": 4.0, "detection_h": 0.0},
        "work": {"requests_per_s": 0.0},
        "afr_fraction": afr_fraction,
    }
    found = answered(**given)
    rates = [-math.log1p(-share) / 8760 for share in (afr_fraction, 0.05)]
    times = found.drive_lost.recovery_h, lost_of(cluster_of(**given), 40).recovery_h
    drive, rack = zip(rates, (1 / time for time in times), strict=True)
    exact = _years_of_racks(2, parity, drive, rack)
    assert found.durability.group_mttdl_years == pytest.approx(exact, rel=0.04)


def test_losing_nodes_more_often_never_makes_data_safer() -> None:
    # Racks of three and four shards, whose rebuild takes hundreds of times that of a drive.
    found = [
        answered(
            machines={
                "nodes_count": 24, "drives_per_node_count": 8, "racks_count": 6,
                "rack_fraction_per_year": 0.05, "node_fraction_per_year": share,
            },
            code={"data_count": 12, "parity_count": 8},
        ).durability
        for share in (0.0, 0.01, 0.1, 0.5)
    ]  # fmt: skip
    for safer, worse in pairwise(found):
        assert worse.mttdl_years < safer.mttdl_years
        assert worse.object_nines_count < safer.object_nines_count
