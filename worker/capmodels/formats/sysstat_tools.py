"""What else sysstat writes, JSON of any program of it, `sadf -x` and `-p`, iostat -t; vmstat -t.

Forms as the manual pages of sysstat 12 (mpstat(1), iostat(1), sadf(1)) and of procps-ng 4
(vmstat(8)) have them. Text of mpstat is read as sar's. Only CPU of the whole machine and memory are
taken.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.formats.reading import by_document, by_lines
from capmodels.formats.samples import Sample, fraction, time_s
from capmodels.formats.sysstat import DAY_S, busy_fraction, clock_s, date_s
from capmodels.formats.trace_format import TraceFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Head

_UNTIMED = (
    "These reports of {} carry no times, so nobody can say how far they lie apart. Run it with -t."
)
_SINCE_START = (
    "The first report of {} is the mean since the machine was started, unless -y was given."
)
# Above the rows of vmstat: its names, and a zone where times follow, wherever they stand.
_VMSTAT = re.compile(r"^\s*(?:\S+\s+)*us\s+sy\s+id\s+wa\b")
_WHEN = re.compile(r"\b(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\S*")
_WHOLE = {"all", "-1"}
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
# An element of its own, or an attribute, as older versions have it.
_MEMORY = re.compile(r"\bmemused-percent(?:>|=\")([\d.]+)[<\"]")
_FIGURES = re.compile(r"[\d.,]+(?:\s+[\d.,]+)+")
# A date and a clock alone in a line, as iostat -t heads its reports.
_STAMP = re.compile(r"^\d[\d/.T:+-]*[\dZ](?: \d{1,2}:\d\d:\d\d(?: [AP]M)?)?$")
_HOST = re.compile(r"^Linux\s+\S+\s+\(([^)]*)\)")


def stamp_s(text: str) -> float:
    """A date with a clock as iostat prints it, in the locale C or as ISO 8601. [s]

    Raises
    ------
    ValueError
        When it is none.
    """
    day, _, clock = text.partition(" ")
    at_s, of_day_s = date_s(day), clock_s(clock)
    if at_s and of_day_s is not None:
        return at_s + of_day_s
    return time_s(text)


def iostat(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """Text of ``iostat -t``: a time, then the mean of all CPUs since the report before.

    Raises
    ------
    FileRefused
        When reports carry no times.
    """
    host, at_s, heads = name, math.nan, []
    for line, raw in enumerate(lines, start=1):
        text = raw.strip()
        named = _HOST.match(text)
        if named:
            host = named[1]
        elif _STAMP.match(text):
            at_s = _time_or_nan(text)
        elif text.startswith("avg-cpu:"):
            heads = text.split()[1:]
        elif heads:
            if math.isnan(at_s):
                raise FileRefused(_UNTIMED.format("iostat"))
            report.note(_SINCE_START.format("iostat"))
            cells = text.replace(",", ".").split()  # sysstat parts no thousands
            found = dict(zip(heads, cells, strict=False))
            heads = []
            try:
                busy = busy_fraction(float(found["%idle"]), float(found.get("%iowait", "0")))
            except (ValueError, KeyError):
                report.add(line, "The row cannot be read.")
                continue
            yield Sample(host, at_s, busy)
        elif _FIGURES.fullmatch(text):
            report.add(line, "No line before the row says what its figures are.")


def vmstat(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """Text of ``vmstat -t``: a row a report, below names that come again with every screen.

    Raises
    ------
    FileRefused
        When rows carry no times.
    """
    heads: list[str] = []
    for line, text in enumerate(lines, start=1):
        if _VMSTAT.match(text):
            heads = text.split()
            continue
        if not text.strip() or "--" in text:
            continue
        when = _WHEN.search(text)
        cells = (text[: when.start()] + text[when.end() :] if when else text).split()
        if not heads:
            report.add(line, "No line before the row says what its figures are.")
            continue
        if when is None and _FIGURES.fullmatch(text.strip()):
            raise FileRefused(_UNTIMED.format("vmstat"))
        report.note(_SINCE_START.format("vmstat"))
        found = dict(zip(heads, cells, strict=False))
        try:
            busy = busy_fraction(float(found["id"]), float(found["wa"]))
            yield Sample(name, time_s(" ".join(when.groups()) if when else ""), busy)
        except (ValueError, KeyError):
            report.add(line, "The row cannot be read.")


def _time_or_nan(text: str) -> float:
    try:
        return stamp_s(text)
    except ValueError:
        return math.nan


def _known(at_s: float) -> float:
    """The time that was told. Raises ValueError where none was."""
    if math.isnan(at_s):
        raise ValueError
    return at_s


def sadf_xml(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """Lines of ``sadf -x``, an element each; no XML is parsed, so no entity is ever followed."""
    host, at_s = name, math.nan
    for line, text in enumerate(lines, start=1):
        found = dict(_ATTRIBUTE.findall(text))
        tag = text.strip().split(maxsplit=1)[0] if text.strip() else ""
        try:
            if tag == "<host":
                host = found["nodename"]
            elif tag == "<timestamp":
                at_s = math.nan
                zone = "+00:00" if found.get("utc") == "1" or found.get("tz") == "UTC" else ""
                at_s = time_s(f"{found['date']} {found['time']}{zone}")
            elif tag == "<cpu" and found.get("number") in _WHOLE and "idle" in found:
                waiting = float(found.get("iowait", "0"))
                yield Sample(host, _known(at_s), busy_fraction(float(found["idle"]), waiting))
            elif used := _MEMORY.search(text):
                yield Sample(host, _known(at_s), memory_fraction=fraction(float(used[1])))
            elif "<memused-percent" in text or (tag and not tag.startswith("<")):
                report.add(line, "The row cannot be read.")
        except (ValueError, KeyError):
            report.add(line, "The row cannot be read.")


def sadf_plain(lines: Iterable[str], _name: str, report: Report) -> Iterator[Sample]:
    """Lines of ``sadf -p``: host, interval, time, device, figure and value, by tabs."""
    idle: dict[tuple[str, str], float] = {}
    waiting: dict[tuple[str, str], float] = {}
    for line, text in enumerate(lines, start=1):
        cells = text.rstrip("\n").split("\t")
        if len(cells) != 6:
            continue
        host, _, when, device, figure, value = cells
        try:
            if figure == "%memused":
                yield Sample(host, time_s(when), memory_fraction=fraction(float(value)))
            elif device in _WHOLE and figure in {"%idle", "%iowait"}:
                (idle if figure == "%idle" else waiting)[host, when] = float(value)
            # idle is the last figure of a sample's CPU
            if (host, when) in idle:
                busy = busy_fraction(idle.pop((host, when)), waiting.pop((host, when), 0.0))
                yield Sample(host, time_s(when), busy)
        except ValueError:
            report.add(line, "The row cannot be read.")


class _Clocks:
    """Times of day of a host's samples, as mpstat's JSON has them; a day passes at midnight."""

    def __init__(self, day: str) -> None:
        """Take the host's date."""
        self.day_s, self.before_s = date_s(day), 0.0

    def at_s(self, text: str) -> float:
        """A time of day, or a whole date, as seconds. Raises ValueError."""
        of_day_s = clock_s(text)
        if of_day_s is None:
            return stamp_s(text)
        if of_day_s < self.before_s - DAY_S / 2:
            self.day_s += DAY_S
        self.before_s = of_day_s
        return self.day_s + of_day_s


