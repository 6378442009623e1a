"""The benches' own arithmetic."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench._lib import (
    Row,
    at_least,
    at_most,
    fitting,
    median,
    percentile,
    server_timing_ms,
)
from bench._machine import GAUGES


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_percentiles_agree_with_the_standard_library(values: list[float]) -> None:
    quartiles = statistics.quantiles(values, n=4, method="inclusive")
    ours = [percentile(values, fraction) for fraction in (0.25, 0.5, 0.75)]
    assert ours == pytest.approx(quartiles, abs=1e-6)
    assert median(values) == pytest.approx(statistics.median(values), abs=1e-6)


def test_no_values_are_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


@pytest.mark.parametrize(
    ("row", "ok"),
    [
        (at_most("a", "first page", "s", 0.9, 1.0), True),
        (at_most("a", "first page", "s", 1.1, 1.0), False),
        (at_least("a", "points", "1/s", 11e6, 10e6), True),
        (at_least("a", "points", "1/s", 9e6, 10e6), False),
        (Row("a", "points", "1/s", 20e6, 10e6, ">=", 9e6, "NumPy", 2.0), True),
        (Row("a", "points", "1/s", 20e6, 10e6, ">=", 11e6, "NumPy", 2.0), False),
        (Row("a", "time", "s", 1.0, 2.0, "<=", 2.0, "NumPy", 2.0), True),
    ],
)
def test_a_row_meets_its_target_and_its_ratio(row: Row, ok: bool) -> None:
    assert row.ok is ok


@pytest.mark.parametrize(
    ("row", "ok"),
    [
        (Row("a", "time", "ms", 2.4, 1.0, "<=", slowness=2.5), True),
        (Row("a", "time", "ms", 0.9, 1.0, "<=", slowness=0.5), False),
        (Row("a", "rate", "1/s", 120.0, 250.0, ">=", slowness=2.5), True),
        (Row("a", "memory", "MB", 240.0, 200.0, "<=", slowness=2.5), False),
        (Row("a", "time", "s", 2.0, 1.0, "<=", 2.0, "SimPy", 2.0, slowness=2.5), False),
    ],
)
def test_a_time_is_judged_as_the_machine_of_the_targets_would_have_it(row: Row, ok: bool) -> None:
    assert row.ok is ok


def test_the_machine_is_measured_by_work_of_known_length() -> None:
    assert set(GAUGES) == {"python", "stream", "fsync", "simpy"}
    assert {row.fits for row in fitting("fsync", [at_most("a", "b", "s", 1.0, 1.0)])} == {"fsync"}
    for gauge in GAUGES.values():
        gauge.work()


def test_a_duration_is_read_from_server_timing() -> None:
    assert server_timing_ms("db;dur=1.5, total;desc=all;dur=7.25") == 7.25
    with pytest.raises(ValueError, match="no 'app'"):
        server_timing_ms("db;dur=1.5", "app")
