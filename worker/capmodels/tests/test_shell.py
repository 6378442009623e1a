"""The shell's published checks: rows as they come, and what is waited for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from capmodels import __main__ as shell
from capmodels import spec

if TYPE_CHECKING:
    from pathlib import Path


def test_a_row_is_printed_before_the_next_check_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []
    run_check = spec.run_check

    def noted(model: spec.AnyModel, check: Any) -> dict[str, Any]:
        seen.append(capsys.readouterr().out)
        return run_check(model, check)

    monkeypatch.setattr(spec, "run_check", noted)
    assert shell.main(["checks", "cost.owned_vs_cloud"]) == 0
    assert len(seen) > 1
    assert seen[0] == ""
    rows = [(out[:13].rstrip(), out[14:]) for out in seen[1:]]
    assert {mark for mark, _ in rows} == {"holds", "off, as known"}
    assert all(rest.startswith("arithmetic cost.owned_vs_cloud") for _, rest in rows)


def test_rows_as_json_are_one_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.main(["checks", "cost.irr", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["model"] for row in rows} == {"cost.irr"}


def test_cold_kernels_are_told_of_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    row = {
        "ok": True,
        "outcome": "holds",
        "said": "holds",
        "model": "m",
        "check": "c",
        "title": "t",
    }
    row |= {"kind": "arithmetic", "published": 1, "printed": "1", "ours": 1, "tolerance": 0.0}
    monkeypatch.setattr(spec, "run_check", lambda *_given: row)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    shell.main(["checks", "storage.array_instant", "memory.dimm_power"])
    assert "compiling" not in capsys.readouterr().err, "closed forms wait for no compiler"
    shell.main(["checks", "storage.array", "storage.alternatives", "cost.irr"])
    assert capsys.readouterr().err.count("storage: compiling") == 1
    (tmp_path / "kernel.nbi").touch()
    shell.main(["checks", "storage.array"])
    assert "compiling" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "cost.irr", "--params", "{}"],
        ["fio", "{}"],
        ["trace", "{}"],
        ["fleet", "{}"],
        ["disksim", "{}"],
        ["entry", "{}", "--slug", "a"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("content", [None, b"\xff\xfe{}", b"[" * 100_000])
def test_a_file_that_is_missing_or_damaged_is_told_in_a_line(
    words: list[str], content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "given"
    if content is not None:
        path.write_bytes(content)
    assert shell.main([word.format(path) for word in words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
