"""Journeys in a real browser, on a stack of their own: `python -m ops.e2e [PLAYWRIGHT ARGS]`.

The tests get AMPACITY_URL, and sign in with codes that `manage.py planner` makes.
"""

import os
import sys

from ops import frontend, places
from ops.net import HOST, port_of, take_port
from ops.once import throwaway_stack
from ops.processes import run_live
from ops.say import Failure
from ops.signals import Stopped, raise_on_signals


def _openid(issuer: str) -> dict[str, str]:
    return {
        "OIDC_ISSUER": issuer,
        "OIDC_CLIENT_ID": "ampacity",
        "OIDC_CLIENT_SECRET": "a-secret-of-the-journeys",
        "OIDC_NAME": "Example",
        "OIDC_PRIVATE_HOSTS": issuer.removeprefix("http://"),
    }


def _saml(port: int) -> dict[str, str]:
    host = f"{HOST}:{port}"
    return {
        "SAML_METADATA_URL": f"http://{host}/metadata",
        "SAML_NAME": "Corporate",
        "SAML_PRIVATE_HOSTS": host,
    }


def main(argv: list[str]) -> int:
    """Run the journeys; returns Playwright's exit code."""
    raise_on_signals()
    stack = throwaway_stack()
    try:
        frontend.ensure_packages(places.E2E)
        # journeys start the providers there, once they know the stack's address
        with (
            take_port(0, what="the sign-in provider") as taken,
            take_port(0, what="the identity provider") as other,
        ):
            issuer, saml_port = f"http://{HOST}:{port_of(taken)}", port_of(other)
        stack.extra_env = {**_openid(issuer), **_saml(saml_port)}
        stack.start(prepare_args=("--token",))
        env = {
            **os.environ,
            "AMPACITY_URL": stack.url,
            **_openid(issuer),
            "SAML_PORT": str(saml_port),
            "AMPACITY_VAR": str(stack.var),
            "AMPACITY_TOKEN": stack.prepared["token"],
            "AMPACITY_PYTHON": str(places.PYTHON),
            "FORCE_COLOR": "0",
        }
        program = places.E2E / "node_modules" / ".bin" / "playwright"
        return run_live([str(program), "test", *argv], cwd=places.E2E, env=env)[0]
    except Stopped as exc:
        return 128 + exc.signum
    except Failure as exc:
        print(exc, file=sys.stderr)
        return 1
    finally:
        stack.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
