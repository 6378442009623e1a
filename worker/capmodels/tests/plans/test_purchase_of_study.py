"""What a study asks of a plan of purchases."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from capmodels.errors import ModelError, ParamsError
from capmodels.plans.purchase.again import asked_again
from capmodels.plans.purchase.as_design import design_of, held_before
from capmodels.plans.purchase.beside import as_entered, causes_of, compared, with_design
from capmodels.plans.purchase.of_study import StudyPurchase, purchase_of
from capmodels.plans.purchase.order_list import order_list
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.purchase_plan import SPEC
from capmodels.spec import Context, evaluate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import cloud, demand, document, owned, plain


def rent_or_own() -> dict[str, Any]:
    return document("rent-or-own")


def test_the_machine_is_the_cluster_s_node_at_its_price() -> None:
    study = rent_or_own()
    found = purchase_of(study)
    (machine,) = found.params["machines"]
    assert (found.owned_letter, found.rented_letter) == ("D", "B")
    assert machine["capacity_count"] == 192.0
    assert machine["usable_fraction"] == pytest.approx(0.7)
    assert machine["spare_count"] == study["workload"]["availability"]["spare_nodes_count"] == 1
    # A node as the example's bill of materials has it, without what other causes pay.
    assert machine["price_usd"] == pytest.approx(52_459.3, rel=1e-6)
    assert found.params["demand"]["level"]["growth"]["kind"] == "range"
    assert found.params["first_month"] == "2026-12"


def test_a_rented_core_costs_what_one_more_of_it_costs_in_the_comparison() -> None:
    study = rent_or_own()
    found = purchase_of(study)
    price = found.params["on_demand"]["usd_per_unit_h"]
    # B's instance at list price, by its speed: what support adds and growth leaves idle is above.
    instance = next(one for one in study["designs"] if one["letter"] == "B")["instances"][0]
    list_price = instance["usd_per_h"] / (instance["vcpu_count"] * instance["perf_per_vcpu_ratio"])
    assert list_price < price < 2.0 * list_price


def test_whole_instances_are_a_part_of_what_renting_costs_not_of_a_core_s_price() -> None:
    """Priced as the last whole instance of office hours, a core cost 9.4 times its price."""
    flat, office = rent_or_own(), office_hours(2)
    for study in (flat, office):
        instance = next(one for one in study["designs"] if one["letter"] == "B")["instances"][0]
        # So much RAM that cores size them.
        instance.update(vcpu_count=32, perf_per_vcpu_ratio=1.0, usd_per_h=1.6, ram_gib=512)
    found = [purchase_of(study) for study in (flat, office)]
    prices = [one.params["on_demand"]["usd_per_unit_h"] for one in found]
    assert prices[1] == pytest.approx(prices[0], rel=0.05)
    # Half an instance and a spare one, each of 32 cores that are busy to 70%.
    assert found[1].params["on_demand"]["idle_count"] == pytest.approx(1.5 * 32 * 0.7)
    assert any("Whole instances are rented" in note for note in found[1].notes)


def office_hours(seed: int) -> dict[str, Any]:
    """*Rent or own* by day only, of few or many nodes and instances, small or large ones."""
    study, rng = rent_or_own(), random.Random(seed)
    work = study["workload"]
    part = rng.choice([40.0, 80.0, 160.0, 320.0, 640.0]) / work["busy_cores_count"]
    day = [rng.uniform(0.7, 1.3) if hour % 24 in range(8, 18) and hour < 120 else 0.15
           for hour in range(168)]  # fmt: skip
    work.update(
        busy_cores_count=part * work["busy_cores_count"], ram_gib=part * work["ram_gib"],
        shape={"kind": "hourly", "values_ratio": day},
        availability={**work["availability"], "spare_nodes_count": rng.choice([0, 1])},
        growth={**work["growth"], "cores_fraction_per_year": rng.choice([0.0, 0.1, 0.3])},
    )  # fmt: skip
    for design in study["designs"]:
        size = rng.choice([0.25, 0.5, 1.0])
        for item in design.get("instances", ()):
            for key in ("vcpu_count", "usd_per_h", "ram_gib"):
                item[key] *= size
        if design["kind"] == "owned_cluster":
            group = design["node_groups"][0]
            group["cores_per_node_count"] = int(size * group["cores_per_node_count"])
            group["ram_gib"] *= size
    return as_entered(study)


# With own machines and without: committed cores carry what instances have idle in the comparison,
# which is much where one instance is more than all that is rented.
APART = {True: 0.02, False: 0.08}


@pytest.mark.many(1)
@pytest.mark.parametrize("seed", [0, 1, 3, *(pytest.param(seed, marks=pytest.mark.deep)
                                             for seed in range(4, 40))])  # fmt: skip
def test_of_office_hours_the_comparison_makes_of_a_plan_what_it_says(seed: int) -> None:
    """But for people, who are by the year: 18% apart where all cores cost as the last instance."""
    study = office_hours(seed)
    purchase = purchase_of(study)
    beside = purchase.params["beside"]
    # What is left of other machines comes in the last month.
    assert min(*beside["rented_usd"][:-1], *beside["owned_usd"][:-1]) >= 0
    asked = {**purchase.params, "reviews": [], "scenarios_count": 1}
    result = evaluate(SPEC, asked, Context(seed=0)).model_dump(mode="json")
    design = design_of(study, asked, result)
    whole, letter = with_design(
        study, {"letter": "", "title": design.title, "kind": design.kind, **design.spec}
    )
    told, points = causes_of(compared(whole, letter)), purchase.references
    near = points.owned if result["orders"] and points.owned else points.none_owned
    people = sum(told.get(key, 0.0) - near.causes.get(key, 0.0)
                 for key in {*told, *near.causes} if key[1] == "staff")  # fmt: skip
    apart = APART[bool(result["orders"])]
    assert sum(told.values()) - people == pytest.approx(result["expected_usd"], rel=apart)


def test_where_ram_sizes_the_nodes_a_rented_core_costs_no_more() -> None:
    """The work asks for 10 nodes by its RAM, which never falls, and 5 by its cores."""
    work = demand(busy_cores_count=500, ram_gib=640, headroom={"ram_headroom_fraction": 0.0})
    group = {"cores_per_node_count": 200, "ram_gib": 64}
    item = {"usd_per_h": 1.0, "vcpu_count": 10, "ram_gib": 1000}
    found = purchase_of(plain([owned("A", group=group), cloud("B", item=item)], work))
    # A vCPU is busy to 70%, as nodes are; whole instances are rented.
    assert found.params["on_demand"]["usd_per_unit_h"] == pytest.approx(1.0 / 10 / 0.7, rel=0.15)
    assert found.discounted_share > 0.85


def heavy(ram_growth: float = 0.5) -> dict[str, Any]:
    """Work whose RAM grows faster than its cores, on nodes with little of it."""
    work = demand(
        busy_cores_count=400, ram_gib=1500, headroom={"ram_headroom_fraction": 0.25},
        growth={"cores_fraction_per_year": 0.05, "ram_fraction_per_year": ram_growth},
    )  # fmt: skip
    group = {"cores_per_node_count": 100, "ram_gib": 400}
    item = {"usd_per_h": 1.0, "vcpu_count": 10, "ram_gib": 40}
    study = plain([owned("A", group=group), cloud("B", item=item)], work)
    study["assumptions"]["horizon_months"] = 24
    return study


def test_a_plan_orders_no_machines_that_have_the_cores_without_the_ram() -> None:
    params = purchase_of(heavy()).params
    (ram,), (machine,) = params["demand"]["others"], params["machines"]
    assert (ram["unit"], ram["now_count"]) == ("GiB of RAM", 1500.0)
    # 400 GiB of which a fifth stays free, and 70 of 100 cores.
    assert machine["others_count"] == pytest.approx([400 / 1.25])
    assert machine["usable_fraction"] == pytest.approx(0.7)
    # An instance has 7 busy cores and 32 GiB in use, and a committed core its part of them.
    (rented,) = params["on_demand"]["instances"]
    assert rented["others_count"] == pytest.approx([32 / 7])
    small = {**params, "reviews": [], "scenarios_count": 1, "gap_fraction": 1e-2}
    found = evaluate(SPEC, small, Context(seed=0))
    cores = {**small, "demand": {**params["demand"], "others": []},
             "machines": [{**machine, "others_count": []}],
             "on_demand": {**params["on_demand"], "instances": []}}  # fmt: skip
    by_cores = evaluate(SPEC, cores, Context(seed=0))

    def carried_gib(answer: Any, month: int) -> float:
        count = sum(order.ordered_count for order in answer.orders if order.arrives_month <= month)
        return 320.0 * count

    needed = [1500.0 * 1.5 ** (month / 12) for month in range(24)]
    # By cores alone there are too few for the RAM, of which nothing would be rented.
    assert carried_gib(by_cores, 23) < 0.8 * needed[23]
    assert carried_gib(found, 23) > 0.9 * needed[23]
    for month, planned in enumerate(found.others[0].months):
        assert planned.demand_mean_count == pytest.approx(needed[month])
        assert planned.owned_count == pytest.approx(carried_gib(found, month))
        assert planned.owned_used_count + planned.committed_used_count + planned.on_demand_count \
               == pytest.approx(needed[month])  # fmt: skip
    # RAM sizes the orders, and the answer, its tables and the order list say so.
    by_unit = {each.unit: each for each in found.binding}
    assert by_unit["GiB of RAM"].fullest_months_count > by_unit["cores"].fullest_months_count
    # Today 400 cores need 5.7 machines and 1,500 GiB 4.7; from the seventh month on RAM leads.
    sized_by = [order.trigger_unit for order in found.orders]
    assert sized_by == ["cores" if order.arrives_month <= 6 else "GiB of RAM"
                        for order in found.orders]  # fmt: skip
    assert set(sized_by) == {"cores", "GiB of RAM"}
    assert any(note.startswith("The constraint") for note in found.notes)
    assert "Which resource is the constraint" in [table.title for table in found.tables]
    document_ = found.model_dump(mode="json")
    head, *rows = order_list(small, document_)
    listed = [row[head.index("Sized by")] for row in rows if row[1] == "Machines"]
    assert listed == sized_by
    # Made again after a quarter it has what was used of each.
    again = asked_again(small, document_, 3)
    assert again["demand"]["others"][0]["actual_mean_count"] == pytest.approx(needed[:3])
    again["demand"]["others"][0]["actual_mean_count"] = [1600.0, 1800.0, 2000.0]
    later = evaluate(SPEC, again, Context(seed=0))
    grown = [month.demand_mean_count for month in later.others[0].months]
    assert grown[2:4] == pytest.approx([2000.0, 2000.0 * 1.5 ** (1 / 12)])
    assert any("Beside the" not in note and "moved" in note for note in later.notes)


def test_ram_that_is_never_full_before_the_cores_is_no_resource() -> None:
    study = heavy(ram_growth=0.0)
    study["workload"]["ram_gib"] = 600
    found = purchase_of(study)
    assert found.params["demand"]["others"] == []
    assert any(note.startswith("Cores bind") for note in found.notes)
    # Where its growth may make it so, it is one.
    study["ranges"] = [{"pointer": "/workload/growth/ram_fraction_per_year", "low": 0.0,
                        "high": 1.5}]  # fmt: skip
    (ram,) = purchase_of(study).params["demand"]["others"]
    assert ram["growth"]["high_fraction_per_year"] == 1.5


def test_gpus_beside_the_cores_are_said_not_to_be_planned() -> None:
    study = heavy()
    study["workload"] |= {"gpu_peak_count": 8}
    nodes = study["designs"][0]["node_groups"]
    nodes.append({**nodes[0], "name": "GPUs", "role": "gpu", "gpus_per_node_count": 8})
    for asks, asked in ((heavy(), False), (study, True)):
        assert any("GPUs are not planned" in note for note in purchase_of(asks).notes) == asked


@pytest.mark.parametrize(("tied", "follows"), [({}, 0.0), ({"quantity": "growth"}, 1.0)])
def test_ram_grows_with_the_cores_where_the_study_has_one_growth(
    tied: dict[str, str], follows: float
) -> None:
    study = heavy()
    study["ranges"] = [
        {"pointer": f"/workload/growth/{what}_fraction_per_year", "low": 0.0, "high": 0.6, **tied}
        for what in ("cores", "ram")
    ]
    (ram,) = purchase_of(study).params["demand"]["others"]
    assert ram["follows_fraction"] == follows


def test_what_is_committed_beside_ram_are_whole_instances_in_the_comparison() -> None:
    """RAM asks for 47 instances today and cores for 57: a committed core is one of the plan's."""
    study = heavy()
    assert purchase_of(study).committed_ratio == 1.0
    study["workload"]["ram_gib"] = 3000
    # Now RAM asks for 93.75 instances: a core of the design's commitment is 0.234 of them.
    assert purchase_of(study).committed_ratio == pytest.approx((400 / 7) / 93.75)


