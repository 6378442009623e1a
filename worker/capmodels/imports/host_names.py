"""Machines of one file found in another by their names, with and without a domain."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_SCHEME = re.compile(r"^[a-z]+://")
_AFTER = re.compile(r"(?:/.*|:\d+|\.)$")
_ADDRESS = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3}){3}|.*:.*:.*)$")


def plain(name: str) -> str:
    """A machine's name in small letters, without a scheme, a port and a path.

    >>> plain("http://DB-1.example.org:9100/metrics"), plain(" web.example.org. ")
    ('db-1.example.org', 'web.example.org')
    """
    text = _SCHEME.sub("", name.strip().lower())
    text = text.partition("/")[0]
    return text if _ADDRESS.match(text) else _AFTER.sub("", text)


def short(name: str) -> str:
    """A plain name without its domain; an address has none.

    >>> short("db-1.example.org"), short("db-1"), short("10.0.0.1")
    ('db-1', 'db-1', '10.0.0.1')
    """
    return name if _ADDRESS.match(name) else name.partition(".")[0]


def joined(names: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """Return, by name, the one other name of the same machine.

    They are the same letter by letter, capitals and ports apart; else the same without a domain,
    where at most one of them has one. A name that may mean several is of none.

    >>> joined(["WEB-1", "db.a", "db.b", "x.a"], ["web-1.example.org", "db", "x.b"])
    {'WEB-1': 'web-1.example.org'}
    """
    by_full: dict[str, list[str]] = defaultdict(list)
    by_short: dict[str, list[str]] = defaultdict(list)
    for other in others:
        by_full[plain(other)].append(other)
        by_short[short(plain(other))].append(other)
    given = [name for name, count in Counter(names).items() if count == 1]
    same = _claimed({name: by_full.get(plain(name), ()) for name in given})
    taken = set(same.values())
    return same | _claimed(
        {
            name: [other for other in _alike(plain(name), by_short) if other not in taken]
            for name in given
            if plain(name) not in by_full
        }
    )


def _alike(full: str, by_short: Mapping[str, Sequence[str]]) -> list[str]:
    """Names that are a plain one's without a domain, or it theirs."""
    base = short(full)
    return [other for other in by_short.get(base, ()) if base in {full, plain(other)}]


def _claimed(found: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Names with one other name that no second one claims."""
    single = {name: others[0] for name, others in found.items() if len(others) == 1}
    claims = Counter(single.values())
    return {name: other for name, other in single.items() if claims[other] == 1}
