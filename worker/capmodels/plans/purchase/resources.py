"""RAM of a study beside its busy cores, as a plan of purchases takes it.

Nodes are sized by the larger of what cores and RAM ask for (plans.compare). So is what is rented
above them: an instance has cores and RAM, and so many are rented as carry both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.plans.costing.cloud_rent import need_rates
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.correlations import normal_correlation
from capmodels.plans.document.quantities import quantities_of
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.hardware import NodeGroup
    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.document.workload import DemandWorkload
    from capmodels.spec import JSONDict

RAM_UNIT = "GiB of RAM"
CORES_GROWTH = "/workload/growth/cores_fraction_per_year"
RAM_GROWTH = "/workload/growth/ram_fraction_per_year"


@dataclass(frozen=True, slots=True)
class Ram:
    """RAM in use beside the busy cores, and what carries it. [GiB]

    ``shape`` is its demand by the hour over its mean; ``per_node`` what a node carries, and
    ``per_rented`` what the instances for a busy core have.
    """

    now: float
    shape: tuple[float, ...]
    per_node: float
    per_rented: float | None


@dataclass(frozen=True, slots=True)
class RentedCores:
    """What rented cores are in instances that hold RAM as well.

    ``price_ratio`` is the price of a core where cores size the instances over that where the
    larger of both does; ``cores_ratio`` the instances that cores need over those that both do.
    """

    price_ratio: float = 1.0
    cores_ratio: float = 1.0
    ram_gib: float | None = None


def flat_ram_ratio(work: DemandWorkload) -> float:
    """RAM in use at the peak over its mean, where demand is flat but for that peak; 1 elsewhere."""
    if work.shape.kind != "flat" or work.p99_ratio is None:
        return 1.0
    return work.ram_fixed_fraction + (1.0 - work.ram_fixed_fraction) * work.p99_ratio


def ram_held_gib(work: DemandWorkload, built_in_gib: float) -> float:
    """Mean RAM in use that machines with so much of it hold. [GiB]"""
    return built_in_gib / (1.0 + work.headroom.ram_headroom_fraction) / flat_ram_ratio(work)


def ram_of(
    study: StudySpec,
    work: DemandWorkload,
    node: NodeGroup,
    carries: float,
    shape: Sequence[float],
    rented: RentedCores,
    today: Sequence[tuple[float, float]] = (),
) -> Ram | None:
    """RAM as a resource of its own; None where cores are always full before it.

    Parameters
    ----------
    study, work
        The study and its demand.
    node : NodeGroup
        The nodes that are ordered.
    carries : float
        Busy cores that one carries. [cores]
    shape : sequence of float
        Busy cores by the hour as ratios of any scale.
    rented : RentedCores
        What is rented above the nodes.
    today : sequence of (float, float)
        Busy cores and built-in RAM of one machine of each kind that is kept. [cores, GiB]

    Returns
    -------
    Ram or None
        None too where the RAM of nodes, or that in use, is not entered.
    """
    if work.ram_gib <= 0 or node.ram_gib <= 0:
        return None
    fixed, mean = work.ram_fixed_fraction, math.fsum(shape) / len(shape)
    hours = tuple(fixed + (1.0 - fixed) * hour / mean for hour in shape)
    per_node = ram_held_gib(work, node.ram_gib)
    found = Ram(work.ram_gib, hours, per_node, rented.ram_gib)
    at_peak = work.ram_gib * max(hours) / (work.busy_cores_count * max(shape) / mean)
    if any(ram_held_gib(work, ram) < busy * at_peak for busy, ram in today):
        return found
    # RAM that does not fall with the load is fullest, beside cores, in the quietest hour.
    quietest = min(range(len(shape)), key=lambda hour: shape[hour])
    cores = work.busy_cores_count * shape[quietest] / mean
    now = _ends(study, "/workload/busy_cores_count", work.busy_cores_count)
    if work.busy_cores_count > 0:
        cores *= now[0] / work.busy_cores_count
    slow = _ends(study, CORES_GROWTH, work.growth.cores_fraction_per_year)[0]
    fast = _ends(study, RAM_GROWTH, work.growth.ram_fraction_per_year)[1]
    for month in (0, study.assumptions.horizon_months):
        years = month / MONTHS_PER_YEAR
        by_ram = work.ram_gib * hours[quietest] * (1.0 + fast) ** years / per_node
        if by_ram > cores * (1.0 + slow) ** years / carries:
            return found
    return None


def _ends(study: StudySpec, pointer: str, value: float) -> tuple[float, float]:
    found = [(each.low, each.high) for each in study.ranges if each.pointer == pointer]
    return (min(value, found[0][0]), max(value, found[0][1])) if found else (value, value)


def rented_cores(study: StudySpec, cloud: Cloud, shape: Sequence[float]) -> RentedCores:
    """Hold what cores and RAM ask of a cloud's instances against each other, by their prices."""
    scene, work = Scene(study), study.workload
    items = [item for item in cloud.instances if item.gpus_count <= 0]
    mean = math.fsum(shape) / len(shape)
    cores = both = today = ram = 0.0
    for item in items:
        rates, usd = need_rates(item, scene), item.usd_per_h
        timeline = scene.timeline
        need: Any = rates.need(
            timeline.cores.today, timeline.ram_gib.today, 0.0, timeline.traffic_tb.today
        )
        cores += usd * need.slope
        both += usd * math.fsum(need.at(hour / mean) for hour in shape) / len(shape)
        today += usd * need.at(1.0)
        per_gib: Any = rates.per_fixed_gib + rates.per_scaling_gib
        ram += usd * per_gib
    if min(cores, both, today) <= 0.0 or work.kind != "demand":
        return RentedCores()
    held = cores / work.busy_cores_count / ram if ram > 0 else None
    return RentedCores(cores / both, cores / today, held)


