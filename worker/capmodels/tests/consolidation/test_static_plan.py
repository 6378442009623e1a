"""A day on hosts where nothing moves, and memory that limits where machines go."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from capmodels.cases import cases_of, start_of
from capmodels.consolidation.dynamic import SPEC
from capmodels.consolidation.dynamic_load import load_of
from capmodels.consolidation.static_plan import static_plan
from capmodels.spec import validate

HOST = {
    "name": "host",
    "hosts_count": 4,
    "cores_count": 1,
    "core_mips": 1000.0,
    "ram_mb": 1000.0,
    "network_mbit_per_s": 1000.0,
    "power_w": [100.0 + 10.0 * place for place in range(11)],
}


def params_of(rows: list[list[float]], ram_mb: float, **more: Any) -> Any:
    document = {
        "hosts": [HOST],
        "machine_types": [{"mips": 1000.0, "ram_mb": ram_mb}],
        "utilization_fraction": rows,
        "duration_h": None,
        **more,
    }
    return validate(SPEC, document)


def planned(rows: list[list[float]], ram_mb: float, **more: Any) -> Any:
    params = params_of(rows, ram_mb, **more)
    return static_plan(params, load_of(params, 0))


def fewest(cpu: list[float], ram: float, hosts: int) -> int:
    """By trying every placement."""
    found = hosts + 1
    for places in product(range(hosts), repeat=len(cpu)):
        loads = [sum(c for c, at in zip(cpu, places, strict=True) if at == h) for h in range(hosts)]
        counts = [places.count(host) for host in range(hosts)]
        if max(loads) <= 800.0 + 1e-9 and max(counts) * ram <= 1000.0:
            found = min(found, len(set(places)))
    return found


def test_machines_reserve_their_percentile_and_no_more() -> None:
    # 95 of 100 steps at 10%, then full: the 95th percentile is near a tenth, the peak is not.
    spiky = [[0.1] * 96 + [1.0] * 4] * 4
    plan = planned(spiky, 10.0)
    assert (plan.hosts_count, plan.binding, plan.fits) == (1, "cpu", True)
    assert plan.short_fraction == pytest.approx(0.04)
    # At a tenth for 96% and short for 4%: 140 W and 200 W.
    hours = 100 * 300.0 / 3600.0
    assert plan.energy_kwh == pytest.approx((0.96 * 140 + 0.04 * 200) * hours / 1000)


def test_memory_may_need_more_hosts_than_cpu() -> None:
    plan = planned([[0.1, 0.1]] * 4, 600.0)
    assert (plan.hosts_count, plan.bound_count, plan.binding) == (4, 3, "memory")
    assert not planned([[0.1, 0.1]] * 5, 600.0).fits


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.decisive
def test_the_plan_is_between_the_bound_and_first_fit_s_guarantee(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cpu = rng.uniform(0.1, 0.7, 6)
    plan = planned([[float(share)] * 2 for share in cpu], 300.0)
    best = fewest([float(share) * 1000 for share in cpu], 300.0, 4)
    if not plan.fits:
        assert best >= 4
        return
    assert plan.bound_count <= best <= plan.hosts_count <= 1.7 * best + 1


def test_it_begins_with_servers_of_this_decade_and_the_paper_is_one_choice_away() -> None:
    begin = start_of(SPEC)
    assert begin
    assert begin["memory_limits"]
    assert begin["hosts"][0]["name"].endswith("(2024)")
    paper = cases_of(SPEC)[0]
    assert paper["title"] == "As the paper has it"
    assert not paper["params"]["memory_limits"]
    assert {host["ram_mb"] for host in paper["params"]["hosts"]} == {4096.0}


def test_moves_go_only_where_memory_fits() -> None:
    # Four idle machines that each fill 40% of a host's memory: two a host, whatever the CPU.
    rows = [[0.05] * 24] * 4
    days = {}
    for limits in (False, True):
        params = params_of(
            rows, 400.0, memory_limits=limits, policies=[{"overload": "dvfs"}, {"overload": "thr"}]
        )
        days[limits] = SPEC.run(params, _context()).days[1]
    assert days[False].hosts_on_most_count >= 1
    assert days[False].series[-1].hosts_on_count == 1
    assert min(point.hosts_on_count for point in days[True].series) == 2


def _context() -> Any:
    from capmodels.spec import Context

    return Context()
