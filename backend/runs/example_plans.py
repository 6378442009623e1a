"""The examples' plans of purchases: answered before, kept as runs that the studies refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from capmodels.plans.purchase.of_study import PURCHASE_PLAN
from capmodels.registry import get_model
from capmodels.spec import inputs_hash, validate
from jobs.services import job_store_ended
from runs import selectors
from runs.models import Run
from runs.references import reference
from runs.services import LONG
from runs.work import result_record, shown_of
from studies.selectors import study_get
from studies.tool_runs import taken_from, tool_run_add

if TYPE_CHECKING:
    from studies.models import Study


def example_plan_keep(*, study: Study, plan: bytes, **_signal: Any) -> None:
    """Let an example refer to its plan, which is stored as if it had been run here.

    An answer of another version of the model is left out: the page asks for one of now.
    """
    kept, spec = orjson.loads(plan), get_model(PURCHASE_PLAN)
    if kept["model_version"] != spec.version:
        return
    checked = validate(spec, kept["params"])
    asked = inputs_hash(spec, checked, 0)
    run = selectors.run_reusable(asked)
    if run is None:
        run = Run.objects.create(
            job=job_store_ended(kind=LONG),
            study=study,
            model_id=spec.id,
            model_version=spec.version,
            params=checked.model_dump(mode="json"),
            params_version=spec.params_version,
            seed=0,
            inputs_hash=asked,
        )
        result_record(run.pk, run.workspace_id, shown_of(spec.version, kept["result"]))
        run.refresh_from_db()
    study = study_get(study.pk, lock=True)
    said = {"tool": "purchases", "title": "Purchases"}
    tool_run_add(study, reference(run, said, taken_from(study, kept["pointers"], ())))
