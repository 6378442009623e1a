"""The like-for-like check: each rule finds what it is for, and nothing where designs are alike."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import pytest

from capmodels.numbers import percent
from capmodels.plans.check import typical
from capmodels.plans.check.like_for_like import changed, check
from capmodels.plans.check.registry import RULES
from capmodels.plans.check.rule import Change
from capmodels.plans.check.rules import work
from capmodels.plans.compare import compare
from capmodels.plans.document.assumptions import Currency
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.upgrades import STILL
from capmodels.plans.search import OWNED_QUANTILES
from capmodels.plans.words import money
from capmodels.tests.plans.arrays import DESKTOP as DRIVE
from capmodels.tests.plans.documents import (
    JSONDict,
    cloud,
    demand,
    document,
    owned,
    plain,
    study_of,
)

BASE = {"staff_fte": 1.0, "support": {"bands": [{"fraction": 0.1}]}}


def like(letter: str, **more: Any) -> JSONDict:
    """A cloud that has all that a real one has."""
    return cloud(letter, **{**BASE, **more})


def whole(letter: str, **more: Any) -> JSONDict:
    """A cluster that has all that a real one has."""
    return owned(
        letter,
        **{
            "staff_fte": 1.0,
            "space": {"usd_per_kw_month": 200},
            "spares_fraction_per_year": 0.02,
            "support": {"fraction_per_year": 0.1},
            "lead_time_months": 3,
            "equipment": [{"name": "Switches", "count": 2, "unit_price_usd": 6000}],
            **more,
        },
    )


def study(*designs: JSONDict, workload: JSONDict | None = None, **assumptions: Any) -> JSONDict:
    given = {"electricity": {"kind": "flat", "usd_per_kwh": 0.1}, "end": "work_continues"}
    return plain(list(designs), workload, **{**given, **assumptions})


GPUS = {"name": "p5en", "usd_per_h": 60, "vcpu_count": 192, "gpus_count": 8}
FLAT = [1.0] * 24
PEAK = {"kind": "hourly", "values_ratio": [0.5] * 12 + [1.5] * 12}
ZONED = {"cross_zone_usd_per_gb": 0.02}
MOVED = {"labour_usd": 1000, "parallel_months": 1, "parallel_letter": "B"}
BACKED = {"block_tb": 1, "block_io_per_s": 0}
TIERS = {"block_tiers": [{"usd_per_gb_month": 0.08}]}
DRIVES = {
    "per_node_count": 4,
    "capacity_tb": 4,
    "copies_count": 2,
    "unit_price_usd": 0,
    "kind": "ssd",
}
BLOCKS = {"role": "compute_and_block", "drives": DRIVES}
RATIO = {"perf_per_vcpu_ratio": 0.6}
LOW = [{"base_quantile_fraction": 0.1, "discount_fraction": 0.6, "term_months": 12}]
MADE = {"kgco2e": 1000, "life_months": 48}
CARBON = {"gco2e_per_kwh": 300, "year": 2024, "zone": "X"}
PRICE = "/designs/B/instances/0/usd_per_h"

LEFT = {"type": "vm", "count": 2, "usd_per_h": 1, "commitment_end_month": 6, "after_usd_per_h": 2}
FROM_TODAY = {"parallel_letter": "T", "exit_tb": 10}
SENDS = {"egress_tiers": [{"usd_per_gb": 0.09}]}
TAXED: dict[str, Any] = {"tax": {"counted": True}, "depreciation": {"method": "macrs_5"}}

SERVED = [{"name": "Database", "usd_per_month": 900}]

CASES: dict[int, JSONDict] = {
    1: study(like("A", item=RATIO), like("B", services=SERVED)),
    2: study(whole("A"), like("B", transfer=ZONED), workload=demand(cross_zone_tb_per_month=5)),
    3: study(
        whole("A", group=BLOCKS, backup={"usd_per_tb_month": 6}),
        like("B", storage=TIERS),
        workload=demand(**BACKED),
    ),
    4: study(whole("A", migration=MOVED), like("B"), like("C")),
    5: study(whole("A"), like("B"), end="work_stops"),
    6: study(whole("A"), like("B"), horizon_months=72),
    7: {**study(whole("A"), like("B")), "baseline": {"lines": [LEFT], "book_value_usd": 5000}},
    8: study(whole("A"), like("B"), foresight=True),
    9: study(like("A"), like("B"), workload=demand(p99_ratio=2.0)),
    10: study(whole("A"), like("B", staff_fte=0)),
    11: study(
        whole("A", spares_fraction_per_year=0),
        like("B"),
        workload=demand(object_use={"writes_millions_per_month": 1}),
    ),
    12: study(whole("A", space={"electricity_included": True}), like("B")),
    13: {
        **study(
            like("A", migration=FROM_TODAY, copying={"data_tb": 1, "times_per_year": 4}),
            like("B", migration={"parallel_letter": "T"}, exit={"counted": True}),
        ),
        "baseline": {"lines": []},
    },
    14: study(whole("A", support={"warranty_months": 6}), like("B"), starts_on="2026-07-01"),
    15: study(whole("A", software={"usd_per_socket_year": 100}), whole("B")),
    16: study(like("A", negotiated_discount_fraction=0.1), like("B")),
    17: study(
        like("A", item={"price_as_of": "2026-01-01"}), like("B", item={"price_as_of": "2026-07-01"})
    ),
    18: study(whole("A"), like("B"), price_changes={**STILL, "staff_fraction_per_year": 0.03}),
    19: study(
        like("A", credits={"usd": 5000}, transfer={**SENDS, "free_gb_per_month": 500}),
        like("B", transfer=SENDS),
        workload=demand(egress_tb_per_month=5),
    ),
    20: study(whole("A", finance={"kind": "lease", "term_months": 36}), like("B")),
    21: study(whole("A"), like("B"), starts_on="2026-07-01", **TAXED),
    22: {
        **study(like("A"), like("B")),
        "ranges": [{"pointer": PRICE, "low": 0.9, "high": 1.2}],
    },
    23: study(whole("A"), like("B", commitments=LOW), workload=demand(shape=PEAK, p99_ratio=None)),
    24: study(whole("A", lead_time_months=0), like("B")),
    25: study(like("A", storage={"gb_per_tb": 1000}), like("B", storage={"gb_per_tb": 1024})),
    26: study(whole("A", group={"embodied": MADE}), like("B", energy=None), carbon=CARBON),
    27: study(
        whole("A", group={"role": "gpu", "gpus_per_node_count": 8, "gpu": "NVIDIA T4"}),
        like("B", instances=[{**GPUS, "gpu": "NVIDIA H200"}]),
        workload=demand(gpu_peak_count=24),
    ),
    29: study(
        like("A", commitments=LOW),
        like("B"),
        workload=demand(shape=PEAK, p99_ratio=None),
    ),
    30: study(
        whole("A", lead_time_months=3, migration={"parallel_letter": "B", "parallel_months": 3}),
        like("B"),
    ),
    31: study(whole("A", equipment=[]), like("B"), workload=demand(busy_cores_count=1000)),
    32: study(
        whole("A", migration={"parallel_letter": "B", "parallel_months": 3}),
        like("B", storage=TIERS),
        workload=demand(block_tb=2000),
    ),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.number))
def test_a_rule_finds_what_it_is_for_and_its_fix_mends_it(rule: Any) -> None:
    spec = study_of(CASES[rule.number])
    found = list(rule.find(spec))
    assert found, rule.title
    for item in found:
        assert item.sentence.endswith(".")
        assert item.pointer.startswith("/")
    # Every finding with a fix is gone once all are fixed.
    for _ in range(12):
        fixes = [item for item in rule.find(spec) if item.changes]
        if not fixes:
            break
        spec = changed(spec, fixes[0].changes)
    assert not [item for item in rule.find(spec) if item.changes]


@pytest.mark.parametrize("usd_per_gb", [0.0, 0.02])
def test_traffic_between_zones_needs_zones_where_it_is_free_too(usd_per_gb: float) -> None:
    rented = like("B", transfer={"cross_zone_usd_per_gb": usd_per_gb})
    spec = study_of(study(whole("A"), rented, workload=demand(cross_zone_tb_per_month=5)))
    (found,) = next(rule for rule in RULES if rule.number == 2).find(spec)
    assert found.sentence.startswith("B has traffic between zones, A stands on one site")


@pytest.mark.parametrize(
    ("usual", "told"),
    [
        (typical.READS, "$0.40 per million ($0.30 to $0.50; Amazon S3 pricing: GET)"),
        (typical.EGRESS, "$0.09/GB ($0.05 to $0.12; Amazon EC2 on-demand pricing: data"),
        (typical.SPARES, "2% of the price a year (1% to 3%; catalogue: 8% of servers"),
        (typical.PEOPLE_CLOUD, "1 FTE (0.5 to 1.5; catalogue: staff to run the same in a cloud"),
    ],
)
def test_a_typical_amount_is_said_as_elsewhere(usual: typical.Typical, told: str) -> None:
    assert usual.told(Currency()).startswith(told)


def test_every_rule_of_the_specification_is_there() -> None:
    assert [rule.number for rule in RULES] == [*range(1, 28), 29, 30, 31, 32]


def test_a_nominal_rate_beside_prices_that_all_stand_still_is_told() -> None:
    still = study(whole("A"), like("B"), ranked_by="present_value", horizon_months=36)
    result = check(study_of(still))
    (finding,) = [item for item in result.findings if item.rule == "18"]
    assert "The discount rate of 8% a year is nominal" in finding.sentence
    assert "wages, space and network, electricity and software stay as they are" in finding.sentence
    # Both designs are alike, so that only the rounding of sums moves.
    assert finding.money_usd == pytest.approx(0.0, abs=1e-6)
    assert finding.money == "does not move the lead of A"
    fixed = changed(study_of(still), tuple(Change(p.pointer, p.value) for p in finding.fix))
    assert not [item for item in check(fixed).findings if item.rule == "18"]
    for quiet in ({"ranked_by": "cash"}, {"discount_fraction_per_year": 0.0}):
        other = {**still, "assumptions": {**still["assumptions"], **quiet}}
        assert not [item for item in check(study_of(other)).findings if item.rule == "18"]


@pytest.mark.decisive
def test_designs_that_are_alike_have_no_finding() -> None:
    result = check(study_of(study(whole("A"), like("B"))))
    assert [item.key for item in result.findings] == []
    assert result.sentence == ("The designs can be compared: no rule finds a difference in kind.")


def cost_of(spec: Any, letter: str) -> float:
    return next(one.ranked_usd for one in compare(spec).designs if one.letter == letter)


@pytest.mark.decisive
def test_a_commitment_far_from_its_best_is_told_by_what_the_best_saves() -> None:
    spec = study_of(CASES[29])
    (rule,) = [one for one in RULES if one.number == 29]
    (found,) = rule.find(spec)
    least = changed(spec, found.changes)
    saved = cost_of(spec, "A") - cost_of(least, "A")
    assert saved > 0
    share = percent(saved / cost_of(spec, "A"))
    assert f"of it costs {money(saved, Currency())} ({share}) less." in found.sentence
    assert found.sentence.startswith("A commits to 33% of today's peak; at 60% off, 100%")
    assert list(rule.find(least)) == []


def test_a_mix_that_owns_too_little_is_told_by_what_the_best_saves() -> None:
    mix = {"letter": "C", "title": "C", "kind": "hybrid", "owned_letter": "A", "rented_letter": "B"}
    work = demand(busy_cores_count=2000, ram_gib=0, shape=PEAK, p99_ratio=None)
    (rule,) = [one for one in RULES if one.number == 29]

    def mixed_up_to(quantile: float) -> Any:
        mixed = {**mix, "own_quantile_fraction": quantile}
        return study_of(study(whole("A"), like("B"), mixed, workload=work))

    costs = {one: cost_of(mixed_up_to(one), "C") for one in OWNED_QUANTILES}
    best, worst = min(costs, key=costs.__getitem__), max(costs, key=costs.__getitem__)
    (found,) = rule.find(mixed_up_to(worst))
    assert [change.value for change in found.changes] == [best]
    saved = costs[worst] - costs[best]
    assert f"costs {money(saved, Currency())} ({percent(saved / costs[worst])}) less" in (
        found.sentence
    )
    assert list(rule.find(mixed_up_to(best))) == []


KEPT = {
    **TIERS,
    "object_tiers": [{"usd_per_gb_month": 0.02}],
    "archive": {"usd_per_gb_month": 0.001},
}
STORED = demand(block_tb=1, block_io_per_s=0, object_tb=10, archive_tb=100)


def backed(**backup: Any) -> JSONDict:
    """A cluster and a cloud that pay 6 USD per TB and month for backup."""
    archive = {"role": "archive", "name": "archive", "drives": DRIVES}
    own = whole("A", group=BLOCKS, backup={"usd_per_tb_month": 6, **backup})
    own["node_groups"].append({**own["node_groups"][0], **archive})
    rented = like("B", storage={**KEPT, "backup_usd_per_tb_month": 6})
    return study(own, rented, workload=STORED)


@pytest.mark.decisive
def test_a_backup_of_more_kinds_of_data_than_the_clouds_is_found_with_its_money() -> None:
    (rule,) = [one for one in RULES if one.number == 3]
    found = list(rule.find(study_of(backed())))
    assert [item.pointer for item in found] == ["/designs/A/backup/covers"]
    # 10 TB of objects and 100 TB of archive, at 6 USD, for as long as the study.
    wide, narrow = study_of(backed()), study_of(backed(covers="block"))
    months = wide.assumptions.horizon_months
    paid = [
        next(cause.amount_usd for cause in compared.designs[0].causes if cause.cause == "backup")
        for compared in (compare(wide), compare(narrow))
    ]
    assert paid == pytest.approx([111 * 6 * months, 6 * months])
    assert changed(wide, found[0].changes) == narrow
    assert list(rule.find(narrow)) == []
    for quiet in (backed(data_tb=500), backed(usd_per_tb_month=0)):
        covers = [item for item in rule.find(study_of(quiet)) if item.pointer.endswith("covers")]
        assert covers == []


def mixed(*, rented: tuple[str, ...] = ("block", "object", "archive"), **backup: Any) -> JSONDict:
    """Those two, and a mix that rents these kinds of what is stored."""
    mix = {"letter": "C", "title": "C", "kind": "hybrid", "owned_letter": "A", "rented_letter": "B"}
    placement = dict.fromkeys(rented, "rented")
    document_ = backed(covers="block", **backup)
    return {**document_, "designs": [*document_["designs"], {**mix, "placement": placement}]}


def test_a_mix_that_rents_its_storage_does_not_pay_for_a_backup_entered_of_the_owned_side() -> None:
    (rule,) = [one for one in RULES if one.number == 3]
    spec = study_of(mixed(data_tb=500))
    (found,) = rule.find(spec)
    assert found.pointer == "/designs/A/backup/data_tb"
    assert "C rents all its storage as in B, and pays for the backup of 500 TB" in found.sentence
    fixed = changed(spec, found.changes)
    assert list(rule.find(fixed)) == []
    paid = [
        sum(cause.amount_usd for cause in compare(one).designs[2].causes if cause.cause == "backup")
        for one in (spec, fixed)
    ]
    assert paid == pytest.approx([500 * 6 * spec.assumptions.horizon_months, 0.0])
    for quiet in (
        mixed(),
        mixed(data_tb=500, usd_per_tb_month=0),
        mixed(data_tb=500, rented=("block", "object")),
    ):
        assert [one for one in rule.find(study_of(quiet)) if one.pointer.endswith("data_tb")] == []


def test_money_is_the_change_of_the_gap_and_says_who_leads_then() -> None:
    """A costs 10 k and people; without people in B, B is cheaper by what they cost."""
    document_ = study(like("A", staff_fte=1.0), like("B", staff_fte=0), staff_usd_per_fte_year=1000)
    result = check(study_of(document_))
    (finding,) = result.findings
    assert result.winner == "B"
    assert finding.money_usd == pytest.approx(-1000)
    assert finding.money == "$1.00 k narrower lead of B"
    assert finding.not_counted
    dearer = copy.deepcopy(document_)
    dearer["designs"][0]["staff_fte"] = 0.5
    dearer["designs"][1]["instances"][0]["usd_per_h"] = 1.002
    turned = check(study_of(dearer)).findings[0]
    assert turned.winner_after == "A"
    assert check(study_of(dearer)).sentence == (
        "1 finding is neither fixed nor accepted; fixing 1 of them alone makes another design "
        "the cheapest."
    )


def test_a_finding_is_accepted_with_its_reason() -> None:
    document_ = study(like("A"), like("B", staff_fte=0))
    key = check(study_of(document_)).findings[0].key
    document_["assumptions"]["accepted"] = [{"finding": key, "because": "its staff is ours"}]
    result = check(study_of(document_))
    assert result.findings[0].accepted == "its staff is ours"
    assert (result.open_count, result.sentence) == (
        0,
        "The one finding of the like-for-like check is accepted.",
    )


def test_what_a_cloud_does_not_charge_for_is_as_certain_as_it_is() -> None:
    at = "/storage/usd_per_mb_per_s_month"
    ranges = [{"pointer": f"/designs/A{at}", "low": 0.04, "high": 0.06}]
    charged = {"usd_per_mb_per_s_month": 0.04}
    rule = next(rule for rule in RULES if rule.number == 22)
    for price, told in ((0.05, [f"/designs/B{at}"]), (0.0, [])):
        other = like("B", storage={"usd_per_mb_per_s_month": price})
        held = {**study(like("A", storage=charged), other), "ranges": ranges}
        assert [item.pointer for item in rule.find(study_of(held))] == told


def test_the_machines_of_a_mix_are_waited_for_as_those_that_it_is_of() -> None:
    waited = {"parallel_letter": "B", "parallel_months": 3}
    mix = {"letter": "C", "title": "C", "kind": "hybrid", "owned_letter": "A", "rented_letter": "B"}
    spec = study_of(study(whole("A", migration=waited), like("B"), {**mix, "staff_fte": 1}))
    rule = next(rule for rule in RULES if rule.number == 24)
    (found,) = rule.find(spec)
    assert found.pointer == "/designs/C/migration/parallel_months"
    assert "C work from the first day, those of A after 3 months in which B is" in found.sentence
    fixed = changed(spec, found.changes)
    assert fixed.designs[2].migration.parallel_letter == "B"
    assert not list(rule.find(fixed))


@pytest.mark.parametrize("doubts", ["range", "choice"])
def test_buying_what_is_leased_has_an_amount_whatever_of_the_lease_is_open(doubts: str) -> None:
    """A range of its rate leads nowhere once it is bought; the answer knows what that is worth."""
    lease = {"kind": "lease", "rate_fraction_per_year": 0.09, "term_months": 36}
    given = study(whole("A") | {"finance": lease}, like("B")) | {"draws_count": 50}
    pointer = "/designs/A/finance"
    rate = {"pointer": f"{pointer}/rate_fraction_per_year", "low": 0.05, "high": 0.12}
    price = {"pointer": "/designs/A/hardware_price_ratio", "low": 0.8, "high": 1.2}
    given["ranges"] = [price]
    if doubts == "range":
        given["ranges"] = [price, rate]
        given["assumptions"]["correlations"] = [
            {"first": one.key, "second": other.key, "spearman_ratio": 0.5}
            for one, other in itertools.pairwise(quantities_of(study_of(given)))
        ]
    else:
        longer = {"value": lease | {"term_months": 24}, "odds_fraction": 0.5}
        given["assumptions"]["choices"] = [{"pointer": pointer, "others": [longer]}]
    (found,) = [one for one in check(study_of(given)).findings if one.rule == "20"]
    assert found.money_usd is not None
    assert "unknown" not in found.money


EXAMPLES = (
    "free-factories",
    "free-factories-prototypes",
    "rent-or-own",
    "seamicro-i7",
    "fawn-nodes",
    "planetlab-consolidation",
    "kv-2026",
    "disk-arrays",
    "flat-estate",
    "start-up-doubling",
)


@pytest.mark.parametrize("slug", EXAMPLES)
def test_every_finding_of_an_example_is_fixed_or_accepted(slug: str) -> None:
    result = check(study_of(document(slug, draws_count=100)))
    assert [item.key for item in result.findings if item.accepted is None] == []


def test_a_remedy_is_listed_once_with_all_that_it_serves() -> None:
    given = document("seamicro-i7", draws_count=100)
    (ends,) = [one for one in check(study_of(given)).findings if one.rule == "5"]
    assert ends.keys == ("5:/designs/A/salvage/fraction", "5:/designs/B/salvage/fraction")
    assert ends.sentence == (
        "The hardware of A lives 60 months and is worth nothing after 36. The hardware of B lives "
        "60 months and is worth nothing after 36. Fix: work continues, each design charged for "
        "what it used."
    )
    assert ends.accepted is not None
    # What one of them is accepted for leaves the other open.
    kept = [one for one in given["assumptions"]["accepted"] if one["finding"] != ends.keys[1]]
    given["assumptions"]["accepted"] = kept
    (left,) = [one for one in check(study_of(given)).findings if one.rule == "5"]
    assert left.accepted is None


@pytest.mark.parametrize("slug", EXAMPLES)
def test_no_two_findings_have_one_remedy(slug: str) -> None:
    findings = check(study_of(document(slug, draws_count=100))).findings
    fixes = [repr(one.fix) for one in findings if one.fix]
    assert len(set(fixes)) == len(fixes)


def _told(owned_kind: str | None, rented_kind: str | None, asked: str | None = None) -> list[str]:
    group = {"role": "gpu", "gpus_per_node_count": 8, "gpu": owned_kind}
    given = study(
        whole("A", group=group),
        like("B", instances=[{**GPUS, "gpu": rented_kind}]),
        workload=demand(gpu_peak_count=24, gpu=asked),
    )
    (rule,) = [one for one in RULES if one.number == 27]
    return [item.sentence for item in rule.find(study_of(given))]


def test_kinds_of_gpu_that_differ_are_named_and_one_kind_by_two_names_is_not() -> None:
    assert _told("NVIDIA H100 SXM5 80 GB", "NVIDIA H100") == []
    assert _told("h200", "NVIDIA H200", "H200") == []
    (differ,) = _told("NVIDIA T4", "NVIDIA H200")
    assert differ.startswith("NVIDIA T4 in A beside NVIDIA H200 in B: ")
    (unsaid,) = _told(None, "NVIDIA H200")
    assert unsaid.startswith("GPUs of a kind that is not said in A beside NVIDIA H200 in B")
    assert len(_told(None, None)) == 2
    taken = _told("NVIDIA H200", "NVIDIA H200", "NVIDIA H100")
    assert [one.split(":")[0] for one in taken] == [
        f"NVIDIA H200 in {letter} beside NVIDIA H100 for the work" for letter in "BA"
    ]


def test_spare_gpus_are_alike_on_both_sides() -> None:
    group = {"role": "gpu", "gpus_per_node_count": 8, "gpu": "H200"}
    given = study(
        whole("A", group=group),
        like("B", instances=[{**GPUS, "gpu": "H200", "spare_count": 0}]),
        workload=demand(gpu_peak_count=24, availability={"spare_nodes_count": 1}),
    )
    alike = copy.deepcopy(given)
    del alike["designs"][1]["instances"][0]["spare_count"]
    (rule,) = [one for one in RULES if one.number == 2]
    (found,) = rule.find(study_of(given))
    assert found.sentence.startswith("A has 8 GPUs to spare for a node that fails, B has none.")
    assert not list(rule.find(changed(study_of(given), found.changes)))
    assert not list(rule.find(study_of(alike)))


def test_hundreds_of_gpu_servers_have_spare_ones_on_both_sides_by_one_chance() -> None:
    group = {"role": "gpu", "gpus_per_node_count": 8, "gpu": "H200", "spare_nodes_count": 0}
    given = study(
        whole("A", group=group),
        like("B", instances=[{**GPUS, "gpu": "H200", "spare_count": 0}]),
        workload=demand(gpu_peak_count=1024, availability={"spare_nodes_count": 1}),
    )
    (rule,) = [one for one in RULES if one.number == 2]
    own, rented = rule.find(study_of(given))
    assert own.sentence.startswith("A has none to spare of 128 ")
    assert own.changes[0].value == 4
    assert rented.sentence.startswith("B has none to spare of 128 ")
    # A provider moves to another in a day, a part comes in a week.
    assert rented.changes[0].value == 1
    assert not list(rule.find(changed(study_of(given), own.changes + rented.changes)))


def test_a_core_whose_speed_nobody_entered_is_found_and_measured_where_it_is_known() -> None:
    named = {"name": "Server, 1 x EPYC 9965, 768 GB"}
    item = {"name": "AWS m7i.8xlarge"}
    cases: list[tuple[JSONDict, JSONDict, list[float | None]]] = [
        # Both unsaid, and known to differ; one said; a name that says no processor; both said.
        (named, {"item": item}, [0.64, 1.15]),
        (named, {"item": {**item, "perf_per_vcpu_ratio": 0.6}}, [1.15]),
        ({"name": "Servers"}, {"item": {**item, "perf_per_vcpu_ratio": 0.6}}, [None]),
        ({**named, "perf_per_core_ratio": 1.1}, {"item": {**item, **RATIO}}, []),
        # Nothing is known of either: as they are typed.
        ({"name": "Servers"}, {"item": {"name": "An instance"}}, []),
    ]
    for group, other, speeds in cases:
        given = study(whole("A", group=group), like("B", **other))
        said = [one for one in work.find(study_of(given)) if "No speed of" in one.sentence]
        fixes = [one.changes[0].value if one.changes else None for one in said]
        assert fixes == speeds, said
        if speeds and speeds[-1]:
            assert "SPEC CPU2017" in said[-1].sentence


def test_data_in_one_enclosure_are_not_as_safe_as_those_over_machines() -> None:
    (rule,) = [one for one in RULES if one.number == 3]
    shelf = {"drive": DRIVE, "drive_price_usd": 500.0, "layout": "raid6", "disks_count": 11,
             "carries": "object", "count": None}  # fmt: skip
    coded = {**shelf, "disks_count": 108, "code": {"nodes_count": 9, "data_count": 6}}
    objects = {"object_tiers": [{"usd_per_gb_month": 0.02}]}
    paid = {"usd_per_tb_month": 6.0, "covers": "block"}
    given = study(
        whole("A", array=shelf, backup=paid),
        whole("B", array=coded, backup=paid),
        like("C", storage={**objects, "backup_usd_per_tb_month": 6.0}),
        workload=demand(object_tb=100),
    )
    (found,) = rule.find(study_of(given))
    assert found.sentence.startswith("The objects of A lie in one enclosure")
    assert not list(rule.find(changed(study_of(given), found.changes)))
    told = check(study_of(given))
    (finding,) = [one for one in told.findings if "enclosure" in one.sentence]
    assert finding.money_usd is not None


def test_petabytes_are_not_moved_in_a_quarter_over_the_lines_of_little_traffic() -> None:
    move = {"parallel_letter": "B", "parallel_months": 3}
    (rule,) = [one for one in RULES if one.number == 32]

    def told(data_tb: float, **more: Any) -> list[Any]:
        work = demand(block_tb=data_tb)
        whole_move = {**move, **more}
        rented = like("B", storage=TIERS)
        given = study(whole("A", migration=whole_move), rented, workload=work)
        return list(rule.find(study_of(given)))

    (slow,) = told(50_000.0)
    assert "2 Gbit/s" in slow.sentence
    assert not slow.changes
    (longer,) = told(2000.0)
    # 16,000,000 Gbit over 2 Gbit/s, seven tenths of it.
    assert longer.changes[0].value == 3.0 + 2.0
    assert told(50_000.0, line_gbit_per_s=100) == []
    assert told(50.0) == []
