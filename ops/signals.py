"""Signals as an exception, so that every way out goes through `finally`."""

import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """We were asked to stop."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.signum = signum


def raise_on_signals() -> None:
    """Raise `Stopped` in the main thread on the first Ctrl-C, TERM or HUP; later ones are mute.

    Muting the later ones lets the orderly stop finish: it is bounded in time by itself.
    """

    def handle(signum: int, _frame: FrameType | None) -> None:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(signum)

    for each in SIGNALS:
        signal.signal(each, handle)
