"""A real provider of OpenID Connect (npm's oidc-provider), run by node."""

from __future__ import annotations

import http.cookiejar
import json
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from ops import frontend, places
from ops.net import free_ports

if TYPE_CHECKING:
    from collections.abc import Mapping

CLIENT, SECRET = "ampacity", "a-secret-of-the-tests"


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_given: Any, **_named: Any) -> None:
        return None


@dataclass
class Provider:
    """The process, and a browser that goes to it."""

    callback: str
    port: int = 0
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def issuer(self) -> str:
        """What it calls itself."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, with new keys, where it was before."""
        frontend.ensure_packages(places.E2E)
        if not self.port:
            [self.port] = free_ports(1)
        command = ["node", "provider.mjs", str(self.port), CLIENT, SECRET, self.callback]
        self.process = subprocess.Popen(
            command,
            cwd=places.E2E,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        while line and "listening" not in line:
            line = self.process.stdout.readline()
        assert line, "the provider did not start"

    def stop(self) -> None:
        """End it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout
            self.process.stdout.close()
            self.process = None

    def settings(self, **others: Any) -> dict[str, Any]:
        """What the product is told of it."""
        return {
            "issuer": self.issuer,
            "name": "Example",
            "client_id": CLIENT,
            "client_secret": SECRET,
            "scopes": "openid email",
            "groups_claim": "groups",
            "roles": {},
            "private_hosts": [f"127.0.0.1:{self.port}"],
            **others,
        }

    def visit(self, url: str, **who: Any) -> dict[str, str]:
        """Sign somebody in at an address, and return what the callback is given."""
        body = json.dumps(who).encode()
        request = urllib.request.Request(f"{self.issuer}/who", data=body, method="PUT")
        with urllib.request.urlopen(request):
            pass
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        browser = urllib.request.build_opener(_Stay(), cookies)
        while not url.startswith(self.callback):
            url = self._next(browser, url)
        given: Mapping[str, list[str]] = parse_qs(urlsplit(url).query)
        return {name: values[0] for name, values in given.items() if name != "error_description"}

    def _next(self, browser: urllib.request.OpenerDirector, url: str) -> str:
        try:
            with browser.open(url) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as moved:
            with moved:
                found = moved.headers["Location"]
            if found is None:
                raise
            return found if "://" in found else self.issuer + found
        raise AssertionError(text)
