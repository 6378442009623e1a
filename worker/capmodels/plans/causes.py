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


@dataclass(frozen=True, slots=True)
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
    "staff",
    "staff = (people * cost of a person + flat sum) * (1 + change)^years",
    "loaded cost of a full-time person",
)
_SERVICES = Formula(
    "services",
    "services = sum over lines of amount * growth of its demand * (1 + change)^years",
    "as on the bill; a line of the design's own provider has its discount and support",
)
_MIGRATION = Formula(
    "migration",
    "migration = (labour + data * egress price + parallel months * cost of the current "
    "site) * overrun",
    "planner",
)
_CARBON = Formula(
    "carbon", "carbon = kWh with cooling * intensity * price of a tonne", "internal price of carbon"
)
_DOWNTIME = Formula(
    "downtime",
    "downtime = hours down * cost of an hour; hours down = hours of the year * (1 - A), A = chance "
    "that enough sites and enough machines are up",
    "reliability.availability: k-out-of-n in the steady state, failures on their own; of what is "
    "rented the term that its provider publishes",
)
_TAX = Formula(
    "tax",
    "tax = -rate * (cost of operation + depreciation + book value left - salvage)",
    "income tax; depreciation by IRS Publication 946 table A-1, or straight line, also of what is "
    "leased and bought out, whose principal is no cost",
)
_REMAINING = Formula(
    "remaining",
    "remaining commitments = what leases, commitments and colocation terms still ask, "
    "in full, when the work stops; and what is committed today until it runs off, where "
    "every design owes it",
    "planner",
)
_EXISTING = Formula(
    "existing",
    "existing machines = sum over machines of today that a plan keeps of their cost a month, until "
    "they are taken out",
    "planner",
)
_SALVAGE = Formula(
    "salvage",
    "salvage = -price * share; declining: -price * share^(age/life); of today's machines -resale",
    "planner",
)

