"""Node packages and the built pages, made again only when their sources changed."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from ops import places
from ops.processes import TOOLS
from ops.say import Failure, say

_OLDEST = (20, 19)
_NPM = ("npm", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
_NOT_SOURCES = {"node_modules", "dist", "tests", "coverage", ".vite"}


def ensure_built() -> None:
    """Install the packages and build the pages when sources changed since the last build."""
    if not (places.FRONTEND / "package.json").exists():
        raise Failure("frontend/package.json is missing: the clone is not complete")
    sources = _hash(_source_files())
    if _stamp(places.DIST) == sources and (places.DIST / "index.html").exists():
        return
    ensure_packages(places.FRONTEND)
    say("Building the pages")
    TOOLS.run([*_NPM, "run", "build"], what="npm run build", cwd=places.FRONTEND)
    _stamp_path(places.DIST).write_text(sources)
    say("The pages are built")


def ensure_packages(folder: Path) -> None:
    """`npm ci` in a folder unless its lock is installed already."""
    lock = _hash([folder / "package-lock.json"])
    modules = folder / "node_modules"
    if _stamp(modules) == lock:
        return
    require_node()
    say(f"Installing Node packages of {folder.name}/")
    TOOLS.run([*_NPM, "ci"], what=f"npm ci in {folder.name}/", cwd=folder)
    _stamp_path(modules).write_text(lock)
    say(f"Node packages of {folder.name}/ are in place")


def require_node() -> None:
    """Raise `Failure` when Node is missing or too old."""
    if not shutil.which("node") or not shutil.which("npm"):
        raise Failure(
            "Node.js 20.19 or newer with npm is needed to build the pages: 'node' or 'npm' was not "
            "found"
        )
    text = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout
    version = tuple(int(part) for part in text.strip().removeprefix("v").split(".")[:2])
    if version < _OLDEST:
        raise Failure(f"Node.js 20.19 or newer is needed, this is {text.strip()}")


def _source_files() -> Iterable[Path]:
    for folder, names, files in os.walk(places.FRONTEND):
        names[:] = sorted(set(names) - _NOT_SOURCES)
        for name in sorted(files):
            if not name.endswith((".tsbuildinfo", ".stamp")):
                yield Path(folder) / name


def _hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(str(path.relative_to(places.ROOT)).encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _stamp_path(folder: Path) -> Path:
    """Beside the folder, not in it: what is in dist/ is served."""
    return folder.parent / f".{folder.name}.stamp"


def _stamp(folder: Path) -> str:
    try:
        return _stamp_path(folder).read_text() if folder.exists() else ""
    except OSError:
        return ""
