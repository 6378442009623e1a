"""The plain sentences that pydantic's errors are told in."""

from __future__ import annotations

import re
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any, cast

from capmodels.numbers import USD, Currency

if TYPE_CHECKING:
    from collections.abc import Callable

JSONDict = dict[str, Any]

_SENTENCES: dict[str, str] = {
    "missing": "Required: enter a value.",
    "extra_forbidden": "This field is not known here; remove it.",
    "finite_number": "Enter a finite number.",
    "float_type": "Enter a number.",
    "int_type": "Enter a whole number.",
    "string_type": "Enter text.",
    "bool_type": "Choose yes or no.",
    "bool_parsing": "Choose yes or no.",
    "list_type": "Enter a list.",
    "tuple_type": "Enter a list.",
    "dict_type": "Enter a group of fields.",
    "model_type": "Enter a group of fields.",
    "model_attributes_type": "Enter a group of fields.",
    "float_parsing": "Enter a number.",
    "int_parsing": "Enter a whole number.",
    "int_parsing_size": "Enter a smaller whole number.",
    "string_unicode": "Enter text.",
    "union_tag_not_found": "Choose a kind.",
}
_HASH = "Enter a SHA-256: 64 digits 0 to 9 and a to f."
_ID = "Enter an id, such as 0f8fad5b-d9cb-469f-a165-70867728950e."
_MONTH = "Enter a month, such as 2027-03."
# How the texts are written that have a fixed form.
FORMS: dict[str, str] = {
    r"^[A-H]$": "Enter the letter of a design, A to H.",
    r"^[A-H]?$": "Enter the letter of a design, A to H, or leave this empty.",
    r"^[A-HT]?$": "Enter the letter of a design, A to H, T for what runs today, or leave this "
    "empty.",
    r"^[A-HT]$": "Enter the letter of a design, A to H, or T for what runs today.",
    r"^[A-Z]{3}$": "Enter the three capital letters of a currency, such as EUR.",
    r"^[a-z0-9][a-z0-9._-]*$": "Enter the name of a catalogue entry: small letters, digits, "
    "dots and hyphens, such as aws-m7a-large.",
    r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$": "Enter a day, such as 2027-03-31.",
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "Enter small letters, digits and single hyphens, such as "
    "rent-or-own.",
    r"^[-a-zA-Z0-9_]+$": "Enter letters, digits, hyphens and underscores only.",
    r"^[a-z0-9-]*$": "Enter small letters, digits and hyphens.",
    r"^[a-z]+(-[a-z]+)*$": "Enter the name of a tool, such as serving-day.",
    r"^[a-z][a-z0-9_]*$": "Enter small letters, digits and underscores, a letter first, such as "
    "idle_w.",
    r"^[0-9a-f]{64}$": _HASH,
    r"^[0-9a-fA-F]{64}$": _HASH,
    r"^(\d{4}-\d{2}-\d{2})?$": "Enter a day, such as 2027-03-31, or leave this empty.",
    r"^[0-9a-f-]{36}$": _ID,
    r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$": _ID,
    r"^[0-9]{4}-(0[1-9]|1[0-2])$": _MONTH,
    r"^\d{4}-(0[1-9]|1[0-2])$": _MONTH,
    r"^[a-z]{2}(-[a-z]+)+-\d$": "Enter a region of AWS, such as eu-west-1.",
    r"^[\w./#:-]{1,255}$": "Enter letters, digits and . / # : - _ only, without spaces.",
    r"^[\w.%/# :-]{1,255}$": "Enter letters, digits, spaces and . % / # : - _ only.",
    r"^/(designs/[A-H]|workload|assumptions)/.+$": "Enter the place of a number, such as "
    "/designs/A/staff_fte.",
    r"^/.+": "Enter the place of an input, such as /assumptions/pue.",
    r"^/(designs/[A-H]|workload|assumptions|baseline)(/.+)?$": "Enter a place in the study, such "
    "as /workload or /designs/A/staff_fte.",
}
_UNFIT = "This does not fit here. Enter another value."


_BOUNDS = {
    "greater_than_equal": ("low", "at least", "ge"),
    "greater_than": ("low", "more than", "gt"),
    "less_than_equal": ("high", "at most", "le"),
    "less_than": ("high", "less than", "lt"),
}


