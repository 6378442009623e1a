"""What of a disk array does not go together: its layout, drives, spares, sleep and growth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.errors import ModelError
from capmodels.plans.document.array_code import code_findings, code_growth_findings
from capmodels.plans.document.fields import Finding
from capmodels.storage.drive.times import seek_curve

if TYPE_CHECKING:
    from capmodels.plans.document.array_spec import ArraySpec

LEAST_PER_GROUP: dict[str, int] = {
    "raid5": 3,
    "raid6": 4,
    "raid7": 5,
    "raid10": 2,
    "mirrored_sets": 2,
    "draid1": 2,
    "draid2": 3,
    "draid3": 4,
}


def array_findings(array: ArraySpec) -> list[Finding]:
    """Find every part of an array that does not go with the others."""
    sleeps = array.power_policy.kind == "threshold"
    if array.code is None:
        findings = _layout_findings(array)
    else:
        findings = code_findings(array.code, array.disks_count, sleeps=sleeps)
    findings += _seek_findings(array)
    if sleeps:
        findings += _sleep_findings(array)
    if array.spares_sleep:
        findings += _spare_findings(array)
    if array.count is None and array.expansion.kind == "steps" and not findings:
        findings += _growth_findings(array)
    return findings


def _growth_findings(array: ArraySpec) -> list[Finding]:
    if array.code is not None:
        return code_growth_findings(array.code)
    step, unit = array.expansion.step_count, array.least_step_count
    if step is None:
        return []
    at = ("expansion", "step_count")
    if step > array.disks_count:
        sentence = f"An array holds {array.disks_count} drives. Enter at most as many here."
        return [Finding(at, "too_many", sentence, step)]
    if step % unit and step != array.disks_count:
        sentence = (
            f"This layout grows by {unit} drives at a time. "
            f"Enter a number that {unit} divides, or leave it empty."
        )
        return [Finding(at, "not_whole_groups", sentence, step)]
    return []


def _seek_findings(array: ArraySpec) -> list[Finding]:
    drive = array.drive
    if drive.kind != "hdd":
        return []
    try:
        curve = seek_curve(drive)
    except ModelError as exc:
        return [Finding(("drive", "seek"), "no_curve", str(exc))]
    if curve is not None:
        return []
    sentence = "The plan needs a three-point seek curve. Enter least, mean and longest seek."
    return [Finding(("drive", "seek"), "wrong_kind", sentence)]


def _layout_findings(array: ArraySpec) -> list[Finding]:
    layout, disks, width = array.layout, array.disks_count, array.per_group
    least = {"raid1": 2, "raid10": 4}.get(layout, LEAST_PER_GROUP.get(layout, 1))
    if disks < least:
        sentence = f"This layout needs at least {least} drives. Enter at least {least}."
        return [Finding(("disks_count",), "too_few", sentence, disks)]
    if layout == "single" and disks > 1:
        sentence = f"A single drive is one, not {disks}. Enter 1, or choose another layout."
        return [Finding(("disks_count",), "too_many", sentence, disks)]
    if width < LEAST_PER_GROUP.get(layout, 1):
        sentence = f"A group needs at least {LEAST_PER_GROUP[layout]} drives."
        return [Finding(("disks_per_group",), "too_few", sentence, width)]
    if array.declustered:
        return _stripe_findings(array)
    if disks % width:
        sentence = (
            f"{disks} drives do not make groups of {width}. "
            f"Enter a number of drives that {width} divides."
        )
        return [Finding(("disks_count",), "not_whole_groups", sentence, disks)]
    return []


def _stripe_findings(array: ArraySpec) -> list[Finding]:
    if array.per_group <= array.disks_count:
        return []
    sentence = (
        f"A stripe of {array.per_group} drives needs as many besides the spares; there are "
        f"{array.disks_count}. Enter a narrower stripe, or more drives."
    )
    return [Finding(("disks_per_group",), "too_many", sentence, array.per_group)]


def _spare_findings(array: ArraySpec) -> list[Finding]:
    at = ("spares_sleep",)
    if array.declustered:
        sentence = "Spare room of a declustered array is on drives that serve, so it cannot sleep."
        return [Finding(at, "cannot_sleep", sentence)]
    if array.code is not None:
        sentence = "A cluster has room on its drives in place of hot spares, so none can sleep."
        return [Finding(at, "cannot_sleep", sentence)]
    if array.drive.kind == "hdd" and array.drive.standby is None:
        sentence = "This drive has no standby. Enter its standby, or let the spares idle."
        return [Finding(at, "cannot_sleep", sentence)]
    return []


def _sleep_findings(array: ArraySpec) -> list[Finding]:
    if array.drive.kind == "hdd" and array.drive.standby is not None:
        return []
    sentence = (
        "This drive has no sleeping state, so it cannot be spun down. Enter its standby, or "
        "keep it always on."
    )
    return [Finding(("power_policy", "kind"), "cannot_sleep", sentence)]
