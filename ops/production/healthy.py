"""Exit 0 when a part of the stack is well.

`python -m ops.production.healthy URL` asks a URL, by a host name that ALLOWED_HOSTS lists;
`python -m ops.production.healthy FILE SECONDS` wants a file touched not longer ago than that.
"""

import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path


def host() -> str | None:
    """A name that the web answers to, or None where any will do."""
    names = (word.strip() for word in os.environ.get("ALLOWED_HOSTS", "").split(","))
    found = next((name for name in names if name and name != "*"), None)
    return found.removeprefix(".") if found else None


def answers(url: str) -> bool:
    """Whether a URL answers 200."""
    name = host()
    request = urllib.request.Request(url, headers={"Host": name} if name else {})
    try:
        with urllib.request.urlopen(request, timeout=8) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError) as exc:
        print(exc, file=sys.stderr)
        return False


def is_fresh(path: Path, *, longest_s: float, now_s: float) -> bool:
    """Whether a file was touched within the last seconds."""
    try:
        age_s = now_s - path.stat().st_mtime
    except OSError as exc:
        print(exc, file=sys.stderr)
        return False
    if age_s > longest_s:
        print(f"{path} was touched {age_s:.0f} s ago", file=sys.stderr)
    return age_s <= longest_s


def main(what: str, longest_s: str | None = None) -> int:
    """Look once; returns the exit code."""
    if longest_s is None:
        return 0 if answers(what) else 1
    return 0 if is_fresh(Path(what), longest_s=float(longest_s), now_s=time.time()) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
