"""What a field is called on screen unless its model says so: its name without the unit."""

from __future__ import annotations

import re

# A field's title is its name without the unit, which the schema gives beside it.
_UNIT_SUFFIX = re.compile(
    r"(_usd)?(_per_[a-z0-9_]+|_(w|kw|kwh|j|h|years|months|s|ms|us|ns|fraction|ratio|count|usd"
    r"|nj|ma|v|tokens|flop|bytes|tb|gb|gib|mb|mib|mips|rpm|ghz|c|kgco2e|gco2e|at))?$"
)
_WORDS = {
    "utilization": "utilisation",
    "pue": "PUE",
    "ram": "RAM",
    "cpu": "CPU",
    "kv": "KV",
    "ttft": "TTFT",
    "tpot": "TPOT",
    "api": "API",
    "gpu": "GPU",
    "iops": "IOPS",
    "nic": "NIC",
    "vcpu": "vCPU",
    "npv": "NPV",
    "ssd": "SSD",
    "hdd": "HDD",
    "fte": "FTE",
    "tco": "TCO",
    "afr": "AFR",
    "mttr": "MTTR",
    "mttf": "MTTF",
    "mttdl": "MTTDL",
    "kwh": "kWh",
    # What is called by its unit alone; the unit beside it says whose money it is.
    "usd": "cost",
}


def title_of(name: str, _info: object = None) -> str:
    """Return the title of a field, as pydantic asks for it."""
    words = _UNIT_SUFFIX.sub("", name).split("_") if name not in _WORDS else [name]
    text = " ".join(_WORDS.get(word, word) for word in words if word) or name
    return text[0].upper() + text[1:]
