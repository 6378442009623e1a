"""Nodes in racks: which rack is fullest, and what binds in it."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from capmodels.plans.checks import owned_of_now
from capmodels.plans.compare import compare
from capmodels.plans.document.study import StudySpec
from capmodels.tests.plans.documents import answer, column, owned, plain

if TYPE_CHECKING:
    from capmodels.plans.comparison import RackFigures

SWITCHES = [{"name": "switch", "count": 2, "unit_price_usd": 0, "power_w": 150}]


def group(name: str, count: int, power_w: float) -> dict[str, Any]:
    return {
        "name": name,
        "role": "other",
        "count": count,
        "price": {"kind": "typed", "unit_price_usd": 0},
        "power": {"kind": "constant", "power_w": power_w},
    }


def racked(groups: list[dict[str, Any]], **changes: Any) -> RackFigures:
    design = owned("A", **changes)
    design["node_groups"] = groups
    figures = column(answer(plain([design])), "A").racks
    assert figures is not None
    return figures


@pytest.mark.decisive
def test_nodes_fill_one_rack_after_the_other() -> None:
    figures = racked(
        [group("compute", 12, 600), group("storage", 3, 300)],
        racks={"nodes_per_rack_count": 10},
        provision_ratio=1.1,
        equipment=SWITCHES,
    )
    assert [fill.nodes_count for fill in figures.drawn] == [(10, 0), (2, 3)]
    assert figures.power_w == pytest.approx((12 * 600 + 3 * 300 + 300) * 1.1)
    assert figures.fullest.power_w == pytest.approx((10 * 600 + 150) * 1.1)
    assert figures.sentence.startswith("Space is the constraint: 10 of 10 places")


def test_a_rack_that_cannot_feed_its_nodes_is_told_of_with_its_field() -> None:
    design = owned("A", group={"count": 40, "power": {"kind": "constant", "power_w": 1120}})
    result = answer(plain([design]))
    remark = column(result, "A").remarks[0]
    assert remark.pointer == "/designs/A/racks/nodes_per_rack_count"
    assert remark.sentence == (
        "A rack of 20 nodes would draw 22.4 kW, and is built for 10 kW. Put at most 8 in a rack, "
        "or enter what the rack can feed."
    )
    assert remark.sentence in column(result, "A").warnings
    roomy = {**design, "racks": {"nodes_per_rack_count": 8}}
    assert column(answer(plain([roomy])), "A").remarks == ()


def test_power_that_is_not_known_stays_unknown() -> None:
    unknown = {**group("a", 4, 0), "power": None}
    figures = racked([unknown], space={"electricity_included": True})
    assert figures.power_w is None
    assert figures.fits is None
    assert "not given" in figures.sentence


def test_the_fullest_of_all_racks_is_found() -> None:
    rng = random.Random(20261122)
    for _ in range(30):
        groups = [
            group(f"g{at}", rng.randint(1, 90), rng.choice([100, 400, 900]))
            for at in range(rng.randint(1, 4))
        ]
        slots = rng.randint(1, 40)
        figures = racked(groups, racks={"nodes_per_rack_count": slots})
        nodes = [one["power"]["power_w"] for one in groups for _ in range(one["count"])]
        fullest = max(sum(nodes[at : at + slots]) for at in range(0, len(nodes), slots))
        assert figures.fullest.power_w == pytest.approx(fullest)
        assert figures.racks_count == -(-len(nodes) // slots)


def test_a_group_of_its_own_racks_and_switches_that_follow_its_nodes() -> None:
    document = owned_of_now(5)
    design = document["designs"][0]
    design["node_groups"][1]["nodes_per_rack_count"] = 4
    more = {"name": "leaves", "count": 2.0, "per_nodes_count": 10, "unit_price_usd": 1000.0}
    bare = compare(StudySpec.model_validate(document)).designs[0]
    design["equipment"].append({**more, "group": "compute", "power_w": 100.0})
    result = compare(StudySpec.model_validate(document)).designs[0]
    counts = [year.groups[0].count for year in result.sizing]
    assert counts == [12, 15, 17, 20, 24]
    # Two for each ten nodes begun: four of the first year, two more once there are 21.
    paid = [year.causes["hardware"] for year in result.years]
    before = [year.causes["hardware"] for year in bare.years]
    assert [a - b for a, b in zip(paid, before, strict=True)] == pytest.approx(
        [4000.0, 0.0, 0.0, 0.0, 2000.0]
    )
    bulk = int(result.sizing[-1].groups[1].count)
    assert result.racks is not None
    assert result.racks.racks_count == math.ceil(24 / 20) + math.ceil(bulk / 4)
    assert sum(sum(rack.nodes_count) for rack in result.racks.drawn) == 24 + bulk
    assert result.racks.drawn[-1].slots_count == 4


def test_switches_of_a_group_that_is_not_there_are_refused() -> None:
    document = owned_of_now(1)
    document["designs"][0]["equipment"][0] |= {"group": "nobody", "per_nodes_count": 4}
    with pytest.raises(ValidationError, match="No group of nodes is called 'nobody'"):
        StudySpec.model_validate(document)
