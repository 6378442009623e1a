"""`python -m bench._fit_serving DATA`: fit what serving adds to kernels, print errors left out.

DATA is a folder of measurements, which is not shipped: kernels, serving by concurrency, offline
tables and MLPerf results, as their files are named below. The constants that are printed stand in
`capmodels/serving/fitted.py`; errors are of accelerators and models that took no part in a fit,
over distinct configurations (the median of repeats).
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import least_squares

from capmodels.serving import batching, engine, fitted
from capmodels.serving.accelerators import ACCELERATORS
from capmodels.serving.engine import Layout
from capmodels.serving.memory_fit import kv_bytes_per_token, kv_room_gb, most_requests
from capmodels.serving.open_models import OPEN_MODELS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_NAMES = {
    "a100_sxm": "NVIDIA A100 SXM 80 GB",
    "h100_sxm": "NVIDIA H100 SXM",
    "h200_sxm": "NVIDIA H200 SXM",
    "b200_sxm": "NVIDIA B200 SXM",
    "b300_sxm": "NVIDIA B300 SXM",
    "gb200": "NVIDIA GB200",
    "l40s": "NVIDIA L40S",
    "rtx_pro_6000_server": "NVIDIA RTX PRO 6000",
    "H100-SXM": "NVIDIA H100 SXM",
    "B200-SXM": "NVIDIA B200 SXM",
    "B300-SXM": "NVIDIA B300 SXM",
    "GB200": "NVIDIA GB200",
    "A100-SXM": "NVIDIA A100 SXM 80 GB",
    "H100": "NVIDIA H100 SXM",
    "B200": "NVIDIA B200 SXM",
    "GH200": "NVIDIA GH200 96 GB",
    "RTX-PRO-6000": "NVIDIA RTX PRO 6000",
}
_STORED = {"bfloat16": ("bf16", 2.0), "fp8": ("fp8", 1.0), "nvfp4": ("fp4", 0.5625)}
_PRECISION = {"bfloat16": "bf16", "float16": "bf16", "fp8_block": "fp8", "nvfp4": "fp4"}
_SAME = {"DeepSeek-V3": "DeepSeek-R1", "DeepSeek-V3.1": "DeepSeek-R1"}
ENGINES = ("trtllm", "sglang", "vllm")


def read(folder: Path, name: str) -> list[dict[str, str]]:
    """Rows of a table of the folder."""
    path = folder / name
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode()
    return list(csv.DictReader(text.splitlines()))


def _shares(
    ms: Floats, read_s: Floats | float = 0.0, work_s: Floats | float = 0.0, steps: Any = 1.0
) -> list[float]:
    """Shares of reading and of working, and us per step, of kernels at most so fast."""

    def off(x: Floats) -> Floats:
        busy = ((read_s / x[0]) ** 3 + (work_s / x[1]) ** 3) ** (1 / 3)
        return np.asarray(np.log((x[2] * 1e-6 * steps + busy) * 1e3 / ms))

    bounds = ([0.05, 0.01, 0.0], [1.0, 1.0, 100.0])
    found = least_squares(off, [0.7, 0.5, 4.0], bounds=bounds, loss="soft_l1", f_scale=0.15)
    return [round(float(value), 3) for value in found.x]


def kernels(folder: Path) -> dict[str, fitted.Kernels]:
    """Fit a roofline to each accelerator's measured kernels: shares of its data sheet's rates."""
    parts: dict[str, dict[str, Any]] = defaultdict(lambda: {"weights": {}, "work": {}})
    for gpu, stored, rows in _grouped(folder, "kernel_gemm.csv.gz", "gemm_dtype"):
        sheet = ACCELERATORS[_NAMES[gpu]]
        if stored not in _STORED:
            continue
        precision, each = _STORED[stored]
        m, n, k, ms = (np.array([float(row[key]) for row in rows]) for key in ("m", "n", "k", "ms"))
        moved = n * k * each + m * (k * each + 2 * n)
        rate = engine.rate_tflop_per_s(sheet, precision) * 1e12  # type: ignore[arg-type]  # precision is text here
        read_s = moved / (sheet.bandwidth_tb_per_s * 1e12)
        found = _shares(ms, read_s, 2 * m * n * k / rate)
        parts[gpu]["weights"][precision], parts[gpu]["work"][precision] = found[:2]
    for gpu, cached, rows in _grouped(folder, "kernel_attention_decode.csv.gz", "kv_cache_dtype"):
        if cached != "bfloat16":
            continue
        sheet = ACCELERATORS[_NAMES[gpu]]
        keys = ("num_heads", "num_key_value_heads", "head_dim", "batch_size", "context", "ms")
        a, kv, size, batch, context, ms = (np.array([float(r[key]) for r in rows]) for key in keys)
        moved = 4 * batch * context * np.where(kv == 0, a, kv) * size
        read_s = moved / (sheet.bandwidth_tb_per_s * 1e12)
        parts[gpu]["cache"] = _shares(ms, read_s=read_s)[0]
    for gpu, typed, rows in _grouped(folder, "kernel_attention_prefill.csv.gz", "attn_dtype"):
        if typed != "bfloat16":
            continue
        sheet = ACCELERATORS[_NAMES[gpu]]
        of_prefill = ("num_heads", "head_dim", "batch_size", "isl", "ms")
        a, size, batch, prompt, ms = (
            np.array([float(row[key]) for row in rows]) for key in of_prefill
        )
        work_s = 2 * a * size * batch * prompt**2 / (sheet.half_tflop_per_s * 1e12)
        parts[gpu]["attention"] = _shares(ms, work_s=work_s)[1]
    for gpu, op, rows in _grouped(folder, "kernel_collectives.csv.gz", "op"):
        if op != "custom_all_reduce":
            continue
        sheet = ACCELERATORS[_NAMES[gpu]]
        n, size, ms = (
            np.array([float(row[key]) for row in rows])
            for key in ("num_gpus", "message_size", "ms")
        )
        ring_s = 2 * (n - 1) / n * size * 2 / (sheet.link_gb_per_s * 1e9)
        _, parts[gpu]["link"], parts[gpu]["step_us"] = _shares(ms, work_s=ring_s, steps=np.log2(n))
    return {_NAMES[gpu]: fitted.Kernels(**found) for gpu, found in parts.items()}


def _grouped(folder: Path, name: str, key: str) -> list[tuple[str, str, list[dict[str, str]]]]:
    groups: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in read(folder, name):
        groups[row["gpu"], row[key]].append(row)
    return [(gpu, other, rows) for (gpu, other), rows in sorted(groups.items())]


@dataclass(frozen=True)
class Point:
    """A distinct configuration: who serves what on which accelerators, at which concurrency."""

    engine: str
    model: str
    gpu: str
    precision: Any
    layout: Layout
    expert_ranks: int
    prompt: float
    output: float
    in_flight: float
    waves: bool


@dataclass
class Points:
    """Configurations with their measured times, and their rooflines as arrays."""

    of: list[Point]
    ttft_s: Floats
    tpot_s: Floats
    years: Floats

    def __post_init__(self) -> None:
        """Compute the rooflines once: a fit changes only what serving adds."""
        self.roofline = engine.stacked([roofline_of(point) for point in self.of])
        self.most = np.array([room_of(point) for point in self.of])
        self.prompt = np.array([point.prompt for point in self.of])
        self.output = np.array([point.output for point in self.of])
        self.in_flight = np.array([point.in_flight for point in self.of])
        self.engine = np.array([point.engine for point in self.of])
        self.waves = np.array([point.waves for point in self.of])

    def where(self, keep: NDArray[np.bool_]) -> Points:
        """The configurations that are kept."""
        places = np.flatnonzero(keep)
        return Points(
            [self.of[place] for place in places],
            self.ttft_s[keep],
            self.tpot_s[keep],
            self.years[keep],
        )


def roofline_of(point: Point) -> engine.Roofline:
    """The roofline of a configuration; the cache is of 8 bits where weights are of 8 or 4."""
    return engine.roofline(
        OPEN_MODELS[point.model],
        ACCELERATORS[point.gpu],
        point.precision,
        point.layout,
        kv_bytes=kv_bytes_of(point.precision),
    )


def kv_bytes_of(precision: str) -> float:
    """Bytes of a cached element as the engines choose it by default."""
    return 1.0 if precision in {"fp8", "fp4"} else 2.0


def room_of(point: Point) -> float:
    """Requests that the cache of a configuration holds; at least one, for it was measured."""
    shape = OPEN_MODELS[point.model]
    room = kv_room_gb(
        shape,
        ACCELERATORS[point.gpu],
        point.precision,
        point.layout,
        overhead_gb=2.3,
    )
    each = kv_bytes_per_token(
        shape, kv_bytes_of(point.precision), point.layout, point.prompt + point.output / 2
    )
    return max(1.0, most_requests(room, each, point.prompt, point.output))


def layout_of(row: Mapping[str, str]) -> tuple[Layout, int]:
    """Ranks of a server as they are.

    Some rows count ranks twice (tensor 64 with 8 x 8 ranks of experts is 8 accelerators): the
    times of such rows are those of as many accelerators as there are ranks of experts.
    """
    tensor, data = int(row["tp"]), int(row["attn_dp"] or 1) or 1
    moe, experts = int(row["moe_tp"] or 1) or 1, int(row["moe_ep"] or 1) or 1
    if experts > 1:
        if moe == experts and data == 1 and tensor == moe * experts:
            tensor = experts
        elif tensor == 1 and data == experts * experts:
            data = experts
        elif tensor == data and tensor > 1:
            tensor = 1
    return Layout(tensor=tensor, data=data), experts


def serving_points(folder: Path) -> Points:
    """Aggregated servers of one node, the median of repeats of a configuration."""
    groups: dict[Point, list[tuple[float, float, str]]] = defaultdict(list)
    for row in read(folder, "serving_points.csv.gz"):
        if row["mode"] != "agg":
            continue
        model = row["model"].split("/")[-1].replace("-NVFP4", "").replace("-Instruct", "")
        precision = row["precision"] or row["gemm_quant"]
        layout, experts = layout_of(row)
        own = row["origin"] == "inferencex"
        # The few rows on GB200 count requests of several servers.
        if layout.accelerators > 8 or row["gpu"] == "GB200":
            continue
        share = 0.9 if own else 1.0
        point = Point(
            row["engine"],
            _SAME.get(model, model),
            _NAMES[row["gpu"]],
            _PRECISION.get(precision, precision) or "bf16",
            layout,
            experts,
            share * float(row["isl"]),
            share * float(row["osl"]),
            float(row["concurrency"]),
            own,
        )
        groups[point].append((float(row["ttft_ms"]), float(row["tpot_ms"]), row["measured"]))
    dated = [max(one[2] for one in rows) for rows in groups.values()]
    return Points(
        list(groups),
        np.array([np.median([one[0] for one in rows]) for rows in groups.values()]) / 1e3,
        np.array([np.median([one[1] for one in rows]) for rows in groups.values()]) / 1e3,
        np.array([_years(day) for day in dated]),
    )


def _years(day: str) -> float:
    return (date.fromisoformat(day[:10]) - date(2026, 1, 1)).days / 365 if day else 0.0


# Start and bounds of the factors: kernels can be served at worst two or three times slower.
_SOFTWARE = {
    "weights": (1.0, 0.95, 1.6), "work": (1.0, 0.8, 2.0), "cache": (1.0, 0.8, 2.0),
    "step": (1.0, 0.1, 8.0), "link": (1.0, 0.3, 4.0), "attention": (1.0, 0.5, 2.0),
    "expert": (1.3, 0.6, 3.0), "expert_work": (1.5, 0.8, 8.0), "mix": (0.9, 0.5, 2.0),
    "fp4": (0.8, 0.4, 1.5), "fp4_work": (0.8, 0.4, 2.0), "fp4_experts": (0.8, 0.5, 2.0),
    "latent": (1.0, 0.5, 8.0), "yearly": (1.2, 1.0, 2.0),
}  # fmt: skip
_HOST = {
    "layer_us": (30.0, 3.0, 100.0), "moe_layer_us": (40.0, 1.0, 200.0), "row_us": (10.0, 0.5, 80.0),
    "first_ms": (30.0, 1.0, 500.0), "wave": (0.1, 0.001, 1.0),
}  # fmt: skip
_PULL = 2.0
_PLACES = [*_SOFTWARE, *(f"{name}.{part}" for name in ENGINES for part in _HOST)]
_BOUNDS = {**_SOFTWARE, **{f"{name}.{part}": of for name in ENGINES for part, of in _HOST.items()}}


@dataclass(frozen=True)
class Fit:
    """What was fitted: the factors of all engines, and what each adds."""

    software: fitted.Software
    hosts: dict[str, fitted.Host]


def _fit_of(logs: Floats) -> Fit:
    values = dict(zip(_PLACES, np.exp(logs).tolist(), strict=True))
    return Fit(
        fitted.Software(**{name: values[name] for name in _SOFTWARE}),
        {
            name: fitted.Host(**{part: values[f"{name}.{part}"] for part in _HOST})
            for name in ENGINES
        },
    )


def predict(points: Points, fit: Fit) -> tuple[Floats, Floats]:
    """TTFT and TPOT of configurations in closed loop. [s]"""
    host = fitted.Host(
        **{
            part: sum(
                np.where(points.engine == name, getattr(of, part), 0.0)
                for name, of in fit.hosts.items()
            )
            for part in _HOST
        }  # type: ignore[arg-type]  # names of a table
    )
    served = engine.served(points.roofline, host, software=fit.software, years=points.years)
    found = batching.closed_loop(
        served, points.in_flight, points.prompt, points.output, points.most
    )
    wave = batching.start_wave_s(served, host.wave, points.in_flight, points.prompt)
    return np.asarray(found.ttft_s + wave), np.asarray(found.tpot_s)


def fit_serving(points: Points, start: Fit | None = None) -> Fit:
    """Fit factors to TPOT, and with a third of the weight to TTFT; each group counts alike.

    They are pulled to what kernels take by themselves: what two accelerators say of a factor is
    not always so of a third.
    """
    groups = [(one.model, one.gpu, one.engine, one.precision) for one in points.of]
    sizes = Counter(groups)
    weight = np.array([sizes[group] ** -0.3 for group in groups])
    weight /= weight.mean()
    low, begin, high = (np.log([_BOUNDS[name][at] for name in _PLACES]) for at in (1, 0, 2))

    def off(logs: Floats) -> Floats:
        ttft, tpot = predict(points, _fit_of(logs))
        return np.concatenate(
            [
                np.log(tpot / points.tpot_s) * weight,
                0.38 * np.log(ttft / points.ttft_s) * weight,
                _PULL * (logs - begin),
            ]
        )

    first = begin if start is None else np.clip(_logs_of(start), low + 1e-6, high - 1e-6)
    found = least_squares(off, first, bounds=(low, high), loss="soft_l1", f_scale=0.12, max_nfev=20)
    return _fit_of(found.x)


def _logs_of(fit: Fit) -> Floats:
    own = [getattr(fit.software, name) for name in _SOFTWARE]
    hosts = [getattr(fit.hosts[name], part) for name in ENGINES for part in _HOST]
    return np.log(own + hosts)


def rate_of(points: Points, ttft: Floats, tpot: Floats) -> Floats:
    """Requests per second of a closed loop, by Little's law."""
    return points.in_flight / (ttft + (points.output - 1) * tpot)


