"""The client: every operation, and what one does with several of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from ampacity_client import types
from ampacity_client.operations import Operations

ENDED = ("succeeded", "failed", "cancelled")


class Ampacity(Operations):
    """A workspace's API.

    >>> ampacity = Ampacity("http://127.0.0.1:8000", "amp_...")     # doctest: +SKIP
    >>> run = ampacity.wait_for_run(ampacity.runs_create({"study": "..."})["id"])  # doctest: +SKIP
    """

    def wait_for_run(
        self, run_id: str, *, timeout_s: float = 600.0, sleep: Callable[[float], None] = time.sleep
    ) -> types.RunDetailOutput:
        """Return a run once it has ended: asked every 100 ms at first, then slower, to 1 s.

        Raises
        ------
        TimeoutError
            When it has not ended in time.
        """
        self.wait_for(
            lambda: self.runs_get(run_id)["state"] in ENDED, timeout_s=timeout_s, sleep=sleep
        )
        return self.runs_get(run_id)

    @staticmethod
    def wait_for(
        is_done: Callable[[], bool],
        *,
        timeout_s: float = 600.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Ask until something is done: every 100 ms at first, then slower, to 1 s.

        Raises
        ------
        TimeoutError
            When it is not done in time.
        """
        waited_s, pause_s = 0.0, 0.1
        while not is_done():
            if waited_s >= timeout_s:
                message = f"This has not ended after {waited_s:.0f} s."
                raise TimeoutError(message)
            sleep(pause_s)
            waited_s += pause_s
            pause_s = 0.1 if waited_s < 1 else min(1.0, pause_s * 1.5)

    def all_pages(self, operation: Callable[..., Any], **filters: Any) -> Iterator[Any]:
        """Yield every row of a list, page by page: ``all_pages(client.studies_list, q="own")``."""
        cursor = None
        while True:
            page = operation(**filters, cursor=cursor)
            yield from page["results"]
            cursor = page["next_cursor"]
            if cursor is None:
                return
