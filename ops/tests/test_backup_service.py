"""The service `backup`, with real PostgreSQL, Barman and gpg: to a time, and after a kill."""

import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from ops import places, postgres
from ops.private import DataServices
from ops.production import backup
from ops.production.backup import Backups, Failed, Loop, Wal, is_backup_due, serve


def test_wal_is_behind_since_the_first_that_was_not_received() -> None:
    wal = Wal(known_s=100)
    wal.note(110, written=500, received=500)
    assert wal.known_s == 110
    wal.note(120, written=600, received=500)
    wal.note(130, written=700, received=599)
    assert wal.known_s == 110
    wal.note(140, written=800, received=700)
    assert wal.known_s == 130


@pytest.mark.parametrize(
    ("now", "last", "due"),
    [
        ("2026-12-01T03:00", None, True),
        ("2026-12-01T03:00", "2026-12-01T02:10", False),
        ("2026-12-01T03:00", "2026-12-01T01:50", True),
        ("2026-12-01T01:00", "2026-11-30T02:10", False),
        ("2026-12-01T01:00", "2026-11-30T01:50", True),
    ],
)
def test_a_backup_is_due_each_night(now: str, last: str | None, due: bool) -> None:
    read = datetime.fromisoformat
    ended = read(last).replace(tzinfo=UTC) if last else None
    assert is_backup_due(read(now).replace(tzinfo=UTC), ended, "02:00") == due


@dataclass
class Played(Backups):
    """Keeps a record of what is asked of it; the clock is `at_s`."""

    at_s: float = 1_000_000.0
    made: list[str] = field(default_factory=list)
    ended: datetime | None = None
    is_broken: bool = False

    def back_up(self) -> None:
        self.made.append("backup")
        self.ended = datetime.fromtimestamp(self.at_s, UTC)

    def last(self) -> datetime | None:
        return self.ended

    def test(self) -> float:
        self.made.append("test")
        if self.is_broken:
            raise Failed("no such mark")
        return 12.0


def test_a_test_that_fails_is_said_and_tried_again_an_hour_later(tmp_path: Path) -> None:
    played = Played(tmp_path, "")
    loop = Loop(played, now_s=lambda: played.at_s)
    loop.long()
    assert played.made == ["backup", "test"]
    assert loop.figures["ampacity_restore_seconds"] == 12
    played.at_s += 6 * 86400
    loop.long()
    assert played.made[2:] == ["backup"]
    played.at_s += 86400
    played.is_broken = True
    with pytest.raises(Failed):
        loop.long()
    assert loop.figures["ampacity_restore_failed"] == 1
    played.at_s += 600
    loop.long()
    assert played.made[3:] == ["backup", "test"]
    played.at_s += 3000
    played.is_broken = False
    loop.long()
    assert played.made[5:] == ["test"]
    assert loop.figures["ampacity_restore_failed"] == 0
    assert loop.figures["ampacity_restore_tested_timestamp_seconds"] == played.at_s
    assert loop.figures["ampacity_backup_timestamp_seconds"] == played.at_s - 3600


def test_figures_are_for_who_has_the_token(tmp_path: Path) -> None:
    loop = Loop(Played(tmp_path, ""), figures={"ampacity_restore_failed": 0.0})
    server = serve(loop, ("127.0.0.1", 0), "token")
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}/metrics"
        asked = urllib.request.Request(url, headers={"Authorization": "Bearer token"})
        with urllib.request.urlopen(asked, timeout=5) as answer:
            assert answer.read() == b"ampacity_restore_failed 0.0\n"
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(url, timeout=5)
    finally:
        server.shutdown()
        server.server_close()


def test_compose_gives_the_program_all_that_it_reads() -> None:
    services = yaml.safe_load((places.ROOT / "docker-compose.yml").read_text())["services"]
    text = Path(backup.__file__).read_text()
    read = set(re.findall(r'\benv\["(\w+)"\]', text))
    given = services["backup"]["environment"]
    assert read | {"HOME", "PGPASSWORD", "PGCONNECT_TIMEOUT"} == set(given)
    (entry,) = (word for word in services["backup"]["entrypoint"] if word.endswith(".py"))
    assert f"COPY ops/production/backup.py {entry}\n" in (places.ROOT / "Dockerfile").read_text()


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataServices]:
    data = DataServices(tmp_path / "var")
    try:
        data.start_postgres()
        yield data
    finally:
        data.remove()


