"""Which files a planner can import: a module of each kind has one line here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from capmodels.formats.chunks import FileRefused
from capmodels.providers import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from capmodels.imports.fleet_match import Known
    from capmodels.imports.fleet_types import Market, Sizing, Traced
    from capmodels.imports.json_stream import Large
    from capmodels.imports.table import Dates, Sheets, Table
    from capmodels.imports.texts import Document, Markup, Metrics
    from capmodels.imports.workbook import Workbook
    from capmodels.spec import JSONDict
    from capmodels.written_numbers import Mark

IMPORTER_MODULES: tuple[str, ...] = (
    "capmodels.imports.focus",
    "capmodels.imports.aws_cur",
    "capmodels.imports.azure_cost",
    "capmodels.imports.gcp_cost",
    "capmodels.imports.oci_cost",
    "capmodels.imports.hosters",
    "capmodels.imports.rvtools",
    "capmodels.imports.sacct",
    "capmodels.imports.kube_requests",
    "capmodels.imports.kube_allocations",
    "capmodels.imports.terraform",
    "capmodels.imports.hardware",
    *(name for one in PROVIDERS.values() for name in one.importers),
    "capmodels.imports.ec2_instances",
    "capmodels.imports.price_table",
    "capmodels.imports.specpower",
    "capmodels.imports.fleet_lists",
    "capmodels.imports.machine_list",
    "capmodels.imports.urdb",
    "capmodels.imports.ecb",
    "capmodels.imports.hourly",
    "capmodels.imports.quote",
)


Made = Literal["bill", "fleet", "jobs", "quote", "prices", "servers", "assumptions"]
Way = Literal["bill", "fleet", "prices"]
WAYS: Mapping[Made, Way] = {
    "bill": "bill",
    "fleet": "fleet",
    "jobs": "fleet",
    "quote": "fleet",
    "prices": "prices",
    "servers": "prices",
    "assumptions": "prices",
}

_ENDINGS = {b"{": "json", b"[": "json", b"PK": "xlsx", b"<": "xml"}
_HEAD_BYTES = 1 << 16
# So many names of a file that nobody knows are told.
_NAMES_SAID = 12
# Price lists of AWS: of a service, or of savings plans.
_OFFER = re.compile(rb'"offerCode"\s*:\s*"(\w+)"|"productFamily"\s*:\s*"(\w+SavingsPlans)"')
# What a list of EC2's machines names of each, unlike those of other services.
_OF_EC2 = re.compile(rb'"(?:vCPU|ebs_optimized|linux_virtualization_types)"\s*:')


# Azure's retail prices, on pages or as a list of them, and Google's pages of SKUs.
_AZURE_PAGE = re.compile(rb'(?s)"BillingCurrency".*"Items"\s*:|"Items"\s*:.*"armRegionName"')
_AZURE_ITEM = re.compile(rb'"armRegionName"\s*:')
_SKUS = re.compile(rb'"skus"\s*:\s*\[')


@dataclass(frozen=True, slots=True)
class Size:
    """What the catalogue, or its name, says of a machine type.

    ``perf_per_vcpu_ratio`` is the speed of a vCPU over that of a reference core, where known.
    """

    vcpus_count: float
    ram_gib: float
    perf_per_vcpu_ratio: float | None = None


class HeldPrice(NamedTuple):
    """What the catalogue has for an hour of a machine type in a region, and which entry says so."""

    usd_per_h: float
    source: str


@dataclass(frozen=True, slots=True)
class Assumed:
    """What the study that takes a fleet assumes: electricity, cooling, life in the books."""

    usd_per_kwh: float
    pue: float
    life_months: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a file does not say of itself.

    ``cost`` is spread over use, as invoiced, or what the file suggests (None); ``per_usd`` the
    units of its currency that a US dollar buys; ``sizes_of`` finds machine types by name,
    ``price_of`` the catalogue's on-demand price of one in a region;
    ``as_of`` the day on which the file was given, as an ISO date. ``mapping`` says which column of
    a quote means what, where its words do not; ``machines_count`` how many servers it is for.
    ``machines`` are those of the catalogue, ``market`` its instance types in the regions that a
    fleet stands in; ``sizing`` and ``traced`` say how its machines become types, and ``assumed``
    is what a fleet's baseline costs by.
    """

    file_name: str
    as_of: str
    cost: Literal["effective", "billed"] | None = None
    per_usd: float | None = None
    mapping: Mapping[str, str] | None = None
    machines_count: float | None = None
    sizes_of: Callable[[set[str]], Mapping[str, Size]] = lambda _types: {}
    price_of: Callable[[str, str], HeldPrice | None] = lambda _type, _region: None
    machines: Callable[[], Known] | None = None
    market: Callable[[Sequence[str]], Market] | None = None
    sizing: Sizing | None = None
    traced: Traced | None = None
    assumed: Assumed | None = None


