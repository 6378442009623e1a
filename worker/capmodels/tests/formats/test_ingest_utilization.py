"""Utilization of every format that we read, from small files written by hand."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest
import zstandard

from capmodels.formats.chunks import FileRefused
from capmodels.formats.ingest import Ingested, ingest
from capmodels.formats.samples import Sample
from capmodels.formats.trace_columns import unpack_utilization
from capmodels.formats.utilization_grid import Grid
from capmodels.formats.utilization_told import utilization_figures

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.formats.trace_types import UtilizationTrace

DAY = "\n".join(str(value % 50) for value in range(288)) + "\n"
BITBRAINS = """Timestamp [ms];\tCPU cores;\tCPU capacity provisioned [MHZ];\tCPU usage [MHZ];\t\
CPU usage [%];\tMemory capacity provisioned [KB];\tMemory usage [KB]
1376314846;\t1;\t2600;\t19;\t0.75;\t2000.0;\t500.0
1376315146;\t1;\t2600;\t19;\t50.25;\t2000.0;\t1000.0
"""
SAR = """Linux 6.1.0 (db1) \t2026-11-20 \t_x86_64_\t(4 CPU)

12:00:01 AM     CPU     %user     %nice   %system   %iowait    %steal     %idle
12:10:01 AM     all     10.00      0.00      5.00      5.00      0.00     80.00
12:10:01 AM       0     90.00      0.00      5.00      5.00      0.00      0.00
12:20:01 AM     all     40.00      0.00     10.00      0.00      0.00     50.00
Average:        all     25.00      0.00      7.50      2.50      0.00     65.00

12:22:07 AM  LINUX RESTART\t(4 CPU)

