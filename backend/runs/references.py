"""A run as a study refers to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from studies.tool_references import ToolRun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runs.models import Run

HEADLINE_MAX = 2_000


def reference(run: Run, given: Mapping[str, Any], taken: Mapping[str, Any]) -> ToolRun:
    """Return what a study keeps of a run: what it was asked, and what that was taken from."""
    return ToolRun(
        run=str(run.pk),
        tool=given["tool"],
        title=given["title"],
        design=given.get("design", ""),
        model=run.model_id,
        model_version=run.model_version,
        params_version=run.params_version,
        params=run.params,
        seed=run.seed,
        inputs_hash=run.inputs_hash,
        state=given.get("state", {}),
        headline=run.headline[:HEADLINE_MAX],
        **taken,
    )
