"""One workspace, or one address of nobody, may have so much of a process and no more."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle

from common import callers
from common.gate import Gate, Limits, Refused
from common.http import client_address
from common.principal import Principal

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from django.http import HttpRequest
    from rest_framework.request import Request

# However many connections one opens: half of the seats stay for others (`common.seats`), and
# instant answers have turns of their own.
USUAL = Gate(
    Limits(inside_max=1_000, running_max=1_000)
    if settings.ANSWERS_ONLY
    else Limits(inside_max=settings.WEB_THREADS, running_max=2)
)
# Until a token is known to be one, whoever shows it is nobody at an address. What looking it up
# takes is charged there: guesses slow down who guesses, and an office behind one address is let in.
STRANGERS = Gate(
    Limits(inside_max=max(2, settings.WEB_THREADS // 2), running_max=4, only_beside_others=False)
)
# An upload lasts minutes and costs little.
UPLOADS = Gate(Limits(inside_max=3, running_max=3))

# Who waits for a process beside this one keeps nobody from its processor.
_HALF = max(2, settings.WEB_THREADS // 2)
WAITING = Gate(Limits(inside_max=_HALF, running_max=_HALF))


@contextmanager
def as_nobody(request: HttpRequest) -> Iterator[None]:
    """Find out who asks, within what the address may have of this process.

    A token that was one a moment ago is nobody's guess.

    Raises
    ------
    Throttled
        When it has enough.
    """
    if callers.workspace_of(request.META) is not None:
        yield
        return
    try:
        held = STRANGERS.enter(client_address(request))
    except Refused as refused:
        raise Throttled(wait=refused.wait_s) from refused
    try:
        yield
    finally:
        held.leave()


class FairShare(BaseThrottle):
    """Lets a request through the gate of its view; the middleware ``let_go`` ends its pass."""

    def __init__(self) -> None:
        """Not refused yet."""
        self._wait_s = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Say whether the caller has room; wait a little for one of its other requests."""
        is_upload = request.method in {"POST", "PUT"} and getattr(view, "is_upload", False)
        gate = UPLOADS if is_upload else WAITING if getattr(view, "is_done_apart", False) else USUAL
        principal: Any = request.auth
        if isinstance(principal, Principal):
            key: Hashable = principal.workspace_id
            callers.note(request._request.META, principal.workspace_id)
        else:
            key = client_address(request._request)
        asked: Any = request._request  # for let_go
        asked.rate_limits = partial(gate.rate_limits, key)
        try:
            asked.gate_pass = gate.enter(key)
        except Refused as refused:
            self._wait_s = refused.wait_s
            return False
        return True

    def wait(self) -> float:
        """Return when to try again. [s]"""
        return self._wait_s
