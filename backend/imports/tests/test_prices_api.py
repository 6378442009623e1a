"""Price lists: what they change, taken into the catalogue, undone, and fetched."""

from __future__ import annotations

import io
import json
import random
import urllib.error
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from capmodels.errors import ModelError
from capmodels.imports import aws_offer, aws_savings, azure_retail, ecb, gcp_skus
from catalogue.models import Entry
from catalogue.services import catalogue_load
from imports.tests.test_imports_api import imported, work_off
from jobs import kinds
from jobs.services import CancelRequested, job_claim, job_fail, job_give_back

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


ECB = b"""<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><Cube>
<Cube time="2026-10-30"><Cube currency="USD" rate="1.16"/><Cube currency="CHF" rate="0.93"/></Cube>
</Cube></gesmes:Envelope>"""


@pytest.fixture
def catalogue(database: None) -> None:
    catalogue_load()


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


def test_studies_with_other_prices_are_told(alice: Person) -> None:
    instance = {"name": "m7a", "entry": "aws-m7a-large", "usd_per_h": 0.2, "vcpu_count": 2}
    spec = {"provider": "aws", "region": "eu-west-1", "instances": [instance]}
    study = {"title": "Ours", "designs": [{"kind": "cloud", "title": "Rent", "spec": spec}]}
    assert alice.post("studies", study).status_code == 201
    found = imported(alice, aws_offer.sample(), "index.json")
    draft = alice.post(f"imports/{found['id']}/draft", {}).json()
    moved = next(t["rows"] for t in draft["tables"] if t["title"] == "Studies with other prices")
    assert moved == [["Ours", "A Rent", "m7a", 0.2, 0.12897]]
    assert "prices" not in draft or draft["prices"] is None


def test_a_list_is_not_undone_over_later_changes(alice: Person) -> None:
    found = imported(alice, aws_offer.sample(), "index.json")
    alice.post(f"imports/{found['id']}/accept", {})
    etag = alice.get("catalogue/entries/aws-x2idn-24xlarge")["ETag"]
    changed = alice.patch(
        "catalogue/entries/aws-x2idn-24xlarge", {"title": "Mine"}, headers={"If-Match": etag}
    )
    assert changed.status_code == 200, changed.content
    assert alice.post(f"imports/{found['id']}/undo", {}).status_code == 409


def fetched(alice: Person, provider: str, region: str) -> dict[str, Any]:
    asked = alice.post("imports/prices", {"provider": provider, "region": region})
    assert asked.status_code == 202, asked.content
    return work_off(alice, asked.json())


