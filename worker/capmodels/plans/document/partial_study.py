"""A study with faults, as far as it can be read: so that faults across it are told with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from capmodels.plans.document.fields import Finding
    from capmodels.plans.document.parts import Parts

Path = tuple[int | str, ...]

# No list of a study holds more; one that does is told to be too long, and its rest is left alone.
_LOOKED_AT = 200

# What a fault says is missing, by its code, may be a field that was left out for its own fault.
_SAID_OF_MISSING: dict[str, Path] = {
    "needs_service": ("workload", "service"),
    "needs_start": ("assumptions", "starts_on"),
}


class Outline(BaseModel):
    """A design that cannot be read, known by its letter and its kind alone."""

    letter: str
    kind: str


@dataclass(slots=True)
class PartialStudy:
    """Parts of a study that could be read, and the places left out of them for their faults."""

    parts: dict[str, Any] = field(default_factory=dict)
    left_out: set[Path] = field(default_factory=set)

    def tells(self, finding: Finding) -> bool:
        """Whether a finding is about what was read, not about what was left out."""
        if _SAID_OF_MISSING.get(finding.code) in self.left_out:
            return False
        return not any(finding.at[: len(place)] == place for place in self.left_out)


def partial_study_of(
    document: Mapping[str, Any], readers: Mapping[str, Parts], design: Parts
) -> PartialStudy:
    """Read every part of a study without the fields that have faults of their own.

    A part whose other fields do not make one without them is None; a design is then an
    outline. Ranges of what was left out are left out too.
    """
    partial = PartialStudy()
    for name in ("workload", "assumptions", "baseline"):
        read, lacking = readers[name].read_around(document.get(name))
        partial.parts[name] = read
        partial.left_out |= {(name, key) for key in lacking}
        if read is None and document.get(name) is not None:
            partial.left_out.add((name,))
    partial.parts["designs"] = _designs(partial, document.get("designs"), design)
    partial.parts["ranges"] = _ranges(partial, document.get("ranges"), readers["ranges"])
    return partial


def _designs(partial: PartialStudy, documents: Any, reader: Parts) -> tuple[Any, ...]:
    found = []
    for index, document in enumerate(_listed(documents)):
        read, lacking = reader.read_around(document)
        partial.left_out |= {("designs", index, key) for key in lacking}
        if read is None:
            partial.left_out.add(("designs", index))
            head = document if isinstance(document, Mapping) else {}
            read = Outline(letter=str(head.get("letter")), kind=str(head.get("kind")))
        found.append(read)
    return tuple(found)


def _ranges(partial: PartialStudy, documents: Any, reader: Parts) -> tuple[Any, ...]:
    """Ranges by their places; None where one has a fault, or is of what was left out."""
    letters = {design.letter: place for place, design in enumerate(partial.parts["designs"])}
    found = []
    for document in _listed(documents):
        read, _ = reader.read_around([document])
        item = None if read is None else read[0]
        if item is not None and any(
            _path(item.pointer, letters)[: len(place)] == place for place in partial.left_out
        ):
            item = None
        found.append(item)
    return tuple(found)


def _path(pointer: str, letters: Mapping[str, int]) -> Path:
    head, *rest = pointer[1:].split("/")
    if head == "designs" and rest:
        return head, letters.get(rest[0], -1), *rest[1:]
    return head, *rest


def _listed(value: Any) -> Iterable[Any]:
    return value[:_LOOKED_AT] if isinstance(value, list | tuple) else ()


def with_findings(error: ValidationError, findings: Sequence[Finding]) -> ValidationError:
    """Return the error of a document's fields with faults found across the document."""
    details = [_again(item) for item in error.errors()]
    details += [
        InitErrorDetails(type=_said(finding.code, finding.sentence), loc=finding.at, input=None)
        for finding in findings
    ]
    return ValidationError.from_exception_data(error.title, details)


def _said(code: str, sentence: str) -> PydanticCustomError:
    return PydanticCustomError(code, "{sentence}", {"sentence": sentence.removesuffix(".")})


def _again(item: Any) -> InitErrorDetails:
    """One error as it may be raised again; only errors of pydantic's own have an address."""
    kind = item["type"] if "url" in item else _said(item["type"], item["msg"])
    return InitErrorDetails(
        type=kind, loc=item["loc"], input=item["input"], ctx=item.get("ctx", {})
    )
