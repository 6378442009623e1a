"""Machines in instance types: against a search of all types by NumPy, percentiles of NumPy too."""

from __future__ import annotations

import csv
import io
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.formats.contents import Samples
from capmodels.formats.samples import Sample
from capmodels.formats.trace_columns import unpack_utilization
from capmodels.imports import rvtools
from capmodels.imports.fleet_trace import used_by_machine
from capmodels.imports.fleet_types import (
    InstanceType,
    Market,
    Region,
    Sizing,
    Traced,
    in_types,
    type_tables,
)
from capmodels.imports.host_names import joined
from capmodels.imports.registry import Options, opened, recognised
from capmodels.imports.workbook import written

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.formats.trace_types import UtilizationTrace
    from capmodels.spec import JSONDict

HOURS = 730.0


def market(seed: int) -> Market:
    draw = random.Random(seed)
    types = [
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
    draw.shuffle(types)
    regions = [Region(provider=name, code="r1", why="as chosen") for name in ("AWS", "Azure")]
    return Market(types=types, regions=regions)


def cheapest(held: list[InstanceType], vcpus: float, cores: float, ram: float) -> float:
    """The least price of a type with so many vCPUs, so much work and RAM; NaN of none."""
    has = np.array([one.vcpus_count for one in held], dtype=float)
    does = has * np.array([one.core_ratio or 0.5 for one in held])
    fits = (has >= vcpus - 1e-6) & (does >= cores - 1e-6)
    fits &= np.array([one.ram_gib for one in held]) >= ram - 1e-6
    prices = np.array([one.usd_per_h for one in held])
    return float(prices[fits].min()) if fits.any() else np.nan


def totals(held: list[InstanceType], needs: list[tuple[Any, Any, float]]) -> tuple[Any, Any, Any]:
    """A month's price by size and by use of machines that both ways have a type, and the others."""
    size = np.array([cheapest(held, *need[0]) for need in needs])
    use = np.array([cheapest(held, *need[1]) for need in needs])
    counts = np.array([need[2] for need in needs])
    is_lost = np.isnan(size) | np.isnan(use)
    kept = counts * ~is_lost
    return (
        HOURS * np.nansum(kept * np.nan_to_num(size)),
        HOURS * np.nansum(kept * np.nan_to_num(use)),
        counts[is_lost].sum(),
    )


def assert_cheapest(found: JSONDict, rented: Market, needs: list[tuple[Any, Any, float]]) -> None:
    for row in found["providers"]:
        mine = [one for one in rented.types if one.provider == row["provider"]]
        size, use, lost = totals(mine, needs)
        assert row["by_size_usd_per_month"] == pytest.approx(size)
        assert row["by_use_usd_per_month"] == pytest.approx(use)
        assert row["difference_usd_per_month"] == pytest.approx(use - size)
        assert row["lost_count"] == lost


@pytest.mark.parametrize("seed", range(4))
def test_each_machine_has_the_cheapest_type_that_holds_it(seed: int) -> None:
    draw, rented = random.Random(seed), market(seed)
    likes: list[JSONDict] = [
        {
            "count": draw.randint(1, 9), "vcpus_count": draw.choice([1, 2, 6, 12, 40]),
            "ram_gib": draw.choice([1.5, 8, 30, 64]),
            "busy_cores_count": draw.choice([None, 0.1, 1.3, 4.0]),
            "used_ram_gib": draw.choice([None, 4.0]),
        }
        for _ in range(30)
    ]  # fmt: skip
    sizing = Sizing(cores_target_fraction=draw.uniform(0.4, 1), ram_headroom_fraction=0.25)
    found = in_types({"sizes": likes}, rented, sizing)
    assert found is not None
    needs = []
    for like in likes:
        vcpus, busy, used = (like[k] for k in ("vcpus_count", "busy_cores_count", "used_ram_gib"))
        work = (vcpus, 0) if busy is None else (0, busy / sizing.cores_target_fraction)
        ram = like["ram_gib"] if used is None else used * 1.25
        needs.append(((vcpus, 0, like["ram_gib"]), (*work, ram), like["count"]))
    assert_cheapest(found, rented, needs)
    for row in found["providers"]:
        for name in ("by_size_usd_per_h", "by_use_usd_per_h", "machines_count", "lost_count"):
            assert row[name] == pytest.approx(sum(group[name] for group in row["groups"]))
    (whole, *each) = type_tables(found)
    assert [float(row[-2]) for row in whole["rows"]] == pytest.approx(
        [one["difference_usd_per_month"] for one in found["providers"]], abs=0.006
    )
    assert [one["rows"][-1][0] for one in each] == ["All", "All"]


# How a column may be called, of which figure it is, and how a share of the CPU stands in it.
HEADS = (
    ("CPU P95 %", "95th percentile", "{:.2f}"),
    ("95th percentile CPU", "95th percentile", "{:.2f}%"),
    ("Max CPU (%)", "peak", "{:.2f} %"), ("cpu_p99_utilization", "99th percentile", "{:.2f}%"),
    ("avg CPU", "mean", "{:.2f} %"), ("Peak CPU usage percentage", "peak", "{:.2f}"),
    ("CPU usage (%)", "use as listed", "{:.2f}"), ("cpu.p50", "50th percentile", "{:.2f}%"),
)  # fmt: skip
RAM_HEADS = (
    ("Peak memory used (MiB)", "peak", 1024.0), ("P95 memory usage %", "95th percentile", None),
    ("RAM used avg (GiB)", "mean", 1.0), ("Memory consumed (KB)", "use as listed", 1024.0**2),
)  # fmt: skip
_ORDER = ("95th percentile", "99th percentile", "peak", "50th percentile", "mean", "use as listed")


def listed(
    draw: random.Random, at: int, heads: list[Any], ram_head: Any, told: str
) -> tuple[list[str], Any]:
    """A machine as a list has it, and what it needs by the figure that counts."""
    vcpus, ram = draw.choice([2, 4, 8, 16]), draw.choice([4, 16, 32])
    shares = [round(draw.uniform(0, 1), 4) for _ in heads]
    used = draw.choice([None, round(ram * draw.uniform(0.05, 0.8), 1)])
    held, cell = float(ram), ""
    if used is not None:
        held = used * 1.125
        cell = f"{used * (100 / ram if ram_head[2] is None else ram_head[2]):.6f}"
    said = [one[2].format(100 * x) for one, x in zip(heads, shares, strict=True)]
    share = next(x for one, x in zip(heads, shares, strict=True) if one[1] == told)
    cells = [f"m{at}", "VM", str(vcpus), str(ram), *said, cell]
    return cells, ((vcpus, 0, ram), (vcpus * share / 0.7, 0, held), 1.0)


@pytest.mark.parametrize("seed", range(8))
def test_columns_of_a_list_are_taken_for_what_they_say(seed: int, tmp_path: Path) -> None:
    draw, rented = random.Random(seed), market(seed)
    heads = draw.sample(HEADS, draw.randint(1, 3))
    heads = [one for at, one in enumerate(heads) if one[1] not in {x[1] for x in heads[:at]}]
    ram_head = draw.choice(RAM_HEADS)
    names = ["Name", "Model", "vCPUs", "Memory (GiB)", *(one[0] for one in heads), ram_head[0]]
    order = draw.sample(range(len(names)), len(names))
    told = next(x for x in _ORDER if x in {one[1] for one in heads})
    made = [listed(draw, at, heads, ram_head, told) for at in range(40)]
    rows = [[cells[place] for place in order] for cells, _ in made]
    needs = [need for _, need in made]
    text = io.StringIO()
    csv.writer(text).writerows([[names[place] for place in order], *rows])
    path = tmp_path / "file"
    path.write_text(text.getvalue())
    table = opened(path)
    preview = recognised(table.columns).read(table, lambda _share, _said: None)
    assert preview["faults_count"] == 0
    found = in_types(preview, rented, Sizing())
    assert found is not None
    assert found["cpu"] == {told: 40.0}
    measured = sum(need[1][2] != need[0][2] for need in needs)
    assert found["ram"].get(ram_head[1], 0.0) == measured
    assert_cheapest(found, rented, needs)


def test_a_share_without_a_unit_is_told_and_one_above_all_is_left_out(tmp_path: Path) -> None:
    def preview(cells: str) -> JSONDict:
        path = tmp_path / "file"
        path.write_text(f"Name,vCPUs,Memory (GB),CPU P95,Min CPU\n{cells}")
        table = opened(path)
        return recognised(table.columns).read(table, lambda _share, _said: None)

    shares = preview("a,4,8,0.5,3\nb,4,8,0.25,9\n")
    assert [one["used_cpu"] for one in shares["sizes"]] == [{"p95": 0.5}, {"p95": 0.25}]
    assert "95th percentile (CPU P95, in shares of one" in shares["notes"][-1]
    percent = preview("a,4,8,50,3\nb,4,8,131,9\n")
    assert [one["used_cpu"] for one in percent["sizes"]] == [{"p95": 0.5}, {}]
    assert "'131' is above 100%" in percent["faults"][0]["message"]


def sampled(name: str, first: int, cpu: Any, mem: Any, *, has_ram: bool) -> list[Sample]:
    return [
        Sample(name, 300.0 * (first + at), float(c), float(m) if has_ram else np.nan)
        for at, (c, m) in enumerate(zip(cpu, mem, strict=True))
    ]


def stored(samples: list[Sample]) -> UtilizationTrace:
    """Samples as a trace that was read and kept, and is opened again."""
    pieces: list[bytes] = []
    contents = Samples(None, pieces.append, None)  # type: ignore[arg-type]  # nothing is at fault
    contents.add(samples)
    contents.gathered()
    return unpack_utilization(pieces)


@pytest.mark.parametrize("seed", range(6))
def test_percentiles_of_a_trace_are_those_of_its_samples(seed: int) -> None:
    """Names differ by capitals, ports and domains; machines begin and end at any time."""
    draw, dice = random.Random(seed), np.random.default_rng(seed)
    rented, percentile = market(seed), draw.choice([50.0, 90.0, 95.0, 99.0, 100.0])
    has_ram, samples, pairs = draw.random() < 0.5, [], {}
    likes: list[JSONDict] = []
    needs: list[Any] = []
    for at in range(25):
        vcpus, ram = draw.choice([2, 4, 8, 16]), draw.choice([4.0, 16.0, 32.0])
        name = draw.choice(["web-{}", "WEB-{}", "web-{}.example.org"]).format(at)
        share, held = 0.9, ram
        kind, at_once = draw.choice([("vcpus_count", (1, 0)), ("cores_count", (0, 1))])
        likes.append({"count": 1.0, kind: vcpus, "ram_gib": ram, "names": [name],
                      "used_cpu": {"peak": share}})  # fmt: skip
        if draw.random() < 0.7:
            other = name.lower() if "." in name else f"web-{at}{draw.choice(['', '.a.b'])}"
            pairs[name] = other + draw.choice(["", ":9100"])
            cpu, mem = dice.uniform(0.01, 0.8, (2, dice.integers(3, 60))).astype(np.float32)
            samples += sampled(pairs[name], int(dice.integers(40)), cpu, mem, has_ram=has_ram)
            share, used = np.percentile([cpu.astype(float), mem], percentile, axis=1)
            held = used * ram * 1.125 if has_ram else ram
        size, use = ([part * one for one in at_once] for part in (vcpus, vcpus * share / 0.7))
        needs.append(((*size, ram), (*use, held), 1.0))
    samples += [Sample("other", 300.0 * n, 0.5) for n in range(50)]
    draw.shuffle(samples)
    trace = stored(samples)
    traced = Traced(title="t", percentile=percentile, used=used_by_machine(trace, percentile))
    assert joined((one["names"][0] for one in likes), traced.used) == pairs
    found = in_types({"sizes": likes}, rented, Sizing(percentile=percentile), traced)
    assert found is not None
    told = [found["trace"][name] for name in ("joined_count", "unjoined_count")]
    assert [*told, sum(found["cpu"].values())] == [len(pairs), 25 - len(pairs), 25]
    assert_cheapest(found, rented, needs)


def test_names_that_may_mean_several_machines_are_joined_to_none() -> None:
    names = ["web-1.a", "web-1.b", "db", "db", "app", "10.0.0.1", "x.a", "y", "y.a"]
    others = ["WEB-1", "db", "app.a", "app.b", "10.0.0.2", "x.b", "y", "https://10.0.0.1:9182/m"]
    assert joined(names, others) == {"y": "y", "10.0.0.1": "https://10.0.0.1:9182/m"}


def test_what_runs_is_sized_by_what_each_machine_was_given_and_used(tmp_path: Path) -> None:
    sheets: dict[str, list[list[Any]]] = {
        "vInfo": [["VM", "Powerstate", "Template", "CPUs", "Memory", "Host", "DNS Name"],
                  *([name, state, is_template, 8, 32768, "h", f"srv-{name}.example.org"]
                    for name, state, is_template in (
                      ("a", "poweredOn", False), ("b", "poweredOff", False),
                      ("c", "poweredOn", False), ("d", "poweredOn", True)))],
        "vCPU": [["VM", "CPUs", "Overall"], ["a", 8, 1500], ["c", 8, 1450]],
        "vMemory": [["VM", "Size MiB", "Consumed"], ["a", 32768, 7000], ["c", 32768, 7100]],
        "vHost": [["Host", "Speed", "# Cores", "# Memory", "CPU usage %", "Memory usage %"],
                  ["h", 3000, 32, 262144, 5, 6]],
    }  # fmt: skip
    path = tmp_path / "file"
    path.write_bytes(written(sheets))
    found = rvtools.read(opened(path), lambda _share, _said: None)  # type: ignore[arg-type]  # a workbook
    assert found["sizes"] == [
        {"count": 2, "vcpus_count": 8.0, "ram_gib": 32.0, "busy_cores_count": 0.5,
         "used_ram_gib": 7.0, "names": ["a", "c"],
         "dns_names": ["srv-a.example.org", "srv-c.example.org"]}
    ]  # fmt: skip
    options = Options(file_name="f", as_of="2026-10-01", market=lambda _regions: market(1))
    drafted = rvtools.draft(found, options)
    assert drafted.in_types is not None
    assert drafted.in_types["cpu"] == {"at the moment of the export": 2.0}
    (table,) = [one for one in drafted.tables if one["title"] == "Sized to instance types"]
    assert all(row["difference_usd_per_month"] < 0 for row in drafted.in_types["providers"])
    assert "2 with a measured use of the CPU (2 at the moment of the export)" in table["note"]
    assert "percentile" not in table["note"]
    used: dict[str, Any] = {"SRV-A:9100": (0.4, None), "c": (0.3, 0.5), "srv-c": (0.9, 0.9)}
    traced = Traced(title="t", percentile=95.0, used=used)
    sized = in_types(found, market(1), Sizing(), traced)
    assert sized is not None
    assert sized["cpu"] == {"95th percentile of the trace": 2.0}
    assert sized["ram"] == {"95th percentile of the trace": 1.0, "at the moment of the export": 1.0}


@pytest.mark.parametrize(("head", "share"), [("vCPUs", 1.0), ("Cores", 2.0)])
def test_a_list_of_virtual_machines_counts_their_vcpus_as_they_are(
    head: str, share: float, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_text(
        f"Name,Model,{head},Memory (GB),Region\na,VM,4,8,eu-1\nb,VM,4,8,eu-1\nc,VM,,8,x\n"
    )
    table = opened(path)
    found = recognised(table.columns).read(table, lambda _share, _said: None)
    assert found["regions"] == ["eu-1", "x"]
    held = [
        InstanceType(provider="AWS", name=f"t{n}", vcpus_count=n, ram_gib=64, usd_per_h=n)
        for n in (4, 8)
    ]
    place = Region(provider="AWS", code="eu-1", why="the fleet's", unpriced_count=3)
    sized = in_types(found, Market(types=held, regions=[place]), Sizing())
    assert sized is not None
    assert (sized["machines_count"], sized["unknown_count"]) == (2.0, 1.0)
    assert sized["cpu"] == {"not measured": 2.0}
    (row,) = sized["providers"]
    assert row["by_size"] == row["by_use"]
    assert [(one["count"], one["type"]) for one in row["by_size"]] == [(2.0, f"t{4 * share:.0f}")]
    assert "prices of eu-1, the fleet's; none there for 3 types" in sized["notes"][-1]
