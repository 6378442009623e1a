"""200 people at work, played by one loop that takes next to nothing of the processor.

Each person has a connection and a session of one's own, as a browser has. What people send is put
together beforehand but for the figure that moves, and of an answer only what they need is read:
their browsers' own work is done on their own machines.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench._lib import percentile

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bench.http import Browser

    Act = Callable[[str], Awaitable[None]]
    Prepared = tuple[bytes, bytes, bytes]

SLIDER_S, READ_S, RUN_S = 2.5, 10.0, 60.0
STAGGER_S = 5.0
PATIENCE_S = 60.0
# As many simulations as a page asks for while a slider is held.
WHILE_HELD = 1000
# Stands in a prepared request where the figure goes.
_FIGURE = 987_654_321.125
_HEAD_END = b"\r\n\r\n"
_LENGTH = b"\r\ncontent-length:"


@dataclass
class Seen:
    """What people saw: seconds of each kind of request, and errors.

    ``stretch`` is how many times as long as they would people pause.
    """

    stretch: float = 1.0
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)

    def note(self, kind: str, taken_s: float, error: str | None) -> None:
        """Add one request."""
        self.seconds[kind].append(taken_s)
        if error is not None:
            self.errors.append(error)

    def p95_ms(self, *kinds: str) -> float:
        """95th percentile of these kinds together. [ms]"""
        return percentile([s for kind in kinds for s in self.seconds[kind]], 0.95) * 1000


class Connection(asyncio.Protocol):
    """One kept connection: a request after the other, each until its answer's last byte."""

    def __init__(self) -> None:
        """Not connected yet."""
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[bytes] | None = None
        self._parts: list[bytes] = []
        self._missing = -1

    @property
    def is_open(self) -> bool:
        """Whether the other side has not closed it."""
        return self._transport is not None and not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what to write to."""
        self._transport = transport  # type: ignore[assignment] # a socket's

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell who waits."""
        self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError("closed in mid-answer"))

    async def ask(self, request: bytes) -> bytes:
        """Send a request; return the whole answer, its head included."""
        if self._transport is None:
            raise ConnectionResetError("not connected")
        self._parts, self._missing = [], -1
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        """Count what is missing still."""
        self._parts.append(data)
        if self._missing < 0:
            data = b"".join(self._parts)
            head = data.find(_HEAD_END)
            if head < 0:
                return
            place = data[:head].lower().find(_LENGTH) + len(_LENGTH)
            length = int(data[place : data.find(b"\r", place)])
            self._missing = head + len(_HEAD_END) + length - len(data)
        else:
            self._missing -= len(data)
        if self._missing <= 0 and self._answer is not None and not self._answer.done():
            self._answer.set_result(b"".join(self._parts))


class Person:
    """Somebody who looks at lists and studies, moves sliders and starts runs."""

    def __init__(self, browser: Browser, seen: Seen, dice: random.Random) -> None:
        """Sit down with a session."""
        self._browser, self._seen, self._dice = browser, seen, dice
        self._connection = Connection()
        self._moves: dict[str, Prepared] = {}
        self._step = dice.randrange(1000)
        params = {"electricity_usd_per_kwh": _FIGURE}
        self._start = self._prepared("/runs", {"model": "cost.owned_vs_cloud", "params": params})

    async def work(self, until_s: float) -> None:
        """Do what people do until the time is up."""
        await asyncio.sleep(self._dice.random() * STAGGER_S)
        ids = await self._list()
        acts: list[tuple[Act, float]]
        paces = ((self._move, SLIDER_S), (self._read, READ_S), (self._run, RUN_S))
        acts = [(act, every_s * self._seen.stretch) for act, every_s in paces]
        due_s = [0.0, *(self._dice.random() * every_s for _act, every_s in acts[1:])]
        started_s = time.monotonic()
        while ids and time.monotonic() < until_s:
            place = due_s.index(min(due_s))
            act, every_s = acts[place]
            await asyncio.sleep(max(0.0, started_s + due_s[place] - time.monotonic()))
            await act(self._dice.choice(ids))
            due_s[place] = max(due_s[place] + every_s, time.monotonic() - started_s)

    async def _list(self) -> list[str]:
        """Open the list of studies."""
        page = await self._get("list", "/studies")
        return [card["id"] for card in json.loads(page)["results"]] if page else []

    async def _read(self, study: str) -> None:
        """Open the list, then a study."""
        await self._get("list", "/studies")
        await self._get("study", f"/studies/{study}")

    async def _move(self, study: str) -> None:
        """Move a slider of a study."""
        if study not in self._moves:
            found = await self._get("study", f"/studies/{study}/document")
            if not found:
                return
            document = {**json.loads(found), "draws_count": WHILE_HELD}
            assumptions = {**document.get("assumptions", {}), "staff_usd_per_fte_year": _FIGURE}
            body = {"model": "plans.compare", "params": {**document, "assumptions": assumptions}}
            self._moves[study] = self._prepared(
                "/evaluate?include=designs,break_evens,odds,rows", body
            )
        self._step += 1
        pay_usd = 100_000.0 + 1000.0 * self._dice.randrange(100) + self._step
        await self._send("evaluate", self._moves[study], pay_usd)

    async def _run(self, _study: str) -> None:
        """Start a run that nobody started before."""
        await self._send("run", self._start, 0.05 + self._dice.random() / 10)

    def _prepared(self, path: str, body: object) -> Prepared:
        """All of a request but a figure and the length."""
        before, after = json.dumps(body).encode().split(str(_FIGURE).encode())
        return self._browser.head("POST", path), before, after

    async def _send(self, kind: str, prepared: Prepared, figure: float) -> None:
        head, before, after = prepared
        body = b"%b%b%b" % (before, repr(figure).encode(), after)
        await self._ask(kind, b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body))

    async def _get(self, kind: str, path: str) -> bytes:
        return await self._ask(kind, self._browser.head("GET", path) + b"\r\n")

    async def _ask(self, kind: str, request: bytes) -> bytes:
        """Ask, note how long it took, and return the body; nothing for an error."""
        started_s = time.perf_counter()
        try:
            if not self._connection.is_open:
                self._connection = await connected(self._browser.address)
            answer = await asyncio.wait_for(self._connection.ask(request), PATIENCE_S)
        except OSError as exc:
            answer = b"HTTP/1.1 000 " + repr(exc).encode()
        good = answer.startswith(b"HTTP/1.1 2")
        error = None if good else repr(request[:60] + b" gave " + answer[-300:])
        self._seen.note(kind, time.perf_counter() - started_s, error)
        return answer.partition(_HEAD_END)[2] if good else b""


async def connected(address: str) -> Connection:
    """A new connection."""
    host, _, port = address.partition(":")
    loop = asyncio.get_running_loop()
    _transport, connection = await loop.create_connection(Connection, host, int(port))
    return connection


async def play(browsers: Sequence[Browser], seen: Seen, until_s: float) -> None:
    """Have so many people at work until the time is up."""
    people = [Person(one, seen, random.Random(place)) for place, one in enumerate(browsers)]
    await asyncio.gather(*(person.work(until_s) for person in people))
