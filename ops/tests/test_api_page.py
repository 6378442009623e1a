"""Every example of docs/api.md, run in the order of the page against a server of its own.

What stands there as ``http`` is sent, and the answer below it holds; ``python``, ``sh`` and ``ts``
are programs, in one folder, with the clients that the page has generated. A word behind the kind
names what the page goes on with: a field of the answer, or what the program prints.
"""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ops import frontend, places
from ops.net import Answer, Client
from ops.once import throwaway_stack
from ops.stack import Stack

pytestmark = pytest.mark.ops

PAGE = places.ROOT / "docs" / "api.md"
BLOCK = re.compile(r"^```(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
# Files that the examples read: a bill, a fleet, a quote, and what fio measured.
SAMPLES = """
import sys
from pathlib import Path
from capmodels.imports import focus, quote, rvtools
for name, made in (("bill.csv", focus), ("fleet.xlsx", rvtools), ("offer.xlsx", quote)):
    Path(sys.argv[1], name).write_bytes(made.IMPORTER.sample())
"""
FIO = {
    "fio version": "fio-3.1",
    "jobs": [
        {
            "jobname": "a",
            "job options": {"bs": "4k"},
            "read": {"total_ios": 5, "iops": 123.5, "lat_ns": {"mean": 8e6}},
        }
    ],
}
STRICT = (
    *("--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"),
    *("--lib", "es2023,dom,dom.asynciterable", "--types", "node", "--outDir", "out"),
)
PATIENCE_S = 300.0
ENDED = {"succeeded", "failed", "cancelled"}


def holds(shown: Any, real: Any) -> bool:
    """Whether all that the page shows is in the real answer; the page may show less."""
    if isinstance(shown, dict):
        return isinstance(real, dict) and all(
            key in real and holds(value, real[key]) for key, value in shown.items()
        )
    if isinstance(shown, list):
        return (
            isinstance(real, list)
            and (len(shown) <= len(real) if shown else not real)
            and all(map(holds, shown, real))
        )
    return bool(shown == real)


@dataclass
class Reader:
    """Somebody who does what the page says, one example after the other."""

    stack: Stack
    folder: Path
    names: dict[str, str] = field(default_factory=dict)
    answer: Answer | None = None
    asked: str = ""

    def read(self, number: int, head: str, text: str) -> None:
        """Do one example."""
        kind, *words = head.split()
        if kind == "http":
            self._send(text)
        elif kind == "json":
            self._compare(int(words[0]), text, *words[1:])
        else:
            printed = self._run(self._program(kind, number, text))
            if words:
                self.names[words[0]] = printed.strip()

    def _filled(self, text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: self.names.get(name[1], name[0]), text)

    def _send(self, text: str) -> None:
        head, _, body = text.partition("\n\n")
        first, *lines = head.strip().split("\n")
        method, path = first.split(" ")
        headers = dict(line.split(": ", 1) for line in lines)
        client = Client(self.stack.url, self.names["TOKEN"], headers=headers)
        self.asked = path
        sent = json.loads(self._filled(body)) if body.strip() else None
        self.answer = client.ask(method, self._filled(path), sent)

    def _compare(self, status: int, text: str, binds: str = "") -> None:
        assert self.answer
        real = self.answer.json()
        assert self.answer.status == status, (self.asked, real)
        assert holds(json.loads(self._filled(text)), real), (self.asked, text, real)
        if binds:
            name, _, key = binds.partition("=")
            self.names[name] = real[key]
        if real.get("state") == "queued":
            self._wait(f"{self.asked}/{real['id']}")

    def _wait(self, path: str) -> None:
        until_s = time.monotonic() + PATIENCE_S
        client = Client(self.stack.url, self.names["TOKEN"])
        while client.get(path)["state"] not in ENDED:
            assert time.monotonic() < until_s, path
            self.stack.mend()
            time.sleep(0.2)

    def _program(self, kind: str, number: int, text: str) -> list[str]:
        file = self.folder / f"example{number}.{kind}"
        file.write_text(text)
        if kind == "python":
            return [str(places.PYTHON), str(file)]
        if kind == "sh":
            return ["sh", "-eu", str(file)]
        assert kind == "ts", f"an example of the kind {kind!r}"
        compiler = places.FRONTEND / "node_modules" / "typescript" / "bin" / "tsc"
        self._run(["node", str(compiler), *STRICT, str(file)])
        return ["node", str(self.folder / "out" / f"{file.stem}.js")]

    def _run(self, command: list[str]) -> str:
        env = {
            **os.environ,
            **self.names,
            "URL": self.stack.url,
            "PYTHONPATH": f"{places.ROOT / 'clients' / 'python'}:{self.folder}",
            "PATH": f"{self.folder / 'bin'}:{places.VENV / 'bin'}:{os.environ['PATH']}",
        }
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    frontend.ensure_packages(places.FRONTEND)
    command = tmp_path / "bin" / "ampacity"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {places.PYTHON} -m ampacity_client.cli "$@"\n')
    command.chmod(0o755)
    (tmp_path / "node_modules").symlink_to(places.FRONTEND / "node_modules")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    layer = places.ROOT / "clients" / "typescript" / "ampacity.ts"
    (tmp_path / layer.name).write_text(layer.read_text())
    (tmp_path / "disk.json").write_text(json.dumps(FIO))
    samples = [str(places.PYTHON), "-c", SAMPLES, str(tmp_path)]
    subprocess.run(samples, cwd=places.ROOT / "worker", check=True)
    stack = throwaway_stack()
    # the jobs of the page receive what a webhook sends on this machine
    stack.extra_env = {"WEBHOOK_PRIVATE_HOSTS": "127.0.0.1"}
    try:
        stack.start()
        yield Reader(stack, tmp_path, {"CODE": stack.prepared["signin_code"]})
    finally:
        stack.remove()


def test_the_examples_of_the_page_are_true(reader: Reader) -> None:
    examples = BLOCK.findall(PAGE.read_text("utf-8"))
    for number, (head, text) in enumerate(examples):
        reader.read(number, head, text)
    kinds = {head.split()[0] for head, _ in examples}
    assert kinds == {"http", "json", "python", "sh", "ts"}
