"""Writes an outcome, also while the database is being restarted."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from django.db import InterfaceError, OperationalError, close_old_connections

if TYPE_CHECKING:
    from collections.abc import Callable

# How long a finished result waits for a database that is being restarted.
PATIENCE_S = 60.0
PAUSE_S = 0.25

logger = logging.getLogger(__name__)


def persistently(
    write: Callable[[], None],
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Write an outcome, again and again while the database is being restarted.

    A commit whose answer was lost is found out by the fence: the second try changes no
    row, as the job has ended.
    """
    give_up_s = clock() + PATIENCE_S
    while True:
        try:
            write()
        except (OperationalError, InterfaceError):
            if clock() > give_up_s:
                raise
            logger.warning("the database does not answer; the outcome is written later")
            sleep(PAUSE_S)
            close_old_connections()
        else:
            return
