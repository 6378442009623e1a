"""Each kind of demand owned or rented, and what is bought by the month: against sums by hand."""

from __future__ import annotations

import pytest

from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.costing.scene import Curves
from capmodels.plans.document.quantities import quantities_of
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    owned,
    plain,
    study_of,
)

YEAR = 12
DRIVES: JSONDict = {"kind": "hdd", "per_node_count": 10, "capacity_tb": 10, "copies_count": 2}
POWER = {"kind": "constant", "power_w": 0}


def node(name: str, role: str, **changes: object) -> JSONDict:
    """A node of 10 drives of 10 TB, two copies of all, at $500."""
    price = {"kind": "typed", "unit_price_usd": 500}
    group = {"name": name, "role": role, "price": price, "power": POWER, "drives": DRIVES}
    return {**group, **changes}


def own(**changes: object) -> JSONDict:
    """Compute at $1,000 a node, all storage at $500, GPUs at $2,000; traffic at $1 a TB."""
    design = owned("A", network={"usd_per_tb": 1.0})
    gpus: JSONDict = {"gpus_per_node_count": 4, "drives": None}
    gpus["price"] = {"kind": "typed", "unit_price_usd": 2000}
    design["node_groups"] += [
        node("block", "block"),
        node("object", "object"),
        node("archive", "archive"),
        node("gpu", "gpu", **gpus),
    ]
    design["services"] = [{"name": "Licence", "usd_per_month": 7}]
    return {**design, **changes}


def rent(**changes: object) -> JSONDict:
    """Compute at $1 an hour; a GB is a GB, and $0.1, $0.02, $0.001 a month; egress at $0.05."""
    design = cloud(
        "B",
        storage={
            "gb_per_tb": 1000,
            "block_tiers": [{"usd_per_gb_month": 0.1}],
            "block_overhead_ratio": 1.0,
            "object_tiers": [{"usd_per_gb_month": 0.02}],
            "archive": {"usd_per_gb_month": 0.001, "usd_per_gb_read": 0.03},
        },
        transfer={"egress_tiers": [{"usd_per_gb": 0.05}]},
        services=[{"name": "Database", "usd_per_month": 90}],
    )
    gpu = {"name": "gpu", "usd_per_h": 3.0, "vcpu_count": 10, "ram_gib": 64, "gpus_count": 4}
    design["instances"].append(gpu)
    return {**design, **changes}


def work(**changes: object) -> JSONDict:
    """100 cores, 100 TB of each storage, 8 GPUs, 20 TB sent and 5 TB of objects read a month."""
    kinds = {
        "block_tb": 100,
        "object_tb": 100,
        "archive_tb": 100,
        "archive_read_tb_per_month": 2,
        "object_use": {"read_tb_per_month": 5},
        "gpu_peak_count": 8,
        "egress_tb_per_month": 20,
    }
    return demand(**{**kinds, **changes})


def both(**placement: str) -> JSONDict:
    """A hybrid of the two, with one line of its own."""
    return {
        "letter": "C",
        "title": "Both",
        "kind": "hybrid",
        "placement": placement,
        "owned_letter": "A",
        "rented_letter": "B",
        "services": [{"name": "Search", "usd_per_month": 11, "vendor": "Elastic"}],
    }


def study(**placement: str) -> JSONDict:
    """A year of the three, without discounting."""
    return plain([own(), rent(), both(**placement)], work())


OWNED_USD = {"compute": 10_000, "block": 1_000, "object": 1_000, "archive": 1_000, "gpus": 4_000}
RENTED_USD = {
    "compute": 10 * 8760,
    "block": 100_000 * 0.1 * YEAR,
    "object": 100_000 * 0.02 * YEAR,
    "archive": (100_000 * 0.001 + 2_000 * 0.03) * YEAR,
    "gpus": 2 * 3 * 8760,
}


@pytest.mark.parametrize("rented", [(), ("object",), ("block", "archive"), ("gpus", "compute")])
def test_each_kind_costs_what_it_does_where_it_lives(rented: tuple[str, ...]) -> None:
    placed = {kind: "rented" if kind in rented else "owned" for kind in OWNED_USD}
    result = column(answer(study(**placed, transfer="rented", services="owned")), "C")
    assert result.carries_load
    bought = sum(usd for kind, usd in OWNED_USD.items() if kind not in rented)
    assert cause_usd(result, "hardware") == pytest.approx(bought)
    metered = cause_usd(result, "instances") + cause_usd(result, "storage")
    assert metered == pytest.approx(sum(RENTED_USD[kind] for kind in rented))
    assert cause_usd(result, "services") == pytest.approx((7 + 11) * YEAR)


def test_objects_that_stay_in_the_cloud_are_read_across_its_border() -> None:
    """5 TB a month at $0.05 a GB; what is sent to the internet goes the owned way."""
    kept = answer(study(compute="owned", object="rented"))
    assert cause_usd(column(kept, "C"), "transfer") == pytest.approx(5_000 * 0.05 * YEAR)
    assert cause_usd(column(kept, "C"), "network") == pytest.approx(20 * YEAR)
    turned = answer(study(compute="rented", object="owned"))
    assert cause_usd(column(turned, "C"), "transfer") == pytest.approx(20_000 * 0.05 * YEAR)
    assert cause_usd(column(turned, "C"), "network") == pytest.approx(5 * YEAR)


