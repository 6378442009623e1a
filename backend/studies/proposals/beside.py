"""A design proposed for the work of a study that is there, beside its other designs."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from capmodels.errors import Fault, ParamsError
from studies.documents import rented_from
from studies.proposals import ahead
from studies.proposals.propose import (
    Proposer,
    candidate_of,
    check_entered,
    made_alike,
    spreads_of,
)

if TYPE_CHECKING:
    from capmodels.spec import JSONDict
    from studies.models import Study
    from studies.proposals.propose import Option


def design_beside(study: Study, option: Option, letter: str) -> tuple[JSONDict, list[JSONDict]]:
    """Return a design for a study's work, lettered, and the ranges of its inputs.

    It is delivered and paid for as the study's designs are, which stay as they are.

    Raises
    ------
    ParamsError
        With every fault of the work and the assumptions, or why there is no such design.
    """
    proposer = Proposer(study.workload, study.assumptions)
    found = candidate_of(option, proposer, [])
    if found is None:
        check_entered({"workload": study.workload, "assumptions": study.assumptions, "designs": []})
        raise ParamsError([Fault("/option", "not_proposed", " ".join(proposer.notes))])
    design = found.lettered(letter)
    names = ("letter", "title", "kind", "spec", "provenance")
    others = [
        {name: deepcopy(getattr(other, name)) for name in names} for other in study.designs.all()
    ]
    heads = [(other["letter"], other["kind"]) for other in others]
    design["spec"] = rented_from(design["kind"], design["spec"], heads)
    made_alike([*others, design], proposer)
    spreads = spreads_of(design)
    work = [one for one in study.ranges if not str(one.get("pointer", "")).startswith("/designs/")]
    shared = {"workload": study.workload, "assumptions": study.assumptions}
    ahead.buy_ahead([design], {**shared, "ranges": [*work, *spreads]})
    return design, spreads
