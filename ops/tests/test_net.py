"""Ports."""

import socket

import pytest

from ops.net import HOST, Client, free_ports, port_of, take_port
from ops.say import Failure


def test_a_port_that_is_taken_is_passed_over_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server((HOST, 0)) as other:
        first = port_of(other)
        with take_port(first, what="the web") as taken:
            assert port_of(taken) > first
            assert f"Port {first} is taken: the web is at {port_of(taken)}" in (
                capsys.readouterr().err
            )


def test_two_takers_never_share_a_port() -> None:
    with take_port(0, what="one") as one, take_port(port_of(one), what="two") as two:
        assert port_of(one) != port_of(two)


def test_free_ports_are_never_given_twice() -> None:
    given = [port for _ in range(50) for port in free_ports(8)]
    assert len(set(given)) == len(given) == 400


def test_a_free_port_is_not_one_where_somebody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    [taken, free] = free_ports(2)
    chosen = iter([taken, free])
    monkeypatch.setattr("ops.net.secrets.choice", lambda _: next(chosen))
    monkeypatch.setattr("ops.net._given", set())
    with socket.create_server((HOST, taken)):
        assert free_ports(1) == [free]


def test_a_taken_port_is_on_the_loopback_only() -> None:
    with take_port(0, what="the web") as taken:
        assert taken.getsockname()[0] == "127.0.0.1"


def test_no_port_left_is_a_failure() -> None:
    with pytest.raises(Failure, match="No free port"):
        take_port(70_000, what="the web")


def test_nobody_answering_is_an_os_error() -> None:
    with take_port(0, what="nobody") as taken:
        port = port_of(taken)
    with pytest.raises(OSError, match="refused"):
        Client(f"http://{HOST}:{port}").ask("GET", "/")
