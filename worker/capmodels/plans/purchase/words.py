"""What a plan of purchases says: its headline, notes, tables and figures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from capmodels.numbers import MONTHS, Currency, counted, day, money, percent, significant, span
from capmodels.plans.purchase.params import NOW
from capmodels.told import Axis, Figure, Series, Table, TableRow, column, facts, listed
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from capmodels.plans.purchase.params import PurchasePlanParams
    from capmodels.plans.purchase.result import (
        KnownWorth,
        MovedInput,
        MovedOrder,
        Order,
        PlannedMonth,
        PlannedResource,
        QuarterCash,
        ResourceFill,
        SiteUse,
        StartedCommitment,
    )

_QUARTER = 3
_LIMITS = {"machines_count": ("Machines", ""), "power_kw": ("Power", "kW"),
           "rack_units_count": ("Rack units", "U")}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was computed, before it is worded."""

    params: PurchasePlanParams
    expected_usd: float
    gap_fraction: float
    p10_usd: float
    p90_usd: float
    orders: tuple[Order, ...]
    commitments: tuple[StartedCommitment, ...]
    all_rented_usd: float | None
    all_owned_usd: float | None
    perfect_usd: float | None
    perfect_tried: int
    perfect_most_usd: float | None
    mean_plan_usd: float | None
    redecided_usd: float | None
    redecided_gap: float | None
    later_usd: float | None
    next_best_usd: float | None
    next_best_orders: tuple[Order, ...]
    unmet_mean_h: float
    unmet_worst_h: float
    scenarios: int
    months: tuple[PlannedMonth, ...]
    others: tuple[PlannedResource, ...]
    binding: tuple[ResourceFill, ...]
    quarters: tuple[QuarterCash, ...]
    site: tuple[SiteUse, ...]
    known: tuple[KnownWorth, ...]
    moving: tuple[MovedInput, ...]
    before_usd: float | None
    moved: tuple[MovedOrder, ...]
    # Mean demand of the months that have passed, as it was expected.
    before_mean: tuple[float, ...]

    @property
    def ahead(self) -> tuple[Order, ...]:
        """Orders that are still to be placed."""
        return tuple(order for order in self.orders if not order.placed)

    @property
    def begun(self) -> tuple[StartedCommitment, ...]:
        """Commitments that are still to be started."""
        return tuple(each for each in self.commitments if not each.placed)

    @property
    def proved_usd(self) -> float:
        """How much cheaper another plan may be: smaller differences are none. [USD]"""
        return self.gap_fraction * abs(self.expected_usd)

    @property
    def currency(self) -> Currency:
        """The currency that amounts are written in."""
        return self.params.currency.shown

    def money(self, usd: float | None) -> str:
        """An amount as a table has it."""
        return money(usd, self.currency)

    def in_words(self, usd: float) -> str:
        """An amount as a sentence has it."""
        return money(usd, self.currency, in_words=True)


def month_name(params: PurchasePlanParams, month: int) -> str:
    """A month by its name where the plan has a calendar, else by its number."""
    if params.first_month is None:
        return "now" if month == 0 else f"month {month}"
    year, first = (int(part) for part in params.first_month.split("-"))
    years, place = divmod(first - 1 + month, MONTHS_PER_YEAR)
    return f"{MONTHS[place]} {year + years}"


def _when(params: PurchasePlanParams, month: int) -> str:
    name = month_name(params, month)
    return name if name == "now" else f"in {name}"


def _months_said(params: PurchasePlanParams, months: Sequence[int]) -> str:
    """Months in a row of words, each year once: now, Mar and Jun 2027 and Mar 2028."""
    if params.first_month is None:
        after = [str(month) for month in months if month]
        said = ["now"] if 0 in months else []
        if after:
            said.append(f"in {'month' if len(after) == 1 else 'months'} {listed(after)}")
        return listed(said)
    by_year: dict[str, list[str]] = {}
    for month in months:
        name, year = month_name(params, month).split(" ")
        by_year.setdefault(year, []).append(name)
    return f"in {listed([f'{listed(names)} {year}' for year, names in by_year.items()])}"


# Names that end so have a plural; of others, such as those of products, so many times one stand.
_PLURAL = ("node", "server", "machine", "host")


def _many(count: int, name: str) -> str:
    """How many of a machine: 9 Nodes, 9 × R760 256 GiB."""
    return counted(count, name) if name.lower().endswith(_PLURAL) else f"{count:,} × {name}"


