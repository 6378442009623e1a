"""Utilization of sysstat: text of sar and mpstat, lines of `sadf -d`."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from capmodels.formats.reading import by_lines
from capmodels.formats.samples import Sample, fraction, time_s
from capmodels.formats.trace_format import TraceFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Head

DAY_S = 86_400.0
_HEAD = re.compile(r"^(?:Linux|SunOS|AIX)\s+\S+\s+\((?P<host>[^)]*)\)\s+(?P<date>\S+)")
# Unix's own sar names the host first, and has no column of the CPU: all are meant.
_UNIX = re.compile(r"^(?:SunOS|AIX)\s+(?P<host>\S+)\s+\S.*\s(?P<date>\d\d/\d\d/\d\d(?:\d\d)?)\s*$")
_ROW = re.compile(r"^(\d{1,2}):(\d\d):(\d\d)(?:\s+([AP]M))?\s+(.*)$")
_CLOCK = re.compile(r"^(\d{1,2}):(\d\d):(\d\d)(?:\s+([AP]M))?$")
# All processors together, as Linux and AIX say it.
_ALL = frozenset(("all", "-"))
# The line of means below a table, in any language: Average, Durchschn., Moyenne.
_MEAN = re.compile(r"[^\W\d]{3,}\.?\s*:(\s|$)|Average\s")
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
_DATES = ("%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y", "%d.%m.%Y", "%d.%m.%y", "%d-%m-%Y")


def busy_fraction(idle_percent: float, waiting_percent: float) -> float:
    """Share of time a CPU works: all but idle and waiting for disks.

    Raises
    ------
    ValueError
        When the percentages are not such.
    """
    return fraction(
        100.0 - idle_percent - (0.0 if math.isnan(waiting_percent) else waiting_percent)
    )


class _SarText:
    """Reads sar's tables line by line; only CPU (all) and memory are taken."""

    def __init__(self, name: str) -> None:
        """Start before the line with host and date."""
        self.host = name
        self.date_s = 0.0
        self.names: list[str] = []
        # Whether the lines are rows of a table that is taken.
        self.is_within = False
        self.last: dict[str, tuple[float, float]] = {}

    def take(self, text: str) -> Sample | None:
        """Return the sample of a line, None for any other line. Raises ValueError."""
        head = _HEAD.match(text) or _UNIX.match(text)
        if head:
            self.host, self.date_s = head["host"], date_s(head["date"])
            self.last.clear()
            return None
        row = _ROW.match(text)
        if not text.strip() or "RESTART" in text or _MEAN.match(text):
            self.is_within = False
            return None
        if not row:
            # rows of single processors have no time where the row of all has it
            if self.is_within and not text[:1].isspace():
                raise ValueError(text)
            return None
        cells = row[5].replace(",", ".").split()  # sysstat parts no thousands
        if not cells:
            return None
        if cells[0] not in _ALL and not any(map(_NUMBER.fullmatch, cells)):
            # names of another table, whatever they are: none may be read by those before
            self.names = cells
            self.is_within = bool({"%idle", "%memused"} & set(cells))
            return None
        return self._sample(row, dict(zip(self.names, cells, strict=False)))

    def _sample(self, row: re.Match[str], cells: dict[str, str]) -> Sample | None:
        if cells.get("CPU", cells.get("cpu", "all")) not in _ALL:
            return None
        if "%idle" in cells and cells.keys() & {"CPU", "cpu", "%usr"}:
            at_s = self._at_s(row, "cpu")
            waiting = float(cells.get("%iowait", cells.get("%wio", "0")))
            return Sample(self.host, at_s, busy_fraction(float(cells["%idle"]), waiting))
        if "%memused" in cells:
            at_s = self._at_s(row, "memory")
            return Sample(self.host, at_s, memory_fraction=fraction(float(cells["%memused"])))
        return None

    def _at_s(self, row: re.Match[str], section: str) -> float:
        """Time of a row; a clock that falls back by half a day has passed midnight."""
        clock = _of_day_s(row)
        before, day = self.last.get(section, (clock, 0.0))
        if clock < before - DAY_S / 2:
            day += DAY_S
        self.last[section] = (clock, day)
        return self.date_s + day + clock


