"""Searches of the whole catalogue, against costing every candidate, and through the API."""

from __future__ import annotations

import copy
import random
from math import inf
from typing import TYPE_CHECKING

import pytest

from capmodels.errors import ParamsError
from capmodels.numbers import USD, money, percent
from catalogue.testing import shipped_load
from studies.proposals import alike
from studies.proposals.explored import explored
from studies.proposals.limits import NONE, Limits
from studies.proposals.place import here_of
from studies.proposals.propose import Option
from studies.proposals.proposer import answered
from studies.proposals.search import KINDS, Exploration, Explorer
from studies.tests.test_proposals_alike import alices, proposed
from studies.tests.test_proposals_at_any_size import random_work

if TYPE_CHECKING:
    from capmodels.spec import JSONDict
    from studies.tests.people import Planner

__all__ = ["alices"]

pytestmark = pytest.mark.db

SMALL = {"kind": "demand", "busy_cores_count": 60, "ram_gib": 300, "object_tb": 300}


def explorer_of(work: JSONDict, limits: Limits = NONE) -> Explorer:
    assumptions, _, _ = here_of({}, [""], "USD")
    return Explorer(work, alike.settled(assumptions), limits=limits)


@pytest.mark.usefixtures("alices")
def test_the_best_of_each_kind_is_that_of_costing_every_candidate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = {**SMALL, "growth": {"cores_fraction_per_year": 0.2}}
    explorer = explorer_of(work)
    dice = random.Random(5)
    kept = [one for one in explorer.choices() if dice.random() < 0.05 or one.kind == "rented"]
    monkeypatch.setattr(explorer, "choices", lambda _: kept)
    found = Exploration(explorer, ["cost_usd"], most=10_000)
    assert found.open_count == 0
    assert len(found.whole) < len(kept)
    every = {}
    for choice in kept:
        sums, _ = explorer.sums(choice)
        if sums.lack is None:
            every[choice.key] = (choice.kind, sums.cost_usd)
    for kind in KINDS:
        least = min(usd for of, usd in every.values() if of == kind)
        mine = min(
            sums.cost_usd
            for at, sums in found.whole.items()
            if kept[at].kind == kind and sums.lack is None
        )
        assert mine == pytest.approx(least, rel=1e-9), kind


