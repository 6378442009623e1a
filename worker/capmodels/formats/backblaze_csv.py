"""Daily drive statistics as Backblaze publishes them: one row per drive and day.

Files are streamed, plain, gzip or zstd; several files (days) add up. What is kept is one record
per drive: drive days and failures by model, and each drive's age when it was first and last seen.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FAULTS_KEPT, FileRefused, LineFault, lines, plain
from capmodels.formats.trace_format import TraceFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    from capmodels.formats.trace_format import Head

    class CsvReader(Protocol):
        """What ``csv.reader`` returns."""

        line_num: int

        def __next__(self) -> list[str]:
            """Return the next row."""
            ...


_END: list[str] = []
_NEEDED = ("date", "serial_number", "model", "failure")
_POWER_ON = "smart_9_raw"
_HOURS_PER_DAY, _DAYS_PER_YEAR = 24.0, 365.25
# A drive's counter may not have been read; ages beyond this are counters that went wrong.
_AGE_MAX_DAYS = 20 * _DAYS_PER_YEAR


@dataclass(slots=True)
class ModelDays:
    """One model's drive days and failures; ``capacity_bytes`` None where no row gives it."""

    drive_days_count: int = 0
    failures_count: int = 0
    drives_count: int = 0
    capacity_bytes: int | None = None


@dataclass(slots=True)
class DriveSeen:
    """One drive: ages when it was first and last seen, and whether it failed then. [days]"""

    model: str
    entered_days: float
    last_days: float
    last_date: int
    failed: bool


