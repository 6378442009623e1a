"""The odds and means of random studies against a sampler that shares no draw with them."""

from __future__ import annotations

import pytest

from capmodels.testing.__main__ import study_of_seed
from capmodels.testing.sampler_kernel import hold, point_findings

# Few trials here; ``python -m capmodels.testing`` takes a million of any number of studies.
TRIALS = 4_000


@pytest.mark.parametrize("seed", [28, 39])
def test_odds_and_means_are_those_of_an_independent_sampler(seed: int) -> None:
    study = study_of_seed(seed, draws=2_000)
    held = hold(study, TRIALS, seed)
    assert held is not None
    assert held.compared > 3
    assert held.found == []
    assert list(point_findings(study, 1, seed)) == []


def test_the_sampler_tells_odds_that_are_off() -> None:
    study = study_of_seed(2, draws=2_000)
    held = hold(study, TRIALS, 2)
    assert held is not None
    held.hold("mean", 1.0, 1.5, 0.1, 1.0)
    assert held.found == ["mean: 1 against 1.5, 5.0 errors apart"]
