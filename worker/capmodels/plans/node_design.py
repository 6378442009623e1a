"""Node types of the map as designs of a study: the nodes, and the service that sizes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, JsonValue

from capmodels.numbers import grouped, quantity, rate
from capmodels.performance.kv_node_choice import ranking_of
from capmodels.performance.kv_node_params import KvNodeChoiceParams
from capmodels.plans.document.service import Service
from capmodels.spec import Citation, Context, Formula, ModelSpec, Params, Result, blank, preset
from capmodels.storage.drive.service import MS_PER_S
from capmodels.units import BYTES_PER_GB, BYTES_PER_GIB, GB_PER_TB

if TYPE_CHECKING:
    from capmodels.performance.kv_node_catalogue import NodeType

_NAME_LENGTH, _TITLE_LENGTH = 80, 120
# So many digits of a ratio are typed, not rounding.
_DIGITS = 12


class NodeDesignParams(Params):
    """The choice of a node type, and what the study carries."""

    choice: KvNodeChoiceParams = KvNodeChoiceParams()
    takes_service: bool = preset(
        True, "Whether the study's work may have a service: it is a demand.", title="Takes one"
    )
    service: Service | None = blank("Of the study, as it is. Empty: it has none.")
    sized_by: Literal["study", "place"] = preset(
        "study", "What sizes a design of a study that has a service.", title="Sized by"
    )


class NodeDesign(Result):
    """One node type as an owned cluster of one group."""

    title: str
    spec: dict[str, JsonValue]


class NodeDesignResult(Result):
    """Designs in the order of the ranking, and what they are sized by."""

    said: str
    designs: tuple[NodeDesign, ...]
    service: dict[str, JsonValue] | None = Field(
        description="What the study is to have as its service first; None: what it has stays."
    )
    service_place: dict[str, float] | None = Field(
        description="Where the study's service stands on the map, as inputs of the choice."
    )


def _work_said(dataset_tb: float, query_rate_per_s: float, copies_count: float) -> str:
    """40 TB at 3 M queries/s, 3 copies."""
    copies = "one copy" if copies_count == 1 else f"{copies_count:g} copies"
    return f"{quantity(dataset_tb, 'TB')} at {rate(query_rate_per_s, 'queries/s')}, {copies}"


def _of_service(service: Service) -> str:
    return _work_said(service.dataset_tb, service.query_rate_per_s, service.copies_count)


def _said(params: NodeDesignParams, placed: Service | None) -> str:
    if not params.takes_service:
        return (
            "The study’s work is the use of given machines: a design takes the nodes counted "
            "here, and Compare cannot say whether they meet the query rate."
        )
    if placed is not None:
        return (
            f"A design made here brings {_of_service(placed)} into the study as its service, and "
            "is sized by it with the study’s headroom and spare nodes. Compare then says of every "
            "design whether it meets that."
        )
    assert params.service is not None
    return (
        f"A design made here is sized by the study’s service, {_of_service(params.service)}, with "
        "its headroom and spare nodes."
    )


def _placed(params: NodeDesignParams) -> Service | None:
    """The chosen place as the service of the study; what else a service says stays."""
    if not params.takes_service or (params.service is not None and params.sized_by == "study"):
        return None
    place = params.choice
    told = {
        "query_rate_per_s": place.query_rate_per_s,
        "dataset_tb": place.dataset_gb / GB_PER_TB,
        "copies_count": place.copies_count,
    }
    return (params.service or Service()).model_copy(update=told)


def _store(node: NodeType) -> dict[str, Any]:
    if node.store == "memory":
        ram_gib = node.capacity_gb * BYTES_PER_GB / BYTES_PER_GIB
        return {"ram_gib": ram_gib, "data_in": "memory"}
    drives = {
        "per_node_count": 1,
        "capacity_tb": node.capacity_gb / GB_PER_TB,
        "kind": "hdd" if node.store == "disk" else "ssd",
        "copies_count": 1,
    }
    return {"drives": drives, "data_in": "drives"}


def speed_ratio(rate_per_s: float, service_ms: float) -> float:
    """Speed of a node that serves so many queries, as one core beside the reference core.

    >>> speed_ratio(35_000, service_ms=0.2)
    7.0
    """
    return float(f"{rate_per_s * service_ms / MS_PER_S:.{_DIGITS}g}")


def _design(node: NodeType, whole_nodes_count: int, service: Service | None) -> NodeDesign:
    """The design that buys such nodes: sized by a service, else as many as were counted."""
    group: dict[str, Any] = {
        "name": node.name[:_NAME_LENGTH],
        "duty_fraction": 1,
        "price": {"kind": "typed", "unit_price_usd": node.price_usd},
        "power": {"kind": "constant", "power_w": node.power_w},
    }
    title = node.name
    if service is None:
        title = f"{grouped(whole_nodes_count, 0)} × {node.name}"
        group |= {
            "role": "other",
            "count": whole_nodes_count,
            "note": "Chosen on the map of node types; it says what they serve and hold.",
        }
    else:
        group |= {
            "role": "service",
            "cores_per_node_count": 1,
            "perf_per_core_ratio": speed_ratio(node.rate_per_s, service.service_ms),
            **_store(node),
            "note": f"A node counts as one server of {rate(node.rate_per_s, 'queries/s')} and "
            f"holds {quantity(node.capacity_gb, 'GB')}, as on the map of node types.",
        }
    return NodeDesign(title=title[:_TITLE_LENGTH], spec={"node_groups": [group]})


def _run(params: NodeDesignParams, _context: Context) -> NodeDesignResult:
    placed = _placed(params)
    service = params.service if params.takes_service else None
    nodes = {node.name: node for node in params.choice.nodes}
    return NodeDesignResult(
        said=_said(params, placed),
        designs=tuple(
            _design(nodes[rank.name], rank.whole_nodes_count, placed or service)
            for rank in ranking_of(params.choice)
        ),
        service=None if placed is None else placed.model_dump(mode="json", exclude_unset=True),
        service_place=None
        if service is None
        else {
            "dataset_gb": service.dataset_tb * GB_PER_TB,
            "query_rate_per_s": service.query_rate_per_s,
            "copies_count": service.copies_count,
        },
    )


SPEC = ModelSpec(
    id="plans.node_design",
    version="1.0.0",
    title="Node types as designs of a study",
    summary="Turns the ranking of node types at a place of the map into designs that a study "
    "takes, with the service that sizes them.",
    params=NodeDesignParams,
    result=NodeDesignResult,
    run=_run,
    points=lambda params: len(params.choice.nodes),
    point_limit=1_000,
    citations=(Citation(text="Follows performance.kv_node_choice, which has its own sources"),),
    formulas=(
        Formula(
            "speed",
            "speed = queries of a node per second x time of a query on a reference core",
            "a node counts as one server of its rate, with one core",
        ),
    ),
    limits=("A node is one server of queries: what it gains by several cores is in its rate.",),
)
