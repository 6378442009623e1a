"""What a service raises when it refuses; each becomes a problem document.

The text of these errors is shown to the planner: what is wrong, where, and what
would be right.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from capmodels.errors import Fault, pointer_of

_Row = TypeVar("_Row")
NOT_FOUND_SENTENCE = "Nothing here has this id."


class ApplicationError(Exception):
    """A refusal with a status, a machine-readable code and a sentence.

    ``faults`` say which fields are wrong, all at once; ``extra`` adds members to the
    problem document, ``headers`` to the response.
    """

    status: int = 400
    code: ClassVar[str] = "refused"
    title: ClassVar[str] = "The request was refused"

    def __init_subclass__(cls, *, status: int = 400, code: str, title: str) -> None:
        """Declare a kind of refusal."""
        cls.status, cls.code, cls.title = status, code, title

    def __init__(
        self,
        detail: str = "",
        *,
        faults: list[Fault] | None = None,
        extra: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Keep what the problem document will say."""
        self.faults = faults or []
        self.detail = detail or (self.faults[0].message if self.faults else self.title)
        self.extra = extra or {}
        self.headers = headers or {}
        super().__init__(self.detail)


class BadRequest(ApplicationError, code="bad_request", title="The request cannot be read"):
    """The request cannot be read."""


class NotSignedIn(ApplicationError, status=401, code="not_signed_in", title="Sign in first"):
    """Nobody is signed in, or the code, password or token is not valid."""


class CodeNeeded(
    ApplicationError, status=401, code="code_needed", title="Enter the code of your authenticator"
):
    """The password is right; a one-time code is needed besides."""


class Forbidden(ApplicationError, status=403, code="forbidden", title="This is not allowed"):
    """Signed in, but this is not allowed."""


class NotFound(ApplicationError, status=404, code="not_found", title="Not found"):
    """No such thing in this workspace; says the same for missing and foreign ids."""

    def __init__(self, of: object = None) -> None:
        """Keep the id that was looked for, to point at it in a request's body.

        There are no other words: a hint would tell a stranger which ids exist.
        """
        super().__init__(NOT_FOUND_SENTENCE)
        self.of = of

    def point(self, body: object) -> None:
        """Point at each place at the top of a request's body that holds the id."""
        for name, value in body.items() if isinstance(body, dict) else ():
            several = value if isinstance(value, list) else [value]
            if self.of is not None and str(self.of) in map(str, several):
                self.faults.append(Fault(pointer_of(name), self.code, NOT_FOUND_SENTENCE))


def existing(row: _Row | None, of: object = None) -> _Row:
    """Return what was looked for by the id ``of``; raise NotFound when there is none."""
    if row is None:
        raise NotFound(of)
    return row


class Conflict(
    ApplicationError, status=409, code="conflict", title="This conflicts with what is stored"
):
    """The thing changed meanwhile, or is in a state that does not allow this."""


class Changed(
    ApplicationError, status=412, code="changed", title="This was changed since it was read"
):
    """What If-Match names is not what is stored any more."""


class TooLarge(ApplicationError, status=413, code="too_large", title="This is too large"):
    """More than may be asked for at once."""


class Invalid(ApplicationError, status=422, code="invalid", title="Some values cannot be"):
    """Values that cannot be; carries every fault of the document."""

    @classmethod
    def at(cls, pointer: str, message: str, code: str = "invalid") -> Invalid:
        """Return the error of one field."""
        return cls(faults=[Fault(pointer, code, message)])


class Unreachable(
    ApplicationError, status=424, code="unreachable", title="Another service does not answer"
):
    """Another service, which this answer needs, is away; ours is not, so it is no 503."""


class TooMany(ApplicationError, status=429, code="too_many", title="Too many requests"):
    """Asked too often; says when to try again."""

    def __init__(self, detail: str, *, retry_after_s: int) -> None:
        """Word the refusal and set Retry-After."""
        super().__init__(detail, headers={"Retry-After": str(retry_after_s)})


class Unavailable(
    ApplicationError, status=503, code="unavailable", title="Not available at the moment"
):
    """Something this answer needs is not at hand; try again."""


class Full(ApplicationError, status=507, code="full", title="There is no room left to store this"):
    """There is no room left to store anything; an operator has to make some."""
