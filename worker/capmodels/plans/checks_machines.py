"""Published checks of the plan for disk arrays, services and clusters of small nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.plans.document.study import StudySpec
from capmodels.plans.document.upgrades import STILL
from capmodels.spec import Check, derived_check

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.comparison import Comparison, DesignResult

    Compare = Callable[[StudySpec], Comparison]

_TR837 = "Papathanasiou and Scott 2004, TR 837"
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
_SERVER_DISK: dict[str, Any] = {
    "kind": "hdd",
    "capacity_gb": 73.9,
    "speed_rpm": 15037.0,
    "seek": {"kind": "three_point", "min_ms": 0.6, "avg_ms": 3.9, "max_ms": 7.5},
    "overhead_ms": 0.3414,
    "outer_mb_per_s": 129.0,
    "active_w": 15.6,
    "idle_w": 12.0,
}


def _only(compare: Compare, design: dict[str, Any], **work: Any) -> DesignResult:
    document = {
        "designs": [{"letter": "A", "title": "A", **design}],
        "workload": {**_NOTHING, **work},
        "assumptions": _THREE_YEARS,
    }
    return compare(StudySpec.model_validate(document)).designs[0]


def _array_w(compare: Compare, **array: Any) -> float:
    found = _only(
        compare,
        {"kind": "disk_array", "array": {"drive_price_usd": 1.0, **array}},
        block_tb=0.05,
        block_io_per_s=1.0,
        block_mix={"read_fraction": 1.0},
    )
    return 0.0 if found.array is None else found.array.mean_w


def _laptop_saving(compare: Compare) -> float:
    asleep = {"layout": "raid1", "disks_count": 3, "power_policy": {"kind": "threshold"}}
    server = {"layout": "single", "disks_count": 1, "drive": _SERVER_DISK}
    return 1.0 - _array_w(compare, **asleep) / _array_w(compare, **server)


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
        Check(
            "P-array",
            "Three laptop disks, one awake, over a server disk at 1 request/s: saving",
            0.80,
            lambda: _laptop_saving(compare),
            source=f"{_TR837}, abstract: up to 80%",
            printed="up to 80%",
            tolerance=0.01,
            unit="fraction",
            kind="predicted",
            tests="storage.drive.drives.SleepState.power_w",
            wider="The paper says 'up to' and 'from': ends of a range over its workloads.",
        ),
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
