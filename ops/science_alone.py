"""A pytest plugin: the science runs where nothing of the web can be imported."""

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from ops import places
from ops.samples import pytest_collection_modifyitems  # noqa: F401 -- found by pytest

# numba's own place does not see a change in what a kernel imports
os.environ.setdefault("NUMBA_CACHE_DIR", str(places.default_kernels_cache()))

FORBIDDEN = frozenset(
    {
        "django", "rest_framework", "celery", "kombu", "redis", "psycopg", "gunicorn", "uvicorn",
        "accounts", "archives", "capworker", "catalogue", "common", "config", "jobs", "reports",
        "runs", "sharing", "studies", "traces", "imports",
    }
)  # fmt: skip


class Refuser(MetaPathFinder):
    """Refuses to import what science must not need."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise for a forbidden package, leave all others to the next finder."""
        if fullname.partition(".")[0] in FORBIDDEN:
            raise ModuleNotFoundError(f"science must not import {fullname}", name=fullname)
        return None


sys.meta_path.insert(0, Refuser())
