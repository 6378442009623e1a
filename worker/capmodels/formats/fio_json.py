"""Results of fio: rate and latency of each job, by queue depth."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.formats.block_told import size_said
from capmodels.formats.chunks import FileRefused
from capmodels.formats.reading import whole_json
from capmodels.formats.trace_format import TraceFormat
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

_NS_PER_MS = 1e6
_SECTOR_BYTES = 512
# Linux gives a command of a disk up after 30 s (sd.h, SD_TIMEOUT) and resets the port.
_TIMEOUT_MS = 30_000.0
_COUNT_MAX = 100_000
_DIRECTIONS = ("read", "write", "trim")
# Rate times latency is the mean depth (Little 1961): a point further off is not of its depth.
_LITTLE_MOST = 0.2
# Of a job's requests, in percent, that had none beside them: an engine that waits for each has all.
_ALONE = 99.0


@dataclass(frozen=True, slots=True)
class FioRow:
    """One direction of one job.

    ``mixed`` says what else was asked meanwhile; nothing: one direction, of blocks of one size.
    """

    job: str
    direction: str
    block_bytes: int
    queue_depth_count: int
    jobs_count: int
    iops_per_s: float
    throughput_bytes_per_s: float
    latency_mean_ms: float
    completion_mean_ms: float
    timed_out: bool
    percentiles_ms: dict[float, float]
    mixed: str = ""
    random: bool = False
    device: str = ""


def size_bytes(text: str) -> int:
    """Bytes of fio's size: 4k, 1m, 512.

    >>> size_bytes("4k"), size_bytes("1M")
    (4096, 1048576)
    """
    factors = {"k": 2**10, "m": 2**20, "g": 2**30}
    text = text.strip().lower().removesuffix("b").removesuffix("i")
    if text[-1:] in factors:
        return int(float(text[:-1]) * factors[text[-1]])
    return int(text)


def _direction_size(options: dict[str, str], direction: str) -> str:
    """The size of a direction's blocks: fio has them as reads,writes,trims, 4k where one is empty.

    >>> [_direction_size({"bs": "8k,64k"}, way) for way in ("read", "write", "trim")]
    ['8k', '64k', '64k']
    """
    sizes = options.get("bs", "4k").split(",")
    return sizes[min(_DIRECTIONS.index(direction), len(sizes) - 1)].strip() or "4k"


def rows(data: bytes) -> list[FioRow]:
    """Read a fio JSON file: of one run or of several in turn, with lines of text before each.

    Raises
    ------
    FileRefused
        When there is no JSON of fio in it, or its values are not those that fio writes.
    """
    found: list[FioRow] = []
    for document in _documents(data.decode("utf-8", "replace")):
        jobs = _jobs(document)
        crowded = _crowded(jobs)
        for number, job in enumerate(jobs, start=1):
            try:
                alone = str(job.get("groupid")) not in crowded
                found += _job(job, document.get("global options", {}), alone=alone)
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as exc:
                message = f"Job {number} of this fio file is not as fio writes it: {exc!r}."
                raise FileRefused(message) from exc
    return found


def _documents(text: str) -> Iterator[Any]:
    """What JSON there is in a text, at least one."""
    start = max(text.find("{"), 0)
    while start >= 0:
        try:
            document, end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError) as exc:
            raise FileRefused("There is no whole JSON in this fio file.") from exc
        yield document
        start = text.find("{", end)


_TERSE = re.compile(r"^[34];fio-")
_TERSE_WIDTH = 41  # fields of a direction (fio HOWTO, "Terse output")
_TERSE_LEVELS = ("1", "2", "4", "8", "16", "32", ">=64")


def terse_rows(data: bytes) -> list[FioRow]:
    """Read lines of fio's terse output, of version 3 or 4: one a job, fields by semicolons.

    Raises
    ------
    FileRefused
        When a line is not as fio writes it.
    """
    found: list[FioRow] = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        if not _TERSE.match(line):
            continue
        cells = line.split(";")
        ways = _DIRECTIONS[: 2 if cells[0] == "3" else 3]
        try:
            job: dict[str, Any] = {"jobname": cells[2], "groupid": cells[3]}
            for at, way in enumerate(ways):
                start = 5 + at * _TERSE_WIDTH
                job[way] = _terse_direction(cells[start : start + _TERSE_WIDTH])
            levels = cells[5 + len(ways) * _TERSE_WIDTH + 5 :]
            shares = (cell.removesuffix("%") for cell in levels)
            job["iodepth_level"] = dict(zip(_TERSE_LEVELS, shares, strict=False))
            found += _job(job, {}, alone=True)
        except (ValueError, LookupError) as exc:
            message = f"Line {number} of this fio file is not as fio writes it: {exc!r}."
            raise FileRefused(message) from exc
    return found


def _terse_direction(cells: list[str]) -> dict[str, Any]:
    """A direction as in JSON; times are in microseconds."""
    percentiles = (cell.split("%=") for cell in cells[12:32] if "%=" in cell)
    return {
        "total_ios": float(cells[0]),  # KiB: whether anything was moved
        "bw": float(cells[1]),
        "iops": float(cells[2]),
        "clat": {
            "max": cells[9],
            "mean": cells[10],
            "percentile": {at: value for at, value in percentiles if float(at) > 0},
        },
        "lat": {"mean": cells[34]},
    }


def _jobs(document: Any) -> list[Any]:
    """The jobs of a run; of clients and a server each client's, without the sum of all."""
    held = document if isinstance(document, dict) else {}
    jobs = held.get("jobs", held.get("client_stats"))
    if not isinstance(jobs, list):
        raise FileRefused("This file has no jobs of fio in it.")
    if "jobs" not in held and len(jobs) > 1:
        jobs = [job for job in jobs if job.get("jobname") != "All clients"]
    return jobs


