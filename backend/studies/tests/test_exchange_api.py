"""A whole study leaves as a file and comes back the same; examples are loaded once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from studies import exchange, services
from studies.tests import samples

if TYPE_CHECKING:
    from pathlib import Path

    from studies.tests.people import Planner

pytestmark = pytest.mark.db

OWN_FIELDS = ("id", "study", "created_at", "updated_at")


def content(study: dict[str, Any]) -> dict[str, Any]:
    """Return a study without what is its row's own."""
    kept = {key: value for key, value in study.items() if key not in OWN_FIELDS}
    kept["designs"] = [
        {key: value for key, value in design.items() if key not in OWN_FIELDS}
        for design in study["designs"]
    ]
    return kept


@pytest.mark.parametrize("as_", ["yaml", "json"])
def test_alices_study_arrives_whole_at_charlies(alice: Planner, charlie: Planner, as_: str) -> None:
    study = alice.study()
    design = study["designs"][0]["id"]
    alice.post(f"/designs/{design}/versions", {"name": "as bought"})
    file = alice.get(f"/studies/{study['id']}/export?as={as_}")
    assert file["Content-Disposition"] == f'attachment; filename="own-or-rent.{as_}"'
    imported = charlie.upload("/studies/import", file.content, f"application/{as_}")
    assert imported.status_code == 201, imported.content
    assert content(imported.json()) == content(study)
    again = charlie.get(f"/studies/{imported.json()['id']}/export?as={as_}")
    assert again.content == file.content


def test_an_incomplete_draft_is_exported_and_imported_too(alice: Planner) -> None:
    study = alice.study(workload={"kind": "demand", "ram_gib": "much"}, designs=[])
    file = alice.get(f"/studies/{study['id']}/export").content
    imported = alice.upload("/studies/import", file).json()
    assert imported["workload"] == study["workload"]
    assert imported["faults"] == study["faults"]
    assert imported["slug"] == "own-or-rent-2"


@pytest.mark.parametrize(
    ("file", "pointer"),
    [
        (b"", ""),
        (b"hello", ""),
        (b"ampacity: 1\nstudy: {title: x, colour: red}", "/study/colour"),
        (b"ampacity: 1\nstudy: {title: ''}", "/study/title"),
        (b"ampacity: 1\nstudy: {title: x, designs: [{title: y}]}", "/study/designs/0/kind"),
        (b"ampacity: 1\nstudy: {title: x, slug: 'Not A Slug'}", "/study/slug"),
        (b"ampacity: 1\nstudy: {title: x, params_version: 99999}", "/study/params_version"),
        (b"ampacity: 1\nstudy: {title: x, params_version: 0}", "/study/params_version"),
    ],
)
def test_a_file_that_is_no_study_is_refused(alice: Planner, file: bytes, pointer: str) -> None:
    response = alice.upload("/studies/import", file)
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer]
    assert alice.get("/studies").json()["results"] == []


def test_a_file_above_a_megabyte_is_refused(alice: Planner) -> None:
    assert alice.upload("/studies/import", b" " * 1_000_001).status_code == 413


def example(folder: Path, title: str) -> None:
    study = exchange.StudyFile.model_validate(samples.study(title=title)).model_dump()
    (folder / "eight-nodes.yaml").write_bytes(exchange.dump(study, "yaml"))


def load(planner: Planner, folder: Path) -> int:
    return services.examples_load(planner.workspace_id, folder)


def test_examples_are_loaded_once(alice: Planner, tmp_path: Path) -> None:
    example(tmp_path, "Eight nodes")
    assert [load(alice, tmp_path), load(alice, tmp_path)] == [1, 0]
    cards = alice.get("/studies").json()["results"]
    assert [(card["slug"], card["is_example"]) for card in cards] == [("eight-nodes", True)]
    assert cards[0]["verdict"]["headline"]


def test_an_example_that_changed_replaces_the_one_nobody_edited(
    alice: Planner, tmp_path: Path
) -> None:
    """It stays the same study: what was computed, drawn and said of it goes on hanging on it."""
    example(tmp_path, "Eight nodes")
    load(alice, tmp_path)
    (before,) = alice.get("/studies").json()["results"]
    example(tmp_path, "Eight old nodes")
    assert load(alice, tmp_path) == 1
    (card,) = alice.get("/studies").json()["results"]
    assert (card["title"], card["id"]) == ("Eight old nodes", before["id"])
    assert load(alice, tmp_path) == 0
    example(tmp_path, "Eight other nodes")
    assert load(alice, tmp_path) == 1
    assert len(alice.get(f"/studies/{card['id']}").json()["designs"]) == len(before["designs"])


def test_an_example_that_somebody_edited_is_theirs(alice: Planner, tmp_path: Path) -> None:
    example(tmp_path, "Eight nodes")
    load(alice, tmp_path)
    study = alice.get("/studies").json()["results"][0]
    alice.patch(f"/designs/{study['designs'][0]['id']}", {"title": "Ours now"})
    example(tmp_path, "Eight old nodes")
    assert load(alice, tmp_path) == 0
    cards = alice.get("/studies").json()["results"]
    assert [card["title"] for card in cards] == ["Eight nodes"]


@pytest.mark.parametrize("path", sorted(services.EXAMPLES.glob("*.yaml")), ids=lambda p: p.stem)
def test_an_example_is_complete_and_is_its_own_export(
    alice: Planner, charlie: Planner, path: Path
) -> None:
    study = alice.upload("/studies/import", path.read_bytes()).json()
    assert study["faults"] == []
    assert study["slug"] == path.stem
    file = alice.get(f"/studies/{study['id']}/export?as=json").content
    imported = charlie.upload("/studies/import", file, "application/json").json()
    assert content(imported) == content(study)
