"""A drive that spins down: the closed form against the simulator, request by request."""

from __future__ import annotations

import pytest

from capmodels.spec import evaluate
from capmodels.storage.array import SPEC as ARRAY
from capmodels.storage.drive.drives import TRAVELSTAR_7K60
from capmodels.storage.drive.service import response_ms
from capmodels.storage.drive.spin_down import Sleeper, sleep_of, standby_break_even_s, wake_wait_ms
from capmodels.storage.drive.times import low_state, service_moments

DRIVE = TRAVELSTAR_7K60.model_copy(update={"low_power_idle": None})
TIMEOUT_S = 6.0


@pytest.mark.slow
@pytest.mark.parametrize("rate_per_s", [0.02, 0.2, 2.0])
def test_power_starts_and_response_are_the_simulators(rate_per_s: float) -> None:
    document = {
        "array": {
            "drive": DRIVE.model_dump(),
            "layout": {"kind": "single", "disks_count": 1},
            "dispatch": {"keep_primary_awake": False},
            "timeouts": {"standby_s": TIMEOUT_S},
        },
        "workload": {
            "kind": "synthetic",
            "arrivals": {"kind": "exponential", "mean_ms": 1000.0 / rate_per_s},
            "requests_count": 40_000,
        },
    }
    simulated = evaluate(ARRAY, document)
    moments = service_moments(DRIVE, 8192)
    assert moments is not None
    assert DRIVE.standby is not None
    drive = Sleeper(DRIVE.idle_w, DRIVE.active_w, low_state(DRIVE.standby), TIMEOUT_S)
    load = rate_per_s * moments.mean_ms / 1000
    ours = sleep_of(drive, rate_per_s=rate_per_s, load_fraction=load)
    assert ours.power_w == pytest.approx(simulated.power_w, rel=0.015)
    response = response_ms(rate_per_s, moments) + wake_wait_ms(drive, rate_per_s)
    assert response == pytest.approx(simulated.responses[0].mean_ms, rel=0.05)


@pytest.mark.decisive
def test_the_break_even_of_the_laptop_disk_is_the_papers() -> None:
    # Reference check 14: 6.216 s from performance idle to standby.
    assert DRIVE.standby is not None
    low = low_state(DRIVE.standby)
    assert standby_break_even_s(DRIVE.idle_w, low) == pytest.approx(6.216, abs=0.001)


def test_a_drive_without_requests_sleeps_and_a_busy_one_does_not() -> None:
    assert DRIVE.standby is not None
    drive = Sleeper(2.0, 2.5, low_state(DRIVE.standby), TIMEOUT_S)
    asleep = sleep_of(drive, rate_per_s=0.0, load_fraction=0.0)
    assert asleep.power_w == pytest.approx(0.25)
    assert asleep.asleep_fraction == pytest.approx(1.0)
    busy = sleep_of(drive, rate_per_s=50.0, load_fraction=0.7)
    assert busy.power_w == pytest.approx(0.7 * 2.5 + 0.3 * 2.0)
    assert wake_wait_ms(drive, 50.0) == pytest.approx(0.0, abs=1e-9)
