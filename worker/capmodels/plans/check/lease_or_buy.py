"""Lease or buy: the same hardware paid for in two ways, apart from whether to own it.

How a machine is paid for is another question than whether to have it. Each owned design is
costed twice in the same simulations, bought and leased, at present value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from capmodels.numbers import percent
from capmodels.plans.check.rule import read_anew
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.owned import Lease, OwnedCluster
from capmodels.plans.document.study import RANGES_MOST, StudySpec
from capmodels.plans.words import horizon_words, money, name_of_letter
from capmodels.spec import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.plans.check.money_kernel import Spread
    from capmodels.plans.document.assumptions import Currency


class LeaseOrBuy(Result):
    """What one design costs leased and bought, in present value over the horizon."""

    letter: str
    is_leased: bool = Field(description="Whether the design is leased as entered.")
    rate_fraction_per_year: float
    term_months: int
    bought_usd: float
    leased_usd: float
    difference_usd: float = Field(description="Mean of leased less bought.")
    difference_p10_usd: float | None
    difference_p90_usd: float | None
    lease_cheaper_fraction: float | None = Field(
        description="Share of the simulations in which leasing costs less."
    )
    sentence: str


def lease_or_buy(study: StudySpec) -> tuple[LeaseOrBuy, ...]:
    """Cost every design that has hardware of its own both ways."""
    held = [item for item in study.designs if isinstance(item, OwnedCluster | DiskArray)]
    return tuple(_told(study, held)) if held else ()


def _told(study: StudySpec, held: Sequence[OwnedCluster | DiskArray]) -> Iterator[LeaseOrBuy]:
    from capmodels.plans.check.money_kernel import costs_usd, spread_of

    letters = [design.letter for design in held]
    leases = [_lease(design) for design in held]
    bought = costs_usd(_paid(study, letters, None), letters)
    leased = costs_usd(_paid(study, letters, leases), letters)
    for design, lease, buy, rent in zip(held, leases, bought, leased, strict=True):
        spread = spread_of(rent - buy)
        drawn = spread.count > 1
        yield LeaseOrBuy(
            letter=design.letter,
            is_leased=isinstance(design.finance, Lease),
            rate_fraction_per_year=lease.rate_fraction_per_year,
            term_months=lease.term_months,
            bought_usd=float(buy.mean()),
            leased_usd=float(rent.mean()),
            difference_usd=spread.mean,
            difference_p10_usd=spread.low if drawn else None,
            difference_p90_usd=spread.high if drawn else None,
            lease_cheaper_fraction=spread.below_fraction if drawn else None,
            sentence=_sentence(study, design.letter, lease, float(buy.mean()), spread),
        )


def _lease(design: OwnedCluster | DiskArray) -> Lease:
    """The lease as entered, else the usual one, no longer than the machines are kept."""
    if isinstance(design.finance, Lease):
        return design.finance
    usual = Lease(kind="lease")
    kept = design.refresh_months or usual.term_months
    return usual.model_copy(update={"term_months": min(usual.term_months, kept)})


def _paid(study: StudySpec, letters: list[str], leases: Sequence[Lease] | None) -> StudySpec:
    """The study with some designs bought, or leased, ranked by present value."""
    document: Any = study.model_dump(mode="json")
    document["assumptions"]["ranked_by"] = "present_value"
    places = [f"/designs/{letter}/finance" for letter in letters]
    ranges = document["ranges"]
    for item in document["designs"]:
        if item["letter"] in letters:
            lease = leases and leases[letters.index(item["letter"])]
            item["finance"] = lease.model_dump(mode="json") if lease else {"kind": "buy"}
    # A lease that nobody entered has its default's range, where anything has one.
    if leases is not None and ranges:
        given = {item["pointer"] for item in ranges}
        ranges = [*ranges, *(r for r in _rates(letters, leases) if r["pointer"] not in given)]
    return read_anew({**document, "ranges": ranges[:RANGES_MOST]}, places)


def _rates(letters: list[str], leases: Sequence[Lease]) -> Iterator[dict[str, Any]]:
    info = Lease.model_fields["rate_fraction_per_year"]
    extra: Any = info.json_schema_extra
    low, high = extra["default_source"]["low"], extra["default_source"]["high"]
    for letter, lease in zip(letters, leases, strict=True):
        if lease.rate_fraction_per_year == info.default:
            pointer = f"/designs/{letter}/finance/rate_fraction_per_year"
            yield {"pointer": pointer, "low": low, "high": high}


def _against(usd: float, currency: Currency) -> str:
    """An end of the range of what leasing costs beyond buying, in words and not by its sign."""
    return f"{money(abs(usd), currency)} {'less' if usd < 0 else 'more'}"


def _sentence(study: StudySpec, letter: str, lease: Lease, bought: float, spread: Spread) -> str:
    currency = study.assumptions.currency
    terms = f"at {percent(lease.rate_fraction_per_year)} over {lease.term_months} months"
    if lease.is_returned:
        terms = f"{terms} and returned"
    name = name_of_letter(study, letter)
    if abs(spread.mean) < 0.0005 * abs(bought):
        said = f"{name}: leased {terms}, the same hardware costs as much as bought"
    else:
        side = "more" if spread.mean > 0 else "less"
        share = percent(abs(spread.mean) / bought) if bought > 0 else ""
        share = f" ({share} of the design's cost)" if share else ""
        amount = money(abs(spread.mean), currency)
        said = f"{name}: leased {terms}, the same hardware costs {amount}{share} {side} than bought"
    basis = f"in present value over {horizon_words(study.assumptions.horizon_months)}"
    if lease.term_months > study.assumptions.horizon_months:
        rest = "not charged" if lease.is_returned else "taken off the value left"
        if any(one.pointer == "/assumptions/end" for one in study.assumptions.choices):
            rest = f"{rest} where the work continues, and charged in full where it stops"
        elif study.assumptions.end == "work_stops":
            rest = "charged in full, as the work stops"
        else:
            rest = f"{rest}, as the work continues"
        basis = f"{basis}, which ends before the lease: what that still asks is {rest}"
    if spread.count == 1:
        return f"{said}, {basis}."
    ends = [_against(end, currency) for end in (spread.low, spread.high)]
    return (
        f"{said}, {basis} (P10–P90: {' to '.join(ends)}); leasing is cheaper in "
        f"{percent(spread.below_fraction)} of {spread.count:,} simulations."
    )