@dataclass(slots=True, kw_only=True)
class Drafted:
    """What a study takes from a file, and what the file leaves open.

    ``entry`` is one of the workspace's catalogue instead: a quote has no study; ``entries`` are
    many. ``prices`` are those of machine types by region, which go there as well.
    ``assumptions`` take the place of groups of the study's; ``assumed_from`` says where each
    group is from, by its pointer; ``baseline_from`` the same of lines and values of the baseline.
    ``in_types`` is a fleet in instance types, by size and by use. ``at_most`` names values of the
    work of which the file has what is built in, not what is in use.
    """

    title: str
    workload: JSONDict = field(default_factory=dict)
    provenance: JSONDict = field(default_factory=dict)
    baseline: JSONDict | None = None
    baseline_from: JSONDict = field(default_factory=dict)
    entry: JSONDict | None = None
    entries: list[JSONDict] | None = None
    prices: list[JSONDict] | None = None
    assumptions: JSONDict = field(default_factory=dict)
    assumed_from: JSONDict = field(default_factory=dict)
    designs: list[JSONDict] = field(default_factory=list)
    in_types: JSONDict | None = None
    tables: list[JSONDict] = field(default_factory=list)
    reconciliation: list[JSONDict] = field(default_factory=list)
    open_points: list[str] = field(default_factory=list)
    at_most: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One kind of file.

    ``fits`` says from the columns, or the sheets, whether a file is of this kind, ``version`` which
    one, where it has any; ``read`` what is in it, ``tables`` how that is shown, and ``draft`` what
    a study takes of it. ``sample`` is a small file of the kind, made from its documentation;
    ``names`` says where in what is read names of people and things stand; ``is_workbook``, whether
    a file of the kind may be a spreadsheet of several sheets.
    """

    id: str
    title: str
    makes: Made
    fits: Callable[[frozenset[str]], bool]
    read: Callable[[Any, Callable[[float, str], None]], JSONDict]
    tables: Callable[[Mapping[str, Any]], list[JSONDict]]
    draft: Callable[[Mapping[str, Any], Options], Drafted]
    sample: Callable[[], bytes]
    version: Callable[[frozenset[str]], str] = lambda _columns: ""
    names: tuple[str, ...] = ()
    is_workbook: bool = False

    @property
    def way(self) -> Way:
        """Return what a planner brings it as: a bill, machines and their work, or prices."""
        return WAYS[self.makes]

    def sample_file(self) -> tuple[str, bytes]:
        """Return a small file of the kind, and a name that says how it is written."""
        content = self.sample()
        ending = next((name for head, name in _ENDINGS.items() if content.startswith(head)), "csv")
        return f"sample-{self.id.replace('_', '-')}.{ending}", content


def importers() -> tuple[Importer, ...]:
    """Return every importer, in the order in which they are asked."""
    modules = [import_module(name) for name in IMPORTER_MODULES]
    return tuple(
        one for held in modules for one in getattr(held, "IMPORTERS", None) or (held.IMPORTER,)
    )


def accepted() -> str:
    """Say in a sentence which files can be imported."""
    names = "; ".join(item.title for item in importers())
    return f"{names}. Plain, or packed with gzip, zstd, zip or tar."


def importer_of(identity: str) -> Importer:
    """Return the importer of an id; KeyError when there is none."""
    return {item.id: item for item in importers()}[identity]


def read_with(importer: Importer, file: Any, report: Callable[[float, str], None]) -> JSONDict:
    """Return what an importer reads in a file; what it could not read is in the headline."""
    read = importer.read(file, report)
    unread = read.pop("unread_count", 0)
    if hasattr(file, "rejected"):
        unread += file.rejected(0)[1]
    if unread:
        rows = "1 row" if unread == 1 else f"{unread:,} rows"
        read["headline"] = (
            f"{read['headline'].removesuffix('.')}; {rows} not read whole, see below."
        )
        read["unread_rows_count"] = unread
    return read


def opened(
    path: Path, dates: Dates | None = None, mark: Mark | None = None
) -> Table | Sheets | Workbook | Document | Metrics | Markup | Large:
    """Open a plain (unpacked) file: a table, several, a workbook, JSON, XML, or metrics.

    ``dates`` says which number of a table's dates is the day, ``mark`` which sign stands before
    decimals, where it leaves that open.

    Raises
    ------
    FileRefused
        When it is neither, or damaged.
    """
    from capmodels.imports.table import open_sheets, open_table
    from capmodels.imports.texts import is_json, is_markup, is_metrics, open_markup, open_metrics
    from capmodels.imports.workbook import ZIP, open_workbook

    if path.is_dir():
        return open_sheets(path, mark)
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if head.startswith(ZIP):
        return _of_workbook(open_workbook(path), path, dates, mark)
    if is_json(head):
        return _of_json(path, head)
    if is_markup(head):
        return open_markup(path)
    return open_metrics(path) if is_metrics(head) else open_table(path, dates, mark)


def _of_json(path: Path, head: bytes) -> Table | Document | Large:
    """A document; a list that is read a member at a time; or a bill of an object a charge."""
    from capmodels.imports.json_stream import Large
    from capmodels.imports.table import names_of_objects, open_objects
    from capmodels.imports.texts import open_json

    if kind := _large(head):
        return Large(path, head, frozenset({kind}))
    columns = names_of_objects(head)
    if any(one.makes == "bill" and one.fits(columns) for one in importers()):
        return open_objects(path)
    return open_json(path)


def _large(head: bytes) -> str:
    """What a file of JSON is, by its head, that is read a member at a time; else nothing."""
    offer = _OFFER.search(head)
    if offer:
        return f"offer:{offer[1].decode()}" if offer[1] else f"savings:{offer[2].decode()}"
    is_list = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    if is_list and b'"instance_type"' in head and _OF_EC2.search(head):
        return "ec2:instances"
    if _AZURE_PAGE.search(head) or (is_list and _AZURE_ITEM.search(head)):
        return "azure:prices"
    return "gcp:skus" if _SKUS.search(head) else ""


def _of_workbook(
    book: Workbook, path: Path, dates: Dates | None, mark: Mark | None
) -> Table | Workbook:
    """The workbook, or the first of its sheets that is a table which an importer knows."""
    from capmodels.imports.table import open_table

    known = importers()
    if any(item.is_workbook and item.fits(book.columns) for item in known):
        return book
    for place, sheet in enumerate(book.sheets):
        plain = path.with_name(f"{path.name}-sheet-{place}")
        book.write_csv(sheet, plain)
        try:
            table = open_table(plain, dates, mark)
        except FileRefused:
            continue  # a cover, or notes
        if any(item.fits(table.columns) for item in known):
            return table
    return book


def recognised(columns: frozenset[str]) -> Importer:
    """Return the importer that columns or sheets belong to.

    Raises
    ------
    FileRefused
        When no one knows them; says what can be imported.
    """
    from capmodels.imports.workbook import WORKBOOK

    known = importers()
    for item in known:
        if (item.is_workbook or WORKBOOK not in columns) and item.fits(columns):
            return item
    names = "; ".join(item.title for item in known)
    found = sorted(name for name in columns - {WORKBOOK} if not name.startswith("*/"))
    said = ", ".join(name[:40] for name in found[:_NAMES_SAID])
    more = " ..." if len(found) > _NAMES_SAID else ""
    raise FileRefused(
        f"This file is of no kind that can be imported. It names {said or 'nothing'}{more}. "
        f"Known are: {names}."
    )
