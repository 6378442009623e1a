"""Runs of tools that a study refers to, and what has changed since each of them ran.

A reference is no copy of figures: it names the run, keeps the run's whole input, and what that
input was taken from. So it says when its answer is out of date, opens the tool as it was asked,
and goes with the study's file to where the run itself is not.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from capmodels.errors import UnknownModel
from capmodels.numbers import whole_of
from capmodels.registry import get_model
from catalogue.models import Entry
from common.errors import Conflict, NotFound
from studies.selectors import study_document
from studies.tool_references import MOST, ToolRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capmodels.spec import JSONDict
    from studies.models import Study

_ABSENT = object()


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
    for missing in set(entries) - set(digests):
        raise NotFound(missing)
    return {
        "taken_values": {key: None if v is _ABSENT else v for key, v in values.items()},
        "taken_entries": digests,
    }


def tool_run_add(study: Study, reference: ToolRun) -> None:
    """Let a study opened with ``lock=True`` refer to a run, in place of the same asked before.

    Raises
    ------
    Conflict
        When it refers to as many as it may.
    """
    others = [one for one in study.tool_runs if not _is_same(one, reference)]
    if len(others) >= MOST:
        message = f"A study refers to at most {MOST} runs of tools. Remove one first."
        raise Conflict(message)
    _keep(study, [*others, reference.model_dump(mode="json")])


def _is_same(one: JSONDict, reference: ToolRun) -> bool:
    """Whether a reference is to the run, or to one of the same inputs for the same."""
    asked = ("tool", "title", "design", "inputs_hash", "seed")
    return bool(one["run"] == reference.run) or all(
        one[name] == getattr(reference, name) for name in asked
    )


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
        elif isinstance(here, list) and (place := whole_of(part)) is not None and place < len(here):
            here = here[place]
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
