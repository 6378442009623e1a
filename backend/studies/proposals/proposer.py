"""What proposes designs for a work: its machines, its providers, and what they are costed at."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import ceil, fsum
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from capmodels.amounts import as_number
from capmodels.numbers import Currency
from capmodels.plans.check.runs import Machines, runs_in, runs_of
from capmodels.plans.costing.serving import gpus_needed, gpus_of, running_share
from capmodels.plans.document.assumptions import Assumptions
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.gpu_kinds import accelerator_named, are_alike
from capmodels.plans.document.inference import InferenceStream
from capmodels.plans.document.study import StudySpec
from capmodels.plans.document.training import TrainingJob
from capmodels.plans.document.workload import Headroom
from capmodels.plans.search import OWNED_QUANTILES
from capmodels.providers import PROVIDERS, Provider
from capmodels.registry import get_model
from capmodels.reliability.spares import machines_wanted, spares
from capmodels.serving.api_prices import API_PRICES
from capmodels.serving.gpu_clouds import GPU_OFFERS
from capmodels.spec import Context
from capmodels.units import MONTHS_PER_YEAR
from catalogue.fields import is_price
from catalogue.models import Entry
from catalogue.regions import PRICE
from catalogue.selectors import entries_named
from studies.checking import params_of
from studies.documents import LETTERS, PLAN, design_document
from studies.proposals import alike, engineered, stored
from studies.proposals import owned as own
from studies.proposals.options import OPTIONS
from studies.proposals.place import place_of
from studies.proposals.rented import SLUGS, of_gpu_cloud, priced_by_token, rented

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capmodels.plans.costing.serving import ModelWork
    from capmodels.spec import JSONDict
    from studies.proposals.draft import Draft
    from studies.proposals.owned import Servers
    from studies.proposals.place import Place

TERMS = (0, 12, 36)
_MODELS: Mapping[str, TypeAdapter[Any]] = {
    "streams": TypeAdapter(tuple[InferenceStream, ...]),
    "trainings": TypeAdapter(tuple[TrainingJob, ...]),
}
# A machine on spot is taken back once a day, as the plan assumes of spot instances. [h]
_SPOT_TAKEN_H = 24.0
# Families that are costed whole for a design.
_LIKELY = 4
IN_WORDS = {0: "on demand", 12: "1-year plan", 36: "3-year plan"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A design that may be proposed."""

    title: str
    kind: str
    spec: JSONDict
    origins: JSONDict
    # What people run of it.
    runs: Mapping[str, int] = field(default_factory=dict)

    def lettered(self, letter: str) -> JSONDict:
        """Return it as a study holds designs."""
        head = {"letter": letter, "title": self.title, "kind": self.kind}
        return {**head, "spec": self.spec, "provenance": self.origins}


