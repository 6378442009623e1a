"""How fast a core is: SPEC CPU2017 by processor, CoreMark by rented family, one scale for both."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    derived_check,
    one_point,
    preset,
    refusal,
)
from capmodels.units import Real, of_unit

if TYPE_CHECKING:
    from collections.abc import Collection

    from capmodels.performance.core_speed_kernel import Process

Work = Literal["integer", "floating"]
Ratio = Annotated[Real, of_unit("ratio", gt=0)]
Name = Annotated[str, Field(max_length=80)]

# A core of EPYC 9R14 with one thread, which a vCPU of AWS's m7a is: the reference of studies.
REFERENCE = "m7a"
# What two threads of a core do over what one does: of six processors with SPEC CPU2017 integer
# results of both, 1.13 to 1.23.
BOTH_THREADS_RATIO = 1.20
# Deviations of log results: between makers of systems and compilers, and of one result.
_SYSTEMS: dict[Work, float] = {"integer": 0.02, "floating": 0.04}
_RESULT = 0.04
# Of CoreMark between types of a family.
_TYPES = 0.05
# Half of a 90% range in deviations.
_WIDTH = 1.645


class Kind(NamedTuple):
    """A processor as the process sees it: logs of its numbers within a generation."""

    generation: str
    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor with the median of its SPECrate 2017 base results per core, 0 without any."""

    name: str
    kind: Kind
    threads: int
    results: dict[Work, tuple[float, int]]


@dataclass(frozen=True, slots=True)
class Family:
    """A rented family: CoreMark iterations/s per vCPU, of its types, and what it runs on."""

    name: str
    processor: str
    threads: int
    ghz: float | None
    per_vcpu: float
    low: float
    high: float


def kind_of(
    generation: str, cores: float, threads: float, sockets: float, base_ghz: float, tdp_w: float
) -> Kind:
    """What the process sees of a processor: logs of cores, clock, TDP per core and sockets."""
    logs = (cores, base_ghz, tdp_w / cores, sockets)
    return Kind(generation, (*(math.log(one) for one in logs), threads))


def _rows(name: str) -> list[dict[str, str]]:
    text = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in text if not line.startswith("#")))


@cache
def processors() -> tuple[Processor, ...]:
    """Return the processors whose data are held, a line for each number of sockets."""
    found = []
    for row in _rows("core_speed_spec.csv"):
        cores, threads, sockets, ghz, tdp = (
            float(row[name])
            for name in ("cores_count", "threads_per_core_count", "sockets_count", "base_ghz",
                         "tdp_w")
        )  # fmt: skip
        works: tuple[Work, ...] = ("integer", "floating")
        results = {
            work: (float(row[f"{work}_per_core"] or 0.0), int(row[f"{work}_count"]))
            for work in works
        }
        kind = kind_of(row["generation"], cores, threads, sockets, ghz, tdp)
        found.append(Processor(row["processor"], kind, int(threads), results))
    return tuple(found)


@cache
def families() -> dict[str, Family]:
    """Return the rented families whose types were measured, by name."""
    return {
        row["family"]: Family(
            row["family"],
            row["processor"],
            int(row["threads_per_core_count"]),
            float(row["ghz"]) if row["ghz"] else None,
            *(float(row[name]) for name in ("coremark_per_vcpu", "low_per_vcpu", "high_per_vcpu")),
        )
        for row in _rows("core_speed_coremark.csv")
    }


def process_of(held: tuple[Processor, ...], work: Work) -> Process:
    """Return the process given the results of some processors; see ``core_speed_kernel``."""
    from capmodels.performance.core_speed_kernel import Process

    known = [one for one in held if one.results[work][1]]
    values = [one.results[work] for one in known]
    return Process(
        [one.kind for one in known],
        [math.log(value) for value, _ in values],
        [math.hypot(_SYSTEMS[work], _RESULT / math.sqrt(count)) for _, count in values],
    )


@cache
def _process(work: Work) -> Process:
    return process_of(processors(), work)


def plain(name: str) -> str:
    """A processor's name without maker and marks, in small letters.

    >>> plain("AMD EPYC 9654"), plain("Intel(R) Xeon(R) Platinum 8480+ CPU @ 2.00GHz")
    ('epyc 9654', 'xeon platinum 8480+')
    """
    text = re.sub(r"\((?:r|tm)\)|\b(?:amd|intel|processor|cpu)\b|@.*", " ", name.lower())
    return " ".join(text.split())


