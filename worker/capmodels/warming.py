"""Compiles the simulators' kernels, so that no planner waits for a compiler.

``python -m capmodels.warming FOLDER FAMILY...`` fills numba's cache on disk for families, one after
the other in the order in which they are likely to be asked for, each in a process of its own that
has a core for itself and gives its memory back. Each leaves an empty file in FOLDER when done. All
end when the process that started them does.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_REQUESTS_COUNT = 1200
_LOOK_S = 1.0
_MODULE = "capmodels.warming"


def warm_storage() -> None:
    """Run every way of the array simulator once: open, closed, mirrored, with parity and cache."""
    from capmodels.registry import get_model
    from capmodels.spec import Context, evaluate
    from capmodels.storage.array import RAID5, ArrayParams, mobile
    from capmodels.storage.array import SPEC as ARRAY
    from capmodels.storage.simulator.params import CacheTier, ClosedArrivals, SyntheticWorkload

    open_work = SyntheticWorkload(requests_count=_REQUESTS_COUNT, read_fraction=0.7)
    closed = open_work.model_copy(update={"arrivals": ClosedArrivals()})
    cached = RAID5.model_copy(update={"cache": CacheTier()})
    for array, work in ((mobile(3), open_work), (cached, open_work), (mobile(3), closed)):
        ARRAY.run(ArrayParams(array=array, workload=work), Context(seed=1))
    evaluate(get_model("storage.cluster_array"), {"work": {"requests_count": 300}})


def warm_consolidation() -> None:
    """Place some applications, and replay some hours of some machines."""
    from capmodels.registry import get_model
    from capmodels.spec import evaluate

    sizes = (0.24, 0.19, 0.15, 0.12)
    applications = [{"id": str(size), "demand_fraction": [size, size / 2]} for size in sizes]
    plan = get_model("consolidation.plan")
    for solver in ("auto", "search"):
        evaluate(plan, {"applications": applications, "solver": solver})
    waves = [[0.1 + 0.2 * ((step + own) % 5) for step in range(30)] for own in range(8)]
    policies = [{"overload": "npa"}, {"overload": "dvfs"}]
    policies += [{"overload": name, "selection": "mmt"} for name in ("thr", "iqr", "mad", "lr")]
    document = {"utilization_fraction": waves, "duration_h": 2.0, "policies": policies}
    evaluate(get_model("consolidation.dynamic"), document)


def warm_memory() -> None:
    """Serve a few milliseconds of memory accesses under every technique."""
    from capmodels.registry import get_model
    from capmodels.spec import evaluate

    evaluate(get_model("memory.power_policies"), {"horizon_ms": 2.0})


# The first is compiled first.
FAMILIES: dict[str, Callable[[], None]] = {
    "storage": warm_storage,
    "consolidation": warm_consolidation,
    "memory": warm_memory,
}


def marker_of(folder: Path, family: str) -> Path:
    """The file that says that a family's kernels are compiled."""
    return folder / f"{family}-compiled"


@contextmanager
def _held(folder: Path, family: str) -> Iterator[bool]:
    """Hold the family's lock, if nobody else does; the kernel lets go of it for the dead."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{family}-compiling").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def is_compiling(folder: Path, family: str) -> bool:
    """Say whether a process compiles a family's kernels at this moment."""
    with _held(folder, family) as was_free:
        return not was_free


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        sleep(_LOOK_S)
    os._exit(1)


def main(folder: Path, *families: str) -> None:
    """Compile families' kernels, unless another process does, and say so by files."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))
    if len(families) > 1:
        for family in families:
            if marker_of(folder, family).exists():
                continue
            subprocess.run([sys.executable, "-m", _MODULE, str(folder), family], check=False)
        return
    os.nice(10)
    [family] = families
    with _held(folder, family) as is_ours:
        if is_ours:
            FAMILIES[family]()
            marker_of(folder, family).touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
