"""What the lines of a quote are for, and the server that they make."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.errors import Fault, ParamsError
from capmodels.imports.origins import Span, origin_of, rows_said
from capmodels.imports.preview import Column, table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.imports.registry import Options
    from capmodels.spec import JSONDict

# Makers' names of servers.
_MODELS = r"poweredge|proliant|thinksystem|primergy|ucs c\d"
# The first that fits; the words are those of makers' price lists.
RULES: tuple[tuple[str, str, str], ...] = (
    ("tax", "Taxes",
     r"\b(vat|sales tax|tax(es)?|gst|hst|pst|qst|sst|tva|tvq|tps|tvsh|mwst|ust|mehrwertsteuer|"
     r"umsatzsteuer|iva|igic|impuestos?|imposta|imposto|icms|itbis|btw|omzetbelasting|moms|mva|"
     r"merverdiavgift|alv|arvonlis.vero|vsk|k.ibemaks|pvn|pvm|dph|ddv|pdv|[ph]tu|.fa|kdv|ppn|"
     r"fpa|nds|dds)\b|φπα|ндс|пдв|ддс|消費税|增值税|부가세|מע.?מ|ضريبة"),
    ("delivery", "Delivery",
     r"\b(shipping|freight|delivery|handling)\b|versand|fracht|\blivraison\b"),
    ("discount", "Discounts",
     r"\b(discount|rebate|promotion|trade.?in|remise|descuento)\b|rabatt|nachlass"),
    ("support", "Support and warranty",
     r"support|warranty|care pack|foundation care|tech care|maintenance|"
     r"next business day|\bnbd\b|wartung"),
    ("licence", "Licences",
     r"licen[cs]e|lizenz|licen[cz]ia|"
     r"subscription|windows server|vsphere|red hat|\brhel\b|idrac|\bilo advanced"),
    ("service", "Installation", r"installation|deployment|configuration service|onsite|startup"),
    ("gpu", "GPUs",
     r"\bgpus?\b(?! server)|nvidia (a|h|l|b|rtx)|\b[hab][12]00\b|\bl40s?\b|instinct|\bmi3\d\dx?\b"),
    ("processor", "Processors", r"\bxeon\b|\bepyc\b|\bprocessor\b|\bcpu\b|\baltra\b|\bopteron\b"),
    ("memory", "Memory", r"\b[lu]?r?dimm\b|\bddr[345]\b|\bmemory\b|\bram\b"),
    ("network", "Network",
     r"\bnic\b|ethernet|network adapter|netzwerk|connectx|\d+ ?gbe\b|\bsfp|\bocp\b|infiniband"),
    ("drive", "Drives",
     r"\bssd\b|\bnvme\b|\bhdd\b|hard (disk|drive)|\bsas\b.*\brpm|\bsata\b|\b\d+(\.\d+)? ?tb\b"),
    ("chassis", "Servers and chassis",
     rf"\b\w*server\b|\bserveurs?\b|\bservidor(es)?\b|{_MODELS}|supermicro|chassis|barebone"),
    ("other", "Other parts", r""),
)  # fmt: skip
LABELS = {role: label for role, label, _ in RULES}
# What a server is called, and what of one is called so too.
_SERVER = re.compile(
    r"(?<!sql )(?<!windows )(?<!exchange )(?<!center )(?<!print )"
    r"\b(?:rack|tower|blade|gpu|edge|storage|compute|database)?-?(?:servers?|serveurs?|servidor(?:es)?)\b"
    r"(?! (memory|cpu|processor|ssd|hdd|drive|rack|rail|board|licen|software|manag))|"
    rf"{_MODELS}",
    re.IGNORECASE,
)
_PARTS = frozenset({"gpu", "processor", "memory", "network", "drive"})
_MAKERS = re.compile(r"\b(intel|amd|nvidia|ampere)\b", re.IGNORECASE)
# A number of parts begins one, too: "R760 2x Xeon 6430 16x32GB RDIMM".
_PART_BREAKS = re.compile(
    r"\s*[,;]\s*|\s+(?:\+|with|and|incl\.?|including|mit|und|inkl\.?|avec|et|con|y)\s+|"
    r"\s+(?=\d{1,3} ?[x×] ?\w)"
)
# "4x server", "4 rack servers", "2 Xeon Gold".
_TIMES = re.compile(
    r"^(\d{1,3})(?: ?[x×](?!eon) ?| (?=(?:(?:rack|tower|blade|gpu)[ -]?)?"
    r"(?:servers?|serveurs?|servidor(?:es)?)\b|intel|amd|nvidia|xeon|epyc|[cg]pus?\b|processors?\b))",
    re.IGNORECASE,
)
# Modules of RAM come in these sizes, drives do not: "16x 32GB".
_MODULES = re.compile(r"^\d{1,3} ?[x×] ?(8|16|24|32|48|64|96|128|256) ?g[bo]$", re.IGNORECASE)
_HARDWARE = frozenset(
    {"gpu", "processor", "memory", "network", "drive", "chassis", "other", "discount"}
)
_CORES = re.compile(r"\b(\d{1,3})[ -]?(?:c\b|cores?\b)", re.IGNORECASE)
_SIZE = re.compile(r"(?<![\d.,])(\d+(?:[.,]\d+)?) ?([gt])[bo]\b", re.IGNORECASE)
# In a server's line a size of which nothing is said is its RAM, alone or after the processors.
_RAM_ALONE = re.compile(r"(?:^|(?<=\s))\d+(?:[.,]\d+)? ?[gt][bo]$", re.IGNORECASE)
# Of a line for the network, any number of G is a rate: 10/25Gb is a card of 25.
_GBIT = re.compile(r"(?<![\d.,])(\d+) ?g(?:be|bit|bps|b/s|b)?\b", re.IGNORECASE)
_PORTS = {"single": 1, "dual": 2, "quad": 4}
_PORTS_COUNT = re.compile(r"\b([1248])[ -]?p(?:ort)?s?\b", re.IGNORECASE)
_FLASH = re.compile(r"\bssd\b|\bnvme\b|flash", re.IGNORECASE)


_SHOWN = (
    Column("Price", "unit_price_usd", "money", "USD"),
    Column("Sockets", "sockets_per_node_count", "count"),
    Column("Cores", "cores_per_node_count", "count"),
    Column("RAM", "ram_gib", "quantity", "GiB"),
    Column("Drives", "disks_count", "count"),
    Column("Flash", "ssd_tb", "quantity", "TB"),
    Column("Disks", "disk_tb", "quantity", "TB"),
    Column("Network", "nic_gbit_per_s", "quantity", "Gbit/s"),
    Column("GPUs", "gpus_per_node_count", "count"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A priced line: its row, what it is for, how many, and its price in the file's currency."""

    row: int
    role: str
    text: str
    count: float
    amount: float
    # A part that the line of a configured server names; its price is in that line.
    is_included: bool = False


