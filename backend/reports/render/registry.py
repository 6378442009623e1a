"""Which parts a report has. A part is a file that declares it, and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.render.part import Part

# In this order they stand in every kind of file.
MODULES = (
    "summary",
    "comparison",
    "statement",
    "assumptions",
    "drivers",
    "workings",
    "over_time",
    "purchase",
    "explored",
    "causes",
    "footprint",
    "storage",
    "certainty",
    "years",
    "inputs",
    "findings",
    "charts",
    "tools",
    "kept_runs",
    "actuals",
    "checks",
)


@cache
def parts() -> tuple[Part, ...]:
    """Return every part of a report, in order."""
    modules = (import_module(f"reports.render.parts.{name}") for name in MODULES)
    return tuple(module.PART for module in modules)
