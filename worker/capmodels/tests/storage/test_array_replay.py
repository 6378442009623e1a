"""Recorded requests on an array, and the series of a result that are drawn."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.formats.trace_store import held, using
from capmodels.formats.trace_types import BlockRequests
from capmodels.storage.array import ALWAYS_ON, SERVER, mobile
from capmodels.storage.drive.power_states import one_awake_w
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.params import Replay, SyntheticWorkload
from capmodels.storage.simulator.replay import (
    Recording,
    Requests,
    device_offsets,
    even_pieces,
    extent_of,
    in_memory,
    rows,
    run_trace,
    trace_chunks,
)
from capmodels.storage.simulator.run import replicate, run_synthetic
from capmodels.storage.simulator.series import power_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

SPEC = registry.get_model("storage.array")
_TRACE_ID = "00000000-0000-4000-8000-000000000001"


def _trace(count: int = 3000, gap_s: float = 0.05, devices: int = 1) -> Requests:
    rng = np.random.Generator(np.random.PCG64(5))
    return Requests(
        np.cumsum(rng.standard_exponential(count) * gap_s),
        rng.integers(0, devices, count).astype(np.int32),
        rng.integers(0, 10_000_000, count),
        np.full(count, 16, dtype=np.int32),
        rng.random(count) < 0.7,
    )


def _chunks(trace: Requests, terms: Replay, *, size: int, step: int) -> Iterator[Any]:
    recording = in_memory(trace)
    return trace_chunks(recording, extent_of(recording), terms, size=size, step=step)


def _single(**more: Any) -> dict[str, Any]:
    return {"array": {"layout": {"kind": "single", "disks_count": 1}}, **more}


def test_an_uploaded_trace_gives_what_the_same_columns_give() -> None:
    trace = _trace()
    first = trace.time_s[0]
    stored = BlockRequests(trace.time_s - first, *trace[1:])
    loader, refs = held({_TRACE_ID: stored})
    document = _single(trace=refs[_TRACE_ID].model_dump())
    with using(loader):
        result = spec.evaluate(SPEC, document, spec.Context(seed=3))
    design = SPEC.params.model_validate(_single()).array
    direct = result_of(design, run_trace(design, in_memory(trace), Replay(), seed=3), closed=False)
    assert result.requests_count == 3000
    assert result.responses[0].mean_ms == pytest.approx(direct.responses[0].mean_ms, rel=1e-6)


@pytest.mark.parametrize("terms", [Replay(), Replay(timing="closed", users_count=2)])
def test_the_lengths_of_a_recordings_pieces_change_nothing(terms: Replay) -> None:
    trace = _trace(5000, devices=3)
    cuts = [0, 1, 2, 700, 701, 3500, 5000]

    def pieces() -> Iterator[Requests]:
        return (rows(trace, slice(*ends)) for ends in pairwise(cuts))

    assert [len(p.time_s) for p in even_pieces(pieces(), 1500)] == [1500, 1500, 1500, 500]
    whole = run_trace(ALWAYS_ON, in_memory(trace), terms, seed=2)
    cut = run_trace(ALWAYS_ON, Recording(pieces), terms, seed=2)
    assert (cut.response == whole.response).all()
    assert (cut.energy_mj == whole.energy_mj).all()


def test_a_stored_trace_is_as_many_points_as_it_has_requests() -> None:
    trace = _trace(2500)
    loader, refs = held({_TRACE_ID: BlockRequests(trace.time_s - trace.time_s[0], *trace[1:])})
    params = SPEC.params.model_validate(_single(trace=refs[_TRACE_ID].model_dump()))
    with using(loader):
        assert SPEC.points(params) == 2500
    assert SPEC.points(params) == 0


def test_scaled_times_change_the_load_in_proportion() -> None:
    plain = run_trace(SERVER, in_memory(_trace()), Replay(), seed=1)
    fast = run_trace(SERVER, in_memory(_trace()), Replay(timing="scaled", time_ratio=0.25), seed=1)
    busy = [float(out.time_ms[0, :2].sum() / out.end_ms) for out in (plain, fast)]
    assert busy[1] == pytest.approx(4 * busy[0], rel=0.02)


@pytest.mark.decisive
def test_a_closed_replay_obeys_the_response_law() -> None:
    terms = Replay(timing="closed", users_count=3, think_ms=20.0)
    out = run_trace(ALWAYS_ON, in_memory(_trace(20_000)), terms, seed=1)
    response = out.response.sum(axis=0)
    mean = response[1] / response[0]
    # Users = throughput x (response + think).
    assert out.taken / out.end_ms * (mean + 20.0) == pytest.approx(3.0, rel=0.01)


def test_recorded_gaps_are_think_times() -> None:
    trace = _trace(10)
    chunks = list(_chunks(trace, Replay(timing="closed"), size=1 << 40, step=4))
    thinks = np.concatenate([at for at, _ops in chunks])
    assert thinks[:9] == pytest.approx(np.diff(trace.time_s) * 1000)
    assert thinks[9] == 0.0


def test_devices_of_a_trace_lie_side_by_side_or_folded() -> None:
    zeros = np.zeros(3)
    trace = Requests(
        zeros,
        np.array([0, 2, 2], dtype=np.int32),
        np.array([100, 0, 50]),
        np.array([8, 8, 8], dtype=np.int32),
        np.ones(3, dtype=np.bool_),
    )
    assert device_offsets(extent_of(in_memory(trace)), Replay()).tolist() == [0, 108, 108]
    ops = next(_chunks(trace, Replay(), size=1000, step=10))[1]
    assert ops[:, 0].tolist() == [100, 108, 158]
    folded = next(_chunks(trace, Replay(devices="folded"), size=1000, step=10))[1]
    assert folded[:, 0].tolist() == [100, 0, 50]


def test_a_trace_larger_than_the_array_is_folded_and_said_so() -> None:
    document = _single(
        workload={
            "kind": "trace",
            "starts_ms": [0.0, 1.0],
            "sectors": [0, 10**12],
            "sectors_count": [8, 8],
            "writes": [False, False],
        }
    )
    assert "trace_folded" in spec.evaluate(SPEC, document).warnings


def _work(mean_ms: float, count: int) -> SyntheticWorkload:
    return SyntheticWorkload(arrivals=ExponentialArrivals(mean_ms=mean_ms), requests_count=count)


def test_power_over_time_adds_up_and_sleeping_disks_draw_all_along() -> None:
    result = result_of(
        mobile(3), run_synthetic(mobile(3), _work(1000.0, 5000), seed=1), closed=False
    )
    pieces = result.power_over_time
    assert len(pieces) <= 300
    energy = sum(p.power_w * (p.end_s - p.start_s) for p in pieces)
    assert energy == pytest.approx(result.energy_j, rel=1e-6)
    # One disk awake and two in standby, from the second piece on: check 10's closed form.
    expected = one_awake_w(
        disks_count=3, idle_w=2.0, active_w=2.5, standby_w=0.25, busy_disks=0.001 * 14.637
    )
    powers = [p.power_w for p in pieces[2:-1]]
    assert min(powers) == pytest.approx(expected, rel=0.02)
    assert float(np.median(powers)) == pytest.approx(expected, rel=0.02)


def test_power_over_time_is_the_mean_of_the_runs_that_are_under_way() -> None:
    # One second at 2 W active; two seconds at 4 W idle, then 8 W: mJ by ms, cumulated.
    short = np.zeros((4, 7))
    short[:, 0] = np.linspace(250.0, 1000.0, 4)
    short[:, 1] = 2.0 * short[:, 0]
    long = np.zeros((8, 7))
    long[:, 0] = np.linspace(250.0, 2000.0, 8)
    long[:, 3] = np.cumsum([1000.0] * 4 + [2000.0] * 4)
    out: Any = SimpleNamespace(timelines=(short, long))
    pieces = power_pieces(out)
    assert [piece.end_s for piece in pieces] == pytest.approx([0.5, 1.0, 1.5, 2.0])
    assert [piece.active_w for piece in pieces] == pytest.approx([1.0, 1.0, 0.0, 0.0])
    assert [piece.idle_w for piece in pieces] == pytest.approx([2.0, 2.0, 8.0, 8.0])
    assert [piece.power_w for piece in pieces] == pytest.approx([3.0, 3.0, 8.0, 8.0])


def test_power_over_time_of_several_runs_has_all_their_energy() -> None:
    runs = [replicate(mobile(3), _work(50.0, 3000), seed=1, index=i) for i in range(3)]
    together = runs[0].merged(runs[1]).merged(runs[2])
    pieces = power_pieces(together)
    under_way = [
        sum(min(max(run.end_ms / 1000 - p.start_s, 0.0), p.end_s - p.start_s) for run in runs)
        for p in pieces
    ]
    energy = sum(p.power_w * time for p, time in zip(pieces, under_way, strict=True))
    assert energy == pytest.approx(float(together.energy_mj.sum()) / 1000, rel=1e-6)


def test_energy_by_cause_adds_up() -> None:
    result = result_of(mobile(1), run_synthetic(mobile(1), _work(50.0, 5000), seed=1), closed=False)
    assert sum(x.energy_j for x in result.energy_by_cause) == pytest.approx(result.energy_j, 1e-9)
    assert sum(x.energy_fraction for x in result.energy_by_cause) == pytest.approx(1.0)


def test_the_curve_rises_to_the_mirrors_limit() -> None:
    document = {
        "array": ALWAYS_ON.model_dump(mode="json"),
        "workload": _work(50.0, 1000).model_dump(mode="json"),
        "curve_points_count": 4,
    }
    curve = spec.evaluate(SPEC, document).curve
    assert [point.saturated for point in curve] == [False] * 4
    means = [point.mean_ms for point in curve]
    assert means == sorted(means)
    # 3 disks of 14.637 ms a request: 205/s, table 3.4 of the reference.
    assert curve[-1].offered_per_s / 0.96 == pytest.approx(205.0, rel=0.03)


def test_a_run_stops_when_its_interval_is_narrow_enough() -> None:
    document = {
        "array": SERVER.model_dump(mode="json"),
        "workload": _work(20.0, 1_000_000).model_dump(mode="json"),
        "stop_interval_fraction": 0.01,
    }
    result = spec.evaluate(SPEC, document)
    assert result.stopped_early
    assert result.requests_count < 1_000_000
    half = (result.mean_interval_high_ms - result.mean_interval_low_ms) / 2
    assert half <= 0.01 * result.responses[0].mean_ms * 1.001
    # Pollaczek-Khinchine for 50 requests/s: 7.883 ms.
    assert result.responses[0].mean_ms == pytest.approx(7.883, rel=0.03)