def _tool_row(host: str, row: dict[str, Any], clocks: _Clocks) -> Sample | None:
    """A sample of mpstat's or iostat's JSON; None where it says nothing of all CPUs.

    Raises
    ------
    FileRefused
        When it carries no time.
    ValueError
        When its figures are none.
    """
    every = row.get("cpu-load", [])
    whole = row.get("avg-cpu") or next((one for one in every if one["cpu"] in _WHOLE), None)
    if whole is None:
        return None
    if "timestamp" not in row:
        raise FileRefused(_UNTIMED.format("iostat"))
    busy = busy_fraction(float(whole["idle"]), float(whole.get("iowait", 0.0)))
    return Sample(host, clocks.at_s(str(row["timestamp"])), busy)


def sadf_json(document: Any, _name: str, report: Report) -> Iterator[Sample]:
    """The document of ``sadf -j``, or of mpstat or iostat ``-o JSON``."""
    for host in document.get("sysstat", {}).get("hosts", []):
        name, clocks = str(host.get("nodename", "")), _Clocks(str(host.get("date", "")))
        for place, row in enumerate(host.get("statistics", []), start=1):
            try:
                is_sadf = isinstance(row.get("timestamp"), dict)
                found = _json_row(name, row) if is_sadf else _tool_row(name, row, clocks)
            except (ValueError, KeyError, TypeError, AttributeError):
                report.add(place, "The sample cannot be read.")
                continue
            if found:
                yield found


