"""What is said of the advisories' answers."""

import json

from ops.audit import of_node, of_python


def python(*packages: object) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_packages_that_were_all_looked_up_are_without_known_fault() -> None:
    verdict = of_python("a", python({"name": "x", "version": "1", "vulns": []}))
    assert verdict.text() == "a: no known vulnerability"


def test_a_fault_is_named() -> None:
    fault = {"name": "x", "version": "1", "vulns": [{"id": "CVE-1"}, {"id": "CVE-2"}]}
    unseen = {"name": "y", "skip_reason": "not found"}
    assert of_python("a", python(fault, unseen)).text() == "a: x 1 (CVE-1, CVE-2)"
    words = json.dumps({"vulnerabilities": {"b": {"severity": "high"}}})
    assert of_node("a", words).text() == "a: b (high)"
    assert of_node("a", words).faults


def test_what_nobody_looked_up_is_unknown() -> None:
    unseen = {"name": "y", "skip_reason": "not found"}
    verdict = of_python("a", python({"name": "x", "version": "1", "vulns": []}, unseen))
    assert verdict.faults is None
    assert verdict.text() == "a: unknown, the advisories know nothing of 1 of 2 packages"


def test_advisories_that_cannot_be_reached_are_unknown() -> None:
    for output in ("", "no JSON", "[]", json.dumps({"message": "405 Method Not Allowed"})):
        assert of_python("a", output).text() == "a: unknown, the advisories cannot be reached"
        assert of_node("a", output).text() == "a: unknown, the advisories cannot be reached"
    assert of_node("a", json.dumps({"vulnerabilities": {}})).text() == "a: no known vulnerability"
