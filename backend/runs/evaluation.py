"""Instant answers, computed where they are asked for. No database here."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from capmodels.registry import get_model
from capmodels.spec import (
    AnyModel,
    Context,
    JSONDict,
    Params,
    Result,
    answer,
    inputs_hash,
    require_points,
    run_check,
)
from common.errors import TooLarge
from runs.drawing import told
from studies.checking import params_of
from studies.documents import PLAN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runs.drawing import Asked

# The latest comparisons, of which a page asks again when other designs are to be drawn.
_KEPT_MOST = 8
_kept: dict[tuple[str, str, str], Result] = {}
_keeping = Lock()


def _keep(key: tuple[str, str, str], result: Result) -> None:
    with _keeping:
        _kept.pop(key, None)
        _kept[key] = result
        if len(_kept) > _KEPT_MOST:
            del _kept[next(iter(_kept))]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An instant answer, and how long its parts took. [ms]"""

    spec: AnyModel
    inputs_hash: str
    result: Result
    timings_ms: Mapping[str, float]

    def told(self, asked: Asked) -> JSONDict:
        """Return the answer, with the parts of it that are asked for."""
        return {
            "model": self.spec.id,
            "version": self.spec.version,
            "inputs_hash": self.inputs_hash,
            **told(self.spec.id, self.result, asked),
        }


def evaluate_now(spec: AnyModel, document: Mapping[str, Any]) -> Evaluation:
    """Validate a document and run the model on it at once.

    Raises
    ------
    ParamsError
        With every fault of the document.
    TooLarge, PointLimitExceeded
        When the question is not for the web process: submit a run.
    """
    if not spec.instant:
        message = f"{spec.title} takes longer than a request may. Submit a run instead."
        raise TooLarge(message)
    started = time.perf_counter()
    params: Params = params_of(spec, document)
    require_points(spec, params)
    seed = int(getattr(params, "seed", 0))
    identity = inputs_hash(spec, params, seed)
    validated = time.perf_counter()
    kept = (spec.id, spec.version, identity)
    result = _kept.get(kept)
    result = result or answer(spec, params, Context(seed=seed))
    ended = time.perf_counter()
    if spec.id == PLAN:
        _keep(kept, result)
    timings = {
        "validate": (validated - started) * 1e3,
        "model": (ended - validated) * 1e3,
    }
    return Evaluation(spec, identity, result, timings)


def checks_of(model_ids: Sequence[str]) -> dict[str, list[JSONDict]]:
    """Compute the published checks of models."""
    specs = map(get_model, model_ids)
    return {spec.id: [run_check(spec, check) for check in spec.checks] for spec in specs}
