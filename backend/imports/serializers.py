"""What the addresses of imports take and give."""

from __future__ import annotations

from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from capmodels.imports.registry import Made, Way
from capmodels.providers import PROVIDERS
from common.serializers import FormField, StrictSerializer
from files.serializers import ReadingSerializer
from imports.every_region import MAKES, tables
from imports.fetching import LISTS
from imports.fleet_designs import FLEET
from imports.sized_designs import WAYS
from studies.proposals.proposer import TERMS
from studies.serializers import DocumentField, OriginsField, ProposedDesignSerializer


class ImportOutputSerializer(ReadingSerializer):
    """An import and the state of its job, without what the file says."""

    version = serializers.CharField()
    makes = serializers.CharField()
    names = serializers.CharField(help_text="What became of names: keep, hash or leave_out.")
    study_id = serializers.UUIDField(allow_null=True)
    accepted_at = serializers.DateTimeField(allow_null=True)


class ImportColumnSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    said_as = serializers.ChoiceField(
        choices=["text", "count", "fraction", "date", "money", "quantity"],
        help_text="How its cells are said.",
    )
    unit = serializers.CharField(
        allow_null=True, help_text="Of a quantity; the currency of an amount."
    )


class ImportTableSerializer(serializers.Serializer[Any]):
    """A table of what the file says, to be drawn as it stands."""

    title = serializers.CharField()
    note = serializers.CharField()
    columns = ImportColumnSerializer(many=True)
    rows = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))


class ImportDetailSerializer(ImportOutputSerializer):
    """An import with what the file says."""

    preview = serializers.SerializerMethodField(
        help_text="Without the sizes of single machines, which a draft reads."
    )
    tables = serializers.SerializerMethodField()
    open_points = serializers.SerializerMethodField(
        help_text="Once it is in a study: what the file does not cover."
    )

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_preview(self, row: Any) -> dict[str, Any] | None:
        """Return what the file says."""
        said = row.preview
        return said and {name: value for name, value in said.items() if name != "sizes"}

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_open_points(self, row: Any) -> list[str]:
        """Return what was left open as it was accepted."""
        return list((row.undo or {}).get("open_points", ()))

    @extend_schema_field(ImportTableSerializer(many=True))
    def get_tables(self, row: Any) -> list[Any]:
        """Return the tables of the preview; none before the file was read.

        Once a fleet is in a study, its machines in instance types as they were then are among them.
        """
        from capmodels.imports.fleet_types import type_tables
        from capmodels.imports.registry import importer_of

        if row.preview is None:
            return []
        in_types = (row.undo or {}).get("in_types")
        drawn = tables if row.makes == MAKES else importer_of(row.format).tables
        return [*drawn(row.preview), *(type_tables(in_types) if in_types else ())]


class ImportMonthsSerializer(serializers.Serializer[Any]):
    """What a bill cost month by month: a series for a forecast."""

    months = serializers.ListField(child=serializers.CharField())
    values = serializers.ListField(
        child=serializers.FloatField(), help_text="In the currency of the bill."
    )


class ImportFormatSerializer(serializers.Serializer[Any]):
    """A kind of file that can be imported."""

    id = serializers.CharField()
    title = serializers.CharField()
    makes = serializers.ChoiceField(
        choices=get_args(Made), help_text="What is made of such a file."
    )
    way = serializers.ChoiceField(
        choices=get_args(Way),
        help_text="What it is brought as: a bill, machines and their work, or prices.",
    )


class PriceListSourceSerializer(serializers.Serializer[Any]):
    """A list that can be fetched from who publishes it."""

    provider = serializers.ChoiceField(choices=tuple(LISTS), source="id")
    title = serializers.CharField(source="label")
    by_region = serializers.BooleanField(help_text="Whether there is a list for each region.")


class ProviderNameSerializer(serializers.Serializer[Any]):
    """A provider that designs are proposed of."""

    provider = serializers.ChoiceField(choices=tuple(PROVIDERS), source="id")
    title = serializers.CharField()


class ImportFormatsSerializer(serializers.Serializer[Any]):
    """Every kind of file, and all of them as a sentence."""

    sentence = serializers.CharField()
    formats = ImportFormatSerializer(many=True)
    price_lists = PriceListSourceSerializer(many=True)
    providers = ProviderNameSerializer(many=True)


