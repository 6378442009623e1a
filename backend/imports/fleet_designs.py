"""Designs made of the machines of a fleet: all as they stand, and as few as the work needs.

The machines are paid for; running them costs what own servers of the catalogue cost to run:
space, people, support. Machines whose power is not known are in neither design, and told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.imports.fleet_ground import matched
from capmodels.performance.core_speed import processor_in, ratio_of_processor
from studies.proposals import owned as own
from studies.proposals.draft import Draft
from studies.proposals.proposer import Candidate, Proposer, columns_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.imports.fleet_match import Group, Known, Match
    from capmodels.performance.core_speed import Speed
    from capmodels.spec import JSONDict

# The designs, as they are asked for.
FLEET = ("fleet", "fewer")
Pair = tuple["Group", "Match"]
_GROUPS_MAX = 16
# What does not live on these machines as far as their list says.
_ELSEWHERE = ("block_tb", "block_io_per_s", "block_throughput_mb_per_s", "object_tb", "archive_tb")


class Fleet:
    """The machines of an inventory as nodes of a design."""

    def __init__(self, preview: Mapping[str, Any], known: Known, proposer: Proposer) -> None:
        """Keep the groups that can be nodes: cores, RAM and power are known of them."""
        self.proposer = proposer
        # An inventory tells the RAM that is built in, which nobody could do with less of.
        self._left_out = _ELSEWHERE if "hosts" in preview else (*_ELSEWHERE, "ram_gib")
        pairs = [(group, found) for group, found in matched(preview, known) if found.points]
        usable = [pair for pair in pairs if pair[0].cores_each and pair[0].ram_gib_each]
        by_size = sorted(usable, key=lambda pair: -pair[0].machines_count * _speed(pair))
        self.pairs = by_size[:_GROUPS_MAX]
        self._tell(sum(group.machines_count for group, _ in matched(preview, known)))

    def _tell(self, whole: float) -> None:
        held = sum(group.machines_count for group, _ in self.pairs)
        if held < whole:
            self.proposer.notes.append(
                f"{whole - held:,.0f} machines are in no design of the fleet: their cores, RAM or "
                f"power are not known, or they are not among the {_GROUPS_MAX} largest groups."
            )
        if any(self.proposer.workload.get(name) for name in _ELSEWHERE):
            self.proposer.notes.append(
                "Where the data lives is not in the file, so designs of the fleet hold none of "
                "it: add its storage to them."
            )

    def whole(self) -> Candidate | None:
        """All machines as they stand."""
        if not self.pairs:
            return None
        return self._design("The fleet as it stands", [_count(pair) for pair in self.pairs])

    def fewer(self) -> Candidate | None:
        """As few machines as carry the work by the plan's own sizing, the thriftiest first."""
        self.pairs.sort(key=_watts_per_work)
        most = [_count(pair) for pair in self.pairs]
        low, high = 0, sum(most)
        if not high or not self._carries(self._design("Tried", most)):
            self.proposer.notes.append("Fewer machines: the fleet's own do not carry the work.")
            return None
        while high - low > 1:
            middle = (low + high) // 2
            if self._carries(self._design("Tried", _first(most, middle))):
                high = middle
            else:
                low = middle
        if "ram_gib" in self._left_out:
            self.proposer.notes.append(
                "Fewer machines: sized by busy cores alone, as the RAM in use is not in the file. "
                "Enter it in the work."
            )
        return self._design(f"{high:,} of the fleet's {sum(most):,} machines", _first(most, high))

    def _carries(self, candidate: Candidate) -> bool:
        work = dict(self.proposer.workload)
        work |= {name: 0.0 for name in self._left_out if name in work}
        columns = columns_of([candidate], work, self.proposer.assumptions)
        return bool(columns[0].carries_load)

    def _design(self, title: str, counts: Sequence[int]) -> Candidate:
        draft = Draft(self.proposer.entries)
        used = [(pair, count) for pair, count in zip(self.pairs, counts, strict=True) if count]
        shares = _shares(used)
        for place, ((pair, count), share) in enumerate(zip(used, shares, strict=True)):
            _node(draft, f"/node_groups/{place}", pair, count, share)
        made = self.proposer.complete(title, own.running(draft))
        # What stands beside the machines stands already too.
        paid = [
            f"/equipment/{place}/unit_price_usd" for place in range(len(made.spec["equipment"]))
        ]
        for pointer in [*paid, "/racks/unit_price_usd"]:
            draft.put(pointer, 0.0)
            draft.origins[pointer] = _PAID
        return made