def latest_day(params: PurchasePlanParams, month: int) -> str:
    """Latest day to order in a month: its first, on which its payments fall due."""
    if params.first_month is None:
        return month_name(params, month)
    years, place = divmod(int(params.first_month[5:]) - 1 + month, MONTHS_PER_YEAR)
    return day(date(int(params.first_month[:4]) + years, place + 1, 1))


def orders_said(params: PurchasePlanParams, orders: Sequence[Order]) -> str:
    """What is ordered when, in the words of a sentence: alike orders in a row together."""
    if not orders:
        return "order nothing"
    runs: list[tuple[str, int, list[int]]] = []
    for order in orders:
        what = order.machine, order.ordered_count
        if runs and runs[-1][:2] == what:
            runs[-1][2].append(order.month)
        else:
            runs.append((*what, [order.month]))
    parts, named = [], ""
    for machine, count, months in runs:
        # What it is stands once, until it is another.
        many = f"{count:,}" if machine == named else _many(count, machine)
        each = " each" if len(months) > 1 else ""
        parts.append(f"{many}{each} {_months_said(params, months)}")
        named = machine
    # Months in a row have an and of their own.
    return f"order {', '.join(parts) if len(runs) < len(orders) else listed(parts)}"


def _committed_said(answer: Answer) -> str:
    parts = [
        f"{significant(each.committed_count)} {each.unit} ({each.commitment}) "
        f"{_when(answer.params, each.month)}"
        for each in answer.begun[:4]
    ]
    more = len(answer.begun) - len(parts)
    tail = f" and {more} more" if more > 0 else ""
    return f"commit {listed(parts)}{tail}" if parts else "commit nothing"


def headline(answer: Answer) -> str:
    """What to do, what it costs, and what knowing more is worth."""
    said = f"{orders_said(answer.params, answer.ahead)}; {_committed_said(answer)}"
    if answer.params.today:
        said = f"from {month_name(answer.params, answer.params.today)} on {said}"
    rest = ""
    if answer.params.on_demand is not None:
        fixed = math.fsum(each.owned_used_count + each.committed_used_count
                          for each in answer.months)  # fmt: skip
        total = math.fsum(each.demand_mean_count for each in answer.months)
        if total - fixed > 1e-9 * total:
            rest = "; rent the peaks" if fixed > total / 2 else "; rent the rest"
    said = f"{said[0].upper()}{said[1:]}{rest}"
    ends = span(answer.p10_usd, answer.p90_usd, "USD", answer.currency)
    found = f"**{said}: {answer.in_words(answer.expected_usd)} expected** (P10–P90 {ends})"
    if answer.all_rented_usd is not None and (answer.orders or answer.commitments):
        below = answer.all_rented_usd - answer.expected_usd
        rest = " else" if answer.params.placed_orders or answer.params.placed_commitments else ""
        found += f", {answer.in_words(below)} below renting all{rest}"
    found += "."
    worth = []
    if answer.redecided_usd is not None:
        waiting = max(0.0, answer.expected_usd - answer.redecided_usd)
        said = answer.in_words(waiting)
        if waiting <= answer.proved_usd:
            # Both plans are known to a gap alone, so that the difference is no figure.
            gap = (answer.redecided_gap or 0.0) * answer.redecided_usd
            said = f"{answer.in_words(waiting + gap)} at most"
        worth.append(f"{_learnt(answer.params)} is worth {said}")
    if answer.perfect_most_usd is not None and answer.scenarios > 1:
        most = answer.in_words(max(0.0, answer.perfect_most_usd))
        worth.append(
            f"no forecast, however good, more than {most}"
            if worth
            else f"No forecast, however good, is worth more than {most}"
        )
    return f"{found} {'; '.join(worth)}." if worth else found


def _learnt(params: PurchasePlanParams) -> str:
    """What the reviews of a plan bring, as the subject of a sentence."""
    first = params.reviews[0]
    if len(params.reviews) > 1 or first.reveals != "everything":
        return "Deciding again at the reviews"
    what = "how demand grows" if params.demand.level.kind == "grown" else "the course of demand"
    return f"Knowing from {month_name(params, first.month)} on {what}"


