"""What is left over at the peak: of nodes when they are fullest, of what is rented."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import as_number
from capmodels.plans.comparison import Spare
from capmodels.plans.costing.array_figures import array_spare
from capmodels.plans.costing.cloud_cost import block_overhead_ratio
from capmodels.plans.costing.cloud_rent import machines_at
from capmodels.plans.costing.service_load import service_spare
from capmodels.plans.costing.sizing import data_of, drives_of, iops_need, throughput_need
from capmodels.plans.document.baseline import Baseline
from capmodels.units import MB_PER_S_PER_GBIT_PER_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from capmodels.amounts import Amount
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import Instances
    from capmodels.series import Series

COMPUTING = frozenset({"compute", "compute_and_block"})


def spare_of(item: Costed, scene: Scene) -> Spare:
    """What is left when it is tightest, as a share of what is there."""
    if scene.demand is None or item.design is None or isinstance(item.design, Baseline):
        return Spare()
    if item.owned is not None and item.rented is None:
        return _owned_spare(item.owned, scene)
    if item.rented is not None and item.owned is None:
        return _rented_spare(item.rented, scene)
    return Spare()


def _owned_spare(case: OwnedCase, scene: Scene) -> Spare:
    moments = _moments(scene)
    if case.arrays and not case.plans:
        return Spare(**array_spare(case.arrays, scene))
    serving = [plan for plan in case.plans if plan.group.role == "service"]
    if serving and not _computing(case):
        return _service_spare(serving, scene)

    def throughput(plan: GroupPlan, month: float) -> Amount | None:
        return throughput_need(plan.group, scene, month, scene.p99_ratio)

    def iops(plan: GroupPlan, month: float) -> Amount | None:
        return iops_need(plan.group, scene, month)

    return Spare(
        cores_fraction=_least(_spare_cores(case, scene, when) for when in moments),
        ram_fraction=_least(_spare_ram(case, scene, when) for when in moments),
        disk_fraction=_least(_spare_disk(case, scene, when) for when in moments),
        throughput_fraction=_least(_spare_rate(case, scene, when, throughput) for when in moments),
        iops_fraction=_least(_spare_rate(case, scene, when, iops) for when in moments),
        gpu_fraction=_least(_spare_gpus(case, scene, when) for when in moments),
    )


def _service_spare(plans: list[GroupPlan], scene: Scene) -> Spare:
    """What a service leaves when it is tightest, by what it needs."""
    spares = [
        service_spare(plan, scene, when.at, when.month)
        for plan in plans
        for when in _moments(scene)
    ]

    def least(*names: str) -> float | None:
        return _least(found.get(name) for found in spares for name in names)

    return Spare(
        cores_fraction=least("queries", "batch"),
        ram_fraction=least("ram"),
        disk_fraction=least("disk"),
        iops_fraction=least("iops"),
    )


def _least(shares: Iterable[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return min(known) if known else None


class _Moment(NamedTuple):
    """A month of an interval in which a need may be largest."""

    at: int
    month: int


def _moments(scene: Scene) -> list[_Moment]:
    return [
        _Moment(at, month)
        for at, interval in enumerate(scene.intervals)
        for month in scene.edges(interval)
    ]


def _computing(case: OwnedCase) -> list[GroupPlan]:
    return [plan for plan in case.plans if plan.group.role in COMPUTING]


def _left(used: Amount, there: Amount) -> float | None:
    nodes = as_number(there)
    return 1.0 - as_number(used) / nodes if nodes > 0 else None


def _spare_cores(case: OwnedCase, scene: Scene, when: _Moment) -> float | None:
    there = sum(
        plan.counts[when.at] * plan.group.cores_per_node_count * plan.group.perf_per_core_ratio
        for plan in _computing(case)
    )
    return _left(scene.timeline.cores.at(when.month) * scene.p99_ratio, there)


def _spare_ram(case: OwnedCase, scene: Scene, when: _Moment) -> float | None:
    there = sum(plan.counts[when.at] * plan.group.ram_gib for plan in _computing(case))
    fixed = scene.work.ram_fixed_fraction
    peak = fixed + (1.0 - fixed) * scene.p99_ratio
    return _left(scene.timeline.ram_gib.at(when.month) * peak, there)


def _spare_disk(case: OwnedCase, scene: Scene, when: _Moment) -> float | None:
    shares = []
    for plan in case.plans:
        if "disk" in plan.required[when.at] and as_number(plan.counts[when.at]) > 0:
            drives = drives_of(plan.group)
            month, share = when.month, plan.group.share_fraction
            data = data_of(plan.group, scene)
            there = plan.counts[when.at] * drives.per_node_count * drives.capacity_tb
            shares.append(_left(data.at(month) * share * drives.copies_count, there))
    return _least(shares)


def _spare_rate(
    case: OwnedCase, scene: Scene, when: _Moment, need: Callable[[GroupPlan, float], Amount | None]
) -> float | None:
    """What the fullest group leaves of its rated IOPS or throughput."""
    full = scene.work.headroom.io_target_fraction
    shares = []
    for plan in case.plans:
        nodes = need(plan, when.month)
        if nodes is not None and as_number(nodes) and as_number(plan.counts[when.at]) > 0:
            shares.append(_left(nodes * full * plan.group.share_fraction, plan.counts[when.at]))
    return _least(shares)


def _spare_gpus(case: OwnedCase, scene: Scene, when: _Moment) -> float | None:
    there = sum(
        plan.counts[when.at] * plan.group.gpus_per_node_count
        for plan in case.plans
        if plan.group.role == "gpu"
    )
    return _left(scene.timeline.gpus_peak.at(when.month), there)


def _rented_spare(case: CloudCase, scene: Scene) -> Spare:
    """What whole instances leave at the peak: rented capacity follows the load."""
    plain = [mix.item for mix in case.mixes if mix.item.gpus_count <= 0]
    gpus = scene.work.gpu_peak_count > 0 and len(plain) < len(case.mixes)
    gpu_fraction = 1.0 - scene.work.headroom.gpu_target_fraction if gpus else None
    if not plain:
        return Spare(gpu_fraction=gpu_fraction)
    peak, month = scene.p99_ratio, scene.months
    counts = [machines_at(item, scene, month, peak) for item in plain]
    cores = sum(
        count * item.vcpu_count * item.perf_per_vcpu_ratio
        for count, item in zip(counts, plain, strict=True)
    )
    ram_gib = sum(count * item.ram_gib for count, item in zip(counts, plain, strict=True))
    fixed = scene.work.ram_fixed_fraction
    ram_peak = scene.timeline.ram_gib.at(month) * (fixed + (1.0 - fixed) * peak)
    stored = scene.work.block_tb > 0
    return Spare(
        cores_fraction=_left(scene.timeline.cores.at(month) * peak, cores),
        ram_fraction=_left(ram_peak, ram_gib),
        disk_fraction=1.0 - 1.0 / block_overhead_ratio(case) if stored else None,
        iops_fraction=_volume_spare_iops(case, scene),
        throughput_fraction=_least(
            [_network_spare(plain, counts, scene), _volume_spare_throughput(case, scene)]
        ),
        gpu_fraction=gpu_fraction,
    )


def _network_spare(plain: list[Instances], counts: Series, scene: Scene) -> float | None:
    """What the traffic leaves of the instances' network; None when one of them is unknown."""
    traffic_tb = scene.timeline.traffic_tb.at(scene.months)
    if not traffic_tb or any(item.network_gbit_per_s is None for item in plain):
        return None
    moved = traffic_tb * scene.mb_per_s_per_tb_month * scene.p99_ratio
    shares = [
        _left(
            moved * item.share_fraction,
            count * (item.network_gbit_per_s or 0.0) * MB_PER_S_PER_GBIT_PER_S,
        )
        for count, item in zip(counts, plain, strict=True)
    ]
    return _least(shares)


def _volume_spare_iops(case: CloudCase, scene: Scene) -> float | None:
    storage = case.cloud.storage
    return _volume_spare(
        as_number(scene.timeline.io_per_s.at(scene.months)),
        storage.io_included_per_s,
        priced=storage.usd_per_iops_month > 0,
        full=scene.work.headroom.io_target_fraction,
    )


def _volume_spare_throughput(case: CloudCase, scene: Scene) -> float | None:
    storage = case.cloud.storage
    return _volume_spare(
        as_number(scene.timeline.throughput_mb_per_s.at(scene.months)),
        storage.throughput_included_mb_per_s,
        priced=storage.usd_per_mb_per_s_month > 0,
        full=scene.work.headroom.io_target_fraction,
    )


def _volume_spare(peak: float, included: float, *, priced: bool, full: float) -> float | None:
    """What is left of a volume's rate; None where nothing is asked, or no limit is entered."""
    if not peak or not (priced or included):
        return None
    there = max(peak / full, included) if priced else included
    return 1.0 - peak / there
