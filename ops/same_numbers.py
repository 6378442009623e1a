"""`python -m ops.same_numbers TREE`: are the answers of the examples those of another working tree?

Each example is answered in both trees with a few hundred simulations. Every number has to be equal
to 1e-12 of itself, and all else to the letter; what differs is printed by its pointer.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ops import places

DRAWS = 200
TOLERANCE = 1e-12
# Times and versions tell of the tree, not of the study.
_OF_THE_TREE = {"timings_ms", "model_version"}
_ANSWERS = """
import json, sys
from pathlib import Path
from capmodels.registry import get_model
from capmodels.spec import Context, evaluate
from capmodels.tests.plans.documents import document
plan = get_model("plans.compare")
answers = {}
for slug in sorted(path.stem for path in Path("fixtures/examples").glob("*.yaml")):
    asked = document(slug, draws_count=int(sys.argv[1]))
    answers[slug] = evaluate(plan, asked, Context(seed=1)).model_dump(mode="json")
json.dump(answers, sys.stdout)
"""


def answers_of(tree: Path) -> dict[str, Any]:
    """The answers of the examples as a tree gives them."""
    path = os.pathsep.join(str(tree / name) for name in ("", "backend", "worker"))
    done = subprocess.run(
        [str(places.PYTHON), "-c", _ANSWERS, str(DRAWS)],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        stdout=subprocess.PIPE,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def differences(ours: Any, theirs: Any, pointer: str = "") -> Iterator[str]:
    """Where two answers differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys() - _OF_THE_TREE):
            if key not in _OF_THE_TREE:
                yield from differences(ours.get(key), theirs.get(key), f"{pointer}/{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(one, other, f"{pointer}/{index}")
    elif not _same(ours, theirs):
        yield f"{pointer}: {theirs!r} became {ours!r}"


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) <= TOLERANCE * max(abs(one), abs(other))
    return bool(one == other)


def _count(value: Any) -> int:
    if isinstance(value, dict | list):
        return sum(map(_count, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float | int)


def main(argv: list[str]) -> int:
    """Compare with the tree that is named; returns the exit code."""
    [tree] = argv
    ours, theirs = answers_of(places.ROOT), answers_of(Path(tree).resolve())
    found = list(differences(ours, theirs))
    print(*found[:40], sep="\n")
    print(f"{_count(ours):,} numbers of {len(ours)} examples, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
