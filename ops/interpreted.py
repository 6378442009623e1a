"""A pytest plugin: the array simulator's kernels without their compiler.

With NUMBA_DISABLE_JIT=1 Python reads their records, whose fields have names for it only as
`numpy.record`; and whole numbers that wrap around, as they do in C, come with a warning.
"""

import functools

import numpy as np

from capmodels.storage.simulator import slots

_compiled = slots.machine_dtype


@functools.cache
def _by_name() -> np.dtype[np.void]:
    return np.dtype((np.record, _compiled()))


slots.machine_dtype = _by_name
