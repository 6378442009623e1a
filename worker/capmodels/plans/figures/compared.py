"""A comparison as its figures read it: one of today, or as an older version stored it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from capmodels.numbers import Currency, money, names_at, names_in_order, span
from capmodels.plans.words import RENTED, horizon_words, why_rival
from capmodels.told import column, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from capmodels.spec import JSONDict
    from capmodels.told import Column


class Compared:
    """The document of a comparison, as ``plans.compare`` answers or answered once."""

    def __init__(self, document: JSONDict) -> None:
        """Read a document; what a version before 2.5 did not say is as entered."""
        self.document = document
        # Several figures write the same amounts.
        self._said: dict[float | None, str] = {}
        self.by_value = document.get("ranked_by") == "present_value"
        self.currency = Currency.stated(document["currency"])
        self.designs: Sequence[JSONDict] = document["designs"]
        self.measure: str = document.get("measure") or self._complete()

    def _complete(self) -> str:
        total, running, amount = (
            ("npv_usd", "cumulative_npv_usd", "npv_usd")
            if self.by_value
            else ("total_usd", "cumulative_usd", "amount_usd")
        )
        self.designs = [
            {
                "ranked_usd": one[total],
                **one,
                "cumulative_ranked_usd": one[running],
                "causes": [{**cause, "ranked_usd": cause[amount]} for cause in one["causes"]],
            }
            for one in self.designs
        ]
        return f"{'Present value' if self.by_value else 'Cost'}, as entered"

    def design(self, letter: str | None) -> JSONDict | None:
        """Return one design's result, or nothing where no design has the letter."""
        return next((one for one in self.designs if one["letter"] == letter), None)

    def entered_usd(self, design: JSONDict) -> float:
        """Return what a design is ranked by as entered, without what is uncertain."""
        amount: float = design["npv_usd" if self.by_value else "total_usd"]
        return amount

    @property
    def names(self) -> tuple[str, ...]:
        """What the designs are called."""
        return tuple(map(name_of, self.designs))

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the designs."""
        return tuple(one["letter"] for one in self.designs)

    @property
    def years(self) -> str:
        """The horizon in words: ``3 years``, ``18 months``."""
        return horizon_words(self.document["horizon_months"])

    def money(self, usd: float | None) -> str:
        """Write US dollars in the currency of the study."""
        if usd not in self._said:
            self._said[usd] = money(usd, self.currency)
        return self._said[usd]

    def range(self, low_usd: float, high_usd: float) -> str:
        """Write a range of US dollars in the currency of the study."""
        return span(low_usd, high_usd, "USD", self.currency)

    def by_design(self, *columns: Column) -> tuple[Column, ...]:
        """A table with a row for each design."""
        return (column("Design", self.names), *columns)

    @property
    def first(self) -> JSONDict | None:
        """The winner; the cheapest where no design meets demand."""
        order = names_in_order({one["letter"]: one["ranked_usd"] for one in self.designs})
        return self.design(self.document["winner"] or next(iter(order), None))

    @property
    def cheapest(self) -> list[str]:
        """The letters of the winner and of all that compete and cost the same."""
        winner = self.design(self.document["winner"])
        if winner is None:
            return []
        known = {one["letter"]: one["ranked_usd"] for one in self.designs if one["competes"]}
        return sorted(names_at(known, winner["ranked_usd"]))

    def by_cost(self, designs: Sequence[JSONDict]) -> list[JSONDict]:
        """Designs that meet demand, then the others, each from the cheapest on; ties by letter."""
        order = names_in_order({one["letter"]: one["ranked_usd"] for one in designs})
        return sorted(
            designs, key=lambda one: (not one["carries_load"], order.index(one["letter"]))
        )

    def why(self, letter: str) -> str:
        """Say of a design, between commas, why the winner is held against it: see ``why_rival``."""
        competing = (one for one in self.designs if one.get("competes", one["carries_load"]))
        kinds = {one["letter"]: one["kind"] for one in self.by_cost(list(competing))}
        return why_rival(letter, kinds, self.document["runner_up"])

    @cached_property
    def pair(self) -> tuple[str, str]:
        """The two designs most worth comparing: one to start from, and the winner.

        The start is what stands today where there is a baseline, else the cheapest design that
        is rented where the winner is owned, or the other way round, else the runner-up. The
        verdict speaks of the same two. Where only one meets demand, one that does not.
        """
        winner = self.first
        if winner is None:
            return "", ""
        others = self.by_cost([one for one in self.designs if one is not winner])
        able = [one for one in others if one["carries_load"]]
        side = winner["kind"] in RENTED
        wanted = [
            *(one["letter"] for one in able if one.get("is_baseline")),
            *(one["letter"] for one in able if (one["kind"] in RENTED) != side),
            self.document["runner_up"],
            *(one["letter"] for one in others),
            winner["letter"],
        ]
        return next(filter(None, wanted)), winner["letter"]


def name_of(design: JSONDict) -> str:
    """Return how a design is called: its letter and its title."""
    return f"{design['letter']}, {design['title']}"


def summed_up(title: str, names: Iterable[str], said: Iterable[str], link: str = ": ") -> str:
    """Say what a figure shows: its finding, and what is said of each of its rows."""
    parts = (f"{name}{link}{words}" for name, words in zip(names, said, strict=True))
    return f"{title}. {'; '.join(parts)}."


def among_known(unsaid: Sequence[str]) -> str:
    """Say that a superlative is of the designs with a value, and which have none.

    >>> among_known(["B", "C"])
    ' of those with a value (B and C have none)'
    """
    has = "has" if len(unsaid) == 1 else "have"
    return f" of those with a value ({listed(unsaid)} {has} none)" if unsaid else ""


def capital(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]
