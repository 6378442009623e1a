"""Study documents of earlier shapes, brought to the present one without a change of meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

JSONDict = dict[str, Any]


def _cash_was_the_default(document: JSONDict) -> JSONDict:
    """Shape 1 ranked by cash and sold what was left; shape 2 asks for either."""
    before = {"ranked_by": "cash", "end": "work_stops"}
    assumptions = {**before, **(document.get("assumptions") or {})}
    return {**document, "assumptions": assumptions}


PARAMS_VERSION = 2
UPGRADES: Mapping[int, Callable[[JSONDict], JSONDict]] = {1: _cash_was_the_default}
