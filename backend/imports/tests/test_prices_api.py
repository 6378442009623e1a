"""Price lists: what they change, taken into the catalogue, undone, and fetched."""

from __future__ import annotations

import io
import json
import random
import urllib.error
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ModelError
from capmodels.imports import aws_offer, azure_retail
from catalogue.models import Entry
from catalogue.services import catalogue_load
from imports.tests.test_imports_api import imported, work_off

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


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
    assert before["Changed"] == 2  # both known types where they are at home
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


def test_a_provider_out_of_reach_is_told(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(request: Any, timeout: float) -> None:
        raise urllib.error.URLError("no route")

    monkeypatch.setattr("urllib.request.urlopen", refused)
    with pytest.raises(ModelError, match="Download it elsewhere"):
        fetched(alice, "aws", "eu-west-1")
    wrong = alice.post("imports/prices", {"provider": "aws", "region": "../etc"})
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["pointer"] == "/region"
