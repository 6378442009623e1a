"""So many requests at work at once in a process, whatever number of threads hands others on.

A thread that hands a request on sleeps, and there may be hundreds of them. Who works on a request
of our own takes a seat, and the seat's connection to the database with it: the process never has
more connections than seats.
"""

from __future__ import annotations

from queue import LifoQueue
from typing import TYPE_CHECKING, Any

from django.db import connections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper

    from common.forwarding import Application

ALIAS = "default"


class Seats:
    """A WSGI application that serves so many requests at a time; the others wait for a seat."""

    def __init__(self, own: Application, count: int) -> None:
        """Make the seats; their connections are opened when they are first needed."""
        self._own = own
        # the seat left last is taken first: its connection is open
        self._free: LifoQueue[BaseDatabaseWrapper] = LifoQueue()
        for _ in range(count):
            connection = connections.create_connection(ALIAS)
            connection.inc_thread_sharing()
            self._free.put(connection)

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request from a seat, which is left when the answer is closed."""
        connections[ALIAS] = self._free.get()
        try:
            answer = self._own(environ, start)
        except BaseException:
            self._leave()
            raise
        return _Seated(answer, self._leave)

    def _leave(self) -> None:
        """Give this thread's seat to the next."""
        connection = connections[ALIAS]
        del connections[ALIAS]
        self._free.put(connection)


class _Seated:
    """An answer being sent, after which its seat is free."""

    def __init__(self, answer: Iterable[bytes], leave: Callable[[], None]) -> None:
        self._answer, self._leave = answer, leave

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._answer)

    def close(self) -> None:
        """Close the answer, which ends its work with the database, and leave."""
        try:
            if hasattr(self._answer, "close"):
                self._answer.close()
        finally:
            self._leave()