def test_a_cloud_of_gpus_alone_rents_no_cores() -> None:
    study = plain([cloud("B", item={"gpus_count": 8})], demand(busy_cores_count=10))
    with pytest.raises(ModelError, match="instances without GPUs"):
        purchase_of(study)


def test_demand_of_another_kind_is_refused_in_words() -> None:
    with pytest.raises(ModelError, match="busy cores"):
        purchase_of(document("free-factories"))


def asked(seed: int) -> StudyPurchase | str:
    """The question of a random study, or why it has none; a fault of ours is raised."""
    try:
        return purchase_of(document_of(random_study(seed)))
    except ParamsError:
        raise
    except ModelError as error:
        return str(error)


@pytest.mark.parametrize(
    ("seeds", "questions_count"),
    [(range(8), 2), pytest.param(range(8, 24), 5, marks=pytest.mark.deep)],
    ids=["few", "many"],
)
def test_any_study_gives_a_valid_question_or_says_why_not(
    seeds: range, questions_count: int
) -> None:
    all_found = [asked(seed) for seed in seeds]
    assert all(found.endswith(".") for found in all_found if isinstance(found, str))
    questions = [found for found in all_found if not isinstance(found, str)]
    assert len(questions) >= questions_count
    for found in questions:
        read = PurchasePlanParams.model_validate(found.params)
        assert read.model_dump(mode="json") == found.params
        # Leased ones are paid by the month.
        for machine in found.params["machines"]:
            assert machine["price_usd"] + machine["upkeep_usd_per_month"] > 0
        assert found.notes


