"""The question of a plan of purchases that a study asks: its demand, machines and rented prices.

What one more machine, and one more busy core rented, costs comes from the study's own comparison
of twice the work with the work as it is: every cause that grows with the work is in it. What does
not grow with it, such as storage, people and moves, is in the plan's other costs (see beside.py).
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from capmodels.errors import ModelError
from capmodels.numbers import quantity, significant
from capmodels.plans.compare import SPEC as COMPARE
from capmodels.plans.costing.cloud_rent import need_rates
from capmodels.plans.costing.scene import Scene
from capmodels.plans.purchase.beside import (
    References,
    beside_of,
    case_as_entered,
    causes_of,
    references,
)
from capmodels.plans.purchase.params import CLASSES_MAX, MONTHS_MAX, PurchasePlanParams
from capmodels.plans.purchase.resources import (
    CORES_GROWTH,
    RAM_GROWTH,
    RAM_UNIT,
    Ram,
    RentedCores,
    follows,
    put_in,
    ram_held_gib,
    ram_of,
    rented_cores,
)
from capmodels.plans.words import money
from capmodels.spec import evaluate, validate
from capmodels.units import HOURS_PER_MONTH, MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.plans.document.baseline import BaselineLine
    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.hardware import NodeGroup
    from capmodels.plans.document.owned import OwnedCluster
    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.document.workload import DemandWorkload
    from capmodels.plans.purchase.params import MachineType
    from capmodels.spec import JSONDict

PURCHASE_PLAN = "plans.purchase_plan"
# One machine among many: so much work that whole machines hardly show in a difference.
_AS_MUCH = 64
PRICE = ("hardware", "finance", "salvage", "remaining")
_COMPUTE = ("compute", "compute_and_block")
_TASKS = ("compute", "Compute", "all", "virtualisation")
# Dearer than any core of a list: what is left unmet is a last resort.
_UNMET_USD = 1.0
_NOW = "/workload/busy_cores_count"
_RESTS_ON = (
    _NOW,
    "/workload/ram_gib",
    "/workload/ram_fixed_fraction",
    "/workload/growth",
    "/workload/shape",
    "/workload/headroom",
    "/assumptions/horizon_months",
    "/assumptions/discount_fraction_per_year",
    "/baseline",
)
_NO_DEMAND = "A plan of purchases needs work as busy cores. Enter it as demand."
_NOTHING = (
    "A plan of purchases needs an owned cluster, or a cloud that has instances without GPUs. "
    "Add such a design."
)


@dataclass(frozen=True, slots=True)
class StudyPurchase:
    """Params of a plan of purchases, the designs that they are of, and what is to be known."""

    params: JSONDict
    owned_letter: str | None
    rented_letter: str | None
    notes: tuple[str, ...]
    references: References
    # What of the study the question rests on.
    pointers: tuple[str, ...]
    # Of what a rented core costs, what a commitment takes its discount on.
    discounted_share: float
    running_shares: dict[tuple[str, str], float]
    # Cores of a design's commitment for a core that the plan commits to.
    committed_ratio: float


def purchase_of(document: JSONDict) -> StudyPurchase:
    """Ask of a study what to order, commit to and rent, and when.

    Parameters
    ----------
    document : dict
        A study as ``plans.compare`` takes it.

    Returns
    -------
    StudyPurchase
        Valid params of ``plans.purchase_plan``.

    Raises
    ------
    ModelError
        When the study has no busy cores, or no design with machines or instances for them.
    """
    study: StudySpec = validate(COMPARE, document)
    work = study.workload
    if work.kind != "demand" or work.busy_cores_count <= 0:
        raise ModelError(_NO_DEMAND)
    owned = next(
        (each for each in study.designs if each.kind == "owned_cluster" and _groups(each)), None
    )
    rented = [
        each
        for each in study.designs
        if each.kind == "cloud" and any(item.gpus_count <= 0 for item in each.instances)
    ]
    if owned is None and not rented:
        raise ModelError(_NOTHING)
    once, twice = (_at(document, study, factor) for factor in (_AS_MUCH, 2 * _AS_MUCH))
    added = work.busy_cores_count * _AS_MUCH
    prices = {
        each.letter: _monthly_usd(once, twice, each.letter) / added / HOURS_PER_MONTH
        for each in rented
    }
    cheapest = min(rented, key=lambda each: prices[each.letter], default=None)
    cloud, letter = (None if each is None else each.letter for each in (cheapest, owned))
    share = 1.0 if cloud is None else _instances_share(once, twice, cloud)
    held = RentedCores() if cheapest is None else rented_cores(study, cheapest, _profile(work))

    ram = _ram(study, work, owned, held, (once, twice))

    def question(study: StudySpec) -> JSONDict:
        found = _question(
            study, work, owned, cheapest, (prices, share), (once, twice), with_ram=ram is None
        )
        # Of no ranges it may not bind, and is asked for all the same.
        return _with_ram(found, study, ram, held)

    entered = PurchasePlanParams.model_validate(
        _with_today(study, question(study.model_copy(update={"ranges": ()})))
    )
    found = references(document, entered, letter, cloud)
    params = _with_today(study, question(study))
    params["beside"] = beside_of(found, case_as_entered(entered).discount)
    read = PurchasePlanParams.model_validate(params)
    return StudyPurchase(
        read.model_dump(mode="json"),
        letter,
        cloud,
        tuple(_notes(study, owned, read)),
        found,
        (*_RESTS_ON, *(f"/designs/{each}" for each in (letter, cloud) if each is not None)),
        share,
        _running_shares(once, twice, letter),
        held.cores_ratio if read.demand.others else 1.0,
    )


def _ram(
    study: StudySpec,
    work: DemandWorkload,
    owned: OwnedCluster | None,
    held: RentedCores,
    pair: tuple[Mapping[str, JSONDict], Mapping[str, JSONDict]],
) -> Ram | None:
    """RAM as a resource of its own, where nodes might have the cores without it."""
    machines = [] if owned is None else _machine(study, owned, work, *pair, with_ram=False)
    if owned is None or not machines:
        return None
    carries = machines[0]["capacity_count"] * machines[0]["usable_fraction"]
    today = [
        (line.busy_cores_count, line.ram_gib)
        for line in (study.baseline.lines if study.baseline else ())
        if line.is_kept and line.busy_cores_count is not None and line.ram_gib is not None
    ]
    return ram_of(study, work, _groups(owned)[0], carries, _profile(work), held, today)


def _with_ram(question: JSONDict, study: StudySpec, ram: Ram | None, held: RentedCores) -> JSONDict:
    """Put RAM into a question of cores, with what is rented at the price of the cores alone."""
    if ram is not None and study.workload.kind == "demand":
        if question["on_demand"] is not None:
            question["on_demand"]["usd_per_unit_h"] *= held.price_ratio
        growth = _change(study, RAM_GROWTH, study.workload.growth.ram_fraction_per_year)
        put_in(question, ram, growth, follows(study))
    return question


def _instances_share(
    once: Mapping[str, JSONDict], twice: Mapping[str, JSONDict], letter: str
) -> float:
    """Instances' share of all that more work adds to what is rented."""
    before, after = (causes_of(each[letter]) for each in (once, twice))
    more = {key: max(0.0, usd - before.get(key, 0.0)) for key, usd in after.items()}
    instances = more.get(("rented", "instances"), 0.0)
    return instances / sum(more.values()) if instances > 0 else 1.0


