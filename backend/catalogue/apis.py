"""The catalogue: entries and snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from capmodels.storage.drive.entries import EntryDrive, drive_of
from catalogue import csv_entries, csv_out, regions, selectors, services
from catalogue.documents import EntryInput
from catalogue.kept_drives import KeptDrive, drive_keep
from catalogue.keys import SORTED
from catalogue.kinds import require_open
from catalogue.places import currency_of, place_meant, places_held
from common.api import ListApi, WorkspaceAPIView
from common.asked import asked_yes_or_no
from common.described import IF_MATCH
from common.download import download
from common.errors import Invalid
from common.etags import require_match, revised
from common.operations import creates, operation
from common.pagination import KeysetPagination
from common.serializers import NumbersField, NumbersReadField, StrictSerializer

if TYPE_CHECKING:
    from django.http import HttpResponse
    from rest_framework.request import Request

# A drive's zones and seeks are lists of hundreds of numbers.
ENTRY_BYTES_MAX = 256 * 1024
CSV_BYTES_MAX = 4 * 1024 * 1024
REGION_SLUGS_MAX = 64
_PLAIN_VALUE = {
    "oneOf": [
        {"type": "number"},
        {"type": "string"},
        {"type": "array", "items": {"type": "number"}},
    ]
}


@extend_schema_field(_PLAIN_VALUE)
class PlainValueField(serializers.JSONField):
    """A number, a text, or several numbers."""


class CatalogueValueSerializer(serializers.Serializer[Any]):
    """One field of an entry, with its provenance."""

    value = PlainValueField()
    unit = serializers.CharField(allow_null=True, help_text="None for a text.")
    quality = serializers.ChoiceField(
        choices=("measured", "published", "recalled", "assumed", "derived", "typed")
    )
    source = serializers.CharField()  # type: ignore[assignment]  # our field
    url = serializers.CharField(allow_null=True)
    as_of = serializers.DateField(allow_null=True, help_text="Never newer than the source.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    note = serializers.CharField()


@extend_schema_field(serializers.DictField(child=CatalogueValueSerializer()))
class StoredValuesField(serializers.Field[Any, Any, Any, Any]):
    """The fields of an entry, which are stored as they are shown."""

    def to_representation(self, value: Any) -> Any:
        """Return them."""
        return value


class FigureOriginSerializer(serializers.Serializer[Any]):
    """The field of an entry that a figure comes from."""

    field = serializers.CharField()
    how = serializers.CharField(allow_null=True, help_text="Where it is not the field's figure.")


class EntryDriveSerializer(serializers.Serializer[Any]):
    """A drive as models take it, or what its entry lacks for one."""

    kind = serializers.CharField(help_text="hdd or ssd.")
    drive = serializers.SerializerMethodField()
    missing = serializers.ListField(child=serializers.CharField())
    origins = serializers.SerializerMethodField(help_text="By place in the drive.")

    def get_drive(self, made: EntryDrive) -> dict[str, Any] | None:
        """Return the drive as models take it, None where the entry lacks something for one."""
        return None if made.drive is None else made.drive.model_dump(mode="json")

    @extend_schema_field(serializers.DictField(child=FigureOriginSerializer()))
    def get_origins(self, made: EntryDrive) -> dict[str, Any]:
        """Return where the figures of the drive come from."""
        return {place: origin._asdict() for place, origin in made.origins.items()}


class CatalogueEntrySerializer(serializers.Serializer[Any]):
    """An entry; a field that is not there is unknown."""

    slug = serializers.CharField()
    kind = serializers.CharField()
    title = serializers.CharField()
    is_own = serializers.BooleanField(help_text="Added by the workspace, not built in.")
    revision = serializers.IntegerField()
    updated_at = serializers.DateTimeField()
    values = StoredValuesField()
    drive = serializers.SerializerMethodField(help_text="Of an entry of that kind.")

    @extend_schema_field(EntryDriveSerializer(allow_null=True))
    def get_drive(self, entry: Any) -> dict[str, Any] | None:
        """Return the drive that models make of the entry."""
        if entry.kind != "drive":
            return None
        figures = {name: held["value"] for name, held in entry.values.items()}
        return EntryDriveSerializer(drive_of(entry.title, figures)).data


class CatalogueValueInputSerializer(serializers.Serializer[Any]):
    """One field of an own entry; the unit is the end of the field's name."""

    value = PlainValueField()
    unit = serializers.CharField(required=False, allow_null=True)
    quality = serializers.ChoiceField(
        choices=("measured", "published", "recalled", "assumed", "derived", "typed"),
        required=False,
    )
    source = serializers.CharField(required=False)  # type: ignore[assignment]  # our field
    url = serializers.URLField(required=False, allow_null=True)
    as_of = serializers.DateField(required=False, allow_null=True)
    low = serializers.FloatField(required=False, allow_null=True)
    high = serializers.FloatField(required=False, allow_null=True)
    note = serializers.CharField(required=False, allow_blank=True)


