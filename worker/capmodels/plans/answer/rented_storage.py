"""What storage of a design costs for a TB and year: of arrays, of nodes, of what is rented. Points.

Usable are volumes as they are provisioned, and objects and archives as they are stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.amounts import as_number, fsum
from capmodels.plans.answer.describe import owned_storage_tb
from capmodels.plans.costing.array_figures import tb_years
from capmodels.plans.costing.cloud_cost import block_overhead_ratio
from capmodels.plans.costing.designs import cause_book
from capmodels.plans.costing.timeline import STORED
from capmodels.plans.storage_figures import RentedStorage
from capmodels.series import add, scaled
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capmodels.plans.causes import Key
    from capmodels.plans.comparison import CauseAmount, DesignResult
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.scene import Scene
    from capmodels.series import Series

ALL = "all that the design costs"
ALONE = "rented storage alone, without the rest of the design"


@dataclass(frozen=True, slots=True)
class TbShare:
    """What each TB of a design's space bears a part of.

    ``causes`` are those of its cost that do; None where it is all that the design costs.
    """

    tb_years: float
    causes: frozenset[Key] | None = None
    is_owned: bool = False

    @property
    def covers(self) -> str:
        """What the price is of, in words."""
        return ALL if self.causes is None else ALONE

    def bears(self, key: Key) -> bool:
        """Whether a cause of the cost is among those that each TB bears a part of."""
        return self.causes is None or key in self.causes

    def usd_per_tb_year(self, causes: Iterable[CauseAmount]) -> float:
        """What a TB and year costs, by the amounts that designs are ranked by. [USD/TB-yr]"""
        borne = (one.ranked_usd for one in causes if self.bears((one.cause, one.side)))
        return fsum(borne) / self.tb_years


def arrays_bear_all(item: Costed) -> bool:
    """Whether nothing but arrays is in a design that has some."""
    return item.owned is not None and not item.owned.plans and item.kind != "hybrid"


def tb_share(item: Costed, scene: Scene, rented: TbShare | None) -> TbShare | None:
    """Space of a design over the horizon, and what bears it; None where no cost is by its space.

    ``rented`` is its ``rented_share``.

    Arrays and storing nodes bear all that their design costs, where nothing else is in it; rented
    storage where it is all that is rented, else what is billed for it.
    """
    case = item.owned
    if case is not None and case.arrays:
        space = fsum(tb_years(plan, scene) for plan in case.arrays)
        return TbShare(space, is_owned=True) if space and arrays_bear_all(item) else None
    nodes = _nodes_tb_years(item, scene)
    return TbShare(nodes, is_owned=True) if nodes else rented


def rented_share(item: Costed) -> TbShare | None:
    """Space of what is rented over the horizon, and what bears it; None without any.

    Each TB bears all of the cost where that is all of the design; elsewhere what is billed for
    storage: space, requests, IOPS, throughput and backup.
    """
    case = item.rented
    if case is None or case.scene.demand is None:
        return None
    space = fsum(_usable_tb(case)) / MONTHS_PER_YEAR
    if not space:
        return None
    book = cause_book(item).causes
    beside = (book[cause, "rented"].cash() for cause in _BESIDE if (cause, "rented") in book)
    whole = item.kind == "cloud" and not any(fsum(cash) for cash in beside)
    return TbShare(space, None if whole else frozenset({("storage", "rented")}))


def rented_storage(
    item: Costed, causes: Iterable[CauseAmount], share: TbShare | None
) -> RentedStorage | None:
    """Space and price of what is rented; None without any."""
    if share is None or item.rented is None:
        return None
    return RentedStorage(
        usable_tb=as_number(_usable_tb(item.rented)[-1]),
        usd_per_tb_year=share.usd_per_tb_year(causes),
        covers=share.covers,
    )


def priced(column: DesignResult, share: TbShare | None, rented: TbShare | None) -> DesignResult:
    """Return a design with what each TB costs by the amounts that designs are ranked by.

    ``share`` is what each TB of its space bears, ``rented`` what each that it rents does.
    """
    prices: dict[str, Any] = {}
    if rented is not None and column.rented_storage is not None:
        told = {"usd_per_tb_year": rented.usd_per_tb_year(column.causes)}
        prices["rented_storage"] = column.rented_storage.model_copy(update=told)
    if share is not None and share.is_owned:
        usd_per_tb_year, array = share.usd_per_tb_year(column.causes), column.array
        if array is None:
            prices["owned_storage_usd_per_tb_year"] = usd_per_tb_year
        else:
            reasons = {name: why for name, why in array.reasons.items() if name != _PRICE}
            prices["array"] = array.model_copy(update={_PRICE: usd_per_tb_year, "reasons": reasons})
    return column.model_copy(update=prices) if prices else column


_PRICE = "usd_per_tb_year"


def _nodes_tb_years(item: Costed, scene: Scene) -> float:
    """Space of nodes over the horizon where all of them store; 0 where others cost as well."""
    case = item.owned
    if case is None or item.kind != "owned_cluster" or scene.demand is None:
        return 0.0
    if not {plan.group.role for plan in case.plans} <= STORED.keys():
        return 0.0
    return fsum(
        (owned_storage_tb(item, scene, at) or 0.0) * interval.months / MONTHS_PER_YEAR
        for at, interval in enumerate(scene.intervals)
    )


# What is rented beside storage, other than to move its data.
_BESIDE = ("instances", "commitment", "services")


def _usable_tb(case: CloudCase) -> Series:
    """Space by month; what has no price is refused before. [TB]"""
    timeline = case.scene.timeline
    block = scaled(timeline.block_tb.monthly, block_overhead_ratio(case))
    beside = case.scene.form.constant(case.burst_storage_tb, case.scene.months)
    return add(block, beside, timeline.object_tb.monthly, timeline.archive_tb.monthly)
