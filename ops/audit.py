"""`./test audit`: are there known vulnerabilities in what the locks name?

Says *unknown* where the advisories cannot be reached: a package that nobody looked up is not
known to be without fault.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ops import places

LOCKS = ("base", "science", "tracing", "objects", "embedded", "dev")
FOLDERS = (places.FRONTEND, places.E2E)
_TOOL = places.ROOT / "var" / "audit"
_PATIENCE_S = 300


@dataclass(frozen=True)
class Verdict:
    """What is known of one lock: faults, or None with the reason why nothing is known."""

    lock: str
    faults: Sequence[str] | None
    reason: str = ""

    def text(self) -> str:
        """A line for the reader."""
        if self.faults is None:
            return f"{self.lock}: unknown, {self.reason}"
        if not self.faults:
            return f"{self.lock}: no known vulnerability"
        return f"{self.lock}: " + "; ".join(self.faults)


def of_python(lock: str, output: str) -> Verdict:
    """Read what pip-audit says as JSON."""
    document = _json(output)
    if "dependencies" not in document:
        return Verdict(lock, None, "the advisories cannot be reached")
    packages = document["dependencies"]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    faults = [
        f"{package['name']} {package['version']} ({', '.join(v['id'] for v in package['vulns'])})"
        for package in packages
        if package.get("vulns")
    ]
    if skipped and not faults:
        count = f"{len(skipped)} of {len(packages)}"
        return Verdict(lock, None, f"the advisories know nothing of {count} packages")
    return Verdict(lock, faults)


def of_node(lock: str, output: str) -> Verdict:
    """Read what npm audit says as JSON."""
    found = _json(output).get("vulnerabilities")
    if found is None:
        return Verdict(lock, None, "the advisories cannot be reached")
    return Verdict(lock, [f"{name} ({each['severity']})" for name, each in sorted(found.items())])


def _json(output: str) -> dict[str, Any]:
    try:
        document = json.loads(output)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _run(argv: Sequence[str], cwd: Path, env: Mapping[str, str] | None = None) -> str:
    try:
        done = subprocess.run(
            argv, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=_PATIENCE_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def _install() -> Path:
    """Put pip-audit, as its lock names it, into an environment of its own."""
    uv = str(places.VENV / "bin" / "uv")
    lock = str(places.REQUIREMENTS / "audit.txt")
    _run([uv, "venv", "-q", "--allow-existing", str(_TOOL)], places.ROOT)
    env = {**os.environ, "VIRTUAL_ENV": str(_TOOL)}
    _run([uv, "pip", "install", "-q", "--require-hashes", "-r", lock], places.ROOT, env)
    return _TOOL / "bin" / "pip-audit"


def verdicts() -> list[Verdict]:
    """Ask for every lock."""
    tool = str(_install())
    found = []
    for name in LOCKS:
        lock = str(places.REQUIREMENTS / f"{name}.txt")
        argv = [tool, "--disable-pip", "--require-hashes", "-r", lock, "-f", "json",
                "--progress-spinner", "off", "--timeout", "10"]  # fmt: skip
        found.append(of_python(f"requirements/{name}.txt", _run(argv, places.ROOT)))
    for folder in FOLDERS:
        words = _run(["npm", "audit", "--json"], folder)
        found.append(of_node(f"{folder.name}/package-lock.json", words))
    return found


def main() -> int:
    """Print a line for each lock; 1 when there is a known vulnerability."""
    found = verdicts()
    for verdict in found:
        print(verdict.text())
    return 1 if any(verdict.faults for verdict in found) else 0


if __name__ == "__main__":
    sys.exit(main())
