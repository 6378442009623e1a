"""What the simulator's arrays hold, by position. Times in ms, energies in mJ, powers in W."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from capmodels.storage.drive.limits import CYLINDERS_MAX, TRACKS_MAX, ZONES_MAX
from capmodels.storage.simulator import copies_slots
from capmodels.storage.simulator import spindle_slots as spindle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# One row of ``par`` per device.
(
    IS_SSD,
    SERVICE_KIND,  # 0 mechanical or flash, 1 constant, 2 exponential with FIXED as mean
    TURN,
    FIXED,
    SETTLE,
    MS_PER_SECTOR_OUTER,
    MS_PER_SECTOR_INNER,
    SEEK_KIND,  # 0 three-point, 1 by logical distance, 2 two-regime, 3 table
    SEEK_A,
    SEEK_B,
    SEEK_C,
    SEEK_D,
    SEEK_E,
    CYLINDERS,
    SECTORS,
    PHASE,  # 1: the angle of the platter is followed; 0: rotation is drawn
    P_ACTIVE,
    P_SEEK,  # below 0: as P_ACTIVE
    P_IDLE,
    P_LPI,
    P_STANDBY,
    T_LPI,  # idle time until the low state; below 0: has none
    T_STANDBY,
    E_DOWN_LPI,
    T_DOWN_LPI,
    E_UP_LPI,
    T_UP_LPI,
    E_DOWN_STANDBY,  # from low-power idle when there is one, else from idle
    T_DOWN_STANDBY,
    E_UP_STANDBY,
    T_UP_STANDBY,
    STAYS_AWAKE,
    READ_LATENCY,
    WRITE_LATENCY,
    READ_MS_PER_SECTOR,
    WRITE_MS_PER_SECTOR,
    READ_HOLD,  # a read keeps its channel at least so long
    WRITE_HOLD,  # and a write
    WRITE_WAIT,  # which is answered later by so much for each other one without an answer
    CHANNELS,
    P_WRITE,
    MEAN_SERVICE,
    SEGMENTS,  # of the drive's own buffer; 0: it has none
    SEGMENT_SECTORS,
    AHEAD_SECTORS,
    BUS_MS_PER_SECTOR,
    WRITES_BEHIND,
    WHOLE_TRACKS,
    HELD_MAX,  # writes that a drive's memory holds and sorts; 1 or less: it does not
    OWN_SHARE,  # of a write's time on its channel, less what is moved for it
    MOVED_RATIO,  # time of what is moved for a write over its own
    BLOCK_WRITES,  # sectors written until a channel needs a block; 0: collecting is not followed
    MOVE_STEP,  # for which a channel that moves data does not read
    SLC_SECTORS,
    PAST_SLC_MS_PER_SECTOR,  # of a channel; 0: there is no SLC cache
    DIE_SECTORS,  # on a die before the next one follows; 0: any channel serves a read
    LINK_READ,  # own time of a drive's link for a read
    LINK_WRITE,
    PAR_COUNT,
) = range(59)

# States of a device: columns of ``time_ms`` and ``energy_mj``.
ACTIVE, SEEK, IDLE, LPI, STANDBY, TRANSITION = range(6)
State = Literal["active", "seek", "idle", "low_power_idle", "standby", "transition"]
STATE_NAMES: tuple[State, ...] = get_args(State)

# Columns of ``count`` per device.
SPIN_UPS, LPI_WAKES, READ_OPS, WRITE_OPS, MAX_QUEUE, READ_SECTORS, WRITE_SECTORS, COUNT_COUNT = (
    range(8)
)

# Columns of ``now`` per device.
(
    FREE,
    READY,
    HEAD,
    LAST_END,
    LAZY,
    HEADING,  # of a disk that sorts its queue: 0 up, 1 down
    IN_SERVICE,  # 1 while such a disk serves
    SLOT,  # whose operation that is
    ANSWER,  # when it is answered
    STREAM,  # segment that is being read ahead into, -1 none
    STREAM_AT,  # time up to which that is known
    STREAM_LIMIT,  # sector before which it ends
    AROUND,  # segment that takes in a whole track, -1 none
    AROUND_AT,  # time at which all of it has come past
    AROUND_LOW,  # its first sector; it ends at ``STREAM_LIMIT``
    LOST,  # 1 while the disk is lost: a spare joins when its last piece is written
    QUEUED,  # time of all its operations from their arrival to their end
    SEEKING,  # time of all its seeks
    TURNING,  # time of all its waits for the platter
    CHOSEN,  # turn that goes with the operation picked by position; below 0: it is drawn
    LAST_FROM,  # first sector of the last operation
    LAST_AT,  # when its last sector had passed
    HELD,  # writes in its memory that are not on the platter
    WROTE,  # 1 when its last operation was one of them
    SLC_USED,  # sectors in its SLC cache
    LINK_FREE,  # when the link before its dies is free
    NOW_COUNT,
) = range(27)

# Entries of ``plan``: layout, dispatch and cache, whole numbers.
(
    LAYOUT,
    DISKS,
    CHUNK,
    PARITIES,
    LOST_COUNT,  # disks that are lost at present
    DISPATCH,
    THRESHOLD,
    WAKE_BINDING,
    MAX_WAKES,
    LAZY_WRITES,
    LOCKED_RMW,
    SCHEDULER,
    CACHE_MODE,
    CACHE_DEVICE,
    BLOCK_SECTORS,
    CACHE_BLOCKS,
    DIRTY_MAX,
    USERS,
    REBUILD_SECTORS,
    CACHE_LRU,
    DEVICES,
    TRACKS,  # tracks of the map, 0 without one
    BUCKET,  # sectors of a bucket of the map
    ZONES,  # zones of the map, 0 when only tracks are known
    ZONE_SHIFT,  # a sector's bucket of ``zone_of`` is the sector without so many low bits
    SPINDLE,  # segments of disks that are as they were measured, 0: they are not
    QUEUE_MAX,  # operations that a disk sorts, the oldest; 0: all that wait
    WIDTH,  # disks of a stripe
    COLUMNS,  # of a declustered array: disks less its spares
    SLICE_ROWS,  # rows that are spread by one order of the disks
    SLICE_GROUPS,  # and groups of disks in them
    ROW_CHUNKS,  # chunks of a disk that stay together: stripes of a group
    SPARED,  # 1: what lost disks held is on distributed spares
    CONTROLLER,  # 1: requests pass one
    UNDER_WAY_MAX,  # requests that it passes on at once; 0: all
    PLAN_COUNT,
) = range(36)
SINGLE, RAID0, MIRROR, RAID10, PARITY, CONCAT, DECLUSTERED = range(7)
# Orders of the disks, each turned by one disk from one use to the next.
ORDERS = 64
PRIMARY_FIRST, SHORTEST, RANDOM, ROUND_ROBIN, NEAREST, RESPONSE_TIME = range(6)
NO_CACHE, HP08_MIRROR, WRITE_BACK, WRITE_THROUGH = range(4)
# First come first served needs no events, but can be had by events too.
FCFS, SSTF, LOOK, FCFS_BY_EVENT, SPTF, CLOOK = range(6)

# Entries of ``share``: fractions and times of the whole array.
# The gap is 0 without a rebuild; ``REBUILT_AT`` is when the spare's last piece was written.
(
    HIT_FRACTION,
    RESPONSE_MAX,
    REBUILD_GAP,
    REBUILT_AT,
    AGEING,
    CONTROLLER_READ,  # time of a read at the controller
    CONTROLLER_WRITE,
    CONTROLLER_FREE,  # when it has passed its last request
    CAME_AT,  # when the request that is passed on had come
    WAKING,  # of a host that sleeps until the answer: to see it, and again to ask
    SHARE_COUNT,
) = range(11)

# Entries of ``tally``: whole numbers of the whole array.
(
    OVERFLOW,
    NEXT_ROBIN,
    CACHE_READ_HITS,
    CACHE_READ_MISSES,
    CACHE_FILLS,
    CACHE_WRITES,
    PLAIN_COPIES,
    DESTAGES,
    PARITY_OPS,
    LOST_READS,
    REBUILT_SECTORS,
    PENDING,
    WAKES,  # of disks, from any state of low power
    USERS_READY,
    WAITING,  # operations that wait at disks that sort
    SLOTS_USED,
    REQUEST,  # slot of the request that is being put to the disks
    BUFFER_HITS,
    FLUSHING,  # 1 while dirty blocks are written back because disks have woken
    WOKEN_DESTAGES,
    NEXT_SECTOR,  # of a declustered rebuild: where its next piece begins
    NEXT_PIECE,  # and its number
    PIECES_DONE,
    TALLY_COUNT,
) = range(24)

# Responses: one row for reads, one for writes. A bin is a number's exponent and the first nine
# bits behind its leading one, so that it is at most 0.2% wide and found without a logarithm.
BIN_BITS = 9
BINS_PER_OCTAVE = 1 << BIN_BITS
BIN_LOW_EXPONENT = -20  # 2^-20 ms is about a nanosecond
BINS_COUNT = 48 * BINS_PER_OCTAVE
CHANNELS_MAX = 256
UNDER_WAY_MOST = 4096
DONE, SUM, SUM_SQUARES, LARGEST, RESPONSE_COUNT = range(5)

RING = 1 << 15

DEVICES_MAX = copies_slots.DEVICES_MAX
ZONE_BUCKETS = 4096
PENDING_MAX = 1 << 14
USERS_MAX = 1 << 17
SEGMENTS_MAX = 64
# Columns of ``slots``: a request at disks that sort, or work of the array's own.
(
    ARRIVED,
    OPEN,
    ANSWERED,
    SECOND_SECTOR,
    SECOND_SECTORS,
    IS_WRITE,
    FOLLOW,  # what follows when it is done, as kinds of pending work; below 0 nothing does
    FIRST_SECTOR,
    SECTORS_COUNT,
    SLOT_COUNT,
) = range(10)
# Instead of a slot: a write that is answered, and held in its drive's memory.
HELD_WRITE = -2.0
# Of ``waiting``: an operation there. OWN_WORK is 1 of what the array does for itself.
DISK, PLACE, SECTOR, SIZE, EXTRA, OF_SLOT, NUMBER, OWN_WORK, SINCE, WAITING_COUNT = range(10)


@cache
def machine_dtype() -> np.dtype:
    """Return the layout of a machine: everything that the kernels read and write.

    One record, because the kernels pass it by a bare pointer: a tuple of arrays costs a count of
    references at every call. Pages that are never touched take no memory.
    """
    import numpy as np

    return np.dtype(
        [
            ("par", np.float64, (DEVICES_MAX, PAR_COUNT)),
            ("plan", np.int64, (PLAN_COUNT,)),
            ("share", np.float64, (SHARE_COUNT,)),
            ("now", np.float64, (DEVICES_MAX, NOW_COUNT)),
            ("channels", np.float64, (DEVICES_MAX, CHANNELS_MAX)),  # when each is free
            ("answered", np.float64, (DEVICES_MAX, CHANNELS_MAX)),  # its last write
            ("ring", np.float64, (DEVICES_MAX, RING)),  # completions
            ("ends", np.int64, (DEVICES_MAX, 2)),  # first and past-last entry of the ring
            ("time_ms", np.float64, (DEVICES_MAX, 6)),
            ("energy_mj", np.float64, (DEVICES_MAX, 6)),
            ("count", np.int64, (DEVICES_MAX, COUNT_COUNT)),
            ("tally", np.int64, (TALLY_COUNT,)),
            ("histogram", np.int64, (2, BINS_COUNT)),
            ("response", np.float64, (2, RESPONSE_COUNT)),
            ("batch", np.float64, (2,)),  # requests and sum of responses of the present batch
            ("pending", np.float64, (PENDING_MAX, 5)),  # heap: time, kind, sector, sectors, arrival
            ("waiting", np.float64, (PENDING_MAX, WAITING_COUNT)),
            ("slots", np.float64, (PENDING_MAX, SLOT_COUNT)),
            ("free_slots", np.int64, (PENDING_MAX,)),
            ("segments", np.float64, (DEVICES_MAX, SEGMENTS_MAX, 3)),  # start, end, last use
            ("under_way", np.float64, (UNDER_WAY_MOST,)),  # when each is done
            ("owed", np.float64, (DEVICES_MAX, CHANNELS_MAX, 3)),  # see ``collecting_kernel``
            ("users", np.float64, (USERS_MAX,)),  # heap of times at which users are ready
            ("seek_table", np.float64, (CYLINDERS_MAX,)),  # ms by distance in cylinders
            # first sector, sectors, cylinder, surface, number of the physical track
            ("tracks", np.int64, (TRACKS_MAX, 5)),
            # first sector, sectors of a track, first cylinder, sectors of a cylinder
            ("zones", np.int64, (ZONES_MAX, 4)),
            ("zone_switches", np.float64, (ZONES_MAX, 2)),  # ms to the next surface, cylinder
            # turns: angle of the first sector, to the next surface, to the next cylinder's first
            ("zone_angles", np.float64, (ZONES_MAX, 3)),
            ("zone_of", np.int64, (ZONE_BUCKETS,)),  # zone of a bucket's first sector
            ("angles", np.float64, (TRACKS_MAX,)),  # turn fraction of the first sector
            ("buckets", np.int64, (TRACKS_MAX,)),  # track by coarse sector
            ("orders", np.int64, (ORDERS, DEVICES_MAX)),  # of disks, of a declustered array
            ("switches", np.float64, (TRACKS_MAX,)),  # ms from a track's end to the next's start
            # Disks as they were measured: see ``spindle_slots``.
            ("spin_setting", np.float64, (spindle.SETTING_COUNT,)),
            ("spin_costs", np.float64, (spindle.CLASS_COUNT, 2)),
            ("spin_segments", np.int64, (DEVICES_MAX, SEGMENTS_MAX, 3)),
            ("spin_arcs", np.float64, (DEVICES_MAX, SEGMENTS_MAX, 2)),
            ("spin_ages", np.float64, (DEVICES_MAX, SEGMENTS_MAX)),
            ("spin_clock", np.float64, (DEVICES_MAX, spindle.CLOCK_COUNT)),
            ("spin_here", np.int64, (DEVICES_MAX, spindle.HERE_COUNT)),
            *copies_slots.fields(),
        ]
    )


class Held(NamedTuple):
    """The blocks that a cache holds."""

    links: NDArray[np.int64]  # (blocks + 2, 4) lists: newer, older, block, dirty
    table: NDArray[np.int64]  # open-addressing hash of the entries


Machine = Any  # one record of ``machine_dtype``
Op = tuple[Any, ...]  # mostly (sector, sectors, write, extra time)