def notes(answer: Answer) -> tuple[str, ...]:
    """How sure the plan is, what comes next to it, and what is short."""
    params = answer.params
    found = [
        f"No plan can cost less than {percent(1.0 - answer.gap_fraction)} of this one."
        if answer.gap_fraction > 1e-6
        else "No other plan costs less: proved."
    ]
    found += _binding_said(answer)
    if params.first_month is None and (answer.ahead or answer.begun):
        found.append("Months are counted from the plan's first. Enter which it is, and the order "
                     "list has days.")  # fmt: skip
    if answer.before_usd is not None:
        found.append(_moved_said(answer))
    if params.held_machines:
        kept = [f"{each.count} {each.name} until {month_name(params, each.until_month)}"
                for each in params.held_machines]  # fmt: skip
        found.append(f"Kept until they are taken out: {listed(kept)}.")
    spare = [_many(each.spare_count, each.name) for each in params.machines if each.spare_count]
    if spare and answer.orders:
        found.append(f"Beside the orders {listed(spare)} to spare, with the first of them; what "
                     "they cost is in other costs.")  # fmt: skip
    if answer.later_usd is not None:
        later = answer.later_usd - answer.expected_usd
        found.append(f"Beginning a month later costs {answer.in_words(later)} more."
                     if later > answer.proved_usd else
                     "Beginning a month later costs no more, within what is proved.")  # fmt: skip
    if answer.next_best_usd is not None:
        dearer = answer.next_best_usd - answer.expected_usd
        ahead = [order for order in answer.next_best_orders if not order.placed]
        said = orders_said(params, ahead)
        much = f"{answer.in_words(dearer)} more"
        if dearer <= answer.proved_usd:
            much = "as cheap within what is proved"
        found.append(f"Next best, {much}: {said}.")
    if answer.unmet_worst_h > 0:
        found.append(
            f"Demand is left unmet in {significant(answer.unmet_mean_h)} hours on average, in "
            f"{significant(answer.unmet_worst_h)} in the worst scenario."
        )
    found += [
        f"{_LIMITS[each.limit][0]} of the site: full from {month_name(params, each.reached_month)}"
        f" on; one more {each.unit or 'machine'} would save {answer.in_words(each.worth_usd)}."
        for each in answer.site
        if each.reached_month is not None and each.worth_usd > 0
    ]
    if answer.known and answer.scenarios > 1:
        best = max(answer.known, key=lambda each: each.worth_usd)
        what = f"{best.unknown[0].lower()}{best.unknown[1:]}"
        measured = "measuring it is worth " if best.unknown == NOW else ""
        found.append(
            f"Most worth knowing first: {what}, {measured}up to {answer.in_words(best.worth_usd)}."
        )
    if answer.perfect_tried not in {0, answer.scenarios}:
        found.append(
            f"What a forecast can be worth is of {answer.perfect_tried} of "
            f"{answer.scenarios:,} scenarios, evenly spread."
        )
    if answer.redecided_gap is not None and answer.redecided_gap > 1e-4:
        found.append(
            f"The plan that is decided again is proved to {percent(answer.redecided_gap)}."
        )
    return tuple(found)


def _binding_said(answer: Answer) -> list[str]:
    """Which of several resources is the fullest, and in how many months."""
    if not answer.binding:
        return []
    binding = sorted(answer.binding, key=lambda each: -each.fullest_months_count)
    months = counted(binding[0].months_count, "month")
    parts = [
        f"{each.unit} in {each.fullest_months_count}"
        for each in binding
        if each.fullest_months_count
    ]
    if len(parts) == 1:
        rest = [f"{each.unit} come to {percent(each.most_fraction)} of what is owned and committed "
                "at most" for each in binding[1:]]  # fmt: skip
        return [f"The constraint is {binding[0].unit}, in each month with own or committed "
                f"capacity; {listed(rest)}."]  # fmt: skip
    return [f"The constraint: of {months} with own or committed capacity {listed(parts)}."]


def _binding_table(answer: Answer) -> Table:
    return Table(
        title="Which resource is the constraint",
        columns=("", "Constraint in", "Most used", "In"),
        rows=tuple(
            TableRow(
                head=f"{each.unit[:1].upper()}{each.unit[1:]}",
                cells=(
                    f"{each.fullest_months_count} of {counted(each.months_count, 'month')}",
                    percent(each.most_fraction),
                    month_name(answer.params, each.month),
                ),
                is_best=each.fullest_months_count
                == max(one.fullest_months_count for one in answer.binding),
            )
            for each in answer.binding
        ),
        note="Most used: expected demand of the busiest hour over what is owned and committed; "
        "what is above 100% is rented. The fullest of a month is the constraint.",
    )


