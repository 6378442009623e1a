"""Changes studies and designs, inside an entered workspace.

Every change holds the study's row, so that two of them never interleave, and ends in
``_store``: the draft is held against the plan's schema, and its verdict kept.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils.text import slugify
from django.utils.timezone import now

from capmodels.numbers import Currency
from capmodels.plans.document.baseline_csv import missing_prices, parse_baseline_csv, with_prices
from capmodels.plans.sliders import Ranges, ranges_left, ranges_settled
from capmodels.registry import get_model
from capmodels.written_numbers import MARKS_BY_NAME
from catalogue.selectors import entries_present, snapshot_latest
from common.errors import Conflict
from common.tenancy import current_workspace_id, workspace
from studies import exchange, history, selectors
from studies.checking import Checked, Verdict, check, judge
from studies.documents import DESIGN_KEYS, LETTERS, PLAN, rented_from
from studies.models import Design, DesignVersion, Study
from studies.packs import left_places, pack_refilled, without_pack
from studies.proposals.beside import design_beside, design_explored
from studies.provenance import lines_followed, provenance_after
from studies.ranges import choices_without, starting_ranges, with_copy, with_design, without_design
from studies.refilling import refilled_ranges, slugs_of, study_refilled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from uuid import UUID

    from capmodels.spec import JSONDict
    from catalogue.models import Entry
    from studies.proposals.propose import Option
    from studies.refilling import StudyRefill

_DOCUMENTS = ("workload", "assumptions", "baseline", "ranges", "draws_count", "seed")
_PROVENANCES = ("workload_provenance", "assumptions_provenance", "baseline_provenance")
_HEADS = ("title", "question", "snapshot", "pack", "pack_version", "as_of")
_EXCHANGED = (*_HEADS, "params_version", *_DOCUMENTS, *_PROVENANCES, "tool_runs")
_DESIGN = (*DESIGN_KEYS, "spec", "provenance")
_VERSION = ("name", "title", "kind", "spec", "provenance")
# With the study, and what is kept of its plan.
EXAMPLE_LOADED = Signal()
EXAMPLES = Path(__file__).resolve().parents[2] / "fixtures" / "examples"
_SLUG_LENGTH = 60
_SLUG_ATTEMPTS = 5


def study_create(*, designs: Sequence[Mapping[str, Any]] = (), **fields: Any) -> Study:
    """Create a study, with designs if any are given; each gets a free letter unless it has one.

    Without ranges of its own it gets the spreads of the catalogue and of the defaults.

    Raises
    ------
    Conflict
        When there are more than eight designs, or two have one letter.
    """
    _require_letters(designs)
    plan_version = get_model(PLAN).params_version
    study = Study(**{"params_version": plan_version, **fields})
    study.snapshot = study.snapshot or _snapshot_now()
    _insert(study, fields.get("slug") or slugify(study.title)[:_SLUG_LENGTH].strip("-"))
    rows = _fill(study, designs)
    if "ranges" not in fields:
        study.ranges = starting_ranges(study, rows)
    _store(study)
    return study


def study_update(study: Study, changes: Mapping[str, Any]) -> Checked:
    """Save a draft of a study opened with ``lock=True``; what is wrong with it comes back."""
    today = now().date().isoformat()
    for name in ("workload", "assumptions", "baseline"):
        if name in changes:
            before, after = getattr(study, name) or {}, changes[name] or {}
            was = getattr(study, f"{name}_provenance")
            if name == "baseline":
                before, was = lines_followed(before, after, was)
            given = changes.get(f"{name}_provenance", was)
            origins = provenance_after(before, after, was=was, given=given, as_of=today)
            changes = {**changes, f"{name}_provenance": origins}
    if all(getattr(study, name) == value for name, value in changes.items()):
        return check(selectors.study_document(study))
    return study_restore(study, changes)


def ranges_fit(
    study: Study, change: Callable[[], Checked], choice: Ranges = "keep"
) -> tuple[Checked, list[JSONDict]]:
    """Change a study, settle the ranges that no longer fit their values; return these ranges.

    What is kept is only told.
    """
    before = selectors.study_document(study)
    checked = change()
    left = ranges_left(before, selectors.study_document(study))
    if left and choice != "keep":
        checked = _store_ranges(study, ranges_settled(study.ranges, left, choice))
    return checked, left


def study_restore(study: Study, documents: Mapping[str, Any]) -> Checked:
    """Give a study opened with ``lock=True`` documents as they are, origins and all."""
    for name, value in documents.items():
        setattr(study, name, value)
    study.revision += 1
    return _store(study)


def study_refill(study: Study) -> Checked:
    """Give a study opened with ``lock=True`` the catalogue's present values where it took older.

    The snapshot that it is made with is then the newest, be any value another or not.

    Raises
    ------
    Conflict
        When there is none.
    """
    entries = entries_present(slugs_of([study]))
    refill = study_refilled(study, entries)
    snapshot = _snapshot_now() or study.snapshot
    if not refill.changes() and snapshot == study.snapshot:
        raise Conflict("The study has the catalogue's present values already.")
    pack = entries.get(study.pack)
    version = pack.revision if pack else study.pack_version
    return _refill(study, refill, {"snapshot": snapshot, "pack_version": version})


def study_follow(study: Study, entry: Entry, left: list[str] | None = None) -> Checked:
    """Have a study opened with ``lock=True`` follow a pack, but for the places that are left.

    Without any said, those stay left that differ from the pack that it follows already.
    """
    left = left_places(study, entry) if left is None else left
    refill = pack_refilled(study, entry, left)
    return _refill(study, refill, {"pack": entry.slug, "pack_version": entry.revision})


def study_unfollow(study: Study) -> Checked:
    """Have a study opened with ``lock=True`` follow no pack; its numbers stay as they are.

    Raises
    ------
    Conflict
        When it follows none.
    """
    if not study.pack:
        raise Conflict("The study follows no pack of assumptions.")
    slug, nothing = study.pack, {"pack": "", "pack_version": 0}
    for design in study.designs.all():
        origins = without_pack(design.provenance, slug)
        if origins != design.provenance:
            design.provenance = origins
            _save_design(design)
    names = ("workload_provenance", "assumptions_provenance")
    origins = {name: without_pack(getattr(study, name), slug) for name in names}
    return study_restore(study, {**origins, **nothing})


def _save_design(design: Design) -> None:
    design.revision += 1
    design.updated_at = now()
    design.save()


def _refill(study: Study, refill: StudyRefill, fields: JSONDict) -> Checked:
    """Give a study values that were taken from elsewhere, with what their sources say."""
    ranges = refilled_ranges(study, refill)
    for design in study.designs.all():
        part = refill.designs[design.letter]
        if (design.spec, design.provenance) != (part.value, part.origins):
            design.spec, design.provenance = part.value, part.origins
            _save_design(design)
    changes = {
        "workload": refill.workload.value,
        "workload_provenance": refill.workload.origins,
        "assumptions": refill.assumptions.value,
        "assumptions_provenance": refill.assumptions.origins,
        "ranges": ranges,
    }
    return study_restore(study, {**changes, **fields})


def study_step(study: Study, by: int) -> Checked:
    """Undo (-1) or redo (+1) an edit of a study opened with ``lock=True``.

    Raises
    ------
    Conflict
        When there is none.
    """
    designs = history.step_go(study, by)
    selectors.remember_designs(study, designs)
    selectors.bring_up_to_date(study, designs)
    study.before = None
    return _store(study)


def baseline_paste(study: Study, notes: list[str], *, text: str, numbers: str = "") -> Checked:
    """Replace the lines of a study's baseline by a pasted table, priced from the catalogue.

    ``numbers`` says which sign stands before decimals in columns that leave it open; ``notes``
    takes the sentences of how numbers were read.

    Raises
    ------
    ParamsError
        With every cell that cannot be read.
    """
    own = Currency.stated((study.assumptions or {}).get("currency"))
    lines = parse_baseline_csv(text, MARKS_BY_NAME.get(numbers), own, notes)
    prices = selectors.instance_prices(missing_prices(lines))
    priced = with_prices(lines, {name: usd for name, (usd, _) in prices.items()})
    origins = {
        f"/lines/{at}/{name}": prices[str(line["type"])][1]
        for at, (line, after) in enumerate(zip(lines, priced, strict=True))
        for name in set(after) - set(line)
    }
    kept = study.baseline or {"kind": "today"}
    given = {"baseline": {**kept, "lines": priced}, "baseline_provenance": origins}
    return study_update(study, given)


def study_delete(study: Study) -> None:
    """Delete a study, its designs and their versions."""
    study.delete()


def study_copy(study: Study) -> Study:
    """Copy a study with its designs, without their named versions."""
    fields = {name: getattr(study, name) for name in (*_EXCHANGED, "tags")}
    fields["title"] = _copy_title(study.title)
    designs = [_parts(design, _DESIGN) for design in study.designs.all()]
    return study_create(designs=designs, **fields)


def study_export(study: Study) -> JSONDict:
    """Return the whole study as its file holds it."""
    versions: dict[UUID, list[JSONDict]] = {}
    for version in DesignVersion.objects.filter(design__study=study):
        versions.setdefault(version.design_id, []).append(_parts(version, _VERSION))
    designs = [
        {**_parts(design, _DESIGN), "versions": versions.get(design.id, [])}
        for design in study.designs.all()
    ]
    return {"slug": study.slug, **_parts(study, _EXCHANGED), "designs": designs}


def study_import(file: exchange.StudyFile, **fields: Any) -> Study:
    """Create the study that a file holds; a slug that is taken gets a number."""
    content = file.model_dump()
    designs = content.pop("designs")
    return study_create(designs=designs, **content, **fields)


def study_verdict_keep(study_id: UUID, verdict: Verdict) -> bool:
    """Keep a verdict on its study; False when the study has changed since it was asked."""
    kept = Study.objects.filter(id=study_id, verdict_hash=verdict.hash).update(
        winner=verdict.winner, cost_usd=verdict.cost_usd, verdict=verdict.verdict
    )
    return kept == 1


def study_search_keep(study: Study, found: JSONDict) -> None:
    """Keep what a search of the catalogue said of a study's designs, for as long as it is so."""
    if not study.verdict_hash:
        return
    kept = {
        "hash": study.verdict_hash,
        "searched_at": now().isoformat(),
        "sentence": found["sentence"],
        "compared": [
            {name: one[name] for name in ("letter", "sentence")} for one in found["compared"]
        ],
    }
    Study.objects.filter(id=study.id, verdict_hash=study.verdict_hash).update(searched=kept)


