"""Of a study that has a fleet and takes a bill, the work stays what the fleet measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import quantity
from capmodels.plans.document.pointers import facts_of
from capmodels.plans.document.workload import DemandWorkload

if TYPE_CHECKING:
    from collections.abc import Collection

    from capmodels.imports.registry import Drafted
    from studies.models import Study


def keep_measured(drafted: Drafted, study: Study, fleets: Collection[str]) -> None:
    """Leave out of a bill's draft what one of these files of fleets measured, and tell both.

    What a bill charges for is what is rented, in use or not.
    """
    for name in list(drafted.workload):
        origin = study.workload_provenance.get(f"/{name}", {})
        measured = study.workload.get(name)
        if origin.get("file") not in fleets or not isinstance(measured, int | float):
            continue
        billed = drafted.workload.pop(name)
        drafted.provenance.pop(f"/{name}", None)
        facts = facts_of(DemandWorkload, name)
        title = DemandWorkload.model_fields[name].title or name
        drafted.open_points.append(
            f"{title}: the work stays at {quantity(measured, facts.unit)}, as {origin['file']} "
            f"measured it; the bill has {quantity(billed, facts.unit)}."
        )
