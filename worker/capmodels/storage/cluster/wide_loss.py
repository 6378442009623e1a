"""How often data are lost from the loss of a whole rack or site on."""

from __future__ import annotations

from typing import NamedTuple

from capmodels.reliability.loss_chain import Chain, mean_time_h

# Codes that survive more than some ten shards are followed to so many states, of few parts at once.
_STATES_MAX = 120


class Wide(NamedTuple):
    """Parts of a kind: how many, their rate, shards of a group in each, time until it is whole."""

    parts_count: int
    rate_per_h: float
    shards_count: int
    whole_h: float


class Singles(NamedTuple):
    """Drives that are lost one by one, anywhere, and the time until one is back."""

    drives_count: int
    rate_per_h: float
    repair_h: float


def lost_per_h(survives: int, own: Wide, singles: Singles, others: tuple[Wide, ...]) -> float:
    """Losses of data that begin with a part of a kind, by what goes until all parts are whole.

    A state is how many parts are lost, and how many drives beside them; a part of another kind
    counts as as many drives as it holds shards. Each loss is taken to be of the same group.
    """
    left = survives - own.shards_count
    if left < 0:
        return own.parts_count * own.rate_per_h
    most = min(left // own.shards_count, own.parts_count - 1, max(_STATES_MAX // (left + 1), 1))
    states = [(0, 0)]
    for more in range(most + 1):
        states += [(more + 1, drives) for drives in range(left - more * own.shards_count + 1)]
    place = {state: at for at, state in enumerate(states)}
    rates = [[0.0] * (len(states) + 1) for _ in states]
    for (parts, drives), row in zip(states, rates, strict=True):
        steps = [((own.parts_count - parts) * own.rate_per_h, parts + 1, drives)]
        if parts:
            alone = (singles.drives_count - drives) * singles.rate_per_h
            steps.append((alone, parts, drives + 1))
            steps += [
                (other.parts_count * other.rate_per_h, parts, drives + other.shards_count)
                for other in others
            ]
            steps.append((drives / singles.repair_h, parts, drives - 1))
            steps.append((parts / own.whole_h, parts - 1, drives if parts > 1 else 0))
        for rate, *to in steps:
            if to[0] * own.shards_count + to[1] > survives:
                row[-1] += rate
            elif (to[0], to[1]) in place:
                row[place[to[0], to[1]]] += rate
    return 1 / mean_time_h(Chain(tuple(map(tuple, rates)), (0.0,) * len(states)))
