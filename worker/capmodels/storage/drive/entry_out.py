"""From a drive to the fields of a catalogue entry that make it again, and what no field holds."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.storage.drive.drives import HardDisk, SolidState
from capmodels.storage.drive.entries import DIES, drive_of
from capmodels.storage.drive.entry_measured import ALIKE, ANGLE, BUFFER, YES
from capmodels.storage.drive.flash_sheet import SMALL_BYTES
from capmodels.storage.drive.service import MS_PER_S, transfer_ms
from capmodels.units import GB_PER_TB

if TYPE_CHECKING:
    from collections.abc import Iterator

Value = float | str | list[float]


class DriveEntry(NamedTuple):
    """Values of an entry, and what of the drive does not come out of them.

    Places that come out otherwise; where no drive can be made, what it lacks, in words.
    """

    values: dict[str, Value]
    lost: tuple[str, ...]


def entry_of(drive: HardDisk | SolidState) -> DriveEntry:
    """Return the entry of a drive.

    What ``drive_of`` makes of the entry is held against the drive, so what is lost is known.
    """
    if isinstance(drive, HardDisk) and drive.inner_mb_per_s is None:
        # The drive takes the outer rate then, an entry without one a share of it.
        drive = drive.model_copy(update={"inner_mb_per_s": drive.outer_mb_per_s})
    said = _hard_disk(drive) if isinstance(drive, HardDisk) else _solid_state(drive)
    given: dict[str, Any] = {
        "technology": drive.kind,
        "capacity_tb": drive.capacity_gb / GB_PER_TB,
        "unit_price_usd": drive.price_usd,
        "idle_w": drive.idle_w,
        "read_w": drive.active_w,
        "unrecoverable_per_bit": drive.unrecoverable_per_bit,
        "afr_fraction": drive.afr_fraction,
        **said,
    }
    values = {name: value for name, value in given.items() if value is not None}
    made = drive_of(drive.name, values)
    if made.drive is None:
        return DriveEntry(values, made.missing)
    again = made.drive.model_dump(mode="json")
    lost = _unlike(drive.model_dump(mode="json", exclude={"name", "on_sale"}), again, "")
    return DriveEntry(values, tuple(lost))


def entry_csv(slug: str, title: str, entry: DriveEntry, source: str) -> str:
    """Return the entry as a table that the catalogue reads."""
    head = {"slug": slug, "title": title, "source": source, "quality": "measured"}
    cells = {
        name: json.dumps(value) if isinstance(value, list) else value
        for name, value in entry.values.items()
    }
    file = io.StringIO()
    writer = csv.DictWriter(file, [*head, *cells], lineterminator="\n")
    writer.writeheader()
    writer.writerow({**head, **cells})
    return file.getvalue()


def _hard_disk(drive: HardDisk) -> dict[str, Any]:
    seek = drive.seek.model_dump(mode="json")
    return {
        "rpm": drive.speed_rpm,
        "seek_ms": seek.get("avg_ms"),
        "seek_min_ms": seek.get("min_ms"),
        "seek_max_ms": seek.get("max_ms"),
        "throughput_mb_per_s": drive.outer_mb_per_s,
        "inner_mb_per_s": drive.inner_mb_per_s,
        "start_stop_rating_count": drive.start_stop_rating_count,
        **{name: getattr(drive, name) for name in ALIKE},
        **_states(drive),
        **_tracks(drive),
        **_measured(drive),
        **_buffer(drive),
    }


_STATE = {"power_w": "w", "down_j": "down_j", "down_s": "down_s", "up_j": "up_j", "up_s": "up_s"}


def _states(drive: HardDisk) -> dict[str, Any]:
    states = {"low_power_idle": drive.low_power_idle, "standby": drive.standby}
    return {
        f"{name}_{field}": getattr(state, part)
        for name, state in states.items()
        if state is not None
        for part, field in _STATE.items()
    }


def _tracks(drive: HardDisk) -> dict[str, Any]:
    tracks = drive.geometry
    if tracks is None:
        return {}
    names = ("cylinders_count", "sectors_per_track_count", "spare_sectors_count")
    return {
        "surfaces_count": tracks.surfaces_count,
        "head_skew_ms": tracks.head_skew_ms,
        "cylinder_skew_ms": tracks.cylinder_skew_ms,
        **({ANGLE: YES} if tracks.follows_angle else {}),
        **{f"zone_{name}": [getattr(zone, name) for zone in tracks.zones] for name in names},
    }


def _measured(drive: HardDisk) -> dict[str, Any]:
    if drive.measured is None:
        return {}
    rules = drive.measured.model_dump(mode="json", exclude_defaults=True)
    costs = rules.pop("costs", ())
    flags = {name: YES for name, said in rules.items() if said is True}
    others = {name: said for name, said in rules.items() if not isinstance(said, bool)}
    found = {
        f"{cost['request']}_{name}": said
        for cost in costs
        for name, said in cost.items()
        if name != "request"
    }
    return {**found, **flags, **others}


def _buffer(drive: HardDisk) -> dict[str, Any]:
    if drive.buffer is None:
        return {}
    said = {field: getattr(drive.buffer, name) for name, field in BUFFER.items()}
    return {
        field: (YES if value else None) if isinstance(value, bool) else value
        for field, value in said.items()
    }


def _solid_state(drive: SolidState) -> dict[str, Any]:
    channels = drive.channels_count
    found: dict[str, Any] = {
        "channels_count": channels,
        "write_w": drive.write_w,
        "endurance_tb": drive.endurance_tb,
        "write_wait_ms": drive.write_wait_ms or None,
        "write_amplification_ratio": drive.write_amplification_ratio,
        **{field: getattr(drive.dies, name, None) for name, field in DIES.items()},
    }
    for way in ("read", "write"):
        rate = getattr(drive, f"{way}_mb_per_s")
        hold_ms = getattr(drive, f"{way}_hold_ms")
        # The inverse of ``flash_sheet.times_ms``.
        passing = transfer_ms(SMALL_BYTES, rate * channels if hold_ms else rate)
        found[f"{way}_mb_per_s"] = rate * channels
        found[f"{way}_latency_ms"] = getattr(drive, f"{way}_latency_ms") + passing
        found[f"random_{way}_per_s"] = channels * MS_PER_S / hold_ms if hold_ms else None
    return found


def _unlike(drive: Any, again: Any, place: str) -> Iterator[str]:
    if isinstance(drive, dict) and isinstance(again, dict):
        for name in sorted(drive):
            yield from _unlike(drive[name], again.get(name), f"{place}/{name}")
    elif isinstance(drive, list) and isinstance(again, list) and len(drive) == len(again):
        for at, (one, other) in enumerate(zip(drive, again, strict=True)):
            yield from _unlike(one, other, f"{place}/{at}")
    elif not same_value(drive, again):
        yield place


def same_value(one: Any, other: Any) -> bool:
    """Whether two values of an entry, or figures of a drive, are the same but for rounding."""
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers):
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1e-3)
    return bool(one == other)
