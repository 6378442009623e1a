"""Measurements read by API, window by window: Prometheus range queries, CloudWatch metrics.

Each answers a window of time with rows of points; all windows together are the document that the
program itself writes, which is then read as an uploaded file is.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.conf import settings

from capmodels.errors import ModelError
from common import outgoing
from traces.sigv4 import Keys, Scope, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capmodels.spec import JSONDict

ANSWER_BYTES_MAX = 64 << 20
WINDOWS_MAX = 400
DAY_S = 86_400
# Prometheus answers at most 11,000 points of a series ("HTTP API", range queries).
_STEPS_MOST = 10_000
_STEPS_LEAST = 500
_PAGES_MAX = 200
_NOT_NOW = frozenset((429, 500, 502, 503, 504))
_SERVICE = "monitoring"
_TARGET = "GraniteServiceVersion20100801.GetMetricData"


class NotNow(Exception):
    """Nobody answers for now; a later try may be answered."""


@dataclass(frozen=True, slots=True)
class Window:
    """From and to, both held. [s]"""

    start_s: int
    end_s: int


def windows(start_s: int, end_s: int, step_s: int) -> list[Window]:
    """Return the windows that a span is asked in: about a day each, whole steps."""
    steps = max(_STEPS_LEAST, min(_STEPS_MOST, DAY_S // step_s))
    first = range(start_s, end_s + 1, steps * step_s)
    return [Window(at, min(at + (steps - 1) * step_s, end_s)) for at in first]


def asked(source: Mapping[str, Any], secret: Mapping[str, str], window: Window) -> list[JSONDict]:
    """Return the rows of one window.

    Raises
    ------
    ModelError
        When the question is refused: what the program says of it.
    NotNow
        When nobody answers for now.
    """
    of = {"prometheus": _prometheus, "cloudwatch": _cloudwatch}
    try:
        return of[source["origin"]](source, secret, window)
    except outgoing.TooLong as exc:
        message = f"{exc} Choose a longer step, or ask for fewer series."
        raise ModelError(message) from exc
    except outgoing.Unsendable as exc:
        if "No answer" in str(exc):
            raise NotNow(str(exc)) from exc
        raise ModelError(str(exc)) from exc


def document(source: Mapping[str, Any], parts: Iterator[list[JSONDict]]) -> bytes:
    """Return all windows as one file of the program's own format."""
    joined: dict[str, JSONDict] = {}
    for rows in parts:
        for row in rows:
            held = joined.setdefault(row["key"], {**row, "points": []})
            held["points"] += row["points"]
    if source["origin"] == "cloudwatch":
        results = [
            {
                "Label": row["key"],
                "Timestamps": [at for at, _value in row["points"]],
                "Values": [value for _at, value in row["points"]],
            }
            for row in joined.values()
        ]
        return json.dumps({"MetricDataResults": results}).encode()
    found = [{"metric": row["labels"], "values": row["points"]} for row in joined.values()]
    return json.dumps(
        {"status": "success", "data": {"resultType": "matrix", "result": found}}
    ).encode()


def _prometheus(
    source: Mapping[str, Any], secret: Mapping[str, str], window: Window
) -> list[JSONDict]:
    asked_for = {
        "query": source["query"],
        "start": window.start_s,
        "end": window.end_s,
        "step": source["step_s"],
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded", "User-Agent": "Ampacity"}
    if secret.get("token"):
        headers["Authorization"] = f"Bearer {secret['token']}"
    elif secret.get("user"):
        pair = f"{secret['user']}:{secret.get('password', '')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    address = f"{source['address'].rstrip('/')}/api/v1/query_range"
    found = _answer(address, urlencode(asked_for).encode(), headers, "Prometheus")
    rows = (found.get("data") or {}).get("result") or []
    return [
        {
            "key": json.dumps(row["metric"], sort_keys=True),
            "labels": row["metric"],
            "points": row["values"],
        }
        for row in rows
    ]


def _cloudwatch(
    source: Mapping[str, Any], secret: Mapping[str, str], window: Window
) -> list[JSONDict]:
    where = f"{{{source['namespace']},{source['dimension']}}}"
    search = f"SEARCH('{where} MetricName=\"{source['metric']}\"', 'Average', {source['step_s']})"
    question: JSONDict = {
        "StartTime": window.start_s,
        # The end is not held.
        "EndTime": window.end_s + 1,
        "ScanBy": "TimestampAscending",
        "MetricDataQueries": [{"Id": "q1", "Expression": search, "ReturnData": True}],
    }
    rows: list[JSONDict] = []
    for _page in range(_PAGES_MAX):
        found = _answer(*_signed(source["region"], question, secret), "CloudWatch")
        rows += [
            {
                "key": row.get("Label") or row["Id"],
                "points": list(zip(row["Timestamps"], row["Values"], strict=True)),
            }
            for row in found.get("MetricDataResults", [])
        ]
        if not found.get("NextToken"):
            return rows
        question["NextToken"] = found["NextToken"]
    raise ModelError("CloudWatch has too many pages of answers. Ask for fewer metrics.")


def _signed(
    region: str, question: JSONDict, secret: Mapping[str, str]
) -> tuple[str, bytes, dict[str, str]]:
    url, body = f"https://{_SERVICE}.{region}.amazonaws.com/", json.dumps(question).encode()
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": _TARGET}
    keys = Keys(secret["access_id"], secret["secret"], secret.get("token", ""))
    scope = Scope(region, _SERVICE, datetime.now(UTC))
    return url, body, signed("POST", url, headers, body, keys, scope)


def _answer(url: str, body: bytes, headers: dict[str, str], program: str) -> JSONDict:
    allowed = settings.READ_PRIVATE_HOSTS if program == "Prometheus" else ()
    status, answer = outgoing.ask(url, body, headers, most=ANSWER_BYTES_MAX, allowed=allowed)
    if status in _NOT_NOW and not answer.startswith(b'{"status":"error"'):
        raise NotNow(f"{program} answers {status}.")
    try:
        found = json.loads(answer)
    except ValueError as exc:
        message = f"What answers there ({status}) is not {program}."
        raise ModelError(message) from exc
    if status != 200 or not isinstance(found, dict):
        said = found.get("error") or found.get("message") or "" if isinstance(found, dict) else ""
        message = f"{program} refuses the question ({status}): {said}"[:400].rstrip(": ")
        raise ModelError(f"{message}.")
    return found


def share_of(done: int, whole: int) -> float:
    """How far reading is, of what comes before the trace is made."""
    return 0.95 * done / max(whole, 1)
