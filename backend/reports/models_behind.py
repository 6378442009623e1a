"""Which published models a plan is built from, read off its imports."""

from __future__ import annotations

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from capmodels.registry import MODEL_MODULES, PACKAGE


@cache
def models_behind(model_id: str) -> tuple[str, ...]:
    """Return the ids of the models that a model's module reaches by import, itself first.

    The sources are read, nothing is imported: what a process has loaded for other reasons
    does not count.
    """
    start = f"{PACKAGE}.{model_id}"
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += _imports(module)
    found = [m for m in MODEL_MODULES if m in seen and m != start]
    return tuple(m.removeprefix(f"{PACKAGE}.") for m in (start, *found) if m in MODEL_MODULES)


def _imports(module: str) -> list[str]:
    origin = (spec := find_spec(module)) and spec.origin
    if not origin:
        return []
    names: list[str] = []
    for node in ast.walk(ast.parse(Path(origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.startswith(f"{PACKAGE}.") and _is_module(name)]


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        # The parent is a module, not a package: the name is something inside it.
        return False
