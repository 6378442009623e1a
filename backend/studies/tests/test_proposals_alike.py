"""Proposed studies pass the like-for-like check, but for what the planner alone knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.plans.answer.cautions import bare_factors
from capmodels.plans.check.registry import RULES
from capmodels.plans.compare import compare
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.document.study import StudySpec
from capmodels.registry import get_model
from capmodels.spec import validate
from capmodels.tests.ranges import OF_THE_SOURCE, is_centred
from catalogue.selectors import entries_named
from catalogue.testing import shipped_load
from common.tenancy import workspace
from studies.documents import PLAN
from studies.proposals import alike
from studies.proposals.propose import Option, document_of, propose
from studies.proposals.templates import TEMPLATES

if TYPE_CHECKING:
    from capmodels.spec import JSONDict
    from studies.tests.people import Planner

pytestmark = pytest.mark.db

CLOUDS = [Option("aws", 36), Option("azure", 12), Option("gcp", 0)]
KINDS = {
    "one cloud and own": [Option("aws", 36), Option("owned")],
    "clouds alone": CLOUDS,
    "all": [*CLOUDS, Option("owned"), Option("hybrid")],
    "own alone": [Option("owned")],
    "a mix": [Option("owned"), Option("azure", 36), Option("hybrid")],
}
PLACES = [("", "USD"), ("Frankfurt", "EUR"), ("São Paulo", "USD"), ("Tokyo", "JPY")]


@pytest.fixture
def alices(alice: Planner) -> Any:
    shipped_load()
    with workspace(alice.workspace_id):
        yield


def proposed(
    work: JSONDict, options: list[Option], place: tuple[str, str] = ("", "USD"), **assumptions: Any
) -> JSONDict:
    region, currency = place
    there = [
        Option(one.option, one.term_months, region if one.option in {"aws", "azure", "gcp"} else "")
        for one in options
    ]
    return propose(
        workload=work,
        workload_provenance={},
        assumptions=assumptions,
        options=there,
        currency=currency,
    )


def found(proposal: JSONDict) -> list[tuple[int, str]]:
    """What each rule finds in a study exactly as it is proposed."""
    study = validate(get_model(PLAN), document_of(proposal))
    assert isinstance(study, StudySpec)
    return [(rule.number, item.sentence) for rule in RULES for item in rule.find(study)]


def leaning(proposal: JSONDict) -> list[str]:
    """The ranges of a proposed study whose mean is not the value, but for those of a source."""
    document = document_of(proposal)
    study = validate(get_model(PLAN), document)
    assert isinstance(study, StudySpec)
    held = {
        f"/designs/{design['letter']}{at}": origin
        for design in proposal["designs"]
        for at, origin in design["provenance"].items()
    }
    assert study.ranges
    found = []
    for one in study.ranges:
        leaf = leaf_at(study, one.pointer)
        if leaf is None or leaf.value is None or is_centred(leaf.value, one.low, one.high):
            continue
        if OF_THE_SOURCE not in str(held.get(one.pointer, {}).get("note")):
            found.append(f"{one.pointer}: {one.low:g} to {one.high:g} around {leaf.value:g}")
    return found


def template(slug: str) -> JSONDict:
    return next(one for one in TEMPLATES if one.slug == slug).workload()


@pytest.mark.decisive
@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize("slug", [one.slug for one in TEMPLATES])
def test_no_rule_finds_anything_in_a_study_as_it_is_proposed(slug: str) -> None:
    work = template(slug)
    first = [one.slug for one in TEMPLATES].index(slug)
    # Every kind of option, each in another place from template to template, and all in two.
    for at, (name, options) in enumerate([*KINDS.items(), ("all", KINDS["all"])]):
        place = PLACES[(first + at) % len(PLACES)]
        assert found(proposed(work, options, place)) == [], (name, place)


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize("place", PLACES)
def test_what_is_proposed_is_the_mean_of_its_range(place: tuple[str, str]) -> None:
    assert leaning(proposed(template("web-service"), KINDS["all"], place)) == []


# What the planner alone knows, and why the product cannot know it: work and assumptions that bring
# it up, and the rules that find it.
LEFT: dict[str, tuple[JSONDict, JSONDict, set[int]]] = {
    # Whether the work has to survive the loss of a site, which doubles what is owned.
    "zones": ({"cross_zone_tb_per_month": 5.0}, {}, {2}),
    # At which hours the peak is, which decides what can be committed.
    "peak": ({"p99_ratio": 2.0, "shape": {"kind": "flat"}}, {}, {9}),
    # Which support plan of AWS follows the one that ends with 2026: not in the catalogue.
    "support": ({}, {"starts_on": "2026-12-01"}, {14}),
}


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize("case", LEFT)
def test_what_the_planner_alone_knows_is_found(case: str) -> None:
    more, assumed, rules = LEFT[case]
    work = {**template("web-service"), **more}
    said = found(proposed(work, KINDS["one cloud and own"], **assumed))
    assert {number for number, _ in said} == rules
    assert all(sentence for _, sentence in said)


@pytest.mark.usefixtures("alices")
def test_requests_are_priced_and_machines_replaced_where_they_are_needed() -> None:
    use = {"writes_millions_per_month": 10.0, "reads_millions_per_month": 100.0}
    work = {**template("web-service"), "object_use": use}
    assert found(proposed(work, KINDS["all"], horizon_months=84)) == []


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize("cores", [40, 300, 700, 3000])
def test_racks_that_are_proposed_feed_what_stands_in_them(cores: int) -> None:
    work = {**template("web-service"), "busy_cores_count": cores, "ram_gib": 7.5 * cores}
    study = validate(get_model(PLAN), document_of(proposed(work, KINDS["own alone"])))
    assert isinstance(study, StudySpec)
    racks = compare(study).designs[0].racks
    assert racks is not None
    assert racks.fits, racks.sentence


@pytest.mark.usefixtures("alices")
def test_machines_are_waited_for_and_their_prices_are_of_one_day() -> None:
    proposal = proposed(template("web-service"), KINDS["all"])
    assert not bare_factors(validate(get_model(PLAN), document_of(proposal)))
    own, mix = proposal["designs"][3:]
    assert own["spec"]["lead_time_months"] == 3
    for design in (own, mix):
        assert design["spec"]["migration"] == {"parallel_letter": "A", "parallel_months": 3.0}
        origin = design["provenance"]["/migration/parallel_months"]
        assert origin["as_of"] == "2026-11-21"
    # One unknown, how long it takes, has one range: that of its overrun.
    ranged = {item["pointer"] for item in proposal["ranges"]}
    assert "/designs/D/migration/overrun_ratio" in ranged
    assert "/designs/D/migration/parallel_months" not in ranged
    parts = own["spec"]["node_groups"][0]["price"]["parts"]
    assert min(part["price_as_of"] for part in parts) >= "2026-06-29"
    assert max(part["price_as_of"] for part in parts) == "2026-09-27"
    # Of July 2023, by an index of -10% to 10% a year: as wide, with the ratio in the middle.
    parts[0] |= {"component": "cpu", "price_as_of": "2023-07-01"}
    alike.of_one_time([own], entries_named(alike.INDEXES))
    assert parts[0]["price_as_of"] == "2026-09-27"
    carried = own["provenance"]["/node_groups/0/price/parts/0/index_ratio"]
    assert (round(carried["low"], 2), round(carried["high"], 2)) == (0.67, 1.33)
    assert carried["source"] == "Price change of CPU: 0% a year since 1 Jul 2023"
