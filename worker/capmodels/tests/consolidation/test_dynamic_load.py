"""Load over time: uploaded, generated, and what cannot be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.consolidation.dynamic_load import load_of
from capmodels.consolidation.dynamic_params import DynamicParams
from capmodels.errors import ParamsError
from capmodels.formats.trace_store import held, using
from capmodels.formats.trace_types import UtilizationTrace

SPEC = registry.get_model("consolidation.dynamic")
ID = "0f9a1c52-7f0e-4a53-9c54-3f6b3a3f9d11"


def _trace(rows: Any, step_s: float = 600.0) -> UtilizationTrace:
    cpu = np.asarray(rows, np.float32)
    names = tuple(f"vm {place}" for place in range(len(cpu)))
    return UtilizationTrace(step_s=step_s, names=names, cpu_fraction=cpu)


def _params(**document: Any) -> DynamicParams:
    return DynamicParams.model_validate(document)


def test_an_uploaded_trace_brings_its_own_steps_and_time() -> None:
    loader, refs = held({ID: _trace([[0.25, 0.5, 0.75], [0.0, 0.0, 1.0]])})
    params = _params(trace=refs[ID].model_dump(), duration_h=None)
    with using(loader):
        load = load_of(params, seed=1)

    assert load.step_s == 600.0
    assert load.duration_h == pytest.approx(0.5)
    assert load.cpu_fraction.tolist() == [[0.25, 0.5, 0.75], [0.0, 0.0, 1.0]]


def test_an_idle_machine_need_not_be_taken_as_ended() -> None:
    params = _params(utilization_fraction=[[0.0, 0.5]], duration_h=0.1, idle_ends_machine=False)

    assert load_of(params, seed=1).cpu_fraction.min() > 0


def test_a_time_longer_than_the_trace_is_refused() -> None:
    loader, refs = held({ID: _trace([[0.25, 0.5, 0.75]])})
    params = _params(trace=refs[ID].model_dump(), duration_h=1.0)
    with using(loader), pytest.raises(ParamsError) as caught:
        load_of(params, seed=1)

    assert [(fault.pointer, fault.code) for fault in caught.value.faults] == [
        ("/duration_h", "too_long")
    ]


def test_a_trace_of_power_alone_is_refused() -> None:
    loader, refs = held({ID: _trace([[0.0, 0.0, 0.0]])})
    with using(loader), pytest.raises(ParamsError) as caught:
        load_of(_params(trace=refs[ID].model_dump(), duration_h=None), seed=1)

    assert [(fault.pointer, fault.code) for fault in caught.value.faults] == [("/trace", "no_load")]


def test_without_a_run_a_trace_cannot_be_read() -> None:
    _, refs = held({ID: _trace([[0.25, 0.5]])})
    with pytest.raises(ParamsError) as caught:
        load_of(_params(trace=refs[ID].model_dump()), seed=1)

    assert caught.value.faults[0].pointer == "/trace"


@pytest.mark.decisive
def test_generated_load_follows_the_day_and_the_seed() -> None:
    shape = {"machines_count": 400, "mean_fraction": 0.2, "noise_fraction": 0.0}
    params = _params(generated={**shape, "spread_ratio": 0.0, "swing_fraction": 0.5})
    load = load_of(params, seed=1)
    mean = load.cpu_fraction.mean(axis=0)

    assert load.cpu_fraction.shape == (400, 288)
    assert mean.mean() == pytest.approx(0.2, rel=1e-9)
    assert (int(mean.argmax()), mean.max()) == (14 * 12, pytest.approx(0.3))
    noisy = _params(generated={**shape, "noise_fraction": 0.05})
    assert (load_of(noisy, 1).cpu_fraction == load_of(noisy, 1).cpu_fraction).all()
    assert (load_of(noisy, 1).cpu_fraction != load_of(noisy, 2).cpu_fraction).any()


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({}, "missing"),
        ({"generated": {}, "utilization_fraction": [[0.1, 0.2]], "duration_h": 0.1}, "too_many"),
    ],
)
def test_exactly_one_load_is_taken(document: dict[str, Any], code: str) -> None:
    with pytest.raises(ParamsError) as caught:
        spec.validate(SPEC, document)

    assert [(fault.pointer, fault.code) for fault in caught.value.faults] == [
        ("/utilization_fraction", code)
    ]
