"""Closed forms of a design's arrays, confirmed by the simulation that the answer asks for."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.spec import evaluate
from capmodels.storage.array import SPEC as SIMULATED
from capmodels.tests.plans.arrays import DESKTOP, FLASH, LAPTOP, array, stored
from capmodels.tests.plans.documents import answer, column, plain

JSONDict = dict[str, Any]
WIDE: JSONDict = {"layout": "raid6", "disks_count": 24, "disks_per_group": 8, "spares_count": 2}


def _figures(design: JSONDict, work: JSONDict) -> Any:
    return column(answer(plain([design], work)), "A").array


@pytest.mark.parametrize(
    ("changes", "read_fraction", "per_s"),
    [
        (WIDE, 1.0, 500.0),
        ({"layout": "draid2", "disks_count": 22, "disks_per_group": 8, "spares_count": 2}, 1, 400),
        ({"layout": "raid10", "disks_count": 8}, 1.0, 200.0),
        ({"drive": FLASH, "layout": "raid5", "disks_count": 5}, 1.0, 20_000.0),
    ],
)
def test_reads_are_as_simulated(changes: JSONDict, read_fraction: float, per_s: float) -> None:
    mix = {"read_fraction": float(read_fraction)}
    found = _figures(array(**changes), stored(block_io_per_s=float(per_s), block_mix=mix))
    whole, lost = found.simulations
    assert (whole.tool, whole.model) == ("arrays", SIMULATED.id)
    assert lost.params["array"]["layout"]["failed_disk_count"] == 1
    assert lost.params["array"]["layout"]["rebuild_mb_per_s"] == 50.0
    assert (
        whole.params["array"]["drive"]["capacity_gb"]
        == changes.get("drive", DESKTOP)["capacity_gb"]
    )
    work = whole.params["workload"]
    groups = 3 if changes is WIDE else 4 if changes["layout"] == "raid10" else 1
    assert work["arrivals"]["mean_ms"] == pytest.approx(1000 * groups / per_s)
    short = {**whole.params, "workload": {**work, "requests_count": 60_000}}
    simulated = evaluate(SIMULATED, short)
    # Of mirrors the simulator takes the shorter queue, the closed form any.
    least = 0.85 if changes["layout"] == "raid10" else 0.97
    assert least < (simulated.responses[0].mean_ms or 0) / found.response_mean_ms < 1.03


def test_what_cannot_be_simulated_so_has_no_simulation() -> None:
    for changes in (
        {"cache": {"device": FLASH}},
        {"layout": "raid6", "disks_count": 300},
        {"stripe_unit_bytes": 512, "io": {"requests_per_s": 9.0, "pattern": "sequential"}},
    ):
        assert _figures(array(**changes), stored()).simulations == ()
    assert _figures(array(), stored(block_io_per_s=0.0)).simulations == ()


def test_drives_that_sleep_are_simulated_asleep() -> None:
    policy = {"kind": "threshold", "idle_timeout_s": 20.0}
    found = _figures(
        array(drive=LAPTOP, layout="raid1", disks_count=2, power_policy=policy), stored()
    )
    assert found.simulations[0].params["array"]["timeouts"]["standby_s"] == 20.0


@pytest.mark.parametrize("read_fraction", [1.0, 0.6])
@pytest.mark.parametrize("per_disk_s", [4.0, 12.0])
@pytest.mark.parametrize(
    "changes",
    [
        WIDE,
        {"layout": "raid5", "disks_count": 5, "disks_per_group": 5},
        {"layout": "raid7", "disks_count": 14, "disks_per_group": 14},
        {"layout": "raid10", "disks_count": 8},
        {"layout": "raid5", "disks_count": 6, "disks_per_group": 6, "drive": LAPTOP},
    ],
)
def test_a_rebuild_is_slowed_by_requests_as_simulated(
    changes: JSONDict, per_disk_s: float, read_fraction: float
) -> None:
    asked = {"block_io_per_s": per_disk_s * changes["disks_count"]}
    study = plain([array(**changes)], stored(**asked, block_mix={"read_fraction": read_fraction}))
    found = answer(study)
    rebuilt: Any = column(found, "A").array
    params = rebuilt.simulations[1].params
    short = {**params, "workload": {**params["workload"], "requests_count": 40_000}}
    simulated: Any = evaluate(SIMULATED, short).rebuild_mb_per_s
    # The run is at the edge of the disks, where seeks are longer than those of a whole rebuild.
    assert 0.9 * simulated < rebuilt.rebuild_mb_per_s < min(50.0, 1.25 * simulated)
    wait_h = 0.0 if changes is WIDE else 24.0
    capacity_gb = params["array"]["drive"]["capacity_gb"]
    took_h = capacity_gb * 1000 / rebuilt.rebuild_mb_per_s / 3600
    assert rebuilt.rebuild_h == pytest.approx(wait_h + took_h)
    row = {row.id: row for row in found.rows}["array_rebuild_h"]
    assert row.notes["A"].endswith("MB/s beside the requests.")


def test_a_slower_rebuild_loses_more_and_nothing_asked_leaves_it_as_entered() -> None:
    def figures(per_s: float, **changes: Any) -> Any:
        return _figures(array(**WIDE, **changes), stored(block_io_per_s=per_s))

    idle, busy = figures(0.0), figures(240.0)
    assert (idle.rebuild_mb_per_s, idle.rebuild_h) == (None, pytest.approx(500 / 50 / 3.6))
    assert busy.rebuild_h > 1.5 * idle.rebuild_h
    assert busy.loss_fraction_per_year > idle.loss_fraction_per_year
    typed = figures(240.0, mttr_h=24.0)
    assert (typed.rebuild_mb_per_s, typed.rebuild_h) == (None, 24.0)
    assert _figures(array(drive=FLASH, **WIDE), stored(block_io_per_s=240.0)).rebuild_h < 24