def design_create(
    study: Study,
    fields: Mapping[str, Any],
    *,
    copy_of: str = "",
    spreads: Sequence[JSONDict] | None = None,
) -> tuple[Design, Checked]:
    """Add a design to a study opened with ``lock=True``; its inputs' ranges come with it.

    Parameters
    ----------
    copy_of
        Letter of the design that it is a copy of, whose ranges it takes.
    spreads
        Ranges of its inputs, where they are not those of their origins.

    Raises
    ------
    Conflict
        When the study is full, or the letter is taken.
    """
    siblings = list(study.designs.all())
    _require_letters([*({"letter": design.letter} for design in siblings), fields])
    position = 1 + max((design.position for design in siblings), default=-1)
    letter = fields.get("letter") or _free_letters(siblings)[0]
    spec = fields.get("spec", {})
    if not copy_of:
        spec = rented_from(fields["kind"], spec, [(one.letter, one.kind) for one in siblings])
    design = Design(study=study, **{**fields, "letter": letter, "position": position, "spec": spec})
    design.save(force_insert=True)
    selectors.remember_designs(study, [*siblings, design])
    known = study.ranges
    joined = with_copy(known, copy_of, letter) if copy_of else with_design(known, design, spreads)
    return design, _store_ranges(study, joined)


def design_update(design: Design, changes: Mapping[str, Any]) -> Checked:
    """Save a draft of a design opened with ``lock=True``; what is wrong with it comes back."""
    if "spec" in changes:
        origins = provenance_after(
            design.spec,
            changes["spec"],
            was=design.provenance,
            given=changes.get("provenance", design.provenance),
            as_of=now().date().isoformat(),
        )
        changes = {**changes, "provenance": origins}
    if all(getattr(design, name) == value for name, value in changes.items()):
        return check(selectors.study_document(design.study))
    for name, value in changes.items():
        setattr(design, name, value)
    design.revision += 1
    design.updated_at = now()
    design.save()
    return _store(design.study)


