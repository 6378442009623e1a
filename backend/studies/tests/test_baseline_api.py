"""What runs today is pasted as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalogue.models import Entry
from common.tenancy import workspace

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = pytest.mark.db


def test_a_pasted_table_becomes_the_baseline(alice: Planner) -> None:
    study = alice.study()
    alice.patch(f"/studies/{study['id']}", {"baseline": {"kind": "do_nothing", "staff_fte": 1.0}})
    table = "type;count;hours;end;price;after\nm5.xlarge;4;730;18;0,12;0,192"
    saved = alice.post(f"/studies/{study['id']}/baseline-csv", {"csv": table}).json()
    assert saved["baseline"] == {
        "kind": "do_nothing",
        "staff_fte": 1.0,
        "lines": [
            {
                "type": "m5.xlarge",
                "count": 4.0,
                "hours_per_month": 730.0,
                "commitment_end_month": 18,
                "usd_per_h": 0.12,
                "after_usd_per_h": 0.192,
            }
        ],
    }
    assert saved["faults"] == []


def test_prices_left_out_come_from_the_catalogue(alice: Planner) -> None:
    with workspace(alice.workspace_id):
        blank = dict.fromkeys(("url", "as_of", "low", "high", "note"))
        price = {"usd_per_h": {"value": 0.25, "quality": "typed", "source": "Offer", **blank}}
        Entry.objects.create(
            workspace_id=alice.workspace_id, slug="x1", kind="instance", title="Ours x1.large",
            values=price,
        )  # fmt: skip
    study = alice.study()
    table = "type,count\nx1.large,3\ny1.large,2"
    saved = alice.post(f"/studies/{study['id']}/baseline-csv", {"csv": table}).json()
    assert [line.get("usd_per_h") for line in saved["baseline"]["lines"]] == [0.25, None]
    origins = saved["baseline_provenance"]
    assert (origins["/lines/0/usd_per_h"]["entry"], origins["/lines/0/count"]["quality"]) == (
        "x1",
        "typed",
    )
    assert [fault["pointer"] for fault in saved["faults"]] == ["/baseline/lines/1/usd_per_h"]


def test_a_table_with_a_cell_that_cannot_be_read_changes_nothing(alice: Planner) -> None:
    study = alice.study()
    response = alice.post(f"/studies/{study['id']}/baseline-csv", {"csv": "m5,many"})
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["/csv/1/2"]
    assert alice.get(f"/studies/{study['id']}").json() == study


def test_a_table_of_other_things_changes_nothing(alice: Planner) -> None:
    study = alice.study()
    response = alice.post(f"/studies/{study['id']}/baseline-csv", {"csv": "colour\nred\nblue"})
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["/csv"]
    assert alice.get(f"/studies/{study['id']}").json() == study


def test_pasting_over_a_change_that_was_not_seen_is_a_conflict(alice: Planner) -> None:
    study = alice.study()
    alice.patch(f"/studies/{study['id']}", {"title": "New"})
    path = f"/studies/{study['id']}/baseline-csv"
    assert alice.post(path, {"csv": "m5,1"}, **{"If-Match": '"1"'}).status_code == 412


def test_a_bill_in_euros_keeps_its_prices_in_euros(alice: Planner) -> None:
    study = alice.study()
    currency = {"code": "EUR", "per_usd": 0.8, "as_of": "2026-07-01"}
    alice.patch(f"/studies/{study['id']}", {"assumptions": {"currency": currency}})
    table = "type;count;hours;end;price;after\nm5.xlarge;4;730;18;1,2;2,4"
    saved = alice.post(f"/studies/{study['id']}/baseline-csv", {"csv": table}).json()
    (line,) = saved["baseline"]["lines"]
    assert (line["usd_per_h"], line["after_usd_per_h"]) == pytest.approx((1.5, 3.0))
