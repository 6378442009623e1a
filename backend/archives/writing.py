"""Writes all of the entered workspace as one file.

What is left out: who its members are, tokens, webhooks and links (they are this installation's),
reports (drawn again from what is here), the steps of undo, and the audit.
"""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

import orjson
from django.utils import timezone

from accounts.selectors import workspace_name
from archives import parts
from catalogue.selectors import entries_own
from catalogue.versions import versions_own
from common.errors import Conflict, NotFound
from common.tenancy import workspace
from files.models import File
from files.selectors import file_opened
from imports.models import Import
from imports.services import acceptance
from jobs.models import Job
from runs.models import Run
from runs.selectors import result_json
from sharing.models import Approval, ApprovalRequest, Comment, StudyActuals
from studies import exchange
from studies.models import Study
from studies.selectors import study_get
from studies.services import study_export
from traces.models import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from pydantic import BaseModel

    from jobs.kinds import Report

KEPT = (File.Kind.UPLOAD, File.Kind.TRACE, File.Kind.SERIES)
_PIECE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Written:
    """An archive's file, what is in it, and its hash."""

    file: IO[bytes]
    sha256: str
    counts: dict[str, int]


@dataclass(slots=True)
class _Zip:
    """A zip file that remembers what was put into it."""

    opened: zipfile.ZipFile
    listed: list[dict[str, Any]] = field(default_factory=list)

    def put(self, name: str, pieces: Iterable[bytes]) -> None:
        digest, size = hashlib.sha256(), 0
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        with self.opened.open(info, "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                digest.update(piece)
                size += len(piece)
        self.listed.append({"name": name, "bytes": size, "sha256": digest.hexdigest()})

    def put_json(self, name: str, value: Any) -> None:
        self.put(name, [orjson.dumps(value, option=orjson.OPT_INDENT_2)])

    def put_file(self, job_id: UUID, row: File) -> None:
        with file_opened(row) as opened:
            name = parts.file_name(job_id, row.kind)
            self.put(name, iter(lambda: opened.read(_PIECE_BYTES), b""))


def archive_written(workspace_id: UUID, report: Report) -> Written:
    """Return all of a workspace as a file; to be called outside of any transaction."""
    file: IO[bytes] = tempfile.TemporaryFile(prefix="ampacity-archive-")  # noqa: SIM115 -- handed on
    with zipfile.ZipFile(file, "w", compresslevel=3) as opened:
        made = _Zip(opened)
        studies = _studies(workspace_id, made, report)
        runs = _runs(workspace_id, made, studies, report)
        report(0.95, "Writing the rest")
        counts = {"studies": len(studies), "runs": len(runs)}
        counts |= _rest(workspace_id, made, studies, runs)
        with workspace(workspace_id):
            name = workspace_name()
        manifest = {
            "ampacity_archive": parts.FORMAT_VERSION,
            "made_at": timezone.now(),
            "workspace": name,
            "files": made.listed,
        }
        made.put_json(parts.MANIFEST, manifest)
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(_PIECE_BYTES):
        digest.update(piece)
    return Written(file, digest.hexdigest(), counts)


def _studies(workspace_id: UUID, made: _Zip, report: Report) -> set[UUID]:
    with workspace(workspace_id):
        ids = list(Study.objects.order_by("created_at", "id").values_list("id", flat=True))
    listed = []
    for place, study_id in enumerate(ids):
        report(0.3 * place / len(ids), "Writing the studies")
        try:
            with workspace(workspace_id):
                study = study_get(study_id)
                text = exchange.dump(study_export(study), "json")
        except NotFound:
            continue  # deleted meanwhile
        name = f"studies/{study.slug}.json"
        made.put(name, [text])
        listed.append(_part(study, parts.StudyPart, file=name))
    made.put_json(parts.STUDIES, listed)
    return {one["id"] for one in listed}


def _runs(workspace_id: UUID, made: _Zip, studies: set[UUID], report: Report) -> set[UUID]:
    """Write what succeeded, those that answer others first; return which."""
    with workspace(workspace_id):
        done = Run.objects.filter(job__state=Job.State.SUCCEEDED).order_by("created_at", "job_id")
        ids = list(done.values_list("job_id", flat=True))
    written: set[UUID] = set()
    for place, run_id in enumerate(ids):
        if not place % 20:
            report(0.3 + 0.6 * place / len(ids), "Writing the runs")
        with workspace(workspace_id):
            run = Run.objects.select_related("job").filter(job_id=run_id).first()
            if run is None:
                continue
            head = _part(
                run,
                parts.RunPart,
                id=run.pk,
                study=run.study_id if run.study_id in studies else None,
                result_of=run.reused_from_id if run.reused_from_id in written else None,
                model=run.model_id,
            )
            result = b"null" if run.reused_from_id else _result(run)
            files = list(File.objects.filter(job_id=run_id, kind=File.Kind.SERIES))
        whole = (b'{"run":', orjson.dumps(head), b',"result":', result, b"}")
        made.put(parts.run_name(run_id), whole)
        for row in files:
            made.put_file(run_id, row)
        written.add(run_id)
    return written


def _result(run: Run) -> bytes:
    try:
        return result_json(run)
    except Conflict:
        return b"null"  # it is kept no more


def _entries() -> list[dict[str, Any]]:
    """Return the workspace's own entries with what they were before, newest first."""
    before: dict[str, list[Any]] = {}
    for one in versions_own():
        before.setdefault(one.slug, []).append(_part(one, parts.EntryVersionPart))
    return [
        _part(entry, parts.EntryPart, before=before.get(entry.slug, [])) for entry in entries_own()
    ]


def _rest(workspace_id: UUID, made: _Zip, studies: set[UUID], runs: set[UUID]) -> dict[str, int]:
    with workspace(workspace_id):
        lists: dict[str, list[dict[str, Any]]] = {
            parts.COMMENTS: [
                _part(one, parts.CommentPart, study=one.study_id)
                for one in Comment.objects.filter(study_id__in=studies).order_by("created_at", "id")
            ],
            parts.ACTUALS: [
                _part(one, parts.ActualsPart, study=one.study_id)
                for one in StudyActuals.objects.filter(study_id__in=studies).order_by("study_id")
            ],
            parts.APPROVALS: [
                _part(one, parts.ApprovalPart, study=one.study_id, run=one.run_id)
                for one in Approval.objects.filter(run_id__in=runs).order_by("created_at", "id")
            ],
            parts.REQUESTS: [
                _part(one, parts.RequestPart, study=one.study_id)
                for one in ApprovalRequest.objects.filter(study_id__in=studies).order_by(
                    "created_at", "id"
                )
            ],
            parts.CATALOGUE: _entries(),
            parts.IMPORTS: [
                _part(
                    one,
                    parts.ImportPart,
                    id=one.pk,
                    study=one.study_id if one.study_id in studies else None,
                    accepted=acceptance(one),
                )
                for one in _done(Import)
            ],
            parts.TRACES: [_part(one, parts.TracePart, id=one.pk) for one in _done(Trace)],
        }
        read = [one["id"] for name in (parts.IMPORTS, parts.TRACES) for one in lists[name]]
        files = list(File.objects.filter(job_id__in=read, kind__in=KEPT))
    for name, rows in lists.items():
        made.put_json(name, rows)
    for row in files:
        if row.job_id:
            made.put_file(row.job_id, row)
    return {name.removesuffix(".json"): len(rows) for name, rows in lists.items()}


def _done(model: Any) -> Any:
    return model.objects.filter(job__state=Job.State.SUCCEEDED).order_by("created_at", "job_id")


def _part(row: Any, shape: type[BaseModel], **others: Any) -> dict[str, Any]:
    """Return of a row what its part declares; ``others`` are what the row has no such field of."""
    return {
        name: others[name] if name in others else getattr(row, name) for name in shape.model_fields
    }
