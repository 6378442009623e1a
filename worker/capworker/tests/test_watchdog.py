"""When a worker is held to serve, by a clock of the test's own."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from capworker.watchdog import Watchdog

PATIENCE_S = 60.0


@dataclass
class Surroundings:
    """What a watchdog looks at."""

    now_s: float = 0.0
    busy: bool = False
    waiting: int | None = 0
    sent: list[float] = field(default_factory=list)

    def dog(self) -> Watchdog:
        return Watchdog(
            patience_s=PATIENCE_S,
            is_busy=lambda: self.busy,
            waiting_count=lambda: self.waiting,
            send=self.send,
            clock=lambda: self.now_s,
        )

    def send(self) -> None:
        self.sent.append(self.now_s)
        self.waiting = 1


@pytest.mark.decisive
def test_a_canary_that_nobody_takes_ends_the_worker_when_patience_is_over() -> None:
    around = Surroundings()
    dog = around.dog()
    verdicts = []
    for around.now_s in (10.0, 30.0, 60.0, 60.1):
        verdicts.append(dog.serves())
    assert verdicts == [True, True, True, False]
    assert around.sent == [10.0]


def test_a_message_that_is_taken_begins_the_count_anew() -> None:
    around = Surroundings()
    dog = around.dog()
    for around.now_s in (10.0, 50.0, 100.0, 150.0):
        assert dog.serves()
        dog.excuse()
        around.waiting = 0
    assert around.sent == [10.0, 50.0, 100.0, 150.0]


def test_no_message_is_expected_while_all_processes_work_or_the_broker_is_away() -> None:
    around = Surroundings()
    dog = around.dog()
    around.busy = True
    for around.now_s in (50.0, 100.0, 3600.0):
        assert dog.serves()
    around.busy, around.waiting = False, None
    for around.now_s in (3650.0, 3700.0, 7200.0):
        assert dog.serves()
    assert around.sent == []
    around.waiting = 1
    around.now_s = 7261.0
    assert not dog.serves()
