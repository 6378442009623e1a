"""Servers made of parts: their price, memory and power are what the parts say."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.cost.bill_of_materials import PEAK_OVER_TDP, Estimate, Part, machine_of, price_of
from catalogue.fixture_entries import Seed, read_entries


@pytest.fixture(scope="module")
def seeds() -> dict[str, Seed]:
    return {seed.slug: seed for seed in read_entries()}


def held(seeds: dict[str, Seed]) -> list[Seed]:
    return [seed for seed in seeds.values() if "parts" in seed.values]


def number(seed: Seed, field: str) -> Any:
    return seed.values[field]["value"]


def test_there_are_servers_for_every_work(seeds: dict[str, Seed]) -> None:
    servers = [seed for seed in held(seeds) if "unit_price_usd" in seed.values]
    assert len(servers) >= 40
    roles = [number(seed, "role") for seed in servers]
    assert roles.count("compute_and_block") >= 30
    bays = {
        kind: {number(seed, "per_node_count") for seed in servers if number(seed, "role") == kind}
        for kind in ("object", "block")
    }
    assert bays == {"object": {12, 24, 36, 60, 90}, "block": {24, 32}}
    gpus = {number(seed, "gpu") for seed in servers if number(seed, "role") == "gpu"}
    assert {"gpu-h100-sxm", "gpu-h200-sxm", "gpu-b200", "gpu-b300", "gpu-mi300x", "gpu-mi325x",
            "gpu-mi355x", "gpu-l4", "gpu-l40s", "gpu-rtx-pro-6000"} <= gpus  # fmt: skip
    words = " ".join(number(seed, "cpu") for seed in servers)
    assert all(name in words for name in ("EPYC 9965", "Xeon 6980P", "AmpereOne", "EPYC 8635P"))


def test_a_server_with_a_part_without_a_price_has_none(seeds: dict[str, Seed]) -> None:
    altra = seeds["server-altra-m128-30-1s-512gb"]
    assert "unit_price_usd" not in altra.values
    assert number(altra, "cores_per_node_count") == 128


def test_a_price_is_the_sum_of_parts_with_its_range_its_oldest_day_and_how_sure_it_is(
    seeds: dict[str, Seed],
) -> None:
    for seed in held(seeds):
        if "unit_price_usd" not in seed.values:
            continue
        price: dict[str, Any] = dict(seed.values["unit_price_usd"])
        names, counts = number(seed, "parts").split(), number(seed, "parts_count")
        total, days = 0.0, []
        for name, count in zip(names, counts, strict=True):
            part = seeds[name].values
            off = part["discount_fraction"]["value"] if "discount_fraction" in part else 0.0
            total += count * part["unit_price_usd"]["value"] * (1.0 - off)
            days.append(str(part["unit_price_usd"]["as_of"]))
        assert price["value"] == pytest.approx(total, abs=0.01)
        assert price["as_of"] == min(days)
        assert price["quality"] == "derived"
        # Nothing to judge it by: a fifth either way at least.
        assert price["low"] < 0.8 * price["value"], seed.slug
        assert price["high"] > 1.2 * price["value"], seed.slug
        assert "no price of the whole" in price["note"] or "quote" in price["note"]


def test_the_one_whole_price_at_hand_lies_in_the_range_of_the_sum(seeds: dict[str, Seed]) -> None:
    # 8 x H100 with eight adapters of 400 Gbit/s: a quote of $310,000 in August 2024, when a
    # module of 64 GB cost what it did a year later.
    server, gpu = seeds["gpu-8-h100"], seeds["gpu-h100-sxm"].values["unit_price_usd"]
    now, then = (
        seeds[slug].values["unit_price_usd"]["value"]
        for slug in ("dimm-64gb-rdimm-2026-09", "dimm-64gb-rdimm-2025-q3")
    )
    price = server.values["unit_price_usd"]
    ends: list[dict[str, Any]] = [dict(price), dict(gpu)]
    low, high = (ends[0][end] + 8 * ends[1][end] - 32 * (now - then) for end in ("low", "high"))
    assert low < 310_000 < high


def test_power_is_near_what_specpower_says_of_the_same_processors(seeds: dict[str, Seed]) -> None:
    measured: dict[tuple[str, int], list[float]] = {}
    for seed in seeds.values():
        if seed.kind == "server" and "cpu" in seed.values and "parts" not in seed.values:
            known = {"peak_w", "sockets_per_node_count"} <= seed.values.keys()
            if known and seed.values["peak_w"]["quality"] == "measured":
                key = (number(seed, "cpu"), number(seed, "sockets_per_node_count"))
                measured.setdefault(key, []).append(number(seed, "peak_w"))
    met = 0
    for seed in held(seeds):
        same = measured.get((number(seed, "cpu"), number(seed, "sockets_per_node_count")))
        if same and number(seed, "role") == "compute_and_block":
            met += 1
            values: dict[str, Any] = dict(seed.values)
            assert min(same) <= sum(values[name]["high"] for name in ("peak_w", "adder_w"))
            assert max(same) >= values["peak_w"]["low"]
    assert met >= 8


def test_a_part_counts_as_often_as_it_is_there() -> None:
    cpu = Part("C", "cpu", 2, Estimate(1000, 900, 1100), Estimate(0.3, 0.2, 0.4), "2026-08-01",
               "AMD", 64, 128, 400.0)  # fmt: skip
    memory = Part("M", "dram", 24, Estimate(10, 8, 12), as_of="2026-09-01", capacity_gib=64)
    shared = Part("H", "chassis", 0.25, Estimate(400, 300, 500), power_w=Estimate(40, 20, 60))
    assert price_of([cpu, memory, shared]) == Estimate(1740.0, 1347.0, 2173.0)
    machine = machine_of([cpu, memory, shared])
    assert (machine.sockets_count, machine.cores_count, machine.ram_gib) == (2, 128, 1536)
    assert machine.oldest_price == "2026-08-01"
    assert machine.adder_w == Estimate(10, 5, 15)
    assert machine.peak_w.value == 800.0 * PEAK_OVER_TDP["AMD"].value
    assert price_of([cpu, Part("?", "dram", 1, None)]) is None
    assert price_of([]) is None
