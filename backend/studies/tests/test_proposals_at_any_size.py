"""Proposals of random works, from five cores to a data centre: every part there, and sized."""

from __future__ import annotations

import copy
import random
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.plans.check.registry import RULES
from capmodels.plans.check.runs import runs_of
from capmodels.plans.compare import compare
from capmodels.plans.document.study import StudySpec
from capmodels.registry import get_model
from capmodels.spec import validate
from studies.documents import PLAN
from studies.proposals import search
from studies.proposals.engineered import people_for
from studies.proposals.propose import Option, document_of
from studies.tests.test_proposals_alike import PLACES, alices, found, leaning, proposed

if TYPE_CHECKING:
    from capmodels.plans.comparison import DesignResult
    from capmodels.spec import JSONDict

__all__ = ["alices"]

pytestmark = pytest.mark.db


def random_work(dice: random.Random) -> JSONDict:
    """Cores always; drives, objects, GPUs and traffic, or none, each over its whole span."""
    cores = 10 ** dice.uniform(0.7, 5.0)
    work: JSONDict = {"kind": "demand", "busy_cores_count": cores}
    work["ram_gib"] = cores * dice.uniform(2.0, 8.0)
    if dice.random() < 0.7:
        work["block_tb"] = min(cores * dice.uniform(0.01, 0.3), 5e4)
    if dice.random() < 0.5:
        work["object_tb"] = 10 ** dice.uniform(0.0, 5.7)
    if dice.random() < 0.4:
        work["gpu_peak_count"] = round(10 ** dice.uniform(0.0, 4.2))
        work["gpu_mean_count"] = work["gpu_peak_count"] * 0.8
    if dice.random() < 0.8:
        # Up to a Tbit/s.
        work["egress_tb_per_month"] = 10 ** dice.uniform(-1.0, 5.5)
    work["growth"] = {"cores_fraction_per_year": dice.choice([0.0, 0.2])}
    return work


def sized(design: JSONDict, column: DesignResult, work: JSONDict) -> None:
    """Hold an owned design to what an estate of its size needs."""
    spec = design["spec"]
    counts = {group.name: group.count for group in column.sizing[-1].groups}
    nodes = sum(counts.values())
    items = [(one["name"], one) for one in spec["equipment"]]

    def have(start: str) -> float:
        """How many of the things whose name begins so there are with all nodes in place."""
        total = 0.0
        for name, one in items:
            per, group = one.get("per_nodes_count"), one.get("group")
            counted = (
                counts.get(group, 0.0)
                if group
                else sum(counts[node["name"]] for node in spec["node_groups"])
            )
            total += one["count"] * (ceil(counted / per) if per else 1) * name.startswith(start)
        return total

    assert have("Edge") >= 2
    assert have("Console") >= 1
    leaves = [name for name, _ in items if name.startswith("Switch") and "400 Gbit" not in name]
    assert sum(have(name) for name in set(leaves)) >= 2
    # Of each machine two links.
    links = {"Copper", "Two optics of 10 ", "Two optics of 25 ", "Two optics of 100 "}
    assert sum(map(have, links)) >= 2 * nodes
    assert column.racks is not None
    racks = column.racks.racks_count
    assert have("Managed switch") >= racks
    # Two above them, as the firewalls and full leaves have no port for so many.
    if racks > 4:
        assert have("Switch, 48 x 10 Gbit/s") >= 2
    assert column.racks.fits is not False, column.racks.sentence
    gpus = next((one for one in spec["node_groups"] if one["role"] == "gpu"), None)
    assert (gpus is not None) == (work.get("gpu_peak_count", 0) > 0)
    if gpus is not None:
        servers = counts[gpus["name"]]
        assert have("Link of 400 Gbit/s to a host") == (8 * servers if servers > 1 else 0)
        if servers > 8:
            # Fewer ports than GPUs, or no switch above the leaves of more than 64 of them.
            assert have("Switch, 64 x 400") * 64 >= 8 * servers
        if servers > 64:
            assert have("Link of 400 Gbit/s between switches") >= 8 * servers
        # One class of racks is for all: where light boxes outnumber them, one may stand alone.
        if servers > 8 and servers > nodes / 2 and "array" not in spec:
            assert gpus["nodes_per_rack_count"] >= 2
    sent = work.get("egress_tb_per_month", 0.0)
    network = spec["network"]
    assert network["cross_connects_count"] >= 2
    assert network["usd_per_tb"] > 0
    # Lines of 1, 10, 100 or 400 Gbit/s carry twice the mean with one provider lost.
    lines = network["cross_connects_count"] / 2 * 400.0 * 0.7
    assert lines >= 2 * sent * 8 / 2.63e6 / 1000.0
    for group in spec["node_groups"]:
        spare = group.get("spare_nodes_count", 1)
        if group["role"] == "gpu":
            # A part takes about a week, and the next server is dear: few have none to spare.
            assert spare >= int(counts[group["name"]] * 0.73 / 52.0), group["name"]
            assert spare == 0 or counts[group["name"]] > 3
            continue
        failing = counts[group["name"]] * 0.05 / 12.0
        assert spare >= max(1, int(failing)), group["name"]
    assert 0 < spec["staff_fte"] < 200
    assert spec["backup"]["usd_per_tb_month"] > 0
    assert spec["spares_fraction_per_year"] > 0


