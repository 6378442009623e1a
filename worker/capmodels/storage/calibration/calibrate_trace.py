"""A drive fitted to a trace that tells how long requests took, and how well it then fits.

Only requests that found the drive idle are compared: their response is the service alone. What
the data sheet does not say is fitted on the first half of them; the demerit figure (Ruemmler and
Wilkes 1994) is of the second half.
"""

from __future__ import annotations

import math

from capmodels.spec import Citation, Context, Formula, ModelSpec, derived_check
from capmodels.storage.calibration.trace_params import (
    HELD_COUNTS,
    USED_MAX,
    CalibrateTraceParams,
    CalibrateTraceResult,
)
from capmodels.storage.drive.drives import Drive, HardDisk
from capmodels.storage.simulator.words import SCHEDULERS, inside
from capmodels.told import listed


def _run(params: CalibrateTraceParams, context: Context) -> CalibrateTraceResult:
    from capmodels.storage.calibration.trace_fit import calibrated

    return calibrated(params, context)


def _of_sample() -> CalibrateTraceResult:
    return _run(CalibrateTraceParams(), Context(seed=1))


def _overhead_ms(drive: Drive) -> float:
    return drive.overhead_ms if isinstance(drive, HardDisk) else math.nan


_DERIVED = "times made from the drive's own seek curve, rotation and 0.5 ms of overhead"

_ORDERS = [inside(one) for one in SCHEDULERS.values()]

_CHECKS = (
    derived_check(
        "overhead",
        "Overhead found in times made with one of 0.5 ms",
        0.5,
        lambda: _overhead_ms(_of_sample().drive),
        source=_DERIVED,
        tolerance=0.05,
        unit="ms",
        tests="storage.drive.drives.HardDisk.overhead_ms",
        kind="predicted",
    ),
)

SPEC = ModelSpec(
    id="storage.calibrate_trace",
    version="2.7.2",
    title="Drive from a trace",
    summary="Fits a drive to a trace with response times: overheads on the first half of the "
    "requests that found it idle, the demerit figure on the second half.",
    params=CalibrateTraceParams,
    result=CalibrateTraceResult,
    run=_run,
    instant=False,
    points=lambda params: (
        len(params.demand.times_s) if params.demand.kind == "requests" else 1_000_000
    ),
    citations=(
        Citation(
            text="C. Ruemmler, J. Wilkes, An Introduction to Disk Drive Modeling, IEEE Computer "
            "27(3), 1994"
        ),
    ),
    formulas=(
        Formula(
            "service",
            "service = seek(distance) + part of a turn + size / rate + overhead",
            "Ruemmler and Wilkes 1994",
        ),
        Formula(
            "demerit",
            "demerit = RMS(measured - modelled percentile) / measured mean",
            "Ruemmler and Wilkes 1994",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Of a solid-state drive each direction's latency is found, and its rate where sizes tell "
        "it; how many requests it serves at once, and for how long each holds it, are the sheet's.",
        "Overheads are of requests that found the drive idle. Of its queue the order is found "
        f"of those that storage.array knows ({listed(_ORDERS)}, 32 at a time), whichever "
        "meets the first half's mean response; one between first come and shortest time where it "
        "is at most half as far off.",
        "Without its tracks a drive's distances are shares of the sectors: zones are taken as "
        "equally wide, and the angle of the platter after a seek as random.",
        "The demerit is of the drive that is returned, as storage.array runs it: on the second "
        "half of the trace with its tracks, on requests that found it idle without.",
        "Without tracks a memory reads ahead and may answer writes early, up to "
        f"{max(HELD_COUNTS)} of which it then holds and puts on the platter by position: other "
        "rules of a cache are found with tracks alone. It is found, and judged, on the first "
        f"{USED_MAX:,} requests of each half.",
        "With its tracks, up to 2 million of them, the first 20,000 requests are followed one by "
        "one as the drive took them; it has to take them in their order. Described skews are "
        "believed where reads agree with them; else the same time on all zones is looked for, and "
        "where each zone starts, and each stretch of it with spare sectors of its own.",
        "A trace taken above a host's cache or a controller shows these, not the drive alone.",
    ),
)
