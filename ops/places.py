"""Where things are, relative to the root of the repository."""

import hashlib
import os
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


def default_var() -> Path:
    """The data folder of `./run`: AMPACITY_VAR, else var/ in the repository."""
    return Path(os.environ.get("AMPACITY_VAR") or ROOT / "var").resolve()


def kernels_cache(caches: Path) -> Path:
    """The folder of compiled kernels, of its own for each state of the science's sources.

    numba looks at a kernel's own file only: a kernel compiled together with one that it
    imports would otherwise outlive a change in the imported one.
    """
    digest = hashlib.sha256()
    for source in sorted((ROOT / "worker" / "capmodels").rglob("*_kernel.py")):
        digest.update(source.read_bytes())
    for source in sorted((ROOT / "worker" / "capmodels").rglob("*_state.py")):
        digest.update(source.read_bytes())
    return caches / "numba" / digest.hexdigest()[:12]


def site_packages() -> Path:
    """The environment's package folder (it may not exist yet)."""
    found = sorted((VENV / "lib").glob("python3*/site-packages"))
    return found[0] if found else VENV / "lib" / "python3" / "site-packages"
