"""A change is found at the threshold that was put there, and only where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from capmodels.explore.flips_kernel import Probe, find_changes

if TYPE_CHECKING:
    from numpy.typing import NDArray


def test_the_nearest_threshold_is_found_and_was_evaluated() -> None:
    thresholds = [(2.5, 9.0), (-4.0, 7.0), (-50.0, 50.0)]
    asked: set[float] = set()

    def choices(indices: list[int], values: NDArray[np.float64]) -> NDArray[np.int64]:
        asked.update(values.ravel().tolist())
        ends = np.array([thresholds[index] for index in indices])
        above, below = values >= ends[:, 1:], values <= ends[:, :1]
        return np.where(above, 2, np.where(below, 1, 0))

    changes = find_changes([Probe(3.0, 0.0, 30.0)] * 3, 0, choices)
    assert changes[0] is not None
    assert changes[0].value == pytest.approx(2.5, abs=0.002)
    assert changes[0].value <= 2.5
    assert changes[0].choice == 1
    assert changes[1] is not None
    assert changes[1].value == pytest.approx(7.0, abs=0.01)
    assert changes[1].choice == 2
    assert changes[2] is None
    assert {changes[0].value, changes[1].value} <= asked


def test_nothing_to_move_changes_nothing() -> None:
    assert find_changes([], 0, lambda _indices, values: values.astype(np.int64)) == []
