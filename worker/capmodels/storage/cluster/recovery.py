"""What a lost drive, node, rack or site of a coded cluster sets off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.storage.cluster.codes import Code, away_fraction
from capmodels.storage.cluster.params import Limit
from capmodels.units import BITS_PER_BYTE, GB_PER_TB, SECONDS_PER_HOUR

if TYPE_CHECKING:
    from capmodels.storage.cluster.params import CodedCluster

_MB_PER_TB = 1e6
MB_PER_S_OF_GBIT = 1e3 / BITS_PER_BYTE


def code_of(params: CodedCluster) -> Code:
    """The code as the equations take it."""
    code = params.code
    return Code(code.data_count, code.parity_count, code.local_groups_count)


def drives_count(params: CodedCluster) -> int:
    """Drives of the cluster."""
    return params.machines.nodes_count * params.machines.drives_per_node_count


def away_of(params: CodedCluster) -> float:
    """Share of a group's other shards that are on other nodes than one of them."""
    machines = params.machines
    if machines.nodes_count == 1:
        return 0.0
    apart = params.failure_domain != "drive"
    each = machines.drives_per_node_count
    return as_number(away_fraction(machines.nodes_count, each, apart=apart))


def lost_of(params: CodedCluster, drives: float) -> Limit:
    """What the loss of so many drives at once sets off.

    Each lost shard is written anew on another drive from ``repair_reads`` others. All drives left
    share the reading and writing, all nodes left the sending of what is read on other nodes; the
    slower of both decides.
    """
    code, machines, recovery = code_of(params), params.machines, params.recovery
    written = drives * params.drive.capacity_gb / GB_PER_TB * params.fill_fraction
    read = written * code.repair_reads
    left = max(drives_count(params) - drives, 1)
    nodes = max(machines.nodes_count - drives / machines.drives_per_node_count, 1.0)
    by_drives = (read + written) * _MB_PER_TB / (left * recovery.drive_mb_per_s)
    network = machines.network_gbit_per_s * MB_PER_S_OF_GBIT * recovery.network_fraction
    sent = read * away_of(params)
    by_network = sent * _MB_PER_TB / (nodes * network)
    seconds = max(by_drives, by_network)
    return Limit(
        recovery_h=recovery.detection_h + seconds / SECONDS_PER_HOUR,
        read_tb=read,
        network_tb=sent,
        bound_by="drives" if by_drives >= by_network else "network",
    )
