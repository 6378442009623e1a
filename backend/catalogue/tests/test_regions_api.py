"""Prices by region: those held, those not, and the cities that name a region."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from catalogue import services
from catalogue.fixture_entries import read_entries
from catalogue.regions import KIND, PRICE, field_of

if TYPE_CHECKING:
    from catalogue.tests.conftest import Planner

API = "/api/v1/catalogue"


def test_the_fields_of_a_region_are_named_after_entries_with_a_price_by_the_hour() -> None:
    seeds = {seed.slug: seed for seed in read_entries()}
    named = {field_of(slug): seed for slug, seed in seeds.items() if PRICE in seed.values}
    regions = [seed for seed in seeds.values() if seed.kind == KIND]
    assert sum(seed.values["provider"]["value"] == "azure" for seed in regions) == 57
    for region in regions:
        for name in region.values:
            if not name.endswith(PRICE):
                continue
            entry = named[name]
            assert entry.values["provider"]["value"] == region.values["provider"]["value"]


def test_a_price_at_home_and_the_table_of_regions_agree() -> None:
    """Two sources say what an entry costs in its own region; both are of 2026 or of one list."""
    seeds = {seed.slug: seed for seed in read_entries()}
    compared = 0
    for region in (seed for seed in seeds.values() if seed.kind == KIND):
        for slug, seed in seeds.items():
            held = region.values.get(field_of(slug))
            if held is None or seed.values["region"]["value"] != region.values["region"]["value"]:
                continue
            own = seed.values[PRICE]
            assert held["value"] == pytest.approx(own["value"], rel=0.002, abs=0.0006), slug
            compared += 1
    assert compared > 40


def asked(planner: Planner, provider: str, region: str, *slugs: str) -> dict[str, Any]:
    query = f"provider={provider}&region={region}&entries={','.join(slugs)}"
    answer = planner.client.get(f"{API}/prices?{query}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def costs(answer: dict[str, Any]) -> list[float | None]:
    return [one["price"] and one["price"]["value"] for one in answer["prices"]]


@pytest.mark.db
@pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"])
def test_a_region_has_its_own_prices_and_no_other(alice: Planner) -> None:
    services.catalogue_load()
    home = asked(alice, "azure", "eastus", "azure-d32as-v6")
    assert home["prices"][0]["entry"] == "azure-d32as-v6"
    away = asked(alice, "azure", "frankfurt", "azure-d32as-v6", "azure-d2as-v6", "nothing")
    assert (away["region"], costs(away)) == ("germanywestcentral", [1.757, 0.11])
    assert away["prices"][0]["price"]["as_of"] == "2026-06-18"
    assert away["prices"][0]["entry"] == "azure-germanywestcentral"
    # EC2 is held for some families and regions: no price of it is lent to another.
    nodes = ("aws-m7a-8xlarge", "aws-search-r7g-large", "aws-g5-xlarge")
    assert costs(asked(alice, "aws", "us-east-1", *nodes)) == [1.85472, 0.178, 1.006]
    frankfurt = asked(alice, "aws", "Frankfurt", *nodes)
    assert (frankfurt["region"], costs(frankfurt)) == ("eu-central-1", [2.22176, 0.214, None])
    assert frankfurt["prices"][0]["home_region"] == "us-east-1"
    nowhere = asked(alice, "gcp", "atlantis-1", "gcp-c4d-standard-32")
    assert (nowhere["title"], costs(nowhere)) == ("", [None])


@pytest.mark.db
@pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"])
def test_own_regions_go_first_and_a_city_finds_its_region(alice: Planner) -> None:
    services.catalogue_load()
    found = alice.client.get(f"{API}/entries?kind=region&q=frankfurt").json()["results"]
    codes = {entry["values"]["region"]["value"] for entry in found}
    assert codes == {"eu-central-1", "germanywestcentral", "europe-west3"}
    own = {
        "kind": "region",
        "title": "AWS Frankfurt, quoted",
        "values": {
            "provider": {"value": "aws"},
            "region": {"value": "eu-central-1"},
            field_of("aws-m7a-8xlarge"): {"value": 2.1},
        },
    }
    assert alice.client.post(f"{API}/entries", own, format="json").status_code == 201
    assert costs(asked(alice, "aws", "eu-central-1", "aws-m7a-8xlarge")) == [2.1]
    assert alice.client.get(f"{API}/prices?entries={','.join('x' * 80)}").status_code == 422
