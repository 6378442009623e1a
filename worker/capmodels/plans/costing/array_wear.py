"""Which part of a disk array is worn out first, and when. Points only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.plans.costing.array_cost import cache_wear_per_year, wear_per_year

if TYPE_CHECKING:
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.storage.drive.drives import Drive

# Wear a year below which a drive is said not to wear.
LEAST_WEAR = 1e-6
# Names that say no more than the kind.
_UNNAMED = frozenset({"", "disk", "ssd"})


@dataclass(frozen=True, slots=True)
class Wear:
    """Years until the part that is worn first is worn out, and which; else why it is unknown."""

    years: float | None
    part: str | None = None
    reason: str | None = None


def wear_of(plan: ArrayPlan, scene: Scene, at: int) -> Wear:
    """Years until a drive's rated starts, or its or the cache's endurance, are used up."""
    drive, cache = plan.array.drive, plan.array.cache
    if drive.kind == "ssd" and drive.endurance_tb is None:
        return Wear(None, reason="The endurance of the drive is not entered.")
    drives = as_number(wear_per_year(plan, scene, at))
    cached = as_number(cache_wear_per_year(plan, scene, at))
    if max(drives, cached) > LEAST_WEAR:
        words = _cache_words(plan.array) if cached > drives else _drive_words(plan.array)
        return Wear(1.0 / max(drives, cached), words)
    if cache is not None and cache.device.endurance_tb is None:
        return Wear(None, reason="The endurance of the cache is not entered.")
    written = drive.kind == "ssd"
    return Wear(None, reason="Nothing is written to it." if written else "It never spins down.")


def _cache_words(array: ArraySpec) -> str:
    device = None if array.cache is None else array.cache.device
    return f"SSD cache of the disk array{_named(device)}, by writes"


def _drive_words(array: ArraySpec) -> str:
    """The drives, by what wears them; a cache that cannot be compared is told."""
    by = "writes" if array.drive.kind == "ssd" else "starts"
    words = f"drives of the disk array{_named(array.drive)}, by {by}"
    if array.cache is not None and array.cache.device.endurance_tb is None:
        return f"{words}; endurance of the cache not entered"
    return words


def _named(drive: Drive | None) -> str:
    return "" if drive is None or drive.name.lower() in _UNNAMED else f" ({drive.name})"
