"""Asks for archives, and takes them in; inside an entered workspace."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from django.utils import timezone
from django.utils.text import slugify

from accounts.selectors import workspace_name
from accounts.services import audit_record
from archives.models import Archive
from files.services import upload_keep
from jobs.models import Job
from jobs.services import job_submit, made_delete

if TYPE_CHECKING:
    from uuid import UUID

    from common.principal import Principal


def export_create(*, principal: Principal) -> Archive:
    """Have a worker write all of the workspace; an earlier archive that was made goes."""
    earlier = Archive.objects.filter(way=Archive.Way.EXPORT).values("job_id")
    Job.objects.filter(id__in=earlier).delete()
    created_at = timezone.now()
    name = slugify(workspace_name())[:80] or "workspace"
    archive = Archive.objects.create(
        job=job_submit(kind="archive.export"),
        way=Archive.Way.EXPORT,
        file_name=f"{name}-{created_at:%Y-%m-%d}.zip",
        made_by=principal.email,
        created_at=created_at,
    )
    audit_record(principal, "workspace.export", target=archive.file_name)
    return archive


def import_create(*, principal: Principal, file: IO[bytes] | UUID, file_name: str) -> Archive:
    """Take in a file, or one that came in parts, and have a worker read all of it.

    Raises
    ------
    Invalid
        When the file is empty.
    Full
        When the workspace has no room for it.
    """
    kept = upload_keep(file=file, kind="archive.import")
    return Archive.objects.create(
        job=kept.job,
        way=Archive.Way.IMPORT,
        file_name=(kept.name or file_name)[-200:] or "file",
        made_by=principal.email,
        bytes_count=kept.bytes_count,
    )


def archive_delete(*, principal: Principal, archive: Archive) -> None:
    """Remove an archive with its file. What was read in from one stays."""
    made_delete(archive)
    audit_record(principal, "archive.delete", target=archive.file_name)
