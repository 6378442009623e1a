"""`python -m bench._accuracy DATA`: errors of AI serving and training on what took no part.

DATA is a folder of measurements, which is not shipped (its files are named below). Each row of
the table is of distinct configurations, the median of repeats and submitters: the median and the
90th percentile of the absolute error, what is wanted, and what share of the points the 80% band
of the others holds. Serving and training are fitted again without each accelerator, or model, in
turn; MLPerf inference took no part in a fit but for the speed of generations whose kernels were
not measured, which is taken from the other accelerators of the generation.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bench._fit_serving import (
    Points,
    fit_serving,
    leave_out,
    rate_of,
    read,
    serving_points,
)
from capmodels.serving import batching, engine, fitted
from capmodels.serving.accelerators import ACCELERATORS
from capmodels.serving.memory_fit import kv_bytes_per_token, kv_room_gb, most_requests, overhead_of
from capmodels.serving.open_models import OPEN_MODELS
from capmodels.serving.size import layouts_of
from capmodels.training.time import training_flop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Names of MLPerf's systems, by what they contain; the first that fits.
_SHEETS = {
    "B300": "NVIDIA B300 SXM", "GB300": "NVIDIA GB300", "GB200": "NVIDIA GB200",
    "B200": "NVIDIA B200 SXM", "H200-NVL": "NVIDIA H200 NVL", "H200": "NVIDIA H200 SXM",
    "GH200 Grace Hopper Superchip 144GB": "NVIDIA GH200 144 GB", "GH200": "NVIDIA GH200 96 GB",
    "H100-NVL": "NVIDIA H100 NVL", "H100 NVL": "NVIDIA H100 NVL", "H100-PCIe": "NVIDIA H100 PCIe",
    "H100": "NVIDIA H100 SXM", "A100-SXM": "NVIDIA A100 SXM 80 GB",
    "A100-PCIe-80": "NVIDIA A100 PCIe 80 GB", "RTX PRO 6000": "NVIDIA RTX PRO 6000",
    "L40S": "NVIDIA L40S", "MI300X": "AMD MI300X", "MI325X": "AMD MI325X", "MI350X": "AMD MI350X",
    "MI355X": "AMD MI355X",
}  # fmt: skip
_ORDER = ("GH200 Grace Hopper Superchip 144GB", "GH200", "GB300", "GB200")
_YEARS = {"v4.0": -1.8, "v4.1": -1.4, "v5.0": -0.75, "v5.1": -0.3, "v6.0": 0.25}


class Asked(NamedTuple):
    """A benchmark of MLPerf: its model, mean tokens, and limits of TTFT and TPOT. [ms]"""

    model: str
    prompt: float
    output: float
    limits: Mapping[str, tuple[float, float]]


# Mean prompts are assumed but for 405B: the rules do not say them.
_ASKED = {
    "llama2-70b": Asked("Llama-2-70B", 230, 294, {"Server": (2000, 200), "Interactive": (450, 40)}),
    "llama3.1-405b": Asked(
        "Llama-3.1-405B", 9400, 685, {"Server": (6000, 175), "Interactive": (4500, 80)}
    ),
    "llama3.1-8b": Asked(
        "Llama-3.1-8B", 870, 128, {"Server": (2000, 100), "Interactive": (500, 30)}
    ),
    "mixtral-8x7b": Asked("Mixtral-8x7B", 280, 145, {"Server": (2000, 200)}),
    "deepseek-r1": Asked(
        "DeepSeek-R1", 800, 3900, {"Server": (2000, 80), "Interactive": (1500, 15)}
    ),
}
_NO_LIMITS = (1e9, 1e9)
_MOST_ROWS = 2048.0


def sheet_of(name: str) -> str | None:
    """The accelerator that a system's name means."""
    keys = (*_ORDER, *(key for key in _SHEETS if key not in _ORDER))
    found = next((key for key in keys if key in name), None)
    return _SHEETS.get(found or "")


