"""Prices of machine types by region, whatever their provider publishes them in."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any

from capmodels.errors import Fault, ParamsError
from capmodels.formats.chunks import FAULTS_KEPT, FileRefused
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer
from capmodels.written_numbers import Mark, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.imports.registry import Options
    from capmodels.spec import JSONDict

ROWS_MAX = 400_000
_SHOWN = 200
# An hour dearer than this is no price of a machine.
_USD_PER_H_MAX = 10_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What an hour of a machine type costs in a region; what a list does not say is None."""

    type: str
    region: str
    usd_per_h: float | None = None
    vcpu_count: float | None = None
    ram_gib: float | None = None
    cpu: str = ""
    reserved_1y_usd_per_h: float | None = None
    reserved_3y_usd_per_h: float | None = None
    savings_plan_1y_usd_per_h: float | None = None
    savings_plan_1y_partial_upfront_usd_per_h: float | None = None
    savings_plan_1y_all_upfront_usd_per_h: float | None = None
    savings_plan_3y_usd_per_h: float | None = None
    savings_plan_3y_partial_upfront_usd_per_h: float | None = None
    savings_plan_3y_all_upfront_usd_per_h: float | None = None
    instance_savings_plan_1y_usd_per_h: float | None = None
    instance_savings_plan_1y_partial_upfront_usd_per_h: float | None = None
    instance_savings_plan_1y_all_upfront_usd_per_h: float | None = None
    instance_savings_plan_3y_usd_per_h: float | None = None
    instance_savings_plan_3y_partial_upfront_usd_per_h: float | None = None
    instance_savings_plan_3y_all_upfront_usd_per_h: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A way to pay for a term of hours: as a design's commitment has it, and what it is called."""

    title: str
    kind: str
    term_months: int
    upfront_fraction: float


_KINDS = {
    "reserved": ("Reserved", "reserved"),
    "savings_plan": ("Savings plan", "savings_plan"),
    "instance_savings_plan": ("Instance savings plan", "savings_plan"),
}
_YEARS = {1: "1 year", 3: "3 years"}
# AWS asks for at least half in advance where a part is, and prices its plans so.
_PAID_FIRST = {"": 0.0, "partial_upfront": 0.5, "all_upfront": 1.0}


def plan_price(kind: str, years: int, paid: str = "") -> str:
    """Return the figure that the hourly rate of a plan is.

    >>> plan_price("savings_plan", 3, "all_upfront")
    'savings_plan_3y_all_upfront_usd_per_h'
    """
    return "_".join(filter(None, (kind, f"{years}y", paid, "usd_per_h")))


# Rates of plans, by figure: an hour, what is paid in advance spread over the term.
PLANS = {
    name: Plan(
        title=", ".join(filter(None, (f"{title} {said}", paid.replace("_", " ")))),
        kind=kind,
        term_months=12 * years,
        upfront_fraction=share,
    )
    for figure, (title, kind) in _KINDS.items()
    for years, said in _YEARS.items()
    for paid, share in _PAID_FIRST.items()
    if (name := plan_price(figure, years, paid)) in Price.__slots__
}
# Which figures are prices, and what they are called.
PRICES = {"usd_per_h": "An hour", **{name: plan.title for name, plan in PLANS.items()}}
FIGURES = tuple(name for name in Price.__slots__ if name not in {"type", "region", "cpu"})


_NUMBER = re.compile(r"^\s*\$?\s*(\d(?:[\d,.]*\d)?)")


def figure_of(said: Any, mark: Mark | None = None) -> float | None:
    """A figure of a list, as a number or with words behind it; None where it is none.

    >>> figure_of("$0.0042 hourly"), figure_of("1,536 GiB"), figure_of(8), figure_of("N/A")
    (0.0042, 1536.0, 8.0, None)
    """
    try:
        # as programs write it, where nobody says that a point may part thousands
        plain = float(said) if mark is None else None
    except (TypeError, ValueError):
        plain = None
    if plain is not None:
        return plain if isfinite(plain) else None
    found = _NUMBER.match(str(said or ""))
    try:
        return number_of(found[1], mark) if found else None
    except ValueError:
        return None  # larger than any figure is


