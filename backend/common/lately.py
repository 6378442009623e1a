"""Who else is about: only then is there anybody to be fair to."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

# Who asked within this time may come again.
ABOUT_S = 10.0


class Lately:
    """Which callers asked in the last seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Know nobody."""
        self._clock = clock
        self._asked_s: OrderedDict[Hashable, float] = OrderedDict()

    def note(self, caller: Hashable) -> None:
        """Say that somebody asks now."""
        self._asked_s[caller] = now_s = self._clock()
        self._asked_s.move_to_end(caller)
        while now_s - next(iter(self._asked_s.values())) > ABOUT_S:
            self._asked_s.popitem(last=False)

    def others_than(self, caller: Hashable) -> bool:
        """Whether anybody else asked."""
        since_s = self._clock() - ABOUT_S
        latest = reversed(self._asked_s.items())
        return any(one != caller and asked_s >= since_s for one, asked_s in latest)
