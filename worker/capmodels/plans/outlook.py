"""What studies would cost with the plan of today, or at other prices: many at once as entered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from capmodels.errors import ModelError, ParamsError
from capmodels.plans.answer.verdict import NO_UNCERTAINTY, NOT_SIMULATED
from capmodels.plans.compare import compare
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.document.study import StudySpec
from capmodels.plans.moves import PLAN, as_entered, entered_usd
from capmodels.plans.words import label_of
from capmodels.registry import get_model
from capmodels.spec import validate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.chunks import Report
    from capmodels.spec import JSONDict


def told(document: JSONDict, *, simulated: bool = False) -> JSONDict:
    """Return cost, cheapest design and verdict of a study; or why the plan has none. [USD]

    As entered, or ``simulated`` as the study's own verdict is.
    """
    try:
        comparison = _simulated(document) if simulated else as_entered(document)
    except (ModelError, ParamsError) as exc:
        return {"usd": None, "winner": "", "headline": "", "error": str(exc)}
    headline = comparison["verdict"]["headline"]
    if document.get("ranges"):
        headline = headline.replace(NO_UNCERTAINTY, NOT_SIMULATED)
    return {
        "usd": verdict_usd(comparison) if simulated else entered_usd(comparison),
        "winner": comparison["winner"] or "",
        "headline": headline,
        "error": "",
    }


def verdict_usd(comparison: Mapping[str, Any]) -> float | None:
    """Return the cost of the cheapest design as the verdict has it; None of no design. [USD]"""
    winner = comparison["winner"]
    costs = [
        float(design["ranked_usd"])
        for design in comparison["designs"]
        if winner is None or design["letter"] == winner
    ]
    return min(costs, default=None)


def _simulated(document: JSONDict) -> JSONDict:
    study = validate(get_model(PLAN), document)
    assert isinstance(study, StudySpec)
    return compare(study).model_dump(mode="json")


def studies_told(chunk: dict[str, Any], report: Report) -> bytes:
    """Return what is told of each document of some studies; equal documents are asked once.

    ``chunk["studies"]`` has for each study ``documents``, null where there is none,
    ``pointers`` into the first one, whose places come back in words with their units, and perhaps
    ``simulated``.
    """
    found = []
    for place, study in enumerate(chunk["studies"]):
        report(place / len(chunk["studies"]), "Comparing designs")
        known: list[tuple[JSONDict, JSONDict]] = []
        answers: list[JSONDict | None] = []
        for document in study["documents"]:
            answer = next((said for one, said in known if one == document), None)
            if document is not None and answer is None:
                answer = told(document, simulated=study.get("simulated", False))
                known.append((document, answer))
            answers.append(answer)
        places = _places(study["documents"][0], study["pointers"])
        found.append({"told": answers, "places": places})
    return orjson.dumps(found)


def _places(document: JSONDict, pointers: list[str]) -> list[JSONDict]:
    """Label and unit of places of a complete study; what is no number by its name, without unit."""
    if not pointers:
        return []
    study = validate(get_model(PLAN), document)
    assert isinstance(study, StudySpec)
    leaves = [leaf_at(study, pointer) for pointer in pointers]
    return [
        {"label": label_of(study, leaf), "unit": leaf.facts.unit}
        if leaf
        else {"label": pointer.rpartition("/")[2].replace("_", " "), "unit": ""}
        for pointer, leaf in zip(pointers, leaves, strict=True)
    ]
