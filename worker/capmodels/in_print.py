"""How exactly a source prints a figure: what its last place leaves out."""

from __future__ import annotations

import math
import re

_WORDS = {"half": (0.5, 0.05), "one": (1.0, 0.5), "two": (2.0, 0.5), "three": (3.0, 0.5)}
_NUMBER = re.compile(r"((?<!\d)[-−]?)\$?(\d[\d,]*)(?:\.(\d+))?(%?)( K\b)?")
# Digits of a figure that no source prints, where more than its last bits is allowed to it.
_DIGITS = 3


def numbers_printed(text: str) -> list[tuple[float, float]]:
    """Return the numbers of a printed text, each with half of its last place.

    >>> numbers_printed("$27,000"), numbers_printed("110 K")
    ([(27000.0, 500.0)], [(110000.0, 5000.0)])
    """
    found = []
    for sign, whole, decimals, percent, kilo in _NUMBER.findall(text):
        digits = whole.replace(",", "")
        # Zeros at the end of a percentage are digits, those of an amount may be rounding.
        zeros = 0 if percent else len(digits) - len(digits.rstrip("0"))
        place = 10.0 ** -len(decimals) if decimals else 10.0 ** (zeros if digits != "0" else 0)
        scale = (0.01 if percent else 1.0) * (1000.0 if kilo else 1.0) * (-1.0 if sign else 1.0)
        found.append((float(f"{digits}.{decimals or 0}") * scale, abs(place * scale) / 2))
    return found or [_WORDS[word] for word in text.split() if word in _WORDS]


def left_out(text: str, figure: float) -> float | None:
    """Return what print leaves out of a figure: half of its last place, or of its span.

    What a source says itself (248 in 44,884 +/- 248) is that instead. None where the text does not
    print that figure: as a number, the sum of its numbers, or the middle of two.

    >>> left_out("59.9%", 0.599), left_out("375-380", 377.5), left_out("three", 2.6)
    (0.0005, 2.5, None)
    >>> left_out("44,884 +/- 248", 44_884)
    248.0
    """
    numbers = numbers_printed(text)
    values = [value for value, _ in numbers]
    if "+/-" in text:
        return values[1]
    found = [half for value, half in numbers if math.isclose(value, figure, rel_tol=1e-6)]
    if not found and numbers:
        ends = {sum(values): min(half for _, half in numbers)}
        if len(values) == 2:
            ends[sum(values) / 2] = abs(values[1] - values[0]) / 2
        found = [half for value, half in ends.items() if math.isclose(value, figure, rel_tol=1e-6)]
    return found[0] if found else None


def left_out_of_worked(figure: float) -> float:
    """Return half of the last of three digits of a figure that was worked out, not printed.

    >>> left_out_of_worked(1.4209), left_out_of_worked(0.0)
    (0.005, 0.0)
    """
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(figure))) - _DIGITS + 1) if figure else 0.0
