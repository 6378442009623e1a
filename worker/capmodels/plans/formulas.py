"""The equations of the plan as the screen shows them, and where they come from."""

from __future__ import annotations

from capmodels.spec import Citation, Formula

FORMULAS: tuple[Formula, ...] = ()
CITATIONS: tuple[Citation, ...] = ()
LIMITS: tuple[str, ...] = ()