@dataclass(frozen=True, slots=True)
class Quoted:
    """The entry that lines make, as a table too, where the money goes, and what stays open."""

    entry: JSONDict
    table: JSONDict
    sums: list[JSONDict]
    open_points: list[str]


def classed(text: str) -> str:
    """Return what a line is for.

    Of a server with its parts, or with years of support, in a line: the server, if it is first. A
    processor beside an amount of RAM, drives or GPUs is a machine, whatever it is called.
    """
    fits = {
        role: found.start()
        for role, _, words in RULES[:-1]
        if (found := re.search(words, text, re.IGNORECASE))
    }
    server = _SERVER.search(text)
    parts = fits.keys() & _PARTS
    is_whole = not parts or len(parts) > 1 or re.search(r"\b\d{1,3} ?[x×] ", text) is not None
    if server and is_whole and all(server.start() <= at for at in fits.values()):
        return "chassis"
    # processors are listed with the speed of the RAM that they take, but not with an amount of it
    beside = parts & {"drive", "gpu"} or _SIZE.search(text)
    first = min((fits[role] for role in parts), default=0)
    named = server or re.search(r"[^\W\d]{2}", _MAKERS.sub("", text[:first]))
    others = fits.keys() - _PARTS - {"chassis"}
    if "processor" in parts and beside and named and all(fits[one] > first for one in others):
        return "chassis"
    return next(iter(fits), "other")