def processor_named(name: str, sockets: int = 0) -> Processor | None:
    """Return a processor by its name, with results of so many sockets where there are any."""
    found = [one for one in processors() if plain(one.name) == plain(name)]
    at = math.log(sockets) if sockets else 0.0
    return min(
        found, key=lambda one: (one.threads < 2, abs(one.kind.numbers[3] - at)), default=None
    )


def processor_in(text: str) -> str | None:
    """Return the longest name of a processor that stands in the name of a machine.

    >>> processor_in("Server, 2 x AMD EPYC 9654P, 768 GB"), processor_in("Rack server")
    ('EPYC 9654P', None)
    """
    words = f" {plain(re.sub(r'[,;()]', ' ', text))} "
    found = {one.name for one in processors() if f" {plain(one.name)} " in words}
    return max(found, key=len, default=None)


@dataclass(frozen=True, slots=True)
class Speed:
    """Results of a core, or of a vCPU, with the ends of nine in ten."""

    value: float
    low: float
    high: float
    source: str

    def times(self, ratio: float, deviation: float, source: str = "") -> Speed:
        """Return it on another scale whose own log deviates so much."""
        own = math.log(self.high / self.value) / _WIDTH
        wide = math.exp(_WIDTH * math.hypot(own, deviation))
        value = self.value * ratio
        return Speed(value, value / wide, value * wide, source or self.source)


def per_core(kind: Kind, work: Work, *, results_count: int = 0) -> Speed:
    """SPECrate 2017 base per core of a processor.

    Parameters
    ----------
    kind
        Generation and numbers of the processor.
    work
        Integer or floating point rate.
    results_count
        Results of the processor itself, for the words alone. [count]

    Returns
    -------
    Speed
        Its own results where it has any, drawn towards those of its like; else theirs.

    Notes
    -----
    A Gaussian process over log(result per core) with a level and a slope for each generation.
    Held-back processors, ten folds: integer median 2.2%, p90 8.0% off; floating point 2.7, 10.2%.
    A generation of which nothing is known is 25 to 50% off, and its range says so.
    """
    mean, deviation = _process(work).at(kind)
    wide = math.exp(_WIDTH * math.hypot(deviation, _SYSTEMS[work]))
    value = math.exp(mean)
    own = f"{results_count} results of its own" if results_count > 1 else "a result of its own"
    like = "its generation, cores, clock and TDP, by results of others"
    source = f"SPEC CPU2017 {work} rate, {own if results_count else like}"
    return Speed(value, value / wide, value * wide, source)


# Cloud vendors' own processors, which have no results: generation, cores of a socket, threads of
# a core, base clock and TDP of the nearest that is sold, from memory.
_OWN = {
    "EPYC 7571": kind_of("zen", 32, 2, 1, 2.2, 180),
    "EPYC 7R32": kind_of("zen2", 48, 2, 1, 2.4, 225),
    "EPYC 7R13": kind_of("zen3", 48, 2, 1, 2.3, 225),
    "EPYC 9R14": kind_of("zen4", 96, 2, 1, 2.4, 360),
    "EPYC 9R45": kind_of("zen5", 96, 2, 1, 2.6, 400),
    "Xeon 8175M": kind_of("skylake", 24, 2, 2, 2.5, 205),
    "Xeon 8124M": kind_of("skylake", 18, 2, 2, 3.0, 205),
    "Xeon 8259CL": kind_of("cascade lake", 24, 2, 2, 2.5, 210),
    "Xeon 8275CL": kind_of("cascade lake", 24, 2, 2, 3.0, 240),
    "Xeon 8375C": kind_of("ice lake", 32, 2, 2, 2.9, 300),
    "Xeon 8488C": kind_of("sapphire rapids", 48, 2, 2, 2.4, 350),
    "Xeon 8559C": kind_of("emerald rapids", 48, 2, 2, 2.4, 350),
    "Xeon 6975P-C": kind_of("granite rapids", 96, 2, 2, 2.4, 500),
}


@dataclass(frozen=True, slots=True)
class Bridge:
    """SPECrate integer per unit of CoreMark: of a vCPU with half a core, and with a whole one."""

    half_core: float
    whole_core: float
    deviation: float


