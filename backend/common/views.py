"""Health, the single page, and errors outside of DRF's views."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from common import health
from common.errors import ApplicationError, BadRequest, Forbidden, NotFound
from common.problems import PROBLEM_TYPE, of_storage, problem_of
from common.renderers import dumps

if TYPE_CHECKING:
    from pathlib import Path


class _ServerError(
    ApplicationError, status=500, code="server_error", title="Something went wrong on our side"
):
    """A bug, or a session that could not be kept."""


def healthz(_request: HttpRequest) -> HttpResponse:
    """Say that this process lives."""
    return _json({"ok": True})


def readyz(_request: HttpRequest) -> HttpResponse:
    """Say whether this process can answer: 503 with what is wrong, else 200."""
    faults = health.faults()
    return _json({"ok": not faults, "faults": faults}, status=503 if faults else 200)


def page(request: HttpRequest) -> HttpResponse:
    """Return the single page, whatever its address; the page itself knows its views."""
    folder: Path | None = settings.FRONTEND_DIST
    index = folder / "index.html" if folder else None
    if request.method not in {"GET", "HEAD"} or index is None or not index.is_file():
        return not_found(request)
    response = HttpResponse(index.read_bytes(), content_type="text/html; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


def bad_request(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django itself refuses."""
    return _problem(BadRequest("The request cannot be read."))


def forbidden(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what is not allowed."""
    return _problem(Forbidden("This is not allowed."))


def csrf_failure(_request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a request without the right CSRF token."""
    return _problem(Forbidden(f"The CSRF token is missing or wrong. {reason}"))


def not_found(_request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer an address that leads nowhere."""
    return _problem(NotFound())


def server_error(_request: HttpRequest) -> HttpResponse:
    """Answer after a bug, or when even the session could not be kept; the log has the cause."""
    if (error := of_storage(sys.exception())) is not None:
        return _problem(error)
    return _problem(_ServerError("Something went wrong on our side. It has been noted."))


def _problem(error: ApplicationError) -> HttpResponse:
    return HttpResponse(
        dumps(problem_of(error)),
        status=error.status,
        content_type=PROBLEM_TYPE,
        headers=error.headers,
    )


def _json(body: object, status: int = 200) -> HttpResponse:
    return HttpResponse(dumps(body), status=status, content_type="application/json")
