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

if TYPE_CHECKING:
    from capmodels.storage.calibration.trace_params import CalibrateTraceResult
    from capmodels.storage.drive.drives import HardDisk

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


def calibrated(name: str) -> CalibrateTraceResult:
    """What the product says of a disk and its trace, read as an uploaded file is."""
    kept: list[bytes] = []
    file = folder() / "measured_disks" / f"{name}{_TRACE}"
    ingest([file.read_bytes()], kept.append, file.name)
    loader, refs = held({_TRACE_ID: joined(map(unpack_requests, kept))})
    params = CalibrateTraceParams(
        drive=described(name), demand=RecordedRequests(trace=refs[_TRACE_ID])
    )
    with using(loader):
        return SPEC.run(params, Context(seed=1))
