"""Names as people may type them, and as somebody might who wants to break a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

PLAIN = (
    "Own eight nodes",
    "AWS, 3-year plan",
    "Rent (on demand)",
    "Colocation Frankfurt",
    "m7a.8xlarge",
    "60-bay storage",
    "2 x 64 cores",
)
HARD = (
    # Markup of typst, HTML, Markdown and TeX, formulas of spreadsheets.
    '#panic("no") $x^2$ *bold* _under_ @cite <label> \\ // /* */ ~ `raw`',
    "= Heading",
    "- item",
    "=cmd|' /C calc'!A0",
    "=1+1",
    "+49 30 1234",
    "-2+3",
    "@SUM(1+1)",
    "'quoted",
    "<b>bold</b> & <script>alert(1)</script>",
    "{braces} [brackets] %d %s {0}",
    "**stars**",
    "a ** b",
    # Scripts, directions, signs that no typeface has, combining and invisible characters.
    "שלום עולם",
    "مرحبا بالعالم 123",
    "計画 ∑ Ω Ж",
    "🚀 to the moon 👩‍💻",
    "e\u0301le\u0301ment com\u0302pose\u0301",
    "zero\u200bwidth\u00a0space\u2028line\u00adsoft",
    "bell\x07 tab\t new\nline \x1b[31m",
    "\u202eoverride",
    # Lengths, and text that reads as something else.
    "W" * 120,
    "m7a.8xlarge-three-year-no-upfront-savings-plan-us-east-1-with-a-name-without-space",
    "Zwei Standorte, eigene Rechner, doppelte Leitungen, Ersatzteile im Haus, Wartung vor Ort",
    "0123456789" * 12,
    "x",
    "null",
    "no",
    "1e9",
    "2026-13-45",
    "2026-02-28",
    "0x1F",
    "~",
    "true",
    '"',
    ",;|\t",
)
PLAIN_SHARE = 0.6


def random_name(rng: Random, most: int = 120) -> str:
    """Return a name that a reader of text has to take: never blank at its ends.

    >>> from random import Random
    >>> random_name(Random(1), 5)
    'm7a.8'
    """
    words = PLAIN if rng.random() < PLAIN_SHARE else HARD
    return rng.choice(words)[:most].strip() or "x"
