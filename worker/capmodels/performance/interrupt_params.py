"""Inputs and results of the model of interrupts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from capmodels.spec import Params, Result, assumed, blank, default, derived, preset
from capmodels.units import Count, CountFromOne, Real, of_unit

_SOURCE = "Vasudevan 2010, section 5.2.3"

Mode = Literal["interrupt", "spin", "defer"]
Cap = Literal["cpu", "device", "queue"]
MODES: tuple[Mode, ...] = ("interrupt", "spin", "defer")

TimeUs = Annotated[Real, of_unit("us", ge=0)]
PositiveUs = Annotated[Real, of_unit("us", gt=0)]
PositiveRate = Annotated[Real, of_unit("1/s", gt=0)]
RatePerS = Annotated[Real, of_unit("1/s", ge=0)]
PerRequest = Annotated[Real, of_unit("1", ge=0)]
OverheadFraction = Annotated[Real, of_unit("fraction", ge=0)]

# Sums from the measured rates of the Atom: 43.478 us at 23,000 and 50 us at 20,000 a second.
ATOM = {
    "path_us": 33.478,
    "interrupt_us": 10.0,
    "poll_us": 6.522,
    "timer_us": 5.0,
    "deferral_us": 200.0,
    "cores_count": 1,
    "device_reads_per_s": 70_000.0,
    "devices_count": 1,
    "queued_count": 0,
}
TUNED_PATH_US = 26.317
# The Nehalem's sums, 9.091 and 5.556 us, split as the Atom's.
NEHALEM = ATOM | {
    "path_us": 7.0,
    "interrupt_us": 1e6 / 110_000 - 7.0,
    "poll_us": 1.3637,
    "timer_us": 1.0455,
    "devices_count": 3,
}
NEHALEM_TUNED = NEHALEM | {
    "path_us": 1e6 / 180_000 - (NEHALEM["interrupt_us"] + NEHALEM["timer_us"]) / 32,
}


class RequestPath(Params):
    """What a key-value request costs the processor, and how many requests share it."""

    name: str = Field(min_length=1, max_length=80)
    app_us: PositiveUs = assumed(10.0, "The program itself.")
    copy_us: TimeUs = assumed(1.0, "One copy of the data.")
    interrupt_us: TimeUs = assumed(10.0, "One interrupt.")
    switch_us: TimeUs = assumed(5.0, "One context switch.")
    copies_count: Count = default(4, source=_SOURCE, as_of="2010-10")
    interrupts_count: Count = default(2, source=_SOURCE, as_of="2010-10")
    switches_count: Count = default(4, source=_SOURCE, as_of="2010-10")
    coalesced_count: CountFromOne = assumed(1, "Requests for each interrupt.")
    batch_count: CountFromOne = assumed(1, "Requests read together, for each switch.")


_PATHS = (
    RequestPath(name="One request at a time"),
    RequestPath(name="Multi-read of 16", batch_count=16, coalesced_count=4),
    RequestPath(name="Fast path in the kernel", copies_count=1, switches_count=0),
)


class InterruptParams(Params):
    """A machine's processor times, its devices, and the modes' waits."""

    model_config = ConfigDict(validate_default=True)

    path_us: PositiveUs = derived(
        ATOM["path_us"],
        "Processor time of a read beside its completion.",
        source=f"{_SOURCE}: sum measured, split ours",
        as_of="2010-10",
    )
    interrupt_us: TimeUs = assumed(10.0, "One interrupt.", low=2.0, high=15.0)
    poll_us: TimeUs = derived(
        ATOM["poll_us"], "A poll that finds nothing more.", source=_SOURCE, as_of="2010-10"
    )
    timer_us: TimeUs = assumed(5.0, "Setting and taking a timer.")
    queued_count: Count = assumed(
        0, "Commands queued at a device when the first completes; about 0 on one slow core."
    )
    deferral_us: TimeUs = default(
        200.0, "Wait for more completions.", source=_SOURCE, as_of="2010-10"
    )
    completion_floor_us: TimeUs = assumed(1.0, "Least for a completion without an interrupt.")
    cores_count: CountFromOne = default(1, source=_SOURCE, as_of="2010-10")
    device_reads_per_s: PositiveRate = default(
        70_000.0, source="Intel X25-M, as the thesis has it", as_of="2010-10"
    )
    devices_count: CountFromOne = assumed(1, "Flash devices.")
    queue_count: CountFromOne = default(
        31, "Commands in flight.", source="NCQ, as the thesis has it", as_of="2010-10"
    )
    device_us: PositiveUs = default(
        200.0, "A read as the system sees it.", source=_SOURCE, as_of="2010-10"
    )
    latency_bound_us: TimeUs | None = blank("Longest latency allowed.")
    rates_per_s: tuple[PositiveRate, ...] = default(
        (1_000.0, 2_500.0, 5_000.0, 10_000.0, 20_000.0, 50_000.0),
        "Where to read the overhead.",
        source="thesis, figure 6",
        extra={"unit": "1/s"},
        max_length=1_000,
    )
    paths: tuple[RequestPath, ...] = preset(
        _PATHS, "Ways of a request through the system.", max_length=20
    )


class OverheadPoint(Result):
    """Share of the cores that completions take at a rate."""

    reads_per_s: RatePerS
    overhead_fraction: OverheadFraction


class ModeAnswer(Result):
    """One way of completing reads."""

    mode: Mode
    reads_per_s: RatePerS
    cap: Cap
    cpu_reads_per_s: RatePerS
    cpu_per_read_us: TimeUs
    latency_mean_us: TimeUs
    latency_worst_us: TimeUs
    overhead: tuple[OverheadPoint, ...]


class PathAnswer(Result):
    """One way of a request, and the rate that it allows."""

    name: str
    cpu_per_request_us: TimeUs
    requests_per_s: RatePerS
    copies_per_request: PerRequest
    interrupts_per_request: PerRequest
    switches_per_request: PerRequest


class InterruptResult(Result):
    """The three modes, where they cross, and the paths of a request."""

    modes: tuple[ModeAnswer, ...]
    best_mode: Mode | None
    poll_window_us: TimeUs
    spin_peak_per_s: RatePerS | None
    defer_pays_from_per_s: RatePerS | None
    largest_deferral_us: TimeUs
    paths: tuple[PathAnswer, ...]
    warnings: tuple[str, ...]
