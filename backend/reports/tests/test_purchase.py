"""What is bought and when, in the report of a study that refers to a plan of purchases."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from capmodels.numbers import USD
from jobs import kinds
from jobs.services import job_claim, job_succeed
from reports import work
from reports.render.part import Page
from reports.render.parts import purchase
from reports.render.run_pages import told_blocks
from reports.tests.samples import plan_of_purchases, report
from reports.tests.test_reports_api import new_study
from studies.services import EXAMPLES, examples_load

if TYPE_CHECKING:
    from pathlib import Path

    from accounts.testing import Person

# A plan that is found in no time.
SMALL = {"months_count": 6, "machines": [{"lead_months": 1}], "commitments": [], "reviews": []}


@pytest.mark.db
def test_a_report_says_what_is_bought_and_when(alice: Person) -> None:
    study = new_study(alice, draws_count=0)
    run = alice.post("runs", {"model": "plans.purchase_plan", "params": SMALL}).json()
    job = job_claim(job_id=UUID(run["id"]), workspace_id=alice.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    reference = {"run": run["id"], "tool": "purchases", "title": "Purchases"}
    assert alice.post(f"studies/{study['id']}/tool-runs", reference).status_code == 201
    asked = alice.post("reports", {"study": study["id"], "format": "pdf"}).json()
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert job
    found = job.inputs.purchase
    assert found.result["headline"].startswith("**Order ")


def test_its_pages_have_the_order_list_the_cash_and_every_figure() -> None:
    plan = plan_of_purchases()
    blocks = list(purchase.blocks(Page(report(purchase=plan), 6.0)))
    headings = [block["words"] for block in blocks if block["block"] == "heading"]
    assert headings[0] == "What is bought and when"
    assert {"Orders", "Cash by quarter"} <= set(headings)
    drawn = [block for block in told_blocks(plan.result, USD) if block["block"] == "figure"]
    assert len(drawn) == len(plan.result["figures"])


def test_its_pages_say_what_is_counted_and_that_the_study_has_changed() -> None:
    said = ("Leased machines are paid by the month here.", "RAM is not planned.")
    plan = replace(plan_of_purchases(), notes=said, stale=("Busy cores, mean is 900.",))
    blocks = list(purchase.blocks(Page(report(purchase=plan), 6.0)))
    text = str(blocks).replace("\u200b", "")
    assert all(note in text for note in (*said, *plan.stale))
    assert "Out of date" in text
    assert [block for block in blocks if block["block"] == "heading"][-1]["words"] \
           == "What is counted"  # fmt: skip


@pytest.mark.db
def test_the_report_has_the_notes_that_plan_shows(alice: Person, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "flat-estate.yaml", tmp_path)
    shutil.copytree(EXAMPLES / "plans", tmp_path / "plans")
    examples_load(alice.workspace_id, tmp_path)
    study = alice.get("studies").json()["results"][0]["id"]
    (kept,) = alice.get(f"studies/{study}/tool-runs").json()["results"]
    assert kept["tool"] == "purchases"
    notes = alice.get(f"studies/{study}/purchase-plan").json()["notes"]
    asked = alice.post("reports", {"study": study, "format": "pdf"}).json()
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert job
    document = job.inputs.row.document
    found = work.noted(job.inputs.purchase, document)
    assert found
    assert list(found.notes) == notes
    assert any("Machines of today" in note for note in notes)


def test_without_a_plan_there_is_no_page_of_it() -> None:
    assert list(purchase.blocks(Page(report(purchase=None), 6.0))) == []
