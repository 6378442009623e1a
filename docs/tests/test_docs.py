"""The documentation keeps up with the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from capmodels import registry

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "fixtures/README.md"])
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#]+)")
_STATES = {"done", "partly", "missing"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    targets = [page.parent / link for link in _LINK.findall(page.read_text("utf-8"))]

    assert [str(target) for target in targets if not target.exists()] == []


def test_readme_stays_short_and_shows_the_product() -> None:
    text = (ROOT / "README.md").read_text("utf-8")

    assert len(text.splitlines()) <= 150
    assert re.search(r"!\[[^\]]+\]\([^)]+\.png\)", text)


def test_readme_maps_every_room_of_the_house() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    rooms = (
        "backend/",
        "frontend/",
        "worker/",
        "migrations/",
        "fixtures/",
        "e2e/",
        "ops/",
        "bench/",
    )

    assert [room for room in rooms if f"`{room}`" not in text] == []


@pytest.mark.decisive
def test_status_gives_every_part_a_state() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs" / "status.md").read_text("utf-8").splitlines()
        if line.startswith("| ") and not line.startswith(("| part", "| ---"))
    ]
    parts = [row for row in rows if len(row) == 3]

    assert len(parts) > 50
    assert [row for row in parts if row[1] not in _STATES] == []
    assert [row for row in parts if row[1] != "missing" and not row[2]] == []


def test_status_names_every_model() -> None:
    text = (ROOT / "docs" / "status.md").read_text("utf-8")

    assert [name for name in registry.model_ids() if f"`{name}`" not in text] == []


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs" / "adr").glob("*.md"))]

    assert numbers == list(range(1, len(numbers) + 1))


def test_every_test_of_what_was_mended_is_there() -> None:
    rows = (ROOT / "docs" / "mended.md").read_text("utf-8").splitlines()
    told = [re.findall(r"`([^`]+)`", row.rpartition(" | ")[2]) for row in rows if row[:2] == "| "]
    lacking, held = [], 0
    for names in told[2:]:
        text = ""
        for name in names:
            if "/" in name:
                text = (ROOT / name).read_text("utf-8")
            elif name not in text:
                lacking.append(name)
            else:
                held += 1

    assert lacking == []
    assert held >= len(told) - 3
