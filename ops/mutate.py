"""`python -m ops.mutate [PART...]`: would the tests notice a wrong line?

A seeded sample of mutants (Cosmic Ray) of each part is put, one at a time, into a copy of the
project, and the part's tests are run there; changed kernels are compiled anew. A mutant that no
test notices is printed with its change; all go to var/mutate/PART.json.
"""

import argparse
import difflib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ops import places
from ops.say import Failure, say

FOLDER = places.ROOT / "var" / "mutate"
_COPY = FOLDER / "copy"
_SCIENCE = ("-c", "ops/science.ini", "--rootdir", ".", "-p", "ops.science_alone")
_PLANS = "worker/capmodels/tests/plans"
_STORAGE = "worker/capmodels/tests/storage"
# The tests of an unchanged project may take so many times as long before a mutant hangs.
_PATIENCE = 3
_PATIENCE_MIN_S = 60.0


@dataclass(frozen=True)
class Part:
    """A folder of the product, and the tests that have to notice, the quickest first."""

    folder: str
    tests: Sequence[str]
    options: Sequence[str] = ()


PARTS = {
    "costing": Part("worker/capmodels/plans/costing", (_PLANS,), _SCIENCE),
    "answer": Part("worker/capmodels/plans/answer", (_PLANS,), _SCIENCE),
    "simulator": Part(
        "worker/capmodels/storage/simulator",
        tuple(
            f"{_STORAGE}/test_{name}.py"
            for name in (
                "array_parts",
                "array",
                "array_chunks",
                "array_losses",
                "positional_queue",
                "copies_table",
                "copies_rules",
                "controller_and_fill",
            )
        ),
        _SCIENCE,
    ),
    "jobs": Part(
        "backend/jobs",
        ("backend/jobs/tests", "worker/capworker/tests"),
        ("-m", "not (worker or slow)"),
    ),
    "render": Part("backend/reports/render", ("backend/reports/tests",), ("-m", "not slow")),
}


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: killed, survived, or hung (which a test would notice as well)."""

    path: str
    line: int
    operator: str
    state: str
    change: str


def mutants_of(part: Part, *, seed: int, count: int) -> dict[str, Any]:
    """Draw a sample of a part's mutants."""
    files = sorted(str(path.relative_to(places.ROOT)) for path in _sources(part))
    argv = [str(_tool()), str(places.ROOT / "ops" / "mutants.py"), str(seed), str(count), *files]
    done = subprocess.run(argv, cwd=places.ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"no mutants could be made:\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _sources(part: Part) -> list[Path]:
    folder = places.ROOT / part.folder
    return [path for path in folder.rglob("*.py") if "tests" not in path.parts]


def _tool() -> Path:
    """Put Cosmic Ray, as its lock names it, into an environment of its own."""
    uv, tool = str(places.VENV / "bin" / "uv"), FOLDER / "tool"
    lock = str(places.REQUIREMENTS / "mutate.txt")
    env = {**os.environ, "VIRTUAL_ENV": str(tool)}
    for argv in (
        [uv, "venv", "-q", "--allow-existing", "--python", str(places.PYTHON), str(tool)],
        [uv, "pip", "install", "-q", "--require-hashes", "-r", lock],
    ):
        subprocess.run(argv, cwd=places.ROOT, env=env, check=True)
    return tool / "bin" / "python"


def copy_project() -> None:
    """Copy what git knows of the project; the environment is shared."""
    shutil.rmtree(_COPY, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=places.ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (places.ROOT / name).is_file():
            (_COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(places.ROOT / name, _COPY / name)
    (_COPY / ".venv").symlink_to(places.VENV)


def passes(part: Part, *, patience_s: float | None) -> bool:
    """Run a part's tests in the copy. Raises `subprocess.TimeoutExpired` when they hang."""
    path = os.pathsep.join(str(_COPY / name) for name in ("", "backend", "worker"))
    # Without a folder given, each state of the kernels has its own: changed ones are compiled anew.
    # With numba's compiler off the array simulator cannot run: its records have no names then.
    env = {**os.environ, "PYTHONPATH": path}
    env.pop("NUMBA_CACHE_DIR", None)
    argv = [str(places.PYTHON), "-m", "pytest", "-q", "-x", *part.options, *part.tests]
    with (FOLDER / "last.log").open("w") as log:
        done = subprocess.run(
            argv, cwd=_COPY, env=env, check=False, stdout=log, stderr=log, timeout=patience_s
        )
    return done.returncode == 0


def outcome_of(part: Part, mutant: dict[str, Any], patience_s: float) -> Outcome:
    """Put a mutant in, run the tests, and take it out."""
    path = _COPY / mutant["path"]
    right = path.read_text("utf-8")
    path.write_text(mutant["text"], "utf-8")
    try:
        state = "survived" if passes(part, patience_s=patience_s) else "killed"
    except subprocess.TimeoutExpired:
        state = "hung"
    finally:
        path.write_text(right, "utf-8")
    lines = difflib.unified_diff(right.splitlines(), mutant["text"].splitlines(), lineterm="", n=0)
    change = "\n".join(line for line in list(lines)[3:])
    return Outcome(mutant["path"], mutant["line"], mutant["operator"], state, change)


def run(name: str, *, seed: int, count: int) -> list[Outcome]:
    """Try a part's sample and keep what became of it."""
    part = PARTS[name]
    copy_project()
    started = time.monotonic()
    if not passes(part, patience_s=None):
        log = (FOLDER / "last.log").read_text()
        raise Failure(f"{name}: its tests fail without a mutant\n{log[-3000:]}")
    patience_s = max(_PATIENCE_MIN_S, _PATIENCE * (time.monotonic() - started))
    drawn = mutants_of(part, seed=seed, count=count)
    outcomes = []
    for number, mutant in enumerate(drawn["mutants"], start=1):
        outcomes.append(outcome_of(part, mutant, patience_s))
        last = outcomes[-1]
        say(f"{name} {number}/{count}: {last.state} {last.path}:{last.line} {last.operator}")
    document = {"seed": seed, "all": drawn["all"], "outcomes": [asdict(one) for one in outcomes]}
    (FOLDER / f"{name}.json").write_text(json.dumps(document, indent=2) + "\n")
    return outcomes


def main(argv: Sequence[str]) -> int:
    """Run the command; 1 when a mutant survived."""
    parser = argparse.ArgumentParser(prog="python -m ops.mutate", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--count", type=int, default=40, help="mutants of each part")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(argv)
    unknown = set(asked.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    lived = 0
    for name in asked.parts or PARTS:
        outcomes = run(name, seed=asked.seed, count=asked.count)
        survivors = [one for one in outcomes if one.state == "survived"]
        for one in survivors:
            print(f"\n{one.path}:{one.line} {one.operator}\n{one.change}")
        print(f"{name}: {len(outcomes) - len(survivors)} of {len(outcomes)} mutants noticed")
        lived += len(survivors)
    return 1 if lived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