def clock_s(text: str) -> float | None:
    """A time of day with or without AM and PM; None where a text is none. [s]

    >>> clock_s("12:10:01 AM"), clock_s("23:00:00"), clock_s("2026-11-20")
    (601.0, 82800.0, None)
    """
    found = _CLOCK.match(text)
    return None if found is None else _of_day_s(found)


def _of_day_s(found: re.Match[str]) -> float:
    hour = int(found[1]) % 12 + (12 if found[4] == "PM" else 0) if found[4] else int(found[1])
    return hour * 3600.0 + int(found[2]) * 60 + int(found[3])


def date_s(text: str) -> float:
    """Midnight of a date as sysstat prints it in most locales; 0 where it is none. [s]"""
    for form in _DATES:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).timestamp()
        except ValueError:
            continue
    return 0.0


def sar(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """Text of sar (``-u``, ``-r`` or ``-A``), in the locale C or in most others."""
    reader = _SarText(name)
    for line, text in enumerate(lines, start=1):
        try:
            found = reader.take(text)
        except ValueError:
            report.add(line, "The row cannot be read.")
            continue
        if found:
            yield found


def sadf(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """Lines of ``sadf -d``: host, interval, time and values, by ``;``."""
    names: list[str] = []
    for line, text in enumerate(lines, start=1):
        if text.startswith("#"):
            # with -h a list of devices follows, of which the first are all together
            names = [cell.strip().removesuffix("[...]") for cell in text.lstrip("# ").split(";")]
            continue
        if not text.strip() or "LINUX-RESTART" in text or ";COM;" in text:
            continue
        try:
            found = _sadf_row(dict(zip(names, text.replace(",", ".").split(";"), strict=False)))
        except (ValueError, KeyError):
            report.add(line, "The row cannot be read.")
            continue
        if found:
            yield found


def _sadf_row(cells: dict[str, str]) -> Sample | None:
    host, when = cells["hostname"], cells["timestamp"]
    which = cells.get("CPU", "-1")
    if "%idle" in cells and which != "all" and int(which) == -1:
        which = "all"
    used = fraction(float(cells["%memused"])) if "%memused" in cells else math.nan
    if "%idle" in cells and which == "all":
        waiting = float(cells.get("%iowait", "0"))
        return Sample(host, time_s(when), busy_fraction(float(cells["%idle"]), waiting), used)
    return None if math.isnan(used) else Sample(host, time_s(when), memory_fraction=used)


def _is_sar(head: Head) -> bool:
    lines = head.lines
    if _UNIX.match(lines[0]):
        return True  # whose tables of the CPU may stand far down
    return any("%idle" in line or "%memused" in line for line in lines) and bool(
        re.match(r"^(Linux|SunOS|AIX)\s", lines[0]) or re.match(r"^\d\d:\d\d:\d\d", lines[0])
    )


def _is_sadf(head: Head) -> bool:
    first = head.lines[0]
    return first.startswith("#") and "hostname;interval;timestamp" in first.replace(" ", "")


FORMATS = (
    TraceFormat(
        name="sar",
        title="sar",
        kind="utilization",
        content="samples",
        sentence="Text of sar: CPU (-u), memory (-r) or all of it (-A); text of mpstat.",
        sample=b"""Linux 6.1.0 (db1) \t2026-11-20 \t_x86_64_\t(4 CPU)

12:00:01 AM     CPU     %user     %nice   %system   %iowait    %steal     %idle
12:10:01 AM     all     10.00      0.00      5.00      5.00      0.00     80.00
12:20:01 AM     all     40.00      0.00     10.00      0.00      0.00     50.00
""",
        sniff=_is_sar,
        read=by_lines(sar),
    ),
    TraceFormat(
        name="sadf",
        title="sadf",
        family="sar",
        kind="utilization",
        content="samples",
        sentence="Lines of sadf -d: host, interval, time and values, by semicolons.",
        sample=b"""# hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle
db1;600;2026-11-20 00:10:01 UTC;-1;10.00;0.00;5.00;5.00;0.00;80.00
db1;600;2026-11-20 00:20:01 UTC;-1;40.00;0.00;10.00;0.00;0.00;50.00
""",
        sniff=_is_sadf,
        read=by_lines(sadf),
    ),
)
