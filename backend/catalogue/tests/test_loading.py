"""Loading the files into the database, as the owner; reading them back as the app."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import ProgrammingError, connection, transaction

from catalogue import services
from catalogue.fixture_entries import read_entries
from catalogue.fixture_rows import FixtureError
from catalogue.models import Entry, Snapshot
from catalogue.tests.conftest import ROWS, Files

if TYPE_CHECKING:
    from catalogue.tests.conftest import Planner

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"]),
]


def stored() -> list[tuple[Any, ...]]:
    return list(
        Entry.built_in.order_by("position").values_list(
            "slug", "values__price_usd__value", "revision"
        )
    )


@pytest.mark.decisive
def test_all_entries_are_stored_as_in_the_files() -> None:
    snapshot = services.catalogue_load()
    seeds = read_entries()
    entries = list(Entry.built_in.order_by("position"))
    assert [(e.slug, e.kind, e.title, e.values) for e in entries] == [
        (s.slug, s.kind, s.title, s.values) for s in seeds
    ]
    assert snapshot.entries_count == len(seeds)
    assert snapshot.id.startswith(snapshot.as_of.isoformat())


def test_loading_again_changes_nothing(files: Files) -> None:
    first = files.load()
    before = stored()
    assert files.load() == first
    assert (
        stored()
        == before
        == [
            ("server-b", 9000, 1),
            ("server-a", 8000, 1),
            ("disk-1tb", 80, 1),
        ]
    )
    assert Snapshot.objects.count() == 1


def test_unchanged_files_are_not_even_read(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    files.load()
    monkeypatch.setattr("catalogue.fixture_entries.read_entries", pytest.fail)
    files.load()


def test_a_change_keeps_ids_and_makes_a_snapshot(files: Files) -> None:
    old = files.load()
    ids = dict(Entry.built_in.values_list("slug", "id"))
    files.write(ROWS.replace("8000", "8500").replace("disk-1tb,Disk 1 TB", "disk-2tb,Disk 2 TB"))
    new = files.load()
    assert stored() == [("server-b", 9000, 1), ("server-a", 8500, 2), ("disk-2tb", 80, 1)]
    assert Entry.built_in.get(slug="server-a").id == ids["server-a"]
    assert new.id != old.id
    assert new.as_of.isoformat() == "2026-01-03"


def test_going_back_makes_the_old_snapshot_the_latest_again(files: Files) -> None:
    old = files.load()
    files.write(ROWS.replace("8000", "8500"))
    files.load()
    files.write(ROWS)
    assert files.load().id == old.id
    assert Snapshot.objects.order_by("-loaded_at").first() == old
    assert Snapshot.objects.count() == 2


def test_a_broken_file_leaves_the_catalogue_as_it_was(files: Files) -> None:
    files.load()
    files.write(ROWS + "bad,Bad,part,Maker,0,,list,published,2026-01-01,\n")
    with pytest.raises(FixtureError, match="a price of zero"):
        files.load()
    assert len(stored()) == 3
    assert Snapshot.objects.count() == 1


def test_the_app_role_alone_may_find_that_nothing_changed(files: Files) -> None:
    loaded = files.load()
    assert services.catalogue_load(root=files.root, using="default") == loaded
    files.write(ROWS.replace("8000", "8500"))
    with pytest.raises(services.OwnerMissing, match="DATABASE_OWNER_URL"):
        services.catalogue_load(root=files.root, using="default")
    assert len(stored()) == 3


def test_a_workspaces_own_entries_outlive_a_load(files: Files, alice: Planner) -> None:
    body = {"kind": "server", "title": "Mine", "values": {"idle_w": {"value": 90}}}
    assert alice.client.post("/api/v1/catalogue/entries", body, format="json").status_code == 201
    files.write(ROWS.replace("8000", "8500"))
    files.load()
    assert alice.client.get("/api/v1/catalogue/entries/mine").status_code == 200


@pytest.mark.parametrize(
    "statement",
    [
        'INSERT INTO catalogue_entry (id, workspace_id, slug, kind, title, "values", position,'
        " revision, created_at, updated_at) VALUES (gen_random_uuid(), NULL, 'x', 'part', 'X',"
        " '{}', 1, 1, now(), now())",
        "INSERT INTO catalogue_snapshot VALUES ('x', now(), 'x', 1, '{}', now())",
    ],
)
def test_the_app_may_add_nothing_built_in(alice: Planner, statement: str) -> None:
    refused = pytest.raises(ProgrammingError, match="row-level security")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE catalogue_entry SET title = 'X'",
        "DELETE FROM catalogue_entry",
        "UPDATE catalogue_snapshot SET digest = 'X'",
        "DELETE FROM catalogue_snapshot",
    ],
)
def test_the_app_can_change_nothing_built_in(alice: Planner, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        assert cursor.rowcount == 0
    assert len(stored()) == 3
