"""Carries out one job: claim, work, record."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from django.db import InterfaceError, OperationalError
from structlog.contextvars import bound_contextvars

from capmodels.chunks import serving
from capmodels.errors import ModelError, ParamsError
from capmodels.formats.trace_store import using
from capworker.chunks import shared
from capworker.heartbeat import Heartbeat, Stopped
from capworker.persistence import persistently
from common import metrics
from common.errors import ApplicationError
from jobs import kinds, measures
from jobs.services import Fenced, job_claim, job_fail, job_give_back, job_succeed
from jobs.turns import job_turn
from traces.selectors import traces_of

if TYPE_CHECKING:
    from uuid import UUID

    from jobs.claims import ClaimedJob

UNEXPECTED = "This failed unexpectedly. It has been noted; the inputs are as you left them."
TOO_MUCH_MEMORY = (
    "This needs more memory than one job may take. Ask for less at once, such as fewer requests "
    "or a shorter trace."
)

logger = logging.getLogger(__name__)


def run_job(job_id: UUID, workspace_id: UUID) -> None:
    """Claim the job, or whose turn it is in its queue, do the work and record the outcome.

    Nothing is done when there is none to be had.

    A database that does not answer is raised: the lease runs out, and the reaper sends
    the job again.
    """
    job = _claim(job_id, workspace_id)
    if job is None:
        return
    with bound_contextvars(job_id=str(job.id), attempt=job.attempt), metrics.queries() as asked:
        try:
            with measures.TOOK_S.labels(job.kind).time():
                _work(job)
            asked.observe(job.kind)
        except Stopped as stopped:
            logger.info("stopped: %s", stopped)
        except Fenced:
            logger.warning("fenced: another attempt has the job, nothing is written")


def _claim(asked_id: UUID, asked_workspace_id: UUID) -> ClaimedJob | None:
    with job_turn(job_id=asked_id, workspace_id=asked_workspace_id) as (job_id, workspace_id):
        try:
            return job_claim(job_id=job_id, workspace_id=workspace_id)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("the inputs of a job cannot be read")
        # Claimed without them, so that it ends instead of being sent again for ever.
        job = job_claim(job_id=job_id, workspace_id=workspace_id, with_inputs=False)
        if job is not None:
            job_fail(job, UNEXPECTED, code="unexpected")
        return None


def _work(job: ClaimedJob) -> None:
    with Heartbeat(job) as heartbeat:
        try:
            chunks = shared(job, heartbeat.report)
            with using(traces_of(job.workspace_id)), serving(chunks):
                result = kinds.perform(job, heartbeat.report)
            persistently(partial(job_succeed, job, result))
        except (Stopped, Fenced, OperationalError, InterfaceError):
            raise
        except kinds.Later as later:
            persistently(partial(job_give_back, job, later))
        except (ModelError, ApplicationError) as exc:
            faults = exc.faults if isinstance(exc, ParamsError | ApplicationError) else []
            listed = [fault.as_dict() for fault in faults]
            fail = partial(job_fail, job, str(exc), code="refused", faults=listed)
            persistently(fail)
        except MemoryError:
            logger.warning("a job needs more memory than a worker may take")
            persistently(partial(job_fail, job, TOO_MUCH_MEMORY, code="memory"))
        except Exception:
            logger.exception("a job failed unexpectedly")
            persistently(partial(job_fail, job, UNEXPECTED, code="unexpected"))
