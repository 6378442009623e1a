"""Two kept price lists beside each other: what is new, what is gone, what has another price.

PostgreSQL sets them beside each other: lists of hundreds of thousands of prices never come into
a process as a whole, only their counts and the largest changes do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

from capmodels.imports.preview import Column, table
from capmodels.imports.prices import PRICES
from common.errors import Conflict, NotFound
from common.tenancy import current_workspace_id
from imports.models import Import

if TYPE_CHECKING:
    from uuid import UUID

    from capmodels.spec import JSONDict

SHOWN = 200
_SAME = 1e-9
_HEAD = ("provider", "currency", "as_of", "source")

# Each price of a list, by type, region and figure. The policies of the tables hold here as well.
_PRICES = """
    SELECT said->>'type' AS type, said->>'region' AS region, figure.key AS price,
           (figure.value)::float8 AS usd
    FROM imports_import, jsonb_array_elements(preview->'prices') AS said,
         jsonb_each_text(said) AS figure
    WHERE id = %s AND workspace_id = %s AND figure.key LIKE '%%usd_per_h'
"""
_CHANGES = f"""
    WITH old AS ({_PRICES}), new AS ({_PRICES}), beside AS (
        SELECT type, region, price, old.usd AS before, new.usd AS after,
               CASE WHEN old.usd IS NULL THEN 'new' WHEN new.usd IS NULL THEN 'gone'
                    WHEN ABS(new.usd - old.usd) <= {_SAME} THEN 'same' ELSE 'changed' END AS what
        FROM old FULL JOIN new USING (type, region, price)
    ), ranked AS (
        SELECT *, COUNT(*) OVER (PARTITION BY what) AS whole, ROW_NUMBER() OVER (
            PARTITION BY what
            ORDER BY ABS(CASE WHEN before > 0 THEN after / before - 1 ELSE after END)
                DESC NULLS LAST, type, region, price
        ) AS place
        FROM beside
    )
    SELECT what, type, region, price, before, after, whole FROM ranked
    WHERE place <= CASE WHEN what = 'same' THEN 1 ELSE {SHOWN} END ORDER BY what, place
"""


@dataclass(frozen=True, slots=True)
class PriceList:
    """A kept list: of whom, of when, and in which currency."""

    id: UUID
    file_name: str
    provider: str
    currency: str
    as_of: str
    source: str


def price_lists(provider: str = "") -> list[PriceList]:
    """Return the lists that were read and are kept, newest first; of one provider, if named."""
    rows = Import.objects.filter(makes="prices", preview__isnull=False)
    if provider:
        rows = rows.filter(preview__provider=provider)
    heads = [f"preview__{name}" for name in _HEAD]
    found = rows.order_by("-created_at").values("pk", "file_name", "created_at", *heads)
    return [
        PriceList(
            id=one["pk"],
            file_name=one["file_name"],
            provider=one["preview__provider"],
            currency=one["preview__currency"],
            as_of=one["preview__as_of"] or one["created_at"].date().isoformat(),
            source=one["preview__source"],
        )
        for one in found[:SHOWN]
    ]


def price_changes(older: UUID, newer: UUID) -> JSONDict:
    """Return what changed from one list to another: counts, and the largest of each kind.

    Raises
    ------
    NotFound
        When the workspace has no such list.
    Conflict
        When they are of two providers, or in two currencies.
    """
    lists = {one.id: one for one in price_lists()}
    if older not in lists or newer not in lists:
        raise NotFound
    before, after = lists[older], lists[newer]
    if before.provider != after.provider:
        raise Conflict("The lists are of two providers: their prices cannot be compared.")
    if before.currency != after.currency:
        said = f"{before.currency} and in {after.currency}"
        raise Conflict(f"The lists are in {said}: their prices cannot be compared.")
    rows = _rows(before.id, after.id)
    counts = dict.fromkeys(("new", "gone", "changed", "same"), 0)
    counts |= {row["what"]: row["whole"] for row in rows}
    return {
        "before": before,
        "after": after,
        **{f"{what}_count": count for what, count in counts.items()},
        "tables": _tables(rows, before.currency, counts),
    }


def _rows(older: UUID, newer: UUID) -> list[JSONDict]:
    here = current_workspace_id()
    names = ("what", "type", "region", "price", "before", "after", "whole")
    with connection.cursor() as cursor:
        cursor.execute(_CHANGES, [older, here, newer, here])
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    for row in found:
        row["price"] = PRICES.get(row["price"], row["price"])
        if row["what"] == "changed" and row["before"]:
            row["change"] = row["after"] / row["before"] - 1
    return found


def _tables(rows: list[JSONDict], currency: str, counts: dict[str, int]) -> list[JSONDict]:
    unit = f"{currency}/h"
    named = (Column("Type", "type"), Column("Region", "region"), Column("Price", "price"))
    old, new = (
        Column(title, key, "quantity", unit)
        for title, key in (("Before", "before"), ("Now", "after"))
    )
    shapes: dict[str, tuple[str, tuple[Column, ...]]] = {
        "changed": (
            "Prices that changed",
            (*named, old, new, Column("Change", "change", "fraction")),
        ),
        "new": ("Prices that are new", (*named, new)),
        "gone": ("Prices that are gone", (*named, old)),
    }
    return [
        table(title, columns, [row for row in rows if row["what"] == what], _note(counts[what]))
        for what, (title, columns) in shapes.items()
    ]


def _note(count: int) -> str:
    return f"The largest {SHOWN:,} of {count:,}." if count > SHOWN else ""