12:00:01 AM kbmemfree  kbavail kbmemused  %memused kbbuffers
12:10:01 AM    100000   200000    300000     75.00      1000
"""
SADF = """# hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle
db1;600;2026-11-20 00:10:01 UTC;-1;10.00;0.00;5.00;5.00;0.00;80.00
db1;600;2026-11-20 00:10:01 UTC;0;90.00;0.00;5.00;5.00;0.00;0.00
db1;-1;2026-11-20 00:15:00 UTC;LINUX-RESTART\t(4 CPU)
db1;600;2026-11-20 00:20:01 UTC;-1;40.00;0.00;10.00;0.00;0.00;50.00
"""
PROMETHEUS = {
    "status": "success",
    "data": {
        "resultType": "matrix",
        "result": [
            {
                "metric": {"instance": "a:9100"},
                "values": [[1700000000, "0.5"], [1700000060, "NaN"]],
            },
            {"metric": {"instance": "b:9100"}, "values": [[1700000060, "0.25"], [1700000000, "1"]]},
        ],
    },
}
CLOUDWATCH = {
    "Label": "CPUUtilization",
    "Datapoints": [
        {"Timestamp": "2026-11-20T00:05:00Z", "Average": 30.0, "Unit": "Percent"},
        {"Timestamp": "2026-11-20T00:00:00Z", "Average": 10.0, "Unit": "Percent"},
    ],
}


def _read(data: bytes | str, name: str = "vm7.csv") -> tuple[Ingested, UtilizationTrace]:
    kept: list[bytes] = []
    raw = data.encode() if isinstance(data, str) else data
    # In crooked pieces: nothing may depend on where a piece ends.
    found = ingest((raw[i : i + 97] for i in range(0, len(raw), 97)), kept.append, name)
    return found, unpack_utilization(kept)


def _cpu(trace: UtilizationTrace, machine: int = 0) -> list[float]:
    values: list[float] = trace.cpu_fraction[machine].astype(float).round(4).tolist()
    return values


@pytest.mark.decisive
def test_a_planetlab_machine() -> None:
    found, trace = _read(DAY, "host_a")
    assert (found.format, trace.names, trace.step_s) == ("planetlab", ("host_a",), 300.0)
    assert _cpu(trace) == pytest.approx([value % 50 / 100 for value in range(288)])


def test_a_joined_planetlab_day_equals_its_directory() -> None:
    rows = {f"vm_{letter}": [(7 * step) % 90 for step in range(288)] for letter in "cab"}
    joined = "\n".join(",".join([name, *map(str, row)]) for name, row in rows.items())
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, row in rows.items():
            body = "\n".join(map(str, row)).encode()
            info = tarfile.TarInfo(f"20110303/{name}")
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    (one, first), (two, second) = _read(joined), _read(packed.getvalue(), "day.tar.gz")
    assert (one.format, two.format) == ("planetlab_csv", "planetlab")
    assert first.names == second.names == ("vm_a", "vm_b", "vm_c")
    np.testing.assert_array_equal(first.cpu_fraction, second.cpu_fraction)
    assert one.sha256 == two.sha256


def test_a_zip_of_google_machines() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("GCD/vm_1", "11.5 7.25\n12.5 107.5\n" * 10)
        archive.writestr("GCD/readme.txt", "What these files are, in words.\n" * 3)
    found, trace = _read(packed.getvalue(), "google.zip")
    assert (found.format, trace.names) == ("google", ("vm_1",))
    assert trace.memory_fraction is not None
    assert trace.memory_fraction[0, :2].tolist() == pytest.approx([0.0725, 1.0])
    assert [fault.message for fault in found.faults] == [
        "readme.txt is not a trace that we know; it is left out."
    ]


def test_a_decimal_comma_among_commas_is_no_further_column() -> None:
    """Neither 45% nor 52%: the cells could be 45 and 5, or 45.5."""
    rows = ["1700000000,web-1,45,5", "1700000060,web-1,52,75", "1700000120,web-1,38,"]
    found, trace = _read("\n".join(["time,name,cpu", *rows]) + "\n")
    assert _cpu(trace) == pytest.approx([0.38])
    assert [fault.line for fault in found.faults] == [2, 3]
    assert "part the cells by semicolons" in found.faults[0].message
    with pytest.raises(FileRefused):
        _read("\n".join(["time,name,cpu", *rows[:2]]) + "\n")


def test_bitbrains_says_milliseconds_and_means_seconds() -> None:
    found, trace = _read(BITBRAINS)
    assert (found.format, trace.step_s) == ("bitbrains", 300.0)
    assert trace.start_s == 1376314846 // 300 * 300
    assert _cpu(trace) == [0.0075, 0.5025]
    assert trace.memory_fraction is not None
    assert trace.memory_fraction[0].tolist() == [0.25, 0.5]


def test_alibaba_leaves_out_what_cannot_be() -> None:
    rows = [f"m_1,{step * 10},{step},50,,,1,2,3" for step in range(30)]
    rows[4] = "m_1,40,101,50,,,1,2,3"
    rows[5] = "m_1,50,-1,50,,,1,2,3"
    found, trace = _read("\n".join(rows) + "\n")
    assert (found.format, found.faults_count, trace.step_s) == ("alibaba", 2, 10.0)
    assert [fault.line for fault in found.faults] == [5, 6]
    # A missing sample holds the one before it.
    assert _cpu(trace)[3:7] == [0.03, 0.03, 0.03, 0.06]


def test_azure_readings_take_the_mean() -> None:
    names = ["A" * 44, "B" * 44]
    rows = [f"{at},{name},1.0,9.0,{4 + at / 300}" for at in (0, 300, 600) for name in names]
    found, trace = _read("\n".join(rows))
    assert (found.format, trace.names) == ("azure", tuple(names))
    assert _cpu(trace) == [0.04, 0.05, 0.06]


@pytest.mark.parametrize(
    ("data", "form"),
    [
        ("timestamp,value\n2026-11-20 00:00:00,10\n2026-11-20 00:05:00,30\n", "cloudwatch"),
        (json.dumps(CLOUDWATCH), "cloudwatch_json"),
    ],
)
def test_cloudwatch_in_any_order(data: str, form: str) -> None:
    found, trace = _read(data)
    assert (found.format, trace.names, trace.step_s) == (form, ("vm7",), 300.0)
    assert _cpu(trace) == [0.1, 0.3]


@pytest.mark.parametrize(("data", "form"), [(SAR, "sar"), (SADF, "sadf")])
def test_sysstat_counts_waiting_as_idle(data: str, form: str) -> None:
    found, trace = _read(data)
    assert (found.format, found.faults, trace.names) == (form, [], ("db1",))
    assert (trace.step_s, trace.start_s % 86_400) == (600.0, 600.0)
    assert _cpu(trace) == [0.15, 0.5]


def test_sar_gives_memory_of_the_same_times() -> None:
    _found, trace = _read(SAR)
    assert trace.memory_fraction is not None
    assert trace.memory_fraction[0, 0] == 0.75


def test_sadf_as_json() -> None:
    load = [{"cpu": "all", "idle": 70.0, "iowait": 10.0}, {"cpu": "0", "idle": 0.0}]
    rows = [
        {
            "timestamp": {"date": "2026-11-20", "time": f"00:{ten}0:00", "utc": 1, "interval": 600},
            "cpu-load": load,
            "memory": {"memused-percent": 46.0},
        }
        for ten in (1, 2)
    ]
    document = {"sysstat": {"hosts": [{"nodename": "web1", "statistics": rows}]}}
    found, trace = _read(json.dumps(document))
    assert (found.format, trace.names, _cpu(trace)) == ("sadf_json", ("web1",), [0.2, 0.2])


def test_prometheus_values_are_texts_and_have_gaps() -> None:
    found, trace = _read(json.dumps(PROMETHEUS))
    assert (found.format, trace.names, trace.step_s) == ("prometheus", ("a:9100", "b:9100"), 60.0)
    assert _cpu(trace, 0) == [0.5, 0.0]
    assert _cpu(trace, 1) == [1.0, 0.25]


def test_an_idle_machine_among_percentages_is_no_fraction() -> None:
    rows = [("idle:9100", "0.9"), ("busy:9100", "42")]
    result = [
        {"metric": {"instance": name}, "values": [[60 * at, value] for at in range(3)]}
        for name, value in rows
    ]
    document = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    _found, trace = _read(json.dumps(document))
    busiest = dict(zip(trace.names, trace.cpu_fraction.max(axis=1).tolist(), strict=True))
    assert busiest == pytest.approx({"busy:9100": 0.42, "idle:9100": 0.009}, rel=1e-6)


def test_a_table_with_watts_for_calibration() -> None:
    rows = [
        f"2026-11-20T00:{minute:02}:00,r1,0.{minute},{100 + minute}" for minute in range(10, 20)
    ]
    found, trace = _read("\n".join(["time,host,cpu_fraction,watts", *rows]))
    assert (found.format, trace.names, trace.step_s) == ("generic_csv", ("r1",), 60.0)
    assert _cpu(trace)[:3] == [0.1, 0.11, 0.12]
    assert trace.watts is not None
    assert trace.watts[0].tolist() == [100 + minute for minute in range(10, 20)]
    assert found.summary["power_peak_w"] == 119.0


def test_watts_alone_say_nothing_of_cpu() -> None:
    rows = [f"{at},{200 + at}" for at in range(0, 600, 60)]
    found, _trace = _read("\n".join(["timestamp,Power (W)", *rows]))
    assert found.format == "ipmi"
    assert found.summary["cpu_mean_fraction"] is None
    assert "band" not in found.charts


def test_a_table_without_times_says_what_it_assumes() -> None:
    found, trace = _read("cpu_util_percent,mem_util_percent\n16.5,80\n18.5,81\n")
    assert trace.step_s == 300.0
    assert _cpu(trace) == [0.165, 0.185]
    assert "300 s are assumed" in found.faults[0].message


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_packed_files_give_the_same(pack: Callable[[bytes], bytes]) -> None:
    assert _read(pack(SADF.encode()))[0].sha256 == _read(SADF)[0].sha256


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("", "empty"),
        ("time,cpu\n0,6135515\n300,6126974\n", "between 0% and 100%"),
        ('{"status": "success", "data": {"resultType": "matrix", "resu', "JSON"),
        ("Dear planner,\nthis is a letter.\n", "not a trace that we know"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(data: str, says: str) -> None:
    with pytest.raises(FileRefused, match=says):
        _read(data)


def test_summary_and_charts_of_a_known_day() -> None:
    # Two machines: one at 20% all day, one at 60% from 9 to 17 o'clock and idle else.
    rows = [
        f"{minute * 60},{name},{value}"
        for minute in range(0, 1440, 5)
        for name, value in (("a", 20), ("b", 60 if 540 <= minute < 1020 else 0))
    ]
    found, _trace = _read("\n".join(["time,name,cpu %", *rows]))
    summary = found.summary
    assert (summary["machines_count"], summary["steps_count"]) == (2, 288)
    assert summary["cpu_mean_fraction"] == pytest.approx((0.2 + 0.6 / 3) / 2)
    assert summary["together_peak_fraction"] == pytest.approx(0.4)
    assert summary["missing_fraction"] == 0.0
    hours = found.charts["hours"]["mean_fraction"]
    # Eight hours are level: the sentence and the chart name all of them.
    assert hours.count(max(hours)) > 1
    assert summary["peak_hours"] == [*range(9, 17)]
    (chart,) = (one for one in utilization_figures(found.charts) if one.name == "Shape of the day")
    assert chart.title.startswith("The busiest hours of the day are 09:00 to 16:00: 40%")
    assert hours[8:10] == pytest.approx([0.1, 0.4])
    # The machine that is busier on average stands first.
    assert found.charts["heat"]["names"] in (["a", "b"], ["b", "a"])
    assert found.charts["band"]["p50"][0] == pytest.approx(0.1)


def test_a_long_trace_is_averaged_into_longer_steps() -> None:
    grid = Grid(cells_max=64)
    values = np.arange(256) % 8 / 10
    grid.add_all(Sample("a", 60.0 * at, float(value)) for at, value in enumerate(values))
    trace = grid.trace()
    assert (trace.step_s, grid.coarsened_from_s) == (240.0, 60.0)
    expected = values.reshape(-1, 4).mean(axis=1)
    np.testing.assert_allclose(trace.cpu_fraction[0], expected, atol=1e-6)


def test_samples_may_come_in_any_order() -> None:
    samples = [Sample(name, 300.0 * at, at / 100) for at in range(20) for name in "ab"]
    mixed = [samples[place] for place in np.random.default_rng(5).permutation(len(samples))]
    grids = [Grid(), Grid()]
    for grid, given in zip(grids, (samples, mixed), strict=True):
        grid.step_s = 300.0
        grid.add_all(given)
    one, two = (grid.trace() for grid in grids)
    assert one.names == two.names
    np.testing.assert_array_equal(one.cpu_fraction, two.cpu_fraction)
