"""What an hour of useful work costs on instances that may be taken away.

Checkpoints by Young's rule, after J. W. Young 1974.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal

from capmodels.equations import equation
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    derived_check,
    one_point,
)
from capmodels.units import DurationH, Real, UsdPerH, of_unit

if TYPE_CHECKING:
    from capmodels.amounts import AmountT

PositiveH = Annotated[Real, of_unit("h", gt=0)]
PositiveUsdPerH = Annotated[Real, of_unit("USD/h", gt=0)]
Waste = Annotated[Real, of_unit("fraction", ge=0)]


def young_interval_h(*, checkpoint_h: float, interruption_mean_h: float) -> float:
    """Time between checkpoints that wastes least. [h]

    tau = sqrt(2 delta M), eq. of Young 1974 [1]_; good for delta much smaller than M.

    >>> round(young_interval_h(checkpoint_h=0.1, interruption_mean_h=24.0), 4)
    2.1909

    .. [1] J. W. Young, A first order approximation to the optimum checkpoint interval,
       CACM 17(9), 1974, :doi:`10.1145/361147.361115`
    """
    return math.sqrt(2 * checkpoint_h * interruption_mean_h)


def wasted_fraction(
    *, checkpoint_h: float, interval_h: float, restart_h: float, interruption_mean_h: float
) -> float:
    """Share of paid time that does no lasting work; 1 and more means never done. [fraction]

    delta / tau + (tau / 2 + R) / M.
    """
    writing = checkpoint_h / interval_h if checkpoint_h > 0 else 0.0
    return writing + (interval_h / 2 + restart_h) / interruption_mean_h


@equation("cost.spot")
def useful_price(price: AmountT, wasted_fraction: AmountT) -> AmountT:
    """Price of useful work where a share of the paid time, below 1, does none that lasts.

    Definition; the share is that of Young 1974, :doi:`10.1145/361147.361115`, in the model.
    """
    return price / (1.0 - wasted_fraction)


class SpotParams(Params):
    """Price and interruptions of spot instances, and what a checkpoint takes."""

    price_usd_per_h: PositiveUsdPerH = assumed(0.30, "Price of a spot hour.")
    on_demand_usd_per_h: PositiveUsdPerH = assumed(1.00, "Price of an hour that is not taken away.")
    checkpoint_h: DurationH = assumed(0.1, "Time to write a checkpoint.")
    restart_h: DurationH = assumed(0.1, "Time to start again after an interruption.")
    interruption_mean_h: PositiveH = assumed(
        24.0, "Mean time between interruptions.", low=4.0, high=200.0
    )
    interval_h: PositiveH | None = blank("Time between checkpoints; Young's when left empty.")


class SpotResult(Result):
    """Waste, and the price of useful work."""

    interval_h: DurationH
    young_interval_h: DurationH
    wasted_fraction: Waste
    useful_usd_per_h: UsdPerH | None
    reason: Literal["never_done"] | None
    saved_fraction: Annotated[Real, of_unit("fraction", le=1)] | None
    warnings: tuple[str, ...]


def _run(params: SpotParams, _context: Context) -> SpotResult:
    young = young_interval_h(
        checkpoint_h=params.checkpoint_h, interruption_mean_h=params.interruption_mean_h
    )
    interval = young if params.interval_h is None else params.interval_h
    waste = wasted_fraction(
        checkpoint_h=params.checkpoint_h,
        interval_h=interval,
        restart_h=params.restart_h,
        interruption_mean_h=params.interruption_mean_h,
    )
    useful = useful_price(params.price_usd_per_h, waste) if waste < 1 else None
    rough = params.checkpoint_h > 0.1 * params.interruption_mean_h
    return SpotResult(
        interval_h=interval,
        young_interval_h=young,
        wasted_fraction=waste,
        useful_usd_per_h=useful,
        reason="never_done" if useful is None else None,
        saved_fraction=None if useful is None else 1 - useful / params.on_demand_usd_per_h,
        warnings=(
            (
                "Young's rule is rough here: a checkpoint takes over a tenth of the time between "
                "interruptions.",
            )
            if rough
            else ()
        ),
    )


SPEC = ModelSpec(
    id="cost.spot",
    version="1.0.0",
    title="Spot instances",
    summary="Price of an hour of useful work on instances that are taken away now and then, "
    "with checkpoints as often as pays.",
    params=SpotParams,
    result=SpotResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="J. W. Young, A first order approximation to the optimum checkpoint interval, "
            "CACM 17(9), 1974",
            url="https://doi.org/10.1145/361147.361115",
        ),
    ),
    formulas=(
        Formula(
            "interval",
            "tau = sqrt(2 delta M)",
            "Young 1974",
            {"delta": "checkpoint_h", "M": "interruption_mean_h"},
        ),
        Formula(
            "waste",
            "waste = delta / tau + (tau / 2 + R) / M",
            "derived from Young 1974",
            {"R": "restart_h"},
        ),
        Formula("useful", "useful price = price / (1 - waste)", "derived"),
    ),
    checks=(
        derived_check(
            "E11",
            "Young's interval, checkpoint 0.1 h, interruptions every 24 h",
            2.1909,
            lambda: _run(SpotParams(), Context()).interval_h,
            source="Young 1974",
            tolerance=0.0001,
            unit="h",
            params=dict,
            tests="cost.spot.young_interval_h",
        ),
        derived_check(
            "E12",
            "Useful hour of a $0.30 spot hour",
            0.3317,
            lambda: _run(SpotParams(), Context()).useful_usd_per_h or 0.0,
            source="Young 1974",
            tolerance=0.0001,
            unit="USD/h",
            params=dict,
            tests="cost.spot.wasted_fraction",
        ),
    ),
    limits=(
        "First order: interruptions come singly and a checkpoint takes much less time than "
        "passes between them.",
        "The spot price is constant, and an instance is always to be had again at once.",
    ),
)
