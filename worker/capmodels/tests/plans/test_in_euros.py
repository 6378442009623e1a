"""What is said beside the answer of a study in euros is in euros: checks, plan of purchases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ModelError
from capmodels.plans.check import typical
from capmodels.plans.check.like_for_like import check
from capmodels.plans.document.study import StudySpec
from capmodels.plans.purchase.of_study import purchase_of
from capmodels.registry import get_model
from capmodels.spec import Context, validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import cloud, demand, owned, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.spec import JSONDict

EUROS = {"code": "EUR", "per_usd": 0.5, "as_of": "2026-07-01"}
# A source says what it says, in the currency that it was published in.
BLOCK = {"up_to_tb": None, "usd_per_gb_month": 0.1}
QUOTED = re.compile(r"source price \$[\d.,]+|\$x\^2\$")


def in_euros(seed: int) -> JSONDict:
    """A random study in euros, without the costs that a check asks for."""
    document = document_of(random_study(seed))
    document["assumptions"]["currency"] = EUROS
    for design in document["designs"]:
        for name in ("staff_fte", "staff_usd_per_year"):
            if name in design:
                design[name] = 0.0
        if "space" in design:
            design["space"] = {}
        if "credits" in design:
            design["credits"] = {"usd": 9_000.0, "months": 3}
    return document


def texts_of(value: Any, key: str = "") -> Iterator[str]:
    """Every text of an answer but units, which name what an amount is held in."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from texts_of(inner, name)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_of(inner, key)
    elif isinstance(value, str) and key != "unit":
        yield value


def in_dollars(texts: Iterator[str]) -> list[str]:
    return [text for text in texts if "$" in QUOTED.sub("", text)]


def amounts_of(seed: int) -> int:
    """Findings of a random study with an amount, none of them in dollars."""
    found = check(StudySpec.model_validate(in_euros(seed))).model_dump(mode="json")
    assert in_dollars(texts_of(found)) == []
    return sum("€" in finding["sentence"] for finding in found["findings"])


def test_findings_of_random_studies_have_no_dollars() -> None:
    assert sum(map(amounts_of, range(6))) > 2


@pytest.mark.deep
def test_findings_of_many_random_studies_have_no_dollars() -> None:
    assert sum(map(amounts_of, range(6, 60))) > 16


def test_every_rule_that_names_an_amount_names_it_in_euros() -> None:
    """Of backup, credits, books, space, transit, egress and requests at once."""
    today = {"lines": [], "book_value_usd": 30_000.0}
    sends = demand(
        egress_tb_per_month=10,
        block_tb=4,
        block_io_per_s=0,
        object_use={"writes_millions_per_month": 1},
    )
    designs = [
        owned("A", space={}, backup={"usd_per_tb_month": 0.0}),
        cloud(
            "B",
            credits={"usd": 8_000.0, "months": 2},
            storage={"backup_usd_per_tb_month": 6, "block_tiers": [BLOCK]},
            transfer={"egress_tiers": [{"up_to_tb": None, "usd_per_gb": 0.0}]},
        ),
    ]
    study = plain(designs, sends, currency=EUROS)
    found = check(StudySpec.model_validate({**study, "baseline": today}))
    said = " ".join(finding.sentence for finding in found.findings)
    assert in_dollars(iter([said])) == []
    for amount in ("€3 per TB", "€4.00 k", "€15 k", "€97.50 per kW", "€750 a month"):
        assert amount in said.replace("\N{NO-BREAK SPACE}", " ")


def test_a_typical_amount_keeps_the_price_of_its_source() -> None:
    told = typical.COLOCATION.told(StudySpec.model_validate(in_euros(1)).assumptions.currency)
    assert told.startswith("€97.50 per kW and month (€75 to €120;")
    assert "source price $194.95" in told


@pytest.mark.parametrize("seed", [1, 4])
def test_a_plan_of_purchases_is_in_the_currency_of_its_study(seed: int) -> None:
    spec = get_model("plans.purchase_plan")
    for study in (in_euros(one) for one in range(seed, 40)):
        try:
            asked = purchase_of(study)
        except ModelError:
            continue
        break
    assert in_dollars(iter(asked.notes)) == []
    few = {**asked.params, "months_count": 18, "beside": None, "scenarios_count": 5,
           "gap_fraction": 0.05}  # fmt: skip
    answer = spec.run(validate(spec, few), Context(seed=1)).model_dump(mode="json")
    texts = [*texts_of(answer)]
    assert in_dollars(iter(texts)) == []
    assert sum("€" in text for text in texts) > 5
