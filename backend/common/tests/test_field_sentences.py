"""No sentence of the framework reaches who sent a value that cannot be."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import get_resolver
from django.utils.functional import Promise
from rest_framework import serializers

from common.api import ApiView
from common.operations import operation_of
from common.serializers import StrictSerializer

if TYPE_CHECKING:
    from collections.abc import Iterator
AnyField = serializers.Field[Any, Any, Any, Any]


def kinds_of(kind: type[Any]) -> Iterator[type[Any]]:
    for found in kind.__subclasses__():
        yield found
        yield from kinds_of(found)


def fields_of(field: AnyField, at: str) -> Iterator[tuple[str, AnyField]]:
    """A field with all below it."""
    yield at, field
    child = getattr(field, "child", None)
    if isinstance(child, serializers.Field):
        yield from fields_of(child, f"{at}/*")
    if isinstance(field, serializers.Serializer):
        for name, one in field.fields.items():
            yield from fields_of(one, f"{at}/{name}")


def text_of(message: Any) -> Any:
    """What a message is made of: the framework's own are translated when they are shown."""
    return getattr(message, "format_string", message)


def test_every_field_of_every_serializer_refuses_in_our_own_sentences() -> None:
    import_module("config.urls")
    assert get_resolver().url_patterns
    ours = [
        kind
        for kind in set(kinds_of(serializers.Serializer))
        if not kind.__module__.startswith(("rest_framework", "drf_spectacular"))
    ]
    assert len(ours) > 100
    theirs = set()
    for kind in ours:
        for at, field in fields_of(kind(), kind.__name__):
            told = dict(field.error_messages)
            told |= {type(one).__name__: getattr(one, "message", "") for one in field.validators}
            theirs |= {
                (at, code, str(text_of(message)))
                for code, message in told.items()
                if isinstance(text_of(message), Promise) or "nsure this" in str(text_of(message))
            }
    assert sorted(theirs) == []


def test_what_is_sent_is_refused_whole_where_a_field_is_unknown() -> None:
    # What identity providers add to an answer of theirs is theirs to choose.
    free = {"SamlAnswerInputSerializer", "OpenIdAnswerInputSerializer"}
    import_module("config.urls")
    taken = {
        declared.takes
        for view in kinds_of(ApiView)
        if ".tests." not in view.__module__
        for method in ("POST", "PUT", "PATCH", "DELETE")
        if (declared := operation_of(view(), method)) and isinstance(declared.takes, type)
    }
    assert len(taken) > 50
    lax = {kind.__name__ for kind in taken if not issubclass(kind, StrictSerializer)}
    assert lax == free


class Everything(StrictSerializer):
    """A field of every kind, with every bound."""

    text = serializers.CharField(min_length=2, max_length=4)
    count = serializers.IntegerField(min_value=1, max_value=2_000)
    share = serializers.FloatField(min_value=0.5, max_value=1)
    one = serializers.ChoiceField(choices=["a", "{b}"])
    several = serializers.ListField(
        child=serializers.ChoiceField(choices=[1, 2]), min_length=1, max_length=2
    )
    yes = serializers.BooleanField()
    day = serializers.DateField()
    moment = serializers.DateTimeField()
    mail = serializers.EmailField()
    web = serializers.URLField()
    id = serializers.UUIDField()
    named = serializers.DictField()


VALUES: tuple[Any, ...] = (
    None,
    "",
    "x",
    "x" * 9,
    "\ud800",
    "a\0b",
    0,
    -1,
    1e400,
    10**400,
    3_000,
    [],
    {},
    [3] * 5,
)


@pytest.mark.parametrize("value", VALUES, ids=[repr(one)[:12] for one in VALUES])
def test_what_is_refused_is_told_in_a_sentence_that_says_what_to_enter(value: object) -> None:
    for name in Everything().fields:
        found = Everything(data={name: value}, partial=True)
        if found.is_valid():
            continue
        for sentence in map(str, _flat(found.errors)):
            assert sentence.startswith(_BEGINNINGS) or ". Enter " in sentence, (name, sentence)
            assert sentence.endswith("."), (name, sentence)


_BEGINNINGS = ("Enter ", "Choose ", "Required: ", "This cannot be empty", "Leave out ")


def _flat(errors: Any) -> Iterator[Any]:
    if isinstance(errors, str):
        yield errors
    else:
        for one in errors.values() if isinstance(errors, dict) else errors:
            yield from _flat(one)


def test_a_choice_that_is_none_names_the_choices() -> None:
    found = Everything(data={"one": "c", "several": [9]}, partial=True)
    assert not found.is_valid()
    assert list(map(str, _flat(found.errors))) == ["Choose one of a, {b}.", "Choose one of 1, 2."]
