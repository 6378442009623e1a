"""Interrupts, polling and deferral against the measured rates, curves and limits."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.performance.interrupt_params import ATOM, NEHALEM_TUNED
from capmodels.tests.asking import ask, faults

MODEL = "performance.interrupt_model"


def _modes(**params: Any) -> dict[str, Any]:
    return {answer.mode: answer for answer in ask(MODEL, **params).modes}


def test_overhead_has_the_shape_of_the_figure() -> None:
    # Percent of one core at 1k, 2.5k, 5k, 10k and 20k reads a second, 100 us of polling.
    modes = _modes(queued_count=7, rates_per_s=[1e3, 2.5e3, 5e3, 1e4, 2e4])

    def percent(mode: str) -> list[float]:
        return [round(100 * point.overhead_fraction, 1) for point in modes[mode].overhead]

    assert percent("interrupt") == [1.0, 2.5, 5.0, 10.0, 20.0]
    assert percent("spin") == [1.6, 3.5, 5.5, 7.1, 6.5]
    assert percent("defer") == [1.4, 2.8, 4.2, 6.0, 8.0]


@pytest.mark.decisive
def test_polling_peaks_where_the_window_holds_one_read() -> None:
    result = ask(MODEL, queued_count=7)

    assert result.poll_window_us == pytest.approx(100.0)
    assert result.spin_peak_per_s == pytest.approx(10_000.0)
    assert result.defer_pays_from_per_s == pytest.approx(2_500.0)


def test_without_queued_commands_polling_never_pays() -> None:
    result = ask(MODEL)

    assert result.spin_peak_per_s is None
    by_mode = {answer.mode: answer.reads_per_s for answer in result.modes}
    assert by_mode["spin"] < by_mode["interrupt"] < by_mode["defer"]


def test_processor_is_full_at_the_rate_it_allows() -> None:
    for answer in _modes(queued_count=3).values():
        assert answer.cap == "cpu"
        assert answer.reads_per_s * answer.cpu_per_read_us == pytest.approx(1e6, rel=1e-9)


def test_devices_and_queues_cap_a_fast_processor() -> None:
    assert _modes(cores_count=8)["interrupt"].cap == "device"
    slow = _modes(cores_count=8, deferral_us=1_000.0)["defer"]
    assert slow.cap == "queue"
    # 31 commands each 1.2 ms.
    assert slow.reads_per_s == pytest.approx(31 / 0.0012)


def test_a_latency_bound_shuts_out_deferral() -> None:
    assert ask(MODEL).best_mode == "defer"
    assert ask(MODEL, latency_bound_us=300.0).best_mode == "interrupt"
    assert ask(MODEL, latency_bound_us=100.0).best_mode is None


def test_three_devices_carry_what_the_tuned_server_does() -> None:
    answer = _modes(**NEHALEM_TUNED)["defer"]

    assert answer.cap == "cpu"
    assert answer.reads_per_s < 3 * 70_000


def test_a_multi_read_saves_switches_and_the_fast_path_copies() -> None:
    one, many, fast = ask(MODEL).paths

    # 10 + 4 x 1 + 2 x 10 + 4 x 5; 10 + 4 + 2 x 10 / 4 + 4 x 5 / 16; 10 + 1 + 20.
    assert one.cpu_per_request_us == pytest.approx(54.0)
    assert many.cpu_per_request_us == pytest.approx(20.25)
    assert fast.cpu_per_request_us == pytest.approx(31.0)
    assert one.requests_per_s == pytest.approx(1e6 / 54)


def test_a_load_that_is_not_monotone_is_said() -> None:
    result = ask(MODEL, path_us=1.0, queued_count=7)

    assert "first rate" in result.warnings[0]
    spin = next(answer for answer in result.modes if answer.mode == "spin")
    assert spin.cpu_reads_per_s < 1e6


@settings(max_examples=60, derandomize=True, deadline=None)
@given(queued=st.integers(0, 31), deferral=st.floats(0, 1000), cores=st.integers(1, 16))
def test_interrupts_know_nothing_of_waits_and_cores_never_hurt(
    queued: int, deferral: float, cores: int
) -> None:
    changed = {"queued_count": queued, "deferral_us": deferral, "rates_per_s": [], "paths": []}
    few, more = _modes(**changed, cores_count=cores), _modes(**changed, cores_count=cores + 1)

    alone = _modes(cores_count=cores)["interrupt"].reads_per_s
    assert few["interrupt"].reads_per_s == alone
    for mode, answer in few.items():
        assert more[mode].reads_per_s >= answer.reads_per_s * (1 - 1e-9)


def test_no_wait_leaves_the_interrupt_and_its_extra() -> None:
    answer = _modes(**ATOM | {"deferral_us": 0.0})["defer"]

    assert answer.reads_per_s == pytest.approx(1e6 / (33.478 + 10 + 5))
    assert math.isclose(answer.latency_worst_us, 200.0)


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"path_us": 0.0}, "/path_us", "out_of_range"),
        ({"deferral_us": -1.0}, "/deferral_us", "out_of_range"),
        ({"cores_count": 0}, "/cores_count", "out_of_range"),
        ({"rates_per_s": [0.0]}, "/rates_per_s/0", "out_of_range"),
        ({"paths": [{"name": "x", "batch_count": 0}]}, "/paths/0/batch_count", "out_of_range"),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, Any], pointer: str, code: str) -> None:
    assert faults(MODEL, document) == {pointer: code}