def _idle_cores(study: StudySpec, cloud: Cloud) -> float:
    """Busy cores that are paid beside those in use in each hour in which any is rented.

    Of each kind of instance its spare ones and half of one, as whole ones are rented; what is
    rented of several kinds is weighed by their prices.
    """
    scene, items = Scene(study), [item for item in cloud.instances if item.gpus_count <= 0]
    priced = [(item.usd_per_h, need_rates(item, scene)) for item in items]
    beside = math.fsum(usd * (0.5 + rates.fleet.spare_count) for usd, rates in priced)
    per_core = math.fsum(usd * cast("float", rates.per_core) for usd, rates in priced)
    return beside / per_core if per_core > 0 else 0.0


def _running_shares(
    once: Mapping[str, JSONDict], twice: Mapping[str, JSONDict], letter: str | None
) -> dict[tuple[str, str], float]:
    """What more work adds to each cause of running own machines, as shares of all that it adds."""
    if letter is None:
        return {}
    before, after = (causes_of(each[letter]) for each in (once, twice))
    more = {key: usd - before.get(key, 0.0) for key, usd in after.items() if key[1] not in PRICE}
    total = sum(more.values())
    if total <= 0:
        return {("owned", "space"): 1.0}
    return {key: usd / total for key, usd in more.items()}