def servers_in(text: str, count: float) -> float:
    """How many servers a line is for: of one line "4 x server" four, whose price it is.

    >>> [servers_in("4x Server R760", count) for count in (1.0, 4.0)], servers_in("R760", 2.0)
    ([4.0, 4.0], 2.0)
    >>> servers_in("4 servers R760", 1.0), servers_in("8x H100 GPU server, 2x Xeon", 1.0)
    (4.0, 1.0)
    """
    times = _TIMES.match(text)
    if times is None or count != 1.0:
        return count
    rest = text[times.end() :]
    is_part = any(
        re.match(words, rest, re.IGNORECASE) for role, _, words in RULES if role in _PARTS
    )
    return count if is_part else float(times[1])


def parts_of(line: Line) -> list[Line]:
    """Return the parts that the text of a configured server names, of all servers of the line."""
    if line.role != "chassis":
        return []
    found = []
    for text in _PART_BREAKS.split(line.text):
        times = _TIMES.match(text)
        role = classed(text)
        if role in _PARTS:
            count = line.count * (int(times[1]) if times else 1)
            found.append(Line(line.row, role, text, count, 0.0, is_included=True))
        elif times and (module := _MODULES.match(text.strip())):
            count = line.count * int(times[1])
            found.append(Line(line.row, "memory", f"{module[1]} GB", count, 0.0, is_included=True))
        if role == "processor" or (role == "other" and not times):
            found += [
                Line(line.row, "memory", ram[0], line.count, 0.0, is_included=True)
                for ram in _RAM_ALONE.finditer(text.strip())
            ]
    return found


def entry_of(lines: Sequence[Line], currency: str, options: Options) -> Quoted:
    """Return one server of a quote as an entry of the catalogue.

    Quantities are those of the whole quote; where they do not divide by the servers that it names,
    it is told.

    Raises
    ------
    ParamsError
        When the rate of its currency is missing, or no line is of hardware.
    """
    rate = _rate(currency, options.per_usd)
    by_role: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_role[line.role].append(line)
    hardware = [line for line in lines if line.role in _HARDWARE]
    paid = sum(line.amount for line in hardware)
    if paid <= 0:
        message = "No line of this quote is a priced part of a server. Say which column is which."
        raise ParamsError([Fault("/mapping", "nothing", message)])
    servers = options.machines_count or sum(line.count for line in by_role["chassis"]) or 1.0
    values = _sizes(by_role, servers)
    values["unit_price_usd"] = paid / servers / rate
    rows = [line.row for line in hardware]
    span = Span()
    for row in rows:
        span.add(row)
    said_of = origin_of(options, "derived", rows=rows_said(span.document()))
    origin = {name: said_of[name] for name in ("quality", "source", "as_of")}
    title = by_role["chassis"][0].text if by_role["chassis"] else f"Server of {options.file_name}"
    said: JSONDict = {name: {"value": value, **origin} for name, value in values.items()}
    if by_role["processor"]:
        said["cpu"] = {"value": by_role["processor"][0].text[:500], **origin}
    return Quoted(
        entry={"kind": "server", "title": title[:200], "values": said},
        table=table("One server of this quote", [c for c in _SHOWN if c.key in values], [values]),
        sums=_sums(by_role),
        open_points=_open_points(by_role, servers, values, currency),
    )


def _rate(currency: str, per_usd: float | None) -> float:
    if currency == "USD":
        return 1.0
    if per_usd is None or per_usd <= 0:
        message = f"The quote is in {currency}. Enter how many {currency} one US dollar buys."
        raise ParamsError([Fault("/per_usd", "needed", message)])
    return per_usd