_HARDWARE = Formula(
    "hardware",
    "hardware = sum over purchases of nodes bought * price of a node * ratio; "
    "nodes = largest over resources of ceil(need * (1 + bought ahead)) + spare nodes",
    "sizing by the resource in shortest supply; purchases at the start of each year "
    "for the demand at its end and the lead time after it",
    {
        "price of a node": "sum over parts of count * unit price * (1 - discount) * index, "
        "times (1 + change)^years",
        "need": "cores: busy cores * p99/mean / (target * cores per node * speed); RAM: in "
        "use * (1 + headroom) / RAM per node; disk: data * copies / (fill * raw)",
        "ratio": "hardware_price_ratio",
    },
)
_DRIVES = Formula(
    "drives",
    "drives = arrays * (drives + spares) * price of a drive, and cache devices",
    "bought with the array, and again with its refresh",
    {
        "arrays": "as entered, or the largest of data / (space * fill) and peak requests / "
        "(IOPS it can serve * target), rounded up to whole nodes of a cluster, groups of "
        "drives, or arrays",
        "fill": "share of the space that may be filled; of a code the smaller of its own and this",
        "IOPS it can serve": "drives / (time on drives per request): a read takes one "
        "drive, a write every copy, or data and parity twice",
    },
)
_ENCLOSURES = Formula(
    "enclosures",
    "enclosures = (arrays, or nodes of a cluster) * price of enclosure and controller",
    "bought with the array's first drives, or with each node",
)
_FINANCE = Formula(
    "finance",
    "finance = payments of leases less their principal; "
    "payment = (P - R / (1+i)^n) i / (1 - (1+i)^-n)",
    "annuity; the principal, (P - R) / n a month, is counted as hardware, and so is the residual R "
    "of what is bought out",
)
_ENERGY = Formula(
    "energy",
    "energy = sum over hours of nodes * P(u s_h) * price_h + demand charge * peak",
    "power.server: Fan, Weber, Barroso 2007 for P with an exponent, else measured points or a "
    "line; of memory modules memory.idle_capacity; of arrays storage.array_instant; held against "
    "the power bill of Zaranek et al. 2008, section 2.1",
    {
        "P": "power of a node at a load",
        "u": "mean load, busy cores / (nodes * cores per node * speed)",
        "s_h": "hourly demand over its mean",
    },
)
_COOLING = Formula("cooling", "cooling = energy * (PUE - 1)", "definition of PUE")
_SPACE = Formula(
    "space",
    "space = provisioned kW * price per kW + racks * price per rack + flat price",
    "colocation contracts: provisioned power is paid, used or not",
)
_NETWORK = Formula(
    "network",
    "network = transit + cross-connects * price + links + traffic * price per TB",
    "contracts",
)
_SITE = Formula("site", "site = sum over sites of set-up + price a year", ZARANEK)
_SUPPORT = Formula(
    "support",
    "support = share * price paid for what is out of warranty + contract",
    "maintenance contracts",
)
_SOFTWARE = Formula(
    "software",
    "software = nodes * (cores * per core + sockets * per socket + per node) "
    "+ storage nodes * per storage node + flat",
    "licence terms",
)
_SPARES = Formula("spares", "spares = share * price paid for what is installed", "practice")
_REPLACEMENTS = Formula(
    "replacements",
    "replacements = price paid for drives out of warranty * rate "
    "/ (1 - healthy share); rate = -ln(1 - AFR) * max(1, wear)",
    "reliability.array_loss; wear beyond the rating is our choice",
    {"wear": "share of rated starts, or of endurance, used up in service"},
)
_BACKUP = Formula("backup", "backup = TB * price per TB-month", "contracts")
_INSTANCES = Formula(
    "instances",
    "instances = sum over months of E[max(0, N(s) - C)] * hours * price * mix",
    "load-duration curve: N(s) = max(cores s, traffic s, fixed RAM + scaling RAM s); held against "
    "Zaranek et al. 2008, section 2.1",
    {
        "s": "hourly demand over its mean",
        "C": "instances committed",
        "mix": "1 - spot share + spot share * (1 - discount) / (1 - waste)",
    },
)
_COMMITMENT = Formula(
    "commitment",
    "commitment = C * price * (1 - discount) * hours; C = N(quantile of s), rounded",
    "newsvendor: a base of the duration curve, topped up every year",
)
_CLOUD_STORAGE = Formula(
    "cloud_storage",
    "storage = sum over bands of TB in the band * 1000 * price "
    "+ max(0, peak rate / share in use - included) * price, of IOPS and of throughput; "
    "block TB = data * provisioned over stored; objects: sum over classes of share of the "
    "data * price + share of the use * (requests * price + TB read * retrieval); "
    "archive alike",
    "price lists; discounts agreed on a service come off its part; held against Zaranek et al. "
    "2008, section 2.1",
)
_CLOUD_TRANSFER = Formula(
    "cloud_transfer",
    "transfer = egress by band + cross-zone + ingress + NAT + others * bill",
    "price lists; of a hybrid the share that is sent from there, and what owned "
    "nodes read of objects that are rented",
)
_COPY = Formula(
    "copy",
    "copy = copies * hours * full price of an hour; hours = TB * 8e12 / rate / 3600",
    ZARANEK + ", section 4.5",
)
_CLOUD_SUPPORT = Formula(
    "cloud_support",
    "support = max(minimum, sum over bands of bill in the band * share)",
    "support plans",
)
_CREDITS = Formula(
    "credits", "credits = -min(bill of the month, credits / months they are valid for)", "planner"
)

