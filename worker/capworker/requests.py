"""How the worker's main process handles one message."""

from __future__ import annotations

import logging

from celery.worker.request import Request

logger = logging.getLogger("celery.worker.request")


class LoudRequest(Request):
    """A message whose lost acknowledgement is felt.

    Celery 5.7 logs a connection that breaks while it acknowledges, and goes on: the message
    keeps its place among those that a worker may hold at a time. With every place lost like
    that the worker asks for no more, so that it never notices the broken connection either
    (celery #10302). Raised, the error makes it connect anew, with every place free; the
    message comes again, and finds its job done.
    """

    def acknowledge(self) -> None:
        """Acknowledge; a broken connection is raised in the worker's loop."""
        if not self.acknowledged:
            self.on_ack(logger, ())
            self.acknowledged = True
