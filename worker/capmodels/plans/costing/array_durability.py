"""How likely the arrays of a design lose data, and how long a lost drive takes. Points only."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import as_number
from capmodels.plans.costing.array_cost import MOST_AFR, failures_per_drive_year
from capmodels.plans.costing.array_rebuild import Beside, asked_of_cluster, rebuild_beside
from capmodels.plans.costing.array_size import sized
from capmodels.reliability.array_loss import SPEC as ARRAY_LOSS
from capmodels.reliability.array_loss import loss_fraction
from capmodels.reliability.loss_chain import loss_of_groups
from capmodels.reliability.loss_params import ArrayLossParams, Repair, SharedFate
from capmodels.reliability.loss_params import Layout as LossLayout
from capmodels.spec import Context
from capmodels.storage.closed_form.rebuild import unknown_words
from capmodels.storage.cluster.beside import busiest, drive_mb_per_s, pace_fraction, slowed
from capmodels.storage.cluster.durability import durability, losses_of
from capmodels.storage.cluster.params import (
    ClusterCodeParams,
    ClusterTerms,
    ClusterWork,
    ErasureCode,
    Machines,
    Recovery,
)
from capmodels.storage.cluster.recovery import lost_of

if TYPE_CHECKING:
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.storage.cluster.durability import Pace

_LAYOUTS: dict[str, LossLayout] = {
    "single": "raid0",
    "raid0": "raid0",
    "raid1": "mirror",
    "raid10": "mirror",
    "mirrored_sets": "mirror",
    "raid5": "raid5",
    "raid6": "raid6",
    "raid7": "raid7",
    "draid1": "draid1",
    "draid2": "draid2",
    "draid3": "draid3",
}
# A stripe alone, of drives that are rebuilt as in the whole.
_PLAIN: dict[str, LossLayout] = {"draid1": "raid5", "draid2": "raid6", "draid3": "raid7"}
_TINY = 1e-300
# From this share of its limits' rate on a recovery is taken to keep it.
_KEPT = 0.995


class Survival(NamedTuple):
    """Of all arrays in a year; None where the drives never fail, or a rebuild's time is unknown."""

    loss_fraction: float | None  # that any data are lost
    nines_count: float | None  # of an object, a year
    rebuild_h: float | None  # of a drive
    failures_per_year: float
    beside: Beside = Beside()  # the requests


class _Lost(NamedTuple):
    """Of arrays that are filled alike: loss of any data, and of an object; a drive's rebuild."""

    any_fraction: float | None
    object_fraction: float | None
    rebuild_h: float | None


def survival_of(
    plan: ArrayPlan, scene: Scene, refresh_months: int | None, at: int = -1
) -> Survival:
    """Chance a year that some data are lost, an object's nines, and failures of drives.

    Of the last interval, unless another is asked for; drives are as worn, and rebuilds as slow
    beside the requests, as in the last one. An object is as safe as the arrays it may lie in, by
    their drives.
    """
    rate = as_number(failures_per_drive_year(plan, scene, refresh_months))
    failures = rate * as_number(plan.drives_count(at))
    if rate == 0:
        return Survival(None, None, None, failures)
    afr = min(-math.expm1(-rate), MOST_AFR)
    if plan.array.code is None:
        beside = rebuild_beside(plan, scene)
        if beside.unknown is not None:
            return Survival(None, None, None, failures, beside)
        lost = partial(_lost, afr=afr, beside=beside.mb_per_s)
    else:
        pace, beside = _pace_of(plan, scene)
        lost = partial(_coded, afr=afr, pace=pace)
    there = sized(plan.array, as_number(plan.counts[at]))
    found = [(lost(one, count=count), one.disks_count * (count or 1.0)) for one, count in there]
    drives = math.fsum(weight for _, weight in found)
    hours = [one.rebuild_h for one, _ in found if one.rebuild_h is not None]
    any_fractions = [one.any_fraction for one, _ in found if one.any_fraction is not None]
    if len(any_fractions) < len(found):
        return Survival(None, None, max(hours, default=None), failures, beside)
    safe = math.fsum(math.log1p(-min(one, 1 - 1e-16)) for one in any_fractions)
    gone = math.fsum((one.object_fraction or 0.0) * weight for one, weight in found) / drives
    return Survival(
        any_fractions[0] if len(found) == 1 else -math.expm1(safe),
        -math.log10(max(gone, _TINY)),
        max(hours),
        failures,
        beside,
    )


