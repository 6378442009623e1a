"""Start PostgreSQL and Valkey alone, for development.

    python -m ops.dev                 start, print the exports, stay in the foreground
    python -m ops.dev -- COMMAND ...  start, run the command with them, stop

Data in var/dev (or AMPACITY_VAR/dev).
"""

import os
import shlex
import subprocess
import sys

from ops import places
from ops.private import DataServices
from ops.say import Failure, say
from ops.signals import Stopped, raise_on_signals


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    command = argv[argv.index("--") + 1 :] if "--" in argv else []
    raise_on_signals()
    services = DataServices(places.default_var() / "dev")
    try:
        services.start_postgres()
        services.start_valkey()
        variables = {**services.urls(), "SECRET_KEY": "for-development-only-and-not-a-secret"}
        if command:
            return subprocess.run(command, env={**os.environ, **variables}, check=False).returncode
        for name, value in variables.items():
            print(f"export {name}={shlex.quote(value)}", flush=True)
        say("PostgreSQL and Valkey are up. Ctrl-C stops them.")
        while services.supervisor.first_ended() is None:
            services.supervisor.services[0].process.wait()
        services.supervisor.require_alive()
    except Stopped:
        return 0
    except Failure as exc:
        print(exc, file=sys.stderr)
        return 1
    finally:
        services.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
