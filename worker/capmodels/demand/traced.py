"""The series that a trace of utilisation holds: the busy share of its machines, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.demand.params import STEPS_S, VALUES_MAX, ForecastParams
from capmodels.errors import Fault, ParamsError

if TYPE_CHECKING:
    from capmodels.formats.trace_types import UtilizationTrace

VALUES_MIN = 8


def with_values(params: ForecastParams) -> ForecastParams:
    """Return what was asked with the trace's own values, if it names a trace.

    Raises
    ------
    ParamsError
        When the trace is not there, too short or too long for its step, or at rest where growth
        by a share is asked for.
    """
    from capmodels.formats.trace_store import utilization

    if params.trace is None:
        return params
    values = _whole_steps(utilization(params.trace), STEPS_S[params.step])
    if len(values) < VALUES_MIN:
        message = (
            f"The trace has {len(values)} whole {params.step}s; at least {VALUES_MIN} are needed."
        )
        raise ParamsError([Fault("/trace", "too_short", message)])
    if len(values) > VALUES_MAX:
        message = f"The trace has {len(values):,} {params.step}s. Choose a longer step."
        raise ParamsError([Fault("/step", "too_long", message)])
    if params.trend == "share" and min(values) <= 0:
        message = "Growth by a share needs values above 0. Choose growth by an amount."
        raise ParamsError([Fault("/trend", "not_positive", message)])
    return params.model_copy(update={"values": values, "trace": None})


def _whole_steps(trace: UtilizationTrace, step_s: float) -> tuple[float, ...]:
    """Means over the clock's steps that the trace has whole."""
    import numpy as np

    if trace.step_s > step_s:
        message = "The samples of this trace are further apart than this step. Choose a longer one."
        raise ParamsError([Fault("/step", "too_short", message)])
    shares = np.asarray(trace.cpu_fraction, dtype=np.float64).mean(axis=0)
    middles_s = trace.start_s + (np.arange(len(shares)) + 0.5) * trace.step_s
    first = -(-trace.start_s // step_s)
    end = (trace.start_s + len(shares) * trace.step_s) // step_s
    places = np.floor(middles_s / step_s) - first
    whole = (places >= 0) & (places < end - first)
    if not whole.any():
        return ()
    at = places[whole].astype(np.int64)
    return tuple((np.bincount(at, weights=shares[whole]) / np.bincount(at)).tolist())
