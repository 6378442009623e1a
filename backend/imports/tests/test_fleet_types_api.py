"""A fleet in instance types over HTTP: by size, by a list's figures, by a trace, region by region.

Against the cheapest fitting type of the catalogue's own files, searched one by one.
"""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pytest

from catalogue.testing import shipped_load
from imports.models import Import
from imports.tests.test_imports_api import imported, work_off
from traces.tests import samples

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox", "catalogue")]

PRICES = Path(__file__).parents[3] / "fixtures" / "prices"
PROVIDERS = {"AWS": "aws", "Azure": "azure", "Google Cloud": "gcp"}


@pytest.fixture
def catalogue(database: None) -> None:
    shipped_load()


def rows_of(name: str) -> list[dict[str, str]]:
    with (PRICES / name).open() as file:
        return list(csv.DictReader(file))


def priced(provider: str, region: str) -> list[tuple[float, float, float]]:
    """vCPUs, RAM and price of every type without GPUs that has one in a region."""
    there = [row for row in rows_of(f"regions_{provider}.csv") if row["region"] == region]
    found = []
    for row in rows_of("instances.csv"):
        if row["provider"] != provider or float(row["gpus_count"] or 0):
            continue
        field = f"{row['slug'].replace('-', '_')}_usd_per_h"
        own = row["usd_per_h"] if row["region"] == region else ""
        price = own or (there[0].get(field, "") if there else "")
        if price:
            found.append((float(row["vcpu_count"]), float(row["ram_gib"]), float(price)))
    return found


def cheapest(types: list[tuple[float, float, float]], vcpus: float, ram: float) -> float:
    fits = [t[2] for t in types if t[0] >= vcpus - 1e-9 and t[1] >= ram - 1e-9]
    return min(fits, default=np.nan)


def machines(seed: int) -> tuple[list[tuple[str, int, int, float]], bytes]:
    draw = random.Random(seed)
    held = [(f"vm-{at}", draw.choice([2, 4, 8, 16]), draw.choice([4, 8, 32]),
             round(draw.uniform(1, 99), 1)) for at in range(20)]  # fmt: skip
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["Name", "vCPUs", "Memory (GiB)", "CPU P95 %", "Region"])
    writer.writerows([*one, "eu-central-1"] for one in held)
    return held, text.getvalue().encode()


def trace(seed: int, names: list[str]) -> tuple[bytes, dict[str, Any]]:
    """A table of samples of some machines, and each one's shares of CPU and RAM."""
    dice = np.random.default_rng(seed)
    used = {name: dice.uniform(1, 70, (2, 48)).round(2) for name in names}
    lines = ["time,name,cpu_percent,memory_percent"]
    lines += [f"{1_700_000_000 + 300 * at},{name}.example.org,{cpu},{ram}"
              for name, both in used.items() for at, (cpu, ram) in enumerate(both.T)]  # fmt: skip
    return "\n".join(lines).encode(), used


def assert_sums(
    row: dict[str, Any],
    held: list[tuple[str, int, int, float]],
    use: dict[str, tuple[float, float]],
) -> None:
    types = priced(PROVIDERS[row["provider"]], row["region"])
    size = np.array([cheapest(types, vcpus, ram) for _, vcpus, ram, _ in held])
    least = np.array([cheapest(types, *use[name]) for name, *_ in held])
    is_lost = np.isnan(size) | np.isnan(least)
    assert row["lost_count"] == is_lost.sum()
    assert row["by_size_usd_per_h"] == pytest.approx(size[~is_lost].sum())
    assert row["by_use_usd_per_h"] == pytest.approx(least[~is_lost].sum())


def test_a_fleet_is_sized_by_size_and_by_percentile_in_a_region(alice: Person) -> None:
    held, data = machines(1)
    found = imported(alice, data, "fleet.csv")
    assert "sizes" not in found["preview"]
    sized = alice.post(f"imports/{found['id']}/draft", {}).json()["in_types"]
    assert sized["cpu"] == {"95th percentile": 20.0}
    assert [(one["region"], one["region_why"]) for one in sized["providers"]] == [
        ("eu-central-1", "the fleet's"),
        ("germanywestcentral", "the fleet's, eu-central-1, in that city"),
        ("europe-west3", "the fleet's, eu-central-1, in that city"),
    ]
    use = {name: (vcpus * p95 / 70, float(ram)) for name, vcpus, ram, p95 in held}
    for row in sized["providers"]:
        assert_sums(row, held, use)


def test_a_trace_goes_before_the_list_and_its_machines_are_found_by_name(alice: Person) -> None:
    held, data = machines(2)
    found = imported(alice, data, "fleet.csv")
    names = [name for name, *_ in held[::2]]
    file, used = trace(2, names)
    read = samples.work_off(alice, samples.upload(alice, file, "use.csv"))
    said = {"trace_id": read["id"], "percentile": 90, "region": "Paris",
            "cores_target_fraction": 0.5, "ram_headroom_fraction": 0.2}  # fmt: skip
    draft = alice.post(f"imports/{found['id']}/draft", said).json()
    sized = draft["in_types"]
    assert sized["cpu"] == {"90th percentile of the trace": 10.0, "95th percentile": 10.0}
    assert sized["ram"] == {"90th percentile of the trace": 10.0, "not measured": 10.0}
    assert (sized["trace"]["joined_count"], sized["trace"]["unjoined_count"]) == (10, 10)
    assert sized["headroom_source"] == "as entered"
    use = {}
    for name, vcpus, ram, p95 in held:
        shares = (p95, np.nan)
        if name in used:
            shares = tuple(np.percentile(used[name], 90, axis=1))
        kept = float(ram) if np.isnan(shares[1]) else ram * shares[1] / 100 * 1.2
        use[name] = (vcpus * shares[0] / 100 / 0.5, kept)
    for row in sized["providers"]:
        assert_sums(row, held, use)
    gcp = sized["providers"][2]
    assert gcp["region_why"].endswith("in that city, as it is not known to have Paris")
    titles = [one["title"] for one in draft["tables"]]
    assert "Machines in types of Azure, francecentral" in titles


