"""Two workspaces, and a small catalogue loaded by the owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from rest_framework.test import APIClient

from accounts.services import token_create, workspace_create
from catalogue import services
from catalogue.fixture_rows import FOLDERS
from common.tenancy import workspace

if TYPE_CHECKING:
    from pathlib import Path

    from catalogue.models import Snapshot
    from common.principal import Principal

HEAD = "slug,title,kind,vendor,price_usd,idle_w,source,quality,as_of,overrides\n"
SOURCES = (
    "source,title,publisher,url,date,retrieved,licence,note\n"
    "list,Price list,Vendor,https://example.com/,2026-01-10,2026-02-01,none,\n"
)
ROWS = (
    "server-b,Server B,server,Maker,9000,,list,published,2026-01-01,\n"
    "server-a,Server A,server,Maker,8000,120,list,published,2026-01-02,idle_w=|measured||110|130\n"
    "disk-1tb,Disk 1 TB,drive,Maker,80,,list,published,2026-01-03,\n"
)


@dataclass(frozen=True)
class Planner:
    """A member of a workspace of their own, with a client that holds their token."""

    principal: Principal
    client: Any


@dataclass
class Files:
    """A folder of fixtures that a test may change."""

    root: Path

    def write(self, rows: str) -> None:
        (self.root / "hardware" / "things.csv").write_text(HEAD + rows)

    def load(self) -> Snapshot:
        return services.catalogue_load(root=self.root)


def planner(email: str) -> Planner:
    account = workspace_create(email=email, name=f"{email}'s workspace")
    principal = account.principal()
    with workspace(account.workspace_id):
        _row, token = token_create(principal=principal, title="test")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return Planner(principal, client)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    for folder in FOLDERS:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sources.csv").write_text(SOURCES.splitlines()[0] + "\n")
    (tmp_path / "hardware" / "sources.csv").write_text(SOURCES)
    found = Files(tmp_path)
    found.write(ROWS)
    return found


@pytest.fixture
def alice(files: Files) -> Planner:
    files.load()
    return planner("alice@example.org")


@pytest.fixture
def bob(alice: Planner) -> Planner:
    return planner("bob@example.org")
