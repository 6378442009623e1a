"""The simulated cluster: a plain simulation written apart, closed forms, placement by counting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
import pytest
from scipy.stats import hypergeom

from capmodels import registry, spec
from capmodels.chunks import serving
from capmodels.errors import ModelError, ParamsError
from capmodels.numbers import missing, quantity
from capmodels.spec import Context
from capmodels.storage.cluster import cluster_array
from capmodels.storage.cluster import slots as k
from capmodels.storage.cluster.machine import Layout, cluster_of, packed, served_phase, unpacked
from capmodels.storage.cluster.placement import Shelf, drives_of
from capmodels.storage.cluster.recovery import lost_of
from capmodels.storage.cluster.serve_kernel import next_shard, serve
from capmodels.tests.storage.coded_oracle import plain_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.chunks import ChunkFunction

pytestmark = pytest.mark.slow

MODEL = registry.get_model("storage.cluster_array")
SMALL = {"nodes_count": 7, "drives_per_node_count": 3, "racks_count": 1}
FAST = {**SMALL, "hop_ms": 0.0, "network_gbit_per_s": 100_000.0}


def _params(**given: Any) -> Any:
    work = {
        "requests_per_s": 150.0,
        "read_fraction": 0.6,
        "requests_count": 3000,
        **given.pop("work", {}),
    }
    base = {"machines": SMALL, "code": {"data_count": 4, "parity_count": 2}, "work": work,
            "placement_groups_count": 64}  # fmt: skip
    return spec.validate(MODEL, {**base, **given})


@pytest.mark.parametrize("phase", ["before", "during"])
@pytest.mark.parametrize("lost", ["drive", "node"])
def test_responses_are_those_of_a_plain_simulation(phase: str, lost: str) -> None:
    # Nothing is rebuilt meanwhile: one piece at a time, of which none ends.
    params = _params(machines=FAST, lost=lost)
    layout = Layout(params)
    c = cluster_of(params, layout, phase)
    c["plan"][k.STREAMS] = c["plan"][k.WARM] = 0
    first, count = 12_345, 600
    c["plan"][k.REQUESTS], c["plan"][k.WARM] = count, first
    if phase == "during":
        c["rank"][layout.hurt] = 1 << 30  # never rebuilt
    serve(c, first)
    gone = set(np.flatnonzero(layout.lost).tolist()) if phase == "during" else set()
    plain = plain_run(params, lambda group: layout.groups[group].tolist(), first, count, gone)
    reads = [ms for is_read, ms in plain.responses.values() if is_read]
    writes = [ms for is_read, ms in plain.responses.values() if not is_read]
    assert (len(reads), len(writes)) == (c["tally"][k.READS], c["tally"][k.WRITES])
    assert c["tally"][k.READ_SUM] / len(reads) == pytest.approx(np.mean(reads), rel=1e-9)
    assert c["tally"][k.WRITE_SUM] / len(writes) == pytest.approx(np.mean(writes), rel=1e-9)
    busy = [plain.busy[d] for d in range(21)]
    assert c["busy"][:21].tolist() == pytest.approx(busy, rel=2e-2)
    assert bool(gone) == (c["tally"][k.DEGRADED] > 0)


@pytest.mark.parametrize("gbit_per_s", [2.0, 1e-9])
def test_a_slow_network_is_that_of_a_plain_simulation(gbit_per_s: float) -> None:
    # At the second rate a shard takes months, over any number of the calendar's buckets.
    params = _params(machines={**SMALL, "hop_ms": 0.0, "network_gbit_per_s": gbit_per_s},
                     work={"requests_per_s": 60.0})  # fmt: skip
    layout = Layout(params)
    c = cluster_of(params, layout, "before")
    c["plan"][k.REQUESTS], c["plan"][k.WARM] = 1000, 0
    serve(c, 0)
    plain = plain_run(params, lambda group: layout.groups[group].tolist(), 0, 1000, set())
    for write in (0, 1):
        own = c["tally"][k.READ_SUM + write] / c["tally"][k.READS + write]
        other = np.mean([ms for is_read, ms in plain.responses.values() if is_read != bool(write)])
        assert own == pytest.approx(other, rel=1e-9)
    sent = c["sent"][:7].sum() / (gbit_per_s * 125_000)
    assert sent == pytest.approx(sum(plain.busy["out", node] for node in range(7)))


def test_groups_are_placed_as_the_plain_placement_has_it() -> None:
    params = _params()
    layout = Layout(params)
    shelf = Shelf(7, 3)
    assert layout.groups.tolist() == [list(drives_of(g, shelf, 6)) for g in range(64)]
    for before, after in zip(layout.groups, layout.after, strict=True):
        kept = [d for d in before if not layout.lost[d]]
        assert [d for d, old in zip(after, before, strict=True) if not layout.lost[old]] == kept
        assert len({d // 3 for d in after}) == 6
        assert not layout.lost[after].any()


def test_nodes_are_spread_over_racks_that_do_not_divide_them() -> None:
    machines = {"nodes_count": 8, "drives_per_node_count": 2, "racks_count": 6}
    layout = Layout(_params(machines=machines, failure_domain="rack"))
    racks = np.searchsorted(layout.first, layout.groups, side="right")
    assert all(len(set(row)) == 6 for row in racks.tolist())
    # With each rack in use, what is lost with a rack's only node goes to a replacement.
    assert np.diff(layout.first).tolist() == [4, 2, 2, 4, 2, 2]


def test_a_single_queue_is_that_of_pollaczek_and_khinchine() -> None:
    [check] = MODEL.checks
    assert abs(float(check.compute()) - 1.5) <= check.tolerance


@pytest.mark.parametrize(
    ("code", "read_tb"),
    [
        ({"data_count": 4, "parity_count": 2}, 17 * 4),
        ({"data_count": 1, "parity_count": 2}, 17),
        # Of 10 shards, two are parities over all, worked out from six others.
        (
            {"data_count": 6, "parity_count": 2, "local_groups_count": 2},
            17 * (8 * 3 + 2 * 6) / 10,
        ),
    ],
)
def test_a_rebuild_alone_keeps_its_limits(code: dict[str, int], read_tb: float) -> None:
    machines = {"nodes_count": 12, "drives_per_node_count": 6, "racks_count": 1}
    found = spec.evaluate(
        MODEL,
        {
            "machines": machines,
            "code": code,
            "work": {"requests_per_s": 2.0, "requests_count": 3000},
            "recovery": {"drive_mb_per_s": 3.0},
            "lost": "drive",
        },
        Context(seed=1),
    ).rebuild
    # The last groups of all share few drives, so that it is a little slower than its limits.
    assert found.limit_h * 0.99 < found.recovery_h < found.limit_h * 1.06
    assert found.read_tb == pytest.approx(read_tb, rel=0.06)


def test_phases_differ_as_they_must() -> None:
    params = _params(work={"requests_per_s": 60.0, "requests_count": 9000})
    found = spec.answer(MODEL, params, Context(seed=3))
    before, during, after = found.phases
    assert before.degraded_read_fraction == after.degraded_read_fraction == 0.0
    assert 0 < during.degraded_read_fraction < 1
    assert before.read.p99_ms < during.read.p99_ms > after.read.p99_ms
    assert during.power_w < before.power_w  # a node less
    assert during.network_mb_per_s > before.network_mb_per_s
    assert found.headline.startswith("p99 of reads:")
    again = spec.answer(MODEL, params, Context(seed=3))
    assert again == found
    assert spec.answer(MODEL, params, Context(seed=4)) != found


def test_partial_writes_take_two_turns_and_copies_one() -> None:
    work = {"requests_per_s": 20.0, "read_fraction": 0.0, "size_bytes": 65_536,
            "partial_fraction": 1.0, "partial_bytes": 4096}  # fmt: skip
    coded = spec.answer(MODEL, _params(work=work), Context()).phases[0]
    copies = {"data_count": 1, "parity_count": 2}
    copied = spec.answer(MODEL, _params(work=work, code=copies), Context()).phases[0]
    assert coded.read is None
    assert 1.6 < coded.write.mean_ms / copied.write.mean_ms < 2.6
    # Three drives read and write in turn, where three write once.
    assert coded.drive_load_fraction == pytest.approx(2 * copied.drive_load_fraction, rel=0.1)


def test_a_cluster_that_is_overloaded_says_so() -> None:
    found = spec.answer(MODEL, _params(work={"requests_per_s": 5000.0}), Context())
    assert found.phases[0].read is None
    assert "cannot serve 5,000 requests/s" in found.headline


@pytest.mark.parametrize(
    ("pointer", "given"),
    [
        ("/machines/nodes_count", {"machines": {"nodes_count": 600}}),
        (
            "/machines/drives_per_node_count",
            {"machines": {"nodes_count": 100, "drives_per_node_count": 60}},
        ),
        ("/placement_groups_count", {"placement_groups_count": 100_000}),
        (
            "/code/data_count",
            {"code": {"data_count": 100, "parity_count": 4}, "failure_domain": "drive"},
        ),
        ("/code/parity_count", {"code": {"data_count": 4, "parity_count": 0}}),
        (
            "/lost",
            {
                "machines": {"nodes_count": 1, "racks_count": 1},
                "failure_domain": "drive",
                "lost": "node",
            },
        ),
        ("/work/requests_per_s", {"work": {"requests_per_s": 0.0}}),
        ("/work/partial_bytes", {"work": {"partial_fraction": 0.5, "partial_bytes": 4_194_304}}),
        ("/failure_domain", {"failure_domain": "rack"}),
    ],
)
def test_what_cannot_be_simulated_is_told_at_its_field(pointer: str, given: dict[str, Any]) -> None:
    with pytest.raises(ParamsError) as refused:
        spec.validate(MODEL, given)
    assert pointer in {fault.pointer for fault in refused.value.faults}


def test_a_loss_beyond_the_code_is_refused() -> None:
    with pytest.raises(ModelError, match="more than the code survives"):
        spec.answer(MODEL, _params(failure_domain="drive", placement_groups_count=4096), Context())


def test_phases_served_anywhere_in_any_order_are_those_of_one_process() -> None:
    params = _params(lost="node", work={"read_fraction": 0.5})
    whole = MODEL.run(params, Context(seed=5))

    def backwards(function: ChunkFunction, chunks: Sequence[dict[str, Any]]) -> list[bytes]:
        sent = orjson.loads(orjson.dumps(chunks))
        assert len(sent) == 3
        return [function(chunk, lambda *_told: None) for chunk in reversed(sent)][::-1]

    with serving(backwards):
        assert MODEL.run(params, Context(seed=5)) == whole
    layout = Layout(params)
    for phase in ("before", "during", "after"):
        served = served_phase(params, layout, phase, 5)
        for name, value in vars(unpacked(packed(served))).items():
            assert type(value) is type(getattr(served, name)), name
            np.testing.assert_equal(value, getattr(served, name), name)


def test_a_phase_of_another_version_is_refused() -> None:
    chunk = {"version": "0.0.0", "params": {}, "seed": 1, "phase": "before"}
    with pytest.raises(ModelError, match=r"version 0\.0\.0"):
        cluster_array.phase_served(chunk, lambda *_told: None)


def test_its_tables_have_a_line_for_each_percentile_and_a_dash_where_nothing_was_written() -> None:
    answer = spec.evaluate(MODEL, _params(work={"read_fraction": 1.0}).model_dump(mode="json"))
    beside, rebuild = answer.tables
    assert beside.columns == ("Measure", "Before", "During the rebuild", "After")
    said = {row.head: row.cells for row in beside.rows}
    assert [head for head in said if head.startswith("Reads, ")] == [
        f"Reads, {name}" for name in ("mean", "p50", "p95", "p99", "p99.9")
    ]
    assert said["Writes, p99"] == (missing(),) * 3
    assert said["Reads, p99"][0] == quantity(answer.phases[0].read.p99_ms, "ms")
    assert rebuild.rows[0].cells == (quantity(answer.rebuild.recovery_h, "h"),)


def test_requests_that_take_years_are_refused_for_the_rebuild_beside_them() -> None:
    work = {"requests_count": 300_000, "requests_per_s": 0.001}
    with pytest.raises(ModelError, match="can be simulated"):
        spec.evaluate(registry.get_model("storage.cluster_array"), {"work": work})


def _node_lost_by_drives(**given: Any) -> Any:
    return _params(
        machines={"nodes_count": 10, "drives_per_node_count": 8, "racks_count": 1},
        failure_domain="drive",
        code={"data_count": 7, "parity_count": 6},
        placement_groups_count=8192,
        lost="node",
        **given,
    )


def test_the_most_degraded_groups_are_rebuilt_first() -> None:
    layout = Layout(_node_lost_by_drives())
    c = cluster_of(_node_lost_by_drives(), layout, "during")
    lost = layout.lost[layout.groups].sum(axis=1)
    last = int(np.argmax(layout.hurt_shards == 1))
    for done in (0, 1, last // 2, last, layout.hurt.size - 1):
        c["marks"][k.REBUILT] = done
        found = {int(lost[next_shard(c, 0.0, key * 100)[0]]) for key in range(50)}
        waiting = layout.hurt[done:]
        assert found == {int(lost[waiting].max())}
    # While their drives take other pieces, groups that lack less are begun: no stream rests.
    c["marks"][k.REBUILT] = 0
    most = layout.hurt[layout.hurt_shards == layout.worst_count]
    c["taking"][layout.after[most][layout.lost[layout.groups[most]] > 0]] = np.inf
    others = {next_shard(c, 0.0, key * 100)[0] for key in range(50)} - {-1}
    assert others
    assert all(lost[group] < layout.worst_count for group in others)


def test_how_soon_none_lacks_more_than_one_shard_follows_from_drawing_without_return() -> None:
    # Shards on any drives: how many of a group were on the lost node is hypergeometric.
    params = _node_lost_by_drives(work={"requests_per_s": 30.0, "requests_count": 3000})
    law = hypergeom(80, 8, 13)
    urgent = 1 - law.pmf(1) / law.mean()
    assert Layout(params).urgent_fraction == pytest.approx(urgent, rel=0.02)
    rebuild = spec.answer(MODEL, params, Context(seed=1)).rebuild
    detection = params.recovery.detection_h
    taken = (rebuild.urgent_h - detection) / (rebuild.recovery_h - detection)
    assert taken == pytest.approx(urgent, rel=0.02)


def test_a_loss_that_takes_one_shard_of_each_group_is_nowhere_urgent() -> None:
    assert spec.answer(MODEL, _params(lost="node"), Context(seed=1)).rebuild.urgent_h is None


@pytest.mark.parametrize("lost", ["drive", "node"])
def test_what_replaces_lost_drives_counts_among_them(lost: str) -> None:
    # Six shards on six drives: no other drive is left to rebuild on.
    def phases(requests_per_s: float) -> Any:
        params = _params(
            machines={"nodes_count": 3, "drives_per_node_count": 2, "racks_count": 1},
            failure_domain="drive",
            lost=lost,
            work={"requests_per_s": requests_per_s, "read_fraction": 1.0},
        )
        return spec.answer(MODEL, params, Context(seed=3)).phases

    before, _, after = phases(40.0)
    assert after.drive_load_fraction == pytest.approx(before.drive_load_fraction, rel=0.05)
    assert after.power_w == pytest.approx(before.power_w, rel=0.01)
    assert all(phase.drive_load_fraction <= 1.0 for phase in phases(4000.0))


@pytest.mark.parametrize("requests_per_s", [10.0, 120.0])
def test_a_rebuild_reads_each_lost_shard_once_however_busy_drives_are(
    requests_per_s: float,
) -> None:
    # Global parities, which read seven shards, are rebuilt first where most new drives are taken.
    params = _params(
        machines={"nodes_count": 13, "drives_per_node_count": 4, "racks_count": 1},
        code={"data_count": 7, "parity_count": 2, "local_groups_count": 3},
        placement_groups_count=8192,
        lost="drive",
        work={"requests_per_s": requests_per_s, "requests_count": 30_000},
    )
    ran = spec.answer(MODEL, params, Context(seed=5)).rebuild
    closed = lost_of(params, 1)
    assert ran.read_tb == pytest.approx(closed.read_tb, rel=0.05)
    assert ran.network_tb == pytest.approx(closed.network_tb, rel=0.05)


def test_a_phase_that_is_too_short_tells_no_time_of_a_rebuild() -> None:
    drive = {"kind": "ssd", "capacity_gb": 61_440.0, "read_latency_ms": 0.1,
             "write_latency_ms": 0.07, "read_mb_per_s": 2500.0, "write_mb_per_s": 1600.0,
             "channels_count": 8, "active_w": 8.0, "idle_w": 1.0}  # fmt: skip
    given: Any = {"requests_per_s": 50_000.0, "read_fraction": 1.0, "size_bytes": 4096}

    def ran(count: int) -> Any:
        params = _params(drive=drive, lost="drive", work={**given, "requests_count": count})
        return spec.answer(MODEL, params, Context(seed=1))

    short, longer = ran(3000), ran(1_500_000)
    assert short.rebuild is None
    assert "how long it takes is unknown" in short.headline
    assert any("Enter more requests." in note for note in short.notes)
    assert longer.rebuild.pieces_count > 30
    assert not any("Enter more requests." in note for note in longer.notes)


def test_a_rebuild_that_takes_all_time_that_is_left_lets_requests_be_served() -> None:
    recovery = {"drive_mb_per_s": 1000.0, "network_fraction": 1.0}
    found = []
    for count in (20_000, 60_000):
        work = {"requests_per_s": 100.0, "requests_count": count}
        during = MODEL.run(_params(recovery=recovery, work=work), Context(seed=3)).phases[1]
        assert during.busiest_drive_fraction > 0.98
        found.append(during.read.p99_ms)
    # They wait for pieces of the rebuild, but not ever longer.
    assert found[1] == pytest.approx(found[0], rel=0.15)
