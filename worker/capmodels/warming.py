"""Compiles the simulators' kernels, so that no planner waits for a compiler.

``python -m capmodels.warming FOLDER [KERNELS...]`` fills numba's cache on disk, one group of
kernels after the other in the order in which they are likely to be asked for, each in a process of
its own that has a core for itself and gives its memory back. Groups joined by + share a process:
what both are made of is read once. Each leaves an empty file in FOLDER when done. All end when the
process that started them does.
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

    from capmodels.spec import AnyModel, Params

_REQUESTS_COUNT = 1200
_LOOK_S = 1.0
_MODULE = "capmodels.warming"
_JOINED = "+"


def warm_simple_arrays() -> None:
    """Run what most begin with: one hard disk or copies of it, requests that come by themselves."""
    from capmodels.spec import Context
    from capmodels.storage.array import SPEC as ARRAY
    from capmodels.storage.array import ArrayParams, mobile
    from capmodels.storage.simulator.params import SyntheticWorkload

    work = SyntheticWorkload(requests_count=_REQUESTS_COUNT, read_fraction=0.7)
    ARRAY.run(ArrayParams(array=mobile(3), workload=work), Context(seed=1))


def warm_storage() -> None:
    """Run every way of the array simulator: open, closed, mirrored, parity, cache, free space."""
    from capmodels.registry import get_model
    from capmodels.spec import Context, evaluate
    from capmodels.storage.array import RAID5, ArrayParams, mobile
    from capmodels.storage.array import SPEC as ARRAY
    from capmodels.storage.simulator.arrivals import ClosedArrivals
    from capmodels.storage.simulator.params import CacheTier, SyntheticWorkload

    open_work = SyntheticWorkload(requests_count=_REQUESTS_COUNT, read_fraction=0.7)
    closed = open_work.model_copy(update={"arrivals": ClosedArrivals()})
    cached = RAID5.model_copy(update={"cache": CacheTier()})
    for array, work in ((mobile(3), open_work), (cached, open_work), (mobile(3), closed)):
        ARRAY.run(ArrayParams(array=array, workload=work), Context(seed=1))
    evaluate(get_model("storage.cluster_array"), {"work": {"requests_count": 300}})
    evaluate(get_model("storage.fs2_layer"), {"files_count": 40, "compared_free_fraction": [0.4]})


def warm_sorted_arrays() -> None:
    """Run an array whose queues are sorted: open and closed, with parity and a cache."""
    from capmodels.spec import Context
    from capmodels.storage.array import RAID5, ArrayParams
    from capmodels.storage.array import SPEC as ARRAY
    from capmodels.storage.simulator.arrivals import ClosedArrivals
    from capmodels.storage.simulator.params import CacheTier, SyntheticWorkload

    array = RAID5.model_copy(update={"cache": CacheTier(), "scheduler": "sstf"})
    work = SyntheticWorkload(requests_count=_REQUESTS_COUNT, read_fraction=0.7)
    for one in (work, work.model_copy(update={"arrivals": ClosedArrivals()})):
        ARRAY.run(ArrayParams(array=array, workload=one), Context(seed=1))


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


def warm_serving() -> None:
    """Serve a few requests of a language model."""
    from capmodels.registry import get_model
    from capmodels.spec import evaluate

    evaluate(get_model("serving.simulate"), {"requests_count": 40})


SIMPLE_ARRAYS = "simple-arrays"
# The first is compiled first.
KERNELS: dict[str, Callable[[], None]] = {
    SIMPLE_ARRAYS: warm_simple_arrays,
    "storage": warm_storage,
    "consolidation": warm_consolidation,
    "memory": warm_memory,
    "serving": warm_serving,
}
# Compiled beforehand only where several processes would each do it, as in the tests.
RARE_KERNELS: dict[str, Callable[[], None]] = {"sorted-arrays": warm_sorted_arrays}


def kernels_of(spec: AnyModel, params: Params) -> str:
    """Name the kernels that a run needs: those of its family, or of simple arrays alone."""
    if spec.id == "storage.array":
        from capmodels.storage.array import ArrayParams, takes_short_way_alone

        if isinstance(params, ArrayParams) and takes_short_way_alone(params):
            return SIMPLE_ARRAYS
    return spec.family


def marker_of(folder: Path, kernels: str) -> Path:
    """The file that says that kernels are compiled."""
    return folder / f"{kernels}-compiled"


@contextmanager
def held(folder: Path, name: str) -> Iterator[bool]:
    """Hold a lock, if nobody else does; the operating system lets go of it for the dead."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def is_compiling(folder: Path, kernels: str) -> bool:
    """Say whether a process compiles kernels at this moment."""
    with held(folder, f"{kernels}-compiling") as was_free:
        return not was_free


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        sleep(_LOOK_S)
    os._exit(1)


def main(folder: Path, *groups: str) -> None:
    """Compile groups of kernels, unless another process does, and say so by files."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))
    if len(groups) != 1:
        for kernels in groups or KERNELS:
            if all(marker_of(folder, one).exists() for one in kernels.split(_JOINED)):
                continue
            subprocess.run([sys.executable, "-m", _MODULE, str(folder), kernels], check=False)
        return
    [kernels] = groups
    if kernels != SIMPLE_ARRAYS:  # somebody may be waiting for these
        os.nice(10)
    for one in kernels.split(_JOINED):
        with held(folder, f"{one}-compiling") as is_ours:
            if is_ours:
                {**KERNELS, **RARE_KERNELS}[one]()
                marker_of(folder, one).touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
