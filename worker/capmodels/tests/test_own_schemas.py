"""A document that a model's own schema allows is answered or refused in words, whatever its edges.

Drawn from the schema: the ends of bounds, zero, one and two, parts present or absent. What is
refused is refused with a fault or a sentence; anything else would be a bug on screen.
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.testing.documents import Drawer
from capmodels.tests.test_extremes import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capmodels.spec import JSONDict

# Simulations: documents of these take seconds each, so few of them are drawn.
_SLOW = frozenset(
    model.id
    for model in registry.all_models()
    if not model.instant
) | {"demand.forecast", "storage.calibrate_drive", "storage.cluster_code"}  # fmt: skip
_QUICK = [model for model in registry.all_models() if model.id not in _SLOW]


class EdgeDrawer(Drawer):
    """Draws of numbers mostly the ends of their bounds, zero, one and the default.

    Whole numbers stay small, so that what they count is soon computed.
    """

    def _edge_number(self, schema: JSONDict) -> float:
        if self.chance(0.35):
            return Drawer._number(self, schema)
        low, default = schema.get("minimum"), schema.get("default")
        edges = [0.0, 1e-9, 0.5, 1.0, 2.0]
        edges += [float(low)] * 3 if low is not None else []
        edges += [float(default)] * 3 if isinstance(default, int | float) else []
        edges += [float(schema["maximum"])] * 2 if "maximum" in schema else []
        return self._within(self.rng.choice(edges), schema)

    def _edge_integer(self, schema: JSONDict) -> int:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        high = schema.get("maximum", schema.get("exclusiveMaximum", math.inf) - 1)
        default = schema.get("default")
        edges = [low, low, low + 1, low + 1, low + 2, low + 3, low + 5, low + 11, low + 40]
        edges += [default] * 4 if isinstance(default, int) and default <= 5_000 else []
        step = schema.get("multipleOf", 1)
        return int(min(-(-self.rng.choice(edges) // step) * step, high))

    _drawn_by: Mapping[str, Callable[[Any, JSONDict], Any]] = {
        **Drawer._drawn_by,
        "number": _edge_number,
        "integer": _edge_integer,
    }


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
