"""An archive's way through the worker: written and kept, or checked and put in place."""

from __future__ import annotations

import tempfile
from typing import IO, TYPE_CHECKING

from accounts.services import audit_record
from archives.models import Archive
from archives.placing import archive_place
from archives.reading import Archived
from archives.writing import Written, archive_written
from files.models import File
from files.selectors import file_pieces
from files.services import file_keep, file_remove

if TYPE_CHECKING:
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report


def export_perform(job: ClaimedJob, report: Report) -> Written:
    """Write the workspace's archive."""
    return archive_written(job.workspace_id, report)


def export_record(job: ClaimedJob, made: Written) -> None:
    """Keep the archive."""
    with made.file:
        kept = file_keep(job_id=job.id, kind=File.Kind.ARCHIVE, content=made.file)
    Archive.objects.filter(job_id=job.id).update(
        bytes_count=kept.bytes_count, sha256=made.sha256, counts=made.counts
    )


def import_perform(job: ClaimedJob, report: Report) -> Archived:
    """Check all of an archive that was sent; nothing is stored yet.

    Raises
    ------
    Refused
        With the reason why it cannot be read in.
    """
    file: IO[bytes] = tempfile.TemporaryFile(prefix="ampacity-archive-")  # noqa: SIM115 -- handed on
    try:
        for piece in file_pieces(job.id, job.workspace_id, File.Kind.UPLOAD):
            file.write(piece)
        held = Archived(file, report)
        for about in held.studies:
            held.study(about.file)
        held.runs_checked(report)
    except BaseException:
        file.close()
        raise
    return held


def import_record(job: ClaimedJob, held: Archived) -> None:
    """Put what the archive holds in place, and let go of the file."""
    with held.file:
        placed = archive_place(held)
    row = Archive.objects.get(job_id=job.id)
    row.counts, row.notes = dict(placed.counts), placed.notes
    row.save(update_fields=["counts", "notes"])
    file_remove(job.id, File.Kind.UPLOAD)
    audit_record(row.made_by, "workspace.import", target=row.file_name, detail=dict(placed.counts))
