"""Depths that fio measured, read from their folder: not part of the project.

A disk of 10,000 rpm with its own JSON files, and every solid-state drive on a plain SATA port, also
those that depths 2, 8 and 32 do not foretell: how writes of an Intel S4610 slope to depth one, how
long a newer host takes to wake there and how much slower it is at depth 64. Writes of a Crucial MX
alone at depth one, before it has to collect, are of another state.
"""

from __future__ import annotations

import csv
import tarfile
from typing import TYPE_CHECKING, Any

from capmodels.formats.fio_json import depth_rows
from capmodels.formats.fio_json import rows as fio_rows
from capmodels.storage.calibration.depth_rows import DepthRow
from capmodels.tests.storage import measured_disks

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEPTH_MAX = 64
# Model and host as they are told; the newer host is the second.
_DRIVES = {
    "HPMICROSERVERG8/SATA300/SAMSUNGPM833": "PM883",
    "HPMICROSERVERG8/SATA300/SAMSUNG860PRO": "860 PRO",
    "HPMICROSERVERG8/SATA300/INTELD3S4610": "S4610",
    "HPMICROSERVERG8/SATA300/crucial250-01": "Crucial MX, first",
    "HPMICROSERVERG8/SATA300/crucial250-02": "Crucial MX, second",
    "HPMICROSERVERG10/SATA_AHCI_SAMSUNG_PM833_MZ7LH480HAHQ": "PM883, newer host",
    "HPMICROSERVERG10/SATA_AHCI_INTEL_D3-S4610_SSDSC2KG48": "S4610, newer host",
}


def disk_rows() -> list[dict[str, Any]]:
    """Rows of the WD740GD, depth 1 to 64; of equal depths those of the fewest jobs come first."""
    with tarfile.open(
        measured_disks.folder().parent / "fio" / "fio_wd740gd_raw_json.tar.gz"
    ) as tar:
        files = [tar.extractfile(member) for member in tar if member.name.endswith(".json")]
        found = [row for file in files if file is not None for row in fio_rows(file.read())]
    found.sort(key=lambda row: (row.jobs_count, row.queue_depth_count))
    rows, _unused = depth_rows(found)
    return [row for row in rows if row["depth_count"] <= _DEPTH_MAX]


_CONTROLLER = "HPDL380G8/RAID/P420i_"
_BEHIND = (
    "SAMSUNG_PM883_MZ7LH480",
    "SAMSUNG_860PRO/TEST01",
    "INTEL_D3-S4610_SSDSC2KG48/TEST01",
)


def ceilings_per_ms(way: str) -> list[float]:
    """Requests a millisecond at depth 64 of three drives, each behind the same controller."""
    with (measured_disks.folder().parent / "fio" / "fio_measured_devices.csv").open() as file:
        found = {
            row["config"]: float(row["iops"]) / 1000
            for row in csv.DictReader(file)
            if (row["numjobs"], row["iodepth"], row["rw"]) == ("1", "64", f"rand{way}")
        }
    return [found[_CONTROLLER + name] for name in _BEHIND]


Ways = dict[str, list[DepthRow]]


def _told(row: dict[str, str]) -> DepthRow:
    points = [{"percent_ratio": p, "latency_ms": float(row[f"clat_p{p}_ms"])} for p in (50, 95, 99)]
    return DepthRow.model_validate(
        {
            "way": row["rw"].removeprefix("rand"),
            "depth_count": int(row["iodepth"]),
            "latency_ms": float(row["clat_mean_ms"]),
            "rate_per_s": float(row["iops"]),
            "percentiles": points,
        }
    )


def drives() -> Iterator[tuple[str, Ways]]:
    """Name, and rows of one job by direction, of each solid-state drive on a plain port."""
    with (measured_disks.folder().parent / "fio" / "fio_measured_devices.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["numjobs"] == "1"]
    for config, name in _DRIVES.items():
        ways = {
            way: sorted(
                (
                    _told(row)
                    for row in rows
                    if (row["config"], row["rw"]) == (config, f"rand{way}")
                ),
                key=lambda row: row.depth_count,
            )
            for way in ("read", "write")
        }
        yield name, ways
