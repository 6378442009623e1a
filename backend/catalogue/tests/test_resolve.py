"""Filling a document from the catalogue, with where each number comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalogue.services import resolve
from common.errors import NotFound
from common.tenancy import workspace

if TYPE_CHECKING:
    from catalogue.tests.conftest import Planner

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"]),
]


def test_values_stand_at_the_pointers_asked_for(alice: Planner) -> None:
    places = {"/node_groups/0/power/idle_w": "idle_w", "/node_groups/0/price_usd": "price_usd"}
    with workspace(alice.principal.workspace_id):
        found = resolve("server-a", places)
    assert found["values"] == {
        "/node_groups/0/power/idle_w": 120,
        "/node_groups/0/price_usd": 8000,
    }
    assert found["provenance"]["/node_groups/0/power/idle_w"] == {
        "quality": "measured",
        "source": "Price list",
        "url": "https://example.com/",
        "as_of": "2026-01-02",
        "low": 110,
        "high": 130,
        "note": "",
        "entry": "server-a",
    }
    assert found["unknown"] == []


@pytest.mark.decisive
def test_unknown_stays_unknown(alice: Planner) -> None:
    with workspace(alice.principal.workspace_id):
        found = resolve("server-b", ["idle_w", "price_usd"])
    assert found["values"] == {"/price_usd": 9000}
    assert found["unknown"] == ["/idle_w"]


def test_an_entry_of_the_workspace_is_found_as_well(alice: Planner) -> None:
    body = {"kind": "server", "title": "Mine", "values": {"idle_w": {"value": 77}}}
    alice.client.post("/api/v1/catalogue/entries", body, format="json")
    with workspace(alice.principal.workspace_id):
        found = resolve("mine", ["idle_w"])
    assert found["values"] == {"/idle_w": 77}
    assert found["provenance"]["/idle_w"]["quality"] == "typed"


def test_a_name_that_leads_nowhere_is_not_found(alice: Planner) -> None:
    with workspace(alice.principal.workspace_id), pytest.raises(NotFound):
        resolve("nothing", ["idle_w"])