def design_delete(design: Design) -> None:
    """Remove a design from its study; the others keep their letters."""
    study = design.study
    selectors.remember_designs(
        study, [other for other in study.designs.all() if other.id != design.id]
    )
    letter = design.letter
    history.step_before_loss(study, design)
    design.delete()
    choices = study.assumptions.get("choices")
    if isinstance(choices, list) and (left := choices_without(choices, letter)) != choices:
        study.assumptions = {**study.assumptions, "choices": left}
        study.revision += 1
    _store_ranges(study, without_design(study.ranges, letter))


def design_copy(design: Design) -> tuple[Design, Checked]:
    """Copy a design within its study, under the next free letter.

    Raises
    ------
    Conflict
        When the study is full.
    """
    fields = {**_parts(design, _DESIGN), "title": _copy_title(design.title)}
    del fields["letter"]
    return design_create(design.study, fields, copy_of=design.letter)


def design_propose(study: Study, option: Option) -> tuple[Design, Checked]:
    """Add a design that is proposed for the work of a study opened with ``lock=True``.

    Raises
    ------
    Conflict
        When the study is full.
    ParamsError
        Where the work cannot be answered, or there is no such design for it.
    """
    siblings = list(study.designs.all())
    _require_letters([*({"letter": design.letter} for design in siblings), {}])
    fields, spreads = design_beside(study, option, _free_letters(siblings)[0])
    return design_create(study, fields, spreads=spreads)


