"""The measured point in a benchmark's output: of vLLM's and SGLang's serving benchmarks.

Both save one JSON object a run with the same names (``vllm bench serve --save-result``,
``sglang.bench_serving --output-file``); SGLang adds a line for each run. The last one counts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from capmodels.errors import ModelError
from capmodels.serving.deployed import MeasuredPoint

if TYPE_CHECKING:
    from collections.abc import Iterator

_NEEDED = ("max_concurrency", "completed", "total_input_tokens", "total_output_tokens")


def point_of(text: str) -> MeasuredPoint:
    """Return the point that a benchmark measured, with the mean lengths of its requests.

    >>> point_of('{"max_concurrency": 16, "completed": 10, "total_input_tokens": 9216, '
    ...     '"total_output_tokens": 5120, "mean_tpot_ms": 13.2, "mean_ttft_ms": 121}').output_tokens
    512.0

    Raises
    ------
    ModelError
        When it is no such output, or the run had no limit of requests in flight.
    """
    runs = [run for run in _objects(text) if "mean_tpot_ms" in run]
    if not runs:
        raise ModelError(
            "This is no output of a serving benchmark of vLLM or SGLang: no mean_tpot_ms is in it."
        )
    run = runs[-1]
    lacking = [name for name in _NEEDED if not _number(run.get(name)) > 0]
    if lacking:
        raise ModelError(
            f"The benchmark's output has no {lacking[0]}. Run it with --max-concurrency and save "
            "its result."
        )
    ttft = _number(run.get("mean_ttft_ms"))
    completed = _number(run["completed"])
    try:
        return MeasuredPoint(
            in_flight_count=_number(run["max_concurrency"]),
            prompt_tokens=_number(run["total_input_tokens"]) / completed,
            output_tokens=_number(run["total_output_tokens"]) / completed,
            tpot_ms=_number(run["mean_tpot_ms"]),
            ttft_ms=ttft if ttft > 0 else None,
        )
    except ValidationError as exc:
        raise ModelError("The benchmark's figures are beyond what a replica does.") from exc


def _number(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else 0.0  # type: ignore[arg-type]  # a number, as was asked


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects of a text: one of it all, else one a line."""
    for part in (text, *text.splitlines()):
        try:
            found = json.loads(part)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found
