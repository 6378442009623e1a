"""What metrics are by their names, and what is made of them: on generated files of each program."""

from __future__ import annotations

import json
from typing import Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.formats.ingest import Ingested, ingest
from capmodels.formats.metric_names import measure_of

TIMES = range(1_790_000_000, 1_790_001_800, 60)


def read(data: bytes, name: str = "m") -> Ingested:
    return ingest([data], lambda _packed: None, name)


def matrix(*series: tuple[dict[str, str], float]) -> bytes:
    result = [
        {"metric": metric, "values": [[at, str(value)] for at in TIMES]} for metric, value in series
    ]
    document = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("CPUUtilization", "cpu"),
        ("", "cpu"),
        ("instance:node_cpu_utilisation:rate5m", "cpu"),
        ("node_cpu_idle_percent", "cpu_idle"),
        ("cpu_usage_idle", "cpu_idle"),
        ("mem_used_percent", "memory"),
        ("mem_available_percent", "memory_free"),
        ("ipmi_power_watts", "watts"),
        ("CPUCreditBalance", None),
        ("node_memory_MemAvailable_bytes", None),
        ("node_load15", None),
        ("node_cpu_seconds_total", None),
        ("VolumeReadOps", None),
    ],
)
def test_a_metric_is_what_its_name_says(name: str, measure: str | None) -> None:
    assert measure_of(name) == measure


@pytest.mark.parametrize("cpus", [1, 3])
@pytest.mark.parametrize("scale", [1.0, 100.0])
@pytest.mark.parametrize("only_idle", [True, False])
def test_modes_of_a_machine_make_its_use_together(cpus: int, scale: float, only_idle: bool) -> None:
    modes = {"idle": 0.85, "iowait": 0.05, "user": 0.07, "system": 0.03}
    if only_idle:
        modes = {"idle": 0.9}
    series = [
        ({"instance": "n", "cpu": str(cpu), "mode": mode}, scale * share)
        for cpu in range(cpus)
        for mode, share in modes.items()
    ]
    assert read(matrix(*series)).summary["cpu_mean_fraction"] == pytest.approx(0.1)


def test_modes_without_idle_do_not_say_how_busy_a_machine_is() -> None:
    with pytest.raises(FileRefused, match="idle is missing"):
        read(matrix(({"instance": "n", "mode": "user"}, 0.3)))


def test_idle_is_turned_and_containers_are_added_to_their_pods() -> None:
    idle = matrix(({"__name__": "node_cpu_idle_percent", "instance": "n"}, 91.0))
    assert read(idle).summary["cpu_mean_fraction"] == pytest.approx(0.09)
    pods = matrix(
        ({"pod": "p", "container": "app"}, 0.5),
        ({"pod": "p", "container": "log"}, 0.1),
        ({"pod": "q", "container": "app"}, 0.2),
    )
    found = read(pods).summary
    assert (found["machines_count"], found["cpu_peak_fraction"]) == (2, pytest.approx(0.6))
    assert any("added up to their pods" in note for note in found["how_read"])


def test_values_that_may_be_cores_are_asked_for() -> None:
    with pytest.raises(FileRefused, match="percent or cores"):
        read(matrix(({"instance": "n"}, 3.0)))
    named = matrix(({"__name__": "cpu_percent", "instance": "n"}, 3.0))
    assert read(named).summary["cpu_mean_fraction"] == pytest.approx(0.03)


def cloudwatch(**labels: float) -> bytes:
    stamps = [f"2026-11-20T00:{minute:02}:00Z" for minute in range(0, 60, 5)]
    results: list[dict[str, Any]] = [
        {"Id": f"m{at}", "Label": label, "Timestamps": stamps, "Values": [value] * len(stamps)}
        for at, (label, value) in enumerate(labels.items())
    ]
    return json.dumps({"MetricDataResults": results}).encode()


def test_a_second_metric_is_another_column_and_not_another_machine() -> None:
    found = read(cloudwatch(CPUUtilization=10.0, mem_used_percent=80.0)).summary
    assert found["machines_count"] == 1
    assert found["cpu_mean_fraction"] == pytest.approx(0.1)
    assert found["memory_mean_fraction"] == pytest.approx(0.8)
    two = read(cloudwatch(**{"i-1 CPUUtilization": 10.0, "i-2 CPUUtilization": 30.0})).summary
    assert (two["machines_count"], two["cpu_peak_fraction"]) == (2, pytest.approx(0.3))


@pytest.mark.parametrize("label", ["CPUCreditBalance", "NetworkIn", "DiskReadOps"])
def test_what_is_no_share_of_a_machine_is_refused_by_its_name(label: str) -> None:
    points = [{"Timestamp": "2026-11-20T00:00:00Z", "Average": 57.6, "Unit": "Count"}]
    for data in (
        cloudwatch(**{label: 50.0}),
        json.dumps({"Label": label, "Datapoints": points}).encode(),
    ):
        with pytest.raises(FileRefused, match="neither a share of CPUs or memory nor watts"):
            read(data)


def test_a_table_of_idle_cpus_and_one_of_series_below_each_other() -> None:
    idle = "time,host,cpu_idle\n" + "".join(f"{at},a,90\n" for at in TIMES)
    assert read(idle.encode()).summary["cpu_mean_fraction"] == pytest.approx(0.1)
    for cut in ",;":
        rows = [cut.join(("Series", "Time", "Value"))]
        rows += [cut.join((f"web-{at}", str(when), str(10 + 40 * at)))
                 for at in (0, 1) for when in TIMES]  # fmt: skip
        found = read("\n".join(rows).encode()).summary
        assert (found["machines_count"], found["cpu_peak_fraction"]) == (2, pytest.approx(0.5))


def test_sar_with_decimal_commas() -> None:
    rows = [f"00:{minute:02}:00        all     20,00      5,00     70,00" for minute in range(10)]
    head = "Linux 6.1.0 (w) \t20.11.2026 \t_x86_64_\t(8 CPU)\n\n"
    text = head + "00:00:01        CPU     %user   %iowait     %idle\n" + "\n".join(rows)
    assert read(text.encode()).summary["cpu_mean_fraction"] == pytest.approx(0.25)


def test_counters_of_windows() -> None:
    head = (
        '"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)",'
        r'"\\S1\Processor(_Total)\% Processor Time","\\S1\Memory\Available MBytes",'
        r'"\\S2\Processor(_Total)\% Idle Time"'
    )
    rows = [f'"11/20/2026 00:{at:02}:01.123","10.5","900","70"' for at in range(10)]
    found = read("\n".join([head, *rows]).encode()).summary
    assert found["machines_count"] == 2
    assert found["cpu_mean_fraction"] == pytest.approx((0.105 + 0.3) / 2)
    assert found["how_read"] == ["Not read: 1 other counter."]
    with pytest.raises(FileRefused, match="Processor Time"):
        read(b'"(PDH-CSV 4.0) (UTC)(0)","\\\\S1\\Memory\\Pages/sec"\n"11/20/2026 00:00:01.1","5"\n')
