"""From the figures of a catalogue entry of kind ``drive`` to a drive that can be simulated.

What an entry does not say is taken from drives of its kind, and named.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.errors import ModelError
from capmodels.storage.drive.drives import HardDisk, SleepState, SolidState, ThreePointSeek
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone
from capmodels.storage.drive.service import MS_PER_S, transfer_ms
from capmodels.units import GB_PER_TB

if TYPE_CHECKING:
    from collections.abc import Mapping

# Data sheets give the latency of small requests.
_SMALL_BYTES = 4096
_MOST_CHANNELS = 256
# Far below a channel.
_ROUNDING = 1e-6
_SEEK_MIN_SHARE, _SEEK_MAX_SHARE = 0.1, 2.0


class EntryDrive(NamedTuple):
    """A drive, and the figures that its entry did not give."""

    drive: HardDisk | SolidState
    taken: tuple[str, ...]


class _Figures:
    """The numbers of an entry; remembers which were not there."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values = {k: float(v) for k, v in values.items() if isinstance(v, int | float)}
        self.lists = {k: [int(n) for n in v] for k, v in values.items() if isinstance(v, list)}
        self.taken: list[str] = []

    def need(self, *names: str) -> float:
        for name in names:
            if name in self.values:
                return self.values[name]
        message = f"The entry gives no {names[0]}. Choose another drive, or enter the figure."
        raise ModelError(message)

    def get(self, name: str, otherwise: float) -> float:
        if name not in self.values:
            self.taken.append(name)
        return self.values.get(name, otherwise)

    def maybe(self, name: str) -> float | None:
        return self.values.get(name)


def drive_of(name: str, values: Mapping[str, object]) -> EntryDrive:
    """Return the drive of an entry's values, units as their names say.

    Raises
    ------
    ModelError
        When capacity or idle power is missing, or speed, seek and rate of transfer of a disk, or
        latency and rate of a solid-state drive.
    """
    figures = _Figures(values)
    solid = values.get("technology") == "ssd"
    drive = _solid_state(name, figures) if solid else _hard_disk(name, figures)
    on_sale = values.get("on_sale") == "yes"
    return EntryDrive(drive.model_copy(update={"on_sale": on_sale}), tuple(figures.taken))


def _hard_disk(name: str, f: _Figures) -> HardDisk:
    average = f.need("seek_ms")
    outer = f.need("throughput_mb_per_s")
    read_w = f.need("read_w", "idle_w")
    starts = f.maybe("load_unload_count") or f.get("start_stop_rating_count", 50_000)
    return HardDisk(
        name=name,
        capacity_gb=f.need("capacity_tb") * GB_PER_TB,
        speed_rpm=f.need("rpm"),
        seek=_seek(f, average),
        outer_mb_per_s=outer,
        inner_mb_per_s=f.get("inner_mb_per_s", outer / 2),
        active_w=(read_w + f.get("write_w", read_w)) / 2,
        idle_w=f.need("idle_w"),
        seek_w=f.maybe("seek_w"),
        low_power_idle=_state(f, "low_power_idle"),
        standby=_state(f, "standby"),
        geometry=_geometry(f),
        price_usd=f.get("unit_price_usd", 0.0),
        start_stop_rating_count=int(starts),
        unrecoverable_per_bit=f.get("unrecoverable_per_bit", 1e-14),
        afr_fraction=f.get("afr_fraction", 0.017),
    )


def _seek(f: _Figures, average: float) -> ThreePointSeek:
    return ThreePointSeek(
        min_ms=f.get("seek_min_ms", average * _SEEK_MIN_SHARE),
        avg_ms=average,
        max_ms=f.get("seek_max_ms", average * _SEEK_MAX_SHARE),
    )


def _geometry(f: _Figures) -> DiskGeometry | None:
    """The tracks of a disk, when its zones and surfaces are known."""
    surfaces = f.maybe("surfaces_count")
    cylinders = f.lists.get("zone_cylinders_count")
    sectors = f.lists.get("zone_sectors_per_track_count")
    if surfaces is None or cylinders is None or sectors is None:
        return None
    spares = f.lists.get("zone_spare_sectors_count", [0] * len(cylinders))
    zones = tuple(
        GeometryZone(cylinders_count=wide, sectors_per_track_count=long, spare_sectors_count=spare)
        for wide, long, spare in zip(cylinders, sectors, spares, strict=True)
    )
    return DiskGeometry(
        surfaces_count=int(surfaces),
        zones=zones,
        head_skew_ms=f.maybe("head_skew_ms") or 0.0,
        cylinder_skew_ms=f.maybe("cylinder_skew_ms") or 0.0,
    )


