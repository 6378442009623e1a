"""Who asks, for which workspace, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

READ, WRITE, RUN, MANAGE, PROVISION = "read", "write", "run", "manage", "provision"
SCOPES = (READ, WRITE, RUN, MANAGE, PROVISION)
# What a token has of which nobody named the scopes: programs that run the workspace say so.
USUAL_SCOPES = (READ, WRITE, RUN)
OWNER, EDITOR, VIEWER = "owner", "editor", "viewer"
# What who has a role is, and may do, in words.
ROLE_WORDS = {
    OWNER: ("an owner", "everything"),
    EDITOR: ("an editor", "all but people and names"),
    VIEWER: ("a viewer", "sees, tries, makes reports"),
}
ROLES = tuple(ROLE_WORDS)
# Who came by a link that shares a study or a run, without an account.
LINK = "link"


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """A signed-in member, or the holder of a workspace's token."""

    user_id: UUID
    email: str
    workspace_id: UUID
    workspace_name: str
    role: str
    scopes: frozenset[str] = frozenset(SCOPES)
    token_id: UUID | None = None

    # DRF asks this of whatever an authenticator returns as the user.
    is_authenticated = True
    is_active = True

    @property
    def pk(self) -> UUID:
        """Return the user's id, under the name that DRF uses."""
        return self.user_id
