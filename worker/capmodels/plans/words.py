"""Numbers and names as sentences say them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10, sqrt
from typing import TYPE_CHECKING, Any

from capmodels import numbers
from capmodels.numbers import percent
from capmodels.plans.document.pointers import leaf_at
from capmodels.told import listed
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.plans.document.assumptions import Currency
    from capmodels.plans.document.pointers import Leaf

MINUS = "\u2212"


# From here on digits are no longer counted, but written as a power of ten.
_COUNTLESS = 1e15
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def three_digits(value: float) -> str:
    """Three significant digits, as a power of ten where they would be too many to count.

    >>> three_digits(2.9712), three_digits(1234.5), three_digits(0.0456), three_digits(2e19)
    ('2.97', '1,230', '0.0456', '2.00 × 10¹⁹')
    """
    if value == 0:
        return "0"
    if abs(value) >= _COUNTLESS:
        mantissa, exponent = f"{value:.2e}".split("e")
        return f"{mantissa} × 10{str(int(exponent)).translate(_RAISED)}".replace("-", MINUS)
    rounded = float(f"{value:.3g}")
    text = f"{rounded:,.10f}".rstrip("0").rstrip(".")
    return text.replace("-", MINUS)


def money(amount_usd: float, currency: Currency) -> str:
    """Amount in the study's currency, as in $2.97 M and $374 k."""
    told = numbers.money(amount_usd, currency.shown, in_words=True)
    return told.replace(numbers.rules()["space"], " ")


# A resource is near its limit from this share of it on.
NEAR_LIMIT = 0.9


def is_near(used: float | None, limit: float | None) -> bool:
    """Whether a resource is near its limit; also where the limit is no share, as it sized."""
    return used is None or limit is None or used >= NEAR_LIMIT * limit


@dataclass(frozen=True, slots=True)
class Bound:
    """What is nearest to its own limit in a design; shares are in use, and may be, at peak."""

    design: str
    label: str
    used: float | None
    limit: float | None
    group: str | None = None


def constraints(bounds: Sequence[Bound]) -> str:
    """What holds designs back, in the order given; of those near no limit, that they are not.

    >>> ram = [Bound(name, "RAM", 0.85, 0.85) for name in "BC"]
    >>> constraints([ram[0], Bound("A", "cores", 0.65, 0.7), ram[1]])
    'RAM (limit 85%) is the constraint in B and C and cores (limit 70%) in A'
    >>> constraints([*ram, Bound("A", "cores", 0.3, 0.7)])
    'RAM (limit 85%) is the constraint in B and C; nothing in A is within 10% of its limit'
    >>> constraints([Bound("A", "queries", None, None)])
    'queries are the constraint'
    >>> constraints([ram[0], Bound("D", "disk", 0.8, 0.85, "stores")])
    'RAM (limit 85%) is the constraint in B and disk (limit 85%) of stores in D'
    """
    held: dict[str, list[str]] = {}
    verbs: dict[str, str] = {}
    free = [one.design for one in bounds if not is_near(one.used, one.limit)]
    for one in bounds:
        if one.design not in free:
            said = one.label if one.limit is None else f"{one.label} (limit {percent(one.limit)})"
            said = said if one.group is None else f"{said} of {one.group}"
            held.setdefault(said, []).append(one.design)
            verbs[said] = "are" if one.label.endswith("s") else "is"
    room = f"within {percent(1.0 - NEAR_LIMIT)} of its limit"
    if not held:
        return f"nothing is {room}"
    first, *rest = held
    binds = f"{first} {verbs[first]} the constraint"
    if rest or free:
        parts = [f"{binds} in {listed(held[first])}"]
        binds = listed([*parts, *(f"{one} in {listed(held[one])}" for one in rest)])
    return f"{binds}; nothing in {listed(free)} is {room}" if free else binds


# Half-width of a 95% interval in standard errors.
Z_95 = 1.959964