def _moved_said(answer: Answer) -> str:
    """What demand did against the plan, and what that moves."""
    params, last = answer.params, answer.params.today - 1
    was, expected = params.actual_mean_count[last], answer.before_mean[last]
    unit = params.demand.unit
    found = f"Demand was {significant(was)} {unit} in {month_name(params, last)}"
    if math.isclose(was, expected, rel_tol=1e-6):
        found += ", as expected"
    elif expected > 0:
        way = "above" if was >= expected else "below"
        found += (
            f", {percent(abs(was / expected - 1.0))} {way} the {significant(expected)} expected"
        )
    ahead = sum(each.month >= params.today for each in answer.moved)
    more = answer.expected_usd - (answer.before_usd or 0.0)
    cost = f"the whole costs {answer.in_words(abs(more))} {'more' if more >= 0 else 'less'}"
    orders = "No order moves" if ahead == 0 else f"{counted(ahead, 'order')} moved"
    return f"{found}. {orders}; {cost} than planned before."


def _moved_table(answer: Answer) -> Table:
    return Table(
        title="What moved",
        columns=("Order by", "Machine", "Planned before", "Now"),
        rows=tuple(
            TableRow(
                head=latest_day(answer.params, each.month),
                cells=(
                    each.machine,
                    f"{each.before_count:,}",
                    f"{each.ordered_count:,}"
                    + (", placed" if each.month < answer.params.today else ""),
                ),
            )
            for each in answer.moved
        ),
        note="Beside the plan of the same question before anything of what happened was known.",
    )


def _moving_table(answer: Answer) -> Table:
    """What the plan costs when it is made for the ends of each input."""

    def said(each: MovedInput, value: float) -> str:
        if each.unit.startswith("USD"):
            return f"{answer.money(value)}{each.unit.removeprefix('USD')}"
        return percent(value) if each.unit.startswith("fraction") else significant(value)

    return Table(
        title="What moves the plan",
        columns=("Input", "Low", "High", "Cost at low", "Cost at high"),
        rows=tuple(
            TableRow(
                head=each.label,
                cells=(
                    said(each, each.low), said(each, each.high),
                    answer.money(each.at_low_usd), answer.money(each.at_high_usd),
                ),
            )
            for each in answer.moving
        ),
        note="Expected cost of the plan made for each end, the input then known. Ends are those of "
        "its range, else a quarter, of growth ten points, either way.",
    )  # fmt: skip


def _beside(answer: Answer) -> Table:
    lines = (
        ("This plan", answer.expected_usd),
        ("Decided again at reviews", answer.redecided_usd),
        ("All known before", answer.perfect_usd),
        ("Made for the mean demand", answer.mean_plan_usd),
        ("Begun a month later", answer.later_usd),
        ("Next best plan", answer.next_best_usd),
        ("All rented", answer.all_rented_usd),
        ("All owned", answer.all_owned_usd),
    )
    rows = []
    for name, cost in lines:
        more = None if cost is None else cost - answer.expected_usd
        rows.append(
            TableRow(
                head=name,
                cells=(answer.money(cost), "" if name == "This plan" else answer.money(more)),
                is_best=name == "This plan",
            )
        )
    return Table(
        title="Expected cost beside other ways",
        columns=("", "Present value", "More than this plan"),
        rows=tuple(rows),
        note="All of the same scenarios. A way that cannot meet demand or its limits has no cost.",
    )


