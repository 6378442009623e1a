"""Whether two names of GPUs are of one kind: by model, and by memory where both say it."""

from __future__ import annotations

import re

from capmodels.serving.accelerators import ACCELERATORS

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


def accelerator_named(kind: str | None) -> str | None:
    """Return the accelerator that a name of GPUs means; None where none of the list is it.

    A form that is not said is the one of servers of eight.

    >>> accelerator_named("NVIDIA H100"), accelerator_named("NVIDIA H100 PCIe")
    ('NVIDIA H100 SXM', 'NVIDIA H100 PCIe')
    >>> accelerator_named("AMD Instinct MI300X"), accelerator_named("NVIDIA A100 40 GB")
    ('AMD MI300X', 'NVIDIA A100 SXM 40 GB')
    """
    if kind is None:
        return None
    alike = [name for name in ACCELERATORS if are_alike(kind, name)]
    for form in ("PCIe", "NVL"):
        said = [name for name in alike if form in name]
        if form.lower() in kind.lower() and said:
            return said[0]
    plain = [name for name in alike if "PCIe" not in name and "NVL" not in name]
    return next(iter([*plain, *alike]), None)
