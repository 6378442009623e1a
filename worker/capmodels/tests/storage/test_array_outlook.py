"""What is said of an array before it is simulated."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capmodels.errors import ParamsError
from capmodels.registry import get_model
from capmodels.spec import Context, answer, validate
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, ULTRASTAR_15K73, HardDisk
from capmodels.storage.drive.track_estimate import estimated_tracks, tracks_of

SPEC = get_model("storage.array_outlook")
SERVER: dict[str, Any] = {"drive": ULTRASTAR_15K73.model_dump(), "timeouts": None}
ONE: dict[str, Any] = {**SERVER, "layout": {"kind": "single", "disks_count": 1}}


def outlook(**document: Any) -> Any:
    return answer(SPEC, validate(SPEC, document), Context())


def plain(text: str | None) -> str:
    return (text or "").replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("document", "word"),
    [
        ({"recorded": True}, "recorded requests"),
        ({"workload": {"arrivals": {"kind": "closed"}}}, "closed loop"),
        ({"workload": {"addresses": {"kind": "sequential"}}}, "sequential runs"),
        ({"array": {"cache": {}}}, "a cache"),
        ({"array": {"copies": {}}}, "copies in free space"),
        ({"array": {"scheduler": "sptf"}}, "a sorted queue"),
        ({"array": {"layout": {"failed_disk_count": 1}}}, "a lost disk"),
        ({"array": {"drive": {**SERVER["drive"], "seek": {"kind": "logical"}}}}, "three-point"),
    ],
)
def test_says_why_there_is_no_closed_form(document: dict[str, Any], word: str) -> None:
    found = outlook(**document)
    assert found.closed_form is None
    assert word in found.no_closed_form


def test_says_what_requests_come_to() -> None:
    sizes = [{"size_bytes": 4096, "weight_ratio": 3}, {"size_bytes": 65_536}]
    mixed = outlook(workload={"read_fraction": 0.65, "sizes": sizes})
    assert plain(mixed.requests) == "100 per s, 65% reads, 4 to 64 KiB"
    assert mixed.request_bytes == 19_456  # a mean, in whole sectors
    closed = outlook(workload={"arrivals": {"kind": "closed"}})
    assert plain(closed.requests) == "closed loop, reads, 8 KiB"


def test_says_that_small_writes_have_no_response_above_a_load() -> None:
    layout = {"kind": "raid5", "disks_count": 5}

    def withheld(mean_ms: float, **changes: Any) -> Any:
        work = {"read_fraction": 0.5, "arrivals": {"kind": "exponential", "mean_ms": mean_ms}}
        found = outlook(array={**SERVER, "layout": layout | changes}, workload=work)
        assert found.closed_form is not None
        return found.response_withheld

    assert withheld(10.0) is None
    assert withheld(4.0).startswith("Above a load of 70%")
    assert withheld(0.1) is None  # it cannot keep up, and says so
    assert withheld(4.0, locked_updates=True) is None


@pytest.mark.decisive
def test_the_closed_form_is_that_of_the_instant_array() -> None:
    found = outlook(array={**SERVER, "layout": {"kind": "raid5", "disks_count": 4}})
    asked = {
        "drive": {**SERVER["drive"], "standby": None},
        "layout": "raid5",
        "disks_count": 4,
        "arrival_rate_per_s": 100.0,
        "energy_usd_per_kwh": 0.10,
    }
    instant = get_model("storage.array_instant")
    assert found.closed_form == answer(instant, validate(instant, asked), Context())
    assert found.losses_survived_count == 1


def test_a_swap_of_drives_is_said_with_what_it_saves_and_when_it_pays() -> None:
    laptops = {"drive": TRAVELSTAR_7K60.model_dump()}
    replaced: dict[str, Any] = {"drive": ULTRASTAR_15K73.model_dump(), "disks_count": 1}
    found = plain(outlook(array=laptops, replaces=replaced).swap)
    assert found.startswith("Saves ")
    assert "over Ultrastar 15K73" in found
    assert "electricity alone pays that back in" in found
    free = {**replaced, "drive": {**replaced["drive"], "price_usd": 0.0}}
    assert "price of Ultrastar 15K73 is not known" in plain(
        outlook(array=laptops, replaces=free).swap
    )
    same: dict[str, Any] = {"drive": ULTRASTAR_15K73.model_dump(), "disks_count": 1}
    assert plain(outlook(array=ONE, replaces=same).swap).startswith("Uses as much power as")
    unknown = plain(outlook(array=ONE, replaces=same, recorded=True).swap)
    assert unknown.startswith("What the swap saves is known in closed form only.")
    assert outlook(array=ONE).swap is None


def test_disks_that_always_spin_have_no_wear() -> None:
    assert outlook(array=ONE).wear == "no start-stops: its disks always spin"
    assert outlook().wear is None


@given(
    capacity_gb=st.floats(10, 30_000),
    outer=st.floats(30, 300),
    share=st.floats(0.4, 1.0),
    rpm=st.sampled_from([4200.0, 5400.0, 7200.0, 10_000.0, 15_037.0]),
)
def test_estimated_tracks_are_those_of_a_valid_drive_and_hold_its_capacity(
    capacity_gb: float, outer: float, share: float, rpm: float
) -> None:
    drive = TRAVELSTAR_7K60.model_copy(
        update={
            "capacity_gb": capacity_gb,
            "outer_mb_per_s": outer,
            "inner_mb_per_s": outer * share,
            "speed_rpm": rpm,
        }
    )
    tracks = estimated_tracks(drive)
    if tracks is None:
        # More surfaces than a disk may have.
        assert capacity_gb / outer / rpm > 1e-4
        return
    whole = HardDisk.model_validate({**drive.model_dump(), "geometry": tracks.model_dump()})
    found = tracks_of(whole)
    assert found is not None
    assert found.caption.endswith(", estimated from capacity and rates")
    assert found.says.startswith(f"Zones of the platter: {len(found.zones_said)} zones, ")
    assert found.held_gb == pytest.approx(capacity_gb, rel=0.01)
    assert found.zone_rates_mb_per_s[0] > found.zone_rates_mb_per_s[-1] or share > 0.99


def test_regions_for_copies_grow_with_the_disks() -> None:
    large = {**SERVER["drive"], "capacity_gb": 30_000.0}
    many = {"drive": large, "layout": {"kind": "raid0", "disks_count": 64}}
    found = outlook(array=many)
    assert found.copies_region_bytes > outlook(array=ONE).copies_region_bytes
    kept = {"region_bytes": int(found.copies_region_bytes)}
    assert outlook(array={**many, "copies": kept}).no_closed_form is not None


_TABLE = {"kind": "table", "cylinders_count": 1000}
_UNEVEN = {**_TABLE, "distances_count": [1, 50, 100], "seeks_ms": [0.8, 3.0]}
_FALLING = {**_TABLE, "distances_count": [100, 1], "seeks_ms": [0.8, 3.0]}


@pytest.mark.parametrize(
    ("change", "pointer", "sentence"),
    [
        ({"layout": {"kind": "raid6", "disks_count": 1}}, "/layout/disks_count", "at least 4"),
        ({"drive": {"seek": _FALLING}}, "/drive/seek/distances_count", "Distances have to rise."),
        ({"drive": {"seek": _UNEVEN}}, "/drive/seek/seeks_ms", "one seek for each distance."),
    ],
)
def test_says_beside_the_field_what_does_not_go_with_the_rest(
    change: dict[str, Any], pointer: str, sentence: str
) -> None:
    spec = get_model("storage.array_outlook")
    array = spec.params().array.model_dump(mode="json")
    for part, values in change.items():
        array[part] |= values
    with pytest.raises(ParamsError) as refused:
        validate(spec, {"array": array})
    told = {fault.pointer: fault.message for fault in refused.value.faults}
    assert sentence in told[f"/array{pointer}"]
