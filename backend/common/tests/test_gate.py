"""One caller may have so much of a process, and no more; others do not feel it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from common import gate, throttling
from common.gate import Gate, Limits, Refused

if TYPE_CHECKING:
    from accounts.testing import Person


@dataclass
class Clock:
    now_s: float = 0.0

    def __call__(self) -> float:
        return self.now_s


def refused_s(doors: Gate, key: str) -> float:
    with pytest.raises(Refused) as refused:
        doors.enter(key)
    return refused.value.wait_s


@pytest.mark.decisive
def test_more_than_so_many_are_refused_and_others_are_let_in() -> None:
    doors = Gate(Limits(inside_max=2, running_max=2))
    first, _second = doors.enter("a"), doors.enter("a")
    assert refused_s(doors, "a") == 1.0
    doors.enter("b")
    first.leave()
    first.leave()
    doors.enter("a")
    assert refused_s(doors, "a") == 1.0


def test_the_next_one_runs_when_one_leaves() -> None:
    doors = Gate(Limits(inside_max=2, running_max=1))
    first = doors.enter("a")
    ran: list[str] = []

    def second() -> None:
        doors.enter("a")
        ran.append("second")

    waiting = threading.Thread(target=second)
    waiting.start()
    assert not ran
    first.leave()
    waiting.join(timeout=10)
    assert ran == ["second"]


def test_who_waits_too_long_is_refused() -> None:
    doors = Gate(Limits(inside_max=2, running_max=1, patience_s=0.0))
    doors.enter("a")
    assert refused_s(doors, "a") == 1.0
    assert refused_s(doors, "a") == 1.0


def test_time_that_was_used_has_to_flow_in_again() -> None:
    clock, cpu = Clock(), Clock()
    limits = Limits(inside_max=5, running_max=5, cpu_per_s=0.5, cpu_saved_s=2.0)
    doors = Gate(limits, clock=clock, cpu_clock=cpu)
    doors.enter("somebody else")
    dear = doors.enter("a")
    cpu.now_s += 3.0
    dear.leave()
    assert refused_s(doors, "a") == pytest.approx(2.0)
    clock.now_s += 1.0
    assert refused_s(doors, "a") == pytest.approx(1.0)
    doors.enter("b")
    clock.now_s += 1.5
    doors.enter("a").leave()


def test_no_more_is_saved_than_may_be() -> None:
    clock, cpu = Clock(), Clock()
    doors = Gate(Limits(inside_max=5, running_max=5, cpu_saved_s=2.0), clock=clock, cpu_clock=cpu)
    doors.enter("a").leave()
    clock.now_s += 1e6
    doors.enter("somebody else")
    dear = doors.enter("a")
    cpu.now_s += 2.5
    dear.leave()
    assert refused_s(doors, "a") > 0


def test_callers_of_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_CALLERS_KEPT", 10)
    clock = Clock()
    doors = Gate(Limits(inside_max=1, running_max=1), clock=clock)
    doors.enter("stays")
    for number in range(50):
        clock.now_s += 10.0
        doors.enter(number).leave()
    assert len(doors._callers) <= 10
    assert "stays" in doors._callers


def test_what_a_caller_has_left_is_named() -> None:
    clock, cpu = Clock(), Clock()
    limits = Limits(inside_max=3, running_max=3, cpu_per_s=0.5, cpu_saved_s=2.0)
    doors = Gate(limits, clock=clock, cpu_clock=cpu)
    dear, _beside = doors.enter("a"), doors.enter("a")
    cpu.now_s += 3.25
    dear.leave()
    assert doors.rate_limits("a") == {
        "RateLimit-Policy": '"computing";q=2000;w=4, "at-once";q=3',
        "RateLimit": '"computing";r=0;t=3, "at-once";r=2',
    }
    clock.now_s += 3.5
    assert doors.rate_limits("a")["RateLimit"] == '"computing";r=500;t=0, "at-once";r=2'


@pytest.mark.db
def test_a_workspace_that_asks_for_too_much_is_told_when_to_come_again(
    alice: Person, bob: Person, charlie: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    doors = Gate(Limits(inside_max=1, running_max=1))
    monkeypatch.setattr(throttling, "USUAL", doors)
    held = doors.enter(alice.workspace_id)
    for member in (alice, bob):
        answer = member.get("tokens")
        assert answer.status_code == answer.json()["status"] == 429
        assert answer["Retry-After"] == "1"
        assert answer["RateLimit"].endswith('"at-once";r=0')
    fresh = charlie.get("tokens")
    assert fresh.status_code == 200
    assert fresh["RateLimit"].endswith('"at-once";r=1')
    assert fresh["RateLimit-Policy"].endswith('"at-once";q=1')
    held.leave()
    assert alice.get("tokens").status_code == 200
    assert alice.get("tokens?wrong=1").status_code == 422
    assert bob.get("tokens").status_code == 200


@pytest.mark.db
def test_nobody_is_held_to_their_address(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    doors = Gate(Limits(inside_max=1, running_max=1))
    monkeypatch.setattr(throttling, "USUAL", doors)
    doors.enter("127.0.0.1")
    assert alice.post("session", {"code": "x"}).status_code == 429
    assert alice.get("tokens").status_code == 200


@pytest.mark.db
def test_a_token_is_looked_up_within_the_share_of_its_address(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, cpu = Clock(), Clock()
    limits = Limits(
        inside_max=2, running_max=2, cpu_per_s=1.0, cpu_saved_s=2.0, only_beside_others=False
    )
    doors = Gate(limits, clock=clock, cpu_clock=cpu)
    monkeypatch.setattr(throttling, "STRANGERS", doors)
    guess = {"Authorization": "Bearer amp_wrong"}
    assert alice.client.get("/api/v1/tokens", headers=guess).status_code == 401
    guesses = doors.enter("127.0.0.1")
    cpu.now_s += 3.0
    guesses.leave()
    answer = alice.client.get("/api/v1/tokens", headers=guess)
    assert (answer.status_code, answer["Retry-After"]) == (429, "1")
    # A session is known without.
    assert alice.get("tokens").status_code == 200
    clock.now_s += 2.5
    assert alice.client.get("/api/v1/tokens", headers=guess).status_code == 401