class CatalogueEntryInputSerializer(StrictSerializer):
    slug = serializers.CharField(required=False, allow_null=True, max_length=80)
    kind = serializers.CharField(max_length=40)
    title = serializers.CharField(max_length=200)
    values = serializers.DictField(child=CatalogueValueInputSerializer())


class KeptDriveInputSerializer(StrictSerializer):
    title = serializers.CharField(max_length=200)
    drive = serializers.DictField(help_text="The drive as the calibration gave it back.")
    sheet = serializers.DictField(help_text="As it was before.")
    trace = serializers.CharField(max_length=200, help_text="What the trace is called.")
    told = serializers.CharField(max_length=500, help_text="How near the drive came to it.")


class CatalogueEntryChangeInputSerializer(StrictSerializer):
    title = serializers.CharField(required=False, max_length=200)
    values = serializers.DictField(
        child=CatalogueValueInputSerializer(allow_null=True),
        required=False,
        help_text="Each named value comes whole; null removes it; others stay.",
    )


class CatalogueFacetsSerializer(serializers.Serializer[Any]):
    """Numbers of entries by provider, by region, by day of their price."""

    provider = serializers.DictField(child=serializers.IntegerField())
    region = serializers.DictField(child=serializers.IntegerField())
    price_on = serializers.DictField(
        child=serializers.IntegerField(), help_text="By day, where a price is of one."
    )


class CatalogueCsvInputSerializer(StrictSerializer):
    kind = serializers.CharField(max_length=40)
    csv = serializers.CharField(
        trim_whitespace=False,
        help_text="A line of names: title, and perhaps slug, source, url, as_of, quality, note; "
        "the others are fields, whose names end in their unit.",
    )
    numbers = NumbersField()


class CatalogueCsvOutputSerializer(serializers.Serializer[Any]):
    """How many entries a table made, and how many it changed."""

    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    numbers_read = NumbersReadField()
    fields_new = serializers.ListField(
        child=serializers.CharField(),
        help_text="Fields that no entry of the kind had before, perhaps misspelt ones.",
    )


class PlanPriceSerializer(serializers.Serializer[Any]):
    """What an hour costs under a plan, what is paid in advance spread over its term."""

    title = serializers.CharField()
    kind = serializers.CharField(help_text="reserved or savings_plan.")
    term_months = serializers.IntegerField()
    upfront_fraction = serializers.FloatField(help_text="Share of the price paid in advance.")
    entry = serializers.CharField(help_text="The entry that holds the price.")
    field = serializers.CharField(help_text="Its field there.")
    price = CatalogueValueSerializer()


class RegionPriceSerializer(serializers.Serializer[Any]):
    """The price of an entry in a region; null where none is held."""

    slug = serializers.CharField()
    home_region = serializers.CharField(help_text="The region of the entry's own price.")
    entry = serializers.CharField(help_text="The entry that holds the price; empty for none.")
    field = serializers.CharField(help_text="Its field there.")
    price = CatalogueValueSerializer(allow_null=True)
    plans = PlanPriceSerializer(many=True)


class RegionPricesSerializer(serializers.Serializer[Any]):
    """Prices in a region, whose code is told where a city named it."""

    provider = serializers.CharField()
    region = serializers.CharField()
    title = serializers.CharField(help_text="Empty where the catalogue holds no such region.")
    prices = RegionPriceSerializer(many=True)


class CatalogueKindSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    entries_count = serializers.IntegerField()


class CatalogueSnapshotSerializer(serializers.Serializer[Any]):
    """The built-in catalogue as of the date of its newest price."""

    id = serializers.CharField()
    as_of = serializers.DateField()
    digest = serializers.CharField()
    entries_count = serializers.IntegerField()
    kinds = serializers.DictField(child=serializers.IntegerField())
    loaded_at = serializers.DateTimeField()


class EntryPagination(KeysetPagination):
    """As in the files, where sizes grow; or by a key."""

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return the columns to sort by."""
        key = _sort_key(request)
        if not key:
            return ("position", "id")
        sign = "-" if request.query_params["sort"].startswith("-") else ""
        return (f"{sign}{key}", f"{sign}id")


_ORDERS = ("position", *(f"{sign}{name}" for name in SORTED for sign in ("", "-")))
_BOUNDED = tuple(name for name in SORTED if name != "title")


def _sort_key(request: Request) -> str:
    """Return the key to sort by, empty for the files' own order."""
    asked = request.query_params.get("sort") or "position"
    return "" if asked == "position" else asked.removeprefix("-")


