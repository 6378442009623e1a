"""Where things are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ops import places

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_changed_kernel_gets_a_new_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "ROOT", tmp_path)
    kernel = tmp_path / "worker" / "capmodels" / "cost" / "some_kernel.py"
    kernel.parent.mkdir(parents=True)
    kernel.write_text("one = 1\n")
    before = places.kernels_cache(tmp_path)

    assert places.kernels_cache(tmp_path) == before
    kernel.write_text("one = 2\n")

    assert places.kernels_cache(tmp_path) != before
