"""What a worker makes ready before its first simulation."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from capmodels import warming
from runs.warming import is_warm, warm_simulators

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def _compiled(monkeypatch: pytest.MonkeyPatch, folder: Path, *families: str) -> list[list[str]]:
    for family in families:
        warming.marker_of(folder, family).touch()
    started: list[list[str]] = []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    monkeypatch.setattr(subprocess, "Popen", started.append)
    return started


def test_what_is_not_compiled_is_compiled_beside_the_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = _compiled(monkeypatch, tmp_path, "consolidation")
    warm_simulators()
    assert started == [[sys.executable, "-m", "capmodels.warming", str(tmp_path)]]


def test_what_is_compiled_is_loaded_in_the_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    loaded: list[bool] = []
    started = _compiled(monkeypatch, tmp_path, *warming.FAMILIES)
    monkeypatch.setattr(warming, "warm_storage", lambda: loaded.append(True))
    warm_simulators()
    assert (loaded, started) == ([True], [])


def test_without_a_cache_on_disk_nothing_is_compiled_ahead(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = _compiled(monkeypatch, tmp_path)
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    warm_simulators()
    assert started == []


def test_a_simulation_is_short_once_its_kernels_are_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _compiled(monkeypatch, tmp_path, "storage")
    assert is_warm("storage")
    assert is_warm("cost")
    assert not is_warm("memory")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert is_warm("memory")


def test_only_what_is_not_compiled_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    warmed: list[str] = []
    _compiled(monkeypatch, tmp_path, "storage")
    families = {name: lambda name=name: warmed.append(name) for name in warming.FAMILIES}
    monkeypatch.setattr(warming, "FAMILIES", families)
    monkeypatch.setattr("os.nice", lambda _more: 0)
    warming.main(tmp_path)
    assert warmed == ["consolidation", "memory"]
    assert all(map(is_warm, families))
