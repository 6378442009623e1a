"""Which studies the newest prices, or the plan of today, would move; nothing is changed.

Costs are as entered, without simulations; those of one study, asked at once, are of as many
simulations as its verdict. *Prices* are the catalogue's present values where a
study took older ones; the *model* is told where a study's latest kept run is of an earlier version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from capmodels.chunks import run_chunks
from capmodels.numbers import Currency
from capmodels.plans.moves import entered_usd
from capmodels.plans.outlook import studies_told
from capmodels.registry import get_model
from capmodels.spec import upgrade
from catalogue.selectors import entries_present, snapshot_latest
from common.errors import Conflict, existing
from common.tenancy import workspace
from jobs.models import Job
from jobs.services import job_submit
from runs import selectors
from runs.models import Outlook, Run
from studies.documents import PLAN
from studies.models import Study
from studies.refilling import slugs_of, study_refilled
from studies.selectors import document_refilled, studies_open, study_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from capmodels.spec import JSONDict
    from catalogue.models import Entry
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report
    from studies.refilling import StudyRefill

KIND = "outlook"
STUDIES_MOST = 2_000
CHANGES_MOST = 20
KEPT = 10
_CHUNK = 25
_SAID = ("letter", "pointer", "before", "after", "entry", "as_of")
# What costs of one study may differ by without having moved.
_SAME = 1e-9


def outlook_start() -> Outlook:
    """Have workers find out which of the workspace's studies would move.

    Raises
    ------
    Conflict
        While an earlier one has not ended.
    """
    open_still = Outlook.objects.exclude(job__state__in=Job.ENDED)
    if open_still.exists():
        raise Conflict("The studies are being looked at already.")
    old = Outlook.objects.order_by("-created_at").values_list("pk", flat=True)[KEPT - 1 :]
    Job.objects.filter(id__in=list(old)).delete()
    latest = snapshot_latest()
    return Outlook.objects.create(
        job=job_submit(kind=KIND),
        snapshot=latest.id if latest else "",
        studies_count=min(_complete().count(), STUDIES_MOST),
    )


def outlook_list() -> QuerySet[Outlook]:
    """Return the workspace's outlooks without what they say, newest first."""
    return Outlook.objects.select_related("job").defer("rows").order_by("-created_at")


def outlook_get(outlook_id: UUID) -> Outlook:
    """Return one outlook; raise NotFound when the workspace has no such one."""
    return existing(Outlook.objects.select_related("job").filter(job_id=outlook_id).first())


def study_outlook(study: Study, refill: StudyRefill | None = None) -> JSONDict:
    """Return what the newest prices and the plan of today would move of one study, at once.

    With a refill, what that would move.
    """
    if refill is None:
        (question,) = _questions([study], entries_present(slugs_of([study])), simulated=True)
    else:
        question = _question(study, refill, None, simulated=True)
    answers = orjson.loads(studies_told({"studies": [question["asked"]]}, lambda *_told: None))
    return _row(question, answers[0])


def outlook_perform(job: ClaimedJob, report: Report) -> list[JSONDict]:
    """Compare every complete study as saved, with the newest prices, and with today's plan."""
    report(0.0, "Reading the studies")
    with workspace(job.workspace_id):
        studies = studies_open(_complete().order_by("-updated_at")[:STUDIES_MOST])
        questions = _questions(studies, entries_present(slugs_of(studies)))
    asked = [one["asked"] for one in questions]
    chunks = [{"studies": asked[start : start + _CHUNK]} for start in range(0, len(asked), _CHUNK)]
    found = run_chunks(studies_told, chunks, report)
    answers = [answer for piece in found for answer in orjson.loads(piece)]
    rows = [_row(question, said) for question, said in zip(questions, answers, strict=True)]
    return sorted(rows, key=_size, reverse=True)


def outlook_record(job: ClaimedJob, rows: list[JSONDict]) -> None:
    """Keep what was found."""
    moved = sum(row["moved"] for row in rows)
    Outlook.objects.filter(job_id=job.id).update(
        rows=rows, moved_count=moved, studies_count=len(rows)
    )


def _complete() -> QuerySet[Study]:
    return Study.objects.filter(faults_count=0)


