"""Lists of measured servers and the catalogue: what a list would add, as the workspace's own."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django.utils.text import slugify

from catalogue.documents import ValueInput, values_of
from catalogue.models import Entry
from common.tenancy import current_workspace_id
from imports.prices import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.spec import JSONDict


def slug_of(title: str) -> str:
    """Return the slug of a server of that title: the same for the same, whoever's list it is in."""
    digest = hashlib.sha256(title.encode()).hexdigest()[:8]
    return f"{slugify(title)[:70].strip('-')}-{digest}".lstrip("-")


def plan_of(given: Sequence[Mapping[str, Any]]) -> Plan:
    """Hold a list of entries against the workspace's own; nothing is written."""
    named = {slug_of(one["title"]): one for one in given}
    own = Entry.objects.filter(slug__in=list(named)).exclude(workspace=None)
    held = {entry.slug: entry for entry in own}
    plan = Plan()
    for slug, one in named.items():
        said = {name: ValueInput.model_validate(value) for name, value in one["values"].items()}
        _take(plan, held.get(slug), slug, one, values_of(said))
    return plan


def _take(
    plan: Plan, held: Entry | None, slug: str, one: Mapping[str, Any], values: JSONDict
) -> None:
    if held is not None and _figures(held.values) == _figures(values):
        plan.same_count += 1
        return
    if held is None:
        workspace = current_workspace_id()
        held = Entry(workspace_id=workspace, slug=slug, kind=one["kind"], title=one["title"])
        plan.new_count += 1
        plan.before[slug] = None
    else:
        plan.before[slug] = {"title": held.title, "values": dict(held.values)}
        plan.changed.append({"title": held.title})
    held.values = values
    plan.entries[slug] = held


def _figures(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is said, whatever file said it."""
    return {name: said["value"] for name, said in values.items()}
