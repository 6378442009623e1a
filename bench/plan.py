"""How fast a plan of purchases is made: years of months, several machines, a thousand scenarios.

One core is promised, so that processor time counts; memory is that of a process of its own.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from bench._lib import Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterable

_RUN = """
import json, resource, sys, time
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.equations_kernel import case_of
from capmodels.plans.purchase.program_kernel import Program, one_stage, reviewed
from capmodels.plans.purchase.scenarios_kernel import scenarios_of
document, gap, again = json.loads(sys.stdin.read())
params = PurchasePlanParams.model_validate(document)
began = time.process_time()
case = case_of(params, scenarios_of(params, 0))
nodes = reviewed(case) if again else one_stage(case)
plan = Program(case, nodes).solve(gap)
print(json.dumps({
    "taken_s": time.process_time() - began, "gap": plan.gap,
    "leaves": sum(node.end == case.months for node in nodes),
    "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
}))
"""
_GROWTH = {"kind": "range", "low_fraction_per_year": 0.05, "likely_fraction_per_year": 0.3,
           "high_fraction_per_year": 0.7}  # fmt: skip


def rows() -> Iterable[Row]:
    """Two-stage with three types and three commitments, and decided again over 243 leaves."""
    found = _asked(_large(), 1e-3, again=False)
    what = "60 months, 3 machine types, 3 commitments, 1,000 scenarios x 168 hour classes, one core"
    yield at_most("purchase plan", what, "s", found["taken_s"], 3.0)
    yield at_most("purchase plan, proved gap", what, "%", 100 * found["gap"], 0.1)
    yield at_most("purchase plan, memory", what, "MB", found["rss_mb"], 500.0)
    found = _asked(_several(), 5e-3, again=False)
    yield at_most("purchase plan of cores, RAM and GPUs", what, "s", found["taken_s"], 60.0)
    yield at_most("purchase plan of three, proved gap", what, "%", 100 * found["gap"], 0.5)
    yield at_most("purchase plan of three, memory", what, "MB", found["rss_mb"], 500.0)
    document = {
        **_demand([1.0 + 0.35 * math.sin(2 * math.pi * (hour + 0.5) / 24) for hour in range(24)]),
        "reviews": [{"month": month, "groups_count": 3} for month in (3, 6, 9, 12, 15)],
    }
    found = _asked(document, 5e-3, again=True)
    what = f"36 months, reviews by the quarter, a tree of {found['leaves']} leaves, to 0.5%"
    yield at_most("purchase plan decided again", what, "s", found["taken_s"], 60.0)


def _several() -> dict[str, Any]:
    """The same with RAM and accelerators that grow with cores, in hours of their own."""
    document = _large()
    week = [1.0 + 0.2 * math.sin(2 * math.pi * hour / 168) for hour in range(168)]
    others = [
        {"unit": "GiB", "now_count": 2400.0, "growth": _GROWTH, "follows_fraction": 0.8,
         "profile_ratio": week, "usd_per_unit_h": 0.006},
        {"unit": "GPUs", "now_count": 8.0, "growth": _GROWTH, "follows_fraction": 0.3,
         "profile_ratio": [1.0], "usd_per_unit_h": 2.2},
    ]  # fmt: skip
    document["demand"]["others"] = others
    counts = ((500.0, 0.0), (1000.0, 0.0), (900.0, 8.0))
    prices = (0.0, 0.0, 180_000.0)
    for machine, has, usd in zip(document["machines"], counts, prices, strict=True):
        machine["others_count"] = list(has)
        machine["price_usd"] = machine.get("price_usd", 24_000.0) + usd
    document["on_demand"] = {
        "usd_per_unit_h": 0.048,
        "instances": [
            {"name": "general", "usd_per_h": 0.38, "count": 8.0, "others_count": [32.0]},
            {"name": "memory", "usd_per_h": 0.50, "count": 8.0, "others_count": [64.0]},
            {"name": "gpu", "usd_per_h": 20.0, "count": 96.0, "others_count": [768.0, 8.0]},
        ],
    }
    return document


def _demand(profile: list[float]) -> dict[str, Any]:
    level = {"kind": "grown", "growth": _GROWTH}
    return {"scenarios_count": 1000, "demand": {"level": level, "profile_ratio": profile}}


def _large() -> dict[str, Any]:
    week = [
        1.0 + 0.3 * math.sin(2 * math.pi * (hour % 24 + 0.5) / 24) + (0.1 if hour < 120 else -0.25)
        for hour in range(168)
    ]
    return {
        **_demand(week),
        "months_count": 60,
        "machines": [
            {},
            {"name": "Big", "capacity_count": 256.0, "price_usd": 46_000.0, "lead_months": 5,
             "upkeep_usd_per_month": 780.0},
            {"name": "Next", "capacity_count": 192.0, "price_usd": 30_000.0, "lead_months": 4,
             "upkeep_usd_per_month": 480.0, "from_month": 18},
        ],
        "commitments": [
            {"name": "1 year", "term_months": 12, "discount_fraction": 0.3},
            {"name": "2 years", "term_months": 24, "discount_fraction": 0.42},
            {"name": "3 years", "term_months": 36, "discount_fraction": 0.5, "payment": "upfront"},
        ],
    }  # fmt: skip


def _asked(document: dict[str, Any], gap: float, *, again: bool) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _RUN],
        input=json.dumps([document, gap, again]),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found
