"""The example of now against the reference's sanity figures: expectations, not targets."""

from __future__ import annotations

import math

import pytest

from capmodels.tests.plans.documents import JSONDict, answer, column, document

GROWING = ("busy_cores_count", "ram_gib", "block_tb", "egress_tb_per_month")


# Of an instance.
PARTS = 1000


def as_the_script_prices_it() -> JSONDict:
    """The example as the script has it: block storage by what is on it, decimal GB, p30 bases.

    The script has no backup, and rents parts of instances, none of them spare: thousandths here.
    By itself the plan rents volumes as full as owned disks may be.
    """
    study = document("rent-or-own")
    for design in study["designs"]:
        if design["kind"] == "cloud":
            for item in design["instances"]:
                for name in ("usd_per_h", "vcpu_count", "ram_gib", "network_gbit_per_s"):
                    item[name] /= PARTS
                item["spare_count"] = 0
            as_then = {"gb_per_tb": 1000, "backup_usd_per_tb_month": 0.0}
            design["storage"] |= {"block_overhead_ratio": 1.0, **as_then}
            for commitment in design["commitments"]:
                commitment["base_quantile_fraction"] = 0.3
    return study


def level_year_usd(letter: str, year: int) -> float:
    """A year's cost with demand held at its level at that year's start."""
    study = as_the_script_prices_it()
    work = study["workload"]
    for name in (*GROWING, "cross_zone_tb_per_month"):
        work[name] *= 1.2**year
    work["object_tb"] *= 1.3**year
    work["growth"] = {}
    study["ranges"] = []
    study["assumptions"]["horizon_months"] = 12
    return column(answer(study), letter).total_usd


@pytest.mark.decisive
def test_with_level_years_renting_costs_what_the_script_says() -> None:
    """$0.94 M, $3.35 M and $6.75 M after 1, 3 and 5 years: the script holds each year level."""
    years = [level_year_usd("A", year) for year in range(5)]
    assert years[0] == pytest.approx(0.94e6, abs=0.005e6)
    assert math.fsum(years[:3]) == pytest.approx(3.35e6, abs=0.02e6)
    assert math.fsum(years) == pytest.approx(6.75e6, abs=0.03e6)


def test_growth_within_the_years_makes_renting_dearer_by_half_a_years_growth() -> None:
    """The plan lets demand grow month by month: about 1.2^0.5 of the level years."""
    level = math.fsum(level_year_usd("A", year) for year in range(3))
    smooth = column(answer(as_the_script_prices_it()), "A").total_usd
    staff = 3 * 135_000
    ratio = (smooth - staff) / (level - staff)
    assert 1.2**0.5 < ratio < 1.17


def test_the_base_of_the_first_year_is_51_instances() -> None:
    group = column(answer(as_the_script_prices_it()), "A").sizing[0].groups[0]
    assert group.committed_count is not None
    assert group.committed_count / PARTS == pytest.approx(51, abs=0.5)
    assert group.binding == "ram"


def left_as_the_script_has_it(version: str | None = None) -> JSONDict:
    """The example as the script pays for today's place until D is there: at its committed rate.

    By itself the plan pays for those months on demand: of a term of years nobody commits to four.
    """
    study = document("rent-or-own", version=version)
    designs = {design["letter"]: design for design in study["designs"]}
    today, move = designs["A"], designs["D"]["migration"]
    promises = [{**one, "term_months": move["parallel_months"]} for one in today["commitments"]]
    study["designs"].append({**today, "letter": "F", "title": "Today", "commitments": promises})
    move["parallel_letter"] = "F"
    return study


def test_owning_costs_and_pays_off_about_as_the_script_says() -> None:
    """$1.70 M, $2.97 M, $4.56 M; pays off against AWS in month 29, 24 at the old prices."""
    for months, expected in ((12, 1.70e6), (36, 2.97e6), (60, 4.56e6)):
        study = left_as_the_script_has_it()
        study["assumptions"] |= {"horizon_months": months, "end": "work_stops"}
        assert column(answer(study), "D").total_usd == pytest.approx(expected, rel=0.03)

    def month(version: str | None) -> int | None:
        found = answer(left_as_the_script_has_it(version)).break_evens
        pairs = {(item.challenger, item.incumbent): item for item in found if not item.discounted}
        told = pairs.get(("D", "A"))
        return None if told is None else told.first_month_cheaper

    now, before = month(None), month("Parts of Q3 2025")
    assert now is not None
    assert before is not None
    # Renting costs more than in the script, so both come about two months sooner.
    assert 26 <= now <= 29
    assert 4 <= now - before <= 6


def test_at_350_dollars_a_core_owning_never_pays_off() -> None:
    result = answer(document("rent-or-own", version="Software at $350 per core"))
    owned = [item for item in result.break_evens if item.challenger == "D"]
    assert owned
    assert all(item.reason == "never" for item in owned)


def test_electricity_hardly_matters_here() -> None:
    design = column(answer(document("rent-or-own")), "D")
    energy = sum(item.amount_usd for item in design.causes if item.cause in {"energy", "cooling"})
    assert energy / design.total_usd == pytest.approx(0.017, abs=0.003)
