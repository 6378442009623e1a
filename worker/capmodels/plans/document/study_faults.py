"""Faults that span a study: names that lead nowhere, prices that are missing, ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import USD, percent
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.combinations import choice_faults, is_stepped
from capmodels.plans.document.correlations import correlation_faults
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.fields import Finding, unique
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.owned import Migration, OwnedCluster, OwnedFields
from capmodels.plans.document.partial_study import Outline
from capmodels.plans.document.parts import OfDocuments
from capmodels.plans.document.pointers import Leaf, leaf_at, may_vary, part_of
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.workload import DemandWorkload, UtilizationWorkload
from capmodels.sentences import typed_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.plans.document.cloud import CloudFields
    from capmodels.plans.document.hardware import NodeGroup
    from capmodels.plans.document.question import Design, Range, RangedQuestion
    from capmodels.plans.document.service import Service

At = tuple[int | str, ...]

SHARE_SLACK = 1e-6


def find_faults(study: RangedQuestion) -> list[Finding]:
    """Return every fault that no single part of the study shows.

    The study may be partial: designs that are outlines, no workload, ranges that are None.
    """
    # Of budgets the horizon as entered counts, whatever else it may be.
    return _faults(study) + _budgets(study)


def _budgets(study: RangedQuestion) -> list[Finding]:
    """Find budgets of years that the statements do not have."""
    if study.assumptions is None:
        return []
    years = study.assumptions.fiscal_years
    return [
        Finding(
            ("assumptions", "books", "budgets", at, "year"),
            "outside_horizon",
            f"The horizon has the fiscal years {years[0]} to {years[-1]}, not {budget.year}. Enter "
            "one of them, or a longer horizon."
            if len(years) > 1
            else f"The horizon is within fiscal year {years[0]}, not {budget.year}. Enter that, or "
            "a longer horizon.",
            budget.year,
        )
        for at, budget in enumerate(study.assumptions.books.budgets)
        if budget.year not in years
    ]


def _faults(study: RangedQuestion) -> list[Finding]:
    """Find faults of the study as entered, or with alternatives of its choices."""
    findings = unique([design.letter for design in study.designs], ("designs",), "letter")
    for index, design in enumerate(study.designs):
        if isinstance(design, Outline):
            continue
        at: At = ("designs", index)
        findings += _migration(study, design.letter, design.migration, (*at, "migration"))
        findings += _design(study, design, at)
    findings += _baseline(study)
    for index, item in enumerate(study.ranges):
        if item is not None:
            findings += _range(study, item, ("ranges", index))
    pointers = [f"#{at}" if item is None else item.pointer for at, item in enumerate(study.ranges)]
    findings += unique(pointers, ("ranges",), "pointer")
    return findings + _correlations(study) + _choices(study, findings)


def _correlations(study: RangedQuestion) -> list[Finding]:
    if study.assumptions is None or not study.assumptions.correlations:
        return []
    if any(item is None for item in study.ranges):
        return []
    keys = {quantity.key for quantity in quantities_of(study)}
    return correlation_faults(study.assumptions.correlations, keys)


def _choices(study: RangedQuestion, before: list[Finding]) -> list[Finding]:
    """Faults of choices; of a study without others, for each combination is one like it."""
    if before or study.assumptions is None or study.workload is None:
        return []
    if any(item is None for item in study.ranges):
        return []
    if any(isinstance(design, Outline) for design in study.designs):
        return []
    return choice_faults(study, _faults)


# What had no faults the last time has none now.
_sound_designs: OfDocuments[bool] = OfDocuments(64)
_sound_ranges: OfDocuments[bool] = OfDocuments(1024)


def _design(study: RangedQuestion, design: Design, at: At) -> list[Finding]:
    """Faults of a design under the workload."""
    if isinstance(design, Hybrid):
        return _hybrid(study, design, at)
    if study.workload is None:
        return []
    if _sound_designs.get(study.workload, design):
        return []
    if isinstance(design, OwnedCluster):
        findings = _owned(study, design, at)
    elif isinstance(design, DiskArray):
        findings = _array_count(study, design, at)
    else:
        findings = _cloud(study, design, at)
    if not findings:
        _sound_designs.put(True, study.workload, design)
    return findings


def _migration(study: RangedQuestion, own: str, migration: Migration, at: At) -> list[Finding]:
    letter = migration.parallel_letter
    if letter is None:
        return []
    place = (*at, "parallel_letter")
    if letter == own:
        sentence = "A design cannot be what it replaces. Choose another design, or T for today."
        return [Finding(place, "refers_to_itself", sentence, letter)]
    if letter == "T" and study.baseline is None:
        sentence = (
            "There is no baseline, so T leads nowhere. Enter what runs today, or choose a design."
        )
        return [Finding(place, "leads_nowhere", sentence, letter)]
    kinds = {design.letter: design.kind for design in study.designs}
    if letter != "T" and letter not in kinds:
        sentence = f"There is no design {letter}. Choose one of {', '.join(sorted(kinds))}."
        return [Finding(place, "leads_nowhere", sentence, letter)]
    if letter != "T" and kinds[letter] == "hybrid":
        sentence = f"{letter} is a hybrid. Choose a design that is owned or rented, or T for today."
        return [Finding(place, "wrong_kind", sentence, letter)]
    return []


def _hybrid(study: RangedQuestion, design: Hybrid, at: At) -> list[Finding]:
    findings = []
    kinds = {item.letter: item.kind for item in study.designs}
    for leaf, letter, kind, word in (
        ("owned_letter", design.owned_letter, "owned_cluster", "an owned cluster"),
        ("rented_letter", design.rented_letter, "cloud", "a cloud design"),
    ):
        if letter not in kinds:
            sentence = f"There is no design {letter} in this study. Choose {word}."
            findings.append(Finding((*at, leaf), "leads_nowhere", sentence, letter))
        elif kinds[letter] != kind:
            sentence = f"{letter} is not {word}. Choose {word}."
            findings.append(Finding((*at, leaf), "wrong_kind", sentence, letter))
    rented = next((item for item in study.designs if item.letter == design.rented_letter), None)
    only_gpus = isinstance(rented, Cloud) and all(item.gpus_count > 0 for item in rented.instances)
    if rented is not None and only_gpus and design.placement.compute != "owned":
        sentence = f"{rented.letter} has GPU instances only. Choose one that rents cores and RAM."
        findings.append(Finding((*at, "rented_letter"), "wrong_kind", sentence, rented.letter))
    if isinstance(study.workload, UtilizationWorkload):
        sentence = (
            "A hybrid is sized by demand, but the workload is a utilisation. Enter the demand."
        )
        findings.append(Finding((*at, "kind"), "needs_demand", sentence, design.kind))
    return findings


def _array_count(study: RangedQuestion, design: DiskArray | OwnedCluster, at: At) -> list[Finding]:
    if design.array is None or not isinstance(study.workload, UtilizationWorkload):
        return []
    arrays: list[tuple[At, ArraySpec]] = [(("array",), design.array)]
    if design.tiering is not None:
        arrays += [
            (("tiering", "colder", index, "array"), tier.array)
            for index, tier in enumerate(design.tiering.colder)
        ]
    sentence = "With utilisation as the workload nothing sizes arrays. Enter the number of arrays."
    return [
        Finding((*at, *place, "count"), "needed", sentence)
        for place, array in arrays
        if array.count is None
    ]


def _owned(study: RangedQuestion, design: OwnedCluster, at: At) -> list[Finding]:
    if isinstance(study.workload, UtilizationWorkload):
        sentence = (
            "With utilisation as the workload nothing sizes this group. Enter the number of nodes."
        )
        return [
            Finding((*at, "node_groups", index, "count"), "needed", sentence)
            for index, group in enumerate(design.node_groups)
            if group.count is None
        ] + _array_count(study, design, at)
    return [
        *_shortfall(study, design, at),
        *_owned_shares(design, at),
        *_owned_capacity(study.workload, design, at),
        *_carried_twice(design, at),
    ]


def _shortfall(study: RangedQuestion, design: OwnedCluster, at: At) -> list[Finding]:
    letter = design.shortfall_letter
    found = next((item for item in study.designs if item.letter == letter), None)
    # a design that cannot be read has its own faults, and is of its kind all the same
    if letter is None or (found is not None and found.kind == "cloud"):
        return []
    sentence = f"{letter} is no cloud design of this study. Choose one."
    return [Finding((*at, "shortfall_letter"), "leads_nowhere", sentence, letter)]


def _carried_twice(design: OwnedFields, at: At) -> list[Finding]:
    """Storage that both an array and nodes are entered to carry."""
    array = design.array
    if array is None:
        return []
    findings = []
    for index, group in enumerate(design.node_groups):
        for kind in ("block", "object"):
            if kind in array.carries and group.role in CARRIERS[f"{kind} storage"]:
                sentence = (
                    f"The disk array holds {kind} storage, and so do these nodes. "
                    "Choose one of the two."
                )
                findings.append(
                    Finding((*at, "node_groups", index, "role"), "carried_twice", sentence)
                )
    return findings


def _owned_shares(design: OwnedFields, at: At) -> list[Finding]:
    findings = []
    for kind, roles in CARRIERS.items():
        shares = [group.share_fraction for group in design.node_groups if group.role in roles]
        if shares and abs(sum(shares) - 1.0) > SHARE_SLACK:
            first = next(i for i, group in enumerate(design.node_groups) if group.role in roles)
            sentence = (
                f"The groups that serve {kind} have shares of {percent(sum(shares))} together. "
                "Enter shares that add up to 100%."
            )
            place = (*at, "node_groups", first, "share_fraction")
            findings.append(Finding(place, "shares_do_not_add_up", sentence))
    return findings


CARRIERS = {
    "cores and RAM": {"compute", "compute_and_block"},
    "block storage": {"block", "compute_and_block"},
    "object storage": {"object"},
    "archive": {"archive"},
    "GPUs": {"gpu"},
}


def _owned_capacity(work: DemandWorkload, design: OwnedFields, at: At) -> list[Finding]:
    findings = []
    for index, group in enumerate(design.node_groups):
        place = (*at, "node_groups", index)
        if group.role == "service":
            findings += _service_nodes(work, group, place)
        if group.role not in CARRIERS["cores and RAM"]:
            continue
        if group.cores_per_node_count <= 0:
            sentence = "A compute group has no cores. Enter the cores per node."
            findings.append(Finding((*place, "cores_per_node_count"), "needed", sentence))
        if group.ram_gib <= 0 and work.ram_gib > 0:
            sentence = (
                f"The work needs {work.ram_gib:,g} GiB of RAM, but the nodes have none. "
                "Enter the RAM per node."
            )
            findings.append(Finding((*place, "ram_gib"), "needed", sentence))
    return findings


def _service_nodes(work: DemandWorkload, group: NodeGroup, place: At) -> list[Finding]:
    """What nodes that carry a service lack."""
    service = work.service
    if service is None:
        sentence = "The workload has no service. Enter it, or choose another role for these nodes."
        return [Finding((*place, "role"), "needs_service", sentence)]
    drives = group.drives
    needs = (
        ("cores_per_node_count", group.cores_per_node_count >= 1, "Enter the cores per node."),
        ("ram_gib", _has_memory(service, group), "Enter the RAM per node."),
        (
            "drives",
            drives is not None or service.dataset_tb == 0 or group.data_in == "memory",
            "Enter the drives, or say that the data set is in memory.",
        ),
        (
            "drives",
            service.io_per_s == 0 or (drives is not None and bool(drives.io_per_s)),
            "Enter drives with their IOPS.",
        ),
    )
    return [
        Finding((*place, leaf), "needed", f"The service needs what these nodes lack. {sentence}")
        for leaf, there, sentence in needs
        if not there
    ]


def _has_memory(service: Service, group: NodeGroup) -> bool:
    in_memory = service.memory_gb > 0 or (group.data_in == "memory" and service.dataset_tb > 0)
    return group.ram_gib > 0 or not in_memory


def _cloud(study: RangedQuestion, design: Cloud, at: At) -> list[Finding]:
    if isinstance(study.workload, UtilizationWorkload):
        return list(_cloud_by_use(study.workload, design, at))
    findings = list(_cloud_instances(study.workload, design, at))
    return findings + list(_cloud_prices(study.workload, design, at))


def _cloud_by_use(work: UtilizationWorkload, design: CloudFields, at: At) -> Iterator[Finding]:
    names = {machines.name for machines in work.machines}
    for index, item in enumerate(design.instances):
        if item.replaces is not None and item.replaces not in names:
            sentence = (
                f"There are no machines called {item.replaces!r}. "
                f"Choose one of {', '.join(sorted(names))}."
            )
            yield Finding((*at, "instances", index, "replaces"), "leads_nowhere", sentence)
    if work.storage_tb > 0 and not design.storage.object_tiers:
        sentence = (
            f"The work stores {work.storage_tb:,g} TB, but this design has no price for it. "
            "Enter a price (0 if it is free)."
        )
        yield Finding((*at, "storage", "object_tiers"), "needed", sentence)
    if work.transfer_out_tb > 0 and not design.transfer.egress_tiers:
        sentence = (
            f"The work sends {work.transfer_out_tb:,g} TB, but this design has no price for it. "
            "Enter a price (0 if it is free)."
        )
        yield Finding((*at, "transfer", "egress_tiers"), "needed", sentence)


def _cloud_instances(work: DemandWorkload, design: CloudFields, at: At) -> Iterator[Finding]:
    plain = [item for item in design.instances if item.gpus_count <= 0]
    with_gpus = [item for item in design.instances if item.gpus_count > 0]
    for kind, items in (("cores and RAM", plain), ("GPUs", with_gpus)):
        total = sum(item.share_fraction for item in items)
        if items and abs(total - 1.0) > SHARE_SLACK:
            sentence = (
                f"The instances that serve {kind} have shares of {percent(total)} together. "
                "Enter shares that add up to 100%."
            )
            place = (*at, "instances", design.instances.index(items[0]), "share_fraction")
            yield Finding(place, "shares_do_not_add_up", sentence)
    for index, item in enumerate(design.instances):
        if work.ram_gib > 0 and item.ram_gib <= 0 and item.gpus_count <= 0:
            sentence = (
                f"The work needs {work.ram_gib:,g} GiB of RAM, but the instance has none. "
                "Enter its RAM."
            )
            yield Finding((*at, "instances", index, "ram_gib"), "needed", sentence)


def _cloud_prices(work: DemandWorkload, design: CloudFields, at: At) -> Iterator[Finding]:
    storage, transfer = design.storage, design.transfer
    for need, unit, priced, place in (
        (work.block_tb, "TB on block storage", storage.block_tiers, ("storage", "block_tiers")),
        (work.object_tb, "TB of objects", storage.object_tiers, ("storage", "object_tiers")),
        (work.archive_tb, "TB of archive", storage.archive, ("storage", "archive")),
        (
            work.egress_tb_per_month,
            "TB of egress a month",
            transfer.egress_tiers,
            ("transfer", "egress_tiers"),
        ),
    ):
        if need > 0 and not priced:
            sentence = (
                f"The work has {need:,g} {unit}, but this design has no price for it. "
                "Enter a price (0 if it is free)."
            )
            yield Finding((*at, *place), "needed", sentence)


def _baseline(study: RangedQuestion) -> list[Finding]:
    if study.baseline is None or study.assumptions is None or study.assumptions.starts_on:
        return []
    sentence = (
        "The end of a commitment is a date, but the study has no start. "
        "Enter the start in the assumptions."
    )
    return [
        Finding(("baseline", "lines", index, "commitment_ends_on"), "needs_start", sentence)
        for index, line in enumerate(study.baseline.lines)
        if line.commitment_ends_on is not None and line.commitment_end_month is None
    ]


def sets_the_queue(study: RangedQuestion, leaf: Leaf) -> bool:
    """Whether a value of nodes enters the latency of a service, which takes one at a time."""
    if len(leaf.path) < 5 or leaf.path[2] != "node_groups":
        return False
    if leaf.path[-1] not in {"perf_per_core_ratio", "cores_per_node_count"}:
        return False
    design = study.designs[int(leaf.path[1])]
    return design.kind == "owned_cluster" and (
        design.node_groups[int(leaf.path[3])].role == "service"
    )


def _range(study: RangedQuestion, item: Range, at: At) -> list[Finding]:
    """Faults of a range; they follow from it and from the part that it is of."""
    part = part_of(study, item.pointer)
    if isinstance(part, Outline):
        return []
    if part is not None and _sound_ranges.get(item, part):
        return []
    findings = _range_faults(study, item, at)
    if part is not None and not findings:
        _sound_ranges.put(True, item, part)
    return findings


def _range_faults(study: RangedQuestion, item: Range, at: At) -> list[Finding]:
    leaf = leaf_at(study, item.pointer)
    if leaf is None:
        sentence = f"There is no input {item.pointer}. Choose an input of this study."
        return [Finding((*at, "pointer"), "leads_nowhere", sentence, item.pointer)]
    if leaf.value is None:
        sentence = f"{leaf.facts.title} has no value. Enter one before its range."
        return [Finding((*at, "pointer"), "no_value", sentence, item.pointer)]
    if not (may_vary(leaf) or is_stepped(leaf)) or sets_the_queue(study, leaf):
        sentence = f"{leaf.facts.title} cannot have a range. Choose a price, a rate or an amount."
        return [Finding((*at, "pointer"), "cannot_vary", sentence, item.pointer)]
    findings = []
    paid = study.assumptions.currency.shown if study.assumptions else USD
    low, high = (typed_number(end, str(leaf.path[-1]), paid) for end in (item.low, item.high))
    if item.low > item.high:
        sentence = f"The lowest value ({low}) is above the highest ({high}). Enter at most {high}."
        findings.append(Finding((*at, "low"), "not_ordered", sentence, item.low))
    if not leaf.allows(item.low):
        sentence = f"{leaf.facts.title} cannot be {low}. Enter a higher value."
        findings.append(Finding((*at, "low"), "out_of_range", sentence, item.low))
    if not leaf.allows(item.high):
        sentence = f"{leaf.facts.title} cannot be {high}. Enter a lower value."
        findings.append(Finding((*at, "high"), "out_of_range", sentence, item.high))
    return findings
