"""Copies in free space: the thesis's rules, and the kernels against a plain policy."""

from __future__ import annotations

import numpy as np
import pytest

from capmodels.storage.fs2 import table_bytes
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator.copies import copied, copies_use
from capmodels.storage.simulator.extras import FreeSpaceCopies
from capmodels.tests.storage.copies_probe import END_EPOCH, OCCUPY, READ, WRITE, Probe
from capmodels.tests.storage.fs2_oracle import BLOCK_SECTORS, Oracle

pytestmark = pytest.mark.slow

DISK_BLOCKS = 1_000_000
FAR = 500_000


def _probe() -> Probe:
    terms = FreeSpaceCopies(region_bytes=10_000 * 4096, free_fraction=0.4)
    return Probe(terms, DISK_BLOCKS * BLOCK_SECTORS)


def _read(*blocks: int, head: int = 0) -> list[tuple[int, int, int, int]]:
    return [(READ, block * BLOCK_SECTORS, BLOCK_SECTORS, head) for block in blocks]


def _end() -> tuple[int, int, int, int]:
    return (END_EPOCH, 0, 0, 0)


def _with_far_copies() -> Probe:
    """Blocks 500,000 to 500,003 have been copied into the hot region 0."""
    probe = _probe()
    assert probe.do(*_read(*[10] * 50, FAR, FAR + 1, FAR + 2, FAR + 3), _end())[-1] == 4
    return probe


def test_reads_far_from_the_hot_region_are_copied_in_their_order() -> None:
    probe = _probe()
    probe.do(*_read(*[10] * 50, 700_000, 500_000, 600_000, 700_000), _end())
    places = {block: place for block, (place, _at, _uses) in probe.copies().items()}
    assert places == {700_000: 6_000, 500_000: 6_001, 600_000: 6_002}


def test_check_20_a_request_is_moved_whole_or_not_at_all() -> None:
    probe = _with_far_copies()
    sector = FAR * BLOCK_SECTORS
    whole, partly = (READ, sector, 4 * BLOCK_SECTORS, 0), (READ, sector, 5 * BLOCK_SECTORS, 0)
    assert probe.do(whole, partly) == [6_000 * BLOCK_SECTORS, sector]
    # Its third block is copied anew, behind another one: no longer in one piece.
    third = (WRITE, (FAR + 2) * BLOCK_SECTORS, BLOCK_SECTORS, 0)
    probe.do(third, *_read(*[10] * 50, 800_000, FAR + 2), _end())
    # FAR + 4, which the fifth block of the request above was, and 800,000 come before it.
    assert probe.copies()[FAR + 2][0] == 6_006
    assert probe.do(whole) == [sector]


def test_a_request_inside_a_block_is_moved_too() -> None:
    probe = _with_far_copies()
    inside = (READ, (FAR + 1) * BLOCK_SECTORS + 3, 2, 0)
    assert probe.do(inside) == [6_001 * BLOCK_SECTORS + 3]


@pytest.mark.decisive
def test_the_nearer_copy_is_read() -> None:
    probe = _with_far_copies()
    sector = FAR * BLOCK_SECTORS
    halfway = (6_000 * BLOCK_SECTORS + sector) // 2
    heads = (sector + 80, halfway - 1, halfway, halfway + 1)
    found = probe.do(*((READ, sector, BLOCK_SECTORS, head) for head in heads))
    # At equal distance the original is read: the thesis asks for a copy that is nearer.
    assert found == [sector, 6_000 * BLOCK_SECTORS, sector, sector]


def test_check_20_a_write_makes_copies_invalid() -> None:
    probe = _with_far_copies()
    written = (FAR + 1) * BLOCK_SECTORS
    assert probe.do((WRITE, written, BLOCK_SECTORS, 0), *_read(FAR + 1)) == [written, written]
    assert sorted(probe.copies()) == [FAR, FAR + 2, FAR + 3]
    assert probe.figure(c.INVALIDATED) == 1


