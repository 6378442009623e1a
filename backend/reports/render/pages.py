"""The document as data: what the typst template sets, every text cleaned and formatted."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from capmodels.numbers import day, money, months, percent, snapshot_day, stated_day
from capmodels.plans.words import demand_met
from reports.render.figures.cumulative import break_even_of, said_of
from reports.render.figures.pair import default_pair
from reports.render.inputs import by_branch, input_groups
from reports.render.tables import (
    break_even_rows,
    carbon_factors,
    cause_table,
    check_rows,
    comparison_table,
    flip_rows,
    kept_run_rows,
    sizing_table,
    year_tables,
)
from reports.render.text import breakable, clean, segments, shortened
from reports.render.tokens import design_color, ink_on, theme_color, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.render.contents import JSONDict, Paper, ReportInput

KINDS = {
    "owned_cluster": "Owned",
    "disk_array": "Disk array",
    "cloud": "Rented",
    "hybrid": "Owned and rented",
}
SHORT_NAME = 26
# On one line beside the number of the page, even of the widest letters.
FOOTER_TITLE = 52
VERDICT_POINTS = (
    ("payoff", "Pay-off"),
    ("odds", "How sure"),
    ("flips", "Break-even"),
    ("excluded", "Do not meet demand"),
    ("not_counted", "Costs"),
)
# Kinds of verdict that name one design, or several that cost the same.
DECIDED = frozenset({"clear", "probable", "as_entered", "only", "alone"})


def page_data(report: ReportInput, paper: Paper, figures: JSONDict) -> JSONDict:
    """Return everything that the template shows, as JSON-ready values."""
    groups, sources = input_groups(report)
    return {
        "theme": tokens()["themes"]["light"],
        "paper": {"a4": "a4", "letter": "us-letter"}[paper],
        "meta": _meta(report),
        "verdict": _verdict(report),
        "facts": list(_facts(report)),
        "designs": [_design(report, design) for design in report.designs],
        "figures": figures,
        "comparison": comparison_table(report),
        "causes": cause_table(report),
        "years": year_tables(report),
        "sizing": sizing_table(report),
        "flips": flip_rows(report),
        "carbon_factors": carbon_factors(report),
        "break_evens": break_even_rows(report),
        "inputs": [
            {
                "letter": group.letter,
                "title": breakable(group.title),
                "branches": [
                    {
                        "title": breakable(branch),
                        "rows": [_input(asdict(row)) for row in rows],
                    }
                    for branch, rows in by_branch(group.rows)
                ],
            }
            for group in groups
        ],
        "sources": [{**s, "title": breakable(s["title"])} for s in sources.listed],
        "checks": [
            {**row, "title": breakable(row["title"]), "source": breakable(row["source"])}
            for row in check_rows(report)
        ],
        "hashes": [
            {"label": h.label, "model": h.model, "version": h.version, "hash": h.inputs_hash}
            for h in report.hashes
        ],
        "tools": [
            {
                "letter": tool.letter,
                "title": breakable(tool.title),
                "text": segments(tool.headline or "No sentence is kept of this result."),
                "stale": breakable(" ".join(tool.stale)),
                "model": f"{tool.model} {tool.version}",
                "hash": tool.inputs_hash,
            }
            for tool in report.tools
        ],
        "kept_runs": kept_run_rows(report),
        "warnings": list(_warnings(report)),
    }


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
    decided = winner and verdict["kind"] in DECIDED
    return {
        "headline": segments(verdict["headline"]),
        "points": [
            {"label": label, "text": segments(verdict[key])}
            for key, label in VERDICT_POINTS
            if verdict.get(key)
        ],
        "color": design_color(winner) if decided else theme_color("neutral"),
    }


def _facts(report: ReportInput) -> Iterable[JSONDict]:
    winner = report.design(report.comparison["winner"])
    rival = report.design(report.comparison["runner_up"])
    if winner is None:
        return
    yield {
        "label": f"{'Present value' if report.by_value else 'Cost'} of {winner['letter']},"
        f" {report.years}",
        "value": money(report.rank_usd(winner), report.currency),
    }
    if rival is not None:
        cost = report.rank_usd(rival)
        less = cost - report.rank_usd(winner)
        share = percent(less / cost) if cost > 0 else ""
        yield {
            "label": f"Below {rival['letter']}" + (f" ({share})" if share else ""),
            "value": money(less, report.currency),
        }
    row = break_even_of(report, *default_pair(report))
    pays = row and row["challenger"] == winner["letter"] and row["reason"] is None
    if row and pays and row["first_month_cheaper"]:
        yield {
            "label": f"Breaks even with {row['incumbent']} after{said_of(row)}",
            "value": months(row["first_month_cheaper"]),
        }
    if winner["win_fraction"] is not None:
        yield {"label": "Cheapest in, of all simulations", "value": percent(winner["win_fraction"])}


def _design(report: ReportInput, design: JSONDict) -> JSONDict:
    color = design_color(design["letter"])
    binding = design["binding"]
    return {
        "letter": design["letter"],
        "title": breakable(design["title"]),
        "short": breakable(shortened(design["title"], SHORT_NAME)),
        "kind": KINDS.get(design["kind"], clean(design["kind"])),
        "baseline": design["is_baseline"],
        "color": color,
        "ink": ink_on(color),
        "carries": design["carries_load"],
        "competes": design["competes"],
        "demand": demand_met(
            as_entered=design["carries_load"], met_fraction=design.get("met_fraction")
        ),
        "binding": _capital(clean(binding["label"])) if binding["resource"] != "none" else "",
        "detail": breakable(binding["detail"] or ""),
        "winner": design["letter"] == report.comparison["winner"],
    }


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _input(row: dict[str, Any]) -> JSONDict:
    leaf = row["label"].rpartition(" › ")[2]
    return {
        **row,
        "label": breakable(leaf),
        "value": breakable(row["value"]),
        "as_of": breakable(stated_day(row["as_of"])),
        "reason": breakable(row["reason"]),
        "note": breakable(row["note"]),
    }


def _warnings(report: ReportInput) -> Iterable[JSONDict]:
    for text in report.comparison["warnings"]:
        yield {"letter": "", "text": breakable(text)}
    for finding in report.like_for_like:
        why = finding["accepted"]
        told = f"accepted, because: {why}" if why else finding["money"]
        text = f"Like for like, {finding['title'].lower()}: {finding['sentence']} ({told})"
        yield {"letter": "", "text": breakable(text)}
    for sentence in report.leases:
        yield {"letter": "", "text": breakable(f"Lease or buy, {sentence}")}
    for design in report.designs:
        for text in design["warnings"]:
            yield {"letter": design["letter"], "text": breakable(text)}
