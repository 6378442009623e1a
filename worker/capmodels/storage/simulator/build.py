"""From a design to the arrays that the kernels work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.errors import ModelError
from capmodels.storage.drive.geometry import cylinders_of
from capmodels.storage.drive.seek import three_point
from capmodels.storage.drive.service import BYTES_PER_SECTOR, revolution_ms, transfer_ms
from capmodels.storage.drive.times import break_even_timeouts_s, seek_curve, service_moments
from capmodels.storage.drive.tracks import drive_sectors
from capmodels.storage.drive.wear import moved_of, slc_gb
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.copies import put_copies
from capmodels.storage.simulator.layout import (
    DECLUSTERED,
    PARITIES,
    REBUILD_PIECE_BYTES,
    lost_disks,
)
from capmodels.storage.simulator.on_board import cache_of, costs_of, setting_of, start_here
from capmodels.storage.simulator.spread import gap_ratio, put_spread, spread_sectors
from capmodels.storage.simulator.track_map import map_of, tracks_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.drive.drives import (
        Drive,
        HardDisk,
        SleepState,
        SolidState,
    )
    from capmodels.storage.simulator.extras import Timeouts
    from capmodels.storage.simulator.params import ArrayDesign
    from capmodels.storage.simulator.track_map import TrackMap

_LAYOUTS = {
    "single": k.SINGLE,
    "raid0": k.RAID0,
    "raid1": k.MIRROR,
    "mirrored_set": k.MIRROR,
    "raid10": k.RAID10,
    "raid5": k.PARITY,
    "raid6": k.PARITY,
    "raid7": k.PARITY,
    "concatenated": k.CONCAT,
    **dict.fromkeys(DECLUSTERED, k.DECLUSTERED),
}
_DISPATCH = {
    "primary_first": k.PRIMARY_FIRST,
    "shortest_queue": k.SHORTEST,
    "random": k.RANDOM,
    "round_robin": k.ROUND_ROBIN,
    "nearest_head": k.NEAREST,
    "response_time": k.RESPONSE_TIME,
}
_CACHES = {
    "hp08_mirror": k.HP08_MIRROR,
    "write_back": k.WRITE_BACK,
    "write_through": k.WRITE_THROUGH,
}
_SCHEDULERS = {
    "fcfs": k.FCFS,
    "sstf": k.SSTF,
    "look": k.LOOK,
    "clook": k.CLOOK,
    "sptf": k.SPTF,
}
_MS = 1000.0
BLOCKS_MAX = 1 << 60


def holds_writes(drive: Drive) -> bool:
    """Whether a drive's memory holds writes and sorts them, which needs an event for every end."""
    return drive.kind == "hdd" and drive.buffer is not None and drive.buffer.holds_writes


def by_events(design: ArrayDesign) -> bool:
    """Whether a disk picks from its queue, so that an end is not known when it is queued."""
    return design.scheduler != "fcfs" or holds_writes(design.drive)


def sectors_of(capacity_gb: float) -> int:
    """Sectors of a drive of so many gigabytes."""
    return int(capacity_gb * 1e9 / BYTES_PER_SECTOR)


def sectors_on(drive: Drive) -> int:
    """Sectors that a drive offers."""
    return drive_sectors(drive) if drive.kind == "hdd" else sectors_of(drive.capacity_gb)


def data_disks(design: ArrayDesign) -> int:
    """Disks' worth of data that the layout holds."""
    layout = design.layout
    width = layout.disks_count
    return {
        "single": 1,
        "raid0": width,
        "concatenated": width,
        "raid10": width // 2,
        **{kind: width - parities for kind, parities in PARITIES.items()},
    }.get(layout.kind, 1)


def chunk_sectors(design: ArrayDesign) -> int:
    """Sectors on one disk before the next one follows; the whole disk when they are joined."""
    if design.layout.kind == "concatenated":
        return max(sectors_on(design.drive), 1)
    return design.layout.chunk_bytes // BYTES_PER_SECTOR


