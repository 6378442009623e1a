"""How likely a coded cluster loses data: by drives, by nodes, racks and sites, by bad sectors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.reliability.array_loss import MOST_YEARS, failure_rate_per_h, loss_fraction
from capmodels.reliability.loss_chain import (
    Group,
    group_chain,
    mean_time_h,
    repair_rates,
)
from capmodels.storage.cluster.beside import slowed_h
from capmodels.storage.cluster.codes import decodable_fraction, survival_steps
from capmodels.storage.cluster.group_loss import Part, Shards, parts_chain
from capmodels.storage.cluster.params import Durability
from capmodels.storage.cluster.recovery import code_of, drives_count, lost_of
from capmodels.storage.cluster.wide_loss import Singles, Wide, lost_per_h
from capmodels.units import BITS_PER_BYTE, HOURS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.storage.cluster.params import ClusterCodeParams, CodedCluster

    # Of so many drives that are lost at once: rate of their recovery over that of its limits.
    Pace = Callable[[float], float | None]
    # Of so many: the time of their recovery. [h]
    Time = Callable[[float], float]

_TINY = 1e-300
# Of the clusters that come to the first fatal number of lost drives: how few are followed on.
_HARDLY, _STATES_MAX = 1e-12, 400


class Parts(NamedTuple):
    """Parts of a cluster of one kind, and how often one is lost with its data."""

    parts_count: int
    drives_each: float
    rate_per_h: float


def parts_of(params: CodedCluster) -> tuple[Parts, ...]:
    """Nodes, racks and sites that may be lost whole."""
    machines, drives = params.machines, drives_count(params)
    kinds = (
        (machines.nodes_count, machines.node_fraction_per_year),
        (machines.racks_count, machines.rack_fraction_per_year),
        (machines.sites_count, machines.site_fraction_per_year),
    )
    return tuple(
        Parts(count, drives / count, failure_rate_per_h(share)) for count, share in kinds if share
    )


def _drive_rate_per_h(params: ClusterCodeParams) -> float:
    """How often a drive fails. [1/h]"""
    own = params.afr_fraction or params.drive.afr_fraction
    return failure_rate_per_h(min(own, 1 - 1e-9))


def losses_of(params: CodedCluster) -> tuple[float, ...]:
    """Drives that are lost at once, of each kind of loss that is recovered from."""
    code = code_of(params)
    return (
        1.0,
        *(
            part.drives_each
            for part in parts_of(params)
            if max(code.shards_count // part.parts_count, 1) <= code.survives_most
        ),
    )


def _times(params: CodedCluster, pace: Pace) -> Time | None:
    """Time of each recovery; None where one of them is unknown."""
    found = {}
    for drives in losses_of(params):
        share = pace(drives)
        if share is None:
            return None
        found[drives] = slowed_h(params, lost_of(params, drives), share)
    return found.__getitem__


def _repair_h(params: ClusterCodeParams, time_h: Time) -> float:
    """Time until a drive is back that is lost alone, or with a node that holds one shard. [h]"""
    rate, node = _drive_rate_per_h(params), _single_rate_per_h(params)
    drives = float(params.machines.drives_per_node_count)
    if node == 0 or code_of(params).survives_most == 0:
        return time_h(1.0)
    return (rate * time_h(1.0) + node * time_h(drives)) / (rate + node)


def _group_bytes(params: ClusterCodeParams) -> float:
    """Data of a placement group. [B]"""
    code = code_of(params)
    filled = drives_count(params) * params.drive.capacity_gb * 1e9 * params.fill_fraction
    return filled / params.placement_groups_count * code.data_count / code.shards_count


def group_of(params: ClusterCodeParams, time_h: Time) -> tuple[Shards, tuple[Part, ...]]:
    """A placement group: its shards, and the parts that hold several of them.

    Shards that are lost alone come back at the rate of a drive's recovery, or of a part's that
    holds one, in the share of losses that are of these. The last rebuild reads k shards of a group.
    """
    code, rate = code_of(params), _drive_rate_per_h(params)
    bits = _group_bytes(params) * BITS_PER_BYTE
    alone, wide = [(rate * code.shards_count, time_h(1.0))], []
    for part in parts_of(params):
        each, more = divmod(code.shards_count, part.parts_count)
        whole_h = time_h(part.drives_each) if max(each, 1) <= code.survives_most else 0.0
        for size, count in ((each, part.parts_count - more), (each + 1, more)):
            if size == 1 and count and code.survives_most:
                alone.append((part.rate_per_h * count, whole_h))
            elif size and count:
                wide.append(Part(count, part.rate_per_h, size, whole_h))
    total = sum(one for one, _ in alone)
    shards = Shards(
        shards_count=code.shards_count,
        tolerated=code.survives_most,
        rate_per_h=rate,
        alone_per_h=total - rate * code.shards_count,
        repair_h=sum(one / total * hours for one, hours in alone),
        together_ratio=params.terms.together_ratio,
        survives=survival_steps(code),
        unreadable=-math.expm1(-bits * params.drive.unrecoverable_per_bit),
    )
    return shards, tuple(wide)


def _holds_one(params: ClusterCodeParams) -> bool:
    """Whether a node holds one shard of a group at most."""
    few = code_of(params).shards_count <= params.machines.nodes_count
    return params.failure_domain != "drive" or few


def _single_rate_per_h(params: ClusterCodeParams) -> float:
    """How often a drive is gone with the node around it, where a node holds one shard. [1/h]"""
    node = params.machines.node_fraction_per_year
    return failure_rate_per_h(node) if node and _holds_one(params) else 0.0


def by_parts_per_h(params: ClusterCodeParams, time_h: Time) -> float:
    """How often data are lost from the loss of a rack or a site on, in all groups at once. [1/h]

    A part that holds more shards of a group than are survived is a loss. Of others, what the rest
    then survives less is lost anywhere in the cluster before the part is whole, by drives or by
    more such parts: an upper bound, as every set of so many drives is taken to hit some group.
    """
    code, drives = code_of(params), drives_count(params)
    nodes = params.machines.node_fraction_per_year > 0 and _holds_one(params)
    kinds = []
    for part in parts_of(params)[int(nodes) :]:
        held = math.ceil(code.shards_count / part.parts_count)
        whole_h = time_h(part.drives_each) if held <= code.survives_any else 0.0
        kinds.append(Wide(part.parts_count, part.rate_per_h, held, whole_h))
    # With a part lost drives fail as often as those of a group that has lost a shard.
    each = _drive_rate_per_h(params) * params.terms.together_ratio + _single_rate_per_h(params)
    singles = Singles(drives, each, _repair_h(params, time_h))
    return math.fsum(
        lost_per_h(code.survives_any, own, singles, tuple(one for one in kinds if one is not own))
        for own in kinds
    )


def hit_fraction(params: ClusterCodeParams) -> float:
    """Chance that the fewest drives whose loss may cost data hold such a set of some group.

    Of N drives in D domains one to a domain; a group has C(n, f) sets of f of its n drives, and
    loses data by those that cannot be decoded. Groups are drawn independently.
    """
    code = code_of(params)
    drives, fatal = drives_count(params), code.survives_any + 1
    if fatal > code.shards_count:
        return 0.0
    sets = math.comb(code.shards_count, fatal) * (1 - decodable_fraction(code, fatal))
    one = sets / math.comb(drives, fatal) if drives >= fatal else 0.0
    return -math.expm1(params.placement_groups_count * math.log1p(-min(one, 1 - 1e-15)))


def _hitting_per_h(anywhere: Group, hit: float) -> float:
    """How often so many drives are lost at once, anywhere, that some group has lost too many. [1/h]

    A state is how many drives of the cluster are lost. The drive that comes to j others makes
    C(j, s) new sets of s + 1, s the number that any group survives, and each of them holds those of
    some group with the chance ``hit``. States follow until hardly any cluster comes that far.
    """
    drives, survived = anywhere.members, anywhere.tolerated
    if survived == 0 or hit in {0.0, 1.0}:
        return hit / mean_time_h(group_chain(anywhere))
    repair = anywhere.repairs_per_h[1]
    survives, there, lost = [1.0] * (survived + 1), 1.0, survived
    while there > _HARDLY and lost < min(drives - 1, survived + _STATES_MAX):
        survives.append(math.exp(math.log1p(-hit) * math.comb(lost, survived)))
        more = (drives - lost) * anywhere.rate_per_h * anywhere.together_ratio
        there *= survives[-1] * more / (more + lost * repair)
        lost += 1
    followed = anywhere._replace(
        tolerated=lost,
        repairs_per_h=repair_rates(lost, rebuild_h=1 / repair),
        survives=tuple(survives),
    )
    return 1 / mean_time_h(group_chain(followed))


def durability(params: ClusterCodeParams, pace: Pace) -> Durability:
    """Mean time to lost data, of a group and of the cluster, and an object's nines.

    Losses of groups come together, as groups share drives. That all of them lose on their own is an
    upper bound of how often data are lost; that more drives than are survived are lost anywhere,
    and hit a group, is another, with what racks and sites take along. The smaller counts.
    Nothing of it is known where the time of a recovery is not.
    """
    hit, survives, time_h = hit_fraction(params), code_of(params).survives_any, _times(params, pace)
    if time_h is None:
        return Durability(
            group_mttdl_years=None,
            mttdl_years=None,
            loss_fraction_per_year=None,
            object_nines_count=None,
            hit_fraction=hit,
            survives_count=survives,
        )
    (group, parts), drives = group_of(params, time_h), drives_count(params)
    own = mean_time_h(parts_chain(group, parts))
    survived = min(survives, drives - 1)
    anywhere = Group(
        members=drives,
        tolerated=survived,
        rate_per_h=group.rate_per_h + _single_rate_per_h(params),
        repairs_per_h=repair_rates(survived, rebuild_h=_repair_h(params, time_h)),
        together_ratio=group.together_ratio,
    )
    at_once = _hitting_per_h(anywhere, hit) + by_parts_per_h(params, time_h)
    # Sectors that a last rebuild cannot read are lost group by group, not all at once.
    sound = mean_time_h(parts_chain(group._replace(unreadable=0.0), parts))
    by_sector = max(1 / own - 1 / sound, 0.0)
    by_sectors = by_sector * params.placement_groups_count
    rate = min(params.placement_groups_count / own, at_once + by_sectors)
    rate = max(rate, 1 / own)  # one group alone does
    found = 1 / rate if rate > 0 else math.inf
    years = min(found / HOURS_PER_YEAR, MOST_YEARS)
    group_years = min(own / HOURS_PER_YEAR, MOST_YEARS)
    # A lost group takes all of its objects along, a lost sector one of them.
    objects = _group_bytes(params) / params.work.size_bytes
    object_rate = 1 / sound + by_sector / max(objects, 1.0)
    yearly = -math.expm1(-object_rate * HOURS_PER_YEAR)
    return Durability(
        group_mttdl_years=group_years,
        mttdl_years=years,
        loss_fraction_per_year=loss_fraction(1.0, years),
        object_nines_count=-math.log10(max(yearly, _TINY)),
        hit_fraction=hit,
        survives_count=survives,
    )