def _sizes(by_role: dict[str, list[Line]], servers: float) -> dict[str, float]:
    """What one server has of each, as far as the descriptions say it."""
    drives = by_role["drive"]
    flash = [line for line in drives if _FLASH.search(line.text)]
    whole = {
        "sockets_per_node_count": _sum(by_role["processor"], lambda _text: 1.0),
        "cores_per_node_count": _sum(by_role["processor"], lambda text: _first(_CORES, text)),
        "ram_gib": _sum(by_role["memory"], _gibibytes),
        "disks_count": _sum(drives, lambda _text: 1.0),
        "ssd_tb": _sum(flash, _terabytes),
        "disk_tb": _sum([line for line in drives if line not in flash], _terabytes),
        "nic_gbit_per_s": _sum(by_role["network"], _gbit),
        "gpus_per_node_count": _sum(by_role["gpu"], lambda _text: 1.0),
    }
    return {name: value / servers for name, value in whole.items() if value is not None}


def _sum(lines: Sequence[Line], each: Callable[[str], float | None]) -> float | None:
    """What lines come to; None where there is none, or one does not say it."""
    sizes = [(line.count, each(line.text)) for line in lines]
    if not sizes or any(size is None for _, size in sizes):
        return None
    return sum(count * (size or 0.0) for count, size in sizes)


def _first(pattern: re.Pattern[str], text: str) -> float | None:
    found = pattern.search(text)
    return float(found[1]) if found else None


def _gigabytes(text: str) -> float | None:
    found = _SIZE.search(text)
    if found is None:
        return None
    # No drive or module has thousands of either, so a comma stands before decimals.
    return float(found[1].replace(",", ".")) * (1000.0 if found[2].lower() == "t" else 1.0)


def _gibibytes(text: str) -> float | None:
    """RAM, of which a TB is 1,024 GB."""
    size = _gigabytes(text)
    return size if size is None or size < 1000.0 else size * 1.024


def _terabytes(text: str) -> float | None:
    size = _gigabytes(text)
    return None if size is None else size / 1000.0


def _gbit(text: str) -> float | None:
    rates = [float(rate) for rate in _GBIT.findall(text)]
    counted = _PORTS_COUNT.search(text)
    named = next((n for word, n in _PORTS.items() if word in text.lower()), 1)
    return (int(counted[1]) if counted else named) * max(rates) if rates else None


def _sums(by_role: dict[str, list[Line]]) -> list[JSONDict]:
    rows = [
        (label, sum(line.amount for line in by_role[role]))
        for role, label, _ in RULES
        if any(not line.is_included for line in by_role[role])
    ]
    whole = sum(amount for _, amount in rows)
    return [{"what": what, "amount": f"{amount:.2f}"} for what, amount in (*rows, ("Quote", whole))]


def _open_points(
    by_role: dict[str, list[Line]], servers: float, values: dict[str, Any], currency: str
) -> list[str]:
    points = [
        "The price is that of one server: enter how many the quote is for, if they are more."
        if servers == 1
        else f"The price is that of {servers:,.0f} servers, divided by as many."
    ]
    parts = [line for role in ("processor", "memory", "drive") for line in by_role[role]]
    if any(line.count % servers for line in parts):
        points.append(
            f"Quantities do not divide by {servers:,.0f}: enter how many servers they are for."
        )
    named = (
        ("cores_per_node_count", "cores"),
        ("ram_gib", "RAM"),
        ("nic_gbit_per_s", "the rate of the network"),
    )
    missing = [word for name, word in named if name not in values]
    if missing:
        points.append(f"The descriptions do not say {', '.join(missing)}: enter them in the entry.")
    points.append("A quote does not say what a server draws: enter its idle and peak watts.")
    for role in ("support", "licence", "service", "delivery", "tax"):
        paid = sum(line.amount for line in by_role[role])
        if paid:
            points.append(
                f"{LABELS[role]}: {paid:,.2f} {currency} are not in the price of the server; enter "
                "them in the design."
            )
    return points
