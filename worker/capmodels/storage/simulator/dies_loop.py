"""A solid-state drive with dies by queue depth: its closed loop, request by request. [ms]

Times are constant, so that the product form of a closed network, whose times are drawn, answers a
tenth to a third later at the knee. Chances are the same at every call.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.rng import streams
from capmodels.storage.drive.times import (
    link_ms,
    read_answer_ms,
    read_hold_ms,
    write_answer_ms,
    write_channel_ms,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.drive.drives import SolidState

_SEED = 1
# Deeper loops go around as this one, slower by so much as they are deeper.
_DEPTH_MAX = 1024
_ROUNDS = 20


class DieTimes(NamedTuple):
    """Reads and writes: time of the link, from it to the answer, and of a die. [ms]"""

    read_link: float
    read_answer: float
    read_hold: float
    write_link: float = 0.0
    write_answer: float = 0.0
    write_hold: float = 0.0


@cache
def _chances(count: int) -> NDArray[np.float64]:
    return streams(_SEED, 1)[0].random((count, 2))


def loop_ms(
    depth: int, dies: int, times: DieTimes, *, read_fraction: float = 1.0, count: int = 20_000
) -> float:
    """Mean response with so many requests always under way. [ms]"""
    import numpy as np

    from capmodels.storage.simulator.dies_loop_kernel import mean_ms

    held = min(depth, _DEPTH_MAX)
    chances = _chances(max(count, _ROUNDS * held))
    found = mean_ms(held, dies, np.array(times, dtype=np.float64), chances, read_fraction)
    return float(found) * depth / held


def times_of(drive: SolidState, read_bytes: float, write_bytes: float) -> DieTimes:
    """Times of a drive's reads and writes; a read lies on one die."""
    reading, writing = (
        link_ms(drive, read_bytes, write=False),
        link_ms(drive, write_bytes, write=True),
    )
    return DieTimes(
        reading,
        read_answer_ms(drive, read_bytes) - reading,
        read_hold_ms(drive, read_bytes),
        writing,
        write_answer_ms(drive, write_bytes) - writing,
        write_channel_ms(drive, write_bytes),
    )
