"""Drives of an array that read tracks in any order, and that take time to come onto one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels.storage.drive.drives import DriveBuffer, HardDisk, TableSeek
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign, Dispatch
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.track_map import TrackZone, map_of_zones

pytestmark = pytest.mark.slow

SEEK = TableSeek(cylinders_count=1000, distances_count=(1, 999), seeks_ms=(1.0, 1.0))
# 100 sectors of 0.1 ms a track.
BUFFER = DriveBuffer(segment_bytes=51_200, ahead_bytes=0, whole_tracks=True)
DRIVE = HardDisk(
    capacity_gb=0.1,
    speed_rpm=6000.0,
    seek=SEEK,
    overhead_ms=0.25,
    outer_mb_per_s=5.12,
    active_w=1.0,
    idle_w=1.0,
    buffer=BUFFER,
)
TRACKS = map_of_zones([TrackZone(0, 499, 100, 10, 20)], surfaces_count=2)
LAYOUTS = [("single", 1, "fcfs"), ("single", 1, "look"), ("raid1", 2, "fcfs"), ("raid1", 2, "look")]


def _design(kind: Any, disks: int, scheduler: Any, drive: HardDisk = DRIVE) -> ArrayDesign:
    return ArrayDesign(
        drive=drive,
        layout=Layout(kind=kind, disks_count=disks),
        dispatch=Dispatch(kind="nearest_head"),
        scheduler=scheduler,
        timeouts=None,
    )


def _replayed(design: ArrayDesign, ops: np.ndarray[Any, Any], gap_ms: float, **more: Any) -> Any:
    at = np.arange(len(ops), dtype=np.float64) * gap_ms
    return replay(design, at, np.array(ops, dtype=np.int64), seed=5, **more)


@pytest.mark.parametrize(("kind", "disks", "scheduler"), LAYOUTS)
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.decisive
def test_a_whole_track_takes_a_turn_from_any_angle(
    *, kind: str, disks: int, scheduler: str, known: bool
) -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    ops = np.zeros((400, 3), dtype=np.int64)
    ops[:, 0] = rng.permutation(900)[:400] * 100
    ops[:, 1] = 100
    more = {"track_map": TRACKS} if known else {}
    out = _replayed(_design(kind, disks, scheduler), ops, 50.0, **more)
    # Overhead, a seek at most, and one turn, whatever the angle.
    assert out.response[0, k.LARGEST] == pytest.approx(0.25 + 1.0 + 10.0)
    assert out.response[0, k.SUM] / out.response[0, k.DONE] > 11.0
    in_order = DRIVE.model_copy(
        update={"buffer": BUFFER.model_copy(update={"whole_tracks": False})}
    )
    slower = _replayed(_design(kind, disks, scheduler, in_order), ops, 50.0, **more)
    assert slower.response[0, k.LARGEST] > 20.0


def test_part_of_a_track_takes_what_the_closed_form_says() -> None:
    rng = np.random.Generator(np.random.PCG64(2))
    for share in (0.3, 0.5, 0.8):
        ops = np.zeros((4000, 3), dtype=np.int64)
        ops[:, 0] = rng.integers(0, 1900, 4000) * 100
        ops[:, 1] = int(100 * share)
        drive = DRIVE.model_copy(update={"buffer": BUFFER.model_copy(update={"segments_count": 1})})
        out = _replayed(_design("single", 1, "fcfs", drive), ops, 100.0)
        mean = out.response[0, k.SUM] / out.response[0, k.DONE]
        # The head comes onto a wanted sector with the chance of the share: then it takes a turn.
        turns = 0.5 + share - share * share / 2
        assert mean == pytest.approx(0.25 + 1.0 + 10.0 * turns, rel=0.01)


@pytest.mark.parametrize(("kind", "disks", "scheduler"), LAYOUTS)
def test_what_came_past_is_held_once_the_turn_is_over(
    kind: str, disks: int, scheduler: str
) -> None:
    ops = np.array([(50, 5, 0), (10, 5, 0), (90, 5, 0), (110, 5, 0)])
    out = _replayed(_design(kind, disks, scheduler), ops, 100.0, track_map=TRACKS)
    assert out.tally[k.BUFFER_HITS] == 2
    soon = _replayed(_design(kind, disks, scheduler), ops[:2], 8.0, track_map=TRACKS)
    assert soon.tally[k.BUFFER_HITS] == 0
    written = np.array([(50, 5, 0), (10, 5, 1), (90, 5, 0)])
    assert _replayed(_design(kind, disks, scheduler), written, 100.0).tally[k.BUFFER_HITS] == 0


@pytest.mark.parametrize(("kind", "disks", "scheduler"), LAYOUTS)
def test_coming_onto_a_track_of_the_same_cylinder_takes_its_time(
    kind: str, disks: int, scheduler: str
) -> None:
    # 20 requests to each of 10 cylinders, never one after the other's end.
    ops = np.zeros((200, 3), dtype=np.int64)
    ops[:, 0] = np.arange(200) // 20 * 200 + np.arange(200) % 20 * 7
    ops[:, 1] = 4
    bare = DRIVE.model_copy(update={"buffer": None})
    slow = bare.model_copy(update={"same_cylinder_ms": 0.8})
    one, two = (
        _replayed(_design(kind, disks, scheduler, drive), ops, 100.0, track_map=TRACKS)
        for drive in (bare, slow)
    )
    # The first request to a cylinder seeks, and that to the first finds the arm there.
    more = two.time_ms[:, k.ACTIVE].sum() - one.time_ms[:, k.ACTIVE].sum()
    assert more == pytest.approx(0.8 * (200 - 9), rel=1e-6)
