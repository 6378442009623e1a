"""An amount opened: the lines by which it comes about, their formulas, terms and inputs."""

from __future__ import annotations

from capmodels.spec import Result


class Term(Result):
    """A number of a working: an input, or an amount on the way with a formula of its own.

    ``values`` has one value, or one for each payment of the line. A formula is of text and of
    terms, by their place in the working; there is one, or one for each payment. An input has none,
    but the pointer to its field.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    pointer: str | None = None
    formulas: tuple[tuple[str | int, ...], ...] = ()


class Payment(Result):
    """When an amount is paid: at a point of time, or at the end of some months in a row.

    ``each`` is what is paid each time, ``value`` what it comes to over ``months_count``. Of a row
    of the comparison both are a part of it, in the unit of its working.
    """

    when: str
    months_count: int
    each: float
    value: float


class PaidLine(Result):
    """Payments by one formula; it gives what is paid each time."""

    formula: tuple[str | int, ...]
    payments: tuple[Payment, ...]


class Opened(Result):
    """How an amount of a design comes about: the payments of its lines add up to it.

    ``inputs`` are the fields that it depends on, those among them that say when, or how often,
    something is paid, and enter no formula.
    """

    letter: str
    label: str
    unit: str
    value: float
    lines: tuple[PaidLine, ...]
    terms: tuple[Term, ...]
    inputs: tuple[Term, ...]
