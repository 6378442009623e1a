"""Steps of a study's edits: what it was after each change, to go back to and forth again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils.timezone import now

from common.errors import Conflict
from common.tenancy import current_workspace_id
from studies.documents import DESIGN_KEYS
from studies.models import Design, DesignVersion, Study, StudyStep

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from capmodels.spec import JSONDict

_FIELDS = (
    *("title", "question", "snapshot", "workload", "workload_provenance", "assumptions"),
    *("assumptions_provenance", "baseline", "baseline_provenance", "ranges", "draws_count"),
    *("seed", "tags", "params_version", "pack", "pack_version", "as_of"),
)
_ADDED: JSONDict = {"baseline_provenance": {}, "pack": "", "pack_version": 0, "as_of": ""}
_DESIGN = (*DESIGN_KEYS, "spec", "provenance", "position", "revision")
_VERSION = ("name", "title", "kind", "spec", "provenance")
_MOST = 50
# Saves that come together are one edit: a design, say, and the ranges that follow it.
_TOGETHER = timedelta(seconds=1.5)


def state_of(study: Study) -> JSONDict:
    """Return all of a study that an edit may change."""
    designs = [
        {"id": str(design.id), **{name: getattr(design, name) for name in _DESIGN}}
        for design in study.designs.all()
    ]
    return {**{name: getattr(study, name) for name in _FIELDS}, "designs": designs}


def _content(state: JSONDict) -> JSONDict:
    """A state without what only counts its changes."""
    designs = [{**design, "revision": 0} for design in state["designs"]]
    return {**state, "designs": designs}


def step_take(study: Study, *, at: datetime | None = None) -> None:
    """Note what a change has made of a study whose state before it is ``study.before``.

    What had been undone is forgotten by it. The study's row is not saved here.
    """
    before, after = study.before, state_of(study)
    if before is None or _content(before) == _content(after):
        return
    at = at or now()
    steps = StudyStep.objects.filter(study=study)
    steps.filter(number__gt=study.step).delete()
    last = steps.filter(number=study.step).first()
    if last is None:
        _keep(study, study.step, before, at - _TOGETHER)
    elif study.step > study.step_first and at - last.made_at < _TOGETHER:
        last.state = after
        last.save(update_fields=["state"])
        study.before = after
        return
    study.step += 1
    study.step_last = study.step
    study.step_first = max(study.step_first, study.step - _MOST)
    _keep(study, study.step, after, at)
    steps.filter(number__lt=study.step_first).delete()
    study.before = after


def _keep(study: Study, number: int, state: JSONDict, at: datetime) -> None:
    StudyStep(study=study, number=number, state=state, made_at=at).save(force_insert=True)


def step_before_loss(study: Study, lost: Design) -> None:
    """Note a study with the named versions of a design that is about to go."""
    versions = [
        {name: getattr(version, name) for name in _VERSION}
        for version in DesignVersion.objects.filter(design=lost)
    ]
    if not versions or study.before is None:
        return
    designs = [
        {**design, "versions": versions} if design["id"] == str(lost.id) else design
        for design in study.before["designs"]
    ]
    kept = {**study.before, "designs": designs}
    found = StudyStep.objects.filter(study=study, number=study.step)
    if not found.update(state=kept):
        study.before = kept


def step_go(study: Study, by: int) -> list[Design]:
    """Give a study the state of the step before (-1) or after (+1); return its designs.

    Raises
    ------
    Conflict
        When there is no such step.
    """
    wanted = StudyStep.objects.filter(study=study, number=study.step + by).first()
    if wanted is None:
        raise Conflict("There is nothing to undo." if by < 0 else "There is nothing to redo.")
    for name in _FIELDS:
        # A step of an earlier release has fewer.
        setattr(study, name, wanted.state.get(name, _ADDED.get(name)))
    study.step += by
    study.revision += 1
    return _designs_restore(study, wanted.state["designs"])


def _designs_restore(study: Study, states: list[JSONDict]) -> list[Design]:
    present = {str(design.id): design for design in study.designs.all()}
    kept = {state["id"] for state in states}
    Design.objects.filter(id__in=[key for key in present if key not in kept]).delete()
    return [_design_restore(study, state, present.get(state["id"])) for state in states]


def _design_restore(study: Study, state: JSONDict, design: Design | None) -> Design:
    fields: dict[str, Any] = {name: state[name] for name in _DESIGN if name != "revision"}
    if design is None:
        revision = state["revision"] + 1
        design = Design(id=_id(state), study=study, revision=revision, **fields)
        design.save(force_insert=True)
        DesignVersion.objects.bulk_create(
            DesignVersion(design=design, workspace_id=current_workspace_id(), **version)
            for version in state.get("versions", ())
        )
        return design
    if any(getattr(design, name) != value for name, value in fields.items()):
        for name, value in fields.items():
            setattr(design, name, value)
        design.revision += 1
        design.updated_at = now()
        design.save()
    return design


def _id(state: JSONDict) -> UUID:
    found: UUID = Design._meta.pk.to_python(state["id"])
    return found
