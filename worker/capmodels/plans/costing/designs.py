"""Every design of a study costed: the one path that both the point and the draws take."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Literal

from capmodels.amounts import at_least, drawn, is_above, is_number, largest, maximum, real
from capmodels.plans.costing.array_cost import plan_arrays
from capmodels.plans.costing.baseline_cost import cost_baseline, cost_leaving
from capmodels.plans.costing.book import CauseBook
from capmodels.plans.costing.cloud_cost import CloudCase, Tariffs, cost_cloud
from capmodels.plans.costing.downtime import cost_downtime
from capmodels.plans.costing.finance import cost_tax
from capmodels.plans.costing.footprint import cost_carbon
from capmodels.plans.costing.hybrid_cost import cost_hybrid, people_of
from capmodels.plans.costing.kept import cost_kept, kept_shares
from capmodels.plans.costing.meeting import short_intervals, unmet_h_per_year
from capmodels.plans.costing.owned_cost import OwnedCase, booked, cost_owned
from capmodels.plans.costing.people_cost import People, cost_migration, cost_staff
from capmodels.plans.costing.shortfall_rent import rent_shortfall, rentable
from capmodels.plans.costing.sizing import Known, plan_groups
from capmodels.plans.costing.use_cost import cost_cloud_by_use
from capmodels.plans.document.baseline import Baseline, left_by
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.owned import Lease, OwnedCluster
from capmodels.plans.document.parts import OfDocuments
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.series import add, scaled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.amounts import Amount
    from capmodels.plans.causes import Side
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.capacity_plan import CapacityPlan
    from capmodels.plans.document.owned import Migration, OwnedFields
    from capmodels.series import Series

BASELINE_LETTER = "T"

AnyDesign = OwnedCluster | Cloud | Hybrid | DiskArray | Baseline
BookMaker = Callable[[], "Book"]
# Costs a design, or what runs today, but for migration and tax.
CostPart = Callable[[AnyDesign, "Scene"], "Costed"]


@dataclass(slots=True)
class Costed:
    """A design with its book, and its sides as they were costed."""

    letter: str
    title: str
    kind: Literal["owned_cluster", "cloud", "hybrid", "disk_array", "baseline"]
    design: AnyDesign
    book: Book
    owned: OwnedCase | None = None
    rented: CloudCase | None = None
    # Kinds of demand of which is rented what the owned side does not carry.
    rented_beyond: frozenset[str] = frozenset()
    # The same before the own site opens.
    rented_before: frozenset[str] = frozenset()
    # What is rented until then, by a hybrid that follows a plan.
    before: CloudCase | None = None
    # Of each trial: 1 where demand is not met, and how long.
    short: Amount = 0.0
    unmet_h_per_year: Amount = 0.0
    # Of each year; None: those of the design, as entered.
    people: list[People] | None = None

    @property
    def owned_letter(self) -> str:
        """Letter of the design that its owned part is entered in."""
        return self.design.owned_letter if isinstance(self.design, Hybrid) else self.letter

    @property
    def rented_letter(self) -> str:
        """Letter of the design that its rented part is entered in."""
        return self.design.rented_letter if isinstance(self.design, Hybrid) else self.letter

    @property
    def side(self) -> Side:
        """Side of the ledger on which its people and its migration stand."""
        return "owned" if self.owned is not None else "rented"


def cause_book(item: Costed) -> CauseBook:
    """Return the books of a point, which have causes."""
    if not isinstance(item.book, CauseBook):
        raise TypeError
    return item.book


def cost_designs(scene: Scene, make_book: BookMaker, only: set[str] | None = None) -> list[Costed]:
    """Cost every design, and the baseline when there is one.

    With ``only``, those designs and the present places that they leave.
    """
    return costed_by(lambda part, here: cost_part(part, here, make_book()), scene, only)


def costed_by(cost: CostPart, scene: Scene, only: set[str] | None = None) -> list[Costed]:
    """Cost every design, or some, by a function that does so but for migration and tax."""
    study = scene.study
    parts: list[AnyDesign] = [*study.designs]
    if study.baseline is not None:
        parts.append(study.baseline)
    movers = [part for part in parts if only is None or letter_of(part) in only]
    movers += [one for one in (rented_first(part, scene) for part in movers) if one is not None]
    left = {present_letter(part) for part in movers}
    costed = [cost(part, scene) for part in parts if only is None or letter_of(part) in only | left]
    present = {item.letter: item.book.running_months() for item in costed if item.letter in left}
    for bridge, share in bridges_of(parts, movers):
        usd = cost(bridge, scene).book.running_months()
        if not is_number(share):
            usd = add(scaled(usd, share), scaled(present[bridge.letter], 1.0 - share))
        present[bridge.letter] = usd
    for item in costed:
        letters = present_letters(item.design, scene)
        migrate(item, scene, [_present(item, one, present, cost, scene) for one in letters])
    for item in costed:
        close(item, scene)
    return costed


def _plan_of(design: AnyDesign) -> CapacityPlan | None:
    """The plan of purchases that a design follows: of a hybrid, where its base is owned."""
    is_read = not isinstance(design, Hybrid) or design.placement.bursts
    return getattr(design, "plan", None) if is_read else None


def opens_month(design: AnyDesign, scene: Scene) -> int:
    """Month in which the own site of a hybrid that follows a plan opens, with its first nodes.

    The horizon where none come; 0 of every other design. All is rented before.
    """
    plan = _plan_of(design)
    if plan is None or not isinstance(design, Hybrid):
        return 0
    months = (one.month for one in plan.orders if one.nodes_count > 0)
    return min((*months, scene.months))


def rented_first(design: AnyDesign, scene: Scene) -> Cloud | None:
    """The design that a hybrid is until its own site opens; None where that is at the start."""
    if not isinstance(design, Hybrid) or not opens_month(design, scene):
        return None
    rented = next(one for one in scene.study.designs if one.letter == design.rented_letter)
    if not isinstance(rented, Cloud):
        raise TypeError
    return rented


def _periods(item: Costed, scene: Scene) -> tuple[range, range]:
    """Months in which a design is a rented one, and those after; the second has the horizon's end.

    Where the own site never opens the first has it.
    """
    opens, months = opens_month(item.design, scene), scene.months
    if opens >= months:
        return range(months + 1), range(months + 1, months + 1)
    return range(opens), range(opens, months + 1)


def present_letters(design: AnyDesign, scene: Scene) -> tuple[str | None, ...]:
    """Letters of what is left by a move: to a design, and to the one that it is at first."""
    first = rented_first(design, scene)
    mine = present_letter(design)
    return (mine,) if first is None else (mine, present_letter(first))


def what_is_left(design: AnyDesign, letter: str | None, today: Baseline | None) -> Baseline | None:
    """What runs today without what a plan keeps, where that is left by a move; None elsewhere.

    One object for the same plan and the same of today.
    """
    plan = _plan_of(design)
    if letter != BASELINE_LETTER or today is None or plan is None:
        return None
    left = _lefts.get(today, plan)
    if left is None:
        left = left_by(today, plan)
        _lefts.put(left, today, plan)
    return None if left is today else left


def _present(
    item: Costed,
    letter: str | None,
    present: Mapping[str, Series],
    cost: CostPart,
    scene: Scene,
) -> Series | None:
    """What the place costs that a design leaves, in each month: of today, without what it keeps."""
    left = what_is_left(item.design, letter, scene.study.baseline)
    if left is not None:
        return cost(left, scene).book.running_months()
    return present.get(letter or "")


_bare: OfDocuments[Cloud] = OfDocuments(64)
_lefts: OfDocuments[Baseline] = OfDocuments(64)


def bridges_of(
    parts: Sequence[AnyDesign], movers: Sequence[AnyDesign]
) -> list[tuple[Cloud, Amount]]:
    """Rented designs as they are paid for while others are moved to: on demand.

    Nobody commits for a year or three to what is paid for until machines are there: whoever takes
    the design itself commits. What runs today has a bill of its own. Beside each stands 1 in the
    trials whose moves are shorter than every term, 0 in those that commit.
    """
    found = list[tuple[Cloud, "Amount"]]()
    for part in parts:
        if not isinstance(part, Cloud) or not part.commitments:
            continue
        months = [_moving_months(one) for one in movers if present_letter(one) == part.letter]
        if not months:
            continue
        least = min(one.term_months for one in part.commitments)
        share = is_above(least - reduce(maximum, months), 0.0)
        if largest(share) > 0:
            found.append((on_demand(part), share))
    return found


def _moving_months(part: AnyDesign) -> Amount:
    """Months in which two places are paid for at most, delivery among them."""
    if isinstance(part, Baseline):
        return 0.0
    lead = part.lead_time_months if isinstance(part, OwnedCluster) else 0
    return maximum(part.migration.parallel_months, real(lead))


def on_demand(part: Cloud) -> Cloud:
    """The same design with nothing committed; one object for one document."""
    bare = _bare.get(part)
    if bare is None:
        bare = part.model_copy(update={"commitments": ()})
        _bare.put(bare, part)
    return bare


def letter_of(part: AnyDesign) -> str:
    """Letter of a design, or of what runs today."""
    return BASELINE_LETTER if isinstance(part, Baseline) else part.letter


def present_letter(part: AnyDesign) -> str | None:
    """Letter of what keeps running while a design is moved to."""
    return None if isinstance(part, Baseline) else part.migration.parallel_letter


def migrate(item: Costed, scene: Scene, present_usd: Sequence[Series | None]) -> None:
    """Write what moving to a design costs, beside what its present place costs meanwhile.

    To one that is rented at first that move, and the other when the own site opens; the places
    that are left by them are in this order of ``present_letters``.
    """
    if isinstance(item.design, Baseline):
        return
    before, after = _periods(item, scene)
    if (rented := rented_first(item.design, scene)) is not None:
        with item.book.within(before):
            cost_migration(item.book, rented.migration, present_usd[1], "rented")
    with item.book.within(after):
        move = _move(item, item.design.migration)
        cost_migration(item.book, move, present_usd[0], item.side, after.start)


def _move(item: Costed, move: Migration) -> Migration:
    """The move with the months in which the other place is paid for, as delivery asks for.

    Until own machines are there at least, where it bridges that time; only the months beyond it,
    where new work waits for them.
    """
    if item.owned is None:
        return move
    lead, until = item.owned.owned.lead_time_months, item.owned.scene.assumptions.until_delivery
    months = move.parallel_months
    if until == "waits" and lead > 0:
        months = drawn(at_least(months - lead, 0.0))
    elif until == "bridged" and lead > 0 and move.is_bridged:
        months = drawn(maximum(months, real(lead)))
    else:
        return move
    return move.model_copy(update={"parallel_months": months})


def _delivered_month(owned: OwnedFields, move: Migration, scene: Scene) -> int:
    """Month in which an own site begins to cost: on delivery where another place bridges it."""
    bridged = scene.assumptions.until_delivery == "bridged" and move.is_bridged
    return min(owned.lead_time_months, scene.months) if bridged else 0


def close(item: Costed, scene: Scene) -> None:
    """Write what a design owes for today's machines that it leaves, and the tax of it all."""
    today = scene.study.baseline
    if today is not None and not isinstance(item.design, Baseline):
        left, (before, after) = left_by(today, _plan_of(item.design)), _periods(item, scene)
        if (rented := rented_first(item.design, scene)) is not None:
            with item.book.within(before):
                cost_leaving(left, scene, item.book, rented.migration)
        with item.book.within(after):
            move = _move(item, item.design.migration)
            cost_leaving(left, scene, item.book, move, after.start)
    _tax(item, scene)


