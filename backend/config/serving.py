"""What gunicorn does beside serving: ``gunicorn -c python:config.serving``, and its workers."""

from __future__ import annotations

import time
from typing import Any

from gunicorn.workers.gthread import ThreadWorker
from prometheus_client import multiprocess

from common import metrics


def when_ready(_server: Any) -> None:
    """Answer Prometheus for all workers."""
    metrics.serve()


def child_exit(_server: Any, worker: Any) -> None:
    """Forget what was true of a worker only while it lived."""
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # untyped in its package


# Of a body that was refused unread so much is taken in, for so long, before the connection ends.
_UNREAD_BYTES_MAX, _UNREAD_S = 32_000_000, 5.0


class Threads(ThreadWorker):  # type: ignore[misc]  # untyped in its package
    """Gunicorn's worker with threads, with three things otherwise.

    It touches its file once a second, not at each event: a request is four events, and at each the
    system was asked three times for nothing. And a request that came with the rest of a body that
    nobody read is served at once: it is read ahead by then, so its socket never turns readable.
    A body that is refused before it is read, such as a file for which there is no room, is taken in
    all the same: who still sends when the connection ends never sees the answer.
    """

    _due_s = 0.0

    def notify(self) -> None:
        """Tell the arbiter that this process works."""
        if (now_s := time.monotonic()) >= self._due_s:
            self._due_s = now_s + 1.0
            super().notify()

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Serve what was read ahead, or wait for the next request of the connection."""
        kept = not fs.cancelled() and fs.exception() is None and fs.result() is True
        if kept and self.alive and conn.parser.unreader.buf.getbuffer().nbytes:
            self.enqueue_req(conn)
        else:
            super().finish_request(conn, fs)

    def _keepalive_after(self, conn: Any, keepalive: bool) -> bool:
        until_s = time.monotonic() + _UNREAD_S
        is_read = conn.parser.finish_body(deadline=until_s, max_bytes=_UNREAD_BYTES_MAX)
        return keepalive and bool(is_read)
