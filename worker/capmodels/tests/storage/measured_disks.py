"""The disks that others measured, read from their folder: not part of the project.

Demerit on the second half: HP C2247A 1.1%, Cheetah 9LP 2.0%, Atlas 10K 2.5%, where 2% is wanted.
Requests that run past a track's end pay for the switch and the skew here already, so that what
brought the array's drive to within 0.1% of DiskSim's mean does nothing for the Atlas. Not tried on
it: reading a track in any order, and passing on to the bus while the platter is still read.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np

from capmodels.formats.disksim_model import extracted_disk, seek_pairs
from capmodels.storage.calibration import (
    Measured,
    Mechanics,
    OnBoardCache,
    first_half,
    gaps_come_before,
    with_gaps_after,
)
from capmodels.storage.seek import TwoRegime, table_ms, two_regime_ms
from capmodels.storage.service import revolution_ms
from capmodels.storage.track_map import TrackZone, map_of_zones


def folder() -> Path:
    """Where the files are, if they are anywhere."""
    beside = Path(__file__).parents[5] / "shared" / "data"
    return Path(os.environ.get("AMPACITY_SHARED_DATA", beside)) / "block_traces"


# Segments, their size, how far it reads ahead, whether to the track's end and whether it writes
# behind: from each drive's settings. The other rules are those that ``choose_rules`` finds: under
# them each half of the first half of the trace best foretells the other. The first choice of these
# rules, before ``choose_rules``, was made with the second halves in sight and came out the same but
# for one rule of the HP's, so their demerits are not quite those of disks never seen before.
CACHES = {
    "atlas10k": OnBoardCache(10, 374, 354, True, True, keeps_passing_sectors=True),
    "cheetah9LP": OnBoardCache(3, 561, 561, True, True, drops_delivered=True, writes_end_segment=2),
    "hp_c2247a": OnBoardCache(
        2, 256, 128, False, False, hits_read_ahead=True, writes_end_segment=2
    ),
}


def mechanics(name: str) -> Mechanics:
    """One of the three disks."""
    home = folder() / "measured_disks"
    suffix = "_validate" if name == "hp_c2247a" else ""
    disk = extracted_disk((home / f"{name}{suffix}.model").read_text())
    zones = [
        TrackZone(
            z.first_cylinder,
            z.last_cylinder,
            z.per_track_count,
            z.head_skew_count,
            z.cylinder_skew_count,
            z.offset_count,
            z.empty_count,
            z.spares_count,
            z.slips,
        )
        for z in disk.zones
    ]
    tracks = map_of_zones(zones, surfaces_count=disk.surfaces_count, serpentine=disk.serpentine)
    if disk.two_regime:
        curve = TwoRegime(*disk.two_regime[:5])
        seeks = [two_regime_ms(curve, n) for n in range(disk.cylinders_count + 1)]
        seeks[1 : 1 + len(disk.first_seeks_ms)] = disk.first_seeks_ms
    else:
        pairs = seek_pairs((home / f"{name}.seek").read_text())
        seeks = [table_ms(*pairs, n) for n in range(disk.cylinders_count + 1)]
    return Mechanics(
        tracks=tracks,
        seeks_ms=np.array(seeks),
        turn_ms=revolution_ms(disk.speed_rpm),
        head_switch_ms=disk.head_switch_ms,
        write_settle_ms=disk.write_settle_ms,
        cache=CACHES[name],
    )


def measured(name: str) -> Measured:
    """Its requests: operation, flag, sector, sectors, service and think time in microseconds.

    The gap of a row comes after its request on the HP, before it on the other two: see
    ``gaps_come_before``, which is asked on the first half alone.
    """
    with gzip.open(folder() / "measured_disks" / f"{name}.trace.gz", "rt") as file:
        rows = [line.split() for line in file]
    ops = np.array([(int(r[2]), int(r[3]), r[0] == "W") for r in rows], dtype=np.int64)
    times = np.array([(float(r[4]), float(r[5])) for r in rows]) / 1000
    found = Measured(ops, times[:, 0].copy(), times[:, 1].copy())
    before = gaps_come_before(mechanics(name), first_half(found))
    return with_gaps_after(found) if before else found
