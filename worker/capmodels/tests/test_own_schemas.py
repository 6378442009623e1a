"""A document that a model's own schema allows is answered or refused in words, whatever its edges.

Drawn from the schema: the ends of bounds, zero, one and two, parts present or absent. What is
refused is refused with a fault or a sentence; anything else would be a bug on screen.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.testing.documents import EdgeDrawer
from capmodels.tests.test_extremes import words_of

# Simulations: documents of these take seconds each, so few of them are drawn.
_SLOW = frozenset(
    model.id
    for model in registry.all_models()
    if not model.instant
) | {"demand.forecast", "storage.calibrate_drive", "storage.cluster_code"}  # fmt: skip
_QUICK = [model for model in registry.all_models() if model.id not in _SLOW]


def drawn(model: spec.AnyModel, seed: int) -> str:
    rng = Random(f"{model.id} {seed}")
    schema = spec.params_schema(model)
    document = EdgeDrawer(schema, rng, fullness=rng.choice([0.1, 0.3, 0.6, 1.0])).draw(schema)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return words_of(model, document)


@pytest.mark.parametrize("model", _QUICK, ids=lambda model: model.id)
def test_a_document_of_the_schema_is_answered_or_refused_in_words(model: spec.AnyModel) -> None:
    for seed in range(12):
        assert drawn(model, seed)


@pytest.mark.deep
@pytest.mark.parametrize("model", _QUICK, ids=lambda model: model.id)
def test_hundreds_of_them_are(model: spec.AnyModel) -> None:
    for seed in range(12, 400):
        assert drawn(model, seed)


@pytest.mark.parametrize("kind", ["single", "mirrored_set", "raid0", "concatenated", "raid1"])
@pytest.mark.parametrize("disks", [1, 2, 3])
def test_an_array_of_few_disks_has_a_year_or_is_refused(kind: str, disks: int) -> None:
    document = {
        "array": {"layout": {"kind": kind, "disks_count": disks}},
        "workload": {"kind": "synthetic", "requests_count": 50, "read_fraction": 0.5},
    }
    assert words_of(registry.get_model("storage.array"), document)
