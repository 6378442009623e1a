"""Reads imports, inside an entered workspace."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Case, IntegerField, When

from capmodels.imports.fleet_match import Known, KnownMachine
from capmodels.imports.instance_names import size_by_name
from capmodels.imports.machine_names import processor_code
from capmodels.imports.months import costs_of, months_of
from capmodels.imports.registry import HeldPrice, Size
from catalogue.models import Entry
from catalogue.regions import prices_in
from common.errors import Conflict, existing
from imports.models import Import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet


def import_list() -> QuerySet[Import]:
    """Return the workspace's imports without what they say; one query."""
    return Import.objects.select_related("job").defer("preview", "undo")


def import_get(import_id: UUID, *, lock: bool = False) -> Import:
    """Return one import with its job and what it says.

    Raises
    ------
    NotFound
        When the workspace has no such import.
    """
    rows = Import.objects.select_for_update(of=("self",)) if lock else Import.objects
    return existing(rows.select_related("job").filter(job_id=import_id).first(), import_id)


def import_months(import_id: UUID) -> tuple[str, list[str], list[float]]:
    """Return a bill's file name, its months and what each cost.

    Raises
    ------
    NotFound
        When the workspace has no such import.
    Conflict
        When it is no bill that was read.
    ParamsError
        When its months are no series.
    """
    row = _bill(import_id)
    return row.file_name, *months_of(row.preview or {})


def import_months_usd(import_id: UUID, code: str, per_usd: float) -> dict[str, float]:
    """Return what a bill's months cost in US dollars, of which one buys so much of a currency.

    Raises
    ------
    NotFound
        When the workspace has no such import.
    Conflict
        When it is no bill that was read, or it is in another currency.
    """
    bill = _bill(import_id).preview or {}
    if (billed := bill["currency"] or "USD") not in {"USD", code}:
        message = f"The bill is in {billed}, the study in {code}: its months cannot be compared."
        raise Conflict(message)
    rate = 1.0 if billed == "USD" else per_usd
    return {month: cost / rate for month, cost in costs_of(bill).items()}


def bills_with_months(study_id: UUID, limit: int) -> list[dict[str, Any]]:
    """Return bills that were read, those of a study first, without what else they say."""
    rows = Import.objects.filter(makes="bill", preview__isnull=False)
    mine = Case(When(study_id=study_id, then=0), default=1, output_field=IntegerField())
    named = rows.order_by(mine, "-created_at").values("pk", "file_name", "preview__months")
    return [
        {
            "id": one["pk"],
            "file_name": one["file_name"],
            "months": sorted(row["month"] for row in one["preview__months"] if row["month"]),
        }
        for one in named[:limit]
    ]


def _bill(import_id: UUID) -> Import:
    row = import_get(import_id)
    if row.makes != "bill" or row.preview is None:
        raise Conflict("Only a bill has months.")
    return row


def import_read_before(read_key: str) -> Import | None:
    """Return an import of the very same file, as it is read today."""
    rows = Import.objects.filter(read_key=read_key, preview__isnull=False)
    return rows.order_by("-created_at").first()


def import_before(study_id: UUID, besides: UUID, makes: str) -> Import | None:
    """Return the import of a kind that a study took last, other than one."""
    return _taken(study_id, makes).exclude(job_id=besides).order_by("-accepted_at").first()


def files_taken(study_id: UUID, makes: str) -> set[str]:
    """Return the names of the files of a kind that a study took."""
    return set(_taken(study_id, makes).values_list("file_name", flat=True))


def _taken(study_id: UUID, makes: str) -> QuerySet[Import]:
    return Import.objects.filter(study_id=study_id, accepted_at__isnull=False, makes=makes)