def _tax(item: Costed, scene: Scene) -> None:
    """Write the tax that all the rest of a design saves, where it is counted."""
    if not scene.assumptions.tax.counted:
        return
    finance = None if item.owned is None else item.owned.owned.finance
    cost_tax(
        item.book,
        booked(item.owned),
        scene.assumptions.tax,
        scene.assumptions.depreciation,
        finance if isinstance(finance, Lease) else None,
        owned=item.owned is not None,
    )


def cost_part(design: AnyDesign, scene: Scene, book: Book) -> Costed:
    """Cost a design, or what runs today, but for migration and tax."""
    item = cost_body(design, scene, book)
    cost_people(item, scene)
    return item


def cost_people(item: Costed, scene: Scene) -> None:
    """Write what the people cost who run a design."""
    design, people = item.design, item.people
    if people is None:
        people = [People(design.staff_fte, design.staff_usd_per_year)] * scene.years
    since = 0 if item.owned is None else item.owned.delivered_month
    before, after = _periods(item, scene)
    if (rented := rented_first(design, scene)) is not None:
        at_first = People(rented.staff_fte, rented.staff_usd_per_year)
        with item.book.within(before):
            cost_staff(item.book, scene, [at_first] * scene.years, "rented")
    with item.book.within(after):
        cost_staff(item.book, scene, people, item.side, since)


