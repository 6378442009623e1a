"""Runs of tools that a study refers to, and what has changed since each of them ran.

A reference is no copy of figures: it names the run, keeps the run's whole input, and what that
input was taken from. So it says when its answer is out of date, opens the tool as it was asked,
and goes with the study's file to where the run itself is not.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from capmodels.errors import UnknownModel
from capmodels.registry import get_model
from capmodels.spec import JSONDict
from catalogue.models import Entry
from common.errors import Conflict, NotFound
from studies.documents import storable
from studies.selectors import study_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from studies.models import Study

MOST = 40
_ABSENT = object()


def _kept(value: Any) -> Any:
    if faults := storable(value):
        raise ValueError(faults[0].message)
    return value


Kept = Annotated[JSONDict, AfterValidator(_kept)]
Text = Annotated[str, AfterValidator(_kept)]


class ToolRun(BaseModel):
    """A run of a tool, as a study and its file refer to it.

    ``state`` is what the tool's page was opened with, so that it opens so again.
    ``taken_values`` are the study's values that the input was taken from, by pointer with
    designs named by letter; ``taken_entries`` the catalogue's entries, by name, with a digest
    of their values.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    run: Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$")]
    tool: Annotated[str, Field(pattern=r"^[a-z]+$", max_length=40)]
    title: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_kept)]
    design: Annotated[str, Field(pattern=r"^[A-H]?$")] = ""
    model: Annotated[str, Field(max_length=100), AfterValidator(_kept)]
    model_version: Annotated[str, Field(max_length=40), AfterValidator(_kept)]
    params_version: Annotated[int, Field(ge=1)] = 1
    params: Kept
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    inputs_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    state: Kept = {}
    headline: Annotated[str, Field(max_length=2_000), AfterValidator(_kept)] = ""
    taken_values: Kept = {}
    taken_entries: Annotated[dict[str, str], AfterValidator(_kept)] = {}


ToolRuns = Annotated[list[ToolRun], Field(max_length=MOST)]


def taken_from(
    study: Study, pointers: Iterable[str], entries: Sequence[str]
) -> dict[str, JSONDict]:
    """Return what a reference keeps of the values and entries that its input was taken from.

    Raises
    ------
    NotFound
        When the catalogue does not have one of the entries.
    """
    whole = _by_letter(study)
    values = {pointer: _value_at(whole, pointer) for pointer in pointers}
    digests = _digests(entries)
    if set(entries) - set(digests):
        raise NotFound
    return {
        "taken_values": {key: None if v is _ABSENT else v for key, v in values.items()},
        "taken_entries": digests,
    }


def tool_run_add(study: Study, reference: ToolRun) -> None:
    """Let a study opened with ``lock=True`` refer to a run; one that it refers to is replaced.

    Raises
    ------
    Conflict
        When it refers to as many as it may.
    """
    others = [one for one in study.tool_runs if one["run"] != reference.run]
    if len(others) >= MOST:
        message = f"A study refers to at most {MOST} runs of tools. Remove one first."
        raise Conflict(message)
    _keep(study, [*others, reference.model_dump(mode="json")])


def tool_run_remove(study: Study, run: str) -> None:
    """Let a study opened with ``lock=True`` refer to a run no more; the run stays.

    Raises
    ------
    NotFound
        When it does not refer to it.
    """
    others = [one for one in study.tool_runs if one["run"] != run]
    if len(others) == len(study.tool_runs):
        raise NotFound
    _keep(study, others)


def tool_runs_of(study: Study) -> list[JSONDict]:
    """Return the study's references, each with the reasons why its answer is out of date."""
    whole = _by_letter(study)
    names = {slug for one in study.tool_runs for slug in one["taken_entries"]}
    digests = _digests(sorted(names))
    return [{**one, "stale": _reasons(one, whole, digests)} for one in study.tool_runs]


def _keep(study: Study, references: list[JSONDict]) -> None:
    study.tool_runs = references
    # Not the draft's revision: a reference changes no input of the plan.
    study.save(update_fields=["tool_runs"])


def _reasons(one: JSONDict, whole: JSONDict, digests: Mapping[str, str]) -> list[str]:
    return [
        *_of_model(one["model"], one["model_version"]),
        *(
            reason
            for pointer, was in one["taken_values"].items()
            for reason in _of_value(pointer, was, _value_at(whole, pointer))
        ),
        *(
            f"The catalogue entry {slug} "
            + ("has changed." if slug in digests else "is no longer there.")
            for slug, was in one["taken_entries"].items()
            if digests.get(slug) != was
        ),
    ]


def _of_model(model: str, version: str) -> list[str]:
    try:
        now = get_model(model).version
    except UnknownModel:
        return [f"The model {model} is no longer there."]
    return [] if now == version else [f"The model is version {now} now; this ran with {version}."]


def _of_value(pointer: str, was: Any, now: Any) -> list[str]:
    if now is _ABSENT:
        now = None
    if was == now:
        return []
    name = ", ".join(part.replace("_", " ") for part in pointer.split("/")[1:])
    if isinstance(was, dict | list) or isinstance(now, dict | list):
        return [f"The study's {name} has changed."]
    return [f"The study's {name} was {_said(was)} and is {_said(now)} now."]


def _said(value: Any) -> str:
    if value is None:
        return "not entered"
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _by_letter(study: Study) -> JSONDict:
    document = study_document(study)
    return {**document, "designs": {one["letter"]: one for one in document["designs"]}}


def _value_at(document: Any, pointer: str) -> Any:
    here = document
    for part in pointer.split("/")[1:]:
        if isinstance(here, dict) and part in here:
            here = here[part]
        elif isinstance(here, list) and part.isdigit() and int(part) < len(here):
            here = here[int(part)]
        else:
            return _ABSENT
    return here


def _digests(slugs: Sequence[str]) -> dict[str, str]:
    """The entries' values as digests; a workspace's own entry before a built-in one."""
    found: dict[str, str] = {}
    rows = Entry.objects.filter(slug__in=slugs).order_by("workspace_id")
    for slug, values in rows.values_list("slug", "values"):
        text = json.dumps(values, sort_keys=True)
        # NULL, which a built-in entry has for its workspace, is last.
        found.setdefault(slug, hashlib.sha256(text.encode()).hexdigest()[:16])
    return found
