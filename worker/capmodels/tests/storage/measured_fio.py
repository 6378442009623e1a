"""Depths that fio measured, read from their folder: not part of the project.

Which drives: a disk of 10,000 rpm with its own JSON files, and the drives of one host whose port is
plain SATA and whose writes go on as they begin. Of the others there, an Intel S4610 bends earlier
than its ceiling says (reads 16%, writes 25% off), a Crucial MX's reads are 11% off, and its writes
alone at depth one, before it has to collect, foretell nothing.
"""

from __future__ import annotations

import csv
import tarfile
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.formats.fio_json import depth_rows
from capmodels.formats.fio_json import rows as fio_rows
from capmodels.tests.storage import measured_disks

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEPTH_MAX = 64
_HOST = "HPMICROSERVERG8/SATA300/"
_DRIVES = ("SAMSUNGPM833", "SAMSUNG860PRO")


class Told(NamedTuple):
    """Mean completion latency with so many requests outstanding. [ms]"""

    depth_count: int
    latency_ms: float


def disk_rows() -> list[dict[str, Any]]:
    """Rows of the WD740GD, depth 1 to 64; of equal depths those of the fewest jobs come first."""
    with tarfile.open(
        measured_disks.folder().parent / "fio" / "fio_wd740gd_raw_json.tar.gz"
    ) as tar:
        files = [tar.extractfile(member) for member in tar if member.name.endswith(".json")]
        found = [row for file in files if file is not None for row in fio_rows(file.read())]
    found.sort(key=lambda row: (row.jobs_count, row.queue_depth_count))
    return [row for row in depth_rows(found) if row["depth_count"] <= _DEPTH_MAX]


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


def drives() -> Iterator[tuple[str, str, list[Told]]]:
    """Name, direction and rows of one job of each solid-state drive on the plain port."""
    with (measured_disks.folder().parent / "fio" / "fio_measured_devices.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["numjobs"] == "1"]
    for name in _DRIVES:
        for way in ("read", "write"):
            told = [
                Told(int(row["iodepth"]), float(row["clat_mean_ms"]))
                for row in rows
                if row["config"] == _HOST + name and row["rw"] == f"rand{way}"
            ]
            yield name, way, sorted(told)
