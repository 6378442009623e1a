"""Machines of a fleet matched to the catalogue, each with how sure: never guessed silently.

Sure: the same model, processor and cores. Likely: the same processor and cores in a machine of
another model, or a model that the catalogue knows with one processor. By family: no such machine
is known; idle and full power are the middle of measured servers with as many processors of the
same family. Else there is no match, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import median, median_low
from typing import TYPE_CHECKING, Any, Literal

from capmodels.imports.machine_names import ModelName, family_of, model_name, processor_code
from capmodels.power.corners import measured_w
from capmodels.power.curves import family_points, line_points, result_mean_w
from capmodels.power.families import TITLES
from capmodels.power.measured_servers import LOADS, servers

if TYPE_CHECKING:
    from capmodels.power.families import Family

HowSure = Literal["sure", "likely", "by family", "no match"]
# Fewer measured servers of a family with as many processors say nothing of another.
_FAMILY_LEAST = 3
_ANY = {"", "any"}


@dataclass(frozen=True, slots=True)
class KnownMachine:
    """A server of the catalogue; what its entry does not say is None."""

    slug: str
    title: str
    vendor: str = ""
    cpu: str = ""
    sockets_count: float | None = None
    cores_count: float | None = None
    ram_gib: float | None = None
    idle_w: float | None = None
    peak_w: float | None = None
    points_w: tuple[float, ...] = ()
    overall_ssj_ops_per_w: float | None = None
    full_load_ssj_ops_per_s: float | None = None
    perf_per_core_ratio: float | None = None
    unit_price_usd: float | None = None
    sold_on: str = ""
    origins: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """What the catalogue knows: servers, and the cores of processors by their names."""

    machines: Sequence[KnownMachine] = ()
    processor_cores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """Like machines of a fleet; what the file does not say is None."""

    model: str
    cpu: str
    year: str
    machines_count: float
    cores_each: float | None
    ram_gib_each: float | None
    sockets_each: float | None = None
    busy_fraction: float | None = None
    watts_each: float | None = None
    price_usd_each: float | None = None
    # Which rows of the file they are, said in words.
    rows: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """What the catalogue says of a group, how sure that is, and why."""

    how_sure: HowSure
    why: str
    entry: KnownMachine | None = None
    points: tuple[tuple[float, float], ...] = ()
    family: str = ""
    range_w: tuple[float, float] | None = None


def match(group: Group, known: Known) -> Match:
    """Find a group's machine in the catalogue."""
    code, named = processor_code(group.cpu), model_name(group.model)
    exact = [one for one in known.machines if _named(one).is_same(named)]
    if not code:
        return _by_model(group, exact)
    alike = [one for one in known.machines if processor_code(one.cpu) == code]
    fitting = [one for one in alike if _fits(group, one)]
    same = [one for one in exact if one in fitting]
    if same:
        said = "the same model and processor"
        if group.cores_each:
            return _known(_middle(same), "sure", said)
        return _known(_middle(same), "likely", f"{said}; the file does not say its cores")
    if fitting and group.cores_each and any(_has_power(one) for one in fitting):
        powered = [one for one in fitting if _has_power(one)]
        return _known(
            _middle(powered), "likely",
            f"the same processor and cores in another model, {_of(len(powered))}",
            _spread(powered),
        )  # fmt: skip
    return _by_family(group, code, known)


def _of(count: int) -> str:
    return "the only one known" if count == 1 else f"the middle of {count}"


@cache
def _named_title(vendor: str, title: str) -> ModelName:
    if vendor.lower() in _ANY:
        return ModelName("", frozenset())
    return model_name(f"{vendor} {re.sub(r'[(].*?[)]', '', title.partition(',')[0])}")


def _named(one: KnownMachine) -> ModelName:
    return _named_title(one.vendor, one.title)


def _has_power(one: KnownMachine) -> bool:
    return one.idle_w is not None and one.peak_w is not None


def _fits(group: Group, one: KnownMachine) -> bool:
    """Whether a machine has as many cores, or processors, as the file says; unsaid fits."""
    if group.cores_each is not None and one.cores_count is not None:
        return abs(one.cores_count - group.cores_each) < 0.5
    if group.sockets_each is not None and one.sockets_count is not None:
        return one.sockets_count == group.sockets_each
    return True