def _crowded(jobs: list[Any]) -> set[str]:
    """Groups whose jobs ran at the same time and are not copies of one."""
    names: dict[str, set[str]] = {}
    for job in jobs:
        if isinstance(job, dict) and job.get("groupid") is not None:
            names.setdefault(str(job["groupid"]), set()).add(str(job.get("jobname")))
    return {group for group, several in names.items() if len(several) > 1}


def _job(job: dict[str, Any], common: dict[str, str], *, alone: bool) -> list[FioRow]:
    options = {**common, **job.get("job options", {})}
    found = [
        direction
        for direction in (*_DIRECTIONS, "mixed")
        if job.get(direction, {}).get("total_ios", 0) or job.get(direction, {}).get("iops", 0)
    ]
    mixed = ""
    if options.keys() & {"bsrange", "bssplit"}:
        mixed = "of blocks of several sizes"
    if len(found) > 1:
        mixed = f"of jobs that asked for {listed([f'{way}s' for way in found])} at once"
    if "mixed" in found:
        mixed = "of reads and writes that fio reported together (unified_rw_reporting)"
    if not alone:
        mixed = "of jobs that ran beside others"
    return [_row(job, way, options, mixed) for way in found]


def _row(job: dict[str, Any], direction: str, options: dict[str, str], mixed: str) -> FioRow:
    found = job[direction]
    latency, unit = _latency(found)
    completion, completion_unit = _completion(found, unit)
    percentiles, percentiles_unit = _percentiles(found)
    completion_ms = _finite(completion.get("mean", latency)) / completion_unit
    waits_for_each = _finite(job.get("iodepth_level", {}).get("1", 0)) >= _ALONE
    return FioRow(
        job=str(job.get("jobname", "")),
        direction=direction,
        block_bytes=_block_bytes(found, options, direction),
        queue_depth_count=1 if waits_for_each else _depth(job, options),
        jobs_count=_count(options.get("numjobs", 1)),
        iops_per_s=_finite(found["iops"]),
        throughput_bytes_per_s=_moved_per_s(found),
        # Who leaves out the whole latency may have the drive's.
        latency_mean_ms=_finite(latency) / unit or completion_ms,
        completion_mean_ms=completion_ms,
        timed_out=_finite(completion.get("max", 0)) / completion_unit >= _TIMEOUT_MS,
        percentiles_ms={_finite(k): _finite(v) / percentiles_unit for k, v in percentiles.items()},
        mixed=mixed,
        random=options.get("rw", "").startswith("rand"),
        device=_device(str(options.get("filename", ""))),
    )


