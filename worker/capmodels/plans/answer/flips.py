"""Break-points in sentences: "A becomes the cheapest if operations of D need more than ..."."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from capmodels.numbers import percent
from capmodels.plans.answer.choices import turning_clauses
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.study import StudySpec
from capmodels.plans.words import money, name_parts, quantity, three_digits
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.comparison import ChoiceOdds, Flip
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.assumptions import Currency
    from capmodels.plans.document.quantities import Member
    from capmodels.plans.words import NameParts

FLIPS_NAMED = 2
# A page whose slider is held asks for no more trials than this: too few for fresh evaluations, so
# that there are no break-evens either.
HELD = 1000
NOT_COMPUTED = f"Break-evens are computed from more than {HELD:,} simulations only."

_COSTS = "{} costs {{more}} than {{value}}"
_OF = "{} of {{design}} costs {{more}} than {{value}}"

# Inputs that planners have words for, by the last names of their pointer.
_PHRASES = {
    "staff_fte": "operations of {design} need {more} than {value}",
    "staff_usd_per_year": "staff of {design} cost {more} than {value}",
    "staff_usd_per_fte_year": "a person costs {more} than {money} a year",
    "negotiated_discount_fraction": "the bill of {design} has {more} than {value} off",
    "commitments/discount_fraction": "commitments of {design} give {more} than {value} off",
    "commitments/upfront_fraction": "commitments of {design} ask {more} than {value} in advance",
    "spot/discount_fraction": "spot instances of {design} are {more} than {value} off",
    "hardware_price_ratio": "parts of {design} cost {change} than entered",
    "migration/overrun_ratio": "migration to {design} costs {change} than planned",
    "migration/labour_usd": _OF.format("labour of the migration"),
    "migration/parallel_months": "both places run for {more} than {value} on the way to {design}",
    "software/usd_per_socket_year": _OF.format("software"),
    "software/usd_per_core_year": _OF.format("software"),
    "software/usd_per_node_year": _OF.format("software"),
    "software/usd_per_storage_node_year": _OF.format("software"),
    "software/usd_per_year": _OF.format("software"),
    "space/usd_per_kw_month": _OF.format("colocation"),
    "space/usd_per_rack_month": _OF.format("colocation"),
    "space/usd_per_year": _OF.format("space"),
    "sites/usd_per_year": _OF.format("the site"),
    "support/usd_per_year": _OF.format("support"),
    "backup/usd_per_tb_month": _OF.format("backup"),
    "block_tiers/usd_per_gb_month": _OF.format("block storage"),
    "object_tiers/usd_per_gb_month": _OF.format("object storage"),
    "egress_tiers/usd_per_gb": _OF.format("egress"),
    "transfer/ingress_usd_per_gb": _OF.format("ingress"),
    "transfer/cross_zone_usd_per_gb": _OF.format("cross-zone traffic"),
    "transfer/nat_usd_per_gb": _OF.format("NAT"),
    "instances/usd_per_h": f"{_COSTS.format('{item}')} in {{design}}",
    "instances/perf_per_vcpu_ratio": (
        "a vCPU of {design} does {more} than {number} of a reference core"
    ),
    "node_groups/price/unit_price_usd": f"{_COSTS.format('a node of {item}')} in {{design}}",
    "node_groups/drives/unit_price_usd": f"{_COSTS.format('a drive of {item}')} in {{design}}",
    "parts/unit_price_usd": f"{_COSTS.format('one {item}')} in {{design}}",
    "drive/active_w": "a working drive of {design} uses {more} than {value}",
    "drive/idle_w": "an idle drive of {design} uses {more} than {value}",
    "electricity/usd_per_kwh": _COSTS.format("electricity"),
    "workload/utilization_fraction": "utilisation {moves} {value}",
    "machines/utilization_fraction": "utilisation of {item} {moves} {value}",
    "busy_cores_count": "the work keeps {more} than {value} busy",
    "workload/p99_ratio": "the peak is {more} than {number} times the mean",
    "workload/ram_gib": "the work uses {more} than {value} of RAM",
    "service/query_rate_per_s": "{more} than {value} queries a second arrive",
    "growth/cores_fraction_per_year": "busy cores grow by {more} than {value}",
    "growth/gpus_fraction_per_year": "GPUs grow by {more} than {value}",
    "growth/block_fraction_per_year": "block storage grows by {more} than {value}",
    "headroom/cores_target_fraction": "cores may be used {more} than {value} at peak",
    "headroom/gpu_target_fraction": "GPUs may be used {more} than {value} at peak",
    "headroom/disk_fill_fraction": "disks may be filled {more} than {value}",
    "assumptions/pue": "the PUE {moves} {number}",
}
# Whole groups that are told alike, by their own name.
_GROUP_PHRASES = {
    "growth": "{name} grows by {more} than {value}",
    "price_changes": "prices of {name} change by {more} than {value}",
}
# What is counted, so that less of it is fewer.
_COUNTED = frozenset({"staff_fte", "busy_cores_count", "query_rate_per_s", "parallel_months"})

_PER = {"yr": "year", "h": "hour"}
_UNITS = {"1/s": " a second", "count": "", "ratio": ""}


def become_cheapest(letters: Sequence[str]) -> str:
    """Say that a design becomes the cheapest, or that those of one cost do."""
    return f"{listed(letters)} {'becomes' if len(letters) == 1 else 'become'} the cheapest"


def cheapest_then(letters: Sequence[str], where: str) -> str:
    """Say which designs are the cheapest in a case: "B and C are cheapest above"."""
    return f"{listed(letters)} {'is' if len(letters) == 1 else 'are'} cheapest {where}"


def after(letters: Sequence[str], *, rises: bool) -> dict[str, Any]:
    """Return what a break-even says of the designs that are the cheapest past it."""
    first, *tied = letters
    then = cheapest_then(letters, "above" if rises else "below")
    return {"winner_after": first, "tied_after": tuple(tied), "then": then, "rises": rises}


def no_flip(member: Member, currency: Currency) -> str:
    """Say that no value of an input's range changes the leader."""
    unit = member.leaf.facts.unit
    low, high = (said(end, unit, currency) for end in (member.low, member.high))
    return f"No value from {low} to {high} makes another design the cheapest on average."


