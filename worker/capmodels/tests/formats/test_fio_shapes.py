"""Results of fio in the shapes in which they come: which of them measure a drive, and at what."""

from __future__ import annotations

import json
from typing import Any

import pytest

from capmodels import __main__ as shell
from capmodels.formats.chunks import FileRefused
from capmodels.formats.fio_json import calibrations, rows
from capmodels.formats.ingest import ingest
from capmodels.formats.trace_told import trace_told

READ: dict[str, Any] = {
    "total_ios": 100,
    "iops": 2000.0,
    "lat_ns": {"mean": 5.5e5},
    "clat_ns": {"mean": 5e5},
}


def job(options: dict[str, str], **sides: Any) -> dict[str, Any]:
    name = "-".join(options.values())
    # As many were done as a depth and a latency let through.
    done = {**READ, "iops": int(options.get("iodepth", "1")) / READ["lat_ns"]["mean"] * 1e9}
    ways = {way: done if side is READ else side for way, side in {"read": READ, **sides}.items()}
    return {"jobname": name, "job options": options, **ways}


def written(*jobs: dict[str, Any]) -> bytes:
    return json.dumps({"fio version": "fio-3.36", "jobs": jobs}).encode()


def depths(data: bytes) -> list[tuple[int, str, int, float]]:
    """Size, way, depth and latency of all rows that calibrate a drive."""
    return [
        (one["size_bytes"], row["way"], row["depth_count"], row["latency_ms"])
        for one in calibrations(rows(data))[0]
        for row in one["rows"]
    ]


def notes_of(data: bytes) -> tuple[str, ...]:
    found = ingest([data], lambda _packed: None)
    return trace_told(found.kind, found.summary, found.charts).notes


def test_a_job_that_reads_and_writes_measures_neither() -> None:
    mixed = job({"rw": "randrw", "iodepth": "8"}, write=READ)
    assert depths(written(mixed)) == []
    assert depths(written(mixed, job({"iodepth": "4"}))) == [(4096, "read", 4, 0.5)]


def test_jobs_of_one_group_run_beside_each_other() -> None:
    one, two = (job({"iodepth": depth}) for depth in "24")
    assert depths(written({**one, "groupid": 0}, {**two, "groupid": 0})) == []
    found = depths(written({**one, "groupid": 0}, {**two, "groupid": 1}))
    assert [row[2] for row in found] == [2, 4]
    copies = [{**one, "groupid": 0}] * 2
    assert [row[2] for row in depths(written(*copies))] == [2]


@pytest.mark.parametrize("option", ["bsrange", "bssplit"])
def test_blocks_of_several_sizes_are_of_none(option: str) -> None:
    assert depths(written(job({option: "4k-64k"}))) == []


def test_blocks_may_have_another_size_for_each_direction() -> None:
    jobs = job({"bs": "8k,64k"}), job({"bs": "4k,8k", "rw": "randwrite"}, read={}, write=READ)
    assert [row[:2] for row in depths(written(*jobs))] == [(8192, "read"), (8192, "write")]
    assert depths(written(job({"bs": ",8k"})))[0][0] == 4096


def test_an_engine_that_waits_for_each_request_has_one_outstanding() -> None:
    deep = {**job({"iodepth": "32", "ioengine": "psync"}), "iodepth_level": {"1": 100.0}}
    waits = {**deep, "read": job({})["read"]}
    assert depths(written(waits)) == [(4096, "read", 1, 0.5)]
    deep = {**deep, "iodepth_level": {"1": 0.1, "32": 99.9}}
    assert depths(written(deep))[0][2] == 32


def test_reads_in_sequence_do_not_take_the_place_of_random_ones() -> None:
    run, far = job({"rw": "read"}), job({"rw": "randread"})
    far["read"] = {**READ, "clat_ns": {"mean": 9e6}}
    assert depths(written(run, far)) == [(4096, "read", 1, 9.0)]
    assert depths(written(run)) == [(4096, "read", 1, 0.5)]


def test_the_whole_latency_may_be_left_out() -> None:
    without = job({}, read={**READ, "lat_ns": {"mean": 0.0}})
    assert depths(written(without)) == [(4096, "read", 1, 0.5)]
    assert rows(written(without))[0].latency_mean_ms == 0.5


def test_percentiles_of_the_second_version_are_in_microseconds() -> None:
    side: dict[str, Any] = {"total_ios": 9, "iops": 1e6 / 510.0, "lat": {"mean": 510.0}}
    side["clat"] = {"mean": 500.0, "percentile": {"50.000000": 400, "0.00": 0}}
    [[found], unused] = calibrations(rows(written(job({}, read=side))))
    assert unused == {}
    assert found["rows"][0]["percentiles"] == [{"percent_ratio": 50.0, "latency_ms": 0.4}]


