"""What the simulation of ranks keeps: constants, state of each rank, tallies.

Named tuples of NumPy arrays, so that compiled code can take them whole and change the
arrays in place. Times in nanoseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.memory.states import PowerStates, Technique

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

STANDBY, POWERDOWN, SELF_REFRESH = 0, 1, 2
# Columns of a rank's times; those of residency are three, one for each state.
AT, BUSY, READY, BUS, THRESHOLD, ASLEEP_SINCE, RESPONSE, IDLE, RESIDENCY = range(9)
_TIMES = RESIDENCY + 3
# Columns of a rank's whole numbers.
STATE, REST, SEEN, ACCESSES, DELAYED_POWERDOWN, DELAYED_SELF_REFRESH, IDLES, OUTSIDE = range(8)
# Idle accesses that wait for nothing.
PROMPT = OUTSIDE + 1
_WHOLES = PROMPT + 1
# Places in the clock, and in its whole numbers.
NEXT_TICK, NEXT_SWITCH = 0, 1
SWITCH, PROCESS = 0, 1


class Rules(NamedTuple):
    """What does not change in a run: times of the memory, what the technique does."""

    per_dimm: int
    powerdown_exit_ns: float
    self_refresh_exit_ns: float
    rank_busy_ns: float
    issue_ns: float
    interval_ns: float
    threshold_most_ns: float
    predicts: bool
    keeps_history: bool
    directed: bool
    awake: int


class Ranks(NamedTuple):
    """Each rank now, and what it has done: a row a rank, columns as named above.

    Two arrays and not a dozen, for compiled code counts every array that it hands on.
    """

    times: Floats
    wholes: Ints
    dimm_asleep: Floats

    @property
    def residency(self) -> Floats:
        """Time in each state, a column a state. [ns]"""
        return self.times[:, RESIDENCY:]

    @property
    def counts(self) -> Ints:
        """Accesses, delayed by power-down, by self-refresh, idle periods, outside."""
        return self.wholes[:, ACCESSES:]


class Processes(NamedTuple):
    """Who runs when, which ranks hold its pages, and the predictor's history of each."""

    switch_ns: Floats
    process: Ints
    active: Flags
    threshold: Floats
    seen: Ints


class World(NamedTuple):
    """Everything a run needs."""

    rules: Rules
    ranks: Ranks
    processes: Processes
    clock: Floats
    places: Ints


def new_world(
    states: PowerStates,
    technique: Technique,
    *,
    switches: tuple[Floats, Ints, Flags],
    threshold_most_ns: float,
    threshold_first_ns: float,
) -> World:
    """Return ranks at rest at time zero. ``switches``: times, processes, active ranks."""
    count = states.ranks_count
    directed = technique in ("PAVM", "PAVM_IPD")
    rest = {"NOPM": STANDBY, "ISR": SELF_REFRESH, "PAVM": STANDBY}.get(technique, POWERDOWN)
    first = SELF_REFRESH if directed else rest
    switch_ns, process, active = switches
    rules = Rules(
        per_dimm=states.ranks_per_dimm_count,
        powerdown_exit_ns=states.powerdown_exit_ns,
        self_refresh_exit_ns=states.self_refresh_exit_ns,
        rank_busy_ns=states.rank_busy_ns,
        issue_ns=states.issue_ns,
        interval_ns=states.refresh_interval_ns,
        threshold_most_ns=threshold_most_ns,
        predicts=technique in ("HW", "HW_SW"),
        keeps_history=technique == "HW_SW",
        directed=directed,
        awake=rest,
    )
    times = np.zeros((count, _TIMES))
    times[:, THRESHOLD] = threshold_first_ns
    times[:, ASLEEP_SINCE] = 0.0 if first == SELF_REFRESH else np.inf
    wholes = np.zeros((count, _WHOLES), np.int64)
    wholes[:, STATE] = wholes[:, REST] = first
    ranks = Ranks(times, wholes, np.zeros(count // states.ranks_per_dimm_count))
    used = technique in ("HW_SW", "PAVM", "PAVM_IPD") and len(switch_ns) > 0
    processes = Processes(
        switch_ns=switch_ns,
        process=process,
        active=active,
        threshold=np.full((len(active), count), threshold_first_ns),
        seen=np.zeros((len(active), count), np.int64),
    )
    return World(
        rules=rules,
        ranks=ranks,
        processes=processes,
        clock=np.array(
            [
                rules.interval_ns if rules.predicts else np.inf,
                switch_ns[0] if used else np.inf,
            ]
        ),
        places=np.array([0, -1]),
    )
