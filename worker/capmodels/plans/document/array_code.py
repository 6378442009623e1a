"""A code over nodes, by which the drives of a storage group hold data in place of a RAID layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from capmodels.amounts import maximum
from capmodels.plans.document.bounded import CountFromOne
from capmodels.plans.document.fields import Finding, refuse
from capmodels.spec import Params, assumed, default, preset
from capmodels.storage.cluster.codes import Code, away_fraction, room_fraction
from capmodels.storage.cluster.links import passed_ratios
from capmodels.storage.cluster.params import (
    Groups,
    Parities,
    PartFraction,
    PositiveGbit,
    PositiveGbPerS,
    Shards,
    too_few_domains,
    too_few_groups,
)
from capmodels.units import Count, DurationH, DurationMs, Fraction

if TYPE_CHECKING:
    from capmodels.amounts import Amount

NodesCount = Annotated[CountFromOne, Field(le=512)]
RacksCount = Annotated[CountFromOne, Field(le=512)]
LocalGroups = Annotated[Count, Field(le=32)]
NodeLoss = Annotated[Fraction, Field(lt=1)]


class ArrayCode(Params):
    """Drives spread over nodes, and data over them as coded shards or copies."""

    nodes_count: NodesCount = assumed(
        12,
        "They share the drives evenly. Enclosure and controller are those of a node. "
        "Where the cluster grows by nodes, it begins with these.",
        source="One node more than shards",
    )
    data_count: Shards = assumed(
        8,
        "1: each of the others is a copy.",
        source="A common code for objects",
        title="Data shards",
    )
    parity_count: Parities = assumed(3, source="A common code for objects", title="Parity shards")
    local_groups_count: LocalGroups = assumed(
        0, "Groups of data shards with a parity of their own (LRC).", source="None unless entered"
    )
    racks_count: RacksCount = assumed(
        1, "Over which the nodes are spread evenly.", source="One rack unless entered"
    )
    sites_count: RacksCount = assumed(
        1, "Over which the racks are spread evenly.", source="One site unless entered"
    )
    failure_domain: Literal["drive", "node", "rack", "site"] = preset(
        "node", "No two shards of an object are in the same one."
    )
    rack_fraction_per_year: NodeLoss = assumed(
        0.0,
        "Chance that a rack is lost with the data on its drives.",
        source="None unless entered",
        title="Racks lost a year",
    )
    site_fraction_per_year: NodeLoss = assumed(
        0.0,
        "Chance that a site is lost with the data on its drives.",
        source="None unless entered",
        title="Sites lost a year",
    )
    placement_groups_count: Groups = assumed(
        1024, source="About 80 shards of groups on each of 144 drives"
    )
    fill_fraction: PartFraction = default(
        0.85,
        "Share of the drives that data may take; the rest is room for a rebuild.",
        source="Ceph warns of a nearly full drive from 85% on",
    )
    network_gbit_per_s: PositiveGbit = assumed(
        25.0, source="Common port of a node", title="Network of a node"
    )
    hop_ms: DurationMs = assumed(0.1, source="Within a site", title="To another node and back")
    site_hop_ms: DurationMs = assumed(
        10.0, source="Some hundred kilometres of fibre", title="To another site and back"
    )
    code_gb_per_s: PositiveGbPerS = assumed(
        4.0, source="A core with vector instructions", title="Coding of a core"
    )
    network_fraction: PartFraction = assumed(
        0.5, source="Half for users", title="Network for a rebuild"
    )
    detection_h: DurationH = assumed(
        0.25, source="Until a drive is given up", title="Until a rebuild begins"
    )
    node_fraction_per_year: NodeLoss = assumed(
        0.005,
        "Chance that a node is lost with the data on its drives.",
        source="Few nodes are lost with their data",
        title="Nodes lost a year",
    )

    @model_validator(mode="after")
    def _consistent(self) -> ArrayCode:
        if self.local_groups_count > self.data_count:
            sentence = "A local group needs a data shard at least. Enter fewer groups."
            refuse([Finding(("local_groups_count",), "too_many", sentence)])
        refuse(_spread_findings(self))
        return self

    @property
    def code(self) -> Code:
        """The code as the equations take it."""
        return Code(self.data_count, self.parity_count, self.local_groups_count)

    @property
    def _domains_count(self) -> int:
        """Racks or sites where they are the domain, else nodes."""
        domains = {"rack": self.racks_count, "site": self.sites_count}
        return domains.get(self.failure_domain, self.nodes_count)

    @property
    def nodes_per_domain_count(self) -> int:
        """Nodes that are added at least: one, or those of a rack or site where it is the domain."""
        return self.nodes_count // self._domains_count

    @property
    def room_fraction(self) -> float:
        """Share of the nodes' room that data can take; less where racks or sites are uneven."""
        return room_fraction(self.nodes_count, self._domains_count, self.code.shards_count)

    def passed_ratio(
        self, read_fraction: float, disks_count: int, nodes_count: Amount | None = None
    ) -> Amount:
        """Data that nodes' networks pass in the busier direction over data that is asked for.

        Of a cluster whose drives are so many with the nodes entered.
        """
        nodes = self.nodes_count if nodes_count is None else nodes_count
        away = away_fraction(
            nodes, disks_count // self.nodes_count, apart=self.failure_domain != "drive"
        )
        counts = self.data_count, self.code.shards_count
        return maximum(*passed_ratios(*counts, read_fraction, away))


