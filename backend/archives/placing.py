"""Puts what an archive holds into the entered workspace.

Ids become others, which follow from the archive's (``common.tenancy.brought``): an archive may
come from a workspace that is still there, and what it brings twice is taken once. In the
workspace that it comes from, what is there under its own id stays as it is. A study that
is there already, byte for byte, is left alone; one of another content keeps its name, and the
archive's gets a number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.db.models import F
from pydantic import ValidationError

from archives import parts
from archives.reading import Archived, Refused
from catalogue.documents import EntryInput, values_of
from catalogue.models import Entry, EntryVersion
from common import quotas
from common.errors import Invalid
from common.partitions import this_month
from common.tenancy import brought, current_workspace_id
from files.services import file_keep
from imports.models import Import
from imports.services import acceptance_placed
from jobs.models import Job
from jobs.services import job_store_ended
from runs.models import Result, Run
from sharing.models import Approval, ApprovalRequest, Comment, Share, StudyActuals
from studies import exchange
from studies.models import Study
from studies.selectors import study_get
from studies.services import study_delete, study_export, study_import
from traces.models import Trace

if TYPE_CHECKING:
    from datetime import datetime

FROM = " (from an archive)"


@dataclass(slots=True)
class Placed:
    """What came of an archive: counts by part, and what an owner should know."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    studies: dict[UUID, UUID] = field(default_factory=dict)
    own: set[UUID] = field(default_factory=set)

    def id_here(self, archived: UUID) -> UUID:
        """Return the id that a thing of the archive has in the entered workspace."""
        return archived if archived in self.own else brought(archived)


def archive_place(held: Archived) -> Placed:
    """Store everything; all of it or, where something is refused, nothing.

    Raises
    ------
    Refused
        When something in it breaks a rule that only shows now.
    Full
        When the workspace has no room for it.
    """
    quotas.require("stored_mb", held.kept_bytes / 1e6)
    placed = Placed(own=_own(held))
    _entries(held, placed)
    for about in held.studies:
        _study(held, about, placed)
    new = _traces(held, placed) | _imports(held, placed) | _runs(held, placed)
    for job_id, kind, content in held.kept():
        if UUID(job_id) in new:
            file_keep(job_id=brought(UUID(job_id)), kind=kind, content=content)
    _comments(held, placed)
    _actuals(held, placed)
    _approvals(held, placed)
    _requests(held, placed)
    return placed


def _entries(held: Archived, placed: Placed) -> None:
    for one in held.entries:
        values = _values(one, one.values)
        there = Entry.objects.filter(slug=one.slug).order_by(F("workspace_id").asc(nulls_last=True))
        known = there.first()
        if known and (known.kind, known.title, known.values) == (one.kind, one.title, values):
            continue
        slug = _free_slug(one.slug)
        if slug != one.slug:
            placed.notes.append(f"The catalogue has an entry {one.slug}; the other is {slug}.")
        fields = one.model_dump(include={"kind", "title", "created_at", "updated_at", "revision"})
        entry = Entry(workspace_id=current_workspace_id(), slug=slug, values=values, **fields)
        entry.save(force_insert=True)
        _entry_before(entry, one)
        placed.counts["catalogue"] += 1


def _entry_before(entry: Entry, part: parts.EntryPart) -> None:
    for one in part.before:
        row = EntryVersion(slug=entry.slug, kind=entry.kind, **dict(one))
        row.values = _values(part, one.values)
        _insert(row)


def _values(part: parts.EntryPart, values: dict[str, Any]) -> dict[str, Any]:
    try:
        return dict(values_of(EntryInput(kind=part.kind, title=part.title, values=values).values))
    except (Invalid, ValidationError) as exc:
        raise Refused(f"The catalogue's entry {part.slug} breaks a rule: {exc}") from exc


def _free_slug(wanted: str) -> str:
    slug, number = wanted, 2
    while Entry.objects.filter(slug=slug).exists():
        slug = f"{wanted[:75]}-{number}"
        number += 1
    return slug


def _study(held: Archived, about: parts.StudyPart, placed: Placed) -> None:
    file = held.study(about.file)
    known = Study.objects.filter(slug=file.slug).first()
    if known:
        untouched = known.is_example and known.example_loaded_at == known.updated_at
        here, there = study_export(study_get(known.id)), file.model_dump()
        referred = len(there["tool_runs"]) <= len(here["tool_runs"])
        if untouched and about.is_example and referred:
            # As both sides were given it, but for its runs of tools, which are each side's own.
            there["tool_runs"] = here["tool_runs"]
        if exchange.dump(here, "json") == exchange.dump(there, "json"):
            placed.studies[about.id] = known.id
            return
        if untouched and not _is_used(known):
            study_delete(known)  # nobody has edited it
    study_id = brought(about.id)
    if Study.objects.filter(id=study_id).exists():
        study_id = uuid4()  # it came before, and was changed since
    study = study_import(file, id=study_id, tags=about.tags, is_example=about.is_example)
    Study.objects.filter(id=study.id).update(
        snapshot=file.snapshot, created_at=about.created_at, updated_at=about.updated_at
    )
    if study.slug != file.slug:
        placed.notes.append(f"There is a study {file.slug}; the archive's is {study.slug}.")
    placed.studies[about.id] = study.id
    placed.counts["studies"] += 1


