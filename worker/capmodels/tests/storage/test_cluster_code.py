"""Coded clusters: codes by listing patterns, placement by counting, durability by other chains."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.numbers import missing, quantity, significant
from capmodels.storage.cluster.array_params import SimulatedWork
from capmodels.storage.cluster.codes import Code, decodable_fraction, survival_steps
from capmodels.storage.cluster.durability import durability
from capmodels.storage.cluster.params import ClusterCodeParams, ClusterWork
from capmodels.storage.cluster.placement import Shelf, drives_of, hashed
from capmodels.storage.cluster.recovery import lost_of
from capmodels.storage.cluster.told import code_table

MODEL = registry.get_model("storage.cluster_code")


def cluster_of(**given: Any) -> ClusterCodeParams:
    return ClusterCodeParams.model_validate(given)


def answered(**given: Any) -> Any:
    return spec.evaluate(MODEL, given)


def _listed(code: Code, lost: int) -> float:
    """Share of patterns that can be decoded, by looking at each."""
    groups = [i % code.local_count for i in range(code.data_count)]
    groups += list(range(code.local_count)) + [-1] * code.parity_count
    good = 0
    for pattern in combinations(range(code.shards_count), lost):
        hurt = [groups[i] for i in pattern]
        left = sum(max(hurt.count(g) - 1, 0) for g in range(code.local_count)) + hurt.count(-1)
        good += left <= code.parity_count
    return good / math.comb(code.shards_count, lost)


@pytest.mark.parametrize("code", [Code(12, 2, 2), Code(6, 2, 2), Code(7, 2, 3), Code(4, 1, 2)])
def test_patterns_of_local_groups_are_counted(code: Code) -> None:
    for lost in range(code.survives_most + 2):
        assert decodable_fraction(code, lost) == pytest.approx(_listed(code, lost))
    assert decodable_fraction(code, code.survives_any) == 1.0
    assert math.prod(survival_steps(code)) == pytest.approx(
        decodable_fraction(code, code.survives_most)
    )


def test_a_code_without_local_groups_survives_its_parities() -> None:
    code = Code(8, 3)
    assert [decodable_fraction(code, lost) for lost in range(5)] == [1.0, 1.0, 1.0, 1.0, 0.0]
    assert (code.repair_reads, Code(1, 2).repair_reads) == (8, 1)


def test_groups_lie_on_different_nodes_and_evenly() -> None:
    shelf, groups = Shelf(12, 12), 3000
    placed = [drives_of(group, shelf, 11) for group in range(groups)]
    assert all(len({drive // 12 for drive in drives}) == 11 for drives in placed)
    counts = np.bincount([drive for drives in placed for drive in drives], minlength=144)
    expected = groups * 11 / 144
    # Of hashes that are as good as chance: a chi-square near its number of drives.
    assert ((counts - expected) ** 2 / expected).sum() < 144 + 4 * math.sqrt(2 * 144)
    first = np.bincount([drives[0] // 12 for drives in placed], minlength=12)
    assert first.min() > 0.8 * groups / 12


def test_a_lost_drive_moves_its_own_groups_and_few_others() -> None:
    shelf, groups = Shelf(12, 12), 2000
    before = [set(drives_of(group, shelf, 11)) for group in range(groups)]
    after = [set(drives_of(group, shelf, 11, frozenset({5}))) for group in range(groups)]
    assert all(5 not in drives for drives in after)
    kept = [a == b for a, b in zip(before, after, strict=True) if 5 not in a]
    assert sum(kept) > 0.98 * len(kept)
    moved = [len(a - b) for a, b in zip(before, after, strict=True) if 5 in a]
    assert sum(moved) < 1.2 * len(moved)


def test_hashes_differ_in_half_of_their_bits() -> None:
    apart = [(hashed(i, 7) ^ hashed(i + 1, 7)).bit_count() for i in range(2000)]
    assert 31.5 < sum(apart) / len(apart) < 32.5


def test_two_petabytes_as_8_and_3() -> None:
    found = answered(machines={"nodes_count": 12, "drives_per_node_count": 12})
    assert found.drives_count == 144
    assert found.raw_tb == pytest.approx(2880.0)
    assert found.usable_tb == pytest.approx(2880 * 0.85 * 8 / 11)
    assert found.overhead_ratio == pytest.approx(11 / 8)
    # 17 TB written anew, 8 times as much read, by 143 drives at 40 MB/s.
    hours = 0.25 + 17e6 * 9 / (143 * 40) / 3600
    assert lost_of(cluster_of(), 1).recovery_h == pytest.approx(hours)
    assert found.drive_lost.bound_by == "drives"
    slow = lost_of(cluster_of(machines={"network_gbit_per_s": 1.0}), 1)
    assert slow.bound_by == "network"
    assert slow.recovery_h == pytest.approx(0.25 + 17e6 * 8 / ((12 - 1 / 12) * 62.5) / 3600)
    # Drives that are busy for half of their time leave less of it to a recovery.
    whole: Any = durability(cluster_of(), lambda _: 1.0).object_nines_count
    assert whole > 10
    assert 9 < found.durability.object_nines_count < whole - 0.5
    idle = answered(work={"requests_per_s": 0.0})
    assert 2 * hours < idle.drive_lost.recovery_h < 2.4 * hours
    assert found.usd_per_usable_tb_year is not None


@pytest.mark.decisive
def test_a_group_agrees_with_a_chain_solved_in_another_way() -> None:
    found = answered(
        code={"data_count": 8, "parity_count": 3},
        machines={"node_fraction_per_year": 0.0},
        drive={**plain_drive(), "unrecoverable_per_bit": 0.0},
        afr_fraction=0.02,
    )
    rate, mu = -math.log(0.98) / 8760, 1 / found.drive_lost.recovery_h
    # Times from i to i + 1 lost, each from the one before.
    step = total = 0.0
    for lost in range(4):
        up = (11 - lost) * rate
        step = (1 + lost * mu * step) / up
        total += step
    assert found.durability.group_mttdl_years == pytest.approx(total / 8760, rel=1e-6)


def plain_drive() -> dict[str, Any]:
    drive: dict[str, Any] = spec.validate(MODEL, {}).model_dump(mode="json")["drive"]
    return drive


def _years_of_sets(drives: int, groups: Any, survived: int, rate: float, repair: float) -> float:
    """Mean time until a group has lost too many: every set of lost drives is a state."""
    members = [sum(1 << int(drive) for drive in group) for group in groups]

    def holds(lost: int) -> bool:
        return all((lost & group).bit_count() <= survived for group in members)

    states = [lost for lost in range(1 << drives) if holds(lost)]
    place = {lost: at for at, lost in enumerate(states)}
    leaving = np.zeros((len(states), len(states)))
    for at, lost in enumerate(states):
        for drive in range(drives):
            back = lost >> drive & 1
            leaving[at, at] += repair if back else rate
            after = place.get(lost ^ (1 << drive))
            if after is not None:
                leaving[at, after] -= repair if back else rate
    return float(np.linalg.solve(leaving, np.ones(len(states)))[place[0]] / 8760)


@pytest.mark.parametrize(("data", "parity", "groups"), [(2, 1, 3), (2, 2, 4), (3, 2, 40)])
@pytest.mark.parametrize("recovery_mb_per_s", [0.5, 4.0, 400.0])
def test_losses_of_groups_that_share_drives_are_those_of_every_set_of_drives(
    data: int, parity: int, groups: int, recovery_mb_per_s: float
) -> None:
    found = answered(
        machines={
            "nodes_count": 9, "drives_per_node_count": 1, "racks_count": 1,
            "node_fraction_per_year": 0.0,
        },
        drive=plain_drive() | {"unrecoverable_per_bit": 0.0},
        code={"data_count": data, "parity_count": parity},
        failure_domain="drive",
        placement_groups_count=groups,
        recovery={"drive_mb_per_s": recovery_mb_per_s, "detection_h": 0.0},
        work={"requests_per_s": 0.0},
        afr_fraction=0.5,
    )  # fmt: skip
    rng = np.random.default_rng(11)
    rate, repair = math.log(2) / 8760, 1 / found.drive_lost.recovery_h
    losses = [
        1 / _years_of_sets(
            9,
            [rng.choice(9, data + parity, replace=False) for _ in range(groups)],
            parity, rate, repair,
        )
        for _ in range(12)
    ]  # fmt: skip
    # Never rarer than they are, nor much more frequent: from drives that are back at once to
    # clusters of which half is lost at any time.
    ratio = 1 / found.durability.mttdl_years / float(np.mean(losses))
    assert 0.93 < ratio < 1.35


def test_more_groups_spread_losses_until_any_set_of_drives_is_one() -> None:
    # At the same pace: fewer groups are rebuilt on fewer drives, more slowly.
    found: list[Any] = [
        durability(cluster_of(placement_groups_count=count), lambda _: 1.0)
        for count in (14, 1000, 10_000_000)
    ]
    few, many, all_of_them = found
    assert few.hit_fraction < many.hit_fraction < all_of_them.hit_fraction <= 1.0
    assert few.mttdl_years > many.mttdl_years > all_of_them.mttdl_years
    # The expected loss is the same: what comes less often takes more data.
    assert few.object_nines_count == pytest.approx(many.object_nines_count, abs=0.3)


def _most_shards(sizes: list[int], shards: int) -> float:
    """Room that groups of so many shards take, by halves: each part has one of a group."""
    low, high = 0.0, float(sum(sizes))
    for _ in range(60):
        taken = (low + high) / 2
        low, high = (
            (taken, high)
            if sum(min(size, taken / shards) for size in sizes) >= taken
            else (low, taken)
        )
    return low


@pytest.mark.parametrize("data", [1, 2, 3])
@pytest.mark.parametrize(("nodes", "racks"), [(13, 4), (7, 3), (5, 4), (9, 8), (23, 5), (12, 4)])
def test_racks_of_unequal_size_hold_what_one_shard_a_rack_allows(
    nodes: int, racks: int, data: int
) -> None:
    parity = min(2, racks - data)
    found = answered(
        machines={"nodes_count": nodes, "racks_count": racks},
        code={"data_count": data, "parity_count": parity},
        failure_domain="rack",
    )
    sizes = [(rack + 1) * nodes // racks - rack * nodes // racks for rack in range(racks)]
    room = _most_shards(sizes, data + parity) / nodes
    expected = 0.85 * found.raw_tb * data / (data + parity) * room
    assert found.usable_tb == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("domain", ["drive", "node", "rack", "site"])
def test_one_copy_in_the_only_domain_is_answered(domain: str) -> None:
    one = {"drive": {"nodes_count": 1, "drives_per_node_count": 1}, "node": {"nodes_count": 1}}
    found = answered(
        machines={"racks_count": 1, **one.get(domain, {})},
        code={"data_count": 1, "parity_count": 0},
        failure_domain=domain,
        work={"requests_per_s": 1.0, "size_bytes": 65_536},
    )
    assert found.durability.survives_count == 0
    assert found.drive_lost.network_tb is not None
    assert found.load.write.p99_ms > found.load.write.p50_ms


def test_three_copies_are_a_code_of_one_shard() -> None:
    copies = answered(code={"data_count": 1, "parity_count": 2})
    coded = answered(code={"data_count": 8, "parity_count": 3})
    assert copies.overhead_ratio == 3.0
    assert copies.drive_lost.read_tb == pytest.approx(coded.drive_lost.read_tb / 8)
    assert copies.usable_tb < coded.usable_tb / 2


def test_what_harms_durability_does() -> None:
    plain = answered().durability
    for given in (
        {"terms": {"together_ratio": 20.0}},
        {"machines": {"node_fraction_per_year": 0.05}},
        {"recovery": {"drive_mb_per_s": 5.0}},
        {"afr_fraction": 0.08},
        {"code": {"data_count": 8, "parity_count": 2}},
    ):
        worse = answered(**given).durability
        assert worse.mttdl_years < plain.mttdl_years
        assert worse.object_nines_count < plain.object_nines_count


def test_local_groups_repair_from_fewer_shards() -> None:
    machines = {"nodes_count": 20, "drives_per_node_count": 12}
    local = {"data_count": 12, "parity_count": 2, "local_groups_count": 2}
    found = answered(code=local, machines=machines)
    whole = answered(code={"data_count": 12, "parity_count": 4}, machines=machines)
    # Twelve data shards and two local parities from six others, two parities over all from twelve.
    ratio = (14 * 6 + 2 * 12) / 16 / 12
    assert found.drive_lost.read_tb == pytest.approx(whole.drive_lost.read_tb * ratio)
    assert found.overhead_ratio == whole.overhead_ratio
    assert found.durability.survives_count == 3
    assert found.durability.object_nines_count < whole.durability.object_nines_count


@pytest.mark.parametrize("size_bytes", [65_536, 8_388_608])
@pytest.mark.parametrize("gbit_per_s", [1.0, 5.0])
@pytest.mark.parametrize(("data", "parity"), [(6, 3), (1, 1), (1, 4)])
def test_slow_networks_hold_requests_up_as_in_the_simulation(
    data: int, parity: int, gbit_per_s: float, size_bytes: int
) -> None:
    given: dict[str, Any] = {
        "code": {"data_count": data, "parity_count": parity},
        "machines": {
            "nodes_count": 10, "drives_per_node_count": 10, "racks_count": 1,
            "network_gbit_per_s": gbit_per_s,
        },
    }  # fmt: skip
    work = {"size_bytes": size_bytes, "read_fraction": 0.6, "requests_per_s": 1.0}
    one = answered(**given, work=work).load
    work["requests_per_s"] = min(0.3 / one.drive_load_fraction, 0.3 / one.network_load_fraction)
    ours = answered(**given, work=work).load
    ran = spec.evaluate(
        registry.get_model("storage.cluster_array"),
        {**given, "work": {**work, "requests_count": 30_000}},
    )
    before = ran.phases[0]
    # Its links pass a shard in what is left of a slot from before; in order they are slower.
    assert ours.read_mean_ms == pytest.approx(before.read.mean_ms, rel=0.2)
    assert ours.write_mean_ms == pytest.approx(before.write.mean_ms, rel=0.2)


def test_a_network_that_is_asked_for_more_than_it_passes_answers_nothing() -> None:
    work = {"size_bytes": 8_388_608, "read_fraction": 0.0, "requests_per_s": 200.0}
    load = answered(machines={"network_gbit_per_s": 1.0}, work=work).load
    assert load.network_load_fraction > 1 > load.drive_load_fraction
    assert load.write_mean_ms is None


@pytest.mark.parametrize(("data", "parity", "groups"), [(12, 3, 2), (7, 2, 3), (4, 2, 0)])
def test_a_repair_reads_what_the_simulated_one_does(data: int, parity: int, groups: int) -> None:
    shards = data + parity + groups
    given = {
        "code": {"data_count": data, "parity_count": parity, "local_groups_count": groups},
        "machines": {"nodes_count": shards + 2, "drives_per_node_count": 2, "racks_count": 1},
        "placement_groups_count": 1024,
    }
    found = answered(**given, work={"requests_per_s": 10.0})
    work = {"requests_per_s": 10.0, "requests_count": 6000}
    ran = spec.evaluate(
        registry.get_model("storage.cluster_array"), {**given, "work": work, "lost": "node"}
    )
    assert ran.rebuild.read_tb == pytest.approx(found.node_lost.read_tb, rel=0.05)


def test_load_follows_from_shards_and_requests() -> None:
    found = answered(work={"requests_per_s": 100.0, "read_fraction": 0.5, "size_bytes": 1 << 20})
    assert found.load.drive_operations_per_s == pytest.approx(50 * (8 + 11) / 144)
    busy = answered(work={"requests_per_s": 1e6})
    assert busy.load.read_mean_ms is None
    assert busy.load.drive_load_fraction > 1
    flash = answered(drive={
        "kind": "ssd", "capacity_gb": 15_360.0, "read_latency_ms": 0.1, "write_latency_ms": 0.03,
        "read_mb_per_s": 900.0, "write_mb_per_s": 500.0, "channels_count": 16, "active_w": 20.0,
        "idle_w": 5.0, "price_usd": 1500.0,
    })  # fmt: skip
    assert flash.load.read_mean_ms < 5


@pytest.mark.parametrize(
    ("pointer", "given"),
    [
        ("/failure_domain", {"failure_domain": "rack"}),
        ("/failure_domain", {"code": {"data_count": 20, "parity_count": 4}}),
        ("/machines/racks_count", {"machines": {"nodes_count": 2, "racks_count": 3}}),
        ("/code/local_groups_count", {"code": {"data_count": 2, "local_groups_count": 3}}),
        # 13 groups of 11 shards on 144 drives: one holds nothing, though its room was counted.
        ("/placement_groups_count", {"placement_groups_count": 13}),
    ],
)
def test_a_cluster_that_cannot_be_is_told_at_its_field(pointer: str, given: dict[str, Any]) -> None:
    with pytest.raises(ParamsError) as refused:
        spec.evaluate(MODEL, given)
    assert pointer in {fault.pointer for fault in refused.value.faults}


def test_a_drive_that_never_fails_is_told_where_its_chance_is_entered() -> None:
    drive = plain_drive() | {"afr_fraction": 0.0}
    with pytest.raises(ParamsError) as refused:
        answered(drive=drive, machines={"node_fraction_per_year": 0.0})
    assert [fault.pointer for fault in refused.value.faults] == ["/afr_fraction"]
    assert answered(drive=drive, afr_fraction=0.01).durability.object_nines_count > 5


def test_too_few_failure_domains_are_told_with_what_would_be_right() -> None:
    given = {"machines": {"nodes_count": 5, "racks_count": 1}}
    with pytest.raises(ParamsError) as refused:
        spec.validate(MODEL, given)
    told = {fault.pointer: fault.message for fault in refused.value.faults}
    assert told["/failure_domain"] == (
        "The code has 11 shards, and the cluster 5 nodes, of which each may hold one. "
        "Enter more nodes, fewer shards, or a narrower failure domain."
    )


def test_its_table_says_space_repairs_and_what_a_tb_costs_each_with_its_unit() -> None:
    answer = answered()
    (table,) = answer.tables
    said = {row.head: row.cells[0].replace("\u00a0", " ") for row in table.rows}
    assert said["Raw space of a byte"] == f"{significant(answer.overhead_ratio)} ×"
    assert said["Rebuild of a node"] == quantity(answer.node_lost.recovery_h, "h").replace(
        "\u00a0", " "
    )
    assert said["Usable TB, a year"].endswith("/TB-yr")
    rare = answer.durability.model_copy(update={"loss_fraction_per_year": 3e-12})
    never = answer.durability.model_copy(update={"loss_fraction_per_year": 0.0})
    chances = [
        code_table(answer.model_copy(update={"durability": one})).rows[7] for one in (rare, never)
    ]
    assert [row.head for row in chances] == ["Any data lost, chance a year"] * 2
    assert [row.cells[0].replace("\u00a0", " ") for row in chances] == ["1 in 333 billion", "0%"]


def test_the_default_leaves_drives_half_of_their_time() -> None:
    load = answered().load
    assert 0.4 < load.drive_load_fraction < 0.55
    assert ClusterWork() == ClusterWork.model_validate(
        SimulatedWork().model_dump(include=set(ClusterWork.model_fields))
    )


@pytest.mark.parametrize(
    ("requests_per_s", "drive", "node", "served"),
    [(500.0, True, True, True), (700.0, True, False, True), (1000.0, False, False, False)],
)
def test_a_time_that_requests_leave_unknown_is_told_as_unknown(
    requests_per_s: float, drive: bool, node: bool, served: bool
) -> None:
    found = answered(work={"requests_per_s": requests_per_s})
    assert (found.drive_lost.recovery_h is not None) is drive
    assert (found.node_lost.recovery_h is not None) is node
    assert (found.load.read_mean_ms is not None) is served
    # How safe data are goes by how long both take.
    safe = found.durability
    of_time = (safe.object_nines_count, safe.mttdl_years, safe.loss_fraction_per_year)
    assert (None in of_time) is not node
    assert len(set(map(type, of_time))) == 1
    assert safe.hit_fraction > 0
    assert safe.survives_count == 3
    unknown = [note for note in found.notes if "and so how safe data are, is unknown." in note]
    assert len(unknown) == (0 if node else 1)
    assert ("durability unknown" in found.headline) is not node
    said = {row.head: row.cells[0] for row in found.tables[0].rows}
    assert (said["Rebuild of a node"] == missing()) is not node
    assert (said["Nines of an object, a year"] == missing()) is not node
