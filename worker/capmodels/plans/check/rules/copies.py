"""Rule 3: durability and backup. Some designs keep copies elsewhere, others do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.plans.check.rule import (
    Change,
    Found,
    Rule,
    arrays,
    clouds,
    clusters,
    demand_of,
)
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.words import money

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.owned import OwnedCluster
    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.document.workload import DemandWorkload


def find(study: StudySpec) -> Iterator[Found]:
    """Backup that is paid for on one side only, or of more kinds of data on one side.

    And drives that fail in batches in some designs' arrays, each on its own in others'.
    """
    yield from _batches(study)
    work = demand_of(study)
    if work is None:
        return
    if work.block_tb > 0:
        yield from _unpaid(study)
    if work.object_tb + work.archive_tb > 0 and clouds(study):
        yield from _wider(study)
    yield from _one_enclosure(study, work)
    yield from _elsewhere(study, work)


def _batches(study: StudySpec) -> Iterator[Found]:
    stores = arrays(study)
    most = max((as_number(array.together_ratio) for _, _, array in stores), default=1.0)
    for letter, pointer, array in stores:
        if array.together_ratio == 1.0 < most:
            at = f"{pointer}/together_ratio"
            yield Found(
                at,
                f"The drives of {letter} fail each on its own, those of other arrays in batches "
                f"({most:g} times as often once one is lost), so their durability cannot be "
                f"compared. Fix: {most:g} here too.",
                (Change(at, most),),
            )


def _unpaid(study: StudySpec) -> Iterator[Found]:
    prices = {d.letter: d.storage.backup_usd_per_tb_month for d in clouds(study)}
    owned = {d.letter: d.backup.usd_per_tb_month for d in clusters(study)}
    dearest = max([*prices.values(), *owned.values()], default=0.0)
    if dearest <= 0:
        return
    for place, found in (
        ("storage/backup_usd_per_tb_month", prices),
        ("backup/usd_per_tb_month", owned),
    ):
        for letter, price in found.items():
            if price <= 0:
                pointer = f"/designs/{letter}/{place}"
                yield Found(
                    pointer,
                    f"Other designs pay for backup, {letter} does not. Fix: the same price, "
                    f"{money(dearest, study.assumptions.currency)} per TB and month.",
                    (Change(pointer, dearest),),
                )


def _wider(study: StudySpec) -> Iterator[Found]:
    """A cloud's backup is of block storage alone; its objects and archive have no second store."""
    for design in clusters(study):
        backup = design.backup
        if _shelved(design, "object"):
            # What lies in one enclosure has its second store there.
            continue
        if backup.usd_per_tb_month <= 0 or backup.data_tb is not None or backup.covers == "block":
            continue
        pointer = f"/designs/{design.letter}/backup/covers"
        yield Found(
            pointer,
            f"{design.letter} pays for a backup of objects and archive too, the cloud designs of "
            "block storage alone. Fix: back up block storage alone.",
            (Change(pointer, "block"),),
        )


def _shelved(design: OwnedCluster, kind: str) -> bool:
    """Whether a design keeps a kind of data in arrays that stand in an enclosure each."""
    array = design.array
    return array is not None and array.code is None and kind in array.kinds


def _one_enclosure(study: StudySpec, work: DemandWorkload) -> Iterator[Found]:
    """Data in one enclosure and nowhere else, beside data over machines or zones.

    An enclosure that fails, burns or is flooded takes all of it along; nodes with copies or a
    code, and a provider's zones, do not.
    """
    prices = [d.storage.backup_usd_per_tb_month for d in clouds(study)]
    prices += [d.backup.usd_per_tb_month for d in clusters(study)]
    dearest = max(prices, default=0.0)
    for kind, stored, name in (
        ("object", work.object_tb, "objects"), ("block", work.block_tb, "blocks")
    ):  # fmt: skip
        shelved = [design for design in clusters(study) if _shelved(design, kind)]
        if stored <= 0 or len(shelved) == len(clusters(study)) + len(clouds(study)):
            continue
        for design in shelved:
            backup, at = design.backup, f"/designs/{design.letter}/backup"
            covered = backup.covers == "all" or kind == "block"
            if backup.usd_per_tb_month > 0 and covered:
                continue
            changes: tuple[Change, ...] = ()
            if dearest > 0:
                changes = (Change(f"{at}/covers", "all"),)
                if backup.usd_per_tb_month <= 0:
                    changes += (Change(f"{at}/usd_per_tb_month", dearest),)
            price = money(dearest, study.assumptions.currency)
            remedy = f" Fix: a copy elsewhere at {price} per TB and month." if changes else ""
            yield Found(
                f"{at}/covers",
                f"The {name} of {design.letter} lie in one enclosure and are lost with it; other "
                f"designs have them on several machines.{remedy}",
                changes,
            )


def _elsewhere(study: StudySpec, work: DemandWorkload) -> Iterator[Found]:
    """A mix that rents all its storage, and pays for a backup that was entered of the owned side.

    What a side backs up follows what is kept there, but for an amount that was entered.
    """
    stored = {"block": work.block_tb, "object": work.object_tb, "archive": work.archive_tb}
    kept = {kind for kind, tb in stored.items() if tb > 0}
    backups = {design.letter: design.backup for design in clusters(study)}
    for mix in study.designs:
        if not isinstance(mix, Hybrid) or not kept or kept & mix.placement.owned:
            continue
        backup = backups.get(mix.owned_letter)
        if backup is None or not backup.data_tb or backup.usd_per_tb_month <= 0:
            continue
        pointer = f"/designs/{mix.owned_letter}/backup/data_tb"
        yield Found(
            pointer,
            f"{mix.letter} rents all its storage as in {mix.rented_letter}, and pays for the "
            f"backup of {backup.data_tb:g} TB entered in {mix.owned_letter} too. Fix: "
            f"{mix.owned_letter} backs up what it stores.",
            (Change(pointer, None),),
        )


RULE = Rule(3, "Same durability and backup", find)
