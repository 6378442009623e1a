"""Of many threads so many work at once, each with a connection that goes from one to the next."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from common.seats import Seats

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db(transaction=True)


def server_pid() -> bytes:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return str(cursor.fetchone()[0]).encode()


def answered(seats: Seats) -> bytes:
    answer: Any = seats({}, lambda *_: None)
    try:
        return b"".join(answer)
    finally:
        answer.close()


@pytest.fixture
def made() -> Iterator[list[Seats]]:
    """Seats whose connections are closed afterwards."""
    seats: list[Seats] = []
    yield seats
    for one in seats:
        for seat in one.turns.places:
            seat.close()


def test_threads_take_turns_at_one_connection(made: list[Seats]) -> None:
    made.append(Seats(lambda _environ, _start: [server_pid()], 1))
    with ThreadPoolExecutor(8) as pool:
        pids = set(pool.map(answered, made * 40))
    assert len(pids) == 1


def test_who_finds_no_seat_waits_until_an_answer_is_closed(made: list[Seats]) -> None:
    entered, sent = threading.Semaphore(0), threading.Event()

    def own(_environ: Any, _start: Any) -> list[bytes]:
        entered.release()
        return [b"own"]

    seats = Seats(own, 2)
    made.append(seats)

    def slowly() -> None:
        answer: Any = seats({}, lambda *_: None)
        sent.wait(timeout=20)
        answer.close()

    with ThreadPoolExecutor(3) as pool:
        sending = [pool.submit(slowly) for _ in range(2)]
        assert all(entered.acquire(timeout=20) for _ in range(2))
        waiting = pool.submit(answered, seats)
        assert not entered.acquire(blocking=False)
        assert not seats.turns._free
        sent.set()
        assert waiting.result(timeout=20) == b"own"
        for each in sending:
            each.result(timeout=20)
    assert len(seats.turns._free) == 2


def test_a_seat_is_left_by_an_error_too(made: list[Seats]) -> None:
    def broken(_environ: Any, _start: Any) -> list[bytes]:
        raise ValueError("broken")

    seats = Seats(broken, 1)
    made.append(seats)
    with ThreadPoolExecutor(1) as pool:
        for _ in range(3):
            with pytest.raises(ValueError, match="broken"):
                pool.submit(seats, {}, lambda *_: None).result(timeout=20)
    assert len(seats.turns._free) == 1
