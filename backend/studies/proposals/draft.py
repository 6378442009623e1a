"""A design being put together from the catalogue, each number with its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.errors import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from capmodels.spec import JSONDict
    from catalogue.models import Entry
    from studies.proposals.place import Place

_KEPT = ("quality", "source", "url", "as_of", "low", "high", "note")


class Draft:
    """A design's fields, and where its numbers come from."""

    def __init__(self, entries: Mapping[str, Entry], place: Place | None = None) -> None:
        """Begin with nothing but the catalogue's entries by slug, and where the design stands."""
        self.spec: JSONDict = {}
        self.origins: JSONDict = {}
        self.entries = entries
        # The server of the catalogue that each group of nodes is made of.
        self.machines: dict[str, str] = {}
        self._place = place

    def entry(self, slug: str) -> Entry:
        """Return an entry that the proposal names."""
        return self.entries[slug]

    def value(self, slug: str, field: str) -> Any:
        """Return the value of an entry's field; None where it is not known."""
        return self.entry(slug).values.get(field, {}).get("value")

    def holds(self, slug: str, field: str) -> bool:
        """Whether the catalogue holds a price of an entry where the design stands."""
        held, name = self._held(slug, field)
        entry = self.entry(held)
        elsewhere = self._place is not None and self._place.lacks(entry, name)
        return name in entry.values and not elsewhere

    def put(self, pointer: str, value: Any) -> None:
        """Set a field that has no number of the catalogue in it."""
        _set(self.spec, pointer.split("/")[1:], value)

    def take(self, pointer: str, slug: str, field: str, *, times: float = 1.0) -> None:
        """Set a field from an entry, with its source, date and range; unknown stays unset."""
        slug, field = self._held(slug, field)
        found = self.entry(slug).values.get(field)
        if found is None or found["value"] is None:
            return
        origin = self._origin(slug, field, found["value"])
        if times != 1.0:
            origin |= {key: origin[key] * times for key in ("low", "high") if key in origin}
            before = f"; {origin['note']}" if origin.get("note") else ""
            note = f"{times:g} of them{before}"
            origin |= {"note": note, "times": times * origin.get("times", 1.0)}
        scale = origin.get("times", 1.0)
        self.put(pointer, found["value"] if scale == 1.0 else found["value"] * scale)
        self._from(pointer, origin, slug, field)

    def take_band(self, pointer: str, slug: str, field: str, band: int, price: float) -> None:
        """Set the price of one band of an entry's; a list has no range of its own."""
        origin = self._origin(slug, field, price, kept=("quality", "source", "url", "as_of"))
        self.put(pointer, price * origin.get("times", 1.0))
        self._from(pointer, origin, slug, f"{field}/{band}")

    def _from(self, pointer: str, origin: JSONDict, slug: str, field: str) -> None:
        """Keep which value of which entry stands at a place, so that a newer one finds it."""
        named = {} if pointer.rpartition("/")[2] == field else {"field": field}
        self.origins[pointer] = {**origin, "entry": slug, **named}

    def _held(self, slug: str, field: str) -> tuple[str, str]:
        """Where the catalogue holds an entry's price in the region of the design."""
        return self._place.held.get((slug, field), (slug, field)) if self._place else (slug, field)

    def _origin(
        self, slug: str, field: str, value: Any, *, kept: tuple[str, ...] = _KEPT
    ) -> JSONDict:
        """Where a value is from; one of another region has the range of prices between them."""
        found = self.entry(slug).values[field]
        origin = {key: found[key] for key in kept if found.get(key) not in {None, ""}}
        if self._place is None or not self._place.lacks(self.entry(slug), field):
            return origin
        return self._place.stand_in(origin, value)

    def take_all(self, at: str, slug: str, fields: Iterable[str]) -> None:
        """Set the fields of a group that have the names of the entry's."""
        for field in fields:
            self.take(at + pointer_of(field), slug, field)

    def assume(self, pointer: str, value: float, why: str, spread: tuple[float, float]) -> None:
        """Set a field by an assumption of the proposal's own, with its range."""
        self.put(pointer, value)
        low, high = spread
        self.origins[pointer] = {"quality": "assumed", "source": why, "low": low, "high": high}

    def dated(self, at: str, slug: str, field: str) -> None:
        """Set the date of a group's price to that of an entry's field."""
        slug, field = self._held(slug, field)
        as_of = self.entry(slug).values[field].get("as_of")
        if as_of:
            self.put(f"{at}/price_as_of", as_of)


def _set(held: Any, path: list[str], value: Any) -> None:
    """Set a value at a path, making the groups and lists on the way."""
    key, *rest = path
    if isinstance(held, list):
        place = int(key)
        while len(held) <= place:
            held.append({})
        if rest:
            _set(held[place], rest, value)
        else:
            held[place] = value
        return
    if not rest:
        held[key] = value
        return
    _set(held.setdefault(key, [] if rest[0].isdigit() else {}), rest, value)
