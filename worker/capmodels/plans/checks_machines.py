"""Published checks of the plan for services and clusters of small nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.plans.document.study import StudySpec
from capmodels.plans.document.upgrades import STILL
from capmodels.spec import Check, derived_check

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.comparison import Comparison, DesignResult

    Compare = Callable[[StudySpec], Comparison]

_NOTHING: dict[str, Any] = {
    "kind": "demand",
    "busy_cores_count": 0.0,
    "p99_ratio": 1.0,
    "ram_gib": 0.0,
    "headroom": {"cores_target_fraction": 1.0, "disk_fill_fraction": 1.0},
    "availability": {"spare_nodes_count": 0},
}
_THREE_YEARS: dict[str, Any] = {
    "horizon_months": 36,
    "end": "work_stops",
    "pue": 1.0,
    "electricity": {"kind": "flat", "usd_per_kwh": 0.10},
    "price_changes": STILL,
}


def _only(compare: Compare, design: dict[str, Any], **work: Any) -> DesignResult:
    document = {
        "designs": [{"letter": "A", "title": "A", **design}],
        "workload": {**_NOTHING, **work},
        "assumptions": _THREE_YEARS,
    }
    return compare(StudySpec.model_validate(document)).designs[0]


def _fawn(compare: Compare) -> DesignResult:
    """FAWN+SSD nodes for 10 TB at a million queries a second."""
    group = {
        "name": "FAWN+SSD",
        "role": "service",
        "cores_per_node_count": 1.0,
        "drives": {"per_node_count": 1, "capacity_tb": 0.032, "kind": "ssd"},
        "price": {"kind": "typed", "unit_price_usd": 500.0},
        "power": {"kind": "constant", "power_w": 15.0},
    }
    service = {
        "query_rate_per_s": 1e6,
        "service_ms": 1 / 35,
        "dataset_tb": 10.0,
        "copies_count": 1,
    }
    return _only(compare, {"kind": "owned_cluster", "node_groups": [group]}, service=service)


def machine_checks(compare: Compare) -> tuple[Check, ...]:
    """Rows of papers' tables through the whole plan."""
    return (
        derived_check(
            "P-fawn-nodes",
            "FAWN+SSD nodes for 10 TB at a million queries a second",
            313.0,
            lambda: _fawn(compare).sizing[0].groups[0].count,
            source="Andersen et al. 2011, figure 9, nodes estimated from memory: max(1e4 / 32, "
            "1e6 / 35e3)",
            unit="nodes",
            tests="plans.document.service.Service.dataset_tb",
        ),
        derived_check(
            "P-fawn-tco",
            "Three years of one of them at $0.10 a kWh",
            539.42,
            lambda: _fawn(compare).total_usd / 313.0,
            source="Andersen et al. 2011, figure 9, nodes estimated from memory: 500 + 2.628 x 15",
            tolerance=0.005,
            unit="USD",
            tests="plans.document.assumptions.Assumptions.pue",
        ),
    )
