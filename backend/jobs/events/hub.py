"""Asks for the changes of jobs, once for the process, and has a mailbox for each stream."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict, deque
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypedDict, cast
from uuid import UUID

import psycopg
from django.utils.timezone import now
from psycopg.rows import dict_row

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from datetime import datetime

    from common.health import Away

# Between two looks while nobody listens, and between two attempts to connect.
PAUSE_S = 1.0
# Between two looks, while anybody listens.
LOOK_S = 0.1
# How long a transaction that changes a job may take for its event to be seen at once: numbers are
# given before the commit, so that a lower one may appear after a higher one.
OPEN = timedelta(seconds=10)
JUST = timedelta(minutes=1)
CHANGED = "SELECT * FROM jobs_changed(%s, %s, %s)"
LATEST = "SELECT last_value FROM jobs_event_seq"

logger = logging.getLogger(__name__)


class JobEvent(TypedDict):
    """What a change of a job is told as."""

    workspace: str
    seq: int
    id: str
    kind: str
    state: str
    progress_fraction: float
    message: str


class Mailbox:
    """The latest event of each job, for one stream: a slow reader misses steps, not ends."""

    def __init__(self) -> None:
        """Start empty and open."""
        self._events: dict[str, JobEvent] = {}
        self._news = asyncio.Event()
        self.is_closed = False

    def put(self, event: JobEvent) -> None:
        """Keep the event unless a later one of its job is here."""
        known = self._events.get(event["id"])
        if known is None or known["seq"] < event["seq"]:
            self._events[event["id"]] = event
            self._news.set()

    def wake(self) -> None:
        """Have the stream look whether something else is news."""
        self._news.set()

    def close(self) -> None:
        """Let the stream end: events may have been missed."""
        self.is_closed = True
        self._news.set()

    async def take(self) -> list[JobEvent]:
        """Wait for news and return it in order; nothing when the mailbox was closed."""
        await self._news.wait()
        self._news.clear()
        events = sorted(self._events.values(), key=lambda event: event["seq"])
        self._events.clear()
        return events


class Hub:
    """Hands each change of a job to the streams of its workspace."""

    def __init__(self, conninfo: str) -> None:
        """Prepare; ``listen`` connects."""
        self._conninfo = conninfo
        # The latest numbers of the last seconds, with when they were looked up.
        self._latest: deque[tuple[datetime, int]] = deque()
        self._seen: dict[str, int] = {}
        self._mailboxes: dict[UUID, set[Mailbox]] = defaultdict(set)
        self.is_listening = asyncio.Event()
        self.away: list[Away] = []

    @property
    def streams_count(self) -> int:
        """Return how many streams are open."""
        return sum(len(boxes) for boxes in self._mailboxes.values())

    @contextmanager
    def mailbox(self, workspace_id: UUID) -> Iterator[Mailbox]:
        """Open a mailbox for a workspace's events."""
        box = Mailbox()
        self._mailboxes[workspace_id].add(box)
        try:
            yield box
        finally:
            self._mailboxes[workspace_id].discard(box)
            if not self._mailboxes[workspace_id]:
                del self._mailboxes[workspace_id]

    async def listen(self) -> None:
        """Look for ever; when the connection is lost, close all streams and connect anew.

        A browser whose stream was closed resumes with the last event that it saw.
        """
        while True:
            try:
                await self._listen_once()
            except psycopg.OperationalError as exc:
                logger.warning("not listening: %s", exc)
            self.is_listening.clear()
            for boxes in list(self._mailboxes.values()):
                for box in list(boxes):
                    box.close()
            await asyncio.sleep(PAUSE_S)

    async def _listen_once(self) -> None:
        connection = await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, row_factory=dict_row, prepare_threshold=None
        )
        async with connection:
            self._latest.clear()
            while True:
                await self._look(connection)
                self.is_listening.set()
                await asyncio.sleep(LOOK_S if self._mailboxes else PAUSE_S)

    async def _look(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Hand out what changed since the last look; a change may be handed out again."""
        at = now()
        (latest,) = await (await connection.execute(LATEST)).fetchall()
        self._latest.append((at, latest["last_value"]))
        while len(self._latest) > 1 and self._latest[1][0] <= at - OPEN:
            self._latest.popleft()
        if not self._mailboxes:
            return
        asked = list(self._mailboxes), self._latest[0][1], at - JUST
        rows = await (await connection.execute(CHANGED, asked)).fetchall()
        seen, self._seen = self._seen, {}
        for row in reversed(rows):
            event = cast("JobEvent", row | {name: str(row[name]) for name in ("workspace", "id")})
            self._seen[event["id"]] = event["seq"]
            if seen.get(event["id"], -1) < event["seq"]:
                self.deliver(event)

    async def watch(self, ask: Callable[[], Awaitable[list[Away]]]) -> None:
        """Tell all streams when a part of the service goes away or is back, while there are any."""
        while True:
            if self._mailboxes and (away := await ask()) != self.away:
                self.away = away
                for boxes in list(self._mailboxes.values()):
                    for box in list(boxes):
                        box.wake()
            await asyncio.sleep(PAUSE_S)

    def deliver(self, event: JobEvent) -> None:
        """Put an event into the mailboxes of its workspace."""
        for box in self._mailboxes.get(UUID(event["workspace"]), ()):
            box.put(event)
