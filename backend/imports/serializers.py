"""What the addresses of imports take and give."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.serializers import StrictSerializer
from files.serializers import ReadingSerializer
from imports.every_region import MAKES, tables
from imports.fetching import PROVIDERS as FETCHED
from imports.fleet_designs import FLEET
from studies.proposals.propose import TERMS
from studies.proposals.providers import PROVIDERS
from studies.serializers import ProposedDesignSerializer


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

    preview = serializers.DictField(allow_null=True)
    tables = serializers.SerializerMethodField()
    open_points = serializers.SerializerMethodField(
        help_text="Once it is in a study: what the file does not cover."
    )

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_open_points(self, row: Any) -> list[str]:
        """Return what was left open as it was accepted."""
        return list((row.undo or {}).get("open_points", ()))

    @extend_schema_field(ImportTableSerializer(many=True))
    def get_tables(self, row: Any) -> list[Any]:
        """Return the tables of the preview; none before the file was read."""
        from capmodels.imports.registry import importer_of

        if row.preview is None:
            return []
        drawn = tables if row.makes == MAKES else importer_of(row.format).tables
        return drawn(row.preview)


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
    makes = serializers.CharField()


class ImportFormatsSerializer(serializers.Serializer[Any]):
    """Every kind of file, and all of them as a sentence."""

    sentence = serializers.CharField()
    formats = ImportFormatSerializer(many=True)


class ProposedOptionSerializer(StrictSerializer):
    """A design to propose, with the term of its plan."""

    option = serializers.ChoiceField(choices=("same", *FLEET, "owned", "hybrid", *PROVIDERS))
    term_months = serializers.ChoiceField(choices=TERMS, default=36)


class ImportOptionsInputSerializer(serializers.Serializer[Any]):
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
        "few of them as the work needs; a provider; owned; hybrid, of the two before it.",
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
    mapping = serializers.DictField(
        child=serializers.CharField(max_length=300),
        required=False,
        help_text="Of a quote: the column of each meaning, where its words do not say it.",
    )


class PriceListInputSerializer(StrictSerializer):
    """A price list, or exchange rates, to be fetched from who publishes them."""

    provider = serializers.ChoiceField(choices=tuple(FETCHED))
    region = serializers.CharField(
        max_length=30,
        default="",
        allow_blank=True,
        help_text="Its code, as eu-west-1, or all: the list of every region, one after the other, "
        "each kept as a list of its own. Google's catalogue and rates have none.",
    )


class KnownFileInputSerializer(StrictSerializer):
    """A file that may have been read here before."""

    sha256 = serializers.RegexField(r"^[0-9a-fA-F]{64}$", help_text="Of the file's bytes, in hex.")
    name = serializers.CharField(max_length=500, default="file")
    names = serializers.CharField(
        default="keep", help_text="What becomes of names in it: keep, hash or leave_out."
    )
    dates = serializers.CharField(
        default="",
        allow_blank=True,
        help_text="Which number of its dates is the day: day_first or month_first; else nothing.",
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


class ImportDraftSerializer(serializers.Serializer[Any]):
    """What a study would take from the file, and what stays open."""

    title = serializers.CharField()
    baseline = serializers.DictField(allow_null=True)
    entry = serializers.DictField(
        allow_null=True, help_text="Of a quote: the entry that the catalogue would have."
    )
    tables = ImportTableSerializer(many=True)
    workload = serializers.DictField()
    designs = ProposedDesignSerializer(many=True)
    provenance = serializers.DictField()
    reconciliation = ReconciliationSerializer(many=True)
    open_points = serializers.ListField(child=serializers.CharField())


class ImportAcceptedSerializer(serializers.Serializer[Any]):
    """The study that it went into, or the entry of the catalogue."""

    study_id = serializers.UUIDField(allow_null=True)
    entry_slug = serializers.CharField(allow_null=True)
