"""Columns of a trace as bytes to keep: packed in pieces of equal length, hashed, read back.

A piece is a version byte, a kind byte, its number of rows, which columns there are, and zstd of
the columns. Each column is laid out byte by byte of its values: the high bytes hardly change,
which packs better and faster.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.formats.chunks import Requests, cut, glued
from capmodels.formats.trace_types import (
    BLOCK_BYTES,
    BlockRequests,
    InferenceTrace,
    StoredTrace,
    UtilizationTrace,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

PIECE_ROWS = 1 << 16
_HEAD = struct.Struct("<BBIB")  # version, kind, rows, columns (bit by place)
_VERSION = 1
_BLOCK, _NAMES, _ROWS, _PROMPTS = 1, 2, 3, 4
_LEVEL = 3
_BLOCK_COLUMNS: tuple[tuple[str, np.dtype[Any]], ...] = (
    ("time_s", np.dtype("<f8")),
    ("device", np.dtype("<i4")),
    ("block_lba", np.dtype("<i8")),
    ("size_blocks", np.dtype("<i4")),
    ("is_read", np.dtype("?")),
    ("response_s", np.dtype("<f4")),
)
_PROMPT_COLUMNS: tuple[tuple[str, np.dtype[Any]], ...] = (
    ("time_s", np.dtype("<f8")),
    ("prompt_tokens", np.dtype("<i4")),
    ("output_tokens", np.dtype("<i4")),
    ("seen_tokens", np.dtype("<i4")),
)
_SERIES = ("cpu_fraction", "memory_fraction", "watts")
_SAMPLE = np.dtype("<f4")
_PIECE_SAMPLES = 1 << 20


class Packer:
    """Packs block requests that come in pieces of any length; hashes what they hold."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._waiting: list[Requests] = []
        self._rows = 0
        self._first_s: float | None = None
        self._sha256 = hashlib.sha256()
        self.rows_count = 0

    @property
    def sha256(self) -> str:
        """Hash of all columns so far; final after ``flush``."""
        return self._sha256.hexdigest()

    def add(self, piece: Requests) -> Iterator[bytes]:
        """Take requests; yield a packed piece as often as one is full."""
        self._waiting.append(piece)
        self._rows += len(piece.at_s)
        while self._rows >= PIECE_ROWS:
            whole = glued(self._waiting)
            self._waiting = [cut(whole, PIECE_ROWS, None)]
            self._rows -= PIECE_ROWS
            yield self._packed(cut(whole, 0, PIECE_ROWS))

    def flush(self) -> Iterator[bytes]:
        """Yield what is left."""
        if self._rows:
            yield self._packed(glued(self._waiting))
        self._waiting, self._rows = [], 0

    def _packed(self, rows: Requests) -> bytes:
        if self._first_s is None:
            self._first_s = float(rows.at_s[0])
        self.rows_count += len(rows.at_s)
        found = BlockRequests(
            rows.at_s - self._first_s,
            rows.device,
            rows.sector,
            np.maximum(-(-rows.size_bytes // BLOCK_BYTES), 1).astype(np.int32),
            ~rows.write,
            None if np.isnan(rows.response_s).all() else rows.response_s.astype(np.float32),
        )
        return pack_requests(found, self._sha256)


def pack_requests(rows: BlockRequests, sha256: Any = None) -> bytes:
    """Return at most 65,536 requests as one packed piece, and hash them."""
    body, present = [], 0
    for place, (name, dtype) in enumerate(_BLOCK_COLUMNS):
        values = getattr(rows, name)
        if values is not None:
            present |= 1 << place
            body.append(_shuffled(values, dtype))
    return _piece(_BLOCK, len(rows.time_s), present, b"".join(body), sha256)


def unpack_requests(piece: bytes) -> BlockRequests:
    """Return the requests of one packed piece.

    Raises
    ------
    ValueError
        When a later version wrote it, or it is damaged.
    """
    rows, present, body = _opened(piece, _BLOCK)
    columns: list[Any] = []
    start = 0
    for place, (_name, dtype) in enumerate(_BLOCK_COLUMNS):
        if not present & 1 << place:
            columns.append(None)
            continue
        columns.append(_unshuffled(body[start : start + rows * dtype.itemsize], dtype))
        start += rows * dtype.itemsize
    return BlockRequests(*columns)


def joined(pieces: Iterable[BlockRequests]) -> BlockRequests:
    """Return the requests of all pieces as one; response times only where every piece has them."""
    found = list(pieces)
    return BlockRequests(*(_whole(found, field.name) for field in fields(BlockRequests)))


def _whole(pieces: list[BlockRequests], name: str) -> Any:
    parts = [getattr(piece, name) for piece in pieces]
    if any(part is None for part in parts):
        return None
    dtype = dict(_BLOCK_COLUMNS)[name]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=dtype)


def pack_utilization(trace: UtilizationTrace, sha256: Any = None) -> Iterator[bytes]:
    """Yield a utilization trace as packed pieces: names first, then machines by the block."""
    vms, steps = trace.cpu_fraction.shape
    series = [name for name in _SERIES if getattr(trace, name) is not None]
    head = {
        "step_s": trace.step_s,
        "start_s": trace.start_s,
        "names": list(trace.names),
        "steps": steps,
        "series": series,
    }
    yield _piece(_NAMES, vms, 0, json.dumps(head, sort_keys=True).encode(), sha256)
    at_once = max(_PIECE_SAMPLES // max(steps, 1), 1)
    for place, name in enumerate(_SERIES):
        values = getattr(trace, name)
        for first in range(0, vms if values is not None else 0, at_once):
            rows = values[first : first + at_once]
            body = _shuffled(rows.reshape(-1), _SAMPLE)
            yield _piece(_ROWS, len(rows), 1 << place, body, sha256)


def unpack_utilization(pieces: Iterable[bytes]) -> UtilizationTrace:
    """Return the utilization trace of packed pieces.

    Raises
    ------
    ValueError
        When a later version wrote them, or they are damaged.
    """
    source = iter(pieces)
    vms, _, body = _opened(next(source), _NAMES)
    head = json.loads(body)
    shape = (vms, head["steps"])
    found = {name: np.zeros(shape, dtype=np.float32) for name in head["series"]}
    filled = dict.fromkeys(found, 0)
    for piece in source:
        rows, present, body = _opened(piece, _ROWS)
        name = _SERIES[present.bit_length() - 1]
        start = filled[name]
        found[name][start : start + rows] = _unshuffled(body, _SAMPLE).reshape(rows, shape[1])
        filled[name] += rows
    return UtilizationTrace(head["step_s"], tuple(head["names"]), **found, start_s=head["start_s"])


def pack_prompts(trace: InferenceTrace, sha256: Any = None) -> Iterator[bytes]:
    """Yield requests to language models as packed pieces of at most 65,536."""
    for first in range(0, len(trace.time_s), PIECE_ROWS):
        columns = [
            (getattr(trace, name)[first : first + PIECE_ROWS], dtype)
            for name, dtype in _PROMPT_COLUMNS
        ]
        body = b"".join(_shuffled(values, dtype) for values, dtype in columns)
        yield _piece(_PROMPTS, len(columns[0][0]), (1 << len(columns)) - 1, body, sha256)


def unpack_prompts(pieces: Iterable[bytes]) -> InferenceTrace:
    """Return the requests to language models of packed pieces.

    Raises
    ------
    ValueError
        When a later version wrote them, or they are damaged.
    """
    parts: list[list[Any]] = [[] for _ in _PROMPT_COLUMNS]
    for piece in pieces:
        rows, _, body = _opened(piece, _PROMPTS)
        start = 0
        for part, (_name, dtype) in zip(parts, _PROMPT_COLUMNS, strict=True):
            part.append(_unshuffled(body[start : start + rows * dtype.itemsize], dtype))
            start += rows * dtype.itemsize
    time_s, prompt, output, seen = (np.concatenate(part) for part in parts)
    return InferenceTrace(time_s, prompt, output, seen)


def stored_in_memory(trace: BlockRequests | UtilizationTrace | InferenceTrace) -> StoredTrace:
    """Return a trace as it would be kept, held in memory."""
    sha256 = hashlib.sha256()
    if isinstance(trace, InferenceTrace):
        kept = list(pack_prompts(trace, sha256))
        return StoredTrace("inference", sha256.hexdigest(), lambda: iter(kept), len(trace.time_s))
    if isinstance(trace, UtilizationTrace):
        kept = list(pack_utilization(trace, sha256))
        return StoredTrace("utilization", sha256.hexdigest(), lambda: iter(kept), len(trace.names))
    parts = range(0, len(trace.time_s), PIECE_ROWS)
    kept = [pack_requests(_slice(trace, first), sha256) for first in parts]
    return StoredTrace("block", sha256.hexdigest(), lambda: iter(kept), len(trace.time_s))


def _slice(trace: BlockRequests, first: int) -> BlockRequests:
    columns: list[Any] = [getattr(trace, field.name) for field in fields(BlockRequests)]
    parts: list[Any] = [c if c is None else c[first : first + PIECE_ROWS] for c in columns]
    return BlockRequests(*parts)


def _shuffled(values: NDArray[Any], dtype: np.dtype[Any]) -> bytes:
    plain = np.ascontiguousarray(values, dtype=dtype)
    return plain.view(np.uint8).reshape(len(plain), dtype.itemsize).T.tobytes()


def _unshuffled(data: bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
    flat = np.frombuffer(data, dtype=np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(flat.T).view(dtype).reshape(-1)


def _piece(kind: int, rows: int, present: int, body: bytes, sha256: Any) -> bytes:
    import zstandard

    head = _HEAD.pack(_VERSION, kind, rows, present)
    if sha256 is not None:
        sha256.update(head)
        sha256.update(body)
    return head + zstandard.ZstdCompressor(level=_LEVEL).compress(body)


def _opened(piece: bytes, wanted: int) -> tuple[int, int, bytes]:
    import zstandard

    version, kind, rows, present = _HEAD.unpack_from(piece)
    if version != _VERSION or kind != wanted:
        message = f"A piece of version {version} and kind {kind} is not known."
        raise ValueError(message)
    try:
        body = zstandard.ZstdDecompressor().decompress(piece[_HEAD.size :])
    except zstandard.ZstdError as exc:
        raise ValueError("A piece of a trace is damaged.") from exc
    return rows, present, body
