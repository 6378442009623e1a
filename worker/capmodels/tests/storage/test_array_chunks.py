"""Replicates in chunks, done anywhere in any order, are the same to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.chunks import serving
from capmodels.errors import ModelError
from capmodels.spec import Context
from capmodels.storage import array
from capmodels.storage.array import ArrayParams, mobile
from capmodels.storage.simulator.packing import packed, unpacked
from capmodels.storage.simulator.params import SyntheticWorkload
from capmodels.storage.simulator.run import replicate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.chunks import ChunkFunction

WORK = SyntheticWorkload(requests_count=400)
PARAMS = ArrayParams(array=mobile(3), workload=WORK, replicates_count=5)


def backwards(function: ChunkFunction, chunks: Sequence[dict[str, Any]]) -> list[bytes]:
    return [function(chunk, lambda *_told: None) for chunk in reversed(chunks)][::-1]


def test_replicates_in_chunks_are_those_of_one_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    one_by_one = replicate(PARAMS.array, WORK, seed=7, index=0)
    for index in range(1, 5):
        one_by_one = one_by_one.merged(replicate(PARAMS.array, WORK, seed=7, index=index))
    whole = array._run(PARAMS, Context(seed=7))
    assert whole.energy_per_1000_requests_j == pytest.approx(
        one_by_one.energy_mj.sum() / one_by_one.taken, rel=1e-12
    )
    for requests in (1, 800, 10_000):
        monkeypatch.setattr(array, "CHUNK_REQUESTS", requests)
        with serving(backwards):
            assert array._run(PARAMS, Context(seed=7)) == whole


@pytest.mark.decisive
def test_an_outcome_is_unpacked_as_it_was() -> None:
    first = replicate(PARAMS.array, WORK, seed=1, index=0)
    outcomes = [first, first.merged(replicate(PARAMS.array, WORK, seed=1, index=1))]
    for before, after in zip(outcomes, unpacked(packed(outcomes)), strict=True):
        for name, value in vars(before).items():
            other = getattr(after, name)
            assert type(other) is type(value), name
            np.testing.assert_equal(other, value, name)


def test_a_chunk_of_another_version_is_refused() -> None:
    chunk = {"version": "0.0.0", "params": {}, "seed": 1, "first": 0, "last": 0}
    with pytest.raises(ModelError, match=r"version 0\.0\.0"):
        array.replicates(chunk, lambda *_told: None)


def test_progress_runs_through_all_replicates() -> None:
    told: list[float] = []
    array._run(PARAMS, Context(seed=7, report=lambda fraction, _text: told.append(fraction)))
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)
