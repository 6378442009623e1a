"""How near the simulated disk comes to measured disks and to another simulator.

The files are not shipped: without AMPACITY_SHARED_DATA, or the folder beside the project, these
rows are left out, and said so.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from bench._lib import Row, at_most
from capmodels.registry import get_model
from capmodels.spec import evaluate
from capmodels.storage.calibration.calibrate_drive import RAPTOR
from capmodels.storage.calibration.loop_fit import host_times
from capmodels.storage.calibration.queue_fit import held_latency_ms, latency_ms
from capmodels.storage.simulator.series import quantile_ms
from capmodels.tests.storage import disksim_case, measured_disks, measured_fio
from ops.say import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.storage.calibration.calibrate_drive import CalibrateDriveResult
    from capmodels.storage.drive.drives import SolidState

_PERCENT = 100.0
# Every second depth: the ends told and those between asked, then those between told. The ends lie
# then outside of what was told, of which the product says that it is extrapolated.
_HALVES = (
    (0, "depths 2, 8 and 32 from 1, 4, 16 and 64", slice(None)),
    (1, "depths 4 and 16 from 2, 8 and 32", slice(1, -1)),
    (1, "depths 1 and 64, extrapolated from 2, 8 and 32", slice(None, None, 3)),
)


# Demerit of DiskSim's own models, as its validation script prints what is to be expected. [ms]
_DISKSIM_MS = {
    "atlas_III": 0.378, "barracuda": 0.349, "cheetah4LP": 0.318, "cheetah9LP": 0.107,
    "ibm18es": 0.135, "atlas10k": 0.268, "hp_c2247a": 0.090, "hp_c3323a": 0.306,
    "hp_c2490a": 0.254, "dec_rz26": 0.340,
}  # fmt: skip
_WANTED = 2.0  # of a disk of which no such figure is known, and of the median


def rows() -> Iterator[Row]:
    """Demerit on second halves; mean and percentiles beside those of DiskSim."""
    if not measured_disks.folder().exists():
        say("The rows of measured disks are left out: their folder is not there.")
        return
    demerits = []
    for name in measured_disks.names():
        found = measured_disks.calibrated(name)
        demerits.append(_PERCENT * found.demerit_fraction)
        own = _PERCENT * _DISKSIM_MS.get(name, 0.0) / found.measured_mean_ms
        what = f"{name}, second half of its trace"
        yield at_most("demerit", what, "%", demerits[-1], max(own, _WANTED))
    yield at_most("demerit", "median of the disks at hand", "%", median(demerits), _WANTED)
    for name in measured_disks.names():
        by_sheet = _PERCENT * measured_disks.calibrated_by_sheet(name).demerit_fraction
        yield at_most("demerit", f"{name}, by its data sheet alone", "%", by_sheet, 10.0)
    yield from _other_simulator()
    yield from _fio_halves()


def _fio_halves() -> Iterator[Row]:
    """A 10,000 rpm disk's and other drives' depths from the other half, either half told."""
    yield from _disk_halves()
    yield from _behind_a_controller()
    for name, ways in measured_fio.drives():
        for told, half, some in _HALVES:
            for way, off in _worst_offs(ways, told, some).items():
                yield at_most("fio", f"{name} {way}s, {half}", "%", _PERCENT * off, 10.0)
        used = _of_one_state(ways)
        for way in ways:
            if len(used[way]) < len(ways[way]):
                off = max(_worst_offs(used, told)[way] for told in (0, 1))
                what = f"{name} {way}s, either half of the rows that all find of one state"
                yield at_most("fio", what, "%", _PERCENT * off, 10.0)
        off = max(_handed_over_offs(ways))
        what = f"{name}, each depth as handed over and simulated, from what is said of it"
        yield at_most("fio", what, "%", _PERCENT * off, 0.5)


def _handed_over_offs(ways: measured_fio.Ways) -> Iterator[float]:
    """How far each depth is from what the fit says, simulated with the host that is handed over."""
    rows = [row.model_dump() for some in ways.values() for row in some]
    found = evaluate(get_model("storage.calibrate_drive"), {"rows": rows})
    for row in found.depths:
        if row.arrivals is not None:
            arrivals = row.arrivals.model_dump()
            yield abs(_simulated_ms(found.drive, row.way, arrivals, 200_000) / row.modelled_ms - 1)


def _simulated_ms(drive: SolidState, way: str, arrivals: dict[str, Any], count: int) -> float:
    """Mean latency of 4 KiB reads or writes of a drive alone. [ms]"""
    array = {"drive": drive.model_dump(mode="json"), "layout": {"kind": "single", "disks_count": 1}}
    work = {"kind": "synthetic", "arrivals": arrivals, "size_bytes": 4096,
            "requests_count": count, "read_fraction": float(way == "read")}  # fmt: skip
    run = evaluate(get_model("storage.array"), {"array": array, "workload": work})
    return float(run.responses[0].mean_ms)


def _worst_offs(ways: measured_fio.Ways, told: int, some: slice = slice(None)) -> dict[str, float]:
    """By direction how far the worst of some depths is off, told every second one."""
    half = {way: rows[told::2] for way, rows in ways.items()}
    asked = {way: rows[1 - told :: 2][some] for way, rows in ways.items()}
    worst = dict.fromkeys(ways, 0.0)
    for way, off in _flash_offs(half, asked):
        worst[way] = max(worst[way], off)
    return worst


def _of_one_state(ways: measured_fio.Ways) -> measured_fio.Ways:
    """The rows that the calibration of them all uses."""
    rows = [row.model_dump() for some in ways.values() for row in some]
    found = evaluate(get_model("storage.calibrate_drive"), {"rows": rows})
    unused = {(row.way, row.depth_count) for row in found.depths if row.unused_reason}
    return {
        way: [row for row in some if (way, row.depth_count) not in unused]
        for way, some in ways.items()
    }


def _behind_a_controller() -> Iterator[Row]:
    """A controller's own time, from one drive; the ceilings of two others behind it."""
    for way in ("read", "write"):
        known, *others = measured_fio.ceilings_per_ms(way)
        drive = {"kind": "ssd", "capacity_gb": 480.0, "active_w": 3.0, "idle_w": 1.0,
                 "read_latency_ms": 0.06, "write_latency_ms": 0.04, "read_mb_per_s": 500.0,
                 "write_mb_per_s": 400.0, "channels_count": 32}  # fmt: skip
        array = {"drive": drive, "layout": {"kind": "single", "disks_count": 1},
                 "controller": {f"{way}_ms": 1 / known}}  # fmt: skip
        arrivals = {"kind": "closed", "users_count": 64, "think_ms": 0}
        work = {"kind": "synthetic", "arrivals": arrivals, "size_bytes": 4096,
                "requests_count": 20_000, "read_fraction": float(way == "read")}  # fmt: skip
        found = evaluate(get_model("storage.array"), {"array": array, "workload": work})
        off = max(abs(found.throughput_per_s / 1000 / one - 1) for one in others)
        what = f"P420i, {way}s of two drives, its time from a third"
        yield at_most("controller", what, "%", _PERCENT * off, 10.0)


