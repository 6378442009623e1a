"""The ASGI application: one stream per browser, closed after 25 s, resumed by Last-Event-ID."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection, connections

from common.errors import (
    ApplicationError,
    Forbidden,
    NotFound,
    NotSignedIn,
    TooMany,
    Unavailable,
)
from common.health import WATCH, Away
from common.problems import PROBLEM_TYPE, problem_of
from common.renderers import dumps
from jobs.events import numbers, opening
from jobs.events.hub import PAUSE_S, Hub, JobEvent, Mailbox

STREAM_S = 25.0
RETRY_MS = 500
PATH = "/events"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
T = TypeVar("T")
# After a start, or while the database is away.
SOON = {"Retry-After": "1"}

logger = logging.getLogger(__name__)


class EventsApplication:
    """Serves ``GET /events`` to signed-in browsers of the web's own origin."""

    def __init__(self, *, stream_s: float = STREAM_S) -> None:
        """Prepare; the lifespan starts listening."""
        self._stream_s = stream_s
        self._origin = "{0.scheme}://{0.netloc}".format(urlsplit(settings.WEB_URL))
        # Database calls run one after the other in one thread with one connection.
        self._thread = ThreadPoolExecutor(max_workers=1)
        # What is away is asked in another: a database that hangs holds up that one alone.
        self._asking = ThreadPoolExecutor(max_workers=1)
        self._asked: asyncio.Future[list[Away]] | None = None
        self._hub: Hub | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._streams: Counter[UUID] = Counter()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one connection."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def start(self) -> None:
        """Start to listen, and to watch what is away."""
        self._hub = Hub(_conninfo())
        self._tasks = [
            asyncio.create_task(self._hub.listen()),
            asyncio.create_task(self._hub.watch(self._away)),
        ]

    async def stop(self) -> None:
        """Stop both."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for thread in (self._thread, self._asking):
            await asyncio.get_running_loop().run_in_executor(thread, connections.close_all)
            thread.shutdown()

    async def _away(self) -> list[Away]:
        if self._asked is None or self._asked.done():
            loop = asyncio.get_running_loop()
            self._asked = loop.run_in_executor(self._asking, WATCH.away)
        answered, _ = await asyncio.wait({self._asked}, timeout=PAUSE_S)
        # While that waits for an answer, this says at once for whose.
        return self._asked.result() if answered else WATCH.away()

    async def _http(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        cors = self._cors(headers.get("origin"))
        try:
            if scope["path"] == "/healthz":
                await _answer(send, 200, b'{"ok":true}', [])
            elif scope["method"] == "OPTIONS":
                await _answer(send, 204, b"", cors)
            else:
                await self._stream(scope, headers, receive, send)
        except ApplicationError as error:
            await _refuse(send, error, cors)
        except DatabaseError:
            logger.exception("a stream could not start")
            await _refuse(send, Unavailable("The database does not answer.", headers=SOON), cors)

    async def _stream(
        self,
        scope: MutableMapping[str, Any],
        headers: dict[str, str],
        receive: Receive,
        send: Send,
    ) -> None:
        hub = self._require_ready(scope, headers)
        caller = await self._in_thread(
            opening.caller_of, headers.get("cookie", ""), headers.get("authorization", "")
        )
        if caller is None:
            raise NotSignedIn
        with self._room_for(caller.user_id), hub.mailbox(caller.workspace_id) as box:
            last = headers.get("last-event-id", "")
            start = await self._in_thread(_start_of, caller.workspace_id, last)
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [
                        (b"content-type", b"text/event-stream"),
                        (b"cache-control", b"no-store"),
                        (b"x-accel-buffering", b"no"),
                        *self._cors(headers.get("origin")),
                    ],
                }
            )
            await _write(send, _service_block(away := hub.away) + start)
            await self._follow(hub, away, box, receive, send)
        await send({"type": "http.response.body", "body": b""})

    @contextmanager
    def _room_for(self, user_id: UUID) -> Iterator[None]:
        """Count a person's streams: one person must not take them all."""
        if self._streams[user_id] >= settings.EVENTS_STREAMS_PER_USER:
            message = "You have too many streams open; ask for the job itself."
            raise TooMany(message, retry_after_s=int(STREAM_S))
        self._streams[user_id] += 1
        try:
            yield
        finally:
            self._streams[user_id] -= 1
            if not self._streams[user_id]:
                del self._streams[user_id]

    def _require_ready(self, scope: MutableMapping[str, Any], headers: dict[str, str]) -> Hub:
        if scope["path"] != PATH or scope["method"] != "GET":
            raise NotFound
        origin = headers.get("origin")
        if origin is not None and origin != self._origin:
            raise Forbidden("Events are for the pages of this site only.")
        hub = self._hub
        if hub is None or not hub.is_listening.is_set():
            raise Unavailable("Events are not at hand yet; ask for the job itself.", headers=SOON)
        if hub.streams_count >= settings.EVENTS_STREAMS_MAX:
            raise Unavailable(
                "Too many streams are open; ask for the job itself.", headers={"Retry-After": "30"}
            )
        return hub

    async def _follow(
        self, hub: Hub, away: list[Away], box: Mailbox, receive: Receive, send: Send
    ) -> None:
        """Pass events on until the time is up, the browser leaves or the hub lost track."""
        gone = asyncio.ensure_future(_left(receive))
        deadline = asyncio.get_running_loop().time() + self._stream_s
        try:
            while not box.is_closed:
                left_s = deadline - asyncio.get_running_loop().time()
                news = asyncio.ensure_future(box.take())
                done, _ = await asyncio.wait(
                    {news, gone}, timeout=max(0.0, left_s), return_when=asyncio.FIRST_COMPLETED
                )
                if news not in done:
                    news.cancel()
                    return
                await _write(send, b"".join(map(_block, news.result())))
                if away is not hub.away:
                    away = hub.away
                    await _write(send, _service_block(away))
        finally:
            gone.cancel()

    def _cors(self, origin: str | None) -> list[tuple[bytes, bytes]]:
        if origin != self._origin:
            return [(b"vary", b"Origin")]
        return [
            (b"vary", b"Origin"),
            (b"access-control-allow-origin", self._origin.encode()),
            (b"access-control-allow-credentials", b"true"),
            (b"access-control-allow-headers", b"Last-Event-ID, Cache-Control"),
            (b"access-control-allow-methods", b"GET"),
        ]

    async def _in_thread(self, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *args)