def error(ours: Floats, measured: Floats) -> str:
    """Median and 90th percentile of the absolute relative error. [%]"""
    off = np.abs(ours / measured - 1)
    return f"{100 * np.median(off):.0f} / {100 * np.quantile(off, 0.9):.0f}"


def line(points: Points, ttft: Floats, tpot: Floats) -> str:
    """Errors of TPOT, throughput and TTFT."""
    rate = error(rate_of(points, ttft, tpot), rate_of(points, points.ttft_s, points.tpot_s))
    return f"TPOT {error(tpot, points.tpot_s)}  rate {rate}  TTFT {error(ttft, points.ttft_s)}"


@dataclass
class LeftOut:
    """Predictions of configurations by fits that took no part of them."""

    by: str
    points: Points
    groups: list[str]
    ttft: list[Floats]
    tpot: list[Floats]
    places: list[Points]


def leave_out(points: Points, whole: Fit, by: Callable[[Point], str], title: str) -> LeftOut:
    """Fit without each group in turn, and predict it."""
    names = np.array([by(one) for one in points.of])
    out = LeftOut(title, points, [], [], [], [])
    for name in sorted(set(names)):
        fit = fit_serving(points.where(names != name), whole)
        left = points.where(names == name)
        ttft, tpot = predict(left, fit)
        print(
            f"  without {title} {name:22s} n={len(left.of):4d}  {line(left, ttft, tpot)}",
            flush=True,
        )
        out.groups.append(str(name))
        out.ttft.append(ttft)
        out.tpot.append(tpot)
        out.places.append(left)
    joined = _joined(out)
    print(f"  all by {title}: {line(joined, np.concatenate(out.ttft), np.concatenate(out.tpot))}")
    return out


