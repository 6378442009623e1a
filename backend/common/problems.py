"""The one error shape (RFC 9457): turns every failure of a view into a problem document."""

from __future__ import annotations

import errno
import logging
import math
from itertools import islice
from typing import TYPE_CHECKING, Any, TypedDict

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from psycopg.errors import DiskFull
from pydantic import ValidationError
from rest_framework import exceptions
from rest_framework.response import Response

from capmodels.errors import (
    FAULTS_MOST,
    Fault,
    ModelError,
    ParamsError,
    PointLimitExceeded,
    UnknownModel,
    pointer_of,
)
from capmodels.spec import faults_of
from common.errors import (
    ApplicationError,
    BadRequest,
    Forbidden,
    Full,
    Invalid,
    NotFound,
    NotSignedIn,
    TooLarge,
    TooMany,
    Unavailable,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

PROBLEM_TYPE = "application/problem+json"

logger = logging.getLogger(__name__)


class FaultDict(TypedDict):
    """One entry of ``errors``."""

    pointer: str
    code: str
    message: str


class Problem(TypedDict):
    """RFC 9457, with the faults of the document."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FaultDict]


def problem_of(error: ApplicationError) -> dict[str, Any]:
    """Return the problem document of an error."""
    return {
        "type": f"urn:ampacity:{error.code}",
        "title": error.title,
        "status": error.status,
        "detail": error.detail,
        "errors": [fault.as_dict() for fault in error.faults[:FAULTS_MOST]],
        **error.extra,
    }


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Answer DRF with the problem document of any error that a view may raise.

    What is none of ours is a bug: None lets Django log it and answer 500.
    """
    error = as_application_error(exc, context)
    if error is None:
        return None
    if isinstance(error, NotFound):
        # what was not read yet is not read for this
        error.point(getattr(context.get("request"), "_full_data", None))
    return Response(
        problem_of(error), status=error.status, headers=error.headers, content_type=PROBLEM_TYPE
    )


def as_application_error(exc: Exception, context: dict[str, Any]) -> ApplicationError | None:
    """Translate an exception of pydantic, capmodels, Django or DRF into ours."""
    if isinstance(exc, ApplicationError):
        return exc
    if isinstance(exc, ValidationError):
        request = context.get("request")
        return Invalid(faults=faults_of(exc, getattr(request, "data", None)))
    if isinstance(exc, ModelError):
        return _of_model_error(exc)
    if isinstance(exc, exceptions.APIException):
        return _of_drf(exc)
    return _of_django(exc)


RETRY_AFTER_S = 2


def _of_django(exc: Exception) -> ApplicationError | None:
    if isinstance(exc, DataError):
        # Every field is checked by its name before; this is what nobody has thought of.
        logger.warning("a value that the database does not take", exc_info=exc)
        return Invalid.at("", "A value of the request cannot be stored or looked for.", "unfit")
    if isinstance(exc, UnreadablePostError):
        return BadRequest("The request was cut off. Send it again.")
    return of_storage(exc) or _of_request(exc)


def of_storage(exc: BaseException | None) -> ApplicationError | None:
    """Translate what a database that is away, or a full disk, raises."""
    cause = getattr(exc, "__cause__", None)
    if isinstance(cause, DiskFull) or getattr(exc, "errno", None) == errno.ENOSPC:
        logger.error("no room is left", exc_info=exc)
        return Full("There is no room left to store this. Ask whoever runs this service.")
    if isinstance(exc, OperationalError | InterfaceError):
        logger.warning("the database does not answer", exc_info=exc)
        message = "The database does not answer at the moment. Try again in a little while."
        return Unavailable(message, headers={"Retry-After": str(RETRY_AFTER_S)})
    return None


def _of_request(exc: Exception) -> ApplicationError | None:
    if isinstance(exc, Http404):
        return NotFound()
    if isinstance(exc, PermissionDenied):
        return Forbidden("This is not allowed.")
    if isinstance(exc, RequestDataTooBig):
        return TooLarge("The request is larger than 10 MB.")
    return None


def _of_model_error(exc: ModelError) -> ApplicationError:
    if isinstance(exc, ParamsError):
        return Invalid(faults=exc.faults)
    if isinstance(exc, PointLimitExceeded):
        return TooLarge(str(exc))
    if isinstance(exc, UnknownModel):
        return NotFound()
    # Of no field in particular: the document as a whole cannot be answered.
    return Invalid.at("", str(exc), "no_answer")


def _of_drf(exc: exceptions.APIException) -> ApplicationError:
    if isinstance(exc, exceptions.ValidationError):
        return Invalid(faults=list(islice(_faults(exc.detail, ""), FAULTS_MOST)))
    if isinstance(exc, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        # What says more than the framework does has a code of its own.
        usual = exc.get_codes() == exc.default_code
        sentence = "Sign in, or send a valid token." if usual else str(exc.detail)
        return NotSignedIn(sentence, headers={"WWW-Authenticate": "Bearer"})
    if isinstance(exc, exceptions.PermissionDenied):
        return Forbidden(_refusal(exc))
    if isinstance(exc, exceptions.NotFound):
        return NotFound()
    if isinstance(exc, exceptions.Throttled):
        message = "You ask for more at once than one workspace may. Try again in a little while."
        return TooMany(message, retry_after_s=max(1, math.ceil(getattr(exc, "wait", None) or 1)))
    error = BadRequest(_refusal(exc))
    error.status = exc.status_code  # 405, 406 and 415 keep their own
    return error


# What the framework itself refuses, by its code: nothing of ours raises these.
_REFUSALS = {
    "parse_error": "The request cannot be read. Send it as the description of this address says.",
    "method_not_allowed": "This address does not take requests of this method.",
    "not_acceptable": "The answer cannot be given in the form that is asked for. Ask for JSON.",
    "unsupported_media_type": "Send the request as JSON (Content-Type: application/json).",
}


def _refusal(exc: exceptions.APIException) -> str:
    if str(exc.detail).startswith("CSRF"):
        return (
            "This page was opened under another sign-in. Load it again. (The header X-CSRFToken "
            "is missing or of another session; a token needs none.)"
        )
    return _REFUSALS.get(exc.default_code, "This is not allowed.")


def _faults(detail: Any, pointer: str) -> Iterator[Fault]:
    """Flatten DRF's nested messages, with the place of each as a JSON pointer."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            below = pointer if key == "non_field_errors" else pointer + pointer_of(key)
            yield from _faults(value, below)
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            nested = isinstance(value, dict | list)
            yield from _faults(value, f"{pointer}/{index}" if nested else pointer)
    else:
        yield Fault(pointer, getattr(detail, "code", "invalid"), str(detail))
