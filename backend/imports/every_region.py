"""The price lists of every region of a provider, fetched in one job, a region at a time.

Each region is a list of its own, kept as soon as it is read. What is done stands in the ``source``
of the asked-for import, so that another attempt, or who asks again after it broke off, goes on
where it stopped.
"""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.utils.timezone import now

from capmodels.formats.chunks import FileRefused
from capmodels.imports.preview import Column, table
from capmodels.numbers import counted
from common.errors import Conflict
from common.tenancy import workspace
from imports.fetching import EVERY, LISTS, NoList, fetch, regions_of
from imports.models import Import
from jobs.kinds import Later
from jobs.models import Job
from jobs.services import job_store_ended, job_watch
from jobs.turns import others_wait

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capmodels.spec import JSONDict
    from imports.reading import ImportRead
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report

    ReadFile = Callable[[Path, Report], ImportRead]

MAKES = "price_lists"
# Lists of a job that broke off count as fetched for so long.
_FRESH = timedelta(days=1)
# After so long a job gives itself back, well before its hard limit, and goes on in its next turn.
TURN_S = 1_200.0


def source_of(provider: str) -> JSONDict:
    """What is to be fetched, and what a job that broke off lately has fetched of it already."""
    source: JSONDict = {"provider": provider, "region": EVERY, "made": {}, "missing": {}}
    broken = Import.objects.filter(
        source__provider=provider, source__region=EVERY, created_at__gte=now() - _FRESH,
        job__state__in=(Job.State.FAILED, Job.State.CANCELLED),
    ).order_by("-created_at").first()  # fmt: skip
    if broken is not None and broken.source is not None:
        kept = {str(one) for one in Import.objects.filter(
            pk__in=broken.source["made"].values()).values_list("pk", flat=True)}  # fmt: skip
        made = broken.source["made"].items()
        source["made"] = {region: one for region, one in made if one in kept}
    return source


def fetch_every(
    job: ClaimedJob, provider: str, report: Report, read: ReadFile
) -> tuple[str, JSONDict]:
    """Fetch and read what is left; return the format of the lists, and what is said of them all.

    Raises
    ------
    ModelError
        When the provider cannot be reached; what was fetched stays.
    Later
        When another workspace waits for its turn, or this one took long.
    """
    report(0.0, "Asking which regions there are")
    regions = regions_of(provider)
    fetched, began_s = 0, monotonic()
    for place, region in enumerate(regions):
        with workspace(job.workspace_id):
            said = _source(job)
            is_late = monotonic() - began_s > TURN_S
            has_to_wait = fetched > 0 and (is_late or others_wait(job))
        if region in said["made"] or region in said["missing"]:
            continue
        if has_to_wait:
            raise Later("Waiting for its next turn", timedelta())

        def told(_fraction: float, text: str, place: int = place, region: str = region) -> None:
            report(place / len(regions), f"{region}, {place + 1} of {len(regions)}: {text}")

        _one(job, {"provider": provider, "region": region}, told, read)
        fetched += 1
    with workspace(job.workspace_id):
        return _whole(_source(job), provider)


def _one(job: ClaimedJob, source: dict[str, str], report: Report, read: ReadFile) -> None:
    """Fetch, read and keep one region, or that it has no list that can be read."""
    with tempfile.TemporaryDirectory(prefix="ampacity-prices-") as folder:
        path = Path(folder) / "file"
        try:
            fetch(source, path, report)
            found = read(path, report)
        except (NoList, FileRefused) as exc:
            _keep(job, source, f"{source['region']}: {exc}")
        else:
            _keep(job, source, found, path.stat().st_size)


def _source(job: ClaimedJob) -> JSONDict:
    return Import.objects.only("source").get(pk=job.id).source or {}


def _keep(
    job: ClaimedJob, source: dict[str, str], found: ImportRead | str, bytes_count: int = 0
) -> None:
    """Store a region's list, or why it has none, and that this was done, in one transaction.

    Raises
    ------
    Fenced, CancelRequested
        When the job is not this attempt's any more, or is to stop.
    """
    with workspace(job.workspace_id):
        row = Import.objects.select_for_update().get(pk=job.id)
        job_watch(job)
        said = row.source or {}
        if isinstance(found, str):
            said["missing"][source["region"]] = found
        else:
            made = Import.objects.create(
                job=job_store_ended(kind=job.kind),
                file_name=name_of(**source),
                bytes_count=bytes_count,
                source=source,
                names=row.names,
                format=found.format,
                version=found.version,
                makes=found.makes,
                preview=found.preview,
                read_key=found.read_key,
            )
            said["made"][source["region"]] = str(made.pk)
        row.source = said
        row.save(update_fields=["source"])


def name_of(provider: str, region: str) -> str:
    """What a fetched list is called."""
    where = "every region" if region == EVERY else region
    return ", ".join(filter(None, (LISTS[provider].title, where)))


def _lists(said: Mapping[str, Any]) -> list[Import]:
    rows = Import.objects.filter(pk__in=said["made"].values(), preview__isnull=False)
    return sorted(rows, key=lambda row: (row.source or {})["region"])


def _whole(said: JSONDict, provider: str) -> tuple[str, JSONDict]:
    lists = _lists(said)
    if not lists:
        raise NoList(f"{LISTS[provider].title}: no region has a list.")
    previews = [row.preview or {} for row in lists]
    rows = [
        {"region": (row.source or {})["region"], "count": len(preview["prices"]),
         "as_of": preview["as_of"]}
        for row, preview in zip(lists, previews, strict=True)
    ]  # fmt: skip
    count = sum(len(preview["prices"]) for preview in previews)
    first = {name: previews[0][name] for name in ("provider", "source", "currency")}
    return lists[0].format, {
        "headline": f"{count:,} prices of machine types in {counted(len(rows), 'region')}, "
        "each a list of its own.",
        "notes": list(said["missing"].values()),
        **first,
        "as_of": max(preview["as_of"] for preview in previews),
        "lists": rows,
        "faults": [],
        "faults_count": 0,
    }


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The regions, with how many prices each has and of when."""
    columns = (
        Column("Region", "region"),
        Column("Prices", "count", "count"),
        Column("As of", "as_of", "date"),
    )
    return [table("Lists", columns, preview["lists"])]


def with_prices(row: Import) -> JSONDict:
    """What is said of the lists, with the prices of all of them that are kept.

    Raises
    ------
    Conflict
        When none is.
    """
    kept = _lists(row.source or {"made": {}})
    if not kept:
        raise Conflict("The lists of the regions are not kept any more. Fetch them again.")
    prices = [price for one in kept for price in (one.preview or {})["prices"]]
    return {**(row.preview or {}), "prices": prices}
