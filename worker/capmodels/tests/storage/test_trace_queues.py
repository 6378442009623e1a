"""A file server's disk with queues, 70% writes: calibrated on its first half, replayed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels.tests.asking import ask
from capmodels.tests.storage.plain_array import PlainArray, responses_ms, sorted_responses_ms
from capmodels.tests.storage.plain_disk import DISK, PLATTER

pytestmark = pytest.mark.slow

MODEL = "storage.calibrate_trace"
COUNT = 12_000
# As a data sheet has it: no tracks, another overhead, writes like reads.
SHEET = DISK.model_copy(
    update={
        "geometry": None,
        "overhead_ms": 0.5,
        "write_settle_ms": 0.0,
        "outer_mb_per_s": 80.0,
        "inner_mb_per_s": 60.0,
    }
)


def _arrivals(rng: np.random.Generator) -> Any:
    """Quiet and busy quarters of an hour, nearly three hours of them."""
    busy = (np.arange(COUNT) // 1500) % 2 == 1
    return np.cumsum(rng.standard_exponential(COUNT) * np.where(busy, 11.0, 900.0 / 1.5))


def _demand(at: Any, ops: Any, responses: list[float]) -> dict[str, Any]:
    return {
        "kind": "requests",
        "times_s": (at / 1000).tolist(),
        "sectors": ops[:, 0].tolist(),
        "sectors_count": ops[:, 1].tolist(),
        "writes": (ops[:, 2] == 1).tolist(),
        "responses_ms": responses,
    }


@pytest.mark.decisive
@pytest.mark.parametrize("sectors", [8, 64])
def test_a_trace_with_queues_is_replayed_within_a_tenth(sectors: int) -> None:
    rng = np.random.Generator(np.random.PCG64(5))
    at, ops = _arrivals(rng), np.zeros((COUNT, 3), dtype=np.int64)
    ops[:, 0] = rng.integers(0, PLATTER.sectors // sectors, COUNT) * sectors
    ops[:, 1], ops[:, 2] = sectors, rng.random(COUNT) < 0.7
    requests = [(int(a), int(b), int(c)) for a, b, c in ops]
    responses = responses_ms(PlainArray(PLATTER, 1), at.tolist(), requests)
    found = ask(MODEL, drive=SHEET.model_dump(), demand=_demand(at, ops, responses))
    assert found.drive.write_settle_ms == pytest.approx(0.5, abs=0.2)
    assert found.replay.measured_mean_ms > 1.2 * found.measured_mean_ms
    assert found.replay.scheduler == "fcfs"
    assert abs(found.replay.error_fraction) < 0.1


def test_the_order_of_a_sorted_queue_is_found() -> None:
    rng = np.random.Generator(np.random.PCG64(6))
    at = np.cumsum(rng.standard_exponential(4000) * 5.2)
    ops = np.zeros((4000, 3), dtype=np.int64)
    ops[:, 0], ops[:, 1] = rng.integers(0, PLATTER.sectors, 4000), 1
    responses = sorted_responses_ms(PLATTER, at.tolist(), ops[:, 0].tolist(), queue=32)
    found = ask(MODEL, drive=SHEET.model_dump(), demand=_demand(at, ops, responses))
    assert found.replay.scheduler == "sptf"
    assert abs(found.replay.error_fraction) < 0.1
