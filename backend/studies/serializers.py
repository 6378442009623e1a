"""What the studies' addresses take and give."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from django.utils.timezone import now
from drf_spectacular.drainage import set_override
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from capmodels.plans.comparison import VerdictKind
from capmodels.plans.document.bounded import MOST_DRAWS
from capmodels.providers import PROVIDERS
from common.schema_models import shaped
from common.serializers import (
    FaultSerializer,
    FormField,
    NumbersField,
    NumbersReadField,
    StrictSerializer,
    Told,
    ToldField,
)
from studies.documents import DAY, LETTERS
from studies.price_dates import price_dates, price_span
from studies.proposals.limits import ARM, VENDORS
from studies.proposals.options import OPTIONS
from studies.proposals.proposer import TERMS
from studies.proposals.search import MEASURES
from studies.provenance import NUMBERS, QUALITIES, TEXTS, origin_faults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studies.checking import Checked

_TEXT: dict[str, Any] = {"type": ["string", "null"]}
_NUMBER: dict[str, Any] = {"type": ["number", "null"]}
_ORIGIN: dict[str, Any] = {
    "type": "object",
    "description": "Where a number is from.",
    "required": ["quality"],
    "properties": {
        "quality": {"type": "string", "enum": list(QUALITIES)},
        **dict.fromkeys(TEXTS, _TEXT),
        **dict.fromkeys(NUMBERS, _NUMBER),
    },
    "additionalProperties": {},
}
_VERDICT: dict[str, Any] = {
    "type": "object",
    "nullable": True,
    "required": ["kind", "headline", "payoff", "odds", "flips"],
    "properties": {
        "kind": {"type": "string", "enum": list(get_args(VerdictKind))},
        "headline": {"type": "string"},
        **dict.fromkeys(("payoff", "odds", "entered", "because", "rests", "flips"), _TEXT),
    },
    "additionalProperties": {},
}


@extend_schema_field({"type": "object", "additionalProperties": {}})
class DocumentField(serializers.JSONField):
    """A JSON object that may be an incomplete draft.

    ``of`` is the component of the schema whose shape it has when it is complete.
    """

    default_error_messages: ClassVar[dict[str, Any]] = {"wrong_type": "Enter an object."}

    def __init__(self, *, of: str = "", **given: Any) -> None:
        """Say in the schema what it holds."""
        super().__init__(**given)
        if of:
            set_override(self, "field", shaped(of))

    def to_internal_value(self, data: Any) -> Any:
        """Take an object only."""
        if not isinstance(data, dict):
            self.fail("wrong_type")
        return data


@extend_schema_field({"type": "array", "items": shaped("Range")})
class RangesField(serializers.JSONField):
    """The ranges of a study's uncertain inputs."""

    default_error_messages: ClassVar[dict[str, Any]] = {"wrong_type": "Enter a list of objects."}

    def to_internal_value(self, data: Any) -> Any:
        """Take a list of objects only."""
        if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
            self.fail("wrong_type")
        return data


_ORIGINS: dict[str, Any] = {
    "type": "object",
    "description": "Where numbers of a document are from, by JSON pointer.",
    "additionalProperties": _ORIGIN,
}


@extend_schema_field(_ORIGINS)
class OriginsField(DocumentField):
    """Origins by JSON pointer, as they are answered."""


@extend_schema_field(_ORIGINS)
class ProvenanceField(DocumentField):
    """Origins by JSON pointer."""

    default_error_messages: ClassVar[dict[str, Any]] = {"origin": "{place}: {sentence}"}

    def to_internal_value(self, data: Any) -> Any:
        """Take a map from pointer to origin."""
        if faults := origin_faults(data):
            self.fail("origin", place=faults[0].pointer, sentence=faults[0].message)
        return data


@extend_schema_field(_VERDICT)
class VerdictField(serializers.JSONField):
    """What a study's card says."""


_LEFT = ("before", "after", "low", "high", "mean", "moved_low", "moved_high")


_RANGES_LEFT: dict[str, Any] = {
    "type": "array",
    "description": "Ranges that no longer fit a value that this change made: the pointer, the "
    "values before and after, the range, and where it is when moved along.",
    "items": {
        "type": "object",
        "required": ["pointer", "message", *_LEFT],
        "properties": {
            "pointer": {"type": "string"},
            "message": {"type": "string"},
            **{name: {"type": "number"} for name in _LEFT},
        },
    },
}


@extend_schema_field(_RANGES_LEFT)
class RangesLeftOfChangeField(serializers.JSONField):
    """The same of an answer, which has them only where something was changed."""