def remembered_mapping(format_id: str, preview: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what columns of the same names meant when such a file was accepted last."""
    if "mapping" not in preview or "columns" not in preview:
        return None
    rows = _accepted(format_id, preview["columns"]).order_by("-accepted_at")
    return rows.values_list("preview__mapping", flat=True).first()


def quote_taken(columns: Sequence[str]) -> bool:
    """Whether a quote with columns of these names was accepted."""
    return _accepted("quote", columns).exists()


def _accepted(format_id: str, columns: Sequence[str]) -> QuerySet[Import]:
    return Import.objects.filter(
        format=format_id, accepted_at__isnull=False, preview__columns=columns
    )


def machine_prices() -> Callable[[str, str], HeldPrice | None]:
    """Return what finds the on-demand price of a machine type in a region, as the catalogue has it.

    A type is found by its name there, which follows the provider's; else by one of its family with
    as much RAM a vCPU, whose price a vCPU is the family's. None where neither has a price there.
    The catalogue's types are read at the first question.
    """

    @cache
    def held() -> list[_HeldType]:
        rows = Entry.objects.filter(kind="instance")
        return [
            _HeldType(
                *(slug, title, provider, _plain(title.partition(" ")[2])),
                *(_value(values, "vcpu_count"), _value(values, "ram_gib")),
            )
            for slug, title, provider, values in rows.values_list(
                "slug", "title", "provider", "values"
            )
        ]

    @cache
    def price_of(name: str, region: str) -> HeldPrice | None:
        wanted, size = _plain(name), size_by_name(name)
        for one in sorted(held(), key=lambda one: not one.is_called(wanted)):
            ratio = 1.0 if one.is_called(wanted) else one.share_of(wanted, size)
            if ratio is None:
                continue
            (found,) = prices_in(one.provider, region, [one.slug]).prices
            usd_per_h = (found.price or {}).get("value")
            if isinstance(usd_per_h, int | float):
                by = "" if one.is_called(wanted) else f" of {one.title}, by vCPUs,"
                return HeldPrice(ratio * usd_per_h, f"On-demand price{by} in {region}, catalogue")
        return None

    return price_of


class _HeldType(NamedTuple):
    """An instance type of the catalogue, by its name there and by that without its provider."""

    slug: str
    title: str
    provider: str
    plain: str
    vcpus_count: float | None
    ram_gib: float | None

    def is_called(self, wanted: str) -> bool:
        return wanted in {_plain(self.title), self.plain}

    def share_of(self, wanted: str, size: Size | None) -> float | None:
        """How many of it by vCPUs a type of its family and shape is; None of any other."""
        if size is None or not self.vcpus_count or self.ram_gib is None:
            return None
        apart = self.ram_gib / self.vcpus_count - size.ram_gib / size.vcpus_count
        if _family(self.plain) != _family(wanted) or abs(apart) > _SAME_RAM:
            return None
        return size.vcpus_count / self.vcpus_count


# GiB a vCPU that two types of a family may differ by and still be of one shape.
_SAME_RAM = 0.01


def machine_sizes(types: Iterable[str]) -> dict[str, Size]:
    """Return cores and RAM of machine types, by the provider's name.

    A type is found in the catalogue by its name there, which follows the provider's ("AWS
    m7a.large"); else its name says its size, and an entry of its family its speed.
    """
    wanted = {_plain(name): name for name in types}
    found: dict[str, Size] = {}
    speeds: dict[str, float] = {}
    for title, values in Entry.objects.filter(kind="instance").values_list("title", "values"):
        cores, ram, speed = (
            _value(values, key) for key in ("vcpu_count", "ram_gib", "perf_per_vcpu_ratio")
        )
        plain = _plain(title.partition(" ")[2])
        if speed is not None:
            speeds.setdefault(_family(plain), speed)
        name = wanted.get(_plain(title)) or wanted.get(plain)
        if name is not None and cores is not None and ram is not None:
            found.setdefault(name, Size(cores, ram, speed))
    for plain, name in wanted.items():
        said = size_by_name(name)
        if name not in found and said is not None:
            found[name] = replace(said, perf_per_vcpu_ratio=speeds.get(_family(plain)))
    return found


_FIGURES = (
    *("ram_gib", "idle_w", "peak_w", "perf_per_core_ratio", "unit_price_usd"),
    *("overall_ssj_ops_per_w", "full_load_ssj_ops_per_s"),
)


def machines_known() -> Known:
    """Return the servers of the catalogue, and the cores of its processors."""
    machines, cores = [], {}
    rows = Entry.objects.filter(kind__in=("server", "part")).order_by("slug")
    for entry in rows.values("slug", "title", "kind", "values"):
        if entry["kind"] == "server":
            # Those made of parts are what can be bought; nobody measured one.
            if "parts" not in entry["values"]:
                machines.append(_machine(entry))
        elif _text(entry["values"], "component") == "cpu":
            cores[processor_code(entry["title"])] = _value(entry["values"], "cores_count") or 0.0
    return Known(machines, cores)


def _machine(entry: Mapping[str, Any]) -> KnownMachine:
    values = entry["values"]
    points = values.get("points_w", {}).get("value") or ()
    origins = {
        name: {key: said[key] for key in ("quality", "source", "as_of") if said.get(key)}
        for name, said in values.items()
    }
    return KnownMachine(
        slug=entry["slug"],
        title=entry["title"],
        vendor=_text(values, "vendor"),
        cpu=_text(values, "cpu"),
        sockets_count=_value(values, "sockets_per_node_count"),
        cores_count=_value(values, "cores_per_node_count"),
        points_w=tuple(points),
        sold_on=str(values.get("idle_w", {}).get("as_of") or ""),
        origins=origins,
        **{name: _value(values, name) for name in _FIGURES},
    )


def _text(values: Mapping[str, Any], key: str) -> str:
    return str(values.get(key, {}).get("value") or "")


def _plain(name: str) -> str:
    return name.lower().removeprefix("standard_").replace(" ", "_")


def _family(plain: str) -> str:
    """The part of a type's name that is the same for all sizes of AWS and Google."""
    return plain.partition(".")[0] if "." in plain else plain.rpartition("-")[0]


def _value(values: dict[str, Any], key: str) -> float | None:
    value = values.get(key, {}).get("value")
    return float(value) if isinstance(value, int | float) else None
