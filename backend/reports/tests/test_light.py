"""The web process serves reports without the libraries that draw them."""

from __future__ import annotations

import os
import subprocess
import sys

HEAVY = {"matplotlib", "typst", "openpyxl", "numba", "scipy", "pandas", "ortools"}
SCRIPT = """
import sys
import django
django.setup()
import config.urls
import reports.apis, reports.services, reports.selectors
print(" ".join(sys.modules))
"""


def test_the_addresses_load_nothing_that_draws() -> None:
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "ops.offline_settings"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "reports" in loaded
    assert loaded & HEAVY == set()
