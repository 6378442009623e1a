"""What the arrays of ``spindle_kernel`` hold, by position: a drive with its own cache. [ms]"""

from __future__ import annotations

# Positions of ``setting``.
(
    TURN,
    HEAD_SWITCH,
    WRITE_SETTLE,
    SEGMENT_SECTORS,
    AHEAD_SECTORS,
    AHEAD_TO_TRACK_END,
    WRITES_BEHIND,
    HITS_READ_AHEAD,
    PASSING_SECTORS,  # sectors that pass while the head waits are kept
    DROPS_DELIVERED,  # what a miss or a run of sequential hits delivered is not kept
    WRITES_END_SEGMENT,  # 0: what they overwrite, 1: nothing, 2: the oldest, and others up to them
    WHOLE_TRACK,  # a track is read in any order, until all of it is held
    STREAM_HOLD,  # time that a run of sequential reads stays open [ms]
    AHEAD_LOST,  # share of misses after which nothing is read ahead
    AHEAD_IN_RUNS,  # it reads ahead only after a read that follows on the one before
    WRITE_END,  # of a write's overhead what passes once it is on the platter; infinite: all [ms]
    SETTING_COUNT,
) = range(17)

# Classes of requests, each with an overhead and a time per sector; as ``measured.REQUESTS``.
(
    HIT_IN_STREAM,
    HIT_AFTER_READ,
    HIT_AFTER_WRITE,
    READ_STREAM,
    MISS_AFTER_READ,
    MISS_AFTER_WRITE,
    MISS_NEAR,  # on the cylinder where the head is
    WRITE_SEQUENTIAL,
    WRITE_NEAR_WRITE,  # on the track that was written to last
    WRITE_NEAR_READ,  # on the cylinder where the head is
    WRITE_AFTER_WRITE,
    WRITE_AFTER_READ,
    CLASS_COUNT,
) = range(13)

# Positions of ``clock`` and ``here``.
NOW, FREE, STREAM_AT, OFFSET, NEXT_OFFSET, LAST_DONE, CHANCE, CLOCK_COUNT = range(8)
(
    TRACK,
    ACTIVE,
    STREAM_SECTOR,
    LIMIT,
    WROTE_LOW,
    WROTE_HIGH,
    LAST_END,
    LAST_READ,
    IN_STREAM,
    HERE_COUNT,
) = range(10)
# Positions of a row of ``segments`` and of ``arcs``.
LOW, HIGH, WHOLE = range(3)
BEGAN, PASSED = range(2)
