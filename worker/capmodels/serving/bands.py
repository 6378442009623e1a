"""How far an answer may be off: bands of measurements that took no part in the fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from capmodels.serving.accelerators import ACCELERATORS
from capmodels.serving.fitted import (
    MEASURED_ACCELERATORS,
    MEASURED_MODELS,
    NEAR_GENERATIONS,
)
from capmodels.spec import Result
from capmodels.units import Real

if TYPE_CHECKING:
    from capmodels.serving.accelerators import Accelerator
    from capmodels.serving.architectures import Architecture
    from capmodels.serving.engine import Layout

Nearness = Literal["measured", "calibrated", "interpolated", "extrapolated"]

NEARNESS_SAID: dict[Nearness, str] = {
    "measured": "Measured near here: this accelerator and this model were in the fit.",
    "calibrated": "Set to a point that you measured.",
    "interpolated": "Interpolated: its accelerator's kernels, or its generation, were measured.",
    "extrapolated": "Extrapolated: nothing of its kind was measured.",
}


class Factors(NamedTuple):
    """Between what an answer is to be multiplied with, to hold 80% of measurements."""

    low: float
    high: float


class Banded(Result):
    """A value with the band that holds it in four of five cases."""

    low: Real
    value: Real
    high: Real


# 80% bands of measured over predicted, of configurations whose accelerator (interpolated) or
# model (extrapolated) took no part in the fit; of groups of a deployment, after one of its
# points was given (calibrated). Fitted with `python -m bench._fit_serving`.
BANDS: dict[Nearness, dict[str, dict[str, Factors]]] = {
    "measured": {
        "dense": {
            "tpot": Factors(0.87, 1.15),
            "ttft": Factors(0.61, 1.65),
            "rate": Factors(0.87, 1.10),
        },
        "experts": {
            "tpot": Factors(0.79, 1.28),
            "ttft": Factors(0.64, 2.01),
            "rate": Factors(0.77, 1.27),
        },
    },
    "calibrated": {
        "dense": {
            "tpot": Factors(0.87, 1.12),
            "ttft": Factors(0.77, 2.05),
            "rate": Factors(0.89, 1.11),
        },
        "experts": {
            "tpot": Factors(0.81, 1.18),
            "ttft": Factors(0.52, 1.57),
            "rate": Factors(0.84, 1.25),
        },
    },
    "interpolated": {
        "dense": {
            "tpot": Factors(0.69, 1.25),
            "ttft": Factors(0.57, 1.89),
            "rate": Factors(0.80, 1.33),
        },
        "experts": {
            "tpot": Factors(0.68, 1.29),
            "ttft": Factors(0.59, 2.24),
            "rate": Factors(0.76, 1.47),
        },
    },
    # Nothing of the kind was left out to judge by: assumed, twice as wide in the logarithm.
    "extrapolated": {
        "dense": {
            "tpot": Factors(0.48, 1.6),
            "ttft": Factors(0.3, 3.6),
            "rate": Factors(0.6, 1.8),
        },
        "experts": {
            "tpot": Factors(0.45, 1.7),
            "ttft": Factors(0.3, 5.0),
            "rate": Factors(0.55, 2.2),
        },
    },
}


def nearness_of(architecture: Architecture, accelerator: Accelerator, layout: Layout) -> Nearness:
    """Return how near to measurements a deployment is."""
    known = ACCELERATORS.get(accelerator.name) == accelerator
    one_node = layout.tensor * layout.data <= 8 and layout.pipeline == 1
    if not (known and accelerator.speed_known and one_node):
        return "extrapolated"
    if accelerator.name in MEASURED_ACCELERATORS and architecture.name in MEASURED_MODELS:
        return "measured"
    if accelerator.generation in NEAR_GENERATIONS:
        return "interpolated"
    return "extrapolated"


def factors_of(nearness: Nearness, architecture: Architecture, what: str) -> Factors:
    """Return the band of TPOT, TTFT or rate of answers so near to measurements."""
    kind = "experts" if architecture.experts_count else "dense"
    return BANDS[nearness][kind][what]


def banded(value: float, factors: Factors) -> Banded:
    """Return a value with its band."""
    return Banded(low=value * factors.low, value=value, high=value * factors.high)