@cache
def bridge(without: str = "") -> Bridge:
    """Return the bridge between the two measures, by processors known in both.

    Notes
    -----
    The median over processors of SPEC per core / (threads * CoreMark per vCPU), where a core runs
    both threads; where AWS runs one, SPEC per core / 1.20. CoreMark gains half from a second
    thread, SPEC a fifth, so that half cores and whole ones have each their own. ``without`` leaves
    out a processor, to judge the bridge on it.
    """
    ratios: dict[int, list[float]] = {1: [], 2: []}
    for name, kind in _OWN.items():
        measured = [one for one in families().values() if one.processor == name]
        if not measured or name == without:
            continue
        threads = measured[0].threads
        spec = per_core(kind, "integer").value
        spec /= BOTH_THREADS_RATIO if threads == 1 else 2.0
        ratios[threads].append(spec / median(one.per_vcpu for one in measured))
    half, whole = median(ratios[2]), median(ratios[1])
    logs = [math.log(one / half) for one in ratios[2]]
    logs += [math.log(one / whole) for one in ratios[1]]
    return Bridge(half, whole, math.sqrt(sum(one**2 for one in logs) / (len(logs) - 2)))


# A generation and a maker in the name of a family: the 7i of m7i and c7i-flex run on one processor.
_LIKE = re.compile(r"[a-z]+(\d+[agi])")


def like(family: str, held: Collection[Family]) -> list[Family]:
    """Return the families of a generation and maker that one is of by its name; itself alone.

    >>> [one.name for one in like("m7g", families().values())][:3]
    ['c7g', 'c7gd', 'hpc7g']
    """
    own = [one for one in held if one.name == family]
    if own:
        return own
    said = _LIKE.match(family)
    return [
        one for one in held if said and (other := _LIKE.match(one.name)) and other[1] == said[1]
    ]


def per_vcpu(family: str) -> Speed | None:
    """SPECrate 2017 integer that a vCPU of a rented family would do; None where not measured.

    Notes
    -----
    Median CoreMark per vCPU of its types, or of families of its generation and maker, times the
    bridge. A type is 2.5% off the others of its family in the median, 8% at p90; a family of a
    known generation 0.9%, 2.9%. CoreMark is small: no memory bandwidth in it.
    """
    held = like(family, families().values())
    if not held:
        return None
    scale = bridge()
    each = scale.half_core if held[0].threads == 2 else scale.whole_core
    value = median(one.per_vcpu for one in held)
    spread = math.exp(_WIDTH * _TYPES)
    measured = Speed(value, value / spread, value * spread, "")
    whose = "its types" if held[0].name == family else f"{len(held)} families of its generation"
    source = f"CoreMark of {whose} ({value:,.0f} a vCPU), carried to SPEC CPU2017"
    return measured.times(each, 0.0 if family == REFERENCE else scale.deviation, source)


def reference() -> float:
    """SPECrate 2017 integer of the core that studies have as 1."""
    held = per_vcpu(REFERENCE)
    assert held is not None
    return held.value


@cache
def ratio_of_processor(name: str, sockets: int = 1) -> Speed | None:
    """Speed of a core of a processor over the reference core; None where it is not held.

    Integer work. Its result is on the scale of SPEC, the reference on that of CoreMark: the
    bridge between them is in the range.
    """
    held = processor_named(name, sockets)
    if held is None:
        return None
    found = per_core(held.kind, "integer", results_count=held.results["integer"][1])
    return found.times(1.0 / reference(), bridge().deviation)


@cache
def ratio_of_vcpu(family: str) -> Speed | None:
    """Speed of a vCPU of a rented family over the reference core; None where not measured."""
    found = per_vcpu(family)
    return None if found is None else found.times(1.0 / reference(), 0.0)


class CoreSpeedParams(Params):
    """Which core: of a processor by name or by its data, or of a rented family."""

    work: Work = preset("integer", "Kind of work: integer, or floating point.")
    family: Name = preset("", "Rented family, such as m7i. Empty: a processor.")
    processor: Name = preset("", "Name of a processor, such as EPYC 9654. Empty: by its data.")
    generation: Name = preset("zen5", "Its cores, such as zen5 or granite rapids.")
    cores_count: Annotated[Real, of_unit("count", ge=1, le=1024)] = assumed(
        64.0, "Of one processor."
    )
    threads_per_core_count: Annotated[Real, of_unit("count", ge=1, le=2)] = assumed(2.0)
    sockets_count: Annotated[Real, of_unit("count", ge=1, le=8)] = assumed(1.0)
    base_ghz: Annotated[Real, of_unit("GHz", gt=0, le=10)] = assumed(2.4, title="Base clock")
    tdp_w: Annotated[Real, of_unit("W", gt=0, le=2000)] = assumed(360.0, title="TDP")

    @model_validator(mode="after")
    def _known(self) -> CoreSpeedParams:
        if self.family and not like(self.family, families().values()):
            raise refusal(
                "unknown",
                f"No CoreMark of {self.family} is held. Leave the family empty and name its "
                "processor.",
                at=("family",),
            )
        if self.family and self.work != "integer":
            raise refusal(
                "integer_only", "Rented families are measured in integer work.", at=("work",)
            )
        if not self.family and self.processor and processor_named(self.processor) is None:
            raise refusal(
                "unknown",
                f"{self.processor} is not held. Leave its name empty and enter its data.",
                at=("processor",),
            )
        return self


