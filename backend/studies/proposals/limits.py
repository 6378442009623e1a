"""What a search of the catalogue is held to: designs beyond it are none to take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from capmodels.numbers import Currency, money

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.plans.search import Sums
    from capmodels.spec import JSONDict
    from catalogue.models import Entry

Arm = Literal["any", "only", "none"]
ARM = get_args(Arm)
# Makers of processors, by how the catalogue's parts of servers begin.
VENDORS: Mapping[str, tuple[str, ...]] = {
    "AMD": ("cpu-epyc",),
    "Intel": ("cpu-xeon",),
    "Ampere": ("cpu-altra", "cpu-ampereone"),
}
_ARM_VENDORS = ("Ampere",)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search; what is None or empty is none.

    ``cost_usd`` is over the horizon; ``kw`` and ``rack_units_count`` are what an owned site has at
    most at the end. ``regions`` and ``providers`` may be rented of, processors of ``vendors`` may
    be owned to compute with, ``arm`` says whether those are of ARM, owned and rented.
    """

    cost_usd: float | None = None
    kw: float | None = None
    rack_units_count: float | None = None
    regions: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    vendors: tuple[str, ...] = ()
    arm: Arm = "any"

    @classmethod
    def of(cls, named: JSONDict) -> Limits:
        """The limits of these names; lists are kept as they cannot be changed."""
        held: JSONDict = {
            key: tuple(one) if isinstance(one, list) else one for key, one in named.items()
        }
        return cls(**held)

    def rents(self, provider: str, *, is_arm: bool) -> bool:
        """Whether instances of a provider may be rented."""
        return (not self.providers or provider in self.providers) and self._takes(is_arm=is_arm)

    def owns(self, server: Entry) -> bool:
        """Whether a server may be owned, by its processor; one that names none may be."""
        vendor = vendor_of(server)
        if vendor is None:
            return True
        is_named = not self.vendors or vendor in self.vendors
        return is_named and self._takes(is_arm=vendor in _ARM_VENDORS)

    def _takes(self, *, is_arm: bool) -> bool:
        return self.arm == "any" or is_arm == (self.arm == "only")

    def beyond(self, sums: Sums, currency: Currency) -> str | None:
        """Which limit a design is beyond, in a sentence; None where it is beyond none."""
        paid = partial(money, currency=currency)
        if self.cost_usd is not None and sums.cost_usd > self.cost_usd:
            return f"It costs {paid(sums.cost_usd)}; the limit is {paid(self.cost_usd)}."
        if self.kw is not None and sums.kw > self.kw:
            return f"It needs {sums.kw:,.4g} kW; the limit is {self.kw:,.4g} kW."
        if self.rack_units_count is not None and sums.rack_units_count > self.rack_units_count:
            return (
                f"It needs {sums.rack_units_count:,.0f} U; the limit is "
                f"{self.rack_units_count:,.4g} U."
            )
        return None


NONE = Limits()


def vendor_of(server: Entry) -> str | None:
    """Who makes the processor of a server of the catalogue; None where its parts name none."""
    parts = str(server.values.get("parts", {}).get("value") or "").split()
    found = (
        vendor for vendor, names in VENDORS.items() if any(part.startswith(names) for part in parts)
    )
    return next(found, None)
