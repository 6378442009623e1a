"""A day of this decade to begin with: virtual machines on servers of 384 cores."""

from __future__ import annotations

from typing import Any

# Catalogue: dell-r7725-9965 (SPECpower_ssj2008, 2024): idle, then 10 to 100% load.
_POWER_W = (138.0, 297.0, 367.0, 438.0, 515.0, 593.0, 661.0, 710.0, 771.0, 812.0, 861.0)
_CORES = 384
# A core is 1,000 MIPS by convention: only shares of a host count. As one core a host serves
# a machine of any size.
_CORE_MIPS = 1000.0
# 24 modules of 64 GiB; machines with 4 GB for each of their cores, the clouds' general ratio.
_RAM_MB = 1_649_267.0
_SIZES_CORES = (4, 8, 16)
_MB_PER_CORE = 4_000.0


def start() -> dict[str, Any]:
    """240 machines of 4, 8 and 16 cores on 8 hosts of 384 cores and 1.5 TiB."""
    return {
        "hosts": [
            {
                "name": "2 x EPYC 9965, 384 cores (2024)",
                "hosts_count": 8,
                "cores_count": 1,
                "core_mips": _CORES * _CORE_MIPS,
                "ram_mb": _RAM_MB,
                "network_mbit_per_s": 25_000.0,
                "power_w": _POWER_W,
            }
        ],
        "machine_types": [
            {"mips": cores * _CORE_MIPS, "ram_mb": cores * _MB_PER_CORE} for cores in _SIZES_CORES
        ],
        "generated": {"machines_count": 240},
        "policies": [
            {"overload": "dvfs"},
            {"overload": "thr"},
            {"overload": "iqr", "safety_ratio": 1.5},
            {"overload": "lr", "safety_ratio": 1.2},
        ],
        "idle_ends_machine": False,
        "memory_limits": True,
    }


def paper() -> dict[str, Any]:
    """The article's hosts and machines, which move by CPU alone."""
    return {
        "generated": {"machines_count": 400},
        "policies": [
            {"overload": "npa"},
            {"overload": "dvfs"},
            {"overload": "thr"},
            {"overload": "iqr", "safety_ratio": 1.5},
            {"overload": "mad", "safety_ratio": 2.5},
            {"overload": "lr", "safety_ratio": 1.2},
        ],
    }
