"""Whatever number is put at whatever place, a model answers or says why not."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

import pytest

from capmodels import registry, spec
from capmodels.errors import ModelError
from capmodels.tests import golden

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTREMES = (0.0, -1.0, 1e-300, 1e-9, 1.0, 1e9, 1e300, math.nan, math.inf, True, "1", None)
FAMILIES = {"carbon", "consolidation", "cost", "memory", "performance", "power", "storage"}
MODELS = [
    model
    for model in registry.all_models()
    if model.instant and model.family in FAMILIES and golden.path_of(model.id).exists()
]

Place = tuple[str | int, ...]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_every_extreme_is_answered_or_refused_in_words(model: spec.AnyModel) -> None:
    whole = spec.validate(model, golden.read(model.id)["params"]).model_dump(mode="json")
    for place in numbers_of(whole):
        for extreme in EXTREMES:
            assert words_of(model, changed(whole, place, extreme))


def words_of(model: spec.AnyModel, document: Any) -> str:
    """Return the answer, or the sentence that says why there is none."""
    try:
        return str(spec.evaluate(model, document).model_dump_json())
    except ModelError as exc:
        return str(exc)


def numbers_of(value: Any, place: Place = ()) -> Iterator[Place]:
    """Places of all numbers, of long lists the first and the last."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from numbers_of(part, (*place, key))
    elif isinstance(value, list):
        for index in sorted({0, len(value) - 1}) if value else []:
            yield from numbers_of(value[index], (*place, index))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place


def changed(document: Any, place: Place, value: object) -> Any:
    """Return the document with another value at a place."""
    other = copy.deepcopy(document)
    here = other
    for key in place[:-1]:
        here = here[key]
    here[place[-1]] = value
    return other
