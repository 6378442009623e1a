"""What the web answers, and how fast: signed in, production middleware, one web process.

Server times are the application's own, from ``Server-Timing``; rates are seen by clients
on the same machine, which share its processors with the server.
"""

import copy
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import psycopg

from bench._lib import Row, Running, at_least, at_most, percentile, private_stack, server_timing_ms

API = "/api/v1"
EVALUATE = "/evaluate?include=designs,break_evens,odds,rows"
STUDY = "rent-or-own"
MONTHS = 60
STUDIES = 10_000
REQUESTS = 300
RATE_S = 2.0
# A shared machine is slowed by its neighbours for seconds at a time, by up to a half: each
# figure of `evaluate` is that of the quietest round.
ROUNDS = 5
CLIENTS = 4
RUNS = 1_500
RUNS_IN_FLIGHT = 8
DRAWS = 10_000


class Browser:
    """A signed-in session on one kept connection."""

    def __init__(self, running: Running) -> None:
        """Use the stack's running web process."""
        self.address = urlsplit(running.stack.url).netloc
        self._connection = http.client.HTTPConnection(self.address, timeout=60)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}

    def sign_in(self, code: str) -> "Browser":
        """Exchange a one-time code for a session."""
        status, headers, body = self.send("POST", "/session", {"code": code})
        if status != 200:
            raise RuntimeError(f"sign-in gave {status}: {body[:300]!r}")
        cookies = SimpleCookie()
        for value in headers.get_all("Set-Cookie", []):
            cookies.load(value)
        jar = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
        self._headers |= {"Cookie": jar, "X-CSRFToken": cookies["csrftoken"].value}
        return self

    def again(self) -> "Browser":
        """Another connection of the same session."""
        other = copy.copy(self)
        other._connection = http.client.HTTPConnection(self.address, timeout=60)
        return other

    def head(self, method: str, path: str) -> bytes:
        """The head of a request that somebody else sends, but for the body's length."""
        lines = [f"{method} {API}{path} HTTP/1.1", f"Host: {self.address}"]
        lines += [f"{name}: {value}" for name, value in self._headers.items()]
        return ("\r\n".join(lines) + "\r\n").encode()

    def send(
        self, method: str, path: str, body: object = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Send one request; a body of bytes is sent as it is."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        self._connection.request(method, API + path, body=data, headers=self._headers)
        response = self._connection.getresponse()
        return response.status, response.headers, response.read()

    def _done(self, method: str, path: str, body: object) -> tuple[http.client.HTTPMessage, bytes]:
        status, headers, content = self.send(method, path, body)
        if not 200 <= status < 300:
            raise RuntimeError(f"{method} {path} gave {status}: {content[:300]!r}")
        return headers, content

    def timed_ms(self, method: str, path: str, body: object = None) -> float:
        """Send one request; return the server's own time. [ms]"""
        headers, _content = self._done(method, path, body)
        return server_timing_ms(headers["Server-Timing"], "app")

    def json(self, method: str, path: str, body: object = None) -> Any:
        """Send one request; return the answer."""
        return json.loads(self._done(method, path, body)[1])


def rows() -> Iterator[Row]:
    """Measure every row, in a stack of its own."""
    with private_stack() as running:
        browser = Browser(running).sign_in(running.stack.prepared["signin_code"])
        document = example(browser)
        # Runs first: the workers, just started, still compile beside what is measured.
        yield from run_rows(browser.again())
        yield from study_rows(browser.again(), document, running)
        yield from evaluate_rows(browser.again(), document)


def example(browser: Browser) -> dict[str, Any]:
    """The example of now, without its baseline and draws."""
    cards = browser.json("GET", "/studies?limit=200")["results"]
    study = next(card for card in cards if card["slug"] == STUDY)
    document: dict[str, Any] = browser.json("GET", f"/studies/{study['id']}/document")
    document["assumptions"]["horizon_months"] = MONTHS
    return {**document, "baseline": None, "draws_count": 0}


def with_designs(document: dict[str, Any], number: int) -> dict[str, Any]:
    """The document with so many designs: its own, then the same again under new letters."""
    own = document["designs"][:4]
    designs = [{**own[i % len(own)], "letter": "ABCDEFGH"[i]} for i in range(number)]
    letters = {design["letter"] for design in own}
    ranges = [
        item
        for item in document["ranges"]
        if not item["pointer"].startswith("/designs/") or item["pointer"][9] in letters
    ]
    return {**document, "designs": designs, "ranges": ranges}


def moved(document: dict[str, Any], step: int) -> bytes:
    """The body of an evaluation in which a slider stands elsewhere."""
    assumptions = {**document["assumptions"], "pue": 1.3 + (step % 1000) / 10_000}
    params = {**document, "assumptions": assumptions}
    return json.dumps({"model": "plans.compare", "params": params}).encode()


def evaluate_rows(browser: Browser, document: dict[str, Any]) -> Iterator[Row]:
    """Instant answers: at one client, at four, with draws."""
    four = with_designs(document, 4)
    bodies = [moved(four, step) for step in range(REQUESTS)]
    for body in bodies[:20]:
        browser.timed_ms("POST", EVALUATE, body)
    what = f"4 designs x {MONTHS} months, 1 client, quietest of {ROUNDS} rounds"
    yield at_most("evaluate-p95", what, "ms", quietest_p95_ms(browser, bodies), 10)
    rate = max(rate_per_s(browser, bodies) for _ in range(ROUNDS))
    yield at_least("evaluate-rate", f"the same, {CLIENTS} clients", "1/s", rate, 200)
    drawn = [moved({**four, "draws_count": DRAWS, "seed": seed}, seed) for seed in range(60)]
    for body in drawn[:5]:
        browser.timed_ms("POST", EVALUATE, body)
    what = f"4 designs, {DRAWS:,} draws, quietest of {ROUNDS} rounds"
    yield at_most("evaluate-draws-p95", what, "ms", quietest_p95_ms(browser, drawn), 80)


def quietest_p95_ms(browser: Browser, bodies: list[bytes]) -> float:
    """The smallest of the rounds' 95th percentiles of the server's own time. [ms]"""
    rounds = ([browser.timed_ms("POST", EVALUATE, body) for body in bodies] for _ in range(ROUNDS))
    return min(percentile(times, 0.95) for times in rounds)


def rate_per_s(browser: Browser, bodies: list[bytes]) -> float:
    """Answers a second that several clients get, each asking as soon as it was answered."""
    until = time.perf_counter() + RATE_S
    answered = [0] * CLIENTS

    def client(place: int) -> None:
        mine = browser.again()
        for step in count(place):
            mine.timed_ms("POST", EVALUATE, bodies[step % len(bodies)])
            if time.perf_counter() > until:
                return
            answered[place] += 1

    in_threads(client, CLIENTS)
    return sum(answered) / RATE_S


def in_threads(work: Callable[[int], None], number: int) -> None:
    """Do the same in several threads; an error in one is raised here."""
    errors: list[BaseException] = []

    def guarded(place: int) -> None:
        try:
            work(place)
        except BaseException as exc:
            errors.append(exc)

    threads = [threading.Thread(target=guarded, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def study_rows(browser: Browser, document: dict[str, Any], running: Running) -> Iterator[Row]:
    """The list of many studies, and what the comparison of eight designs asks for."""
    eight = with_designs(document, 8)
    study = create_study(browser, eight)
    fill(running, browser.json("GET", "/session")["workspace"]["id"], study["id"])
    browser = browser.again()  # the server has closed the idle connection
    pages = [f"/studies?sort={sort}" for sort in ("-updated_at", "title", "cost_usd")]
    cursor = browser.json("GET", "/studies?limit=50")["next_cursor"]
    pages += [f"/studies?cursor={cursor}", "/studies?q=number%2099"]
    for index, page in enumerate(pages):
        times = [browser.timed_ms("GET", page) for _ in range(60)]
        yield at_most(
            f"study-list-{index}", f"{STUDIES:,} studies, {page[8:][:24] or '-'}", "ms",
            percentile(times[10:], 0.95), 40,
        )  # fmt: skip
    path = f"/studies/{study['id']}"
    bodies = [moved(eight, step) for step in range(110)]
    times = [
        browser.timed_ms("GET", path) + browser.timed_ms("POST", EVALUATE, body) for body in bodies
    ]
    yield at_most(
        "compare-page", "study and answer, 8 designs", "ms", percentile(times[10:], 0.95), 40
    )


def create_study(browser: Browser, document: dict[str, Any]) -> Any:
    """Store a document as a study."""
    designs = [
        {
            **{key: design[key] for key in ("letter", "title", "kind")},
            "spec": {k: v for k, v in design.items() if k not in {"letter", "title", "kind"}},
        }
        for design in document["designs"]
    ]
    fields = {key: document[key] for key in ("workload", "assumptions", "ranges")}
    body = {"title": "Eight designs", **fields, "designs": designs}
    return browser.json("POST", "/studies", body)


def fill(running: Running, workspace_id: str, study_id: str) -> None:
    """Multiply a study with its designs in the database, as the app role."""
    with psycopg.connect(running.environment()["DATABASE_URL"]) as connection:
        connection.execute("SELECT set_config('app.workspace', %s, true)", (workspace_id,))
        connection.execute(
            "CREATE TEMPORARY TABLE many AS"
            " SELECT n, gen_random_uuid() AS id FROM generate_series(1, %s) n",
            (STUDIES,),
        )
        new_study = {
            "id": "many.id",
            "slug": "'number-' || many.n",
            "title": "'Number ' || many.n",
            "updated_at": "t.updated_at - many.n * interval '1 minute'",
        }
        new_design = {"id": "gen_random_uuid()", "study_id": "many.id"}
        for table, key, new in (
            ("studies_study", "id", new_study),
            ("studies_design", "study_id", new_design),
        ):
            cursor = connection.execute(f"SELECT * FROM {table} LIMIT 0")
            names = [column.name for column in cursor.description or ()]
            values = ", ".join(new.get(name, f"t.{name}") for name in names)
            connection.execute(
                f"INSERT INTO {table} ({', '.join(names)})"
                f" SELECT {values} FROM {table} t, many WHERE t.{key} = %s",
                (study_id,),
            )


def run_rows(browser: Browser) -> Iterator[Row]:
    """Closed-form runs, from the first POST until the last has ended."""
    taken = iter(range(RUNS))
    lock = threading.Lock()

    def client(_place: int) -> None:
        mine = browser.again()
        while True:
            with lock:
                number = next(taken, None)
            if number is None:
                return
            params = {"electricity_usd_per_kwh": 0.1 + number * 1e-4}
            mine.json("POST", "/runs", {"model": "cost.owned_vs_cloud", "params": params})

    started = time.perf_counter()
    in_threads(client, RUNS_IN_FLIGHT)
    while browser.json("GET", "/runs?state=queued")["results"]:
        time.sleep(0.02)
    while browser.json("GET", "/runs?state=running")["results"]:
        time.sleep(0.02)
    rate = RUNS / (time.perf_counter() - started)
    yield at_least("runs-over-http", f"{RUNS:,} closed-form runs, {RUNS_IN_FLIGHT} clients", "1/s",
                   rate, 120)  # fmt: skip