def again(item: Costed, scene: Scene, book: Book) -> Costed:
    """A design as it was costed, in a scene of the same work, with other books."""
    owned = rented = None
    scene = scene.of(item.design)
    place = item.design.placement if isinstance(item.design, Hybrid) else None
    if item.owned is not None:
        here = _lived(item.owned.scene, scene, None if place is None else place.owned)
        owned = replace(item.owned, scene=here, book=book)
    if item.rented is not None:
        there = _lived(item.rented.scene, scene, None if place is None else place.rented)
        rented = replace(item.rented, scene=there, book=book)
    before = item.before
    if before is not None:
        before = replace(before, scene=_lived(before.scene, scene, None), book=book)
    return replace(item, book=book, owned=owned, rented=rented, before=before)


def _lived(before: Scene, scene: Scene, kinds: frozenset[str] | None) -> Scene:
    """The scene with the demand of some kinds alone, and the timeline that it had before."""
    here = scene if kinds is None else scene.living(kinds)
    if here is not scene and "timeline" in vars(before):
        here.timeline = before.timeline
    return here


def cost_body(design: AnyDesign, scene: Scene, book: Book) -> Costed:
    """Cost a design, or what runs today, but for its people, migration and tax."""
    if isinstance(design, Baseline):
        cost_baseline(design, scene, book)
        return Costed(BASELINE_LETTER, design.title, "baseline", design, book)
    item = Costed(design.letter, design.title, design.kind, design, book)
    scene = scene.of(design)
    # Of providers' invoices; carbon, people and the move are no part of them.
    book.rented_ratio = paid_ratio = scene.assumptions.currency.paid_ratio
    if isinstance(design, Hybrid):
        if (first := rented_first(design, scene)) is not None:
            _rent_first(item, first, scene)
            book.counted = _periods(item, scene)[1]
        _cost_hybrid(item, design, scene)
    elif isinstance(design, OwnedCluster | DiskArray):
        owned = design.as_owned() if isinstance(design, DiskArray) else design
        planned = scene.planned_design(design.letter)
        if isinstance(planned, DiskArray):
            planned = planned.as_owned()
        by_plan = _plan_of(design)
        plans = plan_groups(owned, scene, planned=planned and Known(planned), by_plan=by_plan)
        item.owned = _owned_case(owned, scene, plans, book, planned)
        item.owned.delivered_month = _delivered_month(owned, design.migration, scene)
        if by_plan is not None:
            item.owned.delivered_month = _first_month(item.owned)
        if (shares := kept_shares(by_plan, scene)) is not None:
            item.owned.carried = [at_least(1.0 - share, 0.0) for share in shares]
            item.owned.sent = [1.0] * len(shares)
        cost_owned(item.owned)
    else:
        item.rented = CloudCase(design, scene, book, Tariffs.of(design))
        item.rented.planned = scene.planned_design(design.letter)
        item.rented.by_plan = design.plan
        work = scene.study.workload
        if isinstance(work, UtilizationWorkload):
            cost_cloud_by_use(item.rented, work)
        else:
            cost_cloud(item.rented)
    with book.within(range(scene.months + 1)):
        cost_kept(_plan_of(design), scene, book)
    book.rented_ratio = 1.0
    cost_carbon(book, scene, item.owned, item.rented)
    cost_downtime(book, scene, item.owned, item.rented)
    if item.owned is not None:
        book.rented_ratio = paid_ratio
        _rent_beyond(item, item.owned, scene)
        book.rented_ratio = 1.0
        if scene.planned is not None:
            _meet(item, item.owned)
    book.counted = None
    return item


