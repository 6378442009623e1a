"""What the day simulation keeps: hosts, machines, who is where, and the tallies.

Named tuples of NumPy arrays, so that compiled code can take them whole and change the
arrays in place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

HISTORY_LENGTH = 30


class Hosts(NamedTuple):
    """Physical machines, by index; ``power_w`` has eleven columns, idle to full load."""

    core_mips: Floats
    total_mips: Floats
    ram_mb: Floats
    network_mb_per_s: Floats
    power_w: Floats


class Machines(NamedTuple):
    """Virtual machines, by index; ``utilization_fraction`` has a row for each, a column a step."""

    mips: Floats
    ram_mb: Floats
    utilization_fraction: Floats


class State(NamedTuple):
    """Who is where now.

    ``members[h, :occupancy[h]]`` are the machines on a host, in the order in which they came;
    ``arriving`` marks those that are still being copied to it.
    """

    members: Ints
    arriving: Flags
    occupancy: Ints
    host: Ints
    moving: Flags
    request_mips: Floats
    used_mips: Floats
    used_before_mips: Floats
    history: Floats
    history_count: Ints


class Tallies(NamedTuple):
    """Sums over the day, and each host's and machine's last entry for them.

    ``totals``: host seconds on, host seconds short of what was asked, MIPS seconds asked,
    given, and withheld by migrations, watt seconds, migrations, hosts switched on, seconds of
    copying. ``machine_last`` has a row for each machine: when it was last noted, what it was
    given and what it asked.
    """

    totals: Floats
    host_at_s: Floats
    host_short: Flags
    machine_last: Floats
    machine_moving: Flags


AT_S, LAST_GIVEN, LAST_ASKED = range(3)
ON_S, SHORT_S, ASKED, GIVEN, MIGRATION_LOSS, ENERGY_J, MIGRATIONS, SWITCHES, COPY_S = range(9)


class Plan(NamedTuple):
    """A scratch copy of who is where, on which moves are tried out.

    ``twin`` is the host of the same kind before each, -1 for the first of a kind;
    ``open_hosts`` those that may take a machine, by index; ``kept_...`` what each move's
    target was before it; ``held_ram_mb`` the memory of all that is or comes there, and of what
    leaves in this step, which is copied from there meanwhile.
    """

    members: Ints
    occupancy: Ints
    request_mips: Floats
    reserved_mips: Floats
    history: Floats
    largest_ram_mb: Floats
    held_ram_mb: Floats
    power_now_w: Floats
    over: Flags
    shut: Flags
    no_source: Flags
    moved: Ints
    targets: Ints
    kept_mips: Floats
    kept_ram_mb: Floats
    kept_history: Floats
    scratch: Floats
    open_hosts: Ints
    off: Flags
    twin: Ints


def new_state(hosts_count: int, machines_count: int) -> State:
    """Return the state in which no machine is anywhere."""
    shape = (hosts_count, machines_count)
    return State(
        members=np.zeros(shape, np.int64),
        arriving=np.zeros(shape, np.bool_),
        occupancy=np.zeros(hosts_count, np.int64),
        host=np.full(machines_count, -1, np.int64),
        moving=np.zeros(machines_count, np.bool_),
        request_mips=np.zeros(machines_count),
        used_mips=np.zeros(hosts_count),
        used_before_mips=np.zeros(hosts_count),
        history=np.zeros((machines_count, HISTORY_LENGTH)),
        history_count=np.zeros(machines_count, np.int64),
    )


def new_tallies(hosts_count: int, machines_count: int) -> Tallies:
    """Return tallies at zero; a negative time marks what has no entry yet."""
    return Tallies(
        totals=np.zeros(9),
        host_at_s=np.full(hosts_count, -1.0),
        host_short=np.zeros(hosts_count, np.bool_),
        machine_last=np.array([[-1.0, 0.0, 0.0]]).repeat(machines_count, axis=0),
        machine_moving=np.zeros(machines_count, np.bool_),
    )


def new_plan(hosts: Hosts, machines_count: int) -> Plan:
    """Return an empty scratch copy; a machine may be moved more than once in a step."""
    hosts_count, moves_max = len(hosts.total_mips), 4 * machines_count
    return Plan(
        members=np.zeros((hosts_count, machines_count), np.int64),
        occupancy=np.zeros(hosts_count, np.int64),
        request_mips=np.zeros(hosts_count),
        reserved_mips=np.zeros(hosts_count),
        history=np.zeros((hosts_count, HISTORY_LENGTH)),
        largest_ram_mb=np.zeros(hosts_count),
        held_ram_mb=np.zeros(hosts_count),
        power_now_w=np.zeros(hosts_count),
        over=np.zeros(hosts_count, np.bool_),
        shut=np.zeros(hosts_count, np.bool_),
        no_source=np.zeros(hosts_count, np.bool_),
        moved=np.zeros(moves_max, np.int64),
        targets=np.zeros(moves_max, np.int64),
        kept_mips=np.zeros((moves_max, 2)),
        kept_ram_mb=np.zeros(moves_max),
        kept_history=np.zeros((moves_max, HISTORY_LENGTH)),
        scratch=np.zeros(HISTORY_LENGTH),
        open_hosts=np.zeros(hosts_count, np.int64),
        off=np.zeros(hosts_count, np.bool_),
        twin=_twins(hosts),
    )


def _twins(hosts: Hosts) -> Ints:
    """Return for each host the one before it of the same kind, -1 for the first."""
    last: dict[tuple[float, ...], int] = {}
    found = np.full(len(hosts.total_mips), -1, np.int64)
    columns = (hosts.core_mips, hosts.total_mips, hosts.ram_mb, hosts.network_mb_per_s)
    for host, row in enumerate(np.column_stack([*columns, hosts.power_w]).tolist()):
        found[host] = last.get(tuple(row), -1)
        last[tuple(row)] = host
    return found


class World(NamedTuple):
    """All of it. ``policy``: overload, selection, whether machines move at all,
    whether memory limits where they go.

    ``settings``: fixed threshold, safety parameter, threshold until there is history,
    seconds of a step.
    """

    hosts: Hosts
    machines: Machines
    state: State
    tallies: Tallies
    plan: Plan
    policy: Ints
    settings: Floats
