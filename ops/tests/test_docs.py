"""The documents name commands that exist, and every variable of the launcher."""

import re
from pathlib import Path

import pytest

from ops import places
from ops.steps import STEPS

MODULE = re.compile(r"python -m (ops(?:\.\w+)*|capmodels|bench)\b")
SCRIPT = re.compile(r"(?:^|[\s`(])\./(run|test)\b")
DOCUMENTS = sorted(
    path
    for path in [*places.ROOT.glob("*.md"), *(places.ROOT / "docs").rglob("*.md")]
    if path.is_file()
)


def where(path: Path) -> str:
    return str(path.relative_to(places.ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=where)
def test_commands_that_are_named_exist(path: Path) -> None:
    text = path.read_text()
    for name in MODULE.findall(text):
        parts = name.split(".")
        folders = [places.ROOT, places.ROOT / "worker"]
        candidates = [folder.joinpath(*parts) for folder in folders]
        assert any(c.with_suffix(".py").exists() or c.is_dir() for c in candidates), name
    for name in SCRIPT.findall(text):
        assert (places.ROOT / name).exists()


@pytest.mark.parametrize("path", DOCUMENTS, ids=where)
def test_no_document_names_a_folder_of_somebodys_machine(path: Path) -> None:
    assert not re.search(r"(?<![\w.])/(?:work|root|home)/\w", path.read_text())


def test_operations_says_what_every_variable_of_the_launcher_means() -> None:
    text = (places.ROOT / "docs" / "operations.md").read_text()
    sources = [path.read_text() for path in (places.ROOT / "ops").glob("*.py")]
    read = {
        name
        for source in sources
        for name in re.findall(r"environ(?:\.get\(|\[)\"(AMPACITY_\w+)\"", source)
        if not name.startswith("AMPACITY_TEST")
    }
    assert {"AMPACITY_VAR", "AMPACITY_PG_BIN"} <= read
    assert {name for name in read if name not in text} == set()


def test_ci_runs_the_whole_test() -> None:
    assert "/../test" in (places.ROOT / ".ci" / "run").read_text()
    assert len(STEPS) == len({step.name for step in STEPS})
