"""The sentences in which fields of requests refuse a value: ours, not the framework's."""

from __future__ import annotations

from typing import Any

from django.core.validators import ProhibitNullCharactersValidator
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from capmodels.errors import EMPTY_FILE
from capmodels.sentences import FORMS

_LEAST = "The value is too low. Enter at least {min_value:,}."
_MOST = "The value is too high. Enter at most {max_value:,}."
_SIZE = {"min_value": _LEAST, "max_value": _MOST, "max_string_length": "Enter a shorter number."}
_SLUG = r"^[-a-zA-Z0-9_]+$"
_NO_LIST = "Enter a list."
_EMPTY = "Enter at least one entry."
_MANY = {
    "not_a_list": _NO_LIST,
    "empty": _EMPTY,
    "min_length": "Enter {min_length:,} or more entries.",
    "max_length": "The list is too long. Enter at most {max_length:,} entries.",
}
CHOICE = "This is not one of the choices."

# By the class that words a refusal, and its code. A field's own sentences stand before these.
SENTENCES: dict[type[serializers.Field[Any, Any, Any, Any]], dict[str, str]] = {
    serializers.Field: {
        "required": "Required: enter a value.",
        "null": "This cannot be empty: enter a value.",
    },
    serializers.BooleanField: {"invalid": "Choose yes or no."},
    serializers.CharField: {
        "invalid": "Enter text.",
        "blank": "Enter a text.",
        "min_length": "Enter at least {min_length:,} characters.",
        "max_length": "The text is too long. Enter at most {max_length:,} characters.",
    },
    serializers.EmailField: {"invalid": "Enter an address of mail, such as ada@example.org."},
    serializers.SlugField: dict.fromkeys(("invalid", "invalid_unicode"), FORMS[_SLUG]),
    serializers.URLField: {"invalid": "Enter an address of the web, such as https://example.org."},
    serializers.UUIDField: {
        "invalid": "Enter an id, such as 0f8fad5b-d9cb-469f-a165-70867728950e."
    },
    serializers.IntegerField: {**_SIZE, "invalid": "Enter a whole number."},
    serializers.FloatField: {
        **_SIZE,
        "invalid": "Enter a number.",
        "overflow": "Enter a smaller number.",
    },
    serializers.ChoiceField: {"invalid_choice": CHOICE},
    serializers.MultipleChoiceField: {
        "invalid_choice": CHOICE,
        "not_a_list": _NO_LIST,
        "empty": _EMPTY,
    },
    serializers.DateField: {
        "invalid": "Enter a day, such as 2027-03-31.",
        "datetime": "Enter a day without a time, such as 2027-03-31.",
    },
    serializers.DateTimeField: {
        "invalid": "Enter a day and time, such as 2027-03-31T12:00:00Z.",
        "date": "Enter a time beside the day, such as 2027-03-31T12:00:00Z.",
        "make_aware": "There is no such time in this time zone. Enter another.",
        "overflow": "Enter a day and time within the years 1 to 9999.",
    },
    serializers.DictField: {"not_a_dict": "Enter an object.", "empty": _EMPTY},
    serializers.JSONField: {"invalid": "Enter JSON."},
    serializers.ListField: _MANY,
    serializers.ListSerializer: _MANY,
    serializers.BaseSerializer: {"invalid": "Enter an object."},
    serializers.Serializer: {"invalid": "Enter an object."},
    serializers.FileField: {
        "required": "Choose a file.",
        "invalid": "Send the file as a part of a form.",
        "no_name": "Send the file with its name.",
        "empty": EMPTY_FILE,
        "max_length": "The file's name is too long. Use at most {max_length:,} characters.",
    },
}


def word_fields() -> None:
    """Have every field refuse in these sentences; called once, when Django is ready."""
    for field, sentences in SENTENCES.items():
        held = vars(field).get("default_error_messages", {})
        field.default_error_messages = {**held, **sentences}
    ProhibitNullCharactersValidator.message = "Leave out the character of code 0."
    ProhibitSurrogateCharactersValidator.message = "Leave out half characters (surrogates)."


def name_choices(field: serializers.Field[Any, Any, Any, Any]) -> None:
    """Have a field that takes one of a few values, or a list of them, name these."""
    child = getattr(field, "child", None)
    if isinstance(child, serializers.Field):
        name_choices(child)
    if isinstance(field, serializers.ChoiceField) and len(field.choices) <= _NAMED_MOST:
        named = ", ".join(str(choice) for choice in field.choices)
        sentence = f"Choose one of {named}."
        field.error_messages["invalid_choice"] = sentence.replace("{", "{{").replace("}", "}}")


# Of more choices the list is no help.
_NAMED_MOST = 40