def test_the_study_itself_is_left_alone() -> None:
    study = rent_or_own()
    purchase_of(study)
    assert study == rent_or_own()


def test_a_range_of_busy_cores_is_what_measuring_them_is_worth_for() -> None:
    study = rent_or_own()
    cores = study["workload"]["busy_cores_count"]
    others = [each for each in study["ranges"] if each["pointer"] != "/workload/busy_cores_count"]
    narrow = {"pointer": "/workload/busy_cores_count", "low": 0.8 * cores, "high": 1.3 * cores}
    for ranges, spread in ((others, None), ([*others, narrow], (0.8 * cores, 1.3 * cores))):
        found = purchase_of({**study, "ranges": ranges}).params["demand"]["level"]["now_spread"]
        assert (found and (found["low_count"], found["high_count"])) == spread


@pytest.mark.parametrize("scenarios_count", [30, pytest.param(100, marks=pytest.mark.deep)])
def test_the_example_of_a_start_up_follows_the_plan_that_it_asks_for(scenarios_count: int) -> None:
    study = document("start-up-doubling")
    params = purchase_of(study).params
    assert params["machines"][0]["lead_months"] == 3
    question = {**params, "reviews": [], "scenarios_count": scenarios_count}
    found = evaluate(SPEC, question, Context(seed=0))
    (planned,) = [each for each in study["designs"] if each.get("plan")]
    drawn = [(one["month"], one["nodes_count"]) for one in planned["plan"]["orders"]]
    ordered = [(one.arrives_month, one.ordered_count) for one in found.orders]
    # Plans within the gap of each other are as good.
    assert sum(count for _, count in drawn) == pytest.approx(
        sum(count for _, count in ordered), rel=0.15
    )
    assert drawn[0] == ordered[0]


