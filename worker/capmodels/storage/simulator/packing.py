"""Outcomes of runs as bytes, to be kept or sent, and back, to the last bit."""

from __future__ import annotations

from dataclasses import fields
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.storage.simulator.run import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIMELINES = "timelines"


def packed(outcomes: Sequence[Outcome]) -> bytes:
    """Pack outcomes in their order."""
    arrays: dict[str, Any] = {"count": np.array(len(outcomes))}
    for place, outcome in enumerate(outcomes):
        for field in fields(Outcome):
            value = getattr(outcome, field.name)
            if field.name == _TIMELINES:
                arrays[f"{place}.{_TIMELINES}"] = np.array([len(one) for one in value])
                arrays[f"{place}.pieces"] = np.concatenate(value)
            elif value is not None:
                arrays[f"{place}.{field.name}"] = np.asarray(value)
    buffer = BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def unpacked(data: bytes) -> list[Outcome]:
    """Unpack what ``packed`` made."""
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        return [_outcome(arrays, place) for place in range(int(arrays["count"]))]


def _outcome(arrays: Any, place: int) -> Outcome:
    values: dict[str, Any] = {}
    for field in fields(Outcome):
        name = f"{place}.{field.name}"
        if field.name == _TIMELINES:
            ends = np.cumsum(arrays[name])[:-1]
            values[_TIMELINES] = tuple(np.split(arrays[f"{place}.pieces"], ends))
        elif name in arrays:
            array = arrays[name]
            values[field.name] = array if array.ndim else array.item()
    return Outcome(**values)
