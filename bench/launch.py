"""How long `./run` takes to the printed link: on a fresh clone with empty caches, and later."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench._lib import Row, at_most, median
from ops import places
from ops.say import Failure, say

WARM_STARTS = 5


def rows() -> Iterator[Row]:
    """Clone the last commit, start it once with empty caches, then again on the same data."""
    scratch = Path(tempfile.mkdtemp(prefix="ampacity-bench-"))
    try:
        clone = scratch / "clone"
        subprocess.run(["git", "clone", "-q", str(places.ROOT), str(clone)], check=True)
        first_s = start_s(clone, scratch)
        yield at_most(
            "first", "./run to the link, empty uv, npm and numba caches", "s", first_s, 150
        )
        warm_s = [start_s(clone, scratch) for _ in range(WARM_STARTS)]
        yield at_most("warm", "./run to the link on the same data, median", "s", median(warm_s), 6)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def start_s(clone: Path, scratch: Path) -> float:
    """Seconds from the command to the printed link; the stack is stopped again."""
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
        if process.stdout is None or not any("/sign-in#code=" in line for line in process.stdout):
            raise Failure("./run printed no link")
        taken = time.monotonic() - started
        say(f"link after {taken:.1f} s")
        return taken
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
