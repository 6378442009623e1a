"""Names of people and things in what a file says: kept, hashed, or left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capmodels.spec import JSONDict

Names = Literal["keep", "hash", "leave_out"]
_QUOTED = re.compile(r"'[^']*'")


def without_names(
    preview: Mapping[str, Any],
    paths: Sequence[str],
    how: Names,
    hashed: Callable[[str], str],
) -> JSONDict:
    """Return what a file says with other names in place of its own.

    ``paths`` say where names stand ("tags.values.value": of each of its tags, each of its
    values). One name gives one hash wherever it stands, so that imports can be set side by side;
    left out, names are numbers in their order. What faults quote of cells goes as well.

    >>> said = {"owners": [{"owner": "ada"}, {"owner": "bob"}], "faults": []}
    >>> without_names(said, ("owners.owner",), "leave_out", str.upper)["owners"]
    [{'owner': 'name 1'}, {'owner': 'name 2'}]
    """
    if how == "keep":
        return dict(preview)
    numbers: dict[str, str] = {}

    def renamed(name: str) -> str:
        if how == "hash":
            return hashed(name)
        return numbers.setdefault(name, f"name {len(numbers) + 1}")

    found: Any = dict(preview)
    for path in paths:
        found = _put(found, path.split("."), renamed)
    found["faults"] = [
        {**fault, "message": _QUOTED.sub("'…'", fault["message"])} for fault in preview["faults"]
    ]
    return dict(found)


def _put(said: Any, path: Sequence[str], renamed: Callable[[str], str]) -> Any:
    if isinstance(said, list):
        return [_put(one, path, renamed) for one in said]
    if not path:
        return renamed(said) if isinstance(said, str) and said else said
    if not isinstance(said, dict) or path[0] not in said:
        return said
    return {**said, path[0]: _put(said[path[0]], path[1:], renamed)}
