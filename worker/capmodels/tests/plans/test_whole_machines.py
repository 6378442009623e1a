"""Rented machines are whole ones, hour by hour, with the spare ones and the sites of owned ones."""

from __future__ import annotations

import copy
import math
from random import Random
from typing import Any

import numpy as np
import pytest

from capmodels.amounts import as_number, fsum
from capmodels.plans.costing.book import CauseBook
from capmodels.plans.costing.cloud_cost import CloudCase, Tariffs, write_instances
from capmodels.plans.costing.cloud_rent import machines_at, need_at, need_rates
from capmodels.plans.costing.cloud_rent_kernel import COUNTED_MOST, Machines
from capmodels.plans.costing.duration import DurationCurve
from capmodels.plans.costing.need import Fleet, Need, NeedRates
from capmodels.plans.costing.scene import Scene
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    owned,
    plain,
    study_of,
)

# Hours of a day with half, once and twice the mean.
HALVES = {"kind": "hourly", "values_ratio": [0.5] * 12 + [1.0] * 6 + [2.0] * 6}
YEAR_H = 8760


def five_cores(design: JSONDict, **work: Any) -> JSONDict:
    """5 busy cores on machines of 16, as in the issue: 0.3 of one."""
    return plain([design], demand(busy_cores_count=5, **work))


@pytest.mark.decisive
@pytest.mark.parametrize(
    ("spare", "sites", "count"), [(0, 1, 1), (1, 1, 2), (2, 1, 3), (0, 2, 2), (1, 2, 2), (1, 3, 3)]
)
def test_five_busy_cores_take_as_many_machines_rented_as_owned(
    spare: int, sites: int, count: int
) -> None:
    available = {"spare_nodes_count": spare, "sites_count": sites}
    own = owned("A", group={"cores_per_node_count": 16})
    rent = cloud("B", item={"vcpu_count": 16})
    result = answer(plain([own, rent], demand(busy_cores_count=5, availability=available)))
    for letter in "AB":
        assert column(result, letter).sizing[0].groups[0].count == count
    assert cause_usd(column(result, "B"), "instances") == pytest.approx(count * YEAR_H)


def test_an_instance_type_may_have_spare_ones_of_its_own() -> None:
    rent = cloud("A", item={"vcpu_count": 16, "spare_count": 0})
    study = five_cores(rent, availability={"spare_nodes_count": 3})
    assert column(answer(study), "A").total_usd == pytest.approx(YEAR_H)


def test_whole_machines_of_a_day_by_hand() -> None:
    """6.9, 13.7 and 27.4 busy cores on machines of 10: 1, 2 and 3 of them, and a spare one."""
    study = plain(
        [cloud("A")],
        demand(busy_cores_count=13.7, shape=HALVES, availability={"spare_nodes_count": 1}),
    )
    each_hour = (12 * (1 + 1) + 6 * (2 + 1) + 6 * (3 + 1)) / 24
    assert column(answer(study), "A").total_usd == pytest.approx(each_hour * YEAR_H)
    # Two are needed in every hour, the third in half of them, the fourth in a quarter.
    for price, committed in ((0.6, 2), (0.45, 3), (0.2, 4)):
        promise = {"term_months": 12, "discount_fraction": 1 - price}
        design = cloud("A", commitments=[promise])
        found = column(answer({**study, "designs": [design]}), "A")
        assert found.sizing[0].groups[0].committed_count == committed
        beyond = {2: 0.5 + 0.25, 3: 0.25, 4: 0.0}[committed]
        assert found.total_usd == pytest.approx((committed * price + beyond) * YEAR_H)


def test_gpus_run_on_whole_machines_as_long_as_their_mean_says() -> None:
    """20 GPUs at peak are three machines of 8, and one spare; a mean of 5 is a quarter of that."""
    item = {"vcpu_count": 8, "gpus_count": 8}
    headroom = {**demand()["headroom"], "gpu_target_fraction": 1.0}
    for mean, share in ((None, 1.0), (5.0, 0.25)):
        work = demand(
            busy_cores_count=0,
            gpu_peak_count=20,
            gpu_mean_count=mean,
            headroom=headroom,
            availability={"spare_nodes_count": 1},
        )
        found = column(answer(plain([cloud("A", item=item)], work)), "A")
        assert cause_usd(found, "instances") == pytest.approx(4 * share * YEAR_H)


