"""Whatever number is put at whatever place, a model answers or says why not."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.errors import ModelError
from capmodels.tests import golden

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTREMES = (0.0, -1.0, 1e-300, 1e-9, 1.0, 1e9, 1e300, math.nan, math.inf, True, "1", None)
FAMILIES = {
    "carbon",
    "consolidation",
    "cost",
    "memory",
    "performance",
    "power",
    "reliability",
    "storage",
}
MODELS = [
    model
    for model in registry.all_models()
    if model.instant and model.family in FAMILIES and golden.path_of(model.id).exists()
]

# Simulations of a few hundred requests: what takes for ever with them is a fault too.
_FEW = {"kind": "synthetic", "requests_count": 300, "read_fraction": 0.5}
SIMULATIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "raid6-bursts": (
        "storage.array",
        {
            "array": {"layout": {"kind": "raid6", "disks_count": 6}},
            "workload": _FEW | {"arrivals": {"kind": "mmpp"}},
        },
    ),
    "raid5-rebuild": (
        "storage.array",
        {
            "array": {
                "layout": {
                    "kind": "raid5", "disks_count": 5, "failed_disk_count": 1,
                    "rebuild_mb_per_s": 50.0,
                }
            },
            "workload": _FEW | {"arrivals": {"kind": "pareto"}, "addresses": {"kind": "zipf"}},
        },
    ),
    "traced-closed": (
        "storage.array",
        {
            "array": {"layout": {"kind": "raid5", "disks_count": 4}},
            "workload": {
                "kind": "trace", "starts_ms": [7.0 * i for i in range(60)],
                "sectors": [i * 7919 % 100_000 * 8 for i in range(60)],
                "sectors_count": [8] * 60, "writes": [i % 3 == 0 for i in range(60)],
            },
            "replay": {"timing": "closed", "users_count": 4},
        },
    ),
    "sptf-closed": (
        "storage.array",
        {
            "array": {
                "layout": {"kind": "single", "disks_count": 1}, "scheduler": "sptf",
                "queue_count": 8, "ageing_ratio": 0.5, "controller": {},
            },
            "workload": _FEW | {"arrivals": {"kind": "closed"}, "addresses": {"kind": "regions"}},
        },
    ),
    "cache": (
        "storage.array",
        {
            "array": {"layout": {"kind": "raid5", "disks_count": 4}, "cache": {}},
            "workload": _FEW | {"addresses": {"kind": "sequential"}},
        },
    ),
    "cluster": ("storage.cluster_array", {"work": {"requests_count": 600}}),
}  # fmt: skip

# Extremes in turn, a few at each place; all at all places in the deep tests.
in_turn_and_all = pytest.mark.parametrize(
    "turns", [4, pytest.param(1, marks=pytest.mark.deep)], ids=["in turn", "all"]
)

Place = tuple[str | int, ...]


@in_turn_and_all
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_every_extreme_is_answered_or_refused_in_words(model: spec.AnyModel, turns: int) -> None:
    whole = spec.validate(model, golden.read(model.id)["params"]).model_dump(mode="json")
    for nth, place in enumerate(numbers_of(whole)):
        for extreme in EXTREMES[nth % turns :: turns]:
            assert words_of(model, changed(whole, place, extreme))


@in_turn_and_all
@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATIONS)
def test_every_extreme_is_simulated_or_refused_in_words(name: str, turns: int) -> None:
    model_id, document = SIMULATIONS[name]
    model = registry.get_model(model_id)
    whole = spec.validate(model, document).model_dump(mode="json")
    # Squares of what takes 1e300 ms are infinite.
    with np.errstate(over="ignore", invalid="ignore"):
        for nth, place in enumerate(numbers_of(whole)):
            for extreme in (*EXTREMES, 1e19)[nth % turns :: turns]:
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
