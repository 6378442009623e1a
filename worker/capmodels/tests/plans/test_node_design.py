"""Node types of the map as designs of a study."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.registry import get_model
from capmodels.spec import evaluate

SPEC, PLAN = get_model("plans.node_design"), get_model("plans.compare")
NODE = {"price_usd": 500.0, "power_w": 15.0, "rate_per_s": 35_000.0, "capacity_gb": 32.0}
FLASH = {"name": "Flash", "store": "ssd", **NODE}


def asked(node: dict[str, Any] = FLASH, **others: Any) -> Any:
    choice = {"nodes": [node], **others.pop("choice", {})}
    return evaluate(SPEC, {"choice": choice, **others})


def group_of(said: Any) -> dict[str, Any]:
    [group] = said.designs[0].spec["node_groups"]
    return dict(group)


def test_a_node_is_one_server_of_its_rate_and_holds_its_data() -> None:
    said = asked(service={"query_rate_per_s": 5.0, "service_ms": 0.2})
    group = group_of(said)
    assert "count" not in group
    assert (group["role"], group["cores_per_node_count"], group["data_in"]) == (
        "service", 1, "drives",
    )  # fmt: skip
    # A core of the reference kind takes 0.2 ms: 5,000 a second. This one serves seven times that.
    assert group["perf_per_core_ratio"] == 7.0
    assert group["drives"] == {
        "per_node_count": 1, "capacity_tb": 0.032, "kind": "ssd", "copies_count": 1,
    }  # fmt: skip
    assert group["note"].replace("\u00a0", " ") == (
        "A node counts as one server of 35,000 queries/s and holds 32 GB, as on the map of node "
        "types."
    )
    assert said.designs[0].title == "Flash"


def test_data_are_kept_in_memory_or_on_a_disk_where_the_node_has_them() -> None:
    in_memory = group_of(asked({**FLASH, "store": "memory", "capacity_gb": 1.073741824 * 64}))
    assert (in_memory["data_in"], in_memory["ram_gib"]) == ("memory", pytest.approx(64))
    assert "drives" not in in_memory
    assert group_of(asked({**FLASH, "store": "disk"}))["drives"]["kind"] == "hdd"


def test_has_the_nodes_that_were_counted_where_the_study_can_have_no_service() -> None:
    place = {"dataset_gb": 40_000.0, "query_rate_per_s": 1e6}
    said = asked(choice=place, takes_service=False, service={"query_rate_per_s": 5.0})
    group = group_of(said)
    assert (group["role"], group["count"]) == ("other", 1250)
    assert said.designs[0].title == "1,250 × Flash"
    assert said.said.startswith("The study’s work is the use of given machines")
    assert (said.service, said.service_place) == (None, None)


def test_the_place_becomes_the_service_and_what_else_it_says_stays() -> None:
    place = {"dataset_gb": 10_000.0, "query_rate_per_s": 1e6, "copies_count": 1}
    held = {"query_rate_per_s": 5.0, "latency_bound_ms": 2.0, "service_ms": 0.2}
    said = asked(choice=place, service=held, sized_by="place")
    told = {"dataset_tb": 10.0, "query_rate_per_s": 1e6, "copies_count": 1}
    assert said.service == held | told
    assert "brings 10.0 TB at 1 M queries/s, one copy into" in said.said.replace("\u00a0", " ")
    assert said.service_place == {
        "dataset_gb": 0.0, "query_rate_per_s": 5.0, "copies_count": 3,
    }  # fmt: skip
    # Without a service of its own the place is the only one.
    fresh = asked(choice=place, sized_by="study")
    assert fresh.service == told
    assert group_of(fresh)["perf_per_core_ratio"] == 35.0
    kept = asked(choice=place, service=held)
    assert kept.service is None
    assert "0 TB at 5 queries/s, 3 copies, with its" in kept.said.replace("\u00a0", " ")


def test_a_study_takes_the_design_and_buys_what_the_map_counts() -> None:
    """Without headroom and bound on latency the plan and the map count the same nodes."""
    place = {"dataset_gb": 10_000.0, "query_rate_per_s": 1e7, "copies_count": 2}
    types = get_model("performance.kv_node_choice")
    counted = {rank.name: rank.whole_nodes_count for rank in evaluate(types, place).ranking}
    said = evaluate(SPEC, {"choice": place})
    assert [one.title for one in said.designs] == list(counted)
    headroom = dict.fromkeys(("cores_target_fraction", "disk_fill_fraction"), 1.0) | {
        "ram_headroom_fraction": 0.0
    }
    for one in said.designs:
        design = {"letter": "A", "title": one.title, "kind": "owned_cluster", **one.spec}
        study = {
            "designs": [design],
            "workload": {
                "kind": "demand", "busy_cores_count": 0, "ram_gib": 0, "service": said.service,
                "headroom": headroom,
            },
            "assumptions": {"horizon_months": 12},
            "draws_count": 0,
        }  # fmt: skip
        figures = evaluate(PLAN, study).designs[0]
        assert figures.service.serving_nodes_count == counted[one.title], one.title