def random_need(rng: Random) -> tuple[Need, Fleet, DurationCurve, float]:
    """Work of any size over a day, a week or a year, and a level."""
    hours = range(rng.choice((1, 3, COUNTED_MOST, COUNTED_MOST + 1, 168, 1000)))
    steep = rng.choice((0.5, 1, 3))
    if rng.random() < 0.5:
        values = [rng.choice((0, 1, 1, 1)) * rng.random() ** steep for _ in hours]
    else:
        values = [1 + 0.5 * math.sin(at * math.pi / 12) + 0.1 * rng.random() for at in hours]
    values[0] = max(values[0], 0.1)
    size = 10 ** rng.uniform(-2, 3)
    need = Need(
        size * rng.choice((0, 1, rng.random())),
        size * rng.choice((0, 0, rng.random())),
        size * rng.choice((0, 0, rng.random())),
        running=rng.choice((1.0, 1.0, 0.3)),
    )
    fleet = Fleet(rng.choice((0, 1, 2)), rng.choice((1, 1, 2, 5)))
    level = rng.choice((0, 1, 2, round(size), round(1.5 * size)))
    return need, fleet, DurationCurve(values), float(level)


def test_machines_are_those_of_every_hour() -> None:
    """Counted hour by hour: exact up to two dozen machines or hours, else within a hundredth."""
    rng, far = Random(7), []
    for _ in range(600):
        need, fleet, curve, level = random_need(rng)
        machines = Machines.of(need, fleet, curve)
        count = [as_number(need.machines(value, fleet, curve.grain)) for value in curve.values]
        running = as_number(need.running)
        mean = running * sum(max(one - level, 0.0) for one in count) / len(count)
        found = machines.excess(level).item()
        if len(curve.levels) > COUNTED_MOST and max(count) - level > COUNTED_MOST:
            far.append(abs(found - mean) / max(count))
        else:
            assert found == pytest.approx(mean, abs=1e-9, rel=1e-9)
        for nth in (1.0, 2.0, 4.0, level + 1):
            share = running * sum(one >= nth for one in count) / len(count)
            assert machines.share_needing(nth).item() == pytest.approx(share, abs=1e-9)
    assert len(far) > 20
    assert max(far) < 0.01
    assert sum(far) / len(far) < 0.001


def test_draws_have_the_machines_of_each_one() -> None:
    rng = Random(11)
    for _ in range(60):
        need, fleet, curve, level = random_need(rng)
        sizes = np.array([0.4, 1.0, 1.7])
        lines: list[Any] = [need.cores * sizes, need.base * sizes, need.ram, 0.0, need.running]
        found = Machines.of(Need(*lines), fleet, curve).excess(level)
        for place, one in enumerate(found[0]):
            alone = Need(lines[0][place], lines[1][place], need.ram, running=need.running)
            assert one == pytest.approx(Machines.of(alone, fleet, curve).excess(level).item())


def clouds_of(seed: int) -> list[tuple[Any, Scene]]:
    """Rented designs of a random study with a demand."""
    study = study_of(document_of(random_study(seed)))
    if study.workload.kind != "demand":
        return []
    scene = Scene(study)
    return [(design, scene) for design in study.designs if design.kind == "cloud"]


def instances_usd(design: Any, scene: Scene) -> float:
    book = CauseBook(scene.months)
    write_instances(CloudCase(design, scene, book, Tariffs.of(design)))
    return fsum(book.cash())


def in_parts(design: Any, parts: int, **changes: Any) -> Any:
    """The design with each instance cut into many, of a part of its size and price."""
    fields = ("usd_per_h", "vcpu_count", "ram_gib", "gpus_count", "network_gbit_per_s")
    items = []
    for item in design.instances:
        cut = {name: getattr(item, name) / parts for name in fields if getattr(item, name)}
        items.append(item.model_copy(update={**cut, **changes}))
    return design.model_copy(update={"instances": tuple(items)})


