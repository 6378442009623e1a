"""What binds: how much of each resource a design uses at its peak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.figures.compared import capital, name_of, summed_up
from capmodels.plans.words import Bound, constraints, is_near
from capmodels.told import Axis, Figure, Series, column, listed

if TYPE_CHECKING:
    from capmodels.plans.figures.compared import Compared
    from capmodels.spec import JSONDict

RESOURCES = {
    "cores": "Cores",
    "ram": "RAM",
    "disk": "Disk",
    "iops": "IOPS",
    "throughput": "Throughput",
    "gpu": "GPUs",
}
BINDS = "●"
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def shares_axis(title: str) -> Axis:
    """An axis of shares up to the whole."""
    return Axis(title=title, unit="fraction", ticks=SHARES, ticks_said=tuple(map(percent, SHARES)))


def capacity(of: Compared) -> Figure:
    """The share of each resource in use at peak, a series per design. [fraction]"""
    shown = [key for key in RESOURCES if any(_used(one, key) is not None for one in of.designs)]
    title = _finding(of)
    said = (
        ", ".join(f"{RESOURCES[key]} {percent(_used(one, key))}" for key in shown)
        for one in of.designs
    )
    return Figure(
        kind="columns",
        name="Capacity used at peak",
        title=title,
        summary=summed_up(title, of.names, said),
        along=shares_axis("Used at peak"),
        rows=tuple(RESOURCES[key] for key in shown),
        limit=1.0,
        series=tuple(
            Series(
                name=name_of(design),
                role=design["letter"],
                values=tuple(_used(design, key) for key in shown),
                texts=tuple(_text(design, key) for key in shown),
            )
            for design in of.designs
        ),
        twin=of.by_design(
            column("Constraint", (one["binding"]["label"] for one in of.designs)),
            column("Of", (one["binding"].get("group") or "" for one in of.designs)),
            column(
                "Its limit",
                (one["binding"].get("limit_fraction") for one in of.designs),
                "fraction",
            ),
            *(
                column(
                    f"{RESOURCES[key]} used", (_used(one, key) for one in of.designs), "fraction"
                )
                for key in shown
            ),
        ),
    )


def _used(design: JSONDict, resource: str) -> float | None:
    spare = design["spare"].get(f"{resource}_fraction")
    return None if spare is None else 1.0 - spare


def _text(design: JSONDict, resource: str) -> str:
    if _used(design, resource) is None:
        return "—"
    binds = design["binding"]["resource"] == resource and is_near(*_shares(design))
    return f"{design['letter']} {BINDS}" if binds else str(design["letter"])


def _finding(of: Compared) -> str:
    short = [one["letter"] for one in of.designs if not one["carries_load"]]
    if short:
        return f"{listed(short)} cannot meet demand"
    sized = [one for one in of.designs if one["binding"]["label"] != "given"]
    if not sized:
        return "Designs are as entered: nothing is sized"
    ordered = sorted(sized, key=lambda one: (one["ranked_usd"], one["letter"]))
    said = constraints(
        [
            Bound(
                one["letter"], one["binding"]["label"], *_shares(one), one["binding"].get("group")
            )
            for one in ordered
        ]
    )
    unsaid = [
        one["letter"] for one in of.designs if all(_used(one, key) is None for key in RESOURCES)
    ]
    every = " in every design"
    if unsaid:
        every = (
            f"{every} with a value ({listed(unsaid)} {'has' if len(unsaid) == 1 else 'have'} none)"
        )
    return capital(said if " in " in said else f"{said}{every}")


def _shares(design: JSONDict) -> tuple[float | None, float | None]:
    """What is in use of the resource nearest to its limit, and the limit."""
    by = design["binding"]
    return by.get("used_fraction"), by.get("limit_fraction")
