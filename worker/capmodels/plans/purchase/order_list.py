"""The order list of a plan, for procurement: a line for each order and commitment."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.result import PurchasePlanResult
from capmodels.plans.purchase.words import latest_day, month_name
from capmodels.sheets import cell_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capmodels.spec import JSONDict

Cell = str | float | int


def order_list(params: JSONDict, result: JSONDict) -> list[tuple[Cell, ...]]:
    """Give what is to be ordered and committed to, in the order of the days.

    Parameters
    ----------
    params, result : dict
        Of a run of ``plans.purchase_plan``.

    Returns
    -------
    list of tuple
        The head, then a row for each order and commitment; amounts in the plan's currency.
    """
    asked = PurchasePlanParams.model_validate(params)
    found = PurchasePlanResult.model_validate(result)
    currency = asked.currency.shown
    rows: list[tuple[int, tuple[Cell, ...]]] = []
    for order in (each for each in found.orders if not each.placed):
        paid = currency.amount(order.paid_usd)
        trigger: Cell = round(order.trigger_p95_count, 1) if order.month > asked.today else ""
        trigger_unit = order.trigger_unit if trigger != "" else ""
        rows.append((order.month, (
            latest_day(asked, order.month), "Machines", order.machine, order.ordered_count,
            "machines", month_name(asked, order.arrives_month), "",
            round(paid / order.ordered_count, 2), round(paid, 2), "On arrival", trigger,
            trigger_unit, order.trigger_unit,
        )))  # fmt: skip
    for machine in asked.machines:
        own = [each for each in found.orders if each.machine == machine.name]
        if machine.spare_count and own and not own[0].placed:
            one = round(currency.amount(own[0].paid_usd) / own[0].ordered_count, 2)
            rows.append((own[0].month, (
                latest_day(asked, own[0].month), "Spare machines", machine.name,
                machine.spare_count, "machines", month_name(asked, own[0].arrives_month), "",
                one, round(one * machine.spare_count, 2), "On arrival", "", "", "spare",
            )))  # fmt: skip
    payments = {each.name: each.payment for each in asked.commitments}
    for start in (each for each in found.commitments if not each.placed):
        paid = currency.amount(start.paid_usd)
        how = "At the start" if payments[start.commitment] == "upfront" else "Monthly"
        rows.append((start.month, (
            latest_day(asked, start.month), "Commitment", start.commitment,
            _tenths(start.committed_count), start.unit, month_name(asked, start.month),
            month_name(asked, start.ends_month), round(paid / start.committed_count, 2),
            round(paid, 2), how, "", "", "",
        )))  # fmt: skip
    code = currency.code
    head = (
        "Order by", "Kind", "What", "Quantity", "Unit", "There from", "Until",
        f"Price of one [{code}]", f"Amount [{code}]", "Paid",
        "Order sooner when p95 passes", "Of", "Sized by",
    )  # fmt: skip
    return [head, *(row for _, row in sorted(rows, key=lambda each: each[0]))]


def _tenths(count: float) -> float:
    """Round to a tenth, and what is below one to three digits: an order of 0 is none."""
    return round(count, 1) if count >= 1.0 else float(f"{count:.3g}")


def as_csv(rows: Iterable[tuple[Cell, ...]]) -> str:
    """Write an order list as CSV for spreadsheets."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def as_xlsx(rows: list[tuple[Cell, ...]]) -> bytes:
    """Write an order list as a workbook of one sheet."""
    import openpyxl
    from openpyxl.styles import Font

    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title, sheet.freeze_panes = "Order list", "A2"
    for row in rows:
        sheet.append([_safe(cell) for cell in row])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for column, head in zip(sheet.columns, rows[0], strict=True):
        longest = max(len(str(cell.value)) for cell in column)
        sheet.column_dimensions[column[0].column_letter].width = min(longest, 60) + 2
        if "[" in str(head):
            for cell in column[1:]:
                cell.number_format = "#,##0.00"
    book.properties.creator = "Ampacity"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _safe(cell: Cell) -> Cell:
    return cell_text(cell) if isinstance(cell, str) else cell