def check_whole_against_parts(seeds: range) -> None:
    """On demand, whole ones cost no less than parts, and at most one and the spare ones more."""
    checked = 0
    for seed in seeds:
        for design, scene in clouds_of(seed):
            alone = design.model_copy(update={"commitments": ()})
            whole = instances_usd(alone, scene)
            parts = instances_usd(in_parts(alone, 1000, spare_count=0), scene)
            assert whole >= parts * (1 - 1e-3) - 1e-9, (seed, design.letter, whole, parts)
            months = fsum(
                scene.price_factor("instances", month + 0.5) for month in range(scene.months)
            )
            more = 0.0
            for item in design.instances:
                fleet = need_rates(item, scene).fleet
                more += fleet.least_count * item.usd_per_h * scene.hours_per_month * months
            assert whole <= parts + more * (1 + 1e-9), (seed, design.letter, whole, parts, more)
            checked += 1
    assert checked > len(seeds) / 10


def test_whole_machines_cost_no_less_than_parts_and_at_most_one_and_the_spare_more() -> None:
    check_whole_against_parts(range(12))


@pytest.mark.deep
def test_whole_machines_of_many_studies_cost_no_less_than_parts() -> None:
    check_whole_against_parts(range(12, 200))


def twice(document: JSONDict) -> JSONDict:
    """Twice the work on machines of twice the size at twice the price, for the rest as it was."""
    more = copy.deepcopy(document)
    work = more["workload"]
    for name in ("busy_cores_count", "ram_gib", "gpu_peak_count", "gpu_mean_count"):
        if work.get(name):
            work[name] *= 2
    for design in more["designs"]:
        for item in design["instances"]:
            for name in ("vcpu_count", "ram_gib", "usd_per_h"):
                item[name] *= 2
    return more


@pytest.mark.parametrize("base", [None, 0.4])
@pytest.mark.parametrize("cores", [3.0, 41.0, 900.0])
def test_twice_the_work_on_machines_twice_as_large_is_twice_the_bill(
    cores: float, base: float | None
) -> None:
    promise = {"term_months": 12, "discount_fraction": 0.4, "base_quantile_fraction": base}
    work = demand(
        busy_cores_count=cores,
        ram_gib=cores * 4,
        shape=HALVES,
        growth={"cores_fraction_per_year": 0.3},
        availability={"spare_nodes_count": 1, "sites_count": 2},
    )
    study = plain([cloud("A", commitments=[promise])], work, horizon_months=30)
    once, more = (column(answer(one), "A").total_usd for one in (study, twice(study)))
    assert more == pytest.approx(2 * once)


def test_a_large_design_hardly_moves_where_the_count_turns_into_an_integral() -> None:
    """From below to above the machines that are counted, a core at a time: no jump of the bill."""
    day = [1 + 0.5 * math.sin(hour * math.pi / 12) + 0.01 * (hour % 7) for hour in range(168)]
    sums = []
    for cores in range(100, 260):
        shape = {"kind": "hourly", "values_ratio": day}
        study = plain([cloud("A")], demand(busy_cores_count=cores, shape=shape))
        sums.append(column(answer(study), "A").total_usd / YEAR_H)
    steps = np.diff(sums)
    # A core is a tenth of a machine.
    assert steps.min() >= -0.02
    assert steps.max() < 0.25


def test_what_stands_at_the_peak_is_whole() -> None:
    study = five_cores(cloud("A", item={"vcpu_count": 16}), availability={"spare_nodes_count": 1})
    found = column(answer(study), "A")
    assert found.spare.cores_fraction == pytest.approx(1 - 5 / 32)
    spec = study_of(study)
    scene, design = Scene(spec), spec.designs[0]
    assert need_at(design.instances[0], scene, 0).at(1.0) == pytest.approx(5 / 16)  # type: ignore[union-attr]  # a cloud
    assert machines_at(design.instances[0], scene, 0, 1.0) == 2  # type: ignore[union-attr]  # a cloud


def test_trials_that_draw_no_gpus_need_no_machine() -> None:
    running: Any = np.array([0.0, 0.5])
    gpus: Any = np.array([0.0, 4.0])
    rates = NeedRates(0.0, 0.0, 0.0, 0.125, 0.0, Fleet(), running)
    with np.errstate(all="raise"):
        need = rates.need(0.0, 0.0, gpus, 0.0)
    assert np.asarray(need.base).tolist() == [0.0, 1.0]
