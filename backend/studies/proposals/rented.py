"""A rented design for some work, from the catalogue's prices of one provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.imports.prices import PLANS
from capmodels.providers import PROVIDERS
from capmodels.serving.api_prices import API_PRICES, API_PRICES_DATE, API_PRICES_SOURCE
from catalogue.regions import PRICE
from studies.proposals.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.providers import Provider
    from capmodels.serving.gpu_clouds import GpuOffer
    from catalogue.models import Entry
    from studies.proposals.place import Place


OVERHEAD, STAFF, BACKUP = "nat-and-balancers-share", "staff-cloud-fte", "backup-offsite"
SLUGS = (OVERHEAD, STAFF, BACKUP)
_INSTANCE = (
    "vcpu_count",
    "ram_gib",
    PRICE,
    "network_gbit_per_s",
    "perf_per_vcpu_ratio",
    "gpus_count",
)


def rented(
    name: str,
    instances: tuple[str, ...],
    term_months: int,
    entries: Mapping[str, Entry],
    place: Place,
) -> Draft:
    """Return a design of one provider with all that a real one pays for.

    ``instances`` are slugs: one that carries cores and RAM, one with GPUs where they are needed.
    """
    provider, draft = PROVIDERS[name], Draft(entries, place)
    draft.put("/provider", name)
    draft.put("/region", place.region)
    for number, slug in enumerate(instances):
        at = f"/instances/{number}"
        draft.put(f"{at}/name", draft.entry(slug).title)
        draft.put(f"{at}/entry", slug)
        draft.take_all(at, slug, _INSTANCE)
        if kind := draft.value(slug, "gpu"):
            draft.put(f"{at}/gpu", kind)
            # Until it is known how many there are.
            draft.put(f"{at}/spare_count", 0)
        draft.dated(at, slug, PRICE)
    if term_months:
        commit(draft, provider.commitments[term_months])
        _price_plan(draft, instances, term_months)
    _storage(draft, provider)
    _archive(draft, provider)
    _transfer(draft, provider)
    _support(draft, provider.support)
    return draft


def commit(draft: Draft, slug: str) -> None:
    """Commit by a plan of the catalogue, its level left open."""
    plan = draft.value(slug, "plan")
    draft.put("/commitments/0/kind", "reserved" if plan == "reserved" else "savings_plan")
    draft.take_all("/commitments/0", slug, ("term_months", "upfront_fraction", "discount_fraction"))


def _price_plan(draft: Draft, instances: tuple[str, ...], term_months: int) -> None:
    """Take a price list's prices of a plan without upfront, where one is held of the first."""
    unpaid = [
        name
        for name, plan in PLANS.items()
        if (plan.term_months, plan.upfront_fraction) == (term_months, 0.0)
    ]
    field = next((name for name in unpaid if draft.holds(instances[0], name)), None)
    if field is None:
        return
    at, plan = "/commitments/0", PLANS[field]
    draft.put(f"{at}/kind", plan.kind)
    draft.put(f"{at}/plan", plan.title)
    draft.put(f"{at}/upfront_fraction", plan.upfront_fraction)
    priced = [slug for slug in instances if draft.holds(slug, field)]
    if len(priced) == len(instances):
        # No instance is left that the discount is read of.
        draft.spec["commitments"][0].pop("discount_fraction", None)
        draft.origins.pop(f"{at}/discount_fraction", None)
    for number, slug in enumerate(priced):
        here = f"{at}/prices/{number}"
        draft.put(f"{here}/name", draft.entry(slug).title)
        draft.take(f"{here}/usd_per_h", slug, field)
        draft.dated(here, slug, field)


def priced_by_token(draft: Draft, models: Sequence[str]) -> None:
    """Have models served by API, at the median of the providers' prices per token."""
    for place, model in enumerate(dict.fromkeys(models)):
        at, price = f"/token_prices/{place}", API_PRICES[model]
        draft.put(f"{at}/model", model)
        draft.put(f"{at}/price_as_of", API_PRICES_DATE)
        for name in ("input_usd_per_m", "output_usd_per_m"):
            low, middle, high = getattr(price, name)
            draft.put(f"{at}/{name}", middle)
            draft.origins[f"{at}/{name}"] = {
                "quality": "published",
                "source": f"Median of {price.providers_count} {API_PRICES_SOURCE}",
                "as_of": API_PRICES_DATE,
                "low": low,
                "high": high,
            }
        if price.cached_usd_per_m is not None:
            draft.put(f"{at}/cached_usd_per_m", price.cached_usd_per_m)


