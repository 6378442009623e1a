"""Which kinds of job there are: registered by name by the apps above, never imported here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from datetime import timedelta

    from jobs.claims import ClaimedJob

INTERACTIVE, BATCH, REPORTS, WEBHOOKS = "interactive", "batch", "reports", "webhooks"

# Hard limits in seconds. The broker's visibility timeout is above the longest.
LIMITS_S = {INTERACTIVE: 60, BATCH: 3600, REPORTS: 120, WEBHOOKS: 60}
QUEUES = tuple(LIMITS_S)

# report(fraction, message) may be called as often as one likes; it raises to stop the job.
Report = Callable[[float, str], None]


class Later(Exception):
    """Raised by a kind's ``perform``: give the job back, it is taken again after the wait."""

    def __init__(self, message: str, wait: timedelta) -> None:
        """Say what it waits for, in words for the planner."""
        super().__init__(message)
        self.wait = wait


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """How one kind of job is carried out. The functions are dotted paths.

    ``load(job) -> inputs``
        Optional. Runs in the claim's transaction, inside the workspace; what it returns is
        ``job.inputs``. Saves a second transaction for reading the inputs.
    ``perform(job, report) -> result``
        Does the work, outside of any transaction and workspace; has no effect of its own.
        Raises a ModelError or ApplicationError with a sentence when there is no answer, Later
        when the job is to go back to its queue.
    ``record(job, result) -> None``
        Writes the result, inside the workspace and in the transaction that ends the job.
    ``warm() -> None``
        Optional. Runs once in each worker that takes the kind's queue, before it forks: loads
        what the first job would wait for. Starts no thread, since none survives a fork.
    """

    name: str
    queue: str
    perform: str
    record: str
    load: str | None = None
    warm: str | None = None


_kinds: dict[str, JobKind] = {}


def register(kind: JobKind) -> None:
    """Make a kind known. Called when an app is ready."""
    if kind.queue not in LIMITS_S:
        message = f"{kind.name} names the queue {kind.queue!r}; there are {', '.join(QUEUES)}."
        raise ValueError(message)
    _kinds[kind.name] = kind


def register_work(
    work: str, queues: Mapping[str, str], *, loads: bool = False, warm: str | None = None
) -> None:
    """Make kinds known that the same functions carry out: ``work`` with ``_perform`` and the like.

    ``queues`` has the queue of each kind by its name; what is warmed is for those of short work.
    """
    for name, queue in queues.items():
        register(
            JobKind(
                name=name,
                queue=queue,
                load=f"{work}_load" if loads else None,
                perform=f"{work}_perform",
                record=f"{work}_record",
                warm=None if queue == BATCH else warm,
            )
        )


def kind_of(name: str) -> JobKind:
    """Return a registered kind; KeyError when no installed app registered it."""
    return _kinds[name]


def load_code() -> None:
    """Import the functions of every kind, so that forked workers share them."""
    for kind in _kinds.values():
        for path in (kind.load, kind.perform, kind.record):
            if path:
                _function(path)


def warm(queues: Collection[str]) -> None:
    """Load what the first jobs of these queues would wait for."""
    for kind in _kinds.values():
        if kind.warm and kind.queue in queues:
            _function(kind.warm)()


def load(job: ClaimedJob) -> Any:
    """Read a job's inputs, in the claim's transaction."""
    path = kind_of(job.kind).load
    return _function(path)(job) if path else None


def perform(job: ClaimedJob, report: Report) -> Any:
    """Do a job's work and return its result."""
    return _function(kind_of(job.kind).perform)(job, report)


def record(job: ClaimedJob, result: Any) -> None:
    """Write a job's result, in the transaction that ends the job."""
    _function(kind_of(job.kind).record)(job, result)


@cache
def _function(path: str) -> Callable[..., Any]:
    function: Callable[..., Any] = import_string(path)
    return function
