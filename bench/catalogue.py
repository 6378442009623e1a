"""The catalogue with very many entries: search, filters and order, as the server times them."""

import json
from collections.abc import Iterator

import psycopg

from bench._lib import Row, Running, at_most, percentile, private_stack
from bench.http import Browser

ENTRIES = 100_000
REQUESTS = 60
MOST_MS = 50
_ASKED = (
    "kind=instance",
    "kind=instance&sort=price_usd",
    "kind=instance&sort=-ram_gib&cores_count_least=32&price_usd_most=4",
    "kind=instance&q=number+99",
    "kind=instance&q=64+vcpu+frankfurt&sort=price_usd",
    "kind=instance&provider=provider-7&region=region-11&sort=title",
    "q=nothing+has+this",
)


def rows() -> Iterator[Row]:
    """Measure every row, in a stack of its own."""
    with private_stack() as running:
        browser = Browser(running).sign_in(running.stack.prepared["signin_code"])
        fill(running, browser.json("GET", "/session")["workspace"]["id"])
        browser = browser.again()
        for number, query in enumerate(_ASKED):
            path = f"/catalogue/entries?{query}"
            times = [browser.timed_ms("GET", path) for _ in range(REQUESTS)]
            title = f"{ENTRIES:,} entries, {query[:40]}"
            yield at_most(f"catalogue-{number}", title, "ms", percentile(times[10:], 0.95), MOST_MS)


def fill(running: Running, workspace_id: str) -> None:
    """Put so many own entries into the database, with the keys that they would have."""
    value = {"unit": "USD/h", "quality": "typed", "source": "Typed in", "url": None}
    value |= {"as_of": None, "low": None, "high": None, "note": ""}
    values = {name: {**value, "value": 1} for name in ("usd_per_h", "vcpu_count", "ram_gib")}
    with psycopg.connect(running.environment()["DATABASE_URL"]) as connection:
        connection.execute("SELECT set_config('app.workspace', %s, true)", (workspace_id,))
        connection.execute(
            """
            INSERT INTO catalogue_entry (id, workspace_id, slug, kind, title, "values", position,
                revision, created_at, updated_at, search_text, provider, region, price_usd,
                cores_count, ram_gib)
            SELECT gen_random_uuid(), %s, 'number-' || n, 'instance', 'Number ' || n, %s, n, 1,
                now(), now(), ' number ' || n || ' number-' || n || ' instance  provider-'
                || n %% 10 || ' region-' || n %% 40 || CASE WHEN n %% 40 = 3 THEN ' frankfurt'
                ELSE '' END || '  ' || 2 ^ (n %% 8) || 'vcpu ', 'provider-' || n %% 10,
                'region-' || n %% 40, (n * 7919 %% 100000) / 10000.0, 2 ^ (n %% 8), 2 ^ (n %% 10)
            FROM generate_series(1, %s) n
            """,
            (workspace_id, json.dumps(values), ENTRIES),
        )
    with psycopg.connect(running.stack.owner_url, autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE catalogue_entry")
