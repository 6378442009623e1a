"""The service `backup`: base backups and WAL by Barman, encrypted, and a test that restores them.

docs/operations.md, "To a point in time", says how to restore. Runs for ever, beside the database
or on another host; stands alone, without the rest of Ampacity, in an image with PostgreSQL.
"""

import hmac
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SERVER = "main"
RECEIVER = "barman_receive_wal"
CONFIG = """\
[barman]
barman_home = {folder}
barman_user = {user}
log_file = {folder}/barman.log
log_level = WARNING
configuration_files_directory =

[{server}]
description = Ampacity
conninfo = {database} dbname={name}
streaming_conninfo = {database} dbname={name}
backup_method = postgres
backup_compression = gzip
backup_compression_format = tar
immediate_checkpoint = {at_once}
streaming_archiver = on
slot_name = barman
create_slot = auto
compression = gzip
encryption = gpg
encryption_key_id = {key}
# the key has no passphrase; Barman wants words all the same
encryption_passphrase_command = echo none
# it archives WAL in that time, and much of it takes long
check_timeout = 0
staging_path = {folder}/scratch
staging_location = local
retention_policy = RECOVERY WINDOW OF {days} DAYS
"""
POSITIONS = f"""
SELECT pg_current_wal_lsn() - '0/0', coalesce((SELECT max(write_lsn) - '0/0'
FROM pg_stat_replication WHERE application_name = '{RECEIVER}'), 0)
"""
TABLES = "SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p')"
TICK_S, CRON_S, AGAIN_S = 10.0, 60.0, 3600.0
RECEIVED_WITHIN_S, RESTORED_WITHIN_S = 120.0, 6 * 3600.0


class Failed(Exception):
    """A step that did not end well, with what it said."""


def say(text: str) -> None:
    """One line of the container's log."""
    print(text, file=sys.stderr, flush=True)


def wait(done: Callable[[], bool], *, within_s: float, what: str) -> None:
    """Look until it is so, ten times a second."""
    until_s = time.monotonic() + within_s
    while not done():
        if time.monotonic() > until_s:
            raise Failed(f"{what}: not within {within_s:.0f} s")
        time.sleep(0.1)


@dataclass
class Wal:
    """Until when all that the database wrote is here."""

    known_s: float
    written: deque[tuple[float, int]] = field(default_factory=deque)

    def note(self, now_s: float, written: int, received: int) -> None:
        """Note how far the database has written and how far that was received."""
        self.written.append((now_s, written))
        while self.written and self.written[0][1] <= received:
            self.known_s = self.written.popleft()[0]


def is_backup_due(now: datetime, last: datetime | None, at: str) -> bool:
    """Whether there is none since the latest `at` (HH:MM, UTC)."""
    hour, minute = map(int, at.split(":"))
    latest = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if latest > now:
        latest -= timedelta(days=1)
    return last is None or last < latest


