"""Files of studies, as ``pull`` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# What of a file the plan is not asked: names, origins, and what only a stored study has.
_NOT_ASKED = (
    *("slug", "title", "question", "snapshot", "pack", "pack_version", "as_of", "tool_runs"),
    *("params_version", "workload_provenance", "assumptions_provenance", "baseline_provenance"),
)
_NOT_OF_DESIGN = ("spec", "provenance", "versions")


class Unreadable(Exception):
    """Something was asked for that is not there, or not readable; says what to do."""


def read_study(path: Path) -> dict[str, Any]:
    """Return the study that a file holds. YAML needs the package ``PyYAML``; JSON nothing.

    Raises
    ------
    Unreadable
        When it is no file of a study.
    """
    text = path.read_text("utf-8")
    try:
        document = json.loads(text) if path.suffix == ".json" else _yaml(text, path)
    except ValueError as exc:
        message = f"{path} cannot be read: {exc}"
        raise Unreadable(message) from exc
    if not isinstance(document, dict) or not isinstance(document.get("study"), dict):
        message = f"{path} holds no study. `ampacity study pull` writes such files."
        raise Unreadable(message)
    study: dict[str, Any] = document["study"]
    return study


def params_of(study: dict[str, Any], params_version: int) -> dict[str, Any]:
    """Return the plan's input of a study's file.

    Raises
    ------
    Unreadable
        When the file has another shape than the server takes.
    """
    require_shape(study, params_version)
    designs = [
        {
            **design.get("spec", {}),
            **{key: design[key] for key in design if key not in _NOT_OF_DESIGN},
        }
        for design in study.get("designs", [])
    ]
    asked = {key: value for key, value in study.items() if key not in _NOT_ASKED}
    return {**asked, "designs": designs}


def require_shape(study: dict[str, Any], params_version: int) -> None:
    """Refuse a study's file of another shape than the server takes.

    Raises
    ------
    Unreadable
        When it is of another.
    """
    if study.get("params_version", params_version) != params_version:
        message = "The file has an older shape. Push it as a new study, and pull that."
        raise Unreadable(message)


def _yaml(text: str, path: Path) -> Any:
    try:
        import yaml
    except ImportError as exc:
        message = f"Reading {path} takes the package PyYAML; a .json file takes nothing."
        raise Unreadable(message) from exc
    try:
        # The server writes YAML 1.2: only its numbers, true, false and null are not text.
        return yaml.safe_load(text)
    except yaml.YAMLError as exc:
        raise ValueError(str(exc)) from exc
