"""Share the cost of a cluster among the projects that used it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, field_validator, model_validator

from capmodels.rounding import whole_parts
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    derived_check,
    preset,
    refusal,
    refusals,
)
from capmodels.units import Real, Usd, of_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

CoreH = Annotated[Real, of_unit("core-h", ge=0)]
TbMonths = Annotated[Real, of_unit("TB-month", ge=0)]
UsdPerCoreH = Annotated[Real, of_unit("USD/core-h", ge=0)]
UsdPerTbMonth = Annotated[Real, of_unit("USD/TB-month", ge=0)]
ShareFraction = Annotated[Real, of_unit("fraction", ge=0, le=1 + 1e-9)]

_CENTS = 100


def unit_usd(*, cost_usd: float, quantity: float) -> float | None:
    """Cost of one unit of what was used or offered; None when there is none. [USD]"""
    return cost_usd / quantity if quantity > 0 else None


def printed_cents(amounts_usd: Sequence[float]) -> list[int]:
    """Round amounts to cents so that they add up to their rounded total. [cents]

    By largest remainder: each amount is cut to cents, and the cents still missing go to
    the amounts that lost most, earlier ones first.

    >>> printed_cents([10 / 3, 10 / 3, 10 / 3])
    [334, 333, 333]
    """
    exact = [amount * _CENTS for amount in amounts_usd]
    return whole_parts(exact, math.fsum(exact))


def cleared(
    bids: Sequence[tuple[float, float]], *, offered_core_h: float, least_usd: float
) -> tuple[float, tuple[float, ...]]:
    """Sell core-hours to the highest bids, all at one price: an auction of many equal goods.

    Parameters
    ----------
    bids : sequence of (float, float)
        Core-hours that each asks for, and the most that it pays for one. [core-h, USD/core-h]
    offered_core_h : float
        What there is to sell. [core-h]
    least_usd : float
        Bids below it are refused. [USD/core-h]

    Returns
    -------
    float, tuple of float
        The price, the highest bid that was not served whole, or ``least_usd`` where all were; and
        the core-hours of each bid, earlier ones first among equals. [USD/core-h, core-h]

    References
    ----------
    W. Vickrey, Counterspeculation, Auctions, and Competitive Sealed Tenders, Journal of Finance
    16(1), 1961, section IV.

    Examples
    --------
    >>> cleared([(100.0, 0.05), (60.0, 0.03), (80.0, 0.02)], offered_core_h=150.0, least_usd=0.02)
    (0.03, (100.0, 50.0, 0.0))
    """
    price, left, served = least_usd, offered_core_h, [0.0] * len(bids)
    for at in sorted(range(len(bids)), key=lambda at: -bids[at][1]):
        wanted, bid = bids[at]
        if bid < least_usd:
            break
        served[at] = min(wanted, left)
        left -= served[at]
        if served[at] < wanted:
            price = bid
            break
    return price, tuple(served)


class Project(Params):
    """What one project used in the period."""

    title: str = Field(min_length=1, max_length=200, description="Its name.")
    used_core_h: CoreH = Field(description="Core-hours used.")
    stored_tb_months: TbMonths = Field(description="Data stored, in terabytes times months.")
    bid_usd_per_core_h: UsdPerCoreH | None = blank(
        "Most that it pays for a core-hour in a market, in which it asks for those used."
    )


class ShowbackParams(Params):
    """Cost of the period, and its projects."""

    compute_usd: Usd = assumed(
        6_000.0, "Cost of computing in the period: nodes, energy, space, staff."
    )
    storage_usd: Usd = assumed(2_500.0, "Cost of storage in the period.")
    projects: tuple[Project, ...] = Field(
        min_length=1, max_length=10_000, description="What each project used."
    )
    rule: Literal["proportional", "market"] = preset(
        "proportional",
        "proportional: by use. market: core-hours go to the highest bids, all at the price of the "
        "highest bid that is not served whole, and at no less than an offered one costs.",
    )
    capacity_core_h: Annotated[Real, of_unit("core-h", gt=0)] | None = blank(
        "Core-hours offered, if idle time is shown apart."
    )
    capacity_tb_months: Annotated[Real, of_unit("TB-month", gt=0)] | None = blank(
        "Storage offered, if empty space is shown apart."
    )

    @field_validator("projects")
    @classmethod
    def _titles_differ(cls, value: tuple[Project, ...]) -> tuple[Project, ...]:
        titles: set[str] = set()
        for index, project in enumerate(value):
            if project.title in titles:
                raise refusal(
                    "repeated", f"There are two projects {project.title!r}.", at=(index, "title")
                )
            titles.add(project.title)
        return value

    @model_validator(mode="after")
    def _has_what_a_market_needs(self) -> ShowbackParams:
        if self.rule != "market":
            return self
        missing: list[tuple[str, str, tuple[int | str, ...]]] = [
            ("bid_missing", f"Enter what {one.title} bids.", ("projects", at, "bid_usd_per_core_h"))
            for at, one in enumerate(self.projects)
            if one.bid_usd_per_core_h is None
        ]
        if self.capacity_core_h is None:
            text = "Enter the core-hours offered: a market sells them."
            missing.append(("capacity_missing", text, ("capacity_core_h",)))
        if missing:
            raise refusals(missing)
        return self


class ProjectCost(Result):
    """What one project costs; ``printed_usd`` is to the cent and adds up."""

    title: str
    core_h: CoreH = Field(description="Core-hours that it gets.")
    compute_usd: Usd
    storage_usd: Usd
    total_usd: Usd
    printed_usd: Usd
    share_fraction: ShareFraction


class ShowbackResult(Result):
    """The cost by project and what no project used; less any surplus they add up to the total."""

    total_usd: Usd
    core_h_usd: UsdPerCoreH | None
    tb_month_usd: UsdPerTbMonth | None
    projects: tuple[ProjectCost, ...]
    unused_compute_usd: Usd
    unused_storage_usd: Usd
    unused_printed_usd: Usd
    surplus_usd: Usd = Field(description="Paid in a market beyond what computing costs.")
    reason: Literal["used_above_capacity"] | None


def _offered(used: float, capacity: float | None) -> float:
    # More used than offered: the offer was counted too low, so spread over the use.
    return used if capacity is None else max(used, capacity)


def _over(used: float, capacity: float | None) -> bool:
    return capacity is not None and used > capacity


def _computing(params: ShowbackParams) -> tuple[float | None, tuple[float, ...]]:
    """Price of a core-hour, and how many each project gets. [USD/core-h, core-h]"""
    used = tuple(project.used_core_h for project in params.projects)
    if params.rule == "market" and params.capacity_core_h is not None:
        bids = [(one.used_core_h, one.bid_usd_per_core_h or 0.0) for one in params.projects]
        least = params.compute_usd / params.capacity_core_h
        return cleared(bids, offered_core_h=params.capacity_core_h, least_usd=least)
    offered = _offered(math.fsum(used), params.capacity_core_h)
    return unit_usd(cost_usd=params.compute_usd, quantity=offered), used


def _run(params: ShowbackParams, _context: Context) -> ShowbackResult:
    core_h_usd, core_h = _computing(params)
    used_tb = math.fsum(project.stored_tb_months for project in params.projects)
    tb_month_usd = unit_usd(
        cost_usd=params.storage_usd, quantity=_offered(used_tb, params.capacity_tb_months)
    )
    costs = [
        (hours * (core_h_usd or 0.0), project.stored_tb_months * (tb_month_usd or 0.0))
        for project, hours in zip(params.projects, core_h, strict=True)
    ]
    total = params.compute_usd + params.storage_usd
    left = params.compute_usd - math.fsum(compute for compute, _ in costs)
    idle, surplus = max(0.0, left), max(0.0, -left) if params.rule == "market" else 0.0
    empty = max(0.0, params.storage_usd - math.fsum(storage for _, storage in costs))
    cents = printed_cents([*(math.fsum(cost) for cost in costs), idle + empty])
    over = _over(math.fsum(core_h), params.capacity_core_h)
    over |= _over(used_tb, params.capacity_tb_months)
    return ShowbackResult(
        total_usd=total,
        core_h_usd=core_h_usd,
        tb_month_usd=tb_month_usd,
        projects=tuple(
            ProjectCost(
                title=project.title,
                core_h=hours,
                compute_usd=compute,
                storage_usd=storage,
                total_usd=compute + storage,
                printed_usd=cent / _CENTS,
                share_fraction=(compute + storage) / (total + surplus) if total > 0 else 0.0,
            )
            for project, hours, (compute, storage), cent in zip(
                params.projects, core_h, costs, cents[:-1], strict=True
            )
        ),
        unused_compute_usd=idle,
        unused_storage_usd=empty,
        unused_printed_usd=cents[-1] / _CENTS,
        surplus_usd=surplus,
        reason="used_above_capacity" if over else None,
    )


def _all_used() -> JSONDict:
    used = Project(title="All", used_core_h=384 * 8760 * 3 * 0.25, stored_tb_months=0.0)
    return {"compute_usd": 476_000.0, "storage_usd": 0.0, "projects": (used,)}


def _all_used_core_h_usd() -> float:
    params = ShowbackParams.model_validate(_all_used())
    return _run(params, Context()).core_h_usd or 0.0


def _sold() -> JSONDict:
    """Two projects ask for all the core-hours of the 48 nodes, which cost what they cost."""
    offered = 384 * 8760 * 3.0
    bids = (("Genomes", 0.6, 0.20), ("Images", 0.6, 0.10))
    return {
        "rule": "market",
        "compute_usd": 476_000.0,
        "storage_usd": 0.0,
        "capacity_core_h": offered,
        "projects": tuple(
            Project(
                title=title,
                used_core_h=share * offered,
                stored_tb_months=0.0,
                bid_usd_per_core_h=bid,
            )
            for title, share, bid in bids
        ),
    }


def _surplus_usd() -> float:
    return _run(ShowbackParams.model_validate(_sold()), Context()).surplus_usd


SPEC = ModelSpec(
    id="cost.showback",
    version="1.1.0",
    title="Showback",
    summary="What each project costs, by its core-hours and terabyte-months, with idle "
    "capacity spread over the projects or shown apart, or core-hours sold to the highest bids; the "
    "cents add up.",
    params=ShowbackParams,
    result=ShowbackResult,
    run=_run,
    points=lambda params: len(params.projects),
    citations=(
        Citation(text="Proportional sharing; the check is Zaranek et al. 2008"),
        Citation(
            text="W. Vickrey, Counterspeculation, Auctions, and Competitive Sealed Tenders, "
            "Journal of Finance 16(1), 1961",
            url="https://doi.org/10.1111/j.1540-6261.1961.tb02789.x",
        ),
    ),
    formulas=(
        Formula(
            "core_h",
            "price of a core-hour = compute cost / core-hours used (or offered)",
            "definition",
        ),
        Formula(
            "market",
            "price of a core-hour = highest bid not served whole, at least compute cost / offered",
            "Vickrey 1961; the market that Zaranek et al. 2008, section 5, leave to the future",
        ),
        Formula("project", "project = core-hours * price + TB-months * price", "definition"),
    ),
    checks=(
        derived_check(
            "S14c",
            "A used core-hour of the 48 nodes at 25%, three years",
            0.189,
            _all_used_core_h_usd,
            source="Zaranek et al. 2008, section 2.1",
            tolerance=0.0005,
            unit="USD/core-h",
            params=_all_used,
            tests="cost.showback.ShowbackParams.compute_usd",
        ),
        derived_check(
            "market",
            "All hours of the 48 nodes sold, two projects of 60% at $0.20 and $0.10: surplus",
            533_152.0,
            _surplus_usd,
            source="384 cores x 26,280 h x $0.10 less the $476,000 of Zaranek et al. 2008",
            tolerance=0.5,
            unit="USD",
            params=_sold,
            tests="cost.showback.Project.bid_usd_per_core_h",
        ),
    ),
    limits=(
        "A market sells core-hours of one kind once, by bids as entered: no project bids anew, and "
        "idle hours have no price of their own. Storage is shared by use.",
        "Two prices for all: memory, GPUs and transfer are not told apart.",
        "Without a capacity, projects that compute little pay for idle time by their share.",
    ),
)
