"""Every price of the catalogue has a field of a study that it can be taken into."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capmodels.registry import get_model
from catalogue.fields import is_price
from catalogue.fixture_entries import read_entries
from catalogue.fixture_rows import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACES = ROOT.parent / "frontend/src/components/form/catalogue-places.json"

# Prices that no field of a study takes, and why.
ELSEWHERE = {
    ("drive", "usd_per_tb"): "the drive's price over its capacity, which are both taken",
    ("part", "usd_per_tb"): "the part's price over its capacity, which are both taken",
    ("part", "usd_per_gb"): "the part's price over its capacity, which are both taken",
    ("staff", "salary_usd_per_year"): "is in the cost of a person",
    ("network_service", "usd_per_unit_h"): "by units of a balancer that a design does not count",
    ("electricity", "period_usd_per_kwh"): "needs its calendar; the mean is taken",
    ("electricity", "demand_period_usd_per_kw_month"): "needs its calendar; typed as one price",
    ("managed_node", "usd_per_h"): "a design has no line of managed services",
}
# Figures of papers are for checks; a region's prices are taken by choosing the region, a pack's
# by following it.
NOT_TAKEN = {"paper", "region", "assumption_pack"}


def definitions() -> dict[str, dict[str, Any]]:
    schema = get_model("plans.compare").params.model_json_schema()
    found: dict[str, dict[str, Any]] = schema["$defs"]
    return found


def refs(part: dict[str, Any]) -> Iterator[str]:
    """Names of the definitions that a property is, or is one of."""
    for option in (part, *part.get("anyOf", ()), *part.get("oneOf", ())):
        if "$ref" in option:
            yield option["$ref"].rpartition("/")[2]


def kinds_of(fields: set[str], table: dict[str, Any]) -> set[str]:
    own = {
        place["kind"]
        for place in table["groups"]
        if set(place["has"]) <= fields and not set(place.get("not", ())) & fields
    }
    ruled = {
        rule["kind"]
        for rule in table["rules"]
        if (rule["into"] in fields or "{" in rule["into"]) and set(rule.get("with", ())) <= fields
    }
    return own | ruled


def taken() -> set[tuple[str, str]]:
    """Fields of each kind of entry that go into some group."""
    table = json.loads(PLACES.read_text())
    known = definitions()
    found: set[tuple[str, str]] = set()
    for shape in known.values():
        properties: dict[str, Any] = shape.get("properties", {})
        cases = {name for part in properties.values() if "oneOf" in part for name in refs(part)}
        inner = {name for case in cases for name in known[case].get("properties", {})}
        kinds = kinds_of(set(properties), table)
        found |= {(kind, name) for kind in kinds for name in {*properties, *inner}}
        for rule in table["rules"]:
            if rule["kind"] not in kinds or not set(rule.get("with", ())) <= set(properties):
                continue
            if rule["into"] in properties or "{" in rule["into"]:
                bands = rule.get("bands", {})
                read = (
                    rule.get("from"),
                    *(bands.get(end) for end in ("starts", "prices", "single")),
                )
                found |= {(rule["kind"], name) for name in read if name}
    return found


def test_every_price_of_the_catalogue_can_be_taken_into_a_study() -> None:
    prices = {
        (seed.kind, name)
        for seed in read_entries()
        if seed.kind not in NOT_TAKEN
        for name in seed.values
        if is_price(name)
    }
    missing = prices - taken() - set(ELSEWHERE)
    assert not missing
    assert not set(ELSEWHERE) & taken(), "an exception that is none any more"
    assert set(ELSEWHERE) <= prices, "an exception for what the catalogue does not hold"


def test_the_table_speaks_of_fields_and_kinds_that_there_are() -> None:
    table = json.loads(PLACES.read_text())
    fields = {name for shape in definitions().values() for name in shape.get("properties", {})}
    kinds: dict[str, set[str]] = {}
    texts: set[tuple[str, str, str]] = set()
    for seed in read_entries():
        kinds.setdefault(seed.kind, set()).update(seed.values)
        texts |= {(seed.kind, name, str(held["value"])) for name, held in seed.values.items()}
    for place in table["groups"]:
        assert place["kind"] in kinds, place
        assert {*place["has"], *place.get("not", ())} <= fields, place
    for rule in table["rules"]:
        assert "{" in rule["into"] or rule["into"] in fields, rule
        assert set(rule.get("with", ())) <= fields, rule
        bands = rule.get("bands", {})
        read = {rule.get("from"), *(bands.get(name) for name in ("starts", "prices", "single"))}
        assert read - {None} <= kinds[rule["kind"]], rule
        for name, said in rule.get("where", {}).items():
            assert all((rule["kind"], name, text) in texts for text in said), rule