def _question(
    study: StudySpec,
    work: DemandWorkload,
    owned: OwnedCluster | None,
    cheapest: Any,
    rent: tuple[Mapping[str, float], float],
    pair: tuple[Mapping[str, JSONDict], Mapping[str, JSONDict]],
    *,
    with_ram: bool,
) -> JSONDict:
    """Everything that is asked but the other costs."""
    (once, twice), (prices, share) = pair, rent
    params: JSONDict = {
        "months_count": min(study.assumptions.horizon_months, MONTHS_MAX),
        "first_month": None if study.assumptions.starts_on is None
        else study.assumptions.starts_on[:7],
        "discount_fraction_per_year": study.assumptions.nominal_discount_fraction_per_year,
        "end": "stops" if study.assumptions.end == "work_stops" else "continues",
        "demand": _demand(study, work),
        "machines": []
        if owned is None
        else _machine(study, owned, work, once, twice, with_ram=with_ram),
        "on_demand": None,
        "commitments": [],
        "reviews": _reviews(study),
        "gap_fraction": 1e-3,
        "scenarios_count": 200,
        "currency": study.assumptions.currency.model_dump(mode="json"),
    }  # fmt: skip
    if cheapest is None:
        params["unmet_usd_per_unit_h"] = _UNMET_USD
    else:
        change = study.assumptions.price_changes.instances_fraction_per_year
        pointer = "/assumptions/price_changes/instances_fraction_per_year"
        params["on_demand"] = {
            "usd_per_unit_h": prices[cheapest.letter],
            "idle_count": _idle_cores(study, cheapest),
            "price_change": _change(study, pointer, change),
        }
        params["commitments"] = _commitments(cheapest.commitments, share)
    return params


def _with_today(study: StudySpec, question: JSONDict) -> JSONDict:
    """A question with what the study runs today and keeps for a time: machines, commitments.

    Each has its own RAM; where that is not entered, that of the work, at its peak, that its cores
    are busy with.
    """
    demand, work = question["demand"], study.workload
    hours, now = demand["profile_ratio"], demand["level"]["now_count"]
    peak = max(hours) * len(hours) / math.fsum(hours)

    def others_of(line: BaselineLine, busy: float) -> list[float]:
        if line.ram_gib is not None and work.kind == "demand":
            return [ram_held_gib(work, line.ram_gib) for _ in demand.get("others", ())]
        return [
            busy * each["now_count"] * max(each["profile_ratio"]) / (now * peak)
            for each in demand.get("others", ())
        ]

    machines: list[JSONDict] = []
    commitments: list[JSONDict] = []
    for place, line in enumerate(study.baseline.lines if study.baseline else ()):
        busy, ends = line.busy_cores_count, line.committed_months(study.assumptions.starts_on)
        usd_per_month = line.usd_per_h * line.hours_per_month
        if busy is None or round(line.count) < 1:
            continue
        if ends:
            commitments.append({
                "name": line.type,
                "committed_count": line.count * busy,
                "others_count": [each / busy for each in others_of(line, busy)],
                "usd_per_unit_h": usd_per_month / HOURS_PER_MONTH / busy,
                "until_month": ends,
            })  # fmt: skip
        elif line.until_month is not None:
            is_again = any(each["name"] == line.type for each in machines)
            machines.append({
                "name": f"{line.type}, line {place + 1}" if is_again else line.type,
                "count": round(line.count),
                "capacity_count": busy,
                "usable_fraction": 1.0,
                "others_count": others_of(line, busy),
                "upkeep_usd_per_month": usd_per_month,
                "until_month": line.until_month,
            })  # fmt: skip
    return {**question, "held_machines": machines, "held_commitments": commitments}


def _groups(owned: OwnedCluster) -> list[NodeGroup]:
    """Nodes that carry busy cores and have a price each."""
    return [
        group
        for group in owned.node_groups
        if group.role in _COMPUTE and group.cores_per_node_count > 0 and group.price.kind != "lump"
    ]


def _at(document: JSONDict, study: StudySpec, factor: int) -> Mapping[str, JSONDict]:
    """Designs of the study with so many times the work, without growth, ranges or commitments."""
    changed = copy.deepcopy(dict(document))
    work = changed["workload"]
    work.update(
        busy_cores_count=study.workload.busy_cores_count * factor,  # type: ignore[union-attr]  # a demand, as was asked above
        ram_gib=study.workload.ram_gib * factor,  # type: ignore[union-attr]  # a demand, as was asked above
        growth={},
        teams=[],
    )
    kept = [each for each in changed["designs"] if each["kind"] in {"owned_cluster", "cloud"}]
    for each in kept:
        each["migration"] = {}
        each.pop("shortfall_letter", None)
        each.pop("envelope", None)
        if each["kind"] == "cloud":
            each["commitments"] = []
            each["credits"] = {}
        for group in each.get("node_groups", ()):
            if group.get("role", "compute") in _COMPUTE and group["price"].get("kind") != "lump":
                group["count"] = None
    changed.update(designs=kept, ranges=[], draws_count=0, baseline=None)
    none: JSONDict = {"correlations": [], "choices": [], "accepted": []}
    changed["assumptions"] = {**changed.get("assumptions", {}), **none}
    found = evaluate(COMPARE, changed).model_dump(mode="json")
    return {each["letter"]: each for each in found["designs"]}


