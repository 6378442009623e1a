"""What a parity array reads before it writes, against linear algebra over the field of RAID-6."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.rng import streams
from capmodels.storage.drive.drives import ULTRASTAR_15K73
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.build import build
from capmodels.storage.simulator.layout import PARITIES, Layout, lost_disks
from capmodels.storage.simulator.loop_kernel import open_loop
from capmodels.storage.simulator.params import ArrayDesign

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.slow

CHUNK = 128  # sectors
Row = list[int]


def _times(a: int, b: int) -> int:
    """Product in GF(2^8) by x^8 + x^4 + x^3 + x^2 + 1, as RAID-6 has it (Anvin)."""
    found = 0
    while b:
        if b & 1:
            found ^= a
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return found


def _power(a: int, n: int) -> int:
    found = 1
    for _ in range(n):
        found = _times(found, a)
    return found


def _reduced(row: Row, basis: list[tuple[int, Row]]) -> Row:
    for pivot, known in basis:
        if row[pivot]:
            factor = row[pivot]
            row = [a ^ _times(factor, b) for a, b in zip(row, known, strict=True)]
    return row


def _tell(known: Iterable[Row], wanted: Iterable[Row]) -> bool:
    """Whether the chunks ``known``, as sums of data, determine those ``wanted``."""
    basis: list[tuple[int, Row]] = []
    for row in known:
        left = _reduced(row, basis)
        pivot = next((i for i, x in enumerate(left) if x), None)
        if pivot is not None:
            inverse = _power(left[pivot], 254)
            basis.append((pivot, [_times(inverse, x) for x in left]))
    return all(not any(_reduced(row, basis)) for row in wanted)


def _chunks(width: int, parities: int, stripe: int) -> list[Row]:
    """What each disk holds of a stripe: factors of its data chunks."""
    data = width - parities
    parity = width - 1 - stripe % width
    rows = [[0] * data for _ in range(width)]
    for index in range(data):
        rows[(parity + parities + index) % width][index] = 1
    # Powers of 1, 2 and 4: with three parities any three chunks can be worked out (Leventhal 2009).
    for check in range(parities):
        factors = [_power(1 << check, index) for index in range(data)]
        rows[(parity + check) % width] = factors
    return rows


def _reads(design: ArrayDesign, requests: list[tuple[int, int, int]]) -> list[list[int]]:
    """Disks that each of some requests, a second apart, reads first."""
    run = build(design)
    rng = streams(1, 1)[0]
    count = run.record["count"][: design.layout.disks_count, k.READ_OPS]
    found = []
    for i, request in enumerate(requests):
        before = count.copy()
        open_loop(run.machine, run.held, np.array([1000.0 * i]), np.array([request]), 0.0, rng)
        found.append([int(d) for d in np.flatnonzero(count - before)])
    return found


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("kind", "width"), [("raid5", 5), ("raid6", 4), ("raid6", 6), ("raid7", 5), ("raid7", 7)]
)
@pytest.mark.decisive
def test_what_is_read_is_enough_for_the_new_parities_and_no_less_is(
    kind: Any, width: int, lost: int
) -> None:
    parities = PARITIES[kind]
    if lost > parities:
        return
    layout = Layout(kind=kind, disks_count=width, failed_disk_count=lost, locked_updates=False)
    design = ArrayDesign(drive=ULTRASTAR_15K73, layout=layout, timeouts=None)
    data, gone = width - parities, set(lost_disks(layout))
    places = [
        (stripe, low, high)
        for stripe in range(width)
        for low in range(data)
        for high in range(low, data)
    ]
    requests = [
        ((stripe * data + low) * CHUNK, (high - low + 1) * CHUNK, 1) for stripe, low, high in places
    ]
    for (stripe, low, high), read in zip(places, _reads(design, requests), strict=True):
        chunks = _chunks(width, parities, stripe)
        checks = [(width - 1 - stripe % width + n) % width for n in range(parities)]
        # The part of each parity that is left that the data not written make up.
        wanted = [
            [0 if low <= i <= high else x for i, x in enumerate(chunks[d])]
            for d in checks
            if d not in gone
        ]
        assert not gone & set(read)
        assert _tell([chunks[d] for d in read], wanted)
        left = [d for d in range(width) if d not in gone]
        for fewer in combinations(left, max(len(read) - 1, 0)):
            assert len(read) == 0 or not _tell([chunks[d] for d in fewer], wanted)


@pytest.mark.parametrize(
    ("kind", "lost"), [("raid6", 1), ("raid6", 2), ("raid7", 1), ("raid7", 2), ("raid7", 3)]
)
def test_what_is_read_for_a_lost_chunk_tells_it(kind: Any, lost: int) -> None:
    parities = PARITIES[kind]
    width = 4 + parities
    layout = Layout(kind=kind, disks_count=width, failed_disk_count=lost)
    design = ArrayDesign(drive=ULTRASTAR_15K73, layout=layout, timeouts=None)
    requests = [(number * CHUNK, 8, 0) for number in range(4 * width)]
    for number, read in enumerate(_reads(design, requests)):
        stripe, index = divmod(number, 4)
        chunks = _chunks(width, parities, stripe)
        wanted = [[int(i == index) for i in range(4)]]
        assert _tell([chunks[d] for d in read], wanted)
        assert len(read) in {1, 4}