# A machine's share of processors for each GPU, which sizes nothing: it serves GPU demand only.
_VCPUS_PER_GPU = 16


def of_gpu_cloud(draft: Draft, offer: GpuOffer) -> None:
    """Add the machines of a GPU cloud, at its price of a day."""
    at = f"/instances/{len(draft.spec['instances'])}"
    draft.put(f"{at}/name", f"{offer.provider}, {offer.gpus_count} x {offer.gpu}")
    draft.put(f"{at}/usd_per_h", offer.usd_per_h)
    draft.origins[f"{at}/usd_per_h"] = {
        "quality": "published",
        "source": f"Price list of {offer.provider}",
        "as_of": offer.as_of,
    }
    draft.put(f"{at}/price_as_of", offer.as_of)
    draft.put(f"{at}/vcpu_count", _VCPUS_PER_GPU * offer.gpus_count)
    draft.put(f"{at}/gpus_count", offer.gpus_count)
    draft.put(f"{at}/gpu", offer.gpu)
    # Until it is known how many there are.
    draft.put(f"{at}/spare_count", 0)


def price_the_rest(draft: Draft, name: str) -> None:
    """Give a design the provider's prices of storage and transfer that it has none of yet."""
    listed, provider = Draft(draft.entries), PROVIDERS[name]
    _storage(listed, provider)
    _archive(listed, provider)
    _transfer(listed, provider)
    if not draft.spec.get("support"):
        _support(listed, provider.support)
    for group, fields in _PRICES.items():
        held = draft.spec.setdefault(group, {})
        for field in fields:
            at = f"/{group}/{field}"
            if field not in held and field in listed.spec.get(group, {}):
                held[field] = listed.spec[group][field]
                found = {key: said for key, said in listed.origins.items() if key.startswith(at)}
                draft.origins.update(found)


_PRICES = {
    "support": ("bands", "minimum_usd_per_month"),
    "storage": ("block_tiers", "object_tiers", "archive"),
    "transfer": ("egress_tiers", "cross_zone_usd_per_gb"),
}


def _storage(draft: Draft, provider: Provider) -> None:
    rates = (
        "io_included_per_s",
        "usd_per_iops_month",
        "throughput_included_mb_per_s",
        "usd_per_mb_per_s_month",
    )
    draft.take("/storage/block_tiers/0/usd_per_gb_month", provider.block, "usd_per_gb_month")
    draft.take_all("/storage", provider.block, rates)
    _tiers(draft, "/storage/object_tiers", provider.objects, "usd_per_gb_month")
    draft.take("/storage/backup_usd_per_tb_month", BACKUP, "usd_per_tb_month")


def _archive(draft: Draft, provider: Provider) -> None:
    """The price of an archive and of reading it back; nothing where none is held."""
    at = "/storage/archive"
    draft.take(f"{at}/usd_per_gb_month", provider.archive, "usd_per_gb_month")
    draft.take(f"{at}/usd_per_gb_read", provider.archive, "read_usd_per_gb")


def _transfer(draft: Draft, provider: Provider) -> None:
    _tiers(draft, "/transfer/egress_tiers", provider.egress, "usd_per_gb")
    draft.take("/transfer/cross_zone_usd_per_gb", provider.cross_zone, "usd_per_gb")
    draft.take("/transfer/other_fraction", OVERHEAD, "share_fraction")


def _tiers(draft: Draft, at: str, slug: str, field: str) -> None:
    """Bands of a price as the plan takes them: each up to where the next begins."""
    starts, prices = (draft.value(slug, f"tier_{name}") for name in ("from_tb", field))
    if not starts or not prices:
        draft.take(f"{at}/0/{field}", slug, field)
        return
    for place, price in enumerate(prices):
        here = f"{at}/{place}"
        if place + 1 < len(starts):
            draft.put(f"{here}/up_to_tb", starts[place + 1])
        draft.take_band(f"{here}/{field}", slug, f"tier_{field}", place, price)


def _support(draft: Draft, slug: str) -> None:
    starts, shares = (
        draft.value(slug, f"band_{name}") for name in ("from_usd_per_month", "fraction")
    )
    starts, shares = _listed(starts), _listed(shares)
    for place, share in enumerate(shares):
        if place + 1 < len(starts):
            draft.put(f"/support/bands/{place}/up_to_usd_per_month", starts[place + 1])
        draft.put(f"/support/bands/{place}/fraction", share)
    draft.take("/support/minimum_usd_per_month", slug, "minimum_usd_per_month")


def _listed(value: object) -> list[float]:
    """One number, several, or none, as a list."""
    if isinstance(value, list):
        return value
    return [] if value is None else [float(str(value))]
