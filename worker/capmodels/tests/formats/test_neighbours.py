"""Files beside those that were read wrongly: the same kinds with other heads, signs and units."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.formats.ingest import ingest


def read(text: str, name: str = "file.csv") -> Any:
    return ingest([text.encode()], lambda _piece: None, name)


def cpu_of(text: str) -> float:
    found = read(text)
    assert found.faults == []
    return float(found.summary["cpu_mean_fraction"])


@pytest.mark.parametrize("head", ["cpu_idle", "%idle", "cpu.idle (%)", "idle"])
@pytest.mark.parametrize("seed", [1, 2])
def test_idle_is_turned_whatever_it_is_called(head: str, seed: int) -> None:
    draw = random.Random(seed)
    idle = [round(draw.uniform(5, 95), 1) for _ in range(20)]
    lines = [f"{1790000000 + 10 * at},a,{one}" for at, one in enumerate(idle)]
    text = "\n".join([f"time,host,{head}", *lines, ""])
    assert cpu_of(text) == pytest.approx(1 - sum(idle) / 2000, abs=1e-6)


@pytest.mark.parametrize(
    ("system", "counter"),
    [
        ("Processor", "% Processor Time"),
        ("Prozessor", "Prozessorzeit (%)"),
        ("Prozessorinformationen", "Prozessorzeit (%)"),
        ("Processeur", "% temps processeur"),
        ("Procesador", "% de tiempo de procesador"),
    ],
)
@pytest.mark.parametrize("cut", [",", "\t"])
def test_counters_of_windows_in_its_languages(system: str, counter: str, cut: str) -> None:
    kind = "CSV" if cut == "," else "TSV"
    heads = [f"(PDH-{kind} 4.0) (CET)(-60)", *(rf"\\S{n}\{system}(_Total)\{counter}" for n in "12")]
    rows = [heads, ["11/20/2026 00:00:01.000", "10.5", "30.5"]]
    rows.append(["11/20/2026 00:01:01.000", "20.5", "40.5"])
    text = "\n".join(cut.join(f'"{cell}"' for cell in row) for row in rows)
    found = read(text)
    assert found.summary["machines_count"] == 2
    assert found.summary["cpu_mean_fraction"] == pytest.approx(0.255)


@pytest.mark.parametrize(
    ("head", "row", "form"),
    [
        ("device_id,opcode,offset,length,timestamp", "64,R,{place},4096,{micro}", "alibaba_block"),
        ("timestamp,offset,size,ioType,volumeId", "{second},{place},128,0,1063", "tencent_block"),
        ("", "{second},{place},8,1,1063", "tencent_block"),
    ],
)
def test_requests_below_a_line_of_names(head: str, row: str, form: str) -> None:
    rows = [
        row.format(place=4096 * at, micro=1577808000000045 + 1000 * at, second=1538323200 + at)
        for at in range(40)
    ]
    found = read("\n".join([*([head] if head else []), *rows, ""]))
    assert (found.format, found.rows_count, found.faults) == (form, 40, [])


def test_sizes_and_places_are_no_machines_side_by_side() -> None:
    rows = [f"2026-11-20 00:{at:02d}:00,{4096 * at},{512 * at}" for at in range(30)]
    with pytest.raises(FileRefused):
        read("\n".join(["Time,first,second", *rows, ""]))


@pytest.mark.parametrize(
    ("cut", "sign", "mean"), [(",", ".", "Average:"), (";", ",", "Durchschn.:"), (";", ",", "")]
)
def test_series_one_below_the_other(cut: str, sign: str, mean: str) -> None:
    rows = [
        cut.join((name, f"2026-11-20T00:{at:02d}:00Z", f"{busy + 0.5:.1f}".replace(".", sign)))
        for name, busy in (("web-0", 10), ("web-1", 50))
        for at in range(20)
    ]
    found = read("\n".join([cut.join(("Series", "Time", "Value")), *rows, ""]))
    assert found.summary["machines_count"] == 2
    assert found.summary["cpu_mean_fraction"] == pytest.approx(0.305)
    table = [
        "Linux 6.1.0 (db1) \t20.11.2026 \t_x86_64_\t(4 CPU)",
        "",
        "00:00:01        CPU     %user   %iowait     %idle",
        *(f"00:{at:02d}:01  all  10{sign}00  5{sign}00  85{sign}00" for at in range(1, 9)),
    ]
    text = "\n".join([*table, f"{mean}  all 10 5 85" if mean else "", ""])
    assert cpu_of(text) == pytest.approx(0.10)


@pytest.mark.parametrize(
    "metric", ["CPUSurplusCreditBalance", "NetworkIn", "DiskReadBytes", "CPUCreditUsage"]
)
def test_what_is_no_share_is_refused(metric: str) -> None:
    points = [{"Timestamp": f"2026-11-20T00:0{n}:00Z", "Average": 40.0 + n, "Unit": "Count"}
              for n in range(5)]  # fmt: skip
    with pytest.raises(FileRefused, match="neither a share"):
        read(json.dumps({"Label": metric, "Datapoints": points}), "file.json")
