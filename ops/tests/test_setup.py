"""What is installed and built anew, and what is not."""

from pathlib import Path

import pytest

from ops import environment, frontend, places
from ops.processes import TOOLS
from ops.say import Failure


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small clone with a front end, and a record of the programs that would be run."""
    root = tmp_path / "frontend"
    (root / "src").mkdir(parents=True)
    (root / "node_modules").mkdir()
    for name in ("package.json", "package-lock.json", "index.html", "src/main.ts"):
        (root / name).write_text(name)
    monkeypatch.setattr(places, "ROOT", tmp_path)
    monkeypatch.setattr(places, "FRONTEND", root)
    monkeypatch.setattr(places, "DIST", root / "dist")
    return root


@pytest.fixture
def programs(clone: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    ran: list[str] = []

    def run(argv: list[str], **_more: object) -> str:
        ran.append(argv[-1])
        if argv[-1] == "build":
            (clone / "dist").mkdir(exist_ok=True)
            (clone / "dist" / "index.html").write_text("built")
        return ""

    monkeypatch.setattr(TOOLS, "run", run)
    return ran


def test_pages_are_built_once(programs: list[str]) -> None:
    frontend.ensure_built()
    frontend.ensure_built()
    assert programs == ["ci", "build"]


def test_a_changed_source_builds_again_without_installing(clone: Path, programs: list[str]) -> None:
    frontend.ensure_built()
    (clone / "src" / "main.ts").write_text("changed")
    frontend.ensure_built()
    assert programs == ["ci", "build", "build"]


@pytest.mark.decisive
def test_a_changed_lock_installs_again(clone: Path, programs: list[str]) -> None:
    frontend.ensure_built()
    (clone / "package-lock.json").write_text("changed")
    frontend.ensure_built()
    assert programs == ["ci", "build", "ci", "build"]


def test_a_changed_test_builds_nothing(clone: Path, programs: list[str]) -> None:
    frontend.ensure_built()
    (clone / "tests").mkdir()
    (clone / "tests" / "setup.ts").write_text("new")
    frontend.ensure_built()
    assert programs == ["ci", "build"]


def test_removed_packages_are_installed_again(clone: Path, programs: list[str]) -> None:
    frontend.ensure_packages(clone)
    (clone / "node_modules").rmdir()
    frontend.ensure_packages(clone)
    assert programs == ["ci", "ci"]


def test_missing_node_is_one_clear_line(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(clone))
    with pytest.raises(Failure, match=r"^Node.js 20.19 or newer with npm is needed[^\n]*$"):
        frontend.ensure_built()


def test_an_old_node_is_named(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("node", "npm"):
        (clone / name).write_text("#!/bin/sh\necho v18.19.0\n")
        (clone / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{clone}:/usr/bin:/bin")
    with pytest.raises(Failure, match=r"this is v18\.19\.0"):
        frontend.ensure_built()


def test_missing_venv_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python3"
    python.write_text(
        "#!/bin/sh\necho 'The virtual environment was not created because ensurepip is not "
        "available.'\nexit 1\n"
    )
    python.chmod(0o755)
    monkeypatch.setattr(places, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(places, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr("sys.executable", str(python))
    with pytest.raises(Failure, match=r"^[^\n]*apt install python3-venv\)$"):
        environment.ensure()


def test_this_environment_finds_root_backend_and_worker() -> None:
    lines = (places.site_packages() / "ampacity.pth").read_text().splitlines()
    assert lines == [str(places.ROOT), str(places.ROOT / "backend"), str(places.ROOT / "worker")]
