"""What flips the verdict is told in sentences that one could say."""

from __future__ import annotations

import pytest

from capmodels.plans.answer.flips import NOT_COMPUTED, flip_words, flips_sentence, said
from capmodels.plans.comparison import Flip
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.assumptions import Currency
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.words import label_of
from capmodels.tests.plans.documents import answer, document, owned, plain, study_of


def scene_of(slug: str) -> Scene:
    return Scene(study_of(document(slug)))


def flip(scene: Scene, pointer: str, at: float | None) -> Flip:
    leaf = leaf_at(scene.study, pointer)
    assert leaf is not None
    return Flip(
        pointer=pointer,
        label=label_of(scene.study, leaf),
        unit=leaf.facts.unit,
        quantity=pointer,
        value=leaf.value,
        low=0.0,
        high=2.0 * leaf.value,
        flips_at=at,
        rises=at is not None and at > leaf.value,
        winner_after=None if at is None else "A",
    )


SENTENCES = [
    (
        "disk-arrays",
        "/designs/A/array/drive_price_usd",
        89.7,
        "the array's price of a drive in A falls below $89.70 (now $195)",
    ),
    (
        "disk-arrays",
        "/designs/B/array/drive/afr_fraction",
        0.05,
        "the drive's annual failure rate in B rises above 5% (now 1.7%)",
    ),
    (
        "disk-arrays",
        "/workload/block_io_per_s",
        40.0,
        "the block IOPS rise above 40 a second (now 10 a second)",
    ),
    (
        "disk-arrays",
        "/designs/A/hardware_price_ratio",
        0.46,
        "parts of A cost 54% less than entered",
    ),
    (
        "fawn-nodes",
        "/workload/service/query_rate_per_s",
        105e3,
        "fewer than 105,000 queries a second arrive",
    ),
    (
        "fawn-nodes",
        "/workload/service/dataset_tb",
        0.256,
        "the service's data set falls below 0.256 TB (now 10 TB)",
    ),
    (
        "seamicro-i7",
        "/designs/B/node_groups/0/price/unit_price_usd",
        3008.0,
        "a node of Core i7-920 servers costs more than $3.01 k in B",
    ),
    (
        "planetlab-consolidation",
        "/designs/F/space/usd_per_rack_month",
        2049.0,
        "colocation of F costs more than $2.05 k per rack and month",
    ),
    (
        "free-factories",
        "/designs/B/instances/0/usd_per_h",
        0.679,
        "m1.xlarge costs less than $0.679 an hour in B",
    ),
    (
        "free-factories-prototypes",
        "/workload/machines/0/utilization_fraction",
        0.166,
        "utilisation of templeton falls below 17%",
    ),
    (
        "rent-or-own",
        "/designs/E/staff_fte",
        2.56,
        "operations of E need fewer than 2.6 people",
    ),
    (
        "rent-or-own",
        "/designs/D/migration/overrun_ratio",
        1.36,
        "migration to D costs 36% more than planned",
    ),
    (
        "rent-or-own",
        "/assumptions/staff_usd_per_fte_year",
        75.9e3,
        "a person costs less than $76 k a year",
    ),
    (
        "rent-or-own",
        "/assumptions/price_changes/dram_fraction_per_year",
        0.2,
        "prices of memory modules change by more than 20% a year",
    ),
    (
        "rent-or-own",
        "/workload/growth/object_fraction_per_year",
        0.4,
        "object storage grows by more than 40% a year",
    ),
]


@pytest.mark.parametrize(("slug", "pointer", "at", "sentence"), SENTENCES)
def test_a_flip_reads_as_a_clause(slug: str, pointer: str, at: float, sentence: str) -> None:
    scene = scene_of(slug)
    assert flip_words(flip(scene, pointer, at), scene) == sentence


@pytest.mark.decisive
def test_the_nearest_two_are_told_each_with_who_becomes_the_cheapest() -> None:
    scene = scene_of("rent-or-own")
    people = flip(scene, "/designs/E/staff_fte", 2.6)
    discount = flip(scene, "/designs/B/commitments/0/discount_fraction", 0.68)
    other = discount.model_copy(update={"winner_after": "B"})
    no_value = flip(scene, "/designs/C/staff_fte", None)
    needs, gives = "operations of E need fewer than 2.6 people", "commitments of B give more than "
    assert flips_sentence((people, discount, people, no_value), scene) == (
        f"Break-even: on average, A becomes the cheapest if {needs}, or if {gives}68% off."
    )
    assert flips_sentence((people, other), scene) == (
        f"Break-even: on average, A becomes the cheapest if {needs}; B becomes the cheapest if "
        f"{gives}68% off."
    )
    assert flips_sentence((no_value,), scene) == (
        "No single unknown, anywhere in its range, makes another design the cheapest on average."
    )
    assert flips_sentence((), scene) == NOT_COMPUTED


def test_what_has_its_group_in_its_name_is_not_named_twice() -> None:
    study = scene_of("disk-arrays").study
    labels = {
        "/assumptions/carbon/gco2e_per_kwh": "Carbon intensity",
        "/designs/A/space/usd_per_year": "Space, flat (A)",
        "/designs/A/array/embodied/drive_kgco2e": "Array, embodied carbon: a drive (A)",
    }
    for pointer, label in labels.items():
        leaf = leaf_at(study, pointer)
        assert leaf is not None
        assert label_of(study, leaf) == label


def test_units_are_said_not_spelled() -> None:
    dollars = Currency()
    assert said(0.25, "USD/h", dollars) == "$0.25 an hour"
    assert said(1200.0, "USD/yr", dollars) == "$1.20 k a year"
    assert said(900.0, "USD/rack-month", dollars) == "$900 per rack and month"
    assert said(0.13, "USD/kWh", dollars) == "$0.13/kWh"
    assert said(5e4, "1/s", dollars) == "50,000 a second"
    assert said(0.07, "fraction/yr", dollars) == "7% a year"


def test_designs_of_one_cost_become_the_cheapest_together() -> None:
    """No order of the designs names one of them alone."""
    people = {"pointer": "/designs/A/staff_fte", "low": 0.0, "high": 0.3}
    sentences = set[str | None]()
    for letters in ("BC", "CB"):
        designs = [owned("A", staff_fte=0.1), *(owned(letter) for letter in letters)]
        for place, design in enumerate(designs):
            design["staff_fte"] = 0.1 if place == 0 else 0.2
        study = plain(designs)
        study |= {"ranges": [people], "draws_count": 2000}
        found = answer(study)
        (flip,) = [one for one in found.flips if one.flips_at is not None]
        assert (flip.winner_after, flip.tied_after) == ("B", ("C",))
        assert flip.then == "B and C are cheapest above"
        sentences.add(found.verdict.flips)
    (sentence,) = sentences
    assert sentence is not None
    assert "B and C become the cheapest if operations of A need more than" in sentence