def test_what_goes_in_the_refresh_year_is_followed_by_the_better_generation() -> None:
    """A flat estate of 40 old machines that go after nine months."""
    old = {"name": "Old", "count": 40, "capacity_count": 64.0, "usable_fraction": 0.7,
           "upkeep_usd_per_month": 420.0, "until_month": 9}  # fmt: skip
    now = {"name": "Now", "capacity_count": 96.0, "price_usd": 21_000.0,
           "upkeep_usd_per_month": 380.0}  # fmt: skip
    falling = {"kind": "fixed", "value_fraction_per_year": -0.2}
    better = {"name": "Next", "capacity_count": 192.0, "price_usd": 30_000.0, "from_month": 5,
              "upkeep_usd_per_month": 520.0, "price_change": falling}  # fmt: skip
    params: dict[str, Any] = {
        "months_count": 36,
        "demand": {"level": {"kind": "grown", "now_count": 1000.0,
                             "growth": {"kind": "fixed", "value_fraction_per_year": 0.0}}},
        "machines": [{**each, "order_every_months": 1} for each in (now, better)],
        "held_machines": [old],
        "gap_fraction": 1e-5,
        "reviews": [],
    }  # fmt: skip
    found = evaluate(SPEC, params, Context(seed=0))
    # Three months before the old ones go, not sooner: its price falls until then.
    assert {(order.machine, order.arrives_month) for order in found.orders} == {("Next", 9)}
    owned = [month.owned_count for month in found.months]
    assert owned[8] == pytest.approx(40 * 64 * 0.7)
    assert owned[9] == pytest.approx(found.orders[0].ordered_count * 192 * 0.7)
    # Where the better one never comes, the one of now does.
    alone = evaluate(SPEC, {**params, "machines": params["machines"][:1]}, Context(seed=0))
    assert {order.machine for order in alone.orders} == {"Now"}
    assert alone.expected_usd > found.expected_usd


