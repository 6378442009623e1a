"""Makes ready what the first simulation of a worker would wait for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_MODULE = "capmodels.storage.array_warm"


def _marker() -> Path | None:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return Path(folder) / "array-simulator-compiled" if folder else None


def simulator_is_warm() -> bool:
    """Say whether a simulation would start at once, as far as this machine knows.

    While its kernels are compiled it may take longer than the quick queue allows.
    """
    marker = _marker()
    return marker is None or marker.exists()


def warm_simulator() -> None:
    """Load the simulator's compiled kernels before the worker forks.

    Where nothing is compiled yet that takes a minute: a process beside the worker does it, so
    that other runs need not wait. The folder of the cache has a name that changes with the
    kernels, so that a marker in it speaks of these kernels.
    """
    marker = _marker()
    if marker is None:
        return
    if marker.exists():
        from capmodels.storage.array_warm import warm

        warm()
    else:
        subprocess.Popen([sys.executable, "-m", _MODULE, str(marker)])  # our own module
