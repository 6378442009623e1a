"""The hygiene check finds what it is there for."""

from pathlib import Path

import pytest

from ops import hygiene, places


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.py", b"x = 1 \n", "line 1 ends in white space"),
        ("a.md", b"text", "does not end in a new line"),
        ("a.py", b"x = 1\n" * 1001, "has 1001 lines"),
        ("a.py", b"import x  # no" + b"qa: F401\n", "does not say why"),
        ("a.py", b"import x  # no" + b"qa\n", "does not say why"),
        ("a.py", b"x = y()  # type: " + b"ignore[arg-type]\n", "does not say why"),
        ("a.tsx", b"// eslint-" + b"disable-next-line react-hooks/exhaustive-deps\n", "say why"),
        ("a.ts", b"/* oxlint-" + b"disable */\n", "say why"),
        ("a.ts", b"// @ts-" + b"expect-error\n", "say why"),
        ("a.bin", b"\0" * (hygiene.BYTES_MAX + 1), f"has {hygiene.BYTES_MAX + 1:,} bytes"),
        ("a.pem", b"-----BEGIN RSA PRIVATE" + b" KEY-----\n", "holds a private key"),
    ],
)
@pytest.mark.decisive
def test_a_fault_is_named(tmp_path: Path, name: str, content: bytes, fault: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert any(fault in found for found in hygiene.faults(path))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.py", b"import x  # noqa: F401 -- a fixture\n"),
        ("a.py", b"x = y()  # type: ignore[arg-type]  # whoever\n"),
        ("a.tsx", b"// eslint-disable-next-line no-console -- the reader asked\n"),
        ("a.ts", b"// @ts-expect-error no such field\n"),
    ],
)
def test_a_reason_lets_a_checker_be_silenced(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert list(hygiene.faults(path)) == []


def test_a_clean_file_passes(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1\n" * 1000)
    assert list(hygiene.faults(path)) == []


def test_a_package_beside_the_readme_is_one_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "ROOT", tmp_path)
    path = tmp_path / "left-1.0.tar.gz"
    path.write_bytes(b"\0")
    assert any("is a package" in found for found in hygiene.faults(path))
