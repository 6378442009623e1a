"""Numbers of events as a browser sees them: they resume a stream and count nothing.

The table counts all workspaces' events in one sequence, so that the differences between two
numbers would tell how busy others are. Outside, each workspace has numbers of its own, which
a key of this service turns into the table's and back (a Feistel network of four rounds; Luby
and Rackoff, SIAM Journal on Computing 17(2), 1988).
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from uuid import UUID

_ROUNDS = 4
_HALF_BITS = 32
_HALF = (1 << _HALF_BITS) - 1
# 2^64 has so many digits.
DIGITS_MAX = 20


def outside(seq: int, workspace_id: UUID) -> int:
    """Return what a browser of this workspace is told instead of a number of the table."""
    left, right = seq >> _HALF_BITS, seq & _HALF
    for place in range(_ROUNDS):
        left, right = right, left ^ _mixed(place, right, workspace_id)
    return left << _HALF_BITS | right


def inside(number: int, workspace_id: UUID) -> int:
    """Return the number of the table behind what a browser was told."""
    left, right = number >> _HALF_BITS & _HALF, number & _HALF
    for place in reversed(range(_ROUNDS)):
        left, right = right ^ _mixed(place, left, workspace_id), left
    return left << _HALF_BITS | right


def _mixed(place: int, half: int, workspace_id: UUID) -> int:
    text = b"events %d %d " % (place, half) + workspace_id.bytes
    found = hmac.digest(settings.SECRET_KEY.encode(), text, hashlib.sha256)
    return int.from_bytes(found[: _HALF_BITS // 8], "big")
