"""Reports of petabytes: tiers by age, a coded cluster and RAID shelves, with simulations."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from openpyxl import load_workbook

from capmodels.registry import get_model
from capmodels.spec import Context, params_schema, validate
from reports.render import render
from reports.render.contents import ToolResult
from reports.testing.pdf_reading import outside_margins, text_of
from reports.tests.samples import HASH, report

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput

DRIVE: JSONDict = {
    "kind": "hdd",
    "name": "Nearline drive, 20 TB",
    "capacity_gb": 20_000,
    "speed_rpm": 7200,
    "seek": {"kind": "three_point", "min_ms": 0.6, "avg_ms": 8.2, "max_ms": 17},
    "outer_mb_per_s": 280,
    "inner_mb_per_s": 130,
    "active_w": 9,
    "idle_w": 5.8,
    "unrecoverable_per_bit": 1e-15,
    "afr_fraction": 0.015,
}
SHELF: JSONDict = {
    "drive": DRIVE,
    "drive_price_usd": 320,
    "carries": "object",
    "stripe_unit_bytes": 1_048_576,
    "enclosure": {"unit_price_usd": 6000, "power_w": 300},
    "layout": "raid6",
    "disks_count": 60,
    "disks_per_group": 12,
    "count": None,
}
CLUSTER: JSONDict = {**SHELF, "disks_count": 144, "disks_per_group": None, "code": {}}
WORK: JSONDict = {
    "kind": "demand",
    "busy_cores_count": 0,
    "ram_gib": 0,
    "object_tb": 2000,
    "block_io_per_s": 300,
    "block_mix": {"read_fraction": 0.8, "request_bytes": 4_194_304},
}
SAID = "95% of requests are answered within **41.7 ms**, 99% within **63.2 ms**."


def _tier(name: str, days: int, reads: float, array: JSONDict) -> JSONDict:
    return {"name": name, "from_days": days, "older_reads_fraction": reads, "array": array}


def _owned(letter: str, title: str, array: JSONDict, **more: Any) -> JSONDict:
    return {"letter": letter, "title": title, "kind": "disk_array", "array": array, **more}


@pytest.fixture(scope="module")
def petabytes() -> ReportInput:
    """Two petabytes, each simulation that the answer names attached as *Compare* attaches it."""
    colder = [_tier("Warm", 30, 0.2, SHELF), _tier("Cold", 365, 0.05, CLUSTER)]
    document: JSONDict = {
        "designs": [
            _owned("A", "8 + 3 on 12 nodes", CLUSTER),
            _owned("B", "RAID-6 shelves", SHELF),
            _owned("C", "By age", SHELF, tiering={"colder": colder}),
        ],
        "workload": WORK,
    }
    plan = get_model("plans.compare")
    answer = plan.run(validate(plan, document), Context()).model_dump(mode="json")
    return report(
        title="Two petabytes",
        comparison=answer,
        document=document,
        schema=params_schema(plan),
        tools=list(_attached(answer)),
    )


def _attached(answer: JSONDict) -> Any:
    for design in answer["designs"]:
        parts = design["tiers"] or [{"name": "", "array": design["array"]}]
        for part in parts:
            for asked in part["array"]["simulations"]:
                yield ToolResult(
                    letter=design["letter"],
                    title=", ".join(filter(None, (asked["title"], design["title"], part["name"]))),
                    headline=SAID,
                    model=asked["model"],
                    version=get_model(asked["model"]).version,
                    inputs_hash=HASH,
                    stale=(),
                )


def test_the_table_has_the_rows_of_each_tier(petabytes: ReportInput) -> None:
    text = render(petabytes, "csv").decode("utf-8-sig")
    for tier in ("Hot", "Warm", "Cold"):
        for row in ("data", "capacity", "mean response at peak", "power, mean", "bought"):
            assert f"{tier}: {row}" in text
    assert "Warm: moved in" in text


def test_growth_and_durability_are_told_year_by_year(petabytes: ReportInput) -> None:
    """Nodes and groups of drives of each year, and that failures are taken as independent."""
    text = render(petabytes, "csv").decode("utf-8-sig")
    years = petabytes.designs[0]["array"]["years"]
    assert "Capacity, year 3" in text
    assert "Durability, nines a year, year 1" in text
    book = load_workbook(BytesIO(render(petabytes, "xlsx")))
    sheet = book["Storage, year by year"]
    rows = list(sheet.iter_rows(values_only=True))
    told = {(row[0], row[1]): row[3:] for row in rows if len(row) > 3}
    nodes = told["A, 8 + 3 on 12 nodes", "Nodes"]
    assert nodes == tuple(year["nodes_count"] for year in years)
    assert told["B, RAID-6 shelves", "Drives, with spares"][0] % 12 == 0
    assert ("C, By age: Cold", "Durability, nines a year") in told
    assert any("Real failures come together" in str(row[0]) for row in rows)


@pytest.mark.parametrize("per_s", [300, 900])
def test_a_rebuild_without_time_is_told_with_what_is_unknown_for_it(per_s: int) -> None:
    """On the pages and in the sheets; where the time is known nothing is said."""
    document: JSONDict = {
        "designs": [_owned("A", "8 + 3 on 12 nodes", {**CLUSTER, "count": 1})],
        "workload": {**WORK, "block_io_per_s": per_s},
    }
    plan = get_model("plans.compare")
    answer = plan.run(validate(plan, document), Context()).model_dump(mode="json")
    given = report(
        title="Busy", comparison=answer, document=document, schema=params_schema(plan), tools=[]
    )
    assert (answer["designs"][0]["array"]["rebuild_h"] is None) is (per_s == 900)
    words = "how long rebuilds take, and so how safe data are, is unknown."
    sheet = load_workbook(BytesIO(render(given, "xlsx")))["Storage, year by year"]
    cells = [str(cell) for row in sheet.iter_rows(values_only=True) for cell in row]
    assert any(words in cell for cell in cells) is (per_s == 900)
    pages = " ".join(text_of(render(given, "pdf")).split())
    assert (words in pages) is (per_s == 900)


@pytest.mark.slow
def test_the_pages_have_tiers_and_every_simulation_in_full(petabytes: ReportInput) -> None:
    pdf = render(petabytes, "pdf")
    text = text_of(pdf)
    for row in (
        "Storage, year by year",
        "grows by 1 node",
        "grows by 12 drives",
        "Hot: data",
        "Warm: moved in",
        "Cold: power, mean",
        "It has no tier called Cold.",
    ):
        assert row in text
    titles = [tool.title for tool in petabytes.tools]
    assert titles[:3] == [
        "Rebuild of a node, 8 + 3 on 12 nodes",
        "All drives in place, RAID-6 shelves",
        "Rebuild of a drive, RAID-6 shelves",
    ]
    assert titles[-1] == "Rebuild of a node, By age, Cold"
    for title in titles:
        assert title in text
    # What is bold on screen is bold here, without its marks.
    said = "95% of requests are answered within 41.7 ms, 99% within 63.2 ms."
    assert text.count(said) == len(titles) == 8
    assert "**" not in text
    assert not list(outside_margins(pdf))