_PAID = {"quality": "assumed", "source": "Stands already; what it cost is spent"}


def _count(pair: Pair) -> int:
    return round(pair[0].machines_count)


def _first(most: Sequence[int], count: int) -> list[int]:
    """The first machines of all groups in turn."""
    found = []
    for there in most:
        found.append(min(there, count))
        count -= found[-1]
    return found


def _perf(pair: Pair) -> float:
    entry, measured = pair[1].entry, _measured(pair[0])
    if entry is not None and entry.perf_per_core_ratio:
        return entry.perf_per_core_ratio
    return 1.0 if measured is None else measured.value


def _measured(group: Group) -> Speed | None:
    """Speed of a core of the processor that a group names, where it is held."""
    name = processor_in(group.cpu)
    return None if name is None else ratio_of_processor(name, int(group.sockets_each or 1))


def _speed(pair: Pair) -> float:
    """Work of a machine, in reference cores."""
    return (pair[0].cores_each or 0.0) * _perf(pair)


def _watts_per_work(pair: Pair) -> float:
    return pair[1].points[-1][1] / _speed(pair)


def _shares(used: Sequence[tuple[Pair, int]]) -> list[float]:
    """Share of the work of each group: as it has cores or RAM, whichever it has less of."""
    speeds = [count * _speed(pair) for pair, count in used]
    rams = [count * (pair[0].ram_gib_each or 0.0) for pair, count in used]
    least = [min(a / sum(speeds), b / sum(rams)) for a, b in zip(speeds, rams, strict=True)]
    return [one / sum(least) for one in least]


def _node(draft: Draft, at: str, pair: Pair, count: int, share: float) -> None:
    group, found = pair
    name = ", ".join(filter(None, (group.model, group.cpu, group.year))) or "Machines"
    origin = {"quality": "measured", "source": "The inventory"}
    number = int(at.rpartition("/")[2]) + 1
    draft.put(f"{at}/name", f"{number} {name}"[:120])
    draft.put(f"{at}/role", "compute")
    draft.put(f"{at}/count", count)
    draft.put(f"{at}/spare_nodes_count", 0)
    draft.put(f"{at}/share_fraction", share)
    draft.put(f"{at}/cores_per_node_count", group.cores_each)
    draft.put(f"{at}/ram_gib", group.ram_gib_each)
    draft.origins |= dict.fromkeys(
        (f"{at}/count", f"{at}/cores_per_node_count", f"{at}/ram_gib"), origin
    )
    if group.sockets_each:
        draft.put(f"{at}/sockets_per_node_count", group.sockets_each)
    draft.put(f"{at}/price/kind", "typed")
    draft.put(f"{at}/price/unit_price_usd", 0.0)
    draft.origins[f"{at}/price/unit_price_usd"] = _PAID
    _power(draft, at, found)
    if found.entry is not None and found.entry.perf_per_core_ratio:
        slug, name = found.entry.slug, "perf_per_core_ratio"
        draft.put(f"{at}/{name}", found.entry.perf_per_core_ratio)
        draft.origins[f"{at}/{name}"] = {**found.entry.origins.get(name, {}), "entry": slug}
    elif (measured := _measured(group)) is not None:
        draft.put(f"{at}/perf_per_core_ratio", measured.value)
        draft.origins[f"{at}/perf_per_core_ratio"] = {
            "quality": "derived",
            "source": measured.source,
            "low": measured.low,
            "high": measured.high,
        }


def _power(draft: Draft, at: str, found: Match) -> None:
    title = found.why if found.entry is None else f"{found.entry.title}: {found.why}"
    origin: JSONDict = {"quality": "derived", "source": f"{found.how_sure}, {title}"[:500]}
    if found.entry is not None:
        origin["entry"] = found.entry.slug
    draft.put(f"{at}/power/kind", "points")
    for place, (load, watts) in enumerate(found.points):
        draft.put(f"{at}/power/points/{place}/load_fraction", load)
        draft.put(f"{at}/power/points/{place}/power_w", watts)
        draft.origins[f"{at}/power/points/{place}/power_w"] = origin