def sentence_of(item: JSONDict, currency: Currency = USD) -> str:
    """Return the sentence for one of pydantic's errors, or for one of our own.

    Amounts in it are in a currency, as they were typed.
    """
    kind, context = item["type"], item.get("ctx", {})
    if "url" not in item:
        # Not one of pydantic's own kinds of errors, so the sentence is ours.
        return f"{item['msg']}."
    if kind in _BOUNDS:
        side, bound, key = _BOUNDS[kind]
        names = [part for part in item["loc"] if isinstance(part, str)]
        given, least_or_most = (
            typed_number(value, names[-1] if names else "", currency)
            for value in (item.get("input"), context[key])
        )
        shown = f" {given}" if given else ""
        return f"The value{shown} is too {side}. Enter {bound} {least_or_most}."
    if kind in {"int_from_float", "multiple_of"}:
        return _not_a_multiple(item.get("input"), context.get("multiple_of", 1))
    if kind in _BY_CONTEXT:
        return _BY_CONTEXT[kind](context)
    return FORMS.get(context.get("pattern", ""), _SENTENCES.get(kind, _UNFIT))


def _not_a_multiple(given: object, step: float) -> str:
    """A sentence with the next larger number that would do: 9 for 8.5."""
    what = "a whole number" if step == 1 else f"a multiple of {_number(step)}"
    if isinstance(given, bool) or not isinstance(given, int | float) or not isfinite(given):
        return f"Enter {what}."
    return f"Enter {what}, such as {_number(ceil(given / step) * step)}."


def _too_short(context: JSONDict) -> str:
    least = context["min_length"]
    return f"Enter at least {least} {'entry' if least == 1 else 'entries'}."


def _text_too_short(context: JSONDict) -> str:
    least = context["min_length"]
    return "Enter a text." if least == 1 else f"Enter at least {least:,} characters."


_BY_CONTEXT: dict[str, Callable[[JSONDict], str]] = {
    "literal_error": lambda context: f"Choose one of {context['expected']}.",
    "enum": lambda context: f"Choose one of {context['expected']}.",
    "union_tag_invalid": lambda context: f"Choose one of {context['expected_tags']}.",
    "too_long": lambda context: (
        f"The list is too long. Enter at most {context['max_length']:,} entries."
    ),
    "too_short": _too_short,
    "string_too_long": lambda context: (
        f"The text is too long. Enter at most {context['max_length']:,} characters."
    ),
    "string_too_short": _text_too_short,
    "value_error": lambda context: str(context["error"]),
}


# From here on a number in a sentence is written with commas, up to which with an exponent.
_LONG, _LONGEST = 1e4, 1e16
# A field's unit stands in its name.
_SHARE = re.compile(r"_fraction(_per_[a-z]+)?$")
_MONEY = re.compile(r"(?:^|_)usd(?:_|$)")


def typed_number(value: object, name: str, currency: Currency = USD) -> str:
    """A number as it was typed into the field of a name: a share in percent, money in a currency.

    >>> typed_number(0.25, "fill_fraction"), typed_number(100, "usd_per_h", Currency("EUR", 0.92))
    ('25%', '€92')
    """
    given = _number(value)
    if given and currency != USD and _MONEY.search(name):
        amount = float(f"{cast('float', value) * currency.per_usd:.10g}")
        sign = "\u2212" if amount < 0 else ""
        return f"{sign}{currency.symbol}{_number(abs(amount))}"
    if not given or not _SHARE.search(name) or abs(cast("float", value)) > _LONGEST:
        return given
    return f"{_number(cast('float', value) * 100)}%"


def _number(value: object) -> str:
    """A number as a sentence says it: 1,000,000 and 0.5, but 1e+300; nothing for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    try:
        size = abs(float(value))
    except OverflowError:
        return f"of {len(str(abs(value)))} digits"
    plain = _LONG <= size < _LONGEST and float(value).is_integer()
    text = f"{value:,.0f}" if plain else f"{value:g}"
    return text.replace("-", "\u2212", 1) if value < 0 else text
