"""What Prometheus asks for, on a port of its own and for a token only.

Where several processes of one container measure, they share PROMETHEUS_MULTIPROC_DIR, and the
first of them (gunicorn's arbiter, a worker's main process) answers for all.
"""

from __future__ import annotations

import hmac
import os
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Histogram,
    generate_latest,
    multiprocess,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prometheus_client.registry import Collector

BUCKETS_S = (0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12)

QUERIES_S = Histogram(
    "ampacity_query_seconds",
    "Time in the database for one request or job",
    ["operation"],
    buckets=BUCKETS_S,
)


class Queries:
    """Adds up the time of what is asked of the database."""

    def __init__(self) -> None:
        """Start at nothing."""
        self.total_s = 0.0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        """Ask, and add."""
        started_s = time.perf_counter()
        try:
            return execute(*args)
        finally:
            self.total_s += time.perf_counter() - started_s

    def observe(self, operation: str) -> None:
        """Note what it came to."""
        QUERIES_S.labels(operation).observe(self.total_s)


@contextmanager
def queries() -> Iterator[Queries]:
    """Measure what this thread asks of the database meanwhile."""
    asked = Queries()
    with connection.execute_wrapper(asked):
        yield asked


def registry(*collectors: Collector) -> CollectorRegistry:
    """Return what all processes of this container have measured, and what is looked up now."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        found = CollectorRegistry()
        multiprocess.MultiProcessCollector(found)  # type: ignore[no-untyped-call]  # untyped in its package
    else:
        found = REGISTRY
    for collector in collectors:
        found.register(collector)
    return found


def serve(*collectors: Collector) -> ThreadingHTTPServer | None:
    """Answer Prometheus from a thread, where METRICS_ADDRESS says that there is one."""
    if settings.METRICS_ADDRESS is None:
        return None
    host, port = settings.METRICS_ADDRESS
    server = ThreadingHTTPServer((host, port), _handler(registry(*collectors)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server


def _handler(found: CollectorRegistry) -> type[BaseHTTPRequestHandler]:
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given = self.headers.get("Authorization", "").encode()
            if not hmac.compare_digest(given, wanted):
                self._answer(401, b"A token is needed.\n", "text/plain")
            else:
                self._answer(200, generate_latest(found), CONTENT_TYPE_LATEST)

        def _answer(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Be quiet: it is asked every few seconds."""

    return Handler
