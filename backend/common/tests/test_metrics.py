"""The port that Prometheus asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from prometheus_client import REGISTRY

from common import metrics
from ops.net import Client

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "shown-to-prometheus"


@pytest.fixture
def address(settings: Any) -> Iterator[str]:
    settings.METRICS_ADDRESS = ("127.0.0.1", 0)
    settings.METRICS_TOKEN = TOKEN
    server = metrics.serve()
    assert server is not None
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("token", ["", "wrong", TOKEN + "x"])
def test_metrics_are_refused_without_the_token(address: str, token: str) -> None:
    answer = Client(address, token).ask("GET", "/metrics")
    assert answer.status == 401
    assert b"ampacity" not in answer.body


def test_metrics_are_shown_for_the_token(address: str) -> None:
    answer = Client(address, TOKEN).ask("GET", "/metrics")
    assert answer.status == 200
    assert b"# TYPE ampacity_query_seconds histogram" in answer.body


def test_nothing_is_served_where_no_address_is_given(settings: Any) -> None:
    settings.METRICS_ADDRESS = None
    assert metrics.serve() is None


@pytest.mark.db
@pytest.mark.usefixtures("database")
def test_the_time_in_the_database_is_added_up() -> None:
    labels = {"operation": "a test"}
    with metrics.queries() as asked, connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        once_s = asked.total_s
        cursor.execute("SELECT 2")
    assert 0 < once_s < asked.total_s
    asked.observe("a test")
    assert REGISTRY.get_sample_value("ampacity_query_seconds_count", labels) == 1
    assert REGISTRY.get_sample_value("ampacity_query_seconds_sum", labels) == asked.total_s
