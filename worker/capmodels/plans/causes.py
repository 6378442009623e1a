"""The causes of cost: each with its side, place, name, colours, formula and kind, said once.

Their order here is that of every table and chart. A new cause is one entry; the pages take
names, places and colours from ``frontend/src/api-types/causes.json``, written from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from capmodels.spec import Formula

Side = Literal["owned", "rented"]
Key = tuple[str, Side]

ZARANEK = (
    "A. W. Zaranek, T. Clegg, W. Vandewege, G. M. Church, Free Factories: Unified "
    "Infrastructure for Data Intensive Web Services, USENIX ATC 2008"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCause:
    """A cause of cost on one side of the ledger.

    ``light`` and ``dark`` are its tints by theme, blue-grey where owned and amber where rented.
    ``paid_at_fraction`` is when in a year a change of it is paid: 0 at its start, 1 at its end.
    """

    id: str
    side: Side
    label: str
    light: str
    dark: str
    formula: Formula
    is_capital: bool = False
    paid_at_fraction: float = 0.5

    @property
    def key(self) -> Key:
        """Cause and side."""
        return self.id, self.side


_STAFF = Formula(
    id="staff",
    text="staff = (people * cost of a person + flat sum) * (1 + change)^years",
    source="loaded cost of a full-time person",
)
_SERVICES = Formula(
    id="services",
    text="services = sum over lines of amount * growth of its demand * (1 + change)^years",
    source="as on the bill; a line of the design's own provider has its discount and support",
)
_MIGRATION = Formula(
    id="migration",
    text="migration = (labour + data * egress price + parallel months * cost of the current "
    "site) * overrun",
    source="planner",
)
_CARBON = Formula(
    id="carbon",
    text="carbon = kWh with cooling * intensity * price of a tonne",
    source="internal price of carbon",
)
_TAX = Formula(
    id="tax",
    text="tax = -rate * (cost of operation + depreciation + book value left - salvage)",
    source="income tax; depreciation by IRS Publication 946 table A-1, or straight line",
)
_REMAINING = Formula(
    id="remaining",
    text="remaining commitments = what leases, commitments and colocation terms still ask, "
    "in full, when the work stops; and what is committed today until it runs off, where "
    "every design owes it",
    source="planner",
)
_SALVAGE = Formula(
    id="salvage",
    text="salvage = -price * share; declining: -price * share^(age/life); of today's machines "
    "-resale",
    source="planner",
)

CAUSES: tuple[CostCause, ...] = (
    CostCause(
        id="hardware",
        side="owned",
        label="Hardware",
        light="#243F59",
        dark="#C2D3E4",
        formula=Formula(
            id="hardware",
            text="hardware = sum over purchases of nodes bought * price of a node * ratio; "
            "nodes = largest over resources of ceil(need * (1 + bought ahead)) + spare nodes",
            source="sizing by the resource in shortest supply; purchases at the start of each year "
            "for the demand at its end and the lead time after it",
            symbols={
                "price of a node": "sum over parts of count * unit price * (1 - discount) * index, "
                "times (1 + change)^years",
                "need": "cores: busy cores * p99/mean / (target * cores per node * speed); RAM: in "
                "use * (1 + headroom) / RAM per node; disk: data * copies / (fill * raw)",
                "ratio": "hardware_price_ratio",
            },
        ),
        is_capital=True,
        paid_at_fraction=0.0,
    ),
    CostCause(
        id="drives",
        side="owned",
        label="Drives",
        light="#28435C",
        dark="#BECFE1",
        formula=Formula(
            id="drives",
            text="drives = arrays * (drives + spares) * price of a drive, and cache devices",
            source="bought with the array, and again with its refresh",
            symbols={
                "arrays": "as entered, or the largest of data / (space * fill) and peak requests / "
                "(IOPS it can serve * target), rounded up to whole nodes of a cluster, groups of "
                "drives, or arrays",
                "IOPS it can serve": "drives / (time on drives per request): a read takes one "
                "drive, a write every copy, or data and parity twice",
            },
        ),
        is_capital=True,
        paid_at_fraction=0.0,
    ),
    CostCause(
        id="enclosures",
        side="owned",
        label="Enclosures and controllers",
        light="#2C4660",
        dark="#BBCCDD",
        formula=Formula(
            id="enclosures",
            text="enclosures = (arrays, or nodes of a cluster) * price of enclosure and controller",
            source="bought with the array's first drives, or with each node",
        ),
        is_capital=True,
        paid_at_fraction=0.0,
    ),
    CostCause(
        id="finance",
        side="owned",
        label="Finance",
        light="#304A63",
        dark="#B7C8DA",
        formula=Formula(
            id="finance",
            text="finance = payments of leases less their principal; "
            "payment = P i / (1 - (1+i)^-n)",
            source="annuity; the principal, P / n a month, is counted as hardware",
        ),
    ),
    CostCause(
        id="energy",
        side="owned",
        label="Energy",
        light="#3C556D",
        dark="#ACBED0",
        formula=Formula(
            id="energy",
            text="energy = sum over hours of nodes * P(u s_h) * price_h + demand charge * peak",
            source="Fan, Weber, Barroso 2007 for P with an exponent; else measured points or "
            "a line",
            symbols={
                "P": "power of a node at a load",
                "u": "mean load, busy cores / (nodes * cores per node * speed)",
                "s_h": "hourly demand over its mean",
            },
        ),
    ),
    CostCause(
        id="cooling",
        side="owned",
        label="Cooling",
        light="#486078",
        dark="#A0B3C5",
        formula=Formula(
            id="cooling", text="cooling = energy * (PUE - 1)", source="definition of PUE"
        ),
    ),
    CostCause(
        id="space",
        side="owned",
        label="Space",
        light="#546C82",
        dark="#96A8BB",
        formula=Formula(
            id="space",
            text="space = provisioned kW * price per kW + racks * price per rack + flat price",
            source="colocation contracts: provisioned power is paid, used or not",
        ),
    ),
    CostCause(
        id="network",
        side="owned",
        label="Network",
        light="#61778D",
        dark="#8B9EB1",
        formula=Formula(
            id="network",
            text="network = transit + cross-connects * price + links + traffic * price per TB",
            source="contracts",
        ),
    ),
    CostCause(
        id="site",
        side="owned",
        label="Site",
        light="#6D8398",
        dark="#8094A7",
        formula=Formula(
            id="site", text="site = sum over sites of set-up + price a year", source=ZARANEK
        ),
    ),
    CostCause(
        id="staff",
        side="owned",
        label="Staff",
        light="#7A8FA3",
        dark="#758A9D",
        formula=_STAFF,
    ),
    CostCause(
        id="support",
        side="owned",
        label="Maintenance and support",
        light="#879BAE",
        dark="#6B8094",
        formula=Formula(
            id="support",
            text="support = share * price paid for what is out of warranty + contract",
            source="maintenance contracts",
        ),
    ),
    CostCause(
        id="software",
        side="owned",
        label="Software",
        light="#94A7BA",
        dark="#61768A",
        formula=Formula(
            id="software",
            text="software = nodes * (cores * per core + sockets * per socket + per node) + flat",
            source="licence terms",
        ),
    ),
    CostCause(
        id="spares",
        side="owned",
        label="Spares",
        light="#A2B3C5",
        dark="#576C81",
        formula=Formula(
            id="spares", text="spares = share * price paid for what is installed", source="practice"
        ),
    ),
    CostCause(
        id="replacements",
        side="owned",
        label="Replaced drives",
        light="#A8BACA",
        dark="#52677C",
        formula=Formula(
            id="replacements",
            text="replacements = price paid for drives out of warranty * rate "
            "/ (1 - healthy share); rate = -ln(1 - AFR) * max(1, wear)",
            source="reliability.array_loss; wear beyond the rating is our choice",
            symbols={"wear": "share of rated starts, or of endurance, used up in service"},
        ),
    ),
    CostCause(
        id="backup",
        side="owned",
        label="Backup",
        light="#AFC0D0",
        dark="#4D6277",
        formula=Formula(id="backup", text="backup = TB * price per TB-month", source="contracts"),
    ),
    CostCause(
        id="services",
        side="owned",
        label="Other services",
        light="#B6C7D6",
        dark="#485E72",
        formula=_SERVICES,
    ),
    CostCause(
        id="migration",
        side="owned",
        label="Migration",
        light="#BDCDDC",
        dark="#43596E",
        formula=_MIGRATION,
    ),
    CostCause(
        id="carbon",
        side="owned",
        label="Carbon price",
        light="#C3D3E2",
        dark="#3F556B",
        formula=_CARBON,
    ),
    CostCause(
        id="tax",
        side="owned",
        label="Tax saved",
        light="#C7D6E5",
        dark="#3C526A",
        formula=_TAX,
    ),
    CostCause(
        id="remaining",
        side="owned",
        label="Remaining commitments",
        light="#BBCDE0",
        dark="#435B73",
        formula=_REMAINING,
    ),
    CostCause(
        id="salvage",
        side="owned",
        label="Value left",
        light="#CBD9E8",
        dark="#394F65",
        formula=_SALVAGE,
        is_capital=True,
        paid_at_fraction=1.0,
    ),
    CostCause(
        id="instances",
        side="rented",
        label="Instances on demand",
        light="#8A5600",
        dark="#F7CC91",
        formula=Formula(
            id="instances",
            text="instances = sum over months of E[max(0, N(s) - C)] * hours * price * mix",
            source="load-duration curve: N(s) = max(cores s, traffic s, fixed RAM + scaling RAM s)",
            symbols={
                "s": "hourly demand over its mean",
                "C": "instances committed",
                "mix": "1 - spot share + spot share * (1 - discount) / (1 - waste)",
            },
        ),
    ),
    CostCause(
        id="commitment",
        side="rented",
        label="Commitments",
        light="#9B6720",
        dark="#E4B97F",
        formula=Formula(
            id="commitment",
            text="commitment = C * price * (1 - discount) * hours; C = N(quantile of s), rounded",
            source="newsvendor: a base of the duration curve, topped up every year",
        ),
    ),
    CostCause(
        id="storage",
        side="rented",
        label="Storage",
        light="#AA793C",
        dark="#D0A76E",
        formula=Formula(
            id="cloud_storage",
            text="storage = sum over bands of TB in the band * 1000 * price "
            "+ max(0, peak rate / share in use - included) * price, of IOPS and of throughput; "
            "block TB = data * provisioned over stored; objects: sum over classes of share of the "
            "data * price + share of the use * (requests * price + TB read * retrieval); "
            "archive alike",
            source="price lists; discounts agreed on a service come off its part",
        ),
    ),
    CostCause(
        id="transfer",
        side="rented",
        label="Transfer",
        light="#BA8C55",
        dark="#BD955D",
        formula=Formula(
            id="cloud_transfer",
            text="transfer = egress by band + cross-zone + ingress + NAT + others * bill",
            source="price lists; of a hybrid the share that is sent from there, and what owned "
            "nodes read of objects that are rented",
        ),
    ),
    CostCause(
        id="copy",
        side="rented",
        label="Initial data transfer",
        light="#C99E6C",
        dark="#AA834C",
        formula=Formula(
            id="copy",
            text="copy = copies * hours * full price of an hour; hours = TB * 8e12 / rate / 3600",
            source=ZARANEK + ", section 4.5",
        ),
    ),
    CostCause(
        id="services",
        side="rented",
        label="Other services",
        light="#D1A878",
        dark="#A17B44",
        formula=_SERVICES,
    ),
    CostCause(
        id="support",
        side="rented",
        label="Cloud support",
        light="#D9B184",
        dark="#97723B",
        formula=Formula(
            id="cloud_support",
            text="support = max(minimum, sum over bands of bill in the band * share)",
            source="support plans",
        ),
    ),
    CostCause(
        id="credits",
        side="rented",
        label="Credits",
        light="#E1BA90",
        dark="#8E6A33",
        formula=Formula(
            id="credits",
            text="credits = -min(bill of the month, credits / months they are valid for)",
            source="planner",
        ),
    ),
    CostCause(
        id="staff",
        side="rented",
        label="Staff",
        light="#E9C49C",
        dark="#85612A",
        formula=_STAFF,
    ),
    CostCause(
        id="migration",
        side="rented",
        label="Migration",
        light="#F8D8B4",
        dark="#735017",
        formula=_MIGRATION,
    ),
    CostCause(
        id="carbon",
        side="rented",
        label="Carbon price",
        light="#F1CEA6",
        dark="#6E4C14",
        formula=_CARBON,
    ),
    CostCause(
        id="tax",
        side="rented",
        label="Tax saved",
        light="#F4D3AE",
        dark="#694811",
        formula=_TAX,
    ),
    CostCause(
        id="remaining",
        side="rented",
        label="Remaining commitments",
        light="#F6D6B2",
        dark="#65450F",
        formula=_REMAINING,
    ),
    CostCause(
        id="salvage",
        side="rented",
        label="Value left",
        light="#FADDBD",
        dark="#60410C",
        formula=_SALVAGE,
        is_capital=True,
        paid_at_fraction=1.0,
    ),
)

BY_KEY = {cause.key: cause for cause in CAUSES}
CAPITAL_CAUSES = frozenset(cause.id for cause in CAUSES if cause.is_capital)
FORMULAS = tuple({cause.formula.id: cause.formula for cause in CAUSES}.values())
