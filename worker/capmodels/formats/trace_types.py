"""What a stored trace is: its requests or its samples, in columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray


Kind = Literal["block", "utilization", "inference"]


BLOCK_BYTES = 512


@dataclass(frozen=True, slots=True)
class BlockRequests:
    """Block requests in the order of the file; every column has the same length.

    Times begin at 0. [s] Places and sizes are in blocks of 512 bytes; a size is at least one
    block. ``response_s`` is None where the file gives no response times.
    """

    time_s: NDArray[np.float64]
    device: NDArray[np.int32]
    block_lba: NDArray[np.int64]
    size_blocks: NDArray[np.int32]
    is_read: NDArray[np.bool_]
    response_s: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class UtilizationTrace:
    """Machines by steps of equal length; fractions from 0 to 1, no gaps.

    A missing sample holds the one before it; before its first and after its last sample a
    machine is taken to use nothing.
    """

    step_s: float
    names: tuple[str, ...]
    cpu_fraction: NDArray[np.float32]
    memory_fraction: NDArray[np.float32] | None = None
    watts: NDArray[np.float32] | None = None
    start_s: float = 0.0  # Unix time, or 0 where the file only counts


@dataclass(frozen=True, slots=True)
class InferenceTrace:
    """Requests to language models in order of arrival; every column has the same length.

    Times begin at 0. [s] ``seen_tokens`` are those of a prompt that began an earlier one.
    """

    time_s: NDArray[np.float64]
    prompt_tokens: NDArray[np.int32]
    output_tokens: NDArray[np.int32]
    seen_tokens: NDArray[np.int32]
    start_s: float = 0.0  # Unix time, or 0 where the file only counts


@dataclass(frozen=True, slots=True)
class StoredTrace:
    """A trace as it is kept: packed pieces, see ``trace_columns``.

    ``rows_count`` is the number of requests, or of machines.
    """

    kind: Kind
    sha256: str
    pieces: Callable[[], Iterator[bytes]]
    rows_count: int
