"""The files of ``fixtures/`` keep their own rules, and say what we know from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from capmodels.tests.ranges import OF_THE_SOURCE, is_centred
from catalogue.fields import is_price, unit_of
from catalogue.fixture_entries import Seed, digest, read_entries
from catalogue.fixture_rows import FOLDERS, QUALITIES, ROOT, FixtureError, read_tables

if TYPE_CHECKING:
    from pathlib import Path

BASES = {"direct_average", "life_cycle_average", "direct_marginal", "life_cycle_marginal"}
SOURCES = (
    "source,title,publisher,url,date,retrieved,licence,note\n"
    "list,Price list,Vendor,https://example.com/,2026-01-10,2026-02-01,none,\n"
)
HEAD = "slug,title,kind,inherits,vendor,price_usd,tier_usd_per_gb,source,quality,as_of,overrides\n"


@pytest.fixture(scope="module")
def entries() -> dict[str, Seed]:
    return {seed.slug: seed for seed in read_entries()}


def write(root: Path, rows: str, *, head: str = HEAD, sources: str = SOURCES) -> Path:
    for folder in FOLDERS:
        (root / folder).mkdir()
        (root / folder / "sources.csv").write_text(sources.splitlines()[0] + "\n")
    (root / "prices" / "sources.csv").write_text(sources)
    (root / "prices" / "things.csv").write_text(head + rows)
    return root


def faults_of(root: Path) -> str:
    with pytest.raises(FixtureError) as refused:
        read_entries(root)
    return "\n".join(refused.value.faults)


def test_instances_of_a_class_stand_newest_generation_first(entries: dict[str, Seed]) -> None:
    named = (re.fullmatch(r"aws-([a-z])(\d)[a-z]*-\w+", slug) for slug in entries)
    by_class: dict[str, list[int]] = {}
    for one in filter(None, named):
        by_class.setdefault(one[1], []).append(int(one[2]))
    assert {"m", "c", "r", "g", "i", "x"} <= by_class.keys()
    for generations in by_class.values():
        assert all(newer >= older for newer, older in pairwise(generations)), by_class


@pytest.mark.decisive
def test_every_value_has_source_date_quality_and_unit(entries: dict[str, Seed]) -> None:
    for seed in entries.values():
        for name, value in seed.values.items():
            assert value["source"], (seed.slug, name)
            assert value["as_of"], (seed.slug, name)
            assert value["quality"] in QUALITIES, (seed.slug, name)
            assert value["unit"] == unit_of(name), (seed.slug, name)


def test_the_catalogue_holds_what_the_first_release_promises(entries: dict[str, Seed]) -> None:
    kinds = Counter(seed.kind for seed in entries.values())
    current = [
        seed
        for seed in entries.values()
        if seed.kind == "instance" and (seed.values["usd_per_h"]["as_of"] or "") >= "2026"
    ]
    countries = {
        kind: {seed.values["country"]["value"] for seed in entries.values() if seed.kind == kind}
        for kind in ("electricity", "carbon")
    }
    assert len(current) >= 60
    assert kinds["server"] >= 20
    assert len(countries["electricity"]) >= 20
    assert len(countries["carbon"]) >= 20


@pytest.mark.parametrize(
    ("slug", "field", "published"),
    [
        ("aws-m7a-8xlarge", "usd_per_h", 1.85472),
        ("gcp-c4d-standard-96", "usd_per_h", 4.43989),
        ("aws-m1-xlarge-2008", "usd_per_h", 0.80),
        ("aws-s3-2008", "usd_per_gb_month", 0.15),
        ("cpu-epyc-9654", "unit_price_usd", 11_805),
        ("dimm-64gb-rdimm-2025-q3", "unit_price_usd", 255),
        ("seamicro-sm10000", "unit_price_usd", 160_000),
        ("pue-survey-2025", "pue", 1.54),
        ("colo-us-primary-2025", "usd_per_kw_month", 194.95),
    ],
)
def test_a_printed_figure_is_carried_over(
    entries: dict[str, Seed], slug: str, field: str, published: float
) -> None:
    assert entries[slug].values[field]["value"] == published
    assert entries[slug].values[field]["quality"] == "published"


def test_an_instance_takes_blanks_from_its_family(entries: dict[str, Seed]) -> None:
    values = entries["aws-m7i-8xlarge"].values
    assert values["vcpu_count"]["value"] * values["cores_per_vcpu_ratio"]["value"] == 16
    assert values["idle_w_per_vcpu"]["source"].startswith("Cloud Carbon Footprint")


def test_the_study_server_costs_the_sum_of_its_parts(entries: dict[str, Seed]) -> None:
    parts = (
        2 * 0.65 * entries["cpu-epyc-9654"].values["unit_price_usd"]["value"]
        + 24 * entries["dimm-64gb-rdimm-2026-03"].values["unit_price_usd"]["value"]
        + 4 * entries["ssd-nvme-7-68tb-2026-03"].values["unit_price_usd"]["value"]
        + entries["chassis-2u-dual-socket"].values["unit_price_usd"]["value"]
        + entries["boot-drives-pair"].values["unit_price_usd"]["value"]
        + entries["warranty-5y"].values["unit_price_usd"]["value"]
    )
    assert entries["dual-epyc-9654-study"].values["unit_price_usd"]["value"] == pytest.approx(
        parts, abs=50
    )


@pytest.mark.parametrize("slug", ["shape-alibaba-2018", "shape-office-hours", "shape-flat"])
def test_a_shape_is_a_week_of_hours_with_mean_one(entries: dict[str, Seed], slug: str) -> None:
    shape = entries[slug].values["values_ratio"]["value"]
    assert len(shape) == 168
    assert sum(shape) / 168 == pytest.approx(1, abs=1e-4)
    assert max(shape) == entries[slug].values["peak_ratio"]["value"]


def test_measured_power_curves_rise_from_idle_to_full(entries: dict[str, Seed]) -> None:
    curves = [seed.values for seed in entries.values() if "points_w" in seed.values]
    assert len(curves) >= 7
    for values in curves:
        points = values["points_w"]["value"]
        assert len(points) == 11
        assert points == sorted(points)
        assert points[0] == pytest.approx(values["idle_w"]["value"], abs=0.5)
        assert points[-1] == pytest.approx(values["peak_w"]["value"], abs=10)


def test_steps_of_a_price_come_in_pairs_and_fall(entries: dict[str, Seed]) -> None:
    pairs = (
        ("tier_from_tb", "tier_usd_per_gb_month"),
        ("tier_from_tb", "tier_usd_per_gb"),
        ("band_from_usd_per_month", "band_fraction"),
    )
    for seed in entries.values():
        for low, price in pairs:
            if price in seed.values:
                starts, prices = seed.values[low]["value"], seed.values[price]["value"]
                assert len(starts) == len(prices), seed.slug
                assert starts[0] == 0
                assert starts == sorted(starts)
                assert prices == sorted(prices, reverse=True)


def test_every_carbon_factor_names_year_basis_and_zone(entries: dict[str, Seed]) -> None:
    for seed in entries.values():
        if seed.kind == "carbon":
            values = {name: value["value"] for name, value in seed.values.items()}
            assert values["basis"] in BASES, seed.slug
            assert values["zone"]
            assert 2000 <= values["year"] <= 2026


def test_hours_of_a_tariff_point_at_its_prices(entries: dict[str, Seed]) -> None:
    tariffs = [seed.values for seed in entries.values() if "weekday_period_index" in seed.values]
    assert tariffs
    for values in tariffs:
        for hours in ("weekday_period_index", "weekend_period_index"):
            assert len(values[hours]["value"]) == 12 * 24
            assert set(values[hours]["value"]) <= set(
                range(len(values["period_usd_per_kwh"]["value"]))
            )


def test_twenty_memory_modules_have_their_currents(entries: dict[str, Seed]) -> None:
    modules = [seed for seed in entries.values() if seed.kind == "memory_module"]
    known = [seed for seed in modules if "idd6n_ma" in seed.values]
    assert len(known) >= 20
    for seed in modules:
        # DDR5 has none until a vendor's sheet is typed in.
        assert seed.values["generation"]["value"] != "ddr5" or "idd2n_ma" not in seed.values
    for seed in known:
        standby, down = (seed.values[name]["value"] for name in ("idd2n_ma", "idd2p_ma"))
        assert standby > down > 0


def test_no_price_is_zero_or_negative(entries: dict[str, Seed]) -> None:
    for seed in entries.values():
        for name, value in seed.values.items():
            if is_price(name) and isinstance(value["value"], int | float):
                free = value["note"].startswith("free")
                assert value["value"] == 0 if free else value["value"] > 0, (seed.slug, name)


def test_the_files_name_no_machine_and_no_registry() -> None:
    text = "".join(path.read_text() for folder in FOLDERS for path in (ROOT / folder).iterdir())
    for word in ("/work", "/root", "/home/", "file:", "localhost", "http://"):
        assert word not in text


def test_a_good_file_is_read(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        "disk,Disk,part,,Maker,80,,list,published,2026-01-01,price_usd=||2025-12-01|70|90|street\n"
        "egress,Egress,transfer,,,,0.09 0.07,list,published,2026-01-01,\n"
        "egress-b,Egress B,transfer,egress,,,0.05,list,published,2026-01-01,\n",
    )
    disk, egress, cheaper = read_entries(root)
    assert disk.values["price_usd"] == {
        "value": 80,
        "unit": "USD",
        "quality": "published",
        "source": "Price list",
        "url": "https://example.com/",
        "as_of": "2025-12-01",
        "low": 70,
        "high": 90,
        "note": "street",
    }
    assert egress.values["tier_usd_per_gb"]["value"] == [0.09, 0.07]
    assert cheaper.values["tier_usd_per_gb"]["value"] == [0.05]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("a,A,part,,M,80,,unknown,published,2026-01-01,", "not in sources.csv"),
        ("a,A,part,,M,80,,,published,2026-01-01,", "not in sources.csv"),
        ("a,A,part,,M,80,,list,published,2026-01-11,", "newer than its source"),
        ("a,A,part,,M,80,,list,guessed,2026-01-01,", "is not one of"),
        ("a,A,part,,M,0,,list,published,2026-01-01,", "a price of zero"),
        ("a,A,part,,M,,0.1 0,list,published,2026-01-01,", "a price of zero"),
        ("a,A,part,,7,80,,list,published,2026-01-01,", "needs a unit"),
        ("a,A,part,,M,many,,list,published,2026-01-01,", "is not a number"),
        ("a,A,part,,M,nan,,list,published,2026-01-01,", "does not hold"),
        ("a,A,part,,M,80,,list,recalled,2026-01-01,", "needs low and high"),
        ("a,A,part,,M,80,,list,derived,2026-01-01,", "says how"),
        ("a,A,part,,M,80,,list,published,2026-01-01,price_usd=|||90|99", "does not hold 80"),
        ("a,A,part,,M,80,,list,published,2026-01-01,cost_usd=|||70|99", "meets no value"),
        ("a,A,part,,M,80,,list,published,soon,", "isoformat"),
        ("a,A,part,b,M,80,,list,published,2026-01-01,", "inherits from 'b'"),
        ("a,A,part,a,M,80,,list,published,2026-01-01,", "inherits from 'a'"),
        ("a,A,part,,M,80,,list,published,2026-01-01,\na,B,part,,M,1,,list,published,2026-01-01,",
         "stands twice"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_named_with_its_place(tmp_path: Path, row: str, fault: str) -> None:
    said = faults_of(write(tmp_path, row + "\n"))
    assert fault in said
    assert "prices/things.csv" in said


def test_a_source_that_nothing_uses_is_refused(tmp_path: Path) -> None:
    row = "a,A,part,,M,80,,list,published,2026-01-01,\n"
    sources = SOURCES + "other,Other,Vendor,,2026-01-10,2026-02-01,none,\n"
    assert "no cell uses it" in faults_of(write(tmp_path, row, sources=sources))


# What a source prints may lean; its note says that the range is the source's.
LEANING = {
    ("fawn-traditional-ssd", "price_usd"),
    ("hdd-quantum-cx10", "inner_mb_per_s"),
    ("hdd-seagate-exos-x18-18tb", "afr_fraction"),
    ("hdd-wd-caviar-wd400bb", "throughput_mb_per_s"),
    ("hdd-wd-red-wd40efrx", "afr_fraction"),
    ("ssd-crucial-mx200-250gb", "random_write_per_s"),
    ("ssd-micron-6600-ion-122tb", "random_write_per_s"),
    ("vmware-vcf-2026", "usd_per_core_year"),
    ("wholesale-de-lu-2022", "usd_per_kwh"),
    ("wholesale-de-lu-2023", "usd_per_kwh"),
}


def test_a_value_is_the_mean_of_its_range_unless_its_source_prints_another() -> None:
    ranges, leaning = 0, {}
    for row in (row for table in read_tables() for row in table.rows):
        for name, cell in row.cells.items():
            low, high = cell.origin.low, cell.origin.high
            if low is not None and high is not None:
                ranges += 1
                if not is_centred(float(cell.text), low, high):
                    leaning[row.slug, name] = cell.origin
    assert ranges > 1500
    assert leaning.keys() == LEANING
    for place, origin in leaning.items():
        assert OF_THE_SOURCE in origin.note, place
        assert origin.source not in {"assumption", "derivation", "general-knowledge"}, place


def test_nothing_stands_as_in_one_of_our_own_examples() -> None:
    titles = [
        title.strip("'").lower()
        for path in (ROOT / "examples").glob("*.yaml")
        for title in re.findall(r"^  title: (.+)$", path.read_text(), re.MULTILINE)
    ]
    assert len(titles) > 5
    for row in (row for table in read_tables() for row in table.rows):
        for name, cell in row.cells.items():
            note = cell.origin.note.lower()
            assert not any(title in note for title in titles), (row.slug, name, note)


def test_the_digest_follows_every_byte(tmp_path: Path) -> None:
    root = write(tmp_path, "a,A,part,,M,80,,list,published,2026-01-01,\n")
    before = digest(root)
    path = root / "prices" / "things.csv"
    path.write_text(path.read_text().replace("80", "81"))
    assert digest(root) != before


def test_no_entry_is_called_by_an_example_study(entries: dict[str, Seed]) -> None:
    assert not [seed.title for seed in entries.values() if "study" in seed.title.lower()]
