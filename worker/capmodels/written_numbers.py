"""Numbers as people and programs write them: which sign stands before decimals, and the value.

A text decides itself where it has a leading zero, two kinds of sign, or a group that is not of
three digits. Else (1,234) the other cells of its column decide, or who wrote it. The pages read
what is typed by the same rule (``frontend/src/lib/typed-number.ts``), and both are held to one
table (``fixtures/typed_numbers.json``).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from capmodels.errors import Fault, ParamsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Mark = Literal[".", ","]
MARKS: tuple[Mark, Mark] = (".", ",")
MARKS_BY_NAME: dict[str, Mark] = {"point": ".", "comma": ","}
# Codes of the currencies that have a sign of their own.
MONEY_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}

_GAP = re.compile(r"[\s\u00a0\u2009\u202f]")
_BODY = re.compile(r"([-+\u2212]?) ?([0-9.,' ]*[0-9][0-9.,' ]*)([eE][+-]?[0-9]+)?")
_NEGATIVE = re.compile(r"\(([^-+\u2212].*)\)|([^-+\u2212].*)-")
_GROUPED = {
    ".": re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+"),
    # By three digits, or by two before the last three as in India.
    ",": re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})*,[0-9]{3}"),
    " ": re.compile(r"[1-9][0-9]{0,2}(?: [0-9]{3})+"),
    "'": re.compile(r"[1-9][0-9]{0,2}(?:'[0-9]{3})+"),
}
# An amount without cents: 95.000,- and 95'000.-- are 95.000,0 and 95'000.0.
_NO_CENTS = re.compile(r"([0-9][.,])[-\u2013\u2014]{1,2}(?![0-9])")
_FIRST_GROUP = re.compile(r"[1-9][0-9]{0,2}")
_DIGITS = re.compile(r"[0-9]*")
# The numbers within a text that says more: $1,234.50 hourly.
_WITHIN = re.compile(r"[0-9]*[.,]?[0-9](?:[0-9.,'\u2019 \u00a0\u2009\u202f]*[0-9])?")


def number_of(text: str, mark: Mark | None = None) -> float:
    """Return the value of a written number.

    Parameters
    ----------
    text : str
        The number: 1,234.5; 1.234,5; 1 234,5; 1'234.5; 12,34,567; (1,500.00); 1500-; 2,5e-3.
    mark : {".", ","}, optional
        The sign before decimals, where the text leaves it open (1,234); a point without it.

    Returns
    -------
    float
        The value, finite.

    Raises
    ------
    ValueError
        When it is no number.

    Examples
    --------
    >>> number_of("1.250"), number_of("1.250", ","), number_of("(1,500.00)"), number_of("0,125")
    (1.25, 1250.0, -1500.0, 0.125)
    """
    tidy = _NO_CENTS.sub(r"\g<1>0", _GAP.sub(" ", text.strip()).replace("\u2019", "'"))
    negative = _NEGATIVE.fullmatch(tidy)
    match = _BODY.fullmatch(negative[1] or negative[2] if negative else tidy)
    if match is None:
        raise ValueError(text)
    sign, body, power = match.groups(default="")
    signs = [one for one in body if one in _GROUPED]
    decimal = _own_mark(body, signs, has_power=bool(power))
    if decimal is None and _is_open(body, signs):
        decimal = body[-4] if body[-4] == (mark or ".") else None
    cut = len(body) if decimal is None else body.rindex(decimal)
    whole, decimals = body[:cut], body[cut + 1 :]
    is_grouped = bool(signs) and signs[0] != decimal
    form = _GROUPED[signs[0]] if is_grouped else _DIGITS
    if not (form.fullmatch(whole) and _DIGITS.fullmatch(decimals)):
        raise ValueError(text)
    digits = re.sub(r"[.,' ]", "", whole)
    value = float(f"{digits or 0}.{decimals or 0}{power}")
    if not math.isfinite(value):
        raise ValueError(text)
    return -value if negative or sign in {"-", "\u2212"} else value


def _is_open(body: str, signs: list[str]) -> bool:
    """Whether a number has one sign that may part thousands as well as stand before decimals."""
    if len(signs) != 1 or signs[0] not in MARKS:
        return False
    before, after = body.split(signs[0])
    return len(after) == 3 and _FIRST_GROUP.fullmatch(before) is not None


def _own_mark(body: str, signs: list[str], *, has_power: bool) -> Mark | None:
    """Which sign a number itself says to stand before decimals; None where it has or says none."""
    last: Mark = "." if signs and signs[-1] == "." else ","
    if not signs or signs[-1] != last:
        return None
    if any(sign != last for sign in signs):
        return last
    return None if len(signs) > 1 or (_is_open(body, signs) and not has_power) else last


@dataclass(frozen=True, slots=True)
class Convention:
    """How the numbers of a column are written.

    Attributes
    ----------
    mark : {".", ","} or None
        The sign before decimals; None where no cell says it.
    example : str
        The first number that could be read in two ways; empty where there is none.
    is_told : bool
        Whether a cell of the column itself says it, rather than those of other columns.
    """

    mark: Mark | None = None
    example: str = ""
    is_told: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it makes a difference which sign stands before decimals, and nothing says it."""
        return self.mark is None and self.example != ""