def _bounds(request: Request, end: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for name in _BOUNDED:
        text = request.query_params.get(f"{name}_{end}")
        if not text:
            continue
        try:
            found[name] = float(text)
        except ValueError as exc:
            raise Invalid.at(f"/{name}_{end}", "Enter a number.", "not_a_number") from exc
    return found


def _wanted(request: Request) -> selectors.Wanted:
    """Return which entries a request asks for."""
    asked = request.query_params
    return selectors.Wanted(
        kind=asked.get("kind"),
        words=asked.get("q", ""),
        provider=asked.get("provider", ""),
        region=asked.get("region", ""),
        own=asked_yes_or_no(asked, "own"),
        least=_bounds(request, "least"),
        most=_bounds(request, "most"),
    )


_KIND = OpenApiParameter(
    "kind", str, required=True, description="One of those that GET /catalogue/kinds counts."
)
_NARROWING = (
    OpenApiParameter(
        "q", str, description="Names, places, and figures such as 192 cores or 256 GB."
    ),
    OpenApiParameter("provider", str, description="Provider, vendor or publisher."),
    OpenApiParameter("region", str),
    OpenApiParameter("own", bool, description="The workspace's own entries, or others."),
    *(OpenApiParameter(f"{name}_{end}", float) for name in _BOUNDED for end in ("least", "most")),
)


class CatalogueEntryListApi(ListApi):
    """Built-in entries and the workspace's own."""

    body_bytes_max = ENTRY_BYTES_MAX
    pagination_class = EntryPagination

    @operation(
        "catalogue_entries_list",
        gives=CatalogueEntrySerializer(many=True),
        parameters=[
            OpenApiParameter("kind", str, description="Only entries of this kind."),
            *_NARROWING,
            OpenApiParameter(
                "sort",
                str,
                enum=list(_ORDERS),
                description="By a key; entries that do not have it are left out.",
            ),
        ],
    )
    def get(self, request: Request) -> Any:
        """List entries, with their values."""
        key = _sort_key(request)
        found = selectors.entry_list(_wanted(request), known=key)
        return self.page_of(found.values("id", "position", *([key] if key else [])), _entries)

    @creates(
        "catalogue_entries_create",
        takes=CatalogueEntryInputSerializer,
        gives=CatalogueEntrySerializer,
    )
    def post(self, request: Request) -> Any:
        """Add an entry of the workspace's own."""
        given = EntryInput.model_validate(request.data)
        require_open(given.kind)
        selectors.require_known(given.kind)
        return _answer(services.entry_create(principal=self.principal, given=given), status=201)


class CatalogueDriveApi(WorkspaceAPIView):
    """Drives that were calibrated, for the catalogue."""

    body_bytes_max = ENTRY_BYTES_MAX

    @creates(
        "catalogue_drives_create",
        takes=KeptDriveInputSerializer,
        gives=CatalogueEntrySerializer,
    )
    def post(self, request: Request) -> Any:
        """Keep a calibrated drive as an entry of the workspace's own, with where it is from."""
        given = KeptDrive.model_validate_json(orjson.dumps(request.data))
        return _answer(drive_keep(principal=self.principal, given=given), status=201)


class CatalogueEntryApi(WorkspaceAPIView):
    """One entry, by its slug."""

    body_bytes_max = ENTRY_BYTES_MAX

    @operation("catalogue_entries_retrieve", gives=CatalogueEntrySerializer)
    def get(self, request: Request, slug: str) -> Any:
        """Return the entry; the workspace's own goes before a built-in one."""
        return _answer(selectors.entry_get(slug))

    @operation(
        "catalogue_entries_partial_update",
        parameters=[IF_MATCH],
        takes=CatalogueEntryChangeInputSerializer,
        gives=CatalogueEntrySerializer,
    )
    def patch(self, request: Request, slug: str) -> Any:
        """Change the workspace's own entry: what is not named stays, null removes a value.

        A value is replaced whole, with its unit, source and date.
        """
        entry = services.entry_own(slug)
        require_match(request, entry.revision, lambda: CatalogueEntrySerializer(entry).data)
        given = services.change_of(entry, request.data)
        return _answer(services.entry_update(principal=self.principal, entry=entry, given=given))

    @operation("catalogue_entries_destroy")
    def delete(self, request: Request, slug: str) -> None:
        """Remove the workspace's own entry."""
        services.entry_delete(principal=self.principal, entry=services.entry_own(slug))


class CatalogueFacetListApi(WorkspaceAPIView):
    """What entries of a kind can be narrowed by."""

    @operation(
        "catalogue_facets",
        gives=CatalogueFacetsSerializer,
        parameters=[_KIND],
    )
    def get(self, request: Request) -> Any:
        """Return how many entries each provider and each region has."""
        kind = request.query_params.get("kind", "")
        selectors.require_kind(kind)
        return Response(selectors.facets(kind))


class CatalogueRegionPriceListApi(WorkspaceAPIView):
    """What entries cost in a region."""

    @operation(
        "catalogue_region_prices",
        gives=RegionPricesSerializer,
        parameters=[
            OpenApiParameter(
                "provider", str, required=True, description="Its short name, such as aws."
            ),
            OpenApiParameter(
                "region", str, required=True, description="Its code, or a city that it is in."
            ),
            OpenApiParameter(
                "entries", str, description="Slugs with commas between them; priced by the hour."
            ),
        ],
    )
    def get(self, request: Request) -> Any:
        """Return the price of each entry there; null where the catalogue holds none."""
        asked = request.query_params
        slugs = [slug for slug in asked.get("entries", "").split(",") if slug]
        if len(slugs) > REGION_SLUGS_MAX:
            sentence = f"Ask for at most {REGION_SLUGS_MAX} entries."
            raise Invalid.at("/entries", sentence, "too_many")
        return regions.prices_in(asked["provider"], asked["region"], slugs)


class CatalogueCsvApi(WorkspaceAPIView):
    """Entries as a table."""

    body_bytes_max = CSV_BYTES_MAX

    @operation(
        "catalogue_csv_export",
        gives={(200, "text/csv"): str},
        parameters=[_KIND, *_NARROWING],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return entries of a kind as CSV, as the same address takes own ones back."""
        wanted = _wanted(request)
        if not wanted.kind:
            raise Invalid.at("/kind", "Choose the kind of entries.", "missing")
        entries = selectors.entry_list(wanted)[: csv_entries.LINES_MOST]
        return download(csv_out.table_of(entries), f"{wanted.kind}.csv")

    @operation(
        "catalogue_csv", takes=CatalogueCsvInputSerializer, gives=CatalogueCsvOutputSerializer
    )
    def post(self, request: Request) -> Any:
        """Add or change own entries of one kind: all lines, or none and all that is wrong."""
        given = self.given()
        require_open(given["kind"])
        selectors.require_known(given["kind"])
        return csv_entries.entries_from_csv(principal=self.principal, **given)


class CatalogueKindListApi(WorkspaceAPIView):
    """The kinds of entries."""

    @operation(
        "catalogue_kinds_list",
        gives=CatalogueKindSerializer(many=True),
        parameters=[OpenApiParameter("q", str, description="As of the list of entries.")],
    )
    def get(self, request: Request) -> Any:
        """List the kinds, with the number of entries of each, or of those that `q` finds."""
        counts = selectors.kind_counts(request.query_params.get("q", "").strip())
        return Response([{"kind": kind, "entries_count": n} for kind, n in counts.items()])


class CatalogueSnapshotListApi(ListApi):
    """What the built-in catalogue was, and since when."""

    ordering = ("-loaded_at", "-id")

    @operation(gives=CatalogueSnapshotSerializer(many=True))
    def get(self, request: Request) -> Any:
        """What the built-in catalogue was, and since when."""
        return selectors.snapshot_list()


def _entries(rows: list[dict[str, Any]]) -> Any:
    entries = selectors.entries_of([row["id"] for row in rows])
    return CatalogueEntrySerializer(entries, many=True).data


def _answer(entry: Any, status: int = 200) -> Response:
    return revised(entry, CatalogueEntrySerializer(entry).data, status)


class PlaceSerializer(serializers.Serializer[Any]):
    """A city that regions are held of, to choose from."""

    city = serializers.CharField()
    country = serializers.CharField()
    currency = serializers.CharField(help_text="Of the country; empty where it is not known.")
    regions = serializers.ListField(child=serializers.CharField(help_text="Its code."))


class CataloguePlaceListApi(WorkspaceAPIView):
    """Where regions are held."""

    @operation(
        "catalogue_places_list",
        gives=PlaceSerializer(many=True),
        parameters=[
            OpenApiParameter(
                "named", str, description="Only the place that this names, as a proposal reads it."
            )
        ],
    )
    def get(self, request: Request) -> Any:
        """List cities, with their countries and the codes of the regions there.

        A proposal takes these, any other city or country, or a region's code.
        """
        named = request.query_params.get("named", "")
        meant = place_meant(named)
        held = [meant] if meant else [] if named else places_held()
        return Response(
            [
                {
                    "city": place.city,
                    "country": place.country,
                    "currency": currency_of(place.country),
                    "regions": place.regions,
                }
                for place in held
            ]
        )
