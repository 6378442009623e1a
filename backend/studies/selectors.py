"""Reads studies and designs, inside an entered workspace."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce

from capmodels.numbers import CHOSEN_DAY
from capmodels.registry import get_model
from capmodels.spec import JSONDict, upgrade
from catalogue.models import Entry
from catalogue.selectors import entries_present
from catalogue.services import Provenance, origin_of
from common.errors import existing
from studies.documents import DESIGN_KEYS, PLAN, design_document
from studies.history import state_of
from studies.models import Design, DesignVersion, Study
from studies.refilling import (
    refilled_document,
    refilled_ranges,
    slugs_of,
    study_as_of,
    study_refilled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from studies.refilling import StudyRefill

_CARD = (
    *("id", "slug", "title", "is_example", "revision", "faults_count", "winner", "cost_usd"),
    *("verdict", "snapshot", "tags", "created_at", "updated_at", "as_of"),
)


def study_list(
    *, text: str = "", tag: str = "", examples: bool | None = None
) -> QuerySet[Study, dict[str, Any]]:
    """Return the workspace's studies as the rows of cards, without their documents."""
    # A study without a cost comes last; a cursor cannot stand on NULL.
    cards = Study.objects.annotate(
        cost_order=Coalesce("cost_usd", Value(math.inf)),
        cost_least=Coalesce("cost_usd", Value(-math.inf)),
    )
    found = cards.filter(title__icontains=text) if text else cards
    if tag:
        found = found.filter(tags__contains=[tag])
    if examples is not None:
        found = found.filter(is_example=examples)
    rows: QuerySet[Study, dict[str, Any]] = found.values(*_CARD, "cost_order", "cost_least")
    return rows


def tag_counts() -> dict[str, int]:
    """Return how many studies have each tag, by tag in order of the alphabet."""
    counts = Counter(tag for tags in Study.objects.values_list("tags", flat=True) for tag in tags)
    return dict(sorted(counts.items(), key=lambda item: item[0].casefold()))


def study_cards(rows: Sequence[dict[str, Any]]) -> list[JSONDict]:
    """Return cards with the heads of their designs; one query for all of them."""
    heads: dict[UUID, list[JSONDict]] = {row["id"]: [] for row in rows}
    fields = ("study_id", "id", *DESIGN_KEYS)
    for study_id, *head in Design.objects.filter(study_id__in=heads).values_list(*fields):
        heads[study_id].append(dict(zip(fields[1:], head, strict=True)))
    return [{**{key: row[key] for key in _CARD}, "designs": heads[row["id"]]} for row in rows]


def study_get(study_id: UUID, *, lock: bool = False) -> Study:
    """Return one study with its designs, its documents brought to the present shape.

    Raises
    ------
    NotFound
        When the workspace has no such study.
    """
    studies = Study.objects.select_for_update(of=("self",)) if lock else Study.objects
    study = existing(studies.filter(id=study_id).first(), study_id)
    designs = list(Design.objects.filter(study_id=study_id))
    remember_designs(study, designs)
    bring_up_to_date(study, designs)
    study.before = state_of(study) if lock else None
    return study


def studies_open(studies: QuerySet[Study]) -> list[Study]:
    """Return several studies as ``study_get`` does; one query for the designs of all."""
    found = list(studies)
    designs: dict[UUID, list[Design]] = {study.id: [] for study in found}
    for design in Design.objects.filter(study_id__in=designs):
        designs[design.study_id].append(design)
    for study in found:
        remember_designs(study, designs[study.id])
        bring_up_to_date(study, designs[study.id])
    return found


def remember_designs(study: Study, designs: Sequence[Design]) -> None:
    """Let ``study.designs.all()`` answer with these without a query, and know their study."""
    found = study.designs.all()
    found._result_cache = list(designs)
    study._prefetched_objects_cache = {"designs": found}  # type: ignore[attr-defined]  # as prefetch_related does
    for design in designs:
        design.study = study


def design_heads(study_id: UUID | None = None) -> QuerySet[Design, dict[str, Any]]:
    """Return the workspace's designs, or those of one study, without their fields."""
    found = Design.objects.all() if study_id is None else Design.objects.filter(study=study_id)
    rows: QuerySet[Design, dict[str, Any]] = found.values(
        "id", "study_id", *DESIGN_KEYS, "revision", "updated_at"
    )
    return rows


