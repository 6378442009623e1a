"""Makes ready what the first simulation of a worker, would wait for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from capmodels import warming
from jobs.kinds import Later

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobs.kinds import Report

COMPILING = "The simulator is being compiled, once after an update"
_MODULE = "capmodels.warming"
_LOOK_S = 0.2
# How long a process is held by a job that waits for the compiler, and the job kept from it: by the
# first such job for most of what the queue's time limit leaves, by those beside it a little while.
_FIRST_HOLD_S = 40.0
_HOLD_S = 3.0
_AGAIN = timedelta(seconds=2)


def _folder() -> Path | None:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return Path(folder) if folder else None


def is_warm(kernels: str) -> bool:
    """Say whether simulations with these kernels would start at once, as far as is known here.

    While its kernels are compiled they may take longer than the quick queue allows.
    """
    folder = _folder()
    if folder is None or kernels not in warming.KERNELS:
        return True
    return warming.marker_of(folder, kernels).exists()


def warm_simulators() -> None:
    """Load the array simulator's compiled kernels before the worker forks.

    Where something is not compiled yet that takes minutes: processes beside the worker do it, one
    group after the other, so that other runs need not wait, unless somebody compiles already. The
    folder of the cache has a name that changes with the kernels, so that a marker in it speaks of
    these kernels.
    """
    folder = _folder()
    if folder is None:
        return
    if is_warm("storage"):
        warming.warm_storage()
    elif is_warm(warming.SIMPLE_ARRAYS):
        warming.warm_simple_arrays()
    cold = [kernels for kernels in warming.KERNELS if not is_warm(kernels)]
    if cold and not any(warming.is_compiling(folder, kernels) for kernels in cold):
        subprocess.Popen([sys.executable, "-m", _MODULE, str(folder), *cold])  # our own


def wait_until_warm(
    kernels: str,
    report: Report,
    *,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Wait while another process compiles kernels.

    Compiling them twice would take longer. One job waits at its place, so that it begins at once;
    others would take all places from what needs no kernels, and go back to the queue after some
    seconds. ``report`` is told at each look, and may raise to stop.

    Raises
    ------
    Later
        When they are still being compiled.
    """
    folder = _folder()
    if folder is None or is_warm(kernels):
        return
    report(0.0, COMPILING)
    with warming.held(folder, "waiting") as is_first:
        give_back_s = clock() + (_FIRST_HOLD_S if is_first else _HOLD_S)
        while not is_warm(kernels) and warming.is_compiling(folder, kernels):
            if clock() >= give_back_s:
                raise Later(COMPILING, _AGAIN)
            sleep(_LOOK_S)
            report(0.0, COMPILING)
