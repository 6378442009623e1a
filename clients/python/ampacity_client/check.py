"""Whether a change moves the cost of a study by more than a limit, and the comment that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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
    rows: tuple[Row, ...]

    @property
    def change_fraction(self) -> float:
        """Return the change, as a share of what it was."""
        if self.before_usd == 0:
            return 0.0 if self.after_usd == 0 else float("inf")
        return (self.after_usd - self.before_usd) / abs(self.before_usd)

    @property
    def fails(self) -> bool:
        """Say whether the cost moves by more than the limit, up or down."""
        return abs(self.change_fraction) > self.limit_fraction


def checked(before: Mapping[str, Any], after: Mapping[str, Any], limit: float) -> Checked:
    """Hold the cost of one comparison to that of another."""
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
        rows=rows,
    )


def cheapest_usd(result: Mapping[str, Any]) -> float:
    """Return the cost that the verdict goes by: the winner's, else the lowest. [USD]"""
    winner = result["winner"]
    return min(
        float(one["ranked_usd"])
        for one in result["designs"]
        if winner is None or one["letter"] == winner
    )


def comment(found: Checked) -> str:
    """Return what was found in Markdown, for a comment on the change."""
    change = found.after_usd - found.before_usd
    word = "fails" if found.fails else "passes"
    lines = [
        f"### Capacity plan: {word}",
        "",
        f"The cheapest design costs **{_money(found.after_usd)}** over {found.months} months, "
        f"{_signed(change)} ({found.change_fraction:+.1%}); the limit is "
        f"±{found.limit_fraction:.1%}.",
        "",
        "| design | before | after | change |",
        "| --- | ---: | ---: | ---: |",
    ]
    for row in found.rows:
        both = row.before_usd is not None and row.after_usd is not None
        moved = _signed((row.after_usd or 0) - (row.before_usd or 0)) if both else "—"
        title = row.title.replace("|", "\\|").replace("\n", " ")
        lines.append(
            f"| {row.letter} {title} | {_money(row.before_usd)} | {_money(row.after_usd)} | {moved} |"
        )
    before, after = found.headlines
    lines += ["", after if before == after else f"Before: {before}\n\nAfter: {after}", ""]
    return "\n".join(lines)


def _usd(design: Mapping[str, Any] | None) -> float | None:
    return None if design is None else float(design["ranked_usd"])


def _money(usd: float | None) -> str:
    return "—" if usd is None else f"${usd:,.0f}".replace("$-", "−$")


def _signed(usd: float) -> str:
    return f"{'+' if usd >= 0 else '−'}${abs(usd):,.0f}"