def design_get(design_id: UUID, *, lock: bool = False) -> Design:
    """Return one design, its study and its siblings loaded with it.

    Raises
    ------
    NotFound
        When the workspace has no such design.
    """
    designs = Design.objects.filter(id=design_id)
    study_id = existing(designs.values_list("study_id", flat=True).first(), design_id)
    study = study_get(study_id, lock=lock)
    return existing(next((one for one in study.designs.all() if one.id == design_id), None))


def version_list(design: Design) -> QuerySet[DesignVersion]:
    """Return a design's named versions, oldest first."""
    return DesignVersion.objects.filter(design=design)


def version_or_design_get(other_id: UUID) -> Design | DesignVersion:
    """Return the named version or the design with this id.

    Raises
    ------
    NotFound
        When the workspace has neither.
    """
    version = DesignVersion.objects.filter(id=other_id).first()
    return version or design_get(other_id)


def study_searched(study: Study) -> JSONDict:
    """What the last search of the catalogue said of a study's designs, while they are the same."""
    kept = study.searched or {}
    if not kept or kept["hash"] != study.verdict_hash:
        return {"searched_at": None, "sentence": "", "compared": []}
    return {name: kept.get(name, "") for name in ("searched_at", "sentence", "compared")}


def study_document(study: Study) -> JSONDict:
    """Return the study as the plan takes it, at the prices of its day; perhaps incomplete."""
    document = _entered(study)
    if not study.as_of:
        return document
    return document_refilled(study, document, study_as_of(study, study.as_of))


def document_refilled(study: Study, document: JSONDict, refill: StudyRefill) -> JSONDict:
    """Return a study's document with other values, and what their sources say of ranges."""
    ranges = refilled_ranges(study, refill)
    return {**refilled_document(document, refill), "ranges": ranges}


def prices_newer(study: Study) -> JSONDict:
    """Return what the catalogue's present values would change; the study may be incomplete."""
    refill = study_refilled(study, entries_present(slugs_of([study])))
    return {"changes": refill.changes(), "gone_count": refill.lost_count()}


def prices_of(study: Study) -> str:
    """Return what names the prices of a study: a snapshot, or the day that was chosen."""
    return f"{study.as_of}{CHOSEN_DAY}" if study.as_of else study.snapshot


def _entered(study: Study) -> JSONDict:
    return {
        "designs": [design_document(_parts(design)) for design in study.designs.all()],
        "workload": study.workload,
        "assumptions": study.assumptions,
        "baseline": study.baseline,
        "ranges": study.ranges,
        "draws_count": study.draws_count,
        "seed": study.seed,
    }


def instance_prices(types: Sequence[str]) -> dict[str, tuple[float, Provenance]]:
    """Return the list prices of instance types that the catalogue names [USD/h], with origins.

    A type is found by its name there, which follows the provider's: "AWS m7a.large".
    """
    if not types:
        return {}
    found: dict[str, tuple[float, Provenance]] = {}
    for entry in Entry.objects.filter(kind="instance").only("slug", "title", "values"):
        value = entry.values.get("usd_per_h", {})
        price = value.get("value")
        for name in (entry.title, entry.title.partition(" ")[2]):
            if name in types and isinstance(price, int | float):
                found.setdefault(name, (float(price), origin_of(entry, value)))
    return found


def comparable(design: Design | DesignVersion) -> JSONDict:
    """Return what a diff compares: title, kind and fields, without the letter."""
    return {"title": design.title, "kind": design.kind, **design.spec}


def _parts(design: Design) -> JSONDict:
    return {key: getattr(design, key) for key in (*DESIGN_KEYS, "spec")}


def bring_up_to_date(study: Study, designs: Sequence[Design]) -> None:
    """Upgrade the documents of an older shape in memory; saving writes them back."""
    spec = get_model(PLAN)
    if study.params_version >= spec.params_version:
        return
    document = upgrade(spec, _entered(study), study.params_version)
    study.params_version, study.is_upgraded = spec.params_version, True
    for name in ("workload", "assumptions", "baseline", "ranges", "draws_count", "seed"):
        setattr(study, name, document[name])
    for design, upgraded in zip(designs, document["designs"], strict=True):
        design.kind = upgraded["kind"]
        design.spec = {key: v for key, v in upgraded.items() if key not in DESIGN_KEYS}
