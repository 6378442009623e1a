"""Which models' published checks a report shows."""

from __future__ import annotations

from capmodels.registry import get_model, model_ids
from reports.models_behind import CAUSE_MODELS, models_behind, models_of
from reports.render.tokens import tokens
from reports.tests.samples import comparison

PLAN = "plans.compare"


def test_a_comparison_of_both_sides_rests_on_checked_models() -> None:
    found = models_of(comparison(), PLAN)
    assert {"cost.owned_vs_cloud", "cost.tiered", "cost.commitment", "cost.npv"} <= set(found)
    assert sum(len(get_model(model_id).checks) for model_id in found) >= 20


def test_what_no_design_has_is_not_claimed() -> None:
    result = comparison()
    result["designs"] = [d for d in result["designs"] if d["kind"] == "cloud"]
    found = models_of(result, PLAN)
    assert "cost.tiered" in found
    assert "cost.cluster_tco" not in found
    assert "power.server" not in found


def test_every_model_named_exists_and_every_cause_named_is_one() -> None:
    causes = {(entry["side"], entry["id"]) for entry in tokens()["causes"]}
    assert set(CAUSE_MODELS) <= causes
    assert {model for models in CAUSE_MODELS.values() for model in models} <= set(model_ids())


def test_what_the_plan_imports_is_read_off_its_sources() -> None:
    assert models_behind(PLAN)[0] == PLAN
    assert "cost.equivalent_annual_cost" in models_behind(PLAN)
