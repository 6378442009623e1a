"""Takes files in, accepts what they say into a study, and undoes it; inside a workspace."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING, Any, cast, get_args
from uuid import uuid4

from django.utils.text import slugify
from django.utils.timezone import now

from capmodels.errors import Fault
from capmodels.imports.baseline import NOT_BUSY
from capmodels.imports.changes import changes, value_changes
from capmodels.imports.explain import explain
from capmodels.imports.names import Names
from capmodels.imports.registry import Assumed, Drafted, Options, importer_of
from capmodels.imports.table import Dates
from capmodels.numbers import counted
from capmodels.plans.costing.tariffs import mean_price
from capmodels.plans.document.assumptions import Assumptions
from capmodels.providers import PROVIDERS
from capmodels.registry import get_model
from capmodels.spec import Context
from capmodels.written_numbers import MARKS_BY_NAME
from catalogue.documents import EntryInput
from catalogue.places import spot_of
from catalogue.services import entry_create, entry_delete, entry_own
from common.errors import Conflict, Invalid, NotFound
from files.services import upload_keep
from imports import servers
from imports.assumed import assumed_after, origins_of, with_rate
from imports.designs import Ground, Wanted, complete_own, with_designs
from imports.every_region import MAKES, name_of, source_of, with_prices
from imports.fetching import EVERY, LISTS, REGION
from imports.fleet_designs import FLEET
from imports.market import market_of
from imports.measured import keep_measured
from imports.models import Import
from imports.prices import Plan, counts_table, plan_of, plan_tables, plan_undo, plan_write
from imports.selectors import (
    import_before,
    import_read_before,
    machine_prices,
    machine_sizes,
    machines_known,
)
from imports.sized_designs import WAYS
from imports.sizing import sizing_of, traced_of
from imports.work import QUOTE, key_of, with_mapping
from jobs.services import job_submit
from studies.checking import params_of
from studies.documents import PLAN
from studies.proposals.alike import settled
from studies.selectors import study_document, study_get
from studies.services import (
    design_create,
    design_delete,
    study_create,
    study_delete,
    study_restore,
    study_update,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from catalogue.models import Entry
    from common.principal import Principal
    from studies.models import Study

KIND = "import"
# In place of what an import that came with an archive could be undone by.
_BEFORE_UNKNOWN = "before_unknown"
# What whoever accepts an import may say of it.
OPTIONS = ("cost", "per_usd", "mapping", "machines_count")
# What undoes a list that went into the catalogue; earlier versions kept it as of prices.
ENTRIES, PRICES = "entries", "prices"
_DOCUMENTS = ("baseline", "baseline_provenance", "workload", "workload_provenance")
_ASSUMED = ("assumptions", "assumptions_provenance", "ranges")


@dataclass(frozen=True, slots=True)
class Accepted:
    """Where an import went: a study, or an entry of the catalogue."""

    title: str
    study_id: UUID | None = None
    entry_slug: str | None = None


def import_create(
    *,
    file: IO[bytes] | UUID,
    file_name: str,
    names: str = "keep",
    dates: str = "",
    numbers: str = "",
    kind: str = "",
) -> Import:
    """Store a file as it came, or take one that came in parts, and have a worker read it.

    ``names`` says what becomes of names of people and things in it, ``dates`` which number of a
    date is the day, ``numbers`` which sign stands before decimals, and ``kind`` that it is a quote,
    where the file does not say it.

    Raises
    ------
    Invalid
        When the file is empty, or nothing of the kind can become of names, or be said of it.
    """
    choices = {
        "names": (names, get_args(Names)),
        "dates": (dates, ("", *get_args(Dates))),
        "numbers": (numbers, ("", *MARKS_BY_NAME)),
        "kind": (kind, ("", QUOTE)),
    }
    for name, (said, possible) in choices.items():
        if said not in possible:
            message = f"Choose one of {', '.join(filter(None, possible))}."
            raise Invalid.at(f"/{name}", message, "not_a_choice")
    kept = upload_keep(file=file, kind=KIND)
    return Import.objects.create(
        job=kept.job,
        file_name=(kept.name or file_name)[-200:] or "file",
        bytes_count=kept.bytes_count,
        names=names,
        dates=dates,
        numbers=numbers,
        kind=kind,
    )


def import_again(
    *, sha256: str, file_name: str, names: str, dates: str = "", numbers: str = ""
) -> Import:
    """Take in a file that the workspace had read before, known by its bytes, unsent.

    Raises
    ------
    NotFound
        When it was not read before: it has to be sent.
    """
    earlier = import_read_before(key_of(sha256.lower(), names, f"{dates}{numbers}"))
    if earlier is None:
        raise NotFound
    return Import.objects.create(
        job=job_submit(kind=KIND),
        file_name=file_name[-200:] or "file",
        bytes_count=earlier.bytes_count,
        names=names,
        dates=dates,
        numbers=numbers,
        source={"sha256": sha256.lower()},
    )


def import_fetch(*, provider: str, region: str) -> Import:
    """Have a worker fetch a price list of a region, or of all, or exchange rates, and read them.

    Raises
    ------
    Invalid
        When it is no name of a region.
    """
    if not LISTS[provider].by_region:
        region = ""
    elif not REGION.match(region):
        message = "Enter the region's code, as eu-west-1 or westeurope, or all for every region."
        raise Invalid.at("/region", message, "not_a_region")
    source = {"provider": provider, "region": region}
    return Import.objects.create(
        job=job_submit(kind=f"{KIND}.long"),
        file_name=name_of(**source),
        bytes_count=0,
        source=source_of(provider) if region == EVERY else source,
    )


def import_draft(row: Import, said: Mapping[str, Any]) -> Drafted:
    """Return what a study, or the catalogue, would take from an import.

    ``said`` has what the file does not say, by the names of ``Options``.

    Raises
    ------
    Conflict
        While it has not been read.
    ParamsError
        When something is missing that the file does not say.
    """
    if row.preview is None:
        why = (row.job.error or {}).get("message")
        raise Conflict(f"The file could not be read. {why}" if why else "It is not read yet.")
    _require_fitting(row, said)
    said, converted = with_rate(row, said)
    study = study_get(said["study_id"]) if said.get("study_id") else None
    options = Options(
        file_name=row.file_name,
        as_of=row.created_at.date().isoformat(),
        sizes_of=machine_sizes,
        price_of=machine_prices(),
        machines=machines_known,
        market=lambda fleet: market_of(said.get("region") or "", study, fleet),
        sizing=sizing_of(said, study),
        traced=traced_of(said) if row.makes == "fleet" else None,
        assumed=_assumed(study),
        **{name: said.get(name) for name in OPTIONS},
    )
    drafted = importer_of(row.format).draft(_preview_of(row), options)
    drafted.open_points = [*_still_open(drafted, study), *filter(None, [converted])]
    if row.makes == "bill" and study is not None and study.assumptions.get("starts_on"):
        drafted.assumptions.pop("starts_on", None)
        drafted.assumed_from.pop("/starts_on", None)
    if row.makes in {"bill", "fleet"} and study is not None:
        keep_measured(drafted, study, row.makes)
    if row.makes == "fleet" and not _has_work(drafted, study):
        drafted.open_points.append(
            "The list does not say how busy its machines are, so the study has no work yet. Enter "
            "busy cores in it, or make a workload of a trace of their use, on the trace's page, "
            "and put it into the study."
        )
    for origin in drafted.assumed_from.values():
        origin.setdefault("file", row.file_name)
    if row.makes == "fleet" and drafted.baseline and study is not None and study.baseline:
        drafted.baseline, drafted.baseline_from = None, {}
        drafted.open_points.append("The study has a baseline already, and keeps it.")
    if drafted.designs:
        drafted = complete_own(drafted, _ground(study))
    if said.get("designs"):
        wanted = Wanted(tuple(said["designs"]), said.get("busy_fraction"), said.get("server"))
        drafted = with_designs(drafted, row.preview, options, wanted, _ground(study))
    if study is not None:
        drafted.tables += _changed(row, drafted, study)
    drafted.tables += _catalogue_tables(row, drafted)
    return drafted


def _catalogue_tables(row: Import, drafted: Drafted) -> list[dict[str, Any]]:
    """What prices or servers change in the catalogue."""
    if drafted.prices is not None:
        return plan_tables(_price_plan(row, drafted))
    if drafted.entries is not None:
        return [counts_table(servers.plan_of(drafted.entries), "Servers")]
    return []


# What else than own servers, a mix and rented machines can be proposed for a file, by what it is.
_PROPOSED = {"bill": ("same",), "fleet": (*FLEET, *WAYS)}


def _require_fitting(row: Import, said: Mapping[str, Any]) -> None:
    """Refuse what is asked of another kind of file."""
    faults = []
    if said.get("region") and row.makes != "fleet":
        message = "This is of a fleet. Enter the region of each design that is proposed."
        faults.append(Fault("/region", "of_a_fleet", message))
    if said.get("mapping") and row.makes in ("bill", "fleet"):
        message = "The columns of this file are known: leave this out."
        faults.append(Fault("/mapping", "of_a_quote", message))
    own = _PROPOSED.get(row.makes, ())
    for at, one in enumerate(said.get("designs") or ()):
        pointer = f"/designs/{at}/option"
        for makes, options in _PROPOSED.items():
            if one["option"] in options and one["option"] not in own:
                known = ", ".join((*own, "owned", "hybrid", *PROVIDERS))
                message = f"This is of a {makes}, which the file is not. Choose one of {known}."
                faults.append(Fault(pointer, "not_a_choice", message))
        spot_of(one.get("region") or "", f"/designs/{at}/region")
    if faults:
        raise Invalid(faults=faults)


def _preview_of(row: Import) -> dict[str, Any]:
    return with_prices(row) if row.makes == MAKES else row.preview or {}


def _changed(row: Import, drafted: Drafted, study: Study) -> list[dict[str, Any]]:
    """What differs from the import of the kind that the study took last, and from its work."""
    tables = [value_changes(study.workload, drafted)]
    before = import_before(study.id, row.pk, row.makes)
    if before is not None:
        said, was = row.preview or {}, before.preview or {}
        tables.insert(0, changes(row.makes, was, said, before.file_name))
    return [one for one in tables if one]


def _still_open(drafted: Drafted, study: Study | None) -> list[str]:
    """What a file leaves open that the study does not say itself."""
    is_said = study is not None and bool(study.workload.get("busy_cores_count"))
    return [one for one in drafted.open_points if not (is_said and one == NOT_BUSY)]


def _has_work(drafted: Drafted, study: Study | None) -> bool:
    """Whether the busy cores are known, of the file or of the study that takes it."""
    held = {} if study is None else study.workload
    return bool(drafted.workload.get("busy_cores_count") or held.get("busy_cores_count"))


def _price_plan(row: Import, drafted: Drafted) -> Plan:
    said = row.preview or {}
    as_of = said["as_of"] or row.created_at.date().isoformat()
    source = f"{said['source']}, {row.file_name}"[:500]
    head = {"provider": said["provider"], "source": source, "as_of": as_of}
    return plan_of(drafted.prices or [], head)


def _assumed(study: Study | None) -> Assumed:
    """What a study, or a new one, pays for electricity on average, and its life in the books."""
    found = Assumptions.model_validate(study.assumptions if study is not None else {})
    return Assumed(mean_price(found.electricity), found.pue, found.depreciation.life_months)


def _ground(study: Study | None) -> Ground:
    """What a study has already that designs of an import are proposed beside."""
    if study is None:
        return Ground({"kind": "demand"}, settled({}))
    held = study.designs.all()
    letters = tuple(one.letter for one in held)
    return Ground(study.workload, study.assumptions, letters, study.baseline)


def import_explain(row: Import, letter: str) -> dict[str, Any]:
    """Return the table that leads from a bill to a design of the study that it is in.

    Raises
    ------
    Conflict
        When it is no bill, or in no study.
    NotFound
        When the study has no such design.
    """
    if row.makes != "bill" or row.study_id is None or row.undo is None:
        raise Conflict("Only a bill that is in a study can be set beside its designs.")
    study = study_get(row.study_id)
    specs = {one.letter: one.spec for one in study.designs.all()}
    answer = get_model(PLAN)
    params = params_of(answer, {**study_document(study), "draws_count": 0})
    for design in answer.run(params, Context(seed=1)).designs:
        if design.letter == letter:
            said = row.undo.get("said", {})
            return explain(row.preview or {}, said, design, specs.get(letter, {}))
    raise NotFound


def import_accept(
    row: Import, said: Mapping[str, Any], *, principal: Principal, title: str, study_id: UUID | None
) -> Accepted:
    """Write what an import (opened with ``lock=True``) says into a new study, or into one's own.

    A quote becomes an entry of the workspace's catalogue instead.

    Raises
    ------
    Conflict
        When it was accepted already, or has not been read.
    ParamsError
        When something is missing that the file does not say.
    NotFound
        When the workspace has no such study.
    """
    if row.accepted_at is not None:
        undo = "" if _BEFORE_UNKNOWN in (row.undo or {}) else " Undo it first."
        raise Conflict(f"This import has been accepted already.{undo}")
    unread = (row.preview or {}).get("unread_rows_count", 0)
    if unread and not said.get("without_unread_rows"):
        message = (
            f"{counted(unread, 'row')} of the file could not be read whole: what is lost of them "
            "counts as nothing. Look at them, and say that the file is taken all the same."
        )
        raise Invalid.at("/without_unread_rows", message, "needed")
    said, _converted = with_rate(row, said)
    drafted = import_draft(row, {**said, "study_id": study_id})
    row.accepted_at = now()
    row.preview = with_mapping(row.format, row.preview or {}, said.get("mapping") or _mapping(row))
    written = _written(row, drafted)
    if written is not None:
        row.undo = {ENTRIES: written}
        row.save(update_fields=["accepted_at", "undo", "preview"])
        return Accepted(drafted.title)
    if drafted.entry is not None:
        entry = _into_catalogue(drafted, principal, title)
        row.undo = {"entry": entry.slug, "revision": entry.revision}
        row.save(update_fields=["accepted_at", "undo", "preview"])
        return Accepted(entry.title, entry_slug=entry.slug)
    study, before = _into_new(drafted, title) if study_id is None else _into_own(drafted, study_id)
    row.study_id = study.id
    entered = {name: said[name] for name in ("cost", "per_usd") if said.get(name) is not None}
    points = {"open_points": drafted.open_points, "in_types": drafted.in_types}
    row.undo = {**before, "revision": study.revision, "said": entered, **points}
    row.save(update_fields=["study_id", "accepted_at", "undo", "preview"])
    return Accepted(study.title, study_id=study.id)


def _written(row: Import, drafted: Drafted) -> dict[str, Any] | None:
    """Write a list of prices or servers into the catalogue; what undoes it, None of other files."""
    if drafted.prices is not None:
        return plan_write(_price_plan(row, drafted))
    if drafted.entries is not None:
        return plan_write(servers.plan_of(drafted.entries), "List of servers")
    return None


def _mapping(row: Import) -> Any:
    return (row.preview or {}).get("mapping")


def _into_catalogue(drafted: Drafted, principal: Principal, title: str) -> Entry:
    given = {**(drafted.entry or {})}
    named = (title or given["title"])[:200]
    slug = slugify(f"{named} {uuid4().hex[:6]}")[-80:].strip("-")
    entry = EntryInput.model_validate({**given, "title": named, "slug": slug})
    return entry_create(principal=principal, given=entry)


def _into_new(drafted: Drafted, title: str) -> tuple[Study, dict[str, Any]]:
    study = study_create(
        title=title or drafted.title,
        workload=drafted.workload,
        workload_provenance=drafted.provenance,
        baseline=drafted.baseline,
        baseline_provenance=drafted.baseline_from,
        designs=drafted.designs,
        assumptions=drafted.assumptions,
        assumptions_provenance=origins_of(drafted),
    )
    return study, {"created": True}


def _into_own(drafted: Drafted, study_id: UUID) -> tuple[Study, dict[str, Any]]:
    """The baseline is replaced; of the work, only what the file says."""
    study = study_get(study_id, lock=True)
    kept = (*_DOCUMENTS, *_ASSUMED) if drafted.assumptions else _DOCUMENTS
    before = {name: getattr(study, name) for name in kept}
    changed: dict[str, Any] = {}
    if drafted.baseline is not None:
        changed["baseline"] = drafted.baseline
        changed["baseline_provenance"] = drafted.baseline_from
    if study.workload.get("kind", "demand") == "demand":
        changed["workload"] = {**study.workload, **drafted.workload}
        changed["workload_provenance"] = {**study.workload_provenance, **drafted.provenance}
    study_update(study, changed)
    if drafted.assumptions:
        study_restore(study, assumed_after(study, drafted))
    added = [str(design_create(study, one)[0].id) for one in drafted.designs]
    return study, {"created": False, "before": before, "designs": added}


def import_undo(row: Import, *, principal: Principal) -> None:
    """Take an import (opened with ``lock=True``) out of its study again, as a whole.

    Raises
    ------
    Conflict
        When it is in no study, or the study was changed since.
    """
    if row.undo is None:
        raise Conflict("This import is in no study.")
    if _BEFORE_UNKNOWN in row.undo:
        message = "It came with an archive: what was before it is not known. Change it by hand."
        raise Conflict(message)
    written = row.undo.get(ENTRIES) or row.undo.get(PRICES)
    if written is not None:
        plan_undo(written)
        _undone(row)
        return
    if "entry" in row.undo:
        _undo_entry(row.undo, principal)
        _undone(row)
        return
    study = study_get(cast("UUID", row.study_id), lock=True)
    if study.revision != row.undo["revision"]:
        message = (
            "The study was changed after the import, so undoing it would lose those changes. "
            "Change its baseline by hand."
        )
        raise Conflict(message)
    if row.undo["created"]:
        study_delete(study)
    else:
        for design in study.designs.filter(id__in=row.undo.get("designs", ())):
            design_delete(design)
        study_restore(study, row.undo["before"])
    _undone(row)


def acceptance(row: Import) -> dict[str, Any] | None:
    """Return what was entered and found as an import was accepted; None where it was not."""
    names = ("said", "open_points", "in_types")
    return row.undo and {name: row.undo[name] for name in names if name in row.undo}


def acceptance_placed(accepted: dict[str, Any] | None) -> dict[str, Any]:
    """Return the same for an import that comes with an archive: what was before is not known."""
    return {**(accepted or {}), _BEFORE_UNKNOWN: True}


def _undone(row: Import) -> None:
    row.study_id = row.accepted_at = row.undo = None
    row.save(update_fields=["study_id", "accepted_at", "undo"])


def _undo_entry(undo: dict[str, Any], principal: Principal) -> None:
    try:
        entry = entry_own(undo["entry"])
    except NotFound:
        return  # somebody has removed it already
    if entry.revision != undo["revision"]:
        message = (
            "The entry was changed after the import, so undoing it would lose those changes. "
            "Remove it in the catalogue."
        )
        raise Conflict(message)
    entry_delete(principal=principal, entry=entry)


def drafted_document(drafted: Drafted) -> dict[str, Any]:
    """A draft as the API gives it; prices are in its tables."""
    drafted.prices = None
    return asdict(drafted)
