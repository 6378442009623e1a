"""Designs of the instance types that a fleet's machines become: by their sizes, or by their use.

A design rents these types in the shares of the work that they carry; how many of each is the
plan's own sizing, of the work as a whole. What the machines cost one by one, by both ways, is said
beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.imports.preview import cents
from capmodels.providers import PROVIDERS
from catalogue.selectors import entries_named
from studies.proposals.place import place_of
from studies.proposals.proposer import IN_WORDS, Candidate
from studies.proposals.rented import rented

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from studies.proposals.draft import Draft
    from studies.proposals.proposer import Proposer

# The designs, as they are asked for, and what they go by.
WAYS = {"by_size": "size as provisioned", "by_use": "measured use"}
# A design has no more kinds of instances.
_TYPES_MAX = 16


def sized_design(
    proposer: Proposer, found: Mapping[str, Any] | None, option: Mapping[str, Any]
) -> Candidate | None:
    """Return the types of one provider, of the cheapest where none is named, as a design."""
    way, term = option["option"], option.get("term_months", 36)
    provider = option.get("provider")
    rows = [
        (name, row)
        for row in (found or {}).get("providers", ())
        for name, one in PROVIDERS.items()
        if one.title == row["provider"] and row[way] and provider in {None, name}
    ]
    if not rows:
        proposer.notes.append(f"Instances by {WAYS[way]}: no machine fits a type with a price.")
        return None
    name, row = min(rows, key=lambda pair: (pair[1]["lost_count"], pair[1][f"{way}_usd_per_h"]))
    kinds = row[way][:_TYPES_MAX]
    slugs = tuple(one["entry"] for one in kinds)
    place = place_of(name, PROVIDERS[name], row["region"], also=slugs)
    proposer.entries |= entries_named(slugs)
    draft = rented(name, slugs, term, {**proposer.entries, **place.entries}, place)
    sizes = [one["vcpu_count"] for one in draft.spec["instances"]]
    largest = sizes.index(max(sizes))
    for number, share in enumerate(_shares(draft, kinds)):
        draft.put(f"/instances/{number}/share_fraction", share)
        if number != largest:
            # One that fails leaves no more work than the spare one of the largest type does.
            draft.put(f"/instances/{number}/spare_count", 0)
        draft.origins[f"/instances/{number}/share_fraction"] = {
            "quality": "derived", "source": f"The fleet's machines by {WAYS[way]}"
        }  # fmt: skip
    title = f"{row['provider']} by {WAYS[way]}, {IN_WORDS[term]}"
    month = {one: cents(row[f"{one}_usd_per_month"]) for one in WAYS}
    proposer.notes.append(
        f"{title}: one by one and on demand the machines would cost {month['by_size']} USD a month "
        f"by size and {month['by_use']} USD by use, in {row['region']}. The design rents these "
        "types in the shares of the work that they carry, as many as the plan needs for all of it."
    )
    return Candidate(title[:120], "cloud", draft.spec, draft.origins)


def _shares(draft: Draft, kinds: Sequence[Mapping[str, Any]]) -> list[float]:
    """Share of the work of each type: as it has cores or RAM, whichever it has less of."""
    cores, rams = [], []
    for number, one in enumerate(kinds):
        held = draft.spec["instances"][number]
        cores.append(one["count"] * held["vcpu_count"] * held.get("perf_per_vcpu_ratio", 1.0))
        rams.append(one["count"] * held["ram_gib"])
    least = [min(a / sum(cores), b / sum(rams)) for a, b in zip(cores, rams, strict=True)]
    return [one / sum(least) for one in least]
