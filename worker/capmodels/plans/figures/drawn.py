"""All figures of a comparison: what an answer carries for who draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.plans.figures.capacity import capacity
from capmodels.plans.figures.certainty import odds, spread_of_cost, tornado
from capmodels.plans.figures.commitments import commitments
from capmodels.plans.figures.compared import Compared
from capmodels.plans.figures.costs import cost_by_cause
from capmodels.plans.figures.cumulative import cumulative
from capmodels.plans.figures.footprint import carbon, energy
from capmodels.plans.figures.statements import NOTE as STATEMENT_NOTE
from capmodels.plans.figures.statements import StatementTable, statement_table
from capmodels.plans.figures.trade_offs import CARBON, ENERGY, RESPONSE, trade_off
from capmodels.plans.figures.waterfall import waterfall
from capmodels.printed import YEAR_FIELDS, printed_years
from capmodels.spec import Result
from capmodels.told import Figure

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

_CAUSE = ("cause", "side", "label", "ranked_usd", "p10_usd", "p90_usd")
_DESIGN = (
    *("letter", "title", "kind", "is_baseline", "carries_load", "binding", "spare"),
    *("total_usd", "npv_usd", "ranked_usd", "mean_usd", "p10_usd", "p50_usd", "p90_usd"),
    *("energy", "energy_by_cause_kwh", "carbon"),
    *("cumulative_usd", "cumulative_npv_usd", "cumulative_ranked_usd"),
    *("cumulative_p10_usd", "cumulative_p90_usd"),
)
_WHOLE = (
    *("horizon_months", "currency", "ranked_by", "measure", "winner", "runner_up"),
    *("odds", "commitments", "choices", "tornado", "tornado_center_usd"),
)
# What figures read of a comparison; the rest, which is most of it, need not be written out.
READ: JSONDict = {
    **dict.fromkeys(_WHOLE, True),
    "rows": {"__all__": {"id", "unit", "values", "reasons"}},
    "designs": {
        "__all__": {
            **dict.fromkeys(_DESIGN, True),
            "causes": {"__all__": set(_CAUSE)},
            "years": {"__all__": set(YEAR_FIELDS)},
            "statement": True,
        }
    },
}


class Drawn(Result):
    """What charts draw of a comparison, and the two designs that they hold against each other.

    ``years`` are the lines of each design's years as they are printed, the total last,
    ``statements`` its fiscal years in the books, ``unsaid`` what a comparison of a version before
    2.5 does not say of itself.
    """

    pair: tuple[str, str]
    figures: tuple[Figure, ...]
    years: dict[str, dict[str, list[str]]]
    statements: dict[str, StatementTable]
    statement_note: str
    unsaid: dict[str, Any]


def drawn(answer: JSONDict | Result, start: str | None = None, end: str | None = None) -> Drawn:
    """Return what charts draw of a comparison, also of one that an older version stored.

    ``start`` and ``end`` are the letters of the two designs to hold against each other; for
    one that no design has stands that of the two most worth comparing.
    """
    document = answer.model_dump(include=READ) if isinstance(answer, Result) else answer
    of = Compared(document)
    start, end = (
        asked if asked and of.design(asked) else usual
        for asked, usual in zip((start, end), of.pair, strict=True)
    )
    curves = dict.fromkeys(one["letter"] for one in document.get("commitments") or ())
    made = (
        *(cumulative(of, start, end, discounted=discounted) for discounted in (False, True)),
        waterfall(of, start, end),
        cost_by_cause(of),
        energy(of),
        carbon(of),
        capacity(of),
        odds(of),
        tornado(of),
        commitments(of),
        *(commitments(of, letter) for letter in curves),
        *(trade_off(of, against) for against in (ENERGY, CARBON, RESPONSE)),
        spread_of_cost(of),
    )
    return Drawn(
        pair=(start, end),
        figures=tuple(one for one in made if one is not None),
        statement_note=STATEMENT_NOTE,
        unsaid={} if document.get("measure") else {"measure": of.measure, "designs": of.designs},
        years={one["letter"]: printed_years(one["years"], of.currency) for one in of.designs},
        statements={
            one["letter"]: table
            for one in of.designs
            if (table := statement_table(one.get("statement") or (), of.currency)) is not None
        },
    )
