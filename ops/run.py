"""`./run`: set everything up, start it, print the sign-in link, stay in the foreground."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ops import backups, once, places
from ops.say import Failure, say
from ops.signals import Stopped, raise_on_signals
from ops.stack import EVENTS_PORT, WEB_PORT, Stack

_WATCH_S = 0.25


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="./run",
        description="Set up and start Ampacity, and print a link that signs you in. "
        "Data is kept in var/ (or AMPACITY_VAR). Ctrl-C stops everything.",
        epilog="With DATABASE_URL, DATABASE_OWNER_URL and DATABASE_IDENTITY_URL, or BROKER_URL, in "
        "the environment, those servers are used instead of private ones.",
    )
    parser.add_argument(
        "command",
        nargs="?",
        choices=("backup", "restore"),
        help="write the data folder's database and key to FILE, also while it is in use; or fill "
        "an empty data folder from FILE. Without one of them: start",
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="with a command")
    parser.add_argument(
        "--port",
        type=int,
        default=os.environ.get("PORT") or str(WEB_PORT),
        help="first port to try for the web (default: PORT or 8000)",
    )
    parser.add_argument(
        "--once",
        action="store_true",
        help="no browser: run one example study in a stack of its own, print the comparison, stop",
    )
    parser.add_argument("--study", default="free-factories", help="with --once: the study's slug")
    parser.add_argument("--pdf", type=Path, help="with --once: write the report to this file")
    asked = parser.parse_args(argv)
    if asked.pdf is not None and not asked.once:
        parser.error("--pdf goes with --once")
    if (asked.command is None) != (asked.file is None):
        parser.error("name a FILE: ./run backup FILE, or ./run restore FILE")
    return asked


def stay(*, port: int) -> int:
    """Start the stack and mend it until a signal comes or a service cannot be kept up."""
    stack = Stack(places.default_var(), web_port=port, events_port=max(port + 1, EVENTS_PORT))
    try:
        stack.start()
        say("Ready")
        print(f"\n  Sign in:  {stack.sign_in_url}\n", flush=True)
        print("  The link works once, for 10 minutes. Ctrl-C stops everything.\n", flush=True)
        shown = messages(stack.mail)
        while True:
            stack.mend()
            shown = show_new(stack.mail, shown)
            time.sleep(_WATCH_S)
    finally:
        say("Stopping")
        stack.stop()


def messages(folder: Path) -> set[Path]:
    """The messages that the service wrote instead of sending them."""
    return set(folder.glob("*.log"))


def show_new(folder: Path, known: set[Path]) -> set[Path]:
    """Print the messages that are not known yet; returns all."""
    found = messages(folder)
    for path in sorted(found - known):
        # headers up to the first empty line, of which three matter to who reads
        head, _, body = path.read_text("utf-8").partition("\n\n")
        lines = [line for line in head.splitlines() if line.startswith(("Subject:", "To:"))]
        print("\n".join(["", "  Mail", *lines, body.rpartition("\n---")[0].strip()]), flush=True)
    return found


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit code."""
    asked = parse(argv)
    raise_on_signals()
    try:
        if asked.command == "backup":
            backups.backup(places.default_var(), asked.file)
            return 0
        if asked.command == "restore":
            backups.restore(places.default_var(), asked.file)
            return 0
        if asked.once:
            return once.main(slug=asked.study, pdf=asked.pdf)
        return stay(port=asked.port)
    except Stopped as exc:
        return 0 if exc.signum in (signal.SIGINT, signal.SIGTERM) else 128 + exc.signum
    except Failure as exc:
        print(f"\n{exc}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
