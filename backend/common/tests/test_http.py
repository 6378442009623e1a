"""Facts about a request."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client, RequestFactory

from common.http import client_address


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.9", "10.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (2, "203.0.113.9", "10.0.0.1"),
        (1, "", "10.0.0.1"),
    ],
)
def test_only_what_our_own_proxies_say_is_believed(
    settings: Any, proxies: int, forwarded: str, address: str
) -> None:
    settings.TRUSTED_PROXIES_COUNT = proxies
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    request = RequestFactory(REMOTE_ADDR="10.0.0.1").get("/", headers=headers)
    assert client_address(request) == address


def test_a_host_that_is_not_ours_is_refused_in_the_one_shape() -> None:
    response = Client().get("/api/v1/session", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert response["content-type"] == "application/problem+json"
