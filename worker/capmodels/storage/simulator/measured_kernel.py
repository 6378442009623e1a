"""A disk of the array as it was measured: its own cache and overheads by kind of request. [ms]

The drive is that of ``spindle_kernel``, which a calibration fits: both run the same mechanics, so
that the error of a calibration is that of the drive in an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator import spindle_slots as d
from capmodels.storage.simulator.spindle_kernel import Spindle, read, read_ahead, write

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine

# Disks of an array start so much of a turn apart: the golden section.
_APART = 0.6180339887498949


@kernel
def spindle_of(m: Machine, disk: int) -> Spindle:
    """A disk's spindle: views of what the machine holds."""
    tracks, segments = m.plan[k.TRACKS], m.plan[k.SPINDLE]
    return Spindle(
        m.tracks[:tracks],
        m.angles[:tracks],
        m.seek_table,
        m.spin_setting,
        m.spin_costs,
        m.spin_segments[disk][:segments],
        m.spin_arcs[disk][:segments],
        m.spin_ages[disk][:segments],
        m.spin_clock[disk],
        m.spin_here[disk],
    )


@kernel
def book_hidden(m: Machine, disk: int, start: float, s: Spindle) -> None:
    """Book as active what the platter did after the last answer, while the disk seemed idle."""
    last = s.clock[d.LAST_DONE]
    hidden = min(s.clock[d.FREE], start) - last
    if hidden <= 0 or m.time_ms[disk, k.IDLE] < hidden:
        return
    p = m.par[disk]
    m.time_ms[disk, k.IDLE] -= hidden
    m.energy_mj[disk, k.IDLE] -= hidden * p[k.P_IDLE]
    m.time_ms[disk, k.ACTIVE] += hidden
    m.energy_mj[disk, k.ACTIVE] += hidden * p[k.P_ACTIVE]


@kernel
def measured(m: Machine, disk: int, start: float, op: k.Op, rng: np.random.Generator) -> float:
    """Do one operation (sector, sectors, write, extra time); return when it is answered."""
    s = spindle_of(m, disk)
    turn = s.setting[d.TURN]
    book_hidden(m, disk, start, s)
    read_ahead(s, start)
    s.clock[d.NEXT_OFFSET] = disk * _APART % 1.0 * turn
    if m.par[disk, k.PHASE] == 0:
        s.clock[d.NEXT_OFFSET] = rng.random() * turn
    s.clock[d.CHANCE] = rng.random() if s.setting[d.AHEAD_LOST] > 0 else 1.0
    one = (op[0], op[1])
    done, kind = write(s, start, one) if op[2] else read(s, start, one)
    done = max(done, start) + op[3]
    s.clock[d.FREE] = max(s.clock[d.FREE], done) if op[3] > 0 else s.clock[d.FREE]
    s.here[d.LAST_READ] = 0 if op[2] else 1
    s.here[d.LAST_END] = op[0] + op[1]
    s.clock[d.LAST_DONE] = done
    if kind <= d.READ_STREAM:
        m.tally[k.BUFFER_HITS] += 1
    return done
