"""Results of SPECpower_ssj2008 as a table: servers with their measured power by load.

The list that SPEC gives of them and what others make of it share no format. Columns are known by
what their names say: watts at a share of the target load ("avg. watts @ 100%", "w_30", "Average
watts at 70% of target load") or at active idle, and beside them who made what (SPEC,
"SPECpower_ssj2008 Result File Fields"). A result with all eleven loads is a power curve; one with
idle and full load alone is a server whose curve is its family's, held to the mean power that its
overall result and its operations at full load tell where both are there.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports.cells import Cells
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer
from capmodels.numbers import counted
from capmodels.written_numbers import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capmodels.imports.registry import Options
    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

ROWS_MAX = 20_000
_SHOWN = 200
_PERCENTS = tuple(range(0, 101, 10))
_AT = re.compile(r"\bwatts?\b.*?\b(\d{1,3}) ?%|^(?:w|watts?|power w) ?(\d{1,3})(?: percent)?$")
_IDLE = re.compile(r"\bwatts?\b.*\bidle\b|^(?:w|watts?|power w) idle$")
# What a server is, by the words that a column's name is made of.
_TEXTS = {
    "vendor": ("hardware vendor", "vendor", "manufacturer"),
    "system": ("system", "model", "server", "system name"),
    "cpu": ("cpu description", "processor", "cpu", "cpu name"),
    "published": ("published", "publication date", "publication", "test date"),
}
_COUNTS = {
    "sockets_per_node_count": ("chips", "sockets"),
    "cores_per_node_count": ("cores",),
    "threads_per_node_count": ("total threads", "threads"),
    "ram_gib": ("total memory gb", "memory gb", "mem gb", "total ram gb"),
    "overall_ssj_ops_per_w": (
        *("result", "overall ssj ops watt", "result overall ssj ops watt", "ssj ops watt"),
        "spec result",
    ),
    "full_load_ssj_ops_per_s": (
        *("ssj ops 100%", "ssj ops 100% of target load", "submitted ssj ops 100%"),
        *("ssj ops at 100%", "ssj ops at 100% of target load"),
    ),
    "nodes": ("nodes",),
}
# "Feb-2011", alone or behind a word such as "Historical".
_MONTH = re.compile(r"\b[A-Z][a-z]{2}-\d{4}\b")
_DATES = ("%b-%Y", "%b %Y", "%B %Y", "%Y-%m-%d", "%Y-%m", "%b %d, %Y")
# As a server's entry in the catalogue has them.
_RESULT = ("overall_ssj_ops_per_w", "full_load_ssj_ops_per_s")
_MEASURED = ("idle_w", "peak_w", "points_w", *_RESULT)
_FIGURES = (*(name for name in _COUNTS if name not in {"nodes", *_MEASURED}), *_MEASURED)


def _words(column: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9%]+", " ", column.lower()).split())


def watts_columns(columns: frozenset[str]) -> dict[int, str]:
    """Return the columns of watts by percent of load; active idle is 0."""
    found: dict[int, str] = {}
    for column in sorted(columns):
        said = _words(column)
        at = _AT.search(said)
        if at:
            found.setdefault(int(at[1] or at[2]), column)
        elif _IDLE.search(said):
            found[0] = column
    return {percent: column for percent, column in found.items() if percent in _PERCENTS}


def fits(columns: frozenset[str]) -> bool:
    """Whether a table names systems and their watts at active idle and at full load."""
    names = {_words(column) for column in columns}
    return {0, 100} <= watts_columns(columns).keys() and bool(names & set(_TEXTS["system"]))


def version(_columns: frozenset[str]) -> str:
    """Tables have no version."""
    return ""


def read(file: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return the servers of a table of results.

    Raises
    ------
    FileRefused
        When no row is a server with its power, or there are too many.
    """
    report(0.2, "Reading results")
    watts = watts_columns(file.columns)
    plain = {_words(column): column for column in sorted(file.columns, reverse=True)}
    said = {
        name: plain[word]
        for name, words in (_TEXTS | _COUNTS).items()
        if (word := next((one for one in words if one in plain), None)) is not None
    }
    names = [*watts.values(), *said.values()]
    rows = file.text_rows(names)
    if len(rows) > ROWS_MAX:
        raise FileRefused(f"The file has more than {ROWS_MAX:,} results.")
    cells = Cells()
    for line, why in file.rejected(100)[0]:
        cells.add(line, why)
    servers: dict[str, JSONDict] = {}
    for line, row in rows:
        by_name = dict(zip([*watts, *said], row, strict=True))
        server = _server(line, by_name, tuple(watts), cells)
        if server is not None:
            _keep(servers, server)
    if not servers:
        raise FileRefused("No row of this file is a server with its power at idle and full load.")
    curves = sum("points_w" in server for server in servers.values())
    return {
        "headline": f"{counted(len(servers), 'server')}, {curves:,} with power at eleven loads.",
        "notes": [],
        "servers": list(servers.values()),
        **cells.document(),
    }


def _keep(servers: dict[str, JSONDict], server: JSONDict) -> None:
    """Take a server in; another result of a name that is there gets a number, the same none."""
    named = server["title"]
    for number in range(2, ROWS_MAX):
        held = servers.setdefault(server["title"], server)
        if held is server or _figures(held) == _figures(server):
            return
        server["title"] = f"{named}, result {number}"


