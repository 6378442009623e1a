"""What a webhook is sent, as the API's schema describes it, with an example of each event."""

from __future__ import annotations

from typing import Any

from accounts.events import (
    APPROVAL_ASKED,
    APPROVED,
    BREAK_EVEN_MOVED,
    EVENTS,
    PRICES_ARRIVED,
    RUN_FINISHED,
    SAID,
    VERDICT_CHANGED,
)

JSONDict = dict[str, Any]

_STUDY, _RUN = "0b9f1f0e-8f0a-4f63-9f0c-5f1f3f8f0a11", "3c1d7a52-6a0e-4c8e-8e57-2b9a0d4c7e90"
# Each field of `data`: its type, what it is, and its value in the example.
_OF_RUN: dict[str, tuple[str, str, Any]] = {
    "study": ("string", "Id of the study.", _STUDY),
    "run": ("string", "Id of the run.", _RUN),
    "winner": ("string?", "Letter of the design that costs least; null where none does.", "B"),
    "cost_usd": ("number?", "What it costs over the whole time. [USD]", 2_620_000.0),
    "cost": ("number?", "The same in `currency`, at the rate of the run.", 2_410_000.0),
    "currency": ("string", "Code of the run's currency (ISO 4217).", "EUR"),
    "headline": ("string", "The verdict in a sentence.", "B is cheapest at EUR 2.41 M over 3 y."),
}
_CHANGED: dict[str, tuple[str, str, Any]] = {
    "winner_before": ("string?", "The winner of the run before.", "A"),
    "cost_before_usd": ("number?", "What that one cost. [USD]", 2_710_000.0),
    "cost_before": ("number?", "The same in `currency`, at the rate of this run.", 2_490_000.0),
}
_MOVED: dict[str, tuple[str, str, Any]] = {
    "challenger": ("string", "Letter of the design that costs more at first.", "B"),
    "incumbent": ("string", "Letter of the other one.", "A"),
    "before_months": ("number?", "Their break-even before; null where there was none.", 22.5),
    "after_months": ("number?", "Their break-even now; null where there is none.", 17.0),
}
_BY: tuple[str, str, Any] = ("string", "Address of who did it.", "ada@example.org")
_OF_STUDY = {name: _OF_RUN[name] for name in ("study", "run")}
_DATA: dict[str, dict[str, tuple[str, str, Any]]] = {
    RUN_FINISHED: _OF_RUN,
    VERDICT_CHANGED: {**_OF_RUN, **_CHANGED},
    BREAK_EVEN_MOVED: {**_OF_RUN, **_MOVED},
    APPROVAL_ASKED: {
        **_OF_STUDY,
        "sentence": ("string", "What the owners are asked.", "Ready to be ordered?"),
        "by": _BY,
    },
    APPROVED: {
        **_OF_STUDY,
        "name": ("string", "Name of the approved version.", "Budget 2027"),
        "by": _BY,
    },
}
_PRICES: tuple[dict[str, tuple[str, str, Any]], ...] = (
    {
        "source": ("string", "`catalogue`.", "catalogue"),
        "snapshot": ("string", "Name of the catalogue's new snapshot.", "2026-12-02-bbbbbbbb"),
        "studies_count": ("integer", "Studies that hold older values.", 3),
    },
    {
        "source": (
            "string",
            "Price list or table of the workspace's own.",
            "Price list of October",
        ),
        "entries_count": ("integer", "Entries that have other prices.", 12),
    },
)
_HEADERS = {
    "webhook-id": "Id of the event, the same at every try.",
    "webhook-timestamp": "When it is sent. [s since 1970]",
    "webhook-signature": "`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` by the "
    "secret's bytes (Standard Webhooks 1.0).",
}


def add_events(result: JSONDict, **_hook: Any) -> JSONDict:
    """Describe the request of every event among the schema's ``webhooks``."""
    result["webhooks"] = {event: {"post": _request(event)} for event in EVENTS}
    return result


def _request(event: str) -> JSONDict:
    shapes = _PRICES if event == PRICES_ARRIVED else (_DATA[event],)
    example = {
        "type": event,
        "timestamp": "2026-11-29T09:00:00+00:00",
        "data": {name: value for name, (_, _, value) in shapes[0].items()},
    }
    data = [_object(shape) for shape in shapes]
    body = {
        "type": "object",
        "required": list(example),
        "properties": {
            "type": {"const": event, "description": "The event."},
            "timestamp": {"type": "string", "format": "date-time", "description": "When it was."},
            "data": data[0] if len(data) == 1 else {"anyOf": data, "description": "Which prices."},
        },
    }
    return {
        "operationId": f"on_{event.replace('.', '_')}",
        "summary": SAID[event].capitalize(),
        "description": f"Sent to webhooks that have chosen `{event}`.",
        "tags": ["webhooks"],
        "security": [],
        "parameters": [
            {
                "in": "header",
                "name": name,
                "required": True,
                "schema": {"type": "string"},
                "description": text,
            }
            for name, text in _HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": body, "example": example}},
        },
        "responses": {
            "2XX": {"description": "Taken."},
            "default": {"description": "Not taken: it is sent again for two days."},
        },
    }


def _object(shape: dict[str, tuple[str, str, Any]]) -> JSONDict:
    fields = {
        name: {
            "type": [kind.rstrip("?"), "null"] if kind.endswith("?") else kind,
            "description": text,
        }
        for name, (kind, text, _) in shape.items()
    }
    return {
        "type": "object",
        "description": "What the event is about.",
        "required": list(shape),
        "properties": fields,
        "additionalProperties": False,
    }