def _monthly_usd(once: Mapping[str, JSONDict], twice: Mapping[str, JSONDict], letter: str) -> float:
    """What the added work costs a month of the first year, beside what is paid first. [USD]"""
    before, after = (each[letter]["cumulative_usd"] for each in (once, twice))
    months = min(MONTHS_PER_YEAR, max(1, len(before) - 2))
    spent = (after[months] - after[0]) - (before[months] - before[0])
    return float(max(0.0, spent) / months)


def _nodes(design: JSONDict, names: Sequence[str]) -> tuple[float, JSONDict]:
    """Nodes that the work is sized to in the first year, and what each resource requires."""
    groups = [each for each in design["sizing"][0]["groups"] if each["name"] in names]
    return sum(each["count"] for each in groups), groups[0]["required"]


def _machine(
    study: StudySpec,
    owned: OwnedCluster,
    work: DemandWorkload,
    once: Mapping[str, JSONDict],
    twice: Mapping[str, JSONDict],
    *,
    with_ram: bool,
) -> list[JSONDict]:
    """The nodes of a cluster that carry busy cores, at what one more of them costs.

    ``with_ram`` where their RAM lets fewer cores be busy: else it is a resource of its own.
    """
    groups = _groups(owned)
    names = [group.name for group in groups]
    (before, _), (after, required) = (_nodes(each[owned.letter], names) for each in (once, twice))
    added = after - before
    if added < 1.0:
        return []
    paid = twice[owned.letter]["cumulative_usd"][0] - once[owned.letter]["cumulative_usd"][0]
    first = groups[0]
    cores = first.cores_per_node_count * first.perf_per_core_ratio
    sizes = [need for name, need in required.items()
             if need is not None and (with_ram or name != "ram")]  # fmt: skip
    largest = max(sizes, default=0.0)
    # Where another resource sizes the nodes, fewer of their cores are busy at the peak.
    share = required.get("cores", largest) / largest if largest > 0 else 1.0
    if work.shape.kind == "flat" and work.p99_ratio is not None:
        share /= work.p99_ratio
    pointer = "/assumptions/price_changes/server_fraction_per_year"
    machine = {
        # Groups are often called by their task: a node of that is ordered.
        "name": f"{first.name} node" if first.name in _TASKS else first.name,
        "capacity_count": cores,
        "usable_fraction": min(1.0, work.headroom.cores_target_fraction * share),
        "price_usd": max(0.0, paid / added),
        "price_change": _change(
            study, pointer, study.assumptions.price_changes.server_fraction_per_year
        ),
        "upkeep_usd_per_month": _monthly_usd(once, twice, owned.letter) / added,
        "life_months": owned.refresh_months or round(owned.salvage.life_months),
        "resale_fraction": max(0.0, owned.salvage.fraction - owned.salvage.disposal_fraction),
        "lead_months": owned.lead_time_months,
        "spare_count": work.availability.spare_nodes_count
        if first.spare_nodes_count is None else first.spare_nodes_count,
    }  # fmt: skip
    return [machine]


def _change(study: StudySpec, pointer: str, value: float) -> JSONDict:
    """A change a year with its range in the study, if it has one."""
    found = next((each for each in study.ranges if each.pointer == pointer), None)
    if found is None or not found.low < found.high:
        return {"kind": "fixed", "value_fraction_per_year": value}
    return {
        "kind": "range",
        "low_fraction_per_year": found.low,
        "likely_fraction_per_year": min(max(value, found.low), found.high),
        "high_fraction_per_year": found.high,
    }


def _demand(study: StudySpec, work: DemandWorkload) -> JSONDict:
    growth = _change(study, CORES_GROWTH, work.growth.cores_fraction_per_year)
    return {
        "unit": "cores",
        "level": {
            "kind": "grown",
            "now_count": work.busy_cores_count,
            "now_spread": _spread_now(study, work),
            "growth": growth,
        },
        "profile_ratio": _profile(work),
    }


def _spread_now(study: StudySpec, work: DemandWorkload) -> JSONDict | None:
    """The range of the busy cores in the study, if it has one."""
    found = next((each for each in study.ranges if each.pointer == _NOW), None)
    if found is None or not found.low < found.high:
        return None
    return {
        "kind": "range",
        "low_count": min(found.low, work.busy_cores_count),
        "high_count": max(found.high, work.busy_cores_count),
    }


