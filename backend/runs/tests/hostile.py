"""Requests that no client of ours would send, drawn from a seed: documents, addresses, cursors."""

from __future__ import annotations

import base64
import copy
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

Place = tuple[str | int, ...]

NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 5e-324, 1e-300,
    1.7976931348623157e308, -1e308, 1e15, "", " ", "x", "\x00", "a\x00b", "\u202e", "\U0001f600",
    "x" * 5_000, "1e9999", "NaN", "-", "/", "~1", "../..", "' OR 1=1 --", "2026-13-45",
    "9999-12-31T23:59:59Z", "0000-00-00", [], {}, [[]], [None], {"": ""}, {"a": {"b": {"c": []}}},
    ["x"] * 300, [0] * 3_000, {f"k{n}": n for n in range(100)},
)  # fmt: skip
_DEEP = 40


def mutated(document: Any, dice: random.Random) -> Any:
    """Return the document with one to four things wrong with it."""
    other = copy.deepcopy(document)
    for _ in range(dice.choice((1, 1, 2, 4))):
        other = _changed(other, dice)
    return other


def body_of(document: Any, dice: random.Random) -> bytes:
    """Return the document as JSON; now and then that is broken as well."""
    body = json.dumps(document).encode()
    if dice.random() > 0.05:
        return body
    at = dice.randrange(len(body) + 1)
    return dice.choice((body[:at], body[:at] + b"\xff" + body[at:], body + body, b"", b"[" * 5_000))


def text_of(dice: random.Random) -> str:
    """Return a text for a query, sometimes one of what the lists sort by."""
    known = ("true", "title", "-cost_usd", "succeeded", "block", "yaml", "instance", "50", "0")
    if dice.random() < 0.3:
        return dice.choice(known)
    if dice.random() < 0.5:
        return str(dice.choice(NASTY))[:300]
    return "".join(chr(dice.randrange(1, 0x2FFF)) for _ in range(dice.randrange(1, 40)))


def cursor_of(dice: random.Random) -> str:
    """Return a cursor that looks more or less like one of ours."""
    parts = [f"p={text_of(dice)}", f"o={dice.choice((0, 1, -1, 10**30, 'x'))}", "r=1", "r=x", "&&"]
    text = "&".join(dice.sample(parts, dice.randrange(1, 4)))
    packed = base64.b64encode(text.encode("utf-8", "replace")).decode()
    return dice.choice((packed, packed[:-1], text))


def _changed(document: Any, dice: random.Random) -> Any:
    places = list(_places(document))
    place = dice.choice(places)
    how = dice.random()
    if how < 0.7 or not place:
        return _put(document, place, copy.deepcopy(dice.choice(NASTY)))
    parent, key = _at(document, place[:-1]), place[-1]
    if how < 0.8:
        del parent[key]
    elif how < 0.9:
        value = parent[key]
        if isinstance(parent, list):
            parent.extend([value] * dice.choice((1, 10, 400)))
        else:
            parent[str(key) + dice.choice(("x", " ", "\x00"))] = value
    else:
        value = parent[key]
        for _ in range(dice.choice((1, _DEEP))):
            value = [value]
        parent[key] = value
    return document


def _places(value: Any, place: Place = ()) -> Iterator[Place]:
    yield place
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _places(part, (*place, key))
    elif isinstance(value, list):
        for index in sorted({0, len(value) // 2, len(value) - 1}) if value else []:
            yield from _places(value[index], (*place, index))


def _at(document: Any, place: Place) -> Any:
    for key in place:
        document = document[key]
    return document


def _put(document: Any, place: Place, value: Any) -> Any:
    if not place:
        return value
    _at(document, place[:-1])[place[-1]] = value
    return document
