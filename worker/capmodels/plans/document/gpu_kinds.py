"""Whether two names of GPUs are of one kind: by model, and by memory where both say it."""

from __future__ import annotations

import re

_MEMORY = re.compile(r"\b(\d+)\s*(?:gb|gib)\b")
# A maker, a form or a series in a name says nothing of the kind.
_APART = {"nvidia", "amd", "intel", "instinct", "tesla", "gpu", "tensor", "core", "pcie", "nvl"}
_FORM = re.compile(r"sxm\d?$")


def _kind(name: str) -> tuple[str, str]:
    """Model and memory of a name in small letters, the latter where it is said."""
    text = name.lower()
    memory = _MEMORY.search(text)
    words = re.split(r"[^a-z0-9]+", _MEMORY.sub(" ", text))
    model = "".join(word for word in words if word not in _APART and not _FORM.match(word))
    return model, memory.group(1) if memory else ""


def are_alike(first: str, second: str) -> bool:
    """Whether two names mean one kind of GPU.

    >>> are_alike("H100", "NVIDIA H100 SXM5 80 GB"), are_alike("NVIDIA H100", "NVIDIA H200")
    (True, False)
    >>> are_alike("A100 40 GB", "NVIDIA A100 SXM4 80 GB")
    False
    """
    (model, memory), (other, others) = _kind(first), _kind(second)
    return model == other and (memory == others or "" in {memory, others})
