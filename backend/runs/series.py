"""Where the series of a run's input was read from, and whether it has changed since."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any
from uuid import UUID

from capmodels.errors import ParamsError
from common.errors import Conflict, Invalid, NotFound
from imports.models import Import
from imports.selectors import import_months
from runs.models import Run
from runs.selectors import result_columns, run_get
from studies.tool_runs import tool_runs_of
from traces.models import Trace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from capmodels.spec import JSONDict
    from studies.models import Study


def series_taken(run: Run, said: Mapping[str, Any] | None) -> dict[str, str]:
    """Return what a reference keeps of the series that a forecast's values are.

    Of a trace it stands in the run's input; of a bill or another run it is ``said``, and the
    values must be those.

    Raises
    ------
    NotFound
        When there is no such bill or run.
    Invalid
        When the values of the forecast are others.
    """
    trace = run.params.get("trace")
    if trace is not None:
        found = Trace.objects.filter(job_id=UUID(trace["trace_id"])).first()
        title = found.title if found is not None else ""
        return {"kind": "trace", "id": trace["trace_id"], "digest": trace["sha256"], "title": title}
    if not said:
        return {}
    title, values = _read(said)
    if _digest(values) != _digest(run.params.get("values", ())):
        message = "The forecast's values are not those of this series. Forecast it again."
        raise Invalid.at("/series", message, "not_the_same")
    kept = {"kind": said["origin"], "id": str(said["id"]), "digest": _digest(values)}
    return {**kept, "title": title, "pointer": said.get("pointer", "")}


def referred(study: Study) -> list[JSONDict]:
    """Return the runs that a study refers to, with every reason why one is out of date."""
    return [
        {**one, "stale": [*one["stale"], *_reasons(study, one.get("taken_series") or {})]}
        for one in tool_runs_of(study)
    ]


def _read(said: Mapping[str, Any]) -> tuple[str, Sequence[float | None]]:
    if said["origin"] == "import":
        name, _months, values = import_months(UUID(str(said["id"])))
        return name, values
    run = run_get(UUID(str(said["id"])))
    for column in result_columns(run):
        if column.pointer == said.get("pointer"):
            return f"{run.model_id}, {column.pointer}"[:200], column.values
    raise Invalid.at("/series/pointer", "The run has no such series.", "not_a_choice")


def _digest(values: Sequence[Any]) -> str:
    numbers = [None if value is None else float(value) for value in values]
    return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:16]


def _reasons(study: Study, taken: Mapping[str, str]) -> list[str]:
    if not taken:
        return []
    return _OF_KIND[taken["kind"]](study, taken)


def _of_trace(_study: Study, taken: Mapping[str, str]) -> list[str]:
    held = Trace.objects.filter(job_id=UUID(taken["id"])).first()
    if held is None:
        return [f"The trace {taken['title']} is no longer there."]
    alike = Trace.objects.filter(title=held.title, created_at__gt=held.created_at)
    later = alike.exclude(sha256__in=("", taken["digest"])).order_by("-created_at").first()
    return [_later("trace", held.title, later.created_at.date())] if later else []


def _of_import(study: Study, taken: Mapping[str, str]) -> list[str]:
    held = Import.objects.filter(job_id=UUID(taken["id"])).first()
    if held is None:
        return [f"The bill {taken['title']} is no longer there."]
    bills = Import.objects.filter(makes="bill", created_at__gt=held.created_at)
    alike = bills.filter(file_name=held.file_name) | bills.filter(study_id=study.pk)
    for later in alike.order_by("-created_at"):
        try:
            changed = _digest(import_months(later.pk)[2]) != taken["digest"]
        except ParamsError:
            changed = True
        if changed:
            return [_later("bill", later.file_name, later.created_at.date())]
    return []


def _of_run(_study: Study, taken: Mapping[str, str]) -> list[str]:
    try:
        held = run_get(UUID(taken["id"]))
    except NotFound:
        return [f"The run that the series is of ({taken['title']}) is no longer there."]
    if held.study_id is None:
        return []
    alike = Run.objects.filter(study_id=held.study_id, model_id=held.model_id)
    later = alike.filter(created_at__gt=held.created_at).order_by("-created_at").first()
    if later is None or later.inputs_hash == held.inputs_hash:
        return []
    try:
        _title, values = _read({"origin": "run", "id": later.pk, "pointer": taken["pointer"]})
    except (Conflict, Invalid):
        return []
    if _digest(values) == taken["digest"]:
        return []
    return [_later("run", taken["title"], later.created_at.date())]


def _later(what: str, name: str, day: date) -> str:
    return f"There is a later {what} with another series: {name}, {day.day} {day:%b %Y}."


_OF_KIND = {"trace": _of_trace, "import": _of_import, "run": _of_run}
