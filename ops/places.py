"""Where things are, relative to the root of the repository."""

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


def site_packages() -> Path:
    """The environment's package folder (it may not exist yet)."""
    found = sorted((VENV / "lib").glob("python3*/site-packages"))
    return found[0] if found else VENV / "lib" / "python3" / "site-packages"
