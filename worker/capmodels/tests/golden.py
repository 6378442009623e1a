"""Golden results: what each model answered when its version was last raised.

``python -m capmodels.tests.golden`` answers the kept params again for each model whose
version is new, and leaves the others alone. ``... MODEL PARAMS.json`` keeps a new model's
answer; without a file of its own a model is asked with its defaults.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from capmodels import registry, spec
from capmodels.errors import ParamsError

FOLDER = Path(__file__).parent / "golden"

JSONDict = dict[str, Any]

# What a golden file says whose numbers nothing but our own earlier answer is held against;
# others name the test that holds the model against another formula, library or count.
REGRESSION_ONLY = "regression only"


def path_of(model_id: str) -> Path:
    """Where a model's golden result is kept."""
    return FOLDER / f"{model_id}.json"


def read(model_id: str) -> JSONDict:
    """Return ``{oracle, version, params_version, params, result}``."""
    document: JSONDict = json.loads(path_of(model_id).read_text("utf-8"))
    return document


def answer(model: spec.AnyModel, params: JSONDict) -> JSONDict:
    """Return the model's result on params, as JSON."""
    result: JSONDict = spec.evaluate(model, params).model_dump(mode="json")
    return result


def write(model: spec.AnyModel, params: JSONDict) -> None:
    """Keep what the model answers now, and what it is held against besides."""
    path = path_of(model.id)
    document = {
        "oracle": (read(model.id).get("oracle") if path.exists() else None) or REGRESSION_ONLY,
        "version": model.version,
        "params_version": model.params_version,
        "params": params,
        "result": answer(model, params),
    }
    FOLDER.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


def main(argv: list[str]) -> int:
    """Write one model's golden result, or all those that are missing or outdated."""
    if argv:
        write(registry.get_model(argv[0]), json.loads(Path(argv[1]).read_text("utf-8")))
        return 0
    missing = [model.id for model in registry.all_models() if not _renew(model)]
    for model_id in missing:
        sys.stderr.write(f"{model_id} has no complete defaults: give a PARAMS.json\n")
    return 1 if missing else 0


def _renew(model: spec.AnyModel) -> bool:
    """Write a model's result if it is missing or outdated; False when that needs params."""
    kept = read(model.id) if path_of(model.id).exists() else None
    if kept is not None and kept["version"] == model.version:
        return True
    try:
        write(model, kept["params"] if kept else {})
    except ParamsError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
