"""What answers on memory power say: policies by their merit, and what modules draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from capmodels.numbers import missing, percent, quantity, significant
from capmodels.told import Axis, Figure, Series, Table, TableRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.memory.states import Technique

NAMES: dict[Technique, str] = {
    "NOPM": "NOPM",
    "IPD": "IPD",
    "ISR": "ISR",
    "HW": "HW",
    "HW_SW": "HW-SW",
    "PAVM": "PAVM",
    "PAVM_IPD": "PAVM+IPD",
}
_MEANS: dict[Technique, str] = {
    "NOPM": "No power management: every rank in standby.",
    "IPD": "Immediate power-down: a rank powers down as soon as it is idle.",
    "ISR": "Immediate self-refresh: a rank refreshes itself as soon as it is idle.",
    "HW": "A predictor in the controller chooses when a rank sleeps.",
    "HW_SW": "The predictor keeps a history for each process.",
    "PAVM": "The system keeps the ranks of the running process awake, others refresh themselves.",
    "PAVM_IPD": "As PAVM, with power-down of the ranks that are awake.",
}
# A smaller share of the run time is none.
_NO_SLOWER = 5e-5


class Row(Protocol):
    """A technique's row, in closed form or simulated."""

    @property
    def technique(self) -> Technique: ...
    @property
    def average_w(self) -> float | None: ...
    @property
    def saving_fraction(self) -> float | None: ...
    @property
    def response_ns(self) -> float | None: ...
    @property
    def runtime_ratio(self) -> float | None: ...
    @property
    def pdd_w(self) -> float | None: ...


def best_of(rows: Sequence[Row]) -> Row | None:
    """The technique with the least power times delay squared, the thesis' measure."""
    known = [row for row in rows if row.pdd_w is not None]
    return min(known, key=lambda row: row.pdd_w or 0.0, default=None)


def _longer(ratio: float | None) -> str:
    if ratio is None or ratio - 1 < _NO_SLOWER:
        return "without slowing the work"
    return f"and the work takes {percent(ratio - 1)} longer"


def headline(rows: Sequence[Row]) -> str:
    """The best technique, what it draws and what it costs in time."""
    best = best_of(rows)
    if best is None:
        return "No formula holds for this traffic. Simulate it."
    none = next((row.average_w for row in rows if row.technique == "NOPM"), None)
    watts = quantity(best.average_w, "W") + ("" if none is None else f" of {quantity(none, 'W')}")
    return (
        f"**{NAMES[best.technique]} is best for this traffic: {watts}**, "
        f"{percent(best.saving_fraction)} less, {_longer(best.runtime_ratio)}."
    )


def notes(rate_per_s: float, reasons: Sequence[tuple[Technique, str | None]]) -> tuple[str, ...]:
    """The traffic, the measure, and why a technique has no answer."""
    return (
        f"{significant(rate_per_s / 1e6)} million accesses a second.",
        "Best: least power times delay squared.",
        *(f"{NAMES[technique]}: {reason}" for technique, reason in reasons if reason),
    )


def table(rows: Sequence[Row]) -> Table:
    """Power, delay and both."""
    best = best_of(rows)
    return Table(
        title="Power, delay and both, by policy",
        columns=("Policy", "Power", "Saves", "Response", "Run time", "P × D²"),
        means=(None, None, None, None, None, "Power times delay squared; less is better"),
        rows=tuple(
            TableRow(
                head=NAMES[row.technique],
                cells=(
                    quantity(row.average_w, "W"),
                    percent(row.saving_fraction),
                    quantity(row.response_ns, "ns"),
                    missing()
                    if row.runtime_ratio is None
                    else f"+{percent(row.runtime_ratio - 1)}",
                    quantity(row.pdd_w, "W"),
                ),
                means=_MEANS[row.technique],
                is_best=row is best,
            )
            for row in rows
        ),
    )


def energy(rows: Sequence[tuple[Technique, dict[str, float]]], span: str) -> tuple[Figure, ...]:
    """Joules by technique, split by cause where they are told apart."""
    if not rows:
        return ()
    totals = {technique: sum(parts.values()) for technique, parts in rows}
    least = min(totals, key=lambda technique: totals[technique])
    return (
        Figure(
            kind="stacked",
            name="Energy by policy",
            title=f"{NAMES[least]} uses the least energy: {quantity(totals[least], 'J')} in {span}",
            along=Axis(title="Energy", unit="J"),
            rows=tuple(NAMES[technique] for technique, _ in rows),
            series=tuple(
                Series(name=cause, values=tuple(parts[cause] for _, parts in rows))
                for cause in rows[0][1]
            ),
            best=NAMES[least],
        ),
    )


def slow_down(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """How much longer the work takes under each technique."""
    known = [
        (NAMES[row.technique], row.runtime_ratio - 1)
        for row in rows
        if row.runtime_ratio is not None
    ]
    if not known:
        return ()
    name, most = max(known, key=lambda one: one[1])
    return (
        Figure(
            kind="grouped",
            name="Slow-down by policy",
            title="No policy slows the work"
            if most < _NO_SLOWER
            else f"{name} slows the work most: {percent(most)} longer",
            along=Axis(title="Longer run time", unit="fraction"),
            rows=tuple(name for name, _ in known),
            series=(Series(name="Longer run time", values=tuple(one for _, one in known)),),
            best=name,
        ),
    )