def _joined(out: LeftOut) -> Points:
    return Points(
        [one for left in out.places for one in left.of],
        np.concatenate([left.ttft_s for left in out.places]),
        np.concatenate([left.tpot_s for left in out.places]),
        np.concatenate([left.years for left in out.places]),
    )


def bands(out: LeftOut) -> None:
    """Print the 80% bands of left-out groups, and how many points of each they hold.

    The band that a group is held against is that of the other groups.
    """
    for has_experts in (False, True):
        for what in ("tpot", "ttft", "rate"):
            logs = [_logs(out, at, what, has_experts=has_experts) for at in range(len(out.groups))]
            logs = [one for one in logs if len(one)]
            held = []
            for at, own in enumerate(logs):
                rest = np.concatenate(
                    [one for place, one in enumerate(logs) if place != at] or [own]
                )
                low, high = np.quantile(rest, [0.1, 0.9])
                held += list((own >= low) & (own <= high))
            low, high = np.exp(np.quantile(np.concatenate(logs), [0.1, 0.9]))
            kind = "experts" if has_experts else "dense"
            print(
                f"  band by {out.by:12s} {kind:8s} {what}: {low:.2f} to {high:.2f}, "
                f"of other groups holds {100 * np.mean(held):.0f}% of {len(held)}"
            )


