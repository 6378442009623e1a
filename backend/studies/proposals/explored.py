"""What a search of the catalogue says: the best of each kind, the front, and why not the others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capmodels.numbers import Currency, is_same, money, percent
from capmodels.plans.causes import BY_KEY, Side
from capmodels.providers import PROVIDERS
from capmodels.told import Axis, Figure, Series, column, listed
from studies.proposals.limits import NONE
from studies.proposals.search import KINDS, MEASURES, Exploration, Explorer, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from capmodels.plans.search import Sums
    from capmodels.spec import JSONDict
    from studies.proposals.limits import Limits


def explored(
    *,
    workload: JSONDict,
    assumptions: JSONDict,
    designs: Sequence[JSONDict],
    measures: Sequence[str] = ("cost_usd", "energy_kwh"),
    region: str = "",
    baseline: JSONDict | None = None,
    limits: Limits = NONE,
) -> JSONDict:
    """Return the designs of the catalogue that no other beats, and how far each design is off.

    ``designs`` are those of the study, with their letters. All costs are as entered. What is found
    is within the limits; the study's own are held against it wherever they are.

    Raises
    ------
    ParamsError
        With every fault of the work and the assumptions.
    """
    explorer = Explorer(workload, assumptions, designs, region, limits)
    others = [name for name in measures if name != "cost_usd"]
    return _Answer(Exploration(explorer, ["cost_usd", *others]), designs, baseline).document()


SIDES: tuple[Side, ...] = ("owned", "rented")
# Marks of designs that none beats, and of the others.
_MARKS = ("Not beaten", "Beaten")


class _Answer:
    def __init__(
        self, found: Exploration, designs: Sequence[JSONDict], baseline: JSONDict | None
    ) -> None:
        self.found, self.designs, self.baseline = found, designs, baseline
        stated = Currency.stated(found.explorer.assumptions.get("currency"))
        self._money: Callable[[float], str] = partial(money, currency=stated)
        # Before what was found is put in order: more is costed for it.
        self.of_provider = {
            one["letter"]: found.best_of(
                str(one["spec"].get("provider")), str(one["spec"].get("region") or "")
            )
            for one in designs
            if one["kind"] == "cloud" and one["spec"].get("provider") in PROVIDERS
        }
        available = found.explorer.workload.get("availability") or {}
        # A machine may fail: an enclosure that does takes the only data along that it holds.
        self._may_fail = bool(available.get("spare_nodes_count", 1))
        self.meet = sorted(
            (place for place in found.whole if found.lack(place) is None),
            key=lambda place: (self._is_alone(place), found.whole[place].cost_usd),
        )
        self.front = found.front(self.meet)
        self.best = {kind: found.cheapest(kind) for kind in KINDS}

    def _is_alone(self, place: int) -> bool:
        """Whether a candidate's data lie in one enclosure though a machine may fail."""
        return self._may_fail and self.found.choices[place].kind == "shelves"

    def document(self) -> JSONDict:
        """The whole answer."""
        found = self.found
        places = [*self.meet, *(at for at in found.whole if at not in set(self.meet))]
        return {
            "sentence": self._sentence(),
            "measures": [
                {"name": name, "title": MEASURES[name].title, "unit": MEASURES[name].unit}
                for name in MEASURES
            ],
            "candidates_count": len(found.choices),
            "costed_count": len(found.whole),
            "open_count": found.open_count,
            "designs": [self._told(place) for place in places],
            "compared": self._compared(),
            "figure": self._figure().model_dump(mode="json"),
        }

    def _sentence(self) -> str:
        found = self.found
        if not found.choices:
            return (
                "The catalogue is searched for demand in cores, memory, storage and GPUs; the work "
                "of this study is entered otherwise, or is none."
            )
        if not self.meet:
            within = " within the limits" if found.explorer.limits != NONE else ""
            return f"The catalogue holds no design that meets the demand as entered{within}."
        first = found.choices[self.meet[0]]
        usd = self._money(found.whole[self.meet[0]].cost_usd)
        of = f"of {len(found.choices):,} designs of the catalogue"
        if found.open_count:
            of = f"of {len(found.whole):,} that were costed whole, {of}"
        parts = [f"**{first.title}** costs least {of}: {usd} as entered, without ranges."]
        lone = min(found.whole[place].cost_usd for place in self.meet)
        if lone < found.whole[self.meet[0]].cost_usd:
            parts = [
                f"**{first.title}** costs least of those whose data do not lie in one enclosure, "
                f"{of}: {usd} as entered, without ranges. With all data in one it would be "
                f"{self._money(lone)}."
            ]
        if found.open_count:
            parts.append(f"{found.open_count:,} of the others could be better.")
        return " ".join(parts)

    def _told(self, place: int) -> JSONDict:
        choice, sums = self.found.choices[place], self.found.whole[place]
        return {
            "key": choice.key,
            "kind": choice.kind,
            "kind_title": KINDS[choice.kind],
            "title": choice.title,
            **self.found.measured(place),
            "meets_demand": sums.lack is None,
            "within_limits": self.found.lack(place) == sums.lack,
            "kw": sums.kw,
            "rack_units_count": sums.rack_units_count,
            "on_front": place in self.front,
            "best_of_kind": place == self.best[choice.kind],
            "why_not": self._why_not(place),
        }

    def _why_not(self, place: int) -> str:
        """Why a candidate is not the one to take, in a sentence; empty for the cheapest."""
        found = self.found
        sums = found.whole[place]
        if (lack := found.lack(place)) is not None:
            return lack
        if place == self.meet[0]:
            return ""
        first = found.whole[self.meet[0]]
        dearer = self._dearer(sums, first)
        if self._is_alone(place):
            return (
                f"An enclosure that fails takes its data along, where a machine may fail. {dearer}"
            )
        if place in self.front:
            here, there = found.measured(place), found.measured(self.meet[0])
            pairs = [(name, here[name], there[name]) for name in found.measures]
            better = [
                f"{MEASURES[name].title.lower()} {percent(1 - less / more)} less"
                for name, less, more in pairs
                if less is not None and more is not None and less < more
            ]
            return f"{dearer} For that, {' and '.join(better)}." if better else dearer
        return dearer

    def _dearer(self, sums: Sums, than: Sums) -> str:
        """How much more one costs than another, and the cause that most of it is."""
        more = sums.cost_usd - than.cost_usd
        if is_same(sums.cost_usd, than.cost_usd):
            return "It costs the same as the cheapest."
        if more < 0:
            return f"It costs {self._money(-more)} ({percent(-more / than.cost_usd)}) less."
        here, there = _by_kind(sums.usd), _by_kind(than.usd)
        gaps = {key: here.get(key, 0.0) - there.get(key, 0.0) for key in sorted({*here, *there})}
        cause = max(gaps, key=gaps.__getitem__)
        share = f"; {cause} alone {self._money(gaps[cause])} more" if gaps[cause] > 0 else ""
        return f"It costs {self._money(more)} ({percent(more / than.cost_usd)}) more{share}."

    def _compared(self) -> list[JSONDict]:
        """How far each design of the study is from the best of all, and of its kind."""
        own = self.found.explorer.of_study(self.baseline)
        rows = []
        for design in self.designs:
            sums = own.get(design["letter"])
            if sums is None or not self.meet:
                continue
            rows.append(
                {
                    "letter": design["letter"],
                    "title": design["title"],
                    "cost_usd": sums.cost_usd,
                    "sentence": self._off(design, sums),
                }
            )
        return rows

    def _off(self, design: JSONDict, sums: Sums) -> str:
        letter = design["letter"]
        if sums.lack is not None:
            return f"{letter} does not meet the demand as entered."
        said: dict[int, str] = {}
        for place, what in self._rivals(design):
            if place is not None and place not in said:
                best = self.found.whole[place].cost_usd
                gap = sums.cost_usd - best
                side = "more" if gap > 0 else "less"
                off = f"{self._money(abs(gap))} ({percent(abs(gap) / best)}) {side} than"
                off = "as much as" if is_same(sums.cost_usd, best) else off
                # The best found of all is named in what is said of the search.
                named = "" if what == "found" else f", {self._named(place)}"
                said[place] = f"{off} the best {what}{named}"
        return f"{letter} costs {'; '.join(said.values())}."

    def _rivals(self, design: JSONDict) -> Iterator[tuple[int | None, str]]:
        """The best of a design's provider, of its kind and of all, and the words for them."""
        provider = PROVIDERS.get(str(design["spec"].get("provider")))
        if design["kind"] == "cloud" and provider is not None:
            own = self.of_provider[design["letter"]]
            yield own, f"of {provider.title} that the search found"
        kind = kind_of(design)
        yield self.best.get(kind or ""), "of its kind"
        yield self.meet[0], "found"

    def _named(self, place: int) -> str:
        """What a candidate is, with how far it commits."""
        title = self.found.choices[place].title
        share = self.found.whole[place].committed_fraction
        return title if share is None else f"{title} ({percent(share)} of today's peak committed)"

    def _figure(self) -> Figure:
        """Every costed design by cost and the second measure, with the front."""
        found = self.found
        second = next((one for one in found.measures if one != "cost_usd"), "energy_kwh")
        measured = {place: found.measured(place) for place in self.meet}
        known = [at for at in self.meet if measured[at][second] is not None]
        kinds = dict.fromkeys(found.choices[at].kind for at in known)
        series = []
        for kind in kinds:
            places = [at for at in known if found.choices[at].kind == kind]
            series.append(
                Series(
                    name=KINDS[kind],
                    at=tuple(measured[at]["cost_usd"] for at in places),
                    values=tuple(measured[at][second] for at in places),
                    names=tuple(found.choices[at].title for at in places),
                    kinds=tuple(_MARKS[at not in self.front] for at in places),
                )
            )
        title, front = MEASURES[second].title, self.front
        what = listed([MEASURES[name].title.lower() for name in found.measures])
        best = found.choices[self.meet[0]].title if self.meet else None
        kinds_told = listed([KINDS[kind].lower() for kind in kinds])
        told = f"{len(known):,} designs by cost and {title.lower()}: {kinds_told}."
        return Figure(
            kind="points",
            name="Designs of the catalogue",
            summary=f"{told} {best} ranks first." if known else f"{title} is unknown.",
            title=f"{len(front):,} of {len(known):,} designs not beaten in {what}"
            if known
            else f"{title} of these designs: unknown",
            along=Axis(title=title, unit=MEASURES[second].unit, from_zero=False),
            across=Axis(title="Cost as entered", unit="USD", from_zero=False),
            series=tuple(series),
            kinds=_MARKS,
            best=best,
            twin=(
                column("Design", (found.choices[at].title for at in self.meet)),
                column("Kind", (KINDS[found.choices[at].kind] for at in self.meet)),
                column("Cost", (measured[at]["cost_usd"] for at in self.meet), "USD"),
                column(title, (measured[at][second] for at in self.meet), MEASURES[second].unit),
            ),
        )


# Arrays have in drives and enclosures what nodes have in them: one sum.
_MACHINES = frozenset({"hardware", "drives", "enclosures"})


def _by_kind(usd: Mapping[str, float]) -> dict[str, float]:
    """Costs by the words for their causes, those of machines together. [USD]"""
    found: dict[str, float] = {}
    for cause, amount in usd.items():
        sides = (BY_KEY[cause, side] for side in SIDES if (cause, side) in BY_KEY)
        name = "machines and drives" if cause in _MACHINES else next(sides).label.lower()
        found[name] = found.get(name, 0.0) + amount
    return found