def make_role(data: DataServices) -> None:
    argv = [str(postgres.binaries() / "psql"), "-XqAt", "-v", "ON_ERROR_STOP=1"]
    script = str(places.ROOT / "ops" / "production" / "archive.sql")
    where = ["-v", "password=secret", "-d", data.cluster.url("postgres")]
    subprocess.run([*argv, *where, "-f", script], check=True, capture_output=True)


@pytest.fixture
def backups(
    data: DataServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Backups]:
    if not shutil.which("gpg") or not shutil.which("file"):
        pytest.skip("gpg and file are not on this machine")
    if postgres.manner() == "nobody":
        pytest.skip("user namespaces are not allowed here")
    make_role(data)
    make_role(data)  # again does no harm
    rules = (data.cluster.home / "pg_hba.conf").read_text()
    assert rules.count("host replication ampacity_archive all scram-sha-256") == 1
    # gpg's own sockets need a short path
    home = data.sockets / "home"
    home.mkdir()
    path = f"{postgres.binaries()}:{places.VENV}/bin:/usr/bin:/bin"
    for name, value in {"HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8"}.items():
        monkeypatch.setenv(name, value)
    is_apart = postgres.manner() == "namespace"
    where = f"host={data.cluster.sockets} port={postgres.PORT} user=ampacity_archive"
    made = Backups(tmp_path / "backup", where, at_once=True)
    if is_apart:
        made.user, made.before = "nobody", postgres._NAMESPACE
    key = tmp_path / "key.asc"
    made_key = ["gpg", "--batch", "--quiet", "--passphrase", ""]
    other = {"GNUPGHOME": str(data.sockets / "other"), "PATH": path}
    (data.sockets / "other").mkdir(mode=0o700)
    subprocess.run(
        [*made_key, "--quick-gen-key", "backup@ampacity.example", "default", "default", "never"],
        check=True,
        env=other,
    )
    subprocess.run(
        [*made_key, "--armor", "--export-secret-keys", "--output", str(key)], check=True, env=other
    )
    made.prepare(key)
    yield made
    for folder in (other["GNUPGHOME"], str(home / ".gnupg")):
        subprocess.run(["gpgconf", "--homedir", folder, "--kill", "all"], check=False)
    pid = tmp_path / "backup" / "main" / ".main-receive-wal.lock"
    if pid.exists() and pid.read_text().strip():
        subprocess.run([*made.before, "barman", "receive-wal", "--stop", "main"], check=False)


def rows(made: Backups, folder: Path) -> list[str]:
    with made.started(folder) as url:
        return made.ask("SELECT string_agg(text, ' ' ORDER BY at) FROM kept", url)


@pytest.mark.ops
def test_what_was_there_at_a_time_and_what_was_there_when_the_database_was_killed(
    data: DataServices, backups: Backups, tmp_path: Path
) -> None:
    def sql(text: str) -> str:
        return postgres.sql(data.cluster, text, database=postgres.DATABASE)

    def receives() -> bool:
        backups.cron()
        return backups.positions()[1] > 0

    sql("CREATE TABLE kept (text text, at timestamptz DEFAULT clock_timestamp())")
    backup.wait(receives, within_s=30, what="receiver")
    backups.back_up()
    assert backups.last() is not None
    sql("INSERT INTO kept VALUES ('first')")
    first = sql("SELECT clock_timestamp()")
    sql("INSERT INTO kept VALUES ('second')")
    assert backups.test() > 0
    sql("INSERT INTO kept VALUES ('last')")
    written = backups.positions()[0]
    backup.wait(lambda: backups.positions()[1] >= written, within_s=30, what="WAL")
    data.kill("postgres", signal.SIGKILL)

    encrypted = [path for path in (backups.folder / "main" / "base").rglob("*") if path.is_file()]
    assert {path.name for path in encrypted} == {"base.tar.gz.gpg", "backup_manifest"}
    backups.restore(tmp_path / "then", "--target-time", first)
    assert rows(backups, tmp_path / "then") == ["first"]
    backups.restore(tmp_path / "newest")
    assert rows(backups, tmp_path / "newest") == ["first", "second", "last"]
