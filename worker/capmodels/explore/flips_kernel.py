"""The value of each input at which the choice changes, the other inputs left as they are.

Candidates are spread outwards from the present value; the nearest pair of neighbours
between which the choice changes is divided again and again. Every value reported was
evaluated: there the choice is another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# Choices for rows of values: inputs by index, shape (inputs, values) -> (inputs, values).
Choices = Callable[["list[int]", "NDArray[np.float64]"], "NDArray[np.int64]"]

STEPS_EACH_WAY = 12
PARTS = 25
ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Probe:
    """An input: its value and how far each way it is moved."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Change:
    """Where the choice first is another one, and which."""

    value: float
    choice: int


def outward_grid(probe: Probe) -> NDArray[np.float64]:
    """Values from the probe's own to its ends, closer together near its own.

    The first half goes down, the second up; the value itself is not among them unless it
    is an end.
    """
    steps = (np.arange(1, STEPS_EACH_WAY + 1) / STEPS_EACH_WAY) ** 2
    down = probe.value - (probe.value - probe.low) * steps
    up = probe.value + (probe.high - probe.value) * steps
    down[-1], up[-1] = probe.low, probe.high
    return np.concatenate([down, up])


def find_changes(probes: Sequence[Probe], choice: int, choices: Choices) -> list[Change | None]:
    """Nearest change of the choice for each input, or None where there is none."""
    if not probes:
        return []
    grid = np.stack([outward_grid(probe) for probe in probes])
    chosen = choices(list(range(len(probes))), grid)
    brackets = {
        index: bracket
        for index, probe in enumerate(probes)
        if (bracket := _nearest(probe, grid[index], chosen[index], choice)) is not None
    }
    for _ in range(ROUNDS):
        _narrow(brackets, choice, choices)
    return [
        Change(brackets[index].outer, brackets[index].choice) if index in brackets else None
        for index in range(len(probes))
    ]


@dataclass(slots=True)
class _Bracket:
    """Neighbours between which the choice changes; at the outer one it is ``choice``."""

    inner: float
    outer: float
    choice: int


def _nearest(
    probe: Probe, values: NDArray[np.float64], chosen: NDArray[np.int64], choice: int
) -> _Bracket | None:
    found = []
    for side in (slice(0, STEPS_EACH_WAY), slice(STEPS_EACH_WAY, None)):
        changed = np.flatnonzero(chosen[side] != choice)
        if changed.size:
            first = int(changed[0])
            inner = probe.value if first == 0 else float(values[side][first - 1])
            found.append(_Bracket(inner, float(values[side][first]), int(chosen[side][first])))
    return min(found, key=lambda bracket: abs(bracket.outer - probe.value), default=None)


def _narrow(brackets: dict[int, _Bracket], choice: int, choices: Choices) -> None:
    """Divide every bracket into parts and keep the first in which the choice changes."""
    if not brackets:
        return
    indices = list(brackets)
    shares = np.arange(1, PARTS) / PARTS
    values = np.stack(
        [
            brackets[index].inner + (brackets[index].outer - brackets[index].inner) * shares
            for index in indices
        ]
    )
    chosen = choices(indices, values)
    for row, index in enumerate(indices):
        bracket = brackets[index]
        changed = np.flatnonzero(chosen[row] != choice)
        last = int(changed[0]) if changed.size else PARTS - 1
        if last > 0:
            bracket.inner = float(values[row, last - 1])
        if changed.size:
            bracket.outer, bracket.choice = float(values[row, last]), int(chosen[row, last])
