"""Does what is due: runs of saved changes, mail, lost jobs, lost workers, clearing up."""

from __future__ import annotations

import logging
import signal
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import close_old_connections, connections

from common import metrics
from common.startup import require_app_role, require_identity
from config import chores
from jobs import monitoring

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

# How often saved changes are looked for: their runs are to be there within a second. A change
# counts once it has rested for longer than the first, so it is seen before; then often, until
# its run is there.
RUNS_IDLE_S, RUNS_SOON_S = 0.25, 0.05


@dataclass(slots=True)
class Chore:
    """Something to do again and again."""

    every_s: float
    do: Callable[[], object]
    due_s: float = 0.0
    said: object = None


class Command(BaseCommand):
    """Runs until it is told to stop. Several at once do no harm."""

    help = __doc__

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Do each chore when it is due."""
        require_app_role()
        require_identity()
        metrics.serve(monitoring.LoadCollector())
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        plan = [
            Chore(1, chores.mail_send),
            Chore(5, chores.reap),
            Chore(60, chores.workers_forget),
            Chore(60, chores.prices_tell),
            Chore(60, chores.retain),
            Chore(60, chores.objects_sweep),
            Chore(3600, chores.clear_up),
        ]
        # On a thread of its own: nobody waits for a slow chore to end.
        beside = threading.Thread(target=keep_runs, args=(stop,), daemon=True)
        beside.start()
        while not stop.is_set():
            run_due(plan, time.monotonic())
            if settings.ALIVE_FILE:
                settings.ALIVE_FILE.touch()
            stop.wait(1.0)
        beside.join()


def keep_runs(stop: threading.Event) -> None:
    """Keep runs of saved changes until it is time to stop; seldom asked while nothing is saved."""
    chore = Chore(0, chores.runs_keep)
    while not stop.wait(RUNS_SOON_S if chore.said else RUNS_IDLE_S):
        run_due([chore], time.monotonic())
    connections.close_all()


def run_due(plan: list[Chore], now_s: float) -> None:
    """Do the chores that are due; one that fails is logged and due again later."""
    for chore in plan:
        if chore.due_s > now_s:
            continue
        chore.due_s = now_s + chore.every_s
        # A server that was restarted must not fail every later round.
        close_old_connections()
        chore.said = None
        try:
            chore.said = chore.do()
        except Exception:
            logger.exception("a chore failed; it is due again in %s s", chore.every_s)
