"""What demand above what was bought in time costs or lacks: against integrals over the year."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from capmodels.plans.answer.bodies_kernel import draw_book
from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.pointers import leaf_at
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cloud,
    column,
    demand,
    owned,
    plain,
    study_of,
)  # fmt: skip
from capmodels.tests.plans.test_placement import both, node, own, rent

if TYPE_CHECKING:
    from capmodels.plans.costing.designs import Costed

PLANNED, GROWN = 0.2, 0.4
# Seen in the middles of quarters, not at every moment.
SLACK = 0.03


def grown(design: JSONDict, kind: str, *more: JSONDict, **work: object) -> tuple[float, Costed]:
    """A year in which one kind of demand grows by 40% where 20% were planned: USD, and all else."""
    asked = demand(
        **{"busy_cores_count": 0, "growth": {f"{kind}_fraction_per_year": PLANNED}} | work
    )
    document = plain([design, *more], asked)
    pointer = f"/workload/growth/{kind}_fraction_per_year"
    document["ranges"] = [{"pointer": pointer, "low": 0.0, "high": GROWN}]
    spec = study_of(document)
    leaf = leaf_at(spec, pointer)
    assert leaf is not None
    evaluator = Evaluator(spec, Scene(spec).curves)
    usd = []
    for growth in (PLANNED, GROWN):
        _, items, _ = evaluator.costed({leaf.path: np.array([growth])}, 1)
        place = next(at for at, item in enumerate(items) if item.letter == design["letter"])
        usd.append(float(draw_book(items[place]).ranked_usd()[0]))
    return usd[1] - usd[0], items[place]


def above(today: float, there: float) -> float:
    """Mean over the year of what grows by 40% beyond what is there."""
    years = (np.arange(100_000) + 0.5) / 100_000
    return float(np.maximum(today * (1 + GROWN) ** years - there, 0.0).mean())


def instances_above(today: float, there: float, each: float) -> float:
    """Whole instances for it, as it is in the middle of each quarter."""
    quarters = (np.arange(4) + 0.5) / 4
    above = np.maximum(today * (1 + GROWN) ** quarters - there, 0.0)
    return float(np.ceil(above / each).mean())


def test_cores_are_rented_from_when_they_lack_not_from_the_middle_of_the_year() -> None:
    beside = {**owned("A"), "shortfall_letter": "B"}
    usd, item = grown(beside, "cores", rent(), busy_cores_count=100)
    # 12 nodes of 10 cores; whole instances of 10 at $1 an hour.
    assert usd == pytest.approx(instances_above(100, 120, 10) * 8760)
    assert item.short == item.unmet_h_per_year == 0.0


@pytest.mark.decisive
@pytest.mark.parametrize(
    ("kind", "usd_per_tb"), [("block", 100 * 12), ("object", 20 * 12), ("archive", 1 * 12)]
)
def test_data_beyond_the_drives_are_rented(kind: str, usd_per_tb: float) -> None:
    beside = {**owned("A"), "node_groups": [node("n", kind)], "shortfall_letter": "B"}
    usd, item = grown(beside, kind, rent(), **{f"{kind}_tb": 1000})
    # Nodes hold 50 TB of data with its copies: 24 are bought for 1,200 TB.
    assert usd == pytest.approx(above(1000, 1200) * usd_per_tb, rel=SLACK)
    assert item.short == item.unmet_h_per_year == 0.0


def test_objects_that_are_rented_are_read_across_the_border() -> None:
    beside = {**owned("A"), "node_groups": [node("n", "object")], "shortfall_letter": "B"}
    use = {"read_tb_per_month": 100}
    usd, _ = grown(beside, "object", rent(), object_tb=1000, object_use=use)
    stored = above(1000, 1200) * 20 * 12
    # A tenth as much is read a month as is kept, at $0.05 a GB.
    assert usd == pytest.approx(stored + above(1000, 1200) * 0.1 * 50 * 12, rel=SLACK)


def test_gpus_beyond_the_nodes_are_rented_where_the_provider_has_them() -> None:
    gpus: JSONDict = {"gpus_per_node_count": 4, "drives": None}
    beside = {**owned("A"), "node_groups": [node("n", "gpu", **gpus)], "shortfall_letter": "B"}
    headroom = {**demand()["headroom"], "gpu_target_fraction": 1.0}
    work = {"gpu_peak_count": 100, "headroom": headroom}
    usd, item = grown(beside, "gpus", rent(), **work)
    assert usd == pytest.approx(instances_above(100, 120, 4) * 3 * 8760)
    assert item.short == 0.0
    without = rent()
    without["instances"] = without["instances"][:1]
    usd, item = grown(beside, "gpus", without, own(letter="C"), **work)
    assert usd == 0.0
    assert item.short == 1.0
    assert item.unmet_h_per_year == 8760.0


def test_a_hybrid_that_bursts_rents_data_beyond_its_drives_as_well() -> None:
    bursting = both(compute="owned_base", services="owned", block="owned")
    work = {"busy_cores_count": 100, "block_tb": 1000}
    usd, item = grown(bursting, "block", own(), rent(), **work)
    assert usd == pytest.approx(above(1000, 1200) * 100 * 12, rel=SLACK)
    assert item.short == 0.0


def test_data_without_a_place_lack_it_in_every_hour() -> None:
    alone = owned("A")
    alone["node_groups"].append(node("n", "block"))
    _, item = grown(alone, "block", busy_cores_count=100, block_tb=1000)
    assert item.short == 1.0
    assert item.unmet_h_per_year == 8760.0


def test_a_use_of_given_machines_is_never_short_wherever_the_rest_would_be_rented() -> None:
    work = {
        "kind": "utilization",
        "utilization_fraction": 0.5,
        "machines": [{"name": "m", "node_count": 10, "cores_per_node_count": 10}],
    }
    group = {"count": 10}
    study = plain([owned(shortfall_letter="B", group=group), cloud()], work)
    study["ranges"] = [{"pointer": "/assumptions/staff_usd_per_fte_year", "low": 1e5, "high": 2e5}]
    found = answer({**study, "draws_count": 50})
    assert column(found, "A").met_fraction == 1.0