def test_what_runs_today_is_kept_as_long_as_it_is_there() -> None:
    study = rent_or_own()
    old = {"type": "Old node", "count": 6, "usd_per_h": 0.6, "busy_cores_count": 40.0,
           "until_month": 9, "after_usd_per_h": 2.0}  # fmt: skip
    reserved = {"type": "m6i.8xlarge", "count": 4, "usd_per_h": 1.0, "busy_cores_count": 20.0,
                "commitment_ends_on": "2027-05-31", "after_usd_per_h": 1.5}  # fmt: skip
    unknown = {"type": "Files", "count": 1, "usd_per_h": 2.0}
    found = purchase_of({**study, "baseline": {"lines": [old, reserved, unknown, old]}})
    first, again = found.params["held_machines"]
    assert (first["count"], first["capacity_count"], first["until_month"]) == (6, 40.0, 9)
    assert first["upkeep_usd_per_month"] == pytest.approx(0.6 * 730)
    assert again["name"] == "Old node, line 4"
    (owed,) = found.params["held_commitments"]
    assert (owed["committed_count"], owed["until_month"]) == (80.0, 6)
    assert owed["usd_per_unit_h"] == pytest.approx(1.0 / 20.0)
    assert any("without busy cores" in note for note in found.notes)
    # It changes nothing else that is asked but what is best to own from the start, beside it.
    plain = purchase_of(study).params
    held: dict[str, Any] = {"held_machines": [], "held_commitments": [], "beside": None}
    assert {**found.params, **held} == {**plain, "beside": None}


