"""The event stream, through its ASGI interface, on a real LISTEN."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from itertools import count, pairwise
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import orjson
import pytest
from django.db import connection

from common import health
from common.tenancy import workspace
from jobs import services
from jobs.events import numbers
from jobs.events.application import EventsApplication
from jobs.events.hub import Hub, JobEvent, Mailbox
from jobs.models import Job
from jobs.tests.test_services import claim, submit

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from uuid import UUID

    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("database", "outbox")]

ORIGIN = {"origin": "http://127.0.0.1:8000"}
PATIENCE_S = 20

T = TypeVar("T")


END_LISTENER = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE query LIKE 'SELECT %jobs_%' AND pid <> pg_backend_pid() AND datname = current_database()
"""


@pytest.fixture(autouse=True)
def parts(monkeypatch: pytest.MonkeyPatch) -> list[health.Part]:
    """No part of the service is asked, unless a test names some."""
    parts: list[health.Part] = []
    monkeypatch.setattr(health, "PARTS", parts)
    return parts


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


async def aside(function: Callable[..., T], *args: Any) -> T:
    """Call a function that uses the database, in a thread with a connection of its own."""

    def call() -> T:
        try:
            return function(*args)
        finally:
            connection.close()

    return await asyncio.to_thread(call)


class Browser:
    """One GET of the stream, read event by event."""

    def __init__(self, app: EventsApplication, headers: dict[str, str], **scope: Any) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self._chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._started = asyncio.Event()
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        full = {"type": "http", "method": "GET", "path": "/events", "headers": raw} | scope
        self._task = asyncio.create_task(app(full, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            self._started.set()
            return
        await self._chunks.put(message["body"])
        if not message.get("more_body"):
            await self._chunks.put(None)

    async def started(self) -> int:
        await asyncio.wait_for(self._started.wait(), PATIENCE_S)
        return self.status

    async def chunk(self) -> bytes | None:
        return await asyncio.wait_for(self._chunks.get(), PATIENCE_S)

    async def rest(self) -> bytes:
        body = b""
        while (chunk := await self.chunk()) is not None:
            body += chunk
        return body

    async def leave(self) -> None:
        self._gone.set()
        await asyncio.wait_for(self._task, PATIENCE_S)


@asynccontextmanager
async def served(stream_s: float = PATIENCE_S) -> AsyncIterator[EventsApplication]:
    app = EventsApplication(stream_s=stream_s)
    await app.start()
    try:
        assert app._hub
        await asyncio.wait_for(app._hub.is_listening.wait(), PATIENCE_S)
        yield app
    finally:
        await app.stop()


def run(test: Callable[[EventsApplication], Awaitable[None]], stream_s: float = PATIENCE_S) -> None:
    async def whole() -> None:
        async with served(stream_s) as app:
            await test(app)

    asyncio.run(whole())


def events(body: bytes) -> list[dict[str, Any]]:
    """Return the data of each event, with its number."""
    found = []
    for block in body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines())
        if lines.get("event") == "job":
            found.append(orjson.loads(lines["data"]) | {"seq": int(lines["id"])})
    return found


def cookie_of(person: Person) -> dict[str, str]:
    return {"cookie": f"ampacity_session={person.client.cookies['ampacity_session'].value}"}


def test_a_browser_sees_its_workspaces_jobs_as_they_change(alice: Person, charlie: Person) -> None:
    async def test(app: EventsApplication) -> None:
        browser = Browser(app, cookie_of(alice) | ORIGIN)
        assert await browser.started() == 200
        assert browser.headers["content-type"] == "text/event-stream"
        assert browser.headers["access-control-allow-origin"] == ORIGIN["origin"]
        assert browser.headers["access-control-allow-credentials"] == "true"
        start = await browser.chunk()
        assert start is not None
        assert b"retry: 500" in start
        await aside(submit, charlie)
        job = await aside(submit, alice)
        first = await browser.chunk()
        claimed = await aside(claim, alice, job)
        second = await browser.chunk()
        await aside(services.job_progress, claimed, 0.5, "Half way")
        third = await browser.chunk()
        await browser.leave()
        seen = events(b"".join(chunk or b"" for chunk in (first, second, third)))
        seqs = [event.pop("seq") for event in seen]
        told = [int(start.decode().strip().rpartition("id: ")[2]), *seqs]
        inside = [numbers.inside(number, alice.workspace_id) for number in told]
        assert inside == sorted(set(inside))
        # Differences would count what happens in other workspaces.
        assert min(abs(b - a) for a, b in pairwise(sorted(told))) > 1_000
        base = {"id": str(job.id), "kind": "test.interactive"}
        assert seen == [
            base | {"state": "queued", "progress_fraction": 0, "message": services.NO_WORKER},
            base | {"state": "running", "progress_fraction": 0, "message": ""},
            base | {"state": "running", "progress_fraction": 0.5, "message": "Half way"},
        ]

    run(test)


def test_an_event_whose_transaction_ends_after_later_ones_is_seen(alice: Person) -> None:
    written, committed = Event(), Event()

    def slowly(job: Job) -> None:
        with workspace(alice.workspace_id):
            Job.objects.filter(pk=job.pk).update(progress_message="Slow")
            written.set()
            committed.wait(PATIENCE_S)

    async def test(app: EventsApplication) -> None:
        job = await aside(submit, alice)
        browser = Browser(app, cookie_of(alice))
        await browser.chunk()
        slow = asyncio.ensure_future(aside(slowly, job))
        await asyncio.to_thread(written.wait, PATIENCE_S)
        other = await aside(submit, alice)
        seen: dict[str, str] = {}
        while str(other.id) not in seen:
            seen |= {e["id"]: e["message"] for e in events(await browser.chunk() or b"")}
        assert seen.get(str(job.id)) != "Slow"
        committed.set()
        await slow
        while seen.get(str(job.id)) != "Slow":
            seen |= {e["id"]: e["message"] for e in events(await browser.chunk() or b"")}
        await browser.leave()

    run(test)


def test_a_stream_is_closed_in_time_and_resumed_where_it_ended(alice: Person) -> None:
    async def test(app: EventsApplication) -> None:
        first = Browser(app, cookie_of(alice))
        body = await first.rest()
        last_id = body.decode().strip().rpartition("id: ")[2]
        job = await aside(submit, alice)
        await aside(claim, alice, job)
        second = Browser(app, cookie_of(alice) | {"last-event-id": last_id})
        # what is caught up on may be heard once more, under the same number, when it was just said
        missed = {event["seq"]: event for event in events(await second.rest())}
        [(seq, event)] = missed.items()
        assert (event["id"], event["state"]) == (str(job.id), "running")
        number = numbers.inside(seq, alice.workspace_id)
        assert number > numbers.inside(int(last_id), alice.workspace_id)

    run(test, stream_s=0.05)


@pytest.mark.parametrize(
    ("headers", "scope", "status"),
    [
        ({}, {}, 401),
        ({"cookie": "ampacity_session=nonsense"}, {}, 401),
        ({"authorization": "Bearer amp_nonsense"}, {}, 401),
        ({"origin": "https://evil.example"}, {}, 403),
        ({}, {"path": "/elsewhere"}, 404),
        ({}, {"path": "/healthz"}, 200),
        ({}, {"method": "OPTIONS"}, 204),
    ],
)
def test_a_request_that_is_no_signed_in_browsers(
    headers: dict[str, str], scope: dict[str, str], status: int
) -> None:
    async def test(app: EventsApplication) -> None:
        browser = Browser(app, headers, **scope)
        assert await browser.started() == status
        assert "access-control-allow-origin" not in browser.headers
        await browser.rest()

    run(test)


def test_a_program_may_follow_with_a_token(alice: Person) -> None:
    headers = alice.token()

    async def test(app: EventsApplication) -> None:
        browser = Browser(app, headers)
        assert await browser.started() == 200
        await browser.leave()

    run(test)


def test_a_token_that_may_not_read_hears_nothing(alice: Person) -> None:
    headers = alice.token("provision")

    async def test(app: EventsApplication) -> None:
        assert await Browser(app, headers).started() == 403

    run(test)


@pytest.mark.parametrize("last", ["9" * 5_000, "9" * 20, "18446744073709551615", "7", "x"])
def test_a_forged_number_begins_anew(alice: Person, last: str) -> None:
    async def test(app: EventsApplication) -> None:
        browser = Browser(app, cookie_of(alice) | {"last-event-id": last})
        assert b"id: " in await browser.rest()
        assert browser.status == 200

    run(test, stream_s=0.05)


@pytest.mark.decisive
def test_numbers_are_of_one_workspace_and_lead_back() -> None:
    mine, other = uuid4(), uuid4()
    told = [numbers.outside(seq, mine) for seq in range(200)]
    assert [numbers.inside(number, mine) for number in told] == list(range(200))
    assert len(set(told)) == 200
    assert told != [numbers.outside(seq, other) for seq in range(200)]
    assert all(0 <= number < 1 << 64 for number in told)


def test_one_person_may_not_take_all_streams(alice: Person, bob: Person, settings: Any) -> None:
    settings.EVENTS_STREAMS_PER_USER = 1

    async def test(app: EventsApplication) -> None:
        first = Browser(app, cookie_of(alice))
        await first.started()
        refused = Browser(app, cookie_of(alice))
        assert await refused.started() == 429
        assert refused.headers["Retry-After"] == "25"
        colleague = Browser(app, cookie_of(bob))
        assert await colleague.started() == 200
        await colleague.leave()
        await first.leave()
        again = Browser(app, cookie_of(alice))
        assert await again.started() == 200
        await again.leave()

    run(test)


def test_over_the_cap_the_browser_is_told_to_poll(alice: Person, settings: Any) -> None:
    settings.EVENTS_STREAMS_MAX = 1

    async def test(app: EventsApplication) -> None:
        first = Browser(app, cookie_of(alice))
        await first.started()
        refused = Browser(app, cookie_of(alice))
        assert await refused.started() == 503
        assert refused.headers["Retry-After"] == "30"
        await first.leave()
        again = Browser(app, cookie_of(alice))
        assert await again.started() == 200
        await again.leave()

    run(test)


def test_before_it_listens_the_browser_is_told_when_to_come_again(alice: Person) -> None:
    async def test(_: EventsApplication) -> None:
        early = Browser(EventsApplication(), cookie_of(alice))
        assert await early.started() == 503
        assert early.headers["Retry-After"] == "1"

    run(test)


def test_streams_end_when_the_hub_may_have_missed_something(alice: Person) -> None:
    async def test(app: EventsApplication) -> None:
        browser = Browser(app, cookie_of(alice))
        await browser.started()
        assert app._hub
        app._hub.is_listening.clear()
        # The app role may end its own sessions.
        await aside(execute, END_LISTENER)
        await browser.rest()
        await asyncio.wait_for(app._hub.is_listening.wait(), PATIENCE_S)
        later = Browser(app, cookie_of(alice))
        assert await later.started() == 200
        await later.leave()

    run(test)


def test_a_stream_says_what_goes_away_and_is_back(
    alice: Person, parts: list[health.Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.events.hub.PAUSE_S", 0.0)
    monkeypatch.setattr("jobs.events.application.WATCH", health.Watch(count().__next__))
    broker = health.Away(part="broker", message="Jobs wait.")
    away: list[health.Away] = []
    parts.append(health.Part(lambda: away, broker))

    async def test(app: EventsApplication) -> None:
        browser = Browser(app, cookie_of(alice))
        assert b'event: service\ndata: {"away":[]}' in (await browser.chunk() or b"")
        away.append(broker)
        said = b'event: service\ndata: {"away":[{"part":"broker","message":"Jobs wait."}]}\n\n'
        assert await browser.chunk() == said
        later = Browser(app, cookie_of(alice))
        assert said in (await later.chunk() or b"")
        away.clear()
        assert await browser.chunk() == b'event: service\ndata: {"away":[]}\n\n'
        for each in (browser, later):
            await each.leave()

    run(test)


def event(workspace_id: UUID, seq: int, job_id: str = "a") -> JobEvent:
    return JobEvent(
        workspace=str(workspace_id),
        seq=seq,
        id=job_id,
        kind="run",
        state="running",
        progress_fraction=0.0,
        message="",
    )


def test_a_slow_reader_gets_the_latest_of_each_job_in_order() -> None:
    async def test() -> None:
        hub, mine = Hub(""), uuid4()
        with hub.mailbox(mine) as box:
            for seq, job_id in ((1, "a"), (2, "b"), (4, "a"), (3, "a")):
                hub.deliver(event(mine, seq, job_id))
            hub.deliver(event(uuid4(), 5, "c"))
            assert [(e["seq"], e["id"]) for e in await box.take()] == [(2, "b"), (4, "a")]
        assert hub.streams_count == 0

    asyncio.run(test())


def test_a_closed_mailbox_wakes_its_reader() -> None:
    async def test() -> None:
        box = Mailbox()
        box.close()
        assert await box.take() == []
        assert box.is_closed

    asyncio.run(test())
