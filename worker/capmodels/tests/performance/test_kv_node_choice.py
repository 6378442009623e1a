"""Node choice against the published regions, brute force and its invariants."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.performance import kv_node_choice
from capmodels.performance.kv_node_catalogue import PAPER_NODES
from capmodels.performance.kv_node_told import middle_of

SPEC = registry.get_model("performance.kv_node_choice")
LETTERS = {"FAWN+Disk": "h", "FAWN+SSD": "f", "Traditional+DRAM": "D", "FAWN+DRAM": "d"}


def _catalogue(count: int, seed: int) -> list[dict[str, Any]]:
    dice = random.Random(seed)
    return [
        {
            "name": f"node {index}",
            "price_usd": dice.uniform(100, 10_000),
            "power_w": dice.uniform(5, 500),
            "rate_per_s": 10 ** dice.uniform(2, 6),
            "capacity_gb": 10 ** dice.uniform(0, 4.5),
        }
        for index in range(count)
    ]


def test_map_has_the_four_bands_of_the_figure() -> None:
    result = spec.evaluate(SPEC, {"whole_nodes": False})

    drawn = {
        round(tb, 6): "".join(LETTERS[result.map_names[cell]] for cell in row)
        for tb, row in zip(result.map_datasets_tb, result.map_winners, strict=True)
    }
    assert drawn[10_000.0] == "hhhhhhhhhhhhhffff"
    assert drawn[1_000.0] == "hhhhhhhhhffffffff"
    assert drawn[100.0] == "hhhhhffffffffffDD"
    assert drawn[10.0] == "hffffffffffDDDDdd"
    assert drawn[1.0] == "fffffffDDDDdddddd"
    assert drawn[0.1] == "fffDDDDdddddddddd"
    assert len(drawn) == 21


def test_a_cell_of_the_map_says_what_the_ranking_says_there() -> None:
    result = spec.evaluate(SPEC, {})
    for row, column in ((0, 0), (8, 4), (20, 16)):
        at = {
            "dataset_gb": result.map_datasets_tb[row] * 1000,
            "query_rate_per_s": result.map_query_rates_per_s[column],
        }
        best, cell = spec.evaluate(SPEC, at).ranking[0], result.map_cells[row][column]
        assert result.map_names[result.map_winners[row][column]] == best.name
        assert (cell.nodes_count, cell.reason) == (best.nodes_count, best.reason)
        assert cell.cost_usd == pytest.approx(best.cost_usd)


def test_one_node_costs_and_several_cost_and_a_year_is_its_share_of_the_life() -> None:
    for rate, verb in ((1.0, "costs"), (1e6, "cost")):
        found = spec.evaluate(SPEC, {"dataset_gb": 1.0, "query_rate_per_s": rate})
        best = found.ranking[0]
        assert (best.whole_nodes_count == 1) == (verb == "costs")
        assert f"{best.name}** {verb} least" in found.headline
        assert best.cost_usd_per_year == pytest.approx(best.cost_usd / 3.0)


def test_counting_whole_nodes_changes_one_cell() -> None:
    parts = spec.evaluate(SPEC, {"whole_nodes": False}).map_winners
    whole = spec.evaluate(SPEC, {"whole_nodes": True}).map_winners

    changed = sum(
        a != b for x, y in zip(parts, whole, strict=True) for a, b in zip(x, y, strict=True)
    )
    assert changed == 1


@pytest.mark.parametrize(
    ("pue", "expected"),
    [
        # By hand: (500 + 15 * 2.628 * 1.45) / 32 over (350 + 20 * 2.628 * 1.45) / 250.
        (1.45, (17.411219 / 1.704848, 3992, 37763)),
        (3.0, (19.320625 / 2.03072, 4606, 35359)),
    ],
)
def test_pue_shifts_the_boundaries_slightly(pue: float, expected: tuple[float, ...]) -> None:
    found = spec.evaluate(SPEC, {"pue": pue}).boundaries

    ours = tuple(boundary.query_rate_per_s_per_gb for boundary in found)
    assert ours == pytest.approx(expected, rel=1e-3)


def test_both_paths_give_the_same_map(monkeypatch: pytest.MonkeyPatch) -> None:
    document = {"nodes": _catalogue(40, seed=3), "copies_count": 2}
    scalar = spec.evaluate(SPEC, document).map_winners
    monkeypatch.setattr(kv_node_choice, "_SCALAR_WORK_MAX", 0)

    assert spec.evaluate(SPEC, document).map_winners == scalar


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.decisive
def test_boundaries_agree_with_a_scan_of_the_ratio(seed: int) -> None:
    nodes = _catalogue(30, seed=seed)
    result = spec.evaluate(SPEC, {"nodes": nodes})
    costs = {n["name"]: n["price_usd"] + n["power_w"] * 2.628 for n in nodes}

    def cheapest(rho: float) -> str:
        def per_gb(node: dict[str, Any]) -> float:
            one = costs[node["name"]]
            return float(max(one / node["capacity_gb"], rho * one / node["rate_per_s"]))

        return str(min(nodes, key=per_gb)["name"])

    assert result.boundaries
    for boundary in result.boundaries:
        rho = boundary.query_rate_per_s_per_gb
        assert cheapest(rho * (1 - 1e-6)) == boundary.below
        assert cheapest(rho * (1 + 1e-6)) == boundary.above


@settings(max_examples=50, derandomize=True, deadline=None)
@given(
    dataset=st.floats(1, 1e7),
    rate=st.floats(1, 1e9),
    factor=st.floats(0.01, 100),
    seed=st.integers(0, 50),
)
def test_scaling_work_scales_cost_and_keeps_the_winner(
    dataset: float, rate: float, factor: float, seed: int
) -> None:
    nodes = _catalogue(6, seed=seed)
    one = {"nodes": nodes, "whole_nodes": False, "dataset_gb": dataset, "query_rate_per_s": rate}
    more = one | {"dataset_gb": dataset * factor, "query_rate_per_s": rate * factor}

    first, second = spec.evaluate(SPEC, one), spec.evaluate(SPEC, more)

    assert second.winner == first.winner
    assert second.ranking[0].cost_usd == pytest.approx(first.ranking[0].cost_usd * factor)
    assert all(first.ranking[0].cost_usd <= rank.cost_usd for rank in first.ranking)


def test_no_queries_leave_capacity_alone() -> None:
    result = spec.evaluate(SPEC, {"query_rate_per_s": 0.0, "dataset_gb": 4_000.0})

    assert result.winner == "FAWN+Disk"
    assert {rank.reason for rank in result.ranking} == {"capacity"}


def test_equal_costs_go_to_the_cheaper_node_then_the_name() -> None:
    twin = {"power_w": 0.0, "rate_per_s": 100.0, "capacity_gb": 10.0}
    nodes = [
        {"name": "b", "price_usd": 10.0, **twin},
        {"name": "a", "price_usd": 10.0, **twin},
        {"name": "small", "price_usd": 5.0, "power_w": 0.0, "rate_per_s": 50, "capacity_gb": 5.0},
    ]

    found = spec.evaluate(SPEC, {"nodes": nodes, "dataset_gb": 20.0, "query_rate_per_s": 10.0})

    assert [rank.name for rank in found.ranking] == ["small", "a", "b"]


def test_ten_disks_a_server_beat_the_wimpy_disk_node() -> None:
    # Ten 200 USD, 10 W disks in the 1,000 USD, 200 W server: 0.189 USD/GB.
    node = PAPER_NODES[0].model_copy(
        update={"price_usd": 3000.0, "power_w": 300.0, "rate_per_s": 3000.0, "capacity_gb": 2e4}
    )
    nodes = [n.model_dump() for n in (node, *PAPER_NODES[1:])]

    result = spec.evaluate(SPEC, {"nodes": nodes, "dataset_gb": 1e7, "query_rate_per_s": 0.0})

    assert result.winner == "Traditional+Disk"
    assert result.ranking[0].cost_usd / 1e7 == pytest.approx(0.189, abs=0.0005)


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"dataset_gb": 0.0}, "/dataset_gb", "out_of_range"),
        ({"pue": 0.9}, "/pue", "out_of_range"),
        (
            {"map": {"dataset_low_tb": 2.0, "dataset_high_tb": 1.0}},
            "/map/dataset_high_tb",
            "ends_not_in_order",
        ),
        ({"nodes": []}, "/nodes", "too_short"),
        ({"nodes": [PAPER_NODES[0].model_dump()] * 2}, "/nodes/1/name", "duplicate"),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, Any], pointer: str, code: str) -> None:
    with pytest.raises(ParamsError) as refused:
        spec.evaluate(SPEC, document)

    assert [(f.pointer, f.code) for f in refused.value.faults] == [(pointer, code)]


def test_the_map_names_regions_where_they_have_most_room() -> None:
    rows = [[0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]]
    assert middle_of(rows, 0) == (1, 1)
    assert rows[middle_of(rows, 1)[0]][middle_of(rows, 1)[1]] == 1

    found = spec.evaluate(SPEC, {})
    (drawn,) = found.figures
    winners = {found.map_names[at] for row in found.map_winners for at in row}
    assert set(drawn.kinds) == winners
    cells = [one for one in drawn.series if one.style != "dashes"]
    for row, series in zip(found.map_winners, cells, strict=True):
        assert [drawn.kinds[int(at)] for at in series.values] == [found.map_names[at] for at in row]
    for dot in drawn.dots[:-1]:
        row = found.map_datasets_tb.index(dot.value)
        place = found.map_query_rates_per_s.index(dot.at)
        assert found.map_names[found.map_winners[row][place]] == dot.text
    assert (drawn.dots[-1].role, drawn.dots[-1].at, drawn.dots[-1].value) == ("chosen", 1e6, 10.0)


def test_lines_over_the_map_are_of_equal_queries_per_gb_and_end_at_its_edges() -> None:
    found = spec.evaluate(SPEC, {})
    lines = [one for one in found.figures[0].series if one.style == "dashes"]
    assert len(lines) == len(found.boundaries)
    for line, boundary in zip(lines, found.boundaries, strict=True):
        for rate, tb in zip(line.at, line.values, strict=True):
            assert rate / (tb * 1000) == pytest.approx(boundary.query_rate_per_s_per_gb)


def test_a_place_beyond_the_map_is_not_marked_on_it_and_few_types_are_listed() -> None:
    nodes = _catalogue(12, seed=1)
    for place in ({"query_rate_per_s": 0.0}, {"query_rate_per_s": 1e12}):
        found = spec.evaluate(SPEC, {"nodes": nodes} | place)
        assert all(dot.role != "chosen" for dot in found.figures[0].dots)
        (ranked,) = found.tables
        assert [row.head for row in ranked.rows] == [rank.name for rank in found.ranking[:8]]
        assert ranked.note == "The 8 cheapest of 12."
