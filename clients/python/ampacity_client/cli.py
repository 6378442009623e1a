"""``ampacity``: studies from the shell, and a check for pipelines.

AMPACITY_URL and AMPACITY_TOKEN say where and who, unless --url and --token do.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from ampacity_client.check import Checked, checked, comment
from ampacity_client.client import Ampacity, Problem, Unfinished
from ampacity_client.files import Unreadable, params_of, read_study, require_shape

PLAN = "plans.compare"
EXIT_MOVED, EXIT_REFUSED = 1, 2
# Of a stored study these stay as they are; everything else that a file has is sent.
_STAYS = ("slug", "pack", "pack_version", "params_version", "tool_runs", "designs")
_DESIGN_STAYS = ("letter", "versions")


def main(argv: Sequence[str] | None = None, *, client: Ampacity | None = None) -> int:
    """Run the command: 0 done, 1 the check failed, 2 refused, with the reasons."""
    asked = _parser().parse_args(argv)
    try:
        code: int = asked.run(client or _client(asked), asked)
    except (Problem, Unreadable, Unfinished, OSError, httpx.HTTPError) as error:
        where = f"{asked.url}: " if isinstance(error, httpx.TransportError) else ""
        print(f"ampacity: {where}{error}", file=sys.stderr)
        for fault in getattr(error, "errors", []):
            print(f"  {fault['pointer']}: {fault['message']}", file=sys.stderr)
        return EXIT_REFUSED
    return code


def study_id(client: Ampacity, name: str) -> str:
    """Return the id of a study that is named by its id, its slug or its title."""
    for card in client.rows("/api/v1/studies"):
        if name in (card["id"], card["slug"], card["title"]):
            return str(card["id"])
    message = f"There is no file and no study {name!r} in this workspace."
    raise Unreadable(message)


def _list(client: Ampacity, _asked: argparse.Namespace) -> int:
    for card in client.rows("/api/v1/studies"):
        verdict = card["verdict"] or {}
        print(f"{card['slug']}\t{card['title']}\t{verdict.get('headline', '').replace('**', '')}")
    return 0


def _pull(client: Ampacity, asked: argparse.Namespace) -> int:
    as_json = asked.output is not None and asked.output.suffix == ".json"
    address = f"/api/v1/studies/{study_id(client, asked.study)}/export"
    body = client.get(address, params={"as": "json" if as_json else "yaml"}).content
    if asked.output is None:
        sys.stdout.write(body.decode())
    else:
        asked.output.write_bytes(body)
    return 0


def _push(client: Ampacity, asked: argparse.Namespace) -> int:
    if asked.study is None:
        made = client.post(
            "/api/v1/studies/import",
            content=asked.file.read_bytes(),
            headers={"Content-Type": "application/yaml"},
        ).json()
        print(f"{made['slug']}\t{made['id']}")
        return 0
    return _replace(client, study_id(client, asked.study), read_study(asked.file))


def _replace(client: Ampacity, study: str, file: dict[str, Any]) -> int:
    """Make a stored study what a file holds; designs are known by their letters."""
    require_shape(file, _params_version(client))
    head = {key: value for key, value in file.items() if key not in _STAYS}
    address = f"/api/v1/studies/{study}"
    left = client.put(address, json=head).json()["ranges_left"]
    stored = {one["letter"]: one["id"] for one in client.rows(f"{address}/designs")}
    for design in file.get("designs", []):
        body = {key: value for key, value in design.items() if key not in _DESIGN_STAYS}
        if design["letter"] in stored:
            its = f"/api/v1/designs/{stored.pop(design['letter'])}"
            left += client.put(its, json=body).json()["ranges_left"]
        else:
            client.post(f"{address}/designs", json={**body, "letter": design["letter"]})
    for unnamed in stored.values():
        client.delete(f"/api/v1/designs/{unnamed}")
    # A design that joins or leaves takes ranges with it: those of the file are the study's.
    client.put(address, json=head)
    _print_left(left)
    faults = client.get(address).json()["faults"]
    for fault in faults:
        print(f"  {fault['pointer']}: {fault['message']}", file=sys.stderr)
    return EXIT_REFUSED if faults else 0


def _params_version(client: Ampacity) -> int:
    return int(client.get(f"/api/v1/models/{PLAN}").json()["params_version"])


def _compare(client: Ampacity, asked: argparse.Namespace) -> int:
    before = {"before": _document(client, asked.against)} if asked.against else {}
    answer = _evaluated(client, {"params": _document(client, asked.study), **before})
    _print_summary(answer["summary"])
    _print_left(answer.get("ranges_left", ()))
    return 0


def _run(client: Ampacity, asked: argparse.Namespace) -> int:
    started = client.post("/api/v1/runs", json={"study": study_id(client, asked.study)}).json()
    address = f"/api/v1/runs/{started['id']}"
    print(client.ended(address)["id"])
    _print_summary(client.get(f"{address}/result").json()["summary"])
    return 0


def _report(client: Ampacity, asked: argparse.Namespace) -> int:
    kind = asked.output.suffix.lstrip(".") or "pdf"
    wanted = {
        "study": study_id(client, asked.study),
        "format": kind,
        "paper": asked.paper,
        "appendix": asked.appendix,
    }
    address = f"/api/v1/reports/{client.post('/api/v1/reports', json=wanted).json()['id']}"
    client.ended(address)
    asked.output.write_bytes(client.get(f"{address}/file").content)
    return 0


def _purchases(client: Ampacity, asked: argparse.Namespace) -> int:
    address = f"/api/v1/studies/{study_id(client, asked.study)}"
    question = client.get(f"{address}/purchase-plan").json()
    if asked.scenarios:
        question["params"]["scenarios_count"] = asked.scenarios
    started = client.post(
        "/api/v1/runs", json={"model": question["model"], "params": question["params"]}
    ).json()
    run = f"/api/v1/runs/{started['id']}"
    client.ended(run)
    result = client.get(f"{run}/result").json()["result"]
    for line in (result["headline"].replace("**", ""), *result["notes"]):
        print(line)
    if asked.output is not None:
        kind = asked.output.suffix.lstrip(".") or "csv"
        asked.output.write_bytes(client.get(f"{run}/orders.{kind}").content)
    reference = {"run": started["id"], "tool": "purchases", "title": "Purchases"}
    client.post(f"{address}/tool-runs", json=reference)
    return 0


def _check(client: Ampacity, asked: argparse.Namespace) -> int:
    documents = [_document(client, asked.against), _document(client, asked.file)]
    results: list[Any] = []
    asked_before: dict[str, Any] = {}
    for document in documents:
        if asked.horizon_months is not None:
            assumptions = {**document["assumptions"], "horizon_months": asked.horizon_months}
            document = {**document, "assumptions": assumptions}
        answer = _evaluated(client, {"params": document, **asked_before})
        results.append(answer["summary"])
        asked_before = {"before": document}
    left = [one["message"] for one in answer.get("ranges_left", ())]
    found: Checked = checked(results[0], results[1], asked.limit, left)
    text = comment(found)
    if asked.comment:
        asked.comment.write_text(text, "utf-8")
    print(text)
    return EXIT_MOVED if found.fails else 0


def _document(client: Ampacity, name: str) -> dict[str, Any]:
    """Return the plan's input of a file, or of a stored study."""
    if Path(name).is_file():
        file = read_study(Path(name))
        return params_of(file, _params_version(client))
    return dict(client.get(f"/api/v1/studies/{study_id(client, name)}/document").json())


