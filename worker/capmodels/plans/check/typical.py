"""What costs that every real design has typically are, with source and range.

Each amount stands in the catalogue too (``fixtures/prices``: staff, support, network services).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.words import money

if TYPE_CHECKING:
    from capmodels.plans.document.assumptions import Currency


@dataclass(frozen=True, slots=True)
class Typical:
    """An amount that is counted where nobody entered one."""

    value: float
    low: float
    high: float
    unit: str
    source: str
    as_of: str

    def told(self, currency: Currency) -> str:
        """The amount as a sentence of a study in this currency has it."""
        value, low, high = (
            self._amount(one, currency) for one in (self.value, self.low, self.high)
        )
        unit = self.unit.removeprefix("USD").strip()
        between = "" if unit.startswith("/") else " "
        return f"{value}{between}{unit} ({low} to {high}; {self.source})"

    def _amount(self, value: float, currency: Currency) -> str:
        if self.unit.startswith("USD"):
            return money(value, currency)
        return percent(value) if self.unit.startswith("of ") else f"{value:g}"


PEOPLE_OWNED = Typical(
    2.0, 1.2, 2.8, "FTE", "catalogue: staff to run an owned cluster, 60 machines", "2010-07-09"
)
PEOPLE_CLOUD = Typical(
    1.0, 0.5, 1.5, "FTE", "catalogue: staff to run the same in a cloud", "2010-07-09"
)
COLOCATION = Typical(
    195.0,
    150.0,
    240.0,
    "USD per kW and month",
    "CBRE, North America data center trends: source price $194.95 at 250-500 kW",
    "2025-07-01",
)
ELECTRICITY = Typical(
    0.1301, 0.08, 0.18, "USD/kWh", "commercial price of electricity, United States", "2026-07-20"
)
TRANSIT = Typical(
    1500.0,
    700.0,
    2300.0,
    "USD a month",
    "catalogue: IP transit, 10 Gbit/s, estimated from memory",
    "2025-06-01",
)
SWITCH = Typical(
    6000.0,
    3500.0,
    8500.0,
    "USD each",
    "catalogue: switch of 48 x 10 Gbit/s, from memory",
    "2025-06-01",
)
MAINTENANCE = Typical(
    0.10, 0.05, 0.15, "of the price a year", "hardware maintenance contracts, assumed", "2026-11-21"
)
SPARES = Typical(
    0.02,
    0.01,
    0.03,
    "of the price a year",
    "catalogue: 8% of servers need repairs in a year, Microsoft 2010",
    "2010-06-10",
)
EGRESS = Typical(
    0.09,
    0.05,
    0.12,
    "USD/GB",
    "Amazon EC2 on-demand pricing: data transfer, first tier",
    "2026-07-01",
)
WRITES = Typical(
    5.0, 4.0, 6.5, "USD per million", "Amazon S3 pricing: PUT, COPY, POST, LIST", "2026-07-01"
)
READS = Typical(0.4, 0.3, 0.5, "USD per million", "Amazon S3 pricing: GET", "2026-07-01")
LEAD_TIME = Typical(
    3.0, 2.0, 4.0, "months", "from order to work, servers and memory, assumed", "2026-11-21"
)
SUPPORT = Typical(
    0.10, 0.03, 0.10, "of the bill", "catalogue: AWS Business Support, first band", "2026-01-01"
)