@dataclass(slots=True, kw_only=True)
class Listed:
    """What has been read of a price list so far; a list without a date has that of its import.

    ``figures`` are those of each region and type: what is paid, as ``Price`` names it, and what the
    machine has. ``left_out`` counts what is not taken, by what it is.
    """

    provider: str
    source: str
    as_of: str = ""
    currencies: set[str] = field(default_factory=set)
    figures: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)

    def add(
        self, place: tuple[str, str], figure: str, price: Any, line: int = 0, **machine: Any
    ) -> None:
        """Take a price of a region and type: of two, the first; one of 0 is of something else."""
        amount = figure_of(price)
        if amount is None:
            self.faults.append((line, f"{place[1]} in {place[0]}: {str(price)[:40]!r} is no price"))
        elif amount:
            held = self.figures.setdefault(place, {})
            for name, value in {figure: amount, **machine}.items():
                held.setdefault(name, value)

    def preview(self, *, needs_hour: bool = True) -> JSONDict:
        """Return what the list says; without ``needs_hour`` also types with plans alone.

        Raises
        ------
        FileRefused
            When it has no price, more than can be taken, or several currencies.
        """
        if len(self.currencies) > 1:
            several = ", ".join(sorted(self.currencies))
            raise FileRefused(f"The prices are in several currencies: {several}.")
        found: dict[tuple[str, str], Price] = {}
        bad = list(self.faults)
        for (region, name), figures in self.figures.items():
            if needs_hour and not figures.get("usd_per_h"):
                continue
            price = _held(Price(type=name, region=region, **figures), bad)
            if price is not None:
                found[region, name] = price
            if len(found) > ROWS_MAX:
                raise FileRefused("The list has more prices than can be taken. Take fewer regions.")
        if not found:
            why = f" {bad[0][1]}." if bad else ""
            raise FileRefused(f"The list has no price of a machine.{why}")
        regions = sorted({region for region, _ in found})
        dated = f", as of {self.as_of}" if self.as_of else ""
        where = regions[0] if len(regions) == 1 else f"{len(regions)} regions"
        return {
            "headline": f"{len(found):,} prices of machine types in {where}{dated}.",
            "notes": _notes(self.left_out),
            "provider": self.provider,
            "source": self.source,
            "as_of": self.as_of,
            "currency": next(iter(self.currencies), "USD"),
            "prices": [
                {n: value for n, value in asdict(found[key]).items() if value not in {None, ""}}
                for key in sorted(found)
            ],
            "faults": [{"line": line, "message": said} for line, said in bad[:FAULTS_KEPT]],
            "faults_count": len(bad),
        }


def _held(price: Price, bad: list[tuple[int, str]]) -> Price | None:
    """A price without figures that are none; nothing where no other is left, or that of an hour."""
    paid = {name: said for name in PRICES if (said := getattr(price, name)) is not None}
    wrong = {name: said for name, said in paid.items() if not 0 < said <= _USD_PER_H_MAX}
    where, bad_ones = f"{price.type} in {price.region}", wrong.values() if paid else ["nothing"]
    bad.extend((0, f"{where}: {said} is no price") for said in bad_ones)
    if "usd_per_h" in wrong or len(wrong) == len(paid):
        return None
    kept = {name: getattr(price, name) for name in FIGURES if name not in wrong}
    return Price(type=price.type, region=price.region, cpu=price.cpu, **kept)


def _notes(left_out: Mapping[str, int]) -> list[str]:
    if not left_out:
        return []
    largest = sorted(left_out.items(), key=lambda pair: (-pair[1], pair[0]))[:6]
    said = ", ".join(f"{count:,} {name or 'without a family'}" for name, count in largest)
    return [
        "Only Linux on shared machines is taken: on demand, reserved without upfront, and under "
        f"savings plans. Left out: {said}."
    ]


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The regions, and the first of the prices."""
    regions: dict[str, int] = {}
    for row in preview["prices"]:
        regions[row["region"]] = regions.get(row["region"], 0) + 1
    counted = [{"region": name, "count": count} for name, count in regions.items()]
    unit = preview["currency"]
    columns = (
        Column("Type", "type"),
        Column("Region", "region"),
        Column("vCPUs", "vcpu_count", "count"),
        Column("RAM", "ram_gib", "quantity", "GiB"),
        *(
            Column(title, name, "quantity", f"{unit}/h")
            for name, title in PRICES.items()
            if any(name in row for row in preview["prices"])
        ),
    )
    note = f"The first {_SHOWN} of them." if len(preview["prices"]) > _SHOWN else ""
    return [
        table("Regions", (Column("Region", "region"), Column("Prices", "count", "count")), counted),
        table("Prices", columns, preview["prices"][:_SHOWN], note),
    ]


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return a draft with nothing for a study: prices go into the catalogue.

    Raises
    ------
    ParamsError
        When the rate of the list's currency is missing.
    """
    currency = preview["currency"]
    if currency != "USD" and not options.per_usd:
        message = f"The list is in {currency}. Enter how many {currency} one US dollar buys."
        raise ParamsError([Fault("/per_usd", "needed", message)])
    return Drafted(
        title=f"Prices of {options.file_name}"[:120],
        prices=in_usd(preview, options.per_usd or 1.0),
    )  # fmt: skip


def in_usd(preview: Mapping[str, Any], per_usd: float) -> list[JSONDict]:
    """The prices in US dollars."""
    if preview["currency"] == "USD":
        return list(preview["prices"])
    return [
        {
            name: value / per_usd if name.endswith("usd_per_h") else value
            for name, value in row.items()
        }
        for row in preview["prices"]
    ]


price_importer = partial(Importer, makes="prices", tables=tables, draft=draft)
