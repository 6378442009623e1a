"""What a fitted power curve tells: its ends with how sure they are, its shape, and its error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.numbers import percent, quantity, significant
from capmodels.power.families import TITLES
from capmodels.told import Axis, Figure, Series, Table, TableRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    Found = Mapping[str, Any]

_KINDS = {
    "linear": "A line",
    "fan": "Fan’s curve",
    "family": "A family’s shape",
    "two_segments": "Two segments",
}


def power_told(found: Found, confidence_fraction: float) -> dict[str, Any]:
    """What is told beside the numbers."""
    idle, full = found["power_idle"], found["power_max"]
    error, root = (
        percent(found["median_error_fraction"]),
        quantity(found["root_mean_square_w"], "W"),
    )
    sure = percent(confidence_fraction)
    return {
        "headline": f"**A machine draws {quantity(idle.value_w, 'W')} when idle** "
        f"({_between(idle, sure)}) and **{quantity(full.value_w, 'W')} at full load** "
        f"({_between(full, sure)}): {_shape(found['curve'])}.",
        "notes": (
            f"On stretches that were left out of the fit it is off by {error} in the median, "
            f"{root} root-mean-square, of {found['samples_count']:,} samples.",
            *found["warnings"],
        ),
        "tables": (_errors(found),),
        "figures": (_figure(found, sure),),
    }


def _between(estimate: Any, sure: str) -> str:
    return f"{significant(estimate.low_w)} to {quantity(estimate.high_w, 'W')} in {sure} of refits"


def _shape(curve: Any) -> str:
    if curve.kind == "fan":
        return f"Fan’s curve, exponent {significant(curve.exponent)}"
    if curve.kind == "family":
        return f"the shape of {TITLES[curve.family]}"
    if curve.kind == "linear":
        return "a straight line"
    knee, way = percent(curve.knee_utilization_fraction), percent(curve.knee_range_fraction)
    return f"two segments that meet at {knee} load, {way} of the way up"


def _errors(found: Found) -> Table:
    return Table(
        title="Error by shape",
        columns=("Shape", "Median error", "Root-mean-square"),
        rows=tuple(
            TableRow(
                head=_KINDS[row.kind],
                cells=(percent(row.median_error_fraction), quantity(row.root_mean_square_w, "W")),
                is_best=row.kind == found["curve"].kind,
            )
            for row in found["kinds"]
        ),
        note="On stretches of the series that were left out of the fit.",
    )


def _figure(found: Found, sure: str) -> Figure:
    """Power over load: what was measured in each tenth of load, and the curve through it."""
    bands, ends = found["bands"], (found["power_idle"], found["power_max"])
    idle_w, full_w = (end.value_w for end in ends)
    loads = tuple(band.utilization_fraction for band in bands)
    return Figure(
        kind="lines",
        name="Power over load",
        title=f"From {quantity(idle_w, 'W')} idle to {quantity(full_w, 'W')} at full load",
        along=Axis(title="Power of a machine", unit="W"),
        across=Axis(title="Load", unit="fraction"),
        series=(
            Series(
                name="Curve",
                at=(0.0, *loads, 1.0),
                values=(idle_w, *(band.curve_w for band in bands), full_w),
            ),
            Series(
                name="Measured, mean of a tenth of load",
                at=loads,
                values=tuple(band.measured_w for band in bands),
                names=tuple(
                    f"{percent(band.utilization_fraction)}, {band.samples_count:,} samples"
                    for band in bands
                ),
                style="dots",
            ),
            Series(
                name=f"Ends, {sure} of refits",
                at=(0.0, 1.0),
                values=(idle_w, full_w),
                low=tuple(end.low_w for end in ends),
                high=tuple(end.high_w for end in ends),
                style="dots",
            ),
        ),
    )
