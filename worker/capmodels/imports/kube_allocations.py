"""What the pods of a cluster request, and what they cost, as OpenCost and Kubecost export it.

Source: OpenCost, "CSV Export" (a row a container and day, ``CPUCoreRequestAverage`` in cores,
``RAMBytesRequestAverage`` in bytes), and the fields of the Allocation API that both have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FAULTS_KEPT, FileRefused
from capmodels.imports import demand
from capmodels.imports.bill_source import spelled
from capmodels.imports.cells import Cells
from capmodels.imports.charges import amount, bad_cells, text, with_amounts, with_plain_numbers
from capmodels.imports.preview import Column
from capmodels.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

# Of each sum the columns it is in, and its unit.
_SUMS = {
    "cores_count": (("cpucorerequestaverage",), 1.0),
    "ram_gib": (("rambytesrequestaverage", "rambyterequestaverage"), 2.0**30),
    "gpus_count": (("gpus", "gpucount"), 1.0),
    "block_tb": (("pvbytes",), 1e12),
    "used_cores_count": (("cpucoreusageaverage",), 1.0),
    "used_ram_gib": (("rambytesusageaverage", "rambyteusageaverage"), 2.0**30),
    "cost": (("totalcost",), 1.0),
}
_WINDOW = ("date", "windowstart", "start")
_OWNER = ("namespace", "propertiesnamespace", "name")
_POD = ("pod", "propertiespod", "name")


def fits(columns: frozenset[str]) -> bool:
    """Whether a table says what containers or namespaces request, and when."""
    there = spelled(columns)
    wanted = (_SUMS["cores_count"][0], _SUMS["ram_gib"][0], _WINDOW)
    return all(any(name in there for name in names) for names in wanted)


def read(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what is requested by namespace, on average over the windows of the file.

    Raises
    ------
    FileRefused
        When nothing is requested.
    """
    report(0.1, "Reading allocations")
    there = spelled(table.columns)

    def named(names: tuple[str, ...]) -> str | None:
        return next((there[one] for one in names if one in there), None)

    columns = {key: named(names) for key, (names, _) in _SUMS.items()}
    numbers = [name for name in columns.values() if name is not None]
    table, empty, empty_count = with_amounts(table, numbers)
    table = with_plain_numbers(table, numbers)
    window, owner, pod = (named(names) for names in (_WINDOW, _OWNER, _POD))
    windows = f"SELECT COUNT(DISTINCT {text(window or '')}) FROM {table.source}"
    ((count,),) = table.rows(windows)
    said = owner and text(owner)
    sums = ", ".join(
        "0" if name is None else f"CAST(SUM({amount(name)}) AS DOUBLE) / {count * _SUMS[key][1]!r}"
        for key, name in columns.items()
    )
    pods = f"COUNT(DISTINCT {text(pod)})" if pod else "COUNT(*)"
    rows = table.rows(
        f"SELECT {said or repr('')}, {pods}, {sums}, COUNT(*) FROM {table.source} GROUP BY 1"
    )
    owners = {row[0]: [float(cell) for cell in row[1:-1]] for row in rows}
    idle = owners.pop("__idle__", None)
    names = ("pods_count", *columns)
    whole = dict(zip(names, map(sum, zip(*owners.values(), strict=True)), strict=True))
    if not owners or not (whole["cores_count"] or whole["ram_gib"]):
        raise FileRefused("No row of this file requests processors or memory.")
    cells = Cells()
    for line, why in table.rejected(FAULTS_KEPT)[0]:
        cells.add(line, why)
    wrong, wrong_count, wrong_rows = bad_cells(table, numbers, FAULTS_KEPT)
    for cell in wrong:
        cells.add(cell.row, f"{cell.column}: {cell.text!r} is not a number")
    for line in empty:
        cells.add(line, "there is no amount in it")
    cells.faults_count += wrong_count - len(wrong) + empty_count - len(empty)
    return {
        "headline": (
            f"{counted(round(whole['pods_count']), 'pod')} in "
            f"{counted(len(owners), 'namespace')} asked for {whole['cores_count']:,.1f} cores and "
            f"{whole['ram_gib']:,.1f} GiB of RAM, on average of {counted(count, 'period')}."
        ),
        "notes": _notes(whole, columns, is_idle_left=idle is not None),
        "counted": f"{whole['pods_count']:,.0f} pods",
        "demand": {
            "busy_cores_count": whole["cores_count"],
            "ram_gib": whole["ram_gib"],
            "gpu_peak_count": whole["gpus_count"],
            "block_tb": whole["block_tb"],
        },
        "rows_count": sum(row[-1] for row in rows),
        "owners": demand.owners_of(owners, names, "cores_count"),
        **cells.document(),
        "unread_count": wrong_rows + empty_count,
    }


def _notes(
    whole: Mapping[str, float], columns: Mapping[str, str | None], *, is_idle_left: bool
) -> list[str]:
    notes = [
        "Requests are what pods were promised, not what they use: busy cores may be fewer. "
        "Replace them when a measured utilisation is at hand."
    ]
    if columns["used_cores_count"]:
        notes.append(
            f"They used {whole['used_cores_count']:,.1f} cores and {whole['used_ram_gib']:,.1f} "
            "GiB on average, as the file says; its peak is not in it."
        )
    if columns["cost"]:
        notes.append(
            f"The file counts a cost of {whole['cost']:,.2f} a period, in no named currency: it is "
            "not taken as the baseline."
        )
    if is_idle_left:
        notes.append("What the nodes have beyond that (idle) is not in the work.")
    return notes


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """Showback by namespace."""
    columns = (
        Column("Pods", "pods_count", "count"),
        Column("Cores", "cores_count", "count"),
        Column("RAM", "ram_gib", "quantity", "GiB"),
        Column("GPUs", "gpus_count", "count"),
        Column("Cores used", "used_cores_count", "count"),
    )
    return [demand.owners_table("Namespace", columns, preview["owners"])]


def sample() -> bytes:
    """Two days of two namespaces."""
    return b"""\
Date,Namespace,ControllerKind,ControllerName,Pod,Container,CPUCoreUsageAverage,\
CPUCoreRequestAverage,RAMBytesUsageAverage,RAMBytesRequestAverage,GPUs,PVBytes,CPUCost,TotalCost
2026-09-01,web,deployment,front,p1,c1,0.4,1,200000000,536870912,0,0,0.76,0.81
2026-09-01,ml,job,train,p2,c1,3,4,8000000000,8589934592,1,100000000000,3.1,9.2
2026-09-02,web,deployment,front,p1,c1,0.6,1,200000000,536870912,0,0,0.76,0.81
2026-09-02,ml,job,train,p2,c1,5,8,8000000000,8589934592,1,100000000000,6.2,12.2
"""


IMPORTER = demand.jobs_importer(
    id="kube_allocations",
    title="Allocations of Kubernetes pods (OpenCost, Kubecost)",
    fits=fits,
    read=read,
    tables=tables,
    sample=sample,
)
