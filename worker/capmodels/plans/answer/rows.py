"""The comparison as a table: one row per figure, a value or a reason per design."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from capmodels.numbers import is_same, percent, quantity
from capmodels.plans.answer.down_hours import down_row
from capmodels.plans.answer.footprints import OVERLAP, shared_out, unsure_why
from capmodels.plans.answer.place_rows import envelope_rows, io_rows, showback_rows
from capmodels.plans.answer.rented_storage import ALL, ALONE
from capmodels.plans.answer.row import (
    AT_MEAN,
    CARBON,
    CARBON_PER_TB_YEAR,
    ENERGY,
    Value,
    best_of,
    row_of,
)
from capmodels.plans.answer.serving_rows import serving_rows
from capmodels.plans.answer.tier_rows import tier_rows
from capmodels.plans.answer.training_rows import training_rows
from capmodels.plans.answer.verdict import name_of
from capmodels.plans.answer.work_done import BY_ENERGY, work_rows
from capmodels.plans.words import horizon_words, money, time_span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.plans.comparison import Binding, BreakEven, DesignResult
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.storage_figures import ArrayFigures
    from capmodels.spec import JSONDict

NOT_COMPARED = "Nothing to compare it with."


def table_rows(
    columns: list[DesignResult],
    all_even: list[BreakEven],
    scene: Scene,
    ends: tuple[str, str] | None,
) -> list[JSONDict]:
    """Return the rows that at least one design has a value or a reason for.

    ``ends`` are the winner and the rival that its pay-off is read against, where it has one.
    """
    # Beside means of the simulations it is said which figures are not.
    told = ", as entered" if any(column.mean_usd is not None for column in columns) else ""
    rows = [
        *_cost_rows(columns, scene),
        row_of(
            "eac_usd_per_year",
            f"Equivalent annual cost{told}",
            "USD/yr",
            columns,
            lambda c: (c.eac_usd_per_year, None),
        ),
        row_of(
            "start_usd",
            f"Paid at the start{told}",
            "USD",
            columns,
            lambda c: (c.cumulative_usd[0], None),
        ),
    ]
    rows += [
        row_of(
            f"year_{year + 1}_usd",
            f"Year {year + 1}{told}",
            "USD",
            columns,
            _paid_in(year),
        )
        for year in range(scene.years)
    ]
    rows += [
        *_pay_off_rows(columns, all_even, ends),
        row_of(
            "irr_fraction",
            f"Rate of return{told}",
            "fraction/yr",
            columns,
            lambda c: (c.irr_fraction, c.irr_reason or NOT_COMPARED),
            lower=False,
        ),
        row_of(
            "mirr_fraction",
            f"Rate of return, modified{told}",
            "fraction/yr",
            columns,
            lambda c: (c.mirr_fraction, c.irr_reason or NOT_COMPARED),
            lower=False,
        ),
        *_end_rows(columns, scene),
        row_of(ENERGY, "Energy", "kWh", columns, lambda c: (c.energy.kwh, c.energy.reason)),
        row_of(
            CARBON,
            "Carbon",
            "kg CO2e",
            columns,
            lambda c: (c.carbon.kgco2e, c.carbon.reason),
        ),
        *work_rows(columns, scene),
        *serving_rows(columns, scene),
        *training_rows(columns, scene),
        down_row(columns, told),
        *_spare_rows(columns),
        *_odds_rows(columns, scene),
    ]
    rows += io_rows(columns) + envelope_rows(columns) + showback_rows(columns)
    if any(column.array is not None for column in columns):
        rows += _array_rows(columns) + tier_rows(columns)
    elif any(column.rented_storage or column.owned_storage_tb for column in columns):
        rows += [row for row in _array_rows(columns) if row["id"] in _OF_RENTED]
    _without_unsure(rows, columns)
    if any(column.service is not None for column in columns):
        rows += _service_rows(columns)
    if any(column.memory is not None for column in columns):
        rows += _memory_rows(columns)
    # Where drives fail, that it is unknown how safe data are is told as well.
    failing = any(column.array and column.array.failures_per_year > 0 for column in columns)
    kept = _OF_FAILURES if failing else set()
    known = (any(v is not None for v in row["values"].values()) for row in rows)
    return [row for row, is_known in zip(rows, known, strict=True) if is_known or row["id"] in kept]


def _without_unsure(rows: list[JSONDict], columns: list[DesignResult]) -> None:
    """Take the best off rows of energy and carbon whose estimates may be in another order."""
    competing = {one.letter: one for one in columns if one.competes}
    kinds = {"energy": (ENERGY, *BY_ENERGY), "carbon": (CARBON, *_OF_CARBON)}
    for kind, names in kinds.items():
        used = {letter: getattr(one, kind).model_dump() for letter, one in competing.items()}
        for row in rows:
            if row["id"] not in names or (best := row["best"]) is None:
                continue
            held = shared_out(kind, used, row["values"]) if row["id"] in _OF_CARBON else used
            if (why := unsure_why(kind, held, [best])) is not None:
                row["best"] = None
                notes = dict(row.get("notes", {}))
                said = f"level: {why}" if why == OVERLAP else why
                row["notes"] = notes | {best: "; ".join(filter(None, (notes.get(best), said)))}


LATE = "above the cash sum: value left and credits come late, and count less in present value"
MEASURES = {"cash": ("total_usd", "Cost"), "present_value": ("npv_usd", "Present value")}


def measure_of(columns: Sequence[DesignResult], scene: Scene) -> str:
    """What designs are ranked by, in words: ``Present value over 3 years, mean``."""
    _, label = MEASURES[scene.assumptions.ranked_by]
    drawn = any(column.mean_usd is not None for column in columns)
    return f"{label} over {horizon_words(scene.months)}{', mean' if drawn else ''}"


def _cost_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """What designs are ranked by comes first: its mean over the simulations, where there are any.

    Only the measure that the verdict goes by has a best value.
    """
    span = horizon_words(scene.months)
    drawn = any(column.mean_usd is not None for column in columns)
    ranked, other = MEASURES["cash"], MEASURES["present_value"]
    if scene.by_value:
        ranked, other = other, ranked

    def entered(measure: tuple[str, str], *, lower: bool | None) -> JSONDict:
        name, label = measure
        told = f"{label}, {span}, as entered" if drawn else f"{label}, {span}"
        return row_of(name, told, "USD", columns, lambda c: (getattr(c, name), None), lower=lower)

    rows = [entered(ranked, lower=None if drawn else True), entered(other, lower=None)]
    by_value = next(row for row in rows if row["id"] == "npv_usd")
    by_value["notes"] = {
        column.letter: LATE
        for column in columns
        if column.npv_usd > column.total_usd and not is_same(column.npv_usd, column.total_usd)
    }
    if not drawn:
        return rows
    mean = row_of("mean_usd", f"{ranked[1]}, {span}, mean", "USD", columns, _drawn("mean_usd"))
    mean["notes"] = {
        column.letter: f"as entered {money(getattr(column, ranked[0]), scene.assumptions.currency)}"
        for column in columns
    }
    return [mean, *rows]


def _end_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """What is left, and what is still to be paid: both are in the totals by one convention."""
    span = horizon_words(scene.months)
    continues = scene.assumptions.end == "work_continues"
    how = "work continues" if continues else "work stops"

    def left(column: DesignResult) -> Value:
        return -math.fsum(c.amount_usd for c in column.causes if c.cause == "salvage"), None

    worth = row_of(
        "value_left_usd", f"Value left after {span}, {how}", "USD", columns, left, lower=None
    )
    owed = row_of(
        "owed_after_horizon_usd",
        f"Remaining commitments after {span}",
        "USD",
        columns,
        lambda c: (c.owed_after_horizon_usd, None),
        lower=None,
    )
    told = "not charged: the work continues" if continues else "charged: the work stops"
    owed["notes"] = {c.letter: told for c in columns if c.owed_after_horizon_usd}
    return [worth, owed]


def _drawn(name: str) -> Callable[[DesignResult], Value]:
    return lambda column: (getattr(column, name), _no_draws(column))


def _odds_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """Rows of what the simulations say; those of the cost follow the measure of the ranking."""
    label = MEASURES[scene.assumptions.ranked_by][1]
    told = (
        ("p10_usd", f"{label}, P10", "USD", None),
        ("p50_usd", f"{label}, P50", "USD", None),
        ("p90_usd", f"{label}, P90", "USD", None),
        ("regret_usd", "Expected cost of a wrong choice", "USD", True),
        ("win_fraction", "Cheapest in", "fraction", False),
        ("near_fraction", "Within 1% of the cheapest in", "fraction", False),
        ("met_fraction", "Meets demand in", "fraction", None),
        ("unmet_h_per_year", "Hours short of demand", "h/yr", None),
    )
    return [
        row_of(name, text, unit, columns, _drawn(name), lower=lower)
        for name, text, unit, lower in told
    ]


def _pay_off_rows(
    columns: list[DesignResult], all_even: list[BreakEven], ends: tuple[str, str] | None
) -> list[JSONDict]:
    """A row for each measure of which break-evens are known, all against one design.

    That is the one of ``ends``, the winner and the rival that it is read against, which has
    nothing to pay off itself; it is held against the other of the two.
    """
    rows = []
    names = {column.letter: name_of(column) for column in columns}
    for row_id, discounted in (
        ("break_even_months", False),
        ("break_even_discounted_months", True),
    ):
        pairs = {
            frozenset((item.challenger, item.incumbent)): item
            for item in all_even
            if item.discounted == discounted
        }
        decides = None if ends is None else pairs.get(frozenset(ends))
        if decides is None:
            continue
        base = decides.incumbent
        held = {
            letter: decides if letter == base else pairs[frozenset((letter, base))]
            for letter in names
        }
        rivals = {
            letter: item.incumbent if item.challenger == letter else item.challenger
            for letter, item in held.items()
        }
        basis = "discounted" if discounted else "undiscounted"
        if decides.basis == "mean":
            basis = f"{basis}, mean of simulations"
        row = row_of(
            row_id,
            f"Pays off after, against {names[base]}, {basis}",
            "months",
            columns,
            partial(_pay_off, held=held, names={key: names[one] for key, one in rivals.items()}),
        )
        rows.append({**row, "rivals": rivals})
    return rows


def _pay_off(column: DesignResult, held: dict[str, BreakEven], names: dict[str, str]) -> Value:
    """When a design has cost less than its rival for good, as the two lines cross. [months]

    ``held`` and ``names`` are the break-even and the rival's name of each design.
    """
    even, rival = held[column.letter], names[column.letter]
    if even.reason == "same":
        return None, f"It costs the same as {rival} in every month."
    if even.challenger == column.letter:
        late = f"Not within the horizon, against {rival}."
        return even.exact_months, late if even.exact_months is None else None
    if even.reason == "always":
        return None, f"It does not pay off: {rival} costs less from the start."
    if even.exact_months is not None:
        after = time_span(even.exact_months)
        return None, f"It starts no higher than {rival}, and costs more for good after {after}."
    if even.crossings_count:
        return None, f"It starts no higher than {rival}, and costs no more in the end."
    return None, f"It costs no more than {rival} in any month, so there is nothing to pay off."


INDEPENDENT = "Failures are taken as independent."
# Id in the answer and in the row, label, unit, and whether less is better.
_ARRAY_ROWS = (
    ("nodes_count", "Nodes of the cluster", "nodes", None),
    ("usable_tb", "Capacity", "TB", None),
    ("iops_ceiling_per_s", "IOPS it can serve", "1/s", False),
    ("throughput_ceiling_mb_per_s", "Throughput it can serve", "MB/s", False),
    ("response_mean_ms", "Mean response at peak", "ms", True),
    ("response_p50_ms", "Response at peak, 50%", "ms", True),
    ("response_p95_ms", "Response at peak, 95%", "ms", True),
    ("response_p99_ms", "Response at peak, 99%", "ms", True),
    ("response_p999_ms", "Response at peak, 99.9%", "ms", True),
    ("mean_w", "Array power, mean", "W", True),
    ("usd_per_tb_year", "Cost per TB-year", "USD/TB-yr", True),
    ("kgco2e_per_tb_year", "Carbon per TB-year", "kg CO2e/TB-yr", True),
    ("loss_fraction_per_year", "Chance of data loss", "fraction/yr", True),
    ("object_nines_count", "Durability, nines a year", "count", False),
    ("rebuild_h", "Rebuild of a drive, longest", "h", True),
    ("failures_per_year", "Drives that fail", "1/yr", True),
    ("wear_years", "Worn out after", "yr", False),
)


# Shares of a design's carbon.
_OF_CARBON = (CARBON_PER_TB_YEAR,)
# Of coded clusters alone.
_OF_NODES = {
    "nodes_count", "response_p50_ms", "response_p95_ms", "response_p99_ms", "response_p999_ms",
}  # fmt: skip
_OF_FAILURES = {"array_loss_fraction_per_year", "array_object_nines_count", "array_rebuild_h"}
# What rented storage has as well.
_OF_RENTED = {"array_usable_tb": "usable_tb", "array_usd_per_tb_year": "usd_per_tb_year"}


def _array_rows(columns: list[DesignResult]) -> list[JSONDict]:
    """Rows of arrays and rented storage; notes say what wears first, and what a price is of."""
    rows = [
        row_of(f"array_{name}", label, unit, columns, _array_value(name), lower=lower)
        for name, label, unit, lower in _ARRAY_ROWS
        if name not in _OF_NODES or _on_nodes(columns)
    ]
    rows[-1]["notes"] = {
        column.letter: column.array.wears_first
        for column in columns
        if column.array is not None and column.array.wears_first is not None
    }
    found = {row["id"]: row for row in rows}
    found["array_usable_tb"]["notes"] = {
        column.letter: column.array.growth
        for column in columns
        if column.array is not None and column.array.growth is not None
    }
    arrays = {column.letter: column.array for column in columns if column.array is not None}
    for name in _OF_FAILURES - {"array_rebuild_h"}:
        found[name]["notes"] = _told(
            {letter: INDEPENDENT for letter, array in arrays.items() if array.independent}, arrays
        )
    rates = {letter: array.rebuild_mb_per_s for letter, array in arrays.items()}
    found["array_rebuild_h"]["notes"] = _told(
        {
            letter: f"At {quantity(rate, 'MB/s')} beside the requests."
            for letter, rate in rates.items()
            if rate is not None
        },
        arrays,
    )
    priced = found["array_usd_per_tb_year"]
    priced["notes"] = {
        column.letter: column.rented_storage.covers
        for column in columns
        if column.array is None and column.rented_storage is not None
    }
    priced["notes"] |= {
        column.letter: ALL for column in columns if column.owned_storage_usd_per_tb_year is not None
    }
    # Storage without the rest of its design is no rival of arrays that bear all of theirs.
    whole = [column for column in columns if priced["notes"].get(column.letter) != ALONE]
    for column in columns:
        if column.mean_usd is not None and priced["values"][column.letter] is not None:
            told = (priced["notes"].get(column.letter), AT_MEAN)
            priced["notes"][column.letter] = ", ".join(filter(None, told))
    if any(priced["values"][column.letter] is not None for column in whole):
        priced["best"] = best_of(whole, priced["values"], lower=True)
    return rows


def _told(notes: dict[str, str], arrays: dict[str, ArrayFigures]) -> dict[str, str]:
    """Notes by design, and where rebuilds take longer than said, that."""
    bounds = {letter: array.rebuild_bound for letter, array in arrays.items()}
    return {
        letter: " ".join(word for word in (notes.get(letter), bounds[letter]) if word)
        for letter in arrays
        if letter in notes or bounds[letter]
    }


def _on_nodes(columns: list[DesignResult]) -> bool:
    return any(item.array is not None and item.array.nodes_count is not None for item in columns)


_SERVICE_ROWS = (
    ("serving_nodes_count", "Nodes that serve, last year", "nodes", None, "response"),
    ("response_p50_ms", "Response, 50%", "ms", True, "response"),
    ("response_p95_ms", "Response, 95%", "ms", True, "response"),
    ("response_p99_ms", "Response, 99%", "ms", True, "response"),
    ("late_fraction", "Queries over the bound", "fraction", True, "late_fraction"),
)
_MEMORY_ROWS = (
    ("idle_gib", "Memory idle", "GiB", True),
    ("spare_gib", "Memory that need not be bought", "GiB", True),
    ("spare_usd", "Worth of that memory", "USD", True),
    ("saving_w", "Saved by the memory policy", "W", False),
)


def _service_rows(columns: list[DesignResult]) -> list[JSONDict]:
    """Rows of how a service does."""

    def value_of(name: str, reason: str) -> Callable[[DesignResult], Value]:
        def value(column: DesignResult) -> Value:
            found = column.service
            if found is None:
                return None, "None of its nodes runs the service."
            return getattr(found, name), found.reasons.get(reason)

        return value

    return [
        row_of(f"service_{name}", label, unit, columns, value_of(name, reason), lower=lower)
        for name, label, unit, lower, reason in _SERVICE_ROWS
    ]


def _memory_rows(columns: list[DesignResult]) -> list[JSONDict]:
    """Rows of what the memory leaves idle."""

    def value_of(name: str) -> Callable[[DesignResult], Value]:
        def value(column: DesignResult) -> Value:
            if column.memory is None:
                return None, "Its memory modules are not entered."
            return getattr(column.memory, name), column.memory.reasons.get(name)

        return value

    return [
        row_of(f"memory_{name}", label, unit, columns, value_of(name), lower=lower)
        for name, label, unit, lower in _MEMORY_ROWS
    ]


def _array_value(name: str) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        rented, known = column.rented_storage, _OF_RENTED.get(f"array_{name}")
        if name == "usable_tb" and column.array is None and column.owned_storage_tb is not None:
            beside = 0.0 if rented is None else rented.usable_tb
            return column.owned_storage_tb + beside, None
        if name == "usd_per_tb_year" and column.owned_storage_usd_per_tb_year is not None:
            return column.owned_storage_usd_per_tb_year, None
        if column.array is None and rented is not None and known is not None:
            return getattr(rented, known), None
        if column.array is None:
            return None, "It has no disk array."
        if name == "nodes_count" and column.array.nodes_count is None:
            return None, "Its drives are in arrays, not on nodes of a cluster."
        return getattr(column.array, name), column.array.reasons.get(name)

    return value


def _paid_in(year: int) -> Callable[[DesignResult], Value]:
    return lambda column: (column.years[year].cash_usd, None)


_SPARE_ROWS = (
    ("cores", "cores"),
    ("ram", "RAM"),
    ("disk", "disk"),
    ("iops", "IOPS"),
    ("throughput", "throughput"),
    ("gpu", "GPUs"),
)
_NOT_ENTERED = {
    "iops": "The IOPS of its volumes are not entered.",
    "throughput": "The network of its instances is not entered.",
}


def _spare_rows(columns: list[DesignResult]) -> list[JSONDict]:
    """Rows of what is left at the peak."""

    def value_of(name: str) -> Callable[[DesignResult], Value]:
        return lambda column: (
            getattr(column.spare, f"{name}_fraction"),
            _no_spare(column, name),
        )

    return [
        row_of(
            f"spare_{name}_fraction",
            f"Spare at peak, {word}",
            "fraction",
            columns,
            value_of(name),
            lower=None,
        )
        for name, word in _SPARE_ROWS
    ]


def _no_spare(column: DesignResult, name: str) -> str:
    if column.kind == "hybrid":
        return _of_own_nodes(column.binding)
    if column.binding.label == "given":
        return "Sized as entered, not by demand."
    if column.kind != "cloud":
        return "The work asks for none of it here, or what there is is not entered."
    return _NOT_ENTERED.get(name, "Rented as it is needed.")


def _of_own_nodes(binding: Binding) -> str:
    """Why a hybrid has no spare, and what of its own nodes is nearest to its limit."""
    said = "What its own nodes lack is rented, so nothing of the whole is spare"
    used, limit = binding.used_fraction, binding.limit_fraction
    if used is None or limit is None:
        return f"{said}."
    return (
        f"{said}; of its own nodes {binding.label} is nearest to its limit: {percent(used)} used, "
        f"{percent(limit)} allowed."
    )


def _no_draws(column: DesignResult) -> str:
    if column.mean_usd is not None and not column.competes:
        return "It does not meet demand, so it does not compete."
    return "No simulations were asked for, or nothing has a range."
