"""Share the cost of a cluster among the projects that used it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, field_validator

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
    refusal,
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


class Project(Params):
    """What one project used in the period."""

    title: str = Field(min_length=1, max_length=200, description="Its name.")
    used_core_h: CoreH = Field(description="Core-hours used.")
    stored_tb_months: TbMonths = Field(description="Data stored, in terabytes times months.")


class ShowbackParams(Params):
    """Cost of the period, and its projects."""

    compute_usd: Usd = assumed(
        6_000.0, "Cost of computing in the period: nodes, energy, space, staff."
    )
    storage_usd: Usd = assumed(2_500.0, "Cost of storage in the period.")
    projects: tuple[Project, ...] = Field(
        min_length=1, max_length=10_000, description="What each project used."
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


class ProjectCost(Result):
    """What one project costs; ``printed_usd`` is to the cent and adds up."""

    title: str
    compute_usd: Usd
    storage_usd: Usd
    total_usd: Usd
    printed_usd: Usd
    share_fraction: ShareFraction


class ShowbackResult(Result):
    """The cost by project and what no project used; they add up to the total."""

    total_usd: Usd
    core_h_usd: UsdPerCoreH | None
    tb_month_usd: UsdPerTbMonth | None
    projects: tuple[ProjectCost, ...]
    unused_compute_usd: Usd
    unused_storage_usd: Usd
    unused_printed_usd: Usd
    reason: Literal["used_above_capacity"] | None


def _offered(used: float, capacity: float | None) -> float:
    # More used than offered: the offer was counted too low, so spread over the use.
    return used if capacity is None else max(used, capacity)


def _over(used: float, capacity: float | None) -> bool:
    return capacity is not None and used > capacity


def _run(params: ShowbackParams, _context: Context) -> ShowbackResult:
    used_core_h = math.fsum(project.used_core_h for project in params.projects)
    used_tb = math.fsum(project.stored_tb_months for project in params.projects)
    core_h_usd = unit_usd(
        cost_usd=params.compute_usd, quantity=_offered(used_core_h, params.capacity_core_h)
    )
    tb_month_usd = unit_usd(
        cost_usd=params.storage_usd, quantity=_offered(used_tb, params.capacity_tb_months)
    )
    costs = [
        (
            project.used_core_h * (core_h_usd or 0.0),
            project.stored_tb_months * (tb_month_usd or 0.0),
        )
        for project in params.projects
    ]
    total = params.compute_usd + params.storage_usd
    idle = max(0.0, params.compute_usd - math.fsum(compute for compute, _ in costs))
    empty = max(0.0, params.storage_usd - math.fsum(storage for _, storage in costs))
    cents = printed_cents([*(math.fsum(cost) for cost in costs), idle + empty])
    over = _over(used_core_h, params.capacity_core_h) or _over(used_tb, params.capacity_tb_months)
    return ShowbackResult(
        total_usd=total,
        core_h_usd=core_h_usd,
        tb_month_usd=tb_month_usd,
        projects=tuple(
            ProjectCost(
                title=project.title,
                compute_usd=compute,
                storage_usd=storage,
                total_usd=compute + storage,
                printed_usd=cent / _CENTS,
                share_fraction=(compute + storage) / total if total > 0 else 0.0,
            )
            for project, (compute, storage), cent in zip(
                params.projects, costs, cents[:-1], strict=True
            )
        ),
        unused_compute_usd=idle,
        unused_storage_usd=empty,
        unused_printed_usd=cents[-1] / _CENTS,
        reason="used_above_capacity" if over else None,
    )


def _all_used() -> JSONDict:
    used = Project(title="All", used_core_h=384 * 8760 * 3 * 0.25, stored_tb_months=0.0)
    return {"compute_usd": 476_000.0, "storage_usd": 0.0, "projects": (used,)}


def _all_used_core_h_usd() -> float:
    params = ShowbackParams.model_validate(_all_used())
    return _run(params, Context()).core_h_usd or 0.0


SPEC = ModelSpec(
    id="cost.showback",
    version="1.0.0",
    title="Showback",
    summary="What each project costs, by its core-hours and terabyte-months, with idle "
    "capacity spread over the projects or shown apart; the cents add up.",
    params=ShowbackParams,
    result=ShowbackResult,
    run=_run,
    points=lambda params: len(params.projects),
    citations=(Citation(text="Proportional sharing; the check is Zaranek et al. 2008"),),
    formulas=(
        Formula(
            "core_h",
            "price of a core-hour = compute cost / core-hours used (or offered)",
            "definition",
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
    ),
    limits=(
        "Two prices for all: memory, GPUs and transfer are not told apart.",
        "Without a capacity, projects that compute little pay for idle time by their share.",
    ),
)