def _lost(array: ArraySpec, *, afr: float, count: float, beside: float | None) -> _Lost:
    params = ArrayLossParams(
        layout=_LAYOUTS[array.layout],
        disks_count=array.serving_count if array.declustered else array.per_group,
        stripe_disks_count=array.per_group,
        disk_gb=array.drive.capacity_gb,
        afr_fraction=afr,
        mttr_h=array.mttr_h,
        repair=Repair(
            rebuild_mb_per_s=array.rebuild_mb_per_s if beside is None else beside,
            spares_count=int(array.spares_count),
            spare_wake_s=spare_wake_s(array),
        ),
        unrecoverable_per_bit=array.drive.unrecoverable_per_bit,
        shared_fate=SharedFate(together_ratio=array.together_ratio),
        mission_years=1.0,
    )
    one = ARRAY_LOSS.run(params, Context())
    # An object lies in one group; sectors that a rebuild cannot read are those of few objects.
    gone = loss_fraction(1.0, one.mttdl_years)
    if array.declustered:
        # Of the drives only those of its stripe matter to an object.
        stripe = {"disks_count": array.per_group, "mttr_h": one.repair_h}
        plain = {"layout": _PLAIN[array.layout], "unrecoverable_per_bit": 0.0}
        alone = params.model_copy(update={**stripe, **plain})
        gone = loss_fraction(1.0, ARRAY_LOSS.run(alone, Context()).mttdl_years)
    any_year = loss_fraction(1.0, one.any_mttdl_years)
    any_fraction = loss_of_groups(any_year, array.groups * count)
    return _Lost(any_fraction, gone, one.repair_h)


def spare_wake_s(array: ArraySpec) -> float:
    """Time until a hot spare that sleeps has spun up; 0 where it idles. [s]"""
    drive = array.drive
    sleeps = array.spares_sleep or array.power_policy.kind == "threshold"
    if not sleeps or drive.kind != "hdd" or drive.standby is None:
        return 0.0
    return drive.standby.up_s


def _pace_of(plan: ArrayPlan, scene: Scene) -> tuple[Pace, Beside]:
    """Recovery over that of its limits, beside the last interval's mean requests, and a drive's.

    Of a cluster as large as then; each drive's rate for a lost one in MB/s, where it is slowed.
    """
    [(array, clusters)] = sized(plan.array, as_number(plan.counts[-1]))
    cluster = cluster_of(array)
    asked = asked_of_cluster(plan, scene, clusters or 1.0)
    pace = partial(pace_fraction, cluster, asked=asked)
    share, unknown = pace(1.0), None
    if any(pace(drives) is None for drives in losses_of(cluster)):
        unknown = unknown_words(*max(busiest(cluster, one, asked) for one in losses_of(cluster)))
    if share is None or share > _KEPT:
        return pace, Beside(unknown=unknown)
    return pace, Beside(drive_mb_per_s(cluster, lost_of(cluster, 1), share), unknown)


def _coded(array: ArraySpec, *, afr: float, count: float, pace: Pace) -> _Lost:
    cluster = cluster_of(array, afr)
    found, hours = durability(cluster, pace), slowed(cluster, lost_of(cluster, 1), pace(1.0))
    loss, nines = found.loss_fraction_per_year, found.object_nines_count
    return _Lost(
        None if loss is None else loss_of_groups(loss, count),
        None if nines is None else 10.0**-nines,
        hours.recovery_h,
    )


def cluster_of(array: ArraySpec, afr_fraction: float = _TINY) -> ClusterCodeParams:
    """A storage group with a code as ``storage.cluster_code`` takes it.

    How often drives fail matters to durability alone.

    Raises
    ------
    TypeError
        When it has no code.
    """
    code = array.code
    if code is None:
        raise TypeError
    return ClusterCodeParams(
        machines=Machines(
            nodes_count=code.nodes_count,
            drives_per_node_count=array.disks_count // code.nodes_count,
            racks_count=code.racks_count,
            sites_count=code.sites_count,
            network_gbit_per_s=code.network_gbit_per_s,
            hop_ms=code.hop_ms,
            code_gb_per_s=code.code_gb_per_s,
            node_fraction_per_year=code.node_fraction_per_year,
            rack_fraction_per_year=code.rack_fraction_per_year,
            site_fraction_per_year=code.site_fraction_per_year,
            site_hop_ms=code.site_hop_ms,
        ),
        drive=array.drive,
        code=ErasureCode(
            data_count=code.data_count,
            parity_count=code.parity_count,
            local_groups_count=code.local_groups_count,
        ),
        failure_domain=code.failure_domain,
        placement_groups_count=code.placement_groups_count,
        fill_fraction=code.fill_fraction,
        recovery=Recovery(
            drive_mb_per_s=array.rebuild_mb_per_s,
            network_fraction=code.network_fraction,
            detection_h=code.detection_h,
        ),
        work=ClusterWork(),
        terms=ClusterTerms(together_ratio=array.together_ratio),
        afr_fraction=afr_fraction,
    )
