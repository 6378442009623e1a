"""Loading the compiler leaves little of its library in memory, and kernels run as before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_PROBE = """
import json
from pathlib import Path
from capmodels import compiler

def mapped_kb():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssFile"))

import llvmlite.binding
import numpy as np
before = mapped_kb()
compiler.let_go()
after = mapped_kb()
compiler.load()
from numba import njit
double = njit(lambda values: values * 2)
print(json.dumps([before, after, double(np.arange(3.0)).tolist()]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux lets pages go")
def test_what_only_the_start_read_is_let_go_and_kernels_still_run() -> None:
    run = [sys.executable, "-c", _PROBE]

    printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    before_kb, after_kb, doubled = json.loads(printed)

    # The start maps 40 to 100 MB of the library, by how the system keeps it.
    assert after_kb < before_kb - 20_000
    assert doubled == [0.0, 2.0, 4.0]
