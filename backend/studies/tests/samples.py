"""A small study that the plan accepts: eight old nodes, or rented ones."""

from __future__ import annotations

import copy
from typing import Any

OWN: dict[str, Any] = {
    "letter": "A",
    "title": "Own eight nodes",
    "kind": "owned_cluster",
    "spec": {
        "node_groups": [
            {
                "name": "node",
                "count": 8,
                "cores_per_node_count": 8,
                "price": {"kind": "typed", "unit_price_usd": 4000.0},
                "power": {"kind": "linear", "idle_w": 150.0, "peak_w": 300.0},
            }
        ],
        "staff_fte": 0.25,
    },
    "provenance": {
        "/node_groups/0/power/idle_w": {"quality": "measured", "source": "Power meter"},
        "/staff_fte": {"quality": "assumed", "source": "Guess", "low": 0.1, "high": 0.5},
    },
}
RENT: dict[str, Any] = {
    "letter": "B",
    "title": "Rent",
    "kind": "cloud",
    "spec": {"instances": [{"name": "m1.large", "usd_per_h": 0.4, "vcpu_count": 2}]},
    "provenance": {},
}
WORKLOAD: dict[str, Any] = {
    "kind": "utilization",
    "utilization_fraction": 0.25,
    "machines": [{"name": "node", "node_count": 8, "cores_per_node_count": 8}],
}


def study(**changes: Any) -> dict[str, Any]:
    """Return what creates a complete study."""
    return {
        "title": "Own or rent?",
        "question": "Which is cheaper?",
        "workload": copy.deepcopy(WORKLOAD),
        "assumptions": {"horizon_months": 24},
        "ranges": [{"pointer": "/designs/A/staff_fte", "low": 0.1, "high": 0.5}],
        "designs": [copy.deepcopy(OWN), copy.deepcopy(RENT)],
        **changes,
    }
