"""An import's way through the worker: spool the file, find out what it is, read it."""

from __future__ import annotations

import hashlib
import hmac
import tempfile
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings

from capmodels.errors import ModelError
from capmodels.written_numbers import MARKS_BY_NAME
from common.tenancy import workspace
from files.models import File
from files.selectors import file_pieces
from files.services import file_remove
from imports.every_region import MAKES, fetch_every
from imports.fetching import EVERY, fetch
from imports.models import Import
from imports.reading import ImportRead
from imports.selectors import import_read_before, quote_taken, remembered_mapping

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.imports.registry import Importer
    from capmodels.imports.table import Dates
    from capmodels.spec import JSONDict
    from capmodels.written_numbers import Mark
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report

# A packed file may become so many times as large, and no larger than this.
UNPACKED_BYTES_MAX = 20 << 30
_PIECE_BYTES = 1 << 20
# What a file can be said to be.
QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Asked:
    """What becomes of names in a file, what is said of it, and where it is fetched."""

    names: str
    dates: Dates | None
    mark: Mark | None
    kind: str
    source: dict[str, Any]


def import_load(job: ClaimedJob) -> Asked:
    """Read what is said of the file; inside the workspace."""
    row = Import.objects.only("names", "dates", "numbers", "kind", "source").get(job_id=job.id)
    return Asked(
        row.names,
        cast("Dates", row.dates) or None,
        MARKS_BY_NAME.get(row.numbers),
        row.kind,
        row.source or {},
    )


def import_perform(job: ClaimedJob, report: Report) -> ImportRead:
    """Read the file; no effect of its own.

    Raises
    ------
    ModelError
        When the file is of no known kind, damaged, too large, or holds nothing.
    """
    from capmodels.formats.chunks import FileRefused

    source = job.inputs.source
    try:
        if "sha256" in source:
            return _read_once(job, key_of(source["sha256"], *_said(job)))
        if source.get("region") == EVERY:
            return _read_every(job, source["provider"], report)
        with tempfile.TemporaryDirectory(prefix="ampacity-import-") as folder:
            path = Path(folder) / "file"
            if source:
                fetch(source, path, report)
                return _read_fetched(job, path, report)
            sent = file_pieces(job.id, job.workspace_id, File.Kind.UPLOAD)
            key = key_of(digest_of(sent, report), *_said(job))
            earlier = _read_before(job, key)
            if earlier is not None:
                return earlier
            _spool(job, path, report)
            return _read(path, report, job, key)
    except FileRefused as exc:
        raise ModelError(str(exc)) from exc


def _read_every(job: ClaimedJob, provider: str, report: Report) -> ImportRead:
    """Keep the list of each region, and say what they are together."""
    identity, preview = fetch_every(job, provider, report, partial(_read_fetched, job))
    return ImportRead(identity, "", MAKES, preview, "")


def _read_fetched(job: ClaimedJob, path: Path, report: Report) -> ImportRead:
    key = key_of(digest_of(_pieces(path), report), *_said(job))
    return _read_before(job, key) or _read(path, report, job, key)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece


def _read_before(job: ClaimedJob, key: str) -> ImportRead | None:
    """What was found in the very same file, where the workspace had it read before."""
    with workspace(job.workspace_id):
        earlier = import_read_before(key)
    if earlier is None:
        return None
    preview = dict(earlier.preview or {})
    if preview.get("mapping") is None:  # accepting a file without columns leaves it so
        preview.pop("mapping", None)
    return ImportRead(earlier.format, earlier.version, earlier.makes, preview, key)


def _read_once(job: ClaimedJob, key: str) -> ImportRead:
    """What was found in a file that is known by its bytes, and was not sent again."""
    earlier = _read_before(job, key)
    if earlier is None:
        raise ModelError("What was read of this file is gone. Send the file.")
    return earlier


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


def _read(path: Path, report: Report, job: ClaimedJob, key: str) -> ImportRead:
    from capmodels.imports.names import without_names
    from capmodels.imports.packed import unpacked
    from capmodels.imports.registry import opened, read_with

    file = opened(unpacked(path), job.inputs.dates, job.inputs.mark)
    found = _importer(job, file)

    def hashed(name: str) -> str:
        """A name that cannot be read, the same in every import of the workspace."""
        text = f"{job.workspace_id} {name}".encode()
        return f"#{hmac.new(settings.SECRET_KEY.encode(), text, 'sha256').hexdigest()[:10]}"

    read = read_with(found, file, report)
    notes = getattr(file, "notes", [])
    if notes:
        read = {**read, "notes": [*read.get("notes", ()), *notes]}
    return ImportRead(
        format=found.id,
        version=found.version(file.columns),
        makes=found.makes,
        preview=without_names(read, found.names, job.inputs.names, hashed),
        read_key=key,
    )


def _importer(job: ClaimedJob, file: Any) -> Importer:
    """Whose file it is; a table of a kind that nobody knows may be a quote with heads of its own.

    It is one where whoever sends it says so, or the workspace took one with the same heads.
    """
    from capmodels.formats.chunks import FileRefused
    from capmodels.imports import quote
    from capmodels.imports.registry import recognised

    is_table = quote.is_table(file)
    if is_table and job.inputs.kind == QUOTE:
        return quote.IMPORTER
    try:
        return recognised(file.columns)
    except FileRefused as exc:
        if not is_table:
            raise
        with workspace(job.workspace_id):
            is_known = quote_taken(quote.columns_of(file))
        if is_known:
            return quote.IMPORTER
        hint = "If it is a quote, say so (Kind of file) and which column means what."
        raise FileRefused(f"{exc} {hint}") from exc


def _said(job: ClaimedJob) -> tuple[str, str]:
    numbers = next((n for n, mark in MARKS_BY_NAME.items() if mark == job.inputs.mark), "")
    return job.inputs.names, f"{job.inputs.dates or ''}{numbers}{job.inputs.kind}"


def digest_of(pieces: Iterable[bytes], report: Report) -> str:
    """The SHA-256 of a file's bytes, in hex."""
    digest, done = hashlib.sha256(), 0
    for piece in pieces:
        digest.update(piece)
        done += len(piece)
        report(0.0, f"Compared {done / 1e6:.0f} MB with files read before")
    return digest.hexdigest()


def key_of(sha256: str, names: str, dates: str = "") -> str:
    """A key of a file's bytes, of what is said of it, and of the programs that read it."""
    return hashlib.sha256(f"{sha256} {names} {dates} {_readers()}".encode()).hexdigest()


@cache
def _readers() -> str:
    """A digest of the readers as they are: another release may find more in the same file."""
    from capmodels import imports

    digest = hashlib.sha256()
    for source in sorted(Path(imports.__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def import_record(job: ClaimedJob, read: ImportRead) -> None:
    """Keep what was found; the file as it came is let go."""
    mapping = remembered_mapping(read.format, read.preview)
    preview = with_mapping(read.format, read.preview, mapping) if mapping else read.preview
    Import.objects.filter(job_id=job.id).update(
        format=read.format,
        version=read.version,
        makes=read.makes,
        preview=preview,
        read_key=read.read_key,
    )
    file_remove(job.id, File.Kind.UPLOAD)


def with_mapping(format_id: str, preview: JSONDict, mapping: Any) -> JSONDict:
    """What a file says once its columns, or what else is chosen of it, mean something else."""
    from capmodels.imports import quote

    said = quote.told_of(preview, mapping) if format_id == quote.IMPORTER.id and mapping else {}
    return {**preview, "mapping": mapping, **said}