def _rent_first(item: Costed, rented: Cloud, scene: Scene) -> None:
    """Write what a hybrid costs until its own site opens: all is rented, as its plan commits."""
    case = CloudCase(rented, scene, item.book, Tariffs.of(rented))
    case.planned, case.by_plan = scene.planned_design(rented.letter), _plan_of(item.design)
    item.before = case
    with item.book.within(_periods(item, scene)[0]):
        cost_cloud(case)
        paid, item.book.rented_ratio = item.book.rented_ratio, 1.0
        cost_carbon(item.book, scene, None, case)
        cost_downtime(item.book, scene, None, case)
        item.book.rented_ratio = paid


def _first_month(case: OwnedCase) -> int:
    """Month in which the first nodes or arrays of a design stand there; the horizon where none."""
    counts = [plan.counts for plan in case.plans] + [arrays.counts for arrays in case.arrays]
    for at, interval in enumerate(case.scene.intervals):
        if any(largest(each[at]) > 0 for each in counts):
            return interval.first
    return case.scene.months


def _rent_beyond(item: Costed, case: OwnedCase, scene: Scene) -> None:
    """Rent what is short in a trial, where that is asked for.

    A hybrid that rents the work above its nodes rents the data above their drives there too;
    before its own site opens it rents all that it can.
    """
    design = item.design
    bursts = isinstance(design, Hybrid) and design.placement.bursts
    item.rented_before = item.rented_beyond = frozenset({"compute"} if bursts else ())
    letter = item.rented_letter if bursts else getattr(design, "shortfall_letter", None)
    cloud = next((part for part in scene.study.designs if part.letter == letter), None)
    if not isinstance(cloud, Cloud) or scene.demand is None:
        return
    if item.before is not None:
        item.rented_before = item.rented_beyond | rentable(cloud)
    if scene.planned is not None:
        rent_shortfall(case, cloud, computing=not bursts)
        item.rented_before = item.rented_beyond = item.rented_beyond | rentable(cloud)