def array_sectors(design: ArrayDesign) -> int:
    """Sectors that the array offers, whole chunks only."""
    one = sectors_on(design.drive)
    chunk = chunk_sectors(design)
    if design.layout.kind in DECLUSTERED:
        return spread_sectors(design.layout, one, chunk)
    return (one // chunk * chunk) * data_disks(design)


def _ssd_row(drive: SolidState) -> NDArray[np.float64]:
    row = np.zeros(k.PAR_COUNT)
    row[k.IS_SSD] = 1
    row[[k.T_LPI, k.T_STANDBY, k.P_SEEK]] = -1.0
    row[k.SECTORS] = sectors_of(drive.capacity_gb)
    row[k.READ_LATENCY] = drive.read_latency_ms
    row[k.WRITE_LATENCY] = drive.write_latency_ms
    row[k.READ_MS_PER_SECTOR] = transfer_ms(BYTES_PER_SECTOR, drive.read_mb_per_s)
    row[k.WRITE_MS_PER_SECTOR] = transfer_ms(BYTES_PER_SECTOR, drive.write_mb_per_s)
    row[[k.READ_HOLD, k.WRITE_HOLD]] = drive.read_hold_ms, drive.write_hold_ms
    row[k.WRITE_WAIT] = drive.write_wait_ms
    row[k.CHANNELS] = drive.channels_count
    row[k.P_ACTIVE] = drive.active_w
    row[k.P_WRITE] = drive.active_w if drive.write_w is None else drive.write_w
    row[k.P_IDLE] = drive.idle_w
    row[k.MEAN_SERVICE] = drive.read_latency_ms
    if drive.dies is not None:
        row[k.DIE_SECTORS] = drive.dies.page_bytes // BYTES_PER_SECTOR
        row[[k.LINK_READ, k.LINK_WRITE]] = drive.dies.link_read_ms, drive.dies.link_write_ms
    _put_fill(drive, row)
    return row


def _put_fill(drive: SolidState, row: NDArray[np.float64]) -> None:
    """Put in what a drive's fill level does to it: collecting, and its SLC cache."""
    moved = moved_of(drive)
    if moved is not None:
        full, filled = moved
        # The rates of a drive are those of one that is full, what it moves within them.
        row[k.OWN_SHARE], row[k.MOVED_RATIO] = 1 / full, filled - 1
        row[k.BLOCK_WRITES] = drive.block_bytes / BYTES_PER_SECTOR / filled
        row[k.MOVE_STEP] = drive.move_step_ms
    if drive.slc is not None:
        row[k.SLC_SECTORS] = sectors_of(slc_gb(drive, drive.slc))
        row[k.PAST_SLC_MS_PER_SECTOR] = (
            transfer_ms(BYTES_PER_SECTOR, drive.slc.past_mb_per_s) * drive.channels_count
        )


def _seek_row(drive: HardDisk, row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fill in the seek of a row; return the table, empty without one."""
    seek = drive.seek
    if seek.kind == "three_point":
        curve = three_point(min_ms=seek.min_ms, avg_ms=seek.avg_ms, max_ms=seek.max_ms)
        row[[k.SEEK_A, k.SEEK_B, k.SEEK_C]] = curve
    elif seek.kind == "two_regime":
        row[k.SEEK_KIND] = 2
        row[k.CYLINDERS] = seek.cylinders_count
        row[[k.SEEK_A, k.SEEK_B, k.SEEK_C, k.SEEK_D, k.SEEK_E]] = (
            seek.join_count,
            seek.near_ms,
            seek.near_root_ms,
            seek.far_ms,
            seek.far_slope_ms,
        )
    elif seek.kind == "logical":
        row[k.SEEK_KIND] = 1
    else:
        row[k.SEEK_KIND] = 3
        row[k.CYLINDERS] = seek.cylinders_count
        return dense_seeks(seek.distances_count, seek.seeks_ms, seek.cylinders_count)
    return np.zeros(2)


def dense_seeks(
    distances: tuple[int, ...], seeks_ms: tuple[float, ...], cylinders: int
) -> NDArray[np.float64]:
    """Seek by every distance from 0 to the number of cylinders. [ms]"""
    found = np.interp(np.arange(cylinders + 1), distances, seeks_ms)
    found[0] = 0.0
    return found


def seeks_by_cylinder(drive: HardDisk, cylinders: int) -> NDArray[np.float64]:
    """Seek of a drive with known tracks by every distance in cylinders, 0 left at 0. [ms]"""
    seek = drive.seek
    if seek.kind == "table":
        return dense_seeks(seek.distances_count, seek.seeks_ms, cylinders)
    far = np.arange(cylinders + 1, dtype=np.float64)
    if seek.kind == "two_regime":
        near = seek.near_ms + seek.near_root_ms * np.sqrt(far)
        found = np.where(far < seek.join_count, near, seek.far_ms + seek.far_slope_ms * far)
    else:
        a_ms, b_ms, c_ms = seek_curve(drive) or (0.0, 0.0, 0.0)
        share = np.maximum(far - 1, 0.0) / max(cylinders - 1, 1)
        found = c_ms + a_ms * np.sqrt(share) + b_ms * share
    found[0] = 0.0
    return found


def _sleep_row(drive: HardDisk, timeouts: Timeouts | None, row: NDArray[np.float64]) -> None:
    row[[k.T_LPI, k.T_STANDBY]] = -1.0
    if timeouts is None:
        return
    first, second = break_even_timeouts_s(drive)
    if timeouts.low_power_idle_s is not None and first is not None:
        first = timeouts.low_power_idle_s
    if timeouts.standby_s is not None and second is not None:
        second = timeouts.standby_s
    low, deep = drive.low_power_idle, drive.standby
    if low is not None and first is not None:
        row[k.T_LPI] = first * _MS
        _change(row, low, (k.P_LPI, k.E_DOWN_LPI, k.T_DOWN_LPI, k.E_UP_LPI, k.T_UP_LPI))
    if deep is not None and second is not None:
        row[k.T_STANDBY] = second * _MS
        slots = (k.P_STANDBY, k.E_DOWN_STANDBY, k.T_DOWN_STANDBY, k.E_UP_STANDBY, k.T_UP_STANDBY)
        _change(row, deep, slots)
        if low is not None and first is not None:
            # The step from low-power idle is not published: what is left of the whole way.
            row[k.E_DOWN_STANDBY] = max(deep.down_j - low.down_j, 0.0) * _MS
            row[k.T_DOWN_STANDBY] = max(deep.down_s - low.down_s, 0.0) * _MS


def _change(row: NDArray[np.float64], state: SleepState, slots: tuple[int, ...]) -> None:
    power, down_j, down_s, up_j, up_s = slots
    row[power] = state.power_w
    row[down_j], row[down_s] = state.down_j * _MS, state.down_s * _MS
    row[up_j], row[up_s] = state.up_j * _MS, state.up_s * _MS


def _hdd_row(
    drive: HardDisk, timeouts: Timeouts | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    row = np.zeros(k.PAR_COUNT)
    row[k.TURN] = revolution_ms(drive.speed_rpm)
    row[k.FIXED] = drive.overhead_ms
    row[k.SETTLE] = drive.write_settle_ms
    inner = drive.inner_mb_per_s or drive.outer_mb_per_s
    row[k.MS_PER_SECTOR_OUTER] = transfer_ms(BYTES_PER_SECTOR, drive.outer_mb_per_s)
    row[k.MS_PER_SECTOR_INNER] = transfer_ms(BYTES_PER_SECTOR, inner)
    row[k.SECTORS] = drive_sectors(drive)
    row[k.CHANNELS] = 1
    row[k.P_ACTIVE], row[k.P_IDLE] = drive.active_w, drive.idle_w
    row[k.P_SEEK] = -1.0 if drive.seek_w is None else drive.seek_w
    row[k.P_WRITE] = drive.active_w
    moments = service_moments(drive, 8192)
    row[k.MEAN_SERVICE] = moments.mean_ms if moments else row[k.TURN]
    if drive.buffer is not None:
        row[k.SEGMENTS] = drive.buffer.segments_count
        row[k.SEGMENT_SECTORS] = drive.buffer.segment_bytes // BYTES_PER_SECTOR
        row[k.AHEAD_SECTORS] = drive.buffer.ahead_bytes // BYTES_PER_SECTOR
        row[k.BUS_MS_PER_SECTOR] = transfer_ms(BYTES_PER_SECTOR, drive.buffer.bus_mb_per_s)
        row[k.WRITES_BEHIND] = drive.buffer.writes_behind
        row[k.WHOLE_TRACKS] = drive.buffer.whole_tracks
        row[k.HELD_MAX] = drive.buffer.held_writes_count if holds_writes(drive) else 1
    table = _seek_row(drive, row)
    if drive.geometry is not None:
        row[k.PHASE] = drive.geometry.follows_angle
        table = seeks_by_cylinder(drive, cylinders_of(drive.geometry))
    if table.size:
        table[0] = drive.same_cylinder_ms
    _sleep_row(drive, timeouts, row)
    return row, table


def _plan(design: ArrayDesign) -> NDArray[np.int64]:
    layout, dispatch, cache = design.layout, design.dispatch, design.cache
    plan = np.zeros(k.PLAN_COUNT, dtype=np.int64)
    width = 1 if layout.kind == "single" else layout.disks_count
    plan[k.LAYOUT] = _LAYOUTS[layout.kind]
    plan[k.DISKS] = plan[k.WIDTH] = width
    plan[k.CHUNK] = chunk_sectors(design)
    plan[k.PARITIES] = PARITIES.get(layout.kind, 0)
    plan[k.LOST_COUNT] = layout.failed_disk_count
    plan[k.DISPATCH] = _DISPATCH[dispatch.kind]
    plan[k.THRESHOLD] = dispatch.queue_threshold_count
    plan[k.WAKE_BINDING] = dispatch.wake_binding
    plan[k.MAX_WAKES] = dispatch.concurrent_wakes_count
    plan[k.LAZY_WRITES] = dispatch.lazy_writes
    plan[k.LOCKED_RMW] = layout.locked_updates
    plan[k.SCHEDULER] = _SCHEDULERS[design.scheduler]
    if design.scheduler == "fcfs" and by_events(design):
        plan[k.SCHEDULER] = k.FCFS_BY_EVENT
    plan[k.QUEUE_MAX] = design.queue_count or 0
    plan[k.CACHE_DEVICE] = width
    plan[k.BLOCK_SECTORS] = 8
    plan[k.REBUILD_SECTORS] = REBUILD_PIECE_BYTES // BYTES_PER_SECTOR
    if cache is not None:
        plan[k.CACHE_MODE] = _CACHES[cache.mode]
        plan[k.BLOCK_SECTORS] = cache.block_bytes // BYTES_PER_SECTOR
        plan[k.CACHE_LRU] = cache.hit_fraction is None
        blocks = min(int(cache.capacity_gb * 1e9 / cache.block_bytes), BLOCKS_MAX)
        plan[k.CACHE_BLOCKS] = blocks if cache.hit_fraction is None else 0
        plan[k.DIRTY_MAX] = int(plan[k.CACHE_BLOCKS] * cache.dirty_max_fraction)
    return plan


def _put_shares(design: ArrayDesign, plan: NDArray[np.int64]) -> NDArray[np.float64]:
    """Fractions and times of the whole array; a controller's place in the plan goes with them."""
    share = np.zeros(k.SHARE_COUNT)
    share[k.RESPONSE_MAX] = design.dispatch.response_max_ms
    share[k.AGEING] = design.ageing_ratio
    if design.controller is not None:
        plan[k.CONTROLLER] = 1
        plan[k.UNDER_WAY_MAX] = design.controller.depth_count or 0
        share[[k.CONTROLLER_READ, k.CONTROLLER_WRITE]] = (
            design.controller.read_ms,
            design.controller.write_ms,
        )
    if design.cache is not None and design.cache.hit_fraction is not None:
        share[k.HIT_FRACTION] = design.cache.hit_fraction
    if design.layout.rebuild_mb_per_s is not None:
        size = float(plan[k.REBUILD_SECTORS]) * BYTES_PER_SECTOR
        share[k.REBUILD_GAP] = transfer_ms(size, design.layout.rebuild_mb_per_s)
        if design.layout.kind in DECLUSTERED:
            share[k.REBUILD_GAP] *= gap_ratio(design.layout)
    return share


def _cached(plan: NDArray[np.int64], touched_blocks: int) -> k.Held:
    """Room for the blocks that a cache can come to hold: no more than the requests touch."""
    blocks = min(int(plan[k.CACHE_BLOCKS]), touched_blocks)
    size = 2
    while size < 2 * blocks:
        size *= 2
    try:
        links, table = np.zeros((blocks + 2, 4), np.int64), np.zeros(size, np.int64)
    except (MemoryError, ValueError) as exc:
        message = "The cache holds more blocks than fit in memory. Choose larger blocks."
        raise ModelError(message) from exc
    links[0, :2], links[1, :2] = 0, 1
    return k.Held(links, table)


class Run(NamedTuple):
    """A machine as the kernels take it: the bytes of one record, and the cached blocks."""

    machine: NDArray[np.uint8]
    held: k.Held

    @property
    def record(self) -> k.Machine:
        """The machine by field."""
        return self.machine.view(k.machine_dtype())[0]


def _put_tracks(
    drive: Drive, track_map: TrackMap | None, m: k.Machine, plan: NDArray[np.int64]
) -> None:
    """Put in the tracks of a drive: those of a given map, or as the drive is described."""
    if track_map is not None:
        track_map.put_into(m, plan)
    elif drive.kind == "hdd" and drive.geometry is not None and drive.measured is not None:
        tracks_of(drive.geometry, revolution_ms(drive.speed_rpm)).put_into(m, plan)
        m["par"][: int(plan[k.DISKS]), k.SECTORS] = drive_sectors(drive)
    elif drive.kind == "hdd" and drive.geometry is not None:
        map_of(drive.geometry, revolution_ms(drive.speed_rpm)).put_into(m, plan)
        m["par"][: int(plan[k.DISKS]), k.SECTORS] = drive_sectors(drive)


def _put_measured(drive: HardDisk, m: k.Machine, plan: NDArray[np.int64]) -> None:
    """Put in what was measured of a drive: costs, rules and an empty cache for each disk."""
    cache = cache_of(drive.buffer, drive.measured)
    plan[k.SPINDLE] = cache.segments_count
    m["spin_setting"][:] = setting_of(
        cache,
        turn_ms=revolution_ms(drive.speed_rpm),
        head_switch_ms=drive.same_cylinder_ms,
        write_settle_ms=drive.write_settle_ms,
    )
    m["spin_costs"][:] = costs_of(drive)
    m["spin_segments"][:] = -1
    start_here(m["spin_here"])


def build(
    design: ArrayDesign,
    *,
    users: int = 0,
    track_map: TrackMap | None = None,
    touched_blocks: int = BLOCKS_MAX,
) -> Run:
    """Return the machine of a design, all devices idle at time 0, heads at sector 0.

    ``touched_blocks`` is how many blocks of the cache the requests touch at most.
    """
    plan = _plan(design)
    plan[k.USERS] = users
    disks = int(plan[k.DISKS])
    machine = np.zeros(k.machine_dtype().itemsize, dtype=np.uint8)
    m = machine.view(k.machine_dtype())[0]
    if design.drive.kind == "ssd":
        row = _ssd_row(design.drive)
    else:
        row, table = _hdd_row(design.drive, design.timeouts)
        m["seek_table"][: table.size] = table
    m["par"][:disks] = row
    if design.dispatch.keep_primary_awake and design.layout.kind in {"mirrored_set", "raid1"}:
        m["par"][0, k.STAYS_AWAKE] = 1
    plan[k.DEVICES] = disks
    put_spread(design.layout, m, plan)
    if design.cache is not None:
        m["par"][disks] = _ssd_row(design.cache.device)
        plan[k.DEVICES] += 1
    _put_tracks(design.drive, track_map, m, plan)
    if design.drive.kind == "hdd" and design.drive.measured is not None:
        _put_measured(design.drive, m, plan)
    m["now"][list(lost_disks(design.layout)), k.LOST] = 1.0
    if design.copies is not None:
        put_copies(m, design.copies, disks=disks, sectors=sectors_on(design.drive))
    m["share"][:] = _put_shares(design, plan)
    m["plan"][:] = plan
    m["now"][:, [k.LAST_END, k.STREAM, k.AROUND, k.CHOSEN, k.LAST_FROM]] = -1.0
    if plan[k.SCHEDULER] != k.FCFS:
        m["free_slots"][:] = np.arange(k.PENDING_MAX)
    return Run(machine, _cached(plan, touched_blocks))
