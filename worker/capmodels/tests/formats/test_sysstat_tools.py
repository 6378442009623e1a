"""What sysstat's programs print, generated as its manual pages have the forms, and near misses."""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from capmodels.formats import registry
from capmodels.formats.chunks import FileRefused, Report

START = datetime(2026, 11, 20, 22, 50, tzinfo=UTC)
Drawn = list[tuple[datetime, float, float]]


def drawn(seed: int) -> Drawn:
    """Times over midnight, idle and waiting percentages."""
    draw = random.Random(seed)
    step = draw.choice([10, 300, 600])
    found = []
    for place in range(draw.randint(2, 20)):
        idle = round(draw.uniform(0, 100), 2)
        waiting = round(draw.uniform(0, 100 - idle), 2)
        found.append((START + timedelta(seconds=place * step * 7), idle, waiting))
    return found


def clock(at: datetime, seed: int) -> str:
    return at.strftime("%I:%M:%S %p" if seed % 2 else "%H:%M:%S")


def mpstat_text(rows: Drawn, seed: int) -> str:
    lines = ["Linux 6.1.0 (db1) \t11/20/2026 \t_x86_64_\t(4 CPU)", ""]
    for at, idle, waiting in rows:
        said = clock(at, seed)
        lines += [
            f"{said}  CPU    %usr   %nice    %sys %iowait    %irq   %idle",
            f"{said}  all    1.00    0.00    0.00  {waiting:.2f}    0.00  {idle:.2f}",
            f"{said}    0    9.00    0.00    0.00    0.00    0.00   91.00",
        ]
    return "\n".join(lines)


def unix_text(rows: Drawn, seed: int) -> str:
    """What sar of Solaris, or of AIX with a column of processors used, prints; a table after it."""
    is_aix = seed % 2 == 1
    head = (
        "AIX db1 2 7 00F93CFF4C00    11/20/26" if is_aix else "SunOS db1 5.11 sun4v    11/20/2026"
    )
    more = (" physc", " 24.00") if is_aix else ("", "")
    lines = ["", head, "", f"22:00:00    %usr    %sys    %wio   %idle{more[0]}"]
    lines += [
        f"{at:%H:%M:%S}    1    0   {waiting:.2f}  {idle:.2f}{more[1]}"
        for at, idle, waiting in rows
    ]
    others = [f"{at:%H:%M:%S}  5   0/262144  100" for at, *_ in rows]
    return "\n".join([*lines, "", "22:00:00   inod-sz proc-sz  file-sz  thrd-sz", *others])


def mpstat_json(rows: Drawn, seed: int) -> str:
    statistics = [
        {"timestamp": clock(at, seed), "cpu-load": [
            {"cpu": "all", "usr": 1.0, "iowait": waiting, "idle": idle},
            {"cpu": "0", "usr": 9.0, "iowait": 0.0, "idle": 91.0}]}
        for at, idle, waiting in rows
    ]  # fmt: skip
    host = {"nodename": "db1", "date": "11/20/2026", "statistics": statistics}
    return json.dumps({"sysstat": {"hosts": [host]}})


def iostat_json(rows: Drawn, seed: int) -> str:
    form = ("%m/%d/%Y %H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%Y-%m-%dT%H:%M:%S+0000")[seed % 3]
    statistics = [
        {"timestamp": at.strftime(form), "avg-cpu": {"user": 1.0, "iowait": waiting, "idle": idle},
         "disk": [{"disk_device": "sda", "util": 0.46}]}
        for at, idle, waiting in rows
    ]  # fmt: skip
    host = {"nodename": "db1", "date": "11/20/2026", "statistics": statistics}
    return json.dumps({"sysstat": {"hosts": [host]}}, indent=1)


def iostat_text(rows: Drawn, seed: int) -> str:
    form = ("%m/%d/%Y %H:%M:%S", "%m/%d/%y %I:%M:%S %p", "%Y-%m-%dT%H:%M:%S+0000")[seed % 3]
    lines = ["Linux 6.1.0 (db1) \t11/20/2026 \t_x86_64_\t(4 CPU)", ""]
    for at, idle, waiting in rows:
        lines += [at.strftime(form), "avg-cpu:  %user   %nice %system %iowait  %steal   %idle",
                  f"           1.00    0.00    0.00    {waiting:.2f}    0.00    {idle:.2f}", "",
                  "Device             tps    kB_read/s    %util",
                  "sda               8.59       222.14     1.00", ""]  # fmt: skip
    return "\n".join(lines)