class ProposedOptionSerializer(StrictSerializer):
    """A design to propose, with the term of its plan."""

    option = serializers.ChoiceField(choices=("same", *FLEET, *WAYS, "owned", "hybrid", *PROVIDERS))
    term_months = serializers.ChoiceField(choices=TERMS, default=36)
    region = serializers.CharField(
        max_length=80,
        required=False,
        allow_blank=True,
        help_text="Of a provider: where it is rented, a code or a city.",
    )
    provider = serializers.ChoiceField(
        choices=tuple(PROVIDERS),
        required=False,
        allow_null=True,
        help_text="Of by_size and by_use; without it, the one that costs least.",
    )


class ImportOptionsInputSerializer(StrictSerializer):
    """What a file does not say of itself."""

    cost = serializers.ChoiceField(
        choices=["effective", "billed"],
        required=False,
        help_text="Spread over use, or as invoiced; without it, what the file suggests.",
    )
    per_usd = serializers.FloatField(required=False, allow_null=True, min_value=1e-9)
    machines_count = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=1e-9,
        max_value=1e9,
        help_text="Of a quote: how many servers it is for; without it, as many as it names.",
    )
    study_id = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="A study to write into; without, a new one. The draft then tells what changed "
        "since the import of the kind that it took last.",
    )
    designs: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=ProposedOptionSerializer(),
        required=False,
        max_length=6,
        help_text="Designs to propose for the work: same, the machines of a bill with what is "
        "committed at its optimum; of a fleet: fleet, its machines as they stand, and fewer, as "
        "few of them as the work needs, by_size and by_use, the instance types that they become; "
        "a provider; owned; hybrid, of the two before it.",
    )
    busy_fraction = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0.001,
        max_value=1.0,
        help_text="Of a bill: how busy the rented cores are on average; without it, the work is "
        "taken to need all that is rented.",
    )
    server = serializers.SlugField(
        required=False,
        allow_null=True,
        max_length=80,
        help_text="Of own servers: the entry of the catalogue, as of a quote, that they are.",
    )
    region = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=60,
        help_text="Of a fleet: where instance types are priced, a code or a city; without it, the "
        "study's own region, else the fleet's, else each provider's first.",
    )
    trace_id = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="Of a fleet: a trace of utilization; its machines are found by their names.",
    )
    percentile = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=50.0,
        max_value=100.0,
        help_text="Of a fleet: to which percentile of use machines are sized; 95 without it, 100 "
        "is the peak.",
    )
    cores_target_fraction = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0.01,
        max_value=1.0,
        help_text="Of a fleet: highest share of an instance's vCPUs that may be busy; without it, "
        "the study's, else the plan's.",
    )
    ram_headroom_fraction = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0.0,
        max_value=10.0,
        help_text="Of a fleet: RAM kept free on top of what is in use; without it, the study's, "
        "else the plan's.",
    )
    mapping = serializers.DictField(
        child=serializers.CharField(max_length=300),
        required=False,
        help_text="Of a quote: the column of each meaning, where its words do not say it.",
    )
    without_unread_rows = serializers.BooleanField(
        required=False,
        help_text="Accept a file although rows or amounts of it could not be read, without them.",
    )


class PriceListInputSerializer(StrictSerializer):
    """A price list, or exchange rates, to be fetched from who publishes them."""

    provider = serializers.ChoiceField(choices=tuple(LISTS))
    region = serializers.CharField(
        max_length=30,
        default="",
        allow_blank=True,
        help_text="Its code, as eu-west-1, or all: the list of every region, one after the other, "
        "each kept as a list of its own. Google's catalogue and rates have none.",
    )


class KnownFileInputSerializer(StrictSerializer):
    """A file that may have been read here before."""

    sha256 = FormField(r"^[0-9a-fA-F]{64}$", help_text="Of the file's bytes, in hex.")
    name = serializers.CharField(max_length=500, default="file")
    names = serializers.CharField(
        default="keep", help_text="What becomes of names in it: keep, hash or leave_out."
    )
    dates = serializers.CharField(
        default="",
        allow_blank=True,
        help_text="Which number of its dates is the day: day_first or month_first; else nothing.",
    )
    numbers = serializers.CharField(
        default="",
        allow_blank=True,
        help_text="Which sign stands before decimals: point or comma; else nothing.",
    )


class KeptPriceListSerializer(serializers.Serializer[Any]):
    """A price list that was read, and is kept whole."""

    id = serializers.UUIDField()
    file_name = serializers.CharField()
    provider = serializers.CharField()
    currency = serializers.CharField()
    as_of = serializers.DateField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer


