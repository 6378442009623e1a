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


def _committed_to_a_third(document: JSONDict) -> JSONDict:
    """Shape 2 committed up to the 30% quantile unless told; shape 3 to the best level."""
    designs = [
        {**design, "commitments": [{"base_quantile_fraction": 0.3, **item} for item in held]}
        if (held := design.get("commitments"))
        else design
        for design in document.get("designs", ())
    ]
    return {**document, "designs": designs}


PARAMS_VERSION = 3
UPGRADES: Mapping[int, Callable[[JSONDict], JSONDict]] = {
    1: _cash_was_the_default,
    2: _committed_to_a_third,
}
