"""What the processes that work on jobs count."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

ENDED = Counter("ampacity_jobs_ended", "Jobs that ended, by how", ["kind", "state"])
LEASES_LOST = Counter(
    "ampacity_leases_lost", "Jobs taken again, as the process before did not bring an end", ["kind"]
)
TOOK_S = Histogram(
    "ampacity_job_seconds",
    "Time from claiming a job to its end",
    ["kind"],
    buckets=(0.01, 0.04, 0.16, 0.64, 2.56, 10, 40, 160, 640, 3600),
)