@dataclass
class Fleet:
    """What the files read so far come to."""

    models: dict[str, ModelDays] = field(default_factory=dict)
    drives: dict[str, DriveSeen] = field(default_factory=dict)
    faults: list[LineFault] = field(default_factory=list)
    faults_count: int = 0
    rows_count: int = 0
    days: set[int] = field(default_factory=set)

    def read(self, chunks: Iterable[bytes]) -> None:
        """Add the rows of one file.

        Raises
        ------
        FileRefused
            When the first line does not name the columns, or a packed file is damaged.
        """
        rows = csv.reader(_lines(plain(chunks)))
        head = [name.strip().lower() for name in self._next(rows)]
        missing = [name for name in _NEEDED if name not in head]
        if missing:
            raise FileRefused(f"The first line names no column {missing[0]!r}.")
        place = {name: head.index(name) for name in head}
        while (row := self._next(rows)) is not _END:
            if row:
                self._row(row, place, rows.line_num)

    def _next(self, rows: CsvReader) -> list[str]:
        """The next row; an empty one for a line that is no CSV, which is a fault."""
        try:
            return next(rows, _END)
        except csv.Error as exc:
            self._fault(rows.line_num, f"This line is no CSV: {exc}.")
            return []

    def _row(self, row: list[str], place: dict[str, int], line: int) -> None:
        try:
            day = date.fromisoformat(row[place["date"]]).toordinal()
            failed = {"0": False, "1": True}[row[place["failure"]].strip()]
            serial, model = row[place["serial_number"]], row[place["model"]]
            hours = _number(row, place.get(_POWER_ON))
            size = _number(row, place.get("capacity_bytes"))
        except (ValueError, KeyError, IndexError):
            self._fault(line, "This line has no date, drive and failure of 0 or 1.")
            return
        self.rows_count += 1
        self.days.add(day)
        of_model = self.models.setdefault(model, ModelDays())
        of_model.drive_days_count += 1
        of_model.failures_count += failed
        if size is not None and size > 0:
            of_model.capacity_bytes = int(size)
        age = None if hours is None else hours / _HOURS_PER_DAY
        self._seen(serial, model, day=day, age=age, failed=failed)

    def _seen(self, serial: str, model: str, *, day: int, age: float | None, failed: bool) -> None:
        """Keep the drive's ages; without a counter they are days since it was first seen."""
        drive = self.drives.get(serial)
        known = age is not None and 0 < age < _AGE_MAX_DAYS
        if drive is None:
            self.models[model].drives_count += 1
            last = age if known and age is not None else 1.0
            seen = DriveSeen(model, max(last - 1.0, 0.0), last, day, failed)
            self.drives[serial] = seen
            return
        moved = day - drive.last_date
        if moved > 0:
            drive.last_days += moved
            drive.last_date = day
        elif moved < 0:
            # A file of an earlier day came later: the drive was under watch from then on.
            first = drive.last_days + moved
            drive.entered_days = min(drive.entered_days, max(first - 1.0, 0.0))
        drive.failed = drive.failed or failed

    def _fault(self, line: int, message: str) -> None:
        self.faults_count += 1
        if len(self.faults) < FAULTS_KEPT:
            self.faults.append(LineFault(line, message))

    def fleet_rates(self, *, drive_days_min_count: int = 1) -> dict[str, Any]:
        """Return params of ``reliability.fleet_rates``, the models with most drive days first."""
        kept = [
            (name, of_model)
            for name, of_model in self.models.items()
            if of_model.drive_days_count >= drive_days_min_count
        ]
        kept.sort(key=lambda pair: (-pair[1].drive_days_count, pair[0]))
        return {
            "cohorts": [
                {
                    "name": name,
                    "drive_days_count": float(of_model.drive_days_count),
                    "failures_count": of_model.failures_count,
                }
                for name, of_model in kept[:1000]
            ]
        }

    def lifetimes(self, model: str | None = None, *, whole_days: bool = False) -> dict[str, Any]:
        """Return params of ``reliability.lifetimes``: of one model, or of all drives.

        Drives of equal ages and end are one row with their number; ``whole_days`` rounds ages
        and the time under watch, so that a large fleet has few rows.
        """
        counted: dict[tuple[float, float, bool], int] = {}
        for drive in self.drives.values():
            if model is None or drive.model == model:
                entered, last = drive.entered_days, drive.last_days
                if whole_days:
                    watched = max(round(last - entered), 1)
                    last = max(round(last), watched)
                    entered = last - watched
                key = (_years(entered), _years(last), drive.failed)
                counted[key] = counted.get(key, 0) + 1
        rows = sorted(counted)
        return {
            "durations_years": [last for _entered, last, _failed in rows],
            "entered_years": [entered for entered, _last, _failed in rows],
            "failed": [failed for _entered, _last, failed in rows],
            "drives_count": [counted[row] for row in rows],
        }


def _years(days: float) -> float:
    return round(days / _DAYS_PER_YEAR, 4)


def _number(row: list[str], place: int | None) -> float | None:
    """A cell's number; None for an empty cell or column.

    Raises
    ------
    ValueError
        When the cell holds something else.
    """
    text = "" if place is None else row[place].strip()
    if not text:
        return None
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _lines(chunks: Iterator[bytes]) -> Iterator[str]:
    """Lines of a stream of bytes. Bytes that are no text stand as marks; a quote is not split."""
    return (line.decode("utf-8", "replace") + "\n" for line in lines(chunks))


def _is_backblaze(head: Head) -> bool:
    names = [name.strip().strip('"').lower() for name in head.lines[0].split(",")]
    return set(_NEEDED) <= set(names)


FORMATS = (
    TraceFormat(
        name="backblaze",
        title="Backblaze drive days",
        family="the daily statistics of Backblaze",
        kind="fleet",
        content="drives",
        sentence="A row for each drive and day: date, serial number, model, capacity, failure.",
        sample=b"date,serial_number,model,capacity_bytes,failure,smart_9_raw\n"
        b"2026-01-01,S1,M1,4000787030016,0,100\n2026-01-01,S2,M1,4000787030016,1,200\n",
        sniff=_is_backblaze,
        read=lambda source, _name, _report: source,
    ),
)
