"""Plans against all placements counted by hand, CP-SAT, bounds and invariants."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from capmodels.consolidation.plan import MIXES, box_of, mix
from capmodels.consolidation.plan_bound import cp_sat, relaxed_w
from capmodels.consolidation.plan_instance import instance_of, is_valid, total_w
from capmodels.consolidation.plan_kernel import exact_best, problem_of
from capmodels.consolidation.plan_params import PlanParams
from capmodels.consolidation.plan_small import exhaustive, planner_v2, server_classes
from capmodels.errors import ModelError
from capmodels.tests.asking import ask, faults

MODEL = "consolidation.plan"
FOUR = ("cpu", "disk", "memory", "network")
LINES = tuple({"power_w": watts} for watts in (110.0, 20.0, 15.0, 10.0))


def _apps(count: int, width: int, seed: int, most: float = 0.5) -> list[dict[str, Any]]:
    dice = random.Random(seed)
    return [
        {"id": f"a{n}", "demand_fraction": [dice.uniform(0.05, most) for _ in range(width)]}
        for n in range(count)
    ]


def _linear(count: int, servers: int, seed: int, **changes: Any) -> dict[str, Any]:
    kind = {"name": "s", "servers_count": servers, "power_idle_w": 120.0, "curves": LINES}
    return {
        "resources": FOUR,
        "work_ratio": (1.0,) * 4,
        "applications": _apps(count, 4, seed),
        "servers": [kind],
    } | changes


def _params(document: dict[str, Any]) -> PlanParams:
    return PlanParams.model_validate(document)


def _brute_force_w(params: PlanParams) -> float:
    instance = instance_of(params)
    servers = range(len(instance.servers))
    plans = itertools.product(servers, repeat=len(instance.blocks))
    return min(total_w(instance, plan) for plan in plans if is_valid(instance, plan))


@pytest.mark.parametrize("tolerance", [None, 0.2])
@pytest.mark.parametrize("name", MIXES)
def test_the_published_rule_never_fills_beyond_its_box(name: str, tolerance: float | None) -> None:
    params = mix(name, solver="greedy2008", tolerance_ratio=tolerance)
    result = ask(MODEL, **params.model_dump())

    box = box_of(params)
    assert box == ((0.7, 0.5) if tolerance is None else (0.69, 0.48))
    for server in result.servers:
        assert all(
            load <= most + 1e-9 for load, most in zip(server.load_fraction, box, strict=True)
        )


def test_the_published_rule_places_the_first_mix_as_worked_out() -> None:
    result = ask(MODEL, **mix("Mix1", solver="greedy2008").model_dump())

    assert [placed.server_count for placed in result.placement] == [0, 1, 1, 0, 1, 0]


def test_an_application_larger_than_the_box_is_named() -> None:
    result = ask(
        MODEL, applications=[{"id": "big", "demand_fraction": (0.9, 0.1)}], solver="greedy2008"
    )

    assert result.status == "infeasible"
    assert "big alone" in (result.reason or "")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.decisive
def test_the_best_of_all_is_that_of_a_plain_count(seed: int) -> None:
    apps = _apps(5, 2, seed)
    params = _params({"applications": apps, "tolerance_ratio": 0.4})
    instance = instance_of(params)

    best = exhaustive(instance)

    assert best is not None
    assert total_w(instance, best) == pytest.approx(_brute_force_w(params), rel=1e-12)


def test_a_looser_bound_never_costs_more_and_order_never_matters() -> None:
    apps = _apps(6, 2, 5, 0.3)
    energies = [
        ask(MODEL, applications=apps, solver="exhaustive", tolerance_ratio=bound).energy_j
        for bound in (0.15, 0.3, None)
    ]
    shuffled = random.Random(1).sample(apps, len(apps))
    again = ask(MODEL, applications=shuffled, solver="exhaustive").energy_j

    assert energies == sorted(energies, reverse=True)
    assert again == pytest.approx(energies[-1], rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_planner_v2_finds_the_best_of_all(seed: int) -> None:
    instance = instance_of(_params({"applications": _apps(6, 2, seed, 0.4)}))

    best, ours = exhaustive(instance), planner_v2(instance)

    assert best is not None
    assert ours is not None
    assert total_w(instance, ours) == pytest.approx(total_w(instance, best), rel=1e-9)


@pytest.mark.parametrize(
    "solver", ["exhaustive", "v2", pytest.param("search", marks=pytest.mark.slow)]
)
def test_what_must_share_shares_and_what_must_not_does_not(solver: str) -> None:
    apps = [
        {"id": "db", "demand_fraction": (0.1, 0.1), "together_with": ["disk"]},
        {"id": "disk", "demand_fraction": (0.1, 0.3)},
        {"id": "one", "demand_fraction": (0.1, 0.1), "apart_from": ["two"], "apart": "power_line"},
        {"id": "two", "demand_fraction": (0.1, 0.1)},
    ]
    result = ask(MODEL, applications=apps, solver=solver)

    at = {placed.id: placed.server_count for placed in result.placement}
    assert at["db"] == at["disk"]
    assert at["one"] % 2 != at["two"] % 2


def test_allowed_kinds_are_kept() -> None:
    apps = _apps(3, 2, 1, 0.2)
    apps[0]["allowed"] = ["dear"]
    curves = ({"power_w": 100.0}, {"power_w": 20.0})
    kinds = [
        {"name": name, "servers_count": 2, "power_idle_w": idle, "curves": curves}
        for name, idle in (("cheap", 100.0), ("dear", 300.0))
    ]

    result = ask(MODEL, applications=apps, servers=kinds)

    # All three go to the dear server rather than switching two on.
    assert result.servers_on_count == 1
    assert result.servers[0].kind == "dear"


def test_moving_pays_only_when_the_plan_is_kept_long_enough() -> None:
    apps = [{"id": name, "demand_fraction": (0.2, 0.1)} for name in ("a", "b")]
    short, long = (
        ask(MODEL, applications=apps, current_server_count=(0, 1), hold_s=hold)
        for hold in (1.0, 3_600.0)
    )

    assert short.moves == ()
    assert [move.energy_j for move in long.moves] == [pytest.approx(880.0)]
    assert long.moves[0].duration_s == pytest.approx(40.0)
    assert long.moving_pays
    assert long.net_saving_j == pytest.approx(long.saving_w * 3_600 - 880)


def test_nothing_to_place_needs_no_server() -> None:
    result = ask(MODEL, applications=[])

    assert result.status == "ok"
    assert result.servers_on_count == 0
    assert result.energy_j is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_compiled_search_has_the_optimum_of_cp_sat(seed: int) -> None:
    instance = instance_of(_params(_linear(12, 8, seed)))
    problem = problem_of(instance, server_classes(instance))
    order = np.argsort(-problem.demand.sum(axis=1), kind="mergesort")

    found = exact_best(problem, order, -np.ones(12, np.int64), np.inf).tolist()
    theirs, bound = cp_sat(instance, None, limit_s=30.0)

    assert theirs is not None
    assert is_valid(instance, found)
    assert total_w(instance, found) == pytest.approx(total_w(instance, theirs), rel=1e-9)
    # CP-SAT counts whole milliwatts, rounded down.
    assert 0 <= total_w(instance, found) - bound < 0.001 * (12 * 8 + 8)


@pytest.mark.slow
def test_the_compiled_search_agrees_with_the_plain_one_on_bent_curves() -> None:
    for seed in range(4):
        apps = _apps(7, 2, seed, 0.4)
        instance = instance_of(_params({"applications": apps, "tolerance_ratio": 0.3}))
        problem = problem_of(instance, server_classes(instance))
        plain = exhaustive(instance)
        found = exact_best(problem, np.arange(7), -np.ones(7, np.int64), np.inf)
        if plain is None:
            assert found.min() < 0
            continue
        assert total_w(instance, found.tolist()) == pytest.approx(total_w(instance, plain))


@pytest.mark.slow
@pytest.mark.parametrize("mixed", [False, True])
def test_hundreds_of_applications_come_within_three_percent_of_the_bound(mixed: bool) -> None:
    document = _linear(200, 60, 3)
    document["applications"] = _apps(200, 4, 3, 0.28)
    if mixed:
        small = document["servers"][0] | {"name": "small", "servers_count": 30}
        curves = [{"capacity_ratio": 1.5, "power_w": 1.4 * line["power_w"]} for line in LINES]
        large = {"name": "large", "servers_count": 30, "power_idle_w": 150.0, "curves": curves}
        document["servers"] = [small, large]
    params = _params(document)

    result = ask(MODEL, **document, solver="search")

    instance = instance_of(params)
    plan = [placed.server_count for placed in result.placement]
    assert is_valid(instance, plan)
    assert result.bound_w == pytest.approx(relaxed_w(instance))
    assert result.bound_w <= total_w(instance, plan)
    assert result.gap_fraction <= 0.03


def _any_case(seed: int) -> dict[str, Any]:
    """Up to six applications on servers of one or two kinds, with all that may bind them."""
    dice = random.Random(seed)

    def curve() -> dict[str, Any]:
        return {
            "capacity_ratio": dice.choice([0.7, 1.0, 1.6]),
            "limit_fraction": dice.choice([1.0, 0.8]),
            "power_w": dice.uniform(20, 200),
            "power_exponent": dice.choice([1.0, 1.4]),
            "degradation_ratio": dice.choice([0.0, 0.5, 1.03]),
            "degradation_exponent": dice.choice([1.5, 8.0]),
        }

    case: dict[str, Any] = {
        "applications": _apps(dice.randint(2, 6), 2, seed, dice.choice([0.3, 0.5, 0.9])),
        "tolerance_ratio": dice.choice([None, 0.1, 0.2, 0.4]),
    }
    if dice.random() < 0.5:
        case["servers"] = [
            {
                "name": f"kind {kind}",
                "servers_count": dice.randint(1, 3),
                "power_idle_w": dice.uniform(50, 250),
                "curves": [curve(), curve()],
            }
            for kind in range(dice.randint(1, 2))
        ]
    if dice.random() < 0.3:
        case["applications"][0] |= {"apart_from": ["a1"], "apart": "power_line"}
    if dice.random() < 0.3:
        count = sum(kind["servers_count"] for kind in case.get("servers", [{"servers_count": 4}]))
        case["current_server_count"] = [dice.randrange(count) for _ in case["applications"]]
    return case


WALKED_PAST = (
    ([[0.3799, 0.298], [0.1353, 0.2636]], 0.2),
    ([[0.4973, 0.2317], [0.2396, 0.2105], [0.0915, 0.2147], [0.2021, 0.2564], [0.3664, 0.223]],
     None),
)  # fmt: skip
ANY_CASES = [
    *(
        {
            "applications": [{"id": f"a{n}", "demand_fraction": d} for n, d in enumerate(demands)],
            "tolerance_ratio": tolerance,
        }
        for demands, tolerance in WALKED_PAST
    ),
    *map(_any_case, range(60)),
]


@pytest.mark.slow
def test_search_has_the_best_of_all_wherever_there_is_one() -> None:
    for case in ANY_CASES:
        instance = instance_of(_params(case))
        best = exhaustive(instance)
        result = ask(MODEL, **case, solver="search")
        assert (result.status == "ok") == (best is not None)
        if best is not None:
            plan = [placed.server_count for placed in result.placement]
            assert is_valid(instance, plan)
            assert total_w(instance, plan) == pytest.approx(total_w(instance, best), rel=1e-9)


def test_planner_v2_finds_a_place_wherever_there_is_one() -> None:
    for case in ANY_CASES:
        instance = instance_of(_params(case))
        plan = planner_v2(instance)
        assert (plan is None) == (exhaustive(instance) is None)
        assert plan is None or is_valid(instance, plan)


def test_what_a_rule_does_not_find_is_not_called_impossible() -> None:
    apps = [{"id": f"a{n}", "demand_fraction": (0.4, 0.4)} for n in range(8)]
    found = {
        solver: ask(MODEL, applications=apps, solver=solver) for solver in ("greedy2008", "v2")
    }
    assert found["v2"].status == "ok"
    assert (found["greedy2008"].reason or "").startswith("No placement was found")
    full = [{"id": f"a{n}", "demand_fraction": (0.9, 0.9)} for n in range(5)]
    counted = ask(MODEL, applications=full, solver="exhaustive")
    assert (counted.reason or "").startswith("The servers cannot hold")


def test_too_many_for_all_placements_is_refused() -> None:
    with pytest.raises(ModelError, match="too many"):
        ask(MODEL, **_linear(20, 10, 1, solver="exhaustive"))


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        (
            {"applications": [{"id": "a", "demand_fraction": (0.1,)}]},
            "/applications/0/demand_fraction",
            "length",
        ),
        (
            {"applications": [{"id": "a", "demand_fraction": (0.1, 1.2)}]},
            "/applications/0/demand_fraction/1",
            "out_of_range",
        ),
        (
            {"applications": [{"id": "a", "demand_fraction": (0.1, 0.2)}] * 2},
            "/applications/1/id",
            "duplicate",
        ),
        ({"applications": [], "solver": "guess"}, "/solver", "not_a_choice"),
        ({"applications": [], "work_ratio": [1.0]}, "/work_ratio", "length"),
    ],
)
def test_refuses_what_cannot_be(changes: dict[str, Any], pointer: str, code: str) -> None:
    assert faults(MODEL, changes) == {pointer: code}


def test_tiers_grow_together_with_the_load_of_their_service() -> None:
    document = _linear(6, 6, 3)
    service = {
        "name": "shop",
        "load_ratio": 1.5,
        "tiers": [{"id": "a0"}, {"id": "a1", "fixed_fraction": 0.4}],
    }
    grown = ask(MODEL, **document, services=[service])
    by_hand = [dict(app) for app in document["applications"]]
    for number, ratio in ((0, 1.5), (1, 0.4 + 0.6 * 1.5)):
        by_hand[number]["demand_fraction"] = [
            share * ratio for share in by_hand[number]["demand_fraction"]
        ]
    same = ask(MODEL, **(document | {"applications": by_hand}))
    assert grown.placement == same.placement
    assert grown.power_w == pytest.approx(same.power_w)
    assert ask(MODEL, **document, services=[service | {"load_ratio": 1.0}]) == ask(
        MODEL, **document
    )


def test_a_tier_that_outgrows_a_server_says_so() -> None:
    document = _linear(3, 3, 4)
    service = {"name": "shop", "load_ratio": 50.0, "tiers": [{"id": "a1"}]}
    assert ask(MODEL, **document, services=[service]).status == "infeasible"


def test_tiers_are_known_applications_and_each_stands_once() -> None:
    document = _linear(3, 3, 4)
    twice = {"name": "x", "tiers": [{"id": "a0"}, {"id": "a0"}]}
    strange = {"name": "x", "tiers": [{"id": "mail"}]}
    assert faults(MODEL, document | {"services": [twice]}) == {
        "/services/0/tiers/1/id": "duplicate"
    }
    assert faults(MODEL, document | {"services": [strange]}) == {
        "/services/0/tiers/0/id": "unknown"
    }
