"""How fast the models of servers and consolidation are, warm, on one core.

The PlanetLab rows need the published traces, which are not shipped: AMPACITY_SHARED_DATA names
their folder. Without them these rows are left out, and a sentence says so.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench._day import planetlab
from bench._lib import Row, at_most, median, times_s
from capmodels import registry, spec
from capmodels.consolidation.plan_bound import cp_sat
from capmodels.consolidation.plan_instance import instance_of, total_w
from capmodels.consolidation.plan_kernel import exact_best, problem_of
from capmodels.consolidation.plan_params import PlanParams
from capmodels.consolidation.plan_search_kernel import search
from capmodels.consolidation.plan_small import server_classes
from ops.say import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capmodels.consolidation.plan_instance import Instance

_ROOT = Path(__file__).resolve().parents[1]
_SHARED = Path(os.environ.get("AMPACITY_SHARED_DATA", _ROOT.parent / "shared" / "data"))
_TRACE = _SHARED / "vm_util" / "planetlab_20110303.csv.gz"
_POLICIES: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("THR-MMT", {"overload": "thr", "selection": "mmt", "threshold_fraction": 0.8}, 0.4),
    ("IQR-MMT", {"overload": "iqr", "selection": "mmt", "safety_ratio": 1.5}, 0.4),
    ("THR-MC", {"overload": "thr", "selection": "mc", "threshold_fraction": 0.8}, 0.4),
    ("DVFS", {"overload": "dvfs"}, 0.03),
)
_FOUR = ("cpu", "disk", "memory", "network")
_WATTS = (110.0, 20.0, 15.0, 10.0)
_PACKINGS = 15


def rows() -> Iterable[Row]:
    """Days of consolidation, packings and grids."""
    yield from _days()
    yield _packing()
    yield from _hundreds()
    yield from _grids()
    yield _memory()


def _days() -> Iterable[Row]:
    if not _TRACE.exists():
        say(f"The rows of PlanetLab days are left out: {_TRACE} is not there.")
        return
    trace = [shares for _, shares in sorted(planetlab(_TRACE))]
    model = registry.get_model("consolidation.dynamic")
    for name, policy, target_s in _POLICIES:
        document = {"utilization_fraction": trace, "policies": [policy]}
        params = spec.validate(model, document)
        taken = times_s(lambda params=params: model.run(params, spec.Context()), repeats=5)  # type: ignore[misc] # defaults bind the loop's values
        what = f"800 hosts, {len(trace):,} machines, 288 steps"
        yield at_most(f"PlanetLab day, {name}", what, "s", median(taken), target_s)
    # As beside a worker: what compiles is another process.
    compiles = [sys.executable, "-m", "capmodels.warming", os.environ["NUMBA_CACHE_DIR"]]
    subprocess.run([*compiles, "consolidation"], check=True)
    probe = [sys.executable, "-m", "bench._day", str(_TRACE)]
    peak_mb = float(subprocess.run(probe, check=True, capture_output=True, text=True).stdout)
    what = "THR-MMT on a stored trace, peak of the whole process"
    yield at_most("PlanetLab day, memory", what, "MB", peak_mb, 200)


def _instance(count: int, servers: int, seed: int, most: float) -> tuple[Instance, dict[str, Any]]:
    dice = random.Random(seed)
    document = {
        "resources": _FOUR,
        "work_ratio": (1.0,) * 4,
        "applications": [
            {"id": f"a{place}", "demand_fraction": [dice.uniform(0.02, most) for _ in _FOUR]}
            for place in range(count)
        ],
        "servers": [
            {
                "name": "server",
                "servers_count": servers,
                "power_idle_w": 120.0,
                "curves": [{"power_w": watts} for watts in _WATTS],
            }
        ],
        "solver": "search",
    }
    return instance_of(PlanParams.model_validate(document)), document


def _exact(instance: Instance) -> list[int]:
    """Our exact answer: a quick plan first, then branch and bound."""
    problem = problem_of(instance, server_classes(instance))
    order = np.argsort(-problem.demand.sum(axis=1), kind="mergesort")
    stood, place = search(problem, order, 0.0, 0, np.zeros(1))
    worst = total_w(instance, place.tolist()) if stood else np.inf
    best: list[int] = exact_best(problem, order, place, worst).tolist()
    return best


def _packing() -> Row:
    """Median time of 12 applications on 8 servers, the rival solving the same to the end."""
    ours, theirs = [], []
    _exact(_instance(12, 8, 0, 0.5)[0])
    for seed in range(_PACKINGS):
        instance, _ = _instance(12, 8, seed, 0.5)
        started = time.perf_counter()
        best = _exact(instance)
        ours.append(time.perf_counter() - started)
        started = time.perf_counter()
        rival, _ = cp_sat(instance, None, limit_s=60.0)
        theirs.append(time.perf_counter() - started)
        if rival is None or abs(total_w(instance, best) - total_w(instance, rival)) > 1e-6:
            raise AssertionError(f"packing {seed}: the optimum is not that of CP-SAT")
    return Row(
        "exact packing 12 x 8",
        f"median of {_PACKINGS} packings, 4 resources, the same optimum as CP-SAT",
        "s",
        measured=median(ours),
        target=0.010,
        target_is="<=",
        rival=median(theirs),
        rival_name="CP-SAT",
        ratio_needed=15.0,
    )


def _hundreds() -> Iterable[Row]:
    model = registry.get_model("consolidation.plan")
    _, document = _instance(500, 100, 1, 0.28)
    params = spec.validate(model, document)
    taken = times_s(lambda: model.run(params, spec.Context()), repeats=3)
    gap = model.run(params, spec.Context()).gap_fraction
    what = "500 applications, 100 servers, 4 resources"
    yield at_most("plan", what, "s", median(taken), 2.0)
    yield at_most("gap of the plan to its bound", what, "fraction", gap, 0.03)


def _grids() -> Iterable[Row]:
    job = registry.get_model("performance.cluster_job")
    grid = {"nodes_steps_count": 100, "disks_steps_count": 100}
    yield _model_row("cluster_job grid", "10,000 points", job, {"map": grid}, 0.1)
    choice = registry.get_model("performance.kv_node_choice")
    dice = random.Random(2)
    nodes = [
        {
            "name": f"node {place}",
            "price_usd": dice.uniform(100, 10_000),
            "power_w": dice.uniform(5, 500),
            "rate_per_s": 10 ** dice.uniform(2, 6),
            "capacity_gb": 10 ** dice.uniform(0, 4.5),
        }
        for place in range(200)
    ]
    yield _model_row("node-choice map", "21 x 17 over 200 nodes", choice, {"nodes": nodes}, 0.02)


def _memory() -> Row:
    """One second of the thesis' high workload; power without management is run beside it."""
    model = registry.get_model("memory.power_policies")
    document = {
        "traffic": {"kind": "process_mix", "mix": "high"},
        "techniques": ["HW_SW"],
        "horizon_ms": 1000.0,
    }
    return _model_row("memory, HW-SW", "1 s of high traffic, 12 ranks", model, document, 1.0)


def _model_row(
    name: str, what: str, model: spec.AnyModel, document: dict[str, Any], target_s: float
) -> Row:
    params = spec.validate(model, document)
    taken = times_s(lambda: model.run(params, spec.Context()), repeats=9)
    return at_most(name, what, "s", median(taken), target_s)
