"""What a plan of purchases answers."""

from __future__ import annotations

from pydantic import Field

from capmodels.spec import Result, preset
from capmodels.told import Told
from capmodels.units import Count, Real, Usd


class Order(Result):
    """Machines that are ordered in a month."""

    machine: str = Field(description="Name of the machine type.")
    month: Count = Field(description="Month in which it is ordered, counted from 0.")
    arrives_month: Count = Field(description="Month from which it carries load.")
    ordered_count: Count = Field(description="How many.")
    paid_usd: Usd = Field(description="Their price, mean over the scenarios, not discounted.")
    trigger_p95_count: Real = Field(
        description="Order when the 95th percentile of the demand passes this, in `trigger_unit`."
    )
    trigger_unit: str = Field(description="Unit of the demand.")
    placed: bool = Field(description="It was ordered already.")


class StartedCommitment(Result):
    """A commitment that is started in a month."""

    commitment: str = Field(description="Name of the commitment.")
    month: Count = Field(description="Month in which it starts, counted from 0.")
    ends_month: Count = Field(description="First month without it.")
    committed_count: Real = Field(description="How much, in `unit`.")
    unit: str = Field(description="Unit of the demand.")
    paid_usd: Usd = Field(description="What it costs, not discounted.")
    placed: bool = Field(description="It runs already.")


class MovedOrder(Result):
    """An order that is another than it was planned before what happened was known."""

    machine: str = Field(description="Name of the machine type.")
    month: Count = Field(description="Month of the order.")
    before_count: Count = Field(description="How many were planned.")
    ordered_count: Count = Field(description="How many are now.")


class PlannedMonth(Result):
    """A month of a resource as planned: means over scenarios and hours."""

    owned_count: Real = Field(description="Owned.")
    committed_count: Real = Field(description="Committed.")
    owned_used_count: Real = Field(description="Of the owned in use.")
    committed_used_count: Real = Field(description="Of the committed in use.")
    on_demand_count: Real = Field(description="Rented on demand.")
    spot_count: Real = Field(description="Rented as spot.")
    unmet_count: Real = Field(description="Demand that is not met.")
    demand_mean_count: Real = Field(description="Mean demand.")
    demand_low_count: Real = Field(
        description="Demand in a tenth of the hours of all scenarios is below this."
    )
    demand_high_count: Real = Field(description="Demand in a tenth of them is above this.")


class PlannedResource(Result):
    """Another resource by the month."""

    unit: str = Field(description="Unit of the resource.")
    months: tuple[PlannedMonth, ...] = Field(description="Its months.")


class ResourceFill(Result):
    """A resource of several: in how many months it is the fullest, and how full it gets.

    ``most_fraction`` is the busiest hour's demand over what is owned and committed, in ``month``.
    """

    unit: str = Field(description="Unit of the resource.")
    fullest_months_count: Count = Field(description="Months in which it is the fullest of all.")
    months_count: Count = Field(description="Months of the plan.")
    most_fraction: Real = Field(
        description="The busiest hour's demand over what is owned and committed."
    )
    month: Count = Field(description="When that is.")


class QuarterCash(Result):
    """Money that is called in a quarter, not discounted."""

    machines_usd: Real = Field(description="For machines.")
    upkeep_usd: Real = Field(description="For running what is owned.")
    committed_usd: Real = Field(description="For commitments.")
    rented_usd: Real = Field(description="On demand and spot.")
    beside_usd: Real = Field(description="For what the plan does not decide.")
    budget_left_usd: Real | None = Field(
        description="What is left of the budget; null without one."
    )


class SiteUse(Result):
    """A limit of the site: how full it gets, and what one more unit of it is worth."""

    limit: str = Field(description="Name of the limit.")
    unit: str = Field(description="Its unit.")
    reached_month: Count | None = Field(
        description="First month in which it is full; null where it never is."
    )
    most_fraction: Real = Field(description="How full it gets.")
    worth_usd: Real = Field(description="What one more unit of it would save.")


class KnownWorth(Result):
    """What it is worth to know one unknown before deciding anything."""

    unknown: str = Field(description="Name of the unknown.")
    worth_usd: Real = Field(description="Expected saving of knowing it before anything is decided.")


class MovedInput(Result):
    """An input, and what the plan that is made for its ends costs."""

    pointer: str = Field(description="JSON pointer to the input.")
    label: str = Field(description="Its name.")
    unit: str = Field(description="Its unit.")
    value: Real = Field(description="As entered.")
    low: Real = Field(description="Low end of its range.")
    high: Real = Field(description="High end.")
    at_low_usd: Real = Field(description="What the plan for the low end costs.")
    at_high_usd: Real = Field(description="What the plan for the high end costs.")


class PurchasePlanResult(Told):
    """The plan, its cost beside other ways, and what knowing more is worth."""

    expected_usd: Real = Field(description="Expected cost of the plan, discounted.")
    bound_usd: Real = Field(description="No plan costs less than this.")
    gap_fraction: Real = Field(description="How far the plan may be above the best.")
    p10_usd: Real = Field(description="A tenth of the scenarios cost less.")
    p90_usd: Real = Field(description="A tenth cost more.")
    scenarios_count: Count = Field(description="Scenarios of demand and prices.")
    orders: tuple[Order, ...] = Field(description="What to order, by month.")
    commitments: tuple[StartedCommitment, ...] = Field(description="What to commit to.")
    all_rented_usd: Real | None = Field(description="Expected cost of renting all.")
    all_owned_usd: Real | None = Field(
        description="Expected cost of owning all; null where the limits do not allow it."
    )
    perfect_usd: Real | None = Field(description="Expected cost if all were known before.")
    mean_plan_usd: Real | None = Field(
        description="Expected cost of the plan that is made for the mean demand."
    )
    redecided_usd: Real | None = Field(
        description="Expected cost where later orders are decided again at reviews."
    )
    redecided_gap_fraction: Real | None = Field(description="How far that may be above the best.")
    later_usd: Real | None = Field(
        description="Expected cost of the best plan that begins a month later."
    )
    next_best_usd: Real | None = Field(description="Expected cost of the next best plan.")
    next_best_orders: tuple[Order, ...] = Field(description="What that orders.")
    unmet_hours_mean_h: Real = Field(
        description="Hours with unmet demand, mean over the scenarios."
    )
    unmet_hours_worst_h: Real = Field(description="The same of the worst scenario.")
    months: tuple[PlannedMonth, ...] = Field(
        description="The resource that machines are counted by, by month."
    )
    others: tuple[PlannedResource, ...] = Field(description="The other resources, by month.")
    binding: tuple[ResourceFill, ...] = preset((), "How full each of several resources gets.")
    quarters: tuple[QuarterCash, ...] = Field(description="Cash by quarter.")
    site: tuple[SiteUse, ...] = Field(description="How full the limits of the site get.")
    known: tuple[KnownWorth, ...] = Field(
        description="What knowing each unknown is worth, the most first."
    )
    moving: tuple[MovedInput, ...] = Field(
        description="How far each input moves the cost, the furthest first."
    )
    before_usd: Real | None = Field(
        description="Expected cost of the plan as it was before what happened was known."
    )
    moved: tuple[MovedOrder, ...] = Field(description="Orders that have changed since.")
