"""What a planner reads for the kinds of an array's parts; forms and sentences have them of here."""

from __future__ import annotations

DISPATCHES = {
    "primary_first": "First disk, by queue length",
    "response_time": "First disk, by response time",
    "shortest_queue": "Shortest queue",
    "nearest_head": "Nearest head",
    "random": "At random",
    "round_robin": "In turn",
}
SCHEDULERS = {
    "fcfs": "First come, first served",
    "sstf": "Shortest seek first",
    "look": "LOOK, back and forth",
    "clook": "C-LOOK, upwards by sector",
    "sptf": "Shortest seek and turn first",
}


def inside(words: str) -> str:
    """Words as they stand within a sentence."""
    return words if words[:2].isupper() else words[:1].lower() + words[1:]