def _profile(work: DemandWorkload) -> list[float]:
    """Hours of the study's shape; of a year, means of like hours."""
    if work.shape.kind == "flat":
        return [1.0]
    values = sorted(work.shape.values_ratio)
    if len(values) <= CLASSES_MAX:
        return values
    ends = [round(place * len(values) / CLASSES_MAX) for place in range(CLASSES_MAX + 1)]
    return [sum(values[a:b]) / (b - a) for a, b in pairwise(ends)]


def _commitments(commitments: Sequence[Any], share: float) -> list[JSONDict]:
    """Terms of a cloud, their discount on its share of what a rented core costs."""
    found: dict[str, JSONDict] = {}
    for each in commitments:
        name = f"{each.term_months} months"
        found[name] = {
            "name": name,
            "term_months": each.term_months,
            "discount_fraction": each.discount_fraction * share,
            "payment": "upfront" if each.upfront_fraction >= 1.0 else "monthly",
        }
    return list(found.values())


def _reviews(study: StudySpec) -> list[JSONDict]:
    """Once a year, by whether demand was high or low until then."""
    months = range(MONTHS_PER_YEAR, min(study.assumptions.horizon_months, 37), MONTHS_PER_YEAR)
    return [{"month": month, "reveals": "observed", "groups_count": 2} for month in months]


def _notes(study: StudySpec, owned: OwnedCluster | None, read: PurchasePlanParams) -> list[str]:
    found = [
        "What does not grow with busy cores, such as storage, people and moves, is in the plan's "
        "other costs, as the comparison has it for renting all and for owning a part."
    ]
    if owned is not None:
        found.append(
            "Machines are those of the first owned cluster. One costs what one more of many does: "
            f"the difference between {_AS_MUCH} and {2 * _AS_MUCH} times the work."
        )
        if owned.finance.kind == "lease":
            found.append("Leased machines are paid by the month here, as long as they are used.")
        if owned.lead_time_months == 0:
            found.append("No lead time is entered: machines are there in the month of the order.")
    others = read.demand.others
    if owned is not None and others:
        node = read.machines[0]
        found.append(
            f"A machine carries {quantity(usable_cores(node), 'cores')} that are busy and "
            f"{significant(node.others_count[0])} {RAM_UNIT} in use: the plan has no more of "
            "either than both allow."
        )
    elif owned is not None and read.machines:
        found.append(_one_resource(owned, study))
    if study.workload.kind == "demand" and study.workload.asks_gpus:
        found.append(
            "GPUs are not planned: what carries them in the comparison is in the other costs, as "
            "it stands there."
        )
    if read.on_demand is not None and read.on_demand.idle_count > 0:
        found.append(
            f"Whole instances are rented. In each hour in which any is, "
            f"{quantity(read.on_demand.idle_count, 'cores')} are paid beside those in use: half an "
            "instance on average, and spare ones."
        )
    if read.on_demand is None:
        price = money(_UNMET_USD, study.assumptions.currency)
        found.append(
            f"Nothing is rented; a core-hour that is left unmet is priced at {price}, a choice of "
            "ours."
        )
    if study.baseline is not None and not all(line.is_kept for line in study.baseline.lines):
        found.append(
            "What runs today without busy cores and an end entered is not in the plan: whatever it "
            "carries is planned for anew."
        )
    if read.held_machines:
        found.append(
            "Machines of today carry their part until they are taken out, at what the baseline "
            "says that they cost a month. They are not sold before."
        )
    lines = study.baseline.lines if study.baseline else ()
    if others and any(line.is_kept and line.ram_gib is None for line in lines):
        found.append(
            "What runs today without its RAM entered is taken to hold what the work needs that its "
            "cores are busy with."
        )
    if not any(each.pointer == CORES_GROWTH for each in study.ranges):
        found.append("Growth has no range in the study: the plan takes it for certain.")
    return found


def usable_cores(machine: MachineType) -> float:
    """Busy cores that one machine carries. [cores]"""
    return machine.capacity_count * machine.usable_fraction


def _one_resource(owned: OwnedCluster, study: StudySpec) -> str:
    """Why cores alone are planned."""
    node, work = _groups(owned)[0], study.workload
    if work.kind == "demand" and work.ram_gib > 0 and node.ram_gib > 0:
        return "Cores bind: the RAM of the machines is never full before them, in any hour."
    return "RAM is not planned: that in use, or that of the machines, is not entered."
