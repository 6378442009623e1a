"""What a study may say: every fault at once, at its place, in a plain sentence."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from typing import Any

import pytest

from capmodels import registry
from capmodels.errors import ParamsError, PointLimitExceeded
from capmodels.plans.compare import SPEC
from capmodels.plans.document.pointers import facts_of, leaf_at, substitute
from capmodels.plans.document.study import StudySpec
from capmodels.spec import params_schema, require_points, run_check, validate
from capmodels.tests.plans.documents import (
    SLUGS,
    JSONDict,
    answer,
    cloud,
    column,
    demand,
    document,
    file_of,
    owned,
    plain,
    study_of,
)
from capmodels.tests.plans.random_studies import BASELINE, HYBRID


def faults(document_: JSONDict) -> dict[str, str]:
    """Sentence of every fault by its pointer."""
    with pytest.raises(ParamsError) as caught:
        validate(SPEC, document_)
    found = caught.value.faults
    assert all(fault.message.endswith(".") for fault in found)
    return {fault.pointer: fault.message for fault in found}


def changed(path: str, value: Any, slug: str = "rent-or-own") -> JSONDict:
    """An example with another value at a path such as ``designs/3/staff_fte``."""
    study = copy.deepcopy(document(slug))
    here: Any = study
    *parents, last = path.split("/")
    for part in parents:
        here = here[int(part)] if isinstance(here, list) else here[part]
    here[int(last) if isinstance(here, list) else last] = value
    return study


@pytest.mark.parametrize(
    ("path", "value", "pointer", "sentence"),
    [
        (
            "designs/3/node_groups/0/power",
            {"kind": "linear", "idle_w": 180, "peak_w": 150},
            "/designs/3/node_groups/0/power/peak_w",
            "Peak power (150 W) is below idle power (180 W). Enter at least 180 W.",
        ),
        (
            "designs/3/migration/parallel_letter",
            "H",
            "/designs/3/migration/parallel_letter",
            "There is no design H. Choose one of A, B, C, D, E.",
        ),
        (
            "designs/3/migration/parallel_letter",
            "T",
            "/designs/3/migration/parallel_letter",
            "There is no baseline, so T leads nowhere. Enter what runs today, or choose a design.",
        ),
        (
            "designs/4/owned_letter",
            "A",
            "/designs/4/owned_letter",
            "A is not an owned cluster. Choose an owned cluster.",
        ),
        (
            "designs/4/rented_letter",
            "G",
            "/designs/4/rented_letter",
            "There is no design G in this study. Choose a cloud design.",
        ),
        (
            "designs/0/storage/block_tiers",
            [],
            "/designs/0/storage/block_tiers",
            "The work has 90 TB on block storage, but this design has no price for it. "
            "Enter a price (0 if it is free).",
        ),
        (
            "designs/0/transfer/egress_tiers/2/up_to_tb",
            20,
            "/designs/0/transfer/egress_tiers/2/up_to_tb",
            "The band ends at 20, not above 50. Sort the bands upwards.",
        ),
        (
            "designs/0/support/bands/3/up_to_usd_per_month",
            1e6,
            "/designs/0/support/bands/3/up_to_usd_per_month",
            "The last band has an end, so more than that has no price. Leave it empty.",
        ),
        (
            "designs/3/node_groups/1/share_fraction",
            0.8,
            "/designs/3/node_groups/1/share_fraction",
            "The groups that serve object storage have shares of 80% together. "
            "Enter shares that add up to 100%.",
        ),
        (
            "workload/shape/values_ratio",
            [1.0] * 30,
            "/workload/shape/values_ratio",
            "The series has 30 hours, which is not whole days. Enter 24 or 48 hours.",
        ),
        (
            "assumptions/hours_per_year",
            8000,
            "/assumptions/hours_per_year",
            "A year has 8,760 or 8,784 hours, not 8,000. Enter one of these.",
        ),
        (
            "assumptions/carbon/low_gco2e_per_kwh",
            500,
            "/assumptions/carbon/low_gco2e_per_kwh",
            "The lowest estimate (500) is above the intensity (379 g CO2e/kWh). Enter at most 379.",
        ),
        (
            "ranges/0/pointer",
            "/designs/G/staff_fte",
            "/ranges/0/pointer",
            "There is no input /designs/G/staff_fte. Choose an input of this study.",
        ),
        (
            "ranges/0/pointer",
            "/assumptions/hours_per_year",
            "/ranges/0/pointer",
            "Hours in a year cannot have a range. Choose a price, a rate or an amount.",
        ),
        (
            "ranges/0/low",
            3.0,
            "/ranges/0/low",
            "The lowest value (300%) is above the highest (30%). Enter at most 30%.",
        ),
        (
            "ranges/6/high",
            1.5,
            "/ranges/6/high",
            "Negotiated discount cannot be 150%. Enter a lower value.",
        ),
        (
            "designs/1/letter",
            "A",
            "/designs/1/letter",
            "There is already an entry called 'A'. Choose another name.",
        ),
        ("designs/3/staff_fte", -1, "/designs/3/staff_fte", None),
        ("designs/3/staff_fte", True, "/designs/3/staff_fte", "Enter a number."),
        (
            "workload/busy_cores_count",
            1e300,
            "/workload/busy_cores_count",
            "The value 1e+300 is too high. Enter at most 10,000,000,000.",
        ),
        (
            "workload/availability/spare_nodes_count",
            10**400,
            "/workload/availability/spare_nodes_count",
            "The value of 401 digits is too high. Enter at most 10,000,000,000.",
        ),
        (
            "designs/0/instances/0/usd_per_h",
            1e10,
            "/designs/0/instances/0/usd_per_h",
            "The value 10,000,000,000 is too high. Enter at most 1,000,000,000.",
        ),
        (
            "assumptions/discount_fraction_per_year",
            -0.01,
            "/assumptions/discount_fraction_per_year",
            "The value \u22121% is too low. Enter at least 0%.",
        ),
        (
            "designs/0/title",
            "x" * 121,
            "/designs/0/title",
            "The text is too long. Enter at most 120 characters.",
        ),
        ("designs/0/title", " ", "/designs/0/title", "Enter a text."),
        ("designs/0/letter", "J", "/designs/0/letter", "Enter the letter of a design, A to H."),
        (
            "assumptions/starts_on",
            "1 May",
            "/assumptions/starts_on",
            "Enter a day, such as 2027-03-31.",
        ),
        (
            "assumptions/currency",
            {"code": "euro"},
            "/assumptions/currency/code",
            "Enter the three capital letters of a currency, such as EUR.",
        ),
        ("assumptions/carbon", 3, "/assumptions/carbon", "Enter a group of fields."),
        ("designs/3/pue", 0.9, "/designs/3/pue", None),
        ("designs/3/staff_fte", float("nan"), "/designs/3/staff_fte", "Enter a finite number."),
        ("designs/3/typo", 1, "/designs/3/typo", "This field is not known here; remove it."),
    ],
)
def test_a_fault_is_told_at_its_place(
    path: str, value: Any, pointer: str, sentence: str | None
) -> None:
    found = faults(changed(path, value))
    assert pointer in found
    if sentence is not None:
        assert found[pointer] == sentence


@pytest.mark.decisive
def test_all_faults_of_a_document_are_told_at_once() -> None:
    study = document("rent-or-own")
    study["designs"][3]["node_groups"][0]["power"] = {"kind": "linear", "idle_w": 9, "peak_w": 1}
    study["designs"][0]["storage"]["object_tiers"][0]["up_to_tb"] = None
    study["workload"]["busy_cores_count"] = -1
    study["assumptions"]["pue"] = 0.5
    assert set(faults(study)) == {
        "/designs/3/node_groups/0/power/peak_w",
        "/designs/0/storage/object_tiers/0/up_to_tb",
        "/workload/busy_cores_count",
        "/assumptions/pue",
    }


def test_faults_across_a_study_are_told_with_those_of_its_fields() -> None:
    broken = owned("A", staff_fte=-1.0, group={"ram_gib": 0, "cores_per_node_count": 8})
    gone = owned("C", migration={"parallel_letter": "H"})
    document_ = plain(
        [broken, cloud("B"), gone, {"letter": "D", "kind": "cloud"}], demand(ram_gib=5, block_tb=2)
    )
    document_["ranges"] = [
        {"pointer": "/designs/C/nowhere", "low": 1, "high": 2},
        {"pointer": "/designs/D/instances/0/usd_per_h", "low": 1, "high": 2},
        {"pointer": "/designs/A/staff_fte", "low": 1, "high": 2},
        {"pointer": "/designs/C/staff_fte", "low": 1},
    ]
    document_["workload"]["p99_ratio"] = -1
    assert set(faults(document_)) == {
        "/designs/0/staff_fte",
        "/designs/0/node_groups/0/ram_gib",
        "/designs/1/storage/block_tiers",
        "/designs/2/migration/parallel_letter",
        "/designs/3/title",
        "/designs/3/instances",
        "/ranges/0/pointer",
        "/ranges/3/high",
        "/workload/p99_ratio",
    }


def test_what_has_a_fault_is_not_told_as_missing() -> None:
    serving = owned("A", group={"role": "service"}, migration={"parallel_letter": "T"})
    line = {"type": "a", "count": -1, "usd_per_h": 1, "commitment_ends_on": "2027-03-31"}
    hybrid = {"letter": "C", "title": "C", "kind": "hybrid"}
    document_ = plain([serving, cloud("B", storage={"block_tiers": 3}), hybrid], demand(block_tb=2))
    document_["workload"]["service"] = {"response_ms": -1}
    document_["assumptions"]["starts_on"] = "2027-02-31"
    document_["baseline"] = {**BASELINE, "lines": [line]}
    found = faults(document_)
    assert "/designs/1/storage/block_tiers" in found
    assert found["/designs/1/storage/block_tiers"].startswith("Enter")
    assert not {"/designs/0/node_groups/0/role", "/designs/0/migration/parallel_letter"} & set(
        found
    )
    assert "/baseline/lines/0/commitment_ends_on" not in found


def test_utilisation_needs_counts_and_machines() -> None:
    study = document("free-factories")
    group = study["designs"][0]["node_groups"][0]
    group |= {"count": None, "role": "compute", "price": {"kind": "typed", "unit_price_usd": 1}}
    study["designs"][1]["instances"][0]["replaces"] = "cluster"
    assert faults(study) == {
        "/designs/0/node_groups/0/count": "With utilisation as the workload nothing sizes this "
        "group. Enter the number of nodes.",
        "/designs/1/instances/0/replaces": "There are no machines called 'cluster'. "
        "Choose one of 48 nodes.",
    }
    both = plain([owned("A", group={"count": 1}), cloud("B"), HYBRID])
    both["workload"] = document("free-factories")["workload"]
    assert "/designs/2/kind" in faults(both)


def test_nodes_without_what_the_work_needs_are_refused() -> None:
    study = plain([owned("A", group={"ram_gib": 0, "cores_per_node_count": 0})], demand(ram_gib=5))
    assert set(faults(study)) == {
        "/designs/0/node_groups/0/ram_gib",
        "/designs/0/node_groups/0/cores_per_node_count",
    }
    bare = plain([owned("A", group={"power": None})])
    assert set(faults(bare)) == {"/designs/0/node_groups/0/power"}


def test_a_date_must_be_a_day() -> None:
    study = plain([cloud("B")], starts_on="2027-02-31")
    assert faults(study) == {
        "/assumptions/starts_on": "There is no day 2027-02-31. Enter one, such as 2027-03-31."
    }


def test_a_hybrid_rents_cores_not_gpus_alone() -> None:
    gpus = cloud("B", item={"gpus_count": 8})
    found = faults(plain([owned("A"), gpus, HYBRID]))
    assert found["/designs/2/rented_letter"] == (
        "B has GPU instances only. Choose one that rents cores and RAM."
    )


def test_a_commitment_that_ends_on_a_date_needs_the_start() -> None:
    line = {"type": "a", "count": 1, "usd_per_h": 1, "after_usd_per_h": 2}
    line["commitment_ends_on"] = "2027-03-31"
    study = {**plain([cloud("B")]), "baseline": {**BASELINE, "lines": [line]}}
    assert set(faults(study)) == {"/baseline/lines/0/commitment_ends_on"}
    del line["after_usd_per_h"]
    study["assumptions"]["starts_on"] = "2026-12-01"
    assert set(faults(study)) == {"/baseline/lines/0/after_usd_per_h"}


@pytest.mark.parametrize("slug", SLUGS)
def test_examples_are_whole_and_every_source_is_of_a_value_that_is_there(slug: str) -> None:
    study = study_of(document(slug))
    assert study.workload is not None
    file = file_of(slug)
    parts = [(file["workload"], file["workload_provenance"])]
    parts += [(file["assumptions"], file["assumptions_provenance"])]
    for design in file["designs"]:
        parts.append((design["spec"], design["provenance"]))
        parts += [(item["spec"], item["provenance"]) for item in design.get("versions", [])]
    for values, provenance in parts:
        assert provenance
        for pointer, origin in provenance.items():
            here: Any = values
            for part in pointer[1:].split("/"):
                here = here[int(part)] if isinstance(here, list) else here[part]
            assert origin["source"]
            if origin["quality"] == "recalled":
                assert {"low", "high", "note"} & set(origin)


@pytest.mark.parametrize("version", ["Parts of Q3 2025", "Software at $350 per core"])
def test_variants_of_rent_or_own_are_versions_of_its_owned_design(version: str) -> None:
    plain_ = column(answer(document("rent-or-own")), "D")
    varied = column(answer(document("rent-or-own", version=version)), "D")
    assert (varied.total_usd < plain_.total_usd) == (version == "Parts of Q3 2025")


def test_a_pointer_leads_to_a_number_and_may_replace_it() -> None:
    study = study_of(document("rent-or-own"))
    leaf = leaf_at(study, "/designs/D/staff_fte")
    assert leaf is not None
    assert (leaf.value, leaf.facts.title, leaf.facts.unit) == (2.0, "Operations", "FTE")
    other: StudySpec = substitute(study, {leaf.path: 3.5})
    assert other.designs[3].staff_fte == 3.5
    assert study.designs[3].staff_fte == 2.0
    assert other.designs[0] is study.designs[0]
    assert leaf_at(study, "/designs/Z/staff_fte") is None
    assert leaf_at(study, "/workload/shape/values_ratio/3") is None
    assert leaf_at(study, "/workload/nothing") is None


def test_bounds_are_those_of_the_schema() -> None:
    study = study_of(document("rent-or-own"))
    leaf = leaf_at(study, "/designs/A/negotiated_discount_fraction")
    assert leaf is not None
    assert leaf.allows(0.0)
    assert leaf.allows(0.99)
    assert not leaf.allows(1.0)
    assert not leaf.allows(-0.1)
    assert facts_of(StudySpec, "draws_count").high == 50_000


def test_every_number_of_the_schema_has_a_title_and_a_unit() -> None:
    schema = params_schema(SPEC)
    lacking = []
    for name, part in {"StudySpec": schema, **schema["$defs"]}.items():
        for field, facts in part.get("properties", {}).items():
            branches = [facts, *facts.get("anyOf", []), facts.get("items", {})]
            numbers = [item for item in branches if item.get("type") in {"number", "integer"}]
            if not facts.get("title") and "$ref" not in facts:
                lacking.append(f"{name}.{field} title")
            bare = (name, field) in {
                ("StudySpec", "seed"),
                ("Carbon", "year"),
                ("Embodied", "year"),
                ("ArrayEmbodied", "year"),
                ("FactorOrigin", "year"),
                ("Range", "low"),
                ("Range", "high"),
                ("Alternative", "value"),
                ("Along", "value"),
            }
            if numbers and not bare and not any("unit" in item for item in branches):
                lacking.append(f"{name}.{field} unit")
    assert lacking == []


@pytest.mark.parametrize("check", SPEC.checks, ids=lambda check: check.id)
def test_published_checks_hold(check: Any) -> None:
    found = run_check(SPEC, check)
    assert found["ok"], found


def test_causes_name_formulas_that_exist() -> None:
    known = {formula.id for formula in SPEC.formulas}
    for slug in SLUGS:
        for design in answer(document(slug)).designs:
            assert {cause.formula for cause in design.causes} <= known


def test_the_plan_is_registered_and_instant() -> None:
    assert registry.get_model("plans.compare") is SPEC
    assert SPEC.instant


def test_too_many_amounts_at_once_are_refused() -> None:
    study = {**document("rent-or-own"), "draws_count": 50_000}
    require_points(SPEC, study_of({**study, "draws_count": 10_000}))
    study["assumptions"]["horizon_months"] = 240
    with pytest.raises(PointLimitExceeded):
        require_points(SPEC, study_of(study))


def test_without_draws_no_numpy_is_loaded() -> None:
    code = (
        "import json, sys\n"
        "from capmodels.plans.compare import SPEC\n"
        "from capmodels.spec import evaluate\n"
        "result = evaluate(SPEC, json.load(sys.stdin))\n"
        "heavy = {'numpy', 'numba', 'scipy', 'pandas'} & set(sys.modules)\n"
        "print(result.winner, sorted(heavy))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(document("free-factories")),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[0] == "A []"


def test_the_result_survives_json() -> None:
    result = answer(document("rent-or-own", draws_count=300))
    assert type(result).model_validate_json(result.model_dump_json()) == result


def test_a_fault_in_a_group_left_out_names_the_whole_way_to_it() -> None:
    with pytest.raises(ParamsError) as refused:
        validate(SPEC, plain([cloud("A")], demand(block_tb=20)))
    assert [fault.pointer for fault in refused.value.faults] == ["/designs/0/storage/block_tiers"]


def sentences(document_: JSONDict) -> list[str]:
    """Sentences of all faults; none where the document is valid."""
    try:
        validate(SPEC, document_)
    except ParamsError as refused:
        return [fault.message for fault in refused.faults]
    return []


def test_no_sentence_of_a_library_is_told() -> None:
    """Every kind of error that a field of a study can have is told in our words."""
    wrong: tuple[Any, ...] = ("?", "", "y" * 500, None, [], {}, 1.5, -3, 10**30, True, [None])
    for path in (
        "designs/0/letter",
        "designs/0/instances/0/entry",
        "designs/0/instances/0/name",
        "designs/0/instances",
        "designs/0/migration",
        "designs/0/provider",
        "designs/3/array",
        "workload/availability/survive_site_loss",
        "workload/shape",
        "assumptions/electricity",
        "assumptions/horizon_months",
        "assumptions/carbon/year",
        "ranges/0/pointer",
        "ranges",
        "baseline",
        "seed",
    ):
        for value in wrong:
            for sentence in sentences(changed(path, value)):
                assert not any(word in sentence for word in ("Input ", "should", "String")), (
                    sentence
                )


def test_amounts_of_a_refusal_are_in_the_currency_of_the_study() -> None:
    pointer, most = "/designs/0/instances/0/usd_per_h", 1_000_000_000
    study = changed(pointer[1:], 2.0 * most)
    study["assumptions"]["currency"] = {"code": "EUR", "per_usd": 0.5, "as_of": "2026-07-01"}
    said = faults(study)[pointer]
    assert said == "The value €1,000,000,000 is too high. Enter at most €500,000,000."

    study["designs"][0]["instances"][0]["usd_per_h"] = 3.0
    study["ranges"] = [{"pointer": "/designs/A/instances/0/usd_per_h", "low": 4, "high": 2}]
    said = faults(study)["/ranges/0/low"]
    assert said == "The lowest value (€2) is above the highest (€1). Enter at most €1."

    # a currency that is none leaves the faults as they are held
    study["assumptions"]["currency"] = {"code": 3, "per_usd": "x"}
    assert "/assumptions/currency/code" in faults(study)


# What is counted and may be a part of one: a mean, a share of a machine or of a copy, half a rack
# unit, a switch among several nodes, what was measured of a drive's tracks.
MAY_BE_PARTS = {
    "copies_count",
    "head_skew_count",
    "cylinder_skew_count",
    "stretch_skew_count",
    "offset_count",
    "gpu_mean_count",
    "gpus_count",
    "instances_count",
    "rack_units_count",
    "count",
}


def test_what_is_had_whole_takes_no_fraction() -> None:
    """Of every number of the plan's schema that counts nodes or pieces."""
    asked = 0
    schema = params_schema(SPEC)
    for holder in [schema, *schema["$defs"].values()]:
        for name, field in holder.get("properties", {}).items():
            kinds = [field, *field.get("anyOf", [])]
            units = {kind.get("unit") for kind in kinds}
            if not units & {"count", "nodes"} or name in MAY_BE_PARTS:
                continue
            numbers = [one for one in kinds if one.get("type") in {"number", "integer"}]
            assert all(one["type"] == "integer" or one.get("multipleOf") == 1 for one in numbers), (
                name
            )
            asked += 1
    assert asked > 20


@pytest.mark.parametrize(("count", "such_as"), [(8.5, "9"), (0.25, "1"), (1234.5, "1235")])
def test_a_fraction_of_what_is_had_whole_is_refused_with_the_next_number(
    count: float, such_as: str
) -> None:
    study = plain([owned("A"), cloud("B")], demand(gpu_peak_count=count))
    assert faults(study) == {
        "/workload/gpu_peak_count": f"Enter a whole number, such as {such_as}."
    }
