"""Price lists and rates fetched from who publishes them, with the network replaced at its edge."""

from __future__ import annotations

import io
import json
import random
import urllib.error
from email.message import Message
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from capmodels.errors import ModelError
from capmodels.imports import ecb
from capmodels.imports.registry import importer_of
from catalogue.models import Entry
from imports.tests.test_imports_api import imported, work_off
from imports.tests.test_prices_api import counts
from jobs import kinds
from jobs.services import CancelRequested, job_claim, job_fail, job_give_back

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


ECB = b"""<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><Cube>
<Cube time="2026-10-30"><Cube currency="USD" rate="1.16"/><Cube currency="CHF" rate="0.93"/></Cube>
</Cube></gesmes:Envelope>"""


def fetched(alice: Person, provider: str, region: str) -> dict[str, Any]:
    asked = alice.post("imports/prices", {"provider": provider, "region": region})
    assert asked.status_code == 202, asked.content
    return work_off(alice, asked.json())


def test_lists_are_fetched_from_the_providers(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = json.loads(importer_of("azure_retail").sample())
    first = {**page, "NextPageLink": "https://prices.azure.com:443/api/retail/prices?$skip=1000"}
    asked = []

    def answered(request: Any, timeout: float) -> io.BytesIO:
        assert timeout > 0
        asked.append(request.full_url)
        if "amazonaws" in request.full_url:
            return io.BytesIO(importer_of("aws_offer").sample())
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
        return io.BytesIO(importer_of("aws_savings").sample())

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
        text = importer_of("aws_offer").sample().replace(b"eu-west-1", region.encode())
        return text.replace(b"0.12897", str(self.prices[region]).encode())

    def azure(self, address: str) -> bytes:
        page = json.loads(importer_of("azure_retail").sample())
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
        return (
            importer_of("aws_savings")
            .sample()
            .replace(b"eu-west-1", address.split("/")[-2].encode())
        )

    def __call__(self, request: Any, timeout: float) -> io.BytesIO:
        address = request.full_url
        region = next((one for one in self.prices if one in address), "")
        if region in self.gone:
            raise urllib.error.HTTPError(address, 404, "gone", Message(), None)
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
    lists = alice.get("imports/prices").json()["results"]
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
    assert len(alice.get("imports/prices").json()["results"]) == 2
    assert any(text.startswith("xx-1-1, 2 of 5: Fetched") for _, text in told)
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    job_fail(first, "away")
    published.away_after = 1_000
    whole = fetched(alice, "aws", "all")
    assert published.asked == ["xx-0-1", "xx-1-1", *sorted(published.prices)[2:3],
                               *sorted(published.prices)[2:]]  # fmt: skip
    assert len(whole["preview"]["lists"]) == len(alice.get("imports/prices").json()["results"]) == 5


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
    assert len(alice.get("imports/prices").json()["results"]) == 3


@pytest.mark.decisive
def test_the_catalogue_of_google_is_fetched_with_a_key_that_no_address_holds(
    alice: Person, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.GCP_API_KEY = "k-secret"
    whole = json.loads(importer_of("gcp_skus").sample())
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
    said = imported(alice, importer_of("gcp_skus").sample(), "skus.json")["preview"]["prices"]
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
        raise urllib.error.HTTPError(request.full_url, 403, "no", Message(), None)

    monkeypatch.setattr("urllib.request.urlopen", refused)
    with pytest.raises(ModelError, match=r"Google refuses the key GCP_API_KEY \(403\)"):
        fetched(alice, "gcp", "")


def test_a_provider_out_of_reach_is_told(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(request: Any, timeout: float) -> None:
        raise urllib.error.URLError("no route")

    monkeypatch.setattr("urllib.request.urlopen", refused)
    with pytest.raises(ModelError, match="Download it elsewhere"):
        fetched(alice, "aws", "eu-west-1")
    wrong = alice.post("imports/prices", {"provider": "aws", "region": "../etc"})
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["pointer"] == "/region"
