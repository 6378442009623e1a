"""Losses and repairs of a group of drives as a Markov chain, until its data are lost.

A state is how many members are lost. Failures come at (n - i) lambda, repairs at i mu or as spares
allow; members that go together (an enclosure, a node) make longer steps. At the last state that the
group survives every survivor is read with nothing to correct it by: the chance that one of these
bits cannot be read is taken where that rebuild starts. That is an upper bound, as what the rebuild
has passed before another repair ends is safe; when errors are as likely anywhere, and a repair ends
half-way on average, it is about twice too high.
"""

from __future__ import annotations

import math
from operator import mul
from typing import NamedTuple

# Terms of the series of a step: the steps are so short that the next one is below 1e-18.
_TERMS = 14
_STEP_EVENTS_MAX = 0.5
_SMALL = 12

Matrix = list[list[float]]


class Chain(NamedTuple):
    """Rates from each state, in order, to each state and, last, to lost data. [1/h]

    ``at_start`` is the chance, by state, that data are lost as soon as it begins there.
    """

    rates: tuple[tuple[float, ...], ...]
    at_start: tuple[float, ...]


class Domains(NamedTuple):
    """Parts that take all of their members with them: how many hold members, and their rate."""

    parts_count: int
    rate_per_h: float


class Group(NamedTuple):
    """Members that hold data together.

    ``repairs_per_h`` by members lost, from none on; ``unreadable`` the chance that the last rebuild
    meets an unreadable bit; ``together_ratio`` the failure rate once one is lost, of that before.
    ``survives`` is the chance, by members lost, that the pattern can be decoded given that one
    fewer could; empty: always, up to the tolerated number.
    """

    members: int
    tolerated: int
    rate_per_h: float
    repairs_per_h: tuple[float, ...]
    unreadable: float = 0.0
    together_ratio: float = 1.0
    domains: tuple[Domains, ...] = ()
    survives: tuple[float, ...] = ()


def repair_rates(
    count: int,
    *,
    rebuild_h: float,
    wait_h: float = 0.0,
    spares_count: int = 0,
    wake_h: float = 0.0,
) -> tuple[float, ...]:
    """Repairs an hour by members lost, from none to ``count``, all under repair at once. [1/h]

    One that has a spare is rebuilt once that is awake; one without waits until it is replaced.

    >>> repair_rates(2, rebuild_h=6.0, wait_h=24.0, spares_count=1)
    (0.0, 0.16666666666666666, 0.2)
    """
    spared = [min(lost, spares_count) for lost in range(count + 1)]
    return tuple(
        with_spare / (wake_h + rebuild_h) + (lost - with_spare) / (wait_h + rebuild_h)
        for lost, with_spare in enumerate(spared)
    )


def group_chain(group: Group) -> Chain:
    """The chain of a group."""
    states = group.tolerated + 1
    rates = [[0.0] * (states + 1) for _ in range(states)]
    for lost in range(states):
        row = rates[lost]
        if lost:
            row[lost - 1] = group.repairs_per_h[lost]
        crowd = group.together_ratio if lost else 1.0
        _step(group, row, lost + 1, (group.members - lost) * group.rate_per_h * crowd)
        for domains in group.domains:
            _domain_steps(group, domains, row, lost)
    last = group.unreadable if group.tolerated else 0.0
    return Chain(tuple(map(tuple, rates)), (*[0.0] * (states - 1), last))


def _step(group: Group, row: list[float], to: int, rate: float) -> None:
    """Add a rate to a number of lost members; some of those that reach the last lose data."""
    if group.survives and to <= group.tolerated:
        row[-1] += rate * (1.0 - group.survives[to])
        rate *= group.survives[to]
    if to > group.tolerated:
        row[-1] += rate
    elif to == group.tolerated:
        row[to] += rate * (1.0 - group.unreadable)
        row[-1] += rate * group.unreadable
    else:
        row[to] += rate


def _domain_steps(group: Group, domains: Domains, row: list[float], lost: int) -> None:
    """Add steps by parts that fail whole; those lost before are taken to lie in other parts."""
    each, more = divmod(group.members, domains.parts_count)
    for size, parts in ((each + 1, more), (each, domains.parts_count - more)):
        whole = parts * (group.members - lost) / group.members
        if size and whole > 0:
            _step(group, row, lost + size, whole * domains.rate_per_h)


