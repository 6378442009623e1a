"""Every import contract breaks when it is violated: one that cannot break is no contract."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from ops import places

pytestmark = pytest.mark.slow
VIOLATIONS = {
    "Science is pure": ("worker/capmodels/units.py", "import celery"),
    "Apps in one order": ("backend/accounts/services.py", "import studies.services"),
    "The web never imports the worker": ("backend/runs/services.py", "import capworker.tasks"),
    "Inside an app": ("backend/runs/models.py", "import runs.services"),
    "No circles": (
        "worker/capmodels/storage/drive/seek.py",
        "import capmodels.storage.drive.wear",
    ),
    "Inside science": ("worker/capmodels/power/server.py", "import capmodels.cost.npv"),
    "Inside the plan": (
        "worker/capmodels/plans/document/study.py",
        "import capmodels.plans.costing.sizing",
    ),
    "Rules apart": (
        "worker/capmodels/plans/check/rules/availability.py",
        "import capmodels.plans.check.rules.carbon",
    ),
    "Inside storage": (
        "worker/capmodels/storage/simulator/run.py",
        "import capmodels.storage.closed_form.flash_use",
    ),
    "Thin API": ("backend/studies/apis.py", "import studies.models"),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python sources on their own."""
    root = tmp_path_factory.mktemp("copy")
    for name in ("backend", "worker"):
        ignore = shutil.ignore_patterns("tests", "__pycache__", "*.csv", "*.json")
        shutil.copytree(places.ROOT / name, root / name, ignore=ignore)
    shutil.copy(places.ROOT / "pyproject.toml", root)
    return root


def lint(root: Path) -> str:
    """What import-linter says about the copy."""
    path = os.pathsep.join(str(root / name) for name in ("backend", "worker"))
    done = subprocess.run(
        [str(places.VENV / "bin" / "lint-imports"), "--no-cache"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
        capture_output=True,
        text=True,
    )
    return done.stdout


@pytest.mark.decisive
def test_every_package_stands_under_the_contract_against_circles() -> None:
    settings = tomllib.loads((places.ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    [circles] = [one for one in settings["contracts"] if one["type"] == "acyclic_siblings"]
    folders = {
        path.name
        for room in ("backend", "worker")
        for path in (places.ROOT / room).iterdir()
        if (path / "__init__.py").exists()
    }
    assert folders == set(settings["root_packages"]) == set(circles["ancestors"])


def test_the_contracts_hold(copy: Path) -> None:
    assert f"{len(VIOLATIONS)} kept, 0 broken" in lint(copy)


@pytest.mark.parametrize("contract", VIOLATIONS)
def test_a_violation_breaks_its_contract(copy: Path, contract: str) -> None:
    name, line = VIOLATIONS[contract]
    path = copy / name
    text = path.read_text()
    path.write_text(f"{text}\n{line}\n")
    try:
        assert f"{contract} BROKEN" in lint(copy)
    finally:
        path.write_text(text)
