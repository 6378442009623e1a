"""`./run --once`: the main job without a browser, in a stack of its own.

Starts everything on a throw-away folder and free ports, runs one example study through the API
with a token and a worker, prints the comparison, writes the PDF, runs the published checks.
"""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ops import places
from ops.net import Client
from ops.processes import TOOLS
from ops.say import Failure, say, table
from ops.stack import Stack

API = "/api/v1"
_ENDED = {"succeeded", "failed", "cancelled"}
_JOB_TIMEOUT_S = 180.0
_FIRST_POLLS_S, _LATER_POLLS_S = 0.1, 0.5
_DASH = "\N{EM DASH}"


def main(*, slug: str, pdf: Path | None) -> int:
    """Do the job; returns 0 when the run succeeded and all published checks passed."""
    stack = throwaway_stack()
    try:
        stack.start(prepare_args=("--token",))
        client = Client(stack.url, stack.prepared["token"])
        say("Ready: asking the API")
        study = find_study(client, slug)
        run = run_study(client, study["id"], check=stack.mend)
        result = client.get(f"{API}/runs/{run['id']}/result?include=designs,rows")["result"]
        print(comparison_text(study, result), flush=True)
        if pdf is not None:
            write_pdf(client, study["id"], pdf, check=stack.mend)
        failed = failed_checks(run["model"], run["params"], stack.var)
    finally:
        say("Stopping")
        stack.remove()
    if failed:
        print("\nPublished checks that do not hold:\n  " + "\n  ".join(failed), flush=True)
    return 1 if failed else 0


def throwaway_stack() -> Stack:
    """A stack with its own data and ports; compiled kernels are shared with `./run`."""
    folder = Path(tempfile.mkdtemp(prefix="ampacity-once-"))
    caches = places.caches(places.default_var())
    return Stack(
        folder,
        web_port=0,
        events_port=0,
        private=True,
        throwaway=True,
        caches=caches,
        # what is measured is the machine
        extra_env={f"QUOTA_{name}": "0" for name in ("STORED_MB", "JOBS", "COMPUTE_MINUTES")},
    )


def find_study(client: Client, slug: str) -> dict[str, Any]:
    """The study with a slug. Raises `Failure` naming the slugs that there are."""
    slugs = []
    for study in all_pages(client, f"{API}/studies"):
        slugs.append(study["slug"])
        if study["slug"] == slug:
            return dict(client.get(f"{API}/studies/{study['id']}"))
    raise Failure(f"There is no study '{slug}'. There are: {', '.join(sorted(slugs))}")


def all_pages(client: Client, path: str) -> list[dict[str, Any]]:
    """All items of a cursor-paged (or plain) list."""
    items: list[dict[str, Any]] = []
    address = path
    while True:
        page = client.get(address)
        if isinstance(page, list):
            return page
        items += page["results"]
        if not page["next_cursor"]:
            return items
        address = f"{path}?cursor={quote(page['next_cursor'])}"


def run_study(client: Client, study_id: str, *, check: Callable[[], None]) -> dict[str, Any]:
    """Submit a run of the study and wait for its end; raises `Failure` unless it succeeds."""
    run = client.post(f"{API}/runs", {"study": study_id})
    run = wait_for_job(client, f"{API}/runs/{run['id']}", what="The run", check=check)
    what = f"{run['model']} {run['model_version']}"
    say(f"Run {run['state']}: {what}, inputs {run['inputs_hash'][:12]}")
    return run


def wait_for_job(
    client: Client, path: str, *, what: str, check: Callable[[], None]
) -> dict[str, Any]:
    """Poll a job (100 ms in the first second, then slower) until it has ended."""
    started = time.monotonic()
    shown = -1
    while True:
        job: dict[str, Any] = client.get(path)
        if job["state"] == "succeeded":
            return job
        if job["state"] in _ENDED:
            error = job.get("error") or {}
            raise Failure(f"{what} {job['state']}: {error.get('message') or 'no reason given'}")
        percent = int(100 * (job.get("progress_fraction") or 0))
        if percent // 10 > shown:
            shown = percent // 10
            say(f"{what}: {job['state']}, {percent}%")
        waited = time.monotonic() - started
        if waited > _JOB_TIMEOUT_S:
            raise Failure(f"{what} had not ended after {waited:.0f} s")
        check()
        time.sleep(_FIRST_POLLS_S if waited < 1 else _LATER_POLLS_S)


def comparison_text(study: dict[str, Any], result: dict[str, Any]) -> str:
    """The comparison as a text table under the study's title, with the verdict."""
    designs = [f"{d['letter']} {d['title']}" for d in result["designs"]]
    letters = [d["letter"] for d in result["designs"]]
    rows = []
    notes: dict[str, list[str]] = {}
    for row in result["rows"]:
        unit = f" [{row['unit']}]" if row.get("unit") else ""
        best = row.get("best")
        cells = [
            cell(row["values"].get(letter)) + (" *" if letter == best else "  ")
            for letter in letters
        ]
        rows.append([row["label"] + unit, *cells])
        for letter, reason in (row.get("reasons") or {}).items():
            notes.setdefault(f"{row['label']}: {reason}", []).append(letter)
    verdict = result["verdict"]
    sentences = [verdict["headline"].replace("**", "")]
    sentences += [verdict[k] for k in ("payoff", "odds", "flips") if verdict.get(k)]
    parts = [study["title"], "\n".join(f"  {name}" for name in designs)]
    parts.append(table(["", *(f"{letter}  " for letter in letters)], rows))
    lines = [f"{_DASH} {note} ({', '.join(where)})" for note, where in notes.items()]
    parts.append("\n".join(["* best", *lines]))
    return "\n\n".join([*parts, "\n".join(s.replace("**", "") for s in sentences)])


def cell(value: object) -> str:
    """A value for the table: whole numbers from 1,000 on, else four digits."""
    if value is None:
        return _DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return str(value)


def write_pdf(client: Client, study_id: str, path: Path, *, check: Callable[[], None]) -> None:
    """Have a worker make the study's PDF and save it."""
    asked = {"study": study_id, "format": "pdf", "paper": "a4"}
    report = client.post(f"{API}/reports", asked)
    wait_for_job(client, f"{API}/reports/{report['id']}", what="The report", check=check)
    answer = client.expect("GET", f"{API}/reports/{report['id']}/file")
    if not answer.body.startswith(b"%PDF-"):
        raise Failure("The report is not a PDF")
    try:
        path.write_bytes(answer.body)
    except OSError as exc:
        raise Failure(f"The PDF could not be written to {path}: {exc.strerror}") from exc
    say(f"Wrote {path} ({len(answer.body) / 1000:,.0f} kB)")


def failed_checks(model_id: str, params: dict[str, Any], folder: Path) -> list[str]:
    """Run the published checks of the models used; returns a line for each that fails."""
    inputs = folder / "inputs.json"
    inputs.write_text(json.dumps(params))
    argv = [str(places.PYTHON), "-m", "ops.published", model_id, str(inputs)]
    checks = json.loads(TOOLS.run(argv, what="the published checks", cwd=places.ROOT))
    failed = [
        f"{check['model']}: {check['title']}: published {check['published']}, "
        f"ours {check['ours']} ({check['source']})"
        for check in checks
        if not check["ok"]
    ]
    models = len({check["model"] for check in checks})
    say(f"{len(checks) - len(failed)} of {len(checks)} published checks of {models} models hold")
    if not checks:
        raise Failure("The models behind the comparison have no published checks")
    return failed
