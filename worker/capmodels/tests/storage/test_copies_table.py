"""The table by which copies are found, against a dictionary; as Python, nothing is compiled."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from capmodels.storage.simulator import copies_kernel as kernel
from capmodels.storage.simulator import copies_slots as c

BLOCKS = 60
slot_of: Any = kernel.slot_of.py_func


WORD = 2**64


def colliding(count: int, slots: int = 4) -> list[int]:
    """Keys that all want one of the first few places: the hash, undone."""
    undo = pow(kernel._HASH, -1, WORD)
    keys = [((number % slots << 17) + number) * undo % WORD for number in range(1, count + 1)]
    return [key - WORD if key >= WORD // 2 else key for key in keys]


@pytest.mark.parametrize("seed", range(3))
def test_a_block_is_found_until_it_is_dropped_however_many_want_its_place(seed: int) -> None:
    rng = random.Random(seed)
    machine: Any = SimpleNamespace(
        replica_table=np.zeros(c.TABLE_SIZE, np.int64),
        replicas=np.zeros((BLOCKS + 1, c.KEY + 1), np.int64),
    )
    with np.errstate(over="ignore"):
        keys = dict(enumerate(colliding(BLOCKS), start=1))
        held: set[int] = set()
        for _ in range(400):
            entry = rng.randrange(1, BLOCKS + 1)
            key: Any = np.int64(keys[entry])
            slot = slot_of(machine, key)
            if entry in held:
                kernel.empty_slot.py_func(machine, slot)
                held.remove(entry)
            else:
                machine.replicas[entry, c.KEY] = key
                machine.replica_table[slot] = entry
                held.add(entry)
            found = {
                one
                for one, of in keys.items()
                if machine.replica_table[slot_of(machine, np.int64(of))] == one
            }
            assert found == held
