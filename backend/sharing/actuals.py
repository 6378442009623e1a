"""What a study's design really cost, beside the approved plan; inside an entered workspace."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson
from django.utils import timezone
from pydantic import ValidationError

from accounts.services import audit_record
from capmodels.errors import ParamsError
from capmodels.plans.answer.actuals import Actuals, compared, parse_actuals_csv, with_bill
from capmodels.plans.workings import driver
from capmodels.registry import get_model
from capmodels.spec import faults_of, validate
from capmodels.written_numbers import MARKS_BY_NAME
from common.errors import Conflict, Invalid
from imports.selectors import bills_with_months, import_months_usd
from runs.selectors import result_json
from sharing.models import StudyActuals
from sharing.selectors import approval_list
from studies.documents import PLAN
from studies.services import study_update

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from capmodels.spec import JSONDict
    from common.principal import Principal
    from sharing.models import Approval
    from studies.models import Study

BILLS_OFFERED = 5
NOT_APPROVED = "Approve a version of the study first: what happened is held against it."


@dataclass(frozen=True, slots=True)
class Held:
    """What was entered, and how it stands to the version that was approved last."""

    actuals: Actuals
    approval: Approval | None
    comparison: JSONDict | None
    reason: str = ""
    numbers_read: Sequence[str] = ()

    @property
    def bills(self) -> list[JSONDict]:
        """Bills that may say what happened: the study's first, then the newest."""
        return bills_with_months(self.approval.study_id, BILLS_OFFERED) if self.approval else []


def actuals_held(study: Study) -> Held:
    """Return what was entered of a study beside its approved plan; the reason where that fails."""
    row = StudyActuals.objects.filter(study=study).first()
    actuals = Actuals.model_validate(row.document if row else {})
    approval = approval_list(study.id).first()
    if approval is None:
        return Held(actuals, None, None, NOT_APPROVED)
    try:
        return Held(actuals, approval, _compared(approval, actuals))
    except ParamsError as exc:
        return Held(actuals, approval, None, exc.faults[0].message)
    except Conflict as exc:
        return Held(actuals, approval, None, exc.detail)


def actuals_put(*, principal: Principal, study: Study, given: Mapping[str, Any]) -> Held:
    """Keep what happened in place of what was entered before; ``csv`` stands for ``rows``.

    ``bill`` is the id of an import: its months are put beside what was entered before.

    Raises
    ------
    Invalid, ParamsError
        With every cell that cannot be.
    Conflict
        When no version of the study is approved, or it has no result yet.
    """
    ways = [name for name in ("rows", "csv", "bill") if name in given]
    if not ways:
        raise Invalid.at("/rows", "Enter rows, a table as csv, or a bill.", "missing")
    if ways[1:]:
        raise Invalid.at(f"/{ways[1]}", f"Send {ways[0]} or this, not both.", "too_many")
    said, notes = dict(given), list[str]()
    mark = MARKS_BY_NAME.get(said.pop("numbers", ""))
    if (text := said.pop("csv", None)) is not None:
        said["rows"] = parse_actuals_csv(text, mark, notes)
    bill: UUID | None = said.pop("bill", None)
    if bill is not None:
        said = {**actuals_held(study).actuals.model_dump(), **said}
    try:
        actuals = Actuals.model_validate(said)
    except ValidationError as exc:
        raise Invalid(faults=faults_of(exc, said)) from exc
    approval = approval_list(study.id).first()
    if approval is None:
        raise Conflict(NOT_APPROVED)
    if bill is not None:
        actuals = _billed(approval, actuals, bill)
    comparison = _compared(approval, actuals)
    StudyActuals.objects.update_or_create(
        study=study,
        defaults={
            "workspace_id": principal.workspace_id,
            "document": actuals.model_dump(mode="json"),
            "entered_by": principal.email,
            "updated_at": timezone.now(),
        },
    )
    about = {"months": len({row.month for row in actuals.rows})}
    audit_record(principal, "study.actuals", target=study.title, detail=about)
    return Held(actuals, approval, comparison, numbers_read=notes)


def actuals_for_report(study: Study) -> JSONDict | None:
    """Return what a report says of it: nothing where no month was entered or compared."""
    if not StudyActuals.objects.filter(study=study).exists():
        return None
    held = actuals_held(study)
    if held.approval is None or held.comparison is None or not held.actuals.rows:
        return None
    return {**held.comparison, "approved": held.approval.name}


def range_take(*, principal: Principal, study: Study, cause: str) -> None:
    """Give a study opened with ``lock=True`` the range that a cause's difference offers.

    Raises
    ------
    Conflict
        When the cause offers none.
    """
    comparison = actuals_held(study).comparison or {"causes": []}
    offers = {one["cause"]: one["offer"] for one in comparison["causes"]}
    if not (offer := offers.get(cause)):
        raise Conflict("What was entered of this cause offers no range.")
    new = {name: offer[name] for name in ("pointer", "low", "high")}
    kept = [one for one in study.ranges if not _is_of(one, offer["pointer"])]
    study_update(study, {"ranges": [*kept, new]})
    about = {"pointer": offer["pointer"]}
    audit_record(principal, "study.range", target=study.title, detail=about)


def _is_of(entry: Any, pointer: str) -> bool:
    # A draft's ranges may be anything.
    return isinstance(entry, dict) and entry.get("pointer") == pointer


def _billed(approval: Approval, actuals: Actuals, bill: UUID) -> Actuals:
    result, starts_on = _plan(approval)
    months = import_months_usd(bill, result["currency"]["code"], result["currency"]["per_usd"])
    return with_bill(result, actuals, starts_on, months)


def _compared(approval: Approval, actuals: Actuals) -> JSONDict:
    result, starts_on = _plan(approval)
    study = validate(get_model(PLAN), approval.run.params)
    return compared(result, actuals, starts_on, partial(driver, study))


def _plan(approval: Approval) -> tuple[JSONDict, date]:
    """What was approved, and its first month where nobody enters another."""
    said = (approval.run.params.get("assumptions") or {}).get("starts_on")
    starts_on = date.fromisoformat(said) if said else approval.created_at.date()
    return orjson.loads(result_json(approval.run)), starts_on
