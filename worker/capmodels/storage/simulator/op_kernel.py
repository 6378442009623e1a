"""Operations, and disks by number, of one type each: a kernel is compiled anew for every constant.

What is written out at a call, as ``True`` or ``0``, is a type of its own to the compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k

if TYPE_CHECKING:
    from capmodels.storage.simulator.slots import Machine


@kernel
def reading(sector: int, sectors: int) -> k.Op:
    """A read (sector, sectors, write, extra time)."""
    return sector, sectors, bool(0), 0.0


@kernel
def writing(sector: int, sectors: int) -> k.Op:
    """A write, as ``reading``."""
    return sector, sectors, bool(1), 0.0


@kernel
def all_disks(m: Machine) -> tuple[int, int]:
    """The disks [first, last) of the array."""
    last = m.plan[k.DISKS]
    return last - last, last


@kernel
def phase(number: int) -> int:
    """A phase of a write, 1 or 2."""
    return int(number)
