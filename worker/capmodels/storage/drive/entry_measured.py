"""What a calibration finds of a disk, from fields of a catalogue entry.

A kind of request has two fields, such as ``read_stream_overhead_ms`` and
``read_stream_per_sector_ms``; a rule of the cache is "yes".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.storage.drive.measured import REQUESTS

if TYPE_CHECKING:
    from collections.abc import Mapping

YES = "yes"
_COSTS = ("overhead_ms", "per_sector_ms")
_FLAGS = (
    "ahead_to_track_end",
    "hits_read_ahead",
    "keeps_passing_sectors",
    "drops_delivered",
    "ahead_in_runs",
)
_OTHERS = ("written_ends", "stream_hold_ms", "ahead_lost_fraction", "write_end_ms")
# Fields of a disk's own memory, by what it calls them; rules are "yes".
BUFFER = {
    name: f"buffer_{name}"
    for name in (
        *("segments_count", "segment_bytes", "ahead_bytes", "bus_mb_per_s", "held_writes_count"),
        *("writes_behind", "whole_tracks"),
    )
}
# Figures of a disk that its entry has under the same name.
ALIKE = ("seek_w", "overhead_ms", "write_settle_ms", "same_cylinder_ms")
ANGLE = "follows_angle"


def measured_of(values: Mapping[str, object]) -> dict[str, Any] | None:
    """Overheads and rules of an entry, as ``HardDisk.measured`` takes them; None without any."""
    costs = [
        {"request": request, **{name: said[name] for name in _COSTS if name in said}}
        for request in REQUESTS
        if "overhead_ms" in (said := _of(request, values))
    ]
    flags = {name: True for name in _FLAGS if values.get(name) == YES}
    others = {name: values[name] for name in _OTHERS if name in values}
    found: dict[str, Any] = {**flags, **others}
    return {"costs": costs, **found} if costs or found else None


def buffer_of(values: Mapping[str, object]) -> dict[str, Any] | None:
    """A disk's own memory, as ``HardDisk.buffer`` takes it; None where an entry says nothing of it.

    >>> buffer_of({"buffer_writes_behind": "yes", "buffer_held_writes_count": 32.0, "rpm": 7200.0})
    {'held_writes_count': 32, 'writes_behind': True}
    """
    return {
        name: _plain(values[field]) for name, field in BUFFER.items() if field in values
    } or None


def _plain(value: object) -> object:
    """A rule as true or false, a whole number as one."""
    if isinstance(value, str):
        return value == YES
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _of(request: str, values: Mapping[str, object]) -> dict[str, object]:
    return {name: values[at] for name in _COSTS if (at := f"{request}_{name}") in values}
