"""What `./run backup` wrote, `./run restore` brings back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ops import postgres, shell
from ops.backups import backup, restore
from ops.private import DataServices
from ops.run import parse
from ops.say import Failure
from ops.stack import data_lock

pytestmark = pytest.mark.ops
TABLE = "CREATE TABLE kept (text text); INSERT INTO kept VALUES ('here')"


@contextmanager
def started(var: Path) -> Iterator[DataServices]:
    data = DataServices(var)
    try:
        data.start_postgres()
        yield data
    finally:
        data.stop()


def held(data: DataServices) -> str:
    return postgres.sql(
        data.cluster, "SELECT text FROM kept", role=postgres.OWNER, database=postgres.DATABASE
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a folder that is in use: its lock is held, its variables are written down."""
    folder = tmp_path_factory.mktemp("backups")
    var, file = folder / "var", folder / "a.backup"
    with started(var) as data, data_lock(var), pytest.MonkeyPatch.context() as patch:
        patch.delenv("SECRET_KEY", raising=False)
        (var / "secret-key").write_text("the key")
        shell.write(var, data.urls())
        postgres.sql(data.cluster, TABLE, role=postgres.OWNER, database=postgres.DATABASE)
        backup(var, file)
    return file


def test_a_backup_of_a_folder_in_use_is_restored_into_an_empty_one(
    file: Path, tmp_path: Path
) -> None:
    assert file.stat().st_mode & 0o077 == 0
    assert list(file.parent.glob("tmp*")) == []
    restore(tmp_path / "new", file)
    assert (tmp_path / "new" / "secret-key").read_text() == "the key"
    again = tmp_path / "again.backup"
    backup(tmp_path / "new", again)  # of one that is stopped
    with started(tmp_path / "new") as data:
        assert held(data) == "here"
        with pytest.raises(Failure, match="holds data already"):
            restore(tmp_path / "new", again)


def test_what_is_no_backup_is_refused_and_leaves_the_folder_empty(
    file: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(file.read_bytes()[:5_000])
    for wrong in (broken, tmp_path / "missing"):
        with pytest.raises(Failure, match="is no backup by"):
            restore(tmp_path / "new", wrong)
    restore(tmp_path / "new", file)


def test_there_is_nothing_to_back_up_in_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="There is no database"):
        backup(tmp_path, tmp_path / "x")


def test_commands_and_file_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["backup", "a"]).file == Path("a")
    for wrong in (["backup"], ["erase", "a"]):
        with pytest.raises(SystemExit):
            parse(wrong)
    assert "name a FILE" in capsys.readouterr().err
