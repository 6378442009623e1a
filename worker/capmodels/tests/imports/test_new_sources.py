"""A source that nobody knew, added to a copy: a table with a sample, and a line in the registry."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_SCIENCE = Path(__file__).parents[2]
_BILL = '''"""Bills of Nimbus, a provider that is made up: its invoice as CSV."""

from capmodels.imports.bill_source import BillSource

IMPORTER = BillSource(
    id="nimbus",
    title="Nimbus invoice (CSV)",
    needed=("nimbusline", "charged", "billedin"),
    months=("billedin",),
    charge={
        "category": "CASE WHEN {nimbusline} = 'VAT' THEN 'tax' ELSE 'usage' END",
        "billed": "{#charged}",
        "effective": "{#charged}",
        "list": "{#catalogueprice|charged}",
        "quantity": "{#amount}",
        "unit": "{measure}",
        "currency": "'CHF'",
        "provider": "'Nimbus'",
        "service_category": "'Compute'",
        "service": "{nimbusline}",
        "description": "{nimbusline}",
        "instance_type": "{shape}",
        "region": "{place}",
    },
    sample=b"""\\
Nimbus line;Shape;Place;Amount;Measure;Charged;Catalogue price;Billed in
Machine;n4;zurich;720;Hours;72,50;100,00;2026-09
VAT;;;;;5,87;;2026-09
""",
).importer()
'''
_FLEET = '''"""Machines of Nimbus, a tool that is made up: its list as CSV."""

from capmodels.imports.fleet_source import FleetSource

IMPORTER = FleetSource(
    id="nimbus_fleet",
    title="Nimbus list of machines",
    needed=("name", "cores", "ram"),
    sign="^Nimbus ",
    machine={
        "name": ("nimbusname", ""),
        "cores": ("threads", ""),
        "ram": ("memorysize", "mib"),
        "busy": ("load", "%"),
    },
    used={"peak": ("memorymost", "mib")},
    are_virtual=True,
    sample=b"""\\
Nimbus name,Threads,Memory size,Memory most,Load (%)
a,4,8192,4096,50
b,8,16384,8192,25
""",
).importer()
'''
_ASKED = """
import sys
from pathlib import Path
from capmodels.imports.registry import accepted, importer_of, opened, read_with, recognised
path = Path("file")
item = importer_of(sys.argv[1])
path.write_bytes(item.sample())
file = opened(path)
assert recognised(file.columns).id == item.id and item.title in accepted()
print(read_with(item, file, lambda _share, _said: None)["headline"])
"""


@pytest.mark.parametrize(
    ("name", "source", "headline"),
    [
        ("nimbus", _BILL, "Sep 2026: 78.37 CHF invoiced"),
        ("nimbus_fleet", _FLEET, "2 machines with 12 cores and 24 GiB of RAM; 33% of the cores"),
    ],
)
def test_a_new_source_is_a_table_with_a_sample(
    name: str, source: str, headline: str, tmp_path: Path
) -> None:
    copy = tmp_path / "capmodels"
    skipped: Any = shutil.ignore_patterns("tests", "__pycache__")
    shutil.copytree(_SCIENCE, copy, ignore=skipped)
    (copy / "imports" / f"{name}.py").write_text(source, "utf-8")
    registry = copy / "imports" / "registry.py"
    known, line = registry.read_text("utf-8"), '    "capmodels.imports.rvtools",\n'
    assert known.count(line) == 1
    registry.write_text(known.replace(line, f'    "capmodels.imports.{name}",\n{line}'), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _ASKED, name],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(headline)
