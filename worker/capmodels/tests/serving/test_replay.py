"""A day replayed: of a log, on replicas by turns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels.errors import ParamsError
from capmodels.formats.trace_store import held, using
from capmodels.formats.trace_types import InferenceTrace
from capmodels.serving.replay import SPEC, GeneratedDay, ReplayParams
from capmodels.serving.simulate import SPEC as SIMULATE
from capmodels.serving.simulate import SimulateParams, TraceRequests
from capmodels.spec import Context

ID = "0" * 8 + "-0000-0000-0000-" + "0" * 12
QUIET = GeneratedDay(mean_per_s=0.2)


def run(**change: Any) -> Any:
    return SPEC.run(ReplayParams(**{"generated": QUIET, **change}), Context(seed=3))


@pytest.mark.decisive
def test_a_log_on_one_replica_is_what_the_simulation_of_it_says() -> None:
    rng = np.random.default_rng(1)
    at_s = np.cumsum(rng.exponential(0.4, 2000))
    prompt, output = rng.integers(50, 3000, 2000), rng.integers(2, 400, 2000)
    columns = (prompt.astype(np.int32), output.astype(np.int32), np.zeros(2000, np.int32))
    loader, refs = held({ID: InferenceTrace(at_s - at_s[0], *columns)})
    with using(loader):
        ours = run(trace=refs[ID], replicas_count=1)
    log = TraceRequests(
        arrival_s=tuple((at_s - at_s[0]).tolist()),
        prompt_tokens=tuple(prompt.tolist()),
        output_tokens=tuple(output.tolist()),
    )
    same = SimulateParams(replica=ReplayParams().replica, trace=log)
    theirs = SIMULATE.run(same, Context())
    # The simulation leaves its first tenth out.
    assert ours.ttft_p50_ms == pytest.approx(theirs.ttft.median_ms, rel=0.03)
    assert ours.tpot_at_percentile_ms == pytest.approx(theirs.tpot.at_percentile_ms, rel=0.05)
    assert ours.requests_count == 2000
    with pytest.raises(ParamsError):
        run(trace=refs[ID])


def test_more_load_is_slower_and_more_replicas_are_quicker() -> None:
    calm, pressed = run(replicas_count=1), run(replicas_count=1, rate_ratio=20.0)
    assert calm.tpot_p50_ms < pressed.tpot_p50_ms
    assert calm.kept_fraction >= pressed.kept_fraction
    spread = run(replicas_count=4, rate_ratio=20.0)
    assert spread.ttft_at_percentile_ms < pressed.ttft_at_percentile_ms
    for word in ("keep", "miss"):
        assert any(word in one.headline for one in (calm, run(replicas_count=1, ttft_ms=1.0)))


def test_a_generated_day_swings_as_asked() -> None:
    found = run(generated=GeneratedDay(mean_per_s=1.0, peak_ratio=1.8), replicas_count=2)
    assert found.requests_count == pytest.approx(86_400, rel=0.02)
    (rates,) = [figure for figure in found.figures if figure.name == "Requests"]
    values = rates.series[0].values
    assert 1.6 < max(values) < 2.1
    assert min(values) < 0.4
