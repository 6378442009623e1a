"""Large things in PostgreSQL: the storage of an installation that has no other."""

from __future__ import annotations

import io
from itertools import islice
from typing import IO, TYPE_CHECKING, Any
from uuid import UUID

from django.core.files.base import File
from django.core.files.storage import Storage
from django.db.models import F, Sum
from django.db.models.functions import Length
from django.utils import timezone

from common.tenancy import workspace
from files.models import Piece, month_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from files.models import Upload

PIECE_BYTES = 1 << 20
_AT_ONCE = 8


class DatabaseStorage(Storage):
    """Files in pieces, by names such as ``WORKSPACE/KIND/ID``."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Return the name itself: it has an id that nothing else has."""
        return name

    def _save(self, name: str, content: File[bytes]) -> str:
        workspace_id, kind, file_id = parts_of(name)
        month = month_for(kind, timezone.now().date())
        pieces = enumerate(iter(lambda: content.read(PIECE_BYTES), b""))
        with workspace(workspace_id):
            while rows := [
                Piece(
                    workspace_id=workspace_id,
                    file_id=file_id,
                    position=position,
                    month=month,
                    data=data,
                )
                for position, data in islice(pieces, _AT_ONCE)
            ]:
                Piece.objects.bulk_create(rows)
        return name

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        file: IO[Any] = io.BufferedReader(_Reader(name))
        return File(file, name)

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""
        workspace_id, _, file_id = parts_of(name)
        with workspace(workspace_id):
            Piece.objects.filter(file_id=file_id).delete()

    def exists(self, name: str) -> bool:
        """Return whether any of a file is there."""
        workspace_id, _, file_id = parts_of(name)
        with workspace(workspace_id):
            return Piece.objects.filter(file_id=file_id).exists()

    def parts_begin(self, name: str) -> str:
        """Say nothing: a file's parts are its pieces."""
        return ""

    def part_address(self, upload: Upload, number: int) -> str:
        """Return where a part is to be sent: to us."""
        return f"/api/v1/uploads/{upload.pk}/parts/{number}"

    def part_write(self, upload: Upload, number: int, content: IO[bytes]) -> None:
        """Keep a part in place of what was sent of it before."""
        workspace_id, kind, file_id = parts_of(upload.file.name)
        each = upload.part_bytes // PIECE_BYTES
        first = (number - 1) * each
        held = Piece.objects.filter(file_id=file_id)
        held.filter(position__gte=first, position__lt=first + each).delete()
        for position in range(first, first + each):
            if data := content.read(PIECE_BYTES):
                Piece.objects.create(
                    workspace_id=workspace_id,
                    file_id=file_id,
                    position=position,
                    month=month_for(kind, timezone.now().date()),
                    data=data,
                )

    def parts_sizes(self, upload: Upload) -> dict[int, int]:
        """Return the parts that are here with their sizes. [byte]"""
        each = upload.part_bytes // PIECE_BYTES
        rows = Piece.objects.filter(file_id=upload.pk).order_by()
        found = rows.annotate(part=F("position") / each).values("part")
        return {row["part"] + 1: row["size"] for row in found.annotate(size=Sum(Length("data")))}

    def parts_join(self, upload: Upload) -> None:
        """Do nothing: they are in their order."""

    def parts_drop(self, name: str, token: str) -> None:
        """Forget what was sent."""
        self.delete(name)

    def size(self, name: str) -> int:
        """Return how many bytes a file has."""
        workspace_id, _, file_id = parts_of(name)
        with workspace(workspace_id):
            found = Piece.objects.filter(file_id=file_id).aggregate(size=Sum(Length("data")))
        return found["size"] or 0


class _Reader(io.RawIOBase):
    """Reads pieces a few at a time, each time in a transaction of its own."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._pieces = _pieces(name)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        length = min(len(buffer), len(self._rest))
        buffer[:length], self._rest = self._rest[:length], self._rest[length:]
        return length


def _pieces(name: str) -> Iterator[bytes]:
    workspace_id, _, file_id = parts_of(name)
    after = -1
    while True:
        with workspace(workspace_id):
            rows = Piece.objects.filter(file_id=file_id, position__gt=after)
            found = list(rows.values_list("position", "data")[:_AT_ONCE])
        for position, data in found:
            after = position
            yield bytes(data)
        if len(found) < _AT_ONCE:
            return


def parts_of(name: str) -> tuple[UUID, str, UUID]:
    """Return workspace, kind and id of a file's name."""
    workspace_id, kind, file_id = name.split("/")
    return UUID(workspace_id), kind, UUID(file_id)
