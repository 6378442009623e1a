"""Places are given out in turn; nobody has all of them while others are about."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from common import callers, turns
from common.gate import Gate, Limits, Refused
from common.tests.test_gate import Clock
from common.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from concurrent.futures import Future

    from accounts.testing import Person


class Queue:
    """Asks in threads, one after the other, and notes who was served."""

    def __init__(self, doors: Turns[str]) -> None:
        self.doors = doors
        self.served: list[str] = []
        self._pool = ThreadPoolExecutor(30)

    def ask(
        self, name: str, caller: Hashable, cost: float = 0.0, *, is_dear: bool = False
    ) -> Future[None]:
        before = self._waiting()

        def work() -> None:
            with self.doors.place(caller, cost=cost, is_dear=is_dear):
                self.served.append(name)

        asked = self._pool.submit(work)
        while self._waiting() == before and name not in self.served:
            threading.Event().wait(0.001)
        return asked

    def _waiting(self) -> int:
        with self.doors._lock:  # who is served at once is never seen to wait
            return len(self.doors._waiting)

    def end(self) -> list[str]:
        self._pool.shutdown(wait=True)
        return self.served


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def doors(clock: Clock) -> Turns[str]:
    return Turns(["one", "two"], waiting_max=20, clock=clock)


@pytest.mark.decisive
def test_a_neighbours_flood_leaves_a_place_and_the_next_turn(doors: Turns[str]) -> None:
    doors.take("victim")  # is about
    doors.take("flood")
    queue = Queue(doors)
    for number in range(10):
        queue.ask(f"flood {number}", "flood")
    assert queue.served == []
    doors.give_back("one", "victim")
    assert queue.served == []  # the place that is free is not for who has one
    queue.ask("victim", "victim")
    assert queue.served == ["victim"]
    doors.give_back("two", "flood")
    assert len(queue.end()) == 11


def test_of_several_who_wait_each_has_a_turn(doors: Turns[str]) -> None:
    held = [doors.take("x"), doors.take("y")]
    queue = Queue(doors)
    for caller in ("a", "a", "a", "b", "c"):
        queue.ask(f"{caller}{len(doors._waiting)}", caller)
    doors.give_back(held[0], "x")
    served = queue.end()
    assert [name[0] for name in served[:3]] == ["a", "b", "c"]
    assert [name[0] for name in served[3:]] == ["a", "a"]


def test_who_is_alone_has_all_places_and_no_longer_once_another_asks(
    doors: Turns[str], clock: Clock
) -> None:
    places = [doors.take("a"), doors.take("a")]
    for place in places:
        doors.give_back(place, "a")
    doors.give_back(doors.take("b"), "b")
    doors.take("a")
    assert not doors._may(turns._Waiting("a", 0.0, is_dear=False))
    clock.now_s += 11.0
    assert doors._may(turns._Waiting("a", 0.0, is_dear=False))


def test_cheap_questions_pass_dear_ones(doors: Turns[str]) -> None:
    doors.take("a", is_dear=True)
    queue = Queue(doors)
    queue.ask("dear", "a", 9.0, is_dear=True)
    queue.ask("cheap", "a")
    assert queue.served == ["cheap"]
    doors.take("a")
    queue.ask("dear of others", "b", 9.0, is_dear=True)
    queue.ask("half", "a", 1.0)
    assert queue.served == ["cheap"]
    doors.give_back("one", "a", is_dear=True)
    doors.give_back("two", "a")
    served = queue.end()
    assert (served[0], len(served), served[-1]) == ("cheap", 4, "dear")


def test_a_flood_is_refused_and_others_are_not(doors: Turns[str]) -> None:
    held = [doors.take("a"), doors.take("a")]
    queue = Queue(doors)
    for number in range(20):
        queue.ask(str(number), "a")
    with pytest.raises(Refused):
        doors.take("a")
    other = queue.ask("other", "b")
    doors.give_back(held[0], "a")
    other.result()
    assert queue.served == ["other"]
    doors.give_back(held[1], "a")
    assert len(queue.end()) == 21


def test_who_waits_too_long_is_refused_and_forgotten(
    doors: Turns[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PATIENCE_S", 0.0)
    doors.take("a")
    doors.take("a")
    with pytest.raises(Refused):
        doors.take("a")
    assert doors._waiting == []


def test_time_of_the_processor_is_asked_only_beside_others() -> None:
    clock, cpu = Clock(), Clock()
    limits = Limits(inside_max=5, running_max=5, cpu_per_s=1.0, cpu_saved_s=2.0)
    gate = Gate(limits, clock=clock, cpu_clock=cpu)
    dear = gate.enter("a")
    cpu.now_s += 90.0
    dear.leave()
    gate.enter("a").leave()
    gate.enter("b").leave()
    with pytest.raises(Refused) as refused:
        gate.enter("a")
    # what was used while nobody else was about is not owed for ever
    assert refused.value.wait_s == pytest.approx(2.0)


@pytest.fixture
def known() -> Iterator[None]:
    yield
    callers._known.clear()


@pytest.mark.db
@pytest.mark.usefixtures("known")
def test_who_is_signed_in_is_known_by_workspace_not_by_address(alice: Person, bob: Person) -> None:
    session = f"ampacity_session={alice.client.cookies['ampacity_session'].value}"
    asked = {"REMOTE_ADDR": "10.0.0.1", "HTTP_COOKIE": f"a=b; {session}"}
    callers._known.clear()
    assert callers.caller_of(asked) == "10.0.0.1"
    alice.get("tokens")
    assert callers.caller_of(asked) == alice.workspace_id
    assert callers.caller_of({**asked, "HTTP_COOKIE": "ampacity_session=other"}) == "10.0.0.1"
    bob.get("tokens")
    assert callers.caller_of({**asked, "REMOTE_ADDR": "10.0.0.2"}) == alice.workspace_id
