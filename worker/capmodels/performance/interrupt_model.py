"""How interrupts, polling and deferred completion bound small flash reads.

After Vasudevan 2010 (FAWN thesis proposal), section 5.2. The thesis prints the rates that each
mode reached; the split of the processor time behind them is ours.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from capmodels.performance.interrupt_params import (
    ATOM,
    MODES,
    NEHALEM,
    NEHALEM_TUNED,
    TUNED_PATH_US,
    Cap,
    InterruptParams,
    InterruptResult,
    Mode,
    ModeAnswer,
    OverheadPoint,
    PathAnswer,
    RequestPath,
)
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, derived_check

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_US_PER_S = 1e6
_SCAN = 2_000
_BISECTIONS = 60
# Below this share of the interrupt's cost the load of polling is not monotone in the rate.
_MONOTONE_SHARE = math.exp(-2)
_SOURCE = "Vasudevan 2010, section 5.2.3"


def poll_window_us(params: InterruptParams) -> float:
    """How long the poll loop finds completions: until the queued commands are done. [us]

    >>> poll_window_us(InterruptParams(queued_count=7))
    100.0
    """
    return params.queued_count * _US_PER_S / (params.devices_count * params.device_reads_per_s)


def unserved_share(params: InterruptParams, mode: Mode, rate_per_s: float) -> float:
    """Interrupts (or timers) for each completed read.

    Polling: no completion in the window, e^(-rate w), and at least one for all that were
    queued. Deferral: one timer for the reads that came in its time, at most a queue full.
    """
    if mode == "interrupt":
        return 1.0
    if mode == "spin":
        missed = math.exp(-rate_per_s * poll_window_us(params) / _US_PER_S)
        return max(missed, 1.0 / (1.0 + params.queued_count))
    gathered = min(rate_per_s * params.deferral_us / _US_PER_S, params.queue_count)
    return 1.0 / (1.0 + gathered)


def completion_us(params: InterruptParams, mode: Mode, rate_per_s: float) -> float:
    """Processor time of a read beyond its path. [us]"""
    extra = {"interrupt": 0.0, "spin": params.poll_us, "defer": params.timer_us}[mode]
    return (params.interrupt_us + extra) * unserved_share(params, mode, rate_per_s)


def _cpu_bound_per_s(params: InterruptParams, mode: Mode) -> float:
    """Lowest rate at which the cores are full; above it the mode cannot go. [1/s]"""
    most = params.cores_count * _US_PER_S

    def load(rate: float) -> float:
        return rate * (params.path_us + completion_us(params, mode, rate))

    low, high = 0.0, most / params.path_us
    parts = 1 if _is_monotone(params) else _SCAN
    for step in range(1, parts + 1):
        at = high * step / parts
        if load(at) >= most:
            return _bisect(load, most, low, at)
        low = at
    return high


def _is_monotone(params: InterruptParams) -> bool:
    polled = params.interrupt_us + params.poll_us
    return params.queued_count == 0 or params.path_us >= _MONOTONE_SHARE * polled


def _bisect(load: Callable[[float], float], most: float, low: float, high: float) -> float:
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if load(middle) < most else (low, middle)
    return high


def _mode(params: InterruptParams, mode: Mode) -> ModeAnswer:
    wait_us = params.deferral_us if mode == "defer" else 0.0
    in_flight = params.queue_count * params.devices_count
    cpu = _cpu_bound_per_s(params, mode)
    caps: dict[Cap, float | None] = {
        "cpu": cpu,
        "device": params.devices_count * params.device_reads_per_s,
        "queue": in_flight * _US_PER_S / (params.device_us + wait_us),
    }
    cap = min(caps, key=lambda name: caps[name] or 0.0)
    rate = caps[cap] or 0.0
    return ModeAnswer(
        mode=mode,
        reads_per_s=rate,
        cap=cap,
        cpu_reads_per_s=cpu,
        cpu_per_read_us=params.path_us + completion_us(params, mode, rate),
        latency_mean_us=params.device_us + wait_us / 2,
        latency_worst_us=params.device_us + wait_us,
        overhead=tuple(
            OverheadPoint(
                reads_per_s=at,
                overhead_fraction=at
                * _overhead_us(params, mode, at)
                / (params.cores_count * _US_PER_S),
            )
            for at in params.rates_per_s
        ),
    )


def _overhead_us(params: InterruptParams, mode: Mode, rate_per_s: float) -> float:
    floor = 0.0 if mode == "interrupt" else params.completion_floor_us
    return completion_us(params, mode, rate_per_s) + floor


def request_us(path: RequestPath) -> float:
    """Processor time of a key-value request. [us]

    t = t_app + copies t_copy + interrupts t_irq / coalesced + switches t_switch / batch

    >>> request_us(RequestPath(name="x", app_us=1, copy_us=1, switch_us=2, interrupt_us=3))
    19.0
    """
    copying = path.copies_count * path.copy_us
    interrupting = path.interrupts_count * path.interrupt_us / path.coalesced_count
    return (
        path.app_us
        + copying
        + interrupting
        + (path.switches_count * path.switch_us / path.batch_count)
    )


def _path(params: InterruptParams, path: RequestPath) -> PathAnswer:
    time_us = request_us(path)
    cores_us = params.cores_count * _US_PER_S
    return PathAnswer(
        name=path.name,
        cpu_per_request_us=time_us,
        requests_per_s=cores_us / time_us,
        copies_per_request=path.copies_count,
        interrupts_per_request=path.interrupts_count / path.coalesced_count,
        switches_per_request=path.switches_count / path.batch_count,
    )


def _defer_pays_from_per_s(params: InterruptParams) -> float | None:
    """Rate from which a timer costs less than an interrupt: t_timer / (t_irq tau)."""
    saving = params.interrupt_us * params.deferral_us
    rate = params.timer_us * _US_PER_S / saving if saving > 0 else math.inf
    return rate if math.isfinite(rate) else None


def _best(params: InterruptParams, modes: tuple[ModeAnswer, ...]) -> Mode | None:
    bound = params.latency_bound_us
    kept = [mode for mode in modes if bound is None or mode.latency_worst_us <= bound]
    return max(kept, key=lambda mode: mode.reads_per_s).mode if kept else None


def _warnings(params: InterruptParams) -> tuple[str, ...]:
    if not _is_monotone(params):
        return (
            "The load of polling is not monotone in the rate; the first rate that fills the "
            "cores is given.",
        )
    return ()


def _run(params: InterruptParams, _context: Context) -> InterruptResult:
    modes = tuple(_mode(params, mode) for mode in MODES)
    window = poll_window_us(params)
    deferred = next(mode for mode in modes if mode.mode == "defer")
    in_flight = params.queue_count * params.devices_count
    return InterruptResult(
        modes=modes,
        best_mode=_best(params, modes),
        poll_window_us=window,
        spin_peak_per_s=_US_PER_S / window if window > 0 else None,
        defer_pays_from_per_s=_defer_pays_from_per_s(params),
        largest_deferral_us=max(
            0.0, in_flight * _US_PER_S / deferred.cpu_reads_per_s - params.device_us
        ),
        paths=tuple(_path(params, path) for path in params.paths),
        warnings=_warnings(params),
    )


def _asked(preset: Mapping[str, float], mode: Mode, **changes: float) -> float:
    params = InterruptParams.model_validate({**preset, **changes})
    return _mode(params, mode).reads_per_s


def _per_machine(cpu_us: float) -> dict[str, float]:
    """The Atom's times scaled to a machine whose reads take so long with interrupts."""
    factor = cpu_us / (ATOM["path_us"] + ATOM["interrupt_us"])
    names = ("path_us", "interrupt_us", "poll_us", "timer_us")
    scaled = {name: ATOM[name] * factor for name in names}
    return {**NEHALEM, **scaled, "path_us": TUNED_PATH_US * factor}