@extend_schema_field(_RANGES_LEFT)
class RangesLeftField(ToldField):
    """Ranges that stayed while their values changed, from the context; none without a change."""

    def told(self, row: Any, context: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return those of a design's inputs, or all of a study's."""
        left: list[dict[str, Any]] = context.get("ranges_left") or []
        letter = getattr(row, "letter", None)
        start = f"/designs/{letter}/" if letter else "/"
        return [one for one in left if one["pointer"].startswith(start)]


@extend_schema_field(FaultSerializer(many=True))
class FaultsField(ToldField):
    """Faults of a draft, from the ``Checked`` in the context."""

    def told(self, row: Any, context: Mapping[str, Any]) -> list[dict[str, str]]:
        """Return those of a design, or all of a study's."""
        checked: Checked = context["checked"]
        letter = getattr(row, "letter", None)
        faults = checked.by_letter.get(letter, []) if letter else checked.faults
        return [fault.as_dict() for fault in faults]


@extend_schema_field(FaultSerializer(many=True))
class CautionsField(ToldField):
    """What a design's fields say that is no fault: prices of another region."""

    def told(self, row: Any, context: Mapping[str, Any]) -> list[dict[str, str]]:
        """Return those of the design."""
        return [caution.as_dict() for caution in context["cautions"].get(row.letter, [])]


@extend_schema_field(
    {
        "type": "string",
        "readOnly": True,
        "description": "Which prices from the catalogue are of when, in words; empty for none.",
    }
)
class PriceDatesField(ToldField):
    """Of when the prices are, kind by kind."""

    def told(self, row: Any, context: Mapping[str, Any]) -> str:
        """Return which prices are of when."""
        return price_dates(row)


class PriceSpanField(PriceDatesField):
    """Of when the prices are, in all."""

    def told(self, row: Any, context: Mapping[str, Any]) -> str:
        """Return the months, and whose are the oldest."""
        return price_span(row)


class DesignCreateInputSerializer(StrictSerializer):
    letter = serializers.ChoiceField(choices=list(LETTERS), required=False)
    title = serializers.CharField(max_length=200)
    kind = serializers.CharField(max_length=40)
    spec = DocumentField(of="DesignSpec", required=False)
    provenance = ProvenanceField(required=False)


class DesignUpdateInputSerializer(StrictSerializer):
    title = serializers.CharField(max_length=200, required=False)
    kind = serializers.CharField(max_length=40, required=False)
    spec = DocumentField(of="DesignSpec", required=False)
    provenance = ProvenanceField(required=False)
    position = serializers.IntegerField(min_value=0, max_value=100, required=False)


class DesignOutputSerializer(Told):
    """A design with its fields."""

    id = serializers.UUIDField()
    study = serializers.UUIDField(source="study_id")
    letter = serializers.ChoiceField(choices=list(LETTERS))
    title = serializers.CharField()
    kind = serializers.CharField()
    spec = DocumentField(of="DesignSpec")
    provenance = ProvenanceField()
    position = serializers.IntegerField()
    revision = serializers.IntegerField()
    faults = FaultsField()
    cautions = CautionsField()
    ranges_left = RangesLeftField()
    updated_at = serializers.DateTimeField()


class DesignHeadSerializer(serializers.Serializer[Any]):
    """A design without its fields; ``designs/{id}`` has them."""

    id = serializers.UUIDField()
    study = serializers.UUIDField(source="study_id")
    letter = serializers.ChoiceField(choices=list(LETTERS))
    title = serializers.CharField()
    kind = serializers.CharField()
    revision = serializers.IntegerField()
    updated_at = serializers.DateTimeField()


class VersionCreateInputSerializer(StrictSerializer):
    name = serializers.CharField(max_length=120)


class VersionOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.CharField()
    spec = DocumentField(of="DesignSpec")
    provenance = ProvenanceField()
    created_at = serializers.DateTimeField()


class DifferenceSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField()
    change = serializers.ChoiceField(choices=["added", "removed", "changed"])
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class DesignDiffOutputSerializer(serializers.Serializer[Any]):
    against = serializers.UUIDField()
    against_title = serializers.CharField()
    differences = DifferenceSerializer(many=True)


class TagsField(serializers.ListField):
    """Words that a workspace orders its studies by; each once, in the order given."""

    child = serializers.CharField(max_length=40)

    def __init__(self, **kwargs: Any) -> None:
        """Take at most twelve."""
        super().__init__(max_length=12, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        """Return each tag once; more than twelve are refused, be some alike."""
        tags = super().to_internal_value(data)
        self.run_validators(tags)
        return list(dict.fromkeys(tags))


class DayField(FormField):
    """A day, not in the future; empty for none."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "future": "Prices of the future are not known. Enter a day that has been.",
    }

    def __init__(self, **kwargs: Any) -> None:
        """Take ISO dates."""
        text = "The day whose prices the study is asked at; empty for those that are entered."
        super().__init__(DAY, help_text=text, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse what is no day, or has not come."""
        text = str(super().to_internal_value(data))
        try:
            day = date.fromisoformat(text) if text else date.min
        except ValueError:
            self.fail("invalid")
        if day > now().date():
            self.fail("future")
        return text


class StudyUpdateInputSerializer(StrictSerializer):
    title = serializers.CharField(max_length=200, required=False)
    question = serializers.CharField(
        max_length=5_000, required=False, allow_blank=True, trim_whitespace=False
    )
    snapshot = serializers.CharField(max_length=100, required=False, allow_blank=True)
    as_of = DayField(required=False, allow_blank=True, allow_null=True)
    tags = TagsField(required=False)
    workload = DocumentField(of="Workload", required=False)
    workload_provenance = ProvenanceField(required=False)
    assumptions = DocumentField(of="Assumptions", required=False)
    assumptions_provenance = ProvenanceField(required=False)
    baseline = DocumentField(of="Baseline", required=False, allow_null=True)
    baseline_provenance = ProvenanceField(required=False)
    ranges = RangesField(required=False)
    draws_count = serializers.IntegerField(min_value=0, max_value=MOST_DRAWS, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=2**53 - 1, required=False)

    def validate_as_of(self, value: str | None) -> str:
        """No day is an empty text, as it is stored."""
        return value or ""


class StudyCreateInputSerializer(StudyUpdateInputSerializer):
    title = serializers.CharField(max_length=200)
    designs: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=DesignCreateInputSerializer(), required=False, max_length=len(LETTERS)
    )


class ProposalOptionSerializer(StrictSerializer):
    """A provider with the term of its plan, own servers, or own servers with rented peaks."""

    option = serializers.ChoiceField(choices=tuple(OPTIONS))
    term_months = serializers.ChoiceField(choices=TERMS, default=36)
    region = serializers.CharField(
        max_length=80, default="", allow_blank=True, help_text="Its code, or a city that it is in."
    )


class StudyProposeInputSerializer(StrictSerializer):
    workload = DocumentField(of="Workload")
    workload_provenance = OriginsField(required=False)
    assumptions = DocumentField(of="Assumptions", required=False)
    baseline = DocumentField(
        of="Baseline", required=False, help_text="What runs today; left out where the work is new."
    )
    options: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=ProposalOptionSerializer(), min_length=1, max_length=len(LETTERS)
    )
    currency = serializers.CharField(
        max_length=3,
        default="",
        allow_blank=True,
        help_text="Code of the currency that amounts are shown in, at the catalogue's rate.",
    )


