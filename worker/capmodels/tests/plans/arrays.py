"""Disk arrays to test with: documents of drives, arrays and the work that they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.storage.drive.drives import ST3500320AS, TRAVELSTAR_7K60, ULTRASTAR_15K73

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import HardDisk

JSONDict = dict[str, Any]


def drive_of(drive: HardDisk) -> JSONDict:
    """A drive as a document."""
    return drive.model_dump(exclude_none=True)


SERVER = drive_of(ULTRASTAR_15K73)
LAPTOP = drive_of(TRAVELSTAR_7K60)
DESKTOP = drive_of(ST3500320AS)
FLASH: JSONDict = {
    "kind": "ssd",
    "name": "flash",
    "capacity_gb": 3840.0,
    "read_latency_ms": 0.08,
    "write_latency_ms": 0.02,
    "read_mb_per_s": 400.0,
    "write_mb_per_s": 200.0,
    "channels_count": 16,
    "active_w": 12.0,
    "write_w": 10.0,
    "idle_w": 5.0,
    "endurance_tb": 7000.0,
}


def array(letter: str = "A", **changes: Any) -> JSONDict:
    """Four desktop drives in RAID-5 at $100."""
    spec: JSONDict = {
        "drive": DESKTOP,
        "drive_price_usd": 100.0,
        "layout": "raid5",
        "disks_count": 4,
    }
    design = changes.pop("design", {})
    return {
        "letter": letter,
        "title": f"Array {letter}",
        "kind": "disk_array",
        "array": spec | changes,
        **design,
    }


def stored(**changes: Any) -> JSONDict:
    """Work that is storage alone: 1 TB, 100 reads of 8 KiB a second, no headroom."""
    return {
        "kind": "demand",
        "busy_cores_count": 0,
        "ram_gib": 0,
        "p99_ratio": 1.0,
        "block_tb": 1.0,
        "block_io_per_s": 100.0,
        "block_mix": {"read_fraction": 1.0},
        "headroom": {"disk_fill_fraction": 1.0, "io_target_fraction": 1.0},
        "availability": {"spare_nodes_count": 0},
        **changes,
    }
