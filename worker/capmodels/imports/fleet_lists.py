"""Lists of machines that tools of assessment export or take: a table of columns each.

Columns of Azure Migrate's import template (Microsoft Learn, "Assess servers using an imported CSV
file"), of Live Optics' sheet of virtual machines, and of views of VMware Aria Operations (vRealize
Operations), whose names are "group|metric (unit)".
"""

from __future__ import annotations

from capmodels.imports.fleet_source import FleetSource

_AZURE_MIGRATE = b"""\
*Server name,IP addresses,*Cores,*Memory (In MB),*OS name,OS version,OS architecture,\
CPU utilization percentage,Memory utilization percentage,Number of disks,Disk 1 size (In GB),\
Disk 2 size (In GB)
srv1,,8,32768,Windows Server 2019,,64,25,60,2,100,500
srv2,,16,65536,Ubuntu 22.04,,64,10,40,1,200,
"""
_LIVE_OPTICS = b"""\
VM Name,Power State,Virtual CPU,Provisioned Memory (MiB),Virtual Disk Size (MiB),\
Virtual Disk Used (MiB),Guest OS
vm1,poweredOn,4,8192,102400,51200,Linux
vm2,poweredOff,2,4096,51200,100,Linux
"""
_ARIA = b"""\
Name,CPU|Usage (%),CPU|Number of vCPUs,Memory|Total Capacity (KB),Memory|Usage (%),\
Disk Space|Virtual Machine Used (GB)
vm1,12.5,4,8388608,40,50
vm2,50,8,16777216,60,80
"""

IMPORTERS = tuple(
    one.importer()
    for one in (
        FleetSource(
            id="azure_migrate",
            title="Azure Migrate's list of servers",
            needed=("name", "cores", "ram"),
            sign=r"\(In (MB|GB)\)",
            machine={
                "name": ("servername", ""),
                "cores": ("cores", ""),
                "ram": ("memory", "mib"),
                "disk": (r"disk\d+size", "gb"),
                "busy": ("cpuutilizationpercentage", "%"),
            },
            used={"listed": ("memoryutilizationpercentage", "%")},
            are_virtual=False,
            sample=_AZURE_MIGRATE,
        ),
        FleetSource(
            id="live_optics",
            title="Live Optics' list of virtual machines",
            needed=("name", "cores", "ram"),
            sign=r"^Virtual (CPU|Disk)",
            machine={
                "name": ("vmname", ""),
                "status": ("powerstate", ""),
                "cores": ("virtualcpus?", ""),
                "ram": ("provisionedmemory", "mib"),
                # what is used of the disks, as that is the data; else what they can hold
                "disk": ("virtualdiskused|guestvmdiskused", "mib"),
            },
            used={"peak": ("peakmemoryused", "mib"), "mean": ("averagememoryused", "mib")},
            are_virtual=True,
            sample=_LIVE_OPTICS,
        ),
        FleetSource(
            id="aria",
            title="VMware Aria Operations' list of virtual machines",
            needed=("name", "cores", "ram"),
            sign=r"^(CPU|Memory|Configuration)\|",
            machine={
                "name": ("name|objectname|vm|virtualmachine", ""),
                "status": ("summaryruntimepowerstate|systempowerstate|runtimepowerstate", ""),
                "cores": (
                    r"cpunumberofv(irtual)?cpus|cpucorecountprovisioned|cpucorecount|"
                    r"configurationhardwarenumberofcpus?",
                    "",
                ),
                "ram": (
                    r"memorytotalcapacity|memoryguestconfiguredmemory|memorycapacity|"
                    r"configurationhardwarememory(size)?",
                    "kib",
                ),
                "disk": ("diskspacevirtualmachineused|diskspacetotalused", "gb"),
                "busy": ("cpuusage", "%"),
            },
            used={"listed": ("memoryusage", "%")},
            are_virtual=True,
            sample=_ARIA,
        ),
    )
)