class ProposedDesignSerializer(serializers.Serializer[Any]):
    letter = serializers.ChoiceField(choices=list(LETTERS))
    title = serializers.CharField()
    kind = serializers.CharField()
    spec = DocumentField(of="DesignSpec")
    provenance = OriginsField()


class StudyProposeOutputSerializer(serializers.Serializer[Any]):
    """What a study is created of, and the same as the plan takes it."""

    workload = DocumentField(of="Workload")
    workload_provenance = OriginsField()
    assumptions = DocumentField(of="Assumptions")
    assumptions_provenance = OriginsField()
    baseline = DocumentField(of="Baseline", required=False, help_text="As it was sent.")
    designs = ProposedDesignSerializer(many=True)
    ranges = serializers.ListField(child=DocumentField(of="Range"))
    notes = serializers.ListField(child=serializers.CharField())
    place = serializers.CharField(
        help_text="The place that the first region names, as it was understood; empty where none."
    )
    document = DocumentField(of="StudySpec")


_REGION = "Of what is rented: its code, or a city that it is in. Empty: each provider's first."


class LimitsSerializer(StrictSerializer):
    """What designs that are searched may need at most, and whom they may be of."""

    cost_usd = serializers.FloatField(
        min_value=0, allow_null=True, default=None, help_text="Over the horizon, as entered."
    )
    kw = serializers.FloatField(
        min_value=0, allow_null=True, default=None, help_text="Power that an own site provides."
    )
    rack_units_count = serializers.FloatField(
        min_value=0, allow_null=True, default=None, help_text="Height of all that is owned."
    )
    regions: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=serializers.CharField(max_length=80),
        max_length=8,
        default=list,
        help_text="Cities, countries or codes of regions to rent in; empty for each provider's "
        "first region.",
    )
    providers: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=serializers.ChoiceField(choices=tuple(PROVIDERS)),
        default=list,
        help_text="Whom to rent of; empty for all.",
    )
    vendors: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=serializers.ChoiceField(choices=tuple(VENDORS)),
        default=list,
        help_text="Makers of processors to own; empty for all.",
    )
    arm = serializers.ChoiceField(
        choices=ARM, default="any", help_text="Processors of ARM: any, only, or none."
    )