class Proposer:
    """Makes designs for one workload under one set of assumptions."""

    def __init__(self, workload: JSONDict, assumptions: JSONDict) -> None:
        """Read the catalogue once; raise ParamsError where the workload cannot be."""
        self.workload, self.assumptions = workload, assumptions
        named = [slug for provider in PROVIDERS.values() for slug in provider.slugs]
        self.entries: dict[str, Entry] = entries_named(
            [*named, *SLUGS, *stored.SLUGS, *own.OTHERS, *alike.INDEXES]
        )
        self._machines = own.Machines()
        self.notes: list[str] = []
        self._places: dict[tuple[str, str], Place] = {}
        # The kind of GPU that the work asks for, where it asks for one and needs any.
        self._gpu = str(workload.get("gpu") or "") if workload.get("gpu_peak_count") else ""
        self._streams: tuple[InferenceStream, ...] = _models_of(workload, "streams")
        self._trainings: tuple[TrainingJob, ...] = _models_of(workload, "trainings")
        self._models: tuple[ModelWork, ...] = (*self._streams, *self._trainings)
        self._has_server = (
            self._machines.fit_models(self._models)
            if self._models
            else not self._gpu or self._machines.fit_gpu(self._gpu)
        )
        self.entries |= self._machines.entries

    def without_gpu(self, title: str) -> bool:
        """Whether own servers cannot have the GPUs asked for; it is said then."""
        if not self._has_server and self._models:
            self.notes.append(f"{title}: no server of the catalogue has GPUs that {self._asked}.")
        elif not self._has_server:
            what = f"the catalogue holds no server with {self._gpu}"
            self.notes.append(f"{title}: {what}; another kind of GPU is not the same work.")
        return not self._has_server

    @property
    def _asked(self) -> str:
        """What GPUs are to do for the models of the work."""
        serve = "serve the inference streams within their limits" if self._streams else ""
        train = "train the models in time" if self._trainings else ""
        return " and ".join(filter(None, (serve, train)))

    def quoted(self, slug: str) -> Candidate | None:
        """Own servers in colocation, as a server of the own catalogue was offered."""
        self.entries |= entries_named([slug])
        draft = own.quoted(slug, self.workload, self._machines, self.entries)
        if draft is None:
            self.notes.append(f"{self.entries[slug].title}: its cores or its price are not known.")
            return None
        return self.complete("Own servers as offered", draft)

    def complete(
        self, title: str, draft: Draft, stores: Servers | None = None, columns: Any = None
    ) -> Candidate:
        """Add what the machines need beside them, by how many of them the plan finds.

        ``columns`` has their sizing, where it is known already.
        """
        if columns is None:
            bare = _candidate(title, "owned_cluster", draft)
            (columns,) = columns_of([bare], self.workload, self.assumptions)
        standing = own.standing_of(draft, columns, stores or [])
        paid = Currency.stated(self.assumptions.get("currency"))
        runs = engineered.complete(draft, standing, self.workload, self._egress_growth, paid)
        engineered.staffed(draft, runs)
        return Candidate(title, "owned_cluster", draft.spec, draft.origins, runs)

    @cached_property
    def _egress_growth(self) -> float:
        """Egress at the end of the study over that of today."""
        growth = self.workload.get("growth")
        rate = growth.get("transfer_fraction_per_year") if isinstance(growth, dict) else None
        default = Assumptions.model_fields["horizon_months"].default
        months = self.assumptions.get("horizon_months", default)
        grown = (1.0 + float(rate or 0.0)) ** (float(months) / MONTHS_PER_YEAR)
        return max(float(grown), 1.0)

    def cloud(self, name: str, term_months: int, region: str = "") -> Candidate | None:
        """A provider: the family that costs least, committed as far as costs least."""
        provider = PROVIDERS[name]
        place = self._place(name, region)
        gpus = self._gpus(provider)
        lacking = self._lacking(provider)
        if gpus is None:
            lacking = f"instances with {self._gpu or 'GPUs'}"
            lacking += f" that {self._asked}" if self._models else ""
        if gpus is None or lacking:
            self.notes.append(f"{provider.title}: the catalogue holds no {lacking}.")
            return None
        if place.note:
            self.notes += [place.note, *place.lacking(provider.title, gpus, self.entries)]
        candidates = [
            self.rented_by(name, slug, term_months, region, whole=False)
            for slug in place.rentable(provider.instances, provider.older_instances)
        ]
        likely = sorted(candidates, key=self._rent_at_peak)[:_LIKELY]
        whole = [self._staffed(one) for one in likely]
        best = whole[self.cheapest(whole)]
        return best if not term_months else self._committed(best)

    def by_api(self, held: Sequence[Candidate], region: str = "") -> Candidate | None:
        """The inference streams by API, all else of the first provider, on demand."""
        title = OPTIONS["api"].design_title
        models = [one.model for one in self._streams]
        unpriced = [model for model in models if model not in API_PRICES]
        if not models or unpriced or self._trainings:
            why = f"no price of {unpriced[0]} is known" if unpriced else "the work has no streams"
            why = "an API trains no model" if self._trainings else why
            self.notes.append(f"{title}: {why}.")
            return None
        name = self._first(held)
        title = f"{title}, {PROVIDERS[name].title}"
        return self._beside(title, name, region, lambda draft: priced_by_token(draft, models))

    def gpu_cloud(self, held: Sequence[Candidate], region: str = "") -> Candidate | None:
        """The cheapest offer of a GPU cloud for the models; all else of the first provider."""
        title, costs = OPTIONS["gpu_cloud"].design_title, {}
        for offer in GPU_OFFERS if self._models else ():
            accelerator = accelerator_named(offer.gpu)
            needed = accelerator and gpus_needed(self._models, accelerator, offer.gpus_count)
            if needed:
                costs[offer] = ceil(as_number(needed) / offer.gpus_count) * offer.usd_per_h
        if not costs:
            why = (
                f"no offer is known of GPUs that {self._asked}"
                if self._models
                else ("the work has neither inference streams nor training jobs")
            )
            self.notes.append(f"{title}: {why}.")
            return None
        offer = min(costs, key=costs.__getitem__)
        return self._beside(
            f"{title}, {offer.provider}",
            self._first(held),
            region,
            lambda draft: of_gpu_cloud(draft, offer),
        )

    @staticmethod
    def _first(held: Sequence[Candidate]) -> str:
        """The provider of the first rented design, else the first that there is."""
        clouds = (str(one.spec["provider"]) for one in held if one.kind == "cloud")
        return next(clouds, next(iter(PROVIDERS)))

    def _beside(
        self, title: str, name: str, region: str, put: Callable[[Draft], None]
    ) -> Candidate | None:
        """All but what ``put`` adds, of a provider on demand: the family that costs least."""
        provider, place = PROVIDERS[name], self._place(name, region)
        if lacking := self._lacking(provider):
            self.notes.append(f"{provider.title}: the catalogue holds no {lacking}.")
            return None
        found = []
        for slug in place.rentable(provider.instances, provider.older_instances):
            draft = rented(name, (slug,), 0, {**self.entries, **place.entries}, place)
            put(draft)
            found.append(_candidate(title, "cloud", draft))
        likely = sorted(found, key=self._rent_at_peak)[:_LIKELY]
        return self._staffed(likely[self.cheapest(likely)])

    def on_spot(self, held: Sequence[Candidate], region: str = "") -> Candidate | None:
        """The first provider on demand, its GPUs on spot as far as training uses them."""
        title = OPTIONS["spot"].design_title
        name = self._first(held)
        found = self.cloud(name, 0, region) if self._trainings else None
        if found is None:
            self.notes += [] if self._trainings else [f"{title}: the work has no training jobs."]
            return None
        (item,) = [one for one in found.spec["instances"] if one.get("gpus_count")]
        kind, joined = accelerator_named(item["gpu"]), int(item["gpus_count"])
        assert kind is not None
        used = {
            one.name: (count, as_number(count * running_share(one, kind, count)))
            for one in self._models
            if (count := as_number(gpus_of(one, kind, joined) or 0.0))
        }
        trained = [used[one.name] for one in self._trainings]
        machines = max(ceil(count / joined) for count, _ in trained)
        stops = self._trainings[0].stops._replace(h_per_stop=_SPOT_TAKEN_H)
        lost = as_number(stops.lost(machines))
        if lost >= 1.0:
            self.notes.append(f"{title}: {machines:,} machines are taken back too often.")
            return None
        share = fsum(mean for _, mean in trained) / fsum(mean for _, mean in used.values())
        why = f"Young's interval, each of {machines:,} machines taken back once a day"
        spot = {"covers": "gpus", "share_fraction": share, "waste_fraction": lost}
        origin = {"quality": "derived", "source": why}
        return Candidate(
            f"{title}, {PROVIDERS[name].title}",
            "cloud",
            {**found.spec, "spot": spot},
            {**found.origins, "/spot/waste_fraction": origin},
            found.runs,
        )

    def _rent_at_peak(self, candidate: Candidate) -> float:
        """What the instances of a candidate cost about, of which the likely ones are costed whole.

        As many as the cores and the RAM take at the peak, and the spare ones. [USD/h]
        """
        item, work = candidate.spec["instances"][0], self.workload
        hours = sorted((work.get("shape") or {}).get("values_ratio") or [1.0])
        peak = hours[int(0.99 * len(hours))] * len(hours) / (fsum(hours) or 1.0)
        # What is no number is refused by the plan, at its field.
        cores, ram_gib, ratio = (
            float(one) if isinstance(one := work.get(name), int | float) else 0.0
            for name in ("busy_cores_count", "ram_gib", "p99_ratio")
        )
        usual = Headroom()
        of_cores = cores * (ratio or peak) / usual.cores_target_fraction
        speed = float(item.get("perf_per_vcpu_ratio", 1.0)) * float(item["vcpu_count"])
        of_ram = ram_gib * (1.0 + usual.ram_headroom_fraction) / float(item["ram_gib"])
        asked = (work.get("availability") or {}).get("spare_nodes_count", 1)
        return (ceil(max(of_cores / speed, of_ram)) + int(asked)) * float(item["usd_per_h"])

    def rented_by(
        self, name: str, instance: str, term_months: int, region: str = "", *, whole: bool = True
    ) -> Candidate:
        """A provider's design of one family, with those who run it where it is whole."""
        provider, place = PROVIDERS[name], self._place(name, region)
        gpus = self._gpus(provider) or ()
        where = "" if place.is_home else f" {place.region}"
        title = f"{provider.title}{where}, {IN_WORDS[term_months]}"
        entries = {**self.entries, **place.entries}
        draft = rented(name, (instance, *gpus), term_months, entries, place)
        found = _candidate(title, "cloud", draft)
        if not whole:
            return found
        found = self._staffed(found)
        return found if not term_months else self._committed(found)

    def _place(self, name: str, region: str) -> Place:
        """Where a provider's design stands, read once."""
        if (name, region) not in self._places:
            self._places[name, region] = place_of(name, PROVIDERS[name], region)
        return self._places[name, region]

    def _staffed(self, candidate: Candidate) -> Candidate:
        """Add the people who run the instances that the plan finds, and spare ones with GPUs."""
        (columns,) = columns_of([candidate], self.workload, self.assumptions)
        counts = {group.name: ceil(group.count) for group in columns.sizing[-1].groups}
        spec, origins = dict(candidate.spec), dict(candidate.origins)
        asked = (self.workload.get("availability") or {}).get("spare_nodes_count", 1)
        spec["instances"] = [dict(item) for item in spec["instances"]]
        for place, item in enumerate(spec["instances"]):
            if item.get("gpus_count") and asked:
                in_use = counts[item["name"]]
                wanted = spares(machines_wanted(in_use, asked, gpus=True, rented=True))
                counts[item["name"]] += wanted.spares_count
                item["spare_count"] = wanted.spares_count
                origin = {"quality": "derived", "source": wanted.sentence}
                origins[f"/instances/{place}/spare_count"] = origin
        head = {"letter": "A", "title": candidate.title, "kind": "cloud"}
        runs = runs_in([Cloud.model_validate({**head, **spec})], Machines(counts))
        spec["staff_fte"], origins["/staff_fte"] = engineered.people_for(runs)
        return Candidate(candidate.title, "cloud", spec, origins, runs)

    def _lacking(self, provider: Provider) -> str:
        """What the work needs and the catalogue holds no price of."""
        for amount, slug, what in (
            ("block_tb", provider.block, "price of block storage"),
            ("object_tb", provider.objects, "price of object storage"),
            ("archive_tb", provider.archive, "price of an archive"),
            ("egress_tb_per_month", provider.egress, "price of egress"),
        ):
            entry = self.entries.get(slug)
            held = entry.values if entry else {}
            if self.workload.get(amount) and not any(is_price(name) for name in held):
                return what
        return ""

    def _gpus(self, provider: Provider) -> tuple[str, ...] | None:
        if self._models:
            return self._gpus_for_models(provider)
        if not self.workload.get("gpu_peak_count"):
            return ()

        def kind(slug: str) -> str:
            return str(self.entries[slug].values["gpu"]["value"])

        # Without a kind asked for, designs have the one that the first provider has: how fast
        # another is for work that is not described is not known.
        asked = self._gpu or next(kind(one.gpu_instances[0]) for one in PROVIDERS.values())
        of_kind = (slug for slug in provider.gpu_instances if are_alike(asked, kind(slug)))
        return tuple(islice(of_kind, 1)) or None

    def _gpus_for_models(self, provider: Provider) -> tuple[str, ...] | None:
        """The instances with GPUs that serve and train at least price of whole ones."""
        costs: dict[str, float] = {}
        for slug in provider.gpu_instances:
            values = self.entries[slug].values
            accelerator = accelerator_named(str(values["gpu"]["value"]))
            price, count = values.get(PRICE, {}).get("value"), int(values["gpus_count"]["value"])
            if accelerator is None or price is None:
                continue
            needed = gpus_needed(self._models, accelerator, count)
            if needed is not None:
                costs[slug] = ceil(as_number(needed) / count) * price
        return (min(costs, key=costs.__getitem__),) if costs else None

    def _committed(self, candidate: Candidate) -> Candidate:
        """Left open, a level is the one that costs least under the demand as planned."""
        commitment = {**candidate.spec["commitments"][0], "base_quantile_fraction": None}
        spec = {**candidate.spec, "commitments": [commitment]}
        return Candidate(candidate.title, "cloud", spec, candidate.origins, candidate.runs)

    def hybrid(self, held: Sequence[Candidate]) -> Candidate | None:
        """Own up to a quantile of the demand, the rest rented of the first provider."""
        title = OPTIONS["hybrid"].design_title
        places = {candidate.kind: place for place, candidate in reversed([*enumerate(held)])}
        if "owned_cluster" not in places or "cloud" not in places:
            self.notes.append(f"{title}: needs own servers and a provider beside it.")
            return None
        letters = [LETTERS[places["owned_cluster"]], LETTERS[places["cloud"]]]
        found = []
        for share in OWNED_QUANTILES:
            spec = {
                "owned_letter": letters[0],
                "rented_letter": letters[1],
                "own_quantile_fraction": share,
            }
            bare = Candidate(title, "hybrid", spec, {})
            mixed = zip(LETTERS, [*held, bare], strict=False)
            # Delivered as they are in the end, which the plan sizes them for.
            designs = copy.deepcopy([one.lettered(letter) for letter, one in mixed])
            made_alike(designs, self)
            study = study_of(designs, self.workload, self.assumptions)
            runs = runs_of(study, compared(study)[-1])
            fte, origin = engineered.people_for(runs)
            origins = {"/staff_fte": origin}
            found.append(Candidate(title, "hybrid", {**spec, "staff_fte": fte}, origins, runs))
        return found[self.cheapest(found, beside=held)]

    def cheapest(self, candidates: Sequence[Candidate], beside: Sequence[Candidate] = ()) -> int:
        """Place of the candidate of least present value among those that meet demand."""
        if len(candidates) == 1 and not beside:
            return 0
        costs: list[tuple[bool, float]] = []
        for candidate in candidates:
            columns = columns_of([*beside, candidate], self.workload, self.assumptions)
            costs.append((not columns[-1].carries_load, columns[-1].npv_usd))
        return min(range(len(costs)), key=costs.__getitem__)


