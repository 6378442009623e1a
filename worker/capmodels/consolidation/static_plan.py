"""The hosts that a day needs if nothing ever moves.

Each machine reserves a high percentile of its own load, as static consolidation is sized
(Verma et al., Server workload analysis for power minimization using consolidation, USENIX ATC
2009, section 4), and all of its memory. Hosts are filled first fit, the largest machine first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.consolidation.dynamic_params import StaticPlan, arrangement, machine_types
from capmodels.units import SECONDS_PER_HOUR, kwh_from_w

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_load import Load
    from capmodels.consolidation.dynamic_params import DynamicParams, HostType

    Floats = NDArray[np.float64]


def static_plan(params: DynamicParams, load: Load) -> StaticPlan:
    """Pack the machines at their percentile, and replay the load on that packing."""
    import numpy as np

    kinds = machine_types(params, len(load.cpu_fraction))
    asked_mips = load.cpu_fraction * np.array([kind.mips for kind in kinds])[:, None]
    reserved = np.percentile(asked_mips, params.percentile_fraction * 100.0, axis=1)
    ram = np.array([kind.ram_mb for kind in kinds])
    hosts = arrangement(params.hosts)
    cpu_room = np.array([_total_mips(host) for host in hosts]) * params.fill_fraction
    ram_room = np.array([host.ram_mb for host in hosts])
    places = _first_fit(reserved, ram, cpu_room, ram_room)
    energy, short = _replayed(asked_mips, places, hosts, load)
    cpu_share = float(reserved.sum() / cpu_room.max())
    ram_share = float(ram.sum() / ram_room.max())
    return StaticPlan(
        hosts_count=len(np.unique(places[places >= 0])),
        bound_count=math.ceil(max(cpu_share, ram_share) - 1e-9),
        binding="cpu" if cpu_share >= ram_share else "memory",
        fits=bool((places >= 0).all()),
        energy_kwh=energy,
        short_fraction=short,
    )


def _total_mips(host: HostType) -> float:
    return host.core_mips * host.cores_count


def _first_fit(cpu: Floats, ram: Floats, cpu_room: Floats, ram_room: Floats) -> NDArray[np.int64]:
    """Return each machine's host, -1 where none has room; the largest machine goes first."""
    import numpy as np

    left_cpu, left_ram = cpu_room.copy(), ram_room.copy()
    size = np.maximum(cpu / cpu_room.max(), ram / ram_room.max())
    places = np.full(len(cpu), -1, np.int64)
    for machine in np.argsort(-size, kind="stable"):
        fits = (left_cpu >= cpu[machine] - 1e-9) & (left_ram >= ram[machine] - 1e-9)
        if not fits.any():
            continue
        host = int(np.argmax(fits))
        places[machine] = host
        left_cpu[host] -= cpu[machine]
        left_ram[host] -= ram[machine]
    return places


def _replayed(
    asked_mips: Floats, places: NDArray[np.int64], hosts: list[HostType], load: Load
) -> tuple[float, float]:
    """Energy of the hosts in use over the time, and the share of their time short of CPU."""
    import numpy as np

    energy, short, counted = 0.0, 0, 0
    levels = np.linspace(0.0, 1.0, 11)
    hours = load.step_s / SECONDS_PER_HOUR
    for place in np.unique(places[places >= 0]):
        share = asked_mips[places == place].sum(axis=0) / _total_mips(hosts[place])
        watts = np.interp(np.minimum(share, 1.0), levels, hosts[place].power_w)
        energy += kwh_from_w(float(watts.sum()), hours)
        short += int((share > 1.0).sum())
        counted += share.size
    return energy, short / counted if counted else 0.0