class ExploreInputSerializer(StrictSerializer):
    """What a search of the catalogue compares designs by."""

    measures: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=serializers.ChoiceField(choices=tuple(MEASURES)),
        min_length=1,
        max_length=len(MEASURES),
        default=["cost_usd", "energy_kwh"],
        help_text="A design is shown as not beaten where none is as good in all of these and in "
        "cost.",
    )
    region = serializers.CharField(max_length=80, default="", allow_blank=True, help_text=_REGION)
    limits = LimitsSerializer(default=dict)


class ExploredKeySerializer(StrictSerializer):
    """A design that a search found."""

    key = serializers.CharField(max_length=400, help_text="As a search gave it.")
    region = serializers.CharField(max_length=80, default="", allow_blank=True, help_text=_REGION)


class ExploredMeasureSerializer(serializers.Serializer[Any]):
    """A measure, the less the better."""

    name = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField()


class ExploredDesignSerializer(serializers.Serializer[Any]):
    """A design that was costed whole, as entered: without ranges and what is bought ahead."""

    key = serializers.CharField(help_text="By which it is added to the study.")
    kind = serializers.CharField()
    kind_title = serializers.CharField(help_text="The kind as pages name it.")
    title = serializers.CharField()
    cost_usd = serializers.FloatField(help_text="In the measure that the study ranks by.")
    energy_kwh = serializers.FloatField(
        allow_null=True, help_text="Over the horizon; null where it is unknown."
    )
    kgco2e = serializers.FloatField(
        allow_null=True, help_text="Emissions over the horizon; null where they are unknown."
    )
    racks_count = serializers.FloatField(help_text="Those that are paid for at the end.")
    kw = serializers.FloatField(help_text="Power that is paid for at the end; 0 of what is rented.")
    rack_units_count = serializers.FloatField(help_text="Height at the end; 0 of what is rented.")
    meets_demand = serializers.BooleanField(help_text="As entered.")
    within_limits = serializers.BooleanField(help_text="Of the search.")
    on_front = serializers.BooleanField(help_text="No other is as good in all measures.")
    best_of_kind = serializers.BooleanField(help_text="The cheapest of its kind.")
    why_not = serializers.CharField(
        allow_blank=True, help_text="What is against it; blank for the cheapest."
    )


class ExploredOwnSerializer(serializers.Serializer[Any]):
    """How far a design of the study is from the best found."""

    letter = serializers.CharField()
    title = serializers.CharField()
    cost_usd = serializers.FloatField()
    sentence = serializers.CharField()


class ExploreOutputSerializer(serializers.Serializer[Any]):
    """The designs of the catalogue that may be the best for a work."""

    sentence = serializers.CharField(help_text="What was found; ``**`` marks what stands bold.")
    measures = ExploredMeasureSerializer(many=True, help_text="What designs may be compared by.")
    candidates_count = serializers.IntegerField(help_text="Designs that the catalogue holds.")
    costed_count = serializers.IntegerField(help_text="Of them costed whole.")
    open_count = serializers.IntegerField(
        help_text="Not costed, and perhaps better in a measure; 0 where the answer is certain."
    )
    designs = ExploredDesignSerializer(many=True, help_text="Those costed whole, cheapest first.")
    compared = ExploredOwnSerializer(many=True, help_text="The study's own against the best.")
    figure = DocumentField(of="Figure", help_text="Designs by cost and another measure.")


class SearchedOneSerializer(serializers.Serializer[Any]):
    """How far a design of the study was from the best found."""

    letter = serializers.CharField()
    sentence = serializers.CharField()


class SearchedOutputSerializer(serializers.Serializer[Any]):
    """What the last search of the catalogue said of a study's designs as they are."""

    searched_at = serializers.DateTimeField(
        allow_null=True, help_text="Null where nobody has searched since the study changed."
    )
    sentence = serializers.CharField(
        allow_blank=True, help_text="What was found; ``**`` marks what stands bold."
    )
    compared = SearchedOneSerializer(many=True, help_text="Each design that the plan can read.")