def sadf_xml(rows: Drawn, seed: int) -> str:
    zone = ('tz="UTC"', 'utc="1"')[seed % 2]
    body = "".join(
        f'<timestamp date="{at:%Y-%m-%d}" time="{at:%H:%M:%S}" {zone} interval="600">\n<cpu-load>\n'
        f'<cpu number="all" usr="1.00" iowait="{waiting:.2f}" idle="{idle:.2f}"/>\n'
        f'<cpu number="0" usr="1.00" iowait="0.00" idle="99.00"/>\n</cpu-load>\n</timestamp>\n'
        for at, idle, waiting in rows
    )
    return f'<?xml version="1.0"?>\n<sysstat>\n<host nodename="db1">\n{body}</host>\n</sysstat>\n'


def sadf_plain(rows: Drawn, _seed: int) -> str:
    return "".join(
        f"db1\t600\t{at:%Y-%m-%d %H:%M:%S} UTC\t{device}\t{figure}\t{value:.2f}\n"
        for at, idle, waiting in rows
        for device, figure, value in (
            ("all", "%usr", 1.0), ("all", "%iowait", waiting), ("all", "%idle", idle),
            ("cpu0", "%idle", 99.0), ("-", "proc/s", 3.5),
        )
    )  # fmt: skip


def vmstat_text(rows: Drawn, seed: int) -> str:
    """What vmstat -t prints, of either width, its names anew on each screen; no host in it."""
    heads = " r  b   swpd   free  buff  cache si so bi bo in cs us sy id wa st"
    lines = ["procs ---memory--- ---swap-- --io-- -system-- ---cpu--- ---timestamp---"]
    for at, (when, idle, waiting) in enumerate(rows):
        lines += [f"{heads}{' gu' * (seed % 2)} UTC"] if at % 5 == 0 else []
        rest = f" 0{' 0' * (seed % 2)}"
        lines.append(f" 1  0  0 8123 123 4567 0 0 1 2 3 4 1 2 {idle} {waiting}{rest} {when:%F %T}")
    return "\n".join(lines)


def sadf_lines(rows: Drawn, seed: int) -> str:
    """What sadf -d writes, with -h all activities in a line; decimal commas by the locale."""
    names = ["CPU", "%user", "%iowait", "%idle"]
    if seed % 2:
        names = [*names[:-1], "%idle[...]", "tps"]
    text = "".join(
        f"db1;600;{at:%F %T} UTC;-1;1.00;{waiting:.2f};{idle:.2f}{';8.00' * (seed % 2)}\n"
        for at, idle, waiting in rows
    )
    said = text.replace(".", ",") if seed % 3 == 0 else text
    return f"# hostname;interval;timestamp;{';'.join(names)}\n{said}"


WRITERS = (
    *(mpstat_text, unix_text, mpstat_json, iostat_json, iostat_text, sadf_xml, sadf_plain),
    *(vmstat_text, sadf_lines),
)


