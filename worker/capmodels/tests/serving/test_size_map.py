"""The map of accelerators: each cell is what sizing says is cheapest there."""

from __future__ import annotations

import pytest

from capmodels.serving.choices import Lengths, OpenModel
from capmodels.serving.size import SPEC as SIZE
from capmodels.serving.size_map import MODELS, NONE, PROMPT_TOKENS, RATES_PER_S, SPEC
from capmodels.serving.size_params import RateAsked, SizeParams, UsersAsked
from capmodels.serving.size_told import best_of
from capmodels.spec import Context

ASKED = SizeParams()


@pytest.mark.decisive
@pytest.mark.parametrize(("row", "across"), [(0, 0), (3, 4), (6, 8), (9, 2)])
def test_a_cell_is_what_sizing_recommends_for_its_rate_and_prompt(row: int, across: int) -> None:
    found = SPEC.run(ASKED, Context()).figures[0]
    at = int(found.series[row].values[across] or 0)
    asked = ASKED.model_copy(
        update={
            "question": RateAsked(requests_per_s=RATES_PER_S[across]),
            "lengths": Lengths(prompt_tokens=PROMPT_TOKENS[row], output_tokens=512.0),
        }
    )
    best = best_of(asked, SIZE.run(asked, Context()).plans)
    if found.kinds[at] == NONE:
        assert best is None or best.usd_per_h is None
        return
    assert best is not None
    assert found.kinds[at] == f"{best.accelerator} at {best.precision.upper()}"
    assert f"{best.accelerators_count:,} × " in found.series[row].texts[across]


def test_users_stand_for_their_requests_and_rows_are_models() -> None:
    found = SPEC.run(ASKED, Context()).figures[1]
    assert [series.name for series in found.series] == [*MODELS]
    users, row = found.series[2].at[4], MODELS.index("Llama-3.1-8B")
    asked = ASKED.model_copy(
        update={
            "question": UsersAsked(users_count=round(users)),
            "model": OpenModel(name="Llama-3.1-8B"),
        }
    )
    best = best_of(asked, SIZE.run(asked, Context()).plans)
    assert best is not None
    kind = found.kinds[int(found.series[row].values[4] or 0)]
    assert kind == f"{best.accelerator} at {best.precision.upper()}"


def test_no_accelerator_within_the_limits_is_said() -> None:
    found = SPEC.run(ASKED.model_copy(update={"tpot_ms": 0.2}), Context())
    assert all(figure.kinds == (NONE,) for figure in found.figures)
    assert "keeps the limits" in found.headline
