"""A private PostgreSQL and Valkey, started in every way that this machine allows."""

import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from ops import postgres
from ops.private import DataServices
from ops.processes import Command, Service
from ops.say import Failure
from ops.tests.processes_of import alive, wait_gone

pytestmark = pytest.mark.ops
Start = Callable[[str], DataServices]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    started: list[DataServices] = []

    def begin(manner: str) -> DataServices:
        monkeypatch.setenv("AMPACITY_PG_AS", manner)
        postgres.manner.cache_clear()
        postgres._programs.cache_clear()
        started.append(DataServices(tmp_path / "var", throwaway=True))
        started[-1].start_postgres()
        return started[-1]

    yield begin
    for services in started:
        services.remove()
    monkeypatch.undo()
    postgres.manner.cache_clear()
    postgres._programs.cache_clear()


def manners() -> list[str]:
    """What this machine allows us."""
    return ["namespace", "nobody"] if os.getuid() == 0 else ["direct"]


@pytest.mark.parametrize("manner", manners())
def test_it_starts_with_five_roles(start: Start, manner: str) -> None:
    cluster = start(manner).cluster
    query = (
        "SELECT rolname, rolsuper, rolbypassrls FROM pg_roles "
        "WHERE rolname LIKE 'ampacity%' ORDER BY 1"
    )
    assert postgres.sql(cluster, query).splitlines() == [
        "ampacity_app|f|f",
        "ampacity_backup|f|t",
        "ampacity_identity|f|f",
        "ampacity_operator|f|f",
        "ampacity_owner|f|f",
    ]


@pytest.mark.parametrize("manner", manners())
def test_its_data_and_sockets_are_private(start: Start, manner: str) -> None:
    cluster = start(manner).cluster
    for folder in (cluster.home, cluster.sockets):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("manner", manners())
def test_the_folders_above_keep_their_modes(start: Start, manner: str, tmp_path: Path) -> None:
    before = [stat.S_IMODE(folder.stat().st_mode) for folder in tmp_path.parents]
    start(manner)
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in tmp_path.parents] == before


@pytest.mark.parametrize("manner", manners())
def test_data_survives_a_kill(start: Start, manner: str) -> None:
    services = start(manner)
    postgres.sql(services.cluster, "CREATE TABLE kept AS SELECT 42 AS answer")
    services.kill("postgres")
    services.start_created_postgres()
    assert postgres.sql(services.cluster, "SELECT answer FROM kept") == "42"


def test_a_start_waits_for_the_last_process_of_a_killed_server(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `pg_backend_pid` returns is a process of this machine, unless in a namespace."""
    services = start(manners()[-1])
    with psycopg.connect(services.cluster.url(postgres.OWNER)) as connection:
        lingering = connection.info.backend_pid
        os.kill(lingering, signal.SIGSTOP)
        services.kill("postgres")
        begin = services.supervisor.start
        starts: list[Service] = []

        def begin_again(command: Command) -> Service:
            if starts:
                os.kill(lingering, signal.SIGKILL)
            starts.append(begin(command))
            return starts[-1]

        monkeypatch.setattr(services.supervisor, "start", begin_again)
        services.start_created_postgres()
    assert "shared memory block" in starts[0].last_words(), "the first start met no predecessor"
    assert postgres.sql(services.cluster, "SELECT 1") == "1"


@pytest.mark.parametrize("manner", manners())
def test_a_cluster_whose_making_was_cut_off_is_made_anew(
    start: Start, manner: str, tmp_path: Path
) -> None:
    for left in ("pg", "pg.new"):
        (tmp_path / "var" / left / "base").mkdir(parents=True)
        (tmp_path / "var" / left / "PG_VERSION").write_text("18")
    cluster = start(manner).cluster
    assert postgres.sql(cluster, "SELECT 1") == "1"
    assert not cluster.home.with_name("pg.new").exists()


def test_data_of_another_major_version_is_refused(start: Start) -> None:
    services = start(manners()[0])
    services.stop()
    (services.cluster.home / "PG_VERSION").write_text("9\n")
    with pytest.raises(Failure, match=r"of PostgreSQL 9, but the programs at hand are of \d+"):
        postgres.initdb(services.cluster)


def test_a_socket_folder_that_was_left_behind_is_removed(tmp_path: Path) -> None:
    first = DataServices(tmp_path / "var")
    second = DataServices(tmp_path / "var")
    assert not first.sockets.exists()
    second.remove()


def test_the_broker_keeps_its_data_over_a_kill(tmp_path: Path) -> None:
    import redis

    services = DataServices(tmp_path / "var")
    try:
        services.start_valkey()
        client = redis.Redis(unix_socket_path=str(services.broker.socket))
        client.rpush("batch", "message")
        pid = services.supervisor.services[0].process.pid
        services.kill("valkey")
        wait_gone({pid})
        services.start_valkey()
        assert alive([services.supervisor.services[0].process.pid])
        assert client.lrange("batch", 0, -1) == [b"message"]
        client.close()
    finally:
        services.remove()
