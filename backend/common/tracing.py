"""Traces from a request to the stored row, off unless TRACES_URL says where they go.

The packages are in a lock of their own (requirements/tracing.txt), which the image has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor


def start(service: str, *, processor: SpanProcessor | None = None) -> bool:
    """Trace requests, tasks and queries of this process; False where that is off.

    A message takes its sender's trace along, so that a browser's request (``traceparent``)
    and the worker's job are one. Call in each process after it was forked: what sends the
    spans away is a thread. Values of queries are never part of a span.

    Raises
    ------
    ImproperlyConfigured
        When traces are asked for and the packages are missing.
    """
    if not settings.TRACES_URL:
        return False
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.celery import CeleryInstrumentor
        from opentelemetry.instrumentation.django import DjangoInstrumentor
        from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as exc:
        message = f"TRACES_URL is set, but {exc.name} is missing: install requirements/tracing.txt."
        raise ImproperlyConfigured(message) from exc
    provider = TracerProvider(resource=Resource.create({"service.name": f"ampacity-{service}"}))
    exporter = OTLPSpanExporter(endpoint=f"{settings.TRACES_URL}/v1/traces")
    provider.add_span_processor(processor or BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    for instrumentor in (DjangoInstrumentor, CeleryInstrumentor, PsycopgInstrumentor):
        instrumentor().instrument(tracer_provider=provider)
    return True
