"""What a charge is for, from its service, words and unit: the first rule that fits.

The words are those of the providers' own bills: AWS's descriptions and usage types, Azure's
meters, Google's SKUs. What no rule knows is not placed, and told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from capmodels.imports.charges import Group

Place = Literal["instances", "storage", "transfer", "other", "apart", "unplaced"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of charge: where it stands in a study, and how its quantity is said."""

    id: str
    label: str
    place: Place
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind, and the words that a charge of it has: all patterns that are given must be found."""

    kind: Kind
    words: str = ""
    service: str = ""
    unit: str = ""

    def fits(self, group: Group, words: str) -> bool:
        """Whether a charge is of this kind."""
        return (
            _has(self.words, words)
            and _has(self.service, f"{group.service_category} {group.service}")
            and _has(self.unit, group.unit)
        )


def _has(pattern: str, text: str) -> bool:
    return not pattern or re.search(pattern, text, re.IGNORECASE) is not None


TAX = Kind("tax", "Taxes", "apart")
CREDIT = Kind("credit", "Credits", "apart")
REFUND = Kind("refund", "Refunds and corrections", "apart")
ADJUSTMENT = Kind("adjustment", "Adjustments", "apart")
UNUSED = Kind("unused_commitment", "Commitments that were not used", "other")
PURCHASE = Kind("purchase", "Fees and commitments bought", "other")
INSTANCES = Kind("instances", "Instances", "instances", "h")
BLOCK = Kind("block", "Block storage", "storage", "GB-month")
SNAPSHOTS = Kind("snapshots", "Snapshots and backups", "storage", "GB-month")
OBJECT = Kind("object", "Object storage", "storage", "GB-month")
ARCHIVE = Kind("archive", "Archive storage", "storage", "GB-month")
FILES = Kind("files", "File storage", "storage", "GB-month")
EGRESS = Kind("egress", "Transfer to the internet", "transfer", "GB")
INGRESS = Kind("ingress", "Transfer in", "transfer", "GB")
CROSS_ZONE = Kind("cross_zone", "Transfer between zones", "transfer", "GB")
CROSS_REGION = Kind("cross_region", "Transfer between regions", "transfer", "GB")
CDN = Kind("cdn", "Content delivery", "transfer", "GB")
NAT = Kind("nat", "NAT gateways", "other")
REQUESTS = Kind("requests", "Requests to storage", "other")
VOLUME_EXTRAS = Kind("volume_extras", "IOPS and throughput of volumes", "other")
BALANCERS = Kind("balancers", "Load balancers", "other")
ADDRESSES = Kind("addresses", "IP addresses", "other")
NETWORK = Kind("network", "Other networking", "other")
DATABASES = Kind("databases", "Databases and caches", "other")
CONTAINERS = Kind("containers", "Containers and functions", "other")
ANALYTICS = Kind("analytics", "Analytics, search and messaging", "other")
WATCHING = Kind("watching", "Monitoring, logs and management", "other")
SECURITY = Kind("security", "Identity and security", "other")
SUPPORT = Kind("support", "Support", "other")
SOFTWARE = Kind("software", "Licences and marketplace", "other")
COMPUTE = Kind("compute", "Other compute", "other")
STORAGE = Kind("storage", "Other storage", "other")
SERVICES = Kind("services", "Other services", "other")
UNPLACED = Kind("unplaced", "Not placed", "unplaced")

KINDS: tuple[Kind, ...] = tuple(
    value for value in globals().copy().values() if isinstance(value, Kind)
)

_BY_CATEGORY = {"tax": TAX, "credit": CREDIT, "refund": REFUND, "adjustment": ADJUSTMENT}
_GIGABYTES = r"^(\d+ )?(GB|GiB|TB|TiB|gibibyte|gigabyte)s?$"
_GB_MONTHS = r"(GB|GiB|TB|TiB|gibibyte|gigabyte)s?[-/ .]?(Mo|month)|^1 ?/ ?month$|GB-Mo"
_STORED = r"database|cache|redis|dynamo|aurora|\brds\b|spanner|cosmos|bigtable|memcache|sql"

# Azure bills a disk by its size class, not by what it holds: GiB of each class, of Microsoft Learn,
# "Azure managed disk types".
_DISK_GIB = {
    1: 4, 2: 8, 3: 16, 4: 32, 6: 64, 10: 128, 15: 256, 20: 512, 30: 1024, 40: 2048, 50: 4096,
    60: 8192, 70: 16384, 80: 32767,
}  # fmt: skip
_DISK_CLASS = re.compile(r"\b[PES](\d{1,2}) (?:[LZ]RS )?Disks?\b(?! mount)", re.IGNORECASE)

# AWS names an instance as family.size; Azure and Google have their own ways, below.
INSTANCE_TYPES = (
    re.compile(
        r"(?<![\w.])([a-z][a-z0-9-]{0,12}\d[a-z0-9-]*\.(?:\d{0,3}x?large|medium|"
        r"small|micro|nano|metal(?:-\w+)?))\b"
    ),
    re.compile(r"\b(Standard_[A-Z]\w+)\b"),
    re.compile(
        r"\b([acefmngtzh]\d\w{0,2}-(?:standard|highmem|highcpu|megamem|ultramem|"
        r"highgpu|megagpu|micro|small|medium)(?:-\d+\w*)?)\b"
    ),
)

# Google bills a machine by its cores and by its RAM, each with its family; without one, of N1.
_PART = re.compile(
    r"^(?:Spot Preemptible )?(?:(?P<family>[A-Z]\d[A-Z]?) |(?P<c2>Compute optimized )|"
    r"(?P<m1>Memory-optimized ))?(?:(?:AMD|Arm|Predefined|Custom|Memory-optimized|Instance|"
    r"Sole Tenancy) )*(?P<part>Core|Ram) running in ",
    re.IGNORECASE,
)

RULES: tuple[Rule, ...] = (
    Rule(SUPPORT, service=r"\bsupport\b(?! for)|business support|enterprise support"),
    Rule(SOFTWARE, words=r"marketplace|software usage|licen[cs]e"),
    Rule(NAT, words=r"nat ?gateway|cloud nat"),
    Rule(CDN, service=r"cloudfront|content delivery|\bcdn\b|front door"),
    Rule(
        CROSS_ZONE,
        words=(
            r"regional data transfer|DataTransfer-Regional|between .*\bAZ|inter.?zone|"
            r"intra.?region|availability zone"
        ),
        unit=_GIGABYTES,
    ),
    Rule(
        INGRESS,
        words=r"data transfer in\b|DataTransfer-In-Bytes|-In-Bytes|ingress|transfer in\b",
        unit=_GIGABYTES,
    ),
    Rule(
        CROSS_REGION,
        words=(
            r"data transfer (to|from) |AWS-Out-Bytes|inter.?region|"
            r"data transfer out of .* to cloudfront|between .* and "
        ),
        unit=_GIGABYTES,
    ),
    Rule(
        EGRESS,
        words=(
            r"data transfer out|DataTransfer-Out-Bytes|egress|transfer out|"
            r"internet data|rtn preference|outgoing traffic|outbound data"
        ),
        unit=_GIGABYTES,
    ),
    Rule(DATABASES, service=_STORED),
    Rule(
        VOLUME_EXTRAS,
        words=r"provisioned (iops|mibps|throughput)|iops-month|mibps-month|I/O requests",
        service=r"compute|storage|disk|ebs|block",
    ),
    Rule(SNAPSHOTS, words=r"snapshot|backup"),
    Rule(FILES, words=r"elastic file|\befs\b|\bfsx\b|azure files|filestore|netapp|file storage"),
    Rule(FILES, words=r"\bfiles\b", service=r"storage", unit=_GB_MONTHS),
    Rule(
        REQUESTS,
        service=r"simple storage|storage|blob|\bs3\b",
        words=r"request|operations|retrieval",
        unit=r"request|operation|^count$|10K|1K|^(\d+ )?(GB|GiB)s?$|^$",
    ),
    Rule(ARCHIVE, words=r"glacier|archive|deep freeze|coldline", unit=_GB_MONTHS),
    Rule(
        OBJECT,
        words=r"simple storage|\bs3\b|blob|cloud storage|bucket|object|TimedStorage|data stored",
        unit=_GB_MONTHS,
        service=r"storage|blob|\bs3\b",
    ),
    Rule(
        BLOCK,
        words=(
            r"provisioned storage|EBS:Volume|VolumeUsage|managed disk|\bgp[23]\b|"
            r"\bio[12]\b|\bst1\b|\bsc1\b|pd capacity|persistent disk|hyperdisk|"
            r"ssd.* disk|premium ssd|block.?(storage|volume)|cloud volume"
        ),
        unit=r"",
    ),
    Rule(ADDRESSES, words=r"ip ?v?4? address|elastic ip|public ip|static ip"),
    Rule(BALANCERS, words=r"load ?balanc|\bLCU\b|application gateway|forwarding rule"),
    Rule(
        CONTAINERS,
        words=(
            r"fargate|lambda|functions|container|kubernetes|\beks\b|\becs\b|\baks\b|"
            r"\bgke\b|cloud run|step functions"
        ),
    ),
    Rule(
        WATCHING,
        service=(
            r"cloudwatch|monitor|log analytics|cloudtrail|systems manager|\bconfig\b|"
            r"management and governance|operations suite"
        ),
    ),
    Rule(
        SECURITY,
        service=(
            r"^(identity|security)|key management|key vault|guardduty|security hub|"
            r"secrets|\bwaf\b|firewall|defender|inspector"
        ),
    ),
    Rule(
        ANALYTICS,
        service=(
            r"^(analytics|integration|AI and)|athena|glue|redshift|opensearch|"
            r"elasticsearch|kinesis|\bmsk\b|queue service|notification service|pub/?sub|"
            r"event|bigquery|synapse|databricks|emr"
        ),
    ),
    Rule(
        NETWORK,
        service=(
            r"networking|virtual private cloud|\bvpc\b|route 53|\bdns\b|direct connect|"
            r"vpn|bandwidth|virtual network|cloud interconnect"
        ),
    ),
    Rule(STORAGE, service=r"^storage"),
    Rule(COMPUTE, service=r"^compute|elastic compute|virtual machines|compute engine"),
    Rule(
        SERVICES,
        service=(
            r"^(databases|developer tools|media|migration|mobile|web|"
            r"business applications|internet of things|multicloud)"
        ),
    ),
)


def kind_of(group: Group) -> Kind:
    """Return what a charge is for."""
    apart = _BY_CATEGORY.get(group.category)
    if apart is not None:
        return apart
    if group.commitment_use == "Unused":
        return UNUSED
    words = f"{group.service} {group.description} {group.meter}"
    if group.category == "purchase":
        return SUPPORT if _has(r"\bsupport\b", words) else PURCHASE
    if _is_instance(group, words) or part_of(group) is not None:
        return INSTANCES
    return next((rule.kind for rule in RULES if rule.fits(group, words)), UNPLACED)


def part_of(group: Group) -> tuple[str, str] | None:
    """The family of a machine of Google's, and which part of it a charge is for: core or ram."""
    found = _PART.match(group.description) if _has(r"hour|^h$|\.h$", group.unit) else None
    if found is None:
        return None
    named = (name for name in ("c2", "m1") if found[name])
    return (found["family"] or next(named, "n1")).lower(), found["part"].lower()


def stored(group: Group) -> Group:
    """A charge for storage or transfer, in bytes where it is by the size class of its disks."""
    found = _DISK_CLASS.search(f"{group.description} {group.meter}")
    size = _DISK_GIB.get(int(found[1])) if found else None
    if size is None or group.unit.lower().lstrip("1 ").startswith(("g", "t")):
        return group
    return replace(group, unit="GiB-month", quantity=group.quantity * size)


def _is_instance(group: Group, words: str) -> bool:
    if not _has(r"hour|^h$|hrs?$", group.unit) or _has(_STORED, group.service):
        return False
    if not instance_type_of(group) or _has(r"marketplace|software usage", words):
        return False
    return _has(r"compute|virtual machine|ec2", f"{group.service_category} {group.service}")


def instance_type_of(group: Group) -> str:
    """Return the machine type that a charge names, or nothing."""
    if group.instance_type:
        return group.instance_type
    words = f"{group.description} {group.meter}"
    return next((found[1] for one in INSTANCE_TYPES if (found := one.search(words))), "")