def _tuned_gap_us() -> float:
    params = InterruptParams.model_validate({**ATOM, "path_us": TUNED_PATH_US})
    return _run(params, Context()).largest_deferral_us


_reads_per_s = partial(Check, source=_SOURCE, unit="1/s")


def _rate_check(
    check_id: str, title: str, value: float, mode: Mode, params: Mapping[str, float], printed: str
) -> Check:
    return _reads_per_s(
        check_id,
        title,
        value,
        lambda: _asked(params, mode),
        kind="fitted",
        fitted_to="This rate: the time of a read was solved from it, its split is ours.",
        tests="performance.interrupt_params.InterruptParams.path_us",
        printed=printed,
        tolerance=50.0,
        params=lambda: params,
    )


_CHECKS = (
    _rate_check(
        "D16",
        "Atom N450, an interrupt for each read",
        23_000.0,
        "interrupt",
        ATOM,
        "23,000",
    ),
    _rate_check(
        "D17",
        "Atom N450, polling that finds one command",
        20_000.0,
        "spin",
        ATOM,
        "20,000",
    ),
    _rate_check(
        "D18",
        "Atom N450, deferral of 200 us and the tuned path",
        35_500.0,
        "defer",
        {**ATOM, "path_us": TUNED_PATH_US},
        "35,500",
    ),
    _rate_check(
        "D20",
        "Nehalem with three flash disks, interrupts",
        110_000.0,
        "interrupt",
        NEHALEM,
        "110 K",
    ),
    _rate_check(
        "D21",
        "Nehalem with three flash disks, deferral and the tuned path",
        180_000.0,
        "defer",
        NEHALEM_TUNED,
        "180 K",
    ),
    _reads_per_s(
        "D22",
        "Nehalem tuned, from the Atom's times scaled to its 110,000 reads a second",
        180_000.0,
        lambda: _asked(_per_machine(_US_PER_S / 110_000.0), "defer"),
        tolerance=10_800.0,
        params=lambda: _per_machine(_US_PER_S / 110_000.0),
        kind="predicted",
        tests="performance.interrupt_params.InterruptParams.path_us",
        printed="180 K",
        wider="A forecast: nothing here is fitted to the 180,000.",
    ),
    derived_check(
        "path",
        "Processor time of a request with 4 copies, 2 interrupts and 4 switches",
        54.0,
        lambda: request_us(RequestPath(name="One request at a time")),
        source=f"{_SOURCE}: how many; 10 us + 4 x 1 + 2 x 10 + 4 x 5, times of ours",
        tests="performance.interrupt_params.RequestPath.switches_count",
        unit="us",
    ),
    derived_check(
        "device",
        "Most reads of one flash disk, whatever the processor",
        70_000.0,
        lambda: _asked({**ATOM, "cores_count": 64}, "interrupt"),
        source=f"{_SOURCE}: 70 K of an X25-M",
        tests="performance.interrupt_params.InterruptParams.device_reads_per_s",
        unit="1/s",
    ),
    derived_check(
        "D25",
        "Longest deferral that 31 queued commands allow at 35,500 reads a second",
        673.0,
        _tuned_gap_us,
        source="derived: Q / rate - t_dev",
        tolerance=1.0,
        unit="us",
        params=lambda: {**ATOM, "path_us": TUNED_PATH_US},
        tests="performance.interrupt_params.InterruptParams.device_us",
    ),
)

