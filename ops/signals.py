"""Signals as an exception, so that every way out goes through `finally`."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_is_held = False
_came: int | None = None


class Stopped(BaseException):
    """We were asked to stop."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.signum = signum


def raise_on_signals() -> None:
    """Raise `Stopped` in the main thread on the first Ctrl-C, TERM or HUP; later ones are mute.

    Muting the later ones lets the orderly stop finish: it is bounded in time by itself.
    """
    for each in SIGNALS:
        signal.signal(each, _handle)


def _handle(signum: int, _frame: FrameType | None) -> None:
    global _came  # noqa: PLW0603  # a handler has no other way to leave word
    if _is_held:
        _came = signum
        return
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(signum)


@contextmanager
def signals_held() -> Iterator[None]:
    """Raise `Stopped` at the end of a block instead of within: what it starts is then known.

    For moments only, and the main thread, where alone it is raised; elsewhere nothing is held.
    """
    global _is_held, _came  # noqa: PLW0603  # as above
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _is_held = True
    try:
        yield
    finally:
        _is_held = False
        came, _came = _came, None
        if came is not None:
            _handle(came, None)