def _block_bytes(found: dict[str, Any], options: dict[str, str], direction: str) -> int:
    """Size of a block: as asked for, else what went through a second over how many did.

    fio before 2.6 does not write what it was asked for.
    """
    rate = _finite(found["iops"])
    moved = _moved_per_s(found)
    if rate > 0 and moved > 0 and ("bs" not in options or direction == "mixed"):
        return round(moved / rate / _SECTOR_BYTES) * _SECTOR_BYTES
    return size_bytes(_direction_size(options, "read" if direction == "mixed" else direction))


def _moved_per_s(found: dict[str, Any]) -> float:
    """Bytes moved a second; old versions say KiB alone."""
    return _finite(found.get("bw_bytes", _finite(found.get("bw", 0)) * 1024))


def _depth(job: dict[str, Any], options: dict[str, str]) -> int:
    """Requests kept under way: as asked for, else as many as nearly always were."""
    levels = job.get("iodepth_level", {})
    if "iodepth" in options or not levels:
        return _count(options.get("iodepth", 1))
    usual = max(levels, key=lambda level: _finite(levels[level]))
    return _count(usual.removeprefix(">="))


def _device(path: str) -> str:
    """The device of a path; none of a file, which may be any of many on a drive.

    >>> _device("/dev/sda"), _device("/mnt/a/test.4k")
    ('/dev/sda', '')
    """
    return path if path.startswith(("/dev/", "\\\\.\\")) else ""


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number) or number < 0:
        message = f"{value} is no number that fio measures"
        raise ValueError(message)
    return number


def _count(value: Any) -> int:
    number = int(float(value))
    if not 1 <= number <= _COUNT_MAX:
        message = f"{value} is no depth or number of jobs"
        raise ValueError(message)
    return number


