"""Lists of measured servers: what they add, taken into the catalogue, and undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capmodels.imports import specpower
from catalogue.models import Entry
from imports.models import Import
from imports.tests.test_imports_api import imported
from imports.tests.test_prices_api import counts

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def test_servers_are_taken_used_changed_and_undone(alice: Person, charlie: Person) -> None:
    found = imported(alice, specpower.sample(), "results.csv")
    assert (found["makes"], found["format"]) == ("servers", "specpower")
    draft = alice.post(f"imports/{found['id']}/draft", {}).json()
    assert counts(draft) == {"New": 2, "Changed": 0, "As they are": 0}
    accepted = alice.post(f"imports/{found['id']}/accept", {})
    assert accepted.status_code == 201, accepted.content
    (held,) = alice.get("catalogue/entries?kind=server&q=R100").json()["results"]
    assert held["values"]["points_w"]["value"][3] == 215
    assert held["values"]["points_w"]["quality"] == "measured"
    assert "results.csv, row 2" in held["values"]["points_w"]["source"]
    assert charlie.get("catalogue/entries?q=R100").json()["results"] == []

    again = imported(alice, specpower.sample(), "again.csv")
    draft = alice.post(f"imports/{again['id']}/draft", {}).json()
    assert counts(draft) == {"New": 0, "Changed": 0, "As they are": 2}
    newer = imported(alice, specpower.sample().replace(b"400,100", b"410,100"), "newer.csv")
    draft = alice.post(f"imports/{newer['id']}/draft", {}).json()
    assert counts(draft) == {"New": 0, "Changed": 1, "As they are": 1}
    assert alice.post(f"imports/{newer['id']}/accept", {}).status_code == 201
    assert alice.post(f"imports/{found['id']}/undo", {}).status_code == 409
    with alice.workspace():
        row = Import.objects.get(pk=newer["id"])
        assert row.undo is not None
        assert set(row.undo["entries"]["before"]) == {held["slug"]}
        # As it was kept by earlier versions, whatever the list was of.
        row.undo = {"prices": row.undo["entries"]}
        row.save(update_fields=["undo"])
    assert alice.post(f"imports/{newer['id']}/undo", {}).status_code == 200
    (held,) = alice.get("catalogue/entries?kind=server&q=R100").json()["results"]
    assert held["values"]["peak_w"]["value"] == 400
    with alice.workspace():
        assert Entry.objects.exclude(workspace=None).count() == 2