def _middle(found: Sequence[KnownMachine]) -> KnownMachine:
    """The one in the middle by full power."""
    ordered = sorted(found, key=lambda one: (one.peak_w or 0.0, one.slug))
    peak = median_low([one.peak_w or 0.0 for one in ordered])
    return next(one for one in ordered if (one.peak_w or 0.0) == peak)


def _spread(found: Sequence[KnownMachine]) -> tuple[float, float] | None:
    peaks = [one.peak_w for one in found if one.peak_w is not None]
    return (min(peaks), max(peaks)) if len(peaks) > 1 else None


def _known(
    one: KnownMachine, how_sure: HowSure, why: str, range_w: tuple[float, float] | None = None
) -> Match:
    points: tuple[tuple[float, float], ...] = ()
    family = family_of(processor_code(one.cpu)) or ""
    if len(one.points_w) == len(LOADS):
        points = tuple(zip(LOADS, one.points_w, strict=True))
    elif one.idle_w is not None and one.peak_w is not None:
        points = tuple(_curve(family, one.idle_w, one.peak_w, _mean_w(one)))
    return Match(how_sure, why, one, points, family, range_w)


def _mean_w(one: KnownMachine) -> float | None:
    if one.overall_ssj_ops_per_w and one.full_load_ssj_ops_per_s:
        return result_mean_w(one.full_load_ssj_ops_per_s, one.overall_ssj_ops_per_w)
    return None


def _curve(
    family: str, idle_w: float, peak_w: float, mean_w: float | None = None
) -> list[tuple[float, float]]:
    if not family:
        return line_points(idle_w, peak_w)
    return family_points(family, idle_w, peak_w, None, mean_w)  # type: ignore[arg-type]  # of the catalogue, which names families alone


def _by_model(group: Group, exact: Sequence[KnownMachine]) -> Match:
    """A file without processors: the model decides where the catalogue has it with one."""
    if group.cpu:
        return Match("no match", f"{group.cpu!r} is no processor that is known by name")
    fitting = [one for one in exact if _fits(group, one)]
    if not exact:
        return Match("no match", "the file names no processor, and the model is not known")
    if not fitting:
        return Match("no match", "the model is known with another number of cores")
    if len({processor_code(one.cpu) for one in exact}) > 1:
        return Match("no match", "the model is known with several processors, the file names none")
    return _known(_middle(fitting), "likely", "the model; the file names no processor")


def _by_family(group: Group, code: str, known: Known) -> Match:
    """Middle of measured servers with as many processors of the family."""
    family = family_of(code)
    if family is None:
        return Match("no match", f"no server with {code} is known, nor one of its family")
    sockets = _sockets(group, code, known)
    if sockets is None:
        return Match("no match", "the file does not say how many processors a machine has",
                     family=family)  # fmt: skip
    like = [one for one in servers() if one.family == family and _count(one.title) == sockets]
    if len(like) < _FAMILY_LEAST:
        return Match("no match", f"too few servers with {sockets:g} processors of the family are "
                     "measured", family=family)  # fmt: skip
    idle, peak = (median(one.power_w[at] for one in like) for at in (0, -1))
    peaks = [one.power_w[-1] for one in like]
    why = f"middle of {len(like)} measured servers: {TITLES[_family(family)]}"
    points = tuple(_curve(family, idle, peak))
    return Match("by family", why, None, points, family, (min(peaks), max(peaks)))


def _family(name: str) -> Family:
    return name  # type: ignore[return-value]  # of the catalogue


def _sockets(group: Group, code: str, known: Known) -> float | None:
    if group.sockets_each is not None:
        return group.sockets_each or None
    cores = known.processor_cores.get(code)
    if not cores or group.cores_each is None:
        return None
    sockets = group.cores_each / cores
    return sockets if sockets in {1.0, 2.0, 4.0, 8.0} else None


def _count(title: str) -> float:
    found = re.search(r"\b(\d) x ", title)
    return float(found[1]) if found else 1.0


def watts_each(group: Group, found: Match) -> float | None:
    """Power of a machine at its load: as the file says, else by the curve; None when unknown."""
    if group.watts_each is not None:
        return group.watts_each
    if not found.points or group.busy_fraction is None:
        return None
    return measured_w(found.points, min(max(group.busy_fraction, 0.0), 1.0))


Machines = Callable[[], Known]
