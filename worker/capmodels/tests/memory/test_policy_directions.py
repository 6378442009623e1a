"""Tables of the thesis of which only the direction can be held: its traces are not public.

Each is asked of the simulation with traffic of the thesis' own statistics: which setting takes
more power, or answers later, and not by how much.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.memory.power_policies import SPEC
from capmodels.memory.power_policies_params import PowerPoliciesParams
from capmodels.memory.power_policies_runs import skew_of
from capmodels.memory.thesis import HIGH, LOW
from capmodels.spec import Context

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.memory.power_policies_params import PowerPoliciesResult

    Run = Callable[[PowerPoliciesParams, Context], PowerPoliciesResult]

# Table 3.10: the longest waits, in refresh intervals of 7.8 us.
WINDOWS = (1.28, 64.0, 641.0)
_RATES = {"low": LOW.rate_per_s, "high": HIGH.rate_per_s}


def _by_technique(run: Run, **given: Any) -> dict[str, Any]:
    params = PowerPoliciesParams.model_validate(given)
    return {row.technique: row for row in run(params, Context(seed=1)).techniques}


def _windows(run: Run) -> list[dict[str, Any]]:
    return [
        _by_technique(
            run,
            traffic={"kind": "two_process_stream"},
            techniques=["HW", "HW_SW"],
            threshold_max_ratio=window,
            horizon_ms=20.0,
        )
        for window in WINDOWS
    ]


def _waiting_costs(run: Run) -> bool:
    watts = [found["HW"].average_w for found in _windows(run)]
    return watts[0] < watts[1] < watts[2]


def _directed_saves(run: Run) -> bool:
    return all(found["HW_SW"].average_w < found["HW"].average_w for found in _windows(run))


def _reshaped_w(run: Run, workload: str, fraction: float) -> float:
    skew = [point.model_dump() for point in skew_of(workload)]
    found = _by_technique(
        run,
        traffic={"kind": "poisson", "rate_per_s": _RATES[workload], "skew": skew},
        techniques=["HW"],
        horizon_ms=20.0,
        threshold_first_ratio=32.0,
        reshaping={"migrate_fraction": fraction},
    )
    return float(found["HW"].average_w)


def _reshaping_saves(run: Run, workload: str) -> bool:
    return _reshaped_w(run, workload, 0.05) < 0.9 * _reshaped_w(run, workload, 0.0)


def _one_percent_is_little(run: Run) -> bool:
    before = _reshaped_w(run, "low", 0.0)
    one, five = (_reshaped_w(run, "low", fraction) for fraction in (0.01, 0.05))
    return before - one < 0.25 * (before - five)


def _filled_saves(run: Run) -> bool:
    def of(interleave: str) -> Any:
        traffic = {"kind": "process_mix", "mix": "low"}
        return _by_technique(
            run, traffic=traffic, techniques=["HW"], interleave=interleave, horizon_ms=20.0
        )["HW"]

    return bool(of("rank_fill").average_w < of("rank_spread").average_w)


@pytest.mark.slow
@pytest.mark.parametrize(
    "holds",
    [
        _waiting_costs,
        _directed_saves,
        _filled_saves,
        partial(_reshaping_saves, workload="low"),
        partial(_reshaping_saves, workload="high"),
        _one_percent_is_little,
    ],
    ids=["3.10 wait", "3.10 directed", "4.3", "4.4", "4.5", "4.5 little"],
)
def test_the_simulation_goes_the_way_of_the_table(holds: Callable[[Run], bool]) -> None:
    assert holds(SPEC.run)