def _json_row(host: str, row: dict[str, Any]) -> Sample | None:
    stamp = row["timestamp"]
    zone = "+00:00" if stamp.get("utc") or stamp.get("tz") == "UTC" else ""
    at_s = time_s(f"{stamp['date']} {stamp['time']}{zone}")
    loads = row.get("cpu-load") or row.get("cpu-load-all") or []
    whole = next((cpu for cpu in loads if str(cpu["cpu"]) in _WHOLE), None)
    cpu = busy_fraction(whole["idle"], whole.get("iowait", 0.0)) if whole else math.nan
    used = row.get("memory", {}).get("memused-percent")
    memory = fraction(float(used)) if used is not None else math.nan
    if math.isnan(cpu) and math.isnan(memory):
        return None
    return Sample(host, at_s, cpu, memory)


def _is_iostat(head: Head) -> bool:
    return any(line.lstrip().startswith("avg-cpu:") for line in head.lines)


def _is_sadf_plain(head: Head) -> bool:
    rows = [line.split("\t") for line in head.lines]
    return all(len(row) == 6 and row[1].isdigit() for row in rows)


FORMATS = (
    TraceFormat(
        name="sadf_json",
        title="sadf JSON",
        family="sar",
        kind="utilization",
        content="samples",
        sentence="The document of sadf -j, or of mpstat or iostat -t with -o JSON.",
        sample=b'{"sysstat": {"hosts": [{"nodename": "db1", "statistics": [{"timestamp": {"date": '
        b'"2026-11-20", "time": "00:10:01", "utc": 1}, "cpu-load": [{"cpu": "all", "idle": 80.0, '
        b'"iowait": 5.0}]}]}]}}',
        sniff=lambda head: head.names_in_json("sysstat"),
        read=by_document(sadf_json, "sadf"),
    ),
    TraceFormat(
        name="sadf_xml",
        title="sadf XML",
        family="sar",
        kind="utilization",
        content="samples",
        sentence="The document of sadf -x.",
        sample=b"""<?xml version="1.0" encoding="UTF-8"?>
<sysstat xmlns="https://sysstat.github.io">
\t<host nodename="db1">
\t\t<statistics>
\t\t\t<timestamp date="2026-11-20" time="00:10:01" utc="1" interval="600">
\t\t\t\t<cpu-load>
\t\t\t\t\t<cpu number="all" user="15.00" iowait="5.00" idle="80.00"/>
\t\t\t\t</cpu-load>
\t\t\t\t<memory unit="kB">
\t\t\t\t\t<memused-percent>40.00</memused-percent>
""",
        sniff=lambda head: "<sysstat" in head.text[:2_000],
        read=by_lines(sadf_xml),
    ),
    TraceFormat(
        name="sadf_plain",
        title="sadf, a figure a line",
        family="sar",
        kind="utilization",
        content="samples",
        sentence="Lines of sadf -p: host, interval, time, device, figure and value, by tabs.",
        sample=b"db1\t600\t2026-11-20 00:10:01 UTC\tall\t%user\t15.00\n"
        b"db1\t600\t2026-11-20 00:10:01 UTC\tall\t%iowait\t5.00\n"
        b"db1\t600\t2026-11-20 00:10:01 UTC\tall\t%idle\t80.00\n",
        sniff=_is_sadf_plain,
        read=by_lines(sadf_plain),
    ),
    TraceFormat(
        name="iostat",
        title="iostat",
        family="sar",
        kind="utilization",
        content="samples",
        sentence="Text of iostat -t with the CPU's part (no -d); its disks are not taken.",
        sample=b"""Linux 6.1.0 (db1) \t11/20/2026 \t_x86_64_\t(4 CPU)

11/20/2026 12:10:01 AM
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          10.00    0.00    5.00    5.00    0.00   80.00

Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd
sda               8.59       222.14        57.08         0.00     100000      50000          0

11/20/2026 12:20:01 AM
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          40.00    0.00   10.00    0.00    0.00   50.00
""",
        sniff=_is_iostat,
        read=by_lines(iostat),
    ),
    TraceFormat(
        name="vmstat",
        title="vmstat",
        family="sar",
        kind="utilization",
        content="samples",
        sentence="Text of vmstat -t: CPU of the whole machine.",
        sample=b"""procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC
 2  0      0 812345  12345 456789    0    0    10    20  100  200 10  5 80  5  0 2026-11-20 00:10:01
 5  0      0 801234  12345 456789    0    0    10    20  100  200 40 10 50  0  0 2026-11-20 00:20:01
""",
        sniff=lambda head: any(map(_VMSTAT.match, head.lines)),
        read=by_lines(vmstat),
    ),
)
