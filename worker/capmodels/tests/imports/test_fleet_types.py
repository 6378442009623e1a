"""Machines in instance types: against a search of all types by NumPy, and RVTools' own sheets."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from openpyxl import Workbook

from capmodels.imports import rvtools
from capmodels.imports.fleet_types import InstanceType, sized
from capmodels.imports.registry import Options, opened, recognised

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.spec import JSONDict


def types(seed: int) -> list[InstanceType]:
    draw = random.Random(seed)
    return [
        InstanceType(
            provider=provider,
            name=f"{provider}-{vcpus}-{each}",
            vcpus_count=vcpus,
            ram_gib=vcpus * each,
            usd_per_h=vcpus * draw.uniform(0.03, 0.09),
            core_ratio=draw.choice([None, 0.6, 1.0]),
        )
        for provider in ("AWS", "Azure")
        for vcpus in (2, 4, 8, 16, 32)
        for each in (2, 4, 8)
    ]


def cheapest(held: list[InstanceType], vcpus: float, ram: float, work: float | None) -> float:
    """The least price of a type with so much RAM, and vCPUs or work at the most of them."""
    prices = np.array([one.usd_per_h for one in held])
    ratio = np.array([one.core_ratio or 0.5 for one in held])
    has = np.array([one.vcpus_count for one in held])
    fits = has >= vcpus if work is None else has * ratio * BUSIEST >= work
    fits &= np.array([one.ram_gib for one in held]) >= ram
    return float(prices[fits].min()) if fits.any() else np.nan


BUSIEST = 0.7


@pytest.mark.parametrize("seed", range(4))
def test_each_machine_has_the_cheapest_type_that_holds_it(seed: int) -> None:
    draw, held = random.Random(seed), types(seed)
    likes: list[JSONDict] = [
        {
            "count": draw.randint(1, 9), "vcpus_count": draw.choice([1, 2, 6, 12, 40]),
            "ram_gib": draw.choice([1.5, 8, 30, 64]),
            "busy_cores_count": draw.choice([None, 0.1, 1.3, 4.0]), "used_ram_gib": 4.0,
        }
        for _ in range(30)
    ]  # fmt: skip
    table = sized({"sizes": likes}, held)
    assert table is not None
    for row in table["rows"]:
        mine = [one for one in held if one.provider == row[0]]
        size = np.array([cheapest(mine, x["vcpus_count"], x["ram_gib"], None) for x in likes])
        counts = np.array([like["count"] for like in likes])
        assert float(row[2]) == pytest.approx(730 * np.nansum(size * counts), abs=0.01)
        assert row[5] == counts[np.isnan(size)].sum()
        use = [
            like["count"] * cheapest(mine, 0, 4.0, like["busy_cores_count"])
            for like, price in zip(likes, size, strict=True)
            if like["busy_cores_count"] is not None and not np.isnan(price)
        ]
        assert float(row[4]) == pytest.approx(730 * np.nansum(use), abs=0.01)


def test_what_runs_is_sized_by_what_each_machine_was_given_and_used(tmp_path: Path) -> None:
    book, file = Workbook(), io.BytesIO()
    sheets: dict[str, list[list[Any]]] = {
        "vInfo": [["VM", "Powerstate", "Template", "CPUs", "Memory", "Host"],
                  *([name, state, is_template, 8, 32768, "h"] for name, state, is_template in (
                      ("a", "poweredOn", False), ("b", "poweredOff", False),
                      ("c", "poweredOn", False), ("d", "poweredOn", True)))],
        "vCPU": [["VM", "CPUs", "Overall"], ["a", 8, 1500], ["c", 8, 1450]],
        "vMemory": [["VM", "Size MiB", "Consumed"], ["a", 32768, 7000], ["c", 32768, 7100]],
        "vHost": [["Host", "Speed", "# Cores", "# Memory", "CPU usage %", "Memory usage %"],
                  ["h", 3000, 32, 262144, 5, 6]],
    }  # fmt: skip
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append(row)
    book.save(file)
    path = tmp_path / "file"
    path.write_bytes(file.getvalue())
    found = rvtools.read(opened(path), lambda _share, _said: None)  # type: ignore[arg-type]  # a workbook
    assert found["sizes"] == [
        {"count": 2, "vcpus_count": 8.0, "ram_gib": 32.0, "busy_cores_count": 0.5,
         "used_ram_gib": 7.0}
    ]  # fmt: skip
    options = Options(file_name="f", as_of="2026-10-01", instance_types=lambda: types(1))
    drafted = rvtools.draft(found, options)
    (table,) = [one for one in drafted.tables if one["title"] == "Sized to instance types"]
    assert float(table["rows"][0][4]) < float(table["rows"][0][2])
    assert table["note"].startswith("Of 2 machines, 2 with a measured use")


@pytest.mark.parametrize(("head", "share"), [("vCPUs", 1.0), ("Cores", 2.0)])
def test_a_list_of_virtual_machines_counts_their_vcpus_as_they_are(
    head: str, share: float, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_text(f"Name,Model,{head},Memory (GB)\na,VM,4,8\nb,VM,4,8\n")
    table = opened(path)
    found = recognised(table.columns).read(table, lambda _share, _said: None)
    held = [
        InstanceType(provider="AWS", name=f"t{n}", vcpus_count=n, ram_gib=64, usd_per_h=n)
        for n in (4, 8)
    ]
    row = sized(found, held)["rows"][0]  # type: ignore[index]  # there are machines and types
    assert row[1] == f"2 x t{4 * share:.0f}"
    assert row[3] == "not measured"