class PriceChangesSerializer(serializers.Serializer[Any]):
    """What changed from one price list to another; each table has the largest changes."""

    before = KeptPriceListSerializer()
    after = KeptPriceListSerializer()
    new_count = serializers.IntegerField()
    gone_count = serializers.IntegerField()
    changed_count = serializers.IntegerField()
    same_count = serializers.IntegerField()
    tables = ImportTableSerializer(many=True)


class ImportAcceptInputSerializer(ImportOptionsInputSerializer):
    title = serializers.CharField(required=False, allow_blank=True, max_length=200, default="")


class ReconciliationSerializer(serializers.Serializer[Any]):
    what = serializers.CharField()
    amount = serializers.CharField()


class TypeCountSerializer(serializers.Serializer[Any]):
    """So many of an instance type, each at its price."""

    type = serializers.CharField()
    entry = serializers.CharField(help_text="Its slug in the catalogue.")
    count = serializers.FloatField()
    usd_per_h = serializers.FloatField()


class FleetGroupSerializer(serializers.Serializer[Any]):
    """Like machines in types of one provider: as provisioned, and by what was measured."""

    name = serializers.CharField()
    machines_count = serializers.FloatField()
    lost_count = serializers.FloatField(help_text="Of which one way has no type: in neither sum.")
    cpu = serializers.DictField(
        child=serializers.FloatField(), help_text="Machines by what was measured of their CPU."
    )
    by_size = TypeCountSerializer(many=True)
    by_size_usd_per_h = serializers.FloatField()
    by_size_usd_per_month = serializers.FloatField()
    by_use = TypeCountSerializer(many=True)
    by_use_usd_per_h = serializers.FloatField()
    by_use_usd_per_month = serializers.FloatField()
    difference_usd_per_month = serializers.FloatField(help_text="By use, less by size.")


class FleetProviderSerializer(FleetGroupSerializer):
    """A whole fleet in types of one provider, and its groups."""

    provider = serializers.CharField()
    region = serializers.CharField()
    region_why = serializers.CharField(help_text="Why the prices are of this region.")
    unpriced_count = serializers.IntegerField(help_text="Types without a price there.")
    groups = FleetGroupSerializer(many=True)


class FleetTraceSerializer(serializers.Serializer[Any]):
    """The trace that machines were found in by name."""

    title = serializers.CharField()
    machines_count = serializers.IntegerField()
    joined_count = serializers.IntegerField()
    unjoined_count = serializers.FloatField(help_text="Machines of the fleet that are not in it.")


class FleetInTypesSerializer(serializers.Serializer[Any]):
    """A fleet sized to instance types by its machines' sizes and by their measured use."""

    percentile = serializers.FloatField()
    cores_target_fraction = serializers.FloatField()
    ram_headroom_fraction = serializers.FloatField()
    headroom_source = serializers.CharField()
    machines_count = serializers.FloatField()
    unknown_count = serializers.FloatField(help_text="Machines without known cores or RAM.")
    cpu = serializers.DictField(child=serializers.FloatField())
    ram = serializers.DictField(child=serializers.FloatField())
    trace = FleetTraceSerializer(allow_null=True)
    notes = serializers.ListField(child=serializers.CharField())
    providers = FleetProviderSerializer(many=True)


class ImportDraftSerializer(serializers.Serializer[Any]):
    """What a study would take from the file, and what stays open."""

    title = serializers.CharField()
    baseline = DocumentField(of="Baseline", allow_null=True)
    entry = serializers.DictField(
        allow_null=True, help_text="Of a quote: the entry that the catalogue would have."
    )
    tables = ImportTableSerializer(many=True)
    workload = DocumentField(of="Workload")
    designs = ProposedDesignSerializer(many=True)
    in_types = FleetInTypesSerializer(
        allow_null=True,
        help_text="Of a fleet: its machines in instance types, by size and by use.",
    )
    provenance = OriginsField()
    reconciliation = ReconciliationSerializer(many=True)
    open_points = serializers.ListField(child=serializers.CharField())


class ImportAcceptedSerializer(serializers.Serializer[Any]):
    """The study that it went into, or the entry of the catalogue."""

    study_id = serializers.UUIDField(allow_null=True)
    entry_slug = serializers.CharField(allow_null=True)
