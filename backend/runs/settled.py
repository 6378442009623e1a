"""Keeps a run of every state that a complete study comes to rest in, for its history."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import connection
from django.utils import timezone

from capmodels.errors import ModelError
from common.errors import ApplicationError
from common.tenancy import workspace
from runs.models import Run
from runs.services import run_study, verdict_again
from studies.checking import check
from studies.selectors import study_document, study_get

if TYPE_CHECKING:
    from uuid import UUID

logger = logging.getLogger(__name__)

# A change counts once nobody has saved another for so long.
REST = timedelta(milliseconds=300)
# What could not be run is tried again after so long.
LEFT = timedelta(seconds=5)
_left: dict[UUID, datetime] = {}
# What could not be run within this is left to whoever asks for it.
PATIENCE = timedelta(minutes=10)


def is_settling(now: datetime | None = None) -> bool:
    """Say whether a study has a change that no run is of, at rest or not, but for what is left."""
    now = now or timezone.now()
    return any(_left.get(study_id, now) <= now for _, study_id in _settled(now - PATIENCE, now))


def runs_keep_settled(now: datetime | None = None) -> int:
    """Start a run of each study that rests in a state which no run of it is of; return how many.

    Crosses workspaces. A state that came back has the verdict of its earlier run again.
    """
    now = now or timezone.now()
    started = 0
    for workspace_id, study_id in _settled(now - PATIENCE, now - REST):
        if _left.get(study_id, now) > now:
            continue
        kept = 0
        try:
            with workspace(workspace_id):
                kept = _keep(study_id)
        except (ApplicationError, ModelError):
            # Deleted meanwhile, or over a quota: the study itself says so to its planner.
            logger.info("no run is kept of a study that settled", exc_info=True)
        if not kept:
            _leave(study_id, now)
        started += kept
    return started


def _leave(study_id: UUID, now: datetime) -> None:
    for known in [one for one, until in _left.items() if until <= now]:
        del _left[known]
    _left[study_id] = now + LEFT


def _keep(study_id: UUID) -> int:
    # Held, so that two who look at the same time start one run.
    study = study_get(study_id, lock=True)
    kept = Run.objects.filter(study=study, inputs_hash=study.verdict_hash)
    if came_back := kept.exclude(headline="").order_by("-job__submitted_at").first():
        verdict_again(came_back)
        return 1
    # After a new version of the plan the card's hash is of the old one until the next save.
    if kept.exists() or check(study_document(study)).hash != study.verdict_hash:
        return 0
    run_study(study)
    return 1


def _settled(since: datetime, until: datetime) -> list[tuple[UUID, UUID]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT workspace_id, study_id FROM runs_settled(%s, %s)", [since, until])
        return [(workspace_id, study_id) for workspace_id, study_id in cursor.fetchall()]
