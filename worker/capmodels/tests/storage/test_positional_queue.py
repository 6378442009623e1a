"""Queues sorted by position, against a plain simulation of one disk written apart."""

from __future__ import annotations

import math

import numpy as np
import pytest

from capmodels.storage.drive.drives import HardDisk, ThreePointSeek
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone
from capmodels.storage.drive.service import revolution_ms
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.build import seeks_by_cylinder
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.series import quantile_ms
from capmodels.storage.simulator.track_map import tracks_of

pytestmark = pytest.mark.slow

GEOMETRY = DiskGeometry(
    surfaces_count=2,
    zones=(
        GeometryZone(cylinders_count=300, sectors_per_track_count=120),
        GeometryZone(cylinders_count=300, sectors_per_track_count=90),
    ),
    head_skew_ms=1.1,
    cylinder_skew_ms=2.3,
    follows_angle=True,
)
DISK = HardDisk(
    capacity_gb=126_000 * 512 / 1e9,
    speed_rpm=10_000.0,
    seek=ThreePointSeek(min_ms=0.8, avg_ms=3.0, max_ms=6.0),
    overhead_ms=0.1,
    outer_mb_per_s=10.0,
    active_w=10.0,
    idle_w=8.0,
    geometry=GEOMETRY,
)
COUNT = 6000


def _requests() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.Generator(np.random.PCG64(7))
    at = np.cumsum(rng.standard_exponential(COUNT) * 5.5)
    ops = np.zeros((COUNT, 3), dtype=np.int64)
    ops[:, 0], ops[:, 1] = rng.permutation(126_000)[:COUNT], 1
    return at, ops


def _plain(at: np.ndarray, ops: np.ndarray, queue: int, ageing: float) -> np.ndarray:
    """Responses of one disk that takes, of its oldest requests, the one that it reaches first."""
    turn = revolution_ms(DISK.speed_rpm)
    tracks, seeks = tracks_of(GEOMETRY, turn), seeks_by_cylinder(DISK, 600)
    row = np.searchsorted(tracks.tracks[:, 0], ops[:, 0], side="right") - 1
    per_track, cylinder = tracks.tracks[row, 1], tracks.tracks[row, 2]
    angle = tracks.angles[row] + (ops[:, 0] - tracks.tracks[row, 0]) / per_track
    waiting: list[int] = []
    done, now, head, next_one = np.zeros(COUNT), 0.0, 0, 0
    for _ in range(COUNT):
        if not waiting:
            now = max(now, at[next_one])
        while next_one < COUNT and at[next_one] <= now:
            waiting.append(next_one)
            next_one += 1

        def reach(i: int, start: float = now, place: int = head) -> float:
            seek = float(seeks[abs(int(cylinder[i]) - place)])
            wait = angle[i] - (start + 0.1 + seek) / turn
            wait -= math.floor(wait)
            return seek + (wait * turn if wait < 1 - 1e-9 else 0.0)

        best = min(waiting[:queue], key=lambda i: reach(i) - ageing * (now - at[i]))
        now += 0.1 + reach(best) + turn / per_track[best]
        done[best], head = now, int(cylinder[best])
        waiting.remove(best)
    return done - at


@pytest.mark.decisive
@pytest.mark.parametrize(("queue", "ageing"), [(8, 0.0), (1000, 0.0), (8, 0.2)])
def test_a_disk_takes_what_it_reaches_first(queue: int, ageing: float) -> None:
    at, ops = _requests()
    design = ArrayDesign(
        drive=DISK,
        layout=Layout(kind="single", disks_count=1),
        timeouts=None,
        scheduler="sptf",
        queue_count=queue,
        ageing_ratio=ageing,
    )
    out = replay(design, at, ops, seed=1)
    theirs = _plain(at, ops, queue, ageing)[int(0.02 * COUNT) :]
    ours = float(out.response[0, k.SUM] / out.response[0, k.DONE])
    assert ours == pytest.approx(theirs.mean(), rel=0.01)
    histogram = out.histogram.sum(axis=0)
    assert quantile_ms(histogram, 0.99) == pytest.approx(np.quantile(theirs, 0.99), rel=0.02)


def test_without_an_angle_position_still_helps() -> None:
    at, ops = _requests()
    blind = DISK.model_copy(
        update={"geometry": GEOMETRY.model_copy(update={"follows_angle": False})}
    )
    means = []
    for scheduler in ("fcfs", "sstf", "sptf"):
        design = ArrayDesign.model_validate(
            {
                "drive": blind,
                "layout": {"kind": "single", "disks_count": 1},
                "timeouts": None,
                "scheduler": scheduler,
            }
        )
        out = replay(design, at, ops, seed=1)
        means.append(float(out.response[0, k.SUM] / out.response[0, k.DONE]))
    assert means[0] > means[1] > means[2]