class StudyTemplateSerializer(serializers.Serializer[Any]):
    """A kind of work to begin with."""

    slug = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    workload = DocumentField(of="Workload")
    shape = serializers.CharField(
        help_text="Name of the catalogue's entry that its hours are of; empty: the same all day."
    )


class StudyTagSerializer(serializers.Serializer[Any]):
    """A tag, and how many studies have it."""

    tag = serializers.CharField()
    studies_count = serializers.IntegerField()


class NewerValueSerializer(serializers.Serializer[Any]):
    """A value of a study that the catalogue has another one of now."""

    letter = serializers.CharField(help_text="Of its design; blank for what is shared.")
    pointer = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    entry = serializers.CharField()
    as_of = serializers.CharField(allow_null=True)


class PlacedValueSerializer(NewerValueSerializer):
    """Such a value, with the part of the study that its pointer is relative to."""

    part = serializers.CharField(help_text="`/workload` or `/assumptions`; blank for a design's.")


class StudyPricesSerializer(serializers.Serializer[Any]):
    """What the catalogue's present values would change."""

    changes = PlacedValueSerializer(many=True)
    gone_count = serializers.IntegerField(help_text="Values that the catalogue has no more.")


class BaselineCsvInputSerializer(StrictSerializer):
    csv = serializers.CharField(
        max_length=200_000,
        trim_whitespace=False,
        help_text="type, count, hours, commitment end, price, price afterwards; with a head or "
        "in this order. Prices are in the study's currency, in US dollars where the head "
        "(usd_per_h, after_usd_per_h) or the cell says so; those left out come from the catalogue "
        "where it has the type.",
    )
    numbers = NumbersField()


class StudyCardDesignSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    letter = serializers.ChoiceField(choices=list(LETTERS))
    title = serializers.CharField()
    kind = serializers.CharField()


class StudyCardSerializer(serializers.Serializer[Any]):
    """A study as its card shows it."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    title = serializers.CharField()
    is_example = serializers.BooleanField()
    revision = serializers.IntegerField()
    faults_count = serializers.IntegerField(help_text="0 when the plan can answer.")
    winner = serializers.CharField(help_text="Letter of the cheapest design, or empty.")
    cost_usd = serializers.FloatField(allow_null=True)
    verdict = VerdictField(allow_null=True)
    snapshot = serializers.CharField()
    as_of = serializers.CharField()
    tags = TagsField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    designs = StudyCardDesignSerializer(many=True)


class StudyOutputSerializer(Told):
    """A whole study with its designs."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    title = serializers.CharField()
    question = serializers.CharField()
    is_example = serializers.BooleanField()
    revision = serializers.IntegerField()
    params_version = serializers.IntegerField()
    workload = DocumentField(of="Workload")
    workload_provenance = ProvenanceField()
    assumptions = DocumentField(of="Assumptions")
    assumptions_provenance = ProvenanceField()
    baseline = DocumentField(of="Baseline", allow_null=True)
    baseline_provenance = ProvenanceField()
    ranges = RangesField()
    draws_count = serializers.IntegerField()
    seed = serializers.IntegerField()
    snapshot = serializers.CharField()
    as_of = serializers.CharField(help_text="The day whose prices it is asked at; or empty.")
    pack = serializers.CharField(help_text="The pack of assumptions that it follows; or empty.")
    pack_version = serializers.IntegerField()
    price_dates = PriceDatesField()
    price_span = PriceSpanField()
    tags = TagsField()
    can_undo = serializers.BooleanField()
    can_redo = serializers.BooleanField()
    winner = serializers.CharField()
    cost_usd = serializers.FloatField(allow_null=True)
    verdict = VerdictField(allow_null=True)
    faults = FaultsField()
    ranges_left = RangesLeftField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    designs = DesignOutputSerializer(many=True)


class BaselineReadSerializer(StudyOutputSerializer):
    """A study whose baseline was pasted, and how the numbers of the table were read."""

    numbers_read = NumbersReadField()


class StudyDocumentOutputSerializer(serializers.Serializer[Any]):
    """The study as plans.compare takes it."""

    designs = serializers.ListField(child=DocumentField(of="Design"))
    workload = DocumentField(of="Workload")
    assumptions = DocumentField(of="Assumptions")
    baseline = DocumentField(of="Baseline", allow_null=True)
    ranges = RangesField()
    draws_count = serializers.IntegerField()
    seed = serializers.IntegerField()
