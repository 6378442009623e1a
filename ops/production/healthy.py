"""Exit 0 when a URL answers 200: `python -m ops.production.healthy URL`."""

import sys
import urllib.error
import urllib.request


def main(url: str) -> int:
    """Ask once; returns the exit code."""
    try:
        with urllib.request.urlopen(url, timeout=8) as answer:
            return 0 if answer.status == 200 else 1
    except (OSError, urllib.error.URLError) as exc:
        print(exc, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
