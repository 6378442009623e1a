"""The example studies: they run, they say what their papers say, and every number has an origin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.tests.plans.documents import answer, column, document, file_of

if TYPE_CHECKING:
    from collections.abc import Iterator

JSONDict = dict[str, Any]
NEW = (
    "disk-arrays",
    "fawn-nodes",
    "flat-estate",
    "kv-2026",
    "planetlab-consolidation",
    "seamicro-i7",
    "start-up-doubling",
)
TODAY = "2026-11-21"


def numbers(value: Any, pointer: str = "") -> Iterator[str]:
    """Pointers of the numbers of a document."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, f"{pointer}/{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from numbers(inner, f"{pointer}/{index}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield pointer


@pytest.mark.parametrize("slug", NEW)
def test_it_answers_its_question(slug: str) -> None:
    study = file_of(slug)
    assert study["question"].endswith("?")
    result = answer(document(slug, draws_count=200))
    assert result.verdict.kind in {"clear", "probable", "open"}
    assert result.odds is not None
    assert not result.warnings
    # Of what runs today it is not known.
    assert all(design.energy.kwh is not None for design in result.designs if design.letter != "T")


@pytest.mark.parametrize("slug", NEW)
def test_every_number_has_an_origin_with_a_date(slug: str) -> None:
    study = file_of(slug)
    parts = [(study[name], study[f"{name}_provenance"]) for name in ("workload", "assumptions")]
    for design in study["designs"]:
        versions = design.get("versions", [])
        parts += [(part["spec"], part["provenance"]) for part in (design, *versions)]
    for spec, provenance in parts:
        assert set(numbers(spec)) <= set(provenance)
        for origin in provenance.values():
            assert origin["source"]
            assert origin["as_of"] <= TODAY
            kinds = {"measured", "published", "recalled", "assumed", "derived"}
            assert origin["quality"] in kinds


def test_atoms_do_the_papers_work_per_watt() -> None:
    result = answer(document("seamicro-i7"))
    ours, theirs = column(result, "A"), column(result, "B")
    # TeraSort: performance per watt +147.8%; whole servers make it differ by 0.1%.
    assert theirs.energy.kwh is not None
    assert ours.energy.kwh is not None
    assert theirs.energy.kwh / ours.energy.kwh == pytest.approx(2.478, rel=0.002)
    # Ten boxes at 3.5 kW over three years: ten times $169,335.97.
    assert ours.total_usd == pytest.approx(1_693_359.7, abs=0.1)


@pytest.mark.parametrize(
    ("data_tb", "rate_per_s", "winner"),
    [
        (1000.0, 1e6, "FAWN+Disk"),
        (10.0, 1e6, "FAWN+SSD"),
        (10.0, 1e8, "Traditional+DRAM"),
        (1.0, 1e8, "FAWN+DRAM"),
    ],
)
def test_the_cheapest_node_is_that_of_the_figures_region(
    data_tb: float, rate_per_s: float, winner: str
) -> None:
    study = document("fawn-nodes")
    study["workload"]["service"] |= {"dataset_tb": data_tb, "query_rate_per_s": rate_per_s}
    result = answer(study)
    assert column(result, result.winner or "").title == winner


def test_a_fawn_node_costs_what_the_table_says() -> None:
    found = column(answer(document("fawn-nodes")), "E")
    assert found.total_usd == pytest.approx(313 * 539.42)


@pytest.mark.parametrize(("letter", "kwh"), [("A", 2410.80), ("B", 802.75), ("C", 192.62)])
def test_a_day_of_planetlab_takes_the_energy_of_its_policy(letter: str, kwh: float) -> None:
    study = document("planetlab-consolidation")
    found = column(answer(study), letter)
    days = 365 * study["assumptions"]["horizon_months"] / 12
    assert found.energy.kwh is not None
    assert found.energy.kwh / study["assumptions"]["pue"] / days == pytest.approx(kwh, rel=1e-5)


def test_memory_keeps_hosts_that_cycles_would_let_go() -> None:
    result = answer(document("planetlab-consolidation"))
    assert not column(result, "E").carries_load
    assert column(result, "F").sizing[0].groups[0].count == 319
    assert column(result, "F").binding.resource == "ram"


def test_the_load_of_2026_is_carried_and_kept_within_its_bound() -> None:
    for design in answer(document("kv-2026")).designs:
        assert design.carries_load
        assert design.service is not None
        assert design.service.late_fraction is not None
        assert design.service.late_fraction <= 0.01
        assert design.memory is not None
        assert design.memory.idle_gib > 0


def test_sleeping_laptop_disks_save_what_the_paper_says() -> None:
    result = answer(document("disk-arrays"))
    server, sleeping = column(result, "A").array, column(result, "B").array
    assert server is not None
    assert sleeping is not None
    # TR 837, Exp-100: 50% to 80% of the server disk's power; closed form 2.573 W.
    assert sleeping.mean_w == pytest.approx(2.573, abs=0.001)
    assert 0.5 <= 1 - sleeping.mean_w / server.mean_w <= 0.8
    assert sleeping.loss_fraction_per_year is not None
    assert server.loss_fraction_per_year is not None
    assert sleeping.loss_fraction_per_year < 1e-6 < server.loss_fraction_per_year
