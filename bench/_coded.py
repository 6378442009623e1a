"""Coded clusters: how fast one is simulated, and how near losses are to chains solved apart."""

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from bench._lib import Row, at_most
from capmodels.registry import get_model
from capmodels.spec import Context, answer, evaluate, validate
from capmodels.storage.array import SERVER
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.params import SyntheticWorkload
from capmodels.storage.simulator.run import run_synthetic

_MILLION = 1_000_000


def _chain_h(members: int, tolerated: int, rate: float, repair: float) -> float:
    """Mean time until one more is lost than is tolerated, each repaired on its own. [h]

    Times from each state to the next, each from the one before, in fractions: nothing is rounded.
    """
    step = total = Fraction(0)
    lam, mu = Fraction(rate), Fraction(repair)
    for lost in range(tolerated + 1):
        up = (members - lost) * lam
        step = (1 + lost * mu * step) / up
        total += step
    return float(total)


def _losses() -> Iterator[Row]:
    """Loss of arrays and of one placement group, without unreadable sectors."""
    afr, hours = 0.017, 24.0
    rate = -np.log1p(-afr) / 8760
    loss = get_model("reliability.array_loss")
    for name, layout, members, tolerated in (
        ("RAID-6", "raid6", 8, 2),
        ("3-mirror", "mirror", 3, 2),
    ):
        found: Any = evaluate(
            loss,
            {"layout": layout, "disks_count": members, "afr_fraction": afr, "mttr_h": hours,
             "unrecoverable_per_bit": 0.0},
        )  # fmt: skip
        exact = _chain_h(members, tolerated, rate, 1 / hours) / 8760
        yield at_most(
            f"loss {name}", "against an independent chain", "relative",
            abs(found.mttdl_years / exact - 1), 1e-6,
        )  # fmt: skip
    model = get_model("storage.cluster_code")
    drive = validate(model, {}).model_dump(mode="json")["drive"]
    coded: Any = evaluate(
        model,
        {"drive": {**drive, "unrecoverable_per_bit": 0.0}, "afr_fraction": afr,
         "machines": {"node_fraction_per_year": 0.0}},
    )  # fmt: skip
    exact = _chain_h(11, 3, rate, 1 / coded.drive_lost.recovery_h) / 8760
    yield at_most(
        "loss EC 8+3", "against an independent chain", "relative",
        abs(coded.durability.group_mttdl_years / exact - 1), 1e-6,
    )  # fmt: skip


def _taken_s(body: Callable[[], object]) -> float:
    body()
    taken = []
    for _ in range(5):
        started = time.process_time()
        body()
        taken.append(time.process_time() - started)
    return min(taken)


def _speed() -> Iterator[Row]:
    """A million requests of 4 MiB to 8 + 3 on 12 nodes x 12 drives that lose a node."""
    arrivals = ExponentialArrivals(mean_ms=12.0)
    work = SyntheticWorkload(arrivals=arrivals, requests_count=_MILLION)
    one = _taken_s(lambda: result_of(SERVER, run_synthetic(SERVER, work, seed=1), closed=False))
    model = get_model("storage.cluster_array")
    params = validate(model, {"work": {"requests_count": _MILLION}})
    many = _taken_s(lambda: answer(model, params, Context(seed=1)))
    yield at_most("EC 8+3", "1 M requests, a node lost, over one disk's", "x", many / one, 10.0)
    yield at_most("EC 8+3 time", "1 M requests before, during, after", "s", many, 1.0)


def rows() -> Iterator[Row]:
    """Losses against chains, and the time of a million requests."""
    yield from _losses()
    yield from _speed()