def share_error(share: float, count: int) -> float:
    """Return the half-width of the 95% interval of a share of so many simulations.

    Parameters
    ----------
    share
        Share of the simulations. [fraction]
    count
        Simulations. [count]

    Notes
    -----
    z / (1 + z^2/n) * sqrt(p (1 - p) / n + z^2 / (4 n^2)), the score interval (Wilson 1927,
    doi:10.1080/01621459.1927.10502953): that of a share of one half is the widest, and it does
    not vanish for a share of none or all.

    >>> round(share_error(0.5, 10_000), 4), round(share_error(1.0, 10_000), 4)
    (0.0098, 0.0002)
    """
    part = Z_95 * Z_95 / count
    return Z_95 / (1.0 + part) * sqrt(share * (1.0 - share) / count + part / (4.0 * count))


def share_error_words(share: float, count: int) -> str:
    """How far off a share of so many simulations may be, in points of the share's own digits.

    Rounded up; of all or none, which are written exactly, in tenths.

    >>> share_error_words(0.5, 10_000), share_error_words(0.97, 10_000)
    ('±1 point', 'within 1 point')
    >>> share_error_words(0.9974, 10_000), share_error_words(1.0, 10_000)
    ('±0.2 points', 'within 0.1 points')
    """
    whole = "." not in percent(share) and 0.0 < share < 1.0
    step = 1.0 if whole else 0.1
    points = 100.0 * share_error(share, count)
    up = ceil(points / step - _SLACK) * step
    said = f"{up:.0f} {'point' if up == 1 else 'points'}" if whole else f"{up:.1f} points"
    return f"within {said}" if points < step - _SLACK * step else f"±{said}"


def share_explained(share: float, count: int) -> str:
    """A share that so many simulations show; below what they can tell from none, as less than.

    That is the upper end of the 95% interval of a share of none (Wilson 1927), rounded up to a
    power of ten: 0.1% in 10,000 simulations, 1% in 1,000.

    >>> share_explained(0.31, 10_000), share_explained(7.2e-7, 10_000), share_explained(0.002, 500)
    ('31%', 'less than 0.1%', 'less than 1%')
    """
    least = 10.0 ** ceil(log10(2.0 * share_error(0.0, count)))
    return percent(share) if share >= least else f"less than {percent(least)}"


# An error of a hair less than a step is that step.
_SLACK = 0.05


# Kinds of designs without a purchase.
RENTED = frozenset({"cloud", "baseline"})


def why_rival(letter: str, kinds: Mapping[str, str], runner_up: str | None) -> str:
    """Say, between commas, why a design is the one that the winner is held against.

    It is not said of the runner-up, which a verdict names with the winner's lead.

    Parameters
    ----------
    letter
        The design that the winner is held against.
    kinds
        Kinds of the designs that compete, by letter, the cheapest first.

    Examples
    --------
    >>> kinds = {"D": "owned_cluster", "E": "hybrid", "B": "cloud", "C": "cloud"}
    >>> why_rival("B", kinds, "E"), why_rival("E", kinds, "E"), why_rival("C", kinds, "E")
    (', the cheapest rented design,', '', '')
    """
    kind = kinds.get(letter)
    if kind is None or letter == runner_up:
        return ""
    if kind == "baseline":
        return ", what runs today,"
    is_rented = kind in RENTED
    first = next(
        one for one, its in kinds.items() if its != "baseline" and (its in RENTED) == is_rented
    )
    return f", the cheapest {'rented' if is_rented else 'owned'} design," if first == letter else ""


def demand_met(*, as_entered: bool, met_fraction: float | None) -> str:
    """Whether a design meets demand: as entered, and in how many of the simulations.

    >>> demand_met(as_entered=True, met_fraction=0.57)
    'met as entered, in 57% of simulations'
    """
    if not as_entered:
        return "not met"
    if met_fraction is None or met_fraction >= 1.0:
        return "met"
    return f"met as entered, in {percent(met_fraction)} of simulations"


def time_span(months: float) -> str:
    """Months below three years, to a tenth, else years: 29 months, 18.4 months, 3.4 years."""
    if months < 3 * MONTHS_PER_YEAR:
        text = f"{months:.1f}".removesuffix(".0")
        return "1 month" if text == "1" else f"{text} months"
    return f"{months / MONTHS_PER_YEAR:.2g} years"


