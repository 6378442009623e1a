"""Whether one design certainly uses or emits less than another, whatever the estimates come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.numbers import is_same
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.spec import JSONDict

OVERLAP = "the ranges overlap"
_UNITS = {"energy": "kwh", "carbon": "kgco2e"}


def unsure_why(kind: str, designs: Mapping[str, JSONDict], letters: list[str]) -> str | None:
    """Return why designs may not use or emit less than all others; None where they surely do.

    Parameters
    ----------
    kind : str
        ``energy`` or ``carbon``.
    designs : mapping of str to dict
        What each design uses or emits, as the answer has it, by letter.
    letters : list of str
        The designs with the least value; what each other may use is held against what each of
        these may, at either end of the carbon intensity, which is the same for all.

    Examples
    --------
    >>> use = {"A": {"kwh": 5.0}, "B": {"kwh": 8.0, "low_kwh": 4.0, "high_kwh": 9.0}}
    >>> unsure_why("energy", use, ["A"])
    'the ranges overlap'
    >>> unsure_why("energy", {**use, "B": {"kwh": 6.0}}, ["A"])
    """
    rest = [one for letter, one in designs.items() if letter not in letters]
    known = [one for one in rest if one[_UNITS[kind]] is not None]
    unmade = [one for one in letters if designs[one].get("embodied_kgco2e") is None]
    if kind == "carbon" and any(one.get("embodied_kgco2e") is not None for one in known) and unmade:
        return f"making the hardware of {listed(unmade)} is not counted"
    is_sure = all(
        most < least and not is_same(most, least)
        for letter in letters
        for other in known
        for (_, most), (least, _) in zip(
            _ends(kind, designs[letter]), _ends(kind, other), strict=True
        )
    )
    return None if is_sure else OVERLAP


def shared_out(
    kind: str, designs: Mapping[str, JSONDict], values: Mapping[str, float | None]
) -> dict[str, JSONDict]:
    """Return what designs use or emit for each unit of something: value and range by one factor.

    Examples
    --------
    >>> use = {"A": {"kwh": 8.0, "low_kwh": 4.0, "high_kwh": 12.0, "basis": "estimate"}}
    >>> shared_out("energy", use, {"A": 2.0})["A"]["high_kwh"]
    3.0
    """
    return {
        letter: _times(found, value / whole if (whole := found[_UNITS[kind]]) else 1.0)
        for letter, found in designs.items()
        if (value := values[letter]) is not None
    }


def _times(found: Any, factor: float) -> Any:
    """Every number of what is used, times a factor."""
    if isinstance(found, dict):
        return {name: _times(one, factor) for name, one in found.items()}
    return found * factor if isinstance(found, float) else found


def _ends(kind: str, found: JSONDict) -> list[tuple[float, float]]:
    """What is used at least and at most; of emissions at both ends of the intensity."""
    cases = [found.get(name) for name in ("at_low_intensity", "at_high_intensity")]
    if kind == "carbon" and all(cases):
        return [(case["low"], case["high"]) for case in cases if case]
    unit = _UNITS[kind]
    low, high = (found.get(f"{end}_{unit}") for end in ("low", "high"))
    value = found[unit]
    pair = (value if low is None else low, value if high is None else high)
    return [pair] if kind == "energy" else [pair, pair]