def pairs_chain(
    pairs: int,
    *,
    rate_per_h: float,
    repair_per_h: float,
    unreadable: float,
    together_ratio: float = 1.0,
    domains: tuple[Domains, ...] = (),
) -> Chain:
    """RAID-10 as a whole, which may lose one of each pair; states count pairs with one lost."""
    states = pairs + 1
    rates = [[0.0] * (states + 1) for _ in range(states)]
    for lost, row in enumerate(rates):
        if lost:
            row[lost - 1] = lost * repair_per_h
        rate = rate_per_h * (together_ratio if lost else 1.0)
        more = 2 * (pairs - lost) * rate
        if lost < pairs:
            row[lost + 1] += more * (1.0 - unreadable)
        row[-1] += more * unreadable + lost * rate
        for parts in domains:
            _domain_of_pairs(row, lost, parts, unreadable)
    at_start = tuple(-math.expm1(_log_left(unreadable, lost)) for lost in range(states))
    return Chain(tuple(map(tuple, rates)), at_start)


def _domain_of_pairs(row: list[float], lost: int, domains: Domains, unreadable: float) -> None:
    """Add steps by parts that fail whole; the two of a pair are in different ones, if there are.

    A part takes one of each pair that it has a member of. Of a pair that had lost one, that was the
    very one as often as the other.
    """
    pairs = len(row) - 2
    each, more = divmod(2 * pairs, domains.parts_count)
    for size, parts in ((each + 1, more), (each, domains.parts_count - more)):
        rate = parts * domains.rate_per_h
        if size > pairs:
            row[-1] += rate
            continue
        for hit in range(max(size - pairs + lost, 0), min(lost, size) + 1):
            fresh = size - hit
            chance = math.comb(lost, hit) * math.comb(pairs - lost, fresh) / math.comb(pairs, size)
            kept = _log_left(unreadable, fresh) - hit * math.log(2.0)
            row[-1] += rate * chance * -math.expm1(kept)
            if fresh:
                row[lost + fresh] += rate * chance * math.exp(kept)


def _log_left(chance: float, times: float) -> float:
    """Logarithm of the chance that none of so many comes to pass."""
    if times == 0:
        return 0.0
    return times * math.log1p(-chance) if chance < 1 else -math.inf


def mean_time_h(chain: Chain, start: int = 0) -> float:
    """Mean time until data are lost, from a state. [h]

    States are taken out one after another, their time and their ways given to those that lead there
    (Grassmann, Taksar and Heyman 1985): nothing is subtracted, so that times of any size are exact.
    """
    states = len(chain.rates)
    order = [start, *(state for state in range(states) if state != start)]
    columns = [*order, states]
    rates = [[chain.rates[i][j] for j in columns] for i in order]
    times = [1.0] * states
    for k in range(states - 1, 0, -1):
        leaving = sum(rates[k][j] for j in (*range(k), states))
        if leaving == 0:
            return math.inf
        for i in range(k):
            if rates[i][k] == 0:
                continue
            share = rates[i][k] / leaving
            times[i] += share * times[k]
            for j in (*range(k), states):
                rates[i][j] += share * rates[k][j]
    lost = rates[0][states]
    stays = 1.0 - chain.at_start[start]
    return stays * times[0] / lost if lost > 0 else math.inf


def loss_within(chain: Chain, start: int, duration_h: float) -> float:
    """Chance that data are lost within a time, from a state. [fraction]

    By uniformization (Jensen 1953), a short step squared until it is as long as the time: sums
    and products of chances alone, so that the smallest ones are exact too.
    """
    states = len(chain.rates)
    rows = [list(row) for row in chain.rates] + [[0.0] * (states + 1)]
    leaving = [sum(row) for row in rows]
    most = max(leaving)
    events = most * duration_h
    halvings = max(math.ceil(math.log2(events / _STEP_EVENTS_MAX)), 0) if events else 0
    for state, row in enumerate(rows):
        row[state] = most - leaving[state]
    short_h = duration_h / 2.0**halvings
    once = [[rate * short_h for rate in row] for row in rows]
    term = step = [[float(i == j) for j in range(states + 1)] for i in range(states + 1)]
    for n in range(1, _TERMS):
        term = [[value / n for value in row] for row in _product(term, once)]
        step = [
            [a + b for a, b in zip(*both, strict=True)] for both in zip(step, term, strict=True)
        ]
    for _ in range(halvings):
        whole = [sum(row) for row in step]
        step = [[value / total for value in row] for row, total in zip(step, whole, strict=True)]
        step = _product(step, step)
    later = step[start][states] / sum(step[start])
    return chain.at_start[start] + (1.0 - chain.at_start[start]) * later


def _product(a: Matrix, b: Matrix) -> Matrix:
    """Product of two matrices; small ones without NumPy, which answers at once do not load."""
    if len(a) > _SMALL:
        import numpy as np

        found: Matrix = (np.array(a) @ np.array(b)).tolist()
        return found
    columns = list(zip(*b, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in a]


def loss_of_groups(one: float, groups: float) -> float:
    """Chance that any of so many equal groups, each on its own, loses data. [fraction]"""
    return -math.expm1(_log_left(one, groups))
