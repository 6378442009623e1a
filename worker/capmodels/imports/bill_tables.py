"""What a bill says, table by table, as the screen draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.imports.preview import Column, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.spec import JSONDict

_PLACES = {
    "instances": "lines of the baseline",
    "storage": "work and other cost",
    "transfer": "work and other cost",
    "other": "other cost",
    "apart": "shown apart",
    "unplaced": "other cost, not recognised",
}


def bill_tables(bill: Mapping[str, Any]) -> list[JSONDict]:
    """Return kinds of charge, months, machines, commitments, services, tags, and the rest."""
    currency = bill["currency"]
    listed = Column("List price", "list", "money", currency)
    cost = Column("Cost", "effective", "money", currency)
    invoiced = Column("Invoiced", "billed", "money", currency)
    kinds = [{**row, "goes": _PLACES.get(row["place"], row["place"])} for row in bill["kinds"]]
    machines = [
        {**row, "price": "committed" if row["is_committed"] else "on demand"}
        for row in bill["machines"]
    ]
    commitments = [{**row, "name": f"{row['type']} {row['id']}"} for row in bill["commitments"]]
    return [
        table(
            "What it is for",
            (Column("Kind", "label"), Column("Goes into", "goes"), listed, cost, invoiced),
            kinds,
        ),
        table("Months", (Column("Month", "month"), listed, cost, invoiced), bill["months"]),
        table(
            "Machines",
            (
                Column("Type", "type"),
                Column("Region", "region"),
                Column("Price", "price"),
                Column("Hours", "hours", "count"),
                listed,
                cost,
            ),
            machines,
        ),
        table(
            "Commitments",
            (
                Column("Commitment", "name"),
                Column("Ends on", "ends_on", "date"),
                Column("Used", "used", "money", currency),
                Column("Not used", "unused", "money", currency),
                Column("Coverage", "used_fraction", "fraction"),
                Column("Saved", "saved_fraction", "fraction"),
            ),
            commitments,
        ),
        table(
            "Services",
            (Column("Category", "category"), Column("Service", "service"), listed, cost),
            bill["services"],
        ),
        *(
            table(f"Tag {tag['key']}", (Column("Value", "value"), cost), tag["values"])
            for tag in bill["tags"]
        ),
        table(
            "Not recognised",
            (Column("Service", "service"), Column("Description", "description"), listed, cost),
            bill["unplaced"]["lines"],
            note="Counted in the other cost of the baseline.",
        ),
    ]
