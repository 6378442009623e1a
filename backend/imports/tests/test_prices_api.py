"""Price lists: what they change, taken into the catalogue, undone, and fetched."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from capmodels.imports import gcp_skus
from capmodels.imports.registry import importer_of
from capmodels.providers import PROVIDERS
from catalogue.models import Entry
from catalogue.testing import shipped_load
from imports.tests.test_imports_api import imported

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


# Every instance that a proposal for AWS may rent, by AWS's own name.
OF_AWS = tuple(
    slug.removeprefix("aws-").replace("-", ".", 1) for slug in PROVIDERS["aws"].instances
)


@pytest.fixture
def catalogue(database: None) -> None:
    shipped_load()


def counts(answer: dict[str, Any]) -> dict[str, float]:
    rows = next(one["rows"] for one in answer["tables"] if one["title"] == "What changes")
    return {row[0]: row[1] for row in rows}


def listed(seed: int, regions: list[str]) -> tuple[bytes, dict[tuple[str, str], float]]:
    """A table of known and unknown types in some regions, as drawn from a seed."""
    draw = random.Random(seed)
    names = [*draw.sample(["m7a.large", "m7a.xlarge", "c7a.8xlarge"], 2), "q9.large", "q9.xlarge"]
    prices = {(name, region): draw.uniform(0.01, 9) for name in names for region in regions}
    rows = [f"{region},{name},{price!r}" for (name, region), price in prices.items()]
    draw.shuffle(rows)
    return "\n".join(["region,instance_type,usd_per_h", *rows]).encode(), prices


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_list_is_taken_whole_and_a_second_time_changes_nothing(alice: Person, seed: int) -> None:
    data, prices = listed(seed, ["us-east-1", "eu-west-1", "xx-new-1"])
    found = imported(alice, data, "prices.csv")
    assert found["makes"] == "prices"
    before = counts(alice.post(f"imports/{found['id']}/draft", {}).json())
    # Both known types where they are at home, and those that the table of regions has elsewhere.
    elsewhere = ("c7a.8xlarge", "eu-west-1") in prices
    assert before["Changed"] == 2 + elsewhere
    assert sum(before.values()) == len(prices)
    with alice.workspace():
        built_in = Entry.built_in.count()
    accepted = alice.post(f"imports/{found['id']}/accept", {})
    assert accepted.status_code == 201, accepted.content
    for (name, region), price in prices.items():
        slug = f"aws-{name.replace('.', '-')}"
        said = alice.get(f"catalogue/prices?provider=aws&region={region}&entries={slug}").json()
        assert said["prices"][0]["price"]["value"] == pytest.approx(price), (name, region)
    again = imported(alice, data, "again.csv")
    after = counts(alice.post(f"imports/{again['id']}/draft", {}).json())
    assert after == {"New": 0, "Changed": 0, "As they are": len(prices)}
    assert alice.post(f"imports/{found['id']}/undo", {}).status_code == 200
    with alice.workspace():
        assert Entry.objects.exclude(workspace=None).count() == 0
        assert Entry.built_in.count() == built_in


@pytest.mark.usefixtures("catalogue")
def test_two_lists_are_undone_one_after_the_other(alice: Person) -> None:
    """What undoing the second restores is as the first left it; a change by hand is not."""
    of = {"provider": "aws", "region": "xx-new-1", "entries": "aws-q9-large"}

    def taken(price: float) -> str:
        data = f"region,type,usd_per_h\nxx-new-1,q9.large,{price}\n".encode()
        found = imported(alice, data, "prices.csv")
        assert alice.post(f"imports/{found['id']}/accept", {}).status_code == 201
        return str(found["id"])

    def price() -> Any:
        said = alice.get("catalogue/prices?" + "&".join(f"{k}={v}" for k, v in of.items())).json()
        return [one["price"] and one["price"]["value"] for one in said["prices"]]

    first, second = taken(0.25), taken(0.5)
    assert price() == [0.5]
    assert alice.post(f"imports/{first}/undo", {}).status_code == 409
    assert alice.post(f"imports/{second}/undo", {}).status_code == 200
    assert price() == [0.25]
    assert alice.post(f"imports/{first}/undo", {}).status_code == 200
    with alice.workspace():
        assert Entry.objects.exclude(workspace=None).count() == 0


def test_studies_with_other_prices_are_told(alice: Person) -> None:
    instance = {"name": "m7a", "entry": "aws-m7a-large", "usd_per_h": 0.2, "vcpu_count": 2}
    spec = {"provider": "aws", "region": "eu-west-1", "instances": [instance]}
    study = {"title": "Ours", "designs": [{"kind": "cloud", "title": "Rent", "spec": spec}]}
    assert alice.post("studies", study).status_code == 201
    found = imported(alice, importer_of("aws_offer").sample(), "index.json")
    draft = alice.post(f"imports/{found['id']}/draft", {}).json()
    moved = next(t["rows"] for t in draft["tables"] if t["title"] == "Studies with other prices")
    assert moved == [["Ours", "A Rent", "m7a", 0.2, 0.12897]]
    assert "prices" not in draft or draft["prices"] is None


def test_a_list_is_not_undone_over_later_changes(alice: Person) -> None:
    found = imported(alice, importer_of("aws_offer").sample(), "index.json")
    alice.post(f"imports/{found['id']}/accept", {})
    etag = alice.get("catalogue/entries/aws-x2idn-24xlarge")["ETag"]
    changed = alice.patch(
        "catalogue/entries/aws-x2idn-24xlarge", {"title": "Mine"}, headers={"If-Match": etag}
    )
    assert changed.status_code == 200, changed.content
    assert alice.post(f"imports/{found['id']}/undo", {}).status_code == 409


def prices_of(alice: Person, slug: str) -> dict[str, float]:
    values = alice.get(f"catalogue/entries/{slug}").json()["values"]
    return {name: said["value"] for name, said in values.items() if name.endswith("usd_per_h")}


@pytest.mark.usefixtures("catalogue")
def test_prices_under_plans_stand_beside_those_by_the_hour(alice: Person) -> None:
    plans = imported(alice, importer_of("aws_savings").sample(), "plans.json")
    before = counts(alice.post(f"imports/{plans['id']}/draft", {}).json())
    assert before == {"New": 6, "Changed": 0, "As they are": 0}
    assert alice.post(f"imports/{plans['id']}/accept", {}).status_code == 201
    new = {"savings_plan_1y_usd_per_h": 0.5, "savings_plan_3y_usd_per_h": 0.16667,
           "savings_plan_3y_all_upfront_usd_per_h": 0.16667}  # fmt: skip
    assert prices_of(alice, "aws-q9-large") == new
    held = prices_of(alice, "aws-eu-west-1")
    assert held["aws_m7a_large_savings_plan_1y_usd_per_h"] == pytest.approx(0.0938)
    later = json.loads(importer_of("aws_savings").sample())
    later["terms"]["savingsPlan"][0]["rates"][0]["discountedRate"]["price"] = "0.0838"
    draft = alice.post(
        f"imports/{imported(alice, json.dumps(later).encode(), 'later.json')['id']}/draft", {}
    ).json()
    assert counts(draft) == {"New": 0, "Changed": 1, "As they are": 5}
    moved = next(one["rows"] for one in draft["tables"] if one["title"] == "Prices that change")
    assert moved[0][:4] == ["m7a.large", "eu-west-1", "Savings plan 1 year", 0.0938]
    assert alice.post(f"imports/{plans['id']}/undo", {}).status_code == 200
    assert alice.get("catalogue/entries/aws-q9-large").status_code == 404


@pytest.mark.usefixtures("catalogue")
def test_machines_of_google_cost_their_cores_and_their_ram(alice: Person) -> None:
    found = imported(alice, importer_of("gcp_skus").sample(), "skus.json")
    assert alice.post(f"imports/{found['id']}/accept", {}).status_code == 201
    said = prices_of(alice, "gcp-n2-standard-32")
    with alice.workspace():
        own = Entry.objects.exclude(workspace=None).filter(slug__startswith="gcp-")
        titles = {entry.slug: entry.title for entry in own}
    assert titles["gcp-n2-standard-16"] == "Google Cloud n2-standard-16"
    assert said["usd_per_h"] == pytest.approx(32 * 0.031611 + 128 * 0.004237)
    assert said["reserved_1y_usd_per_h"] == pytest.approx(32 * 0.019915 + 128 * 0.002669)
    built_in = Entry.built_in.filter(slug__startswith="gcp-", kind="instance")
    with alice.workspace():
        for entry in (one for one in built_in if "gpus_count" not in one.values):
            shape, _, vcpus = entry.slug.removeprefix("gcp-").rpartition("-")
            assert int(vcpus) in gcp_skus.SHAPES[shape][1]
            assert entry.values["ram_gib"]["value"] == gcp_skus.ram_gib(shape, int(vcpus))


def generated_plans(prices: dict[tuple[str, str, str], float]) -> bytes:
    """A file of savings plans in the published form; rates by family of plan, payment, type."""
    products, plans = [], []
    for years, payment in sorted({(years, paid) for years, paid, _name in prices}):
        sku = f"P{years}{payment[0]}"
        said = {"purchaseOption": payment, "purchaseTerm": f"{years}yr"}
        products.append({"sku": sku, "productFamily": "ComputeSavingsPlans", "attributes": said})
        rates = [
            {"discountedSku": name, "discountedUsageType": f"BoxUsage:{name}", "unit": "Hrs",
             "discountedOperation": "RunInstances", "discountedServiceCode": "AmazonEC2",
             "rateCode": f"{sku}.{name}", "discountedRegionCode": "us-east-1",
             "discountedRate": {"price": f"{price:.5f}", "currency": "USD"},
             "discountedInstanceType": name}
            for (term, paid, name), price in prices.items()
            if (term, paid) == (years, payment)
        ]  # fmt: skip
        length = {"duration": int(years), "unit": "year"}
        plans.append({"sku": sku, "leaseContractLength": length, "rates": rates})
    head = {"publicationDate": "2026-10-20T19:04:11Z", "regionCode": "us-east-1"}
    return json.dumps({**head, "products": products, "terms": {"savingsPlan": plans}}).encode()


@pytest.mark.usefixtures("catalogue")
def test_prices_of_a_savings_plan_are_taken_into_commitments(alice: Person) -> None:
    payments = {"No Upfront": 0.0, "Partial Upfront": 0.5, "All Upfront": 1.0}
    families = OF_AWS
    draw = random.Random(7)
    prices = {
        (str(years), paid, name): round(draw.uniform(0.4, 0.9), 5)
        for years in (1, 3) for paid in payments for name in families
    }  # fmt: skip
    found = imported(alice, generated_plans(prices), "plans.json")
    assert alice.post(f"imports/{found['id']}/accept", {}).status_code == 201
    query = "provider=aws&region=us-east-1&entries=aws-m7a-8xlarge,aws-r7a-8xlarge"
    first, last = alice.get(f"catalogue/prices?{query}").json()["prices"]
    for one, name in ((first, "m7a.8xlarge"), (last, "r7a.8xlarge")):
        said = {
            (plan["term_months"], plan["upfront_fraction"]): plan["price"]["value"]
            for plan in one["plans"]
        }
        assert said == {
            (12 * int(years), payments[paid]): price
            for (years, paid, of), price in prices.items()
            if of == name
        }
    work = {"kind": "demand", "busy_cores_count": 300, "ram_gib": 1024}
    for term in (12, 36):
        asked = {"workload": work, "options": [{"option": "aws", "term_months": term}]}
        design = alice.post("studies/propose", asked).json()["document"]["designs"][0]
        assert "discount_fraction" not in design["commitments"][0]
        (priced,) = design["commitments"][0]["prices"]
        (item,) = design["instances"]
        name = item["entry"].removeprefix("aws-").replace("-", ".", 1)
        assert priced["name"] == item["name"]
        assert priced["usd_per_h"] == prices[str(term // 12), "No Upfront", name]
        assert priced["price_as_of"] == "2026-10-20"
        assert design["commitments"][0]["term_months"] == term


@pytest.mark.usefixtures("catalogue")
def test_a_newer_list_moves_what_a_commitment_took(alice: Person) -> None:
    key = ("3", "No Upfront")
    names = OF_AWS
    old = imported(alice, generated_plans({(*key, name): 0.5 for name in names}), "old.json")
    assert alice.post(f"imports/{old['id']}/accept", {}).status_code == 201
    work = {"kind": "demand", "busy_cores_count": 300, "ram_gib": 1024}
    asked = {"workload": work, "options": [{"option": "aws", "term_months": 36}]}
    proposal = alice.post("studies/propose", asked).json()
    kept = ("workload", "workload_provenance", "assumptions", "designs", "ranges")
    made = alice.post("studies", {"title": "Ours", **{name: proposal[name] for name in kept}})
    assert made.status_code == 201, made.content
    new = imported(alice, generated_plans({(*key, name): 0.4 for name in names}), "new.json")
    assert alice.post(f"imports/{new['id']}/accept", {}).status_code == 201
    study = made.json()["id"]
    etag = alice.get(f"studies/{study}")["ETag"]
    taken = alice.post(f"studies/{study}/prices", {}, headers={"If-Match": etag})
    assert taken.status_code == 200, taken.content
    (design,) = alice.get(f"studies/{study}").json()["designs"]
    assert design["spec"]["commitments"][0]["prices"][0]["usd_per_h"] == 0.4


@pytest.mark.parametrize("seed", [4, 9])
@pytest.mark.decisive
def test_two_kept_lists_say_what_is_new_gone_and_changed(alice: Person, seed: int) -> None:
    draw = random.Random(seed)
    every = [(f"q{n}.large", region) for n in range(140) for region in ("us-east-1", "xx-1")]
    old = {key: round(draw.uniform(0.1, 9), 4) for key in draw.sample(every, 250)}
    new = {key: old.get(key, 1.0) for key in draw.sample(every, 250)}
    for key in draw.sample(sorted(new.keys() & old.keys()), 205):
        new[key] = round(old[key] * draw.uniform(0.5, 0.99), 5)

    def kept(prices: dict[tuple[str, str], float], name: str) -> str:
        rows = [f"{region},{name},{price!r}" for (name, region), price in prices.items()]
        table = "\n".join(["region,instance_type,usd_per_h", *rows]).encode()
        return str(imported(alice, table, name)["id"])

    first, last = kept(old, "old.csv"), kept(new, "new.csv")
    listed = alice.get("imports/prices?provider=aws").json()["results"]
    assert [one["file_name"] for one in listed] == [
        "new.csv", "old.csv",
    ]  # fmt: skip
    said = alice.get(f"imports/{last}/price-changes?before={first}").json()
    changes = {key: new[key] / old[key] - 1 for key in new.keys() & old.keys()}
    moved = {key: change for key, change in changes.items() if change}
    assert said["new_count"] == len(new.keys() - old.keys())
    assert said["gone_count"] == len(old.keys() - new.keys())
    assert (said["changed_count"], said["same_count"]) == (len(moved), len(changes) - len(moved))
    tables = {table["title"]: table for table in said["tables"]}
    rows = tables["Prices that changed"]["rows"]
    largest = sorted(moved, key=lambda key: moved[key])[:200]
    assert {(row[0], row[1]) for row in rows} == set(largest)
    assert rows[0][3:] == pytest.approx([old[largest[0]], new[largest[0]], moved[largest[0]]])
    assert tables["Prices that changed"]["note"] == f"The largest 200 of {len(moved)}."
    for title, keys in (("new", new.keys() - old.keys()), ("gone", old.keys() - new.keys())):
        held = {(row[0], row[1]) for row in tables[f"Prices that are {title}"]["rows"]}
        assert held == set(keys)
    back = alice.get(f"imports/{first}/price-changes?before={last}").json()
    assert back["new_count"] == said["gone_count"]


def test_lists_that_cannot_be_compared_are_refused(alice: Person, charlie: Person) -> None:
    ours = imported(alice, importer_of("aws_offer").sample(), "index.json")["id"]
    other = imported(alice, importer_of("azure_retail").sample(), "azure.json")["id"]
    told = alice.get(f"imports/{ours}/price-changes?before={other}")
    assert (told.status_code, "two providers" in told.json()["detail"]) == (409, True)
    for asked in (f"{ours}/price-changes?before=x", f"{UUID(int=1)}/price-changes?before={ours}"):
        assert alice.get(f"imports/{asked}").status_code == 404
    theirs = imported(charlie, importer_of("aws_offer").sample(), "index.json")["id"]
    assert alice.get(f"imports/{ours}/price-changes?before={theirs}").status_code == 404
    assert [one["id"] for one in charlie.get("imports/prices").json()["results"]] == [theirs]
