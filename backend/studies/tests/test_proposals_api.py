"""Designs proposed from the work alone: complete, sized, priced, and ready to be compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from capmodels.plans.check.registry import RULES
from capmodels.plans.document.study import RANGES_MOST
from capmodels.plans.document.workload import Growth
from capmodels.providers import PROVIDERS
from capmodels.registry import get_model
from capmodels.serving.gpu_clouds import GPU_OFFERS
from capmodels.spec import validate
from catalogue.fixture_entries import read_entries
from catalogue.models import Entry
from catalogue.places import spot_named
from catalogue.regions import region_named
from catalogue.testing import shipped_load
from common.tenancy import workspace
from studies.documents import PLAN
from studies.proposals.place import place_of
from studies.proposals.templates import TEMPLATES

if TYPE_CHECKING:
    from capmodels.plans.document.study import StudySpec
    from studies.tests.people import Planner

pytestmark = pytest.mark.db

GROWTH = {f"{kind}_fraction_per_year": 0.3 for kind in ("cores", "ram", "block", "object")}
WORK: dict[str, Any] = {
    "kind": "demand",
    "busy_cores_count": 300,
    "ram_gib": 2048,
    "block_tb": 60,
    "object_tb": 200,
    "egress_tb_per_month": 40,
    "growth": {**GROWTH, "transfer_fraction_per_year": 0.3},
}
ALL: list[dict[str, Any]] = [
    {"option": "aws", "term_months": 36},
    {"option": "azure", "term_months": 12},
    {"option": "gcp", "term_months": 0},
    {"option": "owned"},
    {"option": "hybrid"},
]


# Every option, where no provider's prices of storage and transfer are held.
EVERYWHERE: list[dict[str, Any]] = [
    *({"option": name, "region": "sao paulo"} for name in PROVIDERS),
    {"option": "aws", "term_months": 0, "region": "tokyo"},
    *({"option": name} for name in ("owned", "coded", "shelves", "hybrid")),
]


@pytest.fixture
def catalogue(database: None) -> None:
    shipped_load()


def proposed(alice: Planner, work: dict[str, Any], options: list[dict[str, Any]]) -> dict[str, Any]:
    response = alice.post("/studies/propose", {"workload": work, "options": options})
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


def compared(alice: Planner, document: dict[str, Any], draws_count: int = 0) -> dict[str, Any]:
    params = {**document, "draws_count": draws_count}
    response = alice.post("/evaluate?include=designs,rows,odds", {"model": PLAN, "params": params})
    assert response.status_code == 200, response.content
    result: dict[str, Any] = response.json()["result"]
    return result


# What every real design of its side pays for.
RENTED = {"instances", "storage", "transfer", "support", "staff"}
OWNED = {
    "hardware",
    "energy",
    "cooling",
    "space",
    "network",
    "software",
    "spares",
    "staff",
    "backup",
}


@pytest.mark.usefixtures("catalogue")
def test_every_option_is_proposed_whole_and_meets_demand(alice: Planner) -> None:
    proposal = proposed(alice, WORK, ALL)
    result = compared(alice, proposal["document"], draws_count=500)
    kinds = ["cloud", "cloud", "cloud", "owned_cluster", "hybrid"]
    assert [design["kind"] for design in result["designs"]] == kinds
    assert all(design["carries_load"] for design in result["designs"])
    assert not [design["remarks"] for design in result["designs"] if design["remarks"]]
    for design in result["designs"][:4]:
        paid = {cause["cause"] for cause in design["causes"] if cause["amount_usd"] > 0}
        wanted = RENTED if design["kind"] == "cloud" else OWNED
        assert wanted <= paid | ({"instances"} if "commitment" in paid else set()), wanted - paid
    assert result["verdict"]["odds"]
    assert proposal["notes"] == []
    # What its disks read is known, with a source.
    own = next(row for row in result["rows"] if row["id"] == "io_ceiling_mb_per_s")
    assert own["values"]["D"] > 0
    drives = proposal["designs"][3]["provenance"]["/node_groups/0/drives/throughput_mb_per_s"]
    assert drives["entry"] == "ssd-micron-9400-pro-7-68tb"


@pytest.mark.usefixtures("catalogue")
def test_every_number_of_a_proposal_says_where_it_comes_from(alice: Planner) -> None:
    for design in proposed(alice, WORK, ALL[:4])["designs"]:
        origins = design["provenance"].values()
        assert all(origin["source"] and origin["quality"] for origin in origins)
        ranged = [origin for origin in origins if "low" in origin]
        assert len(ranged) >= 5


@pytest.mark.usefixtures("catalogue")
def test_what_runs_today_is_compared_and_paid_while_own_machines_come(alice: Planner) -> None:
    baseline = {"kind": "today", "other_usd_per_month": 50_000}
    asked = {"workload": WORK, "options": [{"option": "owned"}], "baseline": baseline}
    found = alice.post("/studies/propose", asked).json()
    assert found["baseline"] == found["document"]["baseline"] == baseline
    move = found["designs"][0]["spec"]["migration"]
    assert (move["parallel_letter"], move["parallel_months"] > 0) == ("T", True)
    today = compared(alice, found["document"])["designs"][-1]
    assert (today["letter"], today["ranked_usd"] > 0) == ("T", True)
    wrong = alice.post("/studies/propose", {**asked, "baseline": {"other_usd_per_month": -1}})
    (fault,) = wrong.json()["errors"]
    assert fault["pointer"].endswith("/baseline/other_usd_per_month")


@pytest.mark.usefixtures("catalogue")
def test_a_proposal_becomes_a_study(alice: Planner) -> None:
    proposal = proposed(alice, WORK, [ALL[0], ALL[3]])
    kept = ("workload", "workload_provenance", "assumptions", "designs", "ranges")
    study = alice.study(title="Rent or own", **{name: proposal[name] for name in kept})
    assert study["faults"] == []
    assert study["verdict"]["headline"].startswith("**")


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("region", ["", "Tokyo", "São Paulo"])
def test_nothing_is_newer_than_a_study_just_proposed(alice: Planner, region: str) -> None:
    options = [{**one, "region": region} if "term_months" in one else one for one in ALL]
    work = {**WORK, "gpu_peak_count": 8} if region == "Tokyo" else WORK
    answer = alice.post("/studies/propose", {"workload": work, "options": options})
    proposal = answer.json()
    kept = ("workload", "workload_provenance", "assumptions", "designs", "ranges")
    study = alice.study(title="Rent or own", **{name: proposal[name] for name in kept})
    told = alice.get(f"/studies/{study['id']}/outlook").json()
    assert told["changes"] == []
    assert (told["prices_count"], told["gone_count"], told["moved"]) == (0, 0, False)


@pytest.mark.usefixtures("catalogue")
def test_every_template_is_answered(alice: Planner) -> None:
    templates = alice.get("/studies/templates").json()["results"]
    assert len(templates) == len(TEMPLATES)
    for template in templates:
        proposal = proposed(alice, template["workload"], [ALL[0], ALL[3]])
        result = compared(alice, proposal["document"])
        assert [design["shortfall"] for design in result["designs"]] == [None, None], template


ARCHIVE = {
    **WORK,
    "archive_tb": 800.0,
    "archive_read_tb_per_month": 4.0,
    "growth": {**WORK["growth"], "archive_fraction_per_year": 0.0},
}


@pytest.mark.usefixtures("catalogue")
def test_growth_of_zero_is_a_value_and_blank_growth_says_what_stands_for_it(alice: Planner) -> None:
    kinds = [name.removesuffix("_fraction_per_year") for name in Growth.model_fields]
    work = {**ARCHIVE, "gpu_peak_count": 8}

    def drawn(growth: dict[str, float]) -> tuple[dict[str, tuple[float, float]], list[str]]:
        found = proposed(alice, {**work, "growth": growth}, [{"option": "owned"}])
        grown = [one for one in found["ranges"] if one["pointer"].startswith("/workload/growth/")]
        said = [note for note in found["notes"] if "no growth is entered" in note]
        return {one["pointer"]: (one["low"], one["high"]) for one in grown}, said

    def of(value: float) -> dict[str, float]:
        return dict.fromkeys((f"{kind}_fraction_per_year" for kind in kinds), value)

    zero, said = drawn(of(0.0))
    assert said == []
    assert len(zero) == len(kinds)
    least, _ = drawn(of(1e-9))
    for pointer, ends in zero.items():
        assert ends == pytest.approx(least[pointer], abs=1e-8) == (-0.1, 0.1)
    # Shrinking as fast as can be, and nothing at all, have a range too.
    shrinking, _ = drawn(of(-0.98))
    assert all(-1 < low < -0.98 < high for low, high in shrinking.values())
    blank, said = drawn({"cores_fraction_per_year": 0.0})
    assert blank.pop("/workload/growth/cores_fraction_per_year") == (-0.1, 0.1)
    assert set(blank.values()) == {(-0.2, 0.2)}
    (sentence,) = said
    assert sentence.startswith("RAM, block storage, object storage, archive, transfer and GPUs: ")
    assert sentence.endswith("None is planned, and \u221220% to 20% a year is drawn.")


@pytest.mark.usefixtures("catalogue")
def test_what_is_entered_is_typed_also_where_it_is_the_plan_s_own_default(alice: Planner) -> None:
    power = {"kind": "flat", "usd_per_kwh": 0.2}
    entered = {"pue": 1.5, "discount_fraction_per_year": 0.05, "electricity": power}
    growth = {"cores_fraction_per_year": 0.0, "ram_fraction_per_year": 0.225}
    asked = {
        "workload": {**WORK, "growth": growth},
        "workload_provenance": {
            "/growth/ram_fraction_per_year": {"quality": "typed", "source": "Typed in"}
        },
        "assumptions": entered,
        "options": [{"option": "owned", "region": "Frankfurt"}],
    }
    found = alice.post("/studies/propose", asked).json()

    typed = {"quality": "typed", "source": "Typed in"}
    origins = found["assumptions_provenance"]
    places = ("/pue", "/discount_fraction_per_year", "/electricity/usd_per_kwh")
    assert [origins[at] for at in places] == [typed] * 3
    assert "/horizon_months" not in origins
    ranges = {one["pointer"]: (one["low"], one["high"]) for one in found["ranges"]}
    assert not {f"/assumptions{at}" for at in places} & set(ranges)
    for name, value in growth.items():
        assert found["workload_provenance"][f"/growth/{name}"]["quality"] == "typed"
        assert ranges[f"/workload/growth/{name}"] == pytest.approx((value - 0.1, value + 0.1))
    assert found["place"] == "Frankfurt, Germany"


@pytest.mark.usefixtures("catalogue")
def test_an_archive_is_rented_of_each_provider_and_owned_on_dense_disks(alice: Planner) -> None:
    proposal = proposed(alice, ARCHIVE, ALL)
    assert proposal["notes"] == []
    prices = [one["spec"]["storage"]["archive"] for one in proposal["designs"][:3]]
    assert [one["usd_per_gb_month"] for one in prices] == [0.00099, 0.002, 0.0012]
    assert [one["usd_per_gb_read"] for one in prices] == [0.02, 0.02, 0.05]
    origin = proposal["designs"][1]["provenance"]["/storage/archive/usd_per_gb_month"]
    assert origin["entry"] == "azure-blob-archive"
    assert (origin["low"], origin["high"]) == (0.0016, 0.0024)
    groups = {one["role"]: one for one in proposal["designs"][3]["spec"]["node_groups"]}
    assert groups["archive"]["drives"]["per_node_count"] >= 12
    assert groups["archive"]["drives"]["capacity_tb"] == 24
    result = compared(alice, proposal["document"], draws_count=200)
    assert all(design["carries_load"] for design in result["designs"])
    # What it costs beside the same work without it: kept and read back, each month of the three.
    without = compared(alice, proposed(alice, WORK, ALL)["document"])

    def stored(answer: dict[str, Any], place: int) -> float:
        causes = answer["designs"][place]["causes"]
        return sum(float(one["amount_usd"]) for one in causes if one["cause"] == "storage")

    for place, price in enumerate(prices):
        month = 931.3225746 * (800 * price["usd_per_gb_month"] + 4 * price["usd_per_gb_read"])
        more = stored(result, place) - stored(without, place)
        assert more == pytest.approx(36 * month, rel=0.02), place


@pytest.mark.usefixtures("catalogue")
def test_a_provider_without_a_price_is_left_out_and_said(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PROVIDERS, "gcp", replace(PROVIDERS["gcp"], archive="staff-cloud-fte"))
    proposal = proposed(alice, ARCHIVE, [ALL[0], ALL[2], ALL[3]])
    assert [one["title"].split(",")[0] for one in proposal["designs"]] == [
        "AWS",
        "Own servers in colocation",
    ]
    assert proposal["notes"] == ["Google Cloud: the catalogue holds no price of an archive."]
    # Without that demand it is proposed as ever.
    assert proposed(alice, WORK, [ALL[2]])["notes"] == []


@pytest.mark.usefixtures("catalogue")
def test_ec2_has_its_price_of_a_region_and_what_is_not_held_is_said(alice: Planner) -> None:
    # Of the instances that are priced there, the one that costs least: r7a, and m7i in Paris.
    for said, region, price in (
        ("Frankfurt", "eu-central-1", 1.46832),
        ("Paris", "eu-west-3", 1.8816),
    ):
        proposal = elsewhere(alice, "aws", said)
        design = proposal["designs"][0]
        assert design["spec"]["instances"][0]["usd_per_h"] == pytest.approx(price)
        origin = design["provenance"]["/instances/0/usd_per_h"]
        assert origin["entry"] == f"aws-{region}"
        (note,) = (one for one in proposal["notes"] if one.startswith("AWS"))
        assert note.startswith(f"AWS: instances are priced in {region}")
        assert "Storage and transfer are not held" in note
    work = {**WORK, "gpu_peak_count": 8}
    options = [{"option": "aws", "region": "Frankfurt"}, ALL[3]]
    answer = alice.post("/studies/propose", {"workload": work, "options": options})
    told = [one for one in answer.json()["notes"] if "p5en" in one]
    assert told == [
        "AWS: the price of AWS p5en.48xlarge is of us-east-1; none is held for eu-central-1."
    ]


@pytest.mark.usefixtures("catalogue")
def test_what_cannot_be_proposed_is_said(alice: Planner) -> None:
    work = {**WORK, "gpu_peak_count": 8, "gpu": "NVIDIA H200"}
    proposal = proposed(alice, work, [ALL[1], ALL[4], ALL[3]])
    assert [design["kind"] for design in proposal["designs"]] == ["owned_cluster"]
    assert proposal["notes"][:2] == [
        "Azure: the catalogue holds no instances with NVIDIA H200.",
        "Own base, rented peaks: needs own servers and a provider beside it.",
    ]


@pytest.mark.usefixtures("catalogue")
def test_the_kind_of_gpu_asked_for_is_proposed_or_refused_with_a_sentence(alice: Planner) -> None:
    work = {"kind": "demand", "busy_cores_count": 0, "ram_gib": 0, "gpu_peak_count": 24}
    options = [{"option": "aws"}, {"option": "owned"}]
    for asked, there in (("H100", ("H100", "H100 SXM5")), (None, ("H200", "H200 SXM5"))):
        found = proposed(alice, {**work, "gpu": asked}, options)
        rented, own = (design["spec"] for design in found["designs"])
        assert there[0] in rented["instances"][-1]["gpu"]
        assert there[1] in own["node_groups"][0]["gpu"]
        assert there[0] in own["node_groups"][0]["name"]
        # Few have no spare ones on both sides, and the rules find nothing to say of them.
        assert own["node_groups"][0]["spare_nodes_count"] == 0
        plan = get_model(PLAN)
        study = cast("StudySpec", validate(plan, found["document"]))
        said = [item.sentence for rule in RULES for item in rule.find(study)]
        assert [sentence for sentence in said if "GPU" in sentence] == []
    none = proposed(alice, {**work, "gpu": "Gaudi 3"}, options)
    assert none["designs"] == []
    assert none["notes"][:2] == [
        "AWS: the catalogue holds no instances with Gaudi 3.",
        "Own servers: the catalogue holds no server with Gaudi 3; another kind of GPU is not the "
        "same work.",
    ]


@pytest.mark.usefixtures("catalogue")
def test_streams_are_served_by_own_gpus_by_rented_ones_and_by_an_api(alice: Planner) -> None:
    (template,) = [one for one in TEMPLATES if one.slug == "llm-serving"]
    work = template.workload()
    options: list[dict[str, Any]] = [{"option": "aws"}, {"option": "owned"}, {"option": "api"}]
    found = proposed(alice, work, options)
    rented, own, api = found["designs"]
    assert rented["spec"]["instances"][-1]["gpus_count"] == 8
    (group,) = [one for one in own["spec"]["node_groups"] if one["role"] == "gpu"]
    # MI355X would cost less, but nothing of its kind was measured.
    assert group["gpu"].startswith("NVIDIA")
    (price,) = api["spec"]["token_prices"]
    assert price["model"] == "Llama-3.1-70B"
    origin = api["provenance"]["/token_prices/0/output_usd_per_m"]
    assert origin["low"] < price["output_usd_per_m"] < origin["high"]
    assert api["title"] == "API per token, AWS"
    answer = compared(alice, found["document"])
    assert [one["carries_load"] for one in answer["designs"]] == [True] * 3
    ranged = {one["pointer"] for one in found["ranges"]}
    assert "/workload/streams/0/served_ratio" in ranged
    # Each kind of GPU that the catalogue has in servers may serve it, or none does.
    strict = {**work, "streams": [{**work["streams"][0], "tpot_ms": 0.5}]}
    none = proposed(alice, strict, options)
    assert [design["title"] for design in none["designs"]] == ["API per token, AWS"]
    assert any("within their limits" in note for note in none["notes"])
    unknown = {**work, "streams": [{**work["streams"][0], "model": "GPT-J-6B"}]}
    without = proposed(alice, unknown, [{"option": "api"}])
    assert "API per token: no price of GPT-J-6B is known." in without["notes"]


@pytest.mark.usefixtures("catalogue")
def test_training_jobs_are_done_by_own_gpus_by_rented_ones_and_on_spot(alice: Planner) -> None:
    (template,) = [one for one in TEMPLATES if one.slug == "fine-tuning"]
    work = template.workload()
    options: list[dict[str, Any]] = [
        *({"option": name} for name in ("aws", "azure", "gcp", "owned", "spot", "api"))
    ]
    found = proposed(alice, work, options)
    titles = [design["title"] for design in found["designs"]]
    assert titles[-1] == "Training on spot, AWS"
    assert "API per token: an API trains no model." in found["notes"]
    spot, aws = found["designs"][-1]["spec"], found["designs"][0]["spec"]
    assert spot["spot"]["covers"] == "gpus"
    assert spot["spot"]["share_fraction"] == pytest.approx(1.0)
    assert 0.01 < spot["spot"]["waste_fraction"] < 0.5
    assert spot["instances"] == aws["instances"]
    answer = compared(alice, found["document"])
    assert all(one["carries_load"] for one in answer["designs"])
    cost = {one["title"]: one["npv_usd"] for one in answer["designs"]}
    assert cost["Training on spot, AWS"] < cost[titles[0]]
    ranged = {one["pointer"] for one in found["ranges"]}
    assert "/workload/trainings/0/time_ratio" in ranged
    # H100 there beside H200 here: how fast each trains is known.
    kinds = {one["spec"]["instances"][-1]["gpu"] for one in found["designs"][:3]}
    assert "NVIDIA H100" in kinds
    study = cast("StudySpec", validate(get_model(PLAN), found["document"]))
    said = [item.sentence for rule in RULES for item in rule.find(study)]
    assert [sentence for sentence in said if "GPU" in sentence] == []


@pytest.mark.usefixtures("catalogue")
def test_a_gpu_cloud_is_a_rented_side_at_its_dated_price(alice: Planner) -> None:
    (template,) = [one for one in TEMPLATES if one.slug == "llm-serving"]
    work, options = template.workload(), [{"option": "aws"}, {"option": "gpu_cloud"}]
    found = proposed(alice, work, options)
    _, design = found["designs"]
    plain, gpus = design["spec"]["instances"]
    assert plain["entry"].startswith("aws-")
    offer = next(one for one in GPU_OFFERS if one.usd_per_h == gpus["usd_per_h"])
    assert design["title"] == f"GPU cloud, {offer.provider}"
    origin = design["provenance"]["/instances/1/usd_per_h"]
    assert (origin["quality"], origin["as_of"]) == ("published", offer.as_of)
    answer = compared(alice, found["document"])
    assert [one["carries_load"] for one in answer["designs"]] == [True, True]
    none = proposed(alice, WORK, [{"option": "aws"}, {"option": "gpu_cloud"}])
    assert any(note.startswith("GPU cloud: the work has neither") for note in none["notes"])


@pytest.mark.usefixtures("catalogue")
def test_every_gpu_of_the_catalogue_finds_its_server(alice: Planner) -> None:
    work = {"kind": "demand", "busy_cores_count": 0, "ram_gib": 0, "gpu_peak_count": 24}
    gpus = [seed for seed in read_entries() if seed.kind == "gpu"]
    assert len(gpus) >= 15
    for gpu in gpus:
        found = proposed(alice, {**work, "gpu": gpu.title}, [{"option": "owned"}])
        (group,) = found["designs"][0]["spec"]["node_groups"]
        assert group["gpu"] == gpu.title
        assert group["gpus"]["peak_w"] == gpu.values["peak_w"]["value"]
        # GPUs on cards have no network of their own between servers.
        equipment = found["designs"][0]["spec"]["equipment"]
        joined = any("400 Gbit/s to a host" in one["name"] for one in equipment)
        assert joined == (gpu.values["form"]["value"] != "PCIe"), gpu.title


@pytest.mark.usefixtures("catalogue")
def test_faults_of_the_work_stand_at_their_fields(alice: Planner) -> None:
    wrong = {**WORK, "ram_gib": -1}
    response = alice.post("/studies/propose", {"workload": wrong, "options": [ALL[3]]})
    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "/workload/ram_gib"


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("option", ["owned", "coded", "shelves", "aws"])
def test_text_in_place_of_an_amount_is_a_fault_of_its_field_for_every_option(
    alice: Planner, option: str
) -> None:
    work = {"kind": "demand", "busy_cores_count": "many"}
    asked = alice.post("/studies/propose", {"workload": work, "options": [{"option": option}]})
    study = alice.study(workload=work)
    beside = alice.post(f"/studies/{study['id']}/designs/propose", {"option": option})
    for refused in (asked, beside):
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["pointer"] == "/workload/busy_cores_count"


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize(
    ("region", "zone", "grams"),
    [("", "USA", 383.55), ("Tokyo", "JPN", 483.73), ("Andorra", "", 0)],
)
def test_carbon_is_of_the_country_s_grid_where_it_is_held(
    alice: Planner, region: str, zone: str, grams: float
) -> None:
    proposal = elsewhere(alice, "aws", region)
    carbon = proposal["assumptions"].get("carbon", {})
    assert (carbon.get("zone", ""), carbon.get("gco2e_per_kwh", 0)) == (zone, grams)
    origin = proposal["assumptions_provenance"].get("/carbon/gco2e_per_kwh", {})
    assert bool(origin) == bool(zone)
    result = compared(alice, proposal["document"])
    rows = {row["id"]: row["values"] for row in result["rows"]}
    known = [amount is not None for amount in rows.get("carbon_kgco2e", {}).values()]
    assert known == ([True, True] if zone else [])
    # A planner's own factor stays.
    own = {"assumptions": {"carbon": {"gco2e_per_kwh": 12.0}}}
    assert (
        elsewhere(alice, "aws", region, **own)["assumptions"]["carbon"]
        == own["assumptions"]["carbon"]
    )


@pytest.mark.usefixtures("catalogue")
def test_a_region_that_prices_are_found_for_has_its_country_by_every_name(alice: Planner) -> None:
    with workspace(alice.workspace_id):
        regions = list(Entry.objects.filter(kind="region"))
        told = [
            (
                one.slug,
                said,
                one.values["country"]["value"],
                spot_named(said),
            )
            for one in regions
            for said in (one.region, one.title, *one.title.replace("(", ",").split(","))
            if region_named(one.provider, said) == one and "country" in one.values
        ]
    assert len(told) > len(regions)
    assert [one for one in told if one[3] is None or one[2] != one[3].country] == []
    power = elsewhere(alice, "azure", "West Europe")["assumptions_provenance"]
    assert power["/electricity/usd_per_kwh"]["entry"].startswith("netherlands-")


@pytest.mark.usefixtures("catalogue")
def test_a_region_is_found_by_city_country_or_code(alice: Planner) -> None:
    away = {}
    with workspace(alice.workspace_id):
        for said, region in PLACES.items():
            place = place_of("aws", PROVIDERS["aws"], said)
            assert place.region == region, said
            away[said] = "is the nearest region" in place.note
    assert {said for said, is_away in away.items() if is_away} == {
        "M\u00fcnchen",
        "Munich, Germany",
        "Vienna",
        "London, Canada",
    }


# A city, a country by its name and codes, a code of any provider; the nearest of the country.
PLACES = {
    "Frankfurt am Main": "eu-central-1",
    "frankfurt": "eu-central-1",
    "Germany": "eu-central-1",
    "de": "eu-central-1",
    "DEU": "eu-central-1",
    "germanywestcentral": "eu-central-1",
    "M\u00fcnchen": "eu-central-1",
    "Munich, Germany": "eu-central-1",
    "Vienna": "eu-central-2",
    "Milano": "eu-south-1",
    "London": "eu-west-2",
    "London, Canada": "ca-central-1",
    "Northern Virginia": "us-east-1",
    "N. Virginia": "us-east-1",
    "USA": "us-east-1",
    "in": "ap-south-1",
    "Hyderabad": "ap-south-2",
    "us-gov-west-1": "us-gov-west-1",
    "Oregon": "us-west-2",
}


# Azure's region for everybody, where the country has another that is for recovery alone.
GENERAL = {
    "Germany": "germanywestcentral",
    "de": "germanywestcentral",
    "Berlin": "germanywestcentral",
    "Hamburg": "germanywestcentral",
    "France": "francecentral",
    "Marseille": "francecentral",
    "Switzerland": "switzerlandnorth",
    "Geneva": "switzerlandnorth",
    "Norway": "norwayeast",
    "Sweden": "swedencentral",
    "South Africa": "southafricanorth",
    "South Korea": "koreacentral",
    "United Arab Emirates": "uaenorth",
    "Brazil": "brazilsouth",
    "Canberra": "australiacentral",
    "germanynorth": "germanynorth",
}


@pytest.mark.usefixtures("catalogue")
def test_a_region_that_is_not_for_everybody_is_meant_by_its_code_alone(alice: Planner) -> None:
    with workspace(alice.workspace_id):
        found = {said: place_of("azure", PROVIDERS["azure"], said).region for said in GENERAL}
        every = {
            code: place_of("azure", PROVIDERS["azure"], code).region
            for code in ("francesouth", "uaecentral", "koreasouth")
        }
    assert found == GENERAL
    assert every == {code: code for code in every}


@pytest.mark.usefixtures("catalogue")
def test_a_place_is_read_by_itself_as_by_a_proposal_with_its_currency(alice: Planner) -> None:
    """So that a page says what it understood while nothing else of the study is right yet."""

    def meant(said: str) -> Any:
        return alice.get(f"/catalogue/places?named={said}")

    for said, currency in (("Frankfurt", "EUR"), ("Munich", "EUR"), ("us-east-1", "USD")):
        place = elsewhere(alice, "aws", said)["place"]
        (found,) = meant(said).json()["results"]
        assert f"{found['city']}, {found['country']}" == place
        assert found["currency"] == currency
    refused = meant("Atlantis")
    assert refused.status_code == 422
    (fault,) = refused.json()["errors"]
    assert fault["pointer"] == "/named"
    assert fault["message"].startswith("No place called Atlantis is known.")
    assert len(meant("").json()["results"]) > 20


@pytest.mark.usefixtures("catalogue")
def test_what_is_no_place_is_refused_and_a_part_of_a_word_is_none(alice: Planner) -> None:
    for said in ("Atlantis", "rabad", "x", "eu-nowhere-9", "??"):
        options = [{"option": "owned"}, {"option": "aws", "region": said}]
        refused = alice.post("/studies/propose", {"workload": WORK, "options": options})
        assert refused.status_code == 422, said
        (fault,) = refused.json()["errors"]
        assert fault["pointer"] == "/options/1/region"
        assert fault["message"].startswith(f"No place called {said} is known. Enter a city,")


def elsewhere(alice: Planner, option: str, region: str, **more: Any) -> dict[str, Any]:
    options = [{"option": option, "region": region}, {"option": "owned"}]
    response = alice.post("/studies/propose", {"workload": WORK, "options": options, **more})
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize(
    ("option", "said", "region", "instance"),
    [
        ("aws", "são paulo", "sa-east-1", "stands in"),
        ("azure", "eu-central-1", "germanywestcentral", "azure-germanywestcentral"),
        ("gcp", "europe-west3", "europe-west3", "gcp-europe-west3"),
        ("gcp", "Munich", "europe-west3", "gcp-europe-west3"),
    ],
)
def test_a_proposal_in_another_region_has_its_prices_or_says_that_they_are_not_held(
    alice: Planner, option: str, said: str, region: str, instance: str
) -> None:
    proposal = elsewhere(alice, option, said)
    design = proposal["designs"][0]
    assert design["spec"]["region"] == region
    price = design["provenance"]["/instances/0/usd_per_h"]
    ranged = {entry["pointer"]: entry for entry in proposal["ranges"]}
    home = {"aws": "us-east-1", "azure": "eastus", "gcp": "us-east1"}[option]
    note = next(note for note in proposal["notes"] if "stand in" in note)
    assert f"prices of {home} stand in" in note
    assert ("nearest region, 291 km" in note) == (said == "Munich")
    if instance == "stands in":
        assert "/designs/A/instances/0/usd_per_h" in ranged
        assert home in price["note"]
    else:
        assert price["entry"] == instance
    # Every line of the bill that is not held for the region says so and has a range.
    for line in ("storage/block_tiers/0/usd_per_gb_month", "transfer/egress_tiers/0/usd_per_gb"):
        entry = ranged[f"/designs/A/{line}"]
        assert entry["low"] < entry["high"]
        assert f"none is held for {region}" in design["provenance"][f"/{line}"]["note"]
    # They are off by one unknown, the level of prices there, in one draw of each simulation.
    level = f"Price level of {region}"
    stood_in = {
        f"/designs/A{at}"
        for at, origin in design["provenance"].items()
        if f"none is held for {region}" in origin.get("note", "")
    }
    assert {at for at, entry in ranged.items() if entry.get("quantity") == level} == stood_in
    result = compared(alice, proposal["document"], draws_count=100)
    said_beside_the_verdict(result, region, whole=instance == "stands in")
    together = [item for item in result["quantities"] if item["key"] == level]
    assert [len(item["members"]) for item in together] == [len(stood_in)]
    kept = ("workload", "workload_provenance", "assumptions", "assumptions_provenance", "designs")
    study = alice.study(title=said, ranges=proposal["ranges"], **{k: proposal[k] for k in kept})
    assert study["faults"] == []
    # The screen's own check of regions names the same lines.
    away = {one["pointer"] for one in study["designs"][0]["cautions"]}
    assert away - {"/region"} == {at.removeprefix("/designs/A") for at in stood_in}


def said_beside_the_verdict(result: dict[str, Any], region: str, *, whole: bool) -> None:
    """What stands in is said there too, on screen, in print and by API."""
    (told,) = [one for one in result["warnings"] if f"in {region} for A" in one]
    assert ("instances, storage and transfer" in told) == whole
    assert "storage and transfer" in told
    assert ": those of another region stand in, each with a range where regions differ" in told
    assert result["verdict"]["odds"]


@pytest.mark.usefixtures("catalogue")
def test_electricity_and_currency_are_of_the_place(alice: Planner) -> None:
    proposal = elsewhere(alice, "azure", "Frankfurt", currency="EUR")
    sources = [
        origin["source"]
        for design in proposal["designs"]
        for at, origin in design["provenance"].items()
        if at == "/network/usd_per_tb"
    ]
    assert any("Transit at €" in source for source in sources)
    assert not any("$" in source for source in sources)
    assert proposal["assumptions"]["electricity"]["usd_per_kwh"] == 0.2248
    origin = proposal["assumptions_provenance"]["/electricity/usd_per_kwh"]
    assert origin["entry"] == "germany-business-2025"
    assert {"code": "EUR", "per_usd": 0.86}.items() <= proposal["assumptions"]["currency"].items()
    result = compared(alice, proposal["document"])
    assert result["currency"]["code"] == "EUR"
    assert "€" in result["verdict"]["headline"]
    said = " ".join(proposal["notes"])
    assert "Electricity: €0.193 per kWh" in said
    assert "Currency: 0.86 EUR per US dollar, the rate of 1 Oct 2025; prices are as new as" in said
    assert "$" not in said, "every amount is in the study's currency"
    own = {"electricity": {"kind": "flat", "usd_per_kwh": 0.3}}
    typed = elsewhere(alice, "azure", "Frankfurt", assumptions=own)
    assert typed["assumptions"]["electricity"] == own["electricity"]
    refused = alice.post(
        "/studies/propose", {"workload": WORK, "options": [ALL[3]], "currency": "XYZ"}
    )
    assert refused.status_code == 422
    assert "EUR" in refused.json()["errors"][0]["message"]


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize(
    "work",
    [
        # whose next quarter is known well enough
        {"busy_cores_count": 200, "ram_gib": 800, "object_tb": 5_000},
        {"busy_cores_count": 0, "ram_gib": 69_800, "object_tb": 7, "block_io_per_s": 134},
        {"busy_cores_count": 8, "ram_gib": 1330, "growth": {"cores_fraction_per_year": 0.86}},
        # whose growth is unknown, and takes more than as much again
        {"busy_cores_count": 0, "ram_gib": 0, "block_tb": 3000, "gpu_peak_count": 64},
    ],
)
def test_own_servers_alone_are_bought_ahead_as_far_as_demand_takes(
    alice: Planner, work: dict[str, Any]
) -> None:
    found = proposed(alice, {"kind": "demand", **work}, [{"option": "owned"}])
    (design,) = found["designs"]
    ahead = design["spec"].get("bought_ahead_fraction", 0.0)
    assert (ahead > 0) == ("gpu_peak_count" in work)
    assert ahead <= 2
    assert any(f"{ahead:.0%} more nodes" in note for note in found["notes"]) == (ahead > 0)

    def met(document: dict[str, Any]) -> float:
        (column,) = compared(alice, document, 10_000)["designs"]
        return float(column["met_fraction"])

    assert met(found["document"]) >= 0.95
    (own,) = found["document"]["designs"]
    if ahead > 0:
        less = {**found["document"], "designs": [{**own, "bought_ahead_fraction": ahead - 0.05}]}
        assert met(less) < 0.95


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize(
    ("work", "options"),
    [
        ({**WORK, "growth": {}}, [{"option": "owned"}, {"option": "aws"}]),
        # ten points a year of growth fit into the headroom
        ({"busy_cores_count": 65_900, "ram_gib": 0, "growth": GROWTH}, [{"option": "owned"}]),
    ],
)
def test_own_servers_are_not_bought_ahead_without_need(
    alice: Planner, work: dict[str, Any], options: list[dict[str, Any]]
) -> None:
    found = proposed(alice, {"kind": "demand", **work}, options)
    assert all("bought_ahead_fraction" not in design["spec"] for design in found["designs"])


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("region", ["", "Frankfurt", "Munich"])
def test_a_field_that_the_work_does_not_have_is_refused_in_every_region(
    alice: Planner, region: str
) -> None:
    options = [{"option": "aws", "term_months": 0, "region": region}]
    work = {**WORK, "gpus_count": 4}
    refused = alice.post("/studies/propose", {"workload": work, "options": options})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/workload/gpus_count"


LLM = next(one for one in TEMPLATES if one.slug == "llm-serving")


ALL_AND_LLM = [{**WORK, "gpu_peak_count": 8}, LLM.workload()]


@pytest.mark.parametrize("work", ALL_AND_LLM, ids=["all", "llm"])
def test_a_study_holds_the_ranges_of_eight_designs(
    alice: Planner, catalogue: None, work: dict[str, Any]
) -> None:
    """All of them, or a design would look surer than the others."""
    found = proposed(alice, {**work, "archive_tb": 100}, EVERYWHERE)
    pointers = [one["pointer"].split("/") for one in found["ranges"]]
    letters = {design["letter"] for design in found["designs"]}
    assert {place[2] for place in pointers if place[1] == "designs"} == letters
    assert len(pointers) <= RANGES_MOST
    assert compared(alice, found["document"])["designs"]
