"""What gunicorn's arbiter does beside its workers: ``gunicorn -c python:config.serving``."""

from __future__ import annotations

from typing import Any

from prometheus_client import multiprocess

from common import metrics


def when_ready(_server: Any) -> None:
    """Answer Prometheus for all workers."""
    metrics.serve()


def child_exit(_server: Any, worker: Any) -> None:
    """Forget what was true of a worker only while it lived."""
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # untyped in its package
