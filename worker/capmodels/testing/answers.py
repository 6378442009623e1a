"""What every answer of the plan has to hold, whatever the study is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.spec import JSONDict

# Sums of floating-point numbers, against the sum of what was added.
SLACK = 1e-9


def broken(comparison: JSONDict) -> list[str]:
    """Return what an answer breaks, as sentences; none when it holds everything."""
    found = [*_not_finite(comparison, ""), *_broken_rows(comparison), *_broken_verdict(comparison)]
    for design in comparison["designs"]:
        where = f"{design['letter']}: "
        for part in (_broken_sums, _broken_series, _broken_bands, _broken_footprint):
            found += [where + sentence for sentence in part(design, comparison)]
    return found


def _not_finite(value: Any, at: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _not_finite(inner, f"{at}/{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _not_finite(inner, f"{at}/{place}")
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"{at} is {value}."
    elif isinstance(value, str) and ("nan" in value.split() or "inf" in value.split()):
        yield f"{at} says {value!r}."


def _same(parts: list[float], whole: float) -> bool:
    size = max([abs(whole), *map(abs, parts)], default=0.0)
    return abs(math.fsum(parts) - whole) <= SLACK * size * max(len(parts), 1)


def _broken_sums(design: JSONDict, _comparison: JSONDict) -> Iterator[str]:
    causes, years = design["causes"], design["years"]
    checks = {
        "causes add up to the total": (
            [cause["amount_usd"] for cause in causes],
            design["total_usd"],
        ),
        "causes add up to the present value": (
            [cause["npv_usd"] for cause in causes],
            design["npv_usd"],
        ),
        "means of causes add up to what designs are ranked by": (
            [cause["ranked_usd"] for cause in causes],
            design["ranked_usd"],
        ),
        "means of years add up to what designs are ranked by": (
            [year["ranked_usd"] for year in years],
            design["ranked_usd"],
        ),
        "years add up to the total": ([year["cash_usd"] for year in years], design["total_usd"]),
        "years add up to the present value": (
            [year["npv_usd"] for year in years],
            design["npv_usd"],
        ),
    }
    for year in years:
        name = f"of year {year['year']}"
        checks[f"causes {name} add up"] = (list(year["causes"].values()), year["cash_usd"])
        both = [year["capex_usd"], year["opex_usd"]]
        checks[f"capital and operating expenditure {name} add up"] = (both, year["cash_usd"])
    for what, (parts, whole) in checks.items():
        if not _same(parts, whole):
            yield f"not so: {what} ({math.fsum(parts)} against {whole})."


def _broken_series(design: JSONDict, comparison: JSONDict) -> Iterator[str]:
    count = comparison["horizon_months"] + 1
    for name, end in (("cumulative_usd", "total_usd"), ("cumulative_npv_usd", "npv_usd")):
        series = design[name]
        if len(series) != count:
            yield f"{name} has {len(series)} values for {count - 1} months."
        if not _same([series[-1]], design[end]) and not math.isclose(
            series[-1], design[end], rel_tol=SLACK, abs_tol=SLACK * max(map(abs, series))
        ):
            yield f"{name} ends at {series[-1]}, not at {design[end]}."


def _broken_bands(design: JSONDict, _comparison: JSONDict) -> Iterator[str]:
    band = [design[f"p{share}_usd"] for share in (10, 50, 90)]
    known = [amount for amount in band if amount is not None]
    if known and (len(known) < len(band) or known != sorted(known)):
        yield f"P10, P50, P90 are {band}."


def _broken_footprint(design: JSONDict, _comparison: JSONDict) -> Iterator[str]:
    for part, unit in (("energy", "kwh"), ("carbon", "kgco2e")):
        amount = design[part]
        value, low, high = (amount[f"{end}{unit}"] for end in ("", "low_", "high_"))
        if value is None and not amount["reason"]:
            yield f"{part} is unknown without a reason."
        if None not in {value, low, high} and not low <= value * (1 + SLACK) <= high * (
            1 + 2 * SLACK
        ):
            yield f"{part} is {value}, not between {low} and {high}."
        if value is not None and value < 0:
            yield f"{part} is {value}."
    kwh = design["energy"]["kwh"]
    by_cause = list(design["energy_by_cause_kwh"].values())
    if kwh is not None and by_cause and not _same(by_cause, kwh):
        yield f"energy by cause adds up to {math.fsum(by_cause)}, not to {kwh}."


def _broken_rows(comparison: JSONDict) -> Iterator[str]:
    letters = {design["letter"] for design in comparison["designs"]}
    for row in comparison["rows"]:
        if set(row["values"]) != letters:
            yield f"The row {row['id']} is of {sorted(row['values'])}."
        for letter, value in row["values"].items():
            if value is None and not row["reasons"].get(letter):
                yield f"The row {row['id']} has neither value nor reason for {letter}."
        if row["best"] is not None and row["values"].get(row["best"]) is None:
            yield f"The best of the row {row['id']} has no value."


def _broken_verdict(comparison: JSONDict) -> Iterator[str]:
    designs = comparison["designs"]
    # A design that meets demand in too few simulations carries the plan, but does not compete.
    competing = [d for d in designs if d["carries_load"] and d["competes"]]
    winner, odds = comparison["winner"], comparison["odds"]
    if bool(winner) != bool(competing):
        yield f"{winner} is the winner of {len(competing)} designs."
    if winner and winner not in {design["letter"] for design in competing}:
        yield f"The winner {winner} does not compete."
    if not comparison["verdict"]["headline"].strip():
        yield "There is no headline."
    if odds is not None and abs(math.fsum(odds["wins"].values()) - 1.0) > SLACK:
        yield f"The odds add up to {math.fsum(odds['wins'].values())}."
