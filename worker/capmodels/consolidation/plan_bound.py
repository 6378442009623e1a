"""Bounds on what any placement costs, and CP-SAT for the exact answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.consolidation.plan_small import server_classes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.consolidation.plan_instance import Instance

# CP-SAT counts in whole numbers: millionths of a reference server, milliwatts.
_PARTS = 1_000_000
_MILLI = 1_000


def added_w(instance: Instance, block: int, server: int) -> float:
    """Least that a block adds to a server's power, on the chord of its curve. [W]

    2u - u^r lies above its chord up to the limit, and work is never shortened; for lines
    without lengthening this is exact.
    """
    kind = instance.kind(server)
    total = 0.0
    for curve, demand in zip(kind.curves, instance.blocks[block].demand, strict=True):
        chord = 2.0 - curve.limit_fraction ** (curve.power_exponent - 1.0)
        total += curve.power_w * chord * demand / curve.capacity_ratio
    return total


def _staying_w(instance: Instance, block: int, server: int) -> float:
    one = instance.blocks[block]
    return one.move_j / instance.hold_s if one.current not in (None, server) else 0.0


def _standing_w(instance: Instance, block: int, server: int) -> float:
    return added_w(instance, block, server) + _staying_w(instance, block, server)


def relaxed_w(instance: Instance) -> float | None:
    """Bound from whole servers of each class and parts of blocks; None when nothing fits. [W]"""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    classes = server_classes(instance)
    firsts = sorted(
        {group: server for server, group in reversed(list(enumerate(classes)))}.values()
    )
    blocks, kinds = len(instance.blocks), len(firsts)
    width = len(instance.kinds[0].curves)
    part = np.arange(blocks * kinds).reshape(blocks, kinds)
    cost = np.array(
        [_standing_w(instance, b, s) for b in range(blocks) for s in firsts]
        + [instance.kind(s).power_idle_w + instance.wake_w(s) for s in firsts]
    )
    demand = np.array([block.demand for block in instance.blocks])
    rows, columns, values = [], [], []
    for group, server in enumerate(firsts):
        for resource, curve in enumerate(instance.kind(server).curves):
            row = group * width + resource
            rows += [row] * (blocks + 1)
            columns += [*part[:, group], blocks * kinds + group]
            values += [*demand[:, resource], -curve.limit_fraction * curve.capacity_ratio]
    shape = (kinds * width, len(cost))
    holds = LinearConstraint(coo_array((values, (rows, columns)), shape=shape).tocsr(), ub=0.0)
    ones = np.ones(blocks * kinds)
    placed = coo_array(
        (ones, (np.repeat(np.arange(blocks), kinds), part.ravel())), shape=(blocks, len(cost))
    )
    allowed = [block.allowed[server] for block in instance.blocks for server in firsts]
    counts = [classes.count(classes[server]) for server in firsts]
    found = milp(
        cost,
        constraints=[holds, LinearConstraint(placed.tocsr(), lb=1.0, ub=1.0)],
        bounds=Bounds(0.0, np.array([*np.array(allowed, float), *counts])),
        integrality=np.array([0] * (blocks * kinds) + [1] * kinds),
        options={"time_limit": 5.0, "mip_rel_gap": 1e-6},
    )
    return None if found.mip_dual_bound is None else float(found.mip_dual_bound)


def cp_sat(
    instance: Instance, hint: Sequence[int] | None, *, limit_s: float, workers_count: int = 1
) -> tuple[list[int] | None, float]:
    """Return the best placement found and the bound that CP-SAT proves. [W]

    Exact where power is a line and work is not lengthened; otherwise the bound is that of
    the chords, and the bound on slowing is left to the limits.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    servers = range(len(instance.servers))
    stands = {
        (b, s): model.new_bool_var("")
        for b, block in enumerate(instance.blocks)
        for s in servers
        if block.allowed[s]
    }
    on = [model.new_bool_var("") for _ in servers]
    _fill(model, instance, stands, on)
    _keep_apart(model, instance, stands)
    _break_symmetry(model, server_classes(instance), on)
    watts = [int(_standing_w(instance, *at) * _MILLI) * var for at, var in stands.items()]
    for s in servers:
        idle_w = instance.kind(s).power_idle_w + instance.wake_w(s)
        watts.append(int(idle_w * _MILLI) * on[s])
    model.minimize(sum(watts))
    for (b, s), var in stands.items():
        if hint is not None:
            model.add_hint(var, hint[b] == s)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit_s
    solver.parameters.num_workers = workers_count
    status = solver.solve(model)
    bound = solver.best_objective_bound / _MILLI
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, bound
    chosen = {b: s for (b, s), var in stands.items() if solver.value(var)}
    return [chosen[b] for b in range(len(instance.blocks))], bound


def _fill(model: Any, instance: Instance, stands: dict[tuple[int, int], Any], on: Any) -> None:
    """Every block stands once, and no server holds more than its limits."""
    servers = range(len(instance.servers))
    for b in range(len(instance.blocks)):
        model.add_exactly_one(stands[b, s] for s in servers if (b, s) in stands)
    for s in servers:
        for resource, curve in enumerate(instance.kind(s).curves):
            room = int(curve.limit_fraction * curve.capacity_ratio * _PARTS + 0.5)
            asked = [
                int(block.demand[resource] * _PARTS) * stands[b, s]
                for b, block in enumerate(instance.blocks)
                if (b, s) in stands
            ]
            model.add(sum(asked) <= room * on[s])


def _keep_apart(model: Any, instance: Instance, stands: dict[tuple[int, int], Any]) -> None:
    for one, other, what in instance.conflicts:
        for place in set(instance.domains[what]):
            there = [s for s, at in enumerate(instance.domains[what]) if at == place]
            model.add_at_most_one(
                stands[b, s] for b in (one, other) for s in there if (b, s) in stands
            )


def _break_symmetry(model: Any, classes: Sequence[int], on: Any) -> None:
    for server, group in enumerate(classes):
        later = [s for s in range(server + 1, len(classes)) if classes[s] == group]
        if later:
            model.add_implication(on[later[0]], on[server])
