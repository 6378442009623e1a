"""Where the numbers of a document come from: a map from JSON pointer to origin."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any, get_args

from capmodels.errors import Fault, pointer_of
from capmodels.numbers import whole_of
from capmodels.spec import JSONDict, Quality
from studies.documents import differences

QUALITIES = (*get_args(Quality), "typed")
TEXTS = ("source", "url", "as_of", "note", "entry", "field", "run", "file", "rows")
NUMBERS = ("low", "high", "times")
_WEB = ("http://", "https://")


def provenance_after(
    before: JSONDict, after: JSONDict, *, was: JSONDict, given: JSONDict, as_of: str
) -> JSONDict:
    """Return a document's provenance after a change of its values.

    Who types over a number becomes its source, unless the change says where the new
    one comes from; the origin of what was removed goes with it.

    Parameters
    ----------
    was, given
        The provenance before the change, and the one that came with it.
    as_of
        Today, as an ISO date.
    """
    result = dict(given)
    for change in differences(before, after):
        pointer = change["pointer"]
        stale = pointer in result and result[pointer] == was.get(pointer)
        if change["after"] is None:
            for key in [k for k in result if k == pointer or k.startswith(f"{pointer}/")]:
                if result[key] == was.get(key):
                    del result[key]
        elif stale or (_is_number(change["after"]) and not _is_told(pointer, result, was)):
            result[pointer] = {"quality": "typed", "source": "Typed in", "as_of": as_of}
    return result


def _is_told(pointer: str, given: JSONDict, was: JSONDict) -> bool:
    """Whether a change says where a value is from: at it, or anew for a group that holds it."""
    if pointer in given:
        return True
    while pointer := pointer.rpartition("/")[0]:
        if pointer in given:
            return bool(given[pointer] != was.get(pointer))
    return False


def lines_followed(
    before: JSONDict, after: JSONDict, origins: JSONDict
) -> tuple[JSONDict, JSONDict]:
    """Put the lines of a baseline, and their origins, where the same lines stand after a change.

    Lines have no name of their own: one is followed by what it says. Where as many stand between
    two that are found as stood there before, they are the same ones, changed.
    """
    old, new = (_lines(held) for held in (before, after))
    same = SequenceMatcher(None, [repr(line) for line in old], [repr(line) for line in new])
    moved: dict[int, int] = {}
    for tag, first, last, at, end in same.get_opcodes():
        if tag == "equal" or (tag == "replace" and last - first == end - at):
            moved |= dict(zip(range(first, last), range(at, end), strict=True))
    lines: list[Any] = [{}] * len(new)
    for place, now in moved.items():
        lines[now] = old[place]
    kept: JSONDict = {}
    for pointer, origin in origins.items():
        _, head, *rest = pointer.split("/")
        line = whole_of(rest[0]) if rest and head == "lines" else None
        if line is None:
            kept[pointer] = origin
        elif line in moved:
            kept["/".join(("/lines", str(moved[line]), *rest[1:]))] = origin
    return {**before, "lines": lines}, kept


def _lines(baseline: JSONDict) -> list[Any]:
    held = baseline.get("lines")
    return held if isinstance(held, list) else []


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def origin_faults(provenance: Any, pointer: str = "") -> list[Fault]:
    """Return what is wrong with a provenance map.

    Addresses are links on the screen, so only those of the web are taken.
    """
    if not isinstance(provenance, dict):
        return [Fault(pointer, "wrong_type", "Enter an object from pointer to origin.")]
    faults: list[Fault] = []
    for key, origin in provenance.items():
        place = pointer + pointer_of(key)
        if not key.startswith("/") or not isinstance(origin, dict):
            faults.append(Fault(place, "wrong_type", "Enter an origin at a JSON pointer."))
            continue
        if origin.get("quality") not in QUALITIES:
            message = f"Choose one of {', '.join(QUALITIES)}."
            faults.append(Fault(f"{place}/quality", "not_a_choice", message))
        url = origin.get("url")
        if url is not None and not str(url).lower().startswith(_WEB):
            faults.append(Fault(f"{place}/url", "invalid", "Enter an address of the web."))
        faults += _type_faults(origin, place)
    return faults


def _type_faults(origin: JSONDict, pointer: str) -> list[Fault]:
    wrong = {name: "Enter a text." for name in TEXTS if not isinstance(origin.get(name, ""), str)}
    wrong |= {name: "Enter a number." for name in NUMBERS if not _is_number(origin.get(name, 0))}
    return [
        Fault(f"{pointer}/{name}", "wrong_type", message)
        for name, message in wrong.items()
        if origin[name] is not None
    ]
