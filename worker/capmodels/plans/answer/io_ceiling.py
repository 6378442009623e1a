"""The I/O ceiling of a design in its last year: all disks, or the network that they stand on.

After Zaranek et al. 2008 ("Free Factories"), section 4; the equations are those of
performance.cluster_io, group by group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number, fsum
from capmodels.performance.cluster_io import disk_limit_mb_per_s, job_h, network_limit_mb_per_s
from capmodels.plans.costing.array_cost import data_tb
from capmodels.plans.costing.sizing import data_of
from capmodels.plans.place_figures import IoFigures

if TYPE_CHECKING:
    from typing import Literal

    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene

    Limit = Literal["disk", "network"]

NO_RATE = "The throughput of a drive is not entered."
NO_NETWORK = "The network of a node is not entered."
NO_NODES = "What stands between an array and its clients is not modelled."
NO_READING = "Nothing can be read: the ceiling is 0 MB/s."
NOT_ASKED = "No throughput is entered in the work."
_FIELD: dict[Limit, str] = {"disk": "disks", "network": "network"}


def io_figures(case: OwnedCase, scene: Scene) -> IoFigures | None:
    """How fast all disks at the end can be read; None where there are none."""
    plans = [plan for plan in case.plans if plan.group.drives and as_number(plan.counts[-1]) > 0]
    if not plans and not any(arrays.counts[-1] for arrays in case.arrays):
        return None
    rates: dict[Limit, float | None] = {"disk": _disks_mb_per_s(case, plans)}
    if plans:
        rates["network"] = _network_mb_per_s(plans)
    known = {name: rate for name, rate in rates.items() if rate is not None}
    whole = len(known) == len(rates)
    ceiling, limit = min((rate, name) for name, rate in known.items()) if whole else (None, None)
    needed, data = _needed_mb_per_s(scene), _data_tb(case, plans, scene)
    return IoFigures(
        disks_mb_per_s=rates["disk"],
        network_mb_per_s=rates.get("network"),
        ceiling_mb_per_s=ceiling,
        limit=limit,
        needed_mb_per_s=needed,
        used_fraction=needed / ceiling if needed is not None and ceiling else None,
        read_all_h=_read_h(data, ceiling) if data and ceiling else None,
        reasons=_reasons(rates, needed, data),
    )


def _read_h(data: float, ceiling: float) -> float:
    return job_h(data_tb=data, read_amplification_ratio=1.0, rate_mb_per_s=ceiling)


def _reasons(rates: dict[Limit, float | None], needed: float | None, data: float) -> dict[str, str]:
    """Why figures are missing; the ceiling needs all rates, the rest needs the ceiling."""
    reasons = {}
    if rates["disk"] is None:
        reasons["disks_mb_per_s"] = NO_RATE
    if rates.get("network") is None:
        reasons["network_mb_per_s"] = NO_NETWORK if "network" in rates else NO_NODES
    lacks = [reasons[f"{_FIELD[name]}_mb_per_s"] for name in rates if rates[name] is None]
    if needed is None:
        reasons["needed_mb_per_s"] = NOT_ASKED
    if lacks:
        why = " ".join(lacks)
        return reasons | dict.fromkeys(("ceiling_mb_per_s", "used_fraction", "read_all_h"), why)
    if any(rate == 0.0 for rate in rates.values()):
        reasons |= dict.fromkeys(("used_fraction", "read_all_h"), NO_READING)
    if needed is None:
        reasons["used_fraction"] = NOT_ASKED
    if not data:
        reasons["read_all_h"] = "No data is entered in the work."
    return reasons


def _disks_mb_per_s(case: OwnedCase, plans: list[GroupPlan]) -> float | None:
    """Rate of all drives together; None where that of some is unknown. [MB/s]"""
    rates = []
    for plan in plans:
        drives = plan.group.drives
        if drives is None or drives.throughput_mb_per_s is None:
            return None
        rates.append(
            disk_limit_mb_per_s(
                disks_count=int(as_number(plan.counts[-1])) * drives.per_node_count,
                disk_mb_per_s=drives.throughput_mb_per_s,
                efficiency_fraction=1.0,
            )
        )
    rates += [
        as_number(arrays.counts[-1] * arrays.stream_mb_per_s(arrays.counts[-1]))
        for arrays in case.arrays
    ]
    return fsum(rates)


def _network_mb_per_s(plans: list[GroupPlan]) -> float | None:
    """Rate of all ports of the nodes that have drives; None where some are unknown. [MB/s]"""
    if not plans or any(plan.group.nic_gbit_per_s is None for plan in plans):
        return None
    return fsum(
        network_limit_mb_per_s(
            nodes_count=int(as_number(plan.counts[-1])),
            network_gbit_per_s=plan.group.nic_gbit_per_s or 0.0,
            efficiency_fraction=1.0,
        )
        for plan in plans
    )


def _needed_mb_per_s(scene: Scene) -> float | None:
    """Block throughput at the peak, at the end of the horizon; None where none is entered."""
    if scene.demand is None or scene.work.block_throughput_mb_per_s <= 0:
        return None
    return as_number(scene.timeline.throughput_mb_per_s.at(scene.months))


def _data_tb(case: OwnedCase, plans: list[GroupPlan], scene: Scene) -> float:
    """Data on all those drives at the end of the horizon, each kind counted once. [TB]"""
    if scene.demand is None:
        return as_number(scene.stored_tb)
    end = scene.months
    if case.arrays and not plans:
        return as_number(data_tb(case.arrays[0].array, scene, end))
    held = {id(data): data for data in (data_of(plan.group, scene) for plan in plans)}
    return fsum(data.at(end) for data in held.values())
