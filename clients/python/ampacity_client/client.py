"""An HTTP client that knows the token, asks again when told to, and hears events."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

import httpx

ENDED = ("succeeded", "failed", "cancelled")
TRIES = 5


class Problem(Exception):
    """The API refused: a problem document (RFC 9457)."""

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        """Keep the document; its detail is the message."""
        self.status = status
        self.document = document
        self.errors: list[dict[str, str]] = list(document.get("errors", ()))
        super().__init__(str(document.get("detail", f"HTTP {status}")))


class Unfinished(Exception):
    """A run, a report, an import or a trace failed, was cancelled, or takes too long."""


class Ampacity(httpx.Client):
    """A workspace's API, for a generated client and by itself.

    Addresses are those of the reference, such as ``/api/v1/studies``. What is refused is raised as
    `Problem`. Where the API says when to ask again (``Retry-After``), it is asked again then.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the address of the server, such as http://127.0.0.1:8000, and a token."""
        super().__init__(
            base_url=url,
            headers={"Authorization": f"Bearer {token}"},
            timeout=60.0,
            follow_redirects=True,
            transport=_Patient(transport or httpx.HTTPTransport(), sleep),
            event_hooks={"response": [_require_accepted]},
        )
        self._sleep = sleep

    def rows(self, path: str, **asked: Any) -> Iterator[dict[str, Any]]:
        """Yield every row of a list, page by page."""
        cursor = None
        while True:
            page = self.get(path, params={**asked, **({"cursor": cursor} if cursor else {})}).json()
            yield from page["results"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def ended(self, path: str, *, timeout_s: float = 600.0) -> dict[str, Any]:
        """Return a run, a report, an import or a trace once it has succeeded.

        It is asked for every 100 ms at first, then slower, to once a second.

        Raises
        ------
        Unfinished
            When it ends otherwise, with the reason, or not in time.
        """
        waited_s, pause_s = 0.0, 0.1
        while True:
            found: dict[str, Any] = self.get(path).json()
            if found["state"] == "succeeded":
                return found
            if found["state"] in ENDED:
                reason = (found.get("error") or {}).get("message", f"It was {found['state']}.")
                raise Unfinished(reason)
            if waited_s >= timeout_s:
                message = f"This has not ended after {waited_s:.0f} s."
                raise Unfinished(message)
            self._sleep(pause_s)
            waited_s += pause_s
            pause_s = 0.1 if waited_s < 1 else min(1.0, pause_s * 1.5)

    def events(self) -> Iterator[dict[str, Any]]:
        """Listen from now on; yield what happens to jobs of the workspace, without a gap.

        A stream ends after 25 s; the next one goes on behind the last event that was heard.
        """
        address = self.get("/api/v1/session").json()["events_url"]

        def listen(last: str) -> httpx.Response:
            headers = {"Last-Event-ID": last} if last else {}
            return self.send(self.build_request("GET", address, headers=headers), stream=True)

        return _heard(listen, listen(""))


def _heard(listen: Callable[[str], httpx.Response], stream: httpx.Response) -> Iterator[Any]:
    last = kind = ""
    while True:
        with closing(stream):
            for line in stream.iter_lines():
                field, _, value = line.partition(": ")
                if field == "id":
                    last = value
                elif field == "event":
                    kind = value
                elif field == "data" and kind == "job":
                    yield json.loads(value)
        stream = listen(last)


class _Patient(httpx.BaseTransport):
    """Sends a request again when the answer says after how long."""

    def __init__(self, inner: httpx.BaseTransport, sleep: Callable[[float], None]) -> None:
        self._inner = inner
        self._sleep = sleep

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()  # a body that is read can be sent once more
        for _ in range(TRIES - 1):
            answer = self._inner.handle_request(request)
            wait = answer.headers.get("Retry-After", "")
            if answer.status_code not in (429, 503) or not wait.isdigit():
                return answer
            answer.close()
            self._sleep(float(wait))
        return self._inner.handle_request(request)

    def close(self) -> None:
        self._inner.close()


def _require_accepted(answer: httpx.Response) -> None:
    if answer.status_code < 400:
        return
    answer.read()
    try:
        document = answer.json()
    except ValueError:
        document = {"detail": answer.text[:200]}
    raise Problem(answer.status_code, document if isinstance(document, dict) else {})
