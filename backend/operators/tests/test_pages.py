"""The operators' pages, served by their own process as their own role."""

from __future__ import annotations

import http.cookiejar
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import psycopg
import pytest
from django.utils import timezone

from accounts.limits import limits_set
from accounts.models import AuditEntry
from accounts.services import password_set
from common import quotas
from jobs.models import Computed, Job
from ops import places, postgres
from ops.net import port_of, take_port
from studies.services import study_create
from studies.tests.samples import study

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accounts.testing import Person

pytestmark = pytest.mark.db
EMAIL, PASSWORD = "ops@example.org", "a long password of an operator"
SETTINGS = ("--settings", "config.operators")


def operator_url() -> str:
    """The address of the tests' database as the operators' role."""
    parts = urlsplit(os.environ["DATABASE_OWNER_URL"])
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{postgres.OPERATOR}@{host}"))


def environment() -> dict[str, str]:
    """What the process is told: nothing of the app's."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
    return {
        **kept,
        "DATABASE_OPERATOR_URL": operator_url(),
        "OPERATORS_SECRET_KEY": "only-for-the-operators-of-the-tests-no-secret-at-all",
        "DJANGO_SETTINGS_MODULE": "config.operators",
    }


def manage(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    owner = {"DATABASE_OWNER_URL": os.environ["DATABASE_OWNER_URL"]}
    return subprocess.run(
        [sys.executable, str(places.MANAGE), "operator", *words, *SETTINGS],
        env=environment() | owner,
        input=stdin,
        check=False,
        capture_output=True,
        text=True,
    )


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_given: Any, **_named: Any) -> None:
        return None


@dataclass
class Browser:
    """A browser at the operators' process."""

    base: str
    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, form: dict[str, Any] | None = None) -> tuple[int, str]:
        """Ask for a page, or send a form; return status and text."""
        opener = urllib.request.build_opener(_Stay(), urllib.request.HTTPCookieProcessor(self.jar))
        held = {one.name: one.value or "" for one in self.jar}
        more = {"Cookie": "; ".join(f"{n}={v}" for n, v in self.cookies.items())}
        body = None
        if form is not None:
            token = held.get("operators_csrf", "")
            body = urlencode({**form, "csrfmiddlewaretoken": token}).encode()
        request = urllib.request.Request(self.base + path, body, more if self.cookies else {})
        try:
            with opener.open(request) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def sign_in(self, email: str = EMAIL, password: str = PASSWORD) -> tuple[int, str]:
        self.ask("login/")
        return self.ask("login/?next=/operators/", {"username": email, "password": password})


@pytest.fixture(scope="module")
def address(django_db_setup: None) -> Iterator[str]:
    """Start the pages as production does; return their address."""
    made = manage(EMAIL, stdin=f"{PASSWORD}\n")
    assert made.returncode == 0, made.stderr
    with take_port(0, what="the operators' pages") as taken:
        port = port_of(taken)
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "gunicorn", "config.operators_wsgi:application"),
                *("--bind", f"fd://{taken.fileno()}", "--no-control-socket"),
            ],
            env=environment(),
            pass_fds=[taken.fileno()],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr
        for line in process.stderr:
            if "Booting worker" in line:
                break
        try:
            yield f"http://127.0.0.1:{port}/operators/"
        finally:
            process.kill()
            process.wait()
            process.stderr.close()


@pytest.fixture
def ops(address: str, database: None) -> Browser:
    browser = Browser(address)
    status, text = browser.sign_in()
    assert status == 302, text
    return browser


def busy(person: Person) -> None:
    """Give a workspace something of each kind that is counted, and secrets in its contents."""
    with person.workspace():
        study_create(**study(title="Project Nightjar", draws_count=0))
        now = timezone.now()
        for state in (Job.State.QUEUED, Job.State.SUCCEEDED):
            Job.objects.create(
                kind="run",
                queue="batch",
                state=state,
                limit_s=60,
                submitted_at=now,
                payload={"secret": "Nightjar payload"},
                error={"code": "no_answer", "message": "Nightjar message"},
                progress_message="Nightjar progress",
            )
        Computed.objects.create(month=now.date().replace(day=1), seconds=90.0)


def usage_of(person: Person) -> dict[str, float]:
    with person.workspace():
        return {one.quota.name: one.used for one in quotas.usage()}


@pytest.mark.decisive
def test_what_is_shown_is_counted_as_the_quotas_count(ops: Browser, alice: Person) -> None:
    busy(alice)
    with psycopg.connect(operator_url()) as connection:
        row = connection.execute(
            "SELECT stored_mb, jobs, compute_minutes, members FROM operators.workspace"
            " WHERE id = %s",
            [alice.workspace_id],
        ).fetchone()
    assert row is not None
    names = ("stored_mb", "jobs", "compute_minutes", "members")
    assert dict(zip(names, map(float, row), strict=True)) == usage_of(alice)
    assert (row[1], row[2]) == (1, 1.5)
    status, text = ops.ask("operators/workspace/")
    assert status == 200
    assert re.search(r"Alice(&#x27;|')s", text)


def test_no_contents_are_on_any_page(ops: Browser, alice: Person) -> None:
    busy(alice)
    with alice.workspace():
        job = Job.objects.filter(state="queued").get()
    pages = [
        "",
        "operators/workspace/",
        "operators/job/",
        f"operators/job/{job.pk}/change/",
        f"operators/workspace/{alice.workspace_id}/change/",
        "operators/workspace/?q=Nightjar",
    ]
    for page in pages:
        status, text = ops.ask(page)
        assert status == 200, page
        assert "Nightjar" not in text.replace('value="Nightjar"', ""), page
        assert "alice@example.org" not in text, page


