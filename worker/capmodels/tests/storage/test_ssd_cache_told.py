"""What the advice on a solid-state cache tells."""

from __future__ import annotations

from capmodels.spec import Context
from capmodels.storage.reuse.params import SsdCacheParams
from capmodels.storage.ssd_cache import SPEC


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_the_size_that_holds_a_day_is_said_drawn_and_listed_beside_others() -> None:
    found = SPEC.run(SsdCacheParams(), Context())
    assert _plain(found.headline).startswith("**A cache of 30.0 GB holds a day** and serves")
    assert "its rated writes last" in found.headline
    text = _plain(" ".join(found.notes))
    assert "without the cache" in text
    assert "It takes one drive and writes" in text
    (figure,) = found.figures
    assert [one.name for one in figure.series] == ["Reads served", "Holds a day"]
    assert figure.series[1].at == (found.advised.cache_gb,)
    assert len(found.tables[0].rows) == len(found.sizes)


def test_a_shorter_record_says_that_a_day_needs_at_least_as_much() -> None:
    demand = {
        "kind": "requests",
        "times_s": [0.0, 3600.0],
        "sectors": [0, 0],
        "sectors_count": [8, 8],
        "writes": [False, False],
    }
    found = SPEC.run(SsdCacheParams.model_validate({"demand": demand}), Context())
    assert "holds all that was touched" in found.headline
    assert "a whole day needs at least this much" in found.notes[0]
    assert found.figures[0].series[1].name == "Holds all of it"
