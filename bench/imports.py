"""Files that a planner imports: a bill of 8 million rows, in a process of its own."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench._lib import Row, at_most

ROWS = 8_000_000
_GENERATE = """
import duckdb, sys
duckdb.sql('''COPY (SELECT 'USD' AS BillingCurrency, DATE '2026-01-01' + INTERVAL (i % 12) MONTH
  AS BillingPeriodStart, CAST(i * 7919 % 100003 AS DECIMAL(9, 0)) * 0.001 AS BilledCost,
  CAST(i * 7919 % 100003 AS DECIMAL(9, 0)) * 0.001 AS EffectiveCost, 'Usage' AS ChargeCategory,
  'Compute' AS ServiceCategory, 'service ' || (i % 60) AS ServiceName,
  '$0.1 per m5.large Instance Hour, price ' || (i % 3000) AS ChargeDescription,
  'Hours' AS PricingUnit,
  CAST(i % 24 AS DECIMAL(20, 10)) AS PricingQuantity, 'resource ' || i AS ResourceId,
  '{{"team": "' || (i % 50) || '"}}' AS Tags FROM range({rows}) t(i))
  TO '{path}' (FORMAT parquet)'''.format(rows=sys.argv[1], path=sys.argv[2]))
"""
_READ = """
import json, resource, sys, time
from pathlib import Path
from capmodels.imports.registry import recognised
from capmodels.imports.table import open_table
started = time.perf_counter()
table = open_table(Path(sys.argv[1]))
bill = recognised(table.columns).read(table, lambda _share, _said: None)
print(json.dumps({
    "s": time.perf_counter() - started,
    "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    "billed": bill["totals"]["billed"],
    "rows": bill["totals"]["rows_count"],
}))
"""


def _python(program: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *words], check=True, capture_output=True, text=True
    )
    return done.stdout


def _billed(rows: int) -> float:
    """What the generated bill comes to, by hand."""
    return sum(i * 7919 % 100003 for i in range(rows)) / 1000


def rows() -> Iterator[Row]:
    """Measure reading the bill, and that its sum is exact."""
    with tempfile.TemporaryDirectory(prefix="ampacity-bench-") as folder:
        path = Path(folder) / "bill"
        _python(_GENERATE, str(ROWS), str(path))
        found = json.loads(_python(_READ, str(path)))
    yield at_most("imports.focus_s", "FOCUS Parquet of 8 M rows", "s", found["s"], 40.0)
    yield at_most("imports.focus_mb", "the same, memory of the process", "MB", found["mb"], 1000.0)
    off = abs(float(found["billed"]) - _billed(ROWS))
    yield at_most("imports.focus_cents", "the same, off the sum of its rows", "USD", off, 0.005)
