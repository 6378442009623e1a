"""Series of a result: packed, thinned, sent as columns."""

from __future__ import annotations

import csv
import io
import math
import struct
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capmodels.numbers import USD
from runs import columns

VALUES = st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), max_size=50)


@given(VALUES)
@pytest.mark.decisive
def test_a_packed_series_reads_back_exactly(values: list[float | None]) -> None:
    assert [v for chunk in columns.pack(values) for v in columns.unpack(chunk)] == values


def test_a_long_series_is_packed_in_several_chunks() -> None:
    values = [float(i) for i in range(columns.CHUNK_VALUES + 1)]
    chunks = list(columns.pack(values))
    assert len(chunks) == 2
    assert [v for chunk in chunks for v in columns.unpack(chunk)] == values


def test_a_chunk_of_a_later_version_is_refused() -> None:
    chunk = next(columns.pack([1.0]))
    with pytest.raises(ValueError, match="version 9"):
        columns.unpack(b"\x09" + chunk[1:])


@given(st.lists(st.floats(-1e6, 1e6) | st.none(), min_size=21, max_size=200))
def test_a_thinned_series_keeps_its_least_and_its_greatest_value(
    values: list[float | None],
) -> None:
    thinned = columns.reduce_for_screen({"x": values}, limit=20)["x"]
    known = [v for v in values if v is not None]
    assert len(thinned) <= 20
    if known:
        shown = [v for v in thinned if v is not None]
        assert (min(shown), max(shown)) == (min(known), max(known))


def test_designs_are_named_by_letter_in_columns() -> None:
    result: Any = {"designs": [{"letter": "B", "cumulative_usd": [1.0, None]}], "warnings": ["x"]}
    assert list(columns.columns_of(result)) == [
        columns.Column("/designs/B/cumulative_usd", [1.0, None])
    ]


def test_float32_columns_are_read_by_their_head() -> None:
    body = columns.as_float32([columns.Column("/a", [1.5, None]), columns.Column("/b", [1e300])])
    (length,) = struct.unpack_from("<I", body, 4)
    head = orjson.loads(body[8 : 8 + length])
    numbers = np.frombuffer(body, "<f4", offset=8 + length)
    assert body[:4] == b"AMP1"
    assert (8 + length) % 4 == 0
    assert head["columns"] == [{"pointer": "/a", "length": 2}, {"pointer": "/b", "length": 1}]
    assert numbers[0] == 1.5
    assert math.isnan(numbers[1])
    assert math.isinf(numbers[2])


def test_csv_keeps_full_precision_and_leaves_unknown_blank() -> None:
    series = [columns.Column("/a", [0.1, None, 1 / 3]), columns.Column("/b", [2.0])]
    text = columns.as_csv(series, USD)
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [
        ["position", "/a", "/b"],
        ["0", "0.1", "2.0"],
        ["1", "", ""],
        ["2", repr(1 / 3), ""],
    ]
