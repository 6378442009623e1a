"""A study as the API takes it and a file holds it, and the same as the plan takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.testing.texts import random_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from capmodels.spec import JSONDict

HEAD = ("letter", "title", "kind")
QUALITIES = ("measured", "published", "recalled", "assumed", "derived", "typed")
DAYS = ("2026-07-01", "2026-07", "2019", "2026-02-30", "spring 2026", "", None)
SNAPSHOTS = ("2026-07-01-e9e72e09", "2026-07-20", "", "a list of ours", "2026-13-01-0")
LONGEST_LIST_OF_PARTS = 20
# Fields that are younger than seeds whose studies are known for what they found.
_NO_ORIGIN = frozenset({"expansion"})


def document_of(study: JSONDict) -> JSONDict:
    """Return a study as the plan takes it."""
    designs = [{**{key: d[key] for key in HEAD}, **d["spec"]} for d in study["designs"]]
    parts = ("workload", "assumptions", "baseline", "ranges", "draws_count", "seed")
    return {"designs": designs, **{name: study[name] for name in parts}}


def as_sent(document: JSONDict, rng: Random) -> JSONDict:
    """Return a plan's document as a browser sends the study, with where some numbers are from."""
    designs = [
        {
            **{key: design[key] for key in HEAD},
            "spec": {key: value for key, value in design.items() if key not in HEAD},
            "provenance": dict(_origins(design, rng)),
        }
        for design in document["designs"]
    ]
    return {
        **document,
        "title": random_name(rng, 200),
        "question": rng.choice(("", random_name(rng), f"{random_name(rng)}? " * 8)),
        "snapshot": rng.choice(SNAPSHOTS),
        "workload_provenance": dict(_origins(document["workload"], rng)),
        "assumptions_provenance": dict(_origins(document["assumptions"], rng)),
        "designs": designs,
        "baseline_provenance": dict(_origins(document["baseline"] or {}, rng)),
    }


def _origins(part: JSONDict, rng: Random) -> Iterator[tuple[str, JSONDict]]:
    """Where some numbers of a part come from, with gaps as people leave them."""
    for pointer in _pointers(part, ""):
        if rng.random() < 0.3:
            yield (
                pointer,
                {
                    "quality": rng.choice(QUALITIES),
                    "source": rng.choice((None, "", random_name(rng))),
                    "url": rng.choice((None, "https://example.com/a?b=c&d=(e)#f")),
                    "as_of": rng.choice(DAYS),
                    "low": None,
                    "high": rng.choice((None, 12.5)),
                    "note": rng.choice((None, random_name(rng))),
                },
            )


def _pointers(value: Any, pointer: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in _NO_ORIGIN:
                yield from _pointers(inner, f"{pointer}/{key}")
    elif isinstance(value, list) and len(value) <= LONGEST_LIST_OF_PARTS:
        for place, inner in enumerate(value):
            yield from _pointers(inner, f"{pointer}/{place}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield pointer
