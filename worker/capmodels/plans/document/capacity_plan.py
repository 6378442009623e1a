"""Nodes and commitments by the month, as a plan of purchases has them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from capmodels.forms import named
from capmodels.plans.document.bounded import UsdPerMonth
from capmodels.plans.document.fields import (
    BelowOne,
    Cores,
    MonthsFromOne,
    Name,
    Nodes,
    PositiveRam,
    unused,
)
from capmodels.spec import Params, blank, preset
from capmodels.units import Fraction, Whole, of_unit

PlanMonth = Annotated[Whole, of_unit("months", ge=0, le=239)]


class ArrivingNodes(Params):
    """Own nodes that are there from a month on."""

    month: PlanMonth = Field(description="0 is the first.")
    nodes_count: Nodes


class CommittedCores(Params):
    """Rented capacity that is committed from a month on, counted in the busy cores it carries."""

    month: PlanMonth = Field(description="0 is the first.")
    cores_count: Cores
    term_months: MonthsFromOne
    discount_fraction: BelowOne = Field(description="On the on-demand price of that month.")
    upfront_fraction: Fraction = unused("Paid in advance", "Share of the term's price paid first.")


class KeptCapacity(Params):
    """Machines or a commitment of today that are kept until they end, and paid as today."""

    name: Name
    side: Literal["owned", "rented"] = preset(
        "owned", "Machines that are owned, or a commitment.",
        extra=named(owned="Machines", rented="Commitment"),
    )  # fmt: skip
    cores_count: Cores = Field(
        title="Busy cores", description="What all of them carry when the work is at its peak."
    )
    ram_gib: PositiveRam | None = blank(
        "In use, what all of them hold. Empty: that of the work that their cores are busy with.",
        title="RAM", exclude_if=lambda given: given is None,
    )  # fmt: skip
    usd_per_month: UsdPerMonth = Field(title="Cost", description="Of all of them.")
    until_month: MonthsFromOne = Field(description="First month without them.")


class CapacityPlan(Params):
    """What is there and committed in each month, decided before; the rest is rented on demand."""

    orders: tuple[ArrivingNodes, ...] = preset(
        (), "Nodes of the first group that computes.", max_length=240
    )
    commitments: tuple[CommittedCores, ...] = preset((), "Renewed by no other.", max_length=240)
    kept: tuple[KeptCapacity, ...] = preset(
        (), "What runs today and is kept until it ends.", max_length=100,
        exclude_if=lambda given: not given,
    )  # fmt: skip


def plan_field(said: str) -> Any:
    """Return the field of a design that may follow a plan."""
    return Field(
        default=None, title="Plan by month", description=f"As a plan of purchases. Empty: {said}"
    )
