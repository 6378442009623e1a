"""Where things are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ops import places

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.decisive
def test_a_changed_kernel_gets_a_new_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "ROOT", tmp_path)
    kernel = tmp_path / "worker" / "capmodels" / "cost" / "some_kernel.py"
    kernel.parent.mkdir(parents=True)
    kernel.write_text("from capmodels.kernel import kernel\n")
    before = places.kernels_cache(tmp_path)

    assert places.kernels_cache(tmp_path) == before
    tested = kernel.parents[1] / "tests" / "test_some_kernel.py"
    tested.parent.mkdir()
    tested.write_text("def test_one() -> None: ...\n")

    assert places.kernels_cache(tmp_path) == before
    kernel.write_text("from capmodels.kernel import kernel  # changed\n")

    assert places.kernels_cache(tmp_path) != before


def test_a_constant_that_a_kernel_imports_is_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(places, "ROOT", tmp_path)
    family = tmp_path / "worker" / "capmodels" / "cost"
    family.mkdir(parents=True)
    (family / "some_kernel.py").write_text(
        "from capmodels.kernel import kernel\nfrom capmodels.cost import shapes as k\n"
    )
    (family / "shapes.py").write_text("from capmodels.cost.slots import ONE\n")
    (family / "slots.py").write_text("ONE = 1\n")
    (family / "other.py").write_text("")
    before = places.kernels_cache(tmp_path)
    (family / "other.py").write_text("aside = 1\n")
    assert places.kernels_cache(tmp_path) == before
    (family / "slots.py").write_text("ONE = 2\n")
    assert places.kernels_cache(tmp_path) != before