def design_add_explored(study: Study, key: str, region: str) -> tuple[Design, Checked]:
    """Add a design that a search of the catalogue found, to a study opened with ``lock=True``.

    Raises
    ------
    Conflict
        When the study is full.
    ParamsError
        Where the catalogue holds no such design for the work.
    """
    siblings = list(study.designs.all())
    _require_letters([*({"letter": design.letter} for design in siblings), {}])
    fields, spreads = design_explored(study, key, region, _free_letters(siblings)[0])
    return design_create(study, fields, spreads=spreads)


def version_create(design: Design, *, name: str) -> DesignVersion:
    """Give the present state of a design a name.

    Raises
    ------
    Conflict
        When the design has a version of that name.
    """
    version = DesignVersion(design=design, **_parts(design, _VERSION[1:]), name=name)
    try:
        with transaction.atomic():
            version.save(force_insert=True)
    except IntegrityError as exc:
        message = f"This design has a version named {name!r}. Choose another name."
        raise Conflict(message) from exc
    return version


def examples_load(workspace_id: UUID, folder: Path = EXAMPLES) -> int:
    """Load the example studies of a folder into a workspace; return how many were written.

    One that is there unchanged is left alone, one that somebody edited is theirs; one that is
    written anew stays the same study, with its reports, results, shares and comments. The slug is
    the file's name. What is kept of its plan of purchases (``plans``) goes to ``EXAMPLE_LOADED``.
    """
    written = 0
    with workspace(workspace_id):
        present = {
            slug: (digest, loaded_at == changed_at)
            for slug, digest, loaded_at, changed_at in Study.objects.filter(
                is_example=True
            ).values_list("slug", "example_hash", "example_loaded_at", "updated_at")
        }
        for path in sorted(folder.glob("*.yaml")):
            text = path.read_bytes()
            plan = folder / "plans" / f"{path.stem}.json"
            kept = plan.read_bytes() if plan.exists() else b""
            digest = _example_hash(text + kept)
            stored, untouched = present.get(path.stem, ("", True))
            if stored == digest or not untouched:
                continue
            known = Study.objects.filter(slug=path.stem, is_example=True).first()
            study = _example_load(path.stem, text, digest, known)
            if kept:
                EXAMPLE_LOADED.send(Study, study=study, plan=kept)
            written += 1
    return written


def _example_hash(text: bytes) -> str:
    # A new version of the plan moves the verdict, so it counts as a change.
    return hashlib.sha256(text + get_model(PLAN).version.encode()).hexdigest()


