"""How long `./run` takes to the printed link: on a fresh clone with empty caches, and later.

From the first link on also how long the first simulation of an array takes, whose simulator is
being compiled then, and until somebody who waits for it is told so.
"""

import http.cookiejar
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench._lib import Row, at_most, median
from ops import places
from ops.say import Failure, say

WARM_STARTS = 5
_LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/sign-in#code=(\S+)")
_SIMULATION = {"model": "storage.array", "params": {}}
_PATIENCE_S = 300.0
_LOOK_S = 0.1


class Page:
    """What a browser does after the link was opened."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._cookies = http.cookiejar.CookieJar()
        handler = urllib.request.HTTPCookieProcessor(self._cookies)
        self._opener = urllib.request.build_opener(handler)

    def ask(self, method: str, path: str, document: dict[str, Any] | None = None) -> Any:
        """The JSON of an answer."""
        token = next((item.value for item in self._cookies if "csrf" in item.name), "")
        request = urllib.request.Request(
            self._url + path,
            method=method,
            data=None if document is None else json.dumps(document).encode(),
            headers={
                "Content-Type": "application/json",
                "X-CSRFToken": token or "",
                "Origin": self._url,
                "Referer": self._url + "/",
            },
        )
        with self._opener.open(request) as answer:
            return json.loads(answer.read() or "null")


def first_simulation_s(url: str, code: str) -> tuple[float, float]:
    """Seconds from the link until progress was told, and until the result was there."""
    started = time.monotonic()
    page = Page(url)
    page.ask("POST", "/api/v1/session", {"code": code})
    run = page.ask("POST", "/api/v1/runs", _SIMULATION)
    told_s = None
    while run["state"] in {"queued", "running"}:
        if told_s is None and run.get("progress_message"):
            told_s = time.monotonic() - started
        if time.monotonic() - started > _PATIENCE_S:
            raise Failure(f"the simulation is still {run['state']}: {run.get('message')}")
        time.sleep(_LOOK_S)
        run = page.ask("GET", f"/api/v1/runs/{run['id']}")
    if run["state"] != "succeeded":
        raise Failure(f"the simulation ended {run['state']}: {run.get('error')}")
    taken_s = time.monotonic() - started
    return taken_s if told_s is None else told_s, taken_s


def rows() -> Iterator[Row]:
    """Clone the last commit, start it once with empty caches, then again on the same data."""
    scratch = Path(tempfile.mkdtemp(prefix="ampacity-bench-"))
    try:
        clone = scratch / "clone"
        subprocess.run(["git", "clone", "-q", str(places.ROOT), str(clone)], check=True)
        found: list[tuple[float, float]] = []
        first_s = start_s(clone, scratch, lambda *link: found.append(first_simulation_s(*link)))
        yield at_most(
            "first", "./run to the link, empty uv, npm and numba caches", "s", first_s, 150
        )
        [(told_s, simulated_s)] = found
        yield at_most("told", "from that link until a simulation tells of itself", "s", told_s, 5)
        yield at_most("simulated", "from that link to a simulated array", "s", simulated_s, 20)
        warm_s = [start_s(clone, scratch) for _ in range(WARM_STARTS)]
        yield at_most("warm", "./run to the link on the same data, median", "s", median(warm_s), 6)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def start_s(clone: Path, scratch: Path, then: Callable[[str, str], object] | None = None) -> float:
    """Seconds from the command to the printed link; the stack is stopped again.

    Before it is, ``then`` is done with the link's address and code.
    """
    dropped = {"VIRTUAL_ENV", "AMPACITY_VAR", "DATABASE_URL", "BROKER_URL", "NUMBA_CACHE_DIR"}
    env = {
        **{name: value for name, value in os.environ.items() if name not in dropped},
        "UV_CACHE_DIR": str(scratch / "uv"),
        "npm_config_cache": str(scratch / "npm"),
        "PIP_NO_CACHE_DIR": "1",
    }
    started = time.monotonic()
    process = subprocess.Popen(
        [str(clone / "run"), "--port", "18500"], env=env, stdout=subprocess.PIPE, text=True
    )
    try:
        lines = () if process.stdout is None else process.stdout
        link = next((found for line in lines if (found := _LINK.search(line))), None)
        if link is None:
            raise Failure("./run printed no link")
        taken = time.monotonic() - started
        say(f"link after {taken:.1f} s")
        if then is not None:
            then(link[1], link[2])
        return taken
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
