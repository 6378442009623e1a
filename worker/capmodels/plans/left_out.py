"""What a design of a study has no place for of an array that was drawn and simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.storage.simulator.layout import PARITIES
from capmodels.storage.simulator.words import DISPATCHES, SCHEDULERS, inside

if TYPE_CHECKING:
    from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload

# A sentence, and whether it is true of the array.
Rule = tuple[bool, str]

_MIRRORED = {"raid1", "raid10", "mirrored_set"}


def _layout_rules(array: ArrayDesign) -> list[Rule]:
    layout = array.layout
    served, queue = DISPATCHES[array.dispatch.kind], SCHEDULERS[array.scheduler]
    return [
        (layout.kind == "mirrored_set", "The mirrored set is planned as RAID-1."),
        (layout.kind == "concatenated", "Disks one after another are planned as RAID-0."),
        (
            layout.kind in _MIRRORED,
            f"Who serves a read ({inside(served)}): the plan spreads reads over the copies that "
            "are awake.",
        ),
        (
            array.scheduler != "fcfs",
            f"The queue order ({inside(queue)}): the plan serves first come, first served.",
        ),
        (
            layout.failed_disk_count > 0,
            "The lost disks and their rebuild: the plan counts with every disk at work.",
        ),
        (
            array.copies is not None,
            "Copies in free space: in the plan every block is read where it lies.",
        ),
        (
            layout.kind in PARITIES and not layout.locked_updates,
            "Small writes in two phases: the plan holds a disk until they are done.",
        ),
    ]


def _drive_rules(array: ArrayDesign) -> list[Rule]:
    drive = array.drive
    controlled = (
        array.controller is not None,
        "The controller: in the plan requests reach the drives at once.",
    )
    if drive.kind == "hdd":
        return [(drive.buffer is not None, "The on-board cache of the disks."), controlled]
    return [
        controlled,
        (
            drive.fill_fraction is not None or drive.slc is not None,
            "When flash moves data, and its SLC cache: the plan spreads what is moved over the "
            "writes.",
        ),
        (
            drive.dies is not None,
            "Reads that wait for their die: the plan serves them on any free channel.",
        ),
    ]


def _sleep_rules(array: ArrayDesign) -> list[Rule]:
    drive = array.drive
    if array.timeouts is None or drive.kind == "ssd":
        return []
    copies, rests = array.layout.kind in _MIRRORED, drive.low_power_idle is not None
    sleeps = drive.standby is not None
    return [
        (
            sleeps and rests,
            "Low-power idle and its time: the plan knows standby only.",
        ),
        (
            not sleeps and rests,
            "Low-power idle: the plan knows standby only, so these disks are always on.",
        ),
        (
            copies and array.dispatch.lazy_writes,
            "Writes that wait for the next waking: in the plan a write wakes the copies.",
        ),
        (
            copies,
            "Which disk stays awake, what a waking disk serves, and how many wake at once.",
        ),
    ]


def _cache_rules(array: ArrayDesign, hit_fraction: float | None) -> list[Rule]:
    if array.cache is None:
        return []
    mode = array.cache.mode
    return [
        (mode == "hp08_mirror", "The mirrored write buffer is planned as write-back."),
        (mode != "write_through", "When changed blocks go to the disks."),
        (
            hit_fraction is None,
            "What the cache answers is not known before a run: the plan takes half of the reads.",
        ),
    ]


def _work_rules(work: SyntheticWorkload, *, recorded: bool) -> list[Rule]:
    if recorded:
        return [
            (
                True,
                "The recorded requests: the plan takes their mean rate, with random mix and sizes.",
            ),
        ]
    return [
        (
            work.arrivals.kind in {"pareto", "mmpp"},
            "How requests bunch: the plan has them come at random at the same rate.",
        ),
        (
            work.arrivals.kind == "closed",
            "The closed loop: the plan takes the rate that a run has found, else none.",
        ),
        (bool(work.sizes or work.write_sizes), "Sizes that differ: the plan takes their mean."),
        (
            work.addresses.kind in {"zipf", "regions"},
            "Blocks that are read more often: the plan has all read alike.",
        ),
    ]


def left_out(
    array: ArrayDesign, work: SyntheticWorkload, hit_fraction: float | None, *, recorded: bool
) -> tuple[str, ...]:
    """Return what a study's design made of an array does not carry over, a sentence each."""
    rules = [
        *_layout_rules(array),
        *_drive_rules(array),
        *_sleep_rules(array),
        *_cache_rules(array, hit_fraction),
        *_work_rules(work, recorded=recorded),
    ]
    return tuple(sentence for holds, sentence in rules if holds)
