"""What designs and their parts come to, for a search of many: costs without a column's figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from capmodels.amounts import as_number, fsum
from capmodels.plans.answer.cause_amounts import cause_flows
from capmodels.plans.answer.columns import carbon_of, energy_of, footprints_of
from capmodels.plans.answer.describe import shortfall, sizing_of
from capmodels.plans.comparison import SizedYear
from capmodels.plans.costing.array_size import arrays_count, cluster_nodes_count
from capmodels.plans.costing.book import CauseBook, Discount
from capmodels.plans.costing.cloud_cost import offer_of
from capmodels.plans.costing.cloud_rent import base_count, machines_at
from capmodels.plans.costing.designs import cause_book, cost_designs
from capmodels.plans.costing.owned_cost import provisioned_kw, rack_units_count, racks_count
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.cloud import Cloud

if TYPE_CHECKING:
    from collections.abc import Collection

    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.document.study import StudySpec

# Causes that a part of a design has of itself; a design has others beside them, and none of those
# is negative but for the tax that is saved.
OF_A_PART = frozenset(
    {"hardware", "drives", "enclosures", "salvage", "energy", "cooling", "software", "spares"}
    | {"instances", "commitment", "storage", "transfer"}
)


# Quantiles of the hourly demand up to which a mix of own and rented is tried.
OWNED_QUANTILES = (0.3, 0.45, 0.6, 0.75, 0.9, 0.99)


@dataclass(frozen=True, slots=True)
class Sums:
    """What a design, or a part of one, comes to over the horizon, without a column's figures.

    ``usd`` are its causes in the measure that designs are ranked by; energy and emissions are None
    where they are unknown. ``sizing`` are its groups year by year, ``boxes_count`` the enclosures
    or nodes of its arrays at the end. ``racks_count``, ``rack_units_count`` and ``kw`` are what an
    own site has at the end, 0 where nothing is owned. ``lack`` says why it does not meet demand.
    ``committed_fraction`` is what it commits to at first, in parts of today's peak; None where it
    commits to nothing, or to more than one thing.
    """

    usd: dict[str, float]
    energy_kwh: float | None
    kgco2e: float | None
    sizing: tuple[SizedYear, ...]
    boxes_count: int
    racks_count: int
    rack_units_count: float
    kw: float
    lack: str | None
    committed_fraction: float | None = None

    @property
    def cost_usd(self) -> float:
        """All of it. [USD]"""
        return as_number(fsum(self.usd.values()))


def sums_of(study: StudySpec, letters: Collection[str]) -> dict[str, Sums]:
    """Return what some designs of a study come to, by their letters."""
    scene = Scene(study)
    discount = Discount(study.assumptions.nominal_discount_fraction_per_year, scene.months)
    found = {}
    for item in cost_designs(scene, lambda: CauseBook(scene.months), only=set(letters)):
        if item.letter not in letters:
            continue
        flows = cause_flows(cause_book(item), discount)
        usd: dict[str, float] = {}
        for (cause, _), flow in flows.items():
            paid = fsum(flow.present if scene.by_value else flow.cash)
            usd[cause] = usd.get(cause, 0.0) + as_number(paid)
        footprints = footprints_of(item, scene)
        energy, _ = energy_of(item, footprints)
        owned = item.owned
        lack = shortfall(item, scene)
        found[item.letter] = Sums(
            usd=usd,
            energy_kwh=energy.kwh,
            kgco2e=carbon_of(item, scene, footprints).kgco2e,
            sizing=tuple(SizedYear.model_validate(one) for one in sizing_of(item, scene)),
            boxes_count=0 if owned is None else sum(map(_boxes_count, owned.arrays)),
            racks_count=0 if owned is None else int(as_number(racks_count(owned, -1))),
            rack_units_count=0.0 if owned is None else as_number(rack_units_count(owned, -1)),
            kw=0.0 if owned is None else as_number(provisioned_kw(owned, -1)),
            lack=None if lack is None else lack.sentence,
            committed_fraction=_committed(item.design, scene),
        )
    return found


def _committed(design: object, scene: Scene) -> float | None:
    if not isinstance(design, Cloud) or len(design.commitments) != 1 or scene.demand is None:
        return None
    return committed(design, scene)


def committed(design: Cloud, scene: Scene, *, best: bool = False) -> float:
    """What is committed at first, or would be at the best level, in parts of today's peak."""
    offer = offer_of(design, 0)
    if best:
        left_open = offer.commitments[0].model_copy(update={"base_quantile_fraction": None})
        offer = replace(offer, commitments=(left_open,))
    peak = as_number(machines_at(offer.item, scene, 0, scene.curves.load.peak))
    return as_number(base_count(offer, 0, scene, 0)) / peak if peak else 0.0


def _boxes_count(plan: ArrayPlan) -> int:
    nodes = cluster_nodes_count(plan.array, plan.counts[-1])
    return ceil(as_number(nodes or arrays_count(plan.array, plan.counts[-1])))


def least_usd(part: Sums, study: StudySpec) -> float:
    """Return what a part adds to a design at least, by itself. [USD]

    Of the tax that is saved no more is taken off than its rate of every cost.
    """
    tax = study.assumptions.tax
    own = sum(usd for cause, usd in part.usd.items() if cause in OF_A_PART)
    return own * (1.0 - tax.rate_fraction if tax.counted else 1.0)
