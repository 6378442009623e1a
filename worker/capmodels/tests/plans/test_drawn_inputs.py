"""Every number that may have a range can be drawn, and each draw answers as the point does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.costing.book import CauseBook
from capmodels.plans.costing.designs import cost_designs
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.pointers import leaf_at, substitute
from capmodels.plans.document.spreads import movable
from capmodels.plans.document.study_faults import sets_the_queue
from capmodels.tests.plans.documents import document, in_hindsight, study_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.pointers import Leaf
    from capmodels.plans.document.study import StudySpec

STUDIES = ("free-factories", "kv-2026", "disk-arrays", "rent-or-own", "planetlab-consolidation")


def inputs(study: StudySpec) -> Iterator[Leaf]:
    """One number of each name and kind of design that may have a range."""
    found: dict[tuple[str, ...], Leaf] = {}
    designs = [(("designs", design.letter), design) for design in study.designs]
    shared = [(("workload",), study.workload), (("assumptions",), study.assumptions)]
    for path, part in [*designs, *shared]:
        for leaf in movable([type(part)], part.model_dump(mode="json"), path):
            here = leaf_at(study, leaf.pointer)
            names = [str(name) for name in leaf.path if not isinstance(name, int)]
            key = (path[0], getattr(part, "kind", ""), *names[len(path) :])
            if here is not None and not sets_the_queue(study, here):
                found.setdefault(key, here)
    yield from found.values()


def totals(study: StudySpec) -> dict[str, float]:
    scene = Scene(study)
    books: dict[str, Any] = {
        item.letter: item.book for item in cost_designs(scene, lambda: CauseBook(scene.months))
    }
    return {letter: math.fsum(book.cash()) for letter, book in books.items()}


@pytest.mark.parametrize("place", ["base_usd_per_kwh", "tariffs/0/usd_per_kwh"])
def test_a_price_by_the_time_of_use_moves_the_cost_of_energy(place: str) -> None:
    tariff = {"name": "peak", "days": "weekdays", "from_h": 8, "to_h": 18, "usd_per_kwh": 0.3}
    none = {"name": "never seen", "days": "all", "from_h": 8, "to_h": 9, "usd_per_kwh": 0.5}
    over = {"name": "over it", "days": "all", "from_h": 8, "to_h": 9, "usd_per_kwh": 0.2}
    found = document("rent-or-own", draws_count=0)
    found["assumptions"]["electricity"] = {
        "kind": "time_of_use",
        "base_usd_per_kwh": 0.1,
        "tariffs": [tariff, none, over],
    }
    found["ranges"] = []
    study = in_hindsight(study_of(found))
    leaf = leaf_at(study, f"/assumptions/electricity/{place}")
    assert leaf is not None
    draws = [float(leaf.value) * 0.5, float(leaf.value) * 3]
    _scene, books = Evaluator(study, Scene(study).curves).books({leaf.path: np.array(draws)}, 2)
    alone = [totals(substitute(study, {leaf.path: value})) for value in draws]
    owned = next(one.letter for one in study.designs if one.kind == "owned_cluster")
    assert alone[1][owned] > alone[0][owned] * 1.001
    for letter, book in books.items():
        cash = np.array(book.cash()).sum(axis=0)
        assert cash == pytest.approx([at[letter] for at in alone], rel=1e-9), letter


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_a_draw_of_any_input_answers_as_the_point_does(name: str) -> None:
    study = in_hindsight(study_of(document(name, draws_count=0)))
    drawn = Evaluator(study, Scene(study).curves)
    for leaf in inputs(study):
        value = float(leaf.value)
        draws = [near if leaf.allows(near) else value for near in (value * 1.02, value * 0.97)]
        _scene, books = drawn.books({leaf.path: np.array(draws)}, len(draws))
        point = totals(substitute(study, {leaf.path: draws[1]}))
        for letter, book in books.items():
            cash: Any = book.cash()
            slack = 1e-12 * max(float(np.abs(cash[:, 1]).sum()), 1.0)
            assert abs(float(cash[:, 1].sum()) - point[letter]) <= slack, leaf.pointer
