"""What the arrays of a simulated cluster hold, by position. Times in ms, data in bytes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from capmodels.storage.simulator.slots import BINS_COUNT

if TYPE_CHECKING:
    import numpy as np

# Entries of ``plan``: whole numbers.
(
    DATA,
    PARITIES,
    LOCALS,
    SHARDS,
    GROUPS,
    NODES,
    DRIVES,
    CHANNELS,
    IS_SSD,
    REQUESTS,
    WARM,  # number of the first request that is counted
    STREAMS,  # shards that are rebuilt at the same time; 0: none is
    LOST_GROUPS,
    PLAN_COUNT,
) = range(14)

# Entries of ``marks``: where the lists of events and requests begin, -1: nothing is there.
(
    FREE,  # events not in use
    IDLE,  # requests not in use
    NOW,  # events of the present bucket, in the order of time
    BUCKET,  # of the calendar, the present one
    UNDER_WAY,  # requests that are counted and not yet answered
    PICKED,  # shards of the present request
    REBUILT,  # groups that are whole again, by their order
    OVERFLOW,
    END,
    MARKS_COUNT,
) = range(10)

# Entries of ``par``: sizes, times and rates.
(
    GAP,  # mean time between requests
    READ_SHARE,
    PARTIAL_SHARE,  # of the writes
    SIZE,
    SHARD_SIZE,
    PARTIAL_SIZE,
    PIECE_SIZE,  # of a shard that is rebuilt
    PIECE_GAP,  # least time from a piece of a stream to its next
    HOP,  # to another node and back
    SITE_HOP,  # to another site and back
    LINK_RATE,  # of a node, per ms
    LINK_PACE,  # of a node: time per byte
    BUCKETS_PER_MS,  # of the calendar of events
    CODE_RATE,  # of a core, per ms
    FIXED,
    SEEK_A,
    SEEK_B,
    SEEK_C,
    SETTLE,
    TURN,
    READ_LATENCY,
    WRITE_LATENCY,
    READ_PACE,  # time per byte of a channel
    WRITE_PACE,
    READ_HOLD,
    WRITE_HOLD,
    PAR_COUNT,
) = range(27)

# Entries of ``tally``: what was counted.
(
    READS,
    WRITES,
    READ_SUM,
    WRITE_SUM,
    DEGRADED,
    CODED,  # time of cores
    PIECES,
    TALLY_COUNT,
) = range(8)

# What becomes of a request once all of its shards have come: kinds.
READ, DEGRADED_READ, OLD_DATA, STORED, PIECE = range(5)
# What happens to a request, or to one of its shards, at its time: steps.
SEND, RECEIVE, STORE, SEND_ON, READ_OLD, WRITE, PARTIAL_WRITE, PIECE_READ, PIECE_WRITE = range(9)
# Columns of a request: whole numbers, then times and sizes.
KIND, LEFT, READ_COUNT, NUMBER, GROUP, GOAL, DRIVE, ASKED_COLUMNS = range(8)
SINCE, DONE, BYTES, TIMED_COLUMNS = range(4)
# Columns of an event.
STEP, REQUEST, PLACE, EVENT_COLUMNS = range(4)
EVENTS_MAX = 1 << 18
BUCKETS = 1 << 12  # of the calendar, a ring
TABLE = 1024  # steps of the tables by place
DRIVES_MAX, GROUPS_MAX, SHARDS_MAX, NODES_MAX, CHANNELS_MAX = 4096, 65_536, 64, 512, 256


@cache
def cluster_dtype() -> np.dtype:
    """Return the layout of a cluster: everything that the kernels read and write.

    One record, as the kernels pass it by a bare pointer; pages that are never touched take no
    memory.
    """
    import numpy as np

    return np.dtype(
        [
            ("plan", np.int64, (PLAN_COUNT,)),
            ("par", np.float64, (PAR_COUNT,)),
            ("tally", np.float64, (TALLY_COUNT,)),
            ("marks", np.int64, (MARKS_COUNT,)),
            ("picked", np.int64, (SHARDS_MAX + 1,)),  # shards of the present request
            ("head", np.float64, (DRIVES_MAX,)),  # on the stroke, 0 to 1
            ("busy", np.float64, (DRIVES_MAX,)),
            ("rebuilding", np.float64, (DRIVES_MAX,)),  # of that with pieces that are rebuilt
            ("taking", np.float64, (DRIVES_MAX,)),  # until when a piece is rebuilt there
            ("lost", np.uint8, (DRIVES_MAX,)),
            ("node", np.int32, (DRIVES_MAX,)),
            ("site", np.int32, (NODES_MAX,)),  # of nodes
            ("places", np.float64, (TABLE + 1, 2)),  # by place: on the stroke, and ms per byte
            ("sent", np.float64, (2 * NODES_MAX,)),  # by link: nodes' sending, then receiving
            ("histogram", np.int64, (2, BINS_COUNT)),
            ("rank", np.int32, (GROUPS_MAX,)),  # in which order rebuilt; -1: nothing is lost
            ("order", np.int32, (GROUPS_MAX,)),  # groups by that order, most shards lost first
            ("alike_until", np.int32, (GROUPS_MAX,)),  # by that order: end of those as degraded
            ("lost_before", np.int64, (GROUPS_MAX + 1,)),  # by that order: shards of earlier ones
            ("groups", np.int32, (GROUPS_MAX, SHARDS_MAX)),  # drives of shards
            ("after", np.int32, (GROUPS_MAX, SHARDS_MAX)),  # the same once all is rebuilt
            ("free", np.float64, (CHANNELS_MAX * DRIVES_MAX,)),  # by channel, then drive
            ("link", np.float64, (2 * NODES_MAX,)),  # until when it sends
            ("buckets", np.int32, (BUCKETS,)),  # first event of each, -1: none
            ("at", np.float64, (EVENTS_MAX,)),  # of events
            ("events", np.int64, (EVENTS_MAX, EVENT_COLUMNS)),
            ("following", np.int32, (EVENTS_MAX,)),  # the next event of a list
            ("resting", np.int32, (EVENTS_MAX,)),  # the next request not in use
            ("asked", np.int64, (EVENTS_MAX, ASKED_COLUMNS)),  # requests
            ("timed", np.float64, (EVENTS_MAX, TIMED_COLUMNS)),
        ]
    )


Cluster = Any  # one record of ``cluster_dtype``
