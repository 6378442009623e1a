"""The steps of `./test`."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ops import places

Commands = Callable[[bool], list[list[str]]]
_SERVERS = "worker or ops"
_KERNELS = ("storage+sorted-arrays", "consolidation", "memory", "serving")
_SCIENCE = places.ROOT / "worker" / "capmodels"
TESTED = tuple(places.ROOT / name for name in ("worker", "backend", "ops", "docs"))


@dataclass(frozen=True)
class Step:
    """One check. `commands(fast)` gives its programs; `live` shows their output as it comes.

    `deep` steps take long and run only when asked for (`./test --deep`).
    `alone` waits for the quiet lane: what starts and kills whole stacks wants the machine. Such
    steps that follow each other and are `paired` run side by side: they mostly wait.
    """

    name: str
    what: str
    commands: Commands
    fast: bool = False
    deep: bool = False
    live: bool = False
    alone: bool = False
    paired: bool = False
    needs: Sequence[Path] = field(default_factory=tuple)


def _tool(name: str) -> str:
    return str(places.VENV / "bin" / name)


def _python(*args: str) -> list[str]:
    return [str(places.PYTHON), *args]


def _npm(folder: Path, *args: str) -> list[str]:
    return ["npm", "--prefix", str(folder), "--silent", "run", *args]


def _eslint(fast: bool) -> list[list[str]]:
    # rules that look across files may see a stale cache: in the fast tests only
    return [_npm(places.FRONTEND, "lint:fast" if fast else "lint"), _prettier_e2e()]


def _vitest(fast: bool) -> list[list[str]]:
    return [_npm(places.FRONTEND, "test:fast" if fast else "test")]


def _prettier_e2e() -> list[str]:
    program = places.FRONTEND / "node_modules" / ".bin" / "prettier"
    config = places.FRONTEND / ".prettierrc.json"
    return [
        str(program),
        "--check",
        "--config",
        str(config),
        "e2e/*.ts",
        "e2e/*.mjs",
        "e2e/journeys",
    ]


def _parallel() -> list[str]:
    return ["-n", str(min(4, os.cpu_count() or 1)), "--dist", "worksteal"]


def marked_tests(marker: str, folders: Sequence[Path] = TESTED) -> list[str]:
    """Files in which a test has the marker: no others need be read to run them."""
    named = re.compile(rf"\bpytest\.mark\.{marker}\b")
    files = (path for folder in folders for path in folder.rglob("test_*.py"))
    marked = sorted(path for path in files if named.search(path.read_text("utf-8")))
    return [str(path.relative_to(places.ROOT)) for path in marked]


def _science(fast: bool) -> list[list[str]]:
    tests = ["-q", "-c", "ops/science.ini", "--rootdir", ".", "-p", "ops.science_alone"]
    if fast:
        return [
            _python("-m", "pytest", *tests, "-m", "decisive", *marked_tests("decisive", [_SCIENCE]))
        ]
    # Kernels that no worker of the tests finds compiled would be compiled by each of them.
    kernels = str(places.default_kernels_cache())
    return [
        _python("-m", "capmodels.warming", kernels, *_KERNELS),
        _python("-m", "pytest", *tests, *_parallel(), "-m", "not deep", "worker/capmodels"),
    ]


def _pytest(fast: bool) -> list[list[str]]:
    if fast:
        files = [name for name in marked_tests("decisive") if "worker/capmodels/" not in name]
        return [_python("-m", "pytest", "-q", "-m", f"decisive and not ({_SERVERS})", *files)]
    skip = ["--ignore", "worker/capmodels"]
    return [_python("-m", "pytest", "-q", *_parallel(), "-m", f"not (deep or {_SERVERS})", *skip)]


def _deep(_fast: bool) -> list[list[str]]:
    # the science runs on servers of the session too: one run finds every deep test
    return [_python("-m", "pytest", "-q", *_parallel(), "-m", "deep", "worker", "backend", "ops")]


def _pytest_marked(marker: str) -> Commands:
    return lambda _fast: [
        _python("-m", "pytest", "-q", "-m", f"{marker} and not deep", *marked_tests(marker))
    ]


def _always(*commands: list[str]) -> Commands:
    return lambda _fast: list(commands)


_NODE = (places.FRONTEND, places.E2E)
_BROWSER = (places.FRONTEND, places.E2E, places.DIST)

STEPS: tuple[Step, ...] = (
    Step(
        "science",
        "models, kernels and published checks, without Django",
        _science,
        fast=True,
        live=True,
    ),
    Step(
        "pytest",
        "Python tests on PostgreSQL and Valkey",
        _pytest,
        fast=True,
        live=True,
    ),
    Step(
        "ruff",
        "lint and format of Python",
        _always([_tool("ruff"), "check", "-q"], [_tool("ruff"), "format", "--check", "-q"]),
        fast=True,
    ),
    Step("imports", "import rules", _always([_tool("lint-imports")]), fast=True),
    Step("mypy", "types of Python", _always([_tool("mypy")]), fast=True),
    Step(
        "eslint",
        "lint and format of TypeScript",
        _eslint,
        fast=True,
        needs=_NODE,
    ),
    Step(
        "tsc",
        "types of TypeScript",
        _always(_npm(places.FRONTEND, "typecheck"), _npm(places.E2E, "typecheck")),
        fast=True,
        needs=_NODE,
    ),
    Step(
        "vitest",
        "tests of the pages",
        _vitest,
        fast=True,
        needs=_NODE,
    ),
    Step(
        "hygiene",
        "white space, sizes of files, no private keys",
        _always(_python("-m", "ops.hygiene")),
        fast=True,
    ),
    Step("spelling", "spelling of code and docs", _always([_tool("codespell")])),
    Step(
        "migrations",
        "no model change without a migration",
        _always(_python("-m", "ops.offline", "makemigrations", "--check", "--dry-run")),
    ),
    Step(
        "api-types",
        "the API schema is valid and its TypeScript types are up to date",
        _always(_python("-m", "ops.api_types", "--check")),
        needs=_NODE,
    ),
    Step(
        "sizes",
        "size of what the browser loads",
        _always(_npm(places.FRONTEND, "sizes")),
        needs=(places.FRONTEND, places.DIST),
    ),
    Step(
        "workers",
        "jobs through a real worker; servers and workers killed in mid-run",
        _pytest_marked("worker"),
    ),
    Step(
        "audit",
        "known vulnerabilities of what the locks name; unknown where nobody can be asked",
        _always(_python("-m", "ops.audit")),
        live=True,
        alone=True,
        paired=True,
    ),
    Step(
        "launch",
        "./run: start, stop, kill, ports, --once",
        _pytest_marked("ops"),
        live=True,
        alone=True,
        paired=True,
        needs=(places.FRONTEND, places.DIST),
    ),
    Step(
        "e2e",
        "journeys in a real browser",
        _always(_python("-m", "ops.e2e")),
        live=True,
        alone=True,
        paired=True,
        needs=_BROWSER,
    ),
    Step(
        "deep",
        "hundreds of random studies and generated files; only with --deep",
        _deep,
        deep=True,
        live=True,
    ),
)
