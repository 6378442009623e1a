"""Providers of cloud machines, a file each: all that the product knows of one by name.

A module here that holds a ``PROVIDER`` is one: nothing else lists it. Proposals, bills, lists of
prices, checks and, through the API, the pages read these records. A provider whose price list has
an address for each region, or one for all, is this file and the importer that reads the list.
"""

from __future__ import annotations

import pkgutil
import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficients:
    """Watts of a vCPU, idle and busy: the provider's mean, its thriftiest and hungriest family."""

    mean: tuple[float, float]
    low: tuple[float, float]
    high: tuple[float, float]
    pue: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """A list that a provider publishes at a fixed address, ``{region}`` in it where it has one.

    ``regions_address`` leads to its index of regions, where there is one. A list that is put
    together of pages, or found through an index, has a way of its own (``imports.fetching``).
    """

    id: str
    title: str
    label: str
    address: str
    by_region: bool
    regions_address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uptime:
    """Availability of machines that a provider publishes a term for, and where.

    Of one machine in one zone, and of machines in several zones, of which one is up.
    """

    one_zone_fraction: float
    zones_fraction: float
    source: str
    as_of: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Names, regions, entries of the catalogue, power and price lists of a provider.

    ``named`` is how a bill names it, ``terraform`` how a plan of Terraform does, ``services`` what
    only its services are called, as patterns;
    ``on_bills`` what it is called where only its services are named. ``types`` is what its
    machine types look like, ``type_prefix`` what stands before each in its own lists alone.
    ``order`` is its place in lists; ``instances`` are rented where they are priced, else
    ``older_instances``; ``arm_instances`` run only what is built for ARM: a search has them, a
    proposal does not. ``importers`` are the modules that read its price lists, in the order
    in which they are asked. ``support_until`` is the last day on which its plan of support is sold.
    """

    id: str
    order: int
    title: str
    on_bills: str
    named: str
    services: str
    types: str
    region: str
    instances: tuple[str, ...]
    terraform: str = ""
    older_instances: tuple[str, ...] = ()
    arm_instances: tuple[str, ...] = ()
    gpu_instances: tuple[str, ...] = ()
    commitments: Mapping[int, str] = field(default_factory=dict)
    block: str
    objects: str
    archive: str
    egress: str
    cross_zone: str
    support: str
    coefficients: Coefficients | None = None
    uptime: Uptime | None = None
    lists: tuple[PriceList, ...] = ()
    importers: tuple[str, ...] = ()
    type_prefix: str = ""
    support_until: str | None = None

    @property
    def slugs(self) -> tuple[str, ...]:
        """All entries that may be looked up."""
        stored = (self.block, self.objects, self.archive)
        own = (*stored, self.egress, self.cross_zone, self.support)
        plain = (*self.instances, *self.older_instances, *self.arm_instances)
        rented = (*plain, *self.gpu_instances)
        return (*rented, *self.commitments.values(), *own)


def found(folders: Iterable[str]) -> dict[str, Provider]:
    """Return the providers whose records stand in some folders, by id and in their order."""
    names = sorted(module.name for module in pkgutil.iter_modules(list(folders)))
    held = [import_module(f"{__name__}.{name}").PROVIDER for name in names]
    return {one.id: one for one in sorted(held, key=lambda one: (one.order, one.id))}


PROVIDERS: dict[str, Provider] = found(__path__)
IDS = tuple(PROVIDERS)
# What a rented design calls a provider that has no record.
OTHER = "other"

if TYPE_CHECKING:
    ProviderId = str
    AnyProviderId = str
else:
    ProviderId = Literal[tuple(one.id for one in PROVIDERS.values() if one.coefficients)]
    AnyProviderId = Literal[(*PROVIDERS, OTHER)]


def provider_named(names: Iterable[str]) -> str:
    """The id of the provider that a bill names.

    >>> provider_named(["Amazon Web Services"]), provider_named(["Hetzner"])
    ('aws', 'other')
    """
    said = " ".join(names)
    known = (one.id for one in PROVIDERS.values() if re.search(one.named, said, re.IGNORECASE))
    return next(known, OTHER)


def providers_of(named: Iterable[str], services: Iterable[str]) -> list[str]:
    """Providers as the bill names them; where it names none, those that its services name.

    >>> providers_of([""], ["Amazon Simple Storage Service", "Tax"]), providers_of([""], ["Tax"])
    (['AWS'], [])
    """
    told = sorted({name for name in named if name})
    if told:
        return told
    said = "\n".join(sorted(set(services)))
    known = PROVIDERS.values()
    return [one.on_bills for one in known if re.search(one.services, said, re.IGNORECASE)]


def provider_of_types(names: Iterable[str]) -> str:
    """The id of the provider that most machine types look like those of; of none, the last one's.

    >>> provider_of_types(["m7a.large", "c7a.large"]), provider_of_types(["Standard_D2as_v6"])
    ('aws', 'azure')
    """
    types = list(names)
    like = {
        one.id: sum(bool(re.search(one.types, name)) for name in types)
        for one in reversed(PROVIDERS.values())
    }
    return max(like, key=lambda one: like[one])
