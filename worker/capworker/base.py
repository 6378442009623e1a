"""What every task of the worker is."""

from __future__ import annotations

from typing import Any

from celery import Task


class LoudTask(Task[Any, Any]):
    """A task whose messages say when they could not be acknowledged."""

    Request = "capworker.requests:LoudRequest"
