"""What objects and archives cost a month where they are rented: kept, asked for, read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import at_least, is_zero
from capmodels.cost.tiered import banded
from capmodels.series import add, scaled

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.cost.tiered import Band
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud_storage import CloudStorage
    from capmodels.series import Series


def objects_usd(storage: CloudStorage, standard: list[Band], scene: Scene) -> Series:
    """What objects and archives cost by month at list price. [USD]

    Of the data each class holds its share, of requests and reads its share of the use; the
    standard class, priced by bands, has the rest of both.
    """
    timeline, classes = scene.timeline, storage.object_classes
    data, gb_per_tb = timeline.object_tb, storage.gb_per_tb
    kept, used = 1.0, 1.0
    parts = []
    for item in classes:
        kept, used = kept - item.share_fraction, used - item.use_fraction
        parts += [
            scaled(data.monthly, item.share_fraction * gb_per_tb * item.usd_per_gb_month),
            _asked(
                scene, item.usd_per_million_writes, item.usd_per_million_reads, item.use_fraction
            ),
            scaled(
                timeline.object_read_tb.monthly,
                item.use_fraction * gb_per_tb * item.usd_per_gb_read,
            ),
        ]
    standard_tb = scaled(data.monthly, at_least(kept, 0.0))
    parts += [
        banded(standard_tb, standard),
        _asked(
            scene,
            storage.usd_per_million_writes,
            storage.usd_per_million_reads,
            at_least(used, 0.0),
        ),
    ]
    archive = storage.archive
    if archive is not None and not is_zero(timeline.archive_tb.today):
        kept_usd, read_usd = archive.usd_per_gb_month, archive.usd_per_gb_read
        parts += [
            scaled(timeline.archive_tb.monthly, gb_per_tb * kept_usd),
            scaled(timeline.archive_read_tb.monthly, gb_per_tb * read_usd),
        ]
    return add(*parts)


def _asked(scene: Scene, writes_usd: Amount, reads_usd: Amount, share: Amount) -> Series:
    """What a share of the requests costs by month, in millions of them. [USD]"""
    timeline = scene.timeline
    return add(
        scaled(timeline.object_writes.monthly, writes_usd * share),
        scaled(timeline.object_reads.monthly, reads_usd * share),
    )
