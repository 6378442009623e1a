"""Plans of Terraform: generated ones against counts of our own, and what a plan leaves open."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports.registry import HeldPrice, Options, Size, opened, read_with, recognised
from capmodels.imports.terraform import IMPORTER

if TYPE_CHECKING:
    from pathlib import Path


def plan(resources: list[dict[str, Any]], **more: Any) -> bytes:
    half = len(resources) // 2
    inner = {"address": "module.a", "child_modules": [{"resources": resources[half:]}]}
    root = {"resources": resources[:half], "child_modules": [inner]}
    head = {"format_version": "1.2", "terraform_version": "1.9.5"}
    return json.dumps({**head, "planned_values": {"root_module": root}, **more}).encode()


def resource(kind: str, at: int = 0, mode: str = "managed", **values: Any) -> dict[str, Any]:
    return {"address": f"{kind}.x[{at}]", "type": kind, "mode": mode, "values": values}


def read(tmp_path: Path, data: bytes) -> dict[str, Any]:
    path = tmp_path / "plan"
    path.write_bytes(data)
    held = opened(path)
    assert recognised(held.columns) is IMPORTER
    return read_with(IMPORTER, held, lambda _share, _said: None)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.decisive
def test_machines_and_volumes_of_a_plan_are_counted(seed: int, tmp_path: Path) -> None:
    draw, resources, machines, gib, databases = random.Random(seed), [], 0, 0, 0
    for at in range(30):
        count, size = draw.randint(1, 9), draw.choice((8, 100, 4096))
        kind = draw.randrange(6)
        if kind == 0:
            disk = [{"volume_size": size}]
            resources.append(
                resource("aws_instance", at, instance_type="m5.large", root_block_device=disk)
            )
            machines, gib = machines + 1, gib + size
        elif kind == 1:
            pool = [{"machine_type": "n2-standard-4", "disk_size_gb": size}]
            zones = [f"europe-west1-{letter}" for letter in "bcd"[: draw.randint(1, 3)]]
            resources.append(
                resource("google_container_node_pool", at, node_count=count, node_config=pool,
                         location="europe-west1", node_locations=zones)
            )  # fmt: skip
            machines, gib = machines + count * len(zones), gib + size * count * len(zones)
        elif kind == 2:
            pool = [{"vm_size": "Standard_D4s_v5", "node_count": count}]
            resources.append(resource("azurerm_kubernetes_cluster", at, default_node_pool=pool))
            machines += count
        elif kind == 3:
            resources.append(resource("aws_ebs_volume", at, size=size))
            gib += size
        elif kind == 4:
            resources.append(
                resource("aws_db_instance", at, instance_class="db.m5.large", allocated_storage=9)
            )
            databases += 1
        else:
            resources.append(resource("aws_ami", at, "data", instance_type="m5.large"))
    found = read(tmp_path, plan(resources))
    assert sum(row["count"] for row in found["planned"]) == machines
    assert sum(row["count"] for row in found["databases"]) == databases
    assert found["block_tb"] == pytest.approx(gib * 2**30 / 1e12)
    assert found["faults_count"] == 0


def test_what_a_plan_leaves_open_is_counted_in_the_headline(tmp_path: Path) -> None:
    resources = [
        resource("aws_instance", 1, instance_type="m5.large"),
        resource("aws_instance", 2),
        resource("aws_eks_node_group", 3, instance_types=["m5.large"], scaling_config=[{}]),
    ]
    found = read(tmp_path, plan(resources))
    assert found["headline"].endswith("; 2 rows not read whole, see below.")
    assert "how many" in found["faults"][1]["message"]
    assert "of which type" in found["faults"][0]["message"]


@pytest.mark.parametrize("kind", ["aws_launch_template", "aws_launch_configuration"])
def test_a_group_is_of_the_only_template_of_the_plan(kind: str, tmp_path: Path) -> None:
    group = resource("aws_autoscaling_group", 1, desired_capacity=4)
    template = resource(kind, 2, instance_type="c5.xlarge")
    found = read(tmp_path, plan([group, template]))
    assert [(row["type"], row["count"]) for row in found["planned"]] == [("c5.xlarge", 4.0)]
    other = resource("aws_launch_template", 3, instance_type="r5.large")
    with pytest.raises(FileRefused, match="no machine"):
        read(tmp_path, plan([group, template, other]))


@pytest.mark.parametrize(
    ("expression", "variables"),
    [
        ({"constant_value": "eu-west-1"}, {}),
        ({"references": ["var.place"]}, {"place": {"value": "eu-west-1"}}),
    ],
)
def test_the_region_is_that_of_the_providers_configuration(
    expression: Any, variables: Any, tmp_path: Path
) -> None:
    configuration = {
        "provider_config": {"aws": {"name": "aws", "expressions": {"region": expression}}}
    }
    resources = [resource("aws_instance", 1, instance_type="m5.large")]
    data = plan(resources, configuration=configuration, variables=variables)
    assert read(tmp_path, data)["planned"][0]["region"] == "eu-west-1"


def test_a_state_is_read_as_a_plan_and_becomes_a_design(tmp_path: Path) -> None:
    resources = [
        resource("aws_instance", 1, instance_type="m5.xlarge", availability_zone="eu-west-1b"),
        resource("aws_instance", 2, instance_type="m5.xlarge", availability_zone="eu-west-1a"),
        resource("aws_instance", 3, instance_type="r5.large", availability_zone="eu-west-1a"),
        resource("aws_instance", 4, instance_type="z9.odd", availability_zone="eu-west-1a"),
    ]
    said = json.loads(plan(resources))
    said["values"] = said.pop("planned_values")
    found = read(tmp_path, json.dumps(said).encode())
    sizes = {"m5.xlarge": Size(4, 16, 0.5), "r5.large": Size(2, 16, 0.5)}
    drafted = IMPORTER.draft(
        found,
        Options(
            file_name="plan.json",
            as_of="2026-11-30",
            sizes_of=lambda _types: sizes,
            price_of=lambda _type, _region: HeldPrice(0.2, "a list"),
        ),
    )
    spec = drafted.designs[0]["spec"]
    assert (spec["provider"], spec["region"]) == ("aws", "eu-west-1")
    assert [one["name"] for one in spec["instances"]] == ["m5.xlarge", "r5.large"]
    assert sum(one["share_fraction"] for one in spec["instances"]) == pytest.approx(1)
    assert drafted.workload["busy_cores_count"] == pytest.approx(0.7 * (2 * 4 + 2) * 0.5)
    assert any("z9.odd" in one for one in drafted.open_points)


def test_a_file_of_state_as_it_lies_in_a_bucket(tmp_path: Path) -> None:
    resources = [
        {"mode": "managed", "type": "aws_instance", "name": "web", "instances": [
            {"index_key": n, "attributes": {"instance_type": "m5.large", "availability_zone":
                                            "eu-west-1a"}} for n in range(3)]},
        {"mode": "data", "type": "aws_instance", "name": "other", "instances": [
            {"attributes": {"instance_type": "m5.large"}}]},
    ]  # fmt: skip
    said = {"version": 4, "terraform_version": "1.9.5", "serial": 7, "resources": resources}
    found = read(tmp_path, json.dumps(said).encode())
    assert [(row["type"], row["count"]) for row in found["planned"]] == [("m5.large", 3.0)]
