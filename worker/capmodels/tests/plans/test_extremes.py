"""Whatever number stands wherever in a study, there is an answer or a sentence."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ModelError
from capmodels.plans.compare import SPEC
from capmodels.spec import evaluate, validate
from capmodels.tests.plans.documents import JSONDict, document

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTREMES = (0, -1.0, 1e-300, 1e-9, 1, 1e9, 1e300, 1.7e308)
Place = tuple[str | int, ...]


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Places of all numbers, of long lists the first only."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*place, key))
    elif isinstance(value, list):
        for index, part in enumerate(value[:5] if len(value) < 24 else value[:1]):
            yield from places(part, (*place, index))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place


def put(document_: JSONDict, place: Place, value: object) -> JSONDict:
    """The document with another number at a place."""
    other = copy.deepcopy(document_)
    here: Any = other
    for key in place[:-1]:
        here = here[key]
    here[place[-1]] = value
    return other


@pytest.mark.many(2)
@pytest.mark.slow
@pytest.mark.parametrize("slug", ["free-factories", "rent-or-own"])
@pytest.mark.parametrize("draws_count", [0, 100])
def test_every_extreme_is_answered_or_refused_in_words(slug: str, draws_count: int) -> None:
    whole = validate(SPEC, document(slug)).model_dump(mode="json")
    asked = [
        (place, extreme)
        for place in places(whole)
        if place[0] not in {"draws_count", "seed"}
        for extreme in EXTREMES
    ]
    for place, extreme in random.Random(draws_count).sample(asked, 120 if draws_count else 250):
        study = {**put(whole, place, extreme), "draws_count": draws_count}
        assert words_of(study).endswith((".", "}"))


def words_of(study: JSONDict) -> str:
    """The answer as JSON, or the sentence that says why there is none."""
    try:
        return evaluate(SPEC, study).model_dump_json()
    except ModelError as refused:
        return str(refused)