def flips_sentence(
    flips: tuple[Flip, ...], scene: Scene, choices: tuple[ChoiceOdds, ...] = ()
) -> str:
    """The nearest break-points, and every alternative that makes another design the cheapest."""
    clauses = turning_clauses(choices, scene.study)
    found = [flip for flip in flips if flip.flips_at is not None][:FLIPS_NAMED]
    held = isinstance(scene.study, StudySpec) and scene.study.draws_count <= HELD
    if not flips and not clauses and (held or not choices):
        return NOT_COMPUTED
    if not found and not clauses:
        kinds = "unknown, anywhere in its range" if flips else "alternative"
        if flips and choices:
            kinds = f"{kinds}, and no alternative"
        return f"No single {kinds}, makes another design the cheapest on average."
    for flip in found:
        cheapest = (str(flip.winner_after), *flip.tied_after)
        clauses.setdefault(cheapest, []).append(flip_words(flip, scene))
    told = "; ".join(
        f"{become_cheapest(letters)} if {', or if '.join(words)}"
        for letters, words in clauses.items()
    )
    return f"Break-even: on average, {told}."


def flip_words(flip: Flip, scene: Scene) -> str:
    """One break-point as the second half of "A becomes the cheapest if ..."."""
    currency = scene.assumptions.currency
    at = flip.flips_at if flip.flips_at is not None else flip.value
    rises = flip.rises
    leaf = leaf_at(scene.study, flip.pointer)
    if leaf is None:
        raise KeyError(flip.pointer)
    named = name_parts(scene.study, leaf)
    if named.design is not None:
        named = replace(named, design=_where(flip, named.design, scene))
    keys = [part for part in flip.pointer.split("/") if part and not part.isdigit()]
    phrase = _phrase(keys)
    value = said(at, flip.unit, currency)
    if phrase is None:
        subject = _subject(named)
        now = said(flip.value, flip.unit, currency)
        return f"{subject} {_moves(named.name, rises=rises)} {value} (now {now})"
    less = "fewer" if keys[-1] in _COUNTED else "less"
    share = percent(abs(at / flip.value - 1.0)) if flip.value else ""
    return phrase.format(
        name=named.name,
        design=named.design or "",
        item=named.items[-1] if named.items else "",
        more="more" if rises else less,
        moves=_moves("", rises=rises),
        change=f"{share} {'more' if rises else 'less'}",
        value=three_digits(at) if "query" in keys[-1] else value,
        money=money(at, currency),
        number=f"{at:.2g}",
    )


def _where(flip: Flip, letter: str, scene: Scene) -> str:
    """The designs that an unknown stands in; the one told of first, where values differ."""
    study = scene.study
    unknown = None
    if isinstance(study, StudySpec):
        unknown = next((one for one in quantities_of(study) if one.key == flip.quantity), None)
    if unknown is None:
        return letter
    held = {
        scene.study.designs[int(member.leaf.path[1])].letter: member.triple
        for member in unknown.members
        if member.leaf.path[0] == "designs" and member.low < member.high
    }
    others = sorted(held.keys() - {letter})
    if not others:
        return letter
    if len(set(held.values())) == 1:
        return listed(sorted(held))
    return f"{letter} (with {listed(others)} in step)"


def _phrase(keys: list[str]) -> str | None:
    tails = ("/".join(keys[-3:]), "/".join(keys[-2:]), keys[-1])
    found = next((_PHRASES[tail] for tail in tails if tail in _PHRASES), None)
    return found or _GROUP_PHRASES.get(keys[-2] if len(keys) > 1 else "")


def _moves(name: str, *, rises: bool) -> str:
    """The verb of a name: a price rises, cores per node rise."""
    head = re.split(r" (?:per|of|in|at|on|to) ", name)[0].lower()
    one = "" if head.endswith("s") and not head.endswith("ss") else "s"
    return f"rise{one} above" if rises else f"fall{one} below"


def _subject(named: NameParts) -> str:
    """An input as a sentence names it: the array's price of a drive in A."""
    name = f"the {named.name}"
    if named.groups:
        held = named.groups[-1]
        whose = f"{held}'" if held.endswith("s") else f"{held}'s"
        name = f"{name} of {held}" if " " in held else f"the {whose} {named.name}"
    if named.items:
        name = f"{name} of {named.items[-1]}"
    return f"{name} in {named.design}" if named.design else name


def said(value: float, unit: str, currency: Currency) -> str:
    """A value with its unit as one would say it: $900 per rack and month, $0.68 an hour."""
    if unit in _UNITS:
        return f"{three_digits(value)}{_UNITS[unit]}"
    if not unit.startswith("USD/") or unit == "USD/kWh":
        return quantity(value, unit, currency)
    per = [_PER.get(part, part) for part in unit.removeprefix("USD/").split("-")]
    if per == ["hour"]:
        words = "an hour"
    elif len(per) == 1 and per[0] in {"year", "month"}:
        words = f"a {per[0]}"
    else:
        words = f"per {' and '.join(per)}"
    return f"{money(value, currency)} {words}"