def _questions(
    studies: Sequence[Study], entries: Mapping[str, Entry], *, simulated: bool = False
) -> list[JSONDict]:
    stale = _stale_runs(studies)
    questions = []
    for study in studies:
        # One that is held at the prices of a day is not stale by newer ones.
        refill = None if study.as_of else study_refilled(study, entries)
        questions.append(_question(study, refill, stale.get(study.id), simulated=simulated))
    return questions


def _question(
    study: Study, refill: StudyRefill | None, run: Run | None, *, simulated: bool
) -> JSONDict:
    document = study_document(study)
    changes = refill.changes() if refill else []
    kept = _kept(run) if run else None
    newest = document_refilled(study, document, refill) if refill and changes else document
    # With nothing newer there is no other verdict to say.
    drawn = simulated and bool(changes or kept) and study.draws_count > 0
    if kept and drawn:
        kept["usd"] = kept["verdict_usd"]
    return {
        "study": study,
        "changes": changes,
        "lost_count": refill.lost_count() if refill else 0,
        "kept": kept,
        "simulations_count": study.draws_count if drawn else 0,
        "asked": {
            "simulated": drawn,
            "documents": [document, newest, kept["document"] if kept else None],
            "pointers": [_pointer(change) for change in changes[:CHANGES_MOST]],
        },
    }


def _pointer(change: JSONDict) -> str:
    """Where a change is in the whole document, designs by letter as ranges have them."""
    part = f"/designs/{change['letter']}" if change["letter"] else change["part"]
    return f"{part}{change['pointer']}"


def _stale_runs(studies: Sequence[Study]) -> dict[UUID, Run]:
    """The latest kept run of each study whose one is of an earlier version of the plan."""
    kept = Run.objects.filter(
        study__in=studies, model_id=PLAN, again_of=None, job__state=Job.State.SUCCEEDED
    )
    newest = kept.order_by("study", "-created_at").distinct("study")
    heads = newest.values_list("job_id", "model_version")
    version = get_model(PLAN).version
    old = [run_id for run_id, made_by in heads if made_by != version]
    return {
        run.study_id: run
        for run in Run.objects.select_related("job").filter(job_id__in=old)
        if run.study_id
    }


def _kept(run: Run) -> JSONDict | None:
    try:
        result = orjson.loads(selectors.result_json(run))
    except Conflict:
        return None  # it is let go
    document = upgrade(get_model(PLAN), dict(run.params), run.params_version)
    return {
        "document": document,
        "usd": entered_usd(result),
        "verdict_usd": run.cost_usd,
        "version": run.model_version,
    }


def _row(question: JSONDict, said: JSONDict) -> JSONDict:
    now, newest, again = said["told"]
    kept, changes = question["kept"], question["changes"]
    assert now is not None
    assert newest is not None
    prices_usd = _difference(now["usd"], newest["usd"])
    model_usd = _difference(kept["usd"], again["usd"]) if kept and again else None
    reference = abs(now["usd"] or 0.0) or 1.0
    moves = [usd for usd in (prices_usd, model_usd) if usd and abs(usd) > _SAME * reference]
    flips = now["winner"] != newest["winner"] or bool(newest["error"]) != bool(now["error"])
    study: Study = question["study"]
    currency = Currency.of(question["asked"]["documents"][0])
    return {
        "study": str(study.id),
        "title": study.title,
        "currency": {"code": currency.code, "per_usd": currency.per_usd},
        "moved": bool(moves) or flips,
        "cost_usd": now["usd"],
        "winner": now["winner"],
        "new_cost_usd": newest["usd"],
        "new_winner": newest["winner"],
        "new_headline": newest["headline"],
        "error": newest["error"],
        "prices_usd": prices_usd,
        "prices_fraction": prices_usd / reference if prices_usd is not None else None,
        "model_usd": model_usd,
        "model_version": kept["version"] if kept else "",
        "prices_count": len(changes),
        "gone_count": question["lost_count"],
        "simulations_count": question["simulations_count"],
        "changes": [
            {**place, **{name: change[name] for name in _SAID}}
            for change, place in zip(changes, said["places"], strict=False)
        ],
    }


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _size(row: JSONDict) -> tuple[bool, bool, float]:
    """Those that move first, another cheapest design before another cost, the largest first."""
    moved_usd = abs(row["prices_usd"] or 0.0) + abs(row["model_usd"] or 0.0)
    share = moved_usd / (abs(row["cost_usd"] or 0.0) or 1.0)
    return row["moved"], row["winner"] != row["new_winner"], share
