"""So many requests at work at once in a process, whatever number of threads hands others on.

A thread that hands a request on sleeps, and there may be hundreds of them. Who works on a request
of our own takes a seat, and the seat's connection to the database with it: the process never has
more connections than seats. Seats are given out in turn between workspaces (`common.turns`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connections

from common.callers import caller_of
from common.errors import TooMany
from common.gate import Refused
from common.refusals import refused
from common.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper

    from common.refusals import Application

ALIAS = "default"
LEAVE = "ampacity.leave_seat"
# Of one workspace, or address of nobody, so many wait for a seat; above that it is a flood. With
# those who have one they leave threads to others (compose: 120, `./run`: 224).
WAITING_MAX = 80


class Seats:
    """A WSGI application that serves so many requests at a time; the others wait for a seat."""

    def __init__(self, own: Application, count: int) -> None:
        """Make the seats; their connections are opened when they are first needed."""
        self._own = own
        made = [connections.create_connection(ALIAS) for _ in range(count)]
        for connection in made:
            connection.inc_thread_sharing()
        self.turns: Turns[BaseDatabaseWrapper] = Turns(made, waiting_max=WAITING_MAX)

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request from a seat, which is left when the answer is closed."""
        caller = caller_of(environ)
        try:
            connections[ALIAS] = connection = self.turns.take(caller)
        except Refused as flood:
            message = "Too much is asked for at once. Try again in a moment."
            return refused(start, TooMany(message, retry_after_s=round(flood.wait_s)))
        is_seated = True

        def leave() -> None:
            """Give this thread's seat to the next; again does nothing."""
            nonlocal is_seated
            if is_seated:
                is_seated = False
                del connections[ALIAS]
                self.turns.give_back(connection, caller)

        environ[LEAVE] = leave
        try:
            answer = self._own(environ, start)
        except BaseException:
            leave()
            raise
        return _Seated(answer, leave)


def leave_seat(environ: dict[str, Any]) -> None:
    """Let somebody else have the seat of a request that needs the database no more."""
    environ.get(LEAVE, lambda: None)()


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
