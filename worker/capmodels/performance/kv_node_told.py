"""What a choice of a node type says: its sentence, the types ranked, the map of the cheapest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.numbers import money, quantity, rate, significant
from capmodels.told import Axis, Dot, Figure, Series, Table, TableRow, column
from capmodels.units import GB_PER_TB

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.performance.kv_node_params import (
        Boundary,
        Cell,
        KvNodeChoiceParams,
        KvNodeChoiceResult,
        NodeRank,
        Reason,
    )
    from capmodels.told import Column

_BINDS: dict[Reason, str] = {"capacity": "data set", "rate": "query rate"}
_SIZES_TB = ((1e3, "PB"), (1.0, "TB"), (1e-3, "GB"))
_SHOWN = 8
# A region of fewer cells has no room for its name.
_NAMED_CELLS = 5


def rate_text(per_s: float) -> str:
    """Queries as a planner says them."""
    return rate(per_s, "queries/s")


def _size(tb: float) -> str:
    divide, unit = next((one for one in _SIZES_TB if tb >= one[0]), _SIZES_TB[-1])
    return f"{float(f'{tb / divide:.3g}'):,g}{chr(160)}{unit}"


def _counted(count: float) -> str:
    return f"{count:,.0f}" if count == int(count) else significant(count)


def headline(params: KvNodeChoiceParams, ranking: Sequence[NodeRank]) -> str:
    """What costs least at the chosen place, and by how much more the next one does."""
    best, *others = ranking
    verb = "costs" if best.nodes_count == 1 else "cost"
    head = (
        f"For {quantity(params.dataset_gb / GB_PER_TB, 'TB')} at "
        f"{rate_text(params.query_rate_per_s)}, **{_counted(best.nodes_count)} × {best.name}** "
        f"{verb} least: {money(best.cost_usd_per_year)} a year; "
        f"the {_BINDS[best.reason]} is the constraint."
    )
    if not others:
        return head
    more = others[0].cost_usd_per_year - best.cost_usd_per_year
    return f"{head} {others[0].name} costs {money(more)} a year more."


def ranked(params: KvNodeChoiceParams, ranking: Sequence[NodeRank]) -> Table:
    """The node types at the chosen place, cheapest first."""
    where = quantity(params.dataset_gb / GB_PER_TB, "TB")
    more = f"The {_SHOWN} cheapest of {len(ranking)}." if len(ranking) > _SHOWN else None
    return Table(
        title=f"At {where} and {rate_text(params.query_rate_per_s)}",
        columns=("Node", "Nodes", "Cost a year", "Power", "Constraint"),
        rows=tuple(
            TableRow(
                head=rank.name,
                cells=(
                    _counted(rank.nodes_count),
                    money(rank.cost_usd_per_year),
                    quantity(rank.power_w, "W"),
                    _BINDS[rank.reason],
                ),
                is_best=at == 0,
            )
            for at, rank in enumerate(ranking[:_SHOWN])
        ),
        note=more,
    )


def _in_order(rows: Sequence[Sequence[int]]) -> list[int]:
    """The types that win anywhere, from few queries to many."""
    columns: dict[int, list[int]] = {}
    for row in rows:
        for place, at in enumerate(row):
            columns.setdefault(at, []).append(place)
    return sorted(columns, key=lambda at: sum(columns[at]) / len(columns[at]))


def _before(line: Sequence[int]) -> list[int]:
    """How many cells before each are the same."""
    runs: list[int] = []
    for place, at in enumerate(line):
        runs.append(runs[-1] + 1 if place and line[place - 1] == at else 0)
    return runs


def _aside(line: Sequence[int]) -> list[int]:
    """How many cells to both sides of each are the same."""
    return [min(pair) for pair in zip(_before(line), _before(line[::-1])[::-1], strict=True)]


def middle_of(rows: Sequence[Sequence[int]], at: int) -> tuple[int, int]:
    """Row and column of a region's cell farthest from any other: where its name stands."""
    sides = [_aside(row) for row in rows]
    upright = [_aside(one) for one in zip(*rows, strict=True)]

    def room(cell: tuple[int, int]) -> float:
        # Names are wide, so cells to the sides count as well when there are many.
        row, place = cell
        side, up = sides[row][place], upright[place][row]
        return 2.0 * min(side, 3) + 3.0 * min(up, 3) + 0.1 * side

    own = [(y, x) for y, row in enumerate(rows) for x, one in enumerate(row) if one == at]
    return max(own, key=room)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Where an axis of such cells begins and ends, as powers of ten."""
    logs = [math.log10(value) for value in values]
    half = (logs[1] - logs[0]) / 2 if len(logs) > 1 else 0.5
    return logs[0] - half, logs[-1] + half


def _axis(title: str, unit: str, values: Sequence[float], said: Callable[[float], str]) -> Axis:
    low, high = _ends(values)
    ticks = [10.0**power for power in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)]
    return Axis(
        title=title, unit=unit, is_log=True, ticks=tuple(ticks), ticks_said=tuple(map(said, ticks))
    )


def _line(boundary: Boundary, found: KvNodeChoiceResult) -> Series | None:
    """A line of equal queries per GB over the map; none where it lies outside."""
    low, high = _ends(found.map_query_rates_per_s)
    small, large = _ends(found.map_datasets_tb)
    shift = math.log10(boundary.query_rate_per_s_per_gb * GB_PER_TB)
    first, last = max(small, low - shift), min(large, high - shift)
    if first >= last:
        return None
    return Series(
        name=f"{boundary.below} to {boundary.above}",
        style="dashes",
        at=(10.0 ** (first + shift), 10.0 ** (last + shift)),
        values=(10.0**first, 10.0**last),
    )


def _dots(params: KvNodeChoiceParams, found: KvNodeChoiceResult, order: list[int]) -> list[Dot]:
    """The names of regions with room for them, and the chosen place."""
    rates, sizes, rows = found.map_query_rates_per_s, found.map_datasets_tb, found.map_winners
    dots = []
    for at in order:
        if sum(row.count(at) for row in rows) >= _NAMED_CELLS:
            y, x = middle_of(rows, at)
            dots.append(Dot(role="", at=rates[x], value=sizes[y], text=found.map_names[at]))
    here = (params.query_rate_per_s, params.dataset_gb / GB_PER_TB)
    if all(
        value > 0 and low <= math.log10(value) <= high
        for value, (low, high) in zip(here, (_ends(rates), _ends(sizes)), strict=True)
    ):
        dots.append(Dot(role="chosen", at=here[0], value=here[1], text=""))
    return dots


def _title(found: KvNodeChoiceResult, order: Sequence[int]) -> str:
    if len(order) == 1:
        return f"{found.map_names[order[0]]} costs least everywhere on this map"
    if len(order) == len(found.map_names):
        return f"Each of the {len(order)} node types costs least somewhere"
    return f"{len(order)} of {len(found.map_names)} node types cost least somewhere"


def node_map(params: KvNodeChoiceParams, found: KvNodeChoiceResult) -> Figure:
    """Which node type costs least, by data set and query rate."""
    rates, sizes = found.map_query_rates_per_s, found.map_datasets_tb
    order, lines = _in_order(found.map_winners), (_line(one, found) for one in found.boundaries)
    title, names = _title(found, order), [found.map_names[at] for at in order]
    return Figure(
        kind="regions",
        name="Cheapest node type by data set and query rate",
        title=title,
        summary=f"{title}: {', '.join(names)}, from few queries per GB to many.",
        across=_axis("Queries per second", "1/s", rates, lambda per_s: rate(per_s, "")),
        along=_axis("Data set", "TB", sizes, _size),
        levels=sizes,
        kinds=tuple(names),
        series=(
            *(
                Series(
                    name=_size(tb),
                    at=rates,
                    values=tuple(float(order.index(at)) for at in row),
                    names=tuple(map(rate_text, rates)) if tb == sizes[0] else (),
                    texts=tuple(
                        _cell_text(cell, found.map_names[at])
                        for cell, at in zip(cells, row, strict=True)
                    ),
                )
                for tb, row, cells in zip(sizes, found.map_winners, found.map_cells, strict=True)
            ),
            *(line for line in lines if line),
        ),
        dots=tuple(_dots(params, found, order)),
        note="Dotted lines: the queries per GB at which the cheapest type changes, counted in "
        "parts of nodes.",
        twin=_twin(found),
    )


def _cell_text(cell: Cell, name: str) -> str:
    return (
        f"{_counted(cell.nodes_count)} × {name}, {money(cell.cost_usd_per_year)} a year\n"
        f"the {_BINDS[cell.reason]} is the constraint"
    )


def _twin(found: KvNodeChoiceResult) -> tuple[Column, ...]:
    rates, sizes = found.map_query_rates_per_s, found.map_datasets_tb
    cells = [cell for row in found.map_cells for cell in row]
    return (
        column("Data set", (tb for tb in sizes for _ in rates), "TB"),
        column("Queries", (rate for _ in sizes for rate in rates), "1/s"),
        column("Node", (found.map_names[at] for row in found.map_winners for at in row)),
        column("Nodes", (cell.nodes_count for cell in cells), "count"),
        column("Cost a year", (cell.cost_usd_per_year for cell in cells), "USD"),
        column("Constraint", (_BINDS[cell.reason] for cell in cells)),
    )
