"""Functions that kernels call are parts of them, and kernels of their own when Python calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numba import njit

from capmodels.kernel import Kernel, kernel

if TYPE_CHECKING:
    from pathlib import Path

_MODULE = """
import json
import sys
import numpy as np
from capmodels.kernel import kernel

@kernel
def checked(value):
    if value < 0:
        raise ValueError("below zero")
    return np.sqrt(value)

@kernel
def total(values):
    out = 0.0
    for value in values:
        out += checked(value)
    return out

@kernel
def mean(values):
    return total(values) / values.size

said = []
for function in (mean, total):
    said.append(function(np.array([4.0, 16.0])))
    try:
        function(np.array([4.0, -1.0]))
    except ValueError as error:
        said.append(str(error))
hits = sum(sum(one.stats.cache_hits.values()) for one in (mean, total, checked))
print(json.dumps([said, hits]))
"""


@kernel
def _scaled(value: float, times: int, turned: bool = False) -> float:
    return -value * times if turned else value * times


@kernel
def _sum_of_scaled(values: np.ndarray) -> float:
    out = 0.0
    for index in range(values.size):
        out += _scaled(values[index], 2) + _scaled(values[index], 3, True) + _scaled(0.5, index)
    return out


@kernel
def _factorial(count: int) -> int:
    return 1 if count < 2 else count * _factorial(count - 1)


@kernel
def _choices(taken: int, of: int) -> int:
    return _factorial(of) // (_factorial(taken) * _factorial(of - taken))


def test_a_part_called_by_python_becomes_a_kernel_and_stays_a_part() -> None:
    values = np.linspace(0.0, 3.0, 7)
    expected = _sum_of_scaled.py_func(values)

    assert _sum_of_scaled(values) == expected
    assert _scaled(2.0, 4) == 8.0
    assert _scaled(2.0, 4, True) == -8.0
    assert _sum_of_scaled(values[::2]) == _sum_of_scaled.py_func(values[::2])
    assert _sum_of_scaled(values) == expected


def test_constants_make_no_kernel_of_their_own() -> None:
    @kernel
    def own(value: float, kind: int) -> float:
        return value if kind else -value

    @kernel
    def calls(value: float) -> float:
        return own(value, 0) + own(value, 1) + own(value, int(value))

    assert calls(3.0) == 3.0
    assert len(own.signatures) == 1


def test_a_function_that_calls_itself_is_compiled() -> None:
    assert _choices(3, 9) == 84
    assert _factorial(5) == 120


def test_kernels_and_functions_compiled_by_numba_alone_call_each_other() -> None:
    plain = njit(lambda value: _scaled(value, 2))

    @kernel
    def back(value: float) -> float:
        return plain(value) + 1.0

    assert back(2.0) == 5.0


def test_a_kernel_that_cannot_be_compiled_leaves_the_next_as_it_was() -> None:
    from numba.core.errors import TypingError

    @kernel
    def wrong(value: float) -> float:
        return value + "text"  # type: ignore[operator]  # what is refused

    with pytest.raises(TypingError):
        wrong(1.0)

    assert Kernel.depth == 0
    assert _scaled(1.0, 2) == 2.0


_PACKAGE = """
from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
"""


@pytest.mark.slow
def test_kernels_come_back_from_the_cache_with_the_errors_of_their_parts(tmp_path: Path) -> None:
    """In another checkout, too."""

    def run(checkout: str) -> tuple[list[object], int]:
        folder = tmp_path / checkout / "capmodels"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(_PACKAGE, "utf-8")
        (folder / "made.py").write_text(_MODULE, "utf-8")
        env = {
            **os.environ,
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
            "PYTHONPATH": os.pathsep.join([str(folder.parent), *sys.path]),
        }
        run = [sys.executable, "-c", "import capmodels.made"]
        done = subprocess.run(run, check=True, capture_output=True, text=True, env=env)
        said, hits = json.loads(done.stdout)
        return said, hits

    said = [3.0, "below zero", 6.0, "below zero"]

    assert run("one") == (said, 0)
    assert run("two") == (said, 2)
