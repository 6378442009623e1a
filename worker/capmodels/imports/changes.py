"""What a newer import says otherwise than the one before it, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.imports.preview import Column, table
from capmodels.numbers import quantity
from capmodels.plans.document.pointers import facts_of
from capmodels.plans.document.workload import DemandWorkload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.imports.registry import Drafted
    from capmodels.spec import JSONDict

_ROWS_MAX = 200
# Of what each kind of file makes: its lists, the keys that name a row of one, and its figure.
_LISTS: dict[str, tuple[tuple[str, str, tuple[str, ...], str], ...]] = {
    "bill": (
        ("kinds", "", ("label",), "effective"),
        ("machines", "Machines", ("type", "region"), "effective"),
    ),
    "fleet": (
        ("groups", "Machines", ("model", "cpu", "year"), "machines_count"),
        ("hosts", "Hosts", ("model", "cpu"), "hosts_count"),
        ("guests", "Virtual machines", ("state",), "vms_count"),
    ),
    "jobs": (("owners", "", ("owner",), "share_fraction"),),
}


def changes(
    makes: str, before: Mapping[str, Any], now: Mapping[str, Any], since: str
) -> JSONDict | None:
    """Return a table of the rows that differ; amounts of a bill are means of a month.

    None for files that have nothing to set side by side.
    """
    lists = _LISTS.get(makes)
    if lists is None:
        return None
    rows: list[JSONDict] = []
    for name, said, keys, figure in lists:
        old = _figures(before, name, keys, figure, _months(makes, before))
        new = _figures(now, name, keys, figure, _months(makes, now))
        for key in sorted({*old, *new}):
            was, is_now = old.get(key), new.get(key)
            if was is None or is_now is None or abs(is_now - was) > 0.005:
                rows.append(
                    {
                        "what": f"{said} {key}".strip(),
                        "was": was,
                        "now": is_now,
                        "change": (is_now or 0.0) - (was or 0.0),
                    }
                )
    rows.sort(key=lambda row: -abs(row["change"]))
    said_as: Any = "money" if makes == "bill" else "count"
    unit = now.get("currency", "") if makes == "bill" else ""
    columns = (
        Column("Line", "what"),
        Column("Before", "was", said_as, unit),
        Column("Now", "now", said_as, unit),
        Column("Change", "change", said_as, unit),
    )
    note = "Means of a month. " if makes == "bill" else ""
    note += "Nothing differs." if not rows else "Lines that are as before are left out."
    shown = [_texts(row) for row in rows[:_ROWS_MAX]] if makes == "bill" else rows[:_ROWS_MAX]
    return table(f"Changes since {since}", columns, shown, note)


def value_changes(held: Mapping[str, Any], drafted: Drafted) -> JSONDict | None:
    """Return a table of the values of a study's work that its import would change.

    None where it changes none.
    """
    rows = []
    for name, value in drafted.workload.items():
        facts = DemandWorkload.model_fields.get(name)
        was = held.get(name)
        if facts is None or not isinstance(value, int | float) or was == value:
            continue
        unit = facts_of(DemandWorkload, name).unit
        rows.append(
            {
                "what": facts.title or name,
                "was": "not entered" if was is None else quantity(was, unit),
                "now": quantity(value, unit),
                "from": drafted.provenance.get(f"/{name}", {}).get("source", ""),
            }
        )
    columns = (
        Column("Input", "what"),
        Column("In the study", "was"),
        Column("In the file", "now"),
        Column("From", "from"),
    )
    return table("What changes in the study's work", columns, rows) if rows else None


def _texts(row: JSONDict) -> JSONDict:
    """Amounts as the preview has them: text."""
    return {
        name: f"{value:.2f}" if isinstance(value, float) else value for name, value in row.items()
    }


def _months(makes: str, preview: Mapping[str, Any]) -> float:
    return float(len(preview["months"])) if makes == "bill" else 1.0


def _figures(
    preview: Mapping[str, Any], name: str, keys: tuple[str, ...], figure: str, months: float
) -> dict[str, float]:
    found: dict[str, float] = {}
    for row in preview.get(name, ()):
        key = " ".join(str(row[one]) for one in keys if row.get(one))
        value = row.get(figure)
        if value is not None:
            found[key] = found.get(key, 0.0) + float(value) / months
    return found
