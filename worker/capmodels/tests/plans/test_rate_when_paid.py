"""What is rented is invoiced in US dollars, and paid at the rate of its day."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from capmodels.plans.compare import SPEC, compare
from capmodels.spec import validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import document, settled

if TYPE_CHECKING:
    from capmodels.plans.comparison import Comparison
    from capmodels.spec import JSONDict

# No invoice of a provider.
OTHERS = {"staff", "migration", "carbon", "downtime", "tax"}


def paid_at(study: JSONDict, ratio: float) -> Comparison:
    changed = deepcopy(study)
    euros = {"code": "EUR", "per_usd": 0.9, "as_of": "2026-07-01", "paid_ratio": ratio}
    changed["assumptions"] |= {"currency": euros, "rounding": "none"}
    return compare(validate(SPEC, changed))


@pytest.mark.parametrize("seed", [1, 5, 8, 13, 21, 34, 55, 89])
def test_a_dollar_that_costs_half_as_much_again_does_so_to_all_that_is_rented(seed: int) -> None:
    study = {**document_of(random_study(seed)), "draws_count": 0}
    study["assumptions"]["tax"] = {"counted": False}
    if study["baseline"] is not None:
        # What one's own machines are sold for is no provider's invoice, in any design.
        study["baseline"]["resale_usd"] = 0.0
    for plain, dear in zip(paid_at(study, 1.0).designs, paid_at(study, 1.5).designs, strict=True):
        before = {(one.cause, one.side): one.npv_usd for one in plain.causes}
        for one in dear.causes:
            ratio = 1.5 if one.side == "rented" and one.cause not in OTHERS else 1.0
            if plain.is_baseline or one.cause == "migration":
                continue
            wanted = ratio * before[one.cause, one.side]
            assert one.npv_usd == pytest.approx(wanted, rel=1e-9), one.cause


def test_a_range_of_the_rate_moves_what_is_rented_and_not_what_is_owned() -> None:
    study = settled(document("rent-or-own", draws_count=400))
    item = {"pointer": "/assumptions/currency/paid_ratio", "low": 0.7, "high": 1.3}
    study["ranges"] = [item]
    found = {one.letter: one for one in paid_at(study, 1.0).designs}
    spread = {letter: (one.p90_usd or 0.0) - (one.p10_usd or 0.0) for letter, one in found.items()}
    assert spread["A"] > 0.1 * (found["A"].mean_usd or 0.0)
    # Own machines are bridged by rented ones for four months.
    assert spread["D"] < 0.2 * spread["A"]


def test_every_draw_of_the_rate_is_the_study_with_it_entered() -> None:
    study = settled(document("rent-or-own", draws_count=50))
    for ratio in (0.8, 1.2):
        study["ranges"] = [
            {"pointer": "/assumptions/currency/paid_ratio", "low": ratio, "high": ratio}
        ]
        for one in paid_at(study, ratio).designs:
            entered = one.npv_usd
            assert one.mean_usd == pytest.approx(entered, rel=1e-9)