def _state(f: _Figures, name: str) -> SleepState | None:
    """A low state, when power and both ways are given."""
    parts = {
        "power_w": f.maybe(f"{name}_w"),
        "down_j": f.maybe(f"{name}_down_j"),
        "down_s": f.maybe(f"{name}_down_s"),
        "up_j": f.maybe(f"{name}_up_j"),
        "up_s": f.maybe(f"{name}_up_s"),
    }
    if any(value is None for value in parts.values()):
        return None
    return SleepState.model_validate(parts)


class FlashWay(NamedTuple):
    """What a data sheet says of small random reads, or writes, of a solid-state drive."""

    latency_ms: float  # one at a time
    rate_per_s: float | None  # as many at a time as it can use
    throughput_mb_per_s: float  # of large ones


def channels_of(reads: FlashWay, known: int = 1) -> int:
    """Requests that a drive serves at once: Little's law on reads at its highest rate.

    Rounded up, so that one at a time is as fast as the data sheet says. Without that rate as many
    as are ``known``.

    >>> channels_of(FlashWay(latency_ms=0.08, rate_per_s=1_000_000, throughput_mb_per_s=6800))
    80
    """
    if reads.rate_per_s is None:
        return known
    at_once = reads.rate_per_s * reads.latency_ms / MS_PER_S
    return min(max(math.ceil(at_once - _ROUNDING), 1), _MOST_CHANNELS)


def times_ms(way: FlashWay, channels: int) -> tuple[float, float]:
    """Latency of an operation before its data, and the time for which it holds a channel. [ms]

    Alone it is answered at the published latency. All channels together serve as often as is
    published: a channel is held longer than its answer takes where that is more seldom.

    >>> sheet = FlashWay(latency_ms=0.02, rate_per_s=160_000, throughput_mb_per_s=4096)
    >>> times_ms(sheet, 80)
    (0.019, 0.5)
    """
    if way.rate_per_s is None:
        alone = transfer_ms(_SMALL_BYTES, way.throughput_mb_per_s / channels)
        return max(way.latency_ms - alone, 0.0), 0.0
    hold = channels * MS_PER_S / way.rate_per_s
    passing = transfer_ms(_SMALL_BYTES, way.throughput_mb_per_s)
    # More requests at once than channels may be: the rate is kept, not the latency.
    return max(min(way.latency_ms, hold) - passing, 0.0), hold


def _solid_state(name: str, f: _Figures) -> SolidState:
    reads = FlashWay(
        f.need("read_latency_ms"), f.maybe("random_read_per_s"), f.need("read_mb_per_s")
    )
    writes = FlashWay(
        f.get("write_latency_ms", reads.latency_ms),
        f.maybe("random_write_per_s"),
        f.get("write_mb_per_s", reads.throughput_mb_per_s),
    )
    channels = channels_of(reads, int(f.maybe("channels_count") or 1))
    read_ms, read_hold_ms = times_ms(reads, channels)
    write_ms, write_hold_ms = times_ms(writes, channels)
    read_w = f.need("read_w", "idle_w")
    return SolidState(
        name=name,
        capacity_gb=f.need("capacity_tb") * GB_PER_TB,
        read_latency_ms=read_ms,
        write_latency_ms=write_ms,
        read_mb_per_s=reads.throughput_mb_per_s / channels,
        write_mb_per_s=writes.throughput_mb_per_s / channels,
        channels_count=channels,
        read_hold_ms=read_hold_ms,
        write_hold_ms=write_hold_ms,
        active_w=read_w,
        write_w=f.get("write_w", read_w),
        idle_w=f.need("idle_w"),
        price_usd=f.get("unit_price_usd", 0.0),
        endurance_tb=f.maybe("endurance_tb"),
        unrecoverable_per_bit=f.get("unrecoverable_per_bit", 1e-17),
        afr_fraction=f.get("afr_fraction", 0.01),
    )
