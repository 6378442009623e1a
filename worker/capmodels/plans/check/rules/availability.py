"""Rule 2: availability. One side stands in several zones, the other on one site."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.answer.memo import columns_of
from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters, demand_of
from capmodels.plans.costing.scene import Scene
from capmodels.reliability.spares import SparesParams, chance_of_more, machines_wanted, spares
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Sites and spare nodes that one side has and the other has not."""
    yield from _one_site(study)
    yield from _spare_gpus(study)
    yield from _few_spares(study)


@dataclass(frozen=True, slots=True)
class _Kind:
    """Machines of a kind in the last year: where their spares are entered, and how many there."""

    letter: str
    pointer: str
    name: str
    in_use: int
    given: int
    wanted: SparesParams
    gpus_each: float
    rented: bool


def _kinds(study: StudySpec, asked: int) -> Iterator[_Kind]:
    """Machines that are as many as the work needs, owned and rented ones with GPUs."""
    columns = {column.result.letter: column.result for column in columns_of(study, Scene(study))}
    sized = {"compute", "compute_and_block", "block", "object", "archive", "gpu"}

    def kind(
        letter: str, at: str, name: str, own: int | None, *, gpus: float, rented: bool
    ) -> _Kind:
        counts = {one.name: ceil(one.count) for one in columns[letter].sizing[-1].groups}
        given = asked if own is None else own
        in_use = max(counts.get(name, 0) - given, 0)
        wanted = machines_wanted(in_use, asked, gpus=gpus > 0, rented=rented)
        return _Kind(letter, at, name, in_use, given, wanted, gpus, rented)

    for design in clusters(study):
        for place, group in enumerate(design.node_groups):
            if group.count is None and group.role in sized:
                at = f"/designs/{design.letter}/node_groups/{place}/spare_nodes_count"
                gpus = group.gpus_per_node_count if group.role == "gpu" else 0.0
                own = group.spare_nodes_count
                yield kind(design.letter, at, group.name, own, gpus=gpus, rented=False)
    for rented in clouds(study):
        for place, item in enumerate(rented.instances):
            if item.gpus_count > 0:
                at = f"/designs/{rented.letter}/instances/{place}/spare_count"
                gpus, own = item.gpus_count, item.spare_count
                yield kind(rented.letter, at, item.name, own, gpus=gpus, rented=True)


def _few_spares(study: StudySpec) -> Iterator[Found]:
    """Machines of which more are out of use than there are to spare, owned beside rented ones.

    A provider gives another instance at once, but for one with GPUs.
    """
    work = demand_of(study)
    if work is None or not clouds(study) or not work.availability.spare_nodes_count:
        return
    for kind in _kinds(study, work.availability.spare_nodes_count):
        params = kind.wanted
        found = spares(params)
        if not kind.in_use or kind.given >= found.spares_count:
            continue
        chance = chance_of_more(found.failed_count, kind.given)
        at_once = "" if kind.gpus_each else "; rented ones are replaced at once"
        yield Found(
            kind.pointer,
            f"{kind.letter} has {kind.given or 'none'} to spare of {kind.in_use + kind.given:,} "
            f"{kind.name}, and {percent(chance)} of the time more than that are out of use "
            f"({percent(params.failures_per_year)} fail in a year, assumed{at_once}). Fix: "
            f"{found.spares_count:,}, which run out {percent(found.chance_fraction)} of the time.",
            (Change(kind.pointer, found.spares_count),),
        )


def _spare_gpus(study: StudySpec) -> Iterator[Found]:
    """Owned GPUs beyond what is asked for beside rented ones without any."""
    work = demand_of(study)
    if work is None or not work.asks_gpus:
        return
    kinds = [one for one in _kinds(study, work.availability.spare_nodes_count) if one.gpus_each]
    having = {one.letter for one in kinds if one.rented and one.given}
    none = dict.fromkeys(one.letter for one in kinds if one.rented and one.letter not in having)
    for kind in kinds:
        wanted = spares(kind.wanted).spares_count
        if none and not kind.rented and kind.given > wanted:
            yield Found(
                kind.pointer,
                f"{kind.letter} has {kind.given * kind.gpus_each:g} GPUs to spare for "
                f"a node that fails, {listed(list(none))} {'has' if len(none) == 1 else 'have'}"
                f" none. Fix: {f'{wanted * kind.gpus_each:g}' if wanted else 'no'} spare GPUs.",
                (Change(kind.pointer, wanted),),
            )


def _one_site(study: StudySpec) -> Iterator[Found]:
    """Owned designs of one site beside clouds with traffic between zones, free or not."""
    work = demand_of(study)
    if work is None or work.cross_zone_tb_per_month <= 0:
        return
    zoned = [d.letter for d in clouds(study)]
    if not zoned:
        return
    having = f"{listed(zoned)} {'has' if len(zoned) == 1 else 'have'}"
    for design in clusters(study):
        if len(design.sites) < 2 and work.availability.sites_count < 2:
            yield Found(
                f"/designs/{design.letter}/sites",
                f"{having} traffic between zones, {design.letter} stands on one "
                "site and does not survive its loss. Fix: two sites, each design sized to survive "
                "the loss of one.",
                (
                    Change("/workload/availability/sites_count", 2),
                    Change("/workload/availability/survive_site_loss", True),
                ),
            )


RULE = Rule(2, "Same availability", find)
