"""Reads an archive: refuses what is damaged, changed, too large or of another release.

Nothing of it ever becomes a path on a disk. Sizes are told in the archive's directory, where a
reader of zip files stops at them, so that they are held against the limits before anything is
unpacked; what is unpacked is held against the hashes of the manifest before anything is stored.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, TypeVar

import orjson
from django.conf import settings
from pydantic import TypeAdapter, ValidationError

from archives import parts
from capmodels.errors import ModelError, ParamsError
from capmodels.spec import faults_of
from common.storable import storable
from studies import exchange

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from jobs.kinds import Report

T = TypeVar("T")

FILES_MAX = 200_000
JSON_BYTES_MAX = 64 << 20
# Numbers in text pack to a fortieth; a file made to burst packs to a thousandth.
BURST_RATIO_MAX, BURST_FREE_BYTES = 200, 16 << 20
_PIECE_BYTES = 1 << 20
_DAMAGED = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError),
    *(NotImplementedError, RuntimeError, OSError, ValueError),
)


class Refused(ModelError):
    """The archive cannot be read in; the sentence says why."""


class Archived:
    """An archive that was opened, and found to be whole.

    Raises
    ------
    Refused
        With the first reason why not.
    """

    def __init__(self, file: IO[bytes], report: Report) -> None:
        """Hold everything against the manifest, and ids against each other."""
        self.file = file
        with _damage_told():
            self._zip = zipfile.ZipFile(file)
        self._infos = self._listed(file)
        self.manifest = self._manifest()
        self._verify(report)
        self.studies = self._list(parts.STUDIES, parts.STUDIES_OF)
        self.comments = self._list(parts.COMMENTS, parts.COMMENTS_OF)
        self.actuals = self._list(parts.ACTUALS, parts.ACTUALS_OF)
        self.approvals = self._list(parts.APPROVALS, parts.APPROVALS_OF)
        self.requests = self._list(parts.REQUESTS, parts.REQUESTS_OF)
        self.entries = self._list(parts.CATALOGUE, parts.ENTRIES_OF)
        self.imports = self._list(parts.IMPORTS, parts.IMPORTS_OF)
        self.traces = self._list(parts.TRACES, parts.TRACES_OF)
        self.runs = {
            str(found[1]): name for name in self._infos if (found := parts.RUN_NAME.fullmatch(name))
        }
        self._refuse_strangers()

    def study(self, name: str) -> exchange.StudyFile:
        """Return the study in a file of the archive."""
        try:
            return exchange.read(self.text(name))
        except ParamsError as exc:
            fault = exc.faults[0]
            message = f"{name} is no study that can be read: {fault.pointer} {fault.message}"
            raise Refused(message) from exc

    def run(self, name: str) -> parts.RunFile:
        """Return a run with its result."""
        return self._read(name, parts.RUN_OF)

    def text(self, name: str) -> bytes:
        """Return a file of JSON as it is."""
        info = self._infos[name]
        if info.file_size > JSON_BYTES_MAX:
            message = f"{name} has {info.file_size / 1e6:,.0f} MB; at most 67 MB are read."
            raise Refused(message)
        with _damage_told():
            return self._zip.read(info)

    def kept(self) -> Iterator[tuple[str, str, IO[bytes]]]:
        """Yield what is kept of runs, imports and traces: whose, its kind, it."""
        for name, info in self._infos.items():
            if found := parts.FILE_NAME.fullmatch(name):
                with self._zip.open(info) as opened:
                    yield found[1], found[2], opened

    @property
    def kept_bytes(self) -> int:
        """How much is kept of runs, imports and traces. [byte]"""
        return sum(i.file_size for name, i in self._infos.items() if name.startswith("files/"))

    def _listed(self, file: IO[bytes]) -> dict[str, zipfile.ZipInfo]:
        infos = self._zip.infolist()
        if len(infos) > FILES_MAX:
            message = f"The archive holds {len(infos):,} files; at most {FILES_MAX:,} are read."
            raise Refused(message)
        found = {info.filename: info for info in infos}
        if len(found) < len(infos):
            raise Refused("The archive holds two files of one name.")
        unpacked, packed = sum(info.file_size for info in infos), file.seek(0, 2)
        most = min(BURST_FREE_BYTES + BURST_RATIO_MAX * packed, 4 * settings.TRACE_BYTES_MAX)
        if unpacked > most:
            message = (
                f"Unpacked the archive would have {unpacked / 1e6:,.0f} MB; "
                f"of one of its size at most {most / 1e6:,.0f} MB are unpacked."
            )
            raise Refused(message)
        return found

    def _manifest(self) -> parts.Manifest:
        if parts.MANIFEST not in self._infos:
            raise Refused("This file is no archive of a workspace: it has no manifest.")
        raw = _json(parts.MANIFEST, self.text(parts.MANIFEST))
        version = raw.get("ampacity_archive") if isinstance(raw, dict) else None
        if version != parts.FORMAT_VERSION:
            message = (
                f"The archive is of format {version}; format {parts.FORMAT_VERSION} is known here. "
                "It may be of a later release."
            )
            raise Refused(message)
        found: parts.Manifest = self._read(parts.MANIFEST, parts.MANIFEST_OF)
        return found

    def _verify(self, report: Report) -> None:
        """Hold names, sizes and hashes against the manifest; unpacks all once, keeps nothing."""
        listed = {one.name: one for one in self.manifest.files}
        there = set(self._infos) - {parts.MANIFEST}
        if there != set(listed) or len(listed) < len(self.manifest.files):
            name = min(there ^ set(listed), default="a file twice")
            raise Refused(f"The archive and its manifest do not name the same files: {name}.")
        for place, (name, one) in enumerate(listed.items()):
            if not place % 50:
                report(0.6 * place / len(listed), "Checking the archive")
            if _unknown(name):
                raise Refused(f"The archive holds {name}, which is no part of a workspace.")
            size, digest = self._measured(name)
            if (size, digest) != (one.bytes, one.sha256):
                message = f"{name} is not what the manifest says: the archive was changed."
                raise Refused(message)
        if missing := set(parts.LISTS) - set(parts.ADDED) - there:
            raise Refused(f"The archive lacks {min(missing)}.")

    def _measured(self, name: str) -> tuple[int, str]:
        digest, size = hashlib.sha256(), 0
        with _damage_told(), self._zip.open(self._infos[name]) as opened:
            while piece := opened.read(_PIECE_BYTES):
                digest.update(piece)
                size += len(piece)
        return size, digest.hexdigest()

    def _list(self, name: str, adapter: TypeAdapter[list[T]]) -> list[T]:
        is_of_before = name in parts.ADDED and name not in self._infos
        return [] if is_of_before else self._read(name, adapter)

    def _read(self, name: str, adapter: TypeAdapter[T]) -> T:
        value = _json(name, self.text(name))
        if faults := storable(value):
            raise Refused(f"{name} cannot be kept: {faults[0].pointer} {faults[0].message}")
        try:
            return adapter.validate_json(orjson.dumps(value))
        except ValidationError as exc:
            fault = faults_of(exc, value)[0]
            message = f"{name} is not as an archive has it: {fault.pointer} {fault.message}"
            raise Refused(message) from exc

    def _refuse_strangers(self) -> None:
        """Refuse an id that is of nothing in the archive, and one that stands twice."""
        studies = _once([one.id for one in self.studies], parts.STUDIES)
        _once([one.id for one in self.comments], parts.COMMENTS)
        _once([one.id for one in self.requests], parts.REQUESTS)
        _once([one.study for one in self.actuals], parts.ACTUALS)
        named = {one.study for one in self.comments} | {one.study for one in self.imports}
        named |= {one.study for one in self.actuals} | {one.study for one in self.requests}
        if strange := {str(one) for one in named if one} - studies:
            message = f"The archive names a study that it does not hold: {min(strange)}."
            raise Refused(message)
        self._refuse_missing_files()
        self._refuse_files_of_nothing()

    def _refuse_missing_files(self) -> None:
        wanted = {(one.file, "study") for one in self.studies}
        if len(wanted) < len(self.studies):
            raise Refused("Two studies of the archive are of one file.")
        wanted |= {(parts.run_name(one.run), "run") for one in self.approvals}
        for name, what in sorted(wanted):
            if name not in self._infos:
                raise Refused(f"The archive names a {what} that it does not hold: {name}.")

    def _refuse_files_of_nothing(self) -> None:
        jobs = _once(
            [one.id for one in self.imports] + [one.id for one in self.traces], "the archive"
        )
        if strange := set(self.runs) & jobs:
            raise Refused(f"Two things of the archive have one id: {min(strange)}.")
        for name in self._infos:
            found = parts.FILE_NAME.fullmatch(name)
            if found and found[1] not in jobs and found[1] not in self.runs:
                raise Refused(f"The archive holds a file of nothing that it holds: {name}.")

    def runs_checked(self, report: Report) -> None:
        """Read every run once: what it names is in the archive.

        Raises
        ------
        Refused
            When not.
        """
        studies = {one.id for one in self.studies}
        for place, (run_id, name) in enumerate(self.runs.items()):
            if not place % 20:
                report(0.6 + 0.4 * place / len(self.runs), "Checking the runs")
            one = self.run(name).run
            if str(one.id) != run_id:
                raise Refused(f"{name} holds another run: {one.id}.")
            if one.study and one.study not in studies:
                raise Refused(f"{name} names a study that the archive does not hold: {one.study}.")
            if one.result_of and (one.result_of == one.id or str(one.result_of) not in self.runs):
                message = f"{name} names a run that the archive does not hold: {one.result_of}."
                raise Refused(message)


def _unknown(name: str) -> bool:
    known = (parts.STUDY_NAME, parts.RUN_NAME, parts.FILE_NAME)
    return name not in parts.LISTS and not any(one.fullmatch(name) for one in known)


def _once(ids: list[UUID], where: str) -> set[str]:
    found = {str(one) for one in ids}
    if len(found) < len(ids):
        raise Refused(f"An id stands twice in {where}.")
    return found


def _json(name: str, raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as exc:
        raise Refused(f"{name} is not readable as JSON: {exc}.") from exc


@contextmanager
def _damage_told() -> Iterator[None]:
    try:
        yield
    except _DAMAGED as exc:
        raise Refused("This file is no zip archive, or it is damaged. Send it again.") from exc
