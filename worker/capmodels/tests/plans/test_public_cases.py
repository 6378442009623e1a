"""Two companies that left a cloud in public: each is one study, and its answer makes sense.

What they published is held against; what they did not is assumed, and says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capmodels.plans.document.upgrades import STILL
from capmodels.tests.plans.documents import JSONDict, answer, cause_usd, column

if TYPE_CHECKING:
    from capmodels.plans.comparison import Comparison

# 37signals, "Our cloud spend in 2022" and "Our cloud-exit savings will now top ten million over
# five years" (2024-10-17): $3.2 M a year, of it S3 almost 30% for 8 PB in mixed classes under a
# long contract, RDS and OpenSearch about 15% each, ElastiCache 5%, CloudFront 2%, compute 20%.
# Then $700 k of Dell servers in racks that were there, S3 kept, nothing else; the same team.
BILL_USD = 3_200_000.0
SAVED_USD = (7_000_000.0, 12_000_000.0)

KEPT_PB: JSONDict = {
    "kind": "demand",
    "busy_cores_count": 1000,
    "p99_ratio": 1.5,
    "ram_gib": 4500,
    "object_tb": 8000,
    "object_use": {"reads_millions_per_month": 300, "read_tb_per_month": 20},
}


def _monthly(share: float) -> float:
    return share * BILL_USD / 12


CLOUD: JSONDict = {
    "letter": "A",
    "title": "All in AWS",
    "kind": "cloud",
    "instances": [
        {"name": "m6i.24xlarge", "usd_per_h": 4.608, "vcpu_count": 96, "ram_gib": 384}
        | {"perf_per_vcpu_ratio": 0.6}
    ],
    "commitments": [{"term_months": 12, "discount_fraction": 0.37}],
    "storage": {
        "object_tiers": [{"usd_per_gb_month": 0.021}],
        "usd_per_million_reads": 0.4,
        "object_classes": [
            {"name": "Infrequent access", "share_fraction": 0.4, "usd_per_gb_month": 0.0125},
            {"name": "Instant retrieval", "share_fraction": 0.4, "usd_per_gb_month": 0.004},
        ],
    },
    "discounts": {"object_fraction": 0.06},
    "transfer": {"egress_tiers": [{"usd_per_gb": 0.05}]},
    "services": [
        {"name": "RDS", "usd_per_month": _monthly(0.15)},
        {"name": "OpenSearch", "usd_per_month": _monthly(0.15)},
        {"name": "ElastiCache", "usd_per_month": _monthly(0.05)},
        {"name": "CloudFront", "usd_per_month": _monthly(0.02)},
        {"name": "What is not broken down", "usd_per_month": _monthly(0.13)},
    ],
    "staff_fte": 10,
}
# Servers of 2 x 48 cores, 4,000 vCPUs for $600 k at first, $700 k in the end.
OWNED: JSONDict = {
    "letter": "B",
    "title": "Own it all",
    "kind": "owned_cluster",
    "node_groups": [
        {
            "name": "R7625",
            "cores_per_node_count": 96,
            "sockets_per_node_count": 2,
            "ram_gib": 512,
            "count": 24,
            "price": {"kind": "typed", "unit_price_usd": 29_000},
            "power": {"kind": "linear", "idle_w": 200, "peak_w": 800},
        },
        {
            "name": "Objects",
            "role": "object",
            "drives": {"kind": "hdd", "per_node_count": 60, "capacity_tb": 20, "copies_count": 3}
            | {"unit_price_usd": 400},
            "price": {"kind": "typed", "unit_price_usd": 8_000},
            "power": {"kind": "constant", "power_w": 800},
        },
    ],
    "services": [{"name": "CDN", "usd_per_month": _monthly(0.02), "vendor": "Cloudflare"}],
    "staff_fte": 10,
}
KEEPS_S3: JSONDict = {
    "letter": "C",
    "title": "Own the compute, keep S3",
    "kind": "hybrid",
    "owned_letter": "B",
    "rented_letter": "A",
    "placement": {"compute": "owned", "object": "rented", "services": "owned"},
    "staff_fte": 10,
}


def asked(designs: list[JSONDict], work: JSONDict, ranges: JSONDict) -> Comparison:
    """Five years in cash, with ranges, in a few hundred simulations."""
    held = [{"pointer": at, "low": low, "high": high} for at, (low, high) in ranges.items()]
    assumed = {"horizon_months": 60, "ranked_by": "cash", "price_changes": STILL}
    assumed["end"] = "work_stops"
    return answer(
        {
            "designs": designs,
            "workload": work,
            "assumptions": assumed,
            "ranges": held,
            "draws_count": 400,
        }
    )


def test_own_compute_and_objects_that_stay_save_what_was_told() -> None:
    result = asked(
        [CLOUD, OWNED, KEEPS_S3],
        KEPT_PB,
        {
            "/designs/A/discounts/object_fraction": (0.0, 0.2),
            "/designs/A/services/0/usd_per_month": (35_000.0, 45_000.0),
            "/designs/B/node_groups/0/price/unit_price_usd": (25_000.0, 35_000.0),
            "/workload/growth/object_fraction_per_year": (-0.02, 0.08),
        },
    )
    cloud, hybrid = column(result, "A"), column(result, "C")
    people = cause_usd(cloud, "staff")
    assert (cloud.total_usd - people) / 5 == pytest.approx(BILL_USD, rel=0.15)
    assert cause_usd(cloud, "storage") / 5 == pytest.approx(0.29 * BILL_USD, rel=0.1)
    assert cause_usd(hybrid, "hardware") == pytest.approx(700_000, rel=0.02)
    assert cause_usd(hybrid, "instances") == 0.0
    assert SAVED_USD[0] < cloud.ranked_usd - hybrid.ranked_usd < SAVED_USD[1]
    for design in result.designs:
        assert design.p10_usd is not None
        assert design.p90_usd is not None
        assert design.p10_usd < design.ranked_usd < design.p90_usd
    assert result.odds is not None
    assert result.odds.wins["A"] == 0.0


# Dropbox, Form S-1 (2018-02-23): over 90% of some 600 PB moved from a cloud by 2016. In that
# year the bill of the third party fell by $92.5 M and the cost of its own data centres rose by
# $53.0 M: $39.5 M less.
CLOUD_LESS_USD, OWN_MORE_USD = 92_500_000.0, 53_000_000.0


def test_a_store_of_hundreds_of_petabytes_is_cheaper_to_own() -> None:
    work = {"kind": "demand", "busy_cores_count": 0, "ram_gib": 0, "object_tb": 540_000}
    rent = {
        "letter": "A",
        "title": "Objects in a cloud",
        "kind": "cloud",
        "instances": [{"name": "vm", "usd_per_h": 0.1, "vcpu_count": 2, "ram_gib": 8}],
        "storage": {"object_tiers": [{"usd_per_gb_month": 0.021}]},
        "negotiated_discount_fraction": 0.25,
        "staff_fte": 10,
    }
    own = {
        "letter": "B",
        "title": "Own data centres",
        "kind": "owned_cluster",
        "node_groups": [
            {
                "name": "Storage",
                "role": "object",
                # Drives of 8 TB; three copies of all, in several regions.
                "drives": {"kind": "hdd", "per_node_count": 60, "capacity_tb": 8}
                | {"copies_count": 3, "unit_price_usd": 250},
                "price": {"kind": "typed", "unit_price_usd": 8_000},
                "power": {"kind": "constant", "power_w": 900},
            }
        ],
        "space": {"usd_per_kw_month": 150},
        "support": {"fraction_per_year": 0.05},
        "spares_fraction_per_year": 0.03,
        "network": {"transit_usd_per_month": 500_000},
        "staff_fte": 60,
    }
    result = asked(
        [rent, own],
        work,
        {
            "/designs/A/negotiated_discount_fraction": (0.1, 0.4),
            "/designs/B/node_groups/0/drives/unit_price_usd": (200.0, 350.0),
            "/designs/B/staff_fte": (40.0, 120.0),
        },
    )
    rented, owned = column(result, "A"), column(result, "B")
    assert cause_usd(rented, "storage") / 5 == pytest.approx(CLOUD_LESS_USD, rel=0.1)
    assert owned.total_usd / 5 == pytest.approx(OWN_MORE_USD, rel=0.35)
    assert result.winner == "B"
    assert result.odds is not None
    assert result.odds.wins["B"] > 0.95
    assert owned.p90_usd is not None
    assert rented.p10_usd is not None
    assert owned.p90_usd < rented.p10_usd
