"""Which node type serves a key-value data set at a query rate most cheaply.

After Andersen et al. 2011 (FAWN, Communications of the ACM), figure 9.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from capmodels.performance.kv_node_catalogue import PAPER_NODES, NodeType, start
from capmodels.performance.kv_node_params import (
    Boundary,
    Cell,
    KvNodeChoiceParams,
    KvNodeChoiceResult,
    NodeRank,
)
from capmodels.performance.kv_node_told import headline, node_map, ranked
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, derived_check
from capmodels.units import GB_PER_TB, HOURS_PER_YEAR, kwh_from_w

if TYPE_CHECKING:
    from collections.abc import Sequence

# A last node for less than this part of a node is a rounding error, not a need.
_SLACK = 1e-9
# Above this many cells times types the vector path is faster than starting it costs.
_SCALAR_WORK_MAX = 20_000


def node_cost_usd(
    *,
    price_usd: float,
    power_w: float,
    lifetime_years: float,
    electricity_usd_per_kwh: float,
    pue: float,
) -> float:
    """Price of a node and of its energy over its life. [USD]

    >>> node_cost_usd(price_usd=2000, power_w=250, lifetime_years=3,
    ...               electricity_usd_per_kwh=0.10, pue=1.0)
    2657.0
    """
    energy_kwh = kwh_from_w(power_w, HOURS_PER_YEAR * lifetime_years)
    return price_usd + energy_kwh * electricity_usd_per_kwh * pue


def nodes_needed(*, by_capacity: float, by_rate: float, whole_nodes: bool) -> float:
    """Nodes that hold the data set and serve the queries: the larger of the two.

    >>> nodes_needed(by_capacity=2.2, by_rate=1.0, whole_nodes=True)
    3.0
    """
    count = max(by_capacity, by_rate)
    return max(1.0, float(math.ceil(count - _SLACK))) if whole_nodes else count


def _cost(params: KvNodeChoiceParams, node: NodeType) -> float:
    return node_cost_usd(
        price_usd=node.price_usd,
        power_w=node.power_w,
        lifetime_years=params.lifetime_years,
        electricity_usd_per_kwh=params.electricity_usd_per_kwh,
        pue=params.pue,
    )


def _by_preference(nodes: Sequence[NodeType]) -> list[NodeType]:
    """Order in which the first of equal costs wins: cheaper to buy, then name."""
    return sorted(nodes, key=lambda node: (node.price_usd, node.name))


def _rank(params: KvNodeChoiceParams, node: NodeType) -> NodeRank:
    by_capacity = params.dataset_gb * params.copies_count / node.capacity_gb
    by_rate = params.query_rate_per_s / node.rate_per_s
    count = nodes_needed(by_capacity=by_capacity, by_rate=by_rate, whole_nodes=params.whole_nodes)
    cost_usd = count * _cost(params, node)
    return NodeRank(
        name=node.name,
        nodes_count=count,
        whole_nodes_count=math.ceil(count - _SLACK),
        cost_usd=cost_usd,
        cost_usd_per_year=cost_usd / params.lifetime_years,
        power_w=count * node.power_w,
        reason="capacity" if by_capacity >= by_rate else "rate",
    )


def ranking_of(params: KvNodeChoiceParams) -> list[NodeRank]:
    """Every type's answer to the workload, cheapest first."""
    ranks = (_rank(params, node) for node in _by_preference(params.nodes))
    return sorted(ranks, key=lambda rank: rank.cost_usd)


def _steps(low: float, high: float, per_decade: int) -> int:
    # The quotient of the ends may be too large for a number, their logarithms never are.
    return math.floor((math.log10(high) - math.log10(low)) * per_decade + _SLACK)


def _axis(low: float, high: float, per_decade: int) -> list[float]:
    steps = _steps(low, high, per_decade)
    return [low * math.pow(10.0, step / per_decade) for step in range(steps + 1)]