def _start_of(workspace_id: UUID, last: str) -> bytes:
    """Return how a stream begins: with what was missed, or with the number to resume from."""
    retry = f"retry: {RETRY_MS}\n\n".encode()
    now = opening.seq_now()
    if last.isascii() and last.isdigit() and len(last) <= numbers.DIGITS_MAX:
        seq = numbers.inside(int(last), workspace_id)
        # A number that nobody was told is one of the far future, almost surely.
        if seq <= now:
            missed: Iterable[JobEvent] = opening.missed_since(workspace_id, seq)
            return retry + b"".join(map(_block, missed))
    return retry + f"id: {numbers.outside(now, workspace_id)}\n\n".encode()


def _block(event: JobEvent) -> bytes:
    data = {key: value for key, value in event.items() if key not in {"workspace", "seq"}}
    number = numbers.outside(event["seq"], UUID(event["workspace"]))
    return b"id: %d\nevent: job\ndata: %s\n\n" % (number, dumps(data))


def _service_block(away: list[Away]) -> bytes:
    return b"event: service\ndata: %s\n\n" % dumps({"away": away})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write(send: Send, body: bytes) -> None:
    if body:
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def _refuse(send: Send, error: ApplicationError, cors: list[tuple[bytes, bytes]]) -> None:
    extra = [(name.encode(), value.encode()) for name, value in error.headers.items()]
    content = (b"content-type", PROBLEM_TYPE.encode())
    await _answer(send, error.status, dumps(problem_of(error)), [content, *cors, *extra])


async def _answer(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _conninfo() -> str:
    """Return what the web's own connection uses, in libpq's words."""
    from psycopg.conninfo import make_conninfo

    parameters = connection.get_connection_params()
    known = {
        key: value
        for key, value in parameters.items()
        if key in {"dbname", "user", "password", "host", "port", "sslmode", "sslrootcert"}
    }
    return make_conninfo(**known)
