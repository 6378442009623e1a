"""`./run backup FILE` and `./run restore FILE`: a data folder's database and key as one file.

The file is a tar of a dump by `pg_dump` and of the secret key, which seals what the dump has of
codes and webhooks: keep it as you would the data folder. What the broker has is sent again.
"""

import json
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ops import environment, postgres, shell
from ops.private import DataServices
from ops.processes import TOOLS
from ops.say import Failure, say
from ops.stack import data_lock, secret_key, setup_lock

_DUMP, _KEY = "ampacity.dump", "secret-key"


def backup(var: Path, file: Path) -> None:
    """Write a backup of a data folder, whether `./run` is up on it or not."""
    if _is_empty(var):
        raise Failure(f"There is no database of ./run in {var}.")
    with tempfile.TemporaryDirectory(dir=file.resolve().parent) as folder:
        dump, whole = Path(folder) / _DUMP, Path(folder) / "whole"
        with _database(var) as url:
            _program("pg_dump", "-Fc", "-d", url, "-f", str(dump))
        key = Path(folder) / _KEY
        key.write_text(secret_key(var))
        with tarfile.open(whole, "w") as tar:
            for path in (dump, key):
                tar.add(path, path.name)
        whole.chmod(0o600)
        whole.replace(file)
    say(f"{file} holds everything of {var} but what can be made again")


def restore(var: Path, file: Path) -> None:
    """Fill an empty data folder with a backup; `./run` then migrates and serves it."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    with data_lock(var), setup_lock(), tempfile.TemporaryDirectory() as folder:
        if not _is_empty(var):
            raise Failure(f"{var} holds data already. Move it away, or name another AMPACITY_VAR.")
        environment.ensure()
        try:
            with tarfile.open(file) as tar:
                for name in (_DUMP, _KEY):
                    tar.extract(name, folder, filter="data")
        except (OSError, tarfile.TarError, KeyError) as exc:
            raise Failure(f"{file} is no backup by ./run: {exc}") from exc
        data = DataServices(var)
        try:
            data.start_postgres()
            _program(
                "pg_restore", "--exit-on-error", "--no-owner", f"--role={postgres.OWNER}",
                "-d", data.cluster.url("postgres"), str(Path(folder) / _DUMP),
            )  # fmt: skip
        except BaseException:
            data.stop()
            postgres.remove(data.cluster)
            raise
        data.stop()
        key = (Path(folder) / _KEY).read_text()
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(var / _KEY, flags, 0o600), "w") as kept:
            kept.write(key)
    say(f"{var} is as it was when {file} was written: start ./run")


@contextmanager
def _database(var: Path) -> Iterator[str]:
    """The database for the role that reads all: of the `./run` that is up, else started for it."""
    try:
        lock = data_lock(var)
    except Failure:
        variables = json.loads((var / shell.NAME).read_text())
        yield variables["DATABASE_OWNER_URL"].replace(f"{postgres.OWNER}@", f"{postgres.BACKUP}@")
        return
    with lock:
        data = DataServices(var)
        try:
            data.start_postgres()
            yield data.cluster.url(postgres.BACKUP)
        finally:
            data.stop()


def _is_empty(var: Path) -> bool:
    return postgres.Cluster(var / "pg", sockets=var, log=var / "log").is_new


def _program(name: str, *args: str) -> None:
    argv = [str(postgres.binaries() / name), *args]
    TOOLS.run(argv, what=name, cwd=Path("/"), env=dict(os.environ))
