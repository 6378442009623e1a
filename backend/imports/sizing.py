"""How a fleet's machines are sized by their use: room on top, and what a trace says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.imports.fleet_types import DEFAULT_PERCENTILE, Sizing, Traced, headroom_source
from capmodels.plans.document.workload import Headroom
from traces.selectors import trace_utilization

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studies.models import Study


def sizing_of(said: Mapping[str, Any], study: Study | None) -> Sizing:
    """How machines are sized by their use: as entered, else as the study has it, else the plan."""
    fields = ("cores_target_fraction", "ram_headroom_fraction")
    own = (study.workload.get("headroom") or {}) if study is not None else {}
    entered = {name: said[name] for name in fields if said.get(name) is not None}
    held = {name: own[name] for name in fields if own.get(name) is not None}
    known = {name: Headroom.model_fields[name].default for name in fields} | held | entered
    told = [
        "as entered" if name in entered else "as the study has it" if name in held
        else headroom_source(name)
        for name in fields
    ]  # fmt: skip
    return Sizing(
        percentile=said.get("percentile") or DEFAULT_PERCENTILE,
        source="; ".join(dict.fromkeys(told)),
        **known,
    )


def traced_of(said: Mapping[str, Any]) -> Traced | None:
    """What the trace that is chosen says of each of its machines; None where none is.

    Raises
    ------
    NotFound, Conflict
        When there is no such trace, or it is none of utilization.
    """
    if not said.get("trace_id"):
        return None
    from capmodels.imports.fleet_trace import used_by_machine

    title, trace = trace_utilization(said["trace_id"])
    percentile = said.get("percentile") or DEFAULT_PERCENTILE
    used = used_by_machine(trace, percentile)
    return Traced(title=title, percentile=percentile, used=used)
