"""Traces as models read them: what goes in comes out, and what cannot be read says so."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from capmodels.errors import ParamsError
from capmodels.formats.chunks import Requests, cut
from capmodels.formats.trace_columns import PIECE_ROWS, Packer, unpack_requests
from capmodels.formats.trace_store import (
    TraceRef,
    block_pieces,
    block_requests,
    held,
    using,
    utilization,
)
from capmodels.formats.trace_types import BlockRequests, UtilizationTrace

ID = "018f3d5e-0000-7000-8000-000000000001"
OTHER = "018f3d5e-0000-7000-8000-000000000002"


def _requests(rows: int) -> Requests:
    draw = np.random.default_rng(7)
    return Requests(
        5.0 + np.cumsum(draw.exponential(0.01, rows)),
        draw.integers(0, 3, rows).astype(np.int32),
        draw.integers(0, 1 << 40, rows),
        draw.integers(1, 9, rows) * 512,
        draw.random(rows) < 0.3,
        np.full(rows, np.nan),
    )


def _blocks(rows: int) -> BlockRequests:
    given = _requests(rows)
    size = (given.size_bytes // 512).astype(np.int32)
    return BlockRequests(given.at_s - given.at_s[0], given.device, given.sector, size, ~given.write)


def _cluster() -> UtilizationTrace:
    cpu = np.random.default_rng(3).random((5, 288)).astype(np.float32)
    return UtilizationTrace(300.0, tuple("abcde"), cpu, watts=cpu * 100 + 50)


@pytest.mark.decisive
def test_requests_come_back_as_they_were_stored() -> None:
    given = _blocks(2 * PIECE_ROWS + 17)
    loader, refs = held({ID: given})
    with using(loader):
        found = block_requests(refs[ID])
        assert [len(piece.time_s) for piece in block_pieces(refs[ID])] == [
            PIECE_ROWS,
            PIECE_ROWS,
            17,
        ]
    for name in ("time_s", "device", "block_lba", "size_blocks", "is_read"):
        assert getattr(found, name).dtype == getattr(given, name).dtype
        np.testing.assert_array_equal(getattr(found, name), getattr(given, name))
    assert found.response_s is None


def test_the_hash_does_not_depend_on_how_the_file_was_cut() -> None:
    whole = _requests(70_000)
    hashes, rows = set(), []
    for length in (70_000, 9_973):
        packer = Packer()
        parts = range(0, 70_000, length)
        pieces = [
            piece for start in parts for piece in packer.add(cut(whole, start, start + length))
        ]
        pieces += packer.flush()
        hashes.add(packer.sha256)
        rows.append(sum(len(unpack_requests(piece).time_s) for piece in pieces))
    assert len(hashes) == 1
    assert rows == [70_000, 70_000]


def test_utilization_comes_back_as_it_was_stored() -> None:
    given = _cluster()
    loader, refs = held({ID: given})
    with using(loader):
        found = utilization(refs[ID])
    np.testing.assert_array_equal(found.cpu_fraction, given.cpu_fraction)
    np.testing.assert_array_equal(found.watts, given.watts)
    assert found.memory_fraction is None
    assert (found.step_s, found.names) == (300.0, tuple("abcde"))


def _fault(ref: TraceRef) -> tuple[str, str]:
    with pytest.raises(ParamsError) as caught:
        block_requests(ref, "/workload/trace")
    return caught.value.faults[0].pointer, caught.value.faults[0].code


def test_what_cannot_be_read_is_a_fault_of_the_field() -> None:
    loader, refs = held({ID: _blocks(3), OTHER: _cluster()})
    assert _fault(refs[ID]) == ("/workload/trace", "needs_a_run")
    with using(loader):
        unknown = TraceRef(trace_id=ID[:-1] + "9", sha256="0" * 64)
        assert _fault(unknown) == ("/workload/trace", "not_a_choice")
        assert _fault(refs[OTHER]) == ("/workload/trace", "wrong_kind")
        stale = TraceRef(trace_id=ID, sha256="0" * 64)
        assert _fault(stale) == ("/workload/trace/sha256", "changed")


def test_the_web_may_know_references_without_numpy() -> None:
    code = "import sys, capmodels.formats.trace_store; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