def test_a_point_whose_rate_times_latency_is_not_its_depth_is_left_out() -> None:
    """Little's law: with a host that could not keep 32 under way the point is of another depth."""
    slow = job({"iodepth": "32"}, read={**READ, "iops": 0.7 * 32 / 5.5e-4})
    found, unused = calibrations(rows(written(slow)))
    assert found == []
    assert unused == {"whose rate times latency is not their depth, by more than 20%": 1}


def test_what_an_old_fio_does_not_write_is_worked_out_of_what_it_measured() -> None:
    side: dict[str, Any] = {"total_ios": 96000, "iops": 1600.0, "bw": 102400}
    side |= {"lat": {"mean": 20005.0}, "clat": {"mean": 20000.0}}
    old = {"jobname": "rr", "read": side, "iodepth_level": {"1": 0.0, "32": 100.0, ">=64": 0.0}}
    data = json.dumps({"fio version": "fio-2.2.10", "jobs": [old]}).encode()
    assert depths(data) == [(65536, "read", 32, 20.0)]


def test_each_client_is_read_without_the_sum_of_all() -> None:
    one = {**job({"iodepth": "4"}), "hostname": "h1"}
    whole = {**one, "jobname": "All clients"}
    for jobs, expected in (([whole], 1), ([one, {**one, "hostname": "h2"}, whole], 2)):
        data = json.dumps({"fio version": "fio-3.36", "client_stats": jobs}).encode()
        assert len(rows(data)) == expected


def test_directions_reported_together_calibrate_none() -> None:
    mixed = {"jobname": "m", "job options": {"bs": "64k", "iodepth": "32"}, "mixed": READ}
    (row,) = rows(written(mixed))
    assert row.direction == "mixed"
    found, unused = calibrations([row])
    assert found == []
    assert "unified_rw_reporting" in next(iter(unused))


def test_runs_of_several_depths_may_stand_in_one_file() -> None:
    runs = [written(job({"iodepth": depth})) for depth in ("1", "7", "128")]
    assert [row[2] for row in depths(b"\n".join([b"a note", *runs]))] == [1, 7, 128]
    with pytest.raises(FileRefused, match="no whole JSON"):
        rows(runs[0] + runs[1][:-20])


def test_the_shell_keeps_sizes_apart(tmp_path: Any, capsys: Any) -> None:
    path = tmp_path / "fio.json"
    path.write_bytes(written(job({"bs": "64k"}), job({"iodepth": "1"}), job({"iodepth": "4"})))
    assert shell.main(["fio", str(path)]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (found["size_bytes"], len(found["rows"])) == (4096, 2)
    assert err == "Blocks of 4096 bytes; --size has those of 65536.\n"
    assert shell.main(["fio", str(path), "--size", "65536"]) == 0
    assert json.loads(capsys.readouterr().out)["size_bytes"] == 65_536
    assert shell.main(["fio", str(path), "--size", "512"]) == 2
    assert "There are blocks of 4096, 65536 bytes." in capsys.readouterr().err


def test_what_is_not_used_is_told_with_its_reason(tmp_path: Any, capsys: Any) -> None:
    jobs = (
        job({"rw": "randread", "iodepth": "4"}),
        job({"rw": "randread", "iodepth": "4"}),
        job({"rw": "read", "iodepth": "8"}),
        job({"rw": "randrw", "iodepth": "2"}, write=READ),
        job({"rw": "randread", "filename": "/dev/b"}),
        job({"rw": "randwrite", "bs": "1m"}, read={}, write=READ),
        job({"rw": "randtrim"}, read={}, trim=READ),
        job({"bsrange": "4k-8k"}),
    )
    why = {
        "of a depth that another point has": 1,
        "in sequence, where there are random ones": 1,
        "of jobs that asked for reads and writes at once": 2,
        "of another device": 1,
        "of 1 MiB, of which no reads were measured": 1,
        "of trims": 1,
        "of blocks of several sizes": 1,
    }
    [fit], unused = calibrations(rows(written(*jobs)))
    assert [row["depth_count"] for row in fit["rows"]] == [4]
    assert unused == why
    path = tmp_path / "fio.json"
    path.write_bytes(written(*jobs))
    [note] = notes_of(written(*jobs))
    assert note.startswith("Not used to calibrate a drive: ")
    assert all(
        f"{count} point{'' if count == 1 else 's'} {name}" in note for name, count in why.items()
    )
    assert shell.main(["fio", str(path)]) == 0
    assert "Not used: " in capsys.readouterr().err


def test_a_file_that_calibrates_nothing_says_what_would() -> None:
    notes = notes_of(written(job({"rw": "randrw"}, write=READ)))
    assert notes[0] == (
        "Not used to calibrate a drive: 2 points of jobs that asked for reads and writes at once."
    )
    assert notes[1].startswith("No drive is calibrated")
