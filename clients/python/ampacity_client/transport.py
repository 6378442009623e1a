"""Sends requests, reads answers, raises problems. Standard library only."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

Answer = tuple[int, bytes]
Send = Callable[[str, str, Mapping[str, str], bytes | None], Answer]


class Problem(Exception):
    """The API refused: a problem document (RFC 9457)."""

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        """Keep the document; its detail is the message."""
        self.status = status
        self.document = document
        self.errors: list[dict[str, str]] = list(document.get("errors", ()))
        super().__init__(str(document.get("detail", f"HTTP {status}")))


def send_by_urllib(method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
    """Send one request with the standard library."""
    request = Request(url, data=body, headers=dict(headers), method=method)
    try:
        with urlopen(request, timeout=60) as response:
            return response.status, response.read()
    except HTTPError as error:
        return error.code, error.read()


class Transport:
    """What every operation needs: an address, a token, and a way to send."""

    def __init__(self, base_url: str, token: str, *, send: Send = send_by_urllib) -> None:
        """Take the address of the server, such as http://127.0.0.1:8000, and a token."""
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._send = send

    @staticmethod
    def quoted(part: str) -> str:
        """Return a part of a path, safe in an address."""
        return quote(str(part), safe="")

    def ask_json(self, method: str, path: str, **options: Any) -> Any:
        """Send a request and return the JSON of its answer."""
        return json.loads(self.ask_bytes(method, path, **options))

    def ask_bytes(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: Any = None,
    ) -> bytes:
        """Send a request and return the body of its answer.

        Raises
        ------
        Problem
            When the API refuses.
        """
        given = {key: value for key, value in (query or {}).items() if value is not None}
        url = f"{self._base_url}{path}" + (f"?{urlencode(given)}" if given else "")
        sent = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        sent |= {key: value for key, value in (headers or {}).items() if value is not None}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        status, answer = self._send(method, url, sent, data)
        if not 200 <= status < 300:
            raise Problem(status, _document(answer))
        return answer


def _document(answer: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(answer)
    except ValueError:
        return {"detail": answer[:200].decode(errors="replace")}
    return document if isinstance(document, dict) else {"detail": str(document)}
