"""A machine from its parts: what it costs, what it has, and what it draws."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Estimate(NamedTuple):
    """A value with what it may be at least and at most."""

    value: float
    low: float
    high: float


NOTHING = Estimate(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Part:
    """A line of a bill of materials: ``count`` may be a share, of a chassis that nodes share.

    Prices are of one, in USD before the discount; None is not known.
    """

    title: str
    component: str
    count: float
    unit_price_usd: Estimate | None
    discount_fraction: Estimate = NOTHING
    as_of: str = ""
    maker: str = ""
    cores_count: float = 0.0
    threads_count: float = 0.0
    tdp_w: float = 0.0
    capacity_gib: float = 0.0
    power_w: Estimate = NOTHING


# Power of a whole server at idle and at full load over the TDP of its processors: medians, tenth
# and ninetieth percentile of SPECpower_ssj2008 results of 2022 to 2026 in the catalogue, less what
# their memory draws. Intel: Xeon 6 and the fifth generation.
IDLE_OVER_TDP = {
    "AMD": Estimate(0.16, 0.12, 0.20),
    "Intel": Estimate(0.26, 0.20, 0.32),
    "Ampere": Estimate(0.27, 0.20, 0.34),
}
PEAK_OVER_TDP = {
    "AMD": Estimate(0.93, 0.80, 1.06),
    "Intel": Estimate(1.20, 0.95, 1.45),
    "Ampere": Estimate(0.97, 0.80, 1.14),
}


@dataclass(frozen=True, slots=True)
class Machine:
    """What a machine is whose parts are known."""

    unit_price_usd: Estimate | None
    oldest_price: str
    sockets_count: float
    cores_count: float
    threads_count: float
    ram_gib: float
    idle_w: Estimate
    peak_w: Estimate
    adder_w: Estimate


def price_of(parts: Sequence[Part]) -> Estimate | None:
    """Price of a machine as the sum of its parts.

    Parameters
    ----------
    parts : sequence of Part
        Lines of the bill, each with its count, list price and discount. [USD]

    Returns
    -------
    Estimate or None
        The sum, and the sums of the lowest and of the highest prices: prices of parts move
        together. None where the price of a part is not known. [USD]

    Notes
    -----
    sum of count * price * (1 - discount); the lowest price has the highest discount.

    Examples
    --------
    >>> cpu = Part("CPU", "cpu", 2, Estimate(1000, 900, 1100), Estimate(0.3, 0.2, 0.4))
    >>> price_of([cpu, Part("Chassis", "chassis", 1, Estimate(500, 400, 600))])
    Estimate(value=1900.0, low=1480.0, high=2360.0)
    >>> price_of([Part("CPU", "cpu", 1, None)])
    """
    lines = [(part, part.unit_price_usd) for part in parts]
    if not lines or any(price is None for _, price in lines):
        return None
    known = [(part, price) for part, price in lines if price is not None]

    def total(end: int, off: int) -> float:
        return fsum(
            part.count * price[end] * (1.0 - part.discount_fraction[off]) for part, price in known
        )

    return Estimate(total(0, 0), total(1, 2), total(2, 1))


def machine_of(parts: Sequence[Part]) -> Machine:
    """Return what a machine of these parts is, without drives and accelerators.

    Notes
    -----
    Idle and peak power are shares of the processors' TDP as SPECpower shows them by maker; on top
    is what memory, cards and boards for drives and accelerators draw by their own figures. [W]
    """
    cpus = [part for part in parts if part.component == "cpu"]

    def watts(shares: dict[str, Estimate], end: int) -> float:
        return fsum(part.count * part.tdp_w * shares[part.maker][end] for part in cpus)

    def on_top(end: int) -> float:
        return fsum(part.count * part.power_w[end] for part in parts if part.component != "cpu")

    return Machine(
        unit_price_usd=price_of(parts),
        oldest_price=min((part.as_of for part in parts if part.as_of), default=""),
        sockets_count=fsum(part.count for part in cpus),
        cores_count=fsum(part.count * part.cores_count for part in cpus),
        threads_count=fsum(part.count * part.threads_count for part in cpus),
        ram_gib=fsum(part.count * part.capacity_gib for part in parts if part.component == "dram"),
        idle_w=Estimate(*(watts(IDLE_OVER_TDP, end) for end in range(3))),
        peak_w=Estimate(*(watts(PEAK_OVER_TDP, end) for end in range(3))),
        adder_w=Estimate(*(on_top(end) for end in range(3))),
    )
