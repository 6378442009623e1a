"""What is refused before Django is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from common.problems import PROBLEM_TYPE, problem_of
from common.renderers import dumps

if TYPE_CHECKING:
    from common.errors import ApplicationError

StartResponse = Callable[..., Any]
Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]


def refused(start: StartResponse, error: ApplicationError) -> Iterable[bytes]:
    """Answer with a problem document."""
    body = dumps(problem_of(error))
    headers = [("Content-Type", PROBLEM_TYPE), ("Content-Length", str(len(body)))]
    start(f"{error.status} {error.title}", [*headers, *error.headers.items()])
    return [body]
