"""A folder of an organisation's own files: entries that every workspace has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError

from catalogue import services
from catalogue.fixture_rows import FixtureError
from catalogue.models import Entry
from catalogue.tests.conftest import SOURCES, planner
from config.preparing import data_prepare

if TYPE_CHECKING:
    from pathlib import Path

    from catalogue.tests.conftest import Files

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"]),
]

HEAD = (
    "slug,title,kind,about,discount_fraction_per_year,pue,source,quality,as_of,overrides\n"
    "group-2027,Group rates 2027,assumption_pack,What the board decided.,"
)
ROW = HEAD + "0.09,1.35,list,published,2026-01-05,discount_fraction_per_year=|||0.08|0.11\n"


def folder(tmp_path: Path, rows: str = ROW) -> Path:
    own = tmp_path / "ours"
    own.mkdir(exist_ok=True)
    (own / "sources.csv").write_text(SOURCES)
    (own / "packs.csv").write_text(rows)
    return own


def test_every_workspace_has_the_packs_of_the_organisation(files: Files, tmp_path: Path) -> None:
    services.catalogue_load(root=files.root, organisation=folder(tmp_path))
    for email in ("ann@example.org", "ben@example.org"):
        member = planner(email)
        listed = member.client.get("/api/v1/packs").json()["results"]
        pack = next(one for one in listed if one["slug"] == "group-2027")
        assert (pack["title"], pack["is_own"]) == ("Group rates 2027", False)
        refused = member.client.patch("/api/v1/packs/group-2027", {"title": "x"}, format="json")
        assert refused.status_code in {403, 409, 422}


def test_a_changed_file_is_another_version_and_what_goes_is_gone(
    files: Files, tmp_path: Path
) -> None:
    services.catalogue_load(root=files.root, organisation=folder(tmp_path))
    own = folder(tmp_path, ROW.replace("0.09,", "0.1,"))
    services.catalogue_load(root=files.root, organisation=own)
    entry = Entry.built_in.get(slug="group-2027")
    assert (entry.values["discount_fraction_per_year"]["value"], entry.revision) == (0.1, 2)
    member = planner("ann@example.org")
    versions = member.client.get("/api/v1/packs/group-2027").json()["versions"]
    assert len(versions) == 2
    services.catalogue_load(root=files.root)
    assert not Entry.built_in.filter(slug="group-2027").exists()


def test_the_built_in_files_are_the_same_without_a_folder(files: Files, tmp_path: Path) -> None:
    first = files.load()
    services.catalogue_load(root=files.root, organisation=folder(tmp_path))
    assert files.load() == first


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROW.replace("group-2027", "server-a"), "server-a"),
        (ROW.replace("0.09,1.35", "0.09,x"), "organisation/packs.csv:2"),
        (ROW.replace("list,", "nowhere,"), "nowhere"),
    ],
)
def test_faults_say_the_line_and_load_nothing(
    files: Files, tmp_path: Path, rows: str, said: str
) -> None:
    files.load()
    with pytest.raises(FixtureError, match=said):
        services.catalogue_load(root=files.root, organisation=folder(tmp_path, rows))
    assert not Entry.built_in.filter(slug="group-2027").exists()


def test_preparing_stops_with_the_line(settings: Any, tmp_path: Path) -> None:
    settings.CATALOGUE_FOLDER = folder(tmp_path, ROW.replace("0.09,1.35", "0.09,x"))
    with pytest.raises(CommandError, match=r"organisation/packs\.csv:2"):
        data_prepare()


def test_a_folder_without_sources_is_refused_in_words(files: Files, tmp_path: Path) -> None:
    with pytest.raises(FixtureError, match=r"there is no file sources\.csv"):
        services.catalogue_load(root=files.root, organisation=tmp_path / "missing")