def look(seed: int) -> None:
    dice = random.Random(seed)
    work = random_work(dice)
    options = [Option("owned")]
    if work.get("object_tb") and dice.random() < 0.3:
        options.append(Option("coded"))
    options += [Option("aws", 36)]
    if dice.random() < 0.5:
        options.append(Option("hybrid"))
    proposal = proposed(work, options, dice.choice(PLACES))
    assert found(proposal) == [], work
    assert leaning(proposal) == [], work
    study = validate(get_model(PLAN), document_of(proposal))
    assert isinstance(study, StudySpec)
    for design, column in zip(proposal["designs"], compare(study).designs, strict=True):
        assert column.carries_load, work
        # By what the check counts, to the unit.
        fte, _ = people_for(runs_of(study, column))
        assert design["spec"]["staff_fte"] == pytest.approx(fte, rel=1e-9), work
        if design["kind"] == "owned_cluster":
            sized(design, column, work)


@pytest.mark.usefixtures("alices")
def test_random_works_are_answered_whole() -> None:
    for seed in range(4):
        look(seed)


@pytest.mark.deep
@pytest.mark.usefixtures("alices")
def test_two_hundred_random_works_are_answered_whole() -> None:
    for seed in range(4, 204):
        look(seed)


def _cost(work: JSONDict) -> float:
    proposal = proposed({"kind": "demand", **work}, [Option("owned")])
    study = validate(get_model(PLAN), document_of(proposal))
    assert isinstance(study, StudySpec)
    return compare(study).designs[0].npv_usd


SIZES: dict[str, tuple[str, list[float], dict[str, float]]] = {
    "cores": ("busy_cores_count", [5, 50, 500, 5000, 50_000], {"ram_gib": 4.0}),
    "objects": ("object_tb", [10, 1000, 10_000, 100_000], {}),
    "GPUs": ("gpu_peak_count", [8, 64, 1024, 8192], {"gpu_mean_count": 0.8}),
}


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize("name", SIZES)
def test_what_one_costs_falls_with_size_but_for_steps_that_are_explained(name: str) -> None:
    field, sizes, more = SIZES[name]
    base: dict[str, Any] = {"busy_cores_count": 20, "ram_gib": 100}
    costs = []
    for size in sizes:
        work = {**base, field: size, **{other: each * size for other, each in more.items()}}
        costs.append(_cost(work) / size)
    # A second and a third tier of switches cost a GPU more than the first: 3% of all at most.
    step = 1.03
    assert all(big <= small * step for small, big in pairwise(costs)), costs


def without(document: JSONDict, pointer: str) -> JSONDict:
    """The study with one part of design A taken out, or back to what a typed design begins with."""
    whole = copy.deepcopy(document)
    *path, last = pointer.split("/")[1:]
    here: Any = whole["designs"][0]
    for step in path:
        here = here[int(step)] if isinstance(here, list) else here[step]
    del here[int(last) if isinstance(here, list) else last]
    if pointer == "/support":
        # A typed design begins with a warranty in its price.
        whole["designs"][0]["support"] = {"warranty_months": 0}
    # What is not there has no range.
    whole["ranges"] = []
    return whole


def parts_of(spec: JSONDict, work: JSONDict) -> list[str]:
    """Parts of an owned design that an estate needs at its size, by their places."""
    found = [f"/equipment/{place}" for place in range(len(spec["equipment"]))]
    found += [
        f"/node_groups/{place}/spare_nodes_count"
        for place, group in enumerate(spec["node_groups"])
        if group.get("spare_nodes_count")
    ]
    found += [
        f"/node_groups/{place}/perf_per_core_ratio"
        for place, group in enumerate(spec["node_groups"])
        if group["role"] in {"compute", "compute_and_block"}
    ]
    found += ["/staff_fte", "/spares_fraction_per_year", "/support", "/space"]
    if work.get("block_tb"):
        found.append("/backup")
    if work.get("egress_tb_per_month"):
        found.append("/network")
    return found


def findings(document: JSONDict) -> set[str]:
    """What the like-for-like check finds in a study, before anything is worth money."""
    study = validate(get_model(PLAN), document)
    assert isinstance(study, StudySpec)
    return {f"{rule.number}:{one.sentence}" for rule in RULES for one in rule.find(study)}


def missed(seed: int) -> list[str]:
    """Parts of a random proposal that can be taken out without a finding."""
    dice = random.Random(seed)
    work = random_work(dice)
    proposal = proposed(work, [Option("owned"), Option("aws", 36)])
    document = {**document_of(proposal), "ranges": []}
    before = findings(document)
    spec = proposal["designs"][0]["spec"]
    return [
        f"{pointer} {spec['equipment'][int(pointer.split('/')[2])]['name']}"
        if pointer.startswith("/equipment/")
        else pointer
        for pointer in parts_of(spec, work)
        if not findings(without(document, pointer)) - before
    ]


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize("seed", range(3))
def test_a_part_that_is_taken_out_is_found(seed: int) -> None:
    assert missed(seed) == []


@pytest.mark.deep
@pytest.mark.usefixtures("alices")
def test_no_part_of_a_hundred_random_proposals_can_be_taken_out_unseen() -> None:
    assert [found for seed in range(3, 103) for found in missed(seed)] == []


@pytest.mark.deep
@pytest.mark.usefixtures("alices")
def test_what_is_costed_holds_the_best_of_all_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(8):
        work = random_work(random.Random(seed))
        of_few = _cost(work)
        with monkeypatch.context() as patched:
            patched.setattr(search, "PROPOSED", 10_000)
            assert of_few <= 1.02 * _cost(work), work
