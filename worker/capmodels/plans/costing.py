"""Every design of a study costed: the one path that both the point and the draws take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from capmodels.plans.array_cost import plan_array
from capmodels.plans.baseline import Baseline
from capmodels.plans.baseline_cost import cost_baseline
from capmodels.plans.book import CauseBook
from capmodels.plans.cloud import Cloud
from capmodels.plans.cloud_cost import CloudCase, Tariffs, cost_cloud
from capmodels.plans.disk_array import DiskArray
from capmodels.plans.finance import cost_tax
from capmodels.plans.footprint import cost_carbon
from capmodels.plans.hybrid import Hybrid
from capmodels.plans.hybrid_cost import cost_hybrid
from capmodels.plans.owned import OwnedCluster
from capmodels.plans.owned_cost import OwnedCase, cost_owned
from capmodels.plans.people_cost import cost_migration, cost_staff
from capmodels.plans.sizing import plan_groups
from capmodels.plans.use_cost import cost_cloud_by_use
from capmodels.plans.workload import UtilizationWorkload

if TYPE_CHECKING:
    from capmodels.plans.book import Book, Side
    from capmodels.plans.owned import OwnedFields
    from capmodels.plans.scene import Scene
    from capmodels.plans.sizing import GroupPlan
    from capmodels.plans.study import StudySpec

BASELINE_LETTER = "T"

AnyDesign = OwnedCluster | Cloud | Hybrid | DiskArray | Baseline
BookMaker = Callable[[], "Book"]


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
    study = scene.study
    wanted = None if only is None else only | _present_letters(study, only)
    costed = [
        _costed(design, scene, make_book())
        for design in study.designs
        if wanted is None or design.letter in wanted
    ]
    if study.baseline is not None and (wanted is None or BASELINE_LETTER in wanted):
        costed.append(_baseline(study.baseline, scene, make_book()))
    present_letters = _present_letters(study, None)
    present = {
        item.letter: item.book.running_months() for item in costed if item.letter in present_letters
    }
    for item in costed:
        if not isinstance(item.design, Baseline):
            move = item.design.migration
            now = None if move.parallel_letter is None else present.get(move.parallel_letter)
            cost_migration(item.book, move, now, item.side)
    if study.assumptions.tax.counted:
        for item in costed:
            _tax(item, scene)
    return costed


def _present_letters(study: StudySpec, only: set[str] | None) -> set[str]:
    """Letters of what keeps running while designs, or some of them, are moved to."""
    letters = (
        design.migration.parallel_letter
        for design in study.designs
        if only is None or design.letter in only
    )
    return {letter for letter in letters if letter is not None}


def _tax(item: Costed, scene: Scene) -> None:
    bought = item.owned is not None and item.owned.owned.finance.kind == "buy"
    cost_tax(
        item.book,
        item.owned.batches if item.owned is not None and bought else [],
        scene.assumptions.tax,
        scene.assumptions.depreciation,
        owned=item.owned is not None,
    )


def _costed(design: OwnedCluster | Cloud | Hybrid | DiskArray, scene: Scene, book: Book) -> Costed:
    item = Costed(design.letter, design.title, design.kind, design, book)
    if isinstance(design, Hybrid):
        _cost_hybrid(item, design, scene)
    elif isinstance(design, OwnedCluster | DiskArray):
        owned = design.as_owned() if isinstance(design, DiskArray) else design
        item.owned = _owned_case(owned, scene, plan_groups(owned, scene), book)
        cost_owned(item.owned)
    else:
        item.rented = CloudCase(design, scene, book, Tariffs.of(design))
        work = scene.study.workload
        if isinstance(work, UtilizationWorkload):
            cost_cloud_by_use(item.rented, work)
        else:
            cost_cloud(item.rented)
    cost_staff(
        book,
        scene,
        fte=design.staff_fte,
        usd_per_year=design.staff_usd_per_year,
        side=item.side,
    )
    cost_carbon(book, scene, item.owned, item.rented)
    return item


def _owned_case(owned: OwnedFields, scene: Scene, plans: list[GroupPlan], book: Book) -> OwnedCase:
    case = OwnedCase(owned, scene, plans, book)
    if owned.array is not None:
        case.array = plan_array(owned.array, scene, owned.lead_time_months)
    return case


def _cost_hybrid(item: Costed, design: Hybrid, scene: Scene) -> None:
    designs = {other.letter: other for other in scene.study.designs}
    owned, rented = designs[design.owned_letter], designs[design.rented_letter]
    if not isinstance(owned, OwnedCluster) or not isinstance(rented, Cloud):
        raise TypeError
    plans = plan_groups(owned, scene, own_quantile=design.own_quantile_fraction)
    item.owned = _owned_case(owned, scene, plans, item.book)
    item.rented = CloudCase(rented, scene, item.book, Tariffs.of(rented))
    cost_hybrid(design, item.owned, item.rented)


def _baseline(baseline: Baseline, scene: Scene, book: Book) -> Costed:
    cost_baseline(baseline, scene, book)
    cost_staff(
        book,
        scene,
        fte=baseline.staff_fte,
        usd_per_year=baseline.staff_usd_per_year,
        side="rented",
    )
    return Costed(BASELINE_LETTER, baseline.title, "baseline", baseline, book)
