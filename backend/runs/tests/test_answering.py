"""Instant answers come from processes of their own, one at a time, and outlive each of them."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from common.errors import Invalid, TooLarge, Unavailable
from runs import answering
from runs.answering import DEAR_DRAWS, Answered, Answerer, Question, answered
from runs.drawing import Asked
from runs.evaluation import checks_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def question(model: str = "cost.owned_vs_cloud", **params: Any) -> Question:
    return Question(model, params, Asked(frozenset(), "-"), {"beside": 1})


@pytest.fixture(scope="module")
def answerer() -> Iterator[Answerer]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    one = Answerer()
    yield one
    one.close()


def asked(answerer: Answerer, one: Question) -> Answered:
    return answerer(partial(answered, one))


def test_a_process_answers_as_this_one_would(answerer: Answerer) -> None:
    there, here = asked(answerer, question()), answered(question())
    assert there.body == here.body
    assert json.loads(there.body)["beside"] == 1
    assert set(there.timings_ms) == {"validate", "model"}


def test_refusals_come_as_they_are(answerer: Answerer) -> None:
    with pytest.raises(Invalid) as refused:
        asked(answerer, question(electricity_usd_per_kwh="dear"))
    assert refused.value.faults[0].pointer == "/electricity_usd_per_kwh"
    with pytest.raises(TooLarge, match="Submit a run"):
        asked(answerer, question("storage.array"))
    with pytest.raises(RuntimeError, match="TypeError"):
        asked(answerer, replace(question(), beside=1))  # type: ignore[arg-type]  # ours


def test_one_that_was_killed_is_started_again(answerer: Answerer) -> None:
    answerer._process.kill()
    answerer._process.wait()
    with pytest.raises(Unavailable) as refused:
        asked(answerer, question())
    assert refused.value.headers["Retry-After"] == "1"
    assert asked(answerer, question()).body


@pytest.mark.parametrize(
    ("params", "is_dear"),
    [
        ({"draws_count": 1000, "designs": [{}] * 8}, False),
        ({"draws_count": 5000, "designs": [{}] * 4}, True),
        ({"draws_count": 200_000}, True),
        ({"draws_count": "many", "designs": {}}, False),
    ],
)
def test_what_is_dear_is_seen_before_it_is_checked(params: Any, *, is_dear: bool) -> None:
    assert (question(**params).draws > DEAR_DRAWS) == is_dear


def test_checks_are_computed_once_per_version_and_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []

    def apart(work: Any) -> Any:
        done.append(work.args)
        return answering._apart(work)

    monkeypatch.setattr(answering, "_checked", {})
    monkeypatch.setattr(answering, "_check", apart)
    there = answering.published_checks(["cost.npv"])
    assert there == checks_of(["cost.npv"])
    assert answering.published_checks(["cost.npv", "cost.irr"])["cost.npv"] is there["cost.npv"]
    assert done == [(["cost.npv"],), (["cost.irr"],)]
