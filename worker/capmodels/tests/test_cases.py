"""What a model's page begins with is answered, and a published case holds its figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capmodels import registry, spec
from capmodels.cases import case_params, cases_of, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator

# Plans are written in a study, design by design.
MODELS = [model for model in registry.all_models() if model.family != "plans"]
# A figure may stand in another unit or period: mJ for J, per year for per month.
SCALES = (1.0, 12.0, 1000.0)


def by_id(value: object) -> str:
    return str(getattr(value, "id", value))


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(model, marks=() if model.instant else pytest.mark.slow, id=model.id)
        for model in MODELS
    ],
)
def test_what_the_page_of_a_model_starts_with_is_answered(model: spec.AnyModel) -> None:
    start = start_of(model)
    assert start is not None
    params = spec.validate(model, start)
    if model.instant:
        spec.require_points(model, params)
    assert spec.answer(model, params, spec.Context(seed=1)).model_dump(mode="json")


@pytest.mark.parametrize("model", MODELS, ids=by_id)
def test_a_start_leaves_nothing_to_its_default(model: spec.AnyModel) -> None:
    start = start_of(model)
    assert start is not None
    assert start.keys() == spec.params_schema(model)["properties"].keys()


@pytest.mark.parametrize(
    ("model", "check"),
    [
        (model, check)
        for model in MODELS
        for check in model.checks
        if check.params is not None and model.instant
    ],
    ids=by_id,
)
def test_the_figure_of_a_case_stands_in_its_answer(model: spec.AnyModel, check: spec.Check) -> None:
    params = case_params(model, check)
    assert params is not None
    ours = check.compute()
    found = list(_values(spec.evaluate(model, params).model_dump(mode="json")))
    if isinstance(ours, bool):
        assert found
    elif isinstance(ours, str):
        assert ours in found
    else:
        numbers = [value for value in found if isinstance(value, float | int)]
        scaled = [value * scale for value in numbers for scale in SCALES]
        assert any(ours == pytest.approx(value, rel=1e-9) for value in scaled)


def test_a_model_without_complete_defaults_starts_with_its_first_case() -> None:
    model = registry.get_model("cost.npv")
    first = cases_of(model)[0]
    assert start_of(model) == first["params"]
    assert first["params"]["flows_usd"] == [170_000.0, 102_000.0, 102_000.0, 102_000.0]


@pytest.mark.parametrize("model", registry.all_models(), ids=by_id)
def test_every_case_of_a_model_is_an_input_that_it_takes(model: spec.AnyModel) -> None:
    for case in cases_of(model):
        spec.validate(model, case["params"])


def test_a_plan_starts_with_nothing() -> None:
    assert start_of(registry.get_model("plans.compare")) is None


def _values(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _values(part)
    elif isinstance(value, list):
        for part in value:
            yield from _values(part)
    else:
        yield value
