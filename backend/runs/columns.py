"""Long series of a result: taken out, packed into chunks, read back, sent as columns.

Nothing here touches the database. NumPy is imported inside the functions, so that
the web process does not load it for lists and forms.
"""

from __future__ import annotations

import csv
import io
import struct
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import orjson
import zstandard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.numbers import Currency
    from capmodels.spec import JSONDict

SCREEN_POINTS = 2_000
CHUNK_VALUES = 65_536
_CHUNK_HEAD = struct.Struct("<B2sI")  # version, dtype, length
_CHUNK_VERSION = 1
_DTYPE = b"f8"
_MAGIC = b"AMP1"


@dataclass(frozen=True, slots=True)
class Column:
    """A series of a result and where it stands there, such as ``/designs/A/cumulative_usd``."""

    pointer: str
    values: Sequence[float | None]


_NUMBERS = {float, int, type(None)}


def columns_of(result: Any, pointer: str = "") -> Iterator[Column]:
    """Yield every list of numbers in a result; designs are named by letter."""
    if isinstance(result, dict):
        for key, value in result.items():
            if isinstance(value, dict | list):
                yield from columns_of(value, f"{pointer}/{key}")
    elif isinstance(result, list) and result:
        if all(_is_number(value) for value in result):
            yield Column(pointer, result)
        else:
            for place, value in enumerate(result):
                yield from columns_of(value, f"{pointer}/{_name(value, place)}")


def _is_number(value: Any) -> bool:
    # A look at the type itself: every number of every result passes here.
    return type(value) in _NUMBERS


def _name(value: Any, place: int) -> str:
    return str(value.get("letter", place)) if isinstance(value, dict) else str(place)


def reduce_for_screen(result: Any, limit: int) -> Any:
    """Return the result with every series thinned to at most ``limit`` points.

    Each bucket keeps its least and its greatest value, in order, so that no peak is
    lost.
    """
    if isinstance(result, dict):
        return {key: reduce_for_screen(value, limit) for key, value in result.items()}
    if not isinstance(result, list) or not result:
        return result
    if len(result) <= limit:
        is_short_series = isinstance(result[0], int | float)
        return result if is_short_series else [reduce_for_screen(v, limit) for v in result]
    return _thinned(result, limit) if all(_is_number(value) for value in result) else result


def _thinned(values: Sequence[float | None], limit: int) -> list[float | None]:
    buckets = limit // 2
    kept: list[float | None] = []
    for bucket in range(buckets):
        start, stop = (len(values) * edge // buckets for edge in (bucket, bucket + 1))
        known = [(values[i], i) for i in range(start, stop) if values[i] is not None]
        if not known:
            kept += [None, None]
            continue
        kept += [values[i] for i in sorted((min(known)[1], max(known)[1]))]
    return kept


def pack(values: Sequence[float | None]) -> Iterator[bytes]:
    """Yield a series as chunks: version byte, dtype, length, then zstd of float64."""
    import numpy as np

    numbers = np.array(values, dtype="<f8")
    compressor = zstandard.ZstdCompressor(level=3)
    for start in range(0, len(numbers), CHUNK_VALUES):
        part = numbers[start : start + CHUNK_VALUES]
        head = _CHUNK_HEAD.pack(_CHUNK_VERSION, _DTYPE, len(part))
        yield head + compressor.compress(part.tobytes())


def unpack(chunk: bytes) -> list[float | None]:
    """Return the values of one chunk; what was null is null again.

    Raises
    ------
    ValueError
        When the chunk was written by a later version, or is damaged.
    """
    version, dtype, length = _CHUNK_HEAD.unpack_from(chunk)
    if version != _CHUNK_VERSION or dtype != _DTYPE:
        message = f"Chunk version {version} with values {dtype!r} is not known."
        raise ValueError(message)
    raw = zstandard.ZstdDecompressor().decompress(
        chunk[_CHUNK_HEAD.size :], max_output_size=8 * length
    )
    values = struct.unpack(f"<{length}d", raw)
    return [None if value != value else value for value in values]  # noqa: PLR0124 -- NaN stands for null


def as_csv(columns: Sequence[Column], currency: Currency) -> str:
    """Return the columns as CSV, one row per position, full precision, unknown left blank.

    Amounts are in the currency, which heads name: ``/designs/A/cumulative_eur``.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    heads = [currency.name(column.pointer) for column in columns]
    writer.writerow(["position", *heads])
    shown = [
        column.values
        if head == column.pointer
        else [currency.amount(value) for value in column.values]
        for head, column in zip(heads, columns, strict=True)
    ]
    writer.writerows((row, *values) for row, values in enumerate(zip_longest(*shown)))
    return text.getvalue()


def as_float32(columns: Sequence[Column]) -> bytes:
    """Return the columns as little-endian float32, one after the other, behind a JSON head.

    ``AMP1``, the head's length (uint32), the head ``{"columns": [{"pointer", "length"}]}``
    padded with blanks to a multiple of four bytes, then the values; unknown is NaN.
    """
    import numpy as np

    listed: JSONDict = {
        "columns": [{"pointer": c.pointer, "length": len(c.values)} for c in columns]
    }
    head = orjson.dumps(listed)
    head += b" " * (-len(head) % 4)
    with np.errstate(over="ignore"):
        body = b"".join(np.array(c.values, "<f8").astype("<f4").tobytes() for c in columns)
    return _MAGIC + struct.pack("<I", len(head)) + head + body