def _models_of(workload: JSONDict, field: str) -> Any:
    """Streams or training jobs of some work; none where they have faults, which the plan tells."""
    try:
        return _MODELS[field].validate_python(workload.get(field) or [])
    except ValidationError:
        return ()


def _candidate(title: str, kind: str, draft: Draft) -> Candidate:
    return Candidate(title, kind, draft.spec, draft.origins)


def columns_of(
    held: Sequence[Candidate],
    workload: JSONDict,
    assumptions: JSONDict,
    baseline: JSONDict | None = None,
) -> Any:
    """Return the plan's columns for some candidates, and for a baseline, without draws."""
    designs = [item.lettered(letter) for item, letter in zip(held, LETTERS, strict=False)]
    return answered(designs, workload, assumptions, baseline)


def answered(
    designs: Sequence[JSONDict],
    workload: JSONDict,
    assumptions: JSONDict,
    baseline: JSONDict | None = None,
) -> Any:
    """Return the plan's columns for some designs, and for a baseline, without draws."""
    return compared(study_of(designs, workload, assumptions, baseline))


def study_of(
    designs: Sequence[JSONDict],
    workload: JSONDict,
    assumptions: JSONDict,
    baseline: JSONDict | None = None,
) -> StudySpec:
    """Some designs for a work as a study that the plan reads; raise ParamsError with its faults."""
    shared = {"workload": workload, "assumptions": assumptions, "baseline": baseline}
    document = {"designs": [design_document(design) for design in designs], **shared}
    study = params_of(get_model(PLAN), document)
    assert isinstance(study, StudySpec)
    return study


def compared(study: StudySpec) -> Any:
    """The plan's columns of a study, without draws."""
    return get_model(PLAN).run(study, Context(seed=1)).designs


def made_alike(
    designs: Sequence[JSONDict],
    proposer: Proposer,
    *,
    today: str | None = None,
    beside: Sequence[JSONDict] = (),
) -> None:
    """Have designs delivered alike, at prices of one day, and complete, as those beside them."""
    alike.delivered(designs, today=today, beside=beside)
    alike.moved(designs, proposer.workload)
    alike.of_one_time(designs, proposer.entries, beside)
    default = Assumptions.model_fields["horizon_months"].default
    horizon_months = proposer.assumptions.get("horizon_months", default)
    alike.complete(designs, proposer.workload, horizon_months)
