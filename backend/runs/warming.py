"""Makes ready what the first simulation of a worker would wait for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_MODULE = "capmodels.storage.array_warm"


def warm_simulator() -> None:
    """Load the simulator's compiled kernels before the worker forks.

    Where nothing is compiled yet that takes a minute: a process beside the worker does it, so
    that other runs need not wait. The folder of the cache has a name that changes with the
    kernels, so that a marker in it speaks of these kernels.
    """
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder:
        return
    marker = Path(folder) / "array-simulator-compiled"
    if marker.exists():
        from capmodels.storage.array_warm import warm

        warm()
    else:
        subprocess.Popen([sys.executable, "-m", _MODULE, str(marker)])  # our own module
