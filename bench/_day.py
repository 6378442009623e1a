"""A PlanetLab day in a process of its own: `python -m bench._day FILE` prints its peak. [MB]"""

from __future__ import annotations

import csv
import gzip
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STEPS = 288
_ID = "00000000-0000-0000-0000-000000000000"
_POLICY = {"overload": "thr", "selection": "mmt", "threshold_fraction": 0.8}


def planetlab(path: Path) -> Iterator[tuple[bytes, list[float]]]:
    """Machines of a day, each with its share of a core by step."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in csv.reader(lines):
            if row[1].isdigit():
                yield row[0].encode(), [int(value) / 100 for value in row[1 : STEPS + 1]]


def main(path: Path) -> None:
    """Replay the day as a worker does, by reference to a stored trace."""
    import numpy as np

    from capmodels import registry, spec
    from capmodels.formats import trace_store, trace_types

    by_name = {name: np.array(shares, dtype=np.float32) for name, shares in planetlab(path)}
    names = sorted(by_name)
    trace = trace_types.UtilizationTrace(
        step_s=300.0,
        names=tuple(name.decode() for name in names),
        cpu_fraction=np.array([by_name[name] for name in names]),
    )
    loader, refs = trace_store.held({_ID: trace})
    with trace_store.using(loader):
        document = {"trace": refs[_ID].model_dump(), "policies": [_POLICY]}
        spec.evaluate(registry.get_model("consolidation.dynamic"), document)
    # in units of 1,024 bytes
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
