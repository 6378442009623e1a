"""What a study starts with: the spreads of its sources become its ranges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.plans.check import typical
from capmodels.plans.check.typical import Typical
from capmodels.plans.document import combinations, pointers, spreads
from capmodels.registry import get_model
from capmodels.spec import Context, Params, validate
from capmodels.tests.plans.documents import document
from capmodels.tests.ranges import is_centred

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAN = get_model("plans.compare")
ROOT = Path(__file__).resolve().parents[4]
FRONTEND = ROOT / "frontend" / "src" / "features" / "designs" / "may-vary.json"


def ends(found: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    return {row["pointer"]: (row["low"], row["high"]) for row in found}


def test_empty_assumptions_start_with_the_spreads_of_their_defaults() -> None:
    found = ends(spreads.shared_spreads("assumptions", {}, {}))
    # As the defaults' own sources print them.
    assert found["/assumptions/electricity/usd_per_kwh"] == (0.08, 0.18)
    assert found["/assumptions/pue"] == (1.2, 1.6)
    assert found["/assumptions/discount_fraction_per_year"] == (0.05, 0.12)
    assert "/assumptions/horizon_months" not in found


@pytest.mark.decisive
def test_what_was_typed_in_is_a_point_and_what_was_taken_keeps_its_spread() -> None:
    given = {"pue": 1.25, "staff_usd_per_fte_year": 150_000.0}
    origins = {"/staff_usd_per_fte_year": {"quality": "published", "low": 1e5, "high": 2e5}}
    found = ends(spreads.shared_spreads("assumptions", given, origins))
    assert "/assumptions/pue" not in found
    assert found["/assumptions/staff_usd_per_fte_year"] == (1e5, 2e5)


def test_another_case_of_a_union_has_other_inputs() -> None:
    hourly = {"electricity": {"kind": "hourly", "usd_per_kwh": [0.1] * 24}}
    found = ends(spreads.shared_spreads("assumptions", hourly, {}))
    assert "/assumptions/electricity/usd_per_kwh" not in found


def test_an_origin_that_the_value_has_left_gives_no_range() -> None:
    origins = {"/pue": {"quality": "published", "low": 1.3, "high": 1.4}}
    assert "/assumptions/pue" not in ends(
        spreads.shared_spreads("assumptions", {"pue": 1.7}, origins)
    )


def test_the_ranges_of_every_design_are_ranges_that_the_plan_takes() -> None:
    whole = document("rent-or-own", draws_count=0)
    whole["ranges"] = [
        *spreads.shared_spreads("workload", whole["workload"], {}),
        *spreads.shared_spreads("assumptions", whole["assumptions"], {}),
    ]
    for design in whole["designs"]:
        whole["ranges"] += spreads.design_spreads(design, {})
    found = ends(whole["ranges"])
    assert found["/designs/D/hardware_price_ratio"] == (0.7, 1.3)
    assert found["/designs/D/node_groups/0/price/parts/1/index_ratio"] == (0.7, 1.3)
    study = validate(PLAN, {**whole, "draws_count": 200})
    comparison = PLAN.run(study, Context(seed=1))
    assert comparison.odds is not None
    assert len(comparison.tornado) >= 5


def test_a_draft_that_says_little_gives_what_it_can() -> None:
    draft = {"letter": "B", "title": "", "kind": "cloud", "instances": [None, {"name": 3}]}
    found = ends(spreads.design_spreads(draft, {}))
    assert "/designs/B/negotiated_discount_fraction" not in found
    assert found["/designs/B/instances/1/perf_per_vcpu_ratio"] == (0.8, 1.2)
    assert spreads.design_spreads({"letter": "A", "kind": "none such"}, {}) == []
    assert spreads.shared_spreads("workload", {}, {}) == []


def test_nodes_of_a_service_get_no_range_of_their_speed() -> None:
    group = {"name": "web", "role": "service"}
    found = ends(
        spreads.design_spreads({"letter": "A", "kind": "owned_cluster", "node_groups": [group]}, {})
    )
    assert "/designs/A/node_groups/0/perf_per_core_ratio" not in found


def test_the_form_knows_what_may_vary_as_the_plan_does() -> None:
    said = json.loads(FRONTEND.read_text(encoding="utf-8"))
    assert {name: set(names) for name, names in said.items()} == {
        "never": pointers.FIXED | pointers.OF_A_SERVICE,
        "drives": pointers.DRIVES,
        "of_a_drive": pointers.OF_A_DRIVE,
        "of_the_answer": combinations.OF_THE_ANSWER,
        "of_a_server": spreads.OF_A_SERVER,
    }


def test_what_is_counted_unentered_is_the_mean_of_its_range() -> None:
    amounts = {name: one for name, one in vars(typical).items() if isinstance(one, Typical)}
    # What AWS prints: 10% of the first band, 3% of the last.
    printed = {"SUPPORT"}
    leaning = {
        name for name, one in amounts.items() if not is_centred(one.value, one.low, one.high)
    }
    assert leaning == printed


def _below(model: type[Params]) -> Iterator[type[Params]]:
    for one in model.__subclasses__():
        yield one
        yield from _below(one)


def test_a_default_of_the_plan_is_the_mean_of_its_range() -> None:
    """A range that leans would put the simulated mean off what was entered."""
    met, leaning = 0, set()
    for model in _below(Params):
        if not model.__module__.startswith("capmodels.plans.document."):
            continue
        for name, info in model.model_fields.items():
            extra = info.json_schema_extra
            source: Any = extra.get("default_source") if isinstance(extra, dict) else None
            if not source or not {"low", "high"} <= source.keys():
                continue
            low, value, high = source["low"], info.default, source["high"]
            met += 1
            if not is_centred(value, low, high):
                leaning.add(f"{model.__name__}.{name}: {low} to {high} around {value}")
    assert met > 50
    assert not leaning
