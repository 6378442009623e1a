"""Which cloud a bill is of: by what names the provider, else by the names of its services."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# The catalogue's name of a provider, and the words by which a bill names it.
_NAMED = (("aws", r"aws|amazon"), ("azure", r"azure|microsoft"), ("gcp", r"google|gcp"))
# Services that carry their provider's name, and those of Google that no other has.
_SERVICES = (
    ("AWS", r"\b(aws|amazon)\b"),
    ("Azure", r"\b(azure|microsoft)\b"),
    ("GCP", r"\b(google|compute engine|bigquery|cloud (storage|sql|run|spanner)|vertex ai)\b"),
)


def provider_named(names: Iterable[str]) -> str:
    """The catalogue's name of the provider that a bill names.

    >>> provider_named(["Amazon Web Services"]), provider_named(["Hetzner"])
    ('aws', 'other')
    """
    said = " ".join(names)
    found = (name for name, words in _NAMED if re.search(words, said, re.IGNORECASE))
    return next(found, "other")


def providers_of(named: Iterable[str], services: Iterable[str]) -> list[str]:
    """Providers as the bill names them; where it names none, those that its services name.

    >>> providers_of([""], ["Amazon Simple Storage Service", "Tax"]), providers_of([""], ["Tax"])
    (['AWS'], [])
    """
    told = sorted({name for name in named if name})
    if told:
        return told
    said = "\n".join(sorted(set(services)))
    return [name for name, words in _SERVICES if re.search(words, said, re.IGNORECASE)]