def told(row: str, off: Floats, wanted: str, held: float | None = None) -> None:
    """Print a row of the table from logarithms of measured over predicted."""
    error = np.abs(1.0 - np.exp(-off))
    coverage = "" if held is None else f"  band holds {100 * held:.0f}%"
    print(
        f"{row:44s} n={len(off):5d}  {100 * np.median(error):3.0f} / "
        f"{100 * np.quantile(error, 0.9):3.0f}%  (wanted {wanted}){coverage}",
        flush=True,
    )


def held_by_others(off: Floats, groups: Sequence[str]) -> float:
    """Share of the points that the 80% band of the other groups holds."""
    names, held = np.array(groups), []
    for name in sorted(set(groups)):
        rest, own = off[names != name], off[names == name]
        if len(rest):
            low, high = np.quantile(rest, [0.1, 0.9])
            held += list((own >= low) & (own <= high))
    return float(np.mean(held))


def serving(folder: Path) -> None:
    """TPOT, throughput and TTFT at a concurrency: in the fit, an accelerator, a model left out."""
    points = serving_points(folder)
    whole = fit_serving(points)
    by: tuple[tuple[str, Callable[[Any], str], tuple[str, str, str]], ...] = (
        ("accelerator", lambda one: one.gpu, ("10 / 30", "10 / 30", "20 / 60")),
        ("model", lambda one: one.model, ("8 / 25", "8 / 25", "none")),
    )
    for title, key, wanted in by:
        out = leave_out(points, whole, key, title)
        ttft, tpot = np.concatenate(out.ttft), np.concatenate(out.tpot)
        left = Points(
            [one for part in out.places for one in part.of],
            np.concatenate([part.ttft_s for part in out.places]),
            np.concatenate([part.tpot_s for part in out.places]),
            np.concatenate([part.years for part in out.places]),
        )
        groups = [key(one) for one in left.of]
        for name, real, ours, bar in (
            ("TPOT", left.tpot_s, tpot, wanted[0]),
            ("throughput", rate_of(left, left.ttft_s, left.tpot_s), rate_of(left, ttft, tpot),
             wanted[1]),
            ("TTFT, mean", left.ttft_s, ttft, wanted[2]),
        ):  # fmt: skip
            off = np.log(real / ours)
            told(f"{name}, {title} left out", off, bar, held_by_others(off, groups))


@dataclass
class Result:
    """A distinct result of MLPerf inference: output of an accelerator. [tokens/s]"""

    asked: str
    accelerator: str
    precision: Any
    scenario: str
    version: str
    measured: float
    most_joined: int


def mlperf_results(folder: Path) -> list[Result]:
    """Results of one node by accelerator, model, precision, scenario and round."""
    groups: dict[tuple[str, str, str, str, str], list[tuple[float, int]]] = defaultdict(list)
    for row in read(folder, "mlperf_inference_datacenter_closed.csv"):
        model, name = row["model"].rsplit("-99", 1)[0], sheet_of(row["accelerator"])
        plain = row["nodes"] == "1" and "Power Cap" not in row["accelerator"] and not row["power"]
        scenario, version = row["scenario"], row["round"]
        if model not in _ASKED or name is None or not plain or version not in _YEARS:
            continue
        if scenario != "Offline" and scenario not in _ASKED[model].limits:
            continue
        sheet, weights = ACCELERATORS[name], row["weights"].lower()
        as_fp4 = "fp4" in weights or (not weights and sheet.fp4_tflop_per_s)
        precision = "fp4" if as_fp4 else "fp8" if sheet.fp8_tflop_per_s else "bf16"
        count = int(row["accelerators_per_node"])
        each = float(row["result"]) / count
        # Server results of 4.0 are requests.
        tokens = _ASKED[model].output if version == "v4.0" and scenario == "Server" else 1.0
        groups[model, name, precision, scenario, version].append((each * tokens, count))
    return [
        Result(*key, float(np.median([one[0] for one in found])), max(one[1] for one in found))
        for key, found in groups.items()
    ]


