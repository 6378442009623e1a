"""Servers of the catalogue as node types."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.performance.kv_node_catalogue import NodeType
from capmodels.registry import get_model
from capmodels.spec import evaluate

SPEC = get_model("performance.server_nodes")
KNOWN = {"cores_per_node_count": 64, "ram_gib": 512.0, "peak_w": 700.0}
ASSUMED: dict[str, Any] = {"core_rate_per_s": 50_000.0, "core_price_usd": 100.0, "store_tb": 8.0}


def node(figures: dict[str, float], store: str = "memory", **assumed: float) -> Any:
    servers = [{"name": "A server", **figures}]
    (found,) = evaluate(SPEC, {"servers": servers, "store": store, **assumed}).nodes
    return found


def test_leaves_empty_what_nobody_says() -> None:
    found = node(KNOWN)
    assert (found.price_usd, found.rate_per_s, found.power_w) == (None, None, 700)
    assert found.capacity_gb == 549.8
    assert node({}).capacity_gb is None
    assert node(KNOWN, "ssd").capacity_gb is None


@pytest.mark.decisive
def test_takes_what_the_planner_assumes_only_where_the_entry_is_silent() -> None:
    priced = node({**KNOWN, "unit_price_usd": 9000.0}, "ssd", **ASSUMED)
    assert (priced.price_usd, priced.rate_per_s, priced.capacity_gb) == (9000, 3_200_000, 8000)
    assert node(KNOWN, "ssd", **ASSUMED).price_usd == 6400
    assert node({**KNOWN, "rate_per_s": 7.0, "queries_per_s": 9.0}, **ASSUMED).rate_per_s == 7
    assert node({**KNOWN, "queries_per_s": 9.0}, **ASSUMED).rate_per_s == 9
    assert node({**KNOWN, "ssd_tb": 2.0}, "ssd", **ASSUMED).capacity_gb == 2000


def test_disks_count_together_and_one_where_their_number_is_not_said() -> None:
    disks = {**KNOWN, "disk_tb": 2.0}
    assert node({**disks, "disks_count": 4}, "disk", **ASSUMED).capacity_gb == 8000
    assert node(disks, "disk").capacity_gb == 2000
    # Flash is told of a node as a whole.
    assert node({**KNOWN, "ssd_tb": 2.0, "disks_count": 4}, "ssd").capacity_gb == 2000


def test_a_node_that_is_known_in_full_can_be_chosen() -> None:
    found = node({**KNOWN, "unit_price_usd": 9000.0}, **ASSUMED)
    assert NodeType.model_validate(found.model_dump()).name == "A server"
