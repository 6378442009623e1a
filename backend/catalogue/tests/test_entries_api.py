"""Entries over HTTP: listing, searching, a workspace's own, and the wall between two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.documents import EntryInput
from catalogue.models import Entry
from catalogue.services import entry_create
from common.tenancy import NoWorkspace, workspace

if TYPE_CHECKING:
    from catalogue.tests.conftest import Planner

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"]),
]

URL = "/api/v1/catalogue/entries"
MINE: dict[str, Any] = {
    "slug": "our-server",
    "kind": "server",
    "title": "Our server",
    "values": {
        "idle_w": {"value": 90.5, "quality": "measured", "source": "Meter", "as_of": "2026-01-05"},
        "price_usd": {"value": 7000, "low": 6000, "high": 8000},
        "vendor": {"value": "Ourselves"},
    },
}


def add(planner: Planner, **changes: Any) -> Any:
    return planner.client.post(URL, {**MINE, **changes}, format="json")


def slugs(planner: Planner, query: str = "") -> list[str]:
    return [row["slug"] for row in planner.client.get(URL + query).json()["results"]]


def test_the_list_keeps_the_order_of_the_files(alice: Planner) -> None:
    assert slugs(alice) == ["server-b", "server-a", "disk-1tb"]


def test_a_value_comes_with_its_provenance(alice: Planner) -> None:
    entry = alice.client.get(f"{URL}/server-a").json()
    assert entry["values"]["idle_w"] == {
        "value": 120,
        "unit": "W",
        "quality": "measured",
        "source": "Price list",
        "url": "https://example.com/",
        "as_of": "2026-01-02",
        "low": 110,
        "high": 130,
        "note": "",
    }
    assert entry["is_own"] is False


def test_a_blank_is_unknown_and_left_out(alice: Planner) -> None:
    assert "idle_w" not in alice.client.get(f"{URL}/server-b").json()["values"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?kind=drive", ["disk-1tb"]),
        ("?q=server", ["server-b", "server-a"]),
        ("?q=server-a maker", ["server-a"]),
        ("?q=1TB", ["disk-1tb"]),
        ("?kind=drive&q=server", []),
    ],
)
@pytest.mark.decisive
def test_filter_and_search(alice: Planner, query: str, found: list[str]) -> None:
    assert slugs(alice, query) == found


def test_a_kind_that_there_is_not_is_refused_with_those_that_there_are(alice: Planner) -> None:
    answer = alice.client.get(f"{URL}?kind=nope")
    assert answer.status_code == 422
    (fault,) = answer.json()["errors"]
    assert (fault["pointer"], fault["code"]) == ("/kind", "not_a_choice")
    assert fault["message"] == "Choose one of drive, server."


def test_the_cursor_leads_through_all_entries_once(alice: Planner) -> None:
    add(alice)
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        page = alice.client.get(f"{URL}?limit=1&cursor={cursor}" if cursor else f"{URL}?limit=1")
        seen += [row["slug"] for row in page.json()["results"]]
        cursor = page.json()["next_cursor"]
    assert seen == ["our-server", "server-b", "server-a", "disk-1tb"]


def test_a_list_takes_the_same_queries_however_long(alice: Planner) -> None:
    with CaptureQueriesContext(connection) as short:
        slugs(alice, "?limit=1")
    with CaptureQueriesContext(connection) as long:
        slugs(alice, "?limit=100")
    assert len(short) == len(long)


def test_kinds_and_snapshots(alice: Planner) -> None:
    assert alice.client.get("/api/v1/catalogue/kinds").json()["results"] == [
        {"kind": "drive", "entries_count": 1},
        {"kind": "server", "entries_count": 2},
    ]
    # Of some words, also where nothing of a kind has them.
    assert alice.client.get("/api/v1/catalogue/kinds?q=disk").json()["results"] == [
        {"kind": "drive", "entries_count": 1},
        {"kind": "server", "entries_count": 0},
    ]
    snapshots = alice.client.get("/api/v1/catalogue/snapshots").json()["results"]
    assert alice.client.get("/api/v1/snapshots").json()["results"] == snapshots
    assert [(s["as_of"], s["entries_count"], s["kinds"]) for s in snapshots] == [
        ("2026-01-03", 3, {"server": 2, "drive": 1})
    ]


def test_an_own_entry_is_added_with_units_from_its_names(alice: Planner) -> None:
    answer = add(alice)
    assert answer.status_code == 201
    values = alice.client.get(f"{URL}/our-server").json()["values"]
    assert values["idle_w"]["unit"] == "W"
    assert values["price_usd"]["quality"] == "typed"
    assert values["vendor"]["unit"] is None
    assert answer.json()["is_own"] is True


def test_a_built_in_entry_can_be_copied_as_it_was_read(alice: Planner) -> None:
    read = alice.client.get(f"{URL}/server-a").json()
    body = {"kind": read["kind"], "title": "My server A", "values": read["values"]}
    answer = alice.client.post(URL, body, format="json")
    assert answer.status_code == 201
    assert answer.json()["slug"] == "my-server-a"
    assert answer.json()["values"] == read["values"]


def test_an_own_entry_is_changed_and_removed(alice: Planner) -> None:
    added = add(alice)
    etag, before = added.headers["ETag"], added.json()["values"]
    change = {"title": "Renamed", "values": {"idle_w": {"value": 80}}}
    answer = alice.client.patch(
        f"{URL}/our-server", change, format="json", headers={"If-Match": etag}
    )
    assert answer.status_code == 200
    assert answer.json()["title"] == "Renamed"
    after = answer.json()["values"]
    assert after["idle_w"]["value"] == 80
    assert after["idle_w"]["quality"] == "typed"
    assert {name: after[name] for name in before if name != "idle_w"} == {
        name: one for name, one in before.items() if name != "idle_w"
    }
    removal = {"values": {"idle_w": None}}
    left = alice.client.patch(f"{URL}/our-server", removal, format="json").json()["values"]
    assert set(left) == set(before) - {"idle_w"}
    known = alice.client.get(f"{URL}/our-server")
    changes: list[dict[str, Any]] = [{}, {"values": {"idle_w": None}}, {"title": "Renamed"}]
    for each in changes:
        same = alice.client.patch(f"{URL}/our-server", each, format="json")
        assert same.headers["ETag"] == known.headers["ETag"], each
    for name in ("title", "values"):
        refused = alice.client.patch(f"{URL}/our-server", {name: None}, format="json")
        assert refused.status_code == 422
    nothing = {"values": dict.fromkeys(left)}
    refused = alice.client.patch(f"{URL}/our-server", nothing, format="json")
    assert refused.status_code == 422
    assert alice.client.delete(f"{URL}/our-server").status_code == 204
    assert alice.client.get(f"{URL}/our-server").status_code == 404


def test_a_second_tab_that_saves_over_a_change_is_told(alice: Planner) -> None:
    etag = add(alice).headers["ETag"]
    one, two = {"title": "One"}, {"title": "Two"}
    alice.client.patch(f"{URL}/our-server", one, format="json", headers={"If-Match": etag})
    answer = alice.client.patch(f"{URL}/our-server", two, format="json", headers={"If-Match": etag})
    assert answer.status_code == 412
    assert answer.json()["difference"] == [{"pointer": "/title", "stored": "One", "sent": "Two"}]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"slug": "server-a"}, "/slug"),
        ({"slug": "No Blanks"}, "/slug"),
        ({"title": ""}, "/title"),
        ({"values": {}}, "/values"),
        ({"colour": "red"}, "/colour"),
        ({"values": {"idle": {"value": 3}}}, "/values/idle/value"),
        ({"values": {"idle_w": {"value": "three"}}}, "/values/idle_w/value"),
        ({"values": {"idle_w": {"value": 3, "unit": "kW"}}}, "/values/idle_w/unit"),
        ({"values": {"idle_w": {"value": 3, "low": 4}}}, "/values/idle_w/low"),
        ({"values": {"idle_w": {"value": 3, "high": 2}}}, "/values/idle_w/high"),
        ({"values": {"idle_w": {"value": 3, "quality": "recalled"}}}, "/values/idle_w/low"),
        ({"values": {"idle_w": {"value": 3, "quality": "guess"}}}, "/values/idle_w/quality"),
        ({"values": {"idle_w": {"value": 3, "as_of": "2999-01-01"}}}, "/values/idle_w/as_of"),
        ({"values": {"points_w": {"value": [1, 2], "low": 1}}}, "/values/points_w/low"),
    ],
)
def test_what_cannot_be_is_refused_at_its_place(
    alice: Planner, changes: dict[str, Any], pointer: str
) -> None:
    answer = add(alice, **changes)
    assert answer.status_code == 422, answer.json()
    assert pointer in [error["pointer"] for error in answer.json()["errors"]]


def test_all_faults_are_named_at_once(alice: Planner) -> None:
    values = {"idle": {"value": 3}, "full_w": {"value": 3, "low": 4, "high": 2}}
    errors = add(alice, values=values).json()["errors"]
    assert [error["pointer"] for error in errors] == [
        "/values/idle/value",
        "/values/full_w/low",
        "/values/full_w/high",
    ]


@pytest.mark.parametrize("method", ["patch", "delete"])
def test_a_built_in_entry_cannot_be_changed(alice: Planner, method: str) -> None:
    answer = getattr(alice.client, method)(f"{URL}/server-a", {"title": "X"}, format="json")
    assert answer.status_code == 403
    assert alice.client.get(f"{URL}/server-a").json()["title"] == "Server A"


@pytest.mark.parametrize("method", ["get", "patch", "delete"])
def test_a_foreign_entry_answers_like_a_missing_one(
    alice: Planner, bob: Planner, method: str
) -> None:
    add(alice)
    # The data of a GET would be a query, and one that is not known is refused before any look.
    data = None if method == "get" else {"title": "X"}
    foreign = getattr(bob.client, method)(f"{URL}/our-server", data, format="json")
    missing = getattr(bob.client, method)(f"{URL}/nothing", data, format="json")
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content
    assert alice.client.get(f"{URL}/our-server").status_code == 200


def test_two_workspaces_may_use_the_same_name(alice: Planner, bob: Planner) -> None:
    add(alice)
    assert add(bob, title="Bob's").status_code == 201
    assert alice.client.get(f"{URL}/our-server").json()["title"] == "Our server"
    assert bob.client.get(f"{URL}/our-server").json()["title"] == "Bob's"


def test_row_level_security_alone_hides_a_foreign_entry(alice: Planner, bob: Planner) -> None:
    add(alice)
    with workspace(bob.principal.workspace_id), connection.cursor() as cursor:
        cursor.execute("SELECT slug FROM catalogue_entry WHERE workspace_id IS NOT NULL")
        assert cursor.fetchall() == []
        cursor.execute("UPDATE catalogue_entry SET title = 'X'")
        assert cursor.rowcount == 0


def test_entries_need_an_entered_workspace(alice: Planner) -> None:
    with pytest.raises(NoWorkspace):
        Entry.objects.count()


def test_a_stranger_is_told_to_sign_in(alice: Planner) -> None:
    alice.client.credentials()
    assert alice.client.get(URL).status_code == 401


def test_entries_are_found_by_figures_places_and_kinds(alice: Planner) -> None:
    def number(value: float) -> dict[str, float]:
        return {"value": value, "low": value, "high": value}

    values = {"cores_per_node_count": number(192), "ram_gib": number(256)}
    add(alice, slug="big", title="Big one", values=values)
    # Of kinds that this catalogue has none of, which an archive may bring.
    for slug, title, kind, held in (
        ("power-de", "Germany, business", "electricity", {"year": number(2025)}),
        ("operator", "An operator", "staff", {"staff_fte": number(1)}),
    ):
        sent = EntryInput.model_validate(
            {"slug": slug, "title": title, "kind": kind, "values": held}
        )
        with workspace(alice.principal.workspace_id):
            entry_create(principal=alice.principal, given=sent)
    assert slugs(alice, "?q=192+cores") == ["big"]
    assert slugs(alice, "?q=256+GB") == ["big"]
    assert slugs(alice, "?q=256GB+192+cores+one") == ["big"]
    assert slugs(alice, "?q=0.25+TiB") == ["big"]
    assert slugs(alice, "?q=128+cores") == []
    assert slugs(alice, "?q=Frankfurt") == ["power-de"]
    assert slugs(alice, "?q=staff") == ["operator"]
