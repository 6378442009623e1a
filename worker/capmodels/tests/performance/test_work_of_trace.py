"""Work read from traces of known make, against sums done another way."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
import pytest

from capmodels.errors import ModelError, ParamsError
from capmodels.formats.ingest import ingest
from capmodels.formats.trace_columns import unpack_utilization
from capmodels.formats.trace_store import held, using
from capmodels.formats.trace_types import UtilizationTrace
from capmodels.tests.asking import ask, faults

MODEL = "performance.work_of_trace"
TRACE = "00000000-0000-4000-8000-000000000001"
MONDAY = 1_762_128_000.0  # 3 November 2025, 00:00 UTC
RNG = np.random.Generator(np.random.PCG64(11))


def trace(days: float, step_s: float = 900.0, start_s: float = MONDAY) -> UtilizationTrace:
    steps = int(days * 86_400 / step_s)
    hours = (start_s + (np.arange(steps) + 0.5) * step_s) / 3600.0
    rising = 0.4 + 0.3 * np.sin(2 * np.pi * hours / 24.0)
    noise = RNG.normal(0, 0.05, (3, steps))
    cpu = np.clip(rising * np.array([[1.0], [0.5], [0.2]]) + noise, 0, 1).astype(np.float32)
    memory = np.clip(0.6 + noise, 0, 1).astype(np.float32)
    return UtilizationTrace(step_s, ("db", "web-1", "web-2"), cpu, memory, start_s=start_s)


def work(of: UtilizationTrace, **params: object) -> Any:
    loader, refs = held({TRACE: of})
    with using(loader):
        return ask(MODEL, **{"trace": refs[TRACE].model_dump(), **SIZE, **params})


SIZE = {"cores_per_machine_count": 16, "ram_per_machine_gib": 64.0}


def test_percent_become_cores_by_the_size_of_each_machine() -> None:
    given = trace(14)
    found = work(given, machines=[{"name": "db", "cores_count": 96, "ram_gib": 768.0}])
    busy = 96.0 * given.cpu_fraction[0] + 16.0 * given.cpu_fraction[1:].sum(axis=0)
    assert given.memory_fraction is not None
    ram = 768.0 * given.memory_fraction[0] + 64.0 * given.memory_fraction[1:].sum(axis=0)
    assert found.cores_count == 128
    assert found.busy_cores_mean_count == pytest.approx(busy.mean(), rel=1e-4)
    assert found.busy_cores_p99_count == pytest.approx(np.sort(busy)[1330], rel=1e-4)
    assert found.p99_ratio == pytest.approx(found.busy_cores_p99_count / busy.mean(), rel=1e-4)
    assert found.ram_mean_gib == pytest.approx(ram.mean(), rel=1e-4)
    assert found.ram_installed_gib == 896
    assert found.warnings == ()


def test_a_second_monday_counts_no_more_than_the_first() -> None:
    quarters = np.arange(8 * 96)
    on_monday = np.where(quarters // 96 % 7 == 0, 0.9, 0.2).astype(np.float32)[None, :]
    found = work(UtilizationTrace(900.0, ("a",), on_monday, start_s=MONDAY))
    assert found.busy_cores_mean_count == pytest.approx(16 * (0.9 + 6 * 0.2) / 7, rel=1e-4)
    assert max(found.shape_ratio) * found.busy_cores_mean_count == pytest.approx(14.4, rel=1e-3)
    assert found.busy_cores_p99_count == pytest.approx(14.4, rel=1e-4)


@pytest.mark.parametrize("start_h", [0, 30, 101.5])
@pytest.mark.decisive
def test_hours_of_the_week_begin_on_monday_wherever_the_trace_begins(start_h: float) -> None:
    quarters = 9 * 96
    hours = (start_h + np.arange(quarters) / 4.0) % 168
    is_tuesday_noon = (hours >= 36) & (hours < 37)
    cpu = np.where(is_tuesday_noon, 1.0, 0.1).astype(np.float32)[None, :]
    found = work(UtilizationTrace(900.0, ("a",), cpu, start_s=MONDAY + start_h * 3600))
    assert found.shape == "hour_of_week"
    assert len(found.shape_ratio) == 168
    assert np.mean(found.shape_ratio) == pytest.approx(1.0, abs=1e-3)
    assert int(np.argmax(found.shape_ratio)) == 36


def a_year(per_year: float, seed: int) -> UtilizationTrace:
    hours = np.arange(365 * 24)
    level = 0.4 * (1 + per_year) ** ((hours - 365 * 24) / 8766.0)
    days = 1 + 0.5 * np.sin(2 * np.pi * hours / 24) + 0.2 * (hours // 24 % 7 >= 5)
    noise = np.random.Generator(np.random.PCG64(seed)).normal(1, 0.05, len(hours))
    cpu = (level * days / days.mean() * noise)[None, :].astype(np.float32)
    return UtilizationTrace(3600.0, ("a",), cpu, np.full_like(cpu, 0.5), start_s=MONDAY)


@pytest.mark.decisive
@pytest.mark.parametrize("per_year", [0.25, -0.2])
def test_a_year_that_grows_is_taken_at_its_end(per_year: float) -> None:
    given = a_year(per_year, 11)
    found, cpu = work(given), given.cpu_fraction
    assert found.cores_growth.fraction_per_year == pytest.approx(per_year, rel=0.05)
    assert found.busy_cores_mean_count == pytest.approx(16 * 0.4, rel=0.01)
    assert found.busy_cores_of_all_count == pytest.approx(16 * cpu.mean(), rel=0.001)
    # of the hours of the last weeks alone, where hardly anything grows
    last = 16 * cpu[0, -8 * 168 :]
    assert found.busy_cores_p99_count == pytest.approx(np.percentile(last, 99), rel=0.03)
    of_hours = last.reshape(8, 168).mean(axis=0) / last.mean()
    assert max(found.shape_ratio) == pytest.approx(max(of_hours), rel=0.03)
    assert found.ram_growth is None
    assert found.ram_mean_gib == pytest.approx(32.0)
    assert ("grow by 25%" if per_year > 0 else "fall by 20%") in found.notes[0]
    assert "a year and a half" in found.warnings[0]


def test_the_range_of_growth_holds_in_about_eight_of_ten_years() -> None:
    held = [work(a_year(0.25, seed)).cores_growth for seed in range(40)]
    inside = sum(one.low_fraction_per_year < 0.25 < one.high_fraction_per_year for one in held)
    assert 24 <= inside <= 38  # of 40 at 8 of 10 each, outside in 2 of 1,000


def test_growth_that_is_not_sure_or_short_is_none() -> None:
    hours = np.arange(365 * 24)
    noise = np.random.Generator(np.random.PCG64(5)).normal(0, 0.05, len(hours))
    steady = UtilizationTrace(
        3600.0, ("a",), np.clip(0.4 + noise, 0, 1)[None, :].astype(np.float32), start_s=MONDAY
    )
    found = work(steady)
    assert found.cores_growth is None
    assert found.busy_cores_mean_count == found.busy_cores_of_all_count
    grown = (0.2 + 0.2 * hours[: 100 * 24] / (100 * 24))[None, :].astype(np.float32)
    assert work(UtilizationTrace(3600.0, ("a",), grown, start_s=MONDAY)).cores_growth is None


def test_a_shape_goes_no_further_than_the_trace() -> None:
    assert work(trace(3)).shape == "hour_of_day"
    assert work(trace(0.5)).shape == "flat"
    assert work(trace(20, step_s=7200.0)).shape == "flat"
    assert "averaged out" in " ".join(work(trace(20, step_s=7200.0)).warnings)
    undated = work(trace(8, start_s=0.0))
    assert undated.shape == "hour_of_week"
    assert "no dates" in undated.warnings[0]


def test_ram_that_nobody_knows_is_unknown_and_not_zero() -> None:
    given = trace(8)
    without = UtilizationTrace(given.step_s, given.names, given.cpu_fraction, start_s=MONDAY)
    assert work(without).ram_mean_gib is None
    assert "not in the trace" in work(without).warnings[0]
    assert work(given, ram_per_machine_gib=None).ram_mean_gib is None
    one_unknown = work(given, machines=[{"name": "db", "cores_count": 8}])
    assert one_unknown.ram_mean_gib is None
    assert one_unknown.ram_installed_gib is None


def test_what_is_wrong_is_said_where_it_is() -> None:
    given = trace(8)
    names = [{"name": name, "cores_count": 4} for name in ("mail", "db", "db")]
    with pytest.raises(ParamsError) as caught:
        work(given, machines=names)
    assert [fault.pointer for fault in caught.value.faults] == [
        "/machines/0/name",
        "/machines/2/name",
    ]
    assert faults(MODEL, SIZE) == {"/trace": "missing"}
    assert "/cores_per_machine_count" in faults(MODEL, {"samples_fraction": [0.1]})
    with pytest.raises(ModelError, match="ever busy"):
        ask(MODEL, samples_fraction=[0.0, 0.0], **SIZE)


def test_a_file_of_several_machines_goes_the_whole_way() -> None:
    rows = "".join(
        f"{int(MONDAY) + 300 * at},{name},{20 + 60 * (at % 288 > 144)},{50}\n"
        for at in range(7 * 288)
        for name in ("a", "b")
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("fleet.csv", "time,name,cpu_percent,memory_percent\n" + rows)
    pieces: list[bytes] = []
    ingest([file.getvalue()], pieces.append, "fleet.zip")
    found = work(unpack_utilization(pieces))
    assert found.machines_count == 2
    assert found.shape == "hour_of_week"
    assert found.busy_cores_p99_count == pytest.approx(0.8 * 32)
    assert found.ram_mean_gib == pytest.approx(64)


def test_the_hours_are_told_with_the_busiest() -> None:
    samples = [0.2] * 9 + [0.8] + [0.2] * 14
    asked = {"samples_fraction": samples, "step_s": 3600.0, "cores_per_machine_count": 10.0}
    found = ask(MODEL, **asked)
    headline = found.headline.replace("\u00a0", " ")
    assert headline.startswith("**2.25 cores busy on average, 8 cores")
    assert "Demand is kept by hour of the day (UTC)." in found.notes
    assert found.notes[-1] == found.warnings[-1]
    (figure,) = found.figures
    assert "The busiest hour of the day is 09:00: 8" in figure.title
    assert figure.series[0].names[9] == "09:00"
