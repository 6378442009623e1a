"""Reports over HTTP: asked for, drawn by a worker, kept, and nobody else's."""

from __future__ import annotations

import copy
import csv
import io
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from catalogue.testing import shipped_load
from common.tenancy import workspace
from files.models import File, Piece
from jobs import kinds
from jobs.models import Job
from jobs.services import job_claim, job_succeed
from reports.models import Report
from reports.services import report_create
from reports.testing.pdf_reading import text_of
from runs.models import Result
from studies.selectors import study_get
from studies.tests import samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openpyxl.worksheet.worksheet import Worksheet

    from accounts.testing import Person

pytestmark = pytest.mark.db
MISSING = {"type": "urn:ampacity:not_found", "detail": "Nothing here has this id."}


def new_study(person: Person, **changes: Any) -> dict[str, Any]:
    response = person.post("studies", samples.study(**changes))
    assert response.status_code == 201, response.content
    study: dict[str, Any] = response.json()
    return study


def ask(person: Person, study: dict[str, Any], **given: Any) -> dict[str, Any]:
    response = person.post("reports", {"study": study["id"], **given})
    assert response.status_code == 202, response.content
    report: dict[str, Any] = response.json()
    return report


def work_off(person: Person, asked: dict[str, Any]) -> dict[str, Any]:
    """Do what a worker does: claim, perform, record."""
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=person.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    ended: dict[str, Any] = person.get(f"reports/{asked['id']}").json()
    return ended


def test_alice_gets_the_pdf_of_her_study(alice: Person) -> None:
    study = new_study(alice)
    asked = ask(alice, study, format="pdf", paper="letter", appendix=True)
    assert (asked["state"], asked["study"], asked["format"]) == ("queued", study["id"], "pdf")
    ended = work_off(alice, asked)
    assert ended["state"] == "succeeded"
    response = alice.get(f"reports/{asked['id']}/file")
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"] == f'attachment; filename="{ended["file_name"]}"'
    assert ended["file_name"].startswith("own-or-rent-20")
    assert ended["file_name"].endswith(".pdf")
    assert ended["bytes_count"] == len(response.content)
    assert ended["sha256"] == sha256(response.content).hexdigest()
    text = text_of(response.content)
    for words in ("Own or rent?", "Own eight nodes", ended["inputs_hash"], "Power meter"):
        assert words in text


@pytest.mark.parametrize(("file_format", "start"), [("xlsx", b"PK"), ("csv", b"\xef\xbb\xbf")])
def test_alice_gets_the_numbers_too(alice: Person, file_format: str, start: bytes) -> None:
    ended = work_off(alice, ask(alice, new_study(alice), format=file_format))
    body = alice.get(f"reports/{ended['id']}/file").content
    assert body.startswith(start)
    assert ended["file_name"].endswith(file_format)


def test_a_study_made_in_the_product_has_every_kind_of_report(alice: Person) -> None:
    """Its snapshot is the catalogue's own, by name; nobody hands one over."""
    snapshot = shipped_load()
    own = copy.deepcopy(samples.OWN)
    own["provenance"]["/staff_fte"]["as_of"] = "spring 2026"
    study = new_study(alice, designs=[own, samples.RENT])
    assert study["snapshot"] == snapshot.id
    assert snapshot.id != snapshot.as_of.isoformat()
    files = {}
    for file_format in Report.Format.values:
        ended = work_off(alice, ask(alice, study, format=file_format, appendix=True))
        assert ended["state"] == "succeeded"
        files[file_format] = alice.get(f"reports/{ended['id']}/file").content
    assert "spring 2026" in text_of(files["pdf"])
    day = f"{snapshot.as_of.day} {snapshot.as_of:%b %Y}"
    assert f"{day} (snapshot {snapshot.digest[:8]})" in text_of(files["pdf"])
    cells = [cell for sheet in load_workbook(io.BytesIO(files["xlsx"])) for cell in texts_in(sheet)]
    assert any(f"catalogue of {day} (snapshot {snapshot.digest[:8]})" in cell for cell in cells)


def texts_in(sheet: Worksheet) -> Iterator[str]:
    for row in sheet.iter_rows(values_only=True):
        yield from (cell for cell in row if isinstance(cell, str))


@pytest.mark.decisive
def test_the_csv_holds_the_comparison_that_is_kept(alice: Person) -> None:
    ended = work_off(alice, ask(alice, new_study(alice), format="csv"))
    body = alice.get(f"reports/{ended['id']}/file").content.decode("utf-8-sig")
    rows = {(row["section"], row["id"]): row for row in csv.DictReader(io.StringIO(body))}
    with alice.workspace():
        kept = Report.objects.get(job_id=ended["id"]).comparison or {}
    for design in kept["designs"]:
        assert float(rows["comparison", "total_usd"][design["letter"]]) == design["total_usd"]


def test_a_report_shows_the_study_as_it_stood_when_it_was_asked_for(alice: Person) -> None:
    study = new_study(alice)
    asked = ask(alice, study)
    alice.delete(f"designs/{study['designs'][1]['id']}")
    ended = work_off(alice, asked)
    assert "Rent" in text_of(alice.get(f"reports/{ended['id']}/file").content)
    assert ended["inputs_hash"] == asked["inputs_hash"]


