"""What a power supply loses: efficiency by load, from the levels of the 80 PLUS programme."""

from __future__ import annotations

from typing import Annotated, Literal

from capmodels.spec import Params, assumed, recalled
from capmodels.units import CountFromOne, Real, of_unit

Level = Literal["bronze", "silver", "gold", "platinum", "titanium"]
# Efficiency at 20%, 50% and 100% of rated load, redundant supplies at 230 V.
LEVEL_EFFICIENCY: dict[Level, tuple[float, float, float]] = {
    "bronze": (0.81, 0.85, 0.81),
    "silver": (0.85, 0.89, 0.85),
    "gold": (0.88, 0.92, 0.88),
    "platinum": (0.90, 0.94, 0.91),
    "titanium": (0.94, 0.96, 0.91),
}
LEVEL_LOADS = (0.2, 0.5, 1.0)
RatedW = Annotated[Real, of_unit("W", gt=0)]


class PowerSupply(Params):
    """Power supplies of a server, which share its load evenly.

    For a curve of what the parts draw behind the supply. Power measured at the wall has the
    loss in it already.
    """

    level: Level = recalled(
        "platinum",
        "Level of the 80 PLUS programme.",
        source="80 PLUS levels for redundant supplies at 230 V",
        as_of="2025",
    )
    rated_w: RatedW = assumed(800.0, "Rated output of one supply.", low=400.0, high=3000.0)
    supplies_count: CountFromOne = assumed(
        2, "Supplies that share the load; two make one redundant."
    )


def loss_fraction(level: Level, load_fraction: float) -> float:
    """Loss over rated output, at a load over rated output.

    Straight between the level's three loads, and as between the first two below them: even
    without load something is lost. Above rated load it rises on.

    >>> round(0.5 / (0.5 + loss_fraction("platinum", 0.5)), 6)
    0.94
    """
    losses = [
        load * (1 / efficiency - 1)
        for load, efficiency in zip(LEVEL_LOADS, LEVEL_EFFICIENCY[level], strict=True)
    ]
    low = 0 if load_fraction <= LEVEL_LOADS[1] else 1
    slope = (losses[low + 1] - losses[low]) / (LEVEL_LOADS[low + 1] - LEVEL_LOADS[low])
    return losses[low] + slope * (load_fraction - LEVEL_LOADS[low])


def wall_w(supply: PowerSupply | None, power_w: float) -> float:
    """Power at the wall for a power behind the supplies; the same without a supply. [W]"""
    if supply is None:
        return power_w
    rated = supply.rated_w * supply.supplies_count
    return power_w + rated * loss_fraction(supply.level, power_w / rated)
