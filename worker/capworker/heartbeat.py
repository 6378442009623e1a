"""Keeps a job's lease while its model runs, and hears when it should stop."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Protocol, Self

from django.db import DatabaseError, close_old_connections

from jobs.services import (
    CancelRequested,
    Fenced,
    job_fail,
    job_progress,
    job_stop,
    job_watch,
    lease,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobs.claims import ClaimedJob

BEAT_S = 0.2
LEASE_SHARE = 1 / 3

logger = logging.getLogger(__name__)


class Stopped(Exception):
    """The job has ended while its work was going on: cancelled, too long, or another's."""


class Heartbeat:
    """Beats every 200 ms while some work goes on.

    The work calls ``report`` as often as it likes: that only leaves a note, and raises
    Stopped once the job has ended. The beat stores the note, renews the lease, sees a
    cancel, and ends the job at its time limit, also when the work never reports; what
    that work returns in the end is fenced off.
    """

    def __init__(self, job: ClaimedJob, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare; the first beat comes 200 to 400 ms after entering."""
        self._job = job
        self._clock = clock
        self._started_s = clock()
        self._renew_s = self._started_s + lease().total_seconds() * LEASE_SHARE
        self._note: tuple[float, str] | None = None
        self._stored: tuple[float, str] | None = None
        self._stopped: str | None = None

    def __enter__(self) -> Self:
        """Start beating."""
        HEART.take(self)
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop beating."""
        HEART.let_go(self)

    @property
    def is_due(self) -> bool:
        """Whether to beat: most jobs are over before their first beat."""
        return self._stopped is None and self._clock() - self._started_s >= BEAT_S

    def report(self, fraction: float, message: str) -> None:
        """Leave a note of how far the work is.

        Raises
        ------
        Stopped
            When the job has ended meanwhile.
        """
        self._note = (fraction, message)
        if self._stopped is not None:
            raise Stopped(self._stopped)

    def beat(self) -> None:
        """Do what is due now. Raises DatabaseError when the database does not answer."""
        now_s = self._clock()
        try:
            if now_s - self._started_s >= self._job.limit_s:
                message = f"Time limit of {self._job.limit_s} s exceeded."
                job_fail(self._job, message, code="time_limit")
                self._stopped = "its time is up"
            elif self._note != self._stored or now_s >= self._renew_s:
                note = self._note
                fraction, text = note or (None, None)
                job_progress(self._job, fraction, text)
                self._stored = note
                self._renew_s = now_s + lease().total_seconds() * LEASE_SHARE
            else:
                job_watch(self._job)
        except CancelRequested:
            job_stop(self._job)
            self._stopped = "it was cancelled"
        except Fenced:
            self._stopped = "another attempt has it, or it has ended"

    def beat_safely(self) -> None:
        """Beat; what is lost while the database is away is made up for by the next beat."""
        try:
            self.beat()
        except Fenced:
            self._stopped = "it has ended"
        except DatabaseError as exc:
            logger.warning("a beat was lost: %s", type(exc).__name__)
            close_old_connections()
        except Exception:
            # A bug must not end the beats of all jobs to come.
            logger.exception("a beat failed")


class Beating(Protocol):
    """What the heart beats for."""

    @property
    def is_due(self) -> bool:
        """Whether to beat."""

    def beat_safely(self) -> None:
        """Beat; raises nothing."""


class Heart:
    """One thread of the process, with a connection of its own, that beats for every heartbeat."""

    def __init__(self) -> None:
        """Start no thread yet: none would survive the fork of the workers."""
        self._heartbeats: set[Beating] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def take(self, heartbeat: Beating) -> None:
        """Beat for this one, too."""
        with self._lock:
            self._heartbeats.add(heartbeat)
            if self._thread is None:
                self._thread = threading.Thread(target=self._beat_on, daemon=True)
                self._thread.start()

    def let_go(self, heartbeat: Beating) -> None:
        """Beat no more for this one; waits for a beat that is under way."""
        with self._lock:
            self._heartbeats.discard(heartbeat)

    def _beat_on(self) -> None:
        while True:
            time.sleep(BEAT_S)
            with self._lock:
                for heartbeat in self._heartbeats:
                    if heartbeat.is_due:
                        heartbeat.beat_safely()


HEART = Heart()
