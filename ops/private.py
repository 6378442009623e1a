"""A private PostgreSQL and Valkey in one folder, and the environment that leads to them."""

import os
import shutil
import signal
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from ops import postgres, valkey
from ops.processes import Supervisor

_PREFIX = "amp-"
_TEMPORARY_LONGEST = 60


@dataclass
class DataServices:
    """Cluster and broker below one data folder; sockets in a short private folder of their own.

    A unix socket's path may have 107 bytes at most, so sockets never live below the data.
    """

    var: Path
    throwaway: bool = False
    supervisor: Supervisor = field(default_factory=Supervisor)

    def __post_init__(self) -> None:
        self.sockets = self._socket_folder()
        logs = self.var / "log"
        self.cluster = postgres.Cluster(
            data=self.var / "pg",
            sockets=self.sockets / "pg",
            log=logs / "postgres.log",
            throwaway=self.throwaway,
        )
        self.broker = valkey.Broker(
            data=self.var / "valkey", sockets=self.sockets, log=logs / "valkey.log"
        )
        if postgres.manner() == "nobody":
            # the server must reach its own folders inside; ours have mode 700
            self.sockets.chmod(0o711)
            self.var.chmod(0o711)

    def _socket_folder(self) -> Path:
        """A fresh folder; the one that a killed predecessor left is removed."""
        self.var.mkdir(mode=0o700, parents=True, exist_ok=True)
        note = self.var / "sockets"
        if note.exists():
            old = Path(note.read_text())
            if old.name.startswith(_PREFIX) and old.exists() and old.stat().st_uid == os.getuid():
                shutil.rmtree(old, ignore_errors=True)
        where = tempfile.gettempdir()
        if len(where) > _TEMPORARY_LONGEST:
            where = "/tmp"
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=where))
        note.write_text(str(folder))
        return folder

    def start_postgres(self, *, database: str = postgres.DATABASE) -> None:
        """Create the cluster when it is not there, start it, create roles and database."""
        postgres.initdb(self.cluster)
        self.start_created_postgres(database=database)

    def start_created_postgres(self, *, database: str = postgres.DATABASE) -> None:
        """Start a cluster that `initdb` has seen; create roles and database."""
        postgres.start(self.supervisor, self.cluster)
        postgres.create_roles(self.cluster)
        postgres.create_database(self.cluster, database)

    def start_valkey(self) -> None:
        """Start the broker."""
        valkey.start(self.supervisor, self.broker)

    def kill(self, name: str, signum: int = signal.SIGKILL) -> None:
        """Send `postgres` or `valkey` a signal that ends it, as a test of what survives."""
        service = next(s for s in self.supervisor.services if s.name == name)
        self.supervisor.services.remove(service)
        os.killpg(service.process.pid, signum)
        service.process.wait()

    def urls(self, *, database: str = postgres.DATABASE) -> dict[str, str]:
        """The variables that lead to database and broker."""
        return {
            "DATABASE_URL": self.cluster.url(postgres.APP, database=database),
            "DATABASE_IDENTITY_URL": self.cluster.url(postgres.IDENTITY, database=database),
            "DATABASE_OWNER_URL": self.cluster.url(postgres.OWNER, database=database),
            "BROKER_URL": self.broker.url(),
        }

    def stop(self) -> None:
        """Stop both (and what else the supervisor has) and remove the sockets."""
        self.supervisor.stop()
        shutil.rmtree(self.sockets, ignore_errors=True)

    def remove(self) -> None:
        """Stop both and remove sockets and data: for throw-away ones."""
        self.stop()
        postgres.remove(self.cluster)
        shutil.rmtree(self.var, ignore_errors=True)
