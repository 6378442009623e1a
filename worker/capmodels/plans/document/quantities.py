"""Quantities: the unknowns of the world, and the fields that each of them stands in.

A range belongs to a quantity, not to a field. By rule its key is what it is plus whose it is:
the provider, the catalogue entry, the site, the kind of component; never the place in a list.
Fields of one quantity are drawn together, each within its own range. A range may name another
quantity by hand: the same name joins fields, a name of its own splits one off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.plans.document.array_spec import ArraySpec
from capmodels.plans.document.cloud import Cloud, Commitment, CommittedPrice
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.hardware import Drives, FamilyPower, Part
from capmodels.plans.document.node_parts import NodeMemory
from capmodels.plans.document.pointers import leaf_at, may_vary
from capmodels.providers import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.document.pointers import Leaf
    from capmodels.plans.document.question import Design, Range, RangedQuestion
    from capmodels.plans.document.services import ServiceLine

# What is unknown of these is the company's own: how much a person gets done, how far a
# migration overruns, what a discount on its hardware comes to.
OF_THE_COMPANY = frozenset({"staff_fte", "staff_usd_per_year", "migration", "hardware_price_ratio"})
OF_THE_SITE = frozenset({"space", "network", "pue"})


@dataclass(frozen=True, slots=True)
class Member:
    """One field of a quantity, and its own range."""

    leaf: Leaf
    low: float
    high: float

    @property
    def value(self) -> float:
        """Value in the document."""
        return float(self.leaf.value)

    @property
    def triple(self) -> tuple[float, float, float]:
        """Lowest, most likely and highest value."""
        return self.low, self.value, self.high


@dataclass(frozen=True, slots=True)
class Quantity:
    """One unknown: its key, and the fields that it stands in."""

    key: str
    members: tuple[Member, ...]
    by_hand: bool = False

    @property
    def widest(self) -> Member:
        """The field that the quantity moves most, relative to its value."""
        return max(
            self.members, key=lambda member: (member.high - member.low) / (abs(member.value) or 1.0)
        )

    def told_by(self, letters: Sequence[str]) -> Member:
        """The field to tell the quantity by: of the first of some designs that has a range there.

        One whose range is a point, tied to others by hand, tells nothing of what they do.
        """
        for letter in letters:
            for member in self.members:
                if member.low < member.high and member.leaf.pointer.startswith(
                    f"/designs/{letter}/"
                ):
                    return member
        return self.widest


def quantities_of(study: RangedQuestion) -> list[Quantity]:
    """Every quantity of a study, by key, so that the order of ranges changes nothing."""
    found: dict[str, list[Member]] = {}
    named = set[str]()
    for item in sorted(study.ranges, key=lambda entry: entry.pointer):
        leaf = leaf_at(study, item.pointer)
        if leaf is None or not may_vary(leaf):
            continue
        key = key_of(study, leaf, item)
        if item.quantity is not None:
            named.add(key)
        # A value that was moved out of its range stretches it; the answer says so.
        member = Member(leaf, min(item.low, leaf.value), max(item.high, leaf.value))
        found.setdefault(key, []).append(member)
    return [Quantity(key, tuple(members), key in named) for key, members in sorted(found.items())]


def key_of(study: RangedQuestion, leaf: Leaf, item: Range | None = None) -> str:
    """Key of the quantity that a field belongs to: as named by hand, else by rule."""
    if item is not None and item.quantity is not None:
        return item.quantity
    what, entries = _walked(study, leaf)
    if leaf.path[0] != "designs":
        return "/".join([str(leaf.path[0]), *what, *entries])
    design = study.designs[int(leaf.path[1])]
    whose = _whose(design, what[0], entries)
    if what[0] == "services":
        # The same service of the same vendor is one unknown, whatever design it stands in.
        line: ServiceLine = _lines(design)[int(leaf.path[3])]
        provider = provider_of(design) if isinstance(design, Cloud) else None
        whose = [name for name in (line.vendor or provider, line.name) if name]
    return "/".join([*what, *whose])


def _lines(design: Design) -> tuple[ServiceLine, ...]:
    return () if isinstance(design, DiskArray) else design.services


def _whose(design: Any, head: str, entries: list[str]) -> list[str]:
    """Whose a quantity of a design is: nobody's in particular for what is the company's own."""
    if head in OF_THE_COMPANY:
        return []
    if isinstance(design, Cloud):
        return [provider_of(design), *entries]
    if head in OF_THE_SITE:
        return [site.name for site in getattr(design, "sites", ())]
    if head == "own_quantile_fraction":
        return [design.letter]
    return entries


def provider_of(design: Cloud) -> str:
    """The provider of a design; one without a name of its own goes by what is rented of it."""
    if design.provider != "other":
        return PROVIDERS[design.provider].title
    return design.instances[0].entry or design.instances[0].name


def _walked(study: RangedQuestion, leaf: Leaf) -> tuple[list[str], list[str]]:
    """Names of the fields down to a leaf, and what the entries on the way are called."""
    names, entries = list[str](), list[str]()
    start = 2 if leaf.path[0] == "designs" else 1
    here: Any = study
    for depth, key in enumerate(leaf.path[:-1]):
        here = here[key] if isinstance(key, int) else getattr(here, key)
        if depth < start:
            continue
        if isinstance(key, str):
            names.append(key)
        if not isinstance(here, tuple) and (called := _called(here)) is not None:
            entries.append(called)
    names.append(str(leaf.path[-1]))
    # A part is one of its kind, whatever holds it; a committed price is of its commitment.
    return names, entries[-2:] if isinstance(here, CommittedPrice) else entries[-1:]


def _called(item: Any) -> str | None:
    """What an entry is by its nature: its kind of component, its catalogue entry, its name."""
    if isinstance(item, Commitment):
        return f"{item.term_months}-month {item.kind.replace('_', ' ')}"
    if isinstance(item, Drives):
        return item.kind
    if isinstance(item, ArraySpec):
        return item.entry or item.drive.name
    own: dict[type[Any], tuple[str, ...]] = {
        Part: ("component",),
        FamilyPower: ("family",),
        NodeMemory: ("policy",),
    }
    for name in own.get(type(item), ("entry", "type", "name")):
        if isinstance(called := getattr(item, name, None), str):
            return called
    return None
