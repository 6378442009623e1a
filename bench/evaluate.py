"""How long the plan takes in its own process: validation, run and JSON, warm, on one core.

Four designs of the example *Rent or own* (two rented, one owned, one hybrid) over five
years for the point, and over its three years with all its ranges for the draws. Each time
the pay of its people is another, which enters every design, so that no column is one that
was kept; what a design costs before its people is. Where nothing is kept, as with the first
answer on a study, stands beside the simulations. What HTTP adds is measured by the bench `http`.
"""

from __future__ import annotations

import gc
import itertools
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench._lib import Row, at_most, median, percentile, times_s
from bench._players import WHILE_HELD
from capmodels.plans.compare import SPEC, compare
from capmodels.plans.figures.drawn import drawn
from capmodels.spec import validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_EXAMPLE = Path(__file__).parents[1] / "fixtures" / "examples" / "rent-or-own.yaml"
_LETTERS = "ABDE"
_MS = 1000.0
_WANTED_PER_S = 200
_RANDOM = 200
_MOVES = 7


def rows() -> Iterable[Row]:
    """Medians of a point and of 10,000 draws; the parts of each beside them."""
    point = _document(horizon_months=60, draws_count=0)
    point_ms = _taken_ms(lambda: _answer(_moved(point)), repeats=300)
    what = "4 designs x 60 months, validation + run + JSON"
    yield at_most("evaluate", what, "ms", median(point_ms), _MS / _WANTED_PER_S)
    yield at_most("evaluate", "the same, p95", "ms", percentile(point_ms, 0.95), 10.0)
    drawn_ms = _taken_ms(lambda: _drawn(_moved(point)), repeats=300)
    what = "the same, with what charts draw, as a page asks"
    yield at_most("evaluate", what, "ms", median(drawn_ms), _MS / _WANTED_PER_S)
    draws = _document(horizon_months=36, draws_count=10_000)
    draws_ms = _taken_ms(lambda: _answer(_moved(draws)), repeats=40)
    yield at_most(
        "evaluate",
        "10,000 draws, odds, bands and flips, 4 designs x 36 months",
        "ms",
        median(draws_ms),
        60.0,
    )
    yield at_most("evaluate", "the same, p95", "ms", percentile(draws_ms, 0.95), 80.0)
    first_ms = _taken_ms(lambda: _answer(_with_other_work(draws)), repeats=20)
    what = "the same with another demand each time, of which nothing is kept"
    yield at_most("evaluate-anew", what, "ms", median(first_ms), 150.0)
    yield from _held()
    yield from _dearest()


def _held() -> Iterable[Row]:
    """What a held slider asks for, of all shipped studies: as many simulations as a page does."""
    documents = [_shipped(path) for path in sorted(_EXAMPLE.parent.glob("*.yaml"))]
    taken = [_processor_ms({**document, "draws_count": WHILE_HELD}) for document in documents]
    what = f"{WHILE_HELD:,} simulations, the {len(taken)} shipped studies, processor, mean"
    yield at_most("evaluate-held", what, "ms", sum(taken) / len(taken), 10.0)


def _document(*, horizon_months: int, draws_count: int) -> dict[str, Any]:
    """Four designs of the example as the plan takes them."""
    study = yaml.load(_EXAMPLE.read_text("utf-8"), Loader=yaml.CSafeLoader)["study"]
    kept = [part for part in study["designs"] if part["letter"] in _LETTERS]
    gone = [f"/designs/{letter}/" for letter in "ABCDEFGH" if letter not in _LETTERS]
    return {
        "designs": [
            {**{key: part[key] for key in ("letter", "title", "kind")}, **part["spec"]}
            for part in kept
        ],
        "workload": study["workload"],
        "assumptions": {**study["assumptions"], "horizon_months": horizon_months},
        "ranges": [item for item in study["ranges"] if not item["pointer"].startswith(tuple(gone))],
        "draws_count": draws_count,
    }


def _dearest() -> Iterable[Row]:
    """The dearest instant answer without draws: of the shipped studies, and of random ones."""
    shipped = {path.stem: _shipped(path) for path in sorted(_EXAMPLE.parent.glob("*.yaml"))}
    drawn = {f"seed {seed}": document_of(random_study(seed)) for seed in range(1, _RANDOM + 1)}
    for name, documents in (("shipped", shipped), ("random", drawn)):
        cost_ms = {
            title: _processor_ms({**document, "draws_count": 0})
            for title, document in documents.items()
        }
        worst = max(cost_ms, key=lambda title: cost_ms[title])
        what = f"dearest of {len(cost_ms)} {name} studies ({worst}), no draws, processor"
        yield at_most("evaluate", what, "ms", cost_ms[worst], 15.0)


def _shipped(path: Path) -> dict[str, Any]:
    """A shipped study as the plan takes it."""
    study = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)["study"]
    designs = [
        {**{key: part[key] for key in ("letter", "title", "kind")}, **part["spec"]}
        for part in study["designs"]
    ]
    kept = ("workload", "assumptions", "ranges")
    return {"designs": designs, **{key: study[key] for key in kept}}


def _processor_ms(document: dict[str, Any]) -> float:
    """The median processor time of a moved slider. [ms]"""
    taken = []
    for _ in range(_MOVES):
        moved = _moved(document)
        started_s = time.process_time()
        _answer(moved)
        taken.append((time.process_time() - started_s) * _MS)
    return median(taken)


_steps = itertools.count()


def _moved(document: dict[str, Any]) -> dict[str, Any]:
    """The document with another pay than it had before."""
    pay = 130_000.0 + next(_steps)
    return {**document, "assumptions": {**document["assumptions"], "staff_usd_per_fte_year": pay}}


def _with_other_work(document: dict[str, Any]) -> dict[str, Any]:
    """The document with more work than it had before."""
    work = document["workload"]
    more = work["busy_cores_count"] * (1.0 + 1e-6 * next(_steps))
    return {**document, "workload": {**work, "busy_cores_count": more}}


def _answer(document: dict[str, Any]) -> str:
    return compare(validate(SPEC, document)).model_dump_json()


def _drawn(document: dict[str, Any]) -> str:
    answer = compare(validate(SPEC, document))
    return answer.model_dump_json() + drawn(answer).model_dump_json()


def _taken_ms(body: Callable[[], object], *, repeats: int) -> list[float]:
    """Milliseconds of each call, without the pauses of the collector, as the web process."""
    gc.collect()
    gc.disable()
    try:
        return [seconds * _MS for seconds in times_s(body, repeats=repeats, warm_ups=5)]
    finally:
        gc.enable()
