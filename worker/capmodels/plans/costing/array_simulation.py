"""The simulation that confirms a storage group's closed form, asked with its own values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.costing.array_durability import cluster_of
from capmodels.storage.cluster.slots import DRIVES_MAX, GROUPS_MAX, NODES_MAX, SHARDS_MAX

if TYPE_CHECKING:
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.spec import JSONDict

MODEL = "storage.cluster_array"
# Enough for a 99th percentile of each phase, some tenths of a second to simulate.
REQUESTS = 300_000


def simulation_of(plan: ArrayPlan, requests_per_s: float) -> JSONDict | None:
    """What ``storage.cluster_array`` is asked of one cluster at its peak; None where it cannot be.

    A node is lost and rebuilt at the design's rate of a rebuild, beside the design's requests.
    """
    array, code = plan.array, plan.array.code
    if code is None or requests_per_s <= 0 or code.nodes_count < 2 or array.parities == 0:
        return None
    counts = (array.disks_count, code.placement_groups_count, code.nodes_count, array.per_group)
    if any(
        count > most
        for count, most in zip(counts, (DRIVES_MAX, GROUPS_MAX, NODES_MAX, SHARDS_MAX), strict=True)
    ):
        return None
    cluster = cluster_of(array, code, min(max(array.drive.afr_fraction, 1e-9), 0.999))
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
            "read_fraction": plan.mix.read_fraction,
            "size_bytes": plan.mix.request_bytes,
            "requests_count": REQUESTS,
        },
        # Several shards of a group on a node are lost together with it.
        "lost": "node" if survives_node else "drive",
        "pue_ratio": 1.0,
    }