def predicted(result: Result, slower: float = 1.0) -> float:
    """Output of an accelerator in the best division of the model; 0 where none keeps the limits."""
    asked, sheet = _ASKED[result.asked], ACCELERATORS[result.accelerator]
    shape, best = OPEN_MODELS[asked.model], 0.0
    kv_bytes = 2.0 if result.precision == "bf16" else 1.0
    ttft_ms, tpot_ms = asked.limits.get(result.scenario, _NO_LIMITS)
    for layout in layouts_of(shape, sheet):
        if layout.accelerators > result.most_joined:
            continue
        room = kv_room_gb(shape, sheet, result.precision, layout, overhead_gb=overhead_of(shape)[1])
        each = kv_bytes_per_token(shape, kv_bytes, layout, asked.prompt + asked.output / 2)
        most = min(_MOST_ROWS * layout.data, most_requests(room, each, asked.prompt, asked.output))
        if most < 1.0:
            continue
        of = engine.deployment(
            shape, sheet, result.precision, layout, kv_bytes=kv_bytes, engine="offline",
            years=_YEARS[result.version],
        )  # fmt: skip
        found = batching.within_limits(
            engine.slowed(of, slower), asked.prompt, asked.output, most,
            ttft_s=ttft_ms / 1e3, tpot_s=tpot_ms / 1e3,
        )  # fmt: skip
        best = max(best, float(found.requests_per_s) * asked.output / layout.accelerators)
    return best


def mlperf(folder: Path) -> None:
    """Output of MLPerf inference, each accelerator left out."""
    results = mlperf_results(folder)
    ours = [predicted(one) for one in results]
    generation = [ACCELERATORS[one.accelerator].generation for one in results]
    offs = []
    for at, one in enumerate(results):
        slower = 1.0
        if generation[at] in fitted.SPEED:
            # Its generation's factor, had its own results not been there.
            ratios = [
                ours[other] / beside.measured
                for other, beside in enumerate(results)
                if generation[other] == generation[at]
                and beside.accelerator != one.accelerator
                and beside.scenario == "Offline"
            ]
            slower = float(np.median(ratios)) if ratios else 1.0
        again = predicted(one, slower) if slower != 1.0 else ours[at]
        offs.append(np.log(one.measured / max(again, 1e-3)))
    off = np.array(offs)
    for scenario, wanted in (
        ("Offline", "12 / 30"), ("Server", "15 / 35"), ("Interactive", "20 / 40"),
    ):  # fmt: skip
        keep = np.array([one.scenario == scenario for one in results])
        groups = [one.accelerator for one in results if one.scenario == scenario]
        held = held_by_others(off[keep], groups)
        told(f"MLPerf {scenario}, accelerator left out", off[keep], wanted, held)
        worst = np.argsort(-np.abs(off) * keep)[:4]
        print("  farthest: " + "; ".join(
            f"{results[at].asked} {results[at].accelerator} {results[at].version} "
            f"{np.exp(-off[at]):.2f}" for at in worst if keep[at]
        ))  # fmt: skip


@dataclass
class Run:
    """A distinct run of MLPerf training, and the logarithm of the share of the peak it reached."""

    benchmark: str
    accelerator: str
    count: int
    years: float
    reached: float


_TRAINED = {
    "llama2_70b_lora": ("Llama-2-70B", "lora", 8.0),
    "llama31_8b": ("Llama-3.1-8B", "full", 8.0),
    "llama31_405b": ("Llama-3.1-405B", "full", 512.0),
}
_ROUNDS = {"v4.1": -1.1, "v5.0": -0.6, "v5.1": -0.1}


