"""What a worker makes ready before its first simulation."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from capmodels import warming
from capmodels.registry import get_model
from capmodels.storage.array import RAID5, ArrayParams
from capmodels.storage.simulator.arrivals import ClosedArrivals
from capmodels.storage.simulator.params import SyntheticWorkload
from jobs.kinds import Later
from runs.warming import COMPILING, is_warm, wait_until_warm, warm_simulators

if TYPE_CHECKING:
    from pathlib import Path


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
    command = [sys.executable, "-m", "capmodels.warming", str(tmp_path)]
    assert started == [[*command, "simple-arrays", "storage", "memory", "serving"]]


def test_what_is_compiled_is_loaded_in_the_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    loaded: list[bool] = []
    started = _compiled(monkeypatch, tmp_path, *warming.KERNELS)
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


@pytest.mark.decisive
def test_a_simulation_is_short_once_its_kernels_are_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _compiled(monkeypatch, tmp_path, "storage")
    assert is_warm("storage")
    assert is_warm("cost")
    assert not is_warm("memory")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert is_warm("memory")


def test_families_are_compiled_in_turn_each_by_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: begun.append(command))
    warming.main(tmp_path, "storage", "memory")
    assert [command[-2:] for command in begun] == [
        [str(tmp_path), "storage"],
        [str(tmp_path), "memory"],
    ]


def test_a_family_is_compiled_by_one_process_at_a_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[bool] = []
    _compiled(monkeypatch, tmp_path)
    monkeypatch.setattr("os.nice", lambda _more: 0)

    def compile_it() -> None:
        seen.append(warming.is_compiling(tmp_path, "memory"))
        warming.main(tmp_path, "memory")

    monkeypatch.setitem(warming.KERNELS, "memory", compile_it)
    warming.main(tmp_path, "memory")
    assert seen == [True]
    assert is_warm("memory")
    assert not warming.is_compiling(tmp_path, "memory")


def test_a_run_waits_for_the_process_that_compiles(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []
    _compiled(monkeypatch, tmp_path)
    monkeypatch.setattr("os.nice", lambda _more: 0)

    def compile_it() -> None:
        wait_until_warm(
            "memory",
            lambda _fraction, message: said.append(message),
            sleep=lambda _s: warming.marker_of(tmp_path, "memory").touch(),
        )

    monkeypatch.setitem(warming.KERNELS, "memory", compile_it)
    warming.main(tmp_path, "memory")
    assert said == [COMPILING, COMPILING]


@pytest.mark.parametrize(("is_first", "held_s"), [(True, 40.0), (False, 3.0)])
def test_a_run_that_waits_for_long_gives_its_process_to_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_first: bool, held_s: float
) -> None:
    _compiled(monkeypatch, tmp_path)
    monkeypatch.setattr("os.nice", lambda _more: 0)
    slept: list[float] = []

    def wait() -> None:
        with pytest.raises(Later, match=COMPILING):
            wait_until_warm(
                "memory", lambda *_told: None, sleep=slept.append, clock=lambda: sum(slept)
            )

    def compile_it() -> None:
        with warming.held(tmp_path, "another" if is_first else "waiting"):
            wait()

    monkeypatch.setitem(warming.KERNELS, "memory", compile_it)
    warming.main(tmp_path, "memory")
    assert held_s <= sum(slept) < held_s + 1.0


def test_a_run_compiles_for_itself_where_no_process_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []
    _compiled(monkeypatch, tmp_path, "storage")
    for family in ("storage", "memory", "cost"):
        wait_until_warm(family, lambda _fraction, message: said.append(message))
    assert said == [COMPILING]


def test_a_simple_array_waits_for_its_own_kernels_alone() -> None:
    spec = get_model("storage.array")
    simple = ArrayParams()
    closed = SyntheticWorkload(arrivals=ClosedArrivals())
    others = [
        ArrayParams(array=RAID5),
        ArrayParams(workload=closed),
        ArrayParams(curve_points_count=3),
    ]
    assert warming.kernels_of(spec, simple) == "simple-arrays"
    assert {warming.kernels_of(spec, other) for other in others} == {"storage"}
    assert warming.kernels_of(get_model("memory.power_policies"), simple) == "memory"
