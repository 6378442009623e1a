"""The answer of runs of arrays, side by side."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

from capmodels.errors import ParamsError
from capmodels.numbers import quantity
from capmodels.registry import get_model
from capmodels.spec import Context, answer, validate
from capmodels.storage.simulator.results import ArrayResult
from capmodels.tests import golden

SPEC = get_model("storage.array_verdict")
POWER: dict[str, Any] = {"energy_usd_per_year": 10.0}
FAST = {**POWER, "letter": "A", "power_w": 12.0, "wear": "no starts", "p95_ms": 15.0}
SPARING = {**POWER, "letter": "B", "power_w": 3.0, "wear": "864 starts", "p95_ms": 59.9}
BUSY = {"withheld": "a disk was busy"}
PRICED = {**POWER, "capital_usd_per_year": 90.0}


def said(*arrays: dict[str, Any]) -> str:
    text: str = answer(SPEC, validate(SPEC, {"arrays": arrays}), Context()).headline
    return text.replace("\u00a0", " ")


def test_says_who_uses_the_least_power_and_who_answers_first() -> None:
    assert said(FAST, SPARING) == (
        "**B** uses the least power: 3.00 W, 75% below A; 864 starts. "
        "**A** answers 95% of requests within 15.0 ms, B within 59.9 ms."
    )
    assert said(FAST) == (
        "**A** answers 95% of requests within 15.0 ms. It draws 12.0 W; no starts."
    )
    alike = said(FAST, {**SPARING, "power_w": 12.0})
    assert alike.startswith("All use about 12.0 W. Wear: A no starts; B 864 starts. ")
    assert "Wear of each: no starts." in said(FAST, {**FAST, "letter": "B"})


def test_says_what_a_year_costs_where_every_price_is_known() -> None:
    dear = {**SPARING, **PRICED, "capital_usd_per_year": 190.0}
    least = "**A** costs least: $100 a year for drives and energy, B $200."
    assert least in said({**FAST, **PRICED}, dear)
    assert "It costs $100 a year for drives" in said({**FAST, **PRICED})
    assert "a year for" not in said({**FAST, **PRICED}, SPARING)


def test_names_those_that_cannot_keep_up_together() -> None:
    off = "**A** and **B** cannot keep up: a disk was busy; percentiles are withheld."
    assert said({**FAST, **BUSY}, {**SPARING, **BUSY}) == off
    grows = {**SPARING, "withheld": "responses grew"}
    both = said({**FAST, **BUSY}, grows)
    assert "**A** cannot keep up: a disk was busy" in both
    assert "**B** cannot keep up: responses grew" in both
    assert "It draws 12.0 W" in said(FAST, grows)


def test_a_run_is_read_once_and_another_text_is_refused_at_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = list[str]()
    read = ArrayResult.model_validate_json

    def noted(text: str) -> ArrayResult:
        texts.append(text)
        return read(text)

    monkeypatch.setattr(ArrayResult, "model_validate_json", noted)
    run = golden.read("storage.array")["result"]
    text = json.dumps(run)
    assert f"It draws {quantity(run['power_w'], 'W')};".replace("\u00a0", " ") in said(
        {"letter": "A", "result": text}
    )
    assert texts == [text]
    with pytest.raises(ParamsError) as caught:
        said(FAST, {"letter": "B", "result": "{}"})
    [fault] = caught.value.faults
    assert (fault.pointer, fault.code) == ("/arrays/1/result", "answer")


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_which_arrays_stand_moves_no_winner(seed: int) -> None:
    draw = random.Random(seed)
    arrays = [
        {
            "letter": letter,
            "power_w": draw.uniform(1, 99),
            "wear": "none",
            "p95_ms": draw.uniform(1, 99),
            **PRICED,
            "capital_usd_per_year": draw.uniform(1, 999),
        }
        for letter in "ABC"
    ]
    (text,) = {said(*order) for order in itertools.permutations(arrays)}
    measures = {
        "uses the least power": "power_w",
        "answers 95%": "p95_ms",
        "costs least": "capital_usd_per_year",
    }
    for words, measure in measures.items():
        best = min(arrays, key=lambda one: one[measure])
        assert f"**{best['letter']}** {words}" in text