def today(**line: Any) -> dict[str, Any]:
    """Work of much RAM, of which machines of today carry a part for a year."""
    study = heavy(ram_growth=0.05)
    study["workload"]["shape"] = {"kind": "hourly", "values_ratio": [0.5, 1.0, 1.5] * 8}
    there = {"type": "Old node", "count": 3, "usd_per_h": 0.6, "busy_cores_count": 40.0,
             "until_month": 12, "after_usd_per_h": 2.0}  # fmt: skip
    return {**study, "baseline": {"lines": [{**there, **line}]}}


def test_machines_of_today_have_their_own_ram() -> None:
    (held,) = purchase_of(today(ram_gib=256.0)).params["held_machines"]
    # A fifth of it stays free, as of the nodes that are ordered.
    assert held["others_count"] == pytest.approx([256 / 1.25])
    found = purchase_of(today())
    (held,) = found.params["held_machines"]
    # Busy at the peak of 600 cores they are a fifteenth each, of RAM that the peak asks half of.
    (ram,) = found.params["demand"]["others"]
    assert held["others_count"] == pytest.approx([1500 * max(ram["profile_ratio"]) / 15])
    assert any("without its RAM entered" in note for note in found.notes)


def test_ram_of_today_s_machines_is_planned_where_they_lack_it() -> None:
    """Of nodes with plenty of RAM the cores bind; machines of today may be short of it still."""
    study = today(ram_gib=24.0)
    (owned_,) = (each for each in study["designs"] if each["kind"] == "owned_cluster")
    owned_["node_groups"][0]["ram_gib"] = 4000.0
    assert [each["unit"] for each in purchase_of(study).params["demand"]["others"]] == [
        "GiB of RAM"
    ]
    study["baseline"]["lines"][0]["ram_gib"] = 4000.0
    assert purchase_of(study).params["demand"]["others"] == []


@pytest.mark.parametrize("ram_gib", [16.0, 256.0, 2000.0])
def test_what_is_rented_beside_machines_of_today_holds_the_ram_that_they_lack(
    ram_gib: float,
) -> None:
    """With nothing owned the comparison rents what the plan's own equations do."""
    study = today(ram_gib=ram_gib)
    study["baseline"]["lines"][0]["count"] = 9
    point = purchase_of(study).references.none_owned
    rented = [
        usd for (side, cause), usd in point.causes.items()
        if side == "rented" and cause in {"instances", "transfer", "support"}
    ]  # fmt: skip
    assert math.fsum(rented) == pytest.approx(float(point.parts.rent.sum()), rel=0.02)


@pytest.mark.parametrize("ram_gib", [16.0, 256.0, 2000.0])
def test_the_comparison_has_the_same_ram_of_what_a_plan_keeps(ram_gib: float) -> None:
    study = today(ram_gib=ram_gib)
    params = {**purchase_of(study).params, "reviews": [], "scenarios_count": 1}
    result = evaluate(SPEC, params, Context(seed=0)).model_dump(mode="json")
    planned = design_of(study, params, result)
    (kept,) = planned.spec["plan"]["kept"]
    assert kept["ram_gib"] == pytest.approx(3 * ram_gib / 1.25)
    held = held_before(study, params, result)
    assert held.compared_usd == pytest.approx(held.plan_usd, rel=0.02)
