"""Measurements by API: signatures as published, windows, what is sent, and no secrets kept."""

from __future__ import annotations

import json
import random
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs
from uuid import UUID

import pytest
from django.conf import settings
from django.utils.timezone import now

from capmodels.errors import ModelError
from common import outgoing
from common.sealed import Unreadable, seal, unseal
from jobs import kinds
from jobs.models import Job
from jobs.reaper import reap
from jobs.services import job_claim, job_fail, job_stop, job_succeed
from traces import measured
from traces.models import Trace
from traces.sigv4 import Keys, Scope, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accounts.testing import Person

SECRET = "tok-7f3a-never-told"
START = datetime(2026, 3, 1, tzinfo=UTC)
KEYS = Keys("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
AT = datetime(2015, 8, 30, 12, 36, tzinfo=UTC)


@pytest.mark.parametrize(
    ("method", "url", "headers", "service", "signature"),
    [
        # AWS Signature Version 4 test suite, get-vanilla and post-vanilla.
        ("GET", "https://example.amazonaws.com/", {}, "service",
         "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("POST", "https://example.amazonaws.com/", {}, "service",
         "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        # AWS General Reference, "Signing AWS requests": ListUsers.
        ("GET", "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
         {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}, "iam",
         "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"),
    ],
)  # fmt: skip
def test_a_request_is_signed_as_aws_publishes_it(
    method: str, url: str, headers: dict[str, str], service: str, signature: str
) -> None:
    found = signed(method, url, headers, b"", KEYS, Scope("us-east-1", service, AT))
    assert found["Authorization"].endswith(f"Signature={signature}")


def test_what_is_sealed_is_read_here_and_for_its_purpose_only() -> None:
    hidden = seal(SECRET, "a")
    assert SECRET not in hidden
    assert hidden != seal(SECRET, "a")
    assert unseal(hidden, "a") == SECRET
    for wrong, purpose in ((hidden, "b"), (hidden[:-6] + "AAAAA=", "a"), ("AAAA", "a"), ("", "a")):
        with pytest.raises(Unreadable):
            unseal(wrong, purpose)


@pytest.mark.parametrize("seed", range(4))
def test_windows_hold_each_step_of_a_span_once(seed: int) -> None:
    draw = random.Random(seed)
    step, start = draw.choice([10, 60, 300, 3600, 86_400]), draw.randint(0, 10**9)
    end = start + draw.randint(1, 3000 * step)
    found = [
        at for window in measured.windows(start, end, step)
        for at in range(window.start_s, window.end_s + 1, step)
    ]  # fmt: skip
    assert found == list(range(start, end + 1, step))


class Server(BaseHTTPRequestHandler):
    """A Prometheus by its protocol: a value for each step that is asked for, of two machines."""

    asked: list[dict[str, Any]]
    refuse_at: set[int]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        said = {key: value[0] for key, value in parse_qs(body.decode()).items()}
        cls = type(self)
        cls.asked.append({**said, "path": self.path, "proof": self.headers.get("Authorization")})
        refused = len(cls.asked) in cls.refuse_at
        steps = range(int(said["start"]), int(said["end"]) + 1, int(said["step"]))
        rows = [
            {"metric": {"instance": name}, "values": [[at, str(share)] for at in steps]}
            for name, share in (("a:9100", 0.25), ("b:9100", 0.5))
        ]
        answer = {"status": "success", "data": {"resultType": "matrix", "result": rows}}
        if said["query"] == "bad(":
            answer = {"status": "error", "errorType": "bad_data", "error": "parse error"}
        data = b"" if refused else json.dumps(answer).encode()
        self.send_response(503 if refused else 400 if said["query"] == "bad(" else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_said: Any) -> None:
        """Stay silent."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    held: Any = type("Held", (Server,), {"asked": [], "refuse_at": set()})
    listening = ThreadingHTTPServer(("127.0.0.1", 0), held)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    held.address = f"http://127.0.0.1:{listening.server_port}"
    monkeypatch.setattr(settings, "READ_PRIVATE_HOSTS", ["127.0.0.1"])
    yield held
    listening.shutdown()
    listening.server_close()


def ask(person: Person, address: str, days: float = 3.0, **more: Any) -> Any:
    until = START + timedelta(days=days)
    body = {
        "address": address, "query": "cpu", "token": SECRET, "step_s": 300,
        "since": START.isoformat(), "until": until.isoformat(), **more,
    }  # fmt: skip
    return person.post("traces/prometheus", body)


def claimed(person: Person, trace: dict[str, Any]) -> Any:
    job = job_claim(job_id=UUID(trace["id"]), workspace_id=person.workspace_id)
    assert job
    return job


@pytest.mark.db
@pytest.mark.usefixtures("outbox")
@pytest.mark.decisive
def test_a_query_becomes_a_trace_window_by_window(
    alice: Person, server: Any, caplog: pytest.LogCaptureFixture
) -> None:
    answer = ask(alice, server.address)
    assert answer.status_code == 202, answer.content
    told: list[str] = []
    job = claimed(alice, answer.json())
    with alice.workspace():
        assert SECRET not in json.dumps(Job.objects.get(id=job.id).payload)
    job_succeed(job, kinds.perform(job, lambda _share, said: told.append(said)))
    trace = alice.get(f"traces/{answer.json()['id']}").json()
    assert (trace["kind"], trace["title"]) == ("utilization", "Prometheus, cpu")
    assert trace["summary"]["machines_count"] == 2
    assert trace["summary"]["duration_s"] == 3 * 86_400 + 300
    assert len(server.asked) == len(told) == 2
    assert told[-1] == "Window 2 of 2"
    assert {one["proof"] for one in server.asked} == {f"Bearer {SECRET}"}
    assert {one["path"] for one in server.asked} == {"/api/v1/query_range"}
    with alice.workspace():
        assert "secret" not in Job.objects.get(id=job.id).payload
    assert SECRET not in caplog.text + json.dumps(trace)


@pytest.mark.db
@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("end", ["fail", "stop", "cancel", "reap"])
def test_the_access_goes_however_the_reading_ends(alice: Person, server: Any, end: str) -> None:
    asked = ask(alice, server.address).json()
    if end == "cancel":
        assert alice.post(f"traces/{asked['id']}/cancel").status_code == 200
    elif end == "reap":
        for hours in (1, 2, 3, 4):  # its worker dies until nobody takes it any more
            at, job_id = now() + timedelta(hours=hours), UUID(asked["id"])
            job_claim(job_id=job_id, workspace_id=alice.workspace_id, now=at)
            reap(lambda _queue: 0, now=at + timedelta(minutes=30))
    else:
        job = claimed(alice, asked)
        job_fail(job, "The server is gone.") if end == "fail" else job_stop(job)
    with alice.workspace():
        job = Job.objects.get(id=asked["id"])
        assert job.state in {"failed", "cancelled"}
        assert job.payload.keys() == {"source"}


@pytest.mark.db
@pytest.mark.usefixtures("outbox")
def test_what_was_read_is_not_asked_again_after_a_silence(alice: Person, server: Any) -> None:
    server.refuse_at = {10}
    asked = ask(alice, server.address, days=20).json()
    with pytest.raises(kinds.Later):
        kinds.perform(claimed(alice, asked), lambda _share, _said: None)
    assert len(server.asked) == 10
    with alice.workspace():
        Job.objects.filter(id=asked["id"]).update(state="queued")
    job = claimed(alice, asked)
    job_succeed(job, kinds.perform(job, lambda _share, _said: None))
    starts = [one["start"] for one in server.asked]
    assert len(starts) == 13
    assert starts[9] == starts[10]
    assert len(set(starts)) == 12
    trace = alice.get(f"traces/{asked['id']}").json()
    assert trace["summary"]["duration_s"] == 20 * 86_400 + 300


@pytest.mark.db
@pytest.mark.usefixtures("outbox")
def test_what_cannot_be_read_says_why(
    alice: Person, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(asked: Any) -> str:
        assert asked.status_code == 202, asked.content
        job = claimed(alice, asked.json())
        with pytest.raises(ModelError) as told:
            kinds.perform(job, lambda _share, _said: None)
        return str(told.value)

    assert said(ask(alice, server.address, query="bad(")) == (
        "Prometheus refuses the question (400): parse error."
    )
    server.refuse_at = {2}
    late = ask(alice, server.address)
    with alice.workspace():
        Trace.objects.filter(job_id=late.json()["id"]).update(created_at=now() - timedelta(hours=1))
    assert said(late) == "Prometheus answers 503. It was tried for ten minutes."
    monkeypatch.setattr(settings, "READ_PRIVATE_HOSTS", [])
    for address in (server.address, "http://localhost:9090", "http://169.254.169.254"):
        refused = ask(alice, address)
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "not_public")
    wrong: tuple[dict[str, Any], ...] = (
        {"address": "ftp://x"}, {"address": "http://u:p@example.org"}, {"step_s": 5}, {"query": ""},
        {"until": START.isoformat()}, {"days": 4000, "step_s": 10},
    )  # fmt: skip
    for body in wrong:
        assert ask(alice, **{"address": "https://example.org", **body}).status_code == 422


@pytest.mark.db
@pytest.mark.usefixtures("outbox")
def test_a_metric_of_cloudwatch_is_asked_page_by_page(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, Any, dict[str, str]]] = []

    def answer(url: str, body: bytes, headers: dict[str, str], **_how: Any) -> tuple[int, bytes]:
        said = json.loads(body)
        sent.append((url, said, headers))
        steps = list(range(said["StartTime"], said["EndTime"], 300))
        half = steps[len(steps) // 2 :] if "NextToken" in said else steps[: len(steps) // 2]
        row = {"Id": "q1", "Label": "i-0abc", "Timestamps": half, "Values": [40.0] * len(half)}
        more = {} if "NextToken" in said else {"NextToken": "n"}
        return 200, json.dumps({"MetricDataResults": [row], **more}).encode()

    monkeypatch.setattr(outgoing, "ask", answer)
    body = {
        "region": "eu-west-1", "access_id": "AKIDEXAMPLE", "secret": SECRET, "step_s": 300,
        "since": START.isoformat(), "until": (START + timedelta(days=2)).isoformat(),
    }  # fmt: skip
    asked = alice.post("traces/cloudwatch", body)
    assert asked.status_code == 202, asked.content
    job = claimed(alice, asked.json())
    job_succeed(job, kinds.perform(job, lambda _share, _said: None))
    trace = alice.get(f"traces/{asked.json()['id']}").json()
    assert (trace["kind"], trace["summary"]["machines_count"]) == ("utilization", 1)
    assert trace["summary"]["duration_s"] == 2 * 86_400 + 300
    url, said, headers = sent[0]
    assert url == "https://monitoring.eu-west-1.amazonaws.com/"
    assert headers["X-Amz-Target"] == "GraniteServiceVersion20100801.GetMetricData"
    assert "/eu-west-1/monitoring/aws4_request" in headers["Authorization"]
    assert said["MetricDataQueries"][0]["Expression"] == (
        "SEARCH('{AWS/EC2,InstanceId} MetricName=\"CPUUtilization\"', 'Average', 300)"
    )
    assert SECRET not in json.dumps([trace, *[(url, said) for url, said, _headers in sent]])
    assert alice.post("traces/cloudwatch", {**body, "region": "evil.com/"}).status_code == 422
