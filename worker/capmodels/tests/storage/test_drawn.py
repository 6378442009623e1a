"""What the drawing of an array shows: what lies where, what is lost, and all in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from capmodels.storage.array_start import PRESETS
from capmodels.storage.simulator.drawn import Shape, chunk_at, drawn, may_sleep, shape_of

ARRAYS = {preset.id: preset.array for preset in PRESETS}


def shape(kind: str, disks: int, **more: Any) -> Shape:
    return Shape(kind=kind, disks_count=disks, drive="A disk", is_flash=False, **more)


def labels(of: Shape, row: int) -> list[str]:
    return [chunk_at(of, disk, row).label for disk in range(of.disks_count)]


def groups(of: Shape) -> list[int]:
    return [len(group.disks) for group in drawn(of).groups]


def test_the_parity_turns_as_linux_md_has_it_left_symmetric() -> None:
    raid5 = shape("raid5", 4)
    assert labels(raid5, 1) == ["4", "5", "P1", "3"]
    assert [labels(raid5, row).index(f"P{row}") for row in range(4)] == [3, 2, 1, 0]


def test_two_parities_stand_side_by_side_in_every_stripe() -> None:
    raid6 = shape("raid6", 6)
    for row in range(6):
        found = labels(raid6, row)
        assert found[(found.index(f"P{row}") + 1) % 6] == f"Q{row}"
        assert sum(label.isdigit() for label in found) == 4
    assert "R0" in labels(shape("raid7", 6), 0)


@pytest.mark.parametrize(
    ("kind", "disks", "data", "copies"),
    [("raid0", 4, 4, 1), ("raid5", 5, 4, 1), ("raid6", 6, 4, 1), ("raid10", 6, 3, 2),
     ("raid1", 3, 1, 3)],
)  # fmt: skip
def test_every_chunk_is_numbered_once_for_each_copy(
    kind: str, disks: int, data: int, copies: int
) -> None:
    of = shape(kind, disks)
    found = Counter(label for row in range(6) for label in labels(of, row) if label.isdigit())
    assert found == dict.fromkeys(map(str, range(6 * data)), copies)


def test_stripes_go_over_groups_without_a_gap() -> None:
    raid5 = shape("raid5", 6, per_group=3)
    found = [label for row in range(3) for label in labels(raid5, row) if label.isdigit()]
    assert sorted(map(int, found)) == list(range(12))
    assert groups(raid5) == [3, 3]
    assert labels(shape("raid10", 6, per_group=3), 1) == ["2", "2", "2", "3", "3", "3"]


def test_disks_that_belong_together_stand_together() -> None:
    assert groups(shape("raid10", 6)) == [2, 2, 2]
    assert groups(shape("raid0", 4)) == [4]
    assert groups(shape("concatenated", 3)) == [1, 1, 1]
    assert not any(group.is_framed for group in drawn(shape("concatenated", 3)).groups)
    assert not drawn(shape("single", 1)).groups[0].is_framed
    spared = drawn(shape("raid5", 4, spares_count=1))
    assert [group.is_framed for group in spared.groups] == [True, False]
    assert spared.groups[1].disks[0].state == "spare"


def test_enough_rows_are_shown_for_a_parity_to_go_round_and_none_of_many_disks() -> None:
    assert {len(disk.chunks) for disk in drawn(shape("raid5", 5)).groups[0].disks} == {5}
    assert not drawn(shape("raid5", 64)).groups[0].disks[0].chunks
    assert not drawn(shape("draid2", 12)).groups[0].disks[0].chunks


def test_lost_disks_are_the_last_ones_and_of_raid10_one_of_each_pair() -> None:
    pairs = drawn(shape("raid10", 6, lost_count=2))
    states = [disk.state for group in pairs.groups for disk in group.disks]
    assert states == ["awake", "awake", "awake", "lost", "awake", "lost"]
    assert "; disks 3 and 5 are lost." in pairs.says
    rebuilt = drawn(shape("raid5", 4, lost_count=1, is_rebuilt=True))
    assert rebuilt.groups[0].disks[3].state == "rebuilt"
    assert "; disk 3 is lost and being rebuilt." in rebuilt.says
    assert "; 7 disks are lost." in drawn(shape("raid1", 9, lost_count=7)).says


def test_an_array_is_told_with_what_sleeps_and_its_cache() -> None:
    laptops = drawn(shape_of(ARRAYS["laptops"], 1))
    assert [disk.state for disk in laptops.groups[0].disks] == ["awake", "asleep", "asleep"]
    assert laptops.says == (
        "Mirrored set that can sleep: 3 disks, Travelstar 7K60; about 1 awake at this load."
    )
    buffered = drawn(shape_of(ARRAYS["raid5-ssd"], None))
    assert buffered.says.endswith("; solid-state cache of 32.0\u00a0GB, mirrored write buffer.")
    assert buffered.cache == "SSD cache, 32.0\u00a0GB: mirrored write buffer"
    assert drawn(shape_of(ARRAYS["nvme"], None)).is_flash


def test_no_disk_sleeps_that_is_not_told_to_or_has_no_state_for_it() -> None:
    laptops = ARRAYS["laptops"]
    assert may_sleep(laptops)
    assert not may_sleep(laptops.model_copy(update={"timeouts": None}))
    assert not may_sleep(ARRAYS["nvme"].model_copy(update={"timeouts": laptops.timeouts}))
    awake = laptops.drive.model_copy(update={"low_power_idle": None, "standby": None})
    assert not may_sleep(laptops.model_copy(update={"drive": awake}))
