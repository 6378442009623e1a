"""Work as those who asked for it see it: by account or namespace, and as demand of a study."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from capmodels.imports.origins import origin_of, rows_said
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer, Options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.spec import JSONDict

OWNERS_KEPT = 200


def owners_of(
    sums: Mapping[str, Sequence[float]], names: Sequence[str], share_of: str
) -> list[JSONDict]:
    """Return what each owner used, the largest first, with its share of one of the sums."""
    at = list(names).index(share_of)
    whole = sum(row[at] for row in sums.values())
    ordered = sorted(sums.items(), key=lambda pair: (-pair[1][at], pair[0]))
    return [
        {
            "owner": owner or "no account",
            **dict(zip(names, row, strict=True)),
            "share_fraction": row[at] / whole if whole else None,
        }
        for owner, row in ordered[:OWNERS_KEPT]
    ]


def owners_table(title: str, columns: Sequence[Column], rows: Sequence[JSONDict]) -> JSONDict:
    """Showback: who asked for how much of the whole."""
    share = Column("Share", "share_fraction", "fraction")
    return table(title, (Column(title, "owner"), *columns, share), rows)


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the demand that a log or a dump says."""
    demand = {name: value for name, value in preview["demand"].items() if value}
    origin = origin_of(
        options,
        "measured",
        rows=rows_said(preview.get("rows")),
        what=preview["counted"],
        as_of=preview.get("ends_on") or "",
    )
    return Drafted(
        title=f"Work of {options.file_name}"[:120],
        workload={"kind": "demand", **demand},
        provenance={f"/{name}": origin for name in demand},
        open_points=list(preview["notes"]),
    )


jobs_importer = partial(Importer, makes="jobs", draft=draft, names=("owners.owner",))
