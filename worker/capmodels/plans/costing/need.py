"""Machines that rented work needs, as a function of the hour's demand: whole ones, with spares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import (
    CEIL_SLACK,
    TINY,
    at_least,
    ceil,
    is_above,
    is_number,
    is_zero,
    maximum,
    minimum,
)

if TYPE_CHECKING:
    from capmodels.amounts import Amount


@dataclass(frozen=True, slots=True)
class Fleet:
    """What whole machines have beyond the work.

    In an hour with any work there are ``ceil(work) + spare_count`` of them, and at least one on
    each of ``sites_count`` sites, as of owned nodes.
    """

    spare_count: int = 0
    sites_count: int = 1

    @property
    def counts(self) -> tuple[int, int]:
        """Its numbers, in order."""
        return self.spare_count, self.sites_count

    @property
    def least_count(self) -> float:
        """Machines in an hour with next to no work."""
        return maximum(1 + self.spare_count, self.sites_count)

    def machines(self, work: Amount, slack: Amount = 0.0) -> Amount:
        """Whole machines for an amount of work in machines; none for no more than a slack."""
        work = work if is_zero(slack) else work - slack
        whole = maximum(ceil(work) + self.spare_count, self.least_count)
        return whole * is_above(work, CEIL_SLACK)


@dataclass(slots=True)
class Need:
    """Work of an hour with demand s, in machines: the largest of three lines over s.

    They are ``cores s``, ``network s`` and ``base + ram s``: traffic follows the load. All of it
    is there in a share of the hours, ``running``, and nothing in the others.
    """

    cores: Amount
    base: Amount
    ram: Amount
    network: Amount = 0.0
    running: Amount = 1.0

    @property
    def slope(self) -> Amount:
        """The steeper of the two lines through the origin."""
        return self.cores if is_zero(self.network) else maximum(self.cores, self.network)

    @property
    def lines(self) -> tuple[Amount, Amount, Amount, Amount, Amount]:
        """Its fields, in order."""
        return self.cores, self.base, self.ram, self.network, self.running

    def machines(self, ratio: Amount, fleet: Fleet, grain: float) -> Amount:
        """Whole machines at a ratio of demand to its mean, which is known to a ``grain`` of it.

        None is added for what that comes to.
        """
        slack = 0.0 if grain == 0.0 else maximum(self.slope, self.ram) * grain
        return fleet.machines(self.at(ratio), slack)

    def at(self, ratio: Amount) -> Amount:
        """Work at one ratio of demand to its mean, while it runs."""
        return maximum(self.slope * ratio, self.base + self.ram * ratio)


@dataclass(frozen=True, slots=True)
class NeedRates:
    """Machines that a core, a GiB, a GPU in use and a TB moved a month need at mean demand.

    GPUs in use are ``running``, a share of the hours, as many as at the peak: their mean over it.
    """

    per_core: Amount
    per_fixed_gib: Amount
    per_scaling_gib: Amount
    per_gpu: Amount
    per_tb: Amount
    fleet: Fleet = Fleet()
    running: Amount = 1.0

    def need(self, cores: Amount, ram_gib: Amount, gpus: Amount, traffic_tb: Amount) -> Need:
        """Work in machines, as a function of the hour; ``gpus`` are those in use on average."""
        if is_zero(self.per_gpu):
            return Need(
                cores * self.per_core,
                ram_gib * self.per_fixed_gib,
                ram_gib * self.per_scaling_gib,
                0.0 if is_zero(self.per_tb) else traffic_tb * self.per_tb,
            )
        # Trials may draw no GPUs at all: they run in no hour, and need no machine.
        at_peak = gpus * self.per_gpu / at_least(self.running, TINY)
        return Need(0.0, at_peak, 0.0, running=self.running)

    def need_beside(
        self, cores: Amount, ram_gib: Amount, gpus: Amount, traffic_tb: Amount, less: Amount
    ) -> Need:
        """Work above machines that hold so many fewer by their RAM than by their cores.

        Of it and of them all is counted in machines by cores: what RAM asks for is so much more.
        """
        need = self.need(cores, ram_gib, gpus, traffic_tb)
        return Need(need.cores, need.base + less, need.ram, need.network, need.running)


def running_share(mean: Amount, peak: Amount) -> Amount:
    """Share of the hours in which what is used at the peak runs, that its mean comes to."""
    if is_zero(mean):
        return 1.0
    share = minimum(mean / at_least(maximum(peak, mean), TINY), 1.0)
    # Of trials in which nothing is used, as of a study: no hour is shared out.
    return share if is_number(mean) else share + (1.0 - is_above(mean, 0.0))
