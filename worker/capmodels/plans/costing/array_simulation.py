"""The simulations that confirm a storage group's closed form, asked with its own values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pydantic import ValidationError

from capmodels.plans.costing.array_durability import cluster_of
from capmodels.plans.costing.array_load import sleeper_of
from capmodels.plans.costing.array_size import sized
from capmodels.reliability.loss_params import DECLUSTERED
from capmodels.storage.cluster.slots import DRIVES_MAX, GROUPS_MAX, NODES_MAX, SHARDS_MAX
from capmodels.storage.drive.limits import DISKS_MAX
from capmodels.storage.simulator.extras import SECTOR_BYTES
from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload, YearTerms

if TYPE_CHECKING:
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.document.array_parts import IoMix
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.spec import JSONDict

# Enough for a 99th percentile of each phase, some tenths of a second to simulate.
REQUESTS = 300_000
# Operations of drives and requests that a run of an array is worth here.
ARRAY_WORK = 10_000_000
_MIRRORS = frozenset({"raid1", "raid10", "mirrored_sets"})


def simulations_of(plan: ArrayPlan, count: float, peak_per_s: float) -> list[JSONDict]:
    """What one group of drives, or one cluster, is simulated with at its peak; none where no way.

    Of so many arrays that get so many requests. Each says what it is of, the tool that shows it,
    its model and its input.
    """
    if count <= 0 or peak_per_s <= 0:
        return []
    requests_per_s = peak_per_s / count
    if plan.array.code is not None:
        [(cluster, clusters)] = sized(plan.array, count)
        asked = simulation_of(cluster, plan.mix, peak_per_s / clusters)
        if asked is None:
            return []
        of = {"title": "Rebuild of a node", "tool": "rebuilds", "model": "storage.cluster_array"}
        return [{**of, "params": asked}]
    whole = _array_asked(plan, requests_per_s)
    if whole is None:
        return []
    of = {"tool": "arrays", "model": "storage.array"}
    found = [{"title": "All drives in place", **of, "params": whole}]
    if plan.array.parities or plan.array.copies > 1:
        lost = {"failed_disk_count": 1, "rebuild_mb_per_s": plan.array.rebuild_mb_per_s}
        array = {**whole["array"], "layout": {**whole["array"]["layout"], **lost}}
        found.append({"title": "Rebuild of a drive", **of, "params": {**whole, "array": array}})
    return found


def _array_asked(plan: ArrayPlan, requests_per_s: float) -> JSONDict | None:
    """What ``storage.array`` is asked of one group; None with a cache or requests in order.

    Groups of an array share its requests evenly, so one of them stands for all.
    """
    array, mix = plan.array, plan.mix
    layout = _layout_of(array)
    if array.cache is not None or mix.pattern == "sequential" or layout is None:
        return None
    groups = array.disks_count if array.layout == "single" else array.groups
    if array.layout == "raid0":
        groups = 1
    design = {
        "drive": array.drive.model_dump(mode="json"),
        "layout": {"chunk_bytes": array.stripe_unit_bytes, **layout},
        "dispatch": {"kind": "shortest_queue"},
        "timeouts": _timeouts_of(array),
    }
    work = {
        "arrivals": {"kind": "exponential", "mean_ms": 1000.0 * groups / requests_per_s},
        "read_fraction": mix.read_fraction,
        "size_bytes": _in_sectors(mix.request_bytes),
        "requests_count": min(REQUESTS, ARRAY_WORK // layout["disks_count"]),
    }
    spares = 0 if array.declustered else min(int(array.spares_count), DISKS_MAX)
    years = {"repair_h": array.mttr_h, "spares_count": spares}
    try:
        return {
            "array": ArrayDesign.model_validate(design).model_dump(mode="json"),
            "workload": SyntheticWorkload.model_validate(work).model_dump(mode="json"),
            "years": YearTerms.model_validate(years).model_dump(mode="json"),
        }
    except ValidationError:
        # What the closed form takes and the simulation does not, such as a larger stripe unit.
        return None


def _in_sectors(size_bytes: int) -> int:
    """A request as drives take it: in whole sectors."""
    return math.ceil(size_bytes / SECTOR_BYTES) * SECTOR_BYTES


def _layout_of(array: ArraySpec) -> JSONDict | None:
    """How one group lies on its drives; None where it is larger than can be simulated."""
    kind, disks = array.layout, array.per_group
    if kind in _MIRRORS:
        found: JSONDict = {"kind": "mirrored_set", "disks_count": disks}
    elif kind == "raid0":
        found = {"kind": kind, "disks_count": array.disks_count}
    elif kind in DECLUSTERED:
        found = {
            "kind": kind,
            "disks_count": array.serving_count,
            "stripe_disks_count": disks,
            "distributed_spares_count": int(array.spares_count),
        }
    else:
        found = {"kind": kind, "disks_count": disks}
    return found if found["disks_count"] <= DISKS_MAX else None


def _timeouts_of(array: ArraySpec) -> JSONDict | None:
    """When its drives go to sleep: straight to standby, as the plan takes it."""
    policy, drive = array.power_policy, array.drive
    if policy.kind != "threshold" or drive.kind != "hdd" or drive.standby is None:
        return None
    return {"standby_s": sleeper_of(array, drive).timeout_s}


def simulation_of(array: ArraySpec, mix: IoMix, requests_per_s: float) -> JSONDict | None:
    """What ``storage.cluster_array`` is asked of one cluster at its peak; None where it cannot be.

    A node is lost and rebuilt at the design's rate of a rebuild, beside the design's requests.
    """
    code = array.code
    if code is None or code.nodes_count < 2 or array.parities == 0:
        return None
    counts = (array.disks_count, code.placement_groups_count, code.nodes_count, array.per_group)
    if any(
        count > most
        for count, most in zip(counts, (DRIVES_MAX, GROUPS_MAX, NODES_MAX, SHARDS_MAX), strict=True)
    ):
        return None
    cluster = cluster_of(array, min(max(array.drive.afr_fraction, 1e-9), 0.999))
    shared = cluster.model_dump(
        mode="json", exclude={"work", "terms", "afr_fraction", "drive"}, exclude_defaults=False
    )
    machines = shared["machines"]
    machines |= {
        "node_w": array.enclosure.power_w,
        "node_price_usd": array.enclosure.unit_price_usd,
    }
    survives_node = code.failure_domain != "drive" or array.per_group <= code.nodes_count
    return {
        **shared,
        "drive": array.drive.model_dump(mode="json"),
        "work": {
            "requests_per_s": requests_per_s,
            "read_fraction": mix.read_fraction,
            "size_bytes": _in_sectors(mix.request_bytes),
            "requests_count": REQUESTS,
        },
        # Several shards of a group on a node are lost together with it.
        "lost": "node" if survives_node else "drive",
        "pue_ratio": 1.0,
    }
