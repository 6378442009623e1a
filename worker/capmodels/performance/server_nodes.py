"""Servers of a catalogue as node types to choose from; what nobody says stays empty."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from capmodels.performance.kv_node_catalogue import Store
from capmodels.spec import Citation, Context, Formula, ModelSpec, Params, Result, assumed, blank
from capmodels.units import BYTES_PER_GIB, GB_PER_TB, Count, DataGib, PowerW, Real, Usd, of_unit

_GB_PER_GIB = BYTES_PER_GIB / 1e9
Name = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Gb = Annotated[Real, of_unit("GB")]
Rate = Annotated[Real, of_unit("1/s", ge=0)]
Tb = Annotated[Real, of_unit("TB", ge=0)]


class Server(Params):
    """An entry of the catalogue, as far as it says what a node needs; empty: not known."""

    name: Name
    cores_per_node_count: Count | None = None
    ram_gib: DataGib | None = None
    ssd_tb: Tb | None = None
    disk_tb: Tb | None = blank("Of one disk.")
    disks_count: Count | None = blank("Empty: one.")
    peak_w: PowerW | None = None
    unit_price_usd: Usd | None = None
    rate_per_s: Rate | None = None
    queries_per_s: Rate | None = None


class ServerNodesParams(Params):
    """Servers, what keeps the data, and what stands in where an entry is silent."""

    servers: Annotated[tuple[Server, ...], Field(min_length=1, max_length=2_000)]
    store: Store = assumed("memory", "The data set is kept in memory, on flash or on disks.")
    core_rate_per_s: Rate | None = blank("Queries that a core serves.")
    core_price_usd: Usd | None = blank("Price for each core.")
    store_tb: Tb | None = blank("Flash or disks of a node.")


class ServerNode(Result):
    """A node type; what neither the entry nor the planner says is empty."""

    name: str
    store: Store
    price_usd: Usd | None
    power_w: PowerW | None
    rate_per_s: Rate | None
    capacity_gb: Gb | None


class ServerNodesResult(Result):
    """A node type of each server, in their order."""

    nodes: tuple[ServerNode, ...]


def _product(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one * other


def _first(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)


def _capacity_gb(server: Server, params: ServerNodesParams) -> float | None:
    """What a node holds: its memory, or its drives as the entry or the planner has them."""
    if params.store == "memory":
        ram_gb = _product(server.ram_gib, _GB_PER_GIB)
        return None if ram_gb is None else float(f"{ram_gb:.4g}")
    disks_tb = _product(server.disk_tb, _first(server.disks_count, 1.0))
    held_tb = server.ssd_tb if params.store == "ssd" else disks_tb
    return _product(_first(held_tb, params.store_tb), GB_PER_TB)


def node_of(server: Server, params: ServerNodesParams) -> ServerNode:
    """Return a server as a node type."""
    cores = server.cores_per_node_count
    return ServerNode(
        name=server.name,
        store=params.store,
        price_usd=_first(server.unit_price_usd, _product(cores, params.core_price_usd)),
        power_w=server.peak_w,
        rate_per_s=_first(
            server.rate_per_s, server.queries_per_s, _product(cores, params.core_rate_per_s)
        ),
        capacity_gb=_capacity_gb(server, params),
    )


def _run(params: ServerNodesParams, _context: Context) -> ServerNodesResult:
    return ServerNodesResult(nodes=tuple(node_of(one, params) for one in params.servers))


def _start() -> dict[str, object]:
    """A server whose entry has no price, and a planner who has one for a core."""
    known = {"cores_per_node_count": 64, "ram_gib": 512.0, "peak_w": 700.0}
    return {
        "servers": [{"name": "A server", **known}],
        "core_rate_per_s": 50_000.0,
        "core_price_usd": 100.0,
    }


SPEC = ModelSpec(
    id="performance.server_nodes",
    version="1.0.0",
    title="Servers as node types",
    summary="Turns servers of the catalogue into node types for performance.kv_node_choice: price, "
    "power, queries and what each holds.",
    params=ServerNodesParams,
    result=ServerNodesResult,
    run=_run,
    points=lambda params: len(params.servers),
    citations=(Citation(text="Prepares the input of performance.kv_node_choice"),),
    formulas=(
        Formula(
            "rate",
            "queries = those of the entry, else cores x queries of a core",
            "what is assumed of a core fills only what an entry leaves open",
        ),
        Formula(
            "capacity",
            "held = memory, flash, or disks x capacity of one",
            "1 GiB = 1.073741824 GB; memory to four digits",
        ),
    ),
    start=_start,
    start_source="An illustrative server",
    limits=("Memory and drives are taken whole: nothing is set aside for an operating system.",),
)