def _meet(item: Costed, case: OwnedCase) -> None:
    """Say of each trial whether its demand is met."""
    short = short_intervals(case, item.rented_beyond)
    for found in short:
        item.short = maximum(item.short, found.at_all)
    item.unmet_h_per_year = unmet_h_per_year(case, short)


def _owned_case(
    owned: OwnedFields,
    scene: Scene,
    plans: list[GroupPlan],
    book: Book,
    planned: OwnedFields | None = None,
) -> OwnedCase:
    case = OwnedCase(owned, scene, plans, book)
    case.arrays = plan_arrays(owned, scene, planned)
    return case


# What of the demand a group of nodes is there for; the others stay where nodes are owned.
ROLES = {
    "compute": {"compute"},
    "compute_and_block": {"compute", "block"},
    "block": {"block"},
    "object": {"object"},
    "archive": {"archive"},
    "gpu": {"gpus"},
}


def _cost_hybrid(item: Costed, design: Hybrid, scene: Scene) -> None:
    designs = {other.letter: other for other in scene.study.designs}
    owned, rented = designs[design.owned_letter], designs[design.rented_letter]
    if not isinstance(owned, OwnedCluster) or not isinstance(rented, Cloud):
        raise TypeError
    place = design.placement
    seen: Hybrid | None = scene.planned_design(design.letter)
    split = place.bursts
    planned = None
    if seen is not None:
        known = scene.planned_design(design.owned_letter)
        planned = Known(known, seen.own_quantile_fraction if split else None)
    here = scene.living(place.owned)
    quantile = design.own_quantile_fraction if split else None
    by_plan, opens = _plan_of(design), opens_month(design, scene)
    plans = plan_groups(owned, here, own_quantile=quantile, planned=planned, by_plan=by_plan)
    plans = [plan for plan in plans if _lives(ROLES.get(plan.group.role), place.owned)]
    for plan in plans if opens else ():
        plan.counts = [plan.counts[at] * (interval.first >= opens)
                       for at, interval in enumerate(here.intervals)]  # fmt: skip
    if owned.array is not None and not _lives(owned.array.kinds, place.owned):
        owned = owned.model_copy(update={"array": None, "tiering": None})
    item.owned = _owned_case(owned, here, plans, item.book)
    item.owned.delivered_month = (
        opens if by_plan is not None else _delivered_month(owned, design.migration, scene)
    )
    there = scene.living(place.rented)
    item.rented = CloudCase(rented, there, item.book, Tariffs.of(rented))
    item.rented.planned = scene.planned_design(design.rented_letter)
    item.rented.since_month = opens
    cost_hybrid(design, item.owned, item.rented)
    item.people = people_of(design, item.owned, item.rented)


def _lives(kinds: AbstractSet[str] | None, owned: frozenset[str]) -> bool:
    return kinds is None or bool(kinds & owned)
