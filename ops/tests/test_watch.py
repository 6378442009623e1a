"""Alerts and dashboard ask for figures that there are, and each alert has its line of advice."""

import json
import re
from typing import Any

import pytest
import yaml

from common.metrics import BUCKETS_S
from ops import places

WATCH = places.ROOT / "ops" / "production" / "watch"
NAME = re.compile(r"\b(?:ampacity|process)_\w+")
SUFFIX = re.compile(r"_(?:bucket|count|sum|total)$")
# what the client library itself measures
BESIDE = {"process_resident_memory_bytes"}


@pytest.fixture(scope="module")
def alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load((WATCH / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def queries() -> list[str]:
    panels = json.loads((WATCH / "dashboard.json").read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def figures() -> set[str]:
    """The names of all figures, as the sources have them."""
    folders = (places.BACKEND, places.ROOT / "worker" / "capworker", WATCH.parent)
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    texts = [path.read_text() for path in sources if "tests" not in path.parts]
    return {name for text in texts for name in re.findall(r'"(ampacity_\w+)"', text)}


def test_alerts_and_panels_ask_for_figures_that_there_are(alerts: list[dict[str, Any]]) -> None:
    asked = {
        name for text in [*queries(), *(a["expr"] for a in alerts)] for name in NAME.findall(text)
    }
    known = figures() | BESIDE
    assert {
        name for name in asked if name not in known and SUFFIX.sub("", name) not in known
    } == set()


def test_every_figure_is_on_the_dashboard() -> None:
    shown = {SUFFIX.sub("", name) for text in queries() for name in NAME.findall(text)}
    # a channel, a role, a cookie, a field of an archive
    apart = {"ampacity_job", "ampacity_app", "ampacity_session", "ampacity_archive"}
    assert figures() - apart - shown == set()


def test_every_alert_has_its_line_of_advice(alerts: list[dict[str, Any]]) -> None:
    text = (places.ROOT / "docs" / "operations.md").read_text()
    advice = text.partition("### When an alert comes")[2].partition("\n### ")[0]
    assert re.findall(r"^\| (\w+) \|", advice, re.M)[1:] == [alert["alert"] for alert in alerts]


def test_every_service_with_figures_is_asked() -> None:
    asked = yaml.safe_load((WATCH / "prometheus.yml").read_text())["scrape_configs"][0]
    services = yaml.safe_load((places.ROOT / "docker-compose.yml").read_text())["services"]
    measuring = {
        name
        for name, service in services.items()
        if "METRICS_ADDRESS" in service.get("environment", {}) and name != "prepare"
    }
    assert set(asked["dns_sd_configs"][0]["names"]) == measuring


def test_a_service_that_is_gone_is_missed(alerts: list[dict[str, Any]]) -> None:
    asked = yaml.safe_load((WATCH / "prometheus.yml").read_text())["scrape_configs"][0]
    text = " ".join(each["expr"] for each in alerts)
    missed = set(re.findall(r'absent\(up\{[^}]*service="([\w-]+)"', text))
    assert missed == set(asked["dns_sd_configs"][0]["names"])


def test_every_gunicorn_answers_for_all_its_processes() -> None:
    services = yaml.safe_load((places.ROOT / "docker-compose.yml").read_text())["services"]
    # the operators' pages are one process that nobody measures
    del services["operators"]
    found = [each for each in services.values() if "gunicorn" in (each.get("command") or [])]
    assert len(found) >= 2
    for service in found:
        assert "--config=python:config.serving" in service["command"]
        assert service["environment"]["PROMETHEUS_MULTIPROC_DIR"] == "/tmp/metrics"


def test_every_alert_is_routed_and_the_switch_is_told_each_minute(
    alerts: list[dict[str, Any]],
) -> None:
    manager = yaml.safe_load((WATCH / "alertmanager.yml").read_text())
    receivers = {each["name"] for each in manager["receivers"]}
    heartbeat, page = manager["route"]["routes"]
    assert {manager["route"]["receiver"], heartbeat["receiver"], page["receiver"]} == receivers
    assert heartbeat["matchers"] == ['alertname="Watching"']
    assert heartbeat["repeat_interval"] == "1m"
    assert {each["labels"]["severity"] for each in alerts} == {"page", "warn", "none"}
    compose = yaml.safe_load((places.ROOT / "docker-compose.yml").read_text())["services"]
    written = " ".join(compose["alertmanager"]["entrypoint"])
    files = [each["webhook_configs"][0]["url_file"] for each in manager["receivers"]]
    assert all(f">{file};" in written for file in files)
    asked = yaml.safe_load((WATCH / "prometheus.yml").read_text())
    advice = asked["global"]["external_labels"]["runbook"].partition("#")[2]
    text = (places.ROOT / "docs" / "operations.md").read_text().lower()
    assert f"### {advice.replace('-', ' ')}\n" in text


def test_promises_are_held_against_buckets_that_there_are(alerts: list[dict[str, Any]]) -> None:
    bounds = {float(text) for each in alerts for text in re.findall(r'le="([\d.]+)"', each["expr"])}
    assert bounds
    assert bounds <= set(BUCKETS_S)
