"""`python -m ops.fuzz`: thousands of hostile requests from a seed, against real servers here.

The requests and what must hold of the answers are those of `backend/runs/tests/test_hostile.py`.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from ops import places

_TEST = "backend/runs/tests/test_hostile.py"


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ops.fuzz", description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(argv)
    env = {
        **os.environ,
        "FUZZ_DOCUMENTS": str(asked.documents),
        "FUZZ_QUERIES": str(asked.queries),
        "FUZZ_SEED": str(asked.seed),
    }
    command = [str(places.PYTHON), "-m", "pytest", "-q", "-x", _TEST]
    return subprocess.run(command, cwd=places.ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
