"""Logs as one JSON object per line, or as readable lines when debugging."""

from __future__ import annotations

from typing import Any

import structlog


def logging_settings(*, debug: bool, level: str) -> dict[str, Any]:
    """Return Django's LOGGING; context bound with structlog is part of each line."""
    shared = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    final: list[Any] = (
        [structlog.dev.ConsoleRenderer(colors=False)]
        if debug
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [*shared, structlog.stdlib.ExtraAdder()],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *final,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # A refused request is the client's affair; the access log has it.
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "ERROR"},
            # A line when a task comes and one when it goes; the rows tell the same.
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
        },
    }
