"""Instant answers of a process take turns; a dear one holds no other up."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from capmodels.cost.owned_vs_cloud import SPEC
from runs.evaluation import DEAR_POINTS, evaluate_now

FEW, MANY = 1, DEAR_POINTS
# None of these waits is waited out where turns are taken as they should be.
PATIENCE_S = 30.0


def asked(points: int, run: Any) -> None:
    spec: Any = replace(SPEC, points=lambda _params: points, point_limit=MANY, run=run)
    evaluate_now(spec, {})


@pytest.mark.parametrize("points", [FEW, MANY])
def test_no_two_of_a_kind_compute_at_once(points: int) -> None:
    at_work: list[int] = []
    most: list[int] = []
    answer = SPEC.run(SPEC.params(), None)  # type: ignore[arg-type]  # needs no context

    def run(*_args: Any) -> Any:
        at_work.append(1)
        for _ in range(100):
            time.sleep(0)  # lets the other threads run
        most.append(len(at_work))
        at_work.pop()
        return answer

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _each: asked(points, run), range(20)))
    assert (len(most), max(most)) == (20, 1)


def test_a_dear_answer_lets_the_others_pass() -> None:
    answer = SPEC.run(SPEC.params(), None)  # type: ignore[arg-type]  # needs no context
    begun, passed = Event(), Event()

    def dear(*_args: Any) -> Any:
        begun.set()
        assert passed.wait(PATIENCE_S)
        return answer

    with ThreadPoolExecutor(1) as pool:
        waited_for = pool.submit(asked, MANY, dear)
        assert begun.wait(PATIENCE_S)
        asked(FEW, lambda *_args: answer)
        passed.set()
        waited_for.result()