def _figures(server: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(server.get(name) for name in _FIGURES)


def _server(
    line: int, row: Mapping[Any, Any], percents: Sequence[int], cells: Cells
) -> JSONDict | None:
    """A server as an entry of the catalogue has it; None, and a fault, where its power is none."""
    title = _title(row)
    if not title:
        cells.add(line, "no name of a system")
        return None
    watts = {at: _number(row.get(at)) for at in percents}
    idle, peak = watts[0], watts[100]
    if idle is None or peak is None or not 0 < idle < peak:
        said = (str(row.get(at) or "nothing")[:20] for at in (0, 100))
        cells.add(line, "{}: active idle {}, full load {}; both must be watts above 0, the first "
                        "lower".format(title, *said))  # fmt: skip
        return None
    nodes = _number(row.get("nodes")) or 1.0
    found = {name: value for name in _COUNTS if (value := _number(row.get(name)))}
    points = [watts.get(at) for at in _PERCENTS]
    server: JSONDict = {
        "title": title,
        "row": line,
        "idle_w": idle / nodes,
        "peak_w": peak / nodes,
        **{
            name: value if name == "overall_ssj_ops_per_w" else value / nodes
            for name, value in found.items()
            if name != "nodes"
        },
    }
    if all(point is not None and idle <= point for point in points):
        server["points_w"] = [point / nodes for point in points if point is not None]
    texts = {"vendor": row.get("vendor"), "cpu": row.get("cpu"), "as_of": _month(row)}
    return server | {name: str(text).strip()[:200] for name, text in texts.items() if text}


def _title(row: Mapping[Any, Any]) -> str:
    """Who made what, with its processor where the name does not say it, and when."""
    said = [" ".join(str(row.get(name) or "").split()) for name in ("vendor", "system", "cpu")]
    vendor, named, cpu = said
    if not named:
        return ""
    if vendor and not _begins_alike(vendor, named):
        named = f"{vendor} {named}"
    if cpu and "(" not in named and cpu.lower() not in named.lower():
        named += f", {cpu}"
    month = _month(row)
    return f"{named[:170]}{f' ({month[:7]})' if month else ''}"


def _begins_alike(vendor: str, system: str) -> bool:
    """Whether a system's name begins with its maker's, written out or short.

    >>> _begins_alike("ASUSTeK Computer Inc.", "ASUS RS100"), _begins_alike("HPE", "ProLiant")
    (True, False)
    """
    maker, first = (text.lower().split(maxsplit=1)[0] for text in (vendor, system))
    return maker.startswith(first) or first.startswith(maker)


def _month(row: Mapping[Any, Any]) -> str | None:
    """The day that a result is of, the first of its month where it says no day."""
    text = str(row.get("published") or "").strip()
    found = _MONTH.search(text)
    for form in _DATES:
        try:
            day = datetime.strptime(found[0] if found else text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return day.date().isoformat()
    return None


def _number(cell: Any) -> float | None:
    try:
        value = number_of(str(cell if cell is not None else ""))
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The first of the servers."""
    columns = (
        Column("Server", "title"),
        Column("Processor", "cpu"),
        Column("Cores", "cores_per_node_count", "count"),
        Column("RAM", "ram_gib", "quantity", "GiB"),
        Column("Active idle", "idle_w", "quantity", "W"),
        Column("Full load", "peak_w", "quantity", "W"),
        Column("Power by load", "curve"),
    )
    rows = [{**one, "curve": _curve(one)} for one in preview["servers"][:_SHOWN]]
    note = f"The first {_SHOWN} of them." if len(preview["servers"]) > _SHOWN else ""
    return [table("Servers", columns, rows, note)]


def _curve(server: Mapping[str, Any]) -> str:
    if "points_w" in server:
        return "measured at eleven loads"
    if server.keys() >= set(_RESULT):
        return "its family's, with the mean of its result"
    return "its family's"


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the servers as entries of the workspace's catalogue."""
    return Drafted(
        title=f"Servers of {options.file_name}"[:120],
        entries=[_entry(server, options) for server in preview["servers"]],
    )


def _entry(server: Mapping[str, Any], options: Options) -> JSONDict:
    origin = {
        "source": f"SPECpower_ssj2008 result, {options.file_name}, row {server['row']}"[:500],
        "as_of": server.get("as_of") or options.as_of,
    }
    values = {
        name: {
            "value": server[name],
            "quality": "measured" if name in _MEASURED else "published",
            **origin,
        }
        for name in (*_FIGURES, "vendor", "cpu")
        if name in server
    }
    return {"kind": "server", "title": server["title"], "values": values}


def sample() -> bytes:
    """Two results as lists of results have them, one with its power at every load."""
    loads = "".join(f",average watts @ {percent}% of target load" for percent in range(90, 0, -10))
    return (
        "Hardware Vendor ,System ,Result,avg. watts @ 100%,avg. watts @ active idle,# Cores,Chips,"
        f"CPU Description,Total Memory (GB),Published{loads}\n"
        "Example Systems,R100 (1 x Example 7000),\"12,345\",400,100,64,1,Example 7000,256,May-2024,"
        "370,340,310,285,260,240,215,190,160\n"
        "Example Systems,R200,9876,600,150,128,2,Example 7100,512,Jun-2024,,,,,,,,,\n"
    ).encode()  # fmt: skip


IMPORTER = Importer(
    id="specpower",
    title="Results of SPECpower (table of systems with watts at idle and by load)",
    makes="servers",
    fits=fits,
    version=version,
    read=read,
    tables=tables,
    draft=draft,
    sample=sample,
)
