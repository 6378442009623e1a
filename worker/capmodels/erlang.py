"""Erlang's formulas of many servers, which more than one family of models uses.

Erlang 1917; as Kleinrock 1975 gives them.
"""

from __future__ import annotations


def erlang_b(*, servers: int, offered: float) -> float:
    """Share of arrivals that find all servers busy when none may wait.

    >>> erlang_b(servers=1, offered=1.0)
    0.5
    """
    blocked = 1.0
    for count in range(1, servers + 1):
        blocked = offered * blocked / (count + offered * blocked)
    return blocked


def erlang_c(*, servers: int, offered: float) -> float:
    """Share of arrivals that must wait, M/M/c.

    >>> erlang_c(servers=1, offered=0.8)
    0.8
    """
    blocked = erlang_b(servers=servers, offered=offered)
    return round(servers * blocked / (servers - offered * (1 - blocked)), 15)