def horizon_words(months: int) -> str:
    """The horizon: 3 years, or 30 months."""
    if months % MONTHS_PER_YEAR:
        return "1 month" if months == 1 else f"{months} months"
    years = months // MONTHS_PER_YEAR
    return "1 year" if years == 1 else f"{years} years"


def tenths(value: float) -> str:
    """A number with one decimal, or as a power of ten where it has too many digits."""
    return f"{value:,.1f}" if abs(value) < _COUNTLESS else three_digits(value)


def quantity(value: float, unit: str, currency: Currency) -> str:
    """A value with its unit, as a sentence says it."""
    if unit == "fraction":
        return percent(value)
    if unit == "fraction/yr":
        return f"{percent(value)} a year"
    if unit == "FTE":
        return f"{three_digits(float(f'{value:.2g}'))} people"
    if unit == "ratio":
        return f"{three_digits(value)} times"
    if unit.startswith("USD"):
        per = unit.removeprefix("USD")
        return f"{money(value, currency)}{per}"
    return f"{three_digits(value)} {unit}".strip()


@dataclass(frozen=True, slots=True)
class NameParts:
    """What an input is called, the groups and named entries that hold it, and the design."""

    name: str
    groups: tuple[str, ...]
    items: tuple[str, ...]
    within: tuple[str, ...]
    design: str | None


def name_parts(study: Any, leaf: Leaf) -> NameParts:
    """Take the name of an input apart; ``within`` has groups and entries in their order."""
    design, here, title = None, study, ""
    groups, items, within = list[str](), list[str](), list[str]()
    for key in leaf.path[:-1]:
        parent, here = here, here[key] if isinstance(key, int) else getattr(here, key)
        if isinstance(key, str):
            title = type(parent).model_fields[key].title or key
            if key not in _UNSAID and not isinstance(here, tuple):
                groups.append(lowered(title))
                within.append(title if not within else lowered(title))
        elif hasattr(here, "letter"):
            design = here.letter
        else:
            items.append(_item_name(here, title, key, len(parent)))
            within.append(items[-1])
    name = lowered(leaf.facts.title)
    last = within[-1].lower() if within else ""
    if groups and last == groups[-1].lower() and last in name.lower():
        # "Carbon intensity" says by itself that it is of carbon.
        groups.pop()
        within.pop()
    return NameParts(name, tuple(groups), tuple(items), tuple(within), design)


def label_of(study: Any, leaf: Leaf) -> str:
    """Name of an input: what it is, of what, and of which design."""
    named = name_parts(study, leaf)
    name = leaf.facts.title
    label = f"{', '.join(named.within)}: {named.name}" if named.within else name
    return f"{label} ({named.design})" if named.design else label


# Containers that add nothing to the name of what is in them.
_UNSAID = frozenset({"workload", "assumptions", "price", "power"})


def _item_name(item: Any, title: str, index: int, count: int) -> str:
    """Name of an entry of a list: its own, or the list's with its number."""
    for field in ("name", "type"):
        if hasattr(item, field):
            return str(getattr(item, field))
    return title if count == 1 else f"{title} {index + 1}"


def lowered(name: str) -> str:
    """Name in the middle of a line; an acronym keeps its capitals."""
    acronym = name[1:2].isupper() or not (name[1:2].isalpha() or name.startswith("A "))
    return name if acronym else name[:1].lower() + name[1:]


def inside(study: Any, pointer: str, label: str) -> str:
    """A label in the middle of a line; the name of an entry that it begins with stays as it is."""
    leaf = leaf_at(study, pointer)
    items = () if leaf is None else name_parts(study, leaf).items
    return label if label.startswith(items or (" ",)) else lowered(label)


def name_of_letter(study: Any, letter: str) -> str:
    """A design's letter, or the title of what runs today."""
    known = {design.letter for design in study.designs}
    return letter if letter in known or study.baseline is None else str(study.baseline.title)