def _logs(out: LeftOut, at: int, what: str, *, has_experts: bool) -> Floats:
    left = out.places[at]
    keep = np.array([bool(OPEN_MODELS[one.model].experts_count) == has_experts for one in left.of])
    ours = {
        "tpot": out.tpot[at],
        "ttft": out.ttft[at],
        "rate": rate_of(left, out.ttft[at], out.tpot[at]),
    }[what]
    real = {
        "tpot": left.tpot_s,
        "ttft": left.ttft_s,
        "rate": rate_of(left, left.ttft_s, left.tpot_s),
    }[what]
    return np.asarray(np.log(real / ours)[keep])


def one_point(out: LeftOut) -> None:
    """Print what one measured point of a deployment does for its other points.

    Its point of middle concurrency gives a factor on TPOT and one on TTFT.
    """
    before: dict[str, list[float]] = defaultdict(list)
    after: dict[str, list[float]] = defaultdict(list)
    for left, ttft, tpot in zip(out.places, out.ttft, out.tpot, strict=True):
        groups: dict[Any, list[int]] = defaultdict(list)
        for at, one in enumerate(left.of):
            groups[
                one.engine, one.model, one.gpu, one.precision, one.layout, one.expert_ranks
            ].append(at)
        for places in groups.values():
            if len(places) < 3:
                continue
            places.sort(key=lambda at: left.in_flight[at])
            known = places[len(places) // 2]
            for at in places:
                if at == known:
                    continue
                for name, ours, real in (("TPOT", tpot, left.tpot_s), ("TTFT", ttft, left.ttft_s)):
                    before[name].append(abs(ours[at] / real[at] - 1))
                    moved = ours[at] * real[known] / ours[known]
                    after[name].append(abs(moved / real[at] - 1))
    for name, first in before.items():
        print(
            f"  one point, by {out.by}: {name} median {100 * np.median(first):.0f} to "
            f"{100 * np.median(after[name]):.0f}%, p90 {100 * np.quantile(first, 0.9):.0f} to "
            f"{100 * np.quantile(after[name], 0.9):.0f}%"
        )


def show(title: str, values: object) -> None:
    """Print constants to three figures."""
    names = [one.name for one in fields(values)]  # type: ignore[arg-type]  # a record
    said = ", ".join(f"{name}={getattr(values, name):.3g}" for name in names)
    print(f'    "{title}": {type(values).__name__}({said}),')


def main(arguments: Sequence[str]) -> int:
    """Fit, print the constants, and the errors of what took no part."""
    folder = Path(arguments[0])
    print("Kernels")
    for name, of in kernels(folder).items():
        print(f'    "{name}": {of},')
        fitted.KERNELS[name] = of
    points = serving_points(folder)
    whole = fit_serving(points)
    print(f"Serving: {len(points.of)} configurations")
    print(f"  all in: {line(points, *predict(points, whole))}")
    show("all engines", whole.software)
    for name, host in whole.hosts.items():
        show(name, host)
    if "--fit" in arguments:
        return 0
    for title, by in (
        ("accelerator", lambda one: one.gpu),
        ("model", lambda one: one.model),
    ):
        out = leave_out(points, whole, by, title)
        bands(out)
        one_point(out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
