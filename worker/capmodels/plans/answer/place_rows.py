"""Rows of the I/O ceiling, of the site's envelope, and of who bears the cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.answer.row import Value, row_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.place_figures import EnvelopeFigures
    from capmodels.spec import JSONDict

NO_DISKS = "It owns no disks."
_IO = (
    ("disks_mb_per_s", "Throughput of all disks", "MB/s", False),
    ("network_mb_per_s", "Throughput of the network", "MB/s", False),
    ("ceiling_mb_per_s", "I/O ceiling", "MB/s", False),
    ("used_fraction", "I/O ceiling used at peak", "fraction", True),
    ("read_all_h", "All data read once in", "h", True),
)
_CONSTRAINT = {"disk": "the disks are the constraint", "network": "the network is the constraint"}


def io_rows(columns: list[DesignResult]) -> list[JSONDict]:
    """How fast all disks of a design can be read, and how much of that the work asks for."""

    def value_of(name: str) -> Callable[[DesignResult], Value]:
        def value(column: DesignResult) -> Value:
            if column.io is None:
                return None, NO_DISKS
            return getattr(column.io, name), column.io.reasons.get(name)

        return value

    rows = [
        row_of(f"io_{name}", label, unit, columns, value_of(name), lower=lower)
        for name, label, unit, lower in _IO
    ]
    rows[2]["notes"] = {
        column.letter: _CONSTRAINT[column.io.limit]
        for column in columns
        if column.io is not None and column.io.limit is not None and column.io.network_mb_per_s
    }
    return rows


NO_LIMIT = "No limit of its site is entered."


def envelope_rows(columns: list[DesignResult]) -> list[JSONDict]:
    """What designs take of their sites in the last year, and when these are exhausted."""
    rows = [
        row_of(
            f"envelope_{name}_fraction",
            f"Site {what} used, last year",
            "fraction",
            columns,
            _used(taken, limit),
            lower=None,
        )
        for name, what, taken, limit in _LIMITS
    ]
    rows.append(
        row_of("envelope_full_year", "Site exhausted in year", "count", columns, _full, lower=None)
    )
    for row in rows:
        row["notes"] = _lasting(columns, row["id"])
    return rows


_LIMITS = (
    ("power", "power", "power_kw", "power_limit_kw"),
    ("rack_units", "rack units", "rack_units_count", "rack_units_limit_count"),
)


def _used(taken: str, limit: str) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        found = column.envelope
        if found is None or getattr(found, limit) is None:
            return None, NO_LIMIT
        amount = getattr(found.years[-1], taken)
        return (None, found.reason) if amount is None else (amount / getattr(found, limit), None)

    return value


def _full(column: DesignResult) -> Value:
    found = column.envelope
    if found is None:
        return None, NO_LIMIT
    if found.full_year is None:
        return None, found.reason or "Not within the horizon."
    return float(found.full_year), None


def _lasting(columns: list[DesignResult], row_id: str) -> dict[str, str]:
    """How long the limit lasts that is reached first, at the row of that limit."""
    found = {column.letter: column.envelope for column in columns if column.envelope is not None}
    return {
        letter: words
        for letter, envelope in found.items()
        if f"envelope_{envelope.limit}_fraction" == row_id
        and (words := _until(envelope)) is not None
    }


def _until(found: EnvelopeFigures) -> str | None:
    """How long the limit that is reached first lasts, in a few words."""
    if found.full_year is not None:
        return f"exhausted in year {found.full_year}"
    return None if found.lasts_years is None else f"full after {found.lasts_years:.1f} years"


def showback_rows(columns: list[DesignResult]) -> list[JSONDict]:
    """What each team bears of each design, of what the verdict goes by."""
    names = next((column.showback for column in columns if column.showback), ())

    def value_of(place: int) -> Callable[[DesignResult], Value]:
        def value(column: DesignResult) -> Value:
            if not column.showback:
                return None, "Its cost is below zero."
            return column.showback[place].total_usd, None

        return value

    return [
        row_of(
            f"showback_{place + 1}_usd",
            f"Showback: {team.name}",
            "USD",
            columns,
            value_of(place),
            lower=None,
        )
        for place, team in enumerate(names)
    ]
