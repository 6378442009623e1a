"""Every drive of the catalogue has each group of figures, or says which it lacks and why."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from catalogue.fixture_entries import Seed, read_entries

# Drives of the papers: TR837, HotPower 2008, and the thesis of Huang.
PAPERS = {
    "hdd-hitachi-dk23da-30", "hdd-hitachi-travelstar-7k60", "hdd-ibm-ultrastar-15k73",
    "hdd-seagate-cheetah-15k3", "hdd-st3500320as", "ssd-mtron-3035-32gb", "hdd-wd-caviar-80gb",
    "hdd-ibm-deskstar-75gxp", "hdd-ibm-ultrastar-36lzx", "hdd-wd-caviar-205ba",
    "hdd-wd-caviar-wd400bb", "hdd-maxtor-4k020h1", "hdd-quantum-lct10", "hdd-quantum-cx10",
}  # fmt: skip
BOTH = {"price": ("unit_price_usd",), "warranty": ("warranty_years",)}
GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "hdd": BOTH | {
        "power": ("idle_w", "read_w", "write_w", "standby_w"),
        "transitions": ("standby_down_j", "standby_down_s", "standby_up_j", "standby_up_s"),
        "seek": ("seek_min_ms", "seek_ms", "seek_max_ms", "rpm"),
        "transfer": ("throughput_mb_per_s", "inner_mb_per_s"),
        "endurance": ("load_unload_count or start_stop_rating_count", "unrecoverable_per_bit"),
    },
    "ssd": BOTH | {
        "power": ("idle_w", "read_w", "write_w"),
        "transitions": ("standby_w", "standby_down_s", "standby_up_s"),
        "latency": ("read_latency_ms", "write_latency_ms", "depth_count", "depth_read_latency_ms"),
        "transfer": ("read_mb_per_s", "write_mb_per_s"),
        "endurance": ("endurance_tb", "unrecoverable_per_bit"),
    },
}  # fmt: skip


def drives() -> dict[str, Seed]:
    return {seed.slug: seed for seed in read_entries() if seed.kind == "drive"}


DRIVES = drives()


def value(seed: Seed, name: str) -> Any:
    return seed.values[name]["value"]


def kind_of(seed: Seed) -> str:
    """Hard disk, or solid-state drive by its interface."""
    if value(seed, "technology") == "hdd":
        return "hdd"
    return "nvme" if "PCIe" in value(seed, "interface") else "sata"


def reasons(seed: Seed) -> dict[str, str]:
    """Why a group of figures is not there."""
    if "not_known" not in seed.values:
        return {}
    said = [part.partition(": ") for part in value(seed, "not_known").split("; ")]
    return {group: reason for group, _, reason in said}


def lacking(seed: Seed) -> set[str]:
    """Groups of which at least one figure is not there."""
    return {
        group
        for group, names in GROUPS[value(seed, "technology")].items()
        for name in names
        if not any(one in seed.values for one in name.split(" or "))
    }


@pytest.mark.parametrize("slug", DRIVES)
def test_a_drive_has_every_group_or_says_why_not(slug: str) -> None:
    said = reasons(DRIVES[slug])
    assert said.keys() == lacking(DRIVES[slug])
    assert all(len(reason) > 10 for reason in said.values())


def whole(seed: Seed) -> bool:
    """Nothing is lacking but the low state of a drive that has none."""
    said = reasons(seed)
    has_none = value(seed, "technology") == "ssd"
    return not said or (has_none and said.keys() == {"transitions"})


def test_the_papers_drives_and_forty_whole_ones_of_each_age_and_kind_are_there() -> None:
    assert DRIVES.keys() >= PAPERS
    found = [
        seed
        for slug, seed in DRIVES.items()
        if slug not in PAPERS and whole(seed) and 2004 <= value(seed, "year") <= 2026
    ]
    assert len(found) >= 40
    kinds = Counter(map(kind_of, found))
    assert min(kinds[kind] for kind in ("hdd", "sata", "nvme")) >= 10
    now = [seed for seed in found if value(seed, "year") >= 2023]
    assert len(now) >= 12
    assert {kind_of(seed) for seed in now} == {"hdd", "sata", "nvme"}
    words = {value(seed, "recording").partition(",")[0] for seed in now}
    assert words >= {"CMR", "SMR", "HAMR", "TLC", "QLC"}


@pytest.mark.parametrize(
    "slug", [slug for slug, seed in DRIVES.items() if "depth_count" in seed.values]
)
def test_latencies_by_depth_follow_from_rates_or_were_measured(slug: str) -> None:
    seed = DRIVES[slug]
    depths, reads = value(seed, "depth_count"), value(seed, "depth_read_latency_ms")
    assert depths == sorted(set(depths))
    assert len(depths) == len(reads)
    assert (depths[0], len(depths) >= 2, depths[-1] >= 16) == (1, True, True)
    if seed.values["depth_read_latency_ms"]["quality"] == "measured":
        return
    for way in ("read", "write"):
        if f"depth_{way}_latency_ms" not in seed.values:
            continue
        one, many = value(seed, f"depth_{way}_latency_ms")
        assert one == pytest.approx(value(seed, f"{way}_latency_ms"), rel=1e-3)
        # Little's law at the depth of the published rate.
        assert depths[1] == value(seed, f"random_{way}_depth_count")
        assert depths[1] / many * 1000 == pytest.approx(
            value(seed, f"random_{way}_per_s"), rel=1e-3
        )
        assert many >= one
