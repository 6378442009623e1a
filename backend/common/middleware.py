"""What every request gets: an id, a measured time, and headers that keep the browser strict."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import Histogram
from structlog.contextvars import bound_contextvars

Next = Callable[[HttpRequest], HttpResponse]

logger = logging.getLogger("ampacity.request")

SECONDS = Histogram(
    "ampacity_request_seconds",
    "Time to answer a request",
    ["method", "route", "status"],
    buckets=(0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12),
)


def observe(get_response: Next) -> Next:
    """Measure each request, name it in the logs, and tell the client the time it took."""

    def answer(request: HttpRequest) -> HttpResponse:
        request_id = uuid4().hex
        started_s = time.perf_counter()
        with bound_contextvars(request_id=request_id):
            response = get_response(request)
            taken_s = time.perf_counter() - started_s
            _log(request, response, taken_s)
        timings = response.headers.get("Server-Timing")
        total = f"app;dur={taken_s * 1000:.2f}"
        response.headers["Server-Timing"] = f"{timings}, {total}" if timings else total
        response.headers["X-Request-ID"] = request_id
        return response

    return answer


def security_headers(get_response: Next) -> Next:
    """Add the content security policy, and keep answers of the API out of caches."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        response.headers.setdefault("X-Frame-Options", "DENY")
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=()"
        )
        if request.path.startswith("/api/v1/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return answer


def _log(request: HttpRequest, response: HttpResponse, taken_s: float) -> None:
    match = request.resolver_match
    # The route, not the path: the number of labels must stay bounded.
    route = match.route if match else "static"
    method = request.method or ""
    SECONDS.labels(method, route, response.status_code).observe(taken_s)
    logger.log(
        logging.INFO if response.status_code >= 400 else logging.DEBUG,
        "request",
        extra={
            "method": method,
            "path": request.path,
            "status": response.status_code,
            "ms": round(taken_s * 1000, 2),
        },
    )
