"""What is compiled beforehand holds the loops that tests and planners run."""

from __future__ import annotations

import pytest

from capmodels import warming


@pytest.mark.slow
def test_a_warmed_sorted_array_has_all_loops_of_sorted_queues() -> None:
    from capmodels.storage.simulator import queue_kernel

    warming.RARE_KERNELS["sorted-arrays"]()
    for loop in ("sorted_queues", "sorted_closed", "end_queues"):
        assert getattr(queue_kernel, loop).signatures, loop
