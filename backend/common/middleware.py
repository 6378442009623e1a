"""What every request gets: an id, a measured time, and headers that keep the browser strict."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import Gauge, Histogram
from structlog.contextvars import bound_contextvars

from common import metrics

Next = Callable[[HttpRequest], HttpResponse]

logger = logging.getLogger("ampacity.request")

SECONDS = Histogram(
    "ampacity_request_seconds",
    "Time to answer a request",
    ["method", "route", "status"],
    buckets=metrics.BUCKETS_S,
)
IN_PROGRESS = Gauge(
    "ampacity_requests_in_progress", "Threads that answer", multiprocess_mode="livesum"
)


def observe(get_response: Next) -> Next:
    """Measure each request, name it in the logs, and tell the client the time it took."""

    def answer(request: HttpRequest) -> HttpResponse:
        request_id = uuid4().hex
        started_s = time.perf_counter()
        with (
            bound_contextvars(request_id=request_id),
            IN_PROGRESS.track_inprogress(),
            metrics.queries() as asked,
        ):
            response = get_response(request)
            taken_s = time.perf_counter() - started_s
            _log(request, response, taken_s)
            if asked.total_s:
                asked.observe(_route(request))
        timings = response.headers.get("Server-Timing")
        total = f"app;dur={taken_s * 1000:.2f}"
        response.headers["Server-Timing"] = f"{timings}, {total}" if timings else total
        response.headers["X-Request-ID"] = request_id
        return response

    return answer


def let_go(get_response: Next) -> Next:
    """Make room for a caller's next request, however this one ended; name what is left."""

    def answer(request: HttpRequest) -> HttpResponse:
        try:
            response = get_response(request)
        finally:
            if (gate_pass := getattr(request, "gate_pass", None)) is not None:
                gate_pass.leave()
        if (rate_limits := getattr(request, "rate_limits", None)) is not None:
            for name, text in rate_limits().items():
                response[name] = text
        return response

    return answer


def security_headers(get_response: Next) -> Next:
    """Add the content security policy, and keep answers of the API out of caches."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        response.headers.setdefault("X-Frame-Options", "DENY")
        # What is shared by a link is for who has the link.
        response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=()"
        )
        if request.path.startswith("/api/v1/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return answer


def _route(request: HttpRequest) -> str:
    # The route, not the path: the number of labels must stay bounded.
    return request.resolver_match.route if request.resolver_match else "static"


def _log(request: HttpRequest, response: HttpResponse, taken_s: float) -> None:
    method = request.method or ""
    SECONDS.labels(method, _route(request), response.status_code).observe(taken_s)
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
