"""An array of a study's design as it is drawn, from its draft."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.registry import get_model
from capmodels.spec import evaluate

SPEC = get_model("plans.array_drawing")


def asked(**array: Any) -> Any:
    return evaluate(SPEC, array)


def test_is_drawn_from_a_draft_that_lacks_much_and_has_more() -> None:
    found = asked(
        layout="mirrored_sets",
        disks_count=6,
        disks_per_group=3,
        spares_count=1,
        power_policy={"kind": "threshold"},
        drive={"kind": "hdd", "name": "A disk", "capacity_gb": None},
        cache={"device": {"capacity_gb": 100}, "count": 2, "unit_price_usd": None},
    )
    assert [len(group.disks) for group in found.drawn.groups] == [3, 3, 1]
    assert found.drawn.cache.replace("\u00a0", " ") == "SSD cache, 200 GB: write-back"
    assert found.drawn.says.startswith("RAID-10, striped mirrors: 6 disks, A disk;")
    assert found.arrays is None


def test_says_how_many_there_are_unless_it_is_one() -> None:
    assert asked(count=None).arrays == "As many of these as the demand needs."
    assert asked(count=3).arrays == "3 of these."


@pytest.mark.parametrize("array", [{"code": {"nodes_count": 6}}, {"disks_count": 97}])
def test_is_not_drawn_where_there_is_nothing_to_draw(array: dict[str, Any]) -> None:
    assert asked(**array).drawn is None


def test_a_single_drive_is_one_and_copies_of_all_have_no_groups() -> None:
    (single,) = asked(layout="single", disks_count=9).drawn.groups
    assert len(single.disks) == 1
    (mirror,) = asked(layout="raid1", disks_count=4, disks_per_group=2).drawn.groups
    assert len(mirror.disks) == 4
