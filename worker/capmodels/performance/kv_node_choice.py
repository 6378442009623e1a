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


def _paper(**changes: float) -> KvNodeChoiceParams:
    return KvNodeChoiceParams.model_validate(changes)


def _node_cost(name: str) -> float:
    params = _paper()
    return _cost(params, next(node for node in PAPER_NODES if node.name == name))


def _winner(dataset_tb: float, query_rate_per_s: float) -> str:
    params = _paper(dataset_gb=dataset_tb * GB_PER_TB, query_rate_per_s=query_rate_per_s)
    return ranking_of(params)[0].name


def _boundary(index: int) -> float:
    return boundaries(_paper())[index].query_rate_per_s_per_gb


_CATALOGUE_SOURCE = "node table estimated from memory after Andersen et al. 2011"
_FIGURE_SOURCE = "Andersen et al. 2011, figure 9: names of the regions"

_catalogue_usd = partial(
    Check, source=_CATALOGUE_SOURCE, unit="USD", tolerance=0.005, basis="derived"
)

_CHECKS = (
    _catalogue_usd(
        "D1",
        "Traditional+Disk: a node over three years",
        2657.0,
        lambda: _node_cost("Traditional+Disk"),
    ),
    _catalogue_usd(
        "D2", "FAWN+SSD: a node over three years", 539.42, lambda: _node_cost("FAWN+SSD")
    ),
    Check(
        "D3",
        "FAWN+Disk: cost per GB",
        0.2013,
        lambda: _node_cost("FAWN+Disk") / 2000,
        source=_CATALOGUE_SOURCE,
        printed="0.20",
        tolerance=0.0001,
        unit="USD/GB",
    ),
    Check(
        "D4",
        "Traditional+DRAM: cost per query/s",
        0.00374,
        lambda: _node_cost("Traditional+DRAM") / 1e6,
        source=_CATALOGUE_SOURCE,
        printed="0.004",
        tolerance=0.00001,
        unit="USD s",
    ),
    *(
        derived_check(check_id, title, name, partial(_winner, tb, rate), source=_FIGURE_SOURCE)
        for check_id, title, name, tb, rate in (
            ("D5", "Cheapest for 1 PB at 1 M queries/s", "FAWN+Disk", 1000.0, 1e6),
            ("D6", "Cheapest for 10 TB at 1 M queries/s", "FAWN+SSD", 10.0, 1e6),
            ("D7", "Cheapest for 10 TB at 100 M queries/s", "Traditional+DRAM", 10.0, 1e8),
            ("D8", "Cheapest for 1 TB at 100 M queries/s", "FAWN+DRAM", 1.0, 1e8),
        )
    ),
    *(
        derived_check(
            check_id,
            title,
            value,
            partial(_boundary, index),
            source="lower envelope of the node table estimated from memory",
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
        "edit.",
        "No latency bound, no skew of the keys, no failures, no network between nodes.",
        "PUE 1 is the original's; facilities draw more.",
    ),
)
