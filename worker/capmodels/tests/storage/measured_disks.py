"""The disks that others measured, read from their folder: not part of the project.

Demerit on the second half of the drive that ``storage.calibrate_trace`` returns: Atlas 10K 0.8%,
Cheetah 9LP 1.6%, HP C2247A 1.6%, where 2% is wanted (``bench/run storage`` holds every disk that
lies there to it). Found on the first halves, beside overheads: the rules of the caches; and of
Atlas and Cheetah the turn and skews, as their parameter files' skews, in whole sectors by zone, do
not agree with when their reads ended (agreement near 0), while one angle for all zones does (0.998
and 0.997). The Atlas then turns in 6.0002 ms, the 10,000 rpm of its data sheet, where its file says
10,025. The HP's own skews by zone agree (0.89).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from capmodels.formats.ingest import ingest
from capmodels.formats.trace_columns import joined, unpack_requests
from capmodels.formats.trace_store import held, using
from capmodels.spec import Context
from capmodels.storage.calibration.calibrate_trace import SPEC
from capmodels.storage.calibration.disksim_read import drive_of_files
from capmodels.storage.calibration.trace_params import CalibrateTraceParams, RecordedRequests
from capmodels.storage.drive.drives import HardDisk, ThreePointSeek
from capmodels.storage.drive.geometry import cylinders_of
from capmodels.storage.drive.track_estimate import tracks_of
from capmodels.storage.simulator.build import seeks_by_cylinder

if TYPE_CHECKING:
    from capmodels.storage.calibration.trace_params import CalibrateTraceResult

_TRACE = ".trace.gz"
_TRACE_ID = "00000000-0000-4000-8000-000000000001"


def folder() -> Path:
    """Where the files are, if they are anywhere."""
    beside = Path(__file__).parents[5] / "shared" / "data"
    return Path(os.environ.get("AMPACITY_SHARED_DATA", beside)) / "block_traces"


def names() -> list[str]:
    """Disks of which the folder has a trace."""
    found = (folder() / "measured_disks").glob(f"*{_TRACE}")
    return sorted(file.name.removesuffix(_TRACE) for file in found)


def described(name: str) -> HardDisk:
    """A disk as its parameter files have it: named after it, or ``NAME_validate``."""
    home = folder() / "measured_disks"
    files = [
        file
        for suffix in ("diskspecs", "model", "seek")
        for file in (home / f"{name}.{suffix}", home / f"{name}_validate.{suffix}")
        if file.exists()
    ]
    return drive_of_files({file.name: file.read_text() for file in files}).drive


def on_a_sheet(name: str) -> HardDisk:
    """The same as a data sheet has it: speed, capacity, three seeks, outer and inner rate."""
    known = described(name)
    tracks = tracks_of(known)
    assert known.geometry is not None
    assert tracks is not None
    cylinders = cylinders_of(known.geometry)
    seeks = [float(one) for one in seeks_by_cylinder(known, cylinders)[[1, cylinders // 3, -1]]]
    return HardDisk(
        name=name,
        capacity_gb=tracks.held_gb,
        speed_rpm=known.speed_rpm,
        seek=ThreePointSeek(min_ms=seeks[0], avg_ms=seeks[1], max_ms=seeks[2]),
        outer_mb_per_s=tracks.zone_rates_mb_per_s[0],
        inner_mb_per_s=tracks.zone_rates_mb_per_s[-1],
        active_w=known.active_w,
        idle_w=known.idle_w,
    )


def calibrated(name: str) -> CalibrateTraceResult:
    """What the product says of a disk and its trace, read as an uploaded file is."""
    return _fitted(name, described(name))


def calibrated_by_sheet(name: str) -> CalibrateTraceResult:
    """The same of its data sheet, without the tracks and the memory that are known of it."""
    return _fitted(name, on_a_sheet(name))


def _fitted(name: str, drive: HardDisk) -> CalibrateTraceResult:
    kept: list[bytes] = []
    file = folder() / "measured_disks" / f"{name}{_TRACE}"
    ingest([file.read_bytes()], kept.append, file.name)
    loader, refs = held({_TRACE_ID: joined(map(unpack_requests, kept))})
    params = CalibrateTraceParams(drive=drive, demand=RecordedRequests(trace=refs[_TRACE_ID]))
    with using(loader):
        return SPEC.run(params, Context(seed=1))