TWO_REGIONS = ("Virginia", "Frankfurt")


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize(
    "limits",
    [
        Limits(kw=12.0, rack_units_count=60.0, regions=TWO_REGIONS, vendors=("AMD",)),
        Limits(cost_usd=2e6, providers=("aws", "gcp"), regions=TWO_REGIONS, arm="none"),
    ],
    ids=["power, height and maker", "budget, provider and no ARM"],
)
def test_a_search_within_limits_is_that_of_costing_every_candidate(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = explorer_of(SMALL, limits)
    dice = random.Random(7)
    kept = [one for one in explorer.choices() if dice.random() < 0.1 or one.region]
    # Each provider has its own region there.
    assert {"", "europe-west3", "eu-central-1"} <= {one.region for one in kept}
    monkeypatch.setattr(explorer, "choices", lambda _: kept)
    found = Exploration(explorer, ["cost_usd"], most=10_000)
    assert (found.open_count, found.loose_count) == (0, 0)
    every: dict[str, dict[str, float]] = {kind: {} for kind in KINDS}
    beyond = 0
    for choice in kept:
        sums, _ = explorer.sums(choice)
        is_beyond = (
            sums.cost_usd > (limits.cost_usd or inf)
            or sums.kw > (limits.kw or inf)
            or sums.rack_units_count > (limits.rack_units_count or inf)
        )
        beyond += is_beyond
        if sums.lack is None and not is_beyond:
            every[choice.kind][choice.key] = sums.cost_usd
    assert beyond
    assert sum(map(len, every.values()))
    for kind, costs in every.items():
        place = found.cheapest(kind)
        mine = None if place is None else found.whole[place].cost_usd
        least = min(costs.values(), default=None)
        assert (mine is None) == (least is None), kind
        assert mine is None or mine == pytest.approx(least, rel=1e-9), kind


@pytest.mark.usefixtures("alices")
def test_limits_choose_whom_candidates_are_of() -> None:
    own = Limits(vendors=("Intel",), providers=("azure",), arm="none")
    choices = explorer_of(SMALL, own).choices()
    assert {one.provider for one in choices if one.kind == "rented"} == {"azure"}
    assert not any("(ARM)" in one.title for one in choices)
    machines = [part.key for one in choices for part in one.parts if "xeon" in part.key]
    assert machines
    assert not any(
        "epyc" in part.key or "altra" in part.key for one in choices for part in one.parts
    )
    only = explorer_of(SMALL, Limits(arm="only")).choices(["rented"])
    assert only
    assert all("(ARM)" in one.title for one in only)


@pytest.mark.usefixtures("alices")
def test_what_is_beyond_a_limit_says_which_and_is_never_the_best() -> None:
    free = explored(workload=SMALL, assumptions={}, designs=[])
    least = free["designs"][0]["cost_usd"]
    told = explored(workload=SMALL, assumptions={}, designs=[], limits=Limits(cost_usd=least * 0.5))
    assert told["sentence"] == (
        "The catalogue holds no design that meets the demand as entered within the limits."
    )
    assert not any(one["best_of_kind"] or one["on_front"] for one in told["designs"])
    narrow = explored(workload=SMALL, assumptions={}, designs=[], limits=Limits(kw=1.0))
    assert narrow["designs"][0]["kind"] == "rented"
    owned = [one for one in narrow["designs"] if one["kw"] > 1.0]
    assert owned
    assert all(not one["within_limits"] for one in owned)
    assert all(one["why_not"].endswith("the limit is 1 kW.") for one in owned)


def bounds_hold(seed: int) -> None:
    """Every candidate that is costed is at or above what its parts come to."""
    dice = random.Random(seed)
    work = random_work(dice)
    found = Exploration(explorer_of(work), ["cost_usd", "energy_kwh", "racks_count"], most=40)
    assert found.whole, work
    assert found.loose_count == 0, work
    for place, sums in found.whole.items():
        assert sums.kw >= found.least_kw(found.choices[place]) * (1 - 1e-9), work


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_costs_no_less_than_its_parts(seed: int) -> None:
    bounds_hold(seed)


@pytest.mark.deep
@pytest.mark.usefixtures("alices")
def test_a_hundred_wholes_cost_no_less_than_their_parts() -> None:
    for seed in range(3, 103):
        bounds_hold(seed)


@pytest.mark.usefixtures("alices")
def test_what_a_search_costs_is_what_the_plan_costs() -> None:
    explorer = explorer_of(SMALL)
    dice = random.Random(2)
    for kind in KINDS:
        choice = dice.choice([one for one in explorer.choices() if one.kind == kind])
        sums, _ = explorer.sums(choice)
        design = explorer.lettered(explorer.candidate(choice))
        (column,) = answered([design], explorer.workload, explorer.assumptions)
        assert sums.cost_usd == pytest.approx(column.npv_usd, rel=1e-9)
        assert sums.energy_kwh == pytest.approx(column.energy.kwh, rel=1e-9)


def test_a_search_by_the_api_is_of_cost_too_and_its_designs_cost_what_it_says(
    alice: Planner, database: None
) -> None:
    shipped_load()
    made = alice.post("/studies/propose", {"workload": SMALL, "options": [{"option": "owned"}]})
    first = made.json()
    # The own servers wait for what runs today.
    first["designs"][0]["spec"]["migration"] = {"parallel_letter": "T", "parallel_months": 3}
    parts = {name: first[name] for name in ("workload", "assumptions", "designs", "ranges")}
    parts["baseline"] = {"lines": [{"type": "vm", "count": 4, "usd_per_h": 1.0}]}
    study = alice.post("/studies", {"title": "Scans", **parts}).json()
    path = f"/studies/{study['id']}"
    found = alice.post(f"{path}/explore", {"measures": ["racks_count"]}).json()
    # Those whose data lie in one enclosure come last.
    ranked = [
        (one["kind"] == "shelves", one["cost_usd"])
        for one in found["designs"]
        if one["meets_demand"]
    ]
    assert ranked == sorted(ranked)
    is_alone_cheaper = min(cost for _, cost in ranked) < found["designs"][0]["cost_usd"]
    assert ("With all data in one it would be" in found["sentence"]) == is_alone_cheaper
    alone = next(one for one in found["designs"] if one["kind"] == "shelves")
    assert alone["why_not"].startswith("An enclosure that fails takes its data along")
    assert found["designs"][0]["why_not"] == ""
    assert [one["letter"] for one in found["compared"]] == ["A"]
    searched = alice.get(f"{path}/explore").json()
    assert searched["searched_at"]
    assert searched["sentence"] == found["sentence"]
    assert searched["compared"] == [
        {"letter": one["letter"], "sentence": one["sentence"]} for one in found["compared"]
    ]
    wanted = next(one for one in found["designs"] if one["kind"] == "coded")
    added = alice.post(f"{path}/designs/explored", {"key": wanted["key"]})
    assert added.status_code == 201, added.content
    assert added.json()["title"] == wanted["title"]
    # The study has changed: nobody has searched for what it is now.
    assert alice.get(f"{path}/explore").json() == {
        "searched_at": None,
        "sentence": "",
        "compared": [],
    }
    again = alice.post(f"{path}/explore", {}).json()
    own = next(one for one in again["compared"] if one["letter"] == added.json()["letter"])
    if "bought_ahead_fraction" not in added.json()["spec"]:
        assert own["cost_usd"] == pytest.approx(wanted["cost_usd"], rel=1e-9)
    unread = alice.post(f"{path}/designs", {"title": "X", "kind": "cloud", "spec": {}}).json()
    for spec in ({"instances": "zzz"}, {"instances": ["x"]}, {"provider": 3}):
        alice.put(f"/designs/{unread['id']}", {"title": "X", "kind": "cloud", "spec": spec})
        answer = alice.post(f"{path}/explore", {})
        assert answer.status_code == 200, spec
        assert unread["letter"] not in {one["letter"] for one in answer.json()["compared"]}
    beside = alice.post(f"{path}/designs/propose", {"option": "owned"})
    assert beside.status_code == 201, beside.content
    refused = alice.post(f"{path}/designs/explored", {"key": "owned:nothing"})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/key"


def test_limits_and_regions_are_taken_by_the_api(alice: Planner, database: None) -> None:
    shipped_load()
    study = alice.post("/studies", {"title": "Scans", "workload": SMALL}).json()
    path = f"/studies/{study['id']}"
    limits = {"providers": ["aws"], "regions": ["Frankfurt"], "kw": 0, "arm": "none"}
    found = alice.post(f"{path}/explore", {"limits": limits}).json()
    best = found["designs"][0]
    assert best["key"].endswith("@eu-central-1")
    assert "eu-central-1" in best["title"]
    # Held within limits, it is not what the verdict is told.
    assert alice.get(f"{path}/explore").json()["searched_at"] is None
    added = alice.post(f"{path}/designs/explored", {"key": best["key"]})
    assert added.status_code == 201, added.content
    assert added.json()["spec"]["region"] == "eu-central-1"
    for wrong in (
        {"kw": -1},
        {"arm": "some"},
        {"providers": ["zz"]},
        {"regions": ["Nowhereville"]},
    ):
        assert alice.post(f"{path}/explore", {"limits": wrong}).status_code == 422, wrong


@pytest.mark.usefixtures("alices")
def test_what_is_unknown_of_a_rented_gpu_is_no_advantage() -> None:
    work = {"kind": "demand", "gpu_peak_count": 24, "gpu_mean_count": 20, "gpu": "NVIDIA H200"}
    told = explored(
        workload={"busy_cores_count": 0, "ram_gib": 0, **work},
        assumptions={},
        designs=[],
        measures=["energy_kwh"],
    )
    rented = [one for one in told["designs"] if one["kind"] == "rented"]
    assert rented
    # Emissions are unknown of all without a place: they tell none of them from another.
    placeless = explored(workload=SMALL, assumptions={}, designs=[], measures=["kgco2e"])
    assert {one["kgco2e"] for one in placeless["designs"]} == {None}
    assert placeless["designs"][0]["on_front"]
    assert {one["energy_kwh"] for one in rented} == {None}
    assert not any(one["on_front"] for one in rented)
    # One design for each provider and term, by the machine that carries the GPUs.
    assert len({one["title"] for one in rented}) == len(rented)


@pytest.mark.usefixtures("alices")
def test_a_design_is_held_against_the_best_of_its_provider_with_its_commitment() -> None:
    given = proposed(SMALL, [Option("aws", 36)])
    (design,) = given["designs"]
    spec = copy.deepcopy(design["spec"])
    spec["commitments"][0]["base_quantile_fraction"] = 0.01
    dear = {**design, "spec": spec, "letter": "B"}
    told = explored(
        workload={**SMALL, "shape": {"kind": "hourly", "values_ratio": [1.0, 2.0] * 12}},
        assumptions=given["assumptions"],
        designs=[design, dear],
    )
    best, worse = told["compared"]
    assert worse["cost_usd"] > best["cost_usd"]
    rented = [one for one in told["designs"] if one["key"].startswith("rented:aws:")]
    least = min(rented, key=lambda one: one["cost_usd"])
    more = worse["cost_usd"] - least["cost_usd"]
    share = percent(more / least["cost_usd"])
    begins = f"B costs {money(more, USD)} ({share}) more than the best of "
    assert worse["sentence"].startswith(begins)
    assert f"that the search found, {least['title']} (" in worse["sentence"]
    assert "of today's peak committed)" in worse["sentence"]


@pytest.mark.usefixtures("alices")
def test_servers_are_explored_whose_gpus_serve_the_streams() -> None:
    stream = {"name": "Chat", "model": "Llama-3.1-70B", "users_count": 20_000}
    work = {"kind": "demand", "busy_cores_count": 0, "ram_gib": 0, "streams": [stream]}
    told = explored(workload=work, assumptions={}, designs=[], measures=["cost_usd"])
    owned = [one["title"] for one in told["designs"] if one["kind"] == "owned"]
    assert "B200" in owned[0]
    # L4 and L40S are too slow for its limits, MI355X of a kind that was not measured.
    assert not any(gpu in title for title in owned for gpu in ("L4", "MI355X"))
    assert {one["kind"] for one in told["designs"]} == {"owned", "rented"}


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize(
    "work",
    [
        {"kind": "utilization", "reference_letter": "A"},
        {"kind": "demand", "service": {"data_gb": 10.0}},
        {"kind": "demand", "busy_cores_count": 0, "ram_gib": 0},
    ],
    ids=["use of machines", "a service", "nothing"],
)
def test_work_that_no_machine_is_asked_for_is_searched_for_nothing(work: JSONDict) -> None:
    told = explored(workload=work, assumptions={}, designs=[])
    assert (told["designs"], told["candidates_count"]) == ([], 0)
    assert "is searched for demand in cores, memory, storage and GPUs" in told["sentence"]


@pytest.mark.usefixtures("alices")
def test_the_study_stays_as_it_is_beside_what_is_found() -> None:
    given = proposed(SMALL, [Option("aws", 36), Option("owned")])
    designs = copy.deepcopy(given["designs"])
    explored(workload=SMALL, assumptions=given["assumptions"], designs=designs)
    assert designs == given["designs"]


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize(
    "more", [{"busy_cores_count": 1e8}, {"object_tb": 1e9}, {"egress_tb_per_month": 1e9}]
)
def test_more_than_the_catalogue_joins_is_said_and_rented_designs_stand(more: JSONDict) -> None:
    work = {**SMALL, **more}
    given = proposed(work, [Option("owned"), Option("aws", 36)])
    assert [one["kind"] for one in given["designs"]] == ["cloud"]
    assert given["notes"][0].startswith(
        "Own servers in colocation: no switches or lines of the catalogue join so many machines"
    )
    told = explored(workload=work, assumptions={}, designs=[])
    assert {one["kind"] for one in told["designs"]} == {"rented"}


@pytest.mark.usefixtures("alices")
def test_more_than_any_design_has_is_refused_with_a_sentence() -> None:
    work = {**SMALL, "busy_cores_count": 9e9}
    with pytest.raises(ParamsError, match="Enter the work in parts") as refused:
        proposed(work, [Option("aws", 36)])
    assert [fault.pointer for fault in refused.value.faults] == ["/workload"]
    # What is left to the search are instances of 192 vCPUs.
    told = explored(workload=work, assumptions={}, designs=[])
    assert {one["kind"] for one in told["designs"]} == {"rented"}


@pytest.mark.usefixtures("alices")
def test_a_few_cores_are_proposed_machines_of_their_size() -> None:
    work = {"kind": "demand", "busy_cores_count": 5, "ram_gib": 20, "block_tb": 1}
    owned = explorer_of(work).best("owned")
    assert owned is not None
    (group,) = owned.spec["node_groups"]
    assert group["cores_per_node_count"] <= 16
    assert group["ram_gib"] <= 64
    assert group["drives"]["per_node_count"] * group["drives"]["capacity_tb"] <= 4.0
