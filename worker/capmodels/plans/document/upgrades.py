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


# Prices that shape 4 lets rise unless told.
ROSE_IN_4 = ("staff", "software", "space", "electricity")
STILL = {f"{name}_fraction_per_year": 0.0 for name in ROSE_IN_4}


def _prices_stood_still(document: JSONDict) -> JSONDict:
    """Shape 3 left pay, energy, space and software at today's prices unless told."""
    assumptions = document.get("assumptions") or {}
    changes = {**STILL, **(assumptions.get("price_changes") or {})}
    return {**document, "assumptions": {**assumptions, "price_changes": changes}}


# How shape 4 let arrays grow whose number is left empty.
WHOLE = {"kind": "whole"}


def _grew_whole(array: Any) -> Any:
    """As many arrays as are needed were whole ones, and whole clusters."""
    if not isinstance(array, dict) or array.get("count", 1) is not None:
        return array
    return {**array, "expansion": {**WHOLE, **(array.get("expansion") or {})}}


def _arrays_grew_whole(document: JSONDict) -> JSONDict:
    """Shape 4 bought whole arrays and clusters; shape 5 groups of drives and nodes unless told."""
    designs = []
    for entered in document.get("designs", ()):
        design = {**entered}
        if design.get("array"):
            design["array"] = _grew_whole(design["array"])
        if design.get("tiering"):
            colder = [
                {**tier, "array": _grew_whole(tier.get("array"))}
                for tier in design["tiering"].get("colder", ())
            ]
            design["tiering"] = {**design["tiering"], "colder": colder}
        designs.append(design)
    return {**document, "designs": designs}


def _ordered_by_the_year(document: JSONDict) -> JSONDict:
    """Shape 5 bought own machines once a year; shape 6 every quarter unless told."""
    assumptions = {"ordering_interval": "year", **(document.get("assumptions") or {})}
    return {**document, "assumptions": assumptions}


PARAMS_VERSION = 6
UPGRADES: Mapping[int, Callable[[JSONDict], JSONDict]] = {
    1: _cash_was_the_default,
    2: _committed_to_a_third,
    3: _prices_stood_still,
    4: _arrays_grew_whole,
    5: _ordered_by_the_year,
}
