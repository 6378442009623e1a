"""A disk and load that DiskSim was given, with its answers: read from their folder."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np

from capmodels.formats.disksim_model import seek_table
from capmodels.storage.drive.drives import HardDisk, TableSeek
from capmodels.storage.simulator import replay as array_replay
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign
from capmodels.storage.simulator.track_map import track_map
from capmodels.tests.storage import measured_disks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.simulator.run import Outcome

_WARM_UP_FRACTION = 0.02
_SEEDS_COUNT = 6


def _tracks_between(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """All tracks, from points (sector, cylinder, head, sector in the track, sectors of it)."""
    firsts, per_track = places[:, 0] - places[:, 3], places[:, 4]
    starts = [
        np.arange(low, high - step // 2, step)
        for low, high, step in zip(firsts[:-1], firsts[1:], per_track[:-1], strict=True)
    ]
    found = np.zeros((sum(map(len, starts)) + 1, 5), dtype=np.int64)
    found[:, 0] = np.append(np.concatenate(starts), firsts[-1])
    found[:, 1] = per_track[np.searchsorted(firsts, found[:, 0], side="right") - 1]
    found[:, 2] = np.interp(found[:, 0], firsts, places[:, 1])
    return found


def answers_ms() -> NDArray[np.float64]:
    """Response times that it gave, those of its start left out."""
    home = measured_disks.folder() / "disksim_case"
    with gzip.open(home / "c15_single_m10_100k.resp.csv.gz", "rt") as file:
        answers = np.loadtxt(file, delimiter=",", skiprows=1)[:, 3]
    return answers[int(len(answers) * _WARM_UP_FRACTION) :]


def runs() -> list[Outcome]:
    """The same requests to the same disk by our simulator, at six turns of the platter."""
    home = measured_disks.folder() / "disksim_case"
    with gzip.open(home / "c15_lbn_map.csv.gz", "rt") as file:
        places = np.loadtxt(file, delimiter=",", skiprows=1).astype(np.int64)
    with gzip.open(home / "c15_m10_100k.trace.gz", "rt") as file:
        asked = np.loadtxt(file)
    distances, seeks, _write = seek_table((home / "c15.seeks").read_text(), "c15.seeks")
    size = int((asked[:, 2] + asked[:, 3]).max()) + 1
    pieces = _tracks_between(places)
    tracks = track_map(pieces, np.zeros(len(pieces)), size)
    cylinders = int(places[:, 1].max()) + 1
    seek = TableSeek(cylinders_count=cylinders, distances_count=distances, seeks_ms=seeks)
    # The settling of a write is not given, and shows in the skews alone as all requests are reads;
    # that of the three measured disks is 0.46 to 0.65 ms.
    drive = HardDisk(
        capacity_gb=size * 512 / 1e9, speed_rpm=60_000 / 3.9947, seek=seek, overhead_ms=0.0,
        write_settle_ms=0.5, outer_mb_per_s=100.0, active_w=1.0, idle_w=1.0,
    )  # fmt: skip
    layout = Layout(kind="single", disks_count=1)
    design = ArrayDesign(drive=drive, layout=layout, timeouts=None)
    ops = np.zeros((len(asked), 3), dtype=np.int64)
    ops[:, :2] = asked[:, 2:4]
    return [
        array_replay.replay(design, asked[:, 0].copy(), ops, seed=s, track_map=tracks)
        for s in range(_SEEDS_COUNT)
    ]


def mean_ms(run: Outcome) -> float:
    """Mean response of a run. [ms]"""
    return float(run.response[0, k.SUM] / run.response[0, k.DONE])
