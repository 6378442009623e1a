"""Run a command with the environment of the `./run` that is up.

    python -m ops.shell -- COMMAND ...      (without a command: print the exports)

DATABASE_OWNER_URL is among the variables: this is for the administrator.
"""

import json
import os
import shlex
import sys
from pathlib import Path

from ops import places

NAME = "running.json"


def write(var: Path, variables: dict[str, str]) -> None:
    """Leave the variables in the data folder, readable by us only."""
    path = var / NAME
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(variables, file)


def remove(var: Path) -> None:
    """Forget them."""
    (var / NAME).unlink(missing_ok=True)


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    path = places.default_var() / NAME
    try:
        variables: dict[str, str] = json.loads(path.read_text())
    except FileNotFoundError:
        print("Ampacity is not running on this data folder: start ./run first", file=sys.stderr)
        return 1
    command = argv[argv.index("--") + 1 :] if "--" in argv else []
    if command:
        os.execvpe(command[0], command, {**os.environ, **variables})
    for name, value in variables.items():
        print(f"export {name}={shlex.quote(value)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
