"""Tells of prices that arrived: a new snapshot of the catalogue, or a list of one's own."""

from __future__ import annotations

from django.db import connection

from accounts.events import PRICES_ARRIVED
from catalogue.selectors import snapshot_latest
from common.tenancy import current_workspace_id, workspace
from sharing.models import PricesTold
from sharing.standing import stale_by_prices
from sharing.webhooks import is_wanted, tell


def prices_tell() -> int:
    """Tell every workspace that wants it of the catalogue's new snapshot; return how many.

    Crosses workspaces. One that has just chosen to be told is told of the next one.
    """
    latest = snapshot_latest()
    if latest is None:
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT workspace_id FROM sharing_prices_untold(%s)", [latest.id])
        untold = [row[0] for row in cursor.fetchall()]
    told = 0
    for workspace_id in untold:
        with workspace(workspace_id):
            _, is_first = PricesTold.objects.update_or_create(
                workspace_id=current_workspace_id(), defaults={"snapshot": latest.id}
            )
            if not is_first:
                about = {
                    "source": "catalogue",
                    "snapshot": latest.id,
                    "studies_count": len(stale_by_prices()),
                }
                text = (
                    f"The catalogue has prices of {latest.as_of}. "
                    f"{_studies(about['studies_count'])} older values."
                )
                tell(PRICES_ARRIVED, None, about, text)
                told += 1
    return told


def prices_arrived(source: str, entries_count: int) -> None:
    """Tell the entered workspace of prices of its own."""
    if is_wanted(PRICES_ARRIVED):
        text = f"{source}: {entries_count} entries of the catalogue have other prices."
        tell(PRICES_ARRIVED, None, {"source": source, "entries_count": entries_count}, text)


def _studies(count: object) -> str:
    return "One study has" if count == 1 else f"{count} studies have"