SPEC = ModelSpec(
    id="performance.interrupt_model",
    version="1.0.0",
    title="Interrupts of small reads",
    summary="Reads per second of flash with interrupts, polling and deferred completion, what "
    "caps them, their latency, and the copies, switches and interrupts of a request.",
    params=InterruptParams,
    result=InterruptResult,
    run=_run,
    points=lambda params: len(params.rates_per_s),
    citations=(
        Citation(
            text="V. Vasudevan, Energy-Efficient Data-intensive Computing with a Fast Array of "
            "Wimpy Nodes, thesis proposal, Carnegie Mellon University, October 2010",
            section="5.2.3, figure 6",
        ),
    ),
    formulas=(
        Formula(
            "interrupt",
            "t = t_path + t_irq",
            _SOURCE,
            {"t_path": "path_us", "t_irq": "interrupt_us"},
        ),
        Formula(
            "spin",
            "t = t_path + (t_irq + t_poll) max(e^(-L w), 1 / (1 + n)), w = n / device rate",
            "ours; shape of figure 6",
            {"n": "queued_count", "t_poll": "poll_us", "L": "reads per second"},
        ),
        Formula(
            "defer",
            "t = t_path + (t_irq + t_timer) / (1 + min(L tau, Q))",
            "ours; shape of figure 6",
            {"tau": "deferral_us", "t_timer": "timer_us", "Q": "queue_count"},
        ),
        Formula(
            "cap",
            "largest L with L t <= cores, devices x rate, and Q devices / (t_dev + tau)",
            "ours",
            {"t_dev": "device_us"},
        ),
        Formula(
            "request",
            "t = t_app + copies t_copy + interrupts t_irq / k + switches t_switch / batch",
            "counts: thesis, 4 copies, 2 interrupts, 4 switches; times ours",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Only the sums of times are measured; how they split into path, interrupt and timer is "
        "our choice.",
        "On one core with the processor busy, few commands are queued when the first completes, "
        "so polling finds nothing: that is the default.",
        "Latency leaves out waiting for the processor.",
    ),
)