def _evaluated(client: Ampacity, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the plan at once."""
    return dict(client.post("/api/v1/evaluate", json=asked).json())


def _print_left(left: Iterable[Mapping[str, Any]]) -> None:
    """Say which ranges no longer fit what was changed."""
    for one in left:
        print(f"  {one['message']}", file=sys.stderr)


def _print_summary(summary: Any) -> None:
    print(summary["verdict"]["headline"].replace("**", ""))
    for design in summary["designs"]:
        cost = design["cost_usd"] * summary["per_usd"]
        print(f"{design['letter']}\t{cost:.0f} {summary['currency']}\t{design['title']}")
    for warning in summary["warnings"]:
        print(f"  {warning}", file=sys.stderr)


def _client(asked: argparse.Namespace) -> Ampacity:
    if not asked.token:
        message = "Set AMPACITY_TOKEN to a token of the workspace, made in Settings."
        raise Unreadable(message)
    return Ampacity(asked.url, asked.token)


def _share(text: str) -> float:
    try:
        number = float(text.removesuffix("%"))
    except ValueError as error:
        message = f"{text} is no share. Enter one such as 5%."
        raise argparse.ArgumentTypeError(message) from error
    if not 0 <= number < math.inf:
        message = f"{text} is no share. Enter one of 0% or more."
        raise argparse.ArgumentTypeError(message)
    if text.endswith("%"):
        return number / 100
    if number > 1:
        message = f"{text} is {number:,.0%}. If {text}% is meant, enter {text}%."
        raise argparse.ArgumentTypeError(message)
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ampacity", description=__doc__)
    environ = os.environ
    parser.add_argument("--url", default=environ.get("AMPACITY_URL", "http://127.0.0.1:8000"))
    parser.add_argument("--token", default=environ.get("AMPACITY_TOKEN", ""))
    study = parser.add_subparsers(required=True).add_parser("study", help="studies")
    verbs = study.add_subparsers(required=True)

    def verb(name: str, run: Any, about: str) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=about, description=about)
        made.set_defaults(run=run)
        return made

    verb("list", _list, "list the studies with their verdicts")
    pull = verb("pull", _pull, "write a study to a file, YAML or JSON")
    pull.add_argument("study")
    pull.add_argument("-o", "--output", type=Path)
    push = verb("push", _push, "make a study of a file, or make a stored study what the file holds")
    push.add_argument("file", type=Path)
    push.add_argument("--study", help="the stored study to change")
    compare = verb("compare", _compare, "compare the designs at once; of a study or a file")
    compare.add_argument("study")
    compare.add_argument("--against", help="the study or file before a change")
    verb("run", _run, "compare the designs of a study, and keep the result").add_argument("study")
    report = verb("report", _report, "draw a report: .pdf, .xlsx or .csv")
    report.add_argument("study")
    report.add_argument("-o", "--output", type=Path, required=True)
    report.add_argument("--paper", choices=("a4", "letter"), default="a4")
    report.add_argument("--appendix", action="store_true", help="with inputs, years and checks")
    about = "plan what to order, commit to and rent, and when; the study refers to the plan"
    purchases = verb("purchases", _purchases, about)
    purchases.add_argument("study")
    purchases.add_argument("-o", "--output", type=Path, help="the order list: .csv or .xlsx")
    purchases.add_argument("--scenarios", type=int, help="courses of demand, fewer are faster")
    check = verb(
        "check",
        _check,
        "fail when a changed file moves the cost by more than a limit, or the verdict",
    )
    check.add_argument("file")
    check.add_argument("--against", required=True, help="a stored study, or another file")
    check.add_argument("--limit", type=_share, default=0.05, help="such as 5%% (the default)")
    check.add_argument("--horizon-months", type=int, help="such as 36, instead of the study's own")
    check.add_argument("--comment", type=Path, help="write the comment (Markdown) to this file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
