"""Fits a drive's overheads to the requests of a trace that found it idle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from capmodels.errors import Fault, ModelError, ParamsError
from capmodels.rng import streams
from capmodels.storage.calibration.alone import LEAST_OF_A_CLASS, alone_of
from capmodels.storage.calibration.calibration_told import trace_told
from capmodels.storage.calibration.measured_drive import can_be_followed
from capmodels.storage.calibration.mechanics import demerit_fraction
from capmodels.storage.calibration.replay_fit import replay_fit
from capmodels.storage.calibration.trace_params import (
    CalibrateTraceResult,
    ClassFit,
    Fit,
    QuantilePair,
)
from capmodels.storage.drive.drives import Drive, HardDisk
from capmodels.storage.drive.measured import SIGNED_MS_MAX
from capmodels.storage.drive.service import revolution_ms
from capmodels.storage.drive.times import seek_curve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests
    from capmodels.spec import Context
    from capmodels.storage.calibration.alone import Alone
    from capmodels.storage.calibration.trace_params import CalibrateTraceParams
    from capmodels.storage.drive.drives import SolidState

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

_SECTOR_BYTES = 512
# Each request at so many angles of the platter, evenly spread from one drawn by chance.
_ANGLES = 8
_PERCENTS = np.arange(1, 100)


@dataclass(frozen=True)
class Path:
    """How a class of requests is served. [ms, ms per byte]"""

    kind: Literal["platter", "buffer"]
    overhead_ms: float
    per_byte_ms: float = 0.0


def calibrated(params: CalibrateTraceParams, context: Context) -> CalibrateTraceResult:
    """Fit the drive and say how well it fits.

    Raises
    ------
    ParamsError
        When there is no such trace, it has no response times, or is not of this drive.
    ModelError
        When too few requests found the drive idle.
    """
    drive, requests = params.drive, _requests(params)
    alone = alone_of(requests, drive)
    fit = _fit(drive, requests, alone, context)
    return _told(
        drive,
        _unfitted(alone),
        drive=fit.drive,
        requests_count=len(requests.time_s),
        alone_count=len(alone.service_ms),
        alone_fraction=len(alone.service_ms) / len(requests.time_s),
        classes=fit.classes,
        quantiles=tuple(
            QuantilePair(percent_ratio=float(p), measured_ms=float(a), modelled_ms=float(b))
            for p, a, b in zip(
                _PERCENTS,
                np.percentile(fit.measured_ms, _PERCENTS),
                np.percentile(fit.modelled_ms, _PERCENTS),
                strict=True,
            )
        ),
        measured_mean_ms=float(fit.measured_ms.mean()),
        modelled_mean_ms=float(fit.modelled_ms.mean()),
        demerit_fraction=demerit_fraction(fit.measured_ms, fit.modelled_ms),
        fitted_demerit_fraction=fit.fitted_demerit,
        sheet_demerit_fraction=fit.sheet_demerit,
        replay=replay_fit(fit.drive, requests, context.seed),
        tracks=fit.tracks,
    )


def _told(sheet: Drive, unfitted: tuple[str, ...], **found: Any) -> CalibrateTraceResult:
    told = trace_told(sheet, found)
    return CalibrateTraceResult(**found, **told | {"notes": told["notes"] + unfitted})


def _unfitted(alone: Alone) -> tuple[str, ...]:
    """Directions of which the first half has too few to fit, and the second has."""
    middle = len(alone.write) // 2
    halves = alone.write[:middle], alone.write[middle:]
    counts = {
        way: [int((half == write).sum()) for half in halves]
        for way, write in (("read", False), ("write", True))
    }
    return tuple(
        f"Only {first} of the first half's requests that found the drive idle are {way}s, "
        f"{second} of the second's: what a {way} takes is not fitted to this drive."
        for way, (first, second) in counts.items()
        if first < LEAST_OF_A_CLASS <= second
    )


def _fit(drive: Drive, requests: BlockRequests, alone: Alone, context: Context) -> Fit:
    if isinstance(drive, HardDisk) and drive.geometry is not None and can_be_followed(drive):
        from capmodels.storage.calibration.trace_tracks import by_tracks

        return by_tracks(drive, drive.geometry, requests, context)
    middle = len(alone.service_ms) // 2
    first, second = alone.part(slice(0, middle)), alone.part(slice(middle, None))
    if not isinstance(drive, HardDisk):
        return _flash(drive, alone, first, second)
    (rng,) = streams(context.seed, 1)
    bare = bare_ms(drive, alone, rng.random(len(alone.service_ms)))
    paths = {key: _path(drive, first, bare[:middle], key) for key in _KEYS}
    sheet = _sheet(drive, second, bare[middle:])

    def off(one: HardDisk) -> float:
        return demerit_fraction(first.service_ms, _sheet(one, first, bare[:middle]).ravel())

    # What the drive that is returned does, not what each class would have been fitted to.
    plain = _fitted(drive, paths, alone)
    fitted = min((plain, drive), key=off)
    measured_ms, modelled_ms = second.service_ms, _sheet(fitted, second, bare[middle:]).ravel()
    fitted_demerit = off(fitted)
    from capmodels.storage.calibration.memory_fit import memory_fit

    found = memory_fit(drive, plain, alone, bare, requests, context)
    if found is not None:
        fitted, answered, fitted_demerit, measured_ms, modelled_ms, sheet = found
        paths = {
            key: Path("buffer", fitted.overhead_ms)
            if key in answered
            else Path("platter", _sheet_overhead(fitted, write=key[0]))
            for key in _KEYS
        }
    return Fit(
        drive=fitted,
        classes=_classes(paths, alone),
        measured_ms=measured_ms,
        modelled_ms=modelled_ms,
        fitted_demerit=fitted_demerit,
        sheet_demerit=demerit_fraction(measured_ms, sheet.ravel()),
    )


def _flash(drive: SolidState, alone: Alone, first: Alone, second: Alone) -> Fit:
    from capmodels.storage.calibration.flash_trace_fit import answers_ms, fit_flash_trace

    fitted = fit_flash_trace(drive, first)
    latencies = {False: fitted.read_latency_ms, True: fitted.write_latency_ms}
    modelled_ms = answers_ms(fitted, second)
    return Fit(
        drive=fitted,
        classes=_classes({key: Path("buffer", latencies[key[0]]) for key in _KEYS}, alone),
        measured_ms=second.service_ms,
        modelled_ms=modelled_ms,
        fitted_demerit=demerit_fraction(first.service_ms, answers_ms(fitted, first)),
        sheet_demerit=demerit_fraction(second.service_ms, answers_ms(drive, second)),
    )


def _classes(paths: dict[tuple[bool, bool], Path], alone: Alone) -> tuple[ClassFit, ...]:
    return tuple(
        ClassFit(
            way="write" if write else "read",
            sequential=sequential,
            requests_count=int(_rows(alone, (write, sequential)).sum()),
            path=path.kind,
            overhead_ms=path.overhead_ms,
        )
        for (write, sequential), path in paths.items()
        if _rows(alone, (write, sequential)).any()
    )


_KEYS = ((False, False), (False, True), (True, False), (True, True))


def _requests(params: CalibrateTraceParams) -> BlockRequests:
    """Requests of the busiest device, in order of arrival, with their response times."""
    from capmodels.formats.trace_store import block_requests
    from capmodels.formats.trace_types import BlockRequests

    demand = params.demand
    if demand.kind == "requests":
        return BlockRequests(
            time_s=np.array(demand.times_s, dtype=np.float64),
            device=np.zeros(len(demand.times_s), dtype=np.int32),
            block_lba=np.array(demand.sectors, dtype=np.int64),
            size_blocks=np.array(demand.sectors_count, dtype=np.int32),
            is_read=~np.array(demand.writes, dtype=np.bool_),
            response_s=np.array(demand.responses_ms, dtype=np.float32) / np.float32(1000),
        )
    whole = block_requests(demand.trace, "/demand/trace")
    if whole.response_s is None:
        message = "This trace does not say how long requests took. Choose one with response times."
        raise ParamsError([Fault("/demand/trace", "no_responses", message)])
    names, counts = np.unique(whole.device, return_counts=True)
    rows = (whole.device == names[counts.argmax()]) & np.isfinite(whole.response_s)
    return BlockRequests(
        whole.time_s[rows],
        whole.device[rows],
        whole.block_lba[rows],
        whole.size_blocks[rows],
        whole.is_read[rows],
        whole.response_s[rows],
    )


def bare_ms(drive: HardDisk, alone: Alone, angles: Floats) -> Floats:
    """Times without overhead, shape (requests, 8): at the drawn angle and seven more. [ms]"""
    curve = seek_curve(drive)
    if curve is None:
        message = "A disk is calibrated with a three-point seek curve. Enter one."
        raise ModelError(message)
    stroke = np.minimum(alone.gap_sectors * _SECTOR_BYTES / (drive.capacity_gb * 1e9), 1.0)
    seeks = curve.c_ms + curve.a_ms * np.sqrt(stroke) + curve.b_ms * stroke
    inner = drive.inner_mb_per_s or drive.outer_mb_per_s
    rate = (drive.outer_mb_per_s + inner) / 2
    fixed = np.where(alone.sequential, 0.0, seeks) + alone.size_bytes / rate / 1000
    turn = revolution_ms(drive.speed_rpm)
    phases = (angles[:, None] + np.arange(_ANGLES) / _ANGLES) % 1.0
    turned = np.where(alone.sequential[:, None], 0.0, phases * turn)
    found: Floats = fixed[:, None] + turned
    return found


def _rows(alone: Alone, key: tuple[bool, bool]) -> Flags:
    rows: Flags = (alone.write == key[0]) & (alone.sequential == key[1])
    return rows


def _path(drive: HardDisk, first: Alone, bare: Floats, key: tuple[bool, bool]) -> Path:
    """How a class is served: whichever of platter and buffer fits the first half better."""
    rows = _rows(first, key)
    theirs = first.service_ms[rows]
    if len(theirs) < LEAST_OF_A_CLASS:
        return Path("platter", _sheet_overhead(drive, write=key[0]))
    mine = bare[rows]
    platter = Path("platter", float(theirs.mean() - mine.mean()))
    sizes = first.size_bytes[rows]
    slope, offset = np.polyfit(sizes, theirs, 1) if np.ptp(sizes) else (0.0, theirs.mean())
    buffer = Path("buffer", float(offset), float(slope))
    served = {path: _times(path, mine, sizes).ravel() for path in (platter, buffer)}
    return min(served, key=lambda path: demerit_fraction(theirs, served[path]))


def _times(path: Path, bare: Floats, sizes: Floats) -> Floats:
    if path.kind == "platter":
        return np.maximum(bare + path.overhead_ms, 0.0)
    times = np.maximum(path.overhead_ms + path.per_byte_ms * sizes, 0.0)
    return np.repeat(times[:, None], _ANGLES, axis=1)


def _sheet(drive: HardDisk, alone: Alone, bare: Floats) -> Floats:
    reads, writes = (_sheet_overhead(drive, write=write) for write in (False, True))
    found: Floats = bare + np.where(alone.write, writes, reads)[:, None]
    return found


def _sheet_overhead(drive: HardDisk, *, write: bool) -> float:
    return drive.overhead_ms + (drive.write_settle_ms if write else 0.0)


def _fitted(drive: HardDisk, paths: dict[tuple[bool, bool], Path], alone: Alone) -> HardDisk:
    """The drive with what its requests away from the last one took beyond seek and transfer."""
    known = {
        write: max(path.overhead_ms, 0.0)
        for (write, sequential), path in paths.items()
        if not sequential and path.kind == "platter" and _rows(alone, (write, False)).any()
    }
    overhead = known.get(False, known.get(True, drive.overhead_ms))
    # What a write takes beyond a read; without reads all of it is overhead.
    settle = known.get(True, overhead + drive.write_settle_ms) - overhead
    settle = min(max(settle, -SIGNED_MS_MAX), SIGNED_MS_MAX)
    return drive.model_copy(update={"overhead_ms": overhead, "write_settle_ms": settle})
