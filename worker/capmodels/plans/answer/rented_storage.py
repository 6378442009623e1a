"""What rented storage of a design costs for a TB and year, beside that of its arrays. Points only.

Usable are volumes as they are provisioned, and objects and archives as they are stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import fsum
from capmodels.plans.costing.cloud_cost import block_overhead_ratio
from capmodels.series import add, scaled
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.series import Series
    from capmodels.spec import JSONDict

ALL = "all that the design costs"
ALONE = "rented storage alone, without the rest of the design"


def rented_storage(item: Costed, causes: Sequence[JSONDict], total_usd: float) -> JSONDict | None:
    """Space and price of it, in the shape of ``storage_figures.RentedStorage``; None without any.

    Each TB bears all of the cost where that is all of the design; elsewhere what is billed for
    storage: space, requests, IOPS, throughput and backup.
    """
    case = item.rented
    if case is None or case.scene.demand is None:
        return None
    monthly = _usable_tb(case)
    tb_years = fsum(monthly) / MONTHS_PER_YEAR
    if not tb_years:
        return None
    paid = {one["cause"]: one["amount_usd"] for one in causes if one["side"] == "rented"}
    whole = item.kind == "cloud" and not any(paid.get(cause) for cause in _BESIDE)
    usd = total_usd if whole else paid.get("storage", 0.0)
    return {
        "usable_tb": monthly[-1],
        "usd_per_tb_year": usd / tb_years,
        "covers": ALL if whole else ALONE,
    }


# What is rented beside storage, other than to move its data.
_BESIDE = ("instances", "commitment", "services")


def _usable_tb(case: CloudCase) -> Series:
    """Space by month; what has no price is refused before. [TB]"""
    timeline = case.scene.timeline
    block = scaled(timeline.block_tb.monthly, block_overhead_ratio(case))
    beside = case.scene.form.constant(case.burst_storage_tb, case.scene.months)
    return add(block, beside, timeline.object_tb.monthly, timeline.archive_tb.monthly)
