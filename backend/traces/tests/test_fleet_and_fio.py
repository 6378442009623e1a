"""Measured drives over HTTP: a fleet's days and results of fio, dropped like any trace."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from capmodels.errors import EMPTY_FILE, ParamsError
from capmodels.formats.trace_store import TraceRef, block_requests, using
from traces.selectors import traces_of
from traces.tests.samples import upload, work_off

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

FLEET = b"date,serial_number,model,capacity_bytes,failure\n" + b"".join(
    b"2024-01-0%d,S%d,M,4000000000000,%d\n" % (day, drive, day == 3 and drive == 0)
    for day in (1, 2, 3)
    for drive in range(50)
)
FIO = (
    b'{"fio version": "fio-3.1", "jobs": [{"jobname": "a", "job options": {"bs": "4k"},'
    b' "read": {"total_ios": 5, "iops": 123.5, "lat_ns": {"mean": 8e6}}}]}'
)


def test_a_fleet_s_days_become_failure_rates(alice: Person) -> None:
    trace = work_off(alice, upload(alice, FLEET, "days.csv"))
    assert (trace["kind"], trace["format"], trace["rows_count"]) == ("fleet", "backblaze", 150)
    assert trace["summary"]["afr_per_year"] == pytest.approx(365 / 150)
    charts = alice.get(f"traces/{trace['id']}/charts").json()
    assert [row["name"] for row in charts["fleet"]["cohorts"]] == ["M"]
    assert alice.get("traces?kind=fleet").json()["results"][0]["id"] == trace["id"]


def test_a_fio_file_calibrates_a_drive_at_once(alice: Person) -> None:
    trace = work_off(alice, upload(alice, FIO, "disk.json"))
    (given,) = alice.get(f"traces/{trace['id']}/charts").json()["calibrations"]
    asked = {"model": "storage.calibrate_drive", "params": given}
    answer = alice.post("evaluate", asked).json()["result"]
    assert answer["read_service_ms"] == pytest.approx(8.0)


@pytest.mark.parametrize("data", [FLEET, FIO])
def test_what_has_no_requests_is_no_trace_for_a_model(alice: Person, data: bytes) -> None:
    trace = work_off(alice, upload(alice, data, "measured"))
    ref = TraceRef(trace_id=trace["id"], sha256=trace["sha256"])
    with using(traces_of(alice.workspace_id)), pytest.raises(ParamsError) as refused:
        block_requests(ref)
    assert "no such trace" in refused.value.faults[0].message


def test_what_the_database_takes_in_no_text_is_replaced(alice: Person) -> None:
    odd = FIO.replace(b'"jobname": "a"', b'"jobname": "a\\u0000b\\ud800"')
    trace = work_off(alice, upload(alice, odd, "odd.json"))
    (point,) = alice.get(f"traces/{trace['id']}/charts").json()["points"]
    assert point["job"] == "a\N{REPLACEMENT CHARACTER}b?"


def test_an_upload_of_nothing_says_so(alice: Person) -> None:
    raw = alice.client.generic(
        "POST", "/api/v1/traces", b"", "application/octet-stream", CONTENT_LENGTH="0"
    )
    assert (raw.status_code, raw.json()["detail"]) == (422, EMPTY_FILE)
    empty = io.BytesIO(b"")
    empty.name = "a.csv"
    form = alice.client.post("/api/v1/traces", {"file": empty})
    assert (form.status_code, form.json()["errors"][0]["message"]) == (422, EMPTY_FILE)
    none = alice.client.post("/api/v1/traces", {"title": "x"})
    assert none.status_code == 422
    assert none.json()["detail"].startswith("Send a file")