def follows(study: StudySpec) -> float:
    """Correlation of the growth of RAM with that of busy cores, as the study has it."""
    quantities = quantities_of(study)
    keys = [
        next((each.key for each in quantities
              if any(member.leaf.pointer == pointer for member in each.members)), None)
        for pointer in (CORES_GROWTH, RAM_GROWTH)
    ]  # fmt: skip
    if None in keys:
        return 0.0
    if keys[0] == keys[1]:
        return 1.0
    given = (each.spearman_ratio for each in study.assumptions.correlations
             if {each.first, each.second} == set(keys))  # fmt: skip
    return normal_correlation(next(given, 0.0))


def put_in(question: JSONDict, ram: Ram, growth: JSONDict, follows_fraction: float) -> None:
    """Put RAM into a question of cores alone: what is asked for, carried and rented of it."""
    demand = question["demand"]
    unmet = question.get("unmet_usd_per_unit_h")
    per_core = ram.now / demand["level"]["now_count"]
    demand["others"] = [{
        "unit": RAM_UNIT,
        "now_count": ram.now,
        "growth": growth,
        "follows_fraction": follows_fraction,
        "profile_ratio": list(ram.shape),
        # Where the RAM of instances is not entered, it costs nothing more.
        "usd_per_unit_h": 0.0 if unmet is None and ram.per_rented is None else None,
        # As much as leaving the core unmet that it is of.
        "unmet_usd_per_unit_h": None if unmet is None else unmet / per_core,
    }]  # fmt: skip
    for machine in question["machines"]:
        machine["others_count"] = [ram.per_node]
    rent = question["on_demand"]
    if rent is None or ram.per_rented is None:
        return
    rent["instances"] = [{
        "name": "Instances for a core",
        "usd_per_h": rent["usd_per_unit_h"],
        "count": 1.0,
        "others_count": [ram.per_rented],
    }]  # fmt: skip
    for term in question["commitments"]:
        term["others_count"] = [ram.per_rented]