@dataclass
class Backups:
    """Barman with one server, below one folder, set up for one key."""

    folder: Path
    # a libpq connection string; the password is PGPASSWORD's
    database: str
    name: str = "ampacity"
    days: int = 14
    # whether a backup asks for a checkpoint at full speed, instead of one spread over minutes
    at_once: bool = False
    # as whom the programs run, and the words before them that bring it about
    user: str = field(default_factory=lambda: pwd.getpwuid(os.getuid()).pw_name)
    before: tuple[str, ...] = ()

    @property
    def scratch(self) -> Path:
        """For what is decrypted: emptied by each test."""
        return self.folder / "scratch"

    def prepare(self, key: Path) -> None:
        """Take the key in and write the configuration, both in HOME."""
        home = Path(os.environ["HOME"])
        keys = home / ".gnupg"
        keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        (keys / "gpg.conf").write_text("trust-model always\n")
        self.run("gpg", "--batch", "--quiet", "--import", str(key))
        listed = self.run("gpg", "--batch", "--with-colons", "--list-secret-keys").splitlines()
        key_ids = [line.split(":")[4] for line in listed if line.startswith("sec:")]
        if not key_ids:
            raise Failed(f"{key} holds no private key: BACKUP_KEY in .env names its file")
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        (home / ".barman.conf").write_text(
            CONFIG.format(
                folder=self.folder,
                user=self.user,
                server=SERVER,
                database=self.database,
                name=self.name,
                key=key_ids[0],
                days=self.days,
                at_once=str(self.at_once).lower(),
            )
        )

    def run(self, *words: str) -> str:
        """Run a program to its end; what it printed."""
        done = subprocess.run(
            [*self.before, *words], check=False, capture_output=True, text=True, cwd="/"
        )
        if done.returncode:
            said = (done.stdout + done.stderr).strip()
            raise Failed(f"{' '.join(words[:2])} ended with {done.returncode}: {said[-2000:]}")
        return done.stdout

    def ask(self, text: str, database: str | None = None) -> list[str]:
        """One row, of the database that is backed up unless another is given."""
        where = database or f"{self.database} dbname={self.name}"
        return self.run("psql", "-XqAtw", "-F", " ", "-d", where, "-c", text).split()

    def cron(self) -> None:
        """Keep receiving, archive what is whole, let old backups go."""
        self.run("barman", "cron")

    def positions(self) -> tuple[int, int]:
        """How far the database has written, and how far that was received."""
        written, received = self.ask(POSITIONS)
        return int(written), int(received)

    def back_up(self) -> None:
        """Make a base backup and wait for the WAL that makes it whole."""
        # Barman begins once a whole segment of WAL has come, and something of the next
        self.run("barman", "switch-wal", "--force", SERVER)
        self.ask("SELECT pg_create_restore_point('backup')")
        self.run("barman", "backup", "--wait", SERVER)

    def last(self) -> datetime | None:
        """When the newest whole backup ended."""
        listed = json.loads(self.run("barman", "-f", "json", "list-backups", SERVER))[SERVER]
        ends = [int(each["end_time_timestamp"]) for each in listed if each["status"] == "DONE"]
        return datetime.fromtimestamp(max(ends), UTC) if ends else None

    def restore(self, target: Path, *options: str) -> None:
        """Recover the newest backup before the target into a folder that is ready to start."""
        which = "auto" if "--target-time" in options else "latest"
        ends = ("--target-action", "promote") if options else ()
        self.run("barman", "restore", "--get-wal", *ends, *options, SERVER, which, str(target))

    @contextmanager
    def started(self, data: Path) -> Iterator[str]:
        """A recovered folder's server, on a socket alone, once it has left recovery."""
        sockets = Path(tempfile.mkdtemp(prefix="restored-", dir="/tmp"))
        url = f"host={sockets} port=5432 user=postgres dbname={self.name}"
        log = sockets / "log"
        argv = ["postgres", "-D", str(data), "-k", str(sockets), "-p", "5432", "-c",
                "listen_addresses=", "-c", "hba_file=" + str(self._trusting(sockets))]  # fmt: skip
        with log.open("wb") as out:
            process = subprocess.Popen([*self.before, *argv], stdout=out, stderr=out, cwd="/")

        def is_open() -> bool:
            if process.poll() is not None:
                raise Failed(f"the restored database did not start: {log.read_text()[-2000:]}")
            try:
                return self.ask("SELECT pg_is_in_recovery()", url) == ["f"]
            except Failed:
                return False

        try:
            wait(is_open, within_s=RESTORED_WITHIN_S, what="recovery")
            yield url
        finally:
            process.terminate()
            process.wait()
            shutil.rmtree(sockets)

    @staticmethod
    def _trusting(folder: Path) -> Path:
        """Rules for who may connect: over the socket, whose folder is private, anybody."""
        file = folder / "hba"
        file.write_text("local all all trust\n")
        return file

    def test(self) -> float:
        """Restore all up to this moment, start it, read every row; the seconds until it served."""
        mark = f"tested_{time.time_ns()}"
        (at,) = self.ask(f"SELECT pg_create_restore_point('{mark}') - '0/0'")
        wait(
            lambda: self.positions()[1] >= int(at),
            within_s=RECEIVED_WITHIN_S,
            what="WAL of this moment",
        )
        started_s = time.monotonic()
        target = self.scratch / "restored"
        shutil.rmtree(target, ignore_errors=True)
        try:
            # whoever does not find the mark does not start: some WAL would be missing
            self.restore(target, "--target-name", mark)
            with self.started(target) as url:
                served_s = time.monotonic() - started_s
                if self.ask(TABLES, url) != self.ask(TABLES):
                    raise Failed("the restored database has other tables")
                self.run("pg_dump", "-w", "-d", url, "-f", "/dev/null")
        finally:
            shutil.rmtree(target, ignore_errors=True)
        return served_s