def runs(folder: Path) -> list[Run]:
    """Runs by benchmark, accelerator, count and round, the median of submitters."""
    groups: dict[tuple[str, str, int, str], list[float]] = defaultdict(list)
    for row in read(folder, "mlperf_training.csv"):
        name = sheet_of(row["accelerator"])
        if row["benchmark"] not in _TRAINED or name is None or not row["minutes"]:
            continue
        model, kind, _ = _TRAINED[row["benchmark"]]
        count, tokens = int(row["accelerators"]), float(row["samples_to_target"]) * 8192.0
        work = training_flop(OPEN_MODELS[model], tokens, 8192.0, kind)  # type: ignore[arg-type]  # a kind in a table
        peak = count * ACCELERATORS[name].half_tflop_per_s * 1e12
        share = float(work) / (peak * float(row["minutes"]) * 60.0)  # type: ignore[arg-type]  # a number
        groups[row["benchmark"], name, count, row["round"]].append(share)
    return [
        Run(*key[:3], _ROUNDS[key[3]], float(np.log(np.median(found))))
        for key, found in groups.items()
    ]


TERMS = (
    "lora", "full", "lora, per doubling", "8B, per doubling", "405B, per doubling",
    "memory, per doubling", "blackwell", "cdna3", "cdna4", "per year",
    "power over rate, per doubling", "4-bit products, from autumn 2025",
)  # fmt: skip


def terms_of(run: Run) -> Floats:
    """What the share of a run is explained by, in the order of ``TERMS``."""
    sheet = ACCELERATORS[run.accelerator]
    doublings = np.log2(run.count / _TRAINED[run.benchmark][2])
    hopper = ACCELERATORS["NVIDIA H100 SXM"]
    assert sheet.tdp_w is not None
    assert hopper.tdp_w is not None
    power = (sheet.tdp_w / sheet.half_tflop_per_s) / (hopper.tdp_w / hopper.half_tflop_per_s)
    return np.array([
        run.benchmark == "llama2_70b_lora", run.benchmark != "llama2_70b_lora",
        *(doublings * (run.benchmark == name) for name in _TRAINED),
        np.log2(sheet.memory_gib / 80.0),
        *(sheet.generation == name for name in ("blackwell", "cdna3", "cdna4")),
        run.years, np.log2(power), sheet.fp4_tflop_per_s is not None and run.years > -0.3,
    ], dtype=float)  # fmt: skip


def fit_training(found: Sequence[Run]) -> Floats:
    """Least squares with less weight on what is far, and a little pull of all but levels to 0."""
    terms = np.array([terms_of(one) for one in found])
    reached = np.array([one.reached for one in found])
    pull = 0.02 * np.diag([0.0, 0.0, *[1.0] * (terms.shape[1] - 2)])
    weight = np.ones(len(found))
    for _ in range(15):
        weighted = terms * weight[:, None]
        fit = np.linalg.solve(terms.T @ weighted + pull, terms.T @ (reached * weight))
        weight = 1.0 / np.sqrt(1.0 + ((reached - terms @ fit) / 0.1) ** 2)
    return np.asarray(fit)


def training(folder: Path) -> None:
    """Time of MLPerf training: one configuration left out, and each accelerator."""
    found = runs(folder)
    print("  " + ", ".join(
        f"{name} {value:.3f}" for name, value in zip(TERMS, fit_training(found), strict=True)
    ))  # fmt: skip
    names = [one.accelerator for one in found]
    for title, groups, wanted in (
        ("known", [str(at) for at in range(len(found))], "7 / 22"),
        ("accelerator left out", names, "12 / 30"),
    ):
        off = np.zeros(len(found))
        for name in set(groups):
            fit = fit_training([one for one, of in zip(found, groups, strict=True) if of != name])
            for at, one in enumerate(found):
                if groups[at] == name:
                    # Of the time: less is reached, longer it takes.
                    off[at] = terms_of(one) @ fit - one.reached
        told(f"training time, {title}", off, wanted, held_by_others(off, names))
        low, high = np.exp(np.quantile(off, [0.1, 0.9]))
        print(f"  80% band of measured over predicted time: {low:.2f} to {high:.2f}")


def main(arguments: Sequence[str]) -> int:
    """Print the table; names of parts (serving, mlperf, training) print only those."""
    folder, *parts = arguments
    for part in (training, mlperf, serving):
        if not parts or part.__name__ in parts:
            part(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
