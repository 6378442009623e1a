"""From a bill to a study's baseline and work: the same amount a month, to the cent.

Machines become lines with their hours and what an hour cost in fact; everything else that is no
tax, credit or refund becomes the other cost. What a bill cannot say is told, never made up.
"""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from capmodels.errors import Fault, ParamsError
from capmodels.imports.bill import BILL_NAMES, span_of
from capmodels.imports.bill_tables import bill_tables
from capmodels.imports.origins import Span, origin_of, rows_said
from capmodels.imports.registry import Drafted, Importer
from capmodels.numbers import counted, percent
from capmodels.plans.document.workload import Headroom
from capmodels.units import HOURS_PER_MONTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capmodels.imports.registry import Options, Size
    from capmodels.spec import JSONDict

Cost = Literal["effective", "billed"]
LINES_MAX = 500
# Providers bill storage and transfer by 2^30 bytes and call it GB: "Amazon S3 pricing" (note on
# units), "Azure Blob Storage pricing" (frequently asked questions), "Cloud Storage pricing" (GiB).
BYTES_PER_GB = 2**30
BYTES_PER_TB = 10**12
DEMANDS = {
    "block": "block_tb",
    "object": "object_tb",
    "archive": "object_tb",
    "egress": "egress_tb_per_month",
    "cdn": "egress_tb_per_month",
    "cross_zone": "cross_zone_tb_per_month",
}
# Told where a study has no work yet.
NOT_BUSY = "A bill does not say how busy machines are: enter busy cores and RAM in the work."
# Storage that a study's work has no field for, and that of which it needs the bytes.
_NO_FIELD = {"files", "snapshots"}
_STORED = {"block", "object", "archive", *_NO_FIELD}
_CENT = Decimal("0.01")


def draft(bill: Mapping[str, Any], options: Options) -> Drafted:
    """Return the baseline and the work that a bill says.

    Raises
    ------
    ParamsError
        When the rate of its currency is missing, or the bill comes to nothing.
    """
    rate = rate_of(bill["currency"], options.per_usd)
    cost: Cost = options.cost or bill["suggested_cost"]
    months = [row["month"] for row in bill["months"]]
    scale = Decimal(1) / (rate * len(months))
    rows = bill["kinds"]
    counted = sum((Decimal(r[cost]) for r in rows if r["place"] != "apart"), Decimal(0))
    monthly_usd = counted * scale
    if monthly_usd <= 0:
        message = "Without taxes, credits and refunds this bill comes to nothing."
        raise ParamsError([Fault("/cost", "nothing", message)])
    lines, line_rows, listed = _lines(bill, cost, scale, options)
    own_usd = sum(_line_usd(line) for line in lines)
    # What is left of the last bits of the lines' products is no cost.
    other_usd = round(float(monthly_usd) - own_usd, 6) + 0.0
    if other_usd < 0:
        # A discount on the whole bill stands in lines of its own: it is spread over the machines.
        for line in lines:
            line["usd_per_h"] *= float(monthly_usd) / own_usd
        other_usd = 0.0
    span = span_of(months)
    workload, provenance = _workload(bill, options)
    sizes = options.sizes_of({machine["type"] for machine in bill["machines"]})
    starts = {}
    if any("commitment_ends_on" in line for line in lines):
        # the day on which commitments end is counted from the bill's own month
        starts = {"starts_on": f"{months[-1]}-01"}
    return Drafted(
        title=f"Bill of {span}"[:120],
        assumptions=starts,
        assumed_from={
            f"/{name}": origin_of(options, "derived", rows="", what=span, as_of=day)
            for name, day in starts.items()
        },
        baseline={
            "kind": "today",
            "title": f"Bill of {span}"[:120],
            "lines": lines,
            "other_usd_per_month": other_usd,
        },
        baseline_from=_origins(bill, options, line_rows) | listed,
        workload=workload,
        provenance=provenance,
        reconciliation=_reconciled(bill, cost, scale, lines, other_usd),
        open_points=[*_open_points(bill, lines, sizes), *_prices_afterwards(lines, listed)],
    )


def rate_of(currency: str, per_usd: float | None) -> Decimal:
    """Units of a bill's currency that a US dollar buys.

    Raises
    ------
    ParamsError
        When it is not said.
    """
    if currency in {"USD", ""}:
        return Decimal(1)
    if per_usd is None or per_usd <= 0:
        message = f"The bill is in {currency}. Enter how many {currency} one US dollar buys."
        raise ParamsError([Fault("/per_usd", "needed", message)])
    return Decimal(str(per_usd))


def _line_usd(line: Mapping[str, Any]) -> float:
    return float(line["count"] * line["hours_per_month"] * line["usd_per_h"])