@pytest.mark.parametrize("write", WRITERS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("seed", range(6))
def test_the_cpu_of_every_sample_is_read_with_its_time(write: Any, seed: int) -> None:
    rows = drawn(seed)
    report = Report()
    found = list(registry.read([write(rows, seed).encode()], report, "db1"))
    assert report.faults == []
    assert [one.name for one in found] == ["db1"] * len(rows)
    for one, (at, idle, waiting) in zip(found, rows, strict=True):
        assert one.at_s == at.timestamp()
        assert one.cpu_fraction == pytest.approx((100 - idle - waiting) / 100, abs=1e-9)


def test_a_table_without_shares_is_not_read_by_the_names_of_the_one_before() -> None:
    text = (
        "Linux 6.1.0 (db1) \t2026-11-20 \t_x86_64_\t(4 CPU)\n\n"
        "00:00:01 kbmemfree kbmemused %memused\n00:10:01 100 300 75.00\n\n"
        "00:00:01 runq-sz plist-sz ldavg-1\n00:10:01 2 150 0.12\n"
    )
    found = list(registry.read([text.encode()], Report(), "file"))
    assert [one.memory_fraction for one in found] == [0.75]


def test_memory_is_read_of_xml_and_of_lines() -> None:
    xml = sadf_xml(drawn(1)[:1], 1).replace("</timestamp>", "<memory>\n<memused-percent>46.11</"
                                            "memused-percent>\n</memory></timestamp>")  # fmt: skip
    line = "db1\t600\t2026-11-20 00:10:01 UTC\t-\t%memused\t46.11\n"
    for text in (xml, line):
        *_, last = registry.read([text.encode()], Report(), "file")
        assert last.memory_fraction == pytest.approx(0.4611)


def test_vmstat_without_times_is_refused_and_its_first_report_told() -> None:
    text = vmstat_text(drawn(3), 0)
    report = Report()
    list(registry.read([text.encode()], report, "file"))
    assert report.notes == [
        "The first report of vmstat is the mean since the machine was started, unless -y was given."
    ]
    with pytest.raises(FileRefused, match="Run it with -t"):
        list(registry.read([re.sub(r" 2026-\S+ \S+", "", text).encode()], Report(), "file"))


def test_memory_beside_the_cpu_of_a_line_or_an_element_is_read() -> None:
    line = (
        "# hostname;interval;timestamp;CPU;%idle[...];kbmemfree;%memused\n"
        "db1;600;2026-11-20 00:10:01 UTC;-1;80.00;1;40.00\n"
    )
    (one,) = registry.read([line.encode()], Report(), "file")
    assert (one.cpu_fraction, one.memory_fraction) == pytest.approx((0.2, 0.4))
    xml = sadf_xml(drawn(1)[:1], 1).replace("</timestamp>", '<memory memused-percent="46.11"/>')
    *_, last = registry.read([xml.encode()], Report(), "file")
    assert last.memory_fraction == pytest.approx(0.4611)


def test_all_loads_of_json_and_decimal_commas_of_iostat_are_read() -> None:
    sadf_like = json.dumps({"sysstat": {"hosts": [{"nodename": "db1", "statistics": [
        {"timestamp": {"date": "2026-11-20", "time": "00:10:01", "utc": 1},
         "cpu-load-all": [{"cpu": "all", "idle": 80.0, "iowait": 5.0}]}]}]}})  # fmt: skip
    commas = iostat_text([(START, 80.0, 5.0)], 0).replace(".00", ",00")
    for text in (sadf_like, commas):
        (one,) = registry.read([text.encode()], Report(), "file")
        assert one.cpu_fraction == pytest.approx(0.15)


@pytest.mark.parametrize("write", [iostat_json, iostat_text], ids=lambda one: one.__name__)
def test_reports_of_iostat_without_times_are_refused(write: Any) -> None:
    text = write(drawn(3), 0)
    if write is iostat_json:
        document = json.loads(text)
        for row in document["sysstat"]["hosts"][0]["statistics"]:
            del row["timestamp"]
        text = json.dumps(document)
    else:
        text = "\n".join(line for line in text.splitlines() if not line.startswith("11/"))
    with pytest.raises(FileRefused, match="Run it with -t"):
        list(registry.read([text.encode()], Report(), "file"))


def test_rows_that_say_no_share_are_told_and_others_read() -> None:
    text = iostat_text(drawn(5), 0).replace("  1.00  ", "  1.00  ")
    lines = text.splitlines()
    lines[4] = "  1.00    0.00    0.00    none    0.00    none"
    report = Report()
    found = list(registry.read(["\n".join(lines).encode()], report, "file"))
    assert len(found) == len(drawn(5)) - 1
    assert [fault.line for fault in report.faults] == [5]


@pytest.mark.parametrize(
    "table",
    [
        # a machine's name, then eight figures that are no shares of a CPU and of memory
        "".join(f"disk{n},16,{2000 + n},116167,102,5.6,0.97,0.97,0.98\n" for n in range(40)),
        # four columns of whole numbers whose third is no direction of requests
        "".join(f"{14337 * n},{11 * n},{n % 3},{1137 - n}\n" for n in range(40)),
    ],
)
def test_tables_of_other_things_are_no_traces(table: str) -> None:
    with pytest.raises(FileRefused, match="not a trace that we know"):
        registry.sniff(table.encode())