def test_the_study_s_own_region_and_room_go_before_the_fleet_s(alice: Person) -> None:
    data = machines(3)[1].replace(b"CPU P95 %", b"avg CPU %")
    found = imported(alice, data, "fleet.csv")
    said = {"designs": [{"option": "azure"}]}
    study = alice.post(f"imports/{found['id']}/accept", said).json()["study_id"]
    revision = alice.get(f"studies/{study}").json()
    work = {**revision["workload"], "headroom": {"cores_target_fraction": 0.6}}
    changed = alice.client.patch(
        f"/api/v1/studies/{study}", {"workload": work}, content_type="application/json",
        headers={"If-Match": f'"{revision["revision"]}"'},
    )  # fmt: skip
    assert changed.status_code == 200, changed.content
    again = imported(alice, data + b"\n", "fleet.csv")
    sized = alice.post(f"imports/{again['id']}/draft", {"study_id": study}).json()["in_types"]
    assert sized["cpu"] == {"mean": 20.0}
    assert [one["region"] for one in sized["providers"]] == ["us-east-1", "eastus", "us-east4"]
    assert sized["providers"][1]["region_why"] == "the study's own"
    assert sized["cores_target_fraction"] == 0.6
    assert sized["headroom_source"].startswith("as the study has it; Planner's margin")


@pytest.mark.parametrize("way", ["by_size", "by_use"])
def test_a_design_is_made_of_the_types_and_both_sizes_stay_on_show(alice: Person, way: str) -> None:
    _, data = machines(5)
    found = imported(alice, data.replace(b"CPU P95 %", b"avg CPU %"), "fleet.csv")
    said = {"designs": [{"option": way, "term_months": 0, "provider": "aws"},
                        {"option": way, "term_months": 36}], "region": "eu-west-3"}  # fmt: skip
    draft = alice.post(f"imports/{found['id']}/draft", said).json()
    row = draft["in_types"]["providers"][0]
    first, second = draft["designs"]
    assert first["spec"]["region"] == "eu-west-3"
    assert [one["entry"] for one in first["spec"]["instances"]] == [
        one["entry"] for one in row[way]
    ]
    prices = {one["entry"]: one["usd_per_h"] for one in row[way]}
    for one in first["spec"]["instances"]:
        assert one["usd_per_h"] == prices[one["entry"]]
    assert sum(one["share_fraction"] for one in first["spec"]["instances"]) == pytest.approx(1)
    cheap = min((one["lost_count"], one[f"{way}_usd_per_h"], one["provider"])
                for one in draft["in_types"]["providers"])  # fmt: skip
    assert second["title"].startswith(cheap[2])
    (costs,) = [one for one in draft["tables"] if one["title"] == "Designs proposed"]
    assert [line[3] for line in costs["rows"][:2]] == ["yes", "yes"]
    for name in ("by_size", "by_use"):
        assert f"{row[f'{name}_usd_per_month']:.2f} USD" in " ".join(draft["open_points"])
    study = alice.post(f"imports/{found['id']}/accept", said)
    assert study.status_code == 201, study.content
    after = alice.get(f"imports/{found['id']}").json()["tables"]
    assert [one for one in after if one["title"] == "Sized to instance types"] == [
        one for one in draft["tables"] if one["title"] == "Sized to instance types"
    ]


def test_only_a_trace_of_utilization_says_how_busy_machines_are(alice: Person) -> None:
    _, data = machines(4)
    found = imported(alice, data, "fleet.csv")
    blocks = samples.work_off(alice, samples.upload(alice, samples.vscsi()))
    for trace_id, status in ((blocks["id"], 409), (str(uuid4()), 404)):
        answer = alice.post(f"imports/{found['id']}/draft", {"trace_id": trace_id})
        assert answer.status_code == status


@pytest.mark.parametrize("names", ["hash", "leave_out"])
def test_names_that_were_not_kept_join_nothing(alice: Person, names: str) -> None:
    held, data = machines(6)
    file = io.BytesIO(data)
    file.name = "fleet.csv"
    sent = alice.client.post(f"/api/v1/imports?names={names}", {"file": file})
    found = work_off(alice, sent.json())
    with alice.workspace():
        sizes = (Import.objects.get(job_id=found["id"]).preview or {})["sizes"]
    told = {name for size in sizes for name in size["names"]}
    assert len(told) == len(held)
    assert not any(name in str(sizes) for name, *_ in held)
    use = samples.work_off(alice, samples.upload(alice, trace(6, ["vm-1"])[0], "use.csv"))
    said = {"trace_id": use["id"]}
    sized = alice.post(f"imports/{found['id']}/draft", said).json()["in_types"]
    assert (sized["trace"]["joined_count"], sized["trace"]["unjoined_count"]) == (0, 20)
    assert sized["cpu"] == {"95th percentile": 20.0}
