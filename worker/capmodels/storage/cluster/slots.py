"""What the arrays of a simulated cluster hold, by position. Times in ms, data in bytes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

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
    LINK_SLOT,  # time over which what a link sends is counted
    SLOTS_PER_MS,
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
) = range(28)

# Entries of ``tally``: what was counted.
(
    READS,
    WRITES,
    READ_SUM,
    WRITE_SUM,
    DEGRADED,
    CODED,  # time of cores
    PIECES,
    PIECE_READS,
    PIECE_NETWORK,
    PENDING,
    OVERFLOW,
    END,
    PROGRESS,  # of the phase, 0 to 1
    PICKED,  # shards of the present request
    TALLY_COUNT,
) = range(15)

# Kinds of pending work, and the columns of its heap.
WRITE, PARTIAL, PARTIAL_WRITE, PIECE_READ, PIECE_WRITE = range(5)
AT, KIND, GROUP, NUMBER, SINCE, PENDING_COLUMNS = range(6)
PENDING_MAX = 1 << 16
SLOTS = 1 << 11  # of a link, a ring; close to each other are those of one time
TABLE = 1024  # steps of the tables by place
BINS_PER_OCTAVE = 128
BINS_LOW = -20  # log2 of the shortest response
BINS_COUNT = 48 * BINS_PER_OCTAVE
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
            ("picked", np.int64, (SHARDS_MAX + 1,)),  # shards of the present request
            ("head", np.float64, (DRIVES_MAX,)),  # on the stroke, 0 to 1
            ("busy", np.float64, (DRIVES_MAX,)),
            ("taking", np.float64, (DRIVES_MAX,)),  # until when a piece is rebuilt there
            ("lost", np.uint8, (DRIVES_MAX,)),
            ("node", np.int32, (DRIVES_MAX,)),
            ("site", np.int32, (NODES_MAX,)),  # of nodes
            ("places", np.float64, (TABLE + 1, 2)),  # by place: on the stroke, and ms per byte
            ("sent", np.float64, (2 * NODES_MAX,)),  # by link: nodes' sending, then receiving
            ("histogram", np.int64, (2, BINS_COUNT)),
            ("rank", np.int32, (GROUPS_MAX,)),  # in which order rebuilt; -1: nothing is lost
            ("order", np.int32, (GROUPS_MAX,)),  # groups by that order
            ("groups", np.int32, (GROUPS_MAX, SHARDS_MAX)),  # drives of shards
            ("after", np.int32, (GROUPS_MAX, SHARDS_MAX)),  # the same once all is rebuilt
            ("free", np.float64, (CHANNELS_MAX * DRIVES_MAX,)),  # by channel, then drive
            ("links", np.float64, (SLOTS * 2 * NODES_MAX,)),  # bytes passed in a slot of time
            ("turns", np.int64, (SLOTS * 2 * NODES_MAX,)),  # which slot each of these is
            ("pending", np.float64, (PENDING_MAX, PENDING_COLUMNS)),  # heap
        ]
    )


Cluster = Any  # one record of ``cluster_dtype``
