"""What the commands print, and the one error that ends them."""

import sys
import time

_STARTED = time.monotonic()


class Failure(Exception):
    """Something is missing or went wrong; the text is one clear line for the user."""


def elapsed_s() -> float:
    """Seconds since the command started."""
    return time.monotonic() - _STARTED


def say(text: str) -> None:
    """Print one line of progress with the time since the start, to standard error."""
    print(f"[{elapsed_s():6.1f} s] {text}", file=sys.stderr, flush=True)


def table(header: list[str], rows: list[list[str]]) -> str:
    """Lay out a text table: first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(cells: list[str]) -> str:
        first = cells[0].ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
        return "  ".join([first, *rest]).rstrip()

    ruler = "  ".join("-" * width for width in widths)
    return "\n".join([line(header), ruler, *(line(row) for row in rows)])
