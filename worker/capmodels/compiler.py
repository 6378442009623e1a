"""Loads the compiler of the kernels without keeping what only its start reads.

LLVM's library is 170 MB. Its start and numba's touch places all over it, and Linux maps whole
blocks of up to 2 MB around each; so does the linear algebra that numba looks for. Kernels that
come from the cache on disk need little of either. Pages that were only read are the file's own:
they can be let go at any time, and are read again where they are needed.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from pathlib import Path

_MAPS = Path("/proc/self/smaps")
_RANGE = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) r-[-x]p \S+ \S+ \S+ +/.*[.]so[.0-9]*$")
_MADV_DONTNEED = 4


@cache
def load() -> None:
    """Import LLVM and numba and all that numba reads at its first kernel, once in a process.

    In parts, with the least else in memory at the part that touches most.
    """
    import llvmlite.binding  # noqa: F401 # imported to be let go before numba adds to it

    let_go()
    from numba.core.registry import cpu_target
    from numba.core.runtime.nrt import rtsys

    let_go()
    target = cpu_target.target_context
    let_go()
    rtsys.initialize(target)
    let_go()
    target.refresh()


def let_go() -> None:
    """Unmap the pages of libraries that nothing was written to. Only Linux has a say."""
    if not _MAPS.exists():
        return
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for start, length in _only_read(_MAPS.read_bytes()):
        advise(start, length, _MADV_DONTNEED)


def _only_read(smaps: bytes) -> list[tuple[int, int]]:
    """Start and length of libraries' parts that cannot be and were not written to. [B]"""
    found = []
    part = None
    for line in smaps.splitlines():
        header = _RANGE.match(line)
        if header is not None:
            start = int(header[1], 16)
            part = (start, int(header[2], 16) - start)
        elif part is not None and line.startswith(b"Anonymous:"):
            # Tables of addresses are read-only too, but were written while they were loaded.
            if line.split()[1] == b"0":
                found.append(part)
            part = None
    return found
