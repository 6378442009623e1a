"""Limits that an operator set for a single workspace."""

from __future__ import annotations

from accounts.models import Workspace
from accounts.services import audit_record
from common import quotas
from common.errors import Invalid
from common.tenancy import current_workspace_id


def limits_own() -> quotas.Limits:
    """Return the entered workspace's own limits; None is without limit."""
    found = Workspace.objects.filter(id=current_workspace_id()).values_list("limits", flat=True)
    return found.first() or {}


def limits_set(*, actor: str, changes: dict[str, float | None], removed: set[str]) -> None:
    """Set some limits of the entered workspace; those removed are the service's again.

    Raises
    ------
    Invalid
        For what there is no quota of, or a limit below 0.
    """
    for name, limit in (*changes.items(), *((name, None) for name in removed)):
        if name not in quotas.names():
            raise Invalid.at(f"/{name}", f"Choose one of {', '.join(quotas.names())}.")
        if limit is not None and not 0 <= limit < float("inf"):
            raise Invalid.at(f"/{name}", "Enter a number of 0 or more.")
    kept = {name: limit for name, limit in limits_own().items() if name not in removed}
    limits = {**kept, **changes}
    Workspace.objects.filter(id=current_workspace_id()).update(limits=limits)
    audit_record(actor, "workspace.limits", detail=limits)
