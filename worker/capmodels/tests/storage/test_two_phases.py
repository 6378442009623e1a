"""Small writes in two phases in closed form, against the simulation of requests."""

from __future__ import annotations

from functools import cache

import pytest

from capmodels.spec import evaluate
from capmodels.storage.array import SPEC as ARRAY
from capmodels.storage.closed_form.array_instant import SPEC as INSTANT
from capmodels.storage.drive.drives import ST3500320AS, ULTRASTAR_15K73

# Layout, disks, drive, share of reads, rate: loads of 0.13 to 0.69, two kinds of drives.
CASES = [
    ("raid5", 5, "ST", 0.7, 60.0),
    ("raid5", 5, "ST", 0.7, 115.0),
    ("raid5", 9, "IBM", 0.0, 200.0),
    ("raid5", 12, "IBM", 0.5, 420.0),
    ("raid6", 8, "ST", 0.7, 90.0),
    ("raid6", 12, "IBM", 0.3, 230.0),
    ("raid6", 12, "ST", 0.0, 105.0),
    ("raid6", 10, "IBM", 0.6, 330.0),
]
DRIVES = {"ST": ST3500320AS, "IBM": ULTRASTAR_15K73}


Case = tuple[str, int, str, float, float]


@cache
def _simulated(
    case: Case,
) -> tuple[float | None, float | None, float]:
    layout, disks, drive, reads, rate = case
    found = evaluate(
        ARRAY,
        {
            "array": {
                "drive": DRIVES[drive],
                "layout": {"kind": layout, "disks_count": disks},
                "timeouts": None,
            },
            "workload": {
                "kind": "synthetic",
                "arrivals": {"kind": "exponential", "mean_ms": 1000.0 / rate},
                "read_fraction": reads,
                "size_bytes": 8192,
                "requests_count": 100_000,
            },
        },
    )
    means = {one.requests: one.mean_ms for one in found.responses}
    return means["reads"], means["writes"], found.power_w


@pytest.mark.parametrize("case", CASES, ids=str)
def test_two_phases_are_as_simulated(case: Case) -> None:
    layout, disks, drive, reads, rate = case
    found = evaluate(
        INSTANT,
        {
            "drive": DRIVES[drive],
            "layout": layout,
            "disks_count": disks,
            "arrival_rate_per_s": rate,
            "read_fraction": reads,
        },
    )
    read, write, power = _simulated(case)
    assert found.utilization_ratio < 0.7
    assert found.write_response_ms == pytest.approx(write, rel=0.03)
    if read is not None:
        assert found.read_response_ms == pytest.approx(read, rel=0.03)
    assert found.always_on_w == pytest.approx(power, rel=0.003)


def test_beyond_its_load_nothing_is_said_of_writes() -> None:
    asked = {"drive": ST3500320AS, "layout": "raid5", "disks_count": 5, "read_fraction": 0.7}
    most = evaluate(INSTANT, asked).max_rate_per_s
    busy = evaluate(INSTANT, asked | {"arrival_rate_per_s": most * 0.8})
    assert busy.write_response_ms is None
    assert busy.read_response_ms is not None
    over = evaluate(INSTANT, asked | {"arrival_rate_per_s": most * 1.01})
    assert (over.read_response_ms, over.response_mean_ms, over.carries_load) == (None, None, False)
    # Disks that never rest seek before each phase; locked ones turn instead of seeking again.
    locked = evaluate(INSTANT, asked | {"locked_updates": True}).max_rate_per_s
    assert locked > most