CAUSES: tuple[CostCause, ...] = (
    CostCause(
        "hardware",
        "owned",
        "Hardware",
        "#243F59",
        "#C2D3E4",
        _HARDWARE,
        is_capital=True,
        paid_at_fraction=0.0,
    ),
    CostCause(
        "drives",
        "owned",
        "Drives",
        "#28435C",
        "#BECFE1",
        _DRIVES,
        is_capital=True,
        paid_at_fraction=0.0,
    ),
    CostCause(
        "enclosures",
        "owned",
        "Enclosures and controllers",
        "#2C4660",
        "#BBCCDD",
        _ENCLOSURES,
        is_capital=True,
        paid_at_fraction=0.0,
    ),
    CostCause("finance", "owned", "Finance", "#304A63", "#B7C8DA", _FINANCE),
    CostCause("energy", "owned", "Energy", "#3C556D", "#ACBED0", _ENERGY),
    CostCause("cooling", "owned", "Cooling", "#486078", "#A0B3C5", _COOLING),
    CostCause("space", "owned", "Space", "#546C82", "#96A8BB", _SPACE),
    CostCause("network", "owned", "Network", "#61778D", "#8B9EB1", _NETWORK),
    CostCause("site", "owned", "Site", "#6D8398", "#8094A7", _SITE),
    CostCause("staff", "owned", "Staff", "#7A8FA3", "#758A9D", _STAFF),
    CostCause("support", "owned", "Maintenance and support", "#879BAE", "#6B8094", _SUPPORT),
    CostCause("software", "owned", "Software", "#94A7BA", "#61768A", _SOFTWARE),
    CostCause("spares", "owned", "Spares", "#A2B3C5", "#576C81", _SPARES),
    CostCause("replacements", "owned", "Replaced drives", "#A8BACA", "#52677C", _REPLACEMENTS),
    CostCause("backup", "owned", "Backup", "#AFC0D0", "#4D6277", _BACKUP),
    CostCause("services", "owned", "Other services", "#B6C7D6", "#485E72", _SERVICES),
    CostCause("existing", "owned", "Existing machines", "#BACADA", "#465C70", _EXISTING),
    CostCause("migration", "owned", "Migration", "#BDCDDC", "#43596E", _MIGRATION),
    CostCause("carbon", "owned", "Carbon price", "#C3D3E2", "#3F556B", _CARBON),
    CostCause("downtime", "owned", "Downtime", "#C5D5E3", "#3E546A", _DOWNTIME),
    CostCause("tax", "owned", "Tax saved", "#C7D6E5", "#3C526A", _TAX),
    CostCause("remaining", "owned", "Remaining commitments", "#BBCDE0", "#435B73", _REMAINING),
    CostCause(
        "salvage",
        "owned",
        "Value left",
        "#CBD9E8",
        "#394F65",
        _SALVAGE,
        is_capital=True,
        paid_at_fraction=1.0,
    ),
    CostCause("instances", "rented", "Instances on demand", "#8A5600", "#F7CC91", _INSTANCES),
    CostCause("commitment", "rented", "Commitments", "#9B6720", "#E4B97F", _COMMITMENT),
    CostCause("storage", "rented", "Storage", "#AA793C", "#D0A76E", _CLOUD_STORAGE),
    CostCause("transfer", "rented", "Transfer", "#BA8C55", "#BD955D", _CLOUD_TRANSFER),
    CostCause("copy", "rented", "Initial data transfer", "#C99E6C", "#AA834C", _COPY),
    CostCause("services", "rented", "Other services", "#D1A878", "#A17B44", _SERVICES),
    CostCause("support", "rented", "Cloud support", "#D9B184", "#97723B", _CLOUD_SUPPORT),
    CostCause("credits", "rented", "Credits", "#E1BA90", "#8E6A33", _CREDITS),
    CostCause("staff", "rented", "Staff", "#E9C49C", "#85612A", _STAFF),
    CostCause("migration", "rented", "Migration", "#F8D8B4", "#735017", _MIGRATION),
    CostCause("carbon", "rented", "Carbon price", "#F1CEA6", "#6E4C14", _CARBON),
    CostCause("downtime", "rented", "Downtime", "#F2D0A9", "#6B4A12", _DOWNTIME),
    CostCause("tax", "rented", "Tax saved", "#F4D3AE", "#694811", _TAX),
    CostCause("remaining", "rented", "Remaining commitments", "#F6D6B2", "#65450F", _REMAINING),
    CostCause(
        "salvage",
        "rented",
        "Value left",
        "#FADDBD",
        "#60410C",
        _SALVAGE,
        is_capital=True,
        paid_at_fraction=1.0,
    ),
)

BY_KEY = {cause.key: cause for cause in CAUSES}
_PLACES: dict[tuple[str, str], int] = {cause.key: place for place, cause in enumerate(CAUSES)}
CAPITAL_CAUSES = frozenset(cause.id for cause in CAUSES if cause.is_capital)
FORMULAS = tuple({cause.formula.id: cause.formula for cause in CAUSES}.values())


def key_of(cause: str) -> str:
    """Return the name of a cause on either side: ``staff`` of ``cloud_staff``."""
    return cause.removeprefix("cloud_")


def place_of(side: str, cause: str) -> int:
    """Return the place of a cause in the fixed order; unknown ones come last."""
    return _PLACES.get((key_of(cause), side), len(CAUSES))
