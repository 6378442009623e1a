"""Files that are sent in parts: begun, gone on with after a broken connection, ended, given up.

Where a part is to be sent, the storage says: to the bucket, or to us.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, cast
from uuid import uuid4

from django.conf import settings
from django.core.files.storage import storages
from django.utils import timezone

from common import quotas
from common.errors import Conflict, Invalid, NotFound, TooLarge
from common.tenancy import current_workspace_id
from files.database import PIECE_BYTES
from files.models import File, Upload

if TYPE_CHECKING:
    from collections.abc import Iterable

# The least that S3 takes is 5 MiB, and a listing of it has a thousand.
PART_BYTES_MIN = 8 * PIECE_BYTES
PARTS_MAX = 1000
OPEN_MAX = 50


def part_bytes_of(size: int) -> int:
    """Return how large the parts of a file are, but for the last. [byte]"""
    least = -(-size // PARTS_MAX)
    return max(PART_BYTES_MIN, -(-least // PIECE_BYTES) * PIECE_BYTES)


def part_bytes_most() -> int:
    """Return how large a part may be here. [byte]"""
    return part_bytes_of(settings.TRACE_BYTES_MAX)


def upload_begin(*, name: str, size: int) -> Upload:
    """Make room for a file that will be sent in parts.

    Raises
    ------
    TooLarge
        Above the limit of the installation.
    Full
        When the workspace has no room for it.
    Conflict
        When too many files are on their way.
    """
    most = settings.TRACE_BYTES_MAX
    if size > most:
        message = (
            f"The file has {size / 1e9:.2f} GB; at most {most / 1e9:.1f} GB may be sent. "
            "Pack it with gzip or zstd, or cut it into shorter spans."
        )
        raise TooLarge(message)
    if Upload.objects.count() >= OPEN_MAX:
        raise Conflict(f"{OPEN_MAX} files are on their way already. End or remove one of them.")
    quotas.require("stored_mb", size / 1e6)
    file_id = uuid4()
    file = File.objects.create(
        id=file_id,
        workspace_id=current_workspace_id(),
        kind=File.Kind.UPLOAD,
        storage=settings.LARGE_STORAGE,
        name=f"{current_workspace_id()}/{File.Kind.UPLOAD}/{file_id}",
        bytes_count=size,
    )
    return Upload.objects.create(
        workspace_id=current_workspace_id(),
        file=file,
        name=name,
        part_bytes=part_bytes_of(size),
        token=_storage(file).parts_begin(file.name),
    )


def parts_there(upload: Upload) -> list[int]:
    """Return the numbers of the parts that are here as a whole."""
    if upload.ended_at:
        return list(range(1, upload.parts_count + 1))
    found = _storage(upload.file).parts_sizes(upload)
    return sorted(n for n in found if _is_part(upload, n) and found[n] == upload.part_size(n))


def part_addresses(upload: Upload, numbers: Iterable[int]) -> list[dict[str, Any]]:
    """Return where parts are to be sent by PUT, each with its size.

    Raises
    ------
    Conflict
        When the upload has ended.
    Invalid
        For a number that no part has.
    """
    _require_open(upload)
    _heard(upload)
    for place, number in enumerate(numbers):
        if not _is_part(upload, number):
            message = f"The parts of this file are 1 to {upload.parts_count}."
            raise Invalid.at(f"/numbers/{place}", message, "out_of_range")
    storage = _storage(upload.file)
    return [
        {
            "number": number,
            "bytes": upload.part_size(number),
            "url": storage.part_address(upload, number),
        }
        for number in numbers
    ]


def part_take(upload: Upload, number: int, content: IO[bytes]) -> None:
    """Keep a part (of an upload opened with ``lock=True``) that was sent to us.

    Raises
    ------
    NotFound
        For a number that no part has.
    Conflict
        When the upload has ended, or its parts go elsewhere.
    Invalid
        When it has another size than the part.
    """
    _require_open(upload)
    if not _is_part(upload, number):
        raise NotFound
    size, expected = content.seek(0, 2), upload.part_size(number)
    if size != expected:
        message = f"Part {number} has {expected:,} bytes; {size:,} were sent."
        raise Invalid.at("/part", message, "wrong_size")
    content.seek(0)
    _storage(upload.file).part_write(upload, number, content)
    _heard(upload)


def upload_end(upload: Upload) -> Upload:
    """Make a file of the parts of an upload (opened with ``lock=True``); twice is as once.

    Raises
    ------
    Conflict
        Naming the parts that are missing, or were sent with another size.
    """
    if upload.ended_at:
        return upload
    there = parts_there(upload)
    missing = sorted({*range(1, upload.parts_count + 1)} - {*there})
    if missing:
        named = ", ".join(str(number) for number in missing[:10])
        more = ", ..." if len(missing) > 10 else ""
        raise Conflict(f"These parts are missing: {named}{more}.", extra={"missing": missing})
    _storage(upload.file).parts_join(upload)
    upload.ended_at = timezone.now()
    upload.save(update_fields=["ended_at"])
    return upload


def upload_drop(upload: Upload) -> None:
    """Give up an upload with all that was sent."""
    _storage(upload.file).parts_drop(upload.file.name, upload.token)
    upload.file.delete()


def _storage(file: File) -> Any:
    return cast("Any", storages[file.storage])


def _is_part(upload: Upload, number: int) -> bool:
    return 1 <= number <= upload.parts_count


def _require_open(upload: Upload) -> None:
    if upload.ended_at:
        raise Conflict("All of this file is here already.")


def _heard(upload: Upload) -> None:
    Upload.objects.filter(pk=upload.pk).update(sent_at=timezone.now())