def _origins(bill: Mapping[str, Any], options: Options, line_rows: list[Sequence[int]]) -> JSONDict:
    """Which rows each line is the sum of, and the rest of what runs."""
    months = [row["month"] for row in bill["months"]]
    rest = Span()
    for row in bill["kinds"]:
        if row["place"] != "apart":
            rest.add(*row.get("rows", (0, 0, 0)))
    rest.count -= sum(count for _first, _last, count in line_rows)
    rows_of = {f"/lines/{place}": rows for place, rows in enumerate(line_rows)}
    return {
        pointer: origin_of(
            options,
            "measured",
            rows=rows_said(rows),
            what=span_of(months),
            as_of=f"{months[-1]}-01",
        )
        for pointer, rows in {**rows_of, "/other_usd_per_month": rest.document()}.items()
    }


def _lines(
    bill: Mapping[str, Any], cost: Cost, scale: Decimal, options: Options
) -> tuple[list[JSONDict], list[Sequence[int]], JSONDict]:
    """The machines as lines, the rows of the bill that each is, and what the catalogue adds.

    That is a price without the commitment, and what a committed machine of known speed carries.
    """
    ends = _only_end(bill)
    sizes = options.sizes_of({machine["type"] for machine in bill["machines"]}) if ends else {}
    listed: JSONDict = {}
    rate_scale = scale * len(bill["months"])
    lines: list[JSONDict] = []
    rows: list[Sequence[int]] = []
    for row in bill["machines"]:
        hours, paid = Decimal(row["hours"]), Decimal(row[cost])
        if hours <= 0 or paid < 0 or len(lines) == LINES_MAX:
            continue
        name = " ".join(part for part in (row["type"], row["region"]) if part)
        line: JSONDict = {
            "type": name[:120],
            "count": float(hours / len(bill["months"])) / HOURS_PER_MONTH,
            "hours_per_month": HOURS_PER_MONTH,
            "usd_per_h": float(paid * rate_scale / hours),
        }
        if row["is_committed"] and ends:
            line["commitment_ends_on"] = ends
            if is_list_known(row):
                line["after_usd_per_h"] = float(Decimal(row["list"]) * rate_scale / hours)
            elif (price := options.price_of(row["type"], row["region"])) is not None:
                line["after_usd_per_h"] = price.usd_per_h
                listed[f"/lines/{len(lines)}/after_usd_per_h"] = {
                    "quality": "published",
                    "source": f"{price.source}; the file has no price without the commitment",
                }
            size = sizes.get(row["type"])
            if size is not None and size.perf_per_vcpu_ratio is not None:
                share = Headroom().cores_target_fraction
                cores = size.vcpus_count * size.perf_per_vcpu_ratio
                line["busy_cores_count"] = cores * share
                if size.ram_gib:
                    line["ram_gib"] = size.ram_gib
                listed[f"/lines/{len(lines)}/busy_cores_count"] = {
                    "quality": "derived",
                    "source": f"{cores:g} cores by the catalogue, {percent(share)} of them busy as "
                    "the plan fills machines",
                }
        lines.append(line)
        rows.append(row.get("rows", (0, 0, 0)))
    return lines, rows, listed


def is_list_known(row: Mapping[str, Any]) -> bool:
    """Whether a bill says what committed machines cost without their commitment.

    Where the list price is left out, exports write 0, nothing, or the discounted price again.
    """
    listed, paid = Decimal(row["list"]), Decimal(row["effective"])
    return listed > 0 and listed != paid


