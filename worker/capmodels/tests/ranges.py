"""Whether a value is the middle of what its range holds for likely."""

from __future__ import annotations

# What the note of a value says whose range leans because its source prints it so.
OF_THE_SOURCE = "range of the source"
_NEAR = 0.05


def is_centred(value: float, low: float, high: float) -> bool:
    """Return whether the mean of a triangular range is its value, within 5%.

    Around 0 within 5% of the range's width.

    Examples
    --------
    >>> is_centred(2.0, 1.2, 2.8), is_centred(2.0, 1.2, 3.5), is_centred(0.0, 0.0, 0.15)
    (True, False, False)
    """
    mean = (low + value + high) / 3.0
    return abs(mean - value) <= _NEAR * (abs(value) or high - low)
