"""The one exception family of the models.

The text of a ``ModelError`` is shown to the user. Anything else that escapes a
model is a bug.
"""

from __future__ import annotations

from dataclasses import dataclass

# So many faults of a document are told; finding and sending more would help nobody.
FAULTS_MOST = 50


def pointer_of(*parts: str | int) -> str:
    """Return the JSON pointer of a path (RFC 6901).

    >>> pointer_of("designs", 0, "a/b")
    '/designs/0/a~1b'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a document, at one place in it."""

    pointer: str
    code: str
    message: str

    def as_dict(self) -> dict[str, str]:
        """Return the fault in the shape of the API's ``errors`` list."""
        return {"pointer": self.pointer, "code": self.code, "message": self.message}


class ModelError(Exception):
    """A model cannot answer; the message says why, in the planner's words."""


class ParamsError(ModelError):
    """A document cannot be a model's input; carries every fault at once."""

    def __init__(self, faults: list[Fault]) -> None:
        """Keep the faults and word the first of them as the message."""
        self.faults = faults
        super().__init__(faults[0].message if faults else "The input is not valid.")


class UnknownModel(ModelError):
    """No model has this id."""


class PointLimitExceeded(ModelError):
    """The question is larger than the model may answer at once."""


EMPTY_FILE = "The file is empty. Send one with data in it."
