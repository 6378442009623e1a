"""A cluster with a code as a storage group of a study: as its closed form has it, and by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from capmodels.errors import ParamsError
from capmodels.numbers import percent
from capmodels.spec import evaluate
from capmodels.storage.cluster.cluster_array import SPEC as SIMULATED
from capmodels.storage.cluster.cluster_code import SPEC as CLUSTER
from capmodels.storage.cluster.params import NEARLINE_20TB
from capmodels.tests.plans.arrays import DESKTOP, FLASH, array, drive_of, stored
from capmodels.tests.plans.documents import answer, cause_usd, column, plain, study_of

JSONDict = dict[str, Any]
DRIVE = drive_of(NEARLINE_20TB)
NODE = {"unit_price_usd": 6000.0, "power_w": 250.0, "rack_units_count": 2.0}
MIX = {"read_fraction": 0.8, "request_bytes": 4_194_304}


def coded(letter: str = "A", code: JSONDict | None = None, **changes: Any) -> JSONDict:
    """144 drives of 20 TB on 12 nodes, 8 + 3."""
    given = {"drive": DRIVE, "drive_price_usd": 320.0, "disks_count": 144, "enclosure": NODE,
             "carries": "object", "rebuild_mb_per_s": 40.0}  # fmt: skip
    return array(letter, **{**given, "code": code or {}, **changes})


def work(**changes: Any) -> JSONDict:
    """2 PB of objects, 500 requests of 4 MiB a second."""
    return stored(block_tb=0.0, object_tb=1700.0, block_io_per_s=500.0, block_mix=MIX, **changes)


def figures(design: JSONDict, given: JSONDict | None = None, **assumptions: Any) -> Any:
    found = column(answer(plain([design], given or work(), **assumptions)), design["letter"])
    assert found.array is not None
    return found.array


@pytest.mark.parametrize(
    "code",
    [
        {},
        {"data_count": 1, "parity_count": 2},
        {"data_count": 6, "local_groups_count": 2},
        # Five racks of twelve nodes: two of them hold three.
        {"data_count": 3, "parity_count": 2, "racks_count": 5, "failure_domain": "rack"},
    ],
)
def test_a_cluster_is_as_its_closed_form_has_it(code: JSONDict) -> None:
    ours = figures(coded(code=code))
    shape = {"data_count": 8, "parity_count": 3, "local_groups_count": 0}
    shape |= {name: code[name] for name in shape if name in code}
    racks = code.get("racks_count", 1)
    theirs = evaluate(
        CLUSTER,
        {
            "machines": {"nodes_count": 12, "drives_per_node_count": 12, "racks_count": racks},
            "code": shape,
            "failure_domain": code.get("failure_domain", "node"),
            "work": {"requests_per_s": 500.0, "read_fraction": 0.8, "size_bytes": 4_194_304},
            "terms": {"pue_ratio": 1.0},
        },
    )
    assert ours.usable_tb == pytest.approx(theirs.usable_tb, rel=1e-12)
    assert ours.raw_tb == theirs.raw_tb
    assert ours.loss_fraction_per_year == pytest.approx(
        theirs.durability.loss_fraction_per_year, rel=1e-9
    )
    assert ours.object_nines_count == pytest.approx(theirs.durability.object_nines_count, abs=0.05)
    assert ours.rebuild_h == pytest.approx(theirs.drive_lost.recovery_h, rel=1e-12)
    assert ours.mean_w == pytest.approx(theirs.power_w, rel=1e-9)
    load = theirs.load
    assert load.read_mean_ms is not None
    assert load.write_mean_ms is not None
    mean = 0.8 * load.read_mean_ms + 0.2 * load.write_mean_ms
    assert ours.response_mean_ms == pytest.approx(mean, rel=1e-9)
    ceiling = 500.0 / load.drive_load_fraction
    assert ours.iops_ceiling_per_s == pytest.approx(ceiling, rel=1e-9)


@pytest.mark.parametrize(
    ("own", "works", "counts"),
    [(0.85, 0.85, 0.85), (0.85, 1.0, 0.85), (0.7, 0.85, 0.7), (0.85, 0.6, 0.6)],
)
def test_room_kept_free_is_counted_once_by_the_code_or_the_work(
    own: float, works: float, counts: float
) -> None:
    given = stored(block_tb=0.0, object_tb=30_000.0, block_io_per_s=0.0)
    given["headroom"] |= {"disk_fill_fraction": works}
    ours = figures(coded(code={"fill_fraction": own}, count=None), given)
    per_node_tb = 12 * 20.0 * 8 / 11 * counts
    assert ours.nodes_count == math.ceil(30_000.0 / per_node_tb)


@pytest.mark.parametrize(("share", "kind"), [(1.0, "read"), (0.0, "write")])
@pytest.mark.parametrize("pattern", ["random", "sequential"])
def test_percentiles_are_those_of_the_closed_form(share: float, kind: str, pattern: str) -> None:
    mix = {**MIX, "read_fraction": share, "pattern": pattern}
    given = stored(block_tb=0.0, object_tb=1700.0, block_io_per_s=300.0, block_mix=mix)
    ours = figures(coded(), given)
    theirs = evaluate(
        CLUSTER,
        {
            "machines": {"racks_count": 1},
            "work": {"requests_per_s": 300.0, "read_fraction": share, "size_bytes": 4_194_304},
        },
    ).load
    for name in ("p50_ms", "p95_ms", "p99_ms", "p999_ms"):
        found, told = getattr(ours, f"response_{name}"), getattr(getattr(theirs, kind), name)
        # Without seeks and turns there is less to wait for.
        assert found == pytest.approx(told, rel=1e-9) if pattern == "random" else found < told / 2
    last = ours.years[-1]
    assert (last.response_mean_ms, last.response_p99_ms) == (
        ours.response_mean_ms,
        ours.response_p99_ms,
    )


def test_percentiles_are_told_beside_clusters_alone_and_else_why_not() -> None:
    told = answer(plain([coded("A"), coded("B", code=None)], work()))
    rows = {row.id: row for row in told.rows if row.id.startswith("array_response")}
    mean, p99 = (rows[f"array_response_{name}_ms"].values["A"] for name in ("mean", "p99"))
    assert mean is not None
    assert p99 is not None
    assert p99 > mean
    alone = answer(plain([array("A")], stored()))
    assert not any(row.id == "array_response_p99_ms" for row in alone.rows)
    mixed = answer(plain([coded("A"), array("B")], work()))
    row = next(row for row in mixed.rows if row.id == "array_response_p99_ms")
    assert row.values["B"] is None
    assert "clusters" in row.reasons["B"]


def test_nodes_cost_draw_and_stand_in_racks_each() -> None:
    design = coded(design={"space": {"usd_per_rack_month": 100.0}})
    result = column(answer(plain([design], work())), "A")
    assert cause_usd(result, "enclosures") == pytest.approx(12 * 6000.0)
    assert cause_usd(result, "drives") == pytest.approx(144 * 320.0)
    # 24 units are less than a rack.
    assert cause_usd(result, "space") == pytest.approx(100.0 * 12)


def test_a_slow_network_is_what_binds() -> None:
    found = figures(coded(code={"network_gbit_per_s": 1.0}))
    assert found.iops_bound_by == "network"
    sent = 0.8 + 0.8 * 7 / 8 + 0.2 * 10 / 8
    assert found.iops_ceiling_per_s == pytest.approx(12 * 125e6 / 4_194_304 / sent)
    assert found.throughput_ceiling_mb_per_s == pytest.approx(12 * 125 / (1 + 7 / 8))
    # More comes in than goes out where most is written: it comes whole and as shards.
    given = {**work(), "block_mix": {**MIX, "read_fraction": 0.2}}
    written = figures(coded(code={"network_gbit_per_s": 1.0}), given)
    taken = 0.8 + (0.2 * 7 + 0.8 * 10) / 8
    assert written.iops_ceiling_per_s == pytest.approx(12 * 125e6 / 4_194_304 / taken)


def test_batches_of_failures_and_reduction_count_in_arrays_too() -> None:
    for design in (coded, array):
        given = work() if design is coded else stored()
        drive = {**(DRIVE if design is coded else DESKTOP), "unrecoverable_per_bit": 0.0}
        alone, batch = (figures(design(together_ratio=r, drive=drive), given) for r in (1.0, 20.0))
        assert batch.loss_fraction_per_year > 2 * alone.loss_fraction_per_year
        assert batch.object_nines_count < alone.object_nines_count
        plainly, reduced = (figures(design(reduction_ratio=r), given) for r in (1.0, 2.5))
        assert reduced.usable_tb == pytest.approx(2.5 * plainly.usable_tb)
        assert reduced.usd_per_tb_year == pytest.approx(plainly.usd_per_tb_year / 2.5)


def test_flash_and_clusters_bought_as_data_grow() -> None:
    node_tb = 12 * 3.84 * 0.85 * 8 / 11
    whole = figures(coded(drive=FLASH, count=None, expansion={"kind": "whole"}))
    assert whole.arrays_count == math.ceil(1700 / (12 * node_tb))
    found = figures(coded(drive=FLASH, count=None))
    assert (found.arrays_count, found.nodes_count) == (1, math.ceil(1700 / node_tb))
    assert found.response_mean_ms < 10


@pytest.mark.parametrize(
    ("pointer", "changes"),
    [
        ("code/placement_groups_count", {"code": {"placement_groups_count": 13}}),
        ("disks_count", {"disks_count": 143}),
        ("code/nodes_count", {"code": {"nodes_count": 9}, "disks_count": 144}),
        ("code/racks_count", {"code": {"failure_domain": "rack", "racks_count": 4}}),
        ("code/sites_count", {"code": {"failure_domain": "site"}}),
        ("code/racks_count", {"code": {"racks_count": 13}}),
        ("code/sites_count", {"code": {"racks_count": 2, "sites_count": 3}}),
        ("spares_sleep", {"spares_sleep": True}),
        ("code/local_groups_count", {"code": {"data_count": 2, "local_groups_count": 3}}),
        ("power_policy/kind", {"power_policy": {"kind": "threshold"}}),
    ],
)
def test_a_cluster_that_cannot_be_is_told_at_its_field(pointer: str, changes: JSONDict) -> None:
    with pytest.raises(ParamsError) as refused:
        study_of(plain([coded(**changes)], work()))
    assert any(fault.pointer.endswith(pointer) for fault in refused.value.faults)


def test_the_simulation_of_a_design_is_asked_with_the_designs_values() -> None:
    found = figures(coded(code={"network_gbit_per_s": 10.0}))
    [of] = found.simulations
    assert (of.model, of.tool) == (SIMULATED.id, "rebuilds")
    asked = of.params
    params = SIMULATED.params.model_validate(asked)
    assert params.machines.network_gbit_per_s == 10.0
    assert params.machines.drives_per_node_count == 12
    assert params.work.requests_per_s == 500.0
    assert params.work.size_bytes == 4_194_304
    assert params.recovery.drive_mb_per_s == 40.0
    short = {**asked, "work": {**asked["work"], "requests_count": 30_000}}
    simulated = evaluate(SIMULATED, short)
    read, write = simulated.phases[0].read, simulated.phases[0].write
    assert read is not None
    assert write is not None
    mean = 0.8 * read.mean_ms + 0.2 * write.mean_ms
    assert found.response_mean_ms == pytest.approx(mean, rel=0.1)
    assert figures(coded(), stored(block_io_per_s=0.0)).simulations == ()


def test_a_lost_drive_of_a_cluster_comes_back_as_slowly_as_simulated() -> None:
    requests = {"object_tb": 1700.0, "block_tb": 0.0, "block_mix": MIX, "block_io_per_s": 250.0}
    found = figures(coded(code={"placement_groups_count": 4096}), stored(**requests))
    [of] = found.simulations
    work = {**of.params["work"], "requests_count": 60_000}
    simulated = evaluate(SIMULATED, {**of.params, "lost": "drive", "work": work}).rebuild
    assert simulated is not None
    # Its new drives, which take one piece each at a time, hold it back more than its limits.
    assert found.rebuild_h > 1.3 * simulated.limit_h
    assert found.rebuild_h == pytest.approx(simulated.recovery_h, rel=0.15)
    assert found.rebuild_mb_per_s < 31.0


def test_flash_is_rebuilt_no_faster_than_it_writes() -> None:
    def rate(entered: float) -> float:
        drives: JSONDict = {"drive": FLASH, "layout": "raid6", "disks_count": 8}
        drives["rebuild_mb_per_s"] = entered
        rebuilt: float = figures(array(**drives), stored()).rebuild_mb_per_s
        return rebuilt

    assert rate(100.0) == pytest.approx(100.0)
    assert rate(9000.0) == rate(20_000.0) < 9000.0


def test_racks_and_sites_are_domains_of_a_code() -> None:
    wide = {"data_count": 4, "parity_count": 2}
    plainly = figures(coded(code=wide))
    lost = {"rack_fraction_per_year": 0.01, "racks_count": 6}
    by_node = figures(coded(code={**wide, **lost, "racks_count": 2}))
    by_rack = figures(coded(code={**wide, **lost, "failure_domain": "rack"}))
    # Two racks hold three shards each: either is the loss. Six hold one each.
    by_racks = by_node.loss_fraction_per_year - plainly.loss_fraction_per_year
    assert by_racks == pytest.approx(0.02, rel=0.02)
    assert by_rack.loss_fraction_per_year < 0.3 * by_node.loss_fraction_per_year
    assert by_rack.object_nines_count <= plainly.object_nines_count
    far = {**wide, "racks_count": 6, "sites_count": 3, "site_hop_ms": 12.0}
    # Of four nodes on each of three sites: a few of the reads, four fifths, find all on one.
    near = 0.8 * (3 * 2 * 1) / (11 * 10 * 9)
    assert figures(coded(code=far)).response_mean_ms == pytest.approx(
        plainly.response_mean_ms + (12.0 - 0.1) * (1 - near), rel=1e-5
    )


def test_a_declustered_shelf_is_a_storage_group() -> None:
    shelf: JSONDict = {"drive": DRIVE, "drive_price_usd": 320.0, "disks_count": 58,
             "disks_per_group": 10,
             "spares_count": 2, "layout": "draid2", "rebuild_mb_per_s": 50.0}  # fmt: skip
    found = figures(array(**shelf), stored())
    raid = figures(array(**{**shelf, "layout": "raid6", "disks_count": 60}), stored())
    assert found.drives_count == 60
    assert found.usable_tb == pytest.approx(58 * 20 * 0.8)
    # Its requests slow a rebuild, on disks of a group and on all that are left.
    assert 40 < found.rebuild_mb_per_s < 50
    held_mb = 20e6 * 58 / 60
    assert found.rebuild_h == pytest.approx(held_mb * 9 / 59 / found.rebuild_mb_per_s / 3600)
    assert 40 < raid.rebuild_mb_per_s < 50
    assert raid.rebuild_h == pytest.approx(20e6 / raid.rebuild_mb_per_s / 3600)
    assert found.object_nines_count > raid.object_nines_count


def test_hot_spares_that_sleep_draw_less_and_wake_first() -> None:
    standby = {"power_w": 0.8, "down_j": 5.0, "down_s": 2.0, "up_j": 200.0, "up_s": 20.0}
    given: JSONDict = {"drive": {**DRIVE, "standby": standby}, "spares_count": 4, "disks_count": 20}
    idle, asleep = (figures(array(**given, spares_sleep=s), stored()) for s in (False, True))
    assert idle.mean_w - asleep.mean_w == pytest.approx(4 * (5.8 - 0.8))
    assert asleep.rebuild_h == pytest.approx(idle.rebuild_h + 20 / 3600)


def test_compression_and_deduplication_have_ranges_that_move_what_is_bought() -> None:
    both = figures(coded(reduction_ratio=2.0, deduplication_ratio=1.5))
    assert both.usable_tb == pytest.approx(3 * figures(coded()).usable_tb)
    # What is bought is decided before it is known how well data shrink.
    design = coded(reduction_ratio=2.0, disks_count=84, code={"nodes_count": 12})
    ranges = [{"pointer": "/designs/A/array/reduction_ratio", "low": 1.2, "high": 3.0}]
    document = {**plain([design], work()), "ranges": ranges, "draws_count": 400}
    assert 0.5 < (column(answer(document), "A").met_fraction or 0.0) < 0.99


@pytest.mark.parametrize(("count", "said"), [(1, True), (None, False)])
def test_a_number_of_arrays_that_is_fixed_is_named_where_it_falls_short(
    count: int | None, *, said: bool
) -> None:
    design = coded(reduction_ratio=2.0, disks_count=84, count=count, code={"nodes_count": 12})
    ranges = [{"pointer": "/designs/A/array/reduction_ratio", "low": 1.0, "high": 3.0}]
    result = answer({**plain([design], work()), "ranges": ranges, "draws_count": 200})
    short = column(result, "A")
    assert short.carries_load
    assert not short.competes
    excluded = str(result.verdict.excluded)
    assert "of the simulations. Only designs that meet it in at least 95%" in excluded
    assert ("Its number of arrays is fixed at 1: leave it empty" in excluded) == said


def test_objects_are_asked_for_as_the_work_says_and_blocks_where_they_live() -> None:
    """30 M reads of 60 TB and 10 M writes a month: 2 MB each, 15.2 of them a second."""
    use = {
        "reads_millions_per_month": 30.0,
        "writes_millions_per_month": 10.0,
        "read_tb_per_month": 60.0,
    }
    asked = stored(block_tb=0.0, object_tb=1700.0, block_io_per_s=500.0, object_use=use)
    found = figures(coded(), asked)
    assert found.requests_per_s == pytest.approx(40e6 / (8760 / 12 * 3600))
    asked_work = found.simulations[0].params["work"]
    # A run takes whole sectors.
    assert asked_work["size_bytes"] == 2_000_384
    assert asked_work["read_fraction"] == pytest.approx(0.75)
    raid = figures(array(carries="object", disks_count=6), asked).simulations
    assert [one.params["workload"]["size_bytes"] for one in raid] == [2_000_384] * 2
    # Unsaid, blocks that nobody else keeps are asked of it; those that others keep are not.
    assert figures(coded(), work()).requests_per_s == 500.0
    beside = answer(plain([coded(), array("B")], stored(object_tb=1700.0, block_io_per_s=500.0)))
    quiet, blocks = column(beside, "A").array, column(beside, "B").array
    assert quiet is not None
    assert blocks is not None
    assert (quiet.requests_per_s, quiet.simulations, blocks.requests_per_s) == (0.0, (), 500.0)
    assert quiet.reasons["response_mean_ms"] == "The work says nothing of requests to this data."


def _rows(design: JSONDict, given: JSONDict) -> tuple[Any, dict[str, Any]]:
    found = answer(plain([design], given))
    return column(found, design["letter"]).array, {row.id: row for row in found.rows}


_OF_REBUILDS = ("rebuild_h", "loss_fraction_per_year", "object_nines_count")


@pytest.mark.parametrize(
    ("design", "per_s", "share"),
    [
        # Beside a lost drive each of three others reads for it as often as for itself.
        (array(drive=DESKTOP, layout="raid5", disks_count=4), 240.0, 2.0),
        (array(drive=DESKTOP, layout="raid6", disks_count=8), 480.0, 2.0),
        (array(drive=DESKTOP, layout="draid1", disks_count=16, disks_per_group=8, spares_count=1),
         1100.0, 1 + 7 / 16),
    ],
    ids=["raid5", "raid6", "draid1"],
)  # fmt: skip
def test_requests_that_leave_a_rebuild_no_time_leave_it_unknown(
    design: JSONDict, per_s: float, share: float
) -> None:
    given = stored(block_io_per_s=per_s, block_mix={"read_fraction": 1.0, "request_bytes": 4096})
    found, rows = _rows(design, given)
    # All disks at work serve them; without one, the busiest is asked for what it has no time for.
    assert found.response_mean_ms is not None
    whole = found.drives_busy_count / found.drives_count
    assert whole * share > 0.98
    for name in _OF_REBUILDS:
        assert getattr(found, name) is None
        assert rows[f"array_{name}"].values == {"A": None}
        [why] = rows[f"array_{name}"].reasons.values()
        assert why.startswith(f"With drives lost, requests alone take {percent(whole * share)} ")
        assert why.endswith("how long rebuilds take, and so how safe data are, is unknown.")
    quiet, _ = _rows(design, stored(block_io_per_s=per_s / 4))
    assert None not in (getattr(quiet, name) for name in _OF_REBUILDS)


def test_nearly_all_of_the_time_of_a_declustered_shelf_is_told_as_a_bound() -> None:
    shelf = array(drive=DESKTOP, layout="draid1", disks_count=16, disks_per_group=8, spares_count=1)
    mix = {"read_fraction": 1.0, "request_bytes": 4096}

    def rows(per_s: float) -> tuple[Any, dict[str, Any]]:
        return _rows(shelf, stored(block_io_per_s=per_s, block_mix=mix))

    quiet, _ = rows(200.0)
    beside = quiet.drives_busy_count / 17 * (1 + 7 / 16)
    busy, told = rows(200.0 * 0.94 / beside)
    words = "a rebuild takes at least as long as said, and data are at most as safe."
    assert busy.rebuild_h > quiet.rebuild_h
    assert quiet.rebuild_bound is None
    for name in _OF_REBUILDS:
        assert told[f"array_{name}"].notes["A"].endswith(words)
        assert "94%" in told[f"array_{name}"].notes["A"]


def test_a_cluster_whose_fullest_drive_has_no_time_is_unknown_as_by_its_closed_form() -> None:
    requests = {"object_tb": 1700.0, "block_tb": 0.0, "block_mix": MIX, "block_io_per_s": 850.0}
    found, rows = _rows(coded(), stored(**requests))
    theirs = evaluate(CLUSTER, {"work": {"requests_per_s": 850.0}, "machines": {"racks_count": 1}})
    assert theirs.drive_lost.recovery_h is None
    [why] = [note for note in theirs.notes if note.endswith("is unknown.")]
    for name in _OF_REBUILDS:
        assert getattr(found, name) is None
        assert rows[f"array_{name}"].reasons == {"A": why}
    assert all(year.rebuild_h is None for year in found.years)


def test_where_a_nodes_rebuild_alone_is_unknown_a_drives_is_told_and_no_durability() -> None:
    requests = {"object_tb": 1700.0, "block_tb": 0.0, "block_mix": MIX, "block_io_per_s": 700.0}
    found = figures(coded(), stored(**requests))
    theirs = evaluate(CLUSTER, {"work": {"requests_per_s": 700.0}, "machines": {"racks_count": 1}})
    assert theirs.node_lost.recovery_h is None
    assert found.rebuild_h == pytest.approx(theirs.drive_lost.recovery_h, rel=1e-9)
    assert (found.object_nines_count, found.loss_fraction_per_year) == (None, None)
    assert set(found.reasons) & set(_OF_REBUILDS) == {
        "object_nines_count",
        "loss_fraction_per_year",
    }