def test_a_report_is_pinned_to_the_run_of_the_same_inputs(alice: Person) -> None:
    study = new_study(alice, draws_count=0)
    run = alice.post("runs", {"study": study["id"]}).json()
    job = job_claim(job_id=UUID(run["id"]), workspace_id=alice.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    ended = work_off(alice, ask(alice, study, format="csv"))
    assert ended["run"] == run["id"]
    assert ended["inputs_hash"] == run["inputs_hash"]
    with alice.workspace():
        assert (
            Report.objects.get(job_id=ended["id"]).comparison
            == Result.objects.get(run_id=run["id"]).data
        )


def test_a_report_goes_with_its_study(alice: Person) -> None:
    study = new_study(alice)
    ended = work_off(alice, ask(alice, study, format="csv"))
    assert alice.delete(f"studies/{study['id']}").status_code == 204
    assert alice.get(f"reports/{ended['id']}").status_code == 404
    assert alice.get(f"reports/{ended['id']}/file").status_code == 404


def test_an_incomplete_study_is_refused_with_every_fault(alice: Person) -> None:
    study = new_study(alice, workload={"kind": "utilization"})
    response = alice.post("reports", {"study": study["id"]})
    assert response.status_code == 422
    pointers = {fault["pointer"] for fault in response.json()["errors"]}
    assert {"/workload/utilization_fraction", "/workload/machines"} <= pointers
    with alice.workspace():
        assert not Report.objects.exists()
        assert not Job.objects.exists()


@pytest.mark.parametrize("given", [{"format": "docx"}, {"paper": "a3"}, {"study": "x"}, {"x": 1}])
def test_what_cannot_be_asked_for_is_refused(alice: Person, given: dict[str, Any]) -> None:
    body = {"study": str(uuid4()), **given}
    assert alice.post("reports", body).status_code == 422


def test_there_is_no_file_before_a_worker_drew_it(alice: Person) -> None:
    asked = ask(alice, new_study(alice))
    response = alice.get(f"reports/{asked['id']}/file")
    assert response.status_code == 409
    assert response.json()["detail"] == "The report is not ready yet."


def test_bob_reads_the_report_of_their_workspace(alice: Person, bob: Person) -> None:
    ended = work_off(alice, ask(alice, new_study(alice), format="csv"))
    assert bob.get(f"reports/{ended['id']}/file").status_code == 200
    assert [r["id"] for r in bob.get("reports").json()["results"]] == [ended["id"]]


def test_charlie_finds_nothing_of_alices(alice: Person, charlie: Person) -> None:
    study = new_study(alice)
    ended = work_off(alice, ask(alice, study, format="csv"))
    foreign = [
        charlie.get(f"reports/{ended['id']}"),
        charlie.get(f"reports/{ended['id']}/file"),
        charlie.post("reports", {"study": study["id"]}),
        charlie.get(f"reports/{uuid4()}"),
    ]
    for response in foreign:
        assert response.status_code == 404
        assert MISSING.items() <= response.json().items()
    assert charlie.get("reports").json()["results"] == []
    assert charlie.get(f"reports?study={study['id']}").json()["results"] == []


def test_the_database_itself_keeps_reports_apart(alice: Person, charlie: Person) -> None:
    work_off(alice, ask(alice, new_study(alice), format="csv"))
    tables = [Report._meta.db_table, File._meta.db_table, Piece._meta.db_table]
    for person, count in ((charlie, 0), (alice, 1)):
        with workspace(person.workspace_id), connection.cursor() as cursor:
            for table in tables:
                cursor.execute(f"SELECT count(*) FROM {table}")
                assert cursor.fetchone()[0] == count, table
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {table}")
            assert cursor.fetchone()[0] == 0, table


def test_a_token_needs_the_scope_to_run(alice: Person) -> None:
    study = new_study(alice)
    headers = alice.token("read")
    response = alice.post("reports", {"study": study["id"]}, headers=headers)
    assert response.status_code == 403
    assert alice.get("reports", headers=headers).status_code == 200


def test_the_list_takes_the_same_queries_however_long_it_is(alice: Person) -> None:
    study_id = UUID(new_study(alice)["id"])
    counts = []
    for _ in range(2):
        for _ in range(3):
            with alice.workspace():
                report_create(study=study_get(study_id), file_format="csv", paper="a4")
        with CaptureQueriesContext(connection) as queries:
            assert alice.get(f"reports?study={study_id}").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_repeated_request_makes_one_report(alice: Person) -> None:
    body = {"study": new_study(alice)["id"]}
    answers = [alice.post("reports", body, headers={"idempotency-key": "once"}) for _ in range(2)]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert len(alice.get("reports").json()["results"]) == 1


def test_asking_is_written_down(alice: Person) -> None:
    from accounts.models import AuditEntry

    asked = ask(alice, new_study(alice))
    with alice.workspace():
        entry = AuditEntry.objects.get(action="report.create")
    assert entry.target == asked["file_name"]
