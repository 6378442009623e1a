"""What the name of a machine type says of its size, where no catalogue holds the type.

Sources: AWS, "Amazon EC2 instance type naming conventions" and the sizes of general, compute
and memory optimised instances; Azure, "VM sizes naming conventions" (the number is that of the
vCPUs) and the D, E and F series; Google, "Machine families" (the number is that of the vCPUs).
"""

from __future__ import annotations

import re

from capmodels.imports.registry import Size

# Which fixed names of sizes have how many vCPUs; "4xlarge" has four times those of an xlarge.
_XLARGE = 4.0
_AWS_SIZES = {"medium": 1.0, "large": 2.0, "xlarge": _XLARGE}
# GiB of RAM for a vCPU, by the letter of the family; families of other letters have their own.
_AWS_GIB = {"c": 2.0, "m": 4.0, "r": 8.0}
_AWS_OTHERS = frozenset({("c", "5", "n")})  # 2.625 GiB
_AZURE_GIB = {"D": 4.0, "E": 8.0, "F": 2.0}
_GOOGLE_GIB = {"standard": 4.0, "highmem": 8.0}
_GOOGLE_SERIES = frozenset({"e2", "n2", "n2d", "c2", "c2d", "t2d", "c3d"})

_AWS = re.compile(r"^([cmr])([5-9]|\d\d)([a-z-]*)\.(\d*)(x?large|medium)$")
_AZURE = re.compile(r"^(?:Standard_)?([DEF])(\d+)(-\d+)?([a-z]*)_v([3-9])$", re.IGNORECASE)
# A custom machine of Google: its vCPUs and its MiB ("Create a VM with a custom machine type").
_CUSTOM = re.compile(r"^[a-z]\d[a-z]?-custom-(\d+)-(\d+)$")
_GOOGLE = re.compile(r"^([a-z]\d[a-z]?)-(standard|highmem)-(\d+)$")


def size_by_name(name: str) -> Size | None:
    """Return cores and RAM that a type's name says; None where it does not say both.

    >>> size_by_name("m5.2xlarge"), size_by_name("r6g.16xlarge").ram_gib
    (Size(vcpus_count=8.0, ram_gib=32.0, perf_per_vcpu_ratio=None), 512.0)
    >>> size_by_name("Standard_E8s_v5").ram_gib, size_by_name("n2-highmem-4").ram_gib
    (64.0, 32.0)
    >>> size_by_name("n2-custom-1-6144").ram_gib
    6.0
    >>> size_by_name("x2idn.metal") is None
    True
    """
    if found := _AWS.match(name):
        return _aws(found)
    if found := _AZURE.match(name.replace(" ", "_")):
        # "i", "b", "p" and others may change the ratio; constrained sizes ("-4") do change it.
        usual = found[3] is None and set(found[4].lower()) <= set("asdl") and "l" not in found[4]
        count = float(found[2])
        return Size(count, count * _AZURE_GIB[found[1].upper()]) if usual else None
    if (found := _GOOGLE.match(name)) and found[1] in _GOOGLE_SERIES:
        count = float(found[3])
        return Size(count, count * _GOOGLE_GIB[found[2]])
    if found := _CUSTOM.match(name):
        return Size(float(found[1]), float(found[2]) / 1024.0)
    return None


def _aws(found: re.Match[str]) -> Size | None:
    times, size = found[4], found[5]
    if (times and size != "xlarge") or found.groups()[:3] in _AWS_OTHERS:
        return None
    count = _AWS_SIZES[size] * (float(times) if times else 1.0)
    return Size(count, count * _AWS_GIB[found[1]])
