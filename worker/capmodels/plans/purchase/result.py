"""What a plan of purchases answers."""

from __future__ import annotations

from capmodels.spec import Result
from capmodels.told import Told
from capmodels.units import Count, Real, Usd


class Order(Result):
    """Machines that are ordered in a month."""

    machine: str
    month: Count
    arrives_month: Count
    ordered_count: Count
    paid_usd: Usd
    trigger_p95_count: Real
    trigger_unit: str
    placed: bool


class StartedCommitment(Result):
    """A commitment that is started in a month."""

    commitment: str
    month: Count
    ends_month: Count
    committed_count: Real
    unit: str
    paid_usd: Usd
    placed: bool


class MovedOrder(Result):
    """An order that is another than it was planned before what happened was known."""

    machine: str
    month: Count
    before_count: Count
    ordered_count: Count


class PlannedMonth(Result):
    """A month of a resource as planned: means over scenarios and hours."""

    owned_count: Real
    committed_count: Real
    owned_used_count: Real
    committed_used_count: Real
    on_demand_count: Real
    spot_count: Real
    unmet_count: Real
    demand_mean_count: Real
    demand_low_count: Real
    demand_high_count: Real


class PlannedResource(Result):
    """Another resource by the month."""

    unit: str
    months: tuple[PlannedMonth, ...]


class ResourceFill(Result):
    """A resource of several: in how many months it is the fullest, and how full it gets.

    ``most_fraction`` is the busiest hour's demand over what is owned and committed, in ``month``.
    """

    unit: str
    fullest_months_count: Count
    months_count: Count
    most_fraction: Real
    month: Count


class QuarterCash(Result):
    """Money that is called in a quarter, not discounted."""

    machines_usd: Real
    upkeep_usd: Real
    committed_usd: Real
    rented_usd: Real
    beside_usd: Real
    budget_left_usd: Real | None


class SiteUse(Result):
    """A limit of the site: how full it gets, and what one more unit of it is worth."""

    limit: str
    unit: str
    reached_month: Count | None
    most_fraction: Real
    worth_usd: Real


class KnownWorth(Result):
    """What it is worth to know one unknown before deciding anything."""

    unknown: str
    worth_usd: Real


class MovedInput(Result):
    """An input, and what the plan that is made for its ends costs."""

    pointer: str
    label: str
    unit: str
    value: Real
    low: Real
    high: Real
    at_low_usd: Real
    at_high_usd: Real


class PurchasePlanResult(Told):
    """The plan, its cost beside other ways, and what knowing more is worth."""

    expected_usd: Real
    bound_usd: Real
    gap_fraction: Real
    p10_usd: Real
    p90_usd: Real
    scenarios_count: Count
    orders: tuple[Order, ...]
    commitments: tuple[StartedCommitment, ...]
    all_rented_usd: Real | None
    all_owned_usd: Real | None
    perfect_usd: Real | None
    mean_plan_usd: Real | None
    redecided_usd: Real | None
    redecided_gap_fraction: Real | None
    later_usd: Real | None
    next_best_usd: Real | None
    next_best_orders: tuple[Order, ...]
    unmet_hours_mean_h: Real
    unmet_hours_worst_h: Real
    months: tuple[PlannedMonth, ...]
    others: tuple[PlannedResource, ...]
    binding: tuple[ResourceFill, ...] = ()
    quarters: tuple[QuarterCash, ...]
    site: tuple[SiteUse, ...]
    known: tuple[KnownWorth, ...]
    moving: tuple[MovedInput, ...]
    before_usd: Real | None
    moved: tuple[MovedOrder, ...]
