"""From the figures of a catalogue entry of kind ``drive`` to a drive that can be simulated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.storage.drive.drives import HardDisk, SolidState
from capmodels.storage.drive.entry_measured import (
    ALIKE,
    ANGLE,
    BUFFER,
    YES,
    buffer_of,
    measured_of,
)
from capmodels.storage.drive.flash_sheet import FlashWay, channels_of, times_ms
from capmodels.units import GB_PER_TB

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Of the disks of the catalogue that say both, rounded: a test holds them to the medians.
SEEK_MIN_SHARE, SEEK_MAX_SHARE, INNER_SHARE = 0.1, 2.0, 0.5


class Origin(NamedTuple):
    """The field of the entry that a figure of the drive comes from, and how if it is another."""

    field: str
    how: str | None


class EntryDrive(NamedTuple):
    """A drive, or what the entry lacks for one, in words; where its figures come from."""

    kind: str
    drive: HardDisk | SolidState | None
    missing: tuple[str, ...]
    origins: dict[str, Origin]


Figures = dict[str, float]
_SOLID = re.compile("ssd|nvme|flash|solid")


def drive_of(name: str, values: Mapping[str, object]) -> EntryDrive:
    """Return the drive of an entry's values, units as their names say.

    What the entry does not say is as the drive's own schema has it, with its source.
    """
    kind = "ssd" if _SOLID.search(str(values.get("technology")).lower()) else "hdd"
    figures = {k: float(v) for k, v in values.items() if isinstance(v, int | float)}
    missing = tuple(word for field, word in _NEEDED[kind].items() if field not in figures)
    missing = (*_shingled(str(values.get("recording", ""))), *missing)
    if missing:
        return EntryDrive(kind, None, missing, {})
    on_sale = values.get("on_sale") == "yes"
    try:
        of_kind = _solid_state(figures) if kind == "ssd" else _hard_disk(figures, values)
        given = {"name": name, "on_sale": on_sale, **_both(figures), **of_kind}
        drive = (SolidState if kind == "ssd" else HardDisk).model_validate(given)
    except (ValueError, ArithmeticError):
        return EntryDrive(kind, None, ("figures that a drive can have",), {})
    return EntryDrive(kind, drive, (), dict(_origins(kind, figures, drive)))


def _shingled(recording: str) -> tuple[str, ...]:
    """What a drive with overlapping tracks (SMR) lacks to be simulated; nothing else does."""
    if "SMR" not in recording.upper():
        return ()
    if "host" in recording.lower():
        return ("writes in any order (it is host-managed SMR)",)
    return ("tracks that do not overlap (the bands of SMR are not simulated)",)


_WATTS = {"read_w": "power at work", "idle_w": "idle power"}
_NEEDED = {
    "hdd": {
        "capacity_tb": "capacity",
        "rpm": "speed",
        "seek_ms": "seek time",
        "throughput_mb_per_s": "transfer rate",
        **_WATTS,
    },
    "ssd": {
        "capacity_tb": "capacity",
        "read_latency_ms": "read latency",
        "write_latency_ms": "write latency",
        "read_mb_per_s": "read rate",
        "write_mb_per_s": "write rate",
        **_WATTS,
    },
}


# What a drive of either kind has, by its field of an entry.
_SAME = {
    "idle_w": "idle_w",
    "price_usd": "unit_price_usd",
    "unrecoverable_per_bit": "unrecoverable_per_bit",
    "afr_fraction": "afr_fraction",
}


def _both(f: Figures) -> dict[str, Any]:
    """What is said of drives of both kinds, as far as it is."""
    given = {to: f[field] for to, field in _SAME.items() if field in f}
    return {"capacity_gb": f["capacity_tb"] * GB_PER_TB, **given}


def _hard_disk(f: Figures, values: Mapping[str, object]) -> dict[str, Any]:
    seek, outer, read_w = f["seek_ms"], f["throughput_mb_per_s"], f["read_w"]
    starts = f.get("load_unload_count") or f.get("start_stop_rating_count")
    return {
        "speed_rpm": f["rpm"],
        "seek": {
            "kind": "three_point",
            "min_ms": f.get("seek_min_ms", seek * SEEK_MIN_SHARE),
            "avg_ms": seek,
            "max_ms": f.get("seek_max_ms", seek * SEEK_MAX_SHARE),
        },
        "outer_mb_per_s": outer,
        "inner_mb_per_s": f.get("inner_mb_per_s", outer * INNER_SHARE),
        "active_w": (read_w + f.get("write_w", read_w)) / 2,
        "low_power_idle": _state(f, "low_power_idle"),
        "standby": _state(f, "standby"),
        "geometry": _geometry(f, values),
        "measured": measured_of(values),
        "buffer": buffer_of(values),
        **{name: f[name] for name in ALIKE if name in f},
        **({"start_stop_rating_count": int(starts)} if starts else {}),
    }


_ZONES = {"zone_cylinders_count", "zone_sectors_per_track_count"}


def _geometry(f: Figures, values: Mapping[str, object]) -> dict[str, Any] | None:
    """The tracks of a disk, when its zones and surfaces are known."""
    lists = {k: [int(n) for n in v] for k, v in values.items() if isinstance(v, list)}
    cylinders, sectors = (
        lists.get("zone_cylinders_count"),
        lists.get("zone_sectors_per_track_count"),
    )
    if "surfaces_count" not in f or cylinders is None or sectors is None:
        return None
    spares = lists.get("zone_spare_sectors_count", [0] * len(cylinders))
    names = ("cylinders_count", "sectors_per_track_count", "spare_sectors_count")
    return {
        "surfaces_count": int(f["surfaces_count"]),
        "zones": [
            dict(zip(names, zone, strict=True))
            for zone in zip(cylinders, sectors, spares, strict=True)
        ],
        "head_skew_ms": f.get("head_skew_ms", 0.0),
        "cylinder_skew_ms": f.get("cylinder_skew_ms", 0.0),
        "follows_angle": values.get(ANGLE) == YES,
    }


_STATE = {"power_w": "w", "down_j": "down_j", "down_s": "down_s", "up_j": "up_j", "up_s": "up_s"}


def _state(f: Figures, name: str) -> Figures | None:
    """A low state, when power and both ways are given."""
    parts = {part: f.get(f"{name}_{field}") for part, field in _STATE.items()}
    given = {part: value for part, value in parts.items() if value is not None}
    return given if len(given) == len(parts) else None


def _solid_state(f: Figures) -> dict[str, Any]:
    reads, writes = (
        FlashWay(f[f"{way}_latency_ms"], f.get(f"random_{way}_per_s"), f[f"{way}_mb_per_s"])
        for way in ("read", "write")
    )
    channels = channels_of(reads, int(f.get("channels_count", 1)))
    read_ms, read_hold_ms = times_ms(reads, channels)
    write_ms, write_hold_ms = times_ms(writes, channels)
    return {
        "read_latency_ms": read_ms,
        "write_latency_ms": write_ms,
        "read_mb_per_s": reads.throughput_mb_per_s / channels,
        "write_mb_per_s": writes.throughput_mb_per_s / channels,
        "channels_count": channels,
        "read_hold_ms": read_hold_ms,
        "write_hold_ms": write_hold_ms,
        "write_wait_ms": f.get("write_wait_ms", 0.0),
        "dies": _dies(f),
        "active_w": f["read_w"],
        "write_w": f.get("write_w"),
        "endurance_tb": f.get("endurance_tb"),
        "write_amplification_ratio": f.get("write_amplification_ratio"),
    }


# Fields of a drive whose reads wait for the die that has their data, as a calibration finds it.
DIES = {
    "page_bytes": "die_page_bytes",
    "link_read_ms": "die_link_read_ms",
    "link_write_ms": "die_link_write_ms",
}


def _dies(f: Figures) -> Figures | None:
    """Dies behind a link, where an entry says how long a read keeps it."""
    if DIES["link_read_ms"] not in f:
        return None
    found = {name: f[field] for name, field in DIES.items() if field in f}
    return found | {name: int(found[name]) for name in ("page_bytes",) if name in found}


# (place in the drive, fields that it may come from, how where it is not the field's own figure)
_Rule = tuple[str, tuple[str, ...], str | None]
_OF_BOTH: tuple[_Rule, ...] = (
    ("/capacity_gb", ("capacity_tb",), None),
    *((f"/{name}", (field,), None) for name, field in _SAME.items()),
)
_OF_DISKS = "as most disks of the catalogue that say both"
_LESS = "less the time to pass 4 KiB"
_OVER = "of the drive, over its channels"
_RULES: dict[str, tuple[_Rule, ...]] = {
    "hdd": (
        *_OF_BOTH,
        *(
            (f"/{state}/{part}", (f"{state}_{field}",), None)
            for state in ("standby", "low_power_idle")
            for part, field in _STATE.items()
        ),
        ("/speed_rpm", ("rpm",), None),
        ("/seek/min_ms", ("seek_min_ms", "seek_ms"), f"a tenth of the mean seek, {_OF_DISKS}"),
        ("/seek/avg_ms", ("seek_ms",), None),
        ("/seek/max_ms", ("seek_max_ms", "seek_ms"), f"twice the mean seek, {_OF_DISKS}"),
        ("/outer_mb_per_s", ("throughput_mb_per_s",), None),
        (
            "/inner_mb_per_s",
            ("inner_mb_per_s", "throughput_mb_per_s"),
            f"half the outer rate, {_OF_DISKS}",
        ),
        ("/active_w", ("read_w",), "mean of reading and writing"),
        *((f"/{name}", (name,), None) for name in ALIKE),
        *((f"/buffer/{name}", (field,), None) for name, field in BUFFER.items()),
        ("/start_stop_rating_count", ("load_unload_count", "start_stop_rating_count"), None),
    ),
    "ssd": (
        *_OF_BOTH,
        ("/read_latency_ms", ("read_latency_ms",), _LESS),
        ("/write_latency_ms", ("write_latency_ms",), _LESS),
        ("/read_mb_per_s", ("read_mb_per_s",), _OVER),
        ("/write_mb_per_s", ("write_mb_per_s",), _OVER),
        (
            "/channels_count",
            ("random_read_per_s",),
            "random reads a second times the latency of one",
        ),
        ("/read_hold_ms", ("random_read_per_s",), "channels over random reads a second"),
        ("/write_hold_ms", ("random_write_per_s",), "channels over random writes a second"),
        ("/write_wait_ms", ("write_wait_ms",), None),
        *((f"/dies/{name}", (field,), None) for name, field in DIES.items()),
        ("/active_w", ("read_w",), None),
        ("/write_w", ("write_w",), None),
        ("/endurance_tb", ("endurance_tb",), None),
    ),
}


def _origins(
    kind: str, figures: Figures, drive: HardDisk | SolidState
) -> Iterator[tuple[str, Origin]]:
    for place, fields, how in _RULES[kind]:
        field = next((field for field in fields if field in figures), None)
        figure: Any = drive
        for part in place[1:].split("/"):
            figure = getattr(figure, part, None)
        if field is not None and figure is not None:
            yield place, Origin(field, None if figure == figures[field] else how)
