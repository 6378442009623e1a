"""Reports to draw: the shared comparison, and what may be hard about others."""

from __future__ import annotations

import copy
import json
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from capmodels.plans.answer.actuals import Actuals, compared
from capmodels.registry import get_model
from capmodels.spec import evaluate
from reports.render.contents import (
    JSONDict,
    KeptRun,
    PurchasePlan,
    ReportInput,
    ResultHash,
    ToolResult,
)

FIXTURES = Path(__file__).parent / "fixtures"
HASH = "3fa9" * 16
LETTERS = "ABCDEFGH"


@cache
def _loaded(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def comparison() -> JSONDict:
    """Return six designs with long names, as plans.compare answers."""
    found: JSONDict = copy.deepcopy(_loaded("comparison.json"))
    return found


def document() -> JSONDict:
    """Return the study that the comparison answers."""
    found: JSONDict = copy.deepcopy(_loaded("document.json"))
    return found


def check(number: int) -> JSONDict:
    return {
        "model": "cost.owned_vs_cloud",
        "check": f"A{number}",
        "title": "Two years on the cloud, from the rounded annual terms",
        "source": "Zaranek et al. 2008, section 2.1",
        "kind": "predicted" if number % 2 else "arithmetic",
        "basis": "published" if number % 4 else "derived",
        "published": 424000.0,
        "printed": "$424,000",
        "ours": 423840.0,
        "tolerance": 500.0,
        "unit": "USD",
        "ok": True,
        "outcome": "holds",
        "said": "holds",
        "note": None,
    }


def kept_run(on: int, winner: str, cost_usd: float, odds: float | None) -> KeptRun:
    """A run of a day in November."""
    at = datetime(2026, 11, on, 9, 30, tzinfo=UTC)
    shares = None if odds is None else {winner: odds}
    made: dict[str, Any] = {"winner": winner, "cost_usd": cost_usd, "odds": shares}
    return KeptRun(at=at, version="2.9.0", snapshot="2026-07-20", **made)


def report(**changes: Any) -> ReportInput:
    """Return the report of the shared comparison, with changes."""
    given: dict[str, Any] = {
        "title": "Rent or own",
        "question": "Should the platform move from EC2 to our own hardware in colocation?",
        "comparison": comparison(),
        "document": document(),
        "schema": {},
        "created_at": datetime(2026, 11, 21, 9, 30, tzinfo=UTC),
        "checks": [check(number) for number in range(1, 41)],
        "hashes": [
            ResultHash(label="Comparison", model="plans.compare", version="1.0.0", inputs_hash=HASH)
        ],
        "tools": [
            ToolResult(
                letter="A",
                title="Rebuilds",
                headline="p99 of reads: 105 ms before, 230 ms during and 119 ms after the rebuild.",
                model="storage.cluster_array",
                version="1.0.0",
                inputs_hash=HASH,
                stale=("The model is version 1.1.0 now; this ran with 1.0.0.",),
            )
        ],
        "purchase": plan_of_purchases(),
        "explored": catalogue_searched(),
        "kept_runs": [
            kept_run(21, "A", 2.51e6, 0.64),
            kept_run(3, "B", 2.62e6, None),
        ],
        "actuals": actuals(),
        "snapshot": "2026-07-20",
    }
    return ReportInput(**given | changes)


def catalogue_searched() -> dict[str, Any]:
    """A search that found two designs, of which the study has none."""
    held = (("Own servers", "1 x EPYC 9455P", 1.9e6, 2.0), ("Rented", "AWS m7a.large", 2.4e6, 0.0))
    points = [
        {"name": kind, "at": [usd], "values": [9e5], "names": [title], "kinds": ["Not beaten"]}
        for kind, title, usd, _ in held
    ]
    return {
        "sentence": "**1 x EPYC 9455P** costs least of 2 designs of the catalogue.",
        "compared": [{"letter": "A", "sentence": "A costs $0.61 M more than the best found."}],
        "figure": {
            "kind": "points",
            "name": "Designs of the catalogue",
            "title": "2 of 2 designs not beaten in cost and electricity",
            "summary": "Two designs by cost and electricity.",
            "along": {"title": "Electricity", "unit": "kWh", "from_zero": False},
            "across": {"title": "Cost as entered", "unit": "USD", "from_zero": False},
            "series": points,
            "kinds": ["Not beaten", "Beaten"],
        },
        "designs": [
            {"kind_title": kind, "title": title, "cost_usd": usd, "energy_kwh": 9e5,
             "racks_count": racks, "best_of_kind": True,
             "why_not": "" if racks else "It costs more."}
            for kind, title, usd, racks in held
        ],
    }  # fmt: skip


@cache
def plan_of_purchases() -> PurchasePlan:
    """Return the plan of a small case: some machines, no commitments."""
    asked = {"months_count": 6, "machines": [{"lead_months": 1}], "commitments": [], "reviews": []}
    plan = get_model("plans.purchase_plan")
    return PurchasePlan(
        result=evaluate(plan, asked).model_dump(mode="json"),
        model=plan.id,
        version=plan.version,
        inputs_hash=HASH,
    )


def actuals() -> dict[str, Any]:
    """Return what one month of the first design cost, in all and of a cause, and another used."""
    rows = [
        {"month": "2026-01", "cost_usd": 21_000.0},
        {"month": "2026-01", "cause": "staff", "cost_usd": 9_000.0},
        {"month": "2026-02", "energy_kwh": 4_000.0},
    ]
    given = Actuals.model_validate({"letter": "A", "rows": rows})
    held = compared(comparison(), given, date(2026, 1, 1), lambda _letter, _cause: None)
    return {**held, "approved": "Budget 2026"}


def with_titles(titles: list[str]) -> ReportInput:
    """Return a report with a design per title, made from those of the shared comparison."""
    result = comparison()
    designs = []
    for place, title in enumerate(titles):
        design = copy.deepcopy(result["designs"][place % len(result["designs"])])
        designs.append(design | {"title": title, "letter": LETTERS[place]})
    result["designs"] = designs
    letters = [design["letter"] for design in designs]
    for row in result["rows"]:
        values = list(row["values"].values())
        row["values"] = {x: values[i % len(values)] for i, x in enumerate(letters)}
        row["reasons"] = {x: "No model supplies it" for x in letters if row["values"][x] is None}
        row["best"] = row["best"] if row["best"] in letters else None
    result["winner"] = letters[-1]
    result["runner_up"] = letters[0] if len(letters) > 1 else None
    result["break_evens"] = [
        row
        for row in result["break_evens"]
        if row["challenger"] in letters and row["incumbent"] in letters
    ]
    return short(result)


def short(result: JSONDict) -> ReportInput:
    """Return a report without the long tables of inputs and checks."""
    return report(comparison=result, document={}, checks=[check(1)])


def scaled(factor: float) -> ReportInput:
    """Return the report with every amount of money times a factor."""
    return short(_scaled(comparison(), factor))


def _scaled(value: Any, factor: float, key: str = "") -> Any:
    if isinstance(value, dict):
        money = value.get("unit") == "USD" and "values" in value
        return {
            k: _scaled(
                v,
                factor,
                "values_usd" if money and k == "values" else k if not key.endswith("_usd") else key,
            )
            for k, v in value.items()
        }
    if isinstance(value, list):
        return [_scaled(inner, factor, key) for inner in value]
    is_amount = key.endswith(("_usd", "_usd_per_year")) and isinstance(value, float)
    return value * factor if is_amount and key != "per_usd" else value
