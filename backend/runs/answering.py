"""Instant answers in turn between workspaces, each by a process that does one at a time.

What serves HTTP only waits: it knows whose turn it is, and no answer takes its processor. Where
`use_processes` was not called, as in tests, this process answers by itself.
"""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, TypeVar

from prometheus_client import Histogram

from capmodels.papers import checks_in, run_of
from capmodels.registry import get_model
from common.errors import TooMany, Unavailable
from common.gate import Refused
from common.metrics import BUCKETS_S
from common.renderers import dumps
from common.turns import Turns
from runs.evaluation import checks_of, evaluate_now
from studies.checking import Verdict, verdict_in

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from capmodels.papers import Paper
    from capmodels.spec import JSONDict
    from runs.drawing import Asked

T = TypeVar("T")
SECONDS = Histogram(
    "ampacity_evaluate_seconds",
    "Time of an instant answer, validation included",
    ["model"],
    buckets=BUCKETS_S,
)
# Simulations of all designs together; a page asks for fewer while a slider is held.
DEAR_DRAWS = 10_000
_DEAR_NICENESS = 5
_CHECKS_NICENESS = 10
# Of one workspace so many questions wait; above that it is a flood.
WAITING_MAX = 100


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a model, and what is told beside its answer."""

    model: str
    params: JSONDict
    asked: Asked
    beside: JSONDict
    wants_verdict: bool = False

    @property
    def draws(self) -> int:
        """How dear it is: simulations of all designs, as far as an unchecked document says."""
        count, designs = self.params.get("draws_count"), self.params.get("designs")
        many = len(designs) if isinstance(designs, list) else 1
        return count * many if isinstance(count, int) else 0


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as JSON, the verdict for a study's card, and how long its parts took. [ms]"""

    body: bytes
    verdict: Verdict | None
    timings_ms: Mapping[str, float]


def answered(question: Question) -> Answered:
    """Answer by this process."""
    answer, verdict = evaluate_now(get_model(question.model), question.params), None
    if question.wants_verdict:
        wanted = {"winner", "verdict", "designs"}
        comparison = answer.result.model_dump(mode="json", include=wanted)
        verdict = verdict_in(comparison, answer.inputs_hash)
    body = dumps({**answer.told(question.asked), **question.beside})
    return Answered(body, verdict, answer.timings_ms)


class Answerer:
    """A process of its own (`runs.answerer`) that does one piece of work at a time.

    It ends with this one, whose end of the pipe closes. When it ends by itself, killed or out of
    memory, it is started again.
    """

    def __init__(self, niceness: int = 0) -> None:
        """Start it, so much nicer than this process; what it loads need not be waited for."""
        self._niceness = niceness
        ours, theirs = socket.socketpair()
        self._pipe: Connection[Any, Any] = Connection(ours.detach())
        with theirs:
            self._process = subprocess.Popen(  # our own
                [sys.executable, "-m", "runs.answerer", str(theirs.fileno()), str(niceness)],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )

    def __call__(self, work: Callable[[], T]) -> T:
        """Have work done, a function that can be pickled; raises what it raises."""
        try:
            self._pipe.send_bytes(pickle.dumps(work))
            found = pickle.loads(self._pipe.recv_bytes())  # of our own process
        except (EOFError, OSError) as exc:
            self._pipe.close()
            self._process.kill()
            self._process.wait()
            self.__init__(self._niceness)  # type: ignore[misc]  # the same again
            message = "The process for instant answers is being started. Try again in a moment."
            raise Unavailable(message, headers={"Retry-After": "1"}) from exc
        if isinstance(found, Exception):
            raise found
        answer: T = found
        return answer

    def close(self) -> None:
        """End it."""
        self._pipe.close()
        self._process.wait()


def _here(work: Callable[[], T]) -> T:
    return work()


def _apart(work: Callable[[], T]) -> T:
    one = Answerer(_CHECKS_NICENESS)
    try:
        return one(work)
    finally:
        one.close()


_turns: Turns[Callable[[Callable[[], Any]], Any]] = Turns([_here], waiting_max=WAITING_MAX)
_check: Callable[[Callable[[], Any]], Any] = _here


def use_processes(count: int) -> None:
    """Have so many processes answer from now on.

    The latter half of them, where dear questions go, leaves the processor to the others.
    """
    global _turns  # noqa: PLW0603  # once, when the process starts
    cheap = count - count // 2
    made = [Answerer(0 if place < cheap else _DEAR_NICENESS) for place in range(count)]
    _turns = Turns(made, waiting_max=WAITING_MAX)


def answer_in_turn(question: Question, caller: Hashable) -> Answered:
    """Answer when it is the caller's turn.

    Raises
    ------
    TooMany
        When too many of the caller's questions wait.
    """
    draws, asked_s = question.draws, time.perf_counter()
    try:
        with _turns.place(caller, cost=draws, is_dear=draws > DEAR_DRAWS) as answer:
            waited_s = time.perf_counter() - asked_s
            found: Answered = answer(partial(answered, question))
    except Refused as refused:
        message = "Too many instant answers are asked for at once. Try again in a moment."
        raise TooMany(message, retry_after_s=round(refused.wait_s)) from refused
    SECONDS.labels(question.model).observe(sum(found.timings_ms.values()) / 1e3)
    return replace(found, timings_ms={"turn": waited_s * 1e3, **found.timings_ms})


_checking = threading.Lock()
_checked: dict[tuple[str, str], list[JSONDict]] = {}


def check_apart() -> None:
    """Have checks computed by a process of their own from now on.

    Some compile what they simulate with: that took the interpreter from all requests of a process,
    for up to 20 s while its machine was busy.
    """
    global _check  # noqa: PLW0603  # once, when the process starts
    _check = _apart


def published_checks(model_ids: Sequence[str]) -> dict[str, list[JSONDict]]:
    """Return the published checks of models, computed together and kept by version."""
    keys = {model_id: (model_id, get_model(model_id).version) for model_id in model_ids}
    # One thread has them computed; the others wait for it instead of doing the same.
    with _checking:
        if missing := [model_id for model_id, key in keys.items() if key not in _checked]:
            rows = _check(partial(checks_of, missing))
            _checked.update({keys[model_id]: one for model_id, one in rows.items()})
        return {model_id: _checked[key] for model_id, key in keys.items()}


def paper_run(paper: Paper) -> JSONDict:
    """Run the experiment of a paper: its checks as the models answer them now."""
    wanted = checks_in(paper)
    checked = published_checks([*wanted])
    rows = [row for model_id in wanted for row in checked[model_id]]
    return run_of(paper, [row for row in rows if row["check"] in wanted[row["model"]]])
