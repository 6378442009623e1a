"""Energy by state up to a moment of a run, with what an idle device has not booked yet. [mJ]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.device_kernel import is_gone
from capmodels.storage.simulator.end_kernel import rests_at_the_end
from capmodels.storage.simulator.power_states_kernel import close_gap

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Compiled kernels keep the record: touch this file when ``slots`` changes it.
_RECORD = k.machine_dtype()


@kernel
def energies_at(machine: NDArray[np.uint8], t: float) -> NDArray[np.float64]:
    """Energy of all devices by state up to ``t`` (6,); the machine is left as it was. [mJ]

    A device books its idle time when its next request comes. Here that time is worked out and
    taken back, so that a disk that sleeps through a run draws its power all along.
    """
    m = machine.view(_RECORD)[0]
    total = np.zeros(6)
    for d in range(m.plan[k.DEVICES]):
        if is_gone(m, d):
            continue
        times, energies = m.time_ms[d].copy(), m.energy_mj[d].copy()
        if rests_at_the_end(m, d):
            m.energy_mj[d, k.IDLE] += max(t - times.sum(), 0.0) * m.par[d, k.P_IDLE]
        else:
            close_gap(m, d, t, False)
        for state in range(6):
            total[state] += m.energy_mj[d, state]
            m.time_ms[d, state] = times[state]
            m.energy_mj[d, state] = energies[state]
    return total
