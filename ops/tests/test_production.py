"""The files for production agree with what ./run starts."""

import re
from typing import Any

import pytest
import yaml

from ops import places
from ops.stack import QUEUE_LIMITS_S

READERS = "text|optional|flag|number|words|secret|web_url|folder|database"
ENV_CALL = re.compile(rf'\benv\.(?:{READERS})\(\s*"(\w+)"')


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    text = (places.ROOT / "docker-compose.yml").read_text()
    document: dict[str, Any] = yaml.safe_load(text)
    found: dict[str, Any] = document["services"]
    return found


def test_compose_has_a_worker_for_each_queue_with_its_limit(services: dict[str, Any]) -> None:
    for queue, limit in QUEUE_LIMITS_S.items():
        words = services[f"worker-{queue}"]["command"]
        assert words[words.index("-Q") + 1] == queue
        assert words[words.index("--time-limit") + 1] == str(limit)


def test_only_prepare_gets_the_owner(services: dict[str, Any]) -> None:
    for name, service in services.items():
        if service.get("env_file") and name != "prepare":
            assert service["environment"]["DATABASE_OWNER_URL"] == ""


def test_compose_opens_ports_to_the_machine_only(services: dict[str, Any]) -> None:
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_every_image_of_a_server_names_its_version(services: dict[str, Any]) -> None:
    for name in ("db", "broker"):
        assert re.search(r":\d+$", services[name]["image"])


def test_the_example_environment_names_every_variable_that_is_read() -> None:
    example = set(re.findall(r"^(\w+)=", (places.ROOT / ".env.example").read_text(), re.M))
    read = set(ENV_CALL.findall((places.BACKEND / "config" / "settings.py").read_text()))
    assert len(read) > 10
    assert read - example == set()


@pytest.mark.parametrize("lock", sorted(places.REQUIREMENTS.glob("*.txt")), ids=lambda p: p.name)
def test_locks_carry_hashes_and_no_addresses(lock: Any) -> None:
    text = lock.read_text()
    assert "://" not in text
    names = re.findall(r"^[a-z0-9][^\s=]*==", text, re.M)
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.M)[1:]
    assert len(names) == len(blocks)
    assert all("--hash=sha256:" in block for block in blocks)


@pytest.mark.parametrize("folder", [places.FRONTEND, places.E2E], ids=lambda p: p.name)
def test_node_locks_carry_no_addresses(folder: Any) -> None:
    assert '"resolved"' not in (folder / "package-lock.json").read_text()
    assert "omit-lockfile-registry-resolved=true" in (folder / ".npmrc").read_text()
