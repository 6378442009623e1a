"""Whether the service holds when a disk is full: of all data, of the broker, of scratch files.

Each in turn is a file system of its own, in memory, which is filled to its last byte while runs are
asked for and files uploaded. Until there is room again a request is done or refused in words, and
afterwards every run that was asked for has one result. Needs root, or `unshare -rm bench/run full`.
"""

from __future__ import annotations

import collections
import contextlib
import http.client
import itertools
import json
import os
import subprocess
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bench._kills import Trial, inputs
from bench._lib import Row, Running, at_least, at_most
from ops.net import Client
from ops.once import throwaway_stack
from ops.say import say

if TYPE_CHECKING:
    from collections.abc import Iterator

# Room of each [MB]: what its start takes, and some.
ROOMS_MB = {"all": 360, "valkey": 12, "scratch": 24}
FULL_S = 30.0
RUNS = 40
SERVING_S = 60
# What a service without room may answer besides what it does.
REFUSALS = {409, 413, 429, 503, 507}
_UPLOAD = b"time,watts\n" + b"2026-01-01T00:00:00Z,101.25\n" * 300_000


def rows() -> Iterator[Row]:
    """Fill each disk of a stack of its own."""
    for name, room_mb in ROOMS_MB.items():
        stack = throwaway_stack()
        disk = stack.var if name == "all" else stack.var / name
        disk.mkdir(mode=0o700, exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={room_mb}m,mode=0700", "ampacity", str(disk)]
        subprocess.run(mount, check=True)
        if name == "scratch":
            os.environ["TMPDIR"] = str(disk)
        try:
            stack.start(prepare_args=("--token",))
            running = Running(stack, Client(stack.url, stack.prepared["token"]))
            trial = Full(running, name=name, disk=disk)
            trial.run()
            yield from trial.rows()
        finally:
            os.environ.pop("TMPDIR", None)
            stack.stop()
            subprocess.run(["umount", "--lazy", str(disk)], check=False)
            stack.remove()


@dataclass
class Full(Trial):
    """One service whose disk fills up."""

    name: str = field(kw_only=True)
    disk: Path = field(kw_only=True)
    statuses: collections.Counter[int] = field(default_factory=collections.Counter)
    sentences: set[str] = field(default_factory=set)

    def run(self) -> None:
        """Ask while there is room, while there is none, and when there is again."""
        keys = [str(uuid.uuid4()) for _ in range(RUNS)]
        for number in range(RUNS // 4):
            self.ask(number, keys[number])
        self.upload()
        ballast = self.disk / "ballast"
        give_up_s = time.monotonic() + FULL_S
        for number in itertools.cycle(range(RUNS // 4, RUNS)):
            fill(ballast)
            self.ask(number, keys[number])
            self.upload()
            self.mend()
            if time.monotonic() > give_up_s:
                break
        say(f"{self.name} full: {dict(self.statuses)}; {sorted(self.sentences)}")
        ballast.unlink(missing_ok=True)
        room_s = time.monotonic()
        ids: dict[int, str] = {}

        def asked() -> bool:
            for number in range(RUNS):
                if number not in ids and (found := self.ask(number, keys[number], is_full=False)):
                    ids[number] = found
            return len(ids) == RUNS

        self.wait(asked, what="an answer to every run asked for")
        self.ids = list(ids.values())
        self.wait(lambda: self.count("j.state IN ('queued', 'running')") == 0, what="the runs")
        self.serving_s = time.monotonic() - room_s

    def ask(self, number: int, key: str, *, is_full: bool = True) -> str | None:
        """Ask for a run once; its id, or nothing when it was refused."""
        client = self.running.client
        keyed = Client(client.base_url, client.token, 30.0, {"Idempotency-Key": key})
        try:
            answer = keyed.ask("POST", "/api/v1/runs", inputs(number * 7 + 1))
        except OSError:
            self.statuses[0] += 1
            return None
        self.note(answer.status, answer.body, is_full=is_full)
        return str(answer.json()["id"]) if answer.status < 300 else None

    def upload(self) -> None:
        """Send a file."""
        client = self.running.client
        address = urlsplit(client.base_url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30.0)
        headers = {"Authorization": f"Bearer {client.token}", "Content-Type": "text/csv"}
        try:
            connection.request("POST", "/api/v1/traces?name=power.csv", _UPLOAD, headers)
            answer = connection.getresponse()
            self.note(answer.status, answer.read(), is_full=True)
        except (OSError, http.client.HTTPException):
            self.statuses[0] += 1
        finally:
            connection.close()

    def note(self, status: int, body: bytes, *, is_full: bool) -> None:
        """Keep how a request was answered."""
        if is_full:
            self.statuses[status] += 1
            if status >= 300:
                self.sentences.add(f"{status}: {json.loads(body).get('detail', '')}")

    def rows(self) -> Iterator[Row]:
        """What came of it."""
        name, what = f"full-{self.name}", f"{self.name} without room"
        results = self.count("j.state = 'succeeded' AND r.result_month IS NOT NULL")
        stored = int(self.sql("SELECT count(*) FROM runs_run WHERE study_id IS NULL"))
        unclear = sum(
            number for status, number in self.statuses.items()
            if status >= 300 and status not in REFUSALS
        )  # fmt: skip
        yield at_least(f"{name}-results", f"{what}: runs done in the end", "results", results, RUNS)
        yield at_most(f"{name}-twice", f"{what}: done twice", "runs", stored - RUNS, 0)
        yield at_most(f"{name}-unclear", f"{what}: neither done nor refused", "", unclear, 0)
        text = f"{what}: until all is done once there is room"
        yield at_most(f"{name}-serving", text, "s", self.serving_s, SERVING_S)


def fill(ballast: Path) -> None:
    """Take what room there is."""
    with ballast.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 20, 4096):
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))
