"""A design proposed for the work of a study that is there, beside its other designs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from capmodels.errors import Fault, ParamsError
from capmodels.plans.document.question import Design
from studies.documents import design_document, rented_from
from studies.proposals import ahead
from studies.proposals.propose import candidate_of, check_entered, spreads_of
from studies.proposals.proposer import Candidate, Proposer, made_alike
from studies.proposals.search import Explorer

if TYPE_CHECKING:
    from capmodels.spec import JSONDict
    from studies.models import Study
    from studies.proposals.propose import Option


_DESIGN: TypeAdapter[Design] = TypeAdapter(Design)


def design_beside(study: Study, option: Option, letter: str) -> tuple[JSONDict, list[JSONDict]]:
    """Return a design for a study's work, lettered, and the ranges of its inputs.

    Raises
    ------
    ParamsError
        With every fault of the work and the assumptions, or why there is no such design.
    """
    proposer = Explorer(study.workload, study.assumptions)
    found = candidate_of(option, proposer, [])
    if found is None:
        check_entered({"workload": study.workload, "assumptions": study.assumptions, "designs": []})
        raise ParamsError([Fault("/option", "not_proposed", " ".join(proposer.notes))])
    return _beside(study, found, letter, proposer)


def design_explored(
    study: Study, key: str, region: str, letter: str
) -> tuple[JSONDict, list[JSONDict]]:
    """Return a design that a search of the catalogue found, by its key, and its ranges.

    Raises
    ------
    ParamsError
        Where the catalogue holds no such design for the work.
    """
    # One that is rented elsewhere than in the first region says where.
    there = key.partition("@")[2] or region
    explorer = Explorer(study.workload, study.assumptions, parts_of_designs(study), there)
    choice = next((one for one in explorer.choices() if one.key == key), None)
    if choice is None:
        message = "The catalogue holds no such design for this work. Search again."
        raise ParamsError([Fault("/key", "not_found", message)])
    return _beside(study, explorer.candidate(choice), letter, explorer)


def parts_of_designs(study: Study) -> list[JSONDict]:
    """The designs of a study that the plan can read, with where their values are from."""
    names = ("letter", "title", "kind", "spec", "provenance")
    found = [{name: getattr(other, name) for name in names} for other in study.designs.all()]
    return [design for design in found if _is_read(design)]


def _is_read(design: JSONDict) -> bool:
    try:
        _DESIGN.validate_python(design_document(design))
    except ValidationError:
        return False
    return True


def _beside(
    study: Study, found: Candidate, letter: str, proposer: Proposer
) -> tuple[JSONDict, list[JSONDict]]:
    """A candidate delivered and paid for as the study's designs are, which stay as they are."""
    design, others = found.lettered(letter), parts_of_designs(study)
    heads = [(other["letter"], other["kind"]) for other in others]
    design["spec"] = rented_from(design["kind"], design["spec"], heads)
    made_alike([design], proposer, beside=others)
    spreads = spreads_of(design)
    work = [one for one in study.ranges if not str(one.get("pointer", "")).startswith("/designs/")]
    shared = {"workload": study.workload, "assumptions": study.assumptions}
    ahead.buy_ahead([design], {**shared, "ranges": [*work, *spreads]})
    return design, spreads
