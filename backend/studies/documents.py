"""Study documents as plain JSON: put together, taken apart, compared. No database here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from capmodels.errors import Fault, pointer_of
from capmodels.numbers import whole_of

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

PLAN = "plans.compare"
LETTERS = "ABCDEFGH"
DESIGN_KEYS = ("letter", "title", "kind")
# A day, or none.
DAY = r"^(\d{4}-\d{2}-\d{2})?$"
_EXACT_MAX = 2**53


class Difference(TypedDict):
    """One place where two documents are not the same."""

    pointer: str
    change: Literal["added", "removed", "changed"]
    before: Any
    after: Any


def differences(before: Any, after: Any, pointer: str = "") -> list[Difference]:
    """Return every place where two documents differ, in document order.

    >>> [d["pointer"] for d in differences({"a": 1, "b": [1]}, {"a": 2, "b": [1, 3]})]
    ['/a', '/b/1']
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        keys = [*before, *(key for key in after if key not in before)]
        pairs: Iterator[tuple[str | int, bool, bool]] = (
            (key, key in before, key in after) for key in keys
        )
    elif isinstance(before, list) and isinstance(after, list):
        longest = range(max(len(before), len(after)))
        pairs = ((i, i < len(before), i < len(after)) for i in longest)
    else:
        same = before == after and isinstance(before, bool) == isinstance(after, bool)
        return [] if same else [_difference(pointer, "changed", before, after)]
    found: list[Difference] = []
    for key, was, is_ in pairs:
        place = pointer + pointer_of(key)
        if was and is_:
            found += differences(before[key], after[key], place)
        elif was:
            found.append(_difference(place, "removed", before[key], None))
        else:
            found.append(_difference(place, "added", None, after[key]))
    return found


def _difference(
    pointer: str, change: Literal["added", "removed", "changed"], before: Any, after: Any
) -> Difference:
    return {"pointer": pointer, "change": change, "before": before, "after": after}


def design_document(design: Mapping[str, Any]) -> JSONDict:
    """Return a design as the plan takes it: letter, title, kind and its fields in one object."""
    head = {key: design[key] for key in DESIGN_KEYS}
    return {**head, **{k: v for k, v in design["spec"].items() if k not in DESIGN_KEYS}}


def split_faults(
    faults: Sequence[Fault], letters: Sequence[str]
) -> tuple[list[Fault], dict[str, list[Fault]]]:
    """Share a document's faults out to the study and to its designs.

    The plan counts designs by position; a planner knows them by letter. The first
    list holds every fault with designs named by letter (``/designs/B/staff_fte``),
    the second those of each design with pointers relative to its own fields.
    """
    named: list[Fault] = []
    by_letter: dict[str, list[Fault]] = {letter: [] for letter in letters}
    for fault in faults:
        head, place, rest = _design_place(fault.pointer)
        if head and place < len(letters):
            letter = letters[place]
            by_letter[letter].append(Fault(rest, fault.code, fault.message))
            pointer = pointer_of("designs", letter) + rest
            named.append(Fault(pointer, fault.code, fault.message))
        else:
            named.append(fault)
    return named, by_letter


def _design_place(pointer: str) -> tuple[bool, int, str]:
    parts = pointer.split("/", 3)
    place = whole_of(parts[2]) if len(parts) > 2 else None
    if place is None or parts[1] != "designs":
        return False, 0, ""
    return True, place, f"/{parts[3]}" if len(parts) > 3 else ""


class JSONReader(json.JSONDecoder):
    """Reads what the database keeps as JSON: integers that no double holds were doubles.

    PostgreSQL writes 1e22 out in full, which then looks like an integer.
    """

    def __init__(self) -> None:
        """Hook the reading of integers."""
        super().__init__(parse_int=_integer)


def _integer(text: str) -> int | float:
    return int(text) if abs(float(text)) <= _EXACT_MAX else float(text)


def rented_from(kind: str, spec: JSONDict, designs: Sequence[tuple[str, str]]) -> JSONDict:
    """Return a new design's fields; what a cluster lacks is rented as in the study's first cloud.

    Without that, a cluster that was bought for the planned demand meets no larger one.

    Parameters
    ----------
    designs
        Letter and kind of the study's other designs.
    """
    if kind != "owned_cluster" or "shortfall_letter" in spec:
        return spec
    letter = next((letter for letter, other in designs if other == "cloud"), None)
    return spec if letter is None else {**spec, "shortfall_letter": letter}


def document_get(document: Any, pointer: str) -> Any:
    """Return what stands at a JSON pointer; None where nothing does.

    >>> document_get({"a": [{"b/c": 1}]}, "/a/0/b~1c")
    1
    """
    for part in _parts(pointer):
        if isinstance(document, list):
            place = whole_of(part)
            document = document[place] if place is not None and place < len(document) else None
        else:
            document = document.get(part) if isinstance(document, Mapping) else None
    return document


def document_set(document: Any, pointer: str, value: Any) -> Any:
    """Return a document with another value at the pointer of one that is there.

    >>> document_set({"a": [1, 2], "b": 3}, "/a/1", 5)
    {'a': [1, 5], 'b': 3}
    """
    parts = _parts(pointer)
    if not parts:
        return value
    rest = pointer_of(*parts[1:])
    if isinstance(document, list):
        place = int(parts[0])
        changed = document_set(document[place], rest, value)
        return [*document[:place], changed, *document[place + 1 :]]
    return {**document, parts[0]: document_set(document.get(parts[0]), rest, value)}


def _parts(pointer: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
