"""Traces over HTTP: uploaded, read by a worker, kept, read by models, and nobody else's."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from django.db import connection, transaction

from capmodels.errors import ModelError, ParamsError
from capmodels.formats.trace_store import TraceRef, block_requests, using
from common.tenancy import NoWorkspace
from files.models import File, Piece
from files.services import uploads_prune
from jobs import kinds
from jobs.services import Fenced, job_claim, job_fail, job_succeed
from jobs.testing import job_row
from traces.models import Trace
from traces.selectors import traces_of
from traces.tests.samples import spc, upload, vscsi, work_off

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def counts(person: Person) -> tuple[int, int]:
    """Return how many uploads and files of columns the workspace keeps."""
    with person.workspace():
        kinds = list(File.objects.values_list("kind", flat=True))
    return kinds.count("upload"), kinds.count("trace")


def test_a_dropped_vscsi_file_becomes_a_trace_with_charts(alice: Person) -> None:
    asked = upload(alice, vscsi(), "web.vscsi")
    assert (asked["state"], asked["kind"], asked["title"]) == ("queued", "", "web.vscsi")
    assert alice.get(f"traces/{asked['id']}/charts").status_code == 409
    assert alice.get(f"traces/{asked['id']}/told").status_code == 409
    trace = work_off(alice, asked)
    assert (trace["state"], trace["kind"], trace["format"]) == ("succeeded", "block", "vscsi1")
    assert (trace["rows_count"], trace["bytes"], trace["faults"]) == (100, 3200, [])
    summary = trace["summary"]
    assert summary["read_fraction"] == pytest.approx(0.75)
    assert summary["rate_per_s"] == pytest.approx(100 / 0.99)
    # Each request of 8 KiB begins where the last one ended, but for the first.
    assert summary["sequential_fraction"] == pytest.approx(0.99)
    assert summary["footprint_bytes"] == 100 * 8192
    charts = alice.get(f"traces/{asked['id']}/charts").json()
    assert charts["sizes"]["requests_count"] == [100]
    assert charts["gaps"]["fraction"][-1] == 1.0
    assert trace["headline"].startswith("100 requests in")
    told = alice.get(f"traces/{asked['id']}/told").json()
    assert told["headline"] == trace["headline"]
    assert [one["name"] for one in told["figures"]] == [
        "Requests over time",
        "Gaps between requests",
        "Sizes of requests",
        "Data touched by day",
    ]
    assert counts(alice) == (0, 1)


def test_the_body_may_be_the_file(alice: Person) -> None:
    response = alice.client.generic(
        "POST",
        "/api/v1/traces?name=oltp.spc.gz&title=Night",
        gzip.compress(spc(50)),
        content_type="application/octet-stream",
    )
    assert response.status_code == 202, response.content
    trace = work_off(alice, response.json())
    assert (trace["format"], trace["rows_count"], trace["title"]) == ("spc", 50, "Night")


@pytest.mark.decisive
def test_bad_lines_are_told_by_number(alice: Person) -> None:
    data = spc(20) + b"0,not a number,4096,R,1.0\n" + spc(5, start=21)
    trace = work_off(alice, upload(alice, data, "a.spc"))
    assert (trace["rows_count"], trace["faults_count"]) == (25, 1)
    assert trace["faults"] == [{"line": 21, "message": "The LBA cannot be read."}]


def test_a_file_of_no_known_kind_fails_with_a_sentence(alice: Person) -> None:
    trace = upload(alice, b"Dear planner,\nthis is a letter.\n" * 9, "letter.txt")
    job = job_claim(job_id=UUID(trace["id"]), workspace_id=alice.workspace_id)
    assert job
    with pytest.raises(ModelError, match="This is not a") as refused:
        kinds.perform(job, lambda _fraction, _message: None)
    job_fail(job, str(refused.value))
    ended = alice.get(f"traces/{trace['id']}").json()
    assert ended["state"] == "failed"
    assert counts(alice) == (1, 0)
    uploads_prune()
    assert counts(alice) == (0, 0)
    assert alice.get(f"traces/{trace['id']}/charts").status_code == 409


def test_a_worker_killed_in_the_middle_leaves_one_result(alice: Person) -> None:
    trace = upload(alice, spc(3000), "a.spc")
    job_id = UUID(trace["id"])
    first = job_claim(job_id=job_id, workspace_id=alice.workspace_id)
    assert first
    half_done = kinds.perform(first, lambda _fraction, _message: None)
    with alice.workspace(), connection.cursor() as cursor:
        # The first worker is gone: its lease runs out.
        cursor.execute("UPDATE jobs_job SET lease_expires_at = now() - interval '1 s'")
    ended = work_off(alice, trace)
    with pytest.raises(Fenced):
        job_succeed(first, half_done)
    assert job_row(alice, job_id).attempt == 2
    assert (ended["state"], ended["rows_count"]) == ("succeeded", 3000)
    assert counts(alice) == (0, 1)


def test_a_cancelled_upload_keeps_nothing(alice: Person) -> None:
    trace = upload(alice, vscsi())
    assert alice.post(f"traces/{trace['id']}/cancel").json()["state"] == "cancelled"
    uploads_prune()
    assert counts(alice) == (0, 0)


def test_a_deleted_trace_is_gone_and_its_worker_writes_nothing(alice: Person) -> None:
    trace = upload(alice, vscsi())
    job = job_claim(job_id=UUID(trace["id"]), workspace_id=alice.workspace_id)
    assert job
    read = kinds.perform(job, lambda _fraction, _message: None)
    assert alice.delete(f"traces/{trace['id']}").status_code == 204
    with pytest.raises(Fenced):
        job_succeed(job, read)
    assert alice.get(f"traces/{trace['id']}").status_code == 404
    assert counts(alice) == (0, 0)


def test_a_file_above_the_limit_is_refused_before_it_is_read(alice: Person, settings: Any) -> None:
    settings.TRACE_BYTES_MAX = 1000
    response = alice.client.generic(
        "POST", "/api/v1/traces", b"x" * 1001, content_type="application/octet-stream"
    )
    assert response.status_code == 413
    assert "may be sent" in response.json()["detail"]
    nothing = alice.client.post("/api/v1/traces", {"title": "x"})
    assert (nothing.status_code, nothing.json()["errors"][0]["pointer"]) == (422, "/file")


def test_an_upload_sent_twice_with_a_key_is_one(alice: Person) -> None:
    sent = [
        alice.client.generic(
            "POST",
            "/api/v1/traces?name=a",
            vscsi(),
            content_type="application/octet-stream",
            headers={"idempotency-key": "once"},
        )
        for _ in range(2)
    ]
    assert [response.status_code for response in sent] == [202, 202]
    assert sent[0].json()["id"] == sent[1].json()["id"]


def test_a_trace_is_renamed(alice: Person) -> None:
    trace = upload(alice, vscsi())
    assert alice.patch(f"traces/{trace['id']}", {"title": "Mail"}).json()["title"] == "Mail"
    assert [row["title"] for row in alice.get("traces").json()["results"]] == ["Mail"]
    assert alice.get("traces?kind=utilization").json()["results"] == []
    refused = alice.get("traces?state=%00")
    assert refused.status_code == 422
    assert [(e["pointer"], e["code"]) for e in refused.json()["errors"]] == [("/state", "nul")]


def test_a_model_reads_the_columns_of_its_own_workspace_only(
    alice: Person, charlie: Person
) -> None:
    trace = work_off(alice, upload(alice, vscsi()))
    ref = TraceRef(trace_id=trace["id"], sha256=trace["sha256"])
    with using(traces_of(alice.workspace_id)):
        found = block_requests(ref)
    np.testing.assert_array_equal(found.block_lba, np.arange(100) * 16)
    np.testing.assert_allclose(found.time_s, np.arange(100) / 100)
    with using(traces_of(charlie.workspace_id)), pytest.raises(ParamsError):
        block_requests(ref)


@pytest.mark.parametrize(
    ("method", "below"),
    [
        ("GET", ""),
        ("PATCH", ""),
        ("DELETE", ""),
        ("POST", "/cancel"),
        ("GET", "/charts"),
        ("GET", "/told"),
    ],
)
def test_charlie_cannot_tell_alices_trace_from_none(
    alice: Person, charlie: Person, method: str, below: str
) -> None:
    trace = upload(alice, vscsi())
    answers = [
        charlie.client.generic(method, f"/api/v1/traces/{name}{below}", b"{}", "application/json")
        for name in (trace["id"], uuid4())
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()
    assert alice.get(f"traces/{trace['id']}").json()["state"] == "queued"
    assert charlie.get("traces").json()["results"] == []


def test_postgres_keeps_traces_apart_by_itself(alice: Person, charlie: Person) -> None:
    work_off(alice, upload(alice, vscsi()))
    upload(alice, vscsi())
    with charlie.workspace():
        for table in (Trace, File, Piece):
            # The base manager has no wall in Python.
            assert table._base_manager.count() == 0
    with pytest.raises(NoWorkspace):
        Trace.objects.count()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM files_piece")
        assert cursor.fetchone() == (0,)


def test_the_formats_are_told_with_what_each_holds(alice: Person) -> None:
    told = alice.get("traces/formats").json()
    assert told["sentence"].startswith("Disk requests: vscsi, ")
    [msr] = [form for form in told["formats"] if form["name"] == "msr"]
    assert (msr["title"], msr["kind"]) == ("MSR Cambridge", "block")
    assert msr["sentence"].endswith("response time.")


def test_a_log_of_requests_to_models_says_its_stream_and_is_replayed(alice: Person) -> None:
    from capmodels.formats.trace_store import TraceRef, inference, using
    from traces.selectors import traces_of

    rows = "\n".join(f"{at},{100 + at},{20}" for at in range(60))
    trace = upload(alice, f"arrived_at,prompt_tokens,output_tokens\n{rows}\n".encode(), "log.csv")
    read = work_off(alice, trace)
    assert (read["kind"], read["format"]) == ("inference", "llm_csv")
    assert read["summary"]["stream"]["output_tokens"] == 20
    told = alice.get(f"traces/{trace['id']}/told").json()
    assert [figure["name"] for figure in told["figures"]] == ["Requests over time", "Lengths"]
    with using(traces_of(alice.account.workspace_id)):
        kept = inference(TraceRef(trace_id=trace["id"], sha256=read["sha256"]))
    assert kept.prompt_tokens.tolist() == [100 + at for at in range(60)]
