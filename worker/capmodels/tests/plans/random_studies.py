"""Random studies of every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st

if TYPE_CHECKING:
    from capmodels.tests.plans.documents import JSONDict

# Random studies are large; a busy machine takes its time to make them.
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

# Of the first random studies those whose comparison takes seconds, not a tenth of one: a wide
# cluster beside requests, commitments weighed month by month.
TAKE_SECONDS = frozenset({9, 13, 37})


def seeds_to(count: int) -> list[Any]:
    """Seeds of the first random studies as cases of a test; what takes seconds is a deep one."""
    deep = pytest.mark.deep
    return [pytest.param(n, marks=deep) if n in TAKE_SECONDS else n for n in range(count)]


def _reals(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False).map(lambda value: round(value, 4))


SHAPES = st.one_of(
    st.just({"kind": "flat"}),
    st.lists(_reals(0.01, 3.0), min_size=24, max_size=24).map(
        lambda values: {"kind": "hourly", "values_ratio": values}
    ),
)
CHANGES = st.dictionaries(
    st.sampled_from(
        ["cpu", "ssd", "server", "instances", "storage", "transfer", "staff", "software"]
    ).map(lambda name: f"{name}_fraction_per_year"),
    _reals(-0.3, 0.5),
    max_size=3,
)
POWERS = st.one_of(
    st.builds(lambda w: {"kind": "constant", "power_w": w}, _reals(0, 900)),
    st.builds(
        lambda idle, more: {"kind": "linear", "idle_w": idle, "peak_w": idle + more},
        _reals(0, 300),
        _reals(0, 900),
    ),
    st.builds(
        lambda idle, more, r: {
            "kind": "fan",
            "idle_w": idle,
            "peak_w": idle + more,
            "exponent": r,
        },
        _reals(0, 300),
        _reals(0, 900),
        _reals(0.6, 2.0),
    ),
    st.just({"kind": "two_segments", "idle_w": 80, "peak_w": 400}),
    st.builds(
        lambda idle, more, family, held: {
            "kind": "family",
            "family": family,
            "idle_w": idle,
            "peak_w": idle + more,
            **held(idle, more),
        },
        _reals(0, 300),
        _reals(1, 900),
        st.sampled_from(["skylake", "zen4"]),
        st.one_of(
            st.just(lambda _idle, _more: {}),
            st.builds(
                lambda load, share: (
                    lambda idle, more: {
                        "reading": {"load_fraction": load, "power_w": idle + 0.99 * share * more}
                    }
                ),
                _reals(0.05, 0.95),
                _reals(0.0, 1.0),
            ),
            st.builds(
                lambda overall, share: (
                    lambda idle, more: {
                        "result": {
                            "overall_ssj_ops_per_w": overall,
                            "full_load_ssj_ops_per_s": 2 * overall * (idle + share * more),
                        }
                    }
                ),
                _reals(100, 50_000),
                _reals(0.1, 0.9),
            ),
        ),
    ),
    st.just(
        {
            "kind": "points",
            "points": [
                {"load_fraction": 0.0, "power_w": 54.1},
                {"load_fraction": 0.3, "power_w": 99.5},
                {"load_fraction": 1.0, "power_w": 243.0},
            ],
        }
    ),
)
ELECTRICITY = st.one_of(
    st.builds(lambda p: {"kind": "flat", "usd_per_kwh": p}, _reals(0.01, 0.5)),
    st.just(
        {
            "kind": "time_of_use",
            "base_usd_per_kwh": 0.08,
            "tariffs": [{"name": "peak", "from_h": 12, "to_h": 18, "usd_per_kwh": 0.25}],
        }
    ),
    st.lists(_reals(-0.05, 0.6), min_size=24, max_size=24).map(
        lambda values: {"kind": "hourly", "usd_per_kwh": values}
    ),
)
TIERS = st.one_of(
    st.builds(lambda p: [{"usd_per_gb_month": p}], _reals(0.01, 0.2)),
    st.builds(
        lambda p, q: [
            {"up_to_tb": 30, "usd_per_gb_month": p},
            {"up_to_tb": 120, "usd_per_gb_month": q},
            {"usd_per_gb_month": 0.011},
        ],
        _reals(0.01, 0.2),
        _reals(0.01, 0.2),
    ),
)
COMMITMENTS = st.lists(
    st.builds(
        lambda term, discount, upfront, base, renewed: {
            "term_months": term,
            "discount_fraction": discount,
            "upfront_fraction": upfront,
            "base_quantile_fraction": base,
            "renewed": renewed,
        },
        st.sampled_from([6, 12, 18, 36]),
        _reals(0.1, 0.7),
        st.sampled_from([0.0, 0.5, 1.0]),
        _reals(0.05, 0.95),
        st.booleans(),
    ),
    max_size=2,
)


TEAMS = st.sampled_from(
    [
        [],
        [{"name": "web", "compute_fraction": 0.7}],
        [
            {"name": "web", "compute_fraction": 0.7, "storage_fraction": 0.1},
            {"name": "data", "compute_fraction": 0.3, "storage_fraction": 0.8},
        ],
    ]
)


@st.composite
def workloads(draw: st.DrawFn) -> JSONDict:
    """A random demand."""
    rate = _reals(-0.1, 0.5)
    return {
        "kind": "demand",
        "busy_cores_count": draw(_reals(20, 3000)),
        "p99_ratio": draw(st.none() | _reals(1.0, 2.0)),
        "shape": draw(SHAPES),
        "ram_gib": draw(_reals(0, 20_000)),
        "ram_fixed_fraction": draw(_reals(0, 1)),
        "block_tb": draw(_reals(0, 200)),
        "object_tb": draw(_reals(0, 600)),
        "egress_tb_per_month": draw(_reals(0, 300)),
        "cross_zone_tb_per_month": draw(_reals(0, 300)),
        "growth": {
            "cores_fraction_per_year": draw(rate),
            "ram_fraction_per_year": draw(rate),
            "block_fraction_per_year": draw(rate),
            "object_fraction_per_year": draw(rate),
            "transfer_fraction_per_year": draw(rate),
        },
        "availability": {"spare_nodes_count": draw(st.integers(0, 3))},
        "jobs_per_day": draw(st.sampled_from([0.0, 1e4])),
        "teams": draw(TEAMS),
    }


GPUS: st.SearchStrategy[JSONDict] = st.just({}) | st.fixed_dictionaries(
    {
        "gpus_per_node_count": st.integers(1, 8),
        "psu_efficiency_fraction": st.none() | _reals(0.8, 0.96),
        "gpus": st.fixed_dictionaries(
            {
                "idle_w": _reals(10, 100),
                "peak_w": _reals(200, 1000),
                "use_fraction": st.none() | _reals(0, 1),
                "unit_price_usd": _reals(0, 40_000),
            }
        ),
    }
)


@st.composite
def owned_designs(draw: st.DrawFn, letter: str) -> JSONDict:
    """A random cluster that carries compute, block and object storage."""
    compute = {
        "name": "compute",
        "role": "compute_and_block",
        "cores_per_node_count": draw(st.sampled_from([16, 64, 192])),
        "sockets_per_node_count": 2,
        "ram_gib": draw(st.sampled_from([128, 512, 1536])),
        "drives": {
            "per_node_count": 4,
            "capacity_tb": 7.68,
            "kind": "ssd",
            "unit_price_usd": draw(_reals(0, 3000)),
            "throughput_mb_per_s": draw(st.none() | _reals(100, 3000)),
        },
        "rack_units_count": draw(st.sampled_from([None, 1.0, 2.0])),
        "price": {
            "kind": "parts",
            "parts": [
                {
                    "name": "CPU",
                    "component": "cpu",
                    "count": 2,
                    "unit_price_usd": draw(_reals(500, 12_000)),
                    "discount_fraction": draw(_reals(0, 0.5)),
                },
                {
                    "name": "rest",
                    "component": "server",
                    "count": 1,
                    "unit_price_usd": draw(_reals(500, 20_000)),
                },
            ],
        },
        "power": draw(POWERS),
        "adder_w": draw(_reals(0, 100)),
        **draw(GPUS),
    }
    bulk = {
        "name": "bulk",
        "role": "object",
        "drives": {"per_node_count": 12, "capacity_tb": 24, "kind": "hdd", "copies_count": 3},
        "price": {"kind": "typed", "unit_price_usd": draw(_reals(1000, 20_000))},
        "power": draw(POWERS),
    }
    return {
        "letter": letter,
        "title": "Own",
        "kind": "owned_cluster",
        "node_groups": [compute, bulk],
        "equipment": [{"name": "switch", "unit_price_usd": 9000, "power_w": draw(_reals(0, 500))}],
        "hardware_price_ratio": draw(_reals(0.7, 1.7)),
        "envelope": draw(
            st.sampled_from([{}, {"power_kw": 40.0}, {"power_kw": 9.0, "rack_units_count": 900}])
        ),
        "racks": {"nodes_per_rack_count": 16, "unit_price_usd": draw(_reals(0, 4000))},
        "space": {
            "usd_per_kw_month": draw(_reals(0, 300)),
            "usd_per_rack_month": draw(_reals(0, 900)),
            "electricity_included": draw(st.booleans()),
        },
        "network": {"transit_usd_per_month": 800, "usd_per_tb": draw(_reals(0, 5))},
        "sites": [{"name": "here", "usd_per_year": draw(_reals(0, 30_000))}],
        "support": {
            "fraction_per_year": draw(_reals(0, 0.1)),
            "warranty_months": draw(st.sampled_from([0, 7, 36])),
        },
        "software": {
            "usd_per_core_year": draw(_reals(0, 20)),
            "usd_per_socket_year": draw(_reals(0, 900)),
        },
        "backup": {"usd_per_tb_month": draw(_reals(0, 8))},
        "spares_fraction_per_year": draw(_reals(0, 0.05)),
        "staff_fte": draw(_reals(0, 4)),
        "finance": draw(st.sampled_from([{"kind": "buy"}, {"kind": "lease", "term_months": 24}])),
        "salvage": {
            "fraction": draw(_reals(0.0, 0.2)),
            "method": draw(st.sampled_from(["flat", "declining"])),
        },
        "refresh_months": draw(st.sampled_from([None, 24, 31])),
        "lead_time_months": draw(st.sampled_from([0, 3])),
        "bought_ahead_fraction": draw(st.sampled_from([0.0, 0.25])),
        "migration": {
            "labour_usd": draw(_reals(0, 200_000)),
            "parallel_months": draw(_reals(0, 6)),
            "parallel_letter": draw(st.sampled_from([None, "B"])),
            "parallel_usd_per_month": 5000,
        },
    }


@st.composite
def cloud_designs(draw: st.DrawFn, letter: str) -> JSONDict:
    """A random rented design."""
    return {
        "letter": letter,
        "title": "Rent",
        "kind": "cloud",
        "instances": [
            {
                "name": "big",
                "usd_per_h": draw(_reals(0.2, 5)),
                "vcpu_count": draw(st.sampled_from([8, 32, 96])),
                "ram_gib": draw(st.sampled_from([32, 128, 512])),
                "perf_per_vcpu_ratio": draw(_reals(0.4, 1.2)),
                "share_fraction": 0.6,
                "network_gbit_per_s": draw(st.none() | _reals(0.5, 100)),
            },
            {
                "name": "small",
                "usd_per_h": draw(_reals(0.2, 5)),
                "vcpu_count": 16,
                "ram_gib": 64,
                "share_fraction": 0.4,
            },
        ],
        "commitments": draw(COMMITMENTS),
        "spot": {"share_fraction": draw(_reals(0, 0.5))},
        "negotiated_discount_fraction": draw(_reals(0, 0.2)),
        "storage": {
            "block_tiers": draw(TIERS),
            "object_tiers": draw(TIERS),
            "backup_usd_per_tb_month": draw(_reals(0, 30)),
        },
        "transfer": {
            "egress_tiers": [
                {"up_to_tb": 50, "usd_per_gb": draw(_reals(0.02, 0.1))},
                {"usd_per_gb": draw(_reals(0.02, 0.1))},
            ],
            "cross_zone_usd_per_gb": draw(_reals(0, 0.02)),
            "nat_usd_per_gb": draw(_reals(0, 0.05)),
            "other_fraction": draw(_reals(0, 0.1)),
        },
        "support": {
            "bands": [
                {"up_to_usd_per_month": 10_000, "fraction": 0.1},
                {"up_to_usd_per_month": 80_000, "fraction": 0.07},
                {"fraction": 0.03},
            ],
            "minimum_usd_per_month": draw(_reals(0, 3000)),
        },
        "copying": {"data_tb": 1, "times_per_year": draw(_reals(0, 90))},
        "exit": {"counted": draw(st.booleans()), "usd_per_gb": 0.05},
        "staff_fte": draw(_reals(0, 3)),
    }


HYBRID = {
    "letter": "C",
    "title": "Both",
    "kind": "hybrid",
    "owned_letter": "A",
    "rented_letter": "B",
    "own_quantile_fraction": 0.6,
    "burst_storage_tb": 3.0,
    "staff_fte": 2.0,
}
LINES: list[JSONDict] = [
    {
        "type": "m5.xlarge",
        "count": 40,
        "usd_per_h": 0.12,
        "commitment_end_month": 9,
        "after_usd_per_h": 0.192,
    },
    {"type": "c5.large", "count": 12, "usd_per_h": 0.085},
]
BASELINE: JSONDict = {
    "kind": "today",
    "lines": LINES,
    "other_usd_per_month": 900,
    "staff_fte": 0.5,
}


@st.composite
def studies(draw: st.DrawFn) -> JSONDict:
    """A random study: owned, rented, hybrid and a baseline under one demand."""
    return {
        "designs": [draw(owned_designs("A")), draw(cloud_designs("B")), HYBRID],
        "workload": draw(workloads()),
        "assumptions": {
            "horizon_months": draw(st.sampled_from([7, 12, 30, 36])),
            "ranked_by": draw(st.sampled_from(["cash", "present_value"])),
            "electricity": draw(ELECTRICITY),
            "demand_charge_usd_per_kw_month": draw(_reals(0, 15)),
            "pue": draw(_reals(1.0, 2.0)),
            "carbon": {"gco2e_per_kwh": 379, "usd_per_t": draw(_reals(0, 200))},
            "price_changes": draw(CHANGES),
            "tax": {"counted": draw(st.booleans()), "rate_fraction": 0.21},
            "depreciation": {"method": draw(st.sampled_from(["straight_line", "macrs_5"]))},
        },
        "baseline": draw(st.none() | st.just(BASELINE)),
    }


# Inputs that may be moved in any random study, with the ends of their ranges as ratios.
MOVABLE = (
    "/workload/busy_cores_count",
    "/workload/ram_gib",
    "/workload/object_tb",
    "/workload/ram_fixed_fraction",
    "/workload/growth/cores_fraction_per_year",
    "/workload/growth/object_fraction_per_year",
    "/workload/headroom/cores_target_fraction",
    "/workload/headroom/ram_headroom_fraction",
    "/assumptions/discount_fraction_per_year",
    "/assumptions/staff_usd_per_fte_year",
    "/assumptions/pue",
    "/assumptions/demand_charge_usd_per_kw_month",
    "/assumptions/carbon/gco2e_per_kwh",
    "/assumptions/price_changes/server_fraction_per_year",
    "/assumptions/price_changes/instances_fraction_per_year",
    "/designs/A/hardware_price_ratio",
    "/designs/A/node_groups/0/price/parts/0/unit_price_usd",
    "/designs/A/node_groups/0/perf_per_core_ratio",
    "/designs/A/node_groups/0/psu_efficiency_fraction",
    "/designs/A/node_groups/0/gpus/idle_w",
    "/designs/A/node_groups/0/gpus/peak_w",
    "/designs/A/node_groups/0/gpus/use_fraction",
    "/designs/A/node_groups/0/gpus/unit_price_usd",
    "/designs/A/space/usd_per_kw_month",
    "/designs/A/staff_fte",
    "/designs/A/salvage/fraction",
    "/designs/A/migration/parallel_months",
    "/designs/A/migration/overrun_ratio",
    "/designs/A/support/fraction_per_year",
    "/designs/B/negotiated_discount_fraction",
    "/designs/B/instances/0/usd_per_h",
    "/designs/B/instances/0/perf_per_vcpu_ratio",
    "/designs/B/spot/share_fraction",
    "/designs/B/transfer/other_fraction",
    "/designs/C/own_quantile_fraction",
    "/designs/C/burst_storage_tb",
)