def _spread_findings(code: ArrayCode) -> list[Finding]:
    """Find more racks than nodes, and more sites than racks, or parts that are not even."""
    for name, count, of, whole in (
        ("racks_count", code.racks_count, "nodes", code.nodes_count),
        ("sites_count", code.sites_count, "racks", code.racks_count),
    ):
        if count > whole:
            sentence = f"There are {whole} {of}. Enter at most as many here."
            return [Finding((name,), "too_many", sentence, count)]
    return []


def code_growth_findings(code: ArrayCode) -> list[Finding]:
    """Find nodes that racks or sites do not share evenly, by which the cluster grows."""
    domain = code.failure_domain
    there = {"rack": code.racks_count, "site": code.sites_count}.get(domain, 1)
    if code.nodes_count % there == 0:
        return []
    sentence = (
        f"The cluster grows by {domain}s, and {there} {domain}s do not share "
        f"{code.nodes_count} nodes evenly. Enter a number of nodes that {there} divides, or let "
        "whole clusters be bought."
    )
    return [Finding(("code", "nodes_count"), "not_whole_groups", sentence, code.nodes_count)]


def code_findings(code: ArrayCode, drives: int, *, sleeps: bool) -> list[Finding]:
    """What of a code does not go with the drives that there are, or with their sleep."""
    if drives % code.nodes_count:
        sentence = (
            f"{drives} drives cannot be shared evenly by {code.nodes_count} nodes. "
            f"Enter a number of drives that {code.nodes_count} divides."
        )
        return [Finding(("disks_count",), "not_whole_groups", sentence, drives)]
    domain = code.failure_domain
    there = drives if domain == "drive" else getattr(code, f"{domain}s_count")
    if code.code.shards_count > there:
        sentence = too_few_domains(code.code.shards_count, there, domain)
        field = "nodes_count" if domain == "drive" else f"{domain}s_count"
        return [Finding(("code", field), "too_few", sentence, there)]
    groups = code.placement_groups_count
    few = too_few_groups(groups, code.code.shards_count, drives)
    if few is not None:
        return [Finding(("code", "placement_groups_count"), "too_few", few, groups)]
    if sleeps:
        sentence = "Data of a code lie on all drives, so none can sleep. Keep them always on."
        return [Finding(("power_policy", "kind"), "cannot_sleep", sentence)]
    return []