def test_the_role_reaches_what_it_is_shown_and_nothing_behind(ops: Browser, alice: Person) -> None:
    with psycopg.connect(operator_url(), autocommit=True) as connection:
        found = connection.execute(
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace"
            " AND c.relkind IN ('r', 'p', 'v') AND ("
            " has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))"
        ).fetchall()
        assert found == []
        found = connection.execute(
            "SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace"
            " AND p.prosecdef AND has_function_privilege(p.oid, 'EXECUTE')"
        ).fetchall()
        assert found == []
        columns = connection.execute(
            "SELECT table_name, string_agg(column_name, ' ' ORDER BY ordinal_position)"
            " FROM information_schema.columns WHERE table_schema = 'operators'"
            " AND table_name IN ('workspace', 'job') GROUP BY 1 ORDER BY 1"
        ).fetchall()
        assert columns == [
            (
                "job",
                "id workspace kind queue state attempt submitted_at started_at ended_at limit_s"
                " fault",
            ),
            (
                "workspace",
                "id name created_at deletes_at limits members jobs stored_mb compute_minutes",
            ),
        ]
        for forbidden in (
            "SELECT * FROM public.studies_study",
            "SELECT * FROM identity.accounts_user",
            "INSERT INTO operators.operator (email, password) VALUES ('x', 'x')",
            "UPDATE operators.operator SET is_active = true",
            "CREATE TABLE operators.mine (id int)",
            "UPDATE operators.workspace SET name = 'x'",
        ):
            with pytest.raises(psycopg.Error):
                connection.execute(forbidden)


def test_the_app_role_reaches_nothing_of_the_operators(ops: Browser) -> None:
    with (
        psycopg.connect(os.environ["DATABASE_URL"]) as connection,
        pytest.raises(psycopg.Error, match="permission denied"),
    ):
        connection.execute("SELECT * FROM operators.operator")


def test_limits_can_be_set_and_nothing_else(ops: Browser, alice: Person) -> None:
    with alice.workspace():
        limits_set(actor="operator", changes={"members": 3.0}, removed=set())
    page = f"operators/workspace/{alice.workspace_id}/change/"
    _, text = ops.ask(page)
    assert 'name="limit_members" value="3.0"' in text
    wrong = {"limit_jobs": "-1", "limit_members": "many"}
    status, text = ops.ask(page, wrong)
    assert (status, text.count("Enter a number of 0 or more")) == (200, 2)
    status, _ = ops.ask(page, {"limit_jobs": "20", "limit_stored_mb": "none", "name": "Mine now"})
    assert status == 302
    with alice.workspace():
        limits = {one.quota.name: one.limit for one in quotas.usage()}
        entry = AuditEntry.objects.filter(action="workspace.limits").latest("created_at")
    assert (limits["jobs"], limits["stored_mb"]) == (20, None)
    assert (entry.actor_email, entry.detail) == ("operator", {"jobs": 20.0, "stored_mb": None})
    assert alice.get("session").json()["workspace"]["name"] == "Alice's"
    for denied in (
        f"operators/workspace/{alice.workspace_id}/delete/",
        "operators/workspace/add/",
        "operators/job/add/",
    ):
        assert ops.ask(denied)[0] == 403
    assert ops.ask("operators/operator/")[0] == 404


def test_members_find_nothing_there_and_their_accounts_open_nothing(
    address: str, alice: Person, bob: Person
) -> None:
    for person in (alice, bob):
        for path in ("/operators/", "/operators/login/", "/operators/operators/workspace/"):
            assert person.client.get(path).status_code == 404
        password_set(account=person.account, password=PASSWORD)
        browser = Browser(address)
        browser.cookies = {"operators_session": person.client.cookies["ampacity_session"].value}
        browser.cookies["ampacity_session"] = browser.cookies["operators_session"]
        assert browser.ask("operators/workspace/")[0] == 302
        browser.cookies = {}
        assert browser.sign_in(person.account.email)[0] == 200
        assert browser.ask("operators/workspace/")[0] == 302


def test_guessing_an_operators_password_is_slowed_down(address: str, database: None) -> None:
    made = manage("slow@example.org", stdin=f"{PASSWORD}\n")
    assert made.returncode == 0, made.stderr
    browser = Browser(address)
    for _ in range(10):
        assert "correct email" in browser.sign_in("slow@example.org", "wrong")[1]
    status, text = browser.sign_in("Slow@example.org")
    assert (status, "Too many sign-ins" in text) == (200, True)
    # Others are not kept out.
    assert Browser(address).sign_in()[0] == 302


def test_an_account_needs_a_long_password_and_can_be_taken_away(
    address: str, database: None
) -> None:
    assert "at least 14" in manage("short@example.org", stdin="short\n").stderr
    assert manage("gone@example.org", stdin=f"{PASSWORD}\n").returncode == 0
    browser = Browser(address)
    assert browser.sign_in("gone@example.org")[0] == 302
    assert manage("gone@example.org", "--remove").returncode == 0
    assert browser.ask("")[0] == 302
    assert Browser(address).sign_in("gone@example.org")[0] == 200


def test_the_process_refuses_a_role_that_passes_by_the_policies(database: None) -> None:
    env = environment() | {"DATABASE_OPERATOR_URL": os.environ["DATABASE_OWNER_URL"]}
    done = subprocess.run(
        [sys.executable, "-c", "import config.operators_wsgi"],
        env=env,
        check=False,
        capture_output=True,
        text=True,
    )
    assert "owns the tables" in done.stderr