def _is_used(study: Study) -> bool:
    """Whether somebody said something of a study, shares it, or approved a state of it."""
    used = (Comment, Share, Approval, ApprovalRequest, StudyActuals)
    return any(one.objects.filter(study_id=study.id).exists() for one in used)


def _traces(held: Archived, placed: Placed) -> set[UUID]:
    new = _new([one.id for one in held.traces], placed)
    for one in held.traces:
        if one.id in new:
            _insert(Trace(job=_job("trace", one.id, one.created_at), **_but(one, "id")))
    placed.counts["traces"] += len(new)
    return new


def _imports(held: Archived, placed: Placed) -> set[UUID]:
    new = _new([one.id for one in held.imports], placed)
    for one in held.imports:
        if one.id in new:
            study_id = placed.studies[one.study] if one.study else None
            job = _job("import", one.id, one.created_at)
            undo = acceptance_placed(one.accepted) if one.accepted_at else None
            fields = _but(one, "id", "study", "accepted")
            _insert(Import(job=job, study_id=study_id, undo=undo, **fields))
    placed.counts["imports"] += len(new)
    return new


def _runs(held: Archived, placed: Placed) -> set[UUID]:
    """Store the runs, those that answer others before those that they answer."""
    new = _new([UUID(one) for one in held.runs], placed)
    answered = []
    for name in (parts.run_name(one) for one in sorted(new)):
        file = held.run(name)
        if file.run.result_of:
            answered.append(file.run)
            continue
        run = _run(file.run, placed)
        run.result_month = this_month() if file.result else None
        _insert(run)
        if file.result and run.result_month:
            _insert(Result(run_id=run.pk, month=run.result_month, data=file.result))
    for part in sorted(answered, key=lambda one: one.created_at):
        run = _run(part, placed)
        run.reused_from_id = placed.id_here(part.result_of) if part.result_of else None
        _insert(run)
    placed.counts["runs"] += len(new)
    return new


def _run(part: parts.RunPart, placed: Placed) -> Run:
    return Run(
        job=_job("run", part.id, part.created_at),
        study_id=placed.studies[part.study] if part.study else None,
        model_id=part.model,
        **_but(part, "id", "study", "result_of", "model"),
    )


def _comments(held: Archived, placed: Placed) -> None:
    there = set(Comment.objects.values_list("id", flat=True))
    for one in held.comments:
        if placed.id_here(one.id) in there:
            continue
        study_id = placed.studies[one.study]
        fields = _but(one, "id", "study", "author", "resolved_by")
        by = {"author": _told(one.author), "resolved_by": _told(one.resolved_by)}
        _insert(Comment(id=brought(one.id), study_id=study_id, **fields, **by))
        placed.counts["comments"] += 1


def _actuals(held: Archived, placed: Placed) -> None:
    there = set(StudyActuals.objects.values_list("study_id", flat=True))
    for one in held.actuals:
        study_id = placed.studies[one.study]
        if study_id not in there:
            document, by = one.document.model_dump(mode="json"), _told(one.entered_by)
            _insert(
                StudyActuals(
                    study_id=study_id, document=document, entered_by=by, updated_at=one.updated_at
                )
            )
            placed.counts["actuals"] += 1


def _approvals(held: Archived, placed: Placed) -> None:
    there = set(Approval.objects.values_list("study_id", "name"))
    for one in held.approvals:
        study_id = placed.studies.get(one.study, brought(one.study))
        if (study_id, one.name) in there:
            continue
        there.add((study_id, one.name))
        fields = _but(one, "id", "study", "run", "approved_by")
        run_id, by = placed.id_here(one.run), _told(one.approved_by)
        _insert(Approval(study_id=study_id, run_id=run_id, approved_by=by, **fields))
        placed.counts["approvals"] += 1


def _requests(held: Archived, placed: Placed) -> None:
    there = set(ApprovalRequest.objects.values_list("id", flat=True))
    for one in held.requests:
        if placed.id_here(one.id) in there:
            continue
        study_id, by = placed.studies[one.study], _told(one.asked_by)
        fields = _but(one, "id", "study", "asked_by")
        _insert(ApprovalRequest(id=brought(one.id), study_id=study_id, asked_by=by, **fields))
        placed.counts["requests"] += 1


def _told(name: str) -> str:
    """A name as an archive has it: nobody here has seen them do it."""
    return name if not name or name.endswith(FROM) else f"{name[: 254 - len(FROM)]}{FROM}"


def _job(kind: str, foreign_id: UUID, at: datetime) -> Job:
    return job_store_ended(kind=kind, job_id=brought(foreign_id), at=at)


def _own(held: Archived) -> set[UUID]:
    """Which ids of an archive are of this workspace: it was written here."""
    ids = [UUID(one) for one in held.runs]
    ids += [one.id for one in held.traces] + [one.id for one in held.imports]
    ids += [one.id for one in held.comments] + [one.id for one in held.requests]
    rows = (Job, Comment, ApprovalRequest)
    return {
        found
        for row in rows
        for found in row.objects.filter(id__in=ids).values_list("id", flat=True)
    }


def _new(archived: list[UUID], placed: Placed) -> set[UUID]:
    here = {placed.id_here(one): one for one in archived}
    known = set(Job.objects.filter(id__in=here).values_list("id", flat=True))
    return {old for new, old in here.items() if new not in known}


def _insert(row: Any) -> None:
    row.workspace_id = current_workspace_id()
    row.save(force_insert=True)


def _but(part: Any, *names: str) -> dict[str, Any]:
    return {name: value for name, value in part if name not in names}
