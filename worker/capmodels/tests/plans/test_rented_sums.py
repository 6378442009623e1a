"""What has to hold of the rented side of any study, seen on random ones."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import pytest

from capmodels.amounts import fsum
from capmodels.plans.costing.book import CauseBook
from capmodels.plans.costing.designs import cause_book, cost_designs, cost_part
from capmodels.plans.costing.scene import Scene
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import JSONDict, study_of

FEW, MANY = range(20, 40), range(40, 240)


def causes_usd(document: JSONDict, letter: str) -> dict[str, float]:
    """What each cause of a design costs, not discounted, but for migration and tax."""
    study = study_of(document)
    scene = Scene(study)
    design = next(part for part in study.designs if part.letter == letter)
    item = cost_part(design, scene, CauseBook(scene.months))
    causes = cause_book(item).causes
    return {f"{side} {cause}": fsum(book.cash()) for (cause, side), book in causes.items()}


def sums_of_others(document: JSONDict, letter: str) -> tuple[list[float], list[float]]:
    """What other designs cost with all that their moves ask for, not discounted.

    Apart from those that rent none of it, hybrids that rent it: they pay its commitments.
    """
    scene = Scene(study_of(document))
    apart, renting = list[float](), list[float]()
    for item in cost_designs(scene, lambda: CauseBook(scene.months)):
        if item.letter != letter:
            rents = getattr(item.design, "rented_letter", None) == letter
            (renting if rents else apart).append(fsum(item.book.cash()))
    return apart, renting


def check_paying_earlier(seeds: range) -> None:
    """No share paid in advance, half and all of it: the sum never falls, nor that of
    hybrids that rent it; those of others stay."""
    checked = 0
    for seed in seeds:
        document = document_of(random_study(seed)) | {"ranges": [], "draws_count": 0}
        document["assumptions"] = {**document["assumptions"], "correlations": []}
        for place, design in enumerate(document["designs"]):
            if design["kind"] != "cloud" or not design.get("commitments"):
                continue
            sums, beside, renting = [], [], []
            for share in (0.0, 0.5, 1.0):
                paid = copy.deepcopy(document)
                for one in paid["designs"][place]["commitments"]:
                    # The level is entered: the best one depends on when it is paid.
                    one["base_quantile_fraction"] = one.get("base_quantile_fraction") or 0.5
                    one["upfront_fraction"] = share
                sums.append(sum(causes_usd(paid, design["letter"]).values()))
                apart, rented = sums_of_others(paid, design["letter"])
                beside.append(apart)
                renting.append(rented)
            slack = 1e-9 * max(map(abs, sums))
            assert sums[0] <= sums[1] + slack, (seed, design["letter"], sums)
            assert sums[1] <= sums[2] + slack, (seed, design["letter"], sums)
            for earlier, later in itertools.pairwise(renting):
                for usd, more in zip(earlier, later, strict=True):
                    assert usd <= more + 1e-9 * abs(usd), (seed, design["letter"], renting)
            assert beside[1:] == [pytest.approx(beside[0], rel=1e-9)] * 2, (seed, beside)
            checked += 1
    assert checked > len(seeds) / 20


def without_work(design: JSONDict, side: str) -> JSONDict:
    """A hybrid all of which lives on the other side."""
    other = "rented" if side == "owned" else "owned"
    kinds = ("compute", "block", "object", "archive", "gpus", "transfer", "services")
    placed: dict[str, Any] = dict.fromkeys(kinds, other)
    return {**design, "placement": placed, "services": [], "burst_storage_tb": 0.0}


def serves(document: JSONDict, letter: str) -> bool:
    """Whether nodes of an owned design do what no placement moves."""
    owned = next(part for part in document["designs"] if part["letter"] == letter)
    return any(group.get("role") in {"service", "other"} for group in owned["node_groups"])


def check_a_side_without_work(seeds: range) -> None:
    """Of a hybrid all of which lives on one side the other has no cause that costs."""
    checked = 0
    for seed in seeds:
        document = document_of(random_study(seed)) | {"ranges": [], "draws_count": 0}
        document["assumptions"] = {**document["assumptions"], "correlations": []}
        for place, design in enumerate(document["designs"]):
            if design["kind"] != "hybrid" or serves(document, design["owned_letter"]):
                continue
            for side in ("owned", "rented"):
                moved = copy.deepcopy(document)
                moved["designs"][place] = without_work(design, side)
                usd = causes_usd(moved, design["letter"])
                # People stand on one side of the ledger, whichever they run; a service that
                # another vendor bills follows its placement.
                paid = {
                    name: amount
                    for name, amount in usd.items()
                    if name.startswith(side) and abs(amount) > 1e-6 and "staff" not in name
                }
                assert not paid, (seed, design["letter"], side, paid)
                checked += 1
    assert checked > len(seeds) / 20


def test_paying_in_advance_never_lowers_the_sum() -> None:
    check_paying_earlier(FEW)


def test_a_side_without_work_costs_nothing() -> None:
    check_a_side_without_work(FEW)


@pytest.mark.deep
def test_paying_in_advance_never_lowers_the_sum_of_many_studies() -> None:
    check_paying_earlier(MANY)


@pytest.mark.deep
def test_no_side_without_work_of_many_studies_costs_anything() -> None:
    check_a_side_without_work(MANY)