def tables(answer: Answer) -> tuple[Table, ...]:
    """The order list, commitments, other ways, limits, and what knowing is worth."""
    params = answer.params
    found = [
        Table(
            title="Orders",
            columns=("Order by", "Machine", "How many", "There from", "Paid on arrival",
                     *(("Sized by",) if answer.others else ()), "Trigger"),
            rows=tuple(
                TableRow(
                    head=latest_day(params, order.month),
                    cells=(
                        order.machine,
                        f"{order.ordered_count:,}",
                        month_name(params, order.arrives_month),
                        answer.money(order.paid_usd),
                        *((order.trigger_unit,) if answer.others else ()),
                        "placed" if order.placed else "" if order.month == params.today else
                        f"when p95 passes {significant(order.trigger_p95_count)} "
                        f"{order.trigger_unit}",
                    ),
                )
                for order in answer.orders
            ),
            note="Order by: the latest day, a lead time before they are there. The trigger is the "
            "95th percentile of an hour's demand that the plan expects in the month of the order: "
            "where it is passed sooner, order sooner."
            + (" Sized by: the resource that most of them are needed for." if answer.others else "")
        )
    ]  # fmt: skip
    if answer.moved:
        found.append(_moved_table(answer))
    if answer.commitments:
        found.append(
            Table(
                title="Commitments",
                columns=("Start", "Term", "How much", "Until", "Paid over the term"),
                rows=tuple(
                    TableRow(
                        head=month_name(params, each.month),
                        cells=(
                            each.commitment,
                            f"{significant(each.committed_count)} {each.unit}",
                            month_name(params, each.ends_month),
                            answer.money(each.paid_usd),
                        ),
                    )
                    for each in answer.commitments
                ),
            )
        )
    if answer.binding:
        found.append(_binding_table(answer))
    found.append(_cash_table(answer))
    found.append(_beside(answer))
    if answer.site:
        found.append(
            Table(
                title="Limits",
                columns=("", "Most used", "Full from", "One more is worth"),
                rows=tuple(
                    TableRow(
                        head=_LIMITS[each.limit][0],
                        cells=(
                            percent(each.most_fraction),
                            "—" if each.reached_month is None
                            else month_name(params, each.reached_month),
                            f"{answer.money(each.worth_usd)} a {each.unit or 'machine'}",
                        ),
                    )
                    for each in answer.site
                ),
                note="Worth of one more unit over the whole plan, by the relaxation of the "
                "program: whole machines may need several.",
            )
        )  # fmt: skip
    if answer.known:
        worths = sorted(answer.known, key=lambda each: -each.worth_usd)
        lines = [(each.unknown, answer.money(each.worth_usd)) for each in worths]
        found.append(facts("What knowing is worth, at most", lines))
    if answer.moving:
        found.append(_moving_table(answer))
    return tuple(found)


def _series(name: str, values: Iterable[float], **more: object) -> Series:
    kept = tuple(values)
    return Series.model_validate(
        {"name": name, "values": kept, "at": tuple(map(float, range(len(kept)))), **more}
    )


def _months_axis(params: PurchasePlanParams) -> Axis:
    every = 6 if params.months_count <= 60 else MONTHS_PER_YEAR
    ticks = range(0, params.months_count, every)
    said = tuple(month_name(params, month).removeprefix("month ") for month in ticks)
    return Axis(title="Months" if params.first_month is None else "", unit="count",
                ticks=tuple(map(float, ticks)), ticks_said=said)  # fmt: skip


def figures(answer: Answer) -> tuple[Figure, ...]:
    """Capacity against demand, who carries it, of each resource; and cash by the quarter."""
    found = list(_of_resource(answer, answer.params.demand.unit, answer.months))
    for other in answer.others:
        found += _of_resource(answer, other.unit, other.months)
    return (*found, _cash(answer))


def _of_resource(answer: Answer, unit: str, months: Sequence[PlannedMonth]) -> tuple[Figure, ...]:
    params = answer.params
    of = f" of {unit}" if answer.others else ""
    axis = _months_axis(params)
    names = tuple(month_name(params, month) for month in range(len(months)))
    owned = [each.owned_count for each in months]
    both = [each.owned_count + each.committed_count for each in months]
    series = [
        _series(
            "Demand", (each.demand_mean_count for each in months), names=names, role="actual",
            low=tuple(each.demand_low_count for each in months),
            high=tuple(each.demand_high_count for each in months),
        ),
        _series("Owned", owned, style="steps"),
    ]  # fmt: skip
    if max(both) > max(owned, default=0.0) or answer.commitments:
        series.append(_series("Owned and committed", both, style="steps"))
    orders = tuple(sorted({float(order.month) for order in answer.orders}))
    arrivals = sorted({order.arrives_month for order in answer.orders})
    title = "Capacity follows demand" if answer.orders or answer.commitments else "All is rented"
    if answer.orders:
        title = f"{counted(len(arrivals), 'delivery').replace('deliverys', 'deliveries')}, " \
                f"the first {_there(params, arrivals[0])}"  # fmt: skip
    if unit != params.demand.unit:
        title = f"{unit}: {title[:1].lower()}{title[1:]}"
    capacity = Figure(
        kind="lines",
        name=f"Capacity and demand{of}",
        title=title,
        summary=f"{title}. {headline(answer).replace('**', '')}",
        along=Axis(title=f"{unit[:1].upper()}{unit[1:]}", unit=""),
        across=axis,
        series=tuple(series),
        marks=tuple(float(month) for month in arrivals),
        note="The band holds 80% of the hours of all scenarios; dotted lines are deliveries.",
    )
    parts = [
        ("Owned", [each.owned_used_count for each in months]),
        ("Committed", [each.committed_used_count for each in months]),
        ("On demand", [each.on_demand_count for each in months]),
        ("Spot", [each.spot_count for each in months]),
        ("Unmet", [each.unmet_count for each in months]),
    ]
    shown = [(name, values) for name, values in parts if max(values) > 0]
    carried = Figure(
        kind="areas",
        name=f"What carries demand{of}",
        title=_carried(months, f"demand{of}"),
        along=Axis(title=f"Mean {unit}", unit=""),
        across=axis,
        series=(
            *(_series(name, values, names=names) for name, values in shown),
            _series(
                "Demand", (each.demand_mean_count for each in months), names=names,
                role="actual", style="dashes",
                low=tuple(each.demand_low_count for each in months),
                high=tuple(each.demand_high_count for each in months),
            ),
        ),
        marks=orders,
        note="The band holds 80% of the hours of all scenarios; dotted lines are orders.",
    )  # fmt: skip
    return (capacity, *((carried,) if shown else ()))