@dataclass
class Loop:
    """What is due when, and the figures about it."""

    backups: Backups
    backup_at: str = "02:00"
    test_days: float = 7.0
    now_s: Callable[[], float] = time.time
    figures: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wal = Wal(self.now_s())
        self._cron_s = self._failed_s = -AGAIN_S
        self._work: threading.Thread | None = None

    @property
    def _note(self) -> Path:
        return self.backups.folder / "tested.json"

    def tested(self) -> dict[str, float]:
        """The last test that ended well, and whether the last one failed."""
        try:
            return dict(json.loads(self._note.read_text()))
        except FileNotFoundError:
            return {}

    def tick(self) -> None:
        """Do what is due; what takes long runs beside."""
        now_s = self.now_s()
        if now_s - self._cron_s >= CRON_S:
            self._cron_s = now_s
            self._try(self.backups.cron)
        self._try(lambda: self.wal.note(now_s, *self.backups.positions()))
        self.figures["ampacity_wal_received_timestamp_seconds"] = self.wal.known_s
        if self._work is None or not self._work.is_alive():
            self._work = threading.Thread(target=lambda: self._try(self.long), daemon=True)
            self._work.start()

    def long(self) -> None:
        """A base backup or a test, when one is due; after one that failed, an hour later."""
        now_s = self.now_s()
        last = self._look()
        tested = self.tested()
        if now_s - self._failed_s < AGAIN_S:
            return
        try:
            if is_backup_due(datetime.fromtimestamp(now_s, UTC), last, self.backup_at):
                self.backups.back_up()
                say("base backup made")
                self._look()
            if now_s - tested.get("at_s", 0) >= self.test_days * 86400 or tested.get("failed"):
                self._test(tested)
        except Failed:
            self._failed_s = now_s
            raise
        finally:
            self._look()

    def _look(self) -> datetime | None:
        """When the last backup ended, with the figures of it and of the last test."""
        last, tested = self.backups.last(), self.tested()
        self.figures["ampacity_backup_timestamp_seconds"] = last.timestamp() if last else 0
        self.figures["ampacity_restore_failed"] = tested.get("failed", 0)
        if "at_s" in tested:
            self.figures["ampacity_restore_tested_timestamp_seconds"] = tested["at_s"]
            self.figures["ampacity_restore_seconds"] = tested["took_s"]
        return last

    def _test(self, before: dict[str, float]) -> None:
        tested = {**before, "failed": 1.0}
        try:
            tested = {"at_s": self.now_s(), "took_s": self.backups.test(), "failed": 0.0}
            say(f"restore tested: it served after {tested['took_s']:.0f} s")
        finally:
            self._note.write_text(json.dumps(tested))

    @staticmethod
    def _try(step: Callable[[], None]) -> None:
        try:
            step()
        except Failed as exc:
            say(str(exc))

    def text(self) -> str:
        """The figures, as Prometheus reads them."""
        return "".join(f"{name} {value}\n" for name, value in sorted(self.figures.items()))


def serve(loop: Loop, address: tuple[str, int], token: str) -> ThreadingHTTPServer:
    """Answer Prometheus, for the token."""

    class Figures(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given = self.headers.get("Authorization", "")
            is_known = hmac.compare_digest(given.encode(), f"Bearer {token}".encode())
            body = loop.text().encode() if is_known else b""
            self.send_response(200 if is_known else 401)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Be quiet."""

    server = ThreadingHTTPServer(address, Figures)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main() -> None:
    """Run for ever, by the environment."""
    env = os.environ
    backups = Backups(
        Path(env["BACKUP_FOLDER"]), env["BACKUP_DATABASE"], days=int(env["BACKUP_DAYS"])
    )
    backups.prepare(Path(env["BACKUP_KEY_FILE"]))
    loop = Loop(backups, env["BACKUP_AT"], float(env["RESTORE_TEST_DAYS"]))
    serve(loop, ("", 9100), env["METRICS_TOKEN"])
    while True:
        loop.tick()
        Path(env["ALIVE_FILE"]).touch()
        time.sleep(TICK_S)


if __name__ == "__main__":
    try:
        main()
    except Failed as exc:
        sys.exit(str(exc))
