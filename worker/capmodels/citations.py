"""Works that several models come from, as they are cited."""

from __future__ import annotations

HUANG_2006 = (
    "H. Huang, Exploiting Unused Storage Resources to Enhance Systems' Energy Efficiency, "
    "Performance, and Fault-Tolerance, PhD thesis, University of Michigan, 2006"
)
