"""What an answer called is known, and every equation's model is one of ours."""

from __future__ import annotations

import re

import pytest

from capmodels import registry
from capmodels.equations import equations_loaded, models_called
from capmodels.tests.plans.documents import answer, cloud, column, demand, owned, plain

# A paper, a standard or a law with its place; or a definition, which needs none.
_SOURCE = re.compile(
    r":doi:|ISO|section \S|table \S|eq\. \S|definition|Definition|specification \d"
)


def _called(*designs: dict[str, object]) -> set[str]:
    with models_called() as models:
        answer(plain(list(designs), demand()))
    return models


def test_every_equation_carries_the_id_of_a_registered_model() -> None:
    assert {model.id for model in registry.all_models()} >= equations_loaded().keys() > set()


def test_every_equation_says_where_it_comes_from() -> None:
    registry.all_models()
    found = [equation for several in equations_loaded().values() for equation in several]
    silent = [each.__qualname__ for each in found if not _SOURCE.search(each.__doc__ or "")]
    assert silent == []


@pytest.mark.decisive
def test_what_moved_a_figure_is_known_from_the_equations_called() -> None:
    tiers = {"object_tiers": [{"up_to_tb": 50, "usd_per_gb_month": 0.02}, {"usd_per_gb_month": 0}]}
    spot = {"share_fraction": 0.5, "discount_fraction": 0.7, "waste_fraction": 0.1}
    assert "cost.tiered" not in _called(owned())
    assert "cost.tiered" in _called(cloud("A", storage=tiers))
    assert "cost.spot" in _called(cloud("A", spot=spot))
    assert "cost.spot" not in _called(cloud("A"))


def test_a_design_that_is_kept_in_memory_tells_its_models_all_the_same() -> None:
    spot = {"share_fraction": 0.4, "discount_fraction": 0.6, "waste_fraction": 0.1}
    assert _called(cloud("A", spot=spot)) == _called(cloud("A", spot=spot))


def test_nothing_is_collected_outside() -> None:
    with models_called() as models:
        pass
    column(answer(plain([owned()])), "A")
    assert models == set()
