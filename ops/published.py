"""Run the published checks of the models behind an answer, in a process of their own.

    python -m ops.published PLAN INPUTS.json

Prints the checks as JSON. Unlike the rest of ops/ it needs the environment.
"""

import json
import sys
from pathlib import Path
from typing import Any

from capmodels.registry import get_model
from capmodels.spec import run_check, validate
from reports.models_behind import models_behind


def checks_behind(params: dict[str, Any], plan_id: str) -> list[dict[str, Any]]:
    """Every published check of every model that the answer rests on, computed now."""
    plan = get_model(plan_id)
    specs = [get_model(model_id) for model_id in models_behind(plan, validate(plan, params))]
    return [run_check(spec, check) for spec in specs for check in spec.checks]


if __name__ == "__main__":
    plan_id, path = sys.argv[1:]
    json.dump(checks_behind(json.loads(Path(path).read_text()), plan_id), sys.stdout)
