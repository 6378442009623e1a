"""Sort, filters and facets of the list, and own entries from a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from catalogue import search, services

if TYPE_CHECKING:
    from catalogue.tests.conftest import Planner

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"]),
    pytest.mark.usefixtures("shipped"),
]
API = "/api/v1/catalogue"

TABLE = """title,slug,region,vcpu_count,usd_per_h,source,as_of
Own large,own-large,fra-1,64,2.10,Quote 17,2026-10-01
Own small,,fra-1,4,0.15,Quote 17,2026-10-01
"""


@pytest.fixture
def shipped(alice: Planner) -> None:
    """Load the catalogue that is shipped."""
    services.catalogue_load()


def listed(person: Planner, query: str) -> list[dict[str, Any]]:
    answer = person.client.get(f"{API}/entries?{query}")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def value(entry: dict[str, Any], name: str) -> Any:
    return entry["values"][name]["value"]


def table(person: Planner, text: str, kind: str = "instance") -> Any:
    return person.client.post(f"{API}/csv", {"kind": kind, "csv": text}, format="json")


def test_a_key_sorts_both_ways_over_all_pages(alice: Planner) -> None:
    prices: list[float] = []
    cursor = ""
    while True:
        page = alice.client.get(
            f"{API}/entries?kind=instance&sort=price_usd&limit=40{cursor}"
        ).json()
        prices += [value(entry, "usd_per_h") for entry in page["results"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert prices == sorted(prices)
    assert len(prices) > 100
    dearest = listed(alice, "kind=instance&sort=-price_usd&limit=1")
    assert value(dearest[0], "usd_per_h") == prices[-1]
    assert alice.client.get(f"{API}/entries?sort=colour").status_code == 422


def test_bounds_providers_and_regions_narrow_the_list(alice: Planner) -> None:
    found = listed(alice, "kind=instance&provider=azure&cores_count_least=32&ram_gib_most=128")
    assert found
    for entry in found:
        assert value(entry, "provider") == "azure"
        assert value(entry, "vcpu_count") >= 32
        assert value(entry, "ram_gib") <= 128
    assert alice.client.get(f"{API}/entries?price_usd_least=cheap").status_code == 422
    facets = alice.client.get(f"{API}/facets?kind=instance").json()
    assert facets["provider"]["azure"] == len(
        listed(alice, "kind=instance&provider=azure&limit=200")
    )
    assert facets["region"]["us-east-1"] > 0


def test_figures_and_places_find_what_they_mean(alice: Planner) -> None:
    assert all(
        value(entry, "cores_per_node_count") == 32
        for entry in listed(alice, "kind=server&q=32+cores")
    )
    assert any("Germany" in entry["title"] for entry in listed(alice, "q=frankfurt&limit=200"))
    assert not listed(alice, "kind=server&q=92+cores+epyc+nothing")


def test_words_find_the_same_by_index_and_in_order(
    alice: Planner, bob: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(alice, "title,vcpu_count,usd_per_h,note\n100%_x,4,0.15,\nOwn c,4,0.15,\n")
    asked = ("xeon+gold", "100%25_x", "c", "amd+64+cores", "azure+8+vcpu", "c5+nothing", "e5-26")
    by_index = [listed(alice, f"limit=200&q={words}") for words in asked]
    assert [bool(found) for found in by_index] == [True, True, True, True, True, False, True]
    assert [entry["title"] for entry in by_index[1]] == ["100%_x"]
    assert "Own c" in {entry["title"] for entry in by_index[2]}
    assert not listed(bob, "q=100%25_x")
    monkeypatch.setattr(search, "FOUND_MOST", 0)
    assert [listed(alice, f"limit=200&q={words}") for words in asked] == by_index
    assert not listed(bob, "q=100%25_x")


def test_a_table_adds_and_changes_own_entries(alice: Planner, bob: Planner) -> None:
    assert table(alice, TABLE).json() == {
        "added": 2,
        "changed": 0,
        "numbers_read": [],
        "fields_new": [],
    }
    own = listed(alice, "kind=instance&own=true&sort=price_usd")
    assert [entry["slug"] for entry in own] == ["own-small", "own-large"]
    assert own[0]["values"]["usd_per_h"]["source"] == "Quote 17"
    assert own[0]["values"]["usd_per_h"]["as_of"] == "2026-10-01"
    again = table(alice, TABLE.replace("2.10", "1.90"))
    assert again.json() == {"added": 0, "changed": 2, "numbers_read": [], "fields_new": []}
    assert value(listed(alice, "q=own-large")[0], "usd_per_h") == 1.9
    assert listed(bob, "kind=instance&own=true") == []


def test_a_field_that_no_entry_has_is_pointed_out(alice: Planner) -> None:
    text = "title,vcpu_count,usd_per_h,vcpu_cuont_count\nMine,4,0.1,4\n"
    assert table(alice, text).json()["fields_new"] == ["vcpu_cuont_count"]
    assert table(alice, text).json()["fields_new"] == []


def test_a_table_with_faults_says_all_of_them_and_adds_nothing(alice: Planner) -> None:
    text = (
        "title,slug,vcpu_count,usd_per_h,as_of\n"
        "Good,,4,0.1,2026-10-01\n"
        ",,4,0.1,\n"
        "Bad number,,many,0.1,\n"
        "Taken,aws-m7a-large,4,0.1,\n"
        "Late,,4,0.1,2999-01-01\n"
        "Good,,8,0.2,\n"
    )
    answer = table(alice, text)
    assert answer.status_code == 422
    messages = [fault["message"] for fault in answer.json()["errors"]]
    for line in (3, 4, 5, 6, 7):
        assert any(message.startswith(f"Line {line}, ") for message in messages), (line, messages)
    assert listed(alice, "kind=instance&own=true") == []
    heads = table(alice, "name,Price!\nx,1\n").json()["errors"]
    assert all(fault["message"].startswith("Line 1, ") for fault in heads)
    assert table(alice, "title,usd_per_h\n").status_code == 422
    assert table(alice, "").status_code == 422
