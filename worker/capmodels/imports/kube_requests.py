"""What the pods of a Kubernetes cluster request: a dump of kube-state-metrics.

Source: kube-state-metrics, "Pod Metrics" and "Node Metrics" (documentation of version 2):
``kube_pod_container_resource_requests`` in cores and bytes by namespace and pod,
``kube_pod_status_phase``, ``kube_node_status_allocatable``. Parsed by prometheus_client.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TextIO, cast

from capmodels.formats.chunks import FileRefused
from capmodels.imports import demand
from capmodels.imports.cells import Cells
from capmodels.imports.preview import Column, table
from capmodels.numbers import counted, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.imports.texts import Metrics
    from capmodels.spec import JSONDict

REQUESTS = "kube_pod_container_resource_requests"
# The names of version 1, a metric for each resource, without a label of it.
_OF_VERSION_1 = {
    f"{REQUESTS}_cpu_cores": "cpu",
    f"{REQUESTS}_memory_bytes": "memory",
    "kube_node_status_allocatable_cpu_cores": "cpu",
    "kube_node_status_allocatable_memory_bytes": "memory",
}
PHASE = "kube_pod_status_phase"
ALLOCATABLE = "kube_node_status_allocatable"
_ENDED = frozenset({"Succeeded", "Failed"})
_BYTES_PER_GIB = 2.0**30
_SUMS = ("pods_count", "cores_count", "ram_gib", "gpus_count")
_GPU_WORDS = ("nvidia_com_gpu", "amd_com_gpu", "gpu_intel_com_i915")


def fits(names: frozenset[str]) -> bool:
    """Whether a dump says what pods request."""
    return bool(names & {REQUESTS, f"{REQUESTS}_cpu_cores"})


def read(dump: Metrics, report: Callable[[float, str], None]) -> JSONDict:
    """Return what is requested, by namespace, and what the nodes have.

    Raises
    ------
    FileRefused
        When no pod requests anything, or a line is no metric.
    """
    report(0.1, "Reading metrics")
    requests, ended, nodes = _samples(dump)
    sums: dict[str, list[float]] = {}
    pods: dict[str, set[str]] = defaultdict(set)
    for (namespace, pod), wanted in requests.items():
        if (namespace, pod) in ended:
            continue
        pods[namespace].add(pod)
        row = sums.setdefault(namespace, [0.0] * len(_SUMS))
        for at, name in enumerate(_SUMS[1:], start=1):
            row[at] += wanted[name]
    for namespace, row in sums.items():
        row[0] = float(len(pods[namespace]))
    whole = dict(zip(_SUMS, map(sum, zip(*sums.values(), strict=True)), strict=True))
    if not sums or not (whole["cores_count"] or whole["ram_gib"]):
        raise FileRefused("No running pod of this dump requests processors or memory.")
    return _preview(sums, whole, nodes)


def _samples(
    dump: Metrics,
) -> tuple[dict[tuple[str, str], dict[str, float]], set[tuple[str, str]], dict[str, float]]:
    requests: dict[tuple[str, str], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    ended: set[tuple[str, str]] = set()
    nodes: dict[str, float] = defaultdict(float)
    # The last of version 1 have both, of the same requests.
    is_plain = REQUESTS in dump.columns
    for name, labels, value in _each(dump):
        pod = labels.get("namespace", ""), labels.get("pod", "")
        resource = _OF_VERSION_1.get(name, "")
        if bool(resource) == is_plain and name != PHASE:
            continue
        resource = resource or labels.get("resource", "")
        if name.startswith(REQUESTS):
            _count(requests[pod], resource, value)
        elif name == PHASE and value == 1 and labels.get("phase") in _ENDED:
            ended.add(pod)
        elif name.startswith(ALLOCATABLE):
            _count(nodes, resource, value)
    return requests, ended, nodes


def _each(dump: Metrics) -> Iterator[tuple[str, Mapping[str, str], float]]:
    from prometheus_client.parser import text_fd_to_metric_families

    with dump.path.open(encoding="utf-8", errors="replace") as file:
        wanted = (line for line in file if line.startswith((REQUESTS, PHASE, ALLOCATABLE)))
        try:
            for family in text_fd_to_metric_families(cast("TextIO", wanted)):
                for one in family.samples:
                    yield one.name, one.labels, float(one.value)
        except (ValueError, OverflowError, IndexError, KeyError) as exc:
            raise FileRefused(f"The dump cannot be read: {exc}.") from exc


def _count(into: dict[str, float], resource: str, value: float) -> None:
    if resource == "cpu":
        into["cores_count"] += value
    elif resource == "memory":
        into["ram_gib"] += value / _BYTES_PER_GIB
    elif resource in _GPU_WORDS:
        into["gpus_count"] += value


def _preview(
    sums: Mapping[str, list[float]], whole: Mapping[str, float], nodes: Mapping[str, float]
) -> JSONDict:
    said = (
        f"{counted(round(whole['pods_count']), 'pod')} in {counted(len(sums), 'namespace')} "
        f"asked for {whole['cores_count']:,.1f} cores and {whole['ram_gib']:,.0f} GiB of RAM"
    )
    capacity = nodes.get("cores_count")
    if capacity:
        said += f", {percent(whole['cores_count'] / capacity)} of the cores of their nodes"
    return {
        "headline": f"{said}.",
        "notes": [
            "Requests are what pods were promised, not what they use: busy cores may be fewer. "
            "Replace them when a measured utilisation is at hand.",
            "A dump is one moment: the peak of the work is not in it.",
        ],
        "counted": f"{whole['pods_count']:,.0f} pods",
        "demand": {
            "busy_cores_count": whole["cores_count"],
            "ram_gib": whole["ram_gib"],
            "gpu_peak_count": whole["gpus_count"],
        },
        "nodes": dict(nodes),
        "owners": demand.owners_of(sums, _SUMS, "cores_count"),
        **Cells().document(),
    }


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """Showback by namespace, and what the nodes have."""
    sizes = (
        Column("Cores", "cores_count", "count"),
        Column("RAM", "ram_gib", "quantity", "GiB"),
        Column("GPUs", "gpus_count", "count"),
    )
    shown = [
        demand.owners_table(
            "Namespace", (Column("Pods", "pods_count", "count"), *sizes), preview["owners"]
        )
    ]
    return [*shown, table("All nodes", sizes, [preview["nodes"]])] if preview["nodes"] else shown


def sample() -> bytes:
    """Two namespaces: a pod of two containers, one that has ended, and a node."""
    wanted = (
        ("shop", "web-1", "app", "cpu", 1.5),
        ("shop", "web-1", "log", "cpu", 0.25),
        ("shop", "web-1", "app", "memory", 4 * 2**30),
        ("ml", "old", "app", "cpu", 8),
        ("ml", "new", "app", "cpu", 4),
    )
    lines = [f"# TYPE {REQUESTS} gauge"]
    lines += [
        f'{REQUESTS}{{namespace="{space}",pod="{pod}",container="{box}",node="n1",'
        f'resource="{resource}",unit="{"core" if resource == "cpu" else "byte"}"}} {value:g}'
        for space, pod, box, resource, value in wanted
    ]
    lines += [
        f'{PHASE}{{namespace="ml",pod="old",phase="Succeeded"}} 1',
        f'{PHASE}{{namespace="ml",pod="new",phase="Running"}} 1',
        f'{ALLOCATABLE}{{node="n1",resource="cpu",unit="core"}} 32',
        f'{ALLOCATABLE}{{node="n1",resource="memory",unit="byte"}} {128 * 2**30}',
    ]
    return "\n".join(lines).encode()


IMPORTER = demand.jobs_importer(
    id="kube_requests",
    title="Requests of Kubernetes pods (kube-state-metrics)",
    fits=fits,
    read=read,
    tables=tables,
    sample=sample,
)
