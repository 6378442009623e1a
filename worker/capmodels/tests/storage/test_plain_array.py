"""RAID-5 and mirrors against an array that is simulated the plain way, written apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.series import quantile_ms
from capmodels.tests.storage.plain_runs import both_ways, on_every_layout

if TYPE_CHECKING:
    from capmodels.storage.simulator.layout import Layout

pytestmark = pytest.mark.slow

COUNT = 20_000


@pytest.mark.decisive
@on_every_layout
def test_reads_and_writes_take_as_long_as_the_plain_way(
    layout: Layout, dispatch: Any, gap_ms: float
) -> None:
    out, theirs = both_ways(layout, dispatch, gap_ms, COUNT)
    for write, seen in enumerate(theirs):
        ours = float(out.response[write, k.SUM] / out.response[write, k.DONE])
        assert ours == pytest.approx(seen.mean(), rel=0.003)
        for share, within in ((0.5, 0.005), (0.99, 0.015)):
            assert quantile_ms(out.histogram[write], share) == pytest.approx(
                np.quantile(seen, share), rel=within
            )