def convention_of(texts: Iterable[str]) -> Convention:
    """Return how a column's numbers are written, from all of its cells.

    A cell that says its own mark decides for those that do not; so does one that parts thousands
    twice (1.234.567). Cells that contradict each other decide nothing.

    Examples
    --------
    >>> convention_of(["1.250", "15,36"]).mark, convention_of(["1,250", "7"]).is_open
    (',', True)
    """
    told: set[Mark] = set()
    example = ""
    for text in texts:
        for found in _WITHIN.finditer(_NO_CENTS.sub(r"\g<1>0", text)):
            body = _GAP.sub(" ", found[0]).replace("\u2019", "'")
            signs = [one for one in body if one in _GROUPED]
            if _is_open(body, signs):
                example = example or found[0]
            elif own := _told_mark(body, signs):
                told.add(own)
    return Convention(told.pop() if len(told) == 1 else None, example, bool(told))


def either(name: str, found: Convention) -> str:
    """Return the sentence of a column that could be read in two ways, without its end.

    Examples
    --------
    >>> either("price", Convention(None, "1.250"))
    'price: “1.250” may be 1.25 or 1,250.0, and no number says which'
    """
    point, comma = (f"{number_of(found.example, mark):,}" for mark in MARKS)
    return f"{name}: “{found.example}” may be {point} or {comma}, and no number says which"


def marks_of(
    columns: Mapping[str, Iterable[str]],
    chosen: Mark | None = None,
    titles: Mapping[str, str] | None = None,
    notes: list[str] | None = None,
) -> dict[str, Mark]:
    """Return the sign before decimals of each column of a table that somebody sends.

    Parameters
    ----------
    columns
        The cells of each column of numbers, by name.
    chosen
        What whoever sends it says of columns that leave it open.
    titles
        The heads of columns as whoever sends it wrote them, where the names are others.
    notes
        Takes the sentences of how the columns were read, where they could be read otherwise.

    Returns
    -------
    dict
        By name; a point where it makes no difference.

    Raises
    ------
    ParamsError
        At ``/numbers``, for each column that leaves it open while nothing was chosen.

    Examples
    --------
    >>> marks_of({"price": ["1.250"], "count": ["3"]}, ",")
    {'price': ',', 'count': ','}
    """
    found, called = conventions_of(columns), titles or {}
    faults = [
        Fault(
            "/numbers",
            "open",
            f"{either(called.get(name, name), one)}. Choose how the table writes numbers.",
        )
        for name, one in found.items()
        if one.is_open and chosen is None
    ]
    if faults:
        raise ParamsError(faults)
    if notes is not None:
        notes += how_read({called.get(name, name): one for name, one in found.items()}, chosen)
    return {name: one.mark or chosen or "." for name, one in found.items()}


def how_read(found: Mapping[str, Convention], chosen: Mark | None = None) -> list[str]:
    """Return how columns were read whose numbers somebody else would write otherwise.

    Examples
    --------
    >>> how_read({"price": Convention(",", "1.250", is_told=True), "count": Convention(",")})
    ['price: read with decimal commas, as its numbers say.']
    >>> how_read({"price": Convention(None, "1.250")}, ",")
    ['price: “1.250” may be 1.25 or 1,250.0, and no number says which; read as 1,250.0, as chosen.']
    """
    notes = [
        f"{either(name, one)}; read as {number_of(one.example, chosen):,}, as chosen."
        for name, one in found.items()
        if one.is_open and chosen is not None
    ]
    said = {name: one for name, one in found.items() if one.is_told or one.example}
    kinds = {
        "commas": [name for name, one in said.items() if one.mark == ","],
        "points": [name for name, one in said.items() if one.mark == "." and one.example],
    }
    for kind, names in kinds.items():
        if names:
            why = "as their numbers say" if len(names) > 1 else "as its numbers say"
            notes.append(f"{', '.join(names)}: read with decimal {kind}, {why}.")
    return notes


def plainly(value: float) -> str:
    """Return a number as text that is read in one way alone, whatever the mark: 12.1250.

    Examples
    --------
    >>> plainly(12.125), plainly(12.5), plainly(1250)
    ('12.1250', '12.5', '1250')
    """
    text = repr(value)
    return f"{text}0" if convention_of([text]).is_open else text


def _told_mark(body: str, signs: list[str]) -> Mark | None:
    """What a number says of the mark, also by what parts its thousands."""
    own = _own_mark(body, signs, has_power=False)
    if own is None and len(signs) > 1 and signs[0] in MARKS and _GROUPED[signs[0]].fullmatch(body):
        return "," if signs[0] == "." else "."
    return own


def conventions_of(columns: Mapping[str, Iterable[str]]) -> dict[str, Convention]:
    """Return how each column of a file is written; what a column leaves open, the others say.

    One program wrote the file: a column that could be read in two ways is written as those that
    cannot be, where these agree.

    Examples
    --------
    >>> conventions_of({"price": ["0,125"], "count": ["1.250"]})["count"].mark
    ','
    """
    found = {name: convention_of(texts) for name, texts in columns.items()}
    told = {one.mark for one in found.values()} - {None}
    shared = told.pop() if len(told) == 1 else None
    return {name: replace(one, mark=one.mark or shared) for name, one in found.items()}
