"""Of a study whose work is known, it stays what it is when it takes a file that knows less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import quantity
from capmodels.plans.document.pointers import facts_of
from capmodels.plans.document.workload import DemandWorkload
from imports.selectors import files_taken

if TYPE_CHECKING:
    from typing import Any

    from capmodels.imports.registry import Drafted
    from studies.models import Study


def keep_measured(drafted: Drafted, study: Study, makes: str) -> None:
    """Leave out of a draft of a bill or a fleet what the study knows better, and tell both.

    What is in use, typed or measured, stays beside what is built in. A trace is a year of use, a
    list of machines an hour of it: what a trace measured is kept beside either. What a bill charges
    for is what is rented, in use or not: what a fleet measured is kept beside it.
    """
    lists = files_taken(study.id, "fleet")
    fleets = lists if makes == "bill" else set[str]()
    for name in list(drafted.workload):
        origin: dict[str, Any] = study.workload_provenance.get(f"/{name}", {})
        measured, file = study.workload.get(name), origin.get("file")
        of_trace = origin.get("quality") == "measured" and file is None
        # a later list takes the place of one before
        is_known = name in drafted.at_most and bool(measured) and file not in lists
        if not (of_trace or file in fleets or is_known) or not isinstance(measured, int | float):
            continue
        found = drafted.workload.pop(name)
        drafted.provenance.pop(f"/{name}", None)
        facts = facts_of(DemandWorkload, name)
        title = DemandWorkload.model_fields[name].title or name
        by = f"{file or origin.get('source') or 'a trace'} measured it"
        built_in = " built in, of which less may be in use" if name in drafted.at_most else ""
        drafted.open_points.append(
            f"{title}: the work stays at {quantity(measured, facts.unit)}, as "
            f"{by if of_trace or file in fleets else 'the study has it'}; the {makes} has "
            f"{quantity(found, facts.unit)}{built_in}."
        )
