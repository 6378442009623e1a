"""What the launch tests know about processes, read from /proc."""

import socket
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ops.processes import wait_until

_LISTEN = "0A"


def descendants(pid: int) -> set[int]:
    """All processes below `pid`, now."""
    parents: dict[int, list[int]] = {}
    for child, parent in _parents():
        parents.setdefault(parent, []).append(child)
    found: set[int] = set()
    todo = [pid]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.add(child)
            todo.append(child)
    return found


def _parents() -> Iterator[tuple[int, int]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            fields = _stat(int(folder.name))
            if fields is not None:
                yield int(folder.name), int(fields[1])


def _stat(pid: int) -> list[str] | None:
    """State, parent, ... of a process; None when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def alive(pids: Iterable[int]) -> set[int]:
    """Those that still run (a zombie does not)."""
    states = {pid: _stat(pid) for pid in pids}
    return {pid for pid, fields in states.items() if fields is not None and fields[0] not in "ZX"}


def wait_gone(pids: Iterable[int], *, timeout_s: float = 30.0) -> None:
    """Wait until none of the processes runs."""
    pids = set(pids)
    wait_until(lambda: not alive(pids), what=f"the end of {pids}", timeout_s=timeout_s)


def holding(text: str) -> set[int]:
    """Processes whose command line or first environment mentions `text`."""
    found = set()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        for name in ("cmdline", "environ"):
            if text.encode() in _read(folder / name):
                found.add(int(folder.name))
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def by_name(pids: Iterable[int], accept: Callable[[str], bool]) -> list[int]:
    """Those whose command line is accepted."""
    lines = {pid: _read(Path(f"/proc/{pid}/cmdline")).replace(b"\0", b" ") for pid in pids}
    return sorted(pid for pid, line in lines.items() if accept(line.decode(errors="replace")))


def listening_addresses(pids: Iterable[int]) -> set[str]:
    """The TCP addresses on which the processes listen."""
    inodes = {inode for pid in pids for inode in _socket_inodes(pid)}
    found = set()
    for table, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTEN and fields[9] in inodes:
                found.add(_address(fields[1].split(":")[0], family))
    return found


def _socket_inodes(pid: int) -> Iterator[str]:
    try:
        links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return
    for link in links:
        if link.startswith("socket:["):
            yield link.removeprefix("socket:[").removesuffix("]")


def _address(hexadecimal: str, family: socket.AddressFamily) -> str:
    raw = bytes.fromhex(hexadecimal)
    words = [raw[i : i + 4][::-1] for i in range(0, len(raw), 4)]
    return socket.inet_ntop(family, b"".join(words))
