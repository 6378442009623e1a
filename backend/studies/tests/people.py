"""Alice and Bob, each in a workspace of their own, and Charlie, who holds no token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rest_framework.test import APIClient

from accounts.services import token_create, workspace_create
from common.tenancy import workspace
from studies.tests.samples import study

if TYPE_CHECKING:
    from uuid import UUID

API = "/api/v1"


@dataclass(frozen=True)
class Planner:
    """Somebody who calls the API."""

    client: Any
    workspace_id: UUID | None = None

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(API + path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.post(API + path, body or {}, format="json", headers=headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.patch(API + path, body, format="json", headers=headers)

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


def planner(name: str) -> Planner:
    """Return a planner in a workspace of their own."""
    account = workspace_create(email=f"{name}@example.org", name=f"{name}'s workspace")
    with workspace(account.workspace_id):
        _row, token = token_create(principal=account.principal(), title="test")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return Planner(client, account.workspace_id)


def stranger() -> Planner:
    """Return somebody who is not signed in."""
    return Planner(APIClient())