def lines_without_price(lines: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Lines of a baseline whose commitment ends and whose price from then on is not known."""
    return [
        line
        for line in lines
        if line.get("commitment_ends_on") and line.get("after_usd_per_h") is None
    ]


def _prices_afterwards(lines: Sequence[Mapping[str, Any]], listed: Mapping[str, Any]) -> list[str]:
    """What is to be looked at, or entered, of prices once commitments have run off."""
    points = []
    prices = [pointer for pointer in listed if pointer.endswith("/after_usd_per_h")]
    if prices:
        points.append(
            f"The file does not say what {counted(len(prices), 'line')} of the baseline cost once "
            "the commitment has run off: the catalogue's on-demand prices are taken."
        )
    asked = [line["type"] for line in lines_without_price(lines)]
    if asked:
        points.append(
            f"Enter the price once the commitment has run off, beside the lines of the baseline: "
            f"neither the file nor the catalogue has it of {', '.join(asked[:5])}"
            f"{' and others' if len(asked) > 5 else ''}. There is no verdict until then."
        )
    return points


def _only_end(bill: Mapping[str, Any]) -> str | None:
    """The day on which all commitments end; None when they differ, or the bill does not say."""
    ends = {item["ends_on"] for item in bill["commitments"]}
    return ends.pop() if len(ends) == 1 else None


def is_sized(row: Mapping[str, Any]) -> bool:
    """Whether the quantity of a row of storage or transfer is in bytes."""
    return bool(row["unit"].lower().lstrip("1 ").startswith(("g", "t")))


def tb_of(row: Mapping[str, Any]) -> float:
    """A quantity in the unit of its row as decimal terabytes."""
    unit = row["unit"].lower()
    gigabytes = float(row["quantity"]) * (1024.0 if unit.startswith(("tb", "tib")) else 1.0)
    return gigabytes * BYTES_PER_GB / BYTES_PER_TB


def _workload(bill: Mapping[str, Any], options: Options) -> tuple[JSONDict, JSONDict]:
    all_months = [row["month"] for row in bill["months"]]
    months = len(all_months)
    found: dict[str, float] = {}
    rows_of: dict[str, Span] = {}
    for row in bill["stored"]:
        name = DEMANDS.get(row["kind"])
        if name is None or not is_sized(row):
            continue
        found[name] = found.get(name, 0.0) + tb_of(row) / months
        rows_of.setdefault(name, Span()).add(*row.get("rows", (0, 0, 0)))
    provenance = {
        f"/{name}": origin_of(
            options,
            "measured",
            rows=rows_said(rows_of[name].document()),
            what=span_of(all_months),
            as_of=f"{all_months[-1]}-01",
        )
        for name in found
    }
    return {"kind": "demand", **found}, provenance


def _reconciled(
    bill: Mapping[str, Any],
    cost: Cost,
    scale: Decimal,
    lines: list[JSONDict],
    other_usd: float,
) -> list[JSONDict]:
    """Where every cent of the bill went: the rows add up to the invoice."""
    totals = bill["totals"]
    apart = [row for row in bill["kinds"] if row["place"] == "apart"]
    machines = sum(_line_usd(line) for line in lines)
    rows = [
        ("Machines", _cents(Decimal(machines) / scale)),
        ("Everything else that runs", _cents(Decimal(other_usd) / scale)),
        *((row["label"], Decimal(row[cost])) for row in apart),
    ]
    timing = Decimal(totals["billed"]) - Decimal(totals[cost])
    if timing:
        rows.append(("Commitments paid in other months than used", timing))
    return [{"what": what, "amount": f"{value.quantize(_CENT)}"} for what, value in rows] + [
        {"what": "Invoiced", "amount": f"{Decimal(totals['billed']).quantize(_CENT)}"}
    ]


def _cents(amount: Decimal) -> Decimal:
    # Fifteen digits of a float are more than the cents of any bill.
    return round(amount, 6)


def _open_points(
    bill: Mapping[str, Any], lines: list[JSONDict], sizes: Mapping[str, Size]
) -> list[str]:
    points = [_provisioned(bill, sizes), NOT_BUSY] if bill["machines"] else []
    committed = any(row["is_committed"] for row in bill["machines"])
    if committed and not any("commitment_ends_on" in line for line in lines):
        points.append(
            "The bill does not say when the commitments end. Enter it beside the lines of the "
            "baseline, else their prices stay."
        )
    points += _not_in_work(bill)
    if bill["faults_count"]:
        points.append(f"{counted(bill['faults_count'], 'cell')} of the bill could not be read: "
                      "its sums are those of the others.")  # fmt: skip
    unplaced = bill["unplaced"]
    if unplaced["lines_count"]:
        points.append(_unrecognised(unplaced["lines_count"]))
    if len(bill["machines"]) > len(lines):
        points.append("Machines without hours or with a negative cost are in the other cost.")
    return points


def _not_in_work(bill: Mapping[str, Any]) -> list[str]:
    """Kinds of storage that the work has no field for, or of which the bill says no bytes."""
    labels = {row["kind"]: row["label"].lower() for row in bill["kinds"]}
    stored = [row for row in bill["stored"] if row["kind"] in labels]
    sizes: dict[str, float] = {}
    for row in stored:
        if row["kind"] in _NO_FIELD and is_sized(row):
            sizes[row["kind"]] = sizes.get(row["kind"], 0.0) + tb_of(row) / len(bill["months"])
    said = [f"{labels[kind]} ({size:,.1f} TB)" for kind, size in sizes.items() if size]
    units = sorted({
        f"{labels[row['kind']]} by {row['unit'] or 'no unit'}"
        for row in stored
        if row["kind"] in _STORED and not is_sized(row) and float(row["quantity"])
    })  # fmt: skip
    return [
        f"Not in the work, but in the other cost: {', '.join(found)}{why}."
        for found, why in ((said, ""), (units, ", of which the bill says no bytes"))
        if found
    ]


def _unrecognised(count: int) -> str:
    if count == 1:
        return "One kind of charge was not recognised; it is counted in the other cost."
    return f"{count:,} kinds of charge were not recognised; they are counted in the other cost."


def _provisioned(bill: Mapping[str, Any], sizes: Mapping[str, Size]) -> str:
    vcpus = ram = unknown = 0.0
    for row in bill["machines"]:
        count = float(row["hours"]) / len(bill["months"]) / HOURS_PER_MONTH
        size = sizes.get(row["type"])
        if size is None:
            unknown += count
        else:
            vcpus, ram = vcpus + count * size.vcpus_count, ram + count * size.ram_gib
    said = f"On average {vcpus:,.1f} vCPUs and {ram:,.0f} GiB of RAM are rented"
    if unknown:
        said += f", and {unknown:,.1f} machines of types that the catalogue does not hold"
    return f"{said}."


bill_importer = partial(Importer, makes="bill", tables=bill_tables, draft=draft, names=BILL_NAMES)
