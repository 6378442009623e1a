"""What a cloud costs by how much of its demand is committed: why the best level is the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from capmodels.amounts import as_number, fsum
from capmodels.equations import is_collecting
from capmodels.numbers import percent
from capmodels.plans.answer.memo import COLUMNS_KEPT, Question, Reads, has_read
from capmodels.plans.comparison import CommitmentCurve, CommitmentPoint
from capmodels.plans.costing.book import CauseBook, Discount
from capmodels.plans.costing.cloud_cost import CloudCase, Tariffs, offer_of, write_instances
from capmodels.plans.costing.cloud_rent import base_quantile, machines_at, paid_ratio
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.parts import OfDocuments

if TYPE_CHECKING:
    from capmodels.plans.document.assumptions import Assumptions
    from capmodels.plans.document.study import StudySpec

STEPS = 10


@dataclass(frozen=True, slots=True)
class _Kept:
    """A curve, and what was read of the assumptions for it."""

    curve: CommitmentCurve
    read: dict[str, Any]


_curves: OfDocuments[_Kept] = OfDocuments(COLUMNS_KEPT)


def commitment_curves(study: StudySpec, scene: Scene) -> list[CommitmentCurve]:
    """Curve of every rented design that commits and needs instances, as demand is entered."""
    if scene.demand is None:
        return []
    curves = (
        _kept(design, study, scene)
        for design in study.designs
        if isinstance(design, Cloud) and design.commitments
    )
    return [curve for curve in curves if any(point.cost_usd for point in curve.points)]


def _kept(cloud: Cloud, study: StudySpec, beside: Scene) -> CommitmentCurve:
    """A design's curve, worked out anew where something has changed that it was worked out from."""
    sources, assumptions = (study.workload, cloud), study.assumptions
    found = _curves.get(*sources)
    if found is None or is_collecting() or not has_read(assumptions, found.read):
        reads = Reads(assumptions)
        question = Question((cloud,), study.workload, cast("Assumptions", reads))
        scene, discount = Scene(question, beside=beside), None
        if scene.by_value:
            discount = Discount(reads.nominal_discount_fraction_per_year, scene.months)
        found = _Kept(_curve(cloud, scene, discount), reads.read())
        _curves.put(found, *sources)
    return found.curve


def _curve(cloud: Cloud, scene: Scene, discount: Discount | None) -> CommitmentCurve:
    """Cost at levels from nothing to the peak, the first commitment being the one moved."""
    first = cloud.commitments[0]
    quantiles = [None, *(step / STEPS for step in range(1, STEPS + 1))]
    points = [_point(_moved(cloud, quantile), scene, discount) for quantile in quantiles]
    chosen = _point(cloud, scene, discount)
    offer = offer_of(cloud, 0)
    off = 1.0 - as_number(paid_ratio(first, offer.item))
    return CommitmentCurve(
        letter=cloud.letter,
        pointer=f"/designs/{cloud.letter}/commitments/0/base_quantile_fraction",
        label=f"{first.term_months} months, {percent(off)} off",
        is_best=first.base_quantile_fraction is None,
        quantile_fraction=base_quantile(offer, 0, scene, 0),
        committed_fraction=chosen.committed_fraction,
        cost_usd=chosen.cost_usd,
        points=tuple(points),
    )


def _moved(cloud: Cloud, quantile: float | None) -> Cloud:
    """The design with its first commitment at another quantile, or without it."""
    first, *others = cloud.commitments
    moved = first.model_copy(update={"base_quantile_fraction": quantile})
    kept = others if quantile is None else [moved, *others]
    return cloud.model_copy(update={"commitments": tuple(kept)})


def _point(cloud: Cloud, scene: Scene, discount: Discount | None) -> CommitmentPoint:
    book = CauseBook(scene.months)
    case = CloudCase(cloud, scene, book, Tariffs.of(cloud))
    write_instances(case)
    peak = scene.curves.load.peak
    committed = sum(mix.committed[0] for mix in case.mixes)
    at_peak = sum(machines_at(mix.item, scene, 0, peak) for mix in case.mixes)
    flow = book.cash() if discount is None else book.present(discount)
    return CommitmentPoint(
        committed_fraction=committed / at_peak if at_peak else 0.0, cost_usd=fsum(flow)
    )
