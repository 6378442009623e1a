"""What a worker makes ready before its first simulation."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from runs.warming import simulator_is_warm, warm_simulator

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

MARKER = "array-simulator-compiled"


def test_what_is_not_compiled_is_compiled_beside_the_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[list[str]] = []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", started.append)
    warm_simulator()
    expected = [sys.executable, "-m", "capmodels.storage.array_warm", str(tmp_path / MARKER)]
    assert started == [expected]


def test_what_is_compiled_is_loaded_in_the_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    loaded: list[bool] = []
    (tmp_path / MARKER).touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("capmodels.storage.array_warm.warm", lambda: loaded.append(True))
    warm_simulator()
    assert loaded == [True]


def test_without_a_cache_on_disk_nothing_is_compiled_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[list[str]] = []
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(subprocess, "Popen", started.append)
    warm_simulator()
    assert started == []


def test_a_simulation_is_short_once_its_kernels_are_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not simulator_is_warm()
    (tmp_path / MARKER).touch()
    assert simulator_is_warm()
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert simulator_is_warm()
