"""The web process stays light: an instant answer loads nothing that a worker needs."""

from __future__ import annotations

import os
import subprocess
import sys

HEAVY = (
    *("numba", "scipy", "pandas", "matplotlib", "typst", "ortools", "statsmodels", "simpy"),
    *("joserfc", "lxml", "onelogin", "scim2_models"),
    "highspy",
)
CODE = f"""
import sys
import django
django.setup()
import config.urls
from capmodels.registry import get_model
from runs.drawing import NAMES, Asked
from runs.evaluation import evaluate_now
from studies.documents import PLAN, design_document
from studies.tests.samples import study

given = study()
document = {{key: given[key] for key in ("workload", "assumptions", "ranges")}}
document["designs"] = [design_document(design) for design in given["designs"]]
asked = Asked(frozenset(NAMES), "-")
for draws_count in (0, 200):
    evaluate_now(get_model(PLAN), {{**document, "draws_count": draws_count}}).told(asked)
print(",".join(name for name in {HEAVY!r} if name in sys.modules))
"""


def test_the_web_evaluates_without_loading_anything_heavy() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "ops.offline_settings"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