def _there(params: PurchasePlanParams, month: int) -> str:
    return month_name(params, month) if month == 0 else f"in {month_name(params, month)}"


def _carried(months: Sequence[PlannedMonth], what: str) -> str:
    total = math.fsum(each.demand_mean_count for each in months)
    if total <= 0:
        return "There is no demand"
    own = math.fsum(each.owned_used_count for each in months) / total
    return f"Owned machines carry {percent(own)} of the {what}"


def quarter_names(params: PurchasePlanParams, count: int) -> tuple[str, ...]:
    """Quarters of a plan, by the months in them."""
    if params.first_month is None:
        return tuple(f"Quarter {place + 1}" for place in range(count))
    return tuple(f"From {month_name(params, _QUARTER * place)}" for place in range(count))


_CASH = (("Machines", "machines_usd"), ("Upkeep", "upkeep_usd"),
         ("Commitments", "committed_usd"), ("Rented", "rented_usd"),
         ("Other", "beside_usd"))  # fmt: skip


def cash_parts(answer: Answer) -> tuple[tuple[str, str], ...]:
    """What cash is called for, without other costs where none are entered."""
    return _CASH if answer.params.beside is not None else _CASH[:-1]


def _cash_table(answer: Answer) -> Table:
    """Money called by the quarter, and what of the budget for machines is left after it."""
    budgeted = any(each.budget_left_usd is not None for each in answer.quarters)
    parts = cash_parts(answer)
    rows = []
    for name, each in zip(
        quarter_names(answer.params, len(answer.quarters)), answer.quarters, strict=True
    ):
        cells = [answer.money(getattr(each, part)) for _, part in parts]
        cells.append(answer.money(math.fsum(getattr(each, part) for _, part in parts)))
        if budgeted:
            left = each.budget_left_usd
            cells.append("no limit" if left is None else answer.money(left))
        rows.append(TableRow(head=name, cells=tuple(cells)))
    heads = (*(name for name, _ in parts), "In all")
    return Table(
        title="Cash by quarter",
        columns=("Quarter", *heads, *(("Budget left",) if budgeted else ())),
        rows=tuple(rows),
        note="Expected, not discounted. "
        + ("What is left of the year's budget for machines counts each at the dearest that it "
           "may become, as the plan has to." if budgeted else
           "No budget for machines is entered.")
        + (" Other costs are less what machines beside the plan are worth at its end."
           if answer.quarters[-1].beside_usd < 0 else ""),
    )  # fmt: skip


def _cash(answer: Answer) -> Figure:
    quarters, parts = answer.quarters, cash_parts(answer)
    names = quarter_names(answer.params, len(quarters))
    totals = [math.fsum(getattr(each, part) for _, part in parts) for each in quarters]
    most = max(range(len(totals)), key=lambda place: totals[place])
    title = (
        f"Most is called in {names[most][0].lower()}{names[most][1:]}: {answer.money(totals[most])}"
    )
    if answer.params.first_month is not None:
        start = names[most].removeprefix("From ")
        title = f"Most is called in the quarter from {start}: {answer.money(totals[most])}"
    return Figure(
        kind="stacked",
        name="Cash by quarter",
        title=title,
        along=Axis(title="Expected cash", unit="USD"),
        rows=names,
        row_notes=tuple(answer.money(total) for total in totals),
        series=tuple(
            Series(
                name=name,
                values=tuple(getattr(each, part) for each in quarters),
            )
            for name, part in parts
        ),
        twin=(
            column("Quarter", names),
            *(column(name, (getattr(each, part) for each in quarters), "USD")
              for name, part in parts),
        ),
    )  # fmt: skip
