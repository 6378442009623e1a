"""Designs of the catalogue in the report of a study: the front, the best of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from catalogue.testing import shipped_load
from jobs.services import job_claim
from reports.render import render
from reports.render.part import Page
from reports.render.parts import explored
from reports.tests.samples import report

if TYPE_CHECKING:
    from accounts.testing import Person

WORK = {"kind": "demand", "busy_cores_count": 60, "ram_gib": 300, "object_tb": 300}


@pytest.mark.db
def test_a_report_says_how_far_its_designs_are_from_the_best(alice: Person) -> None:
    shipped_load()
    options = [{"option": "owned"}, {"option": "aws"}]
    made = alice.post("studies/propose", {"workload": WORK, "options": options}).json()
    parts = {name: made[name] for name in ("workload", "assumptions", "designs", "ranges")}
    study = alice.post("studies", {"title": "Scans", **parts}).json()
    asked = alice.post("reports", {"study": study["id"], "format": "pdf", "appendix": True}).json()
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert job
    found = job.inputs.explored
    assert [one["letter"] for one in found["compared"]] == ["A", "B"]
    shown = report(explored=found)
    blocks = list(explored.blocks(Page(shown, 6.0)))
    (table,) = (block for block in blocks if block["block"] == "table")
    kinds = [row["cells"][0] for row in table["rows"]]
    assert set(kinds) == {"Own servers", "Own storage cluster", "Own RAID-6 shelves", "Rented"}
    (front,) = (block for block in blocks if block["block"] == "figure")
    assert front["svg"].startswith(b"<")
    file = render(shown, "pdf", "a4", lambda _share, _said: None)
    assert file.startswith(b"%PDF")


def test_without_a_search_there_is_no_page_of_it() -> None:
    assert list(explored.blocks(Page(report(explored=None), 6.0))) == []
