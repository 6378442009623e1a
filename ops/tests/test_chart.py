"""The chart says of each service what compose says; Helm renders what Kubernetes takes.

Rendering wants `helm` on the path or in HELM, and the schemas of `kubernetes-validate`.
"""

import importlib
import os
import shutil
import subprocess
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from ops import places

CHART = places.ROOT / "ops" / "production" / "chart"
HELM = os.environ.get("HELM") or shutil.which("helm")
KUBERNETES = "1.31"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    return dict(values["services"])


@pytest.fixture(scope="module")
def composed() -> dict[str, Any]:
    return dict(yaml.safe_load((places.ROOT / "docker-compose.yml").read_text())["services"])


def test_services_run_what_they_run_in_compose(
    services: dict[str, Any], composed: dict[str, Any]
) -> None:
    ours = {
        name
        for name, each in composed.items()
        if each.get("image") == "ampacity" and name not in {"prepare", "operators"}
    }
    assert set(services) == ours
    for name, service in services.items():
        assert service["command"] == composed[name]["command"], name


def test_who_signs_people_in_or_goes_outside_does_so_in_compose(
    services: dict[str, Any], composed: dict[str, Any]
) -> None:
    for name, service in services.items():
        has_identity = "DATABASE_IDENTITY_URL" in composed[name]["environment"]
        assert service.get("identity", False) == has_identity, name
        assert service.get("outside", False) == ("out" in composed[name].get("networks", [])), name
    told = services["evaluate"]["environment"]
    assert set(told) == {
        name
        for name in composed["evaluate"]["environment"]
        if name in {"WEB_THREADS", "ANSWERS_ONLY", "ANSWER_PROCESSES"}
    }


def test_who_asks_instant_answers_is_let_through(services: dict[str, Any]) -> None:
    written = (CHART / "templates" / "network.yaml").read_text().split("\n---\n")
    policies = {
        each["metadata"]["name"]: each["spec"]
        for each in (yaml.safe_load(text) for text in written if "{{" not in text)
        if each["kind"] == "NetworkPolicy"
    }
    name = "app.kubernetes.io/component"
    asks, asked = policies["asks"], policies["asked"]
    for spec, others in ((asks, asked), (asked, asks)):
        (way,) = (spec[one] for one in ("egress", "ingress") if one in spec)
        (peer,) = way[0].get("to", way[0].get("from"))
        assert peer["podSelector"] == others["podSelector"]
    asking = [
        one for one, each in services.items() if "EVALUATE_URL" in each.get("environment", {})
    ]
    assert [asks["podSelector"]["matchLabels"][name]] == asking
    url = urlsplit(services[asking[0]]["environment"]["EVALUATE_URL"])
    answering = asked["podSelector"]["matchLabels"][name]
    assert (answering, services[answering]["port"]) == (url.hostname, url.port)


def test_each_queue_has_workers_that_grow_with_its_age(services: dict[str, Any]) -> None:
    alerts = (places.ROOT / "backend" / "jobs" / "monitoring.py").read_text()
    assert "ampacity_queue_age_seconds" in alerts
    for name, service in services.items():
        if name.startswith("worker-"):
            assert service["command"][service["command"].index("-Q") + 1] == service["queue"]
            assert name == f"worker-{service['queue']}"


@pytest.mark.skipif(HELM is None, reason="no helm on this machine")
def test_helm_renders_what_kubernetes_takes() -> None:
    assert HELM is not None
    argv = [HELM, "template", "release", str(CHART), "--set", "image.tag=1,host=a.example"]
    done = subprocess.run(argv, check=True, capture_output=True, text=True, timeout=60)
    found = [each for each in yaml.safe_load_all(done.stdout) if each]
    kinds = {each["kind"] for each in found}
    assert kinds == {
        *("Deployment", "Service", "Job", "Ingress", "NetworkPolicy"),
        *("PodDisruptionBudget", "HorizontalPodAutoscaler"),
    }
    try:
        validate = importlib.import_module("kubernetes_validate").validate
    except ImportError:
        pytest.skip("rendered; no schemas on this machine to hold it against")
    for each in found:
        validate(each, KUBERNETES, strict=True)


@pytest.mark.skipif(HELM is None, reason="no helm on this machine")
def test_a_chart_without_a_host_or_a_tag_is_refused() -> None:
    assert HELM is not None
    for given in ("image.tag=1", "host=a.example"):
        argv = [HELM, "template", "release", str(CHART), "--set", given]
        done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0
