"""``python -m capmodels.testing``: the odds of random studies against another sampler."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from capmodels.plans.compare import SPEC
from capmodels.spec import validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.document.study import StudySpec

DRAWS = 5_000
POINTS = 2
SAID_EVERY = 20


def study_of_seed(seed: int, draws: int = DRAWS) -> StudySpec:
    """The random study of a seed, asked with so many simulations.

    Without its alternatives: the sampler draws numbers alone.
    """
    document = document_of(random_study(seed))
    document["assumptions"] = {**document["assumptions"], "choices": []}
    return validate(SPEC, {**document, "draws_count": draws})


def main(arguments: Sequence[str] | None = None) -> int:
    """Hold so many random studies against the sampler; 1 when any of them is too far off."""
    from capmodels.testing.sampler_kernel import hold, point_findings

    parser = argparse.ArgumentParser(prog="python -m capmodels.testing", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="studies (500)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first study (0)")
    parser.add_argument("--trials", type=int, default=1_000_000, help="of each (1,000,000)")
    given = parser.parse_args(arguments)
    held_count, compared, worst, failed = 0, 0, 0.0, 0
    started = time.monotonic()
    for seed in range(given.first, given.first + given.count):
        study = study_of_seed(seed)
        held = hold(study, given.trials, seed)
        if held is None:
            continue
        found = [*held.found, *point_findings(study, POINTS, seed)]
        held_count, compared = held_count + 1, compared + held.compared
        worst, failed = max(worst, held.worst_errors), failed + bool(found)
        for sentence in found:
            print(f"study {seed}: {sentence}", flush=True)
        if held_count % SAID_EVERY == 0:
            print(f"up to seed {seed}: {compared} numbers, {worst:.2f} errors off", flush=True)
    print(
        f"{held_count} of {given.count} studies have simulations: {compared} numbers held, the "
        f"farthest {worst:.2f} errors off, {failed} studies with findings, "
        f"{time.monotonic() - started:.0f} s"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
