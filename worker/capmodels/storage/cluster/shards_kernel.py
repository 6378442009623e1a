"""Which drives hold the shards of a group, and which of them a request takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.cluster import slots as k

if TYPE_CHECKING:
    from capmodels.storage.cluster.slots import Cluster


@kernel
def drive_of(c: Cluster, group: int, shard: int) -> int:
    """The drive that holds a shard at present, -1 while it is lost."""
    d = c.groups[group, shard]
    if c.rank[group] < 0 or not c.lost[d]:
        return d
    if c.rank[group] < c.marks[k.REBUILT]:
        return c.after[group, shard]
    return -1


@kernel
def leader(c: Cluster, group: int) -> int:
    """The node that serves a group: that of its first shard that is there."""
    for shard in range(c.plan[k.SHARDS]):
        d = drive_of(c, group, shard)
        if d >= 0:
            return c.node[d]
    return 0


@kernel
def group_of_shard(c: Cluster, shard: int) -> int:
    """The local group of a shard, -1 for a parity over all."""
    data, locals_count = c.plan[k.DATA], c.plan[k.LOCALS]
    if locals_count == 0 or shard >= data + locals_count:
        return -1
    return shard % locals_count if shard < data else shard - data


@kernel
def local_set(c: Cluster, group: int, shard: int) -> int:
    """Pick what a lost shard is worked out from in its local group; 0 where more of it is lost."""
    own, count = group_of_shard(c, shard), 0
    if own < 0:
        return 0
    for other in range(c.plan[k.DATA] + c.plan[k.LOCALS]):
        if other == shard or group_of_shard(c, other) != own:
            continue
        if drive_of(c, group, other) < 0:
            return 0
        c.picked[count] = other
        count += 1
    return count


@kernel
def any_set(c: Cluster, group: int) -> int:
    """Pick as many shards as there are of data, of those that are there."""
    count, data = 0, c.plan[k.DATA]
    for place in range(c.plan[k.SHARDS]):
        # Data, then parities over all, then those of local groups.
        shard = place
        if place >= data:
            shard = place + c.plan[k.LOCALS]
            if shard >= c.plan[k.SHARDS]:
                shard -= c.plan[k.SHARDS] - data
        if count < data and drive_of(c, group, shard) >= 0:
            c.picked[count] = shard
            count += 1
    return count


@kernel
def to_rebuild(c: Cluster, group: int, shard: int) -> int:
    """Pick the shards that a lost one is worked out from."""
    count = local_set(c, group, shard)
    return count if count > 0 else any_set(c, group)


@kernel
def moved_for_one(c: Cluster) -> tuple[float, float]:
    """Shards read for a lost one, and those of other nodes, the mean over all that are lost."""
    read, sent, lost = 0, 0, 0
    for group in range(c.plan[k.GROUPS]):
        for shard in range(c.plan[k.SHARDS] if c.rank[group] >= 0 else 0):
            if drive_of(c, group, shard) >= 0:
                continue
            goal, count = c.node[c.after[group, shard]], to_rebuild(c, group, shard)
            for i in range(count):
                sent += c.node[drive_of(c, group, c.picked[i])] != goal
            read, lost = read + count, lost + 1
    return read / max(lost, 1), sent / max(lost, 1)


@kernel
def data_set(c: Cluster) -> int:
    """Pick all shards of data."""
    for shard in range(c.plan[k.DATA]):
        c.picked[shard] = shard
    return int(c.plan[k.DATA])


@kernel
def to_read(c: Cluster, group: int) -> int:
    """Pick the shards that a read of an object takes: its data, or as many others."""
    if c.rank[group] < 0:
        return data_set(c)
    data, gone, count = c.plan[k.DATA], -1, 0
    for shard in range(data):
        if drive_of(c, group, shard) < 0:
            gone, count = shard, count + 1
    if count == 0:
        return data_set(c)
    if count > 1 or local_set(c, group, gone) == 0:
        return any_set(c, group)
    # The rest of its local group is read anyway; its local parity stands in.
    data_set(c)
    c.picked[gone] = data + group_of_shard(c, gone)
    return int(data)


@kernel
def touched(c: Cluster, shard: int, changed: int) -> bool:
    """Whether a shard changes with one of data: itself and its parities; of copies all."""
    if shard < c.plan[k.DATA]:
        return shard == changed
    if shard < c.plan[k.DATA] + c.plan[k.LOCALS]:
        return group_of_shard(c, shard) == group_of_shard(c, changed)
    return True


@kernel
def lost_shard(c: Cluster, group: int) -> int:
    """The first shard of a group that is lost, -1 if none is."""
    for shard in range(c.plan[k.SHARDS]):
        if c.lost[c.groups[group, shard]] and drive_of(c, group, shard) < 0:
            return shard
    return -1
