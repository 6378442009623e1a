"""An import's way through the worker: spool the file, find out what it is, read it."""

from __future__ import annotations

import hmac
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from capmodels.errors import ModelError
from files.models import File
from files.selectors import file_pieces
from files.services import file_remove
from imports.fetching import fetch
from imports.models import Import
from imports.selectors import remembered_mapping

if TYPE_CHECKING:
    from capmodels.spec import JSONDict
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report

# A packed file may become so many times as large, and no larger than this.
UNPACKED_BYTES_MAX = 20 << 30


@dataclass(frozen=True, slots=True)
class ImportRead:
    """What was found in the file."""

    format: str
    version: str
    makes: str
    preview: JSONDict


def import_load(job: ClaimedJob) -> tuple[str, dict[str, str] | None]:
    """Read what becomes of names in the file, and where it is fetched; inside the workspace."""
    names, source = Import.objects.values_list("names", "source").get(job_id=job.id)
    return names, source


def import_perform(job: ClaimedJob, report: Report) -> ImportRead:
    """Read the file; no effect of its own.

    Raises
    ------
    ModelError
        When the file is of no known kind, damaged, too large, or holds nothing.
    """
    from capmodels.formats.chunks import FileRefused

    with tempfile.TemporaryDirectory(prefix="ampacity-import-") as folder:
        path = Path(folder) / "file"
        try:
            if job.inputs[1] is None:
                _spool(job, path, report)
            else:
                fetch(job.inputs[1], path, report)
            return _read(path, report, job)
        except FileRefused as exc:
            raise ModelError(str(exc)) from exc


def _spool(job: ClaimedJob, path: Path, report: Report) -> None:
    from capmodels.formats.chunks import FileRefused, plain

    report(0.0, "Reading the file")
    written = 0
    with path.open("wb") as file:
        for piece in plain(file_pieces(job.id, job.workspace_id, File.Kind.UPLOAD)):
            written += len(piece)
            if written > UNPACKED_BYTES_MAX:
                raise FileRefused("The unpacked file is larger than may be imported. Cut it.")
            file.write(piece)
            report(0.0, f"Read {written / 1e6:.0f} MB")


def _read(path: Path, report: Report, job: ClaimedJob) -> ImportRead:
    from capmodels.imports.names import without_names
    from capmodels.imports.registry import opened, recognised

    file = opened(path)
    found = recognised(file.columns)

    def hashed(name: str) -> str:
        """A name that cannot be read, the same in every import of the workspace."""
        text = f"{job.workspace_id} {name}".encode()
        return f"#{hmac.new(settings.SECRET_KEY.encode(), text, 'sha256').hexdigest()[:10]}"

    read = found.read(file, report)
    return ImportRead(
        format=found.id,
        version=found.version(file.columns),
        makes=found.makes,
        preview=without_names(read, found.names, job.inputs[0], hashed),
    )


def import_record(job: ClaimedJob, read: ImportRead) -> None:
    """Keep what was found; the file as it came is let go."""
    preview = {**read.preview, **remembered_mapping(read.format, read.preview)}
    Import.objects.filter(job_id=job.id).update(
        format=read.format, version=read.version, makes=read.makes, preview=preview
    )
    file_remove(job.id, File.Kind.UPLOAD)