def calibrations(found: list[FioRow]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Return what ``storage.calibrate_drive`` takes, for each size of block that was read.

    The size with most depths comes first. Also, how many rows are not used, by why not.
    """
    why: Counter[str] = Counter()
    fits = []
    for size in sorted({row.block_bytes for row in found}):
        rows, unused = depth_rows([row for row in found if row.block_bytes == size])
        why += unused
        if size >= _SECTOR_BYTES and any(row["way"] == "read" for row in rows):
            fits.append({"size_bytes": size, "rows": rows})
        elif rows:
            why[f"of {size_said(size)}, of which no reads were measured"] += len(rows)
    return sorted(fits, key=lambda one: -len(one["rows"])), dict(why)


def depth_rows(found: list[FioRow]) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Return the rows of ``storage.calibrate_drive``, outstanding requests over all jobs added.

    Of equal depths, the first in which no command timed out. Also, how many are not used, by why.
    """
    kept: dict[tuple[str, int], FioRow] = {}
    why: Counter[str] = Counter()
    random = {row.direction for row in found if row.random and not row.mixed}
    device = next((row.device for row in found if not row.mixed), "")

    def why_not(row: FioRow) -> str:
        if row.direction == "trim":
            return "of trims"
        if row.mixed:
            return row.mixed
        if row.device != device:
            return "of another device"
        if row.direction in random and not row.random:
            return "in sequence, where there are random ones"
        if row.completion_mean_ms <= 0:
            return "without a latency"
        under_way = row.iops_per_s * row.latency_mean_ms / 1e3
        off = abs(under_way / row.queue_depth_count - 1.0)
        is_off = row.jobs_count == 1 and row.iops_per_s > 0 and off > _LITTLE_MOST
        return "whose rate times latency is not their depth, by more than 20%" if is_off else ""

    for row in sorted(found, key=lambda row: row.timed_out):
        key = row.direction, row.queue_depth_count * row.jobs_count
        unused = why_not(row) or ("of a depth that another point has" if key in kept else "")
        if unused:
            why[unused] += 1
        else:
            kept[key] = row
    return [_depth_row(*key, kept[key]) for key in sorted(kept)], why


def _depth_row(way: str, depth: int, row: FioRow) -> dict[str, Any]:
    return {
        "way": way,
        "depth_count": depth,
        "latency_ms": row.completion_mean_ms,
        # Of several jobs a file may say the rate of one.
        "rate_per_s": row.iops_per_s if row.jobs_count == 1 and row.iops_per_s > 0 else None,
        "timed_out": row.timed_out,
        "percentiles": [
            {"percent_ratio": percent, "latency_ms": latency}
            for percent, latency in sorted(row.percentiles_ms.items())
            if 0 < percent < 100 and latency > 0
        ],
    }


def _latency(found: dict[str, Any]) -> tuple[float, float]:
    """Mean latency and how many of its unit make a millisecond: old versions give us."""
    if "lat_ns" in found:
        return float(found["lat_ns"]["mean"]), _NS_PER_MS
    return float(found.get("lat", {}).get("mean", 0.0)), 1e3


def _percentiles(found: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """Percentiles of the time from hand-over to end, and how many of their unit make a ms."""
    if "clat_ns" in found:
        return found["clat_ns"].get("percentile", {}), _NS_PER_MS
    return found.get("clat", {}).get("percentile", {}), 1e3


def _completion(found: dict[str, Any], unit: float) -> tuple[dict[str, Any], float]:
    """What fio says of the time from a request's hand-over to its end; else of all of it.

    The drive has not seen a request while the host submits it, and fio's percentiles are of this
    time too.
    """
    if float(found.get("clat_ns", {}).get("mean", 0)) > 0:
        return found["clat_ns"], _NS_PER_MS
    if float(found.get("clat", {}).get("mean", 0)) > 0:
        return found["clat"], 1e3
    return found.get("lat_ns", found.get("lat", {})), unit


FORMATS = (
    TraceFormat(
        name="fio_terse",
        title="fio terse",
        family="fio JSON",
        kind="latency",
        content="points",
        sentence="What fio prints with --output-format=terse, a line a job.",
        sample=(
            "3;fio-3.28;a;0;0;6144000;102400;25600;60000;1;10;3.0;1.0;100;9000;1200.0;300.0;"
            + "".join(f"{at}.000000%={10 * at};" for at in range(1, 21))
            + "110;9100;1250.0;301.0;90000;110000;100.0%;102400.0;500.0;"
            + "0;" * _TERSE_WIDTH
            + "1.0%;2.0%;300;0;50;0.0%;0.0%;0.0%;0.0%;0.0%;100.0%;0.0%\n"
        ).encode(),
        sniff=lambda head: _TERSE.match(head.lines[0]) is not None,
        read=lambda source, _name, _report: terse_rows(whole_json(source)),
    ),
    TraceFormat(
        name="fio_json",
        title="fio JSON",
        kind="latency",
        content="points",
        sentence="What fio prints with --output-format=json, one job or many.",
        sample=b'{"fio version": "fio-3.36", "jobs": [{"jobname": "a", "job options": {"bs": "4k", '
        b'"rw": "randread", "iodepth": "1"}, "read": {"total_ios": 1000, "iops": 5000.0, '
        b'"bw_bytes": 20480000, "clat_ns": {"mean": 2e5, "percentile": {"99.000000": 4e5}}}}]}',
        sniff=lambda head: head.names_in_json("fio version"),
        read=lambda source, _name, _report: rows(whole_json(source)),
    ),
)
