"""Words for the page: bold parts of sentences, short names, places where long words may break."""

from __future__ import annotations

import re

LONGEST_WORD = 16
ZERO_WIDTH_SPACE = "\u200b"
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
# Control characters and lone surrogates cannot stand in a PDF or a workbook.
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """Return text without control characters, line breaks apart."""
    return _NOT_TEXT.sub("", text)


def clean(text: str) -> str:
    """Return text without what no page can show; line breaks become spaces.

    >>> clean("a\\x00b\\nc")
    'ab c'
    """
    return " ".join(printable(text).split())


def segments(sentence: str | None) -> list[dict[str, str | bool]]:
    """Split ``**bold**`` markup into runs of text.

    >>> segments("**D is cheapest** by far")
    [{'text': 'D is cheapest', 'bold': True}, {'text': ' by far', 'bold': False}]
    """
    parts = printable(sentence or "").split("**")
    if len(parts) % 2 == 0:
        # An unpaired mark is text.
        parts = ["**".join(parts)]
    return [
        {"text": _LONG_WORD.sub(_broken, part), "bold": i % 2 == 1}
        for i, part in enumerate(parts)
        if part
    ]


def unmarked(sentence: str | None) -> str:
    """Return a sentence without its ``**bold**`` marks."""
    return "".join(str(part["text"]) for part in segments(sentence)).replace(ZERO_WIDTH_SPACE, "")


def breakable(text: str) -> str:
    """Let words that are longer than a column break, after punctuation where there is any.

    >>> breakable("short words stay")
    'short words stay'
    """
    return _LONG_WORD.sub(_broken, clean(text))


def _broken(word: re.Match[str]) -> str:
    pieces = re.findall(r"[^-_./:,;]{1,12}[-_./:,;]*|[-_./:,;]+", word.group())
    return ZERO_WIDTH_SPACE.join(pieces)


def shortened(text: str, length: int) -> str:
    """Cut a name at a word so that it fits, with an ellipsis.

    >>> shortened("Own the 60th percentile of the curve", 16)
    'Own the 60th…'
    """
    name = clean(text)
    if len(name) <= length:
        return name
    room = name[: length - 1]
    at_word = room.rpartition(" ")[0]
    kept = at_word if len(at_word) >= 0.75 * length else room
    return kept.rstrip(" ,;:-–") + "…"