def test_lists_are_fetched_from_the_providers(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = json.loads(azure_retail.sample())
    first = {**page, "NextPageLink": "https://prices.azure.com:443/api/retail/prices?$skip=1000"}
    asked = []

    def answered(request: Any, timeout: float) -> io.BytesIO:
        assert timeout > 0
        asked.append(request.full_url)
        if "amazonaws" in request.full_url:
            return io.BytesIO(aws_offer.sample())
        return io.BytesIO(json.dumps(page if "skip" in request.full_url else first).encode())

    monkeypatch.setattr("urllib.request.urlopen", answered)
    assert fetched(alice, "aws", "eu-west-1")["preview"]["as_of"] == "2026-10-20"
    assert fetched(alice, "azure", "westeurope")["preview"]["provider"] == "azure"
    assert asked[0].endswith("/AmazonEC2/current/eu-west-1/index.json")
    assert len(asked) == 3
    page["NextPageLink"] = "https://elsewhere.example/api"
    with pytest.raises(ModelError, match="cannot be reached"):
        fetched(alice, "azure", "westeurope")


def test_savings_plans_and_rates_are_fetched(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/20261020/eu-west-1/index.json"
    regions = [{"regionCode": "eu-west-1", "versionUrl": file}]
    asked = []

    def answered(request: Any, timeout: float) -> io.BytesIO:
        asked.append(request.full_url)
        if "ecb" in request.full_url:
            return io.BytesIO(ECB)
        if "region_index" in request.full_url:
            return io.BytesIO(json.dumps({"regions": regions}).encode())
        return io.BytesIO(aws_savings.sample())

    monkeypatch.setattr("urllib.request.urlopen", answered)
    assert fetched(alice, "aws_savings", "eu-west-1")["format"] == "aws_savings"
    assert asked[1] == f"https://pricing.us-east-1.amazonaws.com{file}"
    rates = fetched(alice, "ecb", "")
    assert (rates["format"], rates["preview"]["last"]) == (ecb.IMPORTER.id, "2026-10-30")
    with pytest.raises(ModelError, match="no savings plans in eu-west-9"):
        fetched(alice, "aws_savings", "eu-west-9")
    regions[0]["versionUrl"] = "//elsewhere.example/index.json"
    with pytest.raises(ModelError, match="cannot be reached"):
        fetched(alice, "aws_savings", "eu-west-1")


class Published:
    """A provider's addresses at the edge: an index of regions, and a list of each."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        self.prices = {f"xx-{place}-1": draw.randint(1, 9) / 8 for place in range(5)}
        self.asked: list[str] = []
        self.gone: set[str] = set()
        self.away_after = 1_000

    def aws(self, address: str) -> bytes:
        if "region_index" in address:
            return json.dumps({"regions": dict.fromkeys([*self.prices, "NOT A REGION"])}).encode()
        region = address.split("/")[-2]
        text = aws_offer.sample().replace(b"eu-west-1", region.encode())
        return text.replace(b"0.12897", str(self.prices[region]).encode())

    def azure(self, address: str) -> bytes:
        page = json.loads(azure_retail.sample())
        if "armSkuName" in address:
            some = [*self.prices][:3] if "v3" in address else [*self.prices][2:]
            page["Items"] = [{**page["Items"][0], "armRegionName": one} for one in some]
        else:
            region = next(one for one in self.prices if one in address)
            page["Items"] = [{**one, "armRegionName": region} for one in page["Items"]]
            page["Items"][0]["retailPrice"] = self.prices[region]
        return json.dumps(page).encode()

    def savings(self, address: str) -> bytes:
        if "region_index" in address:
            path = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/20261020/{}/index.json"
            regions = [{"regionCode": one, "versionUrl": path.format(one)} for one in self.prices]
            return json.dumps({"regions": regions}).encode()
        return aws_savings.sample().replace(b"eu-west-1", address.split("/")[-2].encode())

    def __call__(self, request: Any, timeout: float) -> io.BytesIO:
        address = request.full_url
        region = next((one for one in self.prices if one in address), "")
        if region in self.gone:
            raise urllib.error.HTTPError(address, 404, "gone", {}, None)  # type: ignore[arg-type]
        if region:
            self.asked.append(region)
            if len(self.asked) > self.away_after:
                raise urllib.error.URLError("no route")
        kind = "azure" if "azure" in address else "savings" if "savings" in address else "aws"
        return io.BytesIO(getattr(self, kind)(address))


@pytest.mark.parametrize(
    ("provider", "type_of"),
    [("aws", "m7a.large"), ("azure", "Standard_D2as_v6"), ("aws_savings", "m7a.large")],
)
@pytest.mark.decisive
def test_every_region_is_a_list_of_its_own_and_all_are_taken_at_once(
    alice: Person, monkeypatch: pytest.MonkeyPatch, provider: str, type_of: str
) -> None:
    published = Published(5)
    published.gone = {"xx-3-1"}
    monkeypatch.setattr("urllib.request.urlopen", published)
    whole = fetched(alice, provider, "all")
    there = sorted(published.prices.keys() - published.gone)
    assert (whole["makes"], whole["file_name"].endswith(", every region")) == ("price_lists", True)
    assert [row[0] for row in whole["tables"][0]["rows"]] == there
    assert whole["preview"]["notes"] == ["xx-3-1: The publisher has no list of xx-3-1 (404)."]
    lists = alice.get("imports/prices").json()
    assert sorted(one["file_name"].rpartition(", ")[2] for one in lists) == there
    one = alice.get(f"imports/{lists[0]['id']}").json()
    assert (one["state"], {row["region"] for row in one["preview"]["prices"]}) == (
        "succeeded", {one["file_name"].rpartition(", ")[2]},
    )  # fmt: skip
    draft = alice.post(f"imports/{whole['id']}/draft", {}).json()
    assert counts(draft)["New"] >= len(there)
    assert alice.post(f"imports/{whole['id']}/accept", {}).status_code == 201
    with alice.workspace():
        held = {
            entry.values["region"]["value"]: entry
            for entry in Entry.objects.exclude(workspace=None).filter(values__has_key="region")
        }
    assert set(held) == set(there)
    assert alice.post(f"imports/{whole['id']}/undo", {}).status_code == 200
    with alice.workspace():
        assert not Entry.objects.exclude(workspace=None).exists()
    for kept in lists:
        assert alice.delete(f"imports/{kept['id']}").status_code == 204
    assert alice.post(f"imports/{whole['id']}/draft", {}).status_code == 409


def test_what_broke_off_is_not_fetched_again(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = Published(6)
    published.away_after = 2
    monkeypatch.setattr("urllib.request.urlopen", published)
    asked = alice.post("imports/prices", {"provider": "aws", "region": "all"}).json()
    told: list[tuple[float, str]] = []
    first = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert first
    with pytest.raises(ModelError, match="cannot be reached"):
        kinds.perform(first, lambda fraction, text: told.append((fraction, text)))
    assert len(alice.get("imports/prices").json()) == 2
    assert any(text.startswith("xx-1-1, 2 of 5: Fetched") for _, text in told)
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    job_fail(first, "away")
    published.away_after = 1_000
    whole = fetched(alice, "aws", "all")
    assert published.asked == ["xx-0-1", "xx-1-1", *sorted(published.prices)[2:3],
                               *sorted(published.prices)[2:]]  # fmt: skip
    assert len(whole["preview"]["lists"]) == len(alice.get("imports/prices").json()) == 5


def test_another_attempt_goes_on_and_a_cancelled_one_keeps_nothing_more(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = Published(7)
    monkeypatch.setattr("urllib.request.urlopen", published)
    asked = alice.post("imports/prices", {"provider": "aws", "region": "all"}).json()
    waiting = iter([False, True])
    monkeypatch.setattr("imports.every_region.others_wait", lambda _job: next(waiting))
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert job
    with pytest.raises(kinds.Later) as later:
        kinds.perform(job, lambda _fraction, _text: None)
    job_give_back(job, later.value)
    assert published.asked == ["xx-0-1", "xx-1-1"]
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert job
    monkeypatch.setattr("imports.every_region.others_wait", lambda _job: False)
    with monkeypatch.context() as patched:
        patched.setattr("imports.every_region.TURN_S", -1.0)
        with pytest.raises(kinds.Later) as later:
            kinds.perform(job, lambda _fraction, _text: None)
    job_give_back(job, later.value)
    assert published.asked == ["xx-0-1", "xx-1-1", "xx-2-1"]
    again = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert again

    def cancelled_at_the_fourth(_fraction: float, text: str) -> None:
        if text.startswith("xx-3-1"):
            alice.post(f"imports/{asked['id']}/cancel")

    with pytest.raises(CancelRequested):
        kinds.perform(again, cancelled_at_the_fourth)
    assert published.asked == sorted(published.prices)[:4]
    assert len(alice.get("imports/prices").json()) == 3


@pytest.mark.decisive
def test_the_catalogue_of_google_is_fetched_with_a_key_that_no_address_holds(
    alice: Person, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.GCP_API_KEY = "k-secret"
    whole = json.loads(gcp_skus.sample())
    first = {"skus": whole["skus"][:2], "nextPageToken": "a/b=="}
    asked: list[Any] = []

    def answered(request: Any, timeout: float) -> io.BytesIO:
        asked.append(request)
        return io.BytesIO(
            json.dumps(
                {"skus": whole["skus"][2:]} if "pageToken" in request.full_url else first
            ).encode()
        )

    monkeypatch.setattr("urllib.request.urlopen", answered)
    found = fetched(alice, "gcp", "")
    assert found["preview"]["provider"] == "gcp"
    said = imported(alice, gcp_skus.sample(), "skus.json")["preview"]["prices"]
    assert found["preview"]["prices"] == said
    assert asked[1].full_url == f"{asked[0].full_url}&pageToken=a%2Fb%3D%3D"
    for request in asked:
        assert request.unredirected_hdrs == {"X-goog-api-key": "k-secret"}
        assert "k-secret" not in f"{request.full_url} {request.headers}"


def test_without_a_key_of_google_it_is_said_what_to_set(
    alice: Person, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.GCP_API_KEY = None
    with pytest.raises(ModelError, match="Have GCP_API_KEY set where the service runs"):
        fetched(alice, "gcp", "")
    settings.GCP_API_KEY = "wrong"

    def refused(request: Any, timeout: float) -> None:
        raise urllib.error.HTTPError(request.full_url, 403, "no", {}, None)  # type: ignore[arg-type]

    monkeypatch.setattr("urllib.request.urlopen", refused)
    with pytest.raises(ModelError, match=r"Google refuses the key GCP_API_KEY \(403\)"):
        fetched(alice, "gcp", "")


def prices_of(alice: Person, slug: str) -> dict[str, float]:
    values = alice.get(f"catalogue/entries/{slug}").json()["values"]
    return {name: said["value"] for name, said in values.items() if name.endswith("usd_per_h")}


@pytest.mark.usefixtures("catalogue")
def test_prices_under_plans_stand_beside_those_by_the_hour(alice: Person) -> None:
    plans = imported(alice, aws_savings.sample(), "plans.json")
    before = counts(alice.post(f"imports/{plans['id']}/draft", {}).json())
    assert before == {"New": 6, "Changed": 0, "As they are": 0}
    assert alice.post(f"imports/{plans['id']}/accept", {}).status_code == 201
    new = {"savings_plan_1y_usd_per_h": 0.5, "savings_plan_3y_usd_per_h": 0.16667,
           "savings_plan_3y_all_upfront_usd_per_h": 0.16667}  # fmt: skip
    assert prices_of(alice, "aws-q9-large") == new
    held = prices_of(alice, "aws-eu-west-1")
    assert held["aws_m7a_large_savings_plan_1y_usd_per_h"] == pytest.approx(0.0938)
    later = json.loads(aws_savings.sample())
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
    found = imported(alice, gcp_skus.sample(), "skus.json")
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
        for entry in built_in:
            shape, _, vcpus = entry.slug.removeprefix("gcp-").rpartition("-")
            gib, sizes = gcp_skus.SHAPES[shape]
            assert int(vcpus) in sizes
            assert entry.values["ram_gib"]["value"] == int(vcpus) * gib


def test_a_provider_out_of_reach_is_told(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(request: Any, timeout: float) -> None:
        raise urllib.error.URLError("no route")

    monkeypatch.setattr("urllib.request.urlopen", refused)
    with pytest.raises(ModelError, match="Download it elsewhere"):
        fetched(alice, "aws", "eu-west-1")
    wrong = alice.post("imports/prices", {"provider": "aws", "region": "../etc"})
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["pointer"] == "/region"


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
    families = ("m7a.8xlarge", "c7a.8xlarge", "r7a.8xlarge")
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
    names = ("m7a.8xlarge", "c7a.8xlarge", "r7a.8xlarge")
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
    assert [one["file_name"] for one in alice.get("imports/prices?provider=aws").json()] == [
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
    ours = imported(alice, aws_offer.sample(), "index.json")["id"]
    other = imported(alice, azure_retail.sample(), "azure.json")["id"]
    told = alice.get(f"imports/{ours}/price-changes?before={other}")
    assert (told.status_code, "two providers" in told.json()["detail"]) == (409, True)
    for asked in (f"{ours}/price-changes?before=x", f"{UUID(int=1)}/price-changes?before={ours}"):
        assert alice.get(f"imports/{asked}").status_code == 404
    theirs = imported(charlie, aws_offer.sample(), "index.json")["id"]
    assert alice.get(f"imports/{ours}/price-changes?before={theirs}").status_code == 404
    assert [one["id"] for one in charlie.get("imports/prices").json()] == [theirs]
