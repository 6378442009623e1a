"""What services cost that are bought by the month: as entered, growing with a demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.series import add, scaled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.services import GrowsWith, ServiceLine
    from capmodels.series import Series

# The demand of the timeline that each kind of growth is of.
GROWERS: dict[GrowsWith, str] = {
    "cores": "cores",
    "ram": "ram_gib",
    "block": "block_tb",
    "object": "object_tb",
    "archive": "archive_tb",
    "transfer": "egress_tb",
    "gpus": "gpus_mean",
}


def services_usd(lines: Iterable[ServiceLine], scene: Scene) -> Series:
    """What some lines cost by month: amount of today * growth of its demand * price change.

    A demand that is a utilisation does not grow. [USD]
    """
    total = scene.form.constant(0.0, scene.months)
    for line in lines:
        if line.grows_with == "nothing" or scene.demand is None:
            month = scene.form.constant(line.usd_per_month, scene.months)
        else:
            grower = getattr(scene.timeline, GROWERS[line.grows_with])
            month = scaled(grower.factors, line.usd_per_month)
        total = add(total, month)
    return scene.priced("services", total)
