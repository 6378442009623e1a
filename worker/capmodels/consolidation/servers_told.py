"""What a plan of servers says, and the servers of this decade that it begins with."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Any

from capmodels.consolidation.dynamic_params import Saving
from capmodels.numbers import counted, percent, quantity, significant
from capmodels.told import Table, TableRow, compared, listed
from capmodels.units import HOURS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.consolidation.plan_params import PlanResult, ServerLoad
    from capmodels.consolidation.servers_params import ServersParams

# Catalogue: dell-r7725-9965 (SPECpower_ssj2008, October 2024). Its power at half load,
# 593 W, lies on 138 + 723 (2 u - u^1.43).
_NAME, _IDLE_W, _FULL_W, _BEND = "2 x EPYC 9965", 138.0, 861.0, 1.43
_SERVERS = 8
# 24 modules of 64 GiB.
_RAM_GB = 1_649.0
# Three minutes of start at the power of 10% load.
_WAKE_J = 180.0 * 297.0
_LIMIT = 0.8

# CPU, disk, memory and network in percent, the server of today, and what it stays apart from.
_LOADS = (
    ("web 1", 22, 4, 14, 18, 1, "web 2"),
    ("web 2", 22, 4, 14, 18, 2, "web 1"),
    ("shop", 30, 8, 20, 12, 1, ""),
    ("orders db", 18, 34, 30, 6, 3, "orders copy"),
    ("orders copy", 10, 30, 30, 6, 4, "orders db"),
    ("search", 26, 12, 26, 8, 5, ""),
    ("mail", 8, 22, 12, 6, 5, ""),
    ("files", 4, 30, 8, 14, 6, ""),
    ("reports", 16, 10, 12, 4, 6, ""),
    ("build", 28, 16, 12, 4, 7, ""),
    ("wiki", 4, 4, 6, 3, 7, ""),
    ("monitor", 8, 14, 10, 10, 8, ""),
    ("queue", 6, 6, 8, 8, 8, ""),
    ("auth", 5, 2, 5, 4, 2, ""),
)


def _load(
    name: str, cpu: float, disk: float, memory: float, network: float, *placed: Any
) -> dict[str, Any]:
    server, other = placed
    return {
        "id": name,
        "cpu_fraction": cpu / 100,
        "disk_fraction": disk / 100,
        "memory_fraction": memory / 100,
        "network_fraction": network / 100,
        "memory_gb": round(memory / 100 * _RAM_GB),
        "server_count": server,
        "apart_from": [other] if other else [],
    }


def start() -> dict[str, Any]:
    """Fourteen applications on eight servers of 192 cores and 1.5 TiB."""
    server = {
        "name": _NAME,
        "servers_count": _SERVERS,
        "power_idle_w": _IDLE_W,
        "power_full_w": _FULL_W,
    }
    filled = {"limit_fraction": _LIMIT}
    return {
        "applications": list(starmap(_load, _LOADS)),
        "servers": [server],
        # SPECpower loads the processor: the watts above idle are its own.
        "cpu": {**filled, "power_fraction": 1.0, "power_exponent": _BEND},
        "disk": filled,
        "memory": filled,
        "network": filled,
        "migration": {"link_gbit_per_s": 25.0},
        "wake_j": _WAKE_J,
    }


def saving_of(params: ServersParams, saved_w: float | None) -> Saving | None:
    """What a year of so many watts less is worth, cooling included."""
    if saved_w is None:
        return None
    kwh = saved_w / 1000.0 * HOURS_PER_YEAR * params.pue
    carbon = params.carbon_gco2e_per_kwh
    return Saving(
        kwh_per_year=kwh,
        usd_per_year=kwh * params.electricity_usd_per_kwh,
        kgco2e_per_year=None if carbon is None else kwh * carbon / 1000.0,
    )


def headline(
    plan: PlanResult, placed: Sequence[int] | None, saving: Saving | None, there: int
) -> str:
    """How few servers, which of them are switched off, and what that saves against today.

    ``placed`` is the server of each application today, counted from 0, of the ``there`` listed.
    """
    if plan.status == "infeasible":
        return f"**No plan.** {plan.reason}"
    on = counted(plan.servers_on_count, "server")
    used = {one.server_count for one in plan.placement}
    today = None if placed is None else len(set(placed))
    switched = _switched(used, set(range(there)) if placed is None else set(placed))
    binds = f" {_named(plan.binding)} is fullest." if plan.binding else ""
    if today is None or plan.saving_w is None or saving is None:
        drawn = quantity(plan.power_w, "W")
        return f"**These applications fit on {on}**, drawing {drawn}.{switched}{binds}"
    before = counted(today, "server")
    if plan.saving_w <= 0:
        return f"**What runs on {before} stays there**: no plan found uses less power.{binds}"
    fits = (
        f"**These {before} fit on {plan.servers_on_count}**"
        if plan.servers_on_count < today
        else f"**{before} stay on, more evenly loaded**"
    )
    moves = counted(len(plan.moves), "move")
    return f"{fits}, saving {_saved(saving)} a year with {moves}.{switched}{binds}"


def _switched(used: set[int], before: set[int]) -> str:
    """Which servers of the list are switched off, and on, by their numbers from 1."""
    said = [
        f" **Switch {state} {'server' if len(found) == 1 else 'servers'} {_numbers(found)}**."
        for state, found in (("off", before - used), ("on", used - before))
        if found
    ]
    return "".join(said)


def _numbers(found: set[int]) -> str:
    """Places in a list, from 0, as numbers from 1; three and more in a row by their ends.

    >>> _numbers({3, 4, 5, 7}), _numbers({0, 1})
    ('4 to 6 and 8', '1 and 2')
    """
    rows: list[list[int]] = []
    for place in sorted(found):
        if rows and rows[-1][-1] == place:
            rows[-1].append(place + 1)
        else:
            rows.append([place + 1])
    parts = [[f"{row[0]} to {row[-1]}"] if len(row) > 2 else map(str, row) for row in rows]
    return listed([one for part in parts for one in part])


def _named(resource: str) -> str:
    return "CPU" if resource == "cpu" else resource.capitalize()


def _saved(saving: Saving) -> str:
    parts = [quantity(saving.kwh_per_year, "kWh"), quantity(saving.usd_per_year, "USD")]
    if saving.kgco2e_per_year is not None:
        parts.append(quantity(saving.kgco2e_per_year, "kgCO2e"))
    return listed(parts)


def notes(plan: PlanResult, saving: Saving | None) -> tuple[str, ...]:
    """What is known about better plans, whether moving pays, and what carbon rests on."""
    if plan.status == "infeasible":
        return ()
    said = [_bound(plan)]
    if plan.moving_pays is not None:
        pays = "pays while" if plan.moving_pays else "does not pay in the time that"
        said.append(f"Moving takes {quantity(plan.overhead_j, 'J')} and {pays} the plan is kept.")
        if plan.shortest_sleep_s is not None:
            seconds = significant(plan.shortest_sleep_s)
            said.append(f"Switching a server off pays from {seconds} s on.")
    slowest = max((server.degradation_ratio for server in plan.servers), default=0.0)
    if slowest > 0:
        said.append(f"Work takes at most {percent(slowest)} longer.")
    if saving is not None and saving.kgco2e_per_year is None:
        said.append("Without a carbon intensity the carbon saved is unknown.")
    return tuple(said)


def _bound(plan: PlanResult) -> str:
    if plan.gap_fraction is None:
        return "How far this is from the best plan is not known: this policy has no bound."
    if plan.gap_fraction < 5e-4:
        return "No plan uses less power: the bound is reached."
    gap, bound = percent(plan.gap_fraction), quantity(plan.bound_w, "W")
    return f"No plan can use {gap} less power than this: the bound is {bound}."


def tables(
    params: ServersParams, plan: PlanResult, today: int | None, today_w: float | None
) -> tuple[Table, ...]:
    """Before and after, the servers that are on, and the moves between."""
    if plan.status == "infeasible":
        return ()
    found = [_servers(plan.servers, tuple(params.resources))]
    if today is not None and today_w is not None:
        sides = {
            "Before": (today, today_w),
            "After": (plan.servers_on_count, plan.effective_power_w),
        }
        lines = [
            ("Servers on", lambda side: f"{side[0]}"),
            ("Power, for the same work", lambda side: quantity(side[1], "W")),
            ("Energy a year, with cooling", lambda side: quantity(_kwh(params, side[1]), "kWh")),
        ]
        found.insert(0, compared("Before and after", "", sides, lines))
    return (*found, *_moves(plan))


def _kwh(params: ServersParams, power_w: float) -> float:
    return power_w / 1000.0 * HOURS_PER_YEAR * params.pue


def _servers(servers: Sequence[ServerLoad], resources: Sequence[str]) -> Table:
    rows = (
        TableRow(
            head=f"{server.server_count + 1}",
            cells=(
                server.kind,
                *(percent(share) for share in server.load_fraction),
                quantity(server.power_w, "W"),
                ", ".join(server.applications),
            ),
        )
        for server in servers
    )
    columns = ("Server", "Kind", *map(_named, resources), "Power", "Applications")
    return Table(title="Servers on", columns=columns, rows=tuple(rows))


def _moves(plan: PlanResult) -> tuple[Table, ...]:
    if not plan.moves:
        return ()
    rows = (
        TableRow(
            head=move.id,
            cells=(
                f"server {move.source_count + 1}",
                f"server {move.target_count + 1}",
                f"{significant(move.duration_s)} s",
                quantity(move.energy_j, "J"),
            ),
        )
        for move in plan.moves
    )
    title = counted(len(plan.moves), "move")
    columns = ("Application", "From", "To", "Takes", "Energy")
    return (Table(title=title, columns=columns, rows=tuple(rows)),)
