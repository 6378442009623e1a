"""`bench/run [NAME...]`: measure, print a table, keep the figures as JSON."""

import argparse
import importlib
import json
import os
import platform
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench._lib import Row, stop_cleanly_on_signals
from bench._machine import GAUGES, slowness_here
from ops import places
from ops.say import Failure, say, table
from ops.signals import Stopped

_HERE = Path(__file__).parent
RESULTS = _HERE / "results"


def names() -> list[str]:
    """The benches that there are, by file name."""
    return sorted(path.stem for path in _HERE.glob("[a-z]*.py"))


def measure(name: str, slowness: Mapping[str, float]) -> list[Row]:
    """Run one bench. Whatever it raises is a miss, not an end of the others."""
    module = importlib.import_module(f"bench.{name}")
    return [
        replace(row, slowness=slowness[row.fits]) if row.slowness is None else row
        for row in module.rows()
    ]


def as_json(row: Row) -> dict[str, Any]:
    """A row with its ratio and verdict."""
    return {**asdict(row), "judged": row.judged, "ratio": row.ratio, "ok": row.ok}


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    return {
        "processors": os.cpu_count(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }


def machine_text(slowness: Mapping[str, float]) -> str:
    """The table of the machine: each piece of work, there and here."""
    lines = [
        [name, gauge.what, f"{gauge.reference_s * 1e3:.3g}", f"{slowness[name]:.2f}"]
        for name, gauge in GAUGES.items()
    ]
    return table(["machine", "what", "reference [ms]", "times slower here"], lines)


def keep(name: str, rows: Sequence[Row], slowness: Mapping[str, float]) -> None:
    """Write the figures to bench/results/NAME.json."""
    RESULTS.mkdir(exist_ok=True)
    document = {
        "bench": name,
        "measured_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": {**machine(), "slowness": dict(slowness)},
        "rows": [as_json(row) for row in rows],
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(document, indent=2) + "\n")


def number(value: float | None) -> str:
    """A figure for the table."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def text(rows: Sequence[Row]) -> str:
    """The table of all rows."""
    header = ["what", "unit", "measured", "judged", "must be", "rival", "ratio", "verdict"]
    lines = []
    for row in rows:
        rival = f"{number(row.rival)} {row.rival_name or ''}".strip() if row.rival else ""
        ratio = number(row.ratio) + (f" (>= {row.ratio_needed:g})" if row.ratio_needed else "")
        cells = [f"{row.name}: {row.what}", row.unit, number(row.measured), number(row.judged)]
        cells += [f"{row.target_is} {number(row.target)}", rival, ratio]
        lines.append([*cells, "ok" if row.ok else "MISSED"])
    return table(header, lines)


def run(chosen: Sequence[str], *, save: bool) -> tuple[list[Row], list[str]]:
    """Measure the benches in turn; returns the rows and the names of those that broke."""
    rows: list[Row] = []
    broken = []
    slowness = slowness_here()
    print(machine_text(slowness), file=sys.stderr)
    for name in chosen:
        say(f"bench {name}")
        try:
            found = measure(name, slowness)
        except Failure as exc:
            print(exc, file=sys.stderr)
            broken.append(name)
            continue
        except Exception:
            traceback.print_exc()
            broken.append(name)
            continue
        rows += found
        if save:
            keep(name, found, slowness)
    return rows, broken


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(names())}")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument("--no-save", action="store_true", help="do not write bench/results/")
    asked = parser.parse_args(argv)
    unknown = set(asked.names) - set(names())
    if unknown:
        parser.error(f"no such bench: {', '.join(sorted(unknown))}")
    stop_cleanly_on_signals()
    # numba's own place does not see a change in a kernel that another one calls
    os.environ.setdefault("NUMBA_CACHE_DIR", str(places.default_kernels_cache()))
    try:
        rows, broken = run(asked.names or names(), save=not asked.no_save)
    except Stopped as exc:
        return 128 + exc.signum
    if asked.json:
        print(json.dumps([as_json(row) for row in rows], indent=2))
    else:
        print(text(rows))
    missed = [row.name for row in rows if not row.ok]
    if broken:
        print(f"broke: {', '.join(broken)}", file=sys.stderr)
    print(f"{len(rows) - len(missed)} of {len(rows)} rows meet their target", file=sys.stderr)
    return 1 if missed or broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
