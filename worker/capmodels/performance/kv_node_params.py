"""Inputs and results of the choice of a node type."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, field_validator

from capmodels.forms import AS_TABLE, in_groups
from capmodels.performance.kv_node_catalogue import PAPER_NODES, NodeType
from capmodels.spec import Params, Result, assumed, default, preset, refusal
from capmodels.told import Told
from capmodels.units import (
    CountFromOne,
    DurationYears,
    PowerW,
    Pue,
    RatePerS,
    Real,
    Usd,
    UsdPerKwh,
    UsdPerYear,
    of_unit,
)

_SOURCE = "Andersen et al. 2011, CACM 54(7), figure 9 and its text"

Reason = Literal["capacity", "rate"]
PositiveGb = Annotated[Real, of_unit("GB", gt=0)]
PositiveTb = Annotated[Real, of_unit("TB", gt=0)]
PositiveRate = Annotated[Real, of_unit("1/s", gt=0)]
RatePerGb = Annotated[Real, of_unit("1/s/GB", ge=0)]
PerDecade = Annotated[int, Field(strict=True, ge=1, le=50)]


class Map(Params):
    """The cells of the map of the cheapest: both axes logarithmic."""

    dataset_low_tb: PositiveTb = default(0.1, source=_SOURCE, as_of="2011-07")
    dataset_high_tb: PositiveTb = default(10_000.0, source=_SOURCE, as_of="2011-07")
    query_rate_low_per_s: PositiveRate = default(1e5, source=_SOURCE, as_of="2011-07")
    query_rate_high_per_s: PositiveRate = default(1e9, source=_SOURCE, as_of="2011-07")
    dataset_steps_per_decade: PerDecade = assumed(4, "Rows of the map in each decade.")
    query_steps_per_decade: PerDecade = assumed(4, "Columns of the map in each decade.")


class KvNodeChoiceParams(Params):
    """A data set, a query rate, and the node types to choose from."""

    model_config = ConfigDict(
        validate_default=True,
        **in_groups(
            {
                "Workload": ["dataset_gb", "query_rate_per_s", "copies_count"],
                "Prices": ["lifetime_years", "electricity_usd_per_kwh", "pue", "whole_nodes"],
            }
        ),
    )

    dataset_gb: PositiveGb = assumed(10_000.0, "Data to hold, before copies.", title="Data set")
    query_rate_per_s: RatePerS = assumed(
        1e6, "Queries to serve; 0 leaves capacity alone.", title="Queries"
    )
    copies_count: CountFromOne = assumed(1, "Copies of the data set.")
    lifetime_years: DurationYears = default(
        3.0, "Life of a node.", source=_SOURCE, as_of="2011-07", title="Life"
    )
    electricity_usd_per_kwh: Annotated[UsdPerKwh, Field(ge=0)] = default(
        0.10, source=_SOURCE, as_of="2011-07"
    )
    pue: Pue = default(1.0, "The original counts no cooling.", source=_SOURCE, as_of="2011-07")
    whole_nodes: bool = assumed(True, "Count whole nodes.")
    nodes: tuple[NodeType, ...] = preset(
        PAPER_NODES,
        "Prices and power are of one node with its drives.",
        min_length=1,
        max_length=1_000,
        title="Node types to choose from",
        extra=AS_TABLE,
    )
    map: Map = preset(Map(), "The map of the cheapest node types.", title="Map from and to")

    @field_validator("nodes")
    @classmethod
    def _names_are_unique(cls, value: tuple[NodeType, ...]) -> tuple[NodeType, ...]:
        seen: set[str] = set()
        for position, node in enumerate(value):
            if node.name in seen:
                raise refusal(
                    "duplicate",
                    f"Another node type is called {node.name!r}. Enter another name.",
                    at=(position, "name"),
                )
            seen.add(node.name)
        return value

    @field_validator("map")
    @classmethod
    def _axes_run_upward(cls, value: Map) -> Map:
        if value.dataset_high_tb <= value.dataset_low_tb:
            raise refusal(
                "ends_not_in_order",
                f"Enter more than {value.dataset_low_tb:g} TB.",
                at=("dataset_high_tb",),
            )
        if value.query_rate_high_per_s <= value.query_rate_low_per_s:
            raise refusal(
                "ends_not_in_order",
                f"Enter more than {value.query_rate_low_per_s:g} per second.",
                at=("query_rate_high_per_s",),
            )
        return value


class NodeRank(Result):
    """One node type's answer to the workload."""

    name: str
    nodes_count: Annotated[Real, of_unit("count")]
    whole_nodes_count: Annotated[int, of_unit("count")]
    cost_usd: Usd
    cost_usd_per_year: UsdPerYear
    power_w: PowerW
    reason: Reason


class Boundary(Result):
    """Where the cheapest type changes as queries per GB rise."""

    query_rate_per_s_per_gb: RatePerGb
    below: str
    above: str


class Cell(Result):
    """The cheapest type's nodes at one cell of the map, and what asks for them."""

    nodes_count: Annotated[Real, of_unit("count")]
    cost_usd: Usd
    cost_usd_per_year: UsdPerYear
    reason: Reason


class KvNodeChoiceResult(Told):
    """The ranking, the map of the cheapest (rows by data set, columns by rate), the boundaries."""

    winner: str
    ranking: tuple[NodeRank, ...]
    map_names: tuple[str, ...]
    map_datasets_tb: tuple[PositiveTb, ...]
    map_query_rates_per_s: tuple[PositiveRate, ...]
    map_winners: tuple[tuple[int, ...], ...]
    map_cells: tuple[tuple[Cell, ...], ...]
    boundaries: tuple[Boundary, ...]
