"""`python -m ops.mutate [PART...]`: would the tests notice a wrong line?

A seeded sample of mutants (Cosmic Ray) of each part is put, one at a time, into a copy of the
project. The part's tests run once without a mutant, to see which of them run its line; those run
on it, the cheapest first, until one fails (`ops.mutants_run`). Kernels run without their compiler,
which would take minutes for each; tests that take long then are left out.
What became of each mutant is kept in var/mutate/PART.json: asked again, only those that lived are
tried again. A mutant that nothing could notice stands with its reason in ops/mutants.toml.
`--score` prints what is kept as a table.
"""

import argparse
import ast
import difflib
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ops import places
from ops.private import DataServices
from ops.processes import TOOLS
from ops.say import Failure, say

FOLDER = places.ROOT / "var" / "mutate"
EXPLAINED = places.ROOT / "ops" / "mutants.toml"
_COPY = FOLDER / "copy"
_SCIENCE = ("-c", "ops/science.ini", "--rootdir", ".", "-p", "ops.science_alone")
_PLANS = "worker/capmodels/tests/plans"


def _files(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/test_{name}.py" for name in names)


# Files whose tests are quick without a compiler.
_SIMULATOR = _files(
    "worker/capmodels/tests/storage",
    "array_chunks",
    "copies_rules",
    "drawn",
    "percentiles",
    "refusals",
    "request_sizes",
    "short_runs",
    "state_diagram",
    "told",
    "zone_holes",
)
# Files whose tests need neither a page set as a PDF nor a database.
_RENDER = _files(
    "backend/reports/tests",
    "actuals",
    "csv",
    "drawn",
    "drivers",
    "figures",
    "inputs",
    "models_behind",
    "numbers",
    "pages",
    "printed",
    "registry",
    "tables",
    "tokens",
    "workbook",
)
# A mutant hangs when its tests take so many times as long, and by the clock so many times that.
_PATIENCE = 4
_START_S = 20.0
_CLOCK_PATIENCE = 10


@dataclass(frozen=True)
class Part:
    """A folder of the product, and the tests that have to notice."""

    folder: str
    tests: Sequence[str]
    options: Sequence[str] = _SCIENCE
    servers: bool = False

    def sources(self) -> list[Path]:
        """The files that may be changed."""
        found = (places.ROOT / self.folder).rglob("*.py")
        return sorted(path for path in found if "tests" not in path.parts)

    def pytest(self, *more: str) -> list[str]:
        """The command that runs tests."""
        argv = [str(places.PYTHON), "-m", "pytest", "-q", "--tb=short", *self.options]
        return [*argv, "-p", "ops.interpreted", "-W", "ignore::RuntimeWarning", *more]


PARTS = {
    "costing": Part("worker/capmodels/plans/costing", (_PLANS,)),
    "answer": Part("worker/capmodels/plans/answer", (_PLANS,)),
    "figures": Part("worker/capmodels/plans/figures", (_PLANS,)),
    "simulator": Part("worker/capmodels/storage/simulator", _SIMULATOR),
    "jobs": Part(
        "backend/jobs",
        ("backend/jobs/tests", "worker/capworker/tests"),
        ("-m", "not (worker or slow)"),
        servers=True,
    ),
    "render": Part("backend/reports/render", _RENDER, ("-m", "not slow")),
}


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    killed; hung (noticed as well); survived; unreached, when no test runs its line; equal, when
    nothing can notice it.
    """

    path: str
    line: int
    operator: str
    state: str
    change: str
    tests: int = 0
    key: str = ""

    @property
    def lived(self) -> bool:
        """Whether a test is missing."""
        return self.state in {"survived", "unreached"}


def environment() -> dict[str, str]:
    """What the tests run with."""
    path = os.pathsep.join(str(_COPY / name) for name in ("", "backend", "worker"))
    return {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}


@dataclass
class Sample:
    """The mutants of a part that were drawn, and what became of them, by key."""

    name: str
    seed: int
    everything: int
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    untried: list[dict[str, Any]] = field(default_factory=list)

    def keep(self) -> None:
        """Write what became of them."""
        outcomes = [asdict(one) for one in self.outcomes.values()]
        document = {"seed": self.seed, "all": self.everything, "outcomes": outcomes}
        (FOLDER / f"{self.name}.json").write_text(json.dumps(document, indent=2) + "\n")


def mutants_of(part: Part, *, seed: int, count: int) -> dict[str, Any]:
    """Draw a sample of a part's mutants."""
    files = [str(path.relative_to(places.ROOT)) for path in part.sources()]
    argv = [str(_tool()), str(places.ROOT / "ops" / "mutants.py"), str(seed), str(count), *files]
    done = subprocess.run(argv, cwd=places.ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"no mutants could be made:\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


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


@contextmanager
def servers(env: dict[str, str]) -> Iterator[None]:
    """PostgreSQL, migrated, and Valkey for all of a part's runs: each takes a copy."""
    data = DataServices(Path(tempfile.mkdtemp(prefix="ampacity-mutate-")), throwaway=True)
    try:
        data.start_postgres(database="test_template")
        data.start_valkey()
        migrate = [str(places.PYTHON), str(places.MANAGE), "migrate", "--database", "owner"]
        there = {**env, "SECRET_KEY": "only-for-the-tests-and-not-a-secret-at-all"}
        TOOLS.run(
            [*migrate, "-v", "0"], what="migrate", cwd=places.ROOT,
            env={**there, **data.urls(database="test_template")},
        )  # fmt: skip
        env.update({**data.urls(), "AMPACITY_TEST_TEMPLATE": "test_template"})
        yield
    finally:
        data.remove()


def lines_of(text: str, line: int) -> tuple[int, int]:
    """First and last line of the statement's own part around a line; (0, 0) outside functions."""
    first = last = 0
    tree = ast.parse(text)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if not isinstance(node, ast.stmt) or node is function:
                continue
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else (node.end_lineno or node.lineno)
            if node.lineno <= line <= max(end, node.lineno):
                first, last = node.lineno, max(end, node.lineno)
    return first, last


def tried(part: Part, mutants: Sequence[dict[str, Any]], env: dict[str, str]) -> Iterator[Outcome]:
    """Try mutants of a part; those of functions are told as they are tried, the others last."""
    asked = FOLDER / "asked.json"
    where = []
    for mutant in mutants:
        first, last = lines_of((_COPY / mutant["path"]).read_text("utf-8"), mutant["line"])
        where.append({**mutant, "first": first, "last": last})
    asked.write_text(json.dumps(where))
    outside = []
    env = {**env, "AMPACITY_TEST_MUTANTS": str(asked)}
    for mutant, answer in zip(
        mutants, _answers(part, asked.with_suffix(".told"), env), strict=True
    ):
        if answer["state"] == "outside":
            outside.append((mutant, answer))
        else:
            yield _outcome(mutant, answer["state"], len(answer["tests"]))
    for mutant, answer in outside:
        yield _tried_anew(part, mutant, answer, env)


def _answers(part: Part, told: Path, env: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Run `ops.mutants_run`, and hand on each line that it writes."""
    told.unlink(missing_ok=True)
    argv = part.pytest("-p", "ops.mutants_run", *part.tests)
    with (FOLDER / "last.log").open("w") as log:
        process = subprocess.Popen(argv, cwd=_COPY, env=env, stdout=log, stderr=log)
        count, ended = 0, False
        while not ended:
            time.sleep(0.5)
            ended = process.poll() is not None
            whole = told.read_text().rpartition("\n")[0] if told.exists() else ""
            lines = whole.splitlines()
            yield from map(json.loads, lines[count:])
            count = len(lines)


def _tried_anew(
    part: Part, mutant: dict[str, Any], answer: dict[str, Any], env: dict[str, str]
) -> Outcome:
    """Try a mutant outside functions: put it in, start its tests anew, and take it out."""
    path, names = _COPY / mutant["path"], answer["tests"]
    patience_s = int(_PATIENCE * (_START_S + answer["took_s"]))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (patience_s, patience_s + 5))

    path.write_text(mutant["text"], "utf-8")
    try:
        with (FOLDER / "last.log").open("w") as log:
            done = subprocess.run(
                part.pytest("-x", *names), cwd=_COPY, env=env, check=False, stdout=log,
                stderr=log, preexec_fn=limit, timeout=_CLOCK_PATIENCE * patience_s,
            )  # fmt: skip
        state = "hung" if done.returncode < 0 else "killed" if done.returncode else "survived"
    except subprocess.TimeoutExpired:
        state = "hung"
    finally:
        shutil.copyfile(places.ROOT / mutant["path"], path)
    return _outcome(mutant, state, len(names))


def changed(mutant: dict[str, Any]) -> str:
    """The lines that a mutant changes."""
    right = (places.ROOT / mutant["path"]).read_text("utf-8")
    lines = difflib.unified_diff(right.splitlines(), mutant["text"].splitlines(), lineterm="", n=0)
    return "\n".join(line for line in list(lines)[3:])


def explained() -> dict[tuple[str, str], str]:
    """Why nothing notices a change: by path and change."""
    found = tomllib.loads(EXPLAINED.read_text("utf-8")).get("equal", [])
    return {(one["path"], one["change"].strip()): one["why"] for one in found}


def kept(name: str) -> dict[str, Outcome]:
    """What became of mutants before, by key."""
    file = FOLDER / f"{name}.json"
    found = json.loads(file.read_text())["outcomes"] if file.exists() else []
    return {one["key"]: Outcome(**one) for one in found}


def drawn(name: str, *, seed: int, count: int) -> Sample:
    """Draw a part's sample, and find what is known of it."""
    found = mutants_of(PARTS[name], seed=seed, count=count)
    before, why = kept(name), explained()
    sample = Sample(name, seed, found["all"])
    for mutant in found["mutants"]:
        text = mutant["path"] + mutant["text"]
        key = mutant["key"] = hashlib.sha256(text.encode()).hexdigest()[:16]
        if (mutant["path"], changed(mutant).strip()) in why:
            sample.outcomes[key] = _outcome(mutant, "equal")
        elif key in before and before[key].state in {"killed", "hung"}:
            sample.outcomes[key] = before[key]
        else:
            sample.untried.append(mutant)
    return sample


def run(samples: Sequence[Sample]) -> None:
    """Try samples that the same tests have to notice; keep what became of each mutant at once."""
    part, env = PARTS[samples[0].name], environment()
    untried = [(sample, mutant) for sample in samples for mutant in sample.untried]
    with ExitStack() as stack:
        if part.servers and untried:
            stack.enter_context(servers(env))
        of_key = {mutant["key"]: sample for sample, mutant in untried}
        for one in tried(part, [mutant for _, mutant in untried], env) if untried else ():
            sample = of_key[one.key]
            sample.outcomes[one.key] = one
            where = f"{one.path}:{one.line} {one.operator}"
            say(f"{sample.name} {len(sample.outcomes)}: {one.state} {where}")
            sample.keep()
    for sample in samples:
        sample.keep()


def _outcome(mutant: dict[str, Any], state: str, tests: int = 0) -> Outcome:
    where = {name: mutant[name] for name in ("path", "line", "operator", "key")}
    return Outcome(**where, state=state, change=changed(mutant), tests=tests)


def score() -> None:
    """Print a table of what is kept."""
    print("| part | mutants | seed | tried | noticed | equal | lived |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in PARTS:
        file = FOLDER / f"{name}.json"
        if file.exists():
            document = json.loads(file.read_text())
            outcomes = kept(name).values()
            states = Counter("lived" if one.lived else one.state for one in outcomes)
            noticed = states["killed"] + states["hung"]
            row = (name, f"{document['all']:,}", document["seed"], len(outcomes), noticed)
            cells = map(str, (*row, states["equal"], states["lived"]))
            print(f"| {' | '.join(cells)} |")


def main(argv: Sequence[str]) -> int:
    """Run the command; 1 when a mutant lived."""
    parser = argparse.ArgumentParser(prog="python -m ops.mutate", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--count", type=int, default=25, help="mutants of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--score", action="store_true", help="print what is kept as a table")
    asked = parser.parse_args(argv)
    unknown = set(asked.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    if asked.score:
        score()
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    copy_project()
    by_tests: dict[Sequence[str], list[Sample]] = {}
    for name in asked.parts or PARTS:
        sample = drawn(name, seed=asked.seed, count=asked.count)
        by_tests.setdefault(PARTS[name].tests, []).append(sample)
    for samples in by_tests.values():
        run(samples)
    found = [
        one
        for samples in by_tests.values()
        for sample in samples
        for one in sample.outcomes.values()
    ]
    lived = [one for one in found if one.lived]
    for one in lived:
        print(f"\n{one.path}:{one.line} {one.operator} {one.state}\n{one.change}")
    score()
    return 1 if lived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
