"""What moves when an input is moved: one rule for sliders, the tornado and break-evens.

An unknown is one quantity, whatever inputs it stands in. Moved to a value it is known: it has
that value wherever it stands, each input at the same share of its own range, and its range is
gone. So what a slider answers is the answer of the study with those values entered, what a bar of
the tornado and a break-even say is that answer on average, and nothing else moves.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Literal

from capmodels.errors import Fault, ParamsError
from capmodels.plans.document.combinations import unsettled_of
from capmodels.plans.document.pointers import Leaf, leaf_at
from capmodels.plans.document.quantities import Member, Quantity, quantities_of
from capmodels.plans.document.study import StudySpec
from capmodels.registry import get_model
from capmodels.spec import JSONDict, validate

PLAN = "plans.compare"
Ranges = Literal["drop", "move", "keep"]


def moved(
    document: JSONDict, moves: Mapping[str, float], *, ranges: Ranges = "drop"
) -> dict[str, Any]:
    """Return what inputs moved to other values change in a study, by pointer.

    Parameters
    ----------
    document : dict
        A valid document of ``plans.compare``.
    moves : mapping of str to float
        The new value of each input, by pointer with designs by letter, in the input's unit.
        One input stands for the quantity that it belongs to.
    ranges : {"drop", "move", "keep"}
        What becomes of the quantity's ranges: gone, since it is known; moved along, by the same
        ratio as the value; or left as they are, stretched to the value where it is outside.

    Returns
    -------
    dict
        Each input that stands otherwise, with its value; ``/ranges`` and
        ``/assumptions/correlations``, whole, where they are other than in the document.

    Raises
    ------
    ParamsError
        When the document is none of the plan, or a pointer leads to no number.
    """
    study = validate(get_model(PLAN), document)
    assert isinstance(study, StudySpec)
    held = {
        member.leaf.pointer: quantity
        for quantity in quantities_of(study)
        for member in quantity.members
    }
    values: dict[str, Any] = {}
    gone: set[str] = set()
    for pointer, value in moves.items():
        leaf = leaf_at(study, pointer)
        if leaf is None or isinstance(leaf.value, bool) or not isinstance(leaf.value, int | float):
            raise ParamsError([Fault("/moves", "unknown", f"There is no number at {pointer}.")])
        values[pointer] = _plain(leaf, value)
        if (quantity := held.get(pointer)) is not None:
            values |= values_of(quantity, pointer, value)
            gone.add(quantity.key)
    if ranges == "keep":
        return values
    values |= _settled(document, study, set(moves))
    if not gone:
        return values
    members = {
        member.leaf.pointer: member
        for quantity in held.values()
        if quantity.key in gone
        for member in quantity.members
    }
    given = [dict(one) for one in values.get("/ranges") or document.get("ranges") or ()]
    if ranges == "move":
        return {**values, "/ranges": [_along(one, members, values) for one in given]}
    values["/ranges"] = [one for one in given if one["pointer"] not in members]
    tied = (document.get("assumptions") or {}).get("correlations") or ()
    kept = [dict(one) for one in tied if not {one["first"], one["second"]} & gone]
    return values if len(kept) == len(tied) else {**values, "/assumptions/correlations": kept}


def _settled(document: JSONDict, study: StudySpec, moves: set[str]) -> dict[str, Any]:
    """What is left of choices, and of ranges of whole numbers, once inputs are known."""
    known = {one.leaf.pointer for one in unsettled_of(study)} & moves
    choices = (document.get("assumptions") or {}).get("choices") or ()
    lists = {"/ranges": document.get("ranges") or (), "/assumptions/choices": choices}
    left = {
        at: [dict(one) for one in given if one["pointer"] not in known]
        for at, given in lists.items()
    }
    return {at: left[at] for at, given in lists.items() if len(left[at]) < len(given)}


def with_moves(document: JSONDict, changes: Mapping[str, Any]) -> JSONDict:
    """Return the document with what was moved in it."""
    changed: Any = deepcopy(document)
    for pointer, value in changes.items():
        if pointer == "/ranges":
            changed["ranges"] = value
            continue
        place, *parts = pointer.strip("/").split("/")
        here = changed[place]
        if place == "designs":
            here = next(one for one in here if one["letter"] == parts[0])
            parts = parts[1:]
        for part in parts[:-1]:
            here = here[int(part)] if isinstance(here, list) else here.setdefault(part, {})
        here[parts[-1]] = value
    return dict(changed)


def at_share(quantity: Quantity, pointer: str, value: float) -> dict[str, float]:
    """Return the values of a quantity's inputs when one of them has a value.

    Within the range each input is at the same share of the draws of its own triangle; beyond an
    end, as far beyond its own, in widths of the range. One whose range is a point stays.
    """
    from capmodels.explore.sampling_kernel import triangular
    from capmodels.explore.triangle import triangular_share

    led = next(member for member in quantity.members if member.leaf.pointer == pointer)
    found = {}
    for member in quantity.members:
        at = value
        if member.triple != led.triple and led.low < led.high:
            width, own = led.high - led.low, member.high - member.low
            if value < led.low:
                at = member.low - (led.low - value) / width * own
            elif value > led.high:
                at = member.high + (value - led.high) / width * own
            else:
                import numpy as np

                share = np.array([triangular_share(led.triple, value)])
                at = float(triangular(member.triple, share)[0])
        elif member.triple != led.triple:
            at = member.value
        found[member.leaf.pointer] = at
    return found


def values_of(quantity: Quantity, pointer: str, value: float) -> dict[str, float]:
    """Return the inputs of a quantity moved by one of them, within what the plan allows."""
    leaves = {member.leaf.pointer: member for member in quantity.members}
    found = at_share(quantity, pointer, value)
    return {
        at: _plain(leaves[at].leaf, to if at == pointer else _allowed(leaves[at], to))
        for at, to in found.items()
    }


def _allowed(member: Member, value: float) -> float:
    if member.leaf.allows(value):
        return value
    return member.low if value < member.low else member.high


def _plain(leaf: Leaf, value: float) -> float:
    """A whole number where the input takes no other."""
    return value if leaf.facts.is_real or value != int(value) else int(value)


def _along(
    one: dict[str, Any], members: Mapping[str, Member], values: Mapping[str, float]
) -> dict[str, Any]:
    """A range moved along with its value: by the same ratio, or as far where that is 0."""
    member = members.get(one["pointer"])
    if member is None:
        return one
    was, now = member.value, values[one["pointer"]]
    ends = [
        end * (now / was) if was else end + (now - was) for end in (float(one["low"]), one["high"])
    ]
    facts = member.leaf.facts
    low, high = sorted(ends)
    low = low if facts.low is None else max(low, facts.low)
    high = high if facts.high is None else min(high, facts.high)
    if not member.leaf.allows(low):
        low = now
    if not member.leaf.allows(high):
        high = now
    return {**one, "low": low, "high": high}


# The mean of a range is this near its value, or the range is skewed.
FITS_FRACTION = 0.05


def ranges_left(before: JSONDict, after: JSONDict) -> list[JSONDict]:
    """Return the ranges that stayed while their values changed, and that no longer fit them.

    One does not fit that leaves its value out, or whose mean is more than 5% off it and farther
    than it was.

    Parameters
    ----------
    before, after : dict
        Drafts of ``plans.compare``, complete or not.

    Returns
    -------
    list of dict
        ``pointer``, the values ``before`` and ``after``, the range's ``low`` and ``high`` with its
        mean, ``moved_low`` and ``moved_high`` where it moves along, and a ``message``.
    """
    kept = {
        (one.get("pointer"), one.get("low"), one.get("high")) for one in before.get("ranges") or ()
    }
    found = []
    for one in after.get("ranges") or ():
        pointer, low, high = one.get("pointer"), one.get("low"), one.get("high")
        if (pointer, low, high) not in kept or not _is_number(low) or not _is_number(high):
            continue
        was, now = _value_at(before, pointer), _value_at(after, pointer)
        if not _is_number(was) or not _is_number(now) or was == now:
            continue
        mean = (min(low, now) + now + max(high, now)) / 3.0
        off, off_before = (
            abs(average - value) / (abs(value) or 1.0)
            for average, value in ((mean, now), ((low + was + high) / 3.0, was))
        )
        if low <= now <= high and (off <= FITS_FRACTION or off <= off_before):
            continue
        ends = sorted(end * (now / was) if was else end + now - was for end in (low, high))
        found.append(
            {
                "pointer": pointer,
                "before": was,
                "after": now,
                "low": low,
                "high": high,
                "mean": mean,
                "moved_low": ends[0],
                "moved_high": ends[1],
                "message": f"{pointer} is {now:g}, before {was:g}, and its range is still {low:g} "
                f"to {high:g}: it counts {mean:g} on average. Drop the range, move it along "
                f"({ends[0]:g} to {ends[1]:g}), or keep it.",
            }
        )
    return found


def ranges_settled(ranges: list[JSONDict], left: list[JSONDict], choice: Ranges) -> list[JSONDict]:
    """Return a study's ranges with those that no longer fit dropped, moved along, or kept."""
    by_pointer = {one["pointer"]: one for one in left}
    if choice == "keep":
        return ranges
    if choice == "drop":
        return [one for one in ranges if one.get("pointer") not in by_pointer]
    return [
        {**one, "low": told["moved_low"], "high": told["moved_high"]}
        if (told := by_pointer.get(str(one.get("pointer"))))
        else one
        for one in ranges
    ]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value_at(document: Any, pointer: Any) -> Any:
    """What stands at a pointer of a draft, designs by letter; None where nothing does."""
    here, parts = document, str(pointer).strip("/").split("/")
    for place, part in enumerate(parts):
        if isinstance(here, list):
            if place == 1 and parts[0] == "designs":
                here = next((one for one in here if one.get("letter") == part), None)
            else:
                here = here[int(part)] if part.isdecimal() and int(part) < len(here) else None
        else:
            here = here.get(part) if isinstance(here, dict) else None
    return here
