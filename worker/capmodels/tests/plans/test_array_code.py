"""A cluster with a code as a storage group of a study: as its closed form has it, and by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from capmodels.errors import ParamsError
from capmodels.spec import evaluate
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
    [{}, {"data_count": 1, "parity_count": 2}, {"data_count": 6, "local_groups_count": 2}],
)
def test_a_cluster_is_as_its_closed_form_has_it(code: JSONDict) -> None:
    ours = figures(coded(code=code))
    shape = {"data_count": 8, "parity_count": 3, "local_groups_count": 0, **code}
    theirs = evaluate(
        CLUSTER,
        {
            "machines": {"nodes_count": 12, "drives_per_node_count": 12, "racks_count": 1},
            "code": shape,
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
    sent = 0.8 * (1 + 11 / 12) + 0.2 * 11 / 8 * 11 / 12
    assert found.iops_ceiling_per_s == pytest.approx(12 * 125e6 / 4_194_304 / sent)
    assert found.throughput_ceiling_mb_per_s == pytest.approx(12 * 125 / (1 + 11 / 12))


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
    design = coded(drive=FLASH, code={"nodes_count": 12}, count=None)
    found = figures(design)
    assert found.arrays_count == math.ceil(1700 / (144 * 3.84 * 0.85 * 8 / 11))
    assert found.response_mean_ms < 10


@pytest.mark.parametrize(
    ("pointer", "changes"),
    [
        ("disks_count", {"disks_count": 143}),
        ("code/nodes_count", {"code": {"nodes_count": 9}, "disks_count": 144}),
        ("code/local_groups_count", {"code": {"data_count": 2, "local_groups_count": 3}}),
        ("power_policy/kind", {"power_policy": {"kind": "threshold"}}),
    ],
)
def test_a_cluster_that_cannot_be_is_told_at_its_field(pointer: str, changes: JSONDict) -> None:
    with pytest.raises(ParamsError) as refused:
        study_of(plain([coded(**changes)], work()))
    assert any(fault.pointer.endswith(pointer) for fault in refused.value.faults)
