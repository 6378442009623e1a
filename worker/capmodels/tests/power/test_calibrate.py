"""Calibration against curves that are known, least squares by NumPy, and uploaded traces."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from capmodels.errors import ModelError, ParamsError
from capmodels.formats.ingest import ingest
from capmodels.formats.trace_columns import unpack_utilization
from capmodels.formats.trace_store import held, using
from capmodels.formats.trace_types import UtilizationTrace
from capmodels.power.calibrate_kernel import best, candidates
from capmodels.power.curves import FamilyCurve, watts
from capmodels.power.families import corners_of, shape
from capmodels.power.measured_servers import LOADS, servers
from capmodels.tests.asking import ask, faults

MODEL = "power.calibrate"
TRACE = "00000000-0000-4000-8000-000000000001"
FEW = {"replicates_count": 60}


def day(count: int = 600) -> np.ndarray[Any, Any]:
    """Loads of a day that rise and fall, from nearly idle to nearly full."""
    hours = np.linspace(0, 4 * np.pi, count)
    noise = np.random.Generator(np.random.PCG64(3)).normal(0, 0.1, count)
    return np.clip(0.5 - 0.45 * np.cos(hours) + noise, 0, 1)


def samples(load: Any, power: Any) -> list[dict[str, float]]:
    return [
        {"utilization_fraction": float(u), "power_w": float(w)}
        for u, w in zip(load, power, strict=True)
    ]


def test_a_line_comes_back_as_numpy_s_least_squares() -> None:
    load = day()
    power = 80 + 120 * load + np.random.Generator(np.random.PCG64(5)).normal(0, 4, len(load))
    result = ask(MODEL, samples=samples(load, power), kind="linear", **FEW)
    slope, idle = np.polyfit(load, power, 1)
    assert result.power_idle.value_w == pytest.approx(idle, rel=1e-6)
    assert result.power_max.value_w == pytest.approx(idle + slope, rel=1e-6)
    assert result.root_mean_square_w == pytest.approx(4, rel=0.1)


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    load, inside = day(400), 0
    for seed in range(40):
        noise = np.random.Generator(np.random.PCG64(100 + seed)).normal(0, 6, len(load))
        given = samples(load, 80 + 120 * load + noise)
        idle = ask(MODEL, samples=given, kind="linear", **FEW).power_idle
        inside += idle.low_w <= 80 <= idle.high_w
    assert 30 <= inside <= 40


def test_a_family_s_shape_is_recognized() -> None:
    load = day()
    idle, full = np.array(shape("zen2").weights).T
    power = np.interp(load, LOADS, 60 * idle + 400 * full)
    result = ask(MODEL, samples=samples(load, power), **FEW)
    assert result.curve.kind == "family"
    assert result.curve.family == "zen2"
    assert result.power_idle.value_w == pytest.approx(60)
    assert result.power_max.value_w == pytest.approx(400)


def test_a_server_with_drives_beside_a_family_s_shape_is_recognized() -> None:
    load = day()
    curve = FamilyCurve(family="zen4", power_idle_w=330.0, power_max_w=700.0)
    power = np.array([watts(curve, float(one)) for one in load])
    result = ask(MODEL, samples=samples(load, power), kind="family", **FEW)
    assert result.curve == curve.model_copy(
        update={"power_idle_w": result.curve.power_idle_w, "power_max_w": result.curve.power_max_w}
    )
    assert result.power_idle.value_w == pytest.approx(330)
    assert result.power_max.value_w == pytest.approx(700)
    # What is told of the fit is what the curve that is handed over does.
    for band in result.bands:
        assert band.curve_w == pytest.approx(band.measured_w)


@pytest.mark.parametrize("seed", range(6))
def test_a_family_s_fit_is_the_best_that_a_search_finds(seed: int) -> None:
    rng = np.random.Generator(np.random.PCG64(seed))
    load = rng.uniform(0, 1, 80)
    power = rng.uniform(40, 400) + rng.uniform(20, 500) * load ** rng.uniform(0.4, 2)
    family = ("zen3", "zen4", "sandy_bridge")[seed % 3]
    tried = [one for one in candidates("family") if one.family == family]
    fit = best(tried, load, power)

    def off(ends: np.ndarray) -> float:
        idle, full = map(float, np.abs(ends))
        corners = np.array(corners_of(shape(family), idle, full))
        ours = np.interp(load, corners[:, 0], corners[:, 1])
        return float(((ours - power) ** 2).mean())

    starts = [(share * power.max(), power.max()) for share in (0.05, 0.3, 0.6, 0.9)]
    found = min(minimize(off, start, method="Nelder-Mead", tol=1e-9).fun for start in starts)
    assert off(np.array(fit.powers_w)) == pytest.approx(fit.mean_square, rel=1e-6)
    assert fit.mean_square <= found * (1 + 1e-6)


@pytest.mark.decisive
def test_a_jump_and_a_slope_are_found_where_they_are() -> None:
    load = day()
    power = np.interp(load, (0, 0.3, 1), (50, 200, 240))
    result = ask(MODEL, samples=samples(load, power), kind="two_segments", **FEW)
    assert result.curve.knee_utilization_fraction == pytest.approx(0.3)
    assert result.curve.knee_range_fraction == pytest.approx(150 / 190)
    assert result.bend_low_ratio <= 0.3 <= result.bend_high_ratio


def test_a_measured_server_is_met_within_a_few_percent() -> None:
    server = next(found for found in servers() if "R620" in found.title)
    load = day()
    power = np.interp(load, LOADS, server.power_w)
    result = ask(MODEL, samples=samples(load, power), **FEW)
    assert result.median_error_fraction < 0.03
    assert result.power_idle.value_w == pytest.approx(server.power_w[0], rel=0.1)
    assert result.power_max.value_w == pytest.approx(server.power_w[-1], rel=0.1)


def test_load_that_stays_low_is_said() -> None:
    load = 0.3 * day()
    result = ask(MODEL, samples=samples(load, 80 + 120 * load), **FEW)
    assert "full power is extrapolated" in result.warnings[0]
    assert result.highest_utilization_fraction <= 0.3


def trace(*, watts: bool = True) -> UtilizationTrace:
    load = np.stack([day(300), 0.5 * day(300)])
    power = 80 + 120 * load + np.array([[0.0], [40.0]])
    power[1, 5] = np.nan
    return UtilizationTrace(
        step_s=60.0,
        names=("web-1", "db-1"),
        cpu_fraction=load.astype(np.float32),
        watts=power.astype(np.float32) if watts else None,
    )


def test_an_uploaded_trace_is_fitted_whole_or_by_machine() -> None:
    loader, refs = held({TRACE: trace()})
    given = {"trace": refs[TRACE].model_dump(), "kind": "linear"} | FEW
    with using(loader):
        one = ask(MODEL, **given, machine="db-1")
        both = ask(MODEL, **given)
        with pytest.raises(ParamsError, match="no machine"):
            ask(MODEL, **given, machine="mail")
    assert one.power_idle.value_w == pytest.approx(120, abs=0.01)
    assert one.samples_count == 299
    assert both.samples_count == 599
    assert both.root_mean_square_w > 5


def test_a_trace_without_power_is_refused() -> None:
    loader, refs = held({TRACE: trace(watts=False)})
    with using(loader), pytest.raises(ParamsError, match="no power"):
        ask(MODEL, trace=refs[TRACE].model_dump())


def test_machines_with_power_and_no_load_are_left_out() -> None:
    whole = trace()
    load = whole.cpu_fraction.copy()
    load[1] = 0.0
    one_measured = replace(whole, cpu_fraction=load)
    none_measured = replace(whole, cpu_fraction=np.zeros_like(load))
    other = TRACE.replace("01", "02")
    loader, refs = held({TRACE: one_measured, other: none_measured})
    with using(loader):
        one = ask(MODEL, trace=refs[TRACE].model_dump(), kind="linear", **FEW)
        with pytest.raises(ModelError, match="0 samples with load and power"):
            ask(MODEL, trace=refs[other].model_dump())
    assert one.samples_count == 300
    assert one.power_idle.value_w == pytest.approx(80, abs=0.01)


def sar_of(load: Any) -> str:
    """The load of a host by minutes, as sar prints it."""
    lines = ["Linux 6.1.0 (db1) \t2026-11-20 \t_x86_64_\t(4 CPU)", ""]
    lines.append("00:00:01     CPU     %user     %nice   %system   %iowait    %steal     %idle")
    for minute, share in enumerate(load, start=1):
        idle = 100 * (1 - share)
        at = f"{minute // 60:02d}:{minute % 60:02d}:01"
        lines.append(f"{at}     all     {100 - idle:.2f}  0.00  0.00  0.00  0.00  {idle:.2f}")
    return "\n".join(lines) + "\n"


def test_sar_and_readings_of_power_in_one_archive_are_fitted_together() -> None:
    load = day(400)
    readings = [
        f"2026-11-20T{minute // 60:02d}:{minute % 60:02d}:01Z,db1,{80 + 120 * share:.1f}"
        for minute, share in enumerate(load, start=1)
    ]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("db1.sar", sar_of(load))
        archive.writestr("power.csv", "\n".join(["time,host,watts", *readings]) + "\n")
    kept: list[bytes] = []
    read = ingest([packed.getvalue()], kept.append, "rack.zip")
    loader, refs = held({TRACE: unpack_utilization(kept)})

    with using(loader):
        found = ask(MODEL, trace=refs[TRACE].model_dump(), kind="linear", **FEW)

    assert read.summary["machines_count"] == 1
    assert found.samples_count == 400
    assert found.power_idle.value_w == pytest.approx(80, abs=0.2)
    assert found.power_max.value_w == pytest.approx(200, abs=0.2)


def test_prometheus_with_watts_is_fitted() -> None:
    load = day(200)
    start = 1_795_000_000
    series = {
        "node_cpu_busy": [f"{share:.5f}" for share in load],
        "node_power_watts": [f"{50 + 100 * share:.3f}" for share in load],
    }
    rows = [
        {
            "metric": {"__name__": name, "instance": "a:9100"},
            "values": [[start + 60 * at, value] for at, value in enumerate(values)],
        }
        for name, values in series.items()
    ]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": rows}}
    kept: list[bytes] = []
    ingest([json.dumps(answer).encode()], kept.append, "power.json")
    loader, refs = held({TRACE: unpack_utilization(kept)})

    with using(loader):
        found = ask(MODEL, trace=refs[TRACE].model_dump(), kind="linear", **FEW)

    assert found.power_idle.value_w == pytest.approx(50, abs=0.1)
    assert found.power_max.value_w == pytest.approx(150, abs=0.1)


def test_too_few_samples_or_two_sources_are_refused() -> None:
    assert faults(MODEL, {}) == {"/trace": "missing"}
    given = samples(day(30), day(30) + 1)
    ref = {"trace_id": TRACE, "sha256": "0" * 64}
    assert faults(MODEL, {"samples": given, "trace": ref}) == {"/trace": "conflict"}


def test_the_same_seed_draws_the_same_interval() -> None:
    load = day(100)
    given = samples(load, 80 + 120 * load + np.sin(np.arange(100)))
    first, second = (ask(MODEL, samples=given, seed=4, **FEW) for _ in range(2))
    assert first == second
    assert ask(MODEL, samples=given, seed=5, **FEW).power_idle != first.power_idle


def test_a_trace_of_nothing_is_refused_in_words() -> None:
    empty = UtilizationTrace(
        step_s=60.0,
        names=("web-1",),
        cpu_fraction=np.zeros((1, 30), np.float32),
        watts=np.full((1, 30), np.nan, np.float32),
    )
    loader, refs = held({TRACE: empty})
    with using(loader), pytest.raises(ModelError, match="20 are needed"):
        ask(MODEL, trace=refs[TRACE].model_dump())
