"""A Gaussian process of results per core over what processors are: generation, cores, clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    # Generation, and logs of what a processor has.
    Kind = tuple[str, tuple[float, ...]]


# Variances in squares of log speed: of all, of a generation, of a straight line in the numbers,
# of one within a generation, of what bends, and of that within a generation; its length in
# standard deviations of the numbers. Chosen on folds of processors; any near them do as well.
_ALL, _GENERATION, _LINE, _OWN_LINE, _BEND, _OWN_BEND = 1.0, 0.09, 0.05, 0.02, 0.019, 0.044
_LENGTH = 2.0


def _covariance(ones: Sequence[Kind], others: Sequence[Kind], at: Floats, scale: Floats) -> Floats:
    first, second = (
        (np.array([numbers for _, numbers in kinds]) - at) / scale for kinds in (ones, others)
    )
    same = np.array([[one == other for other, _ in others] for one, _ in ones])
    line = first @ second.T
    apart = ((first[:, None, :] - second[None, :, :]) ** 2).sum(axis=2)
    bend = np.exp(-apart / (2.0 * _LENGTH**2))
    found = _ALL + _GENERATION * same + line * (_LINE + _OWN_LINE * same)
    return np.asarray(found + bend * (_BEND + _OWN_BEND * same), dtype=np.float64)


class Process:
    """The process, given results: predicts the log speed of others with its deviation."""

    def __init__(
        self, kinds: Sequence[Kind], logs: Sequence[float], noise: Sequence[float]
    ) -> None:
        """Condition on logs of results with the deviation of each."""
        self._kinds = list(kinds)
        numbers = np.array([numbers for _, numbers in kinds])
        self._at, self._scale = numbers.mean(axis=0), numbers.std(axis=0) + 1e-9
        self._mean = float(np.mean(logs))
        own = _covariance(kinds, kinds, self._at, self._scale) + np.diag(np.square(noise))
        self._inverse = np.linalg.inv(own)
        self._weights = self._inverse @ (np.array(logs) - self._mean)

    def at(self, kind: Kind) -> tuple[float, float]:
        """Return mean and standard deviation of the log speed of a processor."""
        near = _covariance([kind], self._kinds, self._at, self._scale)[0]
        (whole,) = _covariance([kind], [kind], self._at, self._scale)[0]
        variance = float(whole - near @ self._inverse @ near)
        return self._mean + float(near @ self._weights), max(variance, 0.0) ** 0.5
