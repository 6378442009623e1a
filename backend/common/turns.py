"""So many places to work at; whoever waits for one gets it in turn, caller by caller.

A caller is a workspace, however many sessions and connections it has. While others are about,
nobody has more than half of the places, so that who comes next finds one free; alone one has them
all. Dear work never takes the last place: what is cheap passes it.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from common.gate import Refused
from common.lately import Lately

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

Place = TypeVar("Place")
PATIENCE_S = 60.0


@dataclass(slots=True, eq=False)
class _Waiting:
    caller: Hashable
    cost: float
    is_dear: bool
    has_place: threading.Event = field(default_factory=threading.Event)
    place: int = -1


class Turns(Generic[Place]):
    """Places that are given out in turn."""

    def __init__(
        self,
        places: Sequence[Place],
        *,
        waiting_max: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with all places free; of one caller so many may wait.

        Cheap work takes the first place that is free, dear work the last.
        """
        self.places = places
        self._free = list(range(len(places)))
        self._most = len(places)
        self._waiting_max = waiting_max
        self._lock = threading.Lock()
        self._lately = Lately(clock)
        self._waiting: list[_Waiting] = []
        self._held: Counter[Hashable] = Counter()
        self._dear = 0
        # who was served last is at the end; of who is not there nobody is waiting
        self._served: OrderedDict[Hashable, int] = OrderedDict()
        self._count = 0

    @contextmanager
    def place(
        self, caller: Hashable, *, cost: float = 0.0, is_dear: bool = False
    ) -> Iterator[Place]:
        """Have a place, after those whose turn is before; of one caller what is cheap is first.

        Raises
        ------
        Refused
            When too many of the caller wait, or no place became free in a minute.
        """
        one = self.take(caller, cost=cost, is_dear=is_dear)
        try:
            yield one
        finally:
            self.give_back(one, caller, is_dear=is_dear)

    def take(self, caller: Hashable, *, cost: float = 0.0, is_dear: bool = False) -> Place:
        """Wait for a place, which is to be given back."""
        mine: _Waiting = _Waiting(caller, cost, is_dear)
        with self._lock:
            if sum(one.caller == caller for one in self._waiting) >= self._waiting_max:
                raise Refused(1.0)
            self._lately.note(caller)
            self._waiting.append(mine)
            self._serve()
        if not mine.has_place.wait(PATIENCE_S):
            with self._lock:
                if mine.place < 0:
                    self._waiting.remove(mine)
                    raise Refused(1.0)
        return self.places[mine.place]

    def give_back(self, place: Place, caller: Hashable, *, is_dear: bool = False) -> None:
        """Let the next one have it."""
        with self._lock:
            self._free.append(self.places.index(place))
            self._held[caller] -= 1
            if not self._held[caller]:
                del self._held[caller]
            self._dear -= is_dear
            self._serve()

    def _serve(self) -> None:
        """Give free places to those whose turn it is."""
        while self._free and (ready := [one for one in self._waiting if self._may(one)]):
            one = min(
                ready,
                key=lambda one: (
                    self._held[one.caller],
                    self._served.get(one.caller, 0),
                    one.cost,
                ),
            )
            self._waiting.remove(one)
            self._held[one.caller] += 1
            self._dear += one.is_dear
            self._count += 1
            self._served[one.caller] = self._count
            self._served.move_to_end(one.caller)
            if len(self._served) > 1_000:
                self._served.popitem(last=False)
            one.place = max(self._free) if one.is_dear else min(self._free)
            self._free.remove(one.place)
            one.has_place.set()

    def _may(self, one: _Waiting) -> bool:
        half = max(1, self._most // 2)
        most = half if self._lately.others_than(one.caller) else self._most
        is_crowded = one.is_dear and self._dear >= max(1, self._most - 1)
        return self._held[one.caller] < most and not is_crowded
