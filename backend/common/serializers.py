"""What every app's addresses give alike."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from capmodels.errors import FAULTS_MOST
from capmodels.sentences import FORMS
from capmodels.written_numbers import MARKS_BY_NAME
from common.errors import Invalid
from common.field_sentences import name_choices
from common.storable import storable


class FaultSerializer(serializers.Serializer[Any]):
    """One thing that is wrong, at a JSON pointer."""

    pointer = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know, and text that cannot be stored."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, which name their choices when they refuse."""
        fields = super().get_fields()
        for field in fields.values():
            name_choices(field)
        return fields

    def to_internal_value(self, data: Any) -> Any:
        """Refuse what would be dropped, or made another value, with all other faults."""
        told: dict[str, Any] = {}
        if isinstance(data, Mapping):
            left = serializers.ErrorDetail(
                "This field is not known here; remove it.", "unknown_field"
            )
            told = {key: [left] for key in sorted(set(data) - set(self.fields))[:FAULTS_MOST]}
            is_form = isinstance(data, QueryDict)
            for name, field in self.fields.items():
                if name in data and not is_form and (why := _mistaken(field, data[name])):
                    told[name] = [serializers.ErrorDetail(why, "invalid")]
        if not told:
            return super().to_internal_value(data)
        try:
            super().to_internal_value(data)
        except serializers.ValidationError as exc:
            if isinstance(exc.detail, dict):
                told = exc.detail | told
        raise serializers.ValidationError(told)


# What the framework would take for a field's value.
_MISTAKEN: tuple[tuple[Any, Any, str], ...] = (
    (serializers.CharField, (bool, int, float), "Enter text."),
    (serializers.BooleanField, (str, int, float), "Choose true or false."),
    ((serializers.IntegerField, serializers.FloatField), (str, bool), "Enter a number."),
    (serializers.UUIDField, (bool, int, float), "Enter an id."),
)
_CHOOSE = "Choose one of those that are known, of their own type."


def _mistaken(field: Any, value: Any) -> str | None:
    """Say what is wanted instead of a value of JSON that the framework would turn into it."""
    if value is None:
        return None
    if isinstance(field, serializers.ChoiceField):
        is_word = isinstance(next(iter(field.choices), ""), str)
        return None if is_word == isinstance(value, str) else _CHOOSE
    for kinds, mistaken, wanted in _MISTAKEN:
        if isinstance(field, kinds):
            return wanted if type(value) in mistaken else None
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        return next(filter(None, (_mistaken(field.child, one) for one in value)), None)
    return None


class FormField(serializers.RegexField):
    """A text of a fixed form, which a refusal names."""

    def __init__(self, form: str, **given: Any) -> None:
        """Take texts that match a pattern of `capmodels.sentences.FORMS`."""
        super().__init__(form, error_messages={"invalid": FORMS[form]}, **given)


class NumbersField(serializers.ChoiceField):
    """Which sign stands before decimals in a table that is sent."""

    def __init__(self, **given: Any) -> None:
        """Say nothing unless it is sent."""
        told = "Which sign stands before decimals in columns that could be read in two ways: "
        usual = {"required": False, "help_text": f"{told}point or comma; else they are refused."}
        super().__init__(choices=tuple(MARKS_BY_NAME), allow_blank=True, **{**usual, **given})


class NumbersReadField(serializers.ListField):
    """How the numbers of a table that was sent were read, where they could be read otherwise."""

    def __init__(self, **given: Any) -> None:
        """Say nothing of numbers that are read in one way alone."""
        told = "How the numbers of the table were read, where they could be read otherwise."
        super().__init__(child=serializers.CharField(), help_text=told, **given)


def validated(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    """Return what a request sends, checked.

    Raises
    ------
    Invalid
        When a text or the nesting cannot be stored, of what is kept as it is sent.
    ValidationError
        When a field is wrong.
    """
    if serializer.initial_data is None:
        message = "The request has no content. Send a JSON object."
        raise Invalid(message)
    if isinstance(serializer, StrictSerializer) and (faults := storable(serializer.initial_data)):
        raise Invalid(faults=faults)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class ToldField(serializers.Field):  # type: ignore[type-arg]  # DRF gives no parameters here
    """A part of an answer that stands in no column."""

    def __init__(self, **given: Any) -> None:
        """Read the whole object."""
        super().__init__(read_only=True, source="*", **given)

    def told(self, row: Any, context: Mapping[str, Any]) -> Any:
        """Return the part."""
        raise NotImplementedError


class Told(serializers.Serializer[Any]):
    """Describes an answer that is put together field by field by ``told``.

    What stands in a row is told as it stands; the renderer knows ids and dates. Making the
    fields of a serializer anew for every answer would take longer than reading the rows.
    """

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the answer by the names of the declared fields."""
        return told(type(self), instance, self.context)


def told(shape: type[serializers.Serializer[Any]], row: Any, context: Any) -> dict[str, Any]:
    """Return a row as a serializer declares it."""
    return {name: _value(field, read, row, context) for name, field, read in _fields_of(shape)}


@cache
def _fields_of(shape: type[serializers.Serializer[Any]]) -> tuple[tuple[str, Any, Any], ...]:
    """Names and fields, and how what has no form of its own is read off a row."""
    return tuple(
        (name, field, None if field.source == "*" else attrgetter(str(field.source)))
        for name, field in shape().fields.items()
    )


def _value(field: Any, read: Any, row: Any, context: Any) -> Any:
    if isinstance(field, serializers.ListSerializer):
        child: Any = type(field.child)
        found = read(row)
        # rows of another table, or what stands in a column of this one
        return [told(child, o, context) for o in found.all()] if hasattr(found, "all") else found
    if isinstance(field, ToldField):
        return field.told(row, context)
    if isinstance(field, serializers.SerializerMethodField):
        return getattr(field.parent, field.method_name or "")(row)
    return read(row)


def shown_once(what: str) -> serializers.CharField:
    """Return the field of a secret that an answer shows, and its repeat by key does not."""
    said = f"{what}. It is shown this once: null where the answer is repeated by its key."
    return serializers.CharField(allow_null=True, help_text=said)
