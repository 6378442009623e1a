"""What cannot be meant is a sentence at its field."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.storage.drive.drives import ULTRASTAR_15K73
from capmodels.storage.drive.entries import drive_of

ARRAY = registry.get_model("storage.array")
SINGLE = {"drive": ULTRASTAR_15K73.model_dump(), "layout": {"kind": "single", "disks_count": 1}}


def _recorded(**more: Any) -> dict[str, Any]:
    given = {"kind": "trace", "starts_ms": [0.0, 1.0], "sectors": [0, 8], "sectors_count": [8, 8]}
    return {"array": SINGLE, "workload": given | {"writes": [False, False]} | more}


REFUSED = [
    ("/array/layout/chunk_bytes", {"array": SINGLE | {"layout": {"chunk_bytes": 1 << 40}}}),
    ("/workload/synthetic/size_bytes", {"workload": {"kind": "synthetic", "size_bytes": 1 << 49}}),
    ("/workload/trace/sectors_count/0", _recorded(sectors_count=[1 << 40, 8])),
    (
        "/workload/synthetic/addresses/regions/regions/0/end_fraction",
        {
            "workload": {
                "kind": "synthetic",
                "addresses": {
                    "kind": "regions",
                    "regions": [{"start_fraction": 0.6, "end_fraction": 0.2}],
                },
            }
        },
    ),
    ("/array/cache/block_bytes", {"array": {"cache": {"capacity_gb": 4e-6}}}),
    (
        "/array/cache/block_bytes",
        {"array": {"cache": {"capacity_gb": 0.5, "block_bytes": 1 << 29}}},
    ),
    ("/workload/trace/starts_ms/1", _recorded(starts_ms=[5.0, 1.0])),
    ("/workload/trace/starts_ms/1", _recorded(starts_ms=[0.0, 1e300])),
    ("/array/layout/disks_count", {"array": {"layout": {"kind": "single", "disks_count": 5}}}),
    (
        "/replicates_count",
        {
            "workload": {"kind": "synthetic", "requests_count": 20_000_000},
            "replicates_count": 64,
        },
    ),
    (
        "/array/drive/hdd/capacity_gb",
        {"array": SINGLE | {"drive": ULTRASTAR_15K73.model_dump() | {"capacity_gb": 1e300}}},
    ),
]


@pytest.mark.parametrize(("pointer", "document"), REFUSED)
def test_nonsense_is_refused_where_it_stands(pointer: str, document: dict[str, Any]) -> None:
    with pytest.raises(ParamsError) as refused:
        spec.validate(ARRAY, document)
    said = {fault.pointer: fault.message for fault in refused.value.faults}
    at = [place for place in said if place == pointer or _bare(place) == _bare(pointer)]
    assert at, said
    assert said[at[0]].endswith(".")


def _bare(pointer: str) -> str:
    """A pointer without the kinds of its unions."""
    kinds = {"synthetic", "trace", "hdd", "ssd", "regions"}
    parts = pointer.split("/")
    kept = [part for i, part in enumerate(parts) if part not in kinds or i == len(parts) - 1]
    return "/".join(kept)


ENTRY = {
    "technology": "hdd", "capacity_tb": 28, "rpm": 7200, "seek_ms": 8.2, "idle_w": 5.8,
    "throughput_mb_per_s": 290,
    "read_w": 8.8,
}  # fmt: skip


@pytest.mark.parametrize(
    ("recording", "said"),
    [("SMR, host-managed", "writes in any order"), ("HAMR, SMR", "tracks that do not overlap")],
)
def test_shingled_drives_are_not_taken_for_others(recording: str, said: str) -> None:
    found = drive_of("a drive", ENTRY | {"recording": recording})
    assert found.drive is None
    assert said in found.missing[0]
    plain = drive_of("a drive", ENTRY | {"recording": "HAMR, CMR"}).drive
    assert plain is not None
    assert plain.capacity_gb == 28_000
