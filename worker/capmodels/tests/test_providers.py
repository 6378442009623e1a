"""A provider is one record: nothing else in the product lists it, and a new one is two files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import capmodels
from capmodels.carbon.instance_power import COEFFICIENTS
from capmodels.imports.registry import IMPORTER_MODULES
from capmodels.plans.document.cloud import CloudFields
from capmodels.providers import IDS, OTHER, PROVIDERS, provider_named, provider_of_types

_SCIENCE = Path(capmodels.__file__).parent
_ROOT = _SCIENCE.parent.parent
# A provider's id as a text of its own.
_LITERAL = re.compile(r"""["'](?:aws|azure|gcp)["']""")

_RECORD = """
from capmodels.providers import Coefficients, PriceList, Provider

PROVIDER = Provider(
    id="cumulus", order=9, title="Cumulus", on_bills="Cumulus", named="cumulus", services="cumulus",
    types="^cu[.]", region="north-1", instances=("cumulus-cu-8",), block="b", objects="o",
    archive="a", egress="e", cross_zone="c", support="s",
    coefficients=Coefficients(mean=(0.5, 3.0), low=(0.4, 2.0), high=(0.8, 5.0), pue=1.2),
    lists=(
        PriceList(
            id="cumulus", title="Price list of Cumulus", label="Cumulus",
            address="https://prices.example/{region}.json", by_region=True,
        ),
    ),
    importers=("capmodels.imports.cumulus_prices",),
)
"""
_ASKED = """
from capmodels.imports.registry import importers
from capmodels.plans.document.cloud import CloudFields
from capmodels.carbon.instance_power import COEFFICIENTS
from capmodels.providers import PROVIDERS, provider_named

assert "cumulus" in PROVIDERS and "cumulus" in COEFFICIENTS
assert provider_named(["Cumulus GmbH"]) == "cumulus"
assert "cumulus" in str(CloudFields.model_json_schema()["properties"]["provider"])
assert "cumulus_prices" in [one.id for one in importers()]
"""


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=IDS)
def test_every_view_of_a_provider_is_of_its_record(provider: object) -> None:
    one = PROVIDERS[getattr(provider, "id", "")]
    assert provider_named([one.title.upper()]) == one.id
    field = CloudFields.model_json_schema()["properties"]["provider"]
    assert field["enum"] == [*IDS, OTHER]
    assert COEFFICIENTS[one.id] is one.coefficients
    assert set(one.importers) <= set(IMPORTER_MODULES)
    assert len(set(one.slugs)) == len(one.slugs)


def test_types_tell_their_provider() -> None:
    assert provider_of_types(["n2-standard-4", "c4d-standard-32", "e2-micro"]) == "gcp"
    assert provider_of_types(["Basic_A1", "Standard_D2as_v6", "x.y"]) == "azure"


def test_no_other_file_lists_the_providers() -> None:
    """Two of their names on neighbouring lines are a list; a file that reads one's list is not."""
    found = []
    files = [*_SCIENCE.rglob("*.py"), *(_ROOT / "backend").rglob("*.py")]
    files += [*(_ROOT / "frontend" / "src").rglob("*.ts*")]
    for file in files:
        parts = file.relative_to(_ROOT).parts
        if {"tests", "testing", "api-types", "providers"} & set(parts) or ".test." in file.name:
            continue
        # How a list is fetched that takes more than its address is no list of providers.
        lines = [
            "" if "ways = {" in line or ">>>" in line or line.strip().startswith("('") else line
            for line in file.read_text("utf-8").splitlines()
        ]
        found += [
            f"{'/'.join(parts)}:{number + 1}"
            for number in range(len(lines))
            if len(set(_LITERAL.findall("\n".join(lines[number : number + 3])))) > 1
        ]
    assert not found


def test_a_new_provider_of_prices_is_two_files(tmp_path: Path) -> None:
    copy = tmp_path / "capmodels"
    skipped = shutil.ignore_patterns("tests", "__pycache__")
    shutil.copytree(_SCIENCE, copy, ignore=skipped)
    before = {file for file in copy.rglob("*") if file.is_file()}
    (copy / "providers" / "cumulus.py").write_text(_RECORD, "utf-8")
    like = (copy / "imports" / "ec2_instances.py").read_text("utf-8")
    reader = like.replace('id="ec2_instances"', 'id="cumulus_prices"')
    (copy / "imports" / "cumulus_prices.py").write_text(reader, "utf-8")
    assert len({file for file in copy.rglob("*") if file.is_file()} - before) == 2
    done = subprocess.run(
        [sys.executable, "-c", _ASKED],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
