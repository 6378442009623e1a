"""What every parser of utilization yields: samples by machine, and how times are read."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from capmodels.formats.chunks import lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.written_numbers import Mark

# Numbers above this are times in milliseconds: it is 1973 in milliseconds, 5138 in seconds.
_MILLISECONDS_ABOVE = 1e11
# More than 30,000 years: no clock says so.
_TIME_MAX_S = 1e12


# Where a file says no times: those of PlanetLab and of Google.
STEP_S = 300.0


class Sample(NamedTuple):
    """One sample of one machine; what it does not hold is not a number."""

    name: str
    at_s: float
    cpu_fraction: float = math.nan
    memory_fraction: float = math.nan
    watts: float = math.nan


_FORMS = ("%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M")


class Unreadable(ValueError):
    """A line that cannot be read, for the reason that its message is."""


def time_s(text: str) -> float:
    """Return a time as seconds: a number (seconds or milliseconds), or a date in UTC.

    Raises
    ------
    ValueError
        When it is none of these.
    """
    text = text.strip().strip('"')
    try:
        number = float(text)
    except ValueError:
        return _date_s(text)
    if not math.isfinite(number):
        raise ValueError(text)
    at_s = number / 1e3 if abs(number) > _MILLISECONDS_ABOVE else number
    if abs(at_s) > _TIME_MAX_S:
        raise ValueError(text)
    return at_s


def _date_s(text: str) -> float:
    if text.endswith(" UTC"):
        text = text[:-4] + "+00:00"
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = _formatted(text)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _formatted(text: str) -> datetime:
    for form in _FORMS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise ValueError(text)


def number(text: str, mark: Mark = ".") -> float:
    """Return a number with a sign before its decimals; NaN where the cell is empty or says so.

    Raises
    ------
    ValueError
        When it is a word.
    """
    text = text.strip().strip('"')
    if text.lower() in {"", "-", "na", "n/a", "nan", "null", "none", "+inf", "-inf", "inf"}:
        return math.nan
    if mark == ",":
        text = text.replace(".", "").replace(",", ".")
    return float(text.removesuffix("%"))


def fraction(percent: float) -> float:
    """Return a percentage as a fraction.

    Raises
    ------
    ValueError
        When it is below 0 or above 100 by more than a meter's error.
    """
    if math.isnan(percent):
        return percent
    if not -0.5 <= percent <= 110.0:
        raise Unreadable(f"The use is {percent:g}%; it must lie between 0% and 100%.")
    return min(max(percent / 100.0, 0.0), 1.0)


def lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a text without their ends."""
    return (line.decode("utf-8", "replace").rstrip("\r") for line in lines(chunks))


def why(exc: Exception) -> str:
    if isinstance(exc, IndexError):
        return "A column is missing."
    text = str(exc)
    if isinstance(exc, Unreadable):
        return text
    cell = text.rpartition(":")[2].strip().strip("'")
    return f"{cell[:40]!r} cannot be read as a number or a time." if cell else "It cannot be read."
