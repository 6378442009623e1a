"""The first page of a report: title, verdict, facts and totals."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from capmodels.numbers import day, money, months, percent, snapshot_day, stated_day
from capmodels.plans.figures.compared import capital
from capmodels.plans.figures.costs import totals
from capmodels.plans.figures.cumulative import break_even_of, rival_of, said_of
from capmodels.told import listed
from reports.render.blocks import MANY_DESIGNS, chart, design_table
from reports.render.rows import comparison_table, words_of
from reports.render.text import breakable, clean, segments, shortened
from reports.render.tokens import design_color, ink_on, theme_color

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reports.render.contents import JSONDict, ReportInput

# On one line beside the number of the page, even of the widest letters.
FOOTER_TITLE = 52
HASH_SHOWN = 16
RANGES = "Lines, and figures in brackets: P10 to P90, the range of eight simulations in ten."
VERDICT_POINTS = (
    ("because", "Why"),
    ("payoff", "Pay-off"),
    ("odds", "How sure"),
    ("entered", "As entered"),
    ("rests", "What it rests on"),
    ("flips", "Break-even"),
    ("alternatives", "Alternatives"),
    ("excluded", "Do not meet demand"),
    ("not_counted", "Costs"),
)
WARNING = "Warning"
# These stand with the odds, not on the first page.
LATER = frozenset({"As entered", "Alternatives"})
# Kinds of verdict that name one design, or several that cost the same.
DECIDED = frozenset({"clear", "probable", "as_entered", "only", "alone"})


def verdict_points(comparison: JSONDict) -> list[tuple[str, str]]:
    """What is said beside the headline of a verdict, each sentence with what it is about.

    What a sentence begins with is not said again after its label; it begins with a capital
    letter, but for a design's name, which stands as it was entered.
    """
    verdict = comparison["verdict"]
    names = tuple(design["title"] for design in comparison["designs"])
    said = [(label, verdict[key]) for key, label in VERDICT_POINTS if verdict.get(key)]
    points = []
    for label, sentence in said:
        text = sentence.removeprefix(label).lstrip(": ")
        points.append((label, text if text.startswith(names) else capital(text)))
    return [*points, *((WARNING, warning) for warning in comparison["warnings"])]


def cover_data(report: ReportInput, width_in: float) -> JSONDict:
    """Return what stands on the first page, and what the footers and the file itself say."""
    return {
        "meta": _meta(report),
        "verdict": _verdict(report),
        "facts": list(_facts(report)),
        "totals": _totals(report, width_in),
        "deciding": list(_deciding(report)),
        "results": [
            {"model": f"{h.model} {h.version}", "hash": h.inputs_hash[:HASH_SHOWN]}
            for h in report.hashes[:1]
        ],
        "designs": [_design(design) for design in report.designs],
    }


# Rows of the comparison that decide beside its cost, by what their names begin with.
_DECIDING = ("start_", "break_even_", "value_left_", "energy_", "carbon_", "win_", "met_")
# So many lines of the verdict and rows of designs leave room for them on the first page.
_ROOM_LINES, _LINE = 17, 90


def _deciding(report: ReportInput) -> Iterator[JSONDict]:
    """The rows that decide, below the totals, where the page has room for them."""
    said = [text for label, text in verdict_points(report.comparison) if label not in LATER]
    lines = sum(1 + len(text) // _LINE for text in said) + len(report.question) // _LINE
    if lines + 2 * len(report.designs) > _ROOM_LINES:
        return
    shown = comparison_table(report)["rows"]
    rows = [
        [row["label"], *(words_of({**cell, "note": 0, "below": ""}) for cell in row["cells"])]
        for row, of in zip(shown, report.comparison["rows"], strict=True)
        if of["id"].startswith(_DECIDING)
    ]
    if rows:
        yield design_table(report, "", rows, 1.9)


def _totals(report: ReportInput, width_in: float) -> JSONDict:
    from reports.render.draw import bars

    ranged = any(design["p10_usd"] is not None for design in report.designs)
    # Many stand closer, for all of them and the verdict to be on one page.
    row_in = 0.28 if len(report.designs) > MANY_DESIGNS else 0.34
    return chart(
        totals(report.compared),
        lambda figure: bars.draw_bars(figure, report.currency, width_in, row_in=row_in),
        RANGES if ranged else "",
    )


def _meta(report: ReportInput) -> JSONDict:
    currency = report.comparison["currency"]
    rate = ""
    if currency["code"] != "USD":
        taken = f" on {stated_day(currency['as_of'])}" if currency["as_of"] else ""
        rate = f"1 USD = {currency['per_usd']:g} {currency['code']}{taken}"
    created = report.created_at
    return {
        "plain_title": clean(report.title) or "Study",
        "title": breakable(report.title) or "Study",
        "short_title": shortened(report.title, FOOTER_TITLE),
        "question": breakable(report.question),
        "created": day(created),
        "year": created.year,
        "month": created.month,
        "day": created.day,
        "snapshot": breakable(snapshot_day(report.snapshot or "")),
        "horizon": report.years,
        "currency": currency["code"],
        "rate": rate,
        "discounting": clean(report.comparison.get("discounting") or ""),
    }


def _verdict(report: ReportInput) -> JSONDict:
    verdict, winner = report.comparison["verdict"], report.comparison["winner"]
    # Of several designs that cost the same none has its colour.
    alone = len(verdict.get("letters") or [winner]) == 1
    decided = winner and alone and verdict["kind"] in DECIDED
    return {
        "headline": segments(verdict["headline"]),
        "points": [
            {"label": label, "text": segments(said)}
            for label, said in verdict_points(report.comparison)
            if label not in LATER
        ],
        "color": design_color(winner) if decided else theme_color("neutral"),
    }


def _facts(report: ReportInput) -> Iterable[JSONDict]:
    winner = report.design(report.comparison["winner"])
    rival = report.design(report.comparison["runner_up"])
    if winner is None:
        return
    alike = report.cheapest
    yield {
        "label": f"{'Present value' if report.by_value else 'Cost'} of {listed(alike)},"
        f" {report.years}",
        "value": money(report.rank_usd(winner), report.currency),
    }
    if rival is not None and rival["letter"] not in alike:
        cost = report.rank_usd(rival)
        less = cost - report.rank_usd(winner)
        share = percent(less / cost) if cost > 0 else ""
        yield {
            "label": f"Below {rival['letter']}" + (f" ({share})" if share else ""),
            "value": money(less, report.currency),
        }
    of = report.compared
    row = break_even_of(of, *of.pair, discounted=of.by_value)
    pays = row and row["challenger"] == winner["letter"] and row["reason"] is None
    if row and pays and row["exact_months"]:
        yield {
            "label": f"Breaks even with {rival_of(of, row['incumbent'])} after{said_of(row)}",
            "value": months(row["exact_months"]),
        }
    if winner["win_fraction"] is not None:
        shares = fsum(one["win_fraction"] for one in report.designs if one["letter"] in alike)
        who = f"{listed(alike)} cheapest" if len(alike) > 1 else "Cheapest"
        yield {"label": f"{who} in, of all simulations", "value": percent(shares)}


def _design(design: JSONDict) -> JSONDict:
    color = design_color(design["letter"])
    return {"letter": design["letter"], "color": color, "ink": ink_on(color)}
