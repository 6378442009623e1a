"""Samples of many machines at any times, averaged into steps of equal length."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.formats.trace_types import UtilizationTrace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from capmodels.formats.samples import Sample

# Machines times steps. Above it, steps are made twice as long, as often as needed.
CELLS_MAX = 1 << 24
_BATCH = 1 << 16
SERIES = ("cpu_fraction", "memory_fraction", "watts")
_STEPS_S = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 86_400)


class Grid:
    """Sums and counts by machine and step; ``add_all`` takes samples in any order."""

    def __init__(self, cells_max: int = CELLS_MAX) -> None:
        """Start empty; the step is found from the first samples."""
        self.step_s = 0.0
        self.samples_count = 0
        self.coarsened_from_s: float | None = None
        self._cells_max = cells_max
        self._names: dict[str, int] = {}
        self._first = 0  # the number of the first column's step since time 0
        self._steps = 0
        self._sums: dict[str, NDArray[np.float32]] = {}
        self._counts: dict[str, NDArray[np.uint16]] = {}

    def add_all(self, samples: Iterable[Sample]) -> None:
        """Add every sample."""
        source = iter(samples)
        while batch := list(islice(source, _BATCH)):
            self._add(batch)

    def _add(self, batch: list[Sample]) -> None:
        names, at, cpu, memory, watts = zip(*batch, strict=True)
        at_s = np.array(at, dtype=np.float64)
        machines = np.array([self._names.setdefault(n, len(self._names)) for n in names])
        if not self.step_s:
            self.step_s = _step(machines, at_s)
        self.samples_count += len(batch)
        steps = self._reach(at_s)
        for name, given in zip(SERIES, (cpu, memory, watts), strict=True):
            values = np.array(given, dtype=np.float32)
            known = np.isfinite(values)
            if known.any():
                self._put(name, machines[known], steps[known], values[known])

    def _put(
        self,
        name: str,
        machines: NDArray[np.int64],
        steps: NDArray[np.int64],
        values: NDArray[np.float32],
    ) -> None:
        shape = (max(len(self._names), 1), self._steps)
        sums = _fitted(self._sums.get(name), shape, np.float32)
        counts = _fitted(self._counts.get(name), shape, np.uint16)
        np.add.at(sums, (machines, steps), values)
        np.add.at(counts, (machines, steps), 1)
        self._sums[name], self._counts[name] = sums, counts

    def _reach(self, at_s: NDArray[np.float64]) -> NDArray[np.int64]:
        """Make room for these times; return their columns."""
        while True:
            steps = np.floor(at_s / self.step_s + 1e-6).astype(np.int64)
            low, high = int(steps.min()), int(steps.max())
            if not self._steps:
                self._first = low
            first = min(low, self._first)
            end = max(high + 1, self._first + self._steps)
            if (end - first) * max(len(self._names), 1) <= self._cells_max:
                break
            self._coarsen()
        if first < self._first:
            self._shift(self._first - first)
            self._first = first
        self._steps = end - first
        return steps - first

    def _shift(self, columns: int) -> None:
        pad = ((0, 0), (columns, 0))
        self._sums = {name: np.pad(values, pad) for name, values in self._sums.items()}
        self._counts = {name: np.pad(values, pad) for name, values in self._counts.items()}
        self._steps += columns

    def _coarsen(self) -> None:
        """Join each two steps, at even numbers."""
        self.coarsened_from_s = self.coarsened_from_s or self.step_s
        if self._steps and self._first % 2:
            self._shift(1)
            self._first -= 1
        self._sums = {name: _joined(values) for name, values in self._sums.items()}
        self._counts = {name: _joined(values) for name, values in self._counts.items()}
        self.step_s *= 2.0
        self._first //= 2
        self._steps = -(-self._steps // 2)

    def known(self, name: str) -> NDArray[np.float32] | None:
        """Return the means of a series, machines by steps; not a number where nothing is known."""
        if name not in self._sums:
            return None
        shape = (len(self._names), self._steps)
        sums = _fitted(self._sums[name], shape, np.float32)
        counts = _fitted(self._counts[name], shape, np.uint16)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float32] = np.divide(sums, counts, dtype=np.float32)
        return means

    @property
    def names(self) -> tuple[str, ...]:
        """Machines in the order in which they appear, as the rows of ``known``."""
        return tuple(self._names)

    @property
    def start_s(self) -> float:
        """Time of the first step. [s]"""
        return self._first * self.step_s

    @property
    def steps_count(self) -> int:
        """Steps from the first to the last."""
        return self._steps

    def trace(self) -> UtilizationTrace:
        """Return the trace without gaps, machines in byte order of their names."""
        names = sorted(self._names, key=str.encode)
        order = np.array([self._names[name] for name in names])
        series = {name: self.known(name) for name in SERIES}
        filled = {n: None if v is None else held(v[order]) for n, v in series.items()}
        cpu = filled["cpu_fraction"]
        if cpu is None:
            cpu = np.zeros((len(names), self._steps), dtype=np.float32)
        return UtilizationTrace(
            self.step_s,
            tuple(names),
            cpu,
            filled["memory_fraction"],
            filled["watts"],
            self.start_s,
        )


def held(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Fill gaps with the sample before; before the first and after the last one with 0."""
    known = np.isfinite(values)
    columns = np.arange(values.shape[1])
    last = np.maximum.accumulate(np.where(known, columns, 0), axis=1)
    rows = np.arange(values.shape[0])[:, None]
    found: NDArray[np.float32] = values[rows, last]
    from_end = np.flip(np.maximum.accumulate(np.flip(known, axis=1), axis=1), axis=1)
    found[~(np.isfinite(found) & from_end)] = 0.0
    return found


def _step(machines: NDArray[np.int64], at_s: NDArray[np.float64]) -> float:
    """Distance that nine of ten samples of a machine keep, as a step that a clock has. [s]"""
    order = np.lexsort((at_s, machines))
    gaps = np.diff(at_s[order])
    same = np.diff(machines[order]) == 0
    gaps = gaps[same & (gaps > 0)]
    if not len(gaps):
        return 300.0
    usual = float(np.quantile(gaps, 0.9))
    near = min(_STEPS_S, key=lambda step: abs(step / usual - 1.0))
    if abs(near / usual - 1.0) < 0.1:
        return float(near)
    if usual < 1.2 * float(np.median(gaps)):
        return max(round(usual, 3), 1e-3)
    return float(next((step for step in _STEPS_S if step > usual), near))


def _fitted(values: NDArray[Any] | None, shape: tuple[int, int], dtype: type) -> NDArray[Any]:
    """Return an array of at least this shape (a fifth larger when it must grow), cut to it."""
    if values is None:
        return np.zeros(shape, dtype=dtype)
    if values.shape == shape:
        return values
    found: NDArray[Any] = np.zeros(shape, dtype=dtype)
    rows, columns = (min(a, b) for a, b in zip(values.shape, shape, strict=True))
    found[:rows, :columns] = values[:rows, :columns]
    return found


def _joined(values: NDArray[Any]) -> NDArray[Any]:
    even = values if values.shape[1] % 2 == 0 else np.pad(values, ((0, 0), (0, 1)))
    found: NDArray[Any] = even[:, 0::2] + even[:, 1::2]
    return found
