"""Own servers whose data lie on arrays: coded over storage nodes, or in shelves of RAID-6.

A cluster begins with its nodes and grows by one at a time, a shelf by its groups of drives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.storage.drive.entries import drive_of
from studies.proposals import owned as own
from studies.proposals.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.spec import JSONDict
    from catalogue.models import Entry

_DRIVE, _PRICED = "hdd-exos-x24-24tb", "hdd-24tb-2026"
SLUGS = (_DRIVE, _PRICED)
# So many are costed by the plan.
_COSTED = 4
# Shelves of more bays have larger groups.
_FEW_BAYS = 36
# Options that are arrays.
ARRAYS = ("coded", "shelves")
# Objects are megabytes: a request of one reads whole units.
_UNIT_BYTES = 1_048_576


@dataclass(frozen=True, slots=True)
class Store:
    """One way to build the arrays: in which server, with how many drives in each, and how."""

    server: str
    bays: int
    spec: JSONDict


def coded(server: str, drives: int, code: tuple[int, int, int]) -> Store:
    """Data coded over nodes of a server with some of its drives: units of data, parity, nodes."""
    data, parity, nodes = code
    spread = {"nodes_count": nodes, "data_count": data, "parity_count": parity}
    return Store(server, drives, {"disks_count": nodes * drives, "code": spread})


def raid6(server: str, bays: int) -> Store:
    """A shelf whose groups have 11 drives, of more than 36 bays 14, and the rest as spares."""
    members = 11 if bays <= _FEW_BAYS else 14
    groups = bays // (members + 1)
    count = groups * members
    drives = {"disks_count": count, "disks_per_group": members, "spares_count": bays - count}
    return Store(server, bays, {"layout": "raid6", **drives})


def carried_by(workload: Mapping[str, Any]) -> str | None:
    """Kind of data that arrays are proposed for: objects, else blocks; None without either."""
    kinds = ("object", "block")
    return next((kind for kind in kinds if workload.get(f"{kind}_tb")), None)


def stored(
    store: Store,
    servers: own.Servers,
    entries: Mapping[str, Entry],
    carries: str,
) -> Draft:
    """Return a design of the servers whose data of one kind lie on arrays instead."""
    kept = [
        (slug, "compute" if carries == "block" and role == "compute_and_block" else role, drives)
        for slug, role, drives in servers
        if role != carries
    ]
    kept = [(slug, role, 0 if role == "compute" else drives) for slug, role, drives in kept]
    draft = Draft(entries)
    draft.put("/node_groups", [])
    for place, server in enumerate(kept):
        own.add_group(draft, f"/node_groups/{place}", server)
    _array(draft, store, carries)
    draft.take("/software/usd_per_storage_node_year", own.SOFTWARE, "usd_per_socket_year")
    own.running(draft)
    if "code" not in store.spec:
        # What lies in one enclosure is lost with it: a copy elsewhere, as over machines there is.
        draft.put("/backup/covers", "all")
    return draft


def _array(draft: Draft, store: Store, carries: str) -> None:
    """The array's drives and what holds them: the storage server without its own drives."""
    at = "/array"
    entry = draft.entry(_DRIVE)
    figures = {name: held["value"] for name, held in entry.values.items()}
    drive = drive_of(entry.title, figures).drive
    if drive is None:
        raise TypeError
    draft.put(f"{at}/drive", drive.model_dump(mode="json"))
    draft.take(f"{at}/drive_price_usd", _PRICED, "unit_price_usd")
    draft.dated(at, _PRICED, "unit_price_usd")
    for name, value in store.spec.items():
        draft.put(f"{at}/{name}", value)
    draft.put(f"{at}/count", None)
    draft.put(f"{at}/carries", carries)
    draft.put(f"{at}/stripe_unit_bytes", _UNIT_BYTES)
    held = f"{at}/enclosure"
    draft.take_all(held, store.server, ("unit_price_usd", "rack_units_count"))
    server = draft.entry(store.server)
    watts, low, high = (
        sum(float(server.values[name][end]) for name in ("idle_w", "adder_w"))
        for end in ("value", "low", "high")
    )
    draft.assume(f"{held}/power_w", watts, f"{server.title}, idle, without its drives", (low, high))