def cells_asked(params: KvNodeChoiceParams) -> int:
    """Cells of the map, and a part of one for each type that is looked at in each."""
    axes = params.map
    rows = 1 + _steps(axes.dataset_low_tb, axes.dataset_high_tb, axes.dataset_steps_per_decade)
    columns = 1 + _steps(
        axes.query_rate_low_per_s, axes.query_rate_high_per_s, axes.query_steps_per_decade
    )
    return rows * columns * (1 + len(params.nodes) // 20)


def _map(
    params: KvNodeChoiceParams, nodes: list[NodeType]
) -> tuple[list[float], list[float], list[list[int]]]:
    axes = params.map
    datasets = _axis(axes.dataset_low_tb, axes.dataset_high_tb, axes.dataset_steps_per_decade)
    rates = _axis(
        axes.query_rate_low_per_s, axes.query_rate_high_per_s, axes.query_steps_per_decade
    )
    held = [tb * GB_PER_TB * params.copies_count for tb in datasets]
    costs = [_cost(params, node) for node in nodes]
    if len(datasets) * len(rates) * len(nodes) <= _SCALAR_WORK_MAX:
        return datasets, rates, _map_scalar(params, nodes, held, rates)
    from capmodels.performance.kv_node_choice_kernel import winners

    cells = winners(
        datasets_gb=held,
        query_rates_per_s=rates,
        capacities_gb=[node.capacity_gb for node in nodes],
        rates_per_s=[node.rate_per_s for node in nodes],
        node_costs_usd=costs,
        whole_nodes=params.whole_nodes,
    )
    return datasets, rates, cells.tolist()


def _map_scalar(
    params: KvNodeChoiceParams, nodes: list[NodeType], held_gb: list[float], rates: list[float]
) -> list[list[int]]:
    costs = [_cost(params, node) for node in nodes]

    def winner(gb: float, rate: float) -> int:
        totals = [
            cost
            * nodes_needed(
                by_capacity=gb / node.capacity_gb,
                by_rate=rate / node.rate_per_s,
                whole_nodes=params.whole_nodes,
            )
            for node, cost in zip(nodes, costs, strict=True)
        ]
        return totals.index(min(totals))

    return [[winner(gb, rate) for rate in rates] for gb in held_gb]


def _cell(params: KvNodeChoiceParams, node: NodeType, gb: float, rate: float) -> Cell:
    by_capacity, by_rate = gb / node.capacity_gb, rate / node.rate_per_s
    count = nodes_needed(by_capacity=by_capacity, by_rate=by_rate, whole_nodes=params.whole_nodes)
    cost_usd = count * _cost(params, node)
    return Cell(
        nodes_count=count,
        cost_usd=cost_usd,
        cost_usd_per_year=cost_usd / params.lifetime_years,
        reason="capacity" if by_capacity >= by_rate else "rate",
    )


def boundaries(params: KvNodeChoiceParams) -> list[Boundary]:
    """Where the cheapest type changes with queries per GB, in parts of nodes.

    A type costs max(TCO/GB, rho TCO/QPS) per GB: flat, then rising. The lower envelope is
    walked from rho = 0: while the winner rises, the next one is the type with the least
    TCO/GB among those with less TCO/QPS, from rho = (TCO_j/GB_j) / (TCO_i/QPS_i) on.
    """
    lines = [
        (
            _cost(params, node) * params.copies_count / node.capacity_gb,
            _cost(params, node) / node.rate_per_s,
            node.name,
        )
        for node in _by_preference(params.nodes)
    ]
    here = min(lines, key=lambda line: line[:2])
    found: list[Boundary] = []
    while better := [line for line in lines if line[1] < here[1]]:
        after = min(better, key=lambda line: line[:2])
        found.append(
            Boundary(query_rate_per_s_per_gb=after[0] / here[1], below=here[2], above=after[2])
        )
        here = after
    return found


def _run(params: KvNodeChoiceParams, _context: Context) -> KvNodeChoiceResult:
    nodes = _by_preference(params.nodes)
    ranking = ranking_of(params)
    datasets, rates, cells = _map(params, nodes)
    found = KvNodeChoiceResult(
        headline=headline(params, ranking),
        notes=("Press a place on the map, or type a data set and a query rate.",),
        tables=(ranked(params, ranking),),
        winner=ranking[0].name,
        ranking=tuple(ranking),
        map_names=tuple(node.name for node in nodes),
        map_datasets_tb=tuple(datasets),
        map_query_rates_per_s=tuple(rates),
        map_winners=tuple(tuple(row) for row in cells),
        map_cells=tuple(
            tuple(
                _cell(params, nodes[cell], tb * GB_PER_TB * params.copies_count, rate)
                for rate, cell in zip(rates, row, strict=True)
            )
            for tb, row in zip(datasets, cells, strict=True)
        ),
        boundaries=tuple(boundaries(params)),
    )
    return found.model_copy(update={"figures": (node_map(params, found),)})


def _node(name: str) -> NodeType:
    return next(node for node in PAPER_NODES if node.name == name)


def _node_cost(name: str) -> float:
    return _cost(KvNodeChoiceParams(), _node(name))


def _cost_per(name: str, per: str) -> float:
    node = _node(name)
    return _node_cost(name) / (node.capacity_gb if per == "GB" else node.rate_per_s)


def _figure(name: str, field: str) -> float:
    return float(getattr(_node(name), field))


def _boundary(index: int) -> float:
    return boundaries(KvNodeChoiceParams())[index].query_rate_per_s_per_gb


_CATALOGUE_SOURCE = "node table estimated from memory after Andersen et al. 2011"

_catalogue_usd = partial(
    Check, source=_CATALOGUE_SOURCE, unit="USD", tolerance=0.005, basis="derived", kind="arithmetic"
)

_CHECKS = (
    _catalogue_usd(
        "D1",
        "Traditional+Disk: a node over three years",
        2657.0,
        lambda: _node_cost("Traditional+Disk"),
        tests="performance.kv_node_catalogue.NodeType.price_usd",
    ),
    _catalogue_usd(
        "D2",
        "FAWN+SSD: a node over three years",
        539.42,
        lambda: _node_cost("FAWN+SSD"),
        tests="performance.kv_node_catalogue.NodeType.power_w",
    ),
    Check(
        "D3",
        "FAWN+Disk: cost per GB",
        0.20,
        lambda: _node_cost("FAWN+Disk") / _node("FAWN+Disk").capacity_gb,
        source=_CATALOGUE_SOURCE,
        basis="derived",
        tolerance=0.005,
        unit="USD/GB",
        kind="arithmetic",
        tests="performance.kv_node_catalogue.NodeType.capacity_gb",
    ),
    Check(
        "D4",
        "Traditional+DRAM: cost per query/s",
        0.004,
        lambda: _node_cost("Traditional+DRAM") / _node("Traditional+DRAM").rate_per_s,
        source=_CATALOGUE_SOURCE,
        basis="derived",
        tolerance=0.0005,
        unit="USD s",
        kind="arithmetic",
        tests="performance.kv_node_catalogue.NodeType.rate_per_s",
    ),
    *(
        derived_check(
            f"{name} {per}",
            f"{name}: cost per {'GB' if per == 'GB' else 'query/s'}",
            value,
            partial(_cost_per, name, per),
            source="(price + 2.628 x W) USD of the node over what it holds or serves",
            tests=f"performance.kv_node_catalogue.NodeType.{field}",
            tolerance=5e-4 * value,
            unit="USD/GB" if per == "GB" else "USD s",
        )
        for name, by_gb, by_rate in (
            ("Traditional+Disk", 0.2657, 1.7713),
            ("Traditional+SSD", 53.614, 0.042891),
            ("Traditional+DRAM", 58.373, 0.0037358),
            ("FAWN+Disk", 0.20128, 1.61024),
            ("FAWN+SSD", 16.857, 0.015412),
            ("FAWN+DRAM", 144.71, 0.0028942),
        )
        for per, field, value in (("GB", "capacity_gb", by_gb), ("query", "rate_per_s", by_rate))
    ),
    *(
        derived_check(
            f"{name} {field}",
            f"{name}: {title}",
            value,
            partial(_figure, name, field),
            source=f"Andersen et al. 2011, text beside table 3: {made_of}",
            tests=f"performance.kv_node_catalogue.NodeType.{field}",
            unit=unit,
        )
        for name, field, title, value, unit, made_of in (
            ("Traditional+Disk", "power_w", "power", 250.0, "W", "200 W, five disks of 10 W"),
            ("Traditional+Disk", "rate_per_s", "queries", 1500.0, "1/s", "five disks of 300"),
            ("Traditional+Disk", "capacity_gb", "holds", 10_000.0, "GB", "five disks of 2 TB"),
            ("Traditional+SSD", "power_w", "power", 220.0, "W", "200 W, two devices of 10 W"),
            ("Traditional+SSD", "capacity_gb", "holds", 160.0, "GB", "two devices of 80 GB"),
            ("Traditional+DRAM", "power_w", "power", 280.0, "W", "200 W, 8 GB modules of 10 W"),
        )
    ),
    *(
        derived_check(
            check_id,
            title,
            value,
            partial(_boundary, index),
            source="lower envelope of the node table estimated from memory",
            tests="performance.kv_node_choice.boundaries",
            tolerance=tolerance,
            unit="1/s/GB",
        )
        for check_id, title, index, value, tolerance in (
            ("D9", "From FAWN+Disk to FAWN+SSD", 0, 10.47, 0.01),
            ("D10", "From FAWN+SSD to Traditional+DRAM", 1, 3787.5, 0.5),
            ("D11", "From Traditional+DRAM to FAWN+DRAM", 2, 38735.6, 0.5),
        )
    ),
)

SPEC = ModelSpec(
    id="performance.kv_node_choice",
    version="1.5.0",
    title="Node type for a key-value store",
    summary="The cheapest node type for a data set and a query rate, the map of the cheapest, and "
    "the queries per GB at which the cheapest changes.",
    params=KvNodeChoiceParams,
    result=KvNodeChoiceResult,
    run=_run,
    points=cells_asked,
    start=start,
    start_source="catalogue: reference servers of 2026 with their drives, prices of July 2026; "
    "queries of a core and of a disk are assumed",
    point_limit=5_000,
    citations=(
        Citation(
            text="D. G. Andersen et al., FAWN: A Fast Array of Wimpy Nodes, Communications of "
            "the ACM 54(7), July 2011",
            url="https://doi.org/10.1145/1965724.1965747",
            section="figure 9",
        ),
    ),
    formulas=(
        Formula(
            "nodes",
            "N = max(DS copies / GB, QR / QPS), rounded up",
            "Andersen et al. 2011, text beside figure 9",
            {"DS": "dataset_gb", "QR": "query_rate_per_s"},
        ),
        Formula(
            "cost",
            "cost = N (price + W / 1000 * 8760 * years * USD/kWh * PUE)",
            "Andersen et al. 2011, estimated from memory",
            {"years": "lifetime_years", "PUE": "pue"},
        ),
        Formula(
            "boundary",
            "rho = (TCO_j / GB_j) / (TCO_i / QPS_i), rho = QR / DS",
            "derived: the cost depends on DS and QR only through the larger term",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "The node table is estimated from memory, not read from the paper: treat it as data to "
        "edit. The paper's text beside it has the watts of the traditional nodes, and what those "
        "with disks and flash hold; nothing of it at hand has the rest.",
        "No latency bound, no skew of the keys, no failures, no network between nodes.",
        "PUE 1 is the original's; facilities draw more.",
    ),
)
