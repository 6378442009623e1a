"""Whitespace, file sizes, private keys: `python -m ops.hygiene [FILE...]` (default: all files)."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ops import places

BYTES_MAX = 500_000
LINES_MAX = 1000
_KEY = re.compile(rb"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----")
# What a linter or a type checker is told to pass over, without a word after it that says why.
_UNEXPLAINED = {
    ".py": re.compile(rb"#\s*(?:noqa(?:: [A-Z0-9, ]+)?|type:\s*ignore(?:\[[a-z, -]+\])?)\s*$"),
    **dict.fromkeys(
        (".ts", ".tsx", ".js", ".mjs"),
        re.compile(rb"/[/*] *(?:(?:eslint|oxlint)-disable(?!.* -- \w)|@ts-[a-z-]+\s*$)"),
    ),
}
_PACKAGES = (".whl", ".tar.gz", ".zip")
_NOT_OURS = ("package-lock.json", "schema.d.ts", "models.d.ts")
_DATA = {".csv", ".json", ".svg", ".txt", ".snap"}


def faults(path: Path) -> Iterator[str]:
    """Say what is wrong with one file."""
    content = path.read_bytes()
    generated = places.ROOT / "clients" in path.parents or path.name.endswith(_NOT_OURS)
    yield from _whole(path, content, generated=generated)
    if generated or b"\0" in content[:8000] or path.suffix in _DATA:
        return
    lines = content.split(b"\n")
    if path.suffix == ".py" and len(lines) > LINES_MAX + 1:
        yield f"has {len(lines) - 1} lines, at most {LINES_MAX} are allowed"
    for number, line in enumerate(lines, start=1):
        for fault in _faults_of(line, path.suffix):
            yield f"line {number} {fault}"
    if content and not content.endswith(b"\n"):
        yield "does not end in a new line"


def _whole(path: Path, content: bytes, *, generated: bool) -> Iterator[str]:
    if path.parent == places.ROOT and path.name.endswith(_PACKAGES):
        yield "is a package: those come by the locks"
    if len(content) > BYTES_MAX and not generated:
        yield f"has {len(content):,} bytes, at most {BYTES_MAX:,} are allowed"
    if _KEY.search(content):
        yield "holds a private key"


def _faults_of(line: bytes, suffix: str) -> Iterator[str]:
    if line.endswith((b" ", b"\t", b"\r")):
        yield "ends in white space"
    if suffix in _UNEXPLAINED and _UNEXPLAINED[suffix].search(line):
        yield "silences a checker and does not say why"


def tracked() -> list[str]:
    """All files that git knows and that exist; without git, all that are not ignored folders."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=places.ROOT, check=False, capture_output=True, text=True
    )
    return [name for name in done.stdout.split("\0") if name and (places.ROOT / name).is_file()]


def main(names: Sequence[str]) -> int:
    """Check files; returns the exit code."""
    bad = 0
    for name in names or tracked():
        path = places.ROOT / name
        if path.is_symlink() or not path.is_file():
            continue
        for fault in faults(path):
            print(f"{name}: {fault}", file=sys.stderr)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
