"""The designs of the whole catalogue for a work: costed exactly where they may be the best.

A candidate is made of parts that are chosen apart: the servers of each role with their drives, or
arrays for what is stored; of what is rented, a family of instances with a term. What a part comes
to alone, by the plan's own lines, is the least that it adds to a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import fsum, inf
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from capmodels.errors import ParamsError
from capmodels.numbers import Currency
from capmodels.plans.document.study import StudySpec
from capmodels.plans.search import Sums, least_usd, sums_of
from capmodels.providers import PROVIDERS
from capmodels.units import WATTS_PER_KW
from catalogue.regions import PRICE
from studies.documents import LETTERS, rented_from
from studies.proposals import engineered, stored
from studies.proposals import owned as own
from studies.proposals.limits import NONE
from studies.proposals.options import OPTIONS
from studies.proposals.proposer import IN_WORDS, TERMS, Proposer, made_alike, study_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from capmodels.plans.search_kernel import Searched
    from capmodels.spec import JSONDict
    from studies.proposals.draft import Draft
    from studies.proposals.limits import Limits
    from studies.proposals.place import Place
    from studies.proposals.proposer import Candidate

# Drives of a node that computes and holds blocks.
_DRIVES = (2, 4, 8, 12, 16, 24)
# Data and parity units of a code, with the nodes that they are spread over. All survive the loss of
# three nodes, one more than three copies do.
_CODES = ((6, 3, 9), (8, 3, 12), (8, 4, 12), (10, 4, 14), (12, 4, 16), (16, 4, 20))
# A rack of 48 units holds no more than its height.
_RACK_UNITS = 48.0
# Roles whose processors do the work: limits of makers and of ARM are of them.
_COMPUTING = frozenset({"compute", "compute_and_block", "gpu"})
# Parts that are costed in one study.
_AT_ONCE = len(LETTERS) - 1
KINDS = {
    "owned": "Own servers",
    "coded": OPTIONS["coded"].title,
    "shelves": OPTIONS["shelves"].title,
    "rented": "Rented",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """What designs are compared by, the less the better."""

    title: str
    unit: str


MEASURES = {
    "cost_usd": Measure("Cost", "USD"),
    "energy_kwh": Measure("Electricity", "kWh"),
    "kgco2e": Measure("Emissions", "kg CO2e"),
    "racks_count": Measure("Racks", "count"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One choice of a slot: a server in its role with its drives, or a store for what is kept."""

    key: str
    title: str
    server: tuple[str, str, int] | None = None
    store: stored.Store | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate: what it is made of, or whom it is rented from."""

    kind: str
    key: str
    title: str
    parts: tuple[Part, ...] = ()
    provider: str = ""
    instance: str = ""
    term_months: int = 0
    region: str = ""

    @property
    def store(self) -> stored.Store | None:
        """The arrays that its data lie on, if on any."""
        return next((part.store for part in self.parts if part.store is not None), None)


@dataclass(frozen=True, slots=True)
class Alone:
    """What a part comes to alone, the least it adds to a design, and its machines at the end."""

    sums: Sums
    usd: float
    standing: tuple[engineered.Standing, ...]


class Explorer(Proposer):
    """All designs that the catalogue holds for a work, beside those of a study."""

    def __init__(
        self,
        workload: JSONDict,
        assumptions: JSONDict,
        others: Sequence[JSONDict] = (),
        region: str = "",
        limits: Limits = NONE,
    ) -> None:
        """Read the catalogue; ``others`` are the study's designs with their letters."""
        super().__init__(workload, assumptions)
        self.others, self.limits = list(others), limits
        self.regions = limits.regions or (region,)
        self._alone: dict[str, Alone] = {}
        first = next((one for one in self.others if one["kind"] == "cloud"), None)
        self._context = [] if first is None else [first]

    def best(self, kind: str) -> Candidate | None:
        """The cheapest of what the catalogue holds of a kind; None with a note where none is."""
        title = OPTIONS[kind].design_title
        if kind != "owned" and stored.carried_by(self.workload) is None:
            self.notes.append(f"{title}: the workload keeps no objects and no blocks.")
            return None
        if self.without_gpu("Own servers" if kind == "owned" else title):
            return None
        found = Exploration(self, ["cost_usd"], PROPOSED, [kind])
        place = found.cheapest(kind)
        if place is None:
            why = found.too_large or "No design of the catalogue meets the demand as entered."
            if not found.choices:
                title, why = "Own servers", "The workload needs nothing that a server provides."
            self.notes.append(f"{title}: {why[0].lower()}{why[1:]}")
            return None
        choice = found.choices[place]
        if choice.store is not None and "code" in choice.store.spec:
            title = f"Own servers, data coded {_spread(choice.store)} nodes or more"
        return self.candidate(replace(choice, title=title))

    def choices(self, kinds: Collection[str] = tuple(KINDS)) -> list[Choice]:
        """Every candidate of some kinds; none where the work is no demand that machines carry."""
        roles = [role for _, role, _ in own.servers_for(self.workload, self._machines)]
        if not roles or self.workload.get("service"):
            return []
        owned = self._owned_choices(roles, kinds) if self._has_server else ()
        return [*owned, *(self._rented_choices() if "rented" in kinds else ())]

    def _owned_choices(self, roles: Sequence[str], kinds: Collection[str]) -> Iterator[Choice]:
        slots = {role: self._parts_of(role) for role in roles}
        if "owned" in kinds:
            for parts in product(*slots.values()):
                yield _made("owned", parts)
        carries = stored.carried_by(self.workload)
        for kind in stored.ARRAYS:
            if carries is None or kind not in kinds:
                continue
            stores = [
                Part(_key_of(store), self._title_of(store), store=store)
                for store in self._stores(kind)
            ]
            beside = {role: parts for role, parts in slots.items() if role != carries}
            if carries == "block" and "compute_and_block" in beside:
                beside["compute"] = self._parts_of("compute")
                del beside["compute_and_block"]
            for parts in product(stores, *beside.values()):
                yield _made(kind, parts)

    def _parts_of(self, role: str) -> list[Part]:
        found = []
        for slug in self._machines.for_role(role):
            if role in _COMPUTING and not self.limits.owns(self.entries[slug]):
                continue
            counts: Sequence[int] = (0,)
            if role not in {"compute", "gpu"}:
                most = self._machines.bays(slug)
                smaller = [count for count in _DRIVES if count <= most]
                counts = (smaller or [most]) if role == "compute_and_block" else [most]
            for drives in counts:
                title = self._short(slug)
                named = f"{title} with {drives} drives" if drives else title
                key = f"{role}-{slug}*{drives}"
                found.append(Part(key, named, server=(slug, role, drives)))
        return found

    def _stores(self, kind: str) -> Iterator[stored.Store]:
        for slug in self._machines.for_role("object"):
            bays = self._machines.bays(slug)
            if kind == "shelves":
                yield stored.raid6(slug, bays)
                continue
            for data, parity, nodes in _CODES:
                for drives in {bays, bays // 2}:
                    yield stored.coded(slug, drives, (data, parity, nodes))

    def _short(self, slug: str) -> str:
        """A server's title without what all of them say."""
        return self.entries[slug].title.removeprefix("Server, ").removesuffix(" (2026)")

    def _title_of(self, store: stored.Store) -> str:
        server = self._short(store.server)
        if "code" not in store.spec:
            return f"RAID-6 on {server}"
        return f"{_spread(store)} x {server}, {store.bays} drives"

    def _rented_choices(self) -> Iterator[Choice]:
        computes = any(self.workload.get(one) for one in ("busy_cores_count", "ram_gib"))
        for name, provider in PROVIDERS.items():
            gpus = self._gpus(provider)
            if gpus is None or self._lacking(provider):
                continue
            for place in self._places_of(name):
                families = [
                    slug
                    for slug in (
                        *place.rentable(provider.instances, provider.older_instances),
                        *(one for one in provider.arm_instances if self._is_priced(one, place)),
                    )
                    if self.limits.rents(name, is_arm=slug in provider.arm_instances)
                ]
                # Where nothing is computed on them, every family would be the same design.
                for slug in families if computes else families[:1]:
                    for term in TERMS:
                        carries = self.entries[slug].title
                        if slug in provider.arm_instances:
                            carries = f"{carries} (ARM)"
                        if not computes:
                            carries = self.entries[gpus[0]].title if gpus else provider.title
                        where = "" if place.is_home else f"@{place.region}"
                        title = f"{carries}, {where[1:]}{', ' if where else ''}{IN_WORDS[term]}"
                        key = f"rented:{name}:{slug}:{term}{where}"
                        yield Choice("rented", key, title, (), name, slug, term, where[1:])

    @staticmethod
    def _is_priced(slug: str, place: Place) -> bool:
        return place.is_home or (slug, PRICE) in place.held

    def _places_of(self, name: str) -> list[Place]:
        """The regions of a provider that are searched, each once."""
        places = [self._place(name, said) for said in self.regions]
        return [*{place.region: place for place in places}.values()]

    def draft_of(self, choice: Choice) -> tuple[Draft, own.Servers]:
        """The machines of an owned candidate, and the servers of its arrays."""
        servers = [part.server for part in choice.parts if part.server is not None]
        store = choice.store
        if store is None:
            return own.owned(servers, self.entries), []
        carries = str(stored.carried_by(self.workload))
        draft = stored.stored(store, servers, self.entries, carries)
        return draft, [(store.server, carries, store.bays)]

    def candidate(self, choice: Choice) -> Candidate:
        """A candidate as it is proposed, with all that its machines need beside them."""
        if choice.kind == "rented":
            return replace(self._rented(choice), title=choice.title)
        draft, stores = self.draft_of(choice)
        return self.complete(choice.title, draft, stores, self._sized(choice))

    def _rented(self, choice: Choice, *, whole: bool = True) -> Candidate:
        where = (choice.provider, choice.instance, choice.term_months, choice.region)
        return self.rented_by(*where, whole=whole)

    def lettered(self, candidate: Candidate) -> JSONDict:
        """A candidate as a design beside the study's, delivered and paid for as they are."""
        letter = next(one for one in reversed(LETTERS) if one not in self._letters)
        design = candidate.lettered(letter)
        heads = [(other["letter"], other["kind"]) for other in self.others]
        design["spec"] = rented_from(design["kind"], design["spec"], heads)
        made_alike([design], self, beside=self.others)
        return design

    @property
    def _letters(self) -> set[str]:
        return {other["letter"] for other in self._context}

    def sums(self, choice: Choice) -> tuple[Sums, Mapping[str, int]]:
        """What a candidate comes to whole, and what people run of it."""
        candidate = self.candidate(choice)
        design = self.lettered(candidate)
        letter = design["letter"]
        study = self._study_of([*self._context, design])
        return sums_of(study, {letter})[letter], candidate.runs

    def of_study(self, baseline: JSONDict | None) -> dict[str, Sums]:
        """What the designs of the study come to as they are; none where they cannot be read."""
        try:
            study = self._study_of(self.others, baseline)
        except ParamsError:
            return {}
        return sums_of(study, {one["letter"] for one in self.others})

    def _study_of(self, designs: Sequence[JSONDict], baseline: JSONDict | None = None) -> StudySpec:
        return study_of(designs, self.workload, self.assumptions, baseline)

    def least(self, choices: Sequence[Choice]) -> dict[str, Alone]:
        """What each part of the candidates comes to alone, by its key."""
        wanted: dict[str, Choice] = {}
        for choice in choices:
            parts = [Choice(choice.kind, one.key, one.title, (one,)) for one in choice.parts]
            wanted |= {one.key: one for one in parts or [choice] if one.key not in wanted}
        found = self._alone
        keys = [key for key in wanted if key not in found]
        for begin in range(0, len(keys), _AT_ONCE):
            free = [one for one in LETTERS if one not in self._letters]
            batch = dict(zip(free, keys[begin : begin + _AT_ONCE], strict=False))
            drafts = {
                key: None if wanted[key].kind == "rented" else self.draft_of(wanted[key])
                for key in batch.values()
            }
            designs = [
                self._bare(wanted[key], letter, drafts[key]) for letter, key in batch.items()
            ]
            study = self._study_of([*self._context, *designs])
            for letter, sums in sums_of(study, batch).items():
                key, made = batch[letter], drafts[batch[letter]]
                standing: list[engineered.Standing] = []
                if made is not None:
                    draft, stores = made
                    sized = _sized(sums.sizing, sums.boxes_count)
                    standing = own.standing_of(draft, sized, stores)
                found[key] = Alone(sums, least_usd(sums, study), tuple(standing))
        return found

    def _sized(self, choice: Choice) -> Any:
        """How an owned candidate is sized: as its parts are, delivered as a whole one is."""
        parts = self.least([choice])
        sums = [parts[part.key].sums for part in choice.parts]
        years = zip(*(one.sizing for one in sums), strict=True)
        groups = [SimpleNamespace(groups=[g for one in year for g in one.groups]) for year in years]
        return _sized(groups, sum(one.boxes_count for one in sums))

    def _bare(
        self, choice: Choice, letter: str, made: tuple[Draft, own.Servers] | None
    ) -> JSONDict:
        """A part as a design of its own, delivered and paid for as a whole one is."""
        if made is None:
            bare = self._rented(choice, whole=False).lettered(letter)
        else:
            head = {"letter": letter, "title": choice.title[:120], "kind": "owned_cluster"}
            bare = {**head, "spec": made[0].spec, "provenance": made[0].origins}
        made_alike([bare], self, beside=self.others)
        return bare


def _sized(sizing: Sequence[Any], boxes: int) -> Any:
    """Groups year by year and boxes of arrays where a column is asked for its sizing."""
    return SimpleNamespace(
        sizing=sizing, array=SimpleNamespace(nodes_count=None, arrays_count=boxes)
    )


def _spread(store: stored.Store) -> str:
    code = store.spec["code"]
    return f"{code['data_count']}+{code['parity_count']} over {code['nodes_count']}"


def _made(kind: str, parts: Sequence[Part]) -> Choice:
    key = ":".join((kind, *(part.key for part in parts)))
    return Choice(kind, key, " + ".join(part.title for part in parts)[:120], tuple(parts))


def _key_of(store: stored.Store) -> str:
    code = store.spec.get("code")
    if code is None:
        return f"raid6-{store.server}"
    numbers = "-".join(str(code[name]) for name in ("data_count", "parity_count", "nodes_count"))
    return f"{numbers}-{store.server}*{store.bays}"


# Candidates costed whole for an answer within a few seconds, and for a design of a kind.
COSTED, PROPOSED = 120, 40
# Causes that are the same whichever machines are owned: they follow the work.
_OF_THE_WORK = ("network", "backup", "migration")


class Exploration:
    """A search over all candidates of an explorer, kind by kind, by some measures."""

    def __init__(
        self,
        explorer: Explorer,
        measures: Sequence[str],
        most: int = COSTED,
        among: Collection[str] = tuple(KINDS),
    ) -> None:
        """Search some kinds; ``most`` candidates are costed whole."""
        self.explorer, self.measures = explorer, tuple(measures)
        self.choices = explorer.choices(among)
        self.parts = explorer.least(self.choices)
        self.whole: dict[int, Sums] = {}
        self.runs: dict[int, Mapping[str, int]] = {}
        kinds = [kind for kind in KINDS if any(one.kind == kind for one in self.choices)]
        self.open_count = self.loose_count = 0
        # Why candidates have no costs, where some have none.
        self.too_large = ""
        for kind in kinds:
            self._search(kind, max(most // len(kinds), 1))

    def _search(self, kind: str, most: int) -> None:
        places = [place for place, one in enumerate(self.choices) if one.kind == kind]
        found = self._searched(places, kind, most)
        self.open_count += found.open_count
        self.loose_count += found.loose_count

    def best_of(self, provider: str, region: str) -> int | None:
        """The cheapest design of a provider that meets demand; None where it has none there."""
        home = PROVIDERS[provider].region
        places = [
            at
            for at, one in enumerate(self.choices)
            if one.provider == provider and (one.region or home) == region
        ]
        if not places:
            return None
        self._searched(places, "rented", COSTED)
        return self._cheapest(places)

    def _searched(self, places: Sequence[int], kind: str, most: int) -> Searched:
        """Cost those of some candidates of a kind whole that may be the best."""
        import numpy as np

        from capmodels.plans.search_kernel import search

        bounds = np.array([self._least(self.choices[place]) for place in places])
        if kind != "rented":
            bounds[:, 0] += self._beside(places, int(bounds[:, 0].argmin()))
        limits = self.explorer.limits
        within = np.ones(len(places), dtype=bool)
        if limits.cost_usd is not None:
            within &= bounds[:, 0] <= limits.cost_usd
        if limits.rack_units_count is not None:
            within &= bounds[:, 3] * _RACK_UNITS <= limits.rack_units_count
        if limits.kw is not None:
            power = np.array([self.least_kw(self.choices[place]) for place in places])
            within &= power <= limits.kw
        places, bounds = [at for at, on in zip(places, within, strict=True) if on], bounds[within]
        return search(
            bounds[:, [list(MEASURES).index(name) for name in self.measures]],
            lambda at: self._values(places[at]),
            most=most,
        )

    def _values(self, place: int) -> tuple[float, ...] | None:
        """The measures of a candidate costed whole; None where it does not meet demand."""
        if place not in self.whole:
            try:
                self.whole[place], self.runs[place] = self.explorer.sums(self.choices[place])
            except engineered.TooLarge as exc:
                self.too_large = str(exc)
                return None
        if self.lack(place) is not None:
            return None
        values = self.measured(place)
        # What is not known is no advantage.
        return tuple(inf if (one := values[name]) is None else one for name in self.measures)

    def lack(self, place: int) -> str | None:
        """Why a candidate that was costed is none to take: demand, or a limit; None where it is."""
        sums = self.whole[place]
        stated = Currency.stated(self.explorer.assumptions.get("currency"))
        return sums.lack or self.explorer.limits.beyond(sums, stated)

    def cheapest(self, kind: str) -> int | None:
        """The candidate of a kind that costs least of those that meet demand."""
        return self._cheapest([at for at, one in enumerate(self.choices) if one.kind == kind])

    def _cheapest(self, places: Sequence[int]) -> int | None:
        meet = [at for at in places if at in self.whole and self.lack(at) is None]
        return min(meet, key=lambda place: self.whole[place].cost_usd, default=None)

    def measured(self, place: int) -> dict[str, float | None]:
        """All measures of a candidate that was costed; None where one is unknown."""
        sums = self.whole[place]
        return {
            "cost_usd": sums.cost_usd,
            "energy_kwh": sums.energy_kwh,
            "kgco2e": sums.kgco2e,
            "racks_count": float(sums.racks_count),
        }

    def _least(self, choice: Choice) -> tuple[float, ...]:
        """The least of each measure, by the parts alone."""
        parts = [self.parts[key] for key in _keys(choice)]
        units = (one.last * one.rack_units for part in parts for one in part.standing)
        return (
            fsum(part.usd for part in parts),
            fsum(part.sums.energy_kwh or 0.0 for part in parts),
            fsum(part.sums.kgco2e or 0.0 for part in parts),
            fsum(units) / _RACK_UNITS,
        )

    def least_kw(self, choice: Choice) -> float:
        """The power that a candidate's own nodes provide, without what stands beside them."""
        standing = [one for key in _keys(choice) for one in self.parts[key].standing]
        nodes = (one.last * one.power_w for one in standing if one.grouped)
        return fsum(nodes) / WATTS_PER_KW

    def _beside(self, places: Sequence[int], cheapest: int) -> NDArray[Any]:
        """What each candidate pays beside its parts at least: as one of them, by its people."""
        import numpy as np

        place = places[cheapest]
        self._values(place)
        if place not in self.whole:
            return np.zeros(len(places))
        usd, runs = self.whole[place].usd, self.runs[place]
        same = fsum(usd.get(cause, 0.0) for cause in _OF_THE_WORK)
        per_fte = usd.get("staff", 0.0) / engineered.people_for(runs)[0]
        hosts = [self._hosts(self.choices[at]) for at in places]
        fewest = {some: engineered.people_for(dict(some))[0] for some in set(hosts)}
        # People are written to three digits.
        return np.array([same + per_fte * fewest[some] * 0.99 for some in hosts])

    def front(self, places: Sequence[int]) -> set[int]:
        """Which of some candidates none beats, by the measures of the search."""
        import numpy as np

        from capmodels.plans.search_kernel import front_of

        if not places:
            return set()
        measured = [self.measured(at) for at in places]
        # A measure that is unknown of all tells none of them from another.
        names = [name for name in self.measures if any(one[name] is not None for one in measured)]
        values = ([one[name] for name in names] for one in measured)
        rows = np.array([[inf if one is None else one for one in row] for row in values])
        return {at for at, on in zip(places, front_of(rows), strict=True) if on}

    def _hosts(self, choice: Choice) -> tuple[tuple[str, int], ...]:
        """Machines of a candidate that people run, without what joins them."""
        standing = [one for key in _keys(choice) for one in self.parts[key].standing]
        return tuple(engineered.hosts_of(standing).items())


def kind_of(design: Mapping[str, Any]) -> str | None:
    """The kind of candidates that a study's design is one of; None for a mix or arrays alone."""
    if design["kind"] == "cloud":
        return "rented"
    if design["kind"] != "owned_cluster":
        return None
    array = design["spec"].get("array")
    return "owned" if not array else "coded" if array.get("code") else "shelves"


def _keys(choice: Choice) -> list[str]:
    return [part.key for part in choice.parts] or [choice.key]