def test_a_kind_of_demand_that_lives_nowhere_is_named_with_its_field() -> None:
    bare = own(node_groups=[own()["node_groups"][0]])
    asked = plain([bare, rent(), both(block="rented", archive="rented", gpus="rented")], work())
    short = column(answer(asked), "C").shortfall
    assert short is not None
    assert short.sentence.startswith("No disks for 100 TB of object storage")
    assert short.pointer == "/designs/A/node_groups"
    plain_cloud = rent(instances=rent()["instances"][:1])
    short = column(answer(plain([own(), plain_cloud, both(gpus="rented")], work())), "C").shortfall
    assert short is not None
    assert (short.sentence, short.pointer) == (
        "No instances with GPUs for 8 GPUs.",
        "/designs/B/instances",
    )


def test_classes_requests_and_discounts_of_objects_follow_their_tariff() -> None:
    """Of 100 TB 60 are in a class at half the price, which a tenth of the use falls on."""
    storage = {
        **rent()["storage"],
        "usd_per_million_writes": 5.0,
        "usd_per_million_reads": 0.4,
        "object_classes": [
            {
                "name": "Infrequent",
                "share_fraction": 0.6,
                "use_fraction": 0.1,
                "usd_per_gb_month": 0.01,
                "usd_per_gb_read": 0.01,
                "usd_per_million_writes": 10.0,
                "usd_per_million_reads": 1.0,
            }
        ],
    }
    design = rent(storage=storage, discounts={"object_fraction": 0.2, "block_fraction": 0.5})
    use = {
        "read_tb_per_month": 5,
        "writes_millions_per_month": 30,
        "reads_millions_per_month": 200,
    }
    result = column(answer(plain([design], work(object_use=use))), "B")
    kept = 40_000 * 0.02 + 60_000 * 0.01
    asked = 0.9 * (30 * 5 + 200 * 0.4) + 0.1 * (30 * 10 + 200 * 1)
    read = 0.1 * 5_000 * 0.01
    archive = 100_000 * 0.001 + 2_000 * 0.03
    month = 0.8 * (kept + asked + read + archive) + 0.5 * 100_000 * 0.1
    assert cause_usd(result, "storage") == pytest.approx(month * YEAR)


def test_services_grow_with_their_demand_and_the_providers_own_stand_on_its_bill() -> None:
    lines = [
        {"name": "Database", "usd_per_month": 100, "grows_with": "object"},
        {"name": "Pager", "usd_per_month": 40, "vendor": "PagerDuty"},
    ]
    design = cloud(
        services=lines,
        negotiated_discount_fraction=0.1,
        support={"bands": [{"fraction": 0.05}]},
    )
    grown = demand(object_tb=0, growth={"object_fraction_per_year": 0.21})
    changes = {"services_fraction_per_year": 0.1}
    result = column(answer(plain([design], grown, price_changes=changes)), "B")
    factor = sum(1.21 ** ((m + 0.5) / 12) * 1.1 ** ((m + 0.5) / 12) for m in range(12))
    risen = sum(1.1 ** ((m + 0.5) / 12) for m in range(12))
    billed = 0.9 * 100 * factor
    assert cause_usd(result, "services") == pytest.approx(billed + 40 * risen)
    assert cause_usd(result, "support") == pytest.approx(0.05 * (billed + 0.9 * 10 * 8760))


def test_trials_at_the_values_entered_cost_what_the_point_does() -> None:
    for placed in ({"object": "rented"}, {"compute": "rented", "block": "rented"}):
        asked = study_of(study(**placed))
        found = Evaluator(asked, Curves(asked)).totals({}, ["A", "B", "C"], 2)
        told = answer(study(**placed))
        for row, letter in zip(found, "ABC", strict=True):
            assert row == pytest.approx([column(told, letter).ranked_usd] * 2, rel=1e-12)


def test_a_service_of_one_vendor_is_one_unknown_in_all_designs() -> None:
    line = {"name": "Pager", "usd_per_month": 40, "vendor": "PagerDuty"}
    own_line = {"name": "Database", "usd_per_month": 40}
    asked = plain(
        [
            owned("A", services=[line]),
            cloud("B", services=[line, own_line], provider="aws"),
            cloud("C", services=[own_line], provider="gcp"),
        ]
    )
    pointers = ("A/services/0", "B/services/0", "B/services/1", "C/services/0")
    asked["ranges"] = [
        {"pointer": f"/designs/{at}/usd_per_month", "low": 30, "high": 50} for at in pointers
    ]
    keys = [item.key for item in quantities_of(study_of(asked))]
    assert keys == [
        "services/usd_per_month/AWS/Database",
        "services/usd_per_month/Google Cloud/Database",
        "services/usd_per_month/PagerDuty/Pager",
    ]
