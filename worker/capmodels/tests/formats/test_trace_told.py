"""What a trace tells: sentences and charts, from what was kept of its file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.__main__ import main
from capmodels.formats.device_told import shape_said
from capmodels.formats.ingest import ingest
from capmodels.formats.registry import formats
from capmodels.formats.told_axes import clock, decades, seconds_said
from capmodels.formats.trace_told import headline, trace_told
from capmodels.numbers import duration

if TYPE_CHECKING:
    from pathlib import Path

POISSON = {
    "requests_count": 100_000,
    "devices_count": 1,
    "duration_s": 1000,
    "rate_per_s": 100,
    "read_fraction": 0.5,
    "peak_rate_per_s": 130,
    "peak_to_mean_ratio": 1.3,
    "gap_cv_ratio": 1,
    "size_mean_bytes": 8192,
    "size_p50_bytes": 8192,
    "footprint_bytes": 2e9,
    "footprint_is_exact": False,
    "idle_above_1s_fraction": 0,
    "idle_above_10s_fraction": 0,
}
RATE = {"step_s": 500, "reads_per_s": [60, 40], "writes_per_s": [50, 50]}
GAPS = {"upto_s": [1e-4, 1e-2, 1], "fraction": [0.4, 0.9, 1], "time_fraction": [0.1, 0.4, 1]}
BLOCK = {
    "rate": RATE,
    "gaps": GAPS,
    "sizes": {"upto_bytes": [4096, 8192], "requests_count": [1, 3], "bytes": [4096, 24_576]},
    "footprint": {"day_bytes": [2e9, 1e9]},
    "responses": {"upto_s": [1e-3, 1e-2], "fraction": [0.5, 1]},
}


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (48, "48 s"),
        (600, "10 min"),
        (7200, "2 h"),
        (7500, "2 h 5 min"),
        (7 * 86_400 + 3 * 3600, "7 days 3 h"),
    ],
)
def test_a_length_of_time_has_two_units(seconds: float, text: str) -> None:
    assert _plain(duration(seconds)) == text


def test_a_block_trace_says_what_its_arrivals_are_like_and_what_it_touches() -> None:
    told = trace_told("block", POISSON, BLOCK)
    assert _plain(told.headline) == "100,000 requests in 17 min, 100 per second, 50% reads."
    text = _plain(" ".join(told.notes))
    assert "about as a Poisson stream" in text
    assert "about 2.00 GB" in text
    assert "no gaps long enough" in text


def test_the_charts_of_a_block_trace_say_what_they_find() -> None:
    rate, gaps, sizes, days, responses = trace_told("block", POISSON, BLOCK).figures
    assert _plain(rate.title) == "100 requests/s on average, up to 110 over 8 min"
    assert [one.name for one in rate.series] == ["Reads", "Writes"]
    assert rate.series[0].at == (250, 750)
    assert _plain(gaps.title) == (
        "Half of the gaps are below 10.0 ms; half of the time lies in gaps above 1.00 s"
    )
    assert sizes.title == "75% of the requests have more than 4 KiB, up to 8 KiB"
    assert sizes.rows == ("4 KiB", "8 KiB")
    assert _plain(days.title).startswith("A day touches up to 2.00 GB")
    assert _plain(responses.title) == "95% are answered within 10.0 ms"


def test_a_single_request_has_no_gaps_to_draw() -> None:
    gaps: dict[str, list[float]] = {"upto_s": [], "fraction": [], "time_fraction": []}
    figures = trace_told("block", POISSON, {"rate": RATE, "gaps": gaps}).figures
    assert [one.name for one in figures] == ["Requests over time"]


UTILIZATION = {
    "machines_count": 2,
    "duration_s": 7200,
    "step_s": 60,
    "missing_fraction": 0,
    "cpu_mean_fraction": None,
    "power_mean_w": 410,
    "power_peak_w": 520,
}


def test_utilization_without_cpu_speaks_of_watts_only() -> None:
    charts = {"power": {"step_s": 60, "total_w": [None, 410, 520]}}
    told = trace_told("utilization", UTILIZATION, charts)
    assert _plain(told.headline) == "2 machines over 2 h, drawing 410 W on average."
    assert "%" not in " ".join(told.notes)
    assert _plain(told.figures[0].title) == "Together they draw up to 520 W"


def test_cpu_is_drawn_over_time_by_machine_and_by_hour() -> None:
    half = [0.5, None]
    charts: dict[str, Any] = {
        "band": {"step_s": 60, "mean": half, "p5": half, "p25": half, "p50": half}
        | {"p75": half, "p95": [0.9, None]},
        "heat": {"step_s": 60, "names": ["a", "b"], "cpu_fraction": [[0.8, 0.6], [0.2, None]]},
        "hours": {"mean_fraction": [0.1, 0.4, *[0.2] * 22], "p95_fraction": [0.5] * 24},
    }
    busy = {**UTILIZATION, "cpu_mean_fraction": 0.5, "cpu_p95_fraction": 0.9}
    band, heat, hours = trace_told("utilization", busy, charts).figures
    assert "all together are 50% busy at most" in _plain(band.title)
    assert band.series[0].high == (0.9, None)
    assert heat.title.endswith("is 70% busy on average, the idlest 20%")
    assert heat.along.ticks_said == ("a", "b")
    assert heat.levels == (1, 0)
    assert hours.title == "The busiest hour of the day is 01:00: 40% busy on average"
    alone = {**charts["heat"], "names": ["a"], "cpu_fraction": [[0.8, 0.6]]}
    band, heat, _ = trace_told("utilization", busy, {**charts, "heat": alone}).figures
    assert _plain(band.title) == "Over 1 min, the machine is 50% busy at most"
    assert heat.title == "The machine is 70% busy on average"


def _cohort(name: str, failures: int) -> dict[str, Any]:
    return {
        "name": name,
        "afr_per_year": failures / 100,
        "low_per_year": failures / 200,
        "high_per_year": (failures + 1) / 50,
        "drives_count": 100,
        "drive_days_count": 36_500,
        "failures_count": failures,
        "capacity_tb": 4.0,
    }


CURVE = {
    "name": "All drives",
    "drives_count": 400,
    "failures_count": 40,
    "age_years": [0, 1, 2],
    "survival_fraction": [1, 0.9, 0.7],
    "low_fraction": [1, 0.8, 0.6],
    "high_fraction": [1, 0.95, 0.8],
    "weibull_fraction": [1, 0.9, 0.72],
    "weibull_scale_years": 4,
    "weibull_shape_ratio": 1.6,
    "weibull_shape_low_ratio": 1.2,
    "weibull_shape_high_ratio": 2,
}
FLEET = {"days_count": 1, "first_day": "2026-03-01", "last_day": "2026-03-01"}


def test_a_fleet_shows_each_rate_with_its_interval_the_worst_on_top() -> None:
    cohorts = [_cohort("good", 0), _cohort("bad", 6), _cohort("fair", 2)]
    fleet = {"cohorts": cohorts, "models_count": 3, "confidence_fraction": 0.95}
    older = {key: value for key, value in CURVE.items() if key != "weibull_fraction"}
    lifetimes = {"curves": [CURVE, {**older, "name": "bad"}], "reason": None}
    told = trace_told("fleet", FLEET, {"fleet": fleet, "lifetimes": lifetimes})
    rates, survival, before = told.figures
    assert rates.title == "Highest rate: bad, 6% a year"
    assert rates.rows == ("bad", "fair", "good")
    assert rates.series[0].values == (0.06, 0.02, 0)
    assert rates.series[0].low == (0.03, 0.01, 0)
    assert survival.of == "All drives"
    assert survival.series[-1].values == (1, 0.9, 0.72)
    assert [one.name for one in before.series] == ["Kaplan-Meier, 95% interval"]
    assert len(told.tables[0].rows) == 3


def test_a_fleet_says_whether_failures_grow_with_age_or_why_that_is_not_known() -> None:
    assert "fail more often as they age" in shape_said(CURVE)
    fleet = {"cohorts": [], "models_count": 0, "confidence_fraction": 0.95}
    lifetimes = {"curves": [], "reason": "Too few failed."}
    told = trace_told("fleet", FLEET, {"fleet": fleet, "lifetimes": lifetimes})
    assert told.notes[-1] == "Too few failed."


def test_of_points_that_are_as_deep_the_fastest_is_drawn() -> None:
    point = {"job": "", "direction": "read", "block_bytes": 4096, "p99_ms": None}
    point |= {"latency_mean_ms": 1.0, "queue_depth_count": 4, "iops_per_s": 900.0}
    points = [point, {**point, "queue_depth_count": 2, "jobs_count": 2, "iops_per_s": 1000.0}]
    summary = {"points_count": 2, "iops_peak_per_s": 1000.0}
    told = trace_told("latency", summary, {"points": points})
    assert told.headline == "2 measured points, up to 1,000 requests/s."
    (line,) = told.figures[0].series
    assert (line.name, line.at, line.values) == ("read, 4 KiB", (4,), (1000.0,))
    assert len(told.tables[0].rows) == 2


def test_axes_are_ticked_where_a_clock_is_and_at_powers_of_ten() -> None:
    assert [_plain(text) for text in clock(90_000).ticks_said][:3] == ["0", "6 h", "12 h"]
    axis = decades("Gap", "s", (2e-5, 40.0), seconds_said)
    assert axis.ticks_said[:3] == ("10 µs", "100 µs", "1 ms")
    assert axis.ticks_said[-1] == "100 s"
    few = decades("Service time", "s", (5e-3, 25e-3), seconds_said).ticks_said
    assert {"5 ms", "10 ms", "20 ms"} <= set(few)


@pytest.mark.parametrize("form", formats(), ids=lambda form: form.name)
def test_every_format_is_told(form: Any) -> None:
    found = ingest([form.sample], lambda _packed: None, "sample.csv")
    told = trace_told(found.kind, found.summary, found.charts)
    assert told.headline == headline(found.kind, found.summary)
    assert told.figures


def test_the_command_line_tells_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "disk.spc"
    file.write_text("".join(f"0,{at * 16},8192,R,{at * 0.01:.6f}\n" for at in range(100)))
    assert main(["trace", str(file)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["headline"].startswith("100 requests in")
    file.write_text("Dear planner,\n" * 20)
    assert main(["trace", str(file)]) == 2