class CoreSpeedResult(Result):
    """Speed of a core, or of a vCPU, and over the reference."""

    spec_per_core: Ratio = Field(description="SPECrate 2017 base of a core, or of a vCPU.")
    low_spec_per_core: Ratio
    high_spec_per_core: Ratio
    speed_ratio: Ratio = Field(description="Over the reference core.")
    low_speed_ratio: Ratio
    high_speed_ratio: Ratio
    source: str
    sentence: str


def core_speed(params: CoreSpeedParams) -> CoreSpeedResult:
    """Return how fast a core is, over the reference core that a vCPU of AWS's m7a is."""
    if params.family:
        found, what = per_vcpu(params.family), f"A vCPU of {params.family}"
        assert found is not None
    elif params.processor:
        held = processor_named(params.processor, int(params.sockets_count))
        assert held is not None
        found = per_core(held.kind, params.work, results_count=held.results[params.work][1])
        what = f"A core of {held.name}"
    else:
        kind = kind_of(
            params.generation,
            params.cores_count,
            params.threads_per_core_count,
            params.sockets_count,
            params.base_ghz,
            params.tdp_w,
        )
        found, what = per_core(kind, params.work), f"A core of {params.generation}"
    scale = reference()
    # A processor's result is on the scale of SPEC, the reference on that of CoreMark.
    over = found if params.family else found.times(1.0, bridge().deviation)
    return CoreSpeedResult(
        spec_per_core=found.value,
        low_spec_per_core=found.low,
        high_spec_per_core=found.high,
        speed_ratio=over.value / scale,
        low_speed_ratio=over.low / scale,
        high_speed_ratio=over.high / scale,
        source=found.source,
        sentence=f"{what} does {over.value / scale:.2f} of a reference core "
        f"({over.low / scale:.2f} to {over.high / scale:.2f}).",
    )


def _run(params: CoreSpeedParams, _context: Context) -> CoreSpeedResult:
    return core_speed(params)


SPEC = ModelSpec(
    id="performance.core_speed",
    version="1.0.0",
    title="Speed of a core",
    summary="How much work a core of a processor, or a vCPU of a rented family, does over that of "
    "another: by SPEC CPU2017 and CoreMark, with the range that held-back results ask for.",
    params=CoreSpeedParams,
    result=CoreSpeedResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text="SPEC CPU2017 rate results to March 2026, spec.org, medians by processor"),
        Citation(
            text="CoreMark of 855 EC2 types, December 2025 to July 2026, vantage-sh/ec2instances",
            url="https://github.com/vantage-sh/ec2instances.info",
        ),
        Citation(text="Rasmussen, Williams, Gaussian Processes for Machine Learning, 2006, ch. 2"),
    ),
    formulas=(
        Formula(
            "spec",
            "log(result / cores) = GP(generation, log cores, log clock, log TDP / cores, sockets)",
            "conditioned on 644 medians; own results are among them",
        ),
        Formula(
            "vcpu",
            "speed of a vCPU = CoreMark per vCPU * median(SPEC per core / CoreMark)",
            "by processors known in both, half cores and whole ones apart",
        ),
        Formula("ratio", "speed ratio = speed / speed of a vCPU of m7a", "a whole core of Zen 4"),
    ),
    checks=(
        derived_check(
            "epyc-9654",
            "SPECrate 2017 integer per core of two EPYC 9654",
            8.65,
            lambda: (
                core_speed(CoreSpeedParams(processor="EPYC 9654", sockets_count=2.0)).spec_per_core
            ),
            source="Median of 37 results at spec.org",
            tolerance=0.25,
            unit="ratio",
            params=lambda: {"processor": "EPYC 9654", "sockets_count": 2.0},
            tests="performance.core_speed.Speed.value",
        ),
    ),
    limits=(
        "SPEC CPU2017 runs a copy on every thread: work that leaves threads idle has faster cores.",
        "CoreMark has no memory bandwidth in it; SPEC of cloud vendors' own processors is not "
        "published: the two are bridged by generation, cores and clock.",
    ),
)
