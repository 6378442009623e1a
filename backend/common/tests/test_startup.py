"""What refuses to start."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from common.startup import require_app_role, require_identity
from config import env

if TYPE_CHECKING:
    from pathlib import Path


RANDOM = "q7Jd2mVw9Xk4Rb8sTz1Lc6Hp3Nf5Gy0E"


@pytest.mark.db
def test_the_app_role_may_start(database: None) -> None:
    require_app_role()


@pytest.mark.db
@pytest.mark.decisive
def test_the_owner_may_not_serve(database: None) -> None:
    owner = connections["owner"].settings_dict["USER"]
    code = "from common.startup import require_app_role; import django; django.setup(); "
    child = subprocess.run(
        [sys.executable, "-c", code + "require_app_role()"],
        env={
            **os.environ,
            "DATABASE_URL": os.environ["DATABASE_OWNER_URL"],
            "DJANGO_SETTINGS_MODULE": "config.settings",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode != 0
    assert f"the role '{owner}'" in child.stderr
    assert "owns the tables" in child.stderr


@pytest.mark.db
def test_who_signs_people_in_starts_with_a_role_for_that_alone(
    database: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_identity()
    monkeypatch.setattr("common.startup.IDENTITY", "owner")
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_IDENTITY_URL .* owns the tables"):
        require_identity()
    monkeypatch.setattr("common.startup.IDENTITY", "nothing")
    with pytest.raises(ImproperlyConfigured, match="DATABASE_IDENTITY_URL is not set"):
        require_identity()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SECRET_KEY", "short", "SECRET_KEY has 5 characters. Use at least 32 random ones."),
        ("SECRET_KEY", "change-me-please-change-me-please", "SECRET_KEY is easy to guess."),
        ("SECRET_KEY", "s" * 64, "SECRET_KEY is easy to guess."),
        ("SECRET_KEY", "", "SECRET_KEY is not set. See .env.example for what it holds."),
        ("DATABASE_URL", "", "DATABASE_URL is not set."),
        ("DATABASE_URL", "sqlite:///x", "DATABASE_URL must start with postgresql://"),
        ("DATABASE_URL", "postgresql://host", "DATABASE_URL must name a role and a database"),
        ("DATABASE_URL", "postgresql://a@b:x/c?d", "DATABASE_URL is not a PostgreSQL URL"),
        (
            "DATABASE_IDENTITY_URL",
            "postgresql://ampacity_app@/ampacity",
            "DATABASE_IDENTITY_URL must name another role than DATABASE_URL.",
        ),
        ("BROKER_URL", "", "BROKER_URL is not set."),
        ("DEBUG", "perhaps", "DEBUG is 'perhaps'. Write 1 or 0."),
        ("JOB_LEASE_S", "soon", "JOB_LEASE_S is 'soon'. Write a whole number from 1 to 3600."),
        ("JOB_LEASE_S", "0", "JOB_LEASE_S is '0'."),
        ("EVENTS_URL", "events", "EVENTS_URL is 'events'. Write an address such as"),
        ("FRONTEND_DIST", "/nowhere/at/all", "which is not a folder."),
    ],
)
def test_a_bad_value_refuses_to_start_with_a_sentence(name: str, value: str, sentence: str) -> None:
    child = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        env={**os.environ, name: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode != 0
    assert f"ImproperlyConfigured: {name}" in child.stderr
    assert sentence in child.stderr


def test_a_secret_may_come_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    path.write_text(RANDOM + "\n")
    monkeypatch.setenv("A_SECRET_FILE", str(path))
    assert env.secret("A_SECRET", shortest=32) == RANDOM
    path.unlink()
    with pytest.raises(ImproperlyConfigured, match="A_SECRET_FILE names"):
        env.secret("A_SECRET", shortest=32)


def test_a_database_keeps_its_connections_and_checks_them(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://app:p%40ss@db.example:6432/ampacity?sslmode=require"
    monkeypatch.setenv("A_DATABASE", url)
    settings = env.database("A_DATABASE")
    assert (settings["HOST"], settings["PORT"]) == ("db.example", "6432")
    assert (settings["USER"], settings["PASSWORD"]) == ("app", "p@ss")
    # A pooler may hand out another connection each time: no statement stays prepared in one.
    assert settings["OPTIONS"] == {"sslmode": "require", "prepare_threshold": None}
    assert settings["DISABLE_SERVER_SIDE_CURSORS"]
    assert settings["CONN_MAX_AGE"] is None
    assert settings["CONN_HEALTH_CHECKS"]


def test_freed_memory_is_kept_where_the_c_library_can() -> None:
    # In a process of its own: the setting is for good.
    code = (
        "import platform; from common.memory import keep_freed_memory; "
        "assert keep_freed_memory() == (platform.libc_ver()[0] == 'glibc')"
    )
    child = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert child.returncode == 0, child.stderr.decode()


@pytest.mark.db
def test_a_connection_that_the_server_ended_is_not_usable(database: None) -> None:
    connection = connections["default"].copy()
    try:
        connection.connect()
        assert connection.is_usable()
        with connections["default"].cursor() as cursor:
            backend = connection.connection.info.backend_pid
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])
        assert not connection.is_usable()
    finally:
        connection.close()
    assert not connection.is_usable()
