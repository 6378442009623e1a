"""Runs of every model through their PDF: as pages begin, as papers have them, and varied."""

from __future__ import annotations

import copy
from dataclasses import asdict
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Any

from capmodels.cases import cases_of, start_of
from capmodels.errors import ModelError, ParamsError
from capmodels.spec import (
    Context,
    answer,
    inputs_hash,
    params_schema,
    require_points,
    result_schema,
    run_check,
    validate,
)
from reports.render.pdf import render_run_pdf
from reports.render.run_pages import RunInput
from reports.testing.pdf_reading import outside_margins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.spec import AnyModel, JSONDict
    from reports.render.contents import Paper

CREATED = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
# A number is varied by up to so much, either way; counts stay whole.
FACTORS = (0.5, 0.8, 1.25, 2.0)
SHARE = 0.3
TRIES = 20


def inputs_of(model: AnyModel, count: int, seed: int) -> Iterator[JSONDict]:
    """Yield inputs that a model takes: its start, its published cases, and variations of them."""
    rng = Random(f"{model.id} {seed}")
    known = [one for one in (start_of(model), *(case["params"] for case in cases_of(model))) if one]
    yield from known
    for _ in range(count if known else 0):
        for _try in range(TRIES):
            varied = _varied(copy.deepcopy(rng.choice(known)), rng)
            try:
                validate(model, varied)
            except ParamsError:
                continue
            yield varied
            break


def _varied(value: Any, rng: Random) -> Any:
    if isinstance(value, dict):
        return {key: _varied(inner, rng) for key, inner in value.items()}
    if isinstance(value, list):
        return [_varied(inner, rng) for inner in value]
    if isinstance(value, bool) or not isinstance(value, int | float) or rng.random() > SHARE:
        return value
    times = rng.choice(FACTORS)
    return round(value * times) if isinstance(value, int) else value * times


def run_findings(model: AnyModel, document: JSONDict, papers: tuple[Paper, ...]) -> list[str]:
    """Answer one input, draw its PDF, and return what is wrong with it."""
    try:
        params = validate(model, document)
        if model.instant:
            require_points(model, params)
        result = answer(model, params, Context(seed=1))
    except ModelError:
        # The model has no answer for it, and says so: there is no run to draw.
        return []
    run = run_input(model, params.model_dump(mode="json"), result.model_dump(mode="json"))
    return [
        f"{paper}: {sentence}"
        for paper in papers
        for sentence in outside_margins(render_run_pdf(run, paper))
    ]


def run_input(model: AnyModel, document: JSONDict, result: JSONDict) -> RunInput:
    """Return a run as its report takes it."""
    return RunInput(
        title=model.title,
        summary=model.summary,
        model=model.id,
        version=model.version,
        params=document,
        params_schema=params_schema(model),
        result=result,
        result_schema=result_schema(model),
        created_at=CREATED,
        inputs_hash=inputs_hash(model, validate(model, document), 1),
        seed=1,
        formulas=[asdict(formula) for formula in model.formulas],
        citations=[asdict(citation) for citation in model.citations],
        limits=model.limits,
        checks=[run_check(model, check) for check in model.checks if model.instant],
    )
