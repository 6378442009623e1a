"""How the C library keeps memory that was freed."""

from __future__ import annotations

import ctypes

# malloc.h of glibc
_M_TRIM_THRESHOLD = -1
_M_TOP_PAD = -2
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
_MIB = 1 << 20


def keep_freed_memory() -> bool:
    """Let a process use freed memory again instead of returning it at once.

    Draws are matrices of megabytes that live for a millisecond. By default each one is asked
    of the kernel anew and its pages are cleared again, which costs half the time of an answer
    with odds. One arena serves all threads, so at most 256 MiB stay with an idle process.

    Returns
    -------
    bool
        Whether the C library took all of it; another one than glibc knows nothing of this.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:
        return False
    wanted = (
        (_M_ARENA_MAX, 1),
        (_M_MMAP_THRESHOLD, 32 * _MIB),
        (_M_TRIM_THRESHOLD, 256 * _MIB),
        (_M_TOP_PAD, 16 * _MIB),
    )
    taken = [mallopt(name, value) for name, value in wanted]
    return all(taken)
