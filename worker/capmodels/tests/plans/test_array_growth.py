"""Clusters that grow by nodes and arrays that are filled by groups: by hand, and by other sums."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from capmodels.amounts import drawn
from capmodels.errors import ParamsError
from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.check.like_for_like import check
from capmodels.plans.compare import SPEC, compare
from capmodels.plans.costing.array_size import bought, empty
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.array_spec import ArraySpec
from capmodels.plans.document.pointers import leaf_at, substitute
from capmodels.spec import upgrade
from capmodels.tests.plans.arrays import FLASH, array
from capmodels.tests.plans.documents import (
    answer,
    cause_usd,
    column,
    in_hindsight,
    plain,
    study_of,
)
from capmodels.tests.plans.test_array_code import DRIVE, MIX, coded, work

JSONDict = dict[str, Any]
# 12 drives of 20 TB on each of 12 nodes, coded 8 + 3 and filled to 85%.
NODE_TB = 12 * 20 * 0.85 * 8 / 11
GROWTH = {"object_fraction_per_year": 0.2}
ENDS_TB = [1700 * 1.2**year for year in (1, 2, 3)]
NODES = [math.ceil(tb / NODE_TB) for tb in ENDS_TB]


def three_years(design: JSONDict, **changes: Any) -> Any:
    """Column of a design whose 1,700 TB of objects grow by 20% a year."""
    assumptions = changes.pop("assumptions", {})
    given = {**work(growth=GROWTH), **changes}
    return column(answer(plain([design], given, horizon_months=36, **assumptions)), "A")


def shelf(**changes: Any) -> JSONDict:
    """Four groups of ten drives in RAID-6, two hot spares, a shelf of $5,000 and 100 W."""
    spec = {
        "drive": DRIVE,
        "drive_price_usd": 320.0,
        "layout": "raid6",
        "disks_count": 40,
        "disks_per_group": 10,
        "spares_count": 2,
        "count": None,
        "carries": "object",
        "enclosure": {"unit_price_usd": 5000.0, "power_w": 100.0, "rack_units_count": 5.0},
    }
    return array(**{**spec, **changes})


@pytest.mark.decisive
def test_three_years_of_a_cluster_that_grows_by_nodes_add_up_by_hand() -> None:
    node = {"unit_price_usd": 6000.0, "power_w": 250.0, "rack_units_count": 8.0}
    design = coded(count=None, enclosure=node, design={"space": {"usd_per_rack_month": 100.0}})
    found = three_years(design, assumptions={"electricity": {"kind": "flat", "usd_per_kwh": 0.1}})
    assert NODES == [14, 17, 20]
    assert cause_usd(found, "enclosures") == pytest.approx(20 * 6000.0, rel=1e-12)
    assert cause_usd(found, "drives") == pytest.approx(20 * 12 * 320.0, rel=1e-12)
    # Bought as they are needed: 14 nodes at the start, 3 and 3 a year and two years later.
    paid = [year.capex_usd for year in found.years]
    node_usd = 6000.0 + 12 * 320.0
    assert paid == pytest.approx([14 * node_usd, 3 * node_usd, 3 * node_usd], rel=1e-12)
    # 8 units a node: 112, 136 and 160 of 40 a rack.
    assert cause_usd(found, "space") == pytest.approx(12 * 100.0 * (3 + 4 + 4))
    years = found.array.years
    assert [year.nodes_count for year in years] == NODES
    assert [year.usable_tb for year in years] == pytest.approx([n * NODE_TB for n in NODES])
    used = [tb / (n * NODE_TB) for tb, n in zip(ENDS_TB, NODES, strict=True)]
    assert [year.used_fraction for year in years] == pytest.approx(used)
    # Drives idle but for the requests, which are as many each year.
    busy_w = years[0].mean_w - 14 * (250.0 + 12 * 5.8)
    rest_w = [n * (250.0 + 12 * 5.8) for n in NODES]
    assert [year.mean_w for year in years] == pytest.approx([w + busy_w for w in rest_w])
    kwh = sum(w + busy_w for w in rest_w) * 8.76
    assert cause_usd(found, "energy") == pytest.approx(kwh * 0.1, rel=1e-3)
    [group] = found.sizing[2].groups
    assert (group.count, group.unit) == (20, "node")
    assert group.required["disk"] == pytest.approx(ENDS_TB[2] / NODE_TB)
    assert "20 nodes of 12 drives in year 3; nodes needed: 19.8 for disk" in found.binding.detail


def birth_death_h(members: int, tolerated: int, rate: float, rebuild_h: float) -> float:
    """Mean time until one more member than tolerated is lost, step by step from none. [h]"""
    step, total = 0.0, 0.0
    for lost in range(tolerated + 1):
        up, down = (members - lost) * rate, lost / rebuild_h
        step = 1 / up + down / up * step
        total += step
    return total


def hitting_h(members: int, survived: int, rate: float, rebuild_h: float, hit: float) -> float:
    """Mean time until lost members, of any number, are those of some group, in fractions. [h]"""
    lam, repair, miss = Fraction(rate), 1 / Fraction(rebuild_h), 1 - Fraction(hit)
    # The time from j lost on is so much and so many times that from j + 1 lost on.
    much, times = [Fraction(0)], [Fraction(0)]
    for lost in range(survived + 8):
        up, down = (members - lost) * lam, lost * repair
        left = up + down * (1 - times[-1])
        much.append((1 + down * much[-1]) / left)
        times.append(up * miss ** math.comb(lost, survived) / left)
    found = Fraction(0)
    for own, factor in zip(reversed(much[1:]), reversed(times[1:]), strict=True):
        found = own + factor * found
    return float(found)


def test_the_chain_of_losses_is_that_of_the_nodes_of_each_year() -> None:
    drive = {**DRIVE, "unrecoverable_per_bit": 0.0}
    found = three_years(coded(count=None, drive=drive, code={"node_fraction_per_year": 0.0}))
    rate = -math.log(1 - 0.015) / 8760
    paces = []
    for nodes, year in zip(NODES, found.array.years, strict=True):
        drives, groups = nodes * 12, round(1024 * nodes / 12)
        written_mb = 20e6 * 0.85
        by_drives_s = written_mb * 9 / ((drives - 1) * 40.0)
        by_network_s = written_mb * 8 / ((nodes - 1 / 12) * 25e3 / 8 * 0.5)
        rebuild_h = year.rebuild_h
        paces.append(max(by_drives_s, by_network_s) / 3600 / (rebuild_h - 0.25))
        group_h = birth_death_h(11, 3, rate, rebuild_h)
        hit = 1 - (1 - math.comb(11, 4) / math.comb(drives, 4)) ** groups
        anywhere_h = hitting_h(drives, 3, rate, rebuild_h, hit)
        lost = -math.expm1(-8760 / max(group_h / groups, anywhere_h))
        assert year.loss_fraction_per_year == pytest.approx(lost, rel=1e-6)
        assert year.object_nines_count == pytest.approx(-math.log10(8760 / group_h), abs=1e-6)
        assert year.failures_per_year == pytest.approx(drives * rate * 8760)
    assert found.array.loss_fraction_per_year == found.array.years[-1].loss_fraction_per_year
    # As slow beside the requests as in the last year, of which each drive's rate tells.
    assert paces == pytest.approx([found.array.rebuild_mb_per_s / 40.0] * len(paces))
    assert 0.2 < paces[0] < 0.9


def test_a_network_that_binds_is_that_of_the_nodes_there() -> None:
    """Of 100 bytes, 80 read go out whole; 7 of 8 shards read and 10 written go out as well."""
    slow = {"network_gbit_per_s": 1.0}
    found = three_years(coded(count=None, code=slow), block_io_per_s=1500.0)

    def bears(nodes: int) -> float:
        return nodes * 125e6 / 4_194_304 / (0.8 + 0.8 * 7 / 8 + 0.2 * 10 / 8)

    nodes = next(n for n in range(12, 500) if bears(n) >= 1500.0)
    assert [year.nodes_count for year in found.array.years] == [nodes] * 3
    assert found.array.iops_ceiling_per_s == pytest.approx(bears(nodes))
    assert found.array.iops_bound_by == "network"


def test_a_shelf_is_bought_with_the_groups_that_are_needed_and_filled_before_the_next() -> None:
    """A group holds 160 TB: 100 TB need one, 450 TB three, 900 TB six, in two shelves."""
    group_usd, shelf_usd = 10 * 320.0, 5000.0 + 2 * 320.0
    for tb, groups, shelves in ((100.0, 1, 1), (450.0, 3, 1), (640.0, 4, 1), (900.0, 6, 2)):
        asked = {**work(), "object_tb": tb, "block_io_per_s": 0.0}
        found = column(answer(plain([shelf()], asked)), "A")
        figures = found.array
        assert figures is not None
        assert (figures.drives_count, figures.arrays_count) == (groups * 10, shelves)
        assert figures.usable_tb == pytest.approx(groups * 160.0)
        paid = cause_usd(found, "drives") + cause_usd(found, "enclosures")
        assert paid == pytest.approx(groups * group_usd + shelves * shelf_usd, rel=1e-12)
        idle_w = groups * 10 * 5.8 + shelves * (100.0 + 2 * 5.8)
        assert figures.mean_w == pytest.approx(idle_w)
        assert found.sizing[0].groups[0].unit == "drive"
        assert f"{groups * 10} drives in {shelves} array" in found.binding.detail
        one = column(answer(plain([shelf(count=1, disks_count=10)], asked)), "A").array
        assert one is not None
        assert figures.loss_fraction_per_year == pytest.approx(
            1 - (1 - (one.loss_fraction_per_year or 0.0)) ** groups, rel=1e-9
        )
        assert figures.object_nines_count == pytest.approx(one.object_nines_count)


def test_a_shelf_that_is_filled_later_is_not_paid_for_twice() -> None:
    doubled = {"object_fraction_per_year": 1.0}
    asked = {**work(growth=doubled), "object_tb": 150.0, "block_io_per_s": 0.0}
    found: Any = column(answer(plain([shelf()], asked, horizon_months=36)), "A")
    # 300, 600 and 1,200 TB: two groups, four, and eight in a second shelf.
    assert [year.drives_count for year in found.array.years] == [20, 40, 80]
    assert [year.arrays_count for year in found.array.years] == [1, 1, 2]
    paid = [year.capex_usd for year in found.years]
    shelf_usd = 5000.0 + 2 * 320.0
    assert paid == pytest.approx([6400 + shelf_usd, 6400, 12800 + shelf_usd])


def test_a_declustered_array_grows_by_drives() -> None:
    asked = {**work(), "object_tb": 300.0, "block_io_per_s": 0.0}

    spec: JSONDict = {"layout": "draid2", "disks_count": 58}

    def found(**changes: Any) -> Any:
        return column(answer(plain([shelf(**{**spec, **changes})], asked)), "A").array

    # 300 TB are 18.75 drives' worth at 8 of 10; two more are spare room.
    assert found().drives_count == 20 + 2
    assert found(expansion={"step_count": 1}).drives_count == 19 + 2
    assert found(expansion={"step_count": 7}).drives_count == 21 + 2
    one = found(expansion={"step_count": 1})
    alone = found(count=1, disks_count=19)
    assert one.loss_fraction_per_year == pytest.approx(alone.loss_fraction_per_year, rel=1e-9)
    assert one.rebuild_h == pytest.approx(alone.rebuild_h)
    assert one.mean_w == pytest.approx(alone.mean_w)


def test_racks_and_sites_are_added_whole_where_they_are_the_failure_domain() -> None:
    code = {"data_count": 4, "parity_count": 2, "racks_count": 6, "failure_domain": "rack"}
    found = three_years(coded(count=None, code=code))
    node_tb = 12 * 20 * 0.85 * 4 / 6
    # Two nodes a rack.
    assert [year.nodes_count for year in found.array.years] == [
        max(12, 2 * math.ceil(tb / node_tb / 2)) for tb in ENDS_TB
    ]
    step = three_years(coded(count=None, code=code, expansion={"step_count": 2}))
    assert [year.nodes_count for year in step.array.years] == [16, 20, 24]


def brute(spec: ArraySpec, need: float) -> float:
    """The first size that is enough, of all that there can be in order."""
    if need <= 1e-9:
        return 0.0
    if spec.code is not None:
        step = (spec.expansion.step_count or 1) * spec.code.nodes_per_domain_count
        nodes = spec.code.nodes_count
        while nodes / spec.code.nodes_count < need - 1e-9:
            nodes += step
        return nodes / spec.code.nodes_count
    drives = 0
    while drives / spec.disks_count < need - 1e-9:
        full, rest = divmod(drives, spec.disks_count)
        more = max(rest + spec.step_drives_count, spec.per_group)
        drives = full * spec.disks_count + min(more, spec.disks_count)
    return drives / spec.disks_count


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"expansion": {"step_count": 20}},
        {"expansion": {"step_count": 30}},
        {"layout": "draid2", "disks_count": 58, "expansion": {"step_count": 10}},
        {"code": {"nodes_count": 12}, "disks_count": 48},
        {"code": {"nodes_count": 12}, "disks_count": 48, "expansion": {"step_count": 5}},
    ],
)
def test_what_is_bought_is_the_first_size_that_is_enough(changes: JSONDict) -> None:
    spec = ArraySpec.model_validate(shelf(**changes)["array"])
    needs = np.concatenate(
        [[0.0, 1.0, 2.0, 0.25, 13 / 12], np.random.default_rng(5).random(200) * 4]
    )
    together: Any = bought(spec, drawn(needs))
    for need, found in zip(needs, together, strict=True):
        assert bought(spec, float(need)) == pytest.approx(found, abs=1e-12)
        assert found == pytest.approx(brute(spec, float(need)), abs=1e-9)
        room = empty(spec, float(found))
        boxes = found if spec.code else math.ceil(found - 1e-9)
        assert found + room == pytest.approx(boxes)


MOVED = (
    "/workload/object_tb",
    "/workload/block_io_per_s",
    "/workload/growth/object_fraction_per_year",
    "/designs/A/array/drive_price_usd",
    "/designs/A/array/drive/idle_w",
    "/designs/A/array/drive/capacity_gb",
    "/designs/A/array/reduction_ratio",
    "/designs/A/array/code/network_gbit_per_s",
)


@pytest.mark.parametrize("cache", [None, {"device": FLASH, "unit_price_usd": 700.0}])
@pytest.mark.parametrize("of", [coded, shelf])
def test_every_draw_of_a_growth_is_the_point(of: Any, cache: JSONDict | None) -> None:
    """Each simulation buys what its own demand needs, where it is known beforehand."""
    given = {"count": None, "cache": cache, "warranty_months": 3, "reduction_ratio": 1.1}
    if of is coded:
        given["code"] = {"network_gbit_per_s": 0.6}
    design = of(**given)
    design |= {"refresh_months": 24, "provision_ratio": 1.2}
    asked = work(growth=GROWTH, p99_ratio=None)
    power = {"electricity": {"kind": "flat", "usd_per_kwh": 0.13}, "pue": 1.4}
    study = in_hindsight(study_of(plain([design], asked, horizon_months=60, **power)))
    values: dict[Any, Any] = {}
    for pointer in MOVED:
        leaf = leaf_at(study, pointer)
        if leaf is not None:
            values[leaf.path] = np.array([0.5, 1.0, 1.3, 1.7]) * float(leaf.value)
    _, books = Evaluator(study, Scene(study).curves).books(values, 4)
    cash: Any = books["A"].cash()
    for row in range(4):
        point = substitute(study, {path: float(found[row]) for path, found in values.items()})
        total = column(compare(point), "A").total_usd
        assert float(cash[:, row].sum()) == pytest.approx(total, rel=1e-12)


def test_nodes_are_ordered_before_a_simulation_tells_what_the_demand_is() -> None:
    """Those of the first year by the plan; those of the next by what was seen until then."""
    design = coded(count=None)
    document = plain([design], work(growth=GROWTH), horizon_months=36)
    pointer = "/workload/growth/object_fraction_per_year"
    document["ranges"] = [{"pointer": pointer, "low": 0.0, "high": 0.5}]
    study = study_of(document)
    leaf = leaf_at(study, pointer)
    assert leaf is not None
    _, [item], _ = Evaluator(study, Scene(study).curves).costed(
        {leaf.path: np.array([0.0, 0.2, 0.5])}, 3
    )
    assert item.owned is not None
    [plan] = item.owned.arrays
    counts: Any = plan.counts
    nodes = np.array([np.broadcast_to(count, 3) for count in counts]) * 12

    def expected(year: int, rate: float) -> int:
        """A year before it is ordered for, the rate was seen; from there as planned."""
        seen = max(year * 12 - 12, 0) / 12
        tb = 1700 * (1 + rate) ** seen * 1.2 ** (year + 1 - seen)
        return max(12, math.ceil(tb / NODE_TB))

    for place, rate in enumerate((0.0, 0.2, 0.5)):
        at = [expected(year, rate) for year in range(3)]
        assert list(nodes[:, place]) == pytest.approx(list(np.maximum.accumulate(at)))


def test_stored_documents_keep_the_growth_that_they_had() -> None:
    design = coded(count=None)
    tiers = {"colder": [{"name": "Old", "from_days": 90, "array": shelf()["array"]}]}
    document = {**plain([{**design, "tiering": tiers}, shelf(count=3)], work(growth=GROWTH))}
    new = upgrade(SPEC, document, 4)
    assert new["designs"][0]["array"]["expansion"] == {"kind": "whole"}
    assert new["designs"][0]["tiering"]["colder"][0]["array"]["expansion"] == {"kind": "whole"}
    assert "expansion" not in new["designs"][1]["array"]
    assert "expansion" not in document["designs"][0]["array"]
    whole = column(answer(upgrade(SPEC, plain([design], work(growth=GROWTH)), 4)), "A")
    assert whole.array is not None
    # Two clusters of 12 where 14 nodes are enough.
    assert (whole.array.arrays_count, whole.array.nodes_count) == (2, 24)
    assert whole.sizing[0].groups[0].unit == "cluster"


@pytest.mark.parametrize(
    ("pointer", "design"),
    [
        ("expansion/step_count", shelf(expansion={"step_count": 15})),
        ("expansion/step_count", shelf(expansion={"step_count": 50})),
        ("expansion/step_count", shelf(layout="raid0", expansion={"step_count": 10})),
        (
            "code/nodes_count",
            coded(
                count=None,
                code={
                    "data_count": 3,
                    "parity_count": 2,
                    "racks_count": 5,
                    "failure_domain": "rack",
                },
            ),
        ),
    ],
)
def test_steps_that_a_layout_does_not_allow_are_told_at_their_field(
    pointer: str, design: JSONDict
) -> None:
    with pytest.raises(ParamsError) as refused:
        study_of(plain([design], work()))
    assert any(fault.pointer.endswith(pointer) for fault in refused.value.faults)


def test_a_fixed_number_of_arrays_does_not_grow() -> None:
    found = three_years(coded(count=2))
    assert [year.nodes_count for year in found.array.years] == [24, 24, 24]
    assert MIX["request_bytes"] == 4_194_304


def found_by(rule: str, designs: list[JSONDict]) -> Any:
    study = study_of(plain(designs, work(growth=GROWTH), horizon_months=36))
    return [item for item in check(study).findings if item.rule == rule]


def test_storage_that_grows_in_larger_pieces_is_found_with_what_that_costs() -> None:
    whole = coded("B", count=None, expansion={"kind": "whole"})
    node = coded("A", count=None)
    [item] = found_by("9", [node, whole])
    assert item.pointer == "/designs/B/array/expansion/kind"
    assert "B grows by whole clusters, the storage of A in steps." in item.sentence
    # Both are alike then: the lead of A, four nodes of $6,000 and twelve drives each, is gone.
    assert item.money_usd == pytest.approx(-4 * (6000.0 + 12 * 320.0))
    assert not found_by("9", [whole, coded("A", count=None, expansion={"kind": "whole"})])
    assert not found_by("9", [node, coded("B", count=2)])


def test_failures_in_batches_of_one_design_alone_are_found() -> None:
    [item] = found_by("3", [coded("A", together_ratio=3.0), coded("B")])
    assert item.pointer == "/designs/B/array/together_ratio"
    assert [patch.value for patch in item.fix] == [3.0]
    assert not found_by("3", [coded("A"), coded("B")])


def test_rows_say_by_what_storage_grows_and_that_failures_are_independent() -> None:
    together = coded("B", count=None, together_ratio=3.0)
    designs = [coded("A", count=None), together]
    rows = answer(plain(designs, work(growth=GROWTH), horizon_months=36)).rows
    told = {row.id: row for row in rows}
    assert (
        told["array_usable_tb"].notes["A"] == "14 nodes in year 1, 20 in year 3; grows by 1 node."
    )
    assert told["array_nodes_count"].values == {"A": 20.0, "B": 20.0}
    for name in ("array_object_nines_count", "array_loss_fraction_per_year"):
        assert told[name].notes == {"A": "Failures are taken as independent."}


def test_software_is_paid_for_as_many_storage_nodes_and_arrays_as_there_are() -> None:
    terms: JSONDict = {"kind": "owned_cluster", "node_groups": []}
    terms |= {"software": {"usd_per_storage_node_year": 300.0, "usd_per_year": 1000.0}}
    nodes = three_years({**coded(count=None), **terms})
    assert cause_usd(nodes, "software") == pytest.approx(300 * sum(NODES) + 3000)
    shelves = three_years({**shelf(), **terms}, block_io_per_s=0.0)
    counts = [year.arrays_count for year in shelves.array.years]
    assert counts == [math.ceil(tb / 640) for tb in ENDS_TB]
    assert cause_usd(shelves, "software") == pytest.approx(300 * sum(counts) + 3000)
