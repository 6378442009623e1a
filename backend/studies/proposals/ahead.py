"""Own servers that nobody helps out: bought ahead, so that demand which grows faster is met."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.registry import get_model
from capmodels.spec import Context
from studies.checking import params_of
from studies.documents import PLAN, design_document
from studies.models import Study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.comparison import Comparison, DesignResult
    from capmodels.spec import JSONDict

_PLAN = get_model(PLAN)
_STEPS = 20
_MOST = 2 * _STEPS + 1
# As a new study has, so that its verdict says the same.
_DRAWS_COUNT = int(Study._meta.get_field("draws_count").get_default())
_SOURCE = "The least share, in steps of 5%, with which demand is met in 95% of the simulations"


def buy_ahead(designs: Sequence[JSONDict], shared: JSONDict) -> list[str]:
    """Have each cluster that rents nothing meet demand as a design must to compete.

    ``shared`` holds the work, the assumptions and the ranges. Changes the designs, and returns what
    is to be said of it. Three times the nodes is the most that is tried; where that is too little,
    nothing is bought ahead.
    """
    said = []
    for design in designs:
        if design["kind"] != "owned_cluster" or "shortfall_letter" in design["spec"]:
            continue
        ahead = _least_fraction(design, designs, shared)
        if ahead is None:
            said.append(
                f"{design['title']}: demand may outgrow them. Choose a provider beside them."
            )
        elif ahead:
            design["spec"]["bought_ahead_fraction"] = ahead
            origin = {"quality": "derived", "source": _SOURCE}
            design["provenance"]["/bought_ahead_fraction"] = origin
            said.append(
                f"{design['title']}: {percent(ahead)} more nodes than demand as planned needs, as "
                "it may grow faster and there is no provider to rent from meanwhile."
            )
    return said


def _least_fraction(
    design: JSONDict, designs: Sequence[JSONDict], shared: JSONDict
) -> float | None:
    def column(steps: int) -> DesignResult:
        spec = {**design["spec"], "bought_ahead_fraction": steps / _STEPS}
        tried = [{**item, "spec": spec} if item is design else item for item in designs]
        documents = [design_document(item) for item in tried]
        document = {**shared, "designs": documents, "draws_count": _DRAWS_COUNT}
        found: Comparison = _PLAN.run(params_of(_PLAN, document), Context(seed=1))
        return next(item for item in found.designs if item.letter == design["letter"])

    if not column(0).carries_load:
        return 0.0
    steps = bisect_left(range(_MOST), True, key=lambda steps: column(steps).competes)
    return steps / _STEPS if steps < _MOST else None