def _flash_offs(told: measured_fio.Ways, asked: measured_fio.Ways) -> Iterator[tuple[str, float]]:
    """By direction how far the drive returned is off at depths not told, run by the simulator.

    Between answer and next request passes what the told rows have for the host.
    """
    rows = [row.model_dump() for some in told.values() for row in some]
    drive = evaluate(get_model("storage.calibrate_drive"), {"rows": rows}).drive
    for way, some in asked.items():
        host = host_times(told[way])
        for row in some:
            arrivals = {"kind": "closed", "users_count": row.depth_count, "think_times_vary": False,
                        "think_ms": host.at(row.depth_count)}  # fmt: skip
            ours = _simulated_ms(drive, way, arrivals, 20_000)
            yield way, abs(ours / row.latency_ms - 1)


def _disk_halves() -> Iterator[Row]:
    rows = measured_fio.disk_rows()
    model = get_model("storage.calibrate_drive")
    ways = {way: [row for row in rows if row["way"] == way] for way in ("read", "write")}
    seen = {
        (fit.way, fit.depth_count): fit.measured_ms
        for fit in evaluate(model, {"drive": RAPTOR, "rows": rows}).depths
    }
    worst = dict.fromkeys(ways, 0.0)
    for told in (0, 1):
        half = [row for one in ways.values() for row in one[told::2]]
        # A disk's overhead and seeks are of single reads.
        half += [ways["read"][0]] if told else []
        fit = evaluate(model, {"drive": RAPTOR, "rows": half, "fit_seeks": True})
        for way, one in ways.items():
            for row in one[1 - told :: 2]:
                ours = _foretold_ms(fit, way, row["depth_count"])
                worst[way] = max(worst[way], abs(ours / seen[way, row["depth_count"]] - 1))
    for way, off in worst.items():
        what = f"WD740GD {way}s, either half of depths from the other"
        yield at_most("fio", what, "%", _PERCENT * off, 10.0)


def _foretold_ms(fit: CalibrateDriveResult, way: str, depth: int) -> float:
    drive = fit.drive
    if drive.kind != "hdd":
        raise TypeError(drive.kind)
    if way == "write":
        return held_latency_ms(drive, 4096, depth=depth, held=fit.held_writes_count or 1)
    order = fit.queue_order or "fcfs"
    return latency_ms(drive, 4096, depth=depth, queue=fit.queue_count, order=order)


def _other_simulator() -> Iterator[Row]:
    seen, runs = disksim_case.answers_ms(), disksim_case.runs()
    mean = float(seen.mean())
    off = max(abs(disksim_case.mean_ms(run) / mean - 1) for run in runs)
    what = f"mean, the farthest of {len(runs)} seeds"
    yield at_most("DiskSim", what, "%", _PERCENT * off, 0.5)
    histogram = sum(run.histogram.sum(axis=0) for run in runs)
    for fraction, target in ((0.5, 1.0), (0.9, 1.0), (0.99, 1.5)):
        theirs = float(np.quantile(seen, fraction))
        off = abs(float(quantile_ms(histogram, fraction)) / theirs - 1)
        yield at_most("DiskSim", f"p{100 * fraction:.0f}, all seeds", "%", _PERCENT * off, target)
