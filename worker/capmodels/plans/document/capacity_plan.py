"""Nodes and commitments by the month, as a plan of purchases has them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from capmodels.plans.document.fields import BelowOne, Cores, MonthsFromOne, Nodes, unused
from capmodels.spec import Params, preset
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


class CapacityPlan(Params):
    """What is there and committed in each month, decided before; the rest is rented on demand."""

    orders: tuple[ArrivingNodes, ...] = preset(
        (), "Nodes of the first group that computes.", max_length=240
    )
    commitments: tuple[CommittedCores, ...] = preset((), "Renewed by no other.", max_length=240)


def plan_field(said: str) -> Any:
    """Return the field of a design that may follow a plan."""
    return Field(
        default=None, title="Plan by month", description=f"As a plan of purchases. Empty: {said}"
    )
