"""What somebody types to find an entry, as a filter: names, figures with a unit, places."""

from __future__ import annotations

from django.db.models import Q

from catalogue.keys import figures_in


def matching(words: str) -> Q:
    """Return what an entry must meet: every figure, and every word in its names or place."""
    figures, rest = figures_in(words)
    found = Q()
    for part in (*figures, *rest.lower().split()):
        found &= Q(search_text__contains=part)
    return found
