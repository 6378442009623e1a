"""Alice, Bob of her workspace, Charlie of another, and nobody, each with the API in hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from accounts.services import workspace_create
from accounts.testing import JSON, join, sign_in
from studies.tests.samples import study

if TYPE_CHECKING:
    from uuid import UUID

    from accounts.testing import Person

API = "/api/v1"


@dataclass(frozen=True)
class Planner:
    """Somebody who calls the API, signed in unless they are nobody."""

    client: Client
    person: Person | None = None

    @property
    def workspace_id(self) -> UUID:
        """Return the id of their workspace."""
        assert self.person
        return self.person.workspace_id

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(API + path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.post(API + path, body or {}, content_type=JSON, headers=headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.patch(API + path, body, content_type=JSON, headers=headers)

    def put(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.put(API + path, body, content_type=JSON, headers=headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.client.delete(API + path, headers=headers)

    def upload(self, path: str, body: bytes, media: str = "application/yaml") -> Any:
        return self.client.generic("POST", API + path, body, content_type=media)

    def study(self, **changes: Any) -> dict[str, Any]:
        """Create a study and return it."""
        response = self.post("/studies", study(**changes))
        assert response.status_code == 201, response.content
        created: dict[str, Any] = response.json()
        return created


def _planner(person: Person) -> Planner:
    return Planner(person.client, person)


@pytest.fixture
def alice(database: None) -> Planner:
    """Return Alice, who owns a workspace."""
    return _planner(sign_in(workspace_create(email="alice@example.org", name="Alice's")))


@pytest.fixture
def bob(alice: Planner) -> Planner:
    """Return Bob, a member of Alice's workspace."""
    assert alice.person
    return _planner(sign_in(join(alice.person.account, "bob@example.org")))


@pytest.fixture
def charlie(database: None) -> Planner:
    """Return Charlie, who has a workspace elsewhere."""
    return _planner(sign_in(workspace_create(email="charlie@example.org", name="Charlie's")))


@pytest.fixture
def nobody(database: None) -> Planner:
    """Return somebody who is not signed in."""
    return Planner(Client())
