"""The Python client asks with its token, waits when told to, and raises what is refused."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from django.test import Client

from runs.tests.work import work_off
from studies.tests import samples

if TYPE_CHECKING:
    from collections.abc import Callable

    from studies.tests.people import Planner

FOLDER = Path(__file__).resolve().parents[3] / "clients" / "python"


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    for name in [name for name in sys.modules if name.split(".")[0] == "ampacity_client"]:
        monkeypatch.delitem(sys.modules, name)


def client_of(planner: Planner, sleep: Callable[[float], Any] = lambda _s: None) -> Any:
    """Return a client that asks the application itself, without a network."""
    assert planner.person
    token = planner.person.token()["authorization"].removeprefix("Bearer ")
    browser = Client()

    def answered(request: httpx.Request) -> httpx.Response:
        response = browser.generic(
            request.method,
            request.url.raw_path.decode(),
            request.content,
            content_type=request.headers.get("Content-Type", ""),
            headers=dict(request.headers),
        )
        headers = dict(response.headers)
        return httpx.Response(response.status_code, headers=headers, content=response.content)

    module = import_module("ampacity_client")
    transport = httpx.MockTransport(answered)
    return module.Ampacity("http://testserver", token, transport=transport, sleep=sleep)


@pytest.mark.db
def test_a_program_creates_a_study_runs_it_and_reads_the_verdict(
    alice: Planner, packages: None
) -> None:
    module = import_module("ampacity_client")
    run: dict[str, Any] = {}
    ampacity = client_of(alice, sleep=lambda _s: work_off(alice, run))
    study = ampacity.post("/api/v1/studies", json=samples.study(draws_count=0)).json()
    address = f"/api/v1/studies/{study['id']}"
    first = {"If-Match": '"1"'}
    assert ampacity.patch(address, json={"title": "Rent?"}, headers=first).json()["revision"] == 2
    with pytest.raises(module.Problem) as refused:
        ampacity.patch(address, json={"title": "Own?"}, headers=first)
    assert (refused.value.status, refused.value.document["current"]["title"]) == (412, "Rent?")
    run |= ampacity.post("/api/v1/runs", json={"study": study["id"]}).json()
    assert ampacity.ended(f"/api/v1/runs/{run['id']}")["state"] == "succeeded"
    answer = ampacity.get(f"/api/v1/runs/{run['id']}/result").json()
    assert answer["summary"]["verdict"] == study["verdict"]
    ampacity.post(f"{address}/copy")
    assert len(list(ampacity.rows("/api/v1/studies", limit=1))) == 2


def test_what_is_told_to_wait_is_asked_again_with_its_body(packages: None) -> None:
    answers = [(429, "3"), (503, "1"), (201, "")]
    asked: list[bytes] = []
    slept: list[float] = []

    def answered(request: httpx.Request) -> httpx.Response:
        asked.append(request.content)
        status, wait = answers[len(asked) - 1]
        return httpx.Response(status, headers={"Retry-After": wait} if wait else {}, json={})

    module = import_module("ampacity_client")
    transport = httpx.MockTransport(answered)
    ampacity = module.Ampacity("http://here", "amp_1", transport=transport, sleep=slept.append)
    assert ampacity.post("/api/v1/runs", json={"study": "s"}).status_code == 201
    assert asked == [b'{"study":"s"}'] * 3
    assert slept == [3.0, 1.0]


def test_events_go_on_behind_the_last_one_that_was_heard(packages: None) -> None:
    streams = {
        "": 'retry: 500\n\nid: 1\n\nid: 2\nevent: job\ndata: {"id": "a"}\n\n',
        "2": 'retry: 500\n\nid: 7\nevent: job\ndata: {"id": "b"}\n\n',
    }

    def answered(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v1/session":
            return httpx.Response(200, json={"events_url": "http://there/events"})
        assert request.headers["Authorization"] == "Bearer amp_1"
        return httpx.Response(200, text=streams[request.headers.get("Last-Event-ID", "")])

    module = import_module("ampacity_client")
    transport = httpx.MockTransport(answered)
    heard = module.Ampacity("http://here", "amp_1", transport=transport).events()
    assert [next(heard)["id"], next(heard)["id"]] == ["a", "b"]