def _example_load(slug: str, text: bytes, digest: str, known: Study | None) -> Study:
    file = exchange.read(text).model_copy(update={"slug": slug})
    if known is None:
        study = study_import(file, is_example=True, example_hash=digest)
    else:
        content = file.model_dump()
        designs = content.pop("designs")
        _require_letters(designs)
        Design.objects.filter(study=known).delete()
        study = Study.objects.get(id=known.id)
        for name, value in {**content, "example_hash": digest}.items():
            setattr(study, name, value)
        study.revision += 1
        _fill(study, designs)
        _store(study)
    verdict = judge(check(selectors.study_document(study)), draws_count=study.draws_count)
    if verdict:
        study_verdict_keep(study.id, verdict)
    Study.objects.filter(id=study.id).update(example_loaded_at=study.updated_at)
    return study


def _store(study: Study) -> Checked:
    """Save the study's row, with its verdict where the draft has none that fits."""
    checked = check(selectors.study_document(study))
    study.faults_count = len(checked.faults)
    if checked.hash == "" or checked.hash != study.verdict_hash:
        verdict = judge(checked) or Verdict(checked.hash, "", None, {})
        study.winner, study.cost_usd = verdict.winner, verdict.cost_usd
        study.verdict, study.verdict_hash = verdict.verdict or None, verdict.hash
    study.updated_at = now()
    history.step_take(study)
    study.save()
    if study.is_upgraded:
        Design.objects.bulk_update(study.designs.all(), ["kind", "spec"])
    return checked


def _store_ranges(study: Study, ranges: list[Any]) -> Checked:
    """Save a study's row with other ranges; whoever edits them has to look at it again."""
    if ranges != study.ranges:
        study.ranges = ranges
        study.revision += 1
    return _store(study)


def _snapshot_now() -> str:
    latest = snapshot_latest()
    return latest.id if latest else ""


def _insert(study: Study, slug: str) -> None:
    """Insert a new study under a slug that is free; a rival's insert only costs a turn."""
    wanted = slug or "study"
    for attempt in range(_SLUG_ATTEMPTS):
        study.slug = _free_slug(wanted)
        try:
            with transaction.atomic():
                study.save(force_insert=True)
        except IntegrityError:
            if attempt == _SLUG_ATTEMPTS - 1:
                raise
        else:
            return


def _free_slug(wanted: str) -> str:
    taken = set(Study.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    number = 2
    slug = wanted
    while slug in taken:
        slug = f"{wanted}-{number}"
        number += 1
    return slug


def _fill(study: Study, designs: Sequence[Mapping[str, Any]]) -> list[Design]:
    letters = iter(_free_letters([Design(letter=d.get("letter") or "") for d in designs]))
    rows: list[Design] = []
    versions: list[DesignVersion] = []
    for position, given in enumerate(designs):
        fields = {key: given[key] for key in _DESIGN if key in given}
        fields["letter"] = fields.get("letter") or next(letters)
        row = Design(study=study, workspace_id=current_workspace_id(), position=position, **fields)
        rows.append(row)
        versions += [
            DesignVersion(design=row, workspace_id=row.workspace_id, **version)
            for version in given.get("versions", ())
        ]
    Design.objects.bulk_create(rows)
    DesignVersion.objects.bulk_create(versions)
    selectors.remember_designs(study, rows)
    return rows


def _require_letters(designs: Sequence[Mapping[str, Any]]) -> None:
    if len(designs) > len(LETTERS):
        message = f"A study holds at most {len(LETTERS)} designs. Remove one first."
        raise Conflict(message)
    letters = [design["letter"] for design in designs if design.get("letter")]
    if len(set(letters)) < len(letters):
        message = "Two designs have the same letter. Leave it out to get the next free one."
        raise Conflict(message)


def _free_letters(designs: Sequence[Design]) -> list[str]:
    taken = {design.letter for design in designs}
    return [letter for letter in LETTERS if letter not in taken]


def _parts(row: Study | Design | DesignVersion, names: Sequence[str]) -> JSONDict:
    return {name: getattr(row, name) for name in names}


def _copy_title(title: str) -> str:
    return f"Copy of {title}"[:200]
