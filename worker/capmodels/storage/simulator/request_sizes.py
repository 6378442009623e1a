"""Sizes of requests: one, or a mix of several with weights. [bytes]"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import Field

from capmodels.forms import IN_KIB, weighed_by
from capmodels.numbers import quantity
from capmodels.spec import Params, assumed, refusal
from capmodels.units import Ratio, Whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SizeBytes = Annotated[
    Whole, Field(ge=512, multiple_of=512, json_schema_extra={"unit": "B"} | IN_KIB)
]
# A gigabyte: more than any command of a drive asks for.
RequestBytes = Annotated[SizeBytes, Field(le=1 << 30)]

KIB = 1024

# exp(-40): the chance that requests draw more than ``most_bytes`` says.
_MARGIN = 40.0


class SizeShare(Params):
    """A size, and how often it is asked for."""

    size_bytes: RequestBytes = assumed(8192, "Of a request.", title="Size")
    weight_ratio: Ratio = assumed(
        1.0, "How often it is asked for, against the other sizes.", title="Weight"
    )


Sizes = Annotated[
    tuple[SizeShare, ...], Field(max_length=64, json_schema_extra=weighed_by("weight_ratio"))
]


def some_weight(value: tuple[SizeShare, ...]) -> tuple[SizeShare, ...]:
    """Return the sizes; refuse a list that has only weights of 0."""
    if value and not any(share.weight_ratio for share in value):
        raise refusal("weights", "At least one size needs a weight above 0.")
    return value


class Mix(NamedTuple):
    """Sizes that occur and the share of requests that have each. [bytes, 1]"""

    sizes_bytes: tuple[int, ...]
    shares: tuple[float, ...]

    @property
    def parts(self) -> Iterator[tuple[int, float]]:
        """Each size with its share. [bytes, 1]"""
        return zip(self.sizes_bytes, self.shares, strict=True)

    @property
    def mean_bytes(self) -> float:
        """Mean size of a request. [bytes]"""
        return sum(size * share for size, share in self.parts)


class Mixes(NamedTuple):
    """Sizes of reads and of writes."""

    reads: Mix
    writes: Mix

    @property
    def largest_bytes(self) -> int:
        """Largest size that occurs. [bytes]"""
        return max(*self.reads.sizes_bytes, *self.writes.sizes_bytes)

    @property
    def is_one(self) -> bool:
        """Whether every request is as large as any other."""
        return set(self.reads.sizes_bytes) == set(self.writes.sizes_bytes) == {self.largest_bytes}


def mix_of(shares: Iterable[SizeShare], otherwise: Mix) -> Mix:
    """Return the sizes with a weight, by size; an empty list is as ``otherwise``."""
    weights: dict[int, float] = {}
    for share in shares:
        weights[share.size_bytes] = weights.get(share.size_bytes, 0.0) + share.weight_ratio
    found = sorted((size, weight) for size, weight in weights.items() if weight > 0)
    if not found:
        return otherwise
    total = sum(weight for _, weight in found)
    return Mix(tuple(s for s, _ in found), tuple(w / total for _, w in found))


def mixes_of(
    size_bytes: int, sizes: Iterable[SizeShare] = (), write_sizes: Iterable[SizeShare] = ()
) -> Mixes:
    """Sizes of reads, all of ``size_bytes`` without a list; writes are as reads without theirs.

    >>> mixes_of(4096, [SizeShare(size_bytes=512), SizeShare(size_bytes=1024, weight_ratio=3)])[1]
    Mix(sizes_bytes=(512, 1024), shares=(0.25, 0.75))
    """
    reads = mix_of(sizes, Mix((size_bytes,), (1.0,)))
    return Mixes(reads, mix_of(write_sizes, reads))


def sizes_text(mixes: Mixes, read_fraction: float) -> str:
    """The smallest and the largest size that occur.

    >>> two = [SizeShare(size_bytes=4096), SizeShare(size_bytes=65536)]
    >>> [sizes_text(mixes_of(8192, sizes), 1.0)[:7] for sizes in ((), two)]
    ['8\xa0KiB', '4 to 64']
    """
    occur = mixes.reads.sizes_bytes + (mixes.writes.sizes_bytes if read_fraction < 1 else ())
    low, high = min(occur) / KIB, max(occur) / KIB
    most = quantity(high, "KiB")
    return most if low == high else f"{low:g} to {most}"


def most_bytes(mixes: Mixes, read_fraction: float, count: int) -> int:
    """Bytes that ``count`` requests do not exceed but with a chance of exp(-40).

    Hoeffding 1963, theorem 2: a sum of n independent draws from [a, b] exceeds its mean by t with
    a chance of at most exp(-2 t^2 / (n (b - a)^2)).
    """
    if mixes.is_one:
        return count * mixes.largest_bytes
    mean = read_fraction * mixes.reads.mean_bytes + (1 - read_fraction) * mixes.writes.mean_bytes
    sizes = (*mixes.reads.sizes_bytes, *mixes.writes.sizes_bytes)
    above = (max(sizes) - min(sizes)) * math.sqrt(_MARGIN / 2 * count)
    return min(count * max(sizes), math.ceil(count * mean + above))
