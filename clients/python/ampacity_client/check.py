"""Whether a change moves a study's cost by more than a limit, or its verdict, and the comment on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


@dataclass(frozen=True)
class Row:
    """A design's cost before and after; None where it is not there. [USD]"""

    letter: str
    title: str
    before_usd: float | None
    after_usd: float | None


@dataclass(frozen=True)
class Checked:
    """The cost of the cheapest design before and after, held to a limit."""

    before_usd: float
    after_usd: float
    limit_fraction: float
    months: int
    headlines: tuple[str, str]
    # The letter of the design that wins; None where it is too close to call, or none does.
    winners: tuple[str | None, str | None]
    rows: tuple[Row, ...]
    code: str = "USD"
    per_usd: float = 1.0
    left: tuple[str, ...] = ()

    def money(self, usd: float | None) -> str:
        """Return an amount in the study's currency, in whole units."""
        if usd is None:
            return "—"
        amount = usd * self.per_usd
        mark = SYMBOLS.get(self.code, f"{self.code} ")
        return f"{'−' if amount < 0 else ''}{mark}{abs(amount):,.0f}"

    def signed(self, usd: float) -> str:
        """Return a change in the study's currency, with its sign."""
        return f"{'+' if usd >= 0 else ''}{self.money(usd)}"

    @property
    def change_fraction(self) -> float:
        """Return the change, as a share of what it was."""
        if self.before_usd == 0:
            return 0.0 if self.after_usd == 0 else float("inf")
        return (self.after_usd - self.before_usd) / abs(self.before_usd)

    @property
    def moved_far(self) -> bool:
        """Whether the cost moves by more than the limit, up or down."""
        return abs(self.change_fraction) > self.limit_fraction

    @property
    def verdict_changed(self) -> bool:
        """Whether another design wins, or on one side alone it is too close to call."""
        return self.winners[0] != self.winners[1]

    @property
    def fails(self) -> bool:
        """Whether the cost moves too far, or the verdict changes."""
        return self.moved_far or self.verdict_changed


def checked(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    limit: float,
    left: Sequence[str] = (),
) -> Checked:
    """Hold the cost of one comparison to that of another.

    ``left`` says of ranges that no longer fit what was changed.
    """
    costs = [{one["letter"]: one for one in result["designs"]} for result in (before, after)]
    rows = tuple(
        Row(
            letter,
            (costs[1].get(letter) or costs[0][letter])["title"],
            _usd(costs[0].get(letter)),
            _usd(costs[1].get(letter)),
        )
        for letter in sorted({*costs[0], *costs[1]})
    )
    return Checked(
        before_usd=cheapest_usd(before),
        after_usd=cheapest_usd(after),
        limit_fraction=limit,
        months=int(after["horizon_months"]),
        headlines=(before["verdict"]["headline"], after["verdict"]["headline"]),
        winners=(_winner(before), _winner(after)),
        rows=rows,
        code=str(after["currency"]),
        per_usd=float(after["per_usd"]),
        left=tuple(left),
    )


def cheapest_usd(result: Mapping[str, Any]) -> float:
    """Return the cost that the verdict goes by: the winner's, else the lowest. [USD]"""
    winner = result["winner"]
    return min(
        float(one["cost_usd"])
        for one in result["designs"]
        if winner is None or one["letter"] == winner
    )


def comment(found: Checked) -> str:
    """Return what was found in Markdown, for a comment on the change."""
    change = found.after_usd - found.before_usd
    reasons = [
        *(["the cost moves by more than the limit"] if found.moved_far else []),
        *(["the verdict changes"] if found.verdict_changed else []),
    ]
    word = f"fails: {' and '.join(reasons)}" if reasons else "passes"
    lines = [
        f"### Capacity plan: {word}",
        "",
        f"The cheapest design costs **{found.money(found.after_usd)}** over {found.months} months, "
        f"{found.signed(change)} ({found.change_fraction:+.1%}); the limit is "
        f"±{found.limit_fraction:.1%}.",
        "",
        "| design | before | after | change |",
        "| --- | ---: | ---: | ---: |",
    ]
    for row in found.rows:
        both = row.before_usd is not None and row.after_usd is not None
        moved = found.signed((row.after_usd or 0) - (row.before_usd or 0)) if both else "—"
        title = row.title.replace("|", "\\|").replace("\n", " ")
        costs = found.money(row.before_usd), found.money(row.after_usd)
        lines.append(f"| {row.letter} {title} | {costs[0]} | {costs[1]} | {moved} |")
    before, after = found.headlines
    if found.left:
        lines += ["", "Ranges that no longer fit what was changed:", ""]
        lines += [f"- {sentence}" for sentence in found.left]
    lines += ["", after if before == after else f"Before: {before}\n\nAfter: {after}", ""]
    return "\n".join(lines)


def _winner(result: Mapping[str, Any]) -> str | None:
    return None if result["verdict"]["kind"] in {"open", "same"} else result["winner"]


def _usd(design: Mapping[str, Any] | None) -> float | None:
    return None if design is None else float(design["cost_usd"])
