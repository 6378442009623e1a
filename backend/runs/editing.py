"""Folds the runs that one burst of editing made into its last one, in the list's own query."""

from __future__ import annotations

from datetime import datetime, timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.db.models import BooleanField, JSONField
from django.db.models.expressions import RawSQL

from capmodels.numbers import Currency
from capmodels.plans.figures.kept import Kept, over_runs
from common.tenancy import current_workspace_id
from runs.models import Run
from studies.documents import PLAN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from capmodels.spec import JSONDict

# Two changes within so long of each other are of one burst.
PAUSE = timedelta(minutes=10)
_DRAWN = ("submitted_at", "winner", "cost_usd", "odds")

# Numbers the bursts of a study's comparisons, the newest first. What was approved, is shared or
# was computed again on purpose ends one, and so does what somebody said of the study.
_BURSTS = """
WITH placed AS (
    SELECT id, created_at, model_version, again_of_id, winner, cost_usd, odds,
        inputs_hash = LAG(inputs_hash) OVER in_turn
            AND model_version = LAG(model_version) OVER in_turn AS is_same,
        LEAD(created_at) OVER in_turn AS next_at,
        LEAD(model_version) OVER in_turn AS next_version,
        LEAD(again_of_id) OVER in_turn AS next_again_of_id
    FROM runs_run
    WHERE workspace_id = %(workspace)s AND study_id = %(study)s
      AND model_id = %(model)s AND headline <> ''
    WINDOW in_turn AS (ORDER BY created_at, id)
), numbered AS (
    SELECT id, created_at, model_version, winner, cost_usd, odds, is_same, COUNT(*) FILTER (
        WHERE next_at IS NULL OR next_at - created_at > %(pause)s
           OR next_version <> model_version
           OR again_of_id IS NOT NULL OR next_again_of_id IS NOT NULL
           OR id IN (SELECT again_of_id FROM placed)
           OR id IN (SELECT run_id FROM sharing_approval
                     WHERE workspace_id = %(workspace)s AND study_id = %(study)s)
           OR id IN (SELECT run_id FROM sharing_share
                     WHERE workspace_id = %(workspace)s AND study_id = %(study)s
                       AND run_id IS NOT NULL)
           OR EXISTS (SELECT FROM sharing_comment c
                      WHERE c.workspace_id = %(workspace)s AND c.study_id = %(study)s
                        AND c.created_at > placed.created_at AND c.created_at <= next_at)
    ) OVER (ORDER BY created_at DESC, id DESC) AS burst
    FROM placed
)
"""
# A run alone that says again what stood before is left out. As an array: the planner cannot tell
# how many bursts there are, and as a subquery would look through all of them for each run.
_IS_LAST = f""""runs_run"."id" = ANY(ARRAY(
{_BURSTS}
SELECT (ARRAY_AGG(id ORDER BY created_at DESC, id DESC))[1] FROM numbered GROUP BY burst
HAVING COUNT(*) > 1 OR BOOL_OR(is_same) IS NOT TRUE))
"""
_TOLD = f"""(
{_BURSTS}, placed_in_burst AS (
    SELECT *, COUNT(*) OVER (PARTITION BY burst) AS runs_count,
        LAG(id) OVER older AS newer_id, LEAD(id) OVER older AS older_id,
        FIRST_VALUE(id) OVER older AS last_id
    FROM numbered
    WINDOW older AS (PARTITION BY burst ORDER BY created_at DESC, id DESC)
)
SELECT JSONB_OBJECT_AGG(last_id, JSONB_BUILD_OBJECT(
    'runs_count', runs_count,
    'first', JSONB_BUILD_OBJECT(
        'id', id, 'submitted_at', created_at, 'model_version', model_version,
        'winner', winner, 'cost_usd', cost_usd, 'odds', odds)))
FROM placed_in_burst WHERE newer_id IS NOT NULL AND older_id IS NULL) -> "runs_run"."id"::text
"""
_IS_OF_ONE = f""""runs_run"."id" = ANY(ARRAY(
{_BURSTS}
SELECT id FROM numbered WHERE burst = (SELECT burst FROM numbered WHERE id = %(last)s)))
"""


def folded(runs: QuerySet[Run], study_id: UUID) -> QuerySet[Run]:
    """Return the last run of each burst of a study's comparisons that have an answer.

    ``burst`` tells how many runs it had, if several, and what the first of them said. The
    search for bursts takes the same time however many rows a page has.
    """
    is_last = RawSQL(*_asked(_IS_LAST, study=study_id), output_field=BooleanField())
    told = RawSQL(*_asked(_TOLD, study=study_id), output_field=JSONField())
    return runs.filter(is_last).annotate(burst=told)


def burst_of(runs: QuerySet[Run], last: Run) -> QuerySet[Run]:
    """Return the runs of the burst whose last one this is, that one among them."""
    asked = _asked(_IS_OF_ONE, study=last.study_id, last=last.pk)
    return runs.filter(RawSQL(*asked, output_field=BooleanField()))


def figures_of(rows: Sequence[JSONDict]) -> list[JSONDict]:
    """Return what charts draw of a page of folded runs: of a burst its last run and its first."""
    told = [one for row in rows for one in (row, (row["burst"] or {}).get("first")) if one]
    newest = Run.objects.filter(pk__in=[row["id"] for row in rows[:1]])
    stated = newest.values_list("params__assumptions__currency", flat=True).first()
    kept = (
        Kept(at=datetime.fromisoformat(str(at)), winner=winner, cost_usd=cost_usd, odds=odds)
        for at, winner, cost_usd, odds in map(itemgetter(*_DRAWN), told)
    )
    drawn = over_runs(kept, Currency.stated(stated))
    return [figure.model_dump(mode="json") for figure in drawn]


def _asked(statement: str, **given: Any) -> tuple[str, list[Any]]:
    """Return a statement with its values in order: Django takes no names."""
    given |= {"workspace": current_workspace_id(), "pause": PAUSE, "model": PLAN}
    values: list[Any] = []

    class Placed(dict[str, Any]):
        def __getitem__(self, name: str) -> str:
            values.append(given[name])
            return "%s"

    return statement % Placed(), values
