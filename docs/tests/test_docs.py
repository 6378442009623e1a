"""The documentation keeps up with the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "fixtures/README.md"])
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#]+)")


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
def test_the_status_is_a_page() -> None:
    assert len((ROOT / "docs" / "status.md").read_text("utf-8").splitlines()) <= 90


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs" / "adr").glob("*.md"))]

    assert numbers == list(range(1, len(numbers) + 1))
