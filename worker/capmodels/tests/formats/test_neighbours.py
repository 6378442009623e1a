"""Files beside those that were read wrongly: the same kinds with other heads, signs and units."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

import pytest

from capmodels.formats import registry
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


# Of lines of requests: where time, size and direction stand, what makes seconds and bytes of them,
# and what a read is called.
_REQUESTS: dict[str, tuple[str, int, float, int, float, int, str]] = {
    "spc": ("1,{sector},{size},{rw},{at}", 4, 1.0, 2, 1.0, 3, "R"),
    "msr": ("{ticks},host,0,{read},{place},{size},2072", 0, 1e-7, 5, 1.0, 3, "Read"),
    "systor": ("{at},0.0021,{rw},0,{place},{size}", 0, 1.0, 5, 1.0, 2, "R"),
    "alibaba_block": ("64,{rw},{place},{size},{micro}", 4, 1e-6, 3, 1.0, 1, "R"),
    "tencent_block": ("{second},{sector},{sectors},{way},1063", 0, 1.0, 2, 512.0, 3, "0"),
    "five_columns": ("{milli} 0 {place} {size} {mark}", 0, 1e-3, 3, 1.0, 4, "1"),
    "disksim": ("{milli} 0 {sector} {sectors} {mark}", 0, 1e-3, 3, 512.0, 4, "1"),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", _REQUESTS)
@pytest.mark.decisive
def test_requests_are_those_of_a_reader_that_only_cuts_lines(form: str, seed: int) -> None:
    template, time, second, size, byte, way, read_said = _REQUESTS[form]
    draw = random.Random(f"{form} {seed}")
    at, lines = 1538323200.0 if form in {"tencent_block", "systor"} else 0.0, []
    for _ in range(400):
        at += draw.randint(1, 9)
        is_read, sectors = draw.random() < 0.7, draw.choice((1, 8, 9, 128))
        place = 512 * draw.randrange(1, 10**6)
        lines.append(template.format(
            at=f"{at:.3f}", ticks=round(at * 1e7), micro=round(at * 1e6), milli=f"{at * 1e3:.3f}",
            second=round(at), place=place, sector=place // 512, size=512 * sectors,
            sectors=sectors, rw="RW"[not is_read], way="01"[not is_read],
            read=("Write", "Read")[is_read], mark="01"[is_read],
        ))  # fmt: skip
    wrong = draw.sample(range(1, 400), 3)
    for row in wrong:
        lines[row] = "lost"
    cut = None if " " in lines[0] else ","
    rows = [line.split(cut) for line in lines if line != "lost"]
    found = read("\n".join([*lines, ""]))
    assert found.format == form
    assert (found.rows_count, found.faults_count) == (len(rows), len(wrong))
    sums = found.summary
    whole = sum(float(row[size]) * byte for row in rows)
    assert sums["read_bytes"] + sums["write_bytes"] == whole
    assert sums["read_fraction"] == pytest.approx(
        sum(row[way] == read_said for row in rows) / len(rows)
    )
    times = [float(row[time]) * second for row in rows]
    assert sums["duration_s"] == pytest.approx(times[-1] - times[0], abs=1e-3)


@pytest.mark.parametrize("cut", [";", "\t", " "])
@pytest.mark.parametrize("form", ["spc", "msr", "systor", "alibaba_block", "tencent_block"])
def test_cells_of_requests_may_be_parted_by_other_signs(form: str, cut: str) -> None:
    (known,) = (one for one in registry.formats() if one.name == form)
    plain, other = (
        read(known.sample.decode().replace(",", sign) * 20).summary for sign in (",", cut)
    )
    assert other == plain


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("cut", "sign"), [(",", "."), (";", "."), (";", ","), ("\t", ",")], ids=repr
)
@pytest.mark.parametrize("kind", ["busy", "idle", "long", "wide", "perfmon"])
@pytest.mark.decisive
def test_use_is_the_mean_of_all_cells_whatever_they_are_written_with(
    kind: str, cut: str, sign: str, seed: int
) -> None:
    draw = random.Random(f"{kind} {seed}")
    machines = [f"web-{at}" for at in range(draw.randint(2, 4))]
    use = {(step, name): round(draw.uniform(2, 98), 1) for step in range(30) for name in machines}

    def said(value: float) -> str:
        return f"{value:.1f}".replace(".", sign)

    clock = [f"2026-11-20 00:{step:02d}:00" for step in range(30)]
    if kind in {"busy", "idle", "long"}:
        heads = (
            ["time", "host", f"cpu_{kind} (%)"] if kind != "long" else ["Time", "Series", "Value"]
        )
        rows = [
            [clock[step], name, said(100 - one if kind == "idle" else one)]
            for (step, name), one in use.items()
        ]
    else:
        names = machines
        if kind == "perfmon":
            clock = [f"11/20/2026 00:{step:02d}:00.000" for step in range(30)]
            names = [rf"\\{name}\Processor(_Total)\% Processor Time" for name in machines]
        heads = ["(PDH-CSV 4.0) (UTC)(0)" if kind == "perfmon" else "Time", *names]
        rows = [[clock[step], *(said(use[step, name]) for name in machines)] for step in range(30)]
    text = io.StringIO()
    csv.writer(text, delimiter=cut).writerows([heads, *rows])
    found = read(text.getvalue())
    sums = found.summary
    assert (found.rows_count, found.faults_count) == (len(use), 0)
    assert sums["machines_count"] == len(machines)
    assert sums["cpu_mean_fraction"] == pytest.approx(sum(use.values()) / len(use) / 100, abs=1e-5)
    assert sums["duration_s"] == 30 * 60


def test_jobs_alone_are_none_of_fio_and_the_unit_of_its_logs_is_told() -> None:
    with pytest.raises(FileRefused, match="not a trace that we know"):
        read(json.dumps([{"year": 2023, "jobs": 28}]), "file.json")
    found = read("250, 104056, 0, 4096\n502, 179986, 0, 4096\n" * 9, "clat.log")
    assert any("microseconds" in one for one in found.summary["how_read"])


@pytest.mark.parametrize("pod", ["a", "b"])
def test_the_sum_of_a_pod_beside_its_containers_is_not_added_to_them(pod: str) -> None:
    held = {"app": 0.4, "side": 0.1, "POD": 0.0, "": 0.5}
    series = [
        {"metric": {"namespace": "n", "pod": pod, "container": name},
         "values": [[1790000000 + 60 * at, str(use)] for at in range(9)]}
        for name, use in held.items()
    ]  # fmt: skip
    alone = [series[-1]]
    for rows in (series, alone):
        text = json.dumps({"data": {"resultType": "matrix", "result": rows}})
        assert read(text, "file.json").summary["cpu_mean_fraction"] == pytest.approx(0.5)


@pytest.mark.parametrize("most", [1.2, 1.5, 3.0])
def test_cores_without_a_name_are_asked_for_and_no_point_is_lost(most: float) -> None:
    rows = [
        {"metric": {"pod": name}, "values": [[1790000000 + 60 * at, str(use)] for at in range(9)]}
        for name, use in (("a", most), ("b", 0.2))
    ]
    with pytest.raises(FileRefused, match="percent or cores"):
        read(json.dumps({"data": {"resultType": "matrix", "result": rows}}), "file.json")


@pytest.mark.parametrize(
    ("heads", "cells"),
    [
        ("time,host,cpu_percent,mem_free_percent", "a,10,30"),
        ("time,host,memory_available (%),cpu (%)", "a,30,10"),
        ("time,host,cpu,usage_idle,usage_user,mem_used_percent", "a,cpu-total,90,6,70"),
        ("time,host,idle_percent,ram_used (%)", "a,90,70"),
    ],
)
def test_what_is_free_is_turned_and_words_are_no_use(heads: str, cells: str) -> None:
    rows = [f"{1790000000 + 60 * at},{cells}" for at in range(20)]
    sums = read("\n".join([heads, *rows, ""])).summary
    assert sums["cpu_mean_fraction"] == pytest.approx(0.1)
    assert sums["memory_mean_fraction"] == pytest.approx(0.7)


def test_a_statistic_that_is_no_mean_is_told() -> None:
    points = [{"Timestamp": f"2026-11-20T00:0{n}:00Z", "Maximum": 40.0} for n in range(5)]
    found = read(json.dumps({"Label": "CPUUtilization", "Datapoints": points}), "file.json")
    assert any("Maximum of each period" in one for one in found.summary["how_read"])
