"""Which published models a comparison rests on: those whose equations run while it is made."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from capmodels.equations import models_called
from capmodels.registry import PACKAGE, model_ids
from capmodels.spec import Context

if TYPE_CHECKING:
    from types import FrameType

    from capmodels.spec import AnyModel, Params


def models_behind(spec: AnyModel, params: Params) -> tuple[str, ...]:
    """Return the ids of the models that an answer comes of, the plan's own first.

    The answer is worked out once more, without draws and from a copy, of which nothing is
    known yet; the modules whose functions are entered are noted, and of equations that several
    models share the models whose they are. Draws go through the same equations as the answer.
    """
    bare = params.model_copy(deep=True, update={"draws_count": 0})
    entered: set[str] = set()

    def note(frame: FrameType, _event: str, _given: Any) -> None:
        entered.add(frame.f_globals.get("__name__", ""))

    before = sys.gettrace()
    sys.settrace(note)
    try:
        with models_called() as called:
            spec.run(bare, Context())
    finally:
        sys.settrace(before)
    behind = (model for model in model_ids() if f"{PACKAGE}.{model}" in entered or model in called)
    return (spec.id, *(model for model in behind if model != spec.id))