def test_check_20_watermarks() -> None:
    probe = _with_far_copies()
    free = 400_000 - 4
    probe.do(*_read(FAR, FAR + 1, FAR + 2), (OCCUPY, free - 99_999, 0, 0))
    # 9.9999% were free: the coldest copy goes, which is enough.
    assert sorted(probe.copies()) == [FAR, FAR + 1, FAR + 2]
    assert probe.figure(c.FREE) == 100_000
    probe.do((OCCUPY, 51_000, 0, 0))
    # 4.9% were free: whole regions go.
    assert probe.figure(c.FREE) == 49_003
    assert not probe.copies()
    assert probe.figure(c.SUSPENDED) == 1
    again = (*_read(*[10] * 50, 800_000), _end())
    probe.do((OCCUPY, 49_003 - 120_000, 0, 0))
    assert probe.do(*again)[-1] == 0
    probe.do((OCCUPY, -30_000, 0, 0))
    assert probe.figure(c.FREE) == 150_000
    assert probe.do(*again)[-1] == 1


def test_check_21_memory_of_the_table() -> None:
    assert table_bytes(2**30) == 4 * 2**20
    rows = np.zeros((1, c.LAYER_COUNT - c.LIVE), np.int64)
    rows[0, 0] = 2**30 // 4096
    use = copies_use(rows, full=False)
    assert use is not None
    assert use.table_mb == 4 * 2**20 / 1e6


def _stream(seed: int, count: int) -> list[tuple[int, int, int, int]]:
    """Steps on a disk of 8,001 blocks: bursts in hot places, writes, files that come and go."""
    rng = np.random.Generator(np.random.PCG64(seed))
    steps, taken, head, home = [], 0, 0, 0
    for _ in range(count):
        dice = rng.random()
        if dice < 0.02:
            steps.append(_end())
            home = int(rng.integers(0, 7_000))
        elif dice < 0.024:
            wanted = int(rng.integers(0, 2_700))
            steps.append((OCCUPY, wanted - taken, 0, 0))
            taken = wanted
        else:
            kind = WRITE if dice < 0.12 else READ
            block = home + int(rng.integers(0, 300)) if rng.random() < 0.6 else 0
            block = block or int(rng.integers(0, 150)) * 52
            sector = block * BLOCK_SECTORS + int(rng.integers(0, 8)) * (rng.random() < 0.2)
            sectors = int(rng.choice([1, 8, 16, 64]))
            sector = min(sector, 8_001 * BLOCK_SECTORS - sectors)
            head = int(rng.integers(0, 8_001 * 8)) if rng.random() < 0.5 else head
            steps.append((kind, sector, sectors, head))
    return steps


def _asked(oracle: Oracle, step: tuple[int, int, int, int]) -> int:
    kind, sector, sectors, head = step
    if kind == OCCUPY:
        oracle.occupy(sector)
        return 0
    if kind == END_EPOCH:
        return oracle.end_epoch()
    return oracle.write(sector, sectors) if kind == WRITE else oracle.read(sector, sectors, head)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_decision_is_that_of_the_plain_policy(seed: int) -> None:
    steps = _stream(seed, 6_000)
    terms = FreeSpaceCopies(region_bytes=500 * 4096, free_fraction=0.35)
    probe = Probe(terms, 8_001 * BLOCK_SECTORS, d=seed - 1)
    oracle = Oracle(8_001 * BLOCK_SECTORS, region_blocks=500, free_fraction=0.35)
    assert probe.do(*steps) == [_asked(oracle, step) for step in steps]
    assert probe.copies() == {
        block: (replica.place, replica.used_at, replica.uses_count)
        for block, replica in oracle.replicas.items()
    }
    rows = copied(probe.m)
    live, reads, hits, blocks, _writes, invalidated, reclaimed, left = rows[probe.d].tolist()
    assert (live, reads, hits, blocks) == (
        len(oracle.replicas),
        oracle.reads_count,
        oracle.hits_count,
        oracle.copied_blocks,
    )
    assert (invalidated, reclaimed, left) == (
        oracle.invalidated_count,
        oracle.reclaimed_count,
        oracle.not_copied_count,
    )
    # The stream is hard enough: every rule was at work, and the other disks were left alone.
    assert min(hits, blocks, invalidated, reclaimed, left) > 100
    assert rows.sum() == rows[probe.d].sum()
