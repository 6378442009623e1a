"""How much of a process one caller may have at once: so many requests, so much time.

A caller's requests are let in up to a number; of these a few are worked on, the others wait
for them. What they take of the processor is charged to an account that fills up steadily, so
that whoever asks for dear things is slowed down and whoever asks for many cheap ones is not. It
is asked while others are about: who has the process alone takes nothing from anybody.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from common.lately import Lately

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

# Callers that did nothing of late are forgotten above this number.
_CALLERS_KEPT = 1_000


class Refused(Exception):
    """The caller has enough of the process; try again after a while."""

    def __init__(self, wait_s: float) -> None:
        """Say how long."""
        self.wait_s = wait_s
        super().__init__(f"try again in {wait_s:.0f} s")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one caller may have of a process.

    ``inside_max`` requests are let in, ``running_max`` of them are worked on; ``cpu_per_s``
    seconds of the processor flow in each second, and at most ``cpu_saved_s`` are kept; they are
    asked for ``only_beside_others``, or always.
    """

    inside_max: int
    running_max: int
    cpu_per_s: float = 0.7
    cpu_saved_s: float = 20.0
    patience_s: float = 15.0
    only_beside_others: bool = True


@dataclass(slots=True)
class _Caller:
    running: threading.BoundedSemaphore
    cpu_s: float
    seen_s: float
    inside: int = 0


@dataclass(slots=True)
class Pass:
    """One request inside; ``leave`` lets the next one in."""

    gate: Gate
    caller: _Caller
    cpu_started_s: float
    is_open: bool = field(default=True)

    def leave(self) -> None:
        """Make room and charge what was used; again does nothing."""
        if self.is_open:
            self.is_open = False
            self.gate.leave(self.caller, self.gate.cpu_clock() - self.cpu_started_s)


class Gate:
    """Lets callers in, each within the same limits."""

    def __init__(
        self,
        limits: Limits,
        *,
        clock: Callable[[], float] = time.monotonic,
        cpu_clock: Callable[[], float] = time.thread_time,
    ) -> None:
        """Start with nobody inside."""
        self._limits = limits
        self._clock = clock
        self.cpu_clock = cpu_clock
        self._lock = threading.Lock()
        self._callers: dict[Hashable, _Caller] = {}
        self._lately = Lately(clock)

    def enter(self, key: Hashable) -> Pass:
        """Let a request in, as soon as the caller's others leave room for it.

        Raises
        ------
        Refused
            When the caller has too many inside, or has used up its time and others are about.
        """
        with self._lock:
            caller = self._known(key)
            self._lately.note(key)
            is_held_to_time = self._lately.others_than(key) or not self._limits.only_beside_others
            if caller.cpu_s < 0 and is_held_to_time:
                raise Refused(-caller.cpu_s / self._limits.cpu_per_s)
            if caller.inside >= self._limits.inside_max:
                raise Refused(1.0)
            caller.inside += 1
        if not caller.running.acquire(timeout=self._limits.patience_s):
            with self._lock:
                caller.inside -= 1
            raise Refused(1.0)
        return Pass(self, caller, self.cpu_clock())

    def leave(self, caller: _Caller, cpu_s: float) -> None:
        """Let the next one of the caller run."""
        caller.running.release()
        with self._lock:
            caller.inside -= 1
            caller.cpu_s = max(-self._limits.cpu_saved_s, caller.cpu_s - cpu_s)

    def rate_limits(self, key: Hashable) -> dict[str, str]:
        """Return the headers that say what the caller may have, and has left.

        By draft-ietf-httpapi-ratelimit-headers-10: ``q`` is the most, in ms of the processor and
        in requests at once; ``r`` what is left, ``t`` in how many seconds there is room again.
        """
        limits = self._limits
        with self._lock:
            caller = self._known(key)
            left_s, room = caller.cpu_s, limits.inside_max - caller.inside
        refill_s = math.ceil(limits.cpu_saved_s / limits.cpu_per_s)
        wait_s = math.ceil(max(0.0, -left_s) / limits.cpu_per_s)
        return {
            "RateLimit-Policy": f'"computing";q={limits.cpu_saved_s * 1e3:.0f};w={refill_s}, '
            f'"at-once";q={limits.inside_max}',
            "RateLimit": f'"computing";r={max(0.0, left_s) * 1e3:.0f};t={wait_s}, '
            f'"at-once";r={max(0, room)}',
        }

    def _known(self, key: Hashable) -> _Caller:
        now_s, limits = self._clock(), self._limits
        caller = self._callers.get(key)
        if caller is None:
            self._forget_idle()
            running = threading.BoundedSemaphore(limits.running_max)
            caller = self._callers[key] = _Caller(running, limits.cpu_saved_s, now_s)
        flown_s = (now_s - caller.seen_s) * limits.cpu_per_s
        caller.cpu_s = min(limits.cpu_saved_s, caller.cpu_s + flown_s)
        caller.seen_s = now_s
        return caller

    def _forget_idle(self) -> None:
        if len(self._callers) < _CALLERS_KEPT:
            return
        refilled_s = self._clock() - self._limits.cpu_saved_s / self._limits.cpu_per_s
        self._callers = {
            key: one for key, one in self._callers.items() if one.inside or one.seen_s > refilled_s
        }
