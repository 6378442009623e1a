"""Results of fio: rate and latency of each job, by queue depth."""

from __future__ import annotations

import json
import math
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
        jobs = document.get("jobs") if isinstance(document, dict) else None
        if not isinstance(jobs, list):
            raise FileRefused("This file has no jobs of fio in it.")
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
        for direction in _DIRECTIONS
        if job.get(direction, {}).get("total_ios", 0) or job.get(direction, {}).get("iops", 0)
    ]
    mixed = ""
    if options.keys() & {"bsrange", "bssplit"}:
        mixed = "of blocks of several sizes"
    if len(found) > 1:
        mixed = f"of jobs that asked for {listed([f'{way}s' for way in found])} at once"
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
        block_bytes=size_bytes(_direction_size(options, direction)),
        queue_depth_count=1 if waits_for_each else _count(options.get("iodepth", 1)),
        jobs_count=_count(options.get("numjobs", 1)),
        iops_per_s=_finite(found["iops"]),
        throughput_bytes_per_s=_finite(found.get("bw_bytes", _finite(found.get("bw", 0)) * 1024)),
        # Who leaves out the whole latency may have the drive's.
        latency_mean_ms=_finite(latency) / unit or completion_ms,
        completion_mean_ms=completion_ms,
        timed_out=_finite(completion.get("max", 0)) / completion_unit >= _TIMEOUT_MS,
        percentiles_ms={_finite(k): _finite(v) / percentiles_unit for k, v in percentiles.items()},
        mixed=mixed,
        random=options.get("rw", "").startswith("rand"),
        device=_device(str(options.get("filename", ""))),
    )


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
        return "without a latency" if row.completion_mean_ms <= 0 else ""

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
        name="fio_json",
        title="fio JSON",
        kind="latency",
        content="points",
        sentence="What fio prints with --output-format=json, one job or many.",
        sample=b'{"fio version": "fio-3.36", "jobs": [{"jobname": "a", "job options": {"bs": "4k", '
        b'"rw": "randread", "iodepth": "1"}, "read": {"total_ios": 1000, "iops": 5000.0, '
        b'"bw_bytes": 20480000, "clat_ns": {"mean": 2e5, "percentile": {"99.000000": 4e5}}}}]}',
        sniff=lambda head: head.names_in_json("fio version", "jobs"),
        read=lambda source, _name, _report: rows(whole_json(source)),
    ),
)
