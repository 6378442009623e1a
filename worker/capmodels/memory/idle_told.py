"""What the answer on idle memory says, and the servers of 2026 that it begins with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.numbers import missing, percent, quantity, span
from capmodels.told import Axis, Figure, Series, Table, TableRow, parts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.memory.idle_capacity_params import CoresPoint, PolicyResult
    from capmodels.memory.planning import Policy

_NAMES: dict[Policy, str] = {
    "ready": "Always ready",
    "power_down": "Power-down",
    "aggregate": "Gathered on few ranks",
    "remove": "Modules left out",
}
_CAUSES = {
    "standby_w": "Standby",
    "powerdown_w": "Power-down",
    "self_refresh_w": "Self-refresh",
    "refresh_w": "Refresh",
    "register_w": "Registers",
    "traffic_w": "Traffic",
}


@dataclass(frozen=True, slots=True)
class Band:
    """The likely value, and the range that holds eight of ten draws."""

    mode: float
    p10: float
    p90: float


def headline(idle_gib: float, spares: tuple[int, int, float], avoided: Band) -> str:
    """Gibibytes and dollars of modules: what a planner buys."""
    spare_modules, modules, spare_gib = spares
    idle = f"**{quantity(idle_gib, 'GiB')} stand idle**"
    if spare_modules == 0:
        return f"{idle}, but with the headroom no whole set of modules can be left out."
    return (
        f"{idle}: {spare_modules:,} of {modules:,} modules, {quantity(spare_gib, 'GiB')}, "
        f"**need not be bought: {quantity(avoided.mode, 'USD')}** "
        f"({span(avoided.p10, avoided.p90, 'USD')} in eight of ten cases)."
    )


def saved(policies: Sequence[PolicyResult]) -> str:
    """Watts come second."""
    by_policy = {row.policy: row for row in policies}
    removed = by_policy["remove"]
    return (
        f"Power-down saves {quantity(by_policy['power_down'].saving_w, 'W')}, gathering what is "
        f"used on few ranks {quantity(by_policy['aggregate'].saving_w, 'W')}, leaving the modules "
        f"out {quantity(removed.saving_w, 'W')}: {quantity(removed.saving_kwh_per_year, 'kWh')} or "
        f"{quantity(removed.saving_usd_per_year, 'USD')} a year."
    )


def _between(low: float | None, high: float | None, unit: str) -> str:
    return missing() if low is None or high is None else span(low, high, unit)


def table(policies: Sequence[PolicyResult]) -> Table:
    """All servers, by policy."""
    return Table(
        title="All servers, by policy",
        columns=("Policy", "Power", "P10 to P90", "Saves a year", "In money", "Its P10 to P90"),
        rows=tuple(
            TableRow(
                head=_NAMES[row.policy],
                cells=(
                    quantity(row.average_w, "W"),
                    _between(row.average_p10_w, row.average_p90_w, "W"),
                    quantity(row.saving_kwh_per_year, "kWh"),
                    quantity(row.saving_usd_per_year, "USD"),
                    _between(row.saving_p10_usd_per_year, row.saving_p90_usd_per_year, "USD"),
                ),
            )
            for row in policies
        ),
        note="Gathering needs a system that moves pages and a controller that lets ranks refresh "
        "themselves. Less memory also means less bandwidth; that is not priced.",
    )


def figures(policies: Sequence[PolicyResult], cores: Sequence[CoresPoint]) -> tuple[Figure, ...]:
    """Power of one server by cause, and the ranks that many cores keep awake."""
    return (*_power(policies), _cores(cores))


def _power(policies: Sequence[PolicyResult]) -> tuple[Figure, ...]:
    known = [(_NAMES[row.policy], row.causes) for row in policies if row.causes is not None]
    if not known:
        return ()
    totals = [sum(getattr(causes, key) for key in _CAUSES) for _, causes in known]
    return (
        Figure(
            kind="stacked",
            name="Memory power by policy",
            title=f"A server's memory: {quantity(totals[0], 'W')} always ready, "
            f"{quantity(totals[-1], 'W')} with modules left out",
            along=Axis(title="Power of a server", unit="W"),
            rows=tuple(name for name, _ in known),
            series=parts_of([causes for _, causes in known], _CAUSES.items()),
        ),
    )


def _cores(cores: Sequence[CoresPoint]) -> Figure:
    last = cores[-1]
    return Figure(
        kind="lines",
        name="What many cores leave asleep",
        title=f"With {last.cores_count} cores {percent(last.awake_ranks_fraction)} of the ranks "
        "stay awake",
        across=Axis(title="Cores, each running a process", unit="count", is_log=True),
        along=Axis(title="Ranks awake", unit="fraction"),
        series=(
            Series(
                name="Awake",
                at=tuple(point.cores_count for point in cores),
                values=tuple(point.awake_ranks_fraction for point in cores),
                kinds=tuple(
                    ""
                    if point.saving_w is None
                    else f"saves {quantity(point.saving_w, 'W')} a server"
                    for point in cores
                ),
            ),
        ),
    )


# Of the catalogue: ref-2026-2s-192 (1,536 GiB, 192 cores) and dimm-64gb-rdimm-2026-03.
_RAM_GIB, _CORES, _MODULE_USD = 1536.0, 192, (600.0, 700.0, 900.0)
_USED = (0.3, 0.4, 0.5)


def start() -> dict[str, Any]:
    """A server of 192 cores and 1.5 TiB, 40% of it used."""
    used = dict(
        zip(("low_gib", "mode_gib", "high_gib"), (_RAM_GIB * one for one in _USED), strict=True)
    )
    price = dict(zip(("low_usd", "mode_usd", "high_usd"), _MODULE_USD, strict=True))
    return {
        "layout": {"installed_gib": _RAM_GIB, "interleaved_channels_count": 12},
        "module": {"kind": "known", "name": "ddr4_3200_lrdimm_64"},
        "used": used,
        "module_price": price,
        "cores_count": _CORES,
    }
