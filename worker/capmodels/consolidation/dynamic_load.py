"""Where the machines' load over time comes from: entered, uploaded or generated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.errors import Fault, ParamsError
from capmodels.units import HOURS_PER_DAY, SECONDS_PER_HOUR

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_params import DynamicParams, GeneratedLoad
    from capmodels.formats.trace_store import TraceRef

    Fractions = NDArray[np.float64]

# One double each: 160 MB.
_VALUES_MAX = 20_000_000
# What an idle machine asks for where it is not to be taken as ended.
_LEAST = 1e-3
# How strongly noise at one step is still there at the next.
_MEMORY = 0.8


@dataclass(frozen=True, slots=True)
class Load:
    """Machines by steps, each a share of the machine's most, over a time that they cover."""

    cpu_fraction: Fractions
    step_s: float
    duration_h: float


def load_of(params: DynamicParams, seed: int) -> Load:
    """Return the load that the params name.

    Raises
    ------
    ParamsError
        When an uploaded trace cannot be read, is too large, without load or shorter than the
        duration.
    """
    import numpy as np

    if params.trace is not None:
        load = _uploaded(params.trace, params.duration_h)
    elif params.generated is not None:
        load = _generated(params, params.generated, seed)
    else:
        entered = np.asarray(params.utilization_fraction, float)
        hours = entered.shape[1] * params.step_s / SECONDS_PER_HOUR
        load = Load(entered, params.step_s, params.duration_h or hours)
    if params.idle_ends_machine:
        return load
    return Load(np.maximum(load.cpu_fraction, _LEAST), load.step_s, load.duration_h)


def _uploaded(ref: TraceRef, duration_h: float | None) -> Load:
    from capmodels.formats.trace_store import utilization

    trace = utilization(ref)
    hours = trace.cpu_fraction.shape[1] * trace.step_s / SECONDS_PER_HOUR
    if trace.cpu_fraction.size > _VALUES_MAX:
        message = (
            f"The trace has {trace.cpu_fraction.size:,} values; at most {_VALUES_MAX:,} can be "
            "replayed. Take fewer machines or longer steps."
        )
        raise ParamsError([Fault("/trace", "too_long", message)])
    if not trace.cpu_fraction.any():
        message = "This trace has no CPU use. Upload one with the load of each machine."
        raise ParamsError([Fault("/trace", "no_load", message)])
    if duration_h is not None and duration_h > hours:
        message = f"The trace covers {hours:g} h. Enter at most {hours:g} h, or leave it empty."
        raise ParamsError([Fault("/duration_h", "too_long", message)])
    return Load(trace.cpu_fraction.astype(float), trace.step_s, duration_h or hours)


def _generated(params: DynamicParams, shape: GeneratedLoad, seed: int) -> Load:
    """Machines of different means that follow the day, with noise that lasts a few steps."""
    import numpy as np

    from capmodels.rng import streams

    duration_h = params.duration_h or HOURS_PER_DAY
    steps = max(2, int(duration_h * SECONDS_PER_HOUR / params.step_s))
    rng = streams(seed, 2)[1]
    size = shape.machines_count
    means = shape.mean_fraction * np.exp(shape.spread_ratio * rng.standard_normal(size))
    hours = np.arange(steps) * params.step_s / SECONDS_PER_HOUR
    turns = 2 * np.pi * (hours - shape.peak_h) / HOURS_PER_DAY
    noise = np.zeros(size)
    rows = np.empty((steps, size))
    for step in range(steps):
        fresh = rng.standard_normal(size) * (1 - _MEMORY**2) ** 0.5
        noise = _MEMORY * noise + shape.noise_fraction * fresh
        rows[step] = means * (1 + shape.swing_fraction * np.cos(turns[step])) + noise
    return Load(np.clip(rows.T, _LEAST, 1.0), params.step_s, duration_h)
