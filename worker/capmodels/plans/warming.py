"""Loads what the first answer with odds would wait for: NumPy, and the sampling of inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.document.spreads import design_spreads, shared_spreads
from capmodels.registry import get_model
from capmodels.spec import Context, validate

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

_OWN: JSONDict = {
    "letter": "A",
    "title": "Own",
    "kind": "owned_cluster",
    "node_groups": [
        {
            "name": "node",
            "cores_per_node_count": 64,
            "ram_gib": 512.0,
            "price": {"kind": "typed", "unit_price_usd": 15_000.0},
            "power": {"kind": "linear", "idle_w": 120.0, "peak_w": 600.0},
        }
    ],
    "migration": {"labour_usd": 10_000.0},
}
_RENT: JSONDict = {
    "letter": "B",
    "title": "Rent",
    "kind": "cloud",
    "instances": [{"name": "size", "usd_per_h": 0.2, "vcpu_count": 4, "ram_gib": 16.0}],
    "commitments": [{"discount_fraction": 0.5, "term_months": 36}],
}
_WORK: JSONDict = {"kind": "demand", "busy_cores_count": 500.0, "ram_gib": 2000.0}


def warm_draws(draws_count: int = 10_000) -> None:
    """Answer a small question of each kind with odds, and forget the answer."""
    ranges = [
        *shared_spreads("assumptions", {}, {}),
        *shared_spreads("workload", _WORK, {}),
        *design_spreads(_OWN, {}),
        *design_spreads(_RENT, {}),
    ]
    document = {
        "designs": [_OWN, _RENT],
        "workload": _WORK,
        "assumptions": {},
        "ranges": ranges,
        "draws_count": draws_count,
    }
    plan = get_model("plans.compare")
    plan.run(validate(plan, document), Context(seed=1)).model_dump_json()
