"""Where things are, relative to the root of the repository."""

import hashlib
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
BACKEND = ROOT / "backend"
FRONTEND = ROOT / "frontend"
DIST = FRONTEND / "dist"
E2E = ROOT / "e2e"
REQUIREMENTS = ROOT / "requirements"
MANAGE = BACKEND / "manage.py"
_IMPORT = re.compile(r"^from (capmodels[.\w]*) import (.*)$", re.MULTILINE)
_NAME = re.compile(r"\w+")
_COMPILES = "from capmodels.kernel import kernel"


def default_var() -> Path:
    """The data folder of `./run`: AMPACITY_VAR, else var/ in the repository."""
    return Path(os.environ.get("AMPACITY_VAR") or ROOT / "var").resolve()


def caches(var: Path) -> Path:
    """What can be made again: AMPACITY_CACHES, shared by several data folders, else below one."""
    given = os.environ.get("AMPACITY_CACHES")
    return Path(given).resolve() if given else var / "cache"


def user_caches() -> Path:
    """What can be made again, for all checkouts of a user: kernels are compiled once a state."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "ampacity"


def kernels_cache(caches: Path) -> Path:
    """The folder of compiled kernels, of its own for each state of the science's sources.

    numba looks at a kernel's own file only: a kernel compiled together with one that it
    imports would otherwise outlive a change in the imported one.
    """
    digest = hashlib.sha256()
    for source in _kernel_sources():
        digest.update(source.read_bytes())
    return caches / "numba" / digest.hexdigest()[:12]


def default_kernels_cache() -> Path:
    """The folder of compiled kernels of whoever runs them outside the stack: tests, benches."""
    return kernels_cache(caches(default_var()))


def _kernel_sources() -> list[Path]:
    """What numba compiles and whatever of the science it imports: constants are compiled in."""
    package = ROOT / "worker" / "capmodels"
    named = (*package.rglob("*_kernel.py"), *package.rglob("*_state.py"))
    waiting = [
        path
        for path in named
        if "tests" not in path.relative_to(package).parts and _COMPILES in path.read_text("utf-8")
    ]
    found: set[Path] = set()
    while waiting:
        source = waiting.pop()
        if source in found or not source.is_file():
            continue
        found.add(source)
        for module, names in _IMPORT.findall(source.read_text("utf-8")):
            place = package.joinpath(*module.split(".")[1:])
            waiting += [
                place.with_suffix(".py"),
                *(place / f"{n}.py" for n in _NAME.findall(names)),
            ]
    return sorted(found)


def site_packages() -> Path:
    """The environment's package folder (it may not exist yet)."""
    found = sorted((VENV / "lib").glob("python3*/site-packages"))
    return found[0] if found else VENV / "lib" / "python3" / "site-packages"
