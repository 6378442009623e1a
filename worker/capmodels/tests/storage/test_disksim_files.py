"""DiskSim's parameter files, generated from their grammar: read, or refused in a sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from capmodels.__main__ import main
from capmodels.errors import ParamsError
from capmodels.formats.chunks import FileRefused
from capmodels.formats.libparam import FileFault
from capmodels.spec import evaluate
from capmodels.storage.calibration.disksim_drive import SPEC, notes
from capmodels.storage.calibration.disksim_read import ReadDrive, drive_of_files
from capmodels.storage.drive.drives import HardDisk
from capmodels.storage.drive.geometry import cylinders_of
from capmodels.storage.drive.tracks import drive_sectors
from capmodels.storage.simulator.build import seeks_by_cylinder
from capmodels.storage.simulator.track_map import map_of, tracks_of

if TYPE_CHECKING:
    import random
    from pathlib import Path

SEEKS = "Seek distances measured: 3\n1,\t1.5\n4, 2.5e0, 0.02\n7, 3.0\n"
ALWAYS_THE_SAME = settings(deadline=None, derandomize=True)
SCHEMES = range(11)
SEEK_KINDS = {
    "constant": "Seek type = constant, Constant seek time = 4.0",
    "linear": "Seek type = linear, Single cylinder seek time = 1.0,\n"
    " Average seek time = 5.0, Full strobe seek time = 9.0",
    "curve": "Seek type = curve, Single cylinder seek time = 1.0,\n"
    " Average seek time = 5.0, Full strobe seek time = 9.0",
    "hpl": "Seek type = hpl, HPL seek equation values = [ 10, 1.0, 0.5, 2.0, 0.05, 0.9 ]",
    "hplplus10": "Seek type = hplplus10,\n"
    " HPL seek equation values = [ 12, 1.0, 0.5, 2, 5e-2, -1 ],\n"
    " First ten seek times = [ 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9 ]",
    "extracted": "Seek type = extracted, Full seek curve = some/where.seek",
}


def _zone(zone: dict[str, Any]) -> str:
    listed = ", ".join(str(slip) for slip in zone["slips"])
    return f"""dm_layout_g1_zone {{ # a comment, with = and {{
      First cylinder number = {zone["first"]}, Last cylinder number = {zone["last"]},
      Blocks per track = {zone["per_track"]}, Offset of first block = {zone["offset"]},
      Empty space at zone front = {zone["empty"]},
      Skew for track switch = {zone["skews"][0]}, Skew for cylinder switch = {zone["skews"][1]},
      Number of spares = {zone["spares"]}, slips = [ {listed} ], defects = [ ] }}"""


def model_text(disk: dict[str, Any]) -> str:
    """A ``.model`` file."""
    zones = ",\n".join(_zone(zone) for zone in disk["zones"])
    return f"""# {disk["scheme"]}
dm_disk MAKER_X_validate {{
  Block count = {disk["blocks"]}, Number of data surfaces = {disk["surfaces"]},
  Number of cylinders = {disk["cylinders"]},
  Mechanical Model = dm_mech_g1 {{ Access time type = trackSwitchPlusRotation,
    {SEEK_KINDS[disk["seek"]]}, Add. write settling delay = {disk["settle"]},
    Head switch time = 0.5, Rotation speed (in rpms) = 0x1518, Percent error in rpms = 0.0 }},
  Layout Model = dm_layout_g1 {{ LBN-to-PBN mapping scheme = {disk["mapping"]},
    Sparing scheme used = {disk["scheme"]}, Rangesize for sparing = {disk["range"]},
    {disk["units"]} Zones = [ {zones} ] }} # end
}}
"""


def disksim_sectors(disk: dict[str, Any]) -> int:
    """Sectors with data as DiskSim's manual counts them, zone by zone."""
    total, surfaces = 0, disk["surfaces"]
    for zone in disk["zones"]:
        cylinders = zone["last"] - zone["first"] + 1
        per_track, spares, slips = zone["per_track"], zone["spares"], len(zone["slips"])
        lost = {
            0: 0, 1: spares * per_track, 2: spares * cylinders, 3: spares * cylinders * surfaces,
            4: spares * cylinders + slips, 5: spares * cylinders, 6: spares * cylinders + slips,
            7: slips, 8: spares * (cylinders // disk["range"]), 9: spares, 10: spares + slips,
        }[disk["scheme"]]  # fmt: skip
        total += cylinders * surfaces * per_track - zone["empty"] - lost
    return total


@st.composite
def disks(draw: st.DrawFn) -> dict[str, Any]:
    scheme = draw(st.sampled_from(SCHEMES))
    surfaces, span = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    zones: list[dict[str, Any]] = []
    cylinder = draw(st.integers(0, 2))
    per_track = draw(st.integers(60, 400))
    for _ in range(draw(st.integers(1, 4))):
        cylinders = draw(st.integers(3, 9))
        tracks = cylinders * surfaces
        # Room enough in front of the first slips and at the end for all spares.
        roomy = min(tracks - 1, 3) if scheme == 1 else 3
        spares = 0 if scheme in {0, 7} else draw(st.integers(0, roomy))
        most = {0: 0, 7: 3, 4: 3, 6: 3, 10: 3}.get(scheme, 1) if scheme != 0 else 0
        most = most if scheme in {4, 6, 7, 10} else min(spares, 1)
        among = tracks - 4 if scheme == 1 else (tracks - 1) * per_track
        slips = draw(st.sets(st.integers(0, max(among - 5, 1)), max_size=most))
        # On real files it is under a track, seventeen tracks or twenty-eight cylinders.
        empty = draw(st.integers(0, 20) | st.integers(0, max(tracks - 4, 0) * per_track // 2))
        zones.append(
            {
                "first": cylinder, "last": cylinder + cylinders - 1, "per_track": per_track,
                "offset": 0.0, "empty": empty, "spares": spares, "slips": sorted(slips),
                "skews": draw(st.sampled_from([(3, 7), (0, 0), (0, 5), (61.5, 200), (-2, 9)])),
            }
        )  # fmt: skip
        cylinder += cylinders + draw(st.integers(0, 2))
        per_track = draw(st.integers(40, per_track + 10))
    zones[-1]["per_track"] = min(zones[-1]["per_track"], zones[0]["per_track"])
    disk = {
        "scheme": scheme, "surfaces": surfaces, "zones": zones, "cylinders": cylinder,
        "range": span, "mapping": draw(st.integers(0, 2)), "units": "",
        "settle": draw(st.sampled_from([0.5, -0.3])),
        "seek": draw(st.sampled_from(sorted(SEEK_KINDS))),
    }  # fmt: skip
    disk["blocks"] = disksim_sectors(disk)
    return disk


# Cylinders left over of ranges of two have no spare sectors, but one that is slipped.
LEFT_OVER: dict[str, Any] = {
    "scheme": 8, "surfaces": 1, "cylinders": 5, "range": 2, "mapping": 0, "units": "",
    "settle": 0.5, "seek": "constant", "blocks": 5 * 71 - 2,
    "zones": [{
        "first": 0, "last": 4, "per_track": 71, "offset": 0.0, "empty": 0, "spares": 1,
        "slips": [4 * 71 + 5], "skews": (3, 7),
    }],
}  # fmt: skip


def read(model: str, seeks: str = SEEKS) -> ReadDrive:
    """The drive of a model and its seeks."""
    return drive_of_files({"x.model": model, "where.seek": seeks})


@ALWAYS_THE_SAME
@example(LEFT_OVER)
@given(disks())
def test_every_kind_of_file_is_read(disk: dict[str, Any]) -> None:
    drive = read(model_text(disk)).drive
    assert drive_sectors(drive) == disk["blocks"]
    assert drive.speed_rpm == 5400
    assert drive.geometry is not None
    assert cylinders_of(drive.geometry) == disk["cylinders"] or disk["zones"][-1]["last"] + 1 == (
        cylinders_of(drive.geometry)
    )
    assert drive.write_settle_ms == disk["settle"]
    # What is printed can be pasted, laid out track by track and sought over.
    again = HardDisk.model_validate(json.loads(json.dumps(drive.model_dump(mode="json"))))
    assert again.geometry is not None
    assert map_of(again.geometry, 11.0).sectors_count == disk["blocks"]
    assert (seeks_by_cylinder(again, cylinders_of(again.geometry))[1:] > 0).all()


FAULTS = [
    ("{", ""), ("}", ""), ("]", ""), ("Zones = [", "Zones = 3 ["), ("= 0x1518", "= 0"),
    ("= 0x1518", "= nan"), ("= 0x1518", "="), ("Blocks per track = ", "Blocks per track = -"),
    ("Last cylinder number = ", "Last cylinder number = -"), ("slips = [", "slips = [ here, "),
    ("Sparing scheme used = ", "Sparing scheme used = 1"), ("dm_disk", "dm_drive"),
    ("dm_layout_g1 {", "dm_layout_g4 {"), ("Number of spares = ", "Number of spares = 99999999"),
    ("Empty space at zone front = ", "Empty space at zone front = 1e9"), ("Seek type", "Type"),
    ("Number of data surfaces = ", "Number of data surfaces = 9"), ("slips = [", "slips = [ 1.5, "),
    ("Number of data surfaces = ", "Number of surfaces = "), ("Head switch time = 0.5", ""),
    ("First cylinder number = ", "First cylinder number = 10"), ("Seek type = ", "Seek type = un"),
    ("Rangesize for sparing = ", "Rangesize for sparing = -"),
    ("slips = [", "slips = [ 99999999, "),
    ("Average seek time = 5.0", "Average seek time = 1.1"), (", slips = [", ", slips = [ 1, 1, "),
]  # fmt: skip


@ALWAYS_THE_SAME
@given(disks(), st.sampled_from(FAULTS))
def test_a_fault_is_a_sentence(disk: dict[str, Any], fault: tuple[str, str]) -> None:
    text = model_text(disk).replace(*fault)
    try:
        drive = read(text).drive
    except FileRefused as refused:
        said = str(refused)
        assert "x.model" in said or "where.seek" in said
        assert "\n" not in said
        assert len(said) < 400
    else:
        assert drive_sectors(drive) > 0


@ALWAYS_THE_SAME
@given(disks(), st.data())
def test_a_file_that_ends_early_is_a_sentence(disk: dict[str, Any], data: Any) -> None:
    text = model_text(disk)
    cut = data.draw(st.integers(0, len(text) - 10))
    with pytest.raises(FileRefused):
        read(text[:cut])


def test_an_empty_front_over_many_tracks_is_passed_over_between_their_spares() -> None:
    # DiskSim's own file of a DEC RZ26, and the blocks that it says: 29 cylinders are empty.
    zone = {
        "first": 0, "last": 2598, "per_track": 58, "offset": 0.0, "empty": 23_142, "spares": 1,
        "slips": [], "skews": (7, 25),
    }  # fmt: skip
    disk = {
        "scheme": 3, "surfaces": 14, "zones": [zone], "cylinders": 2599, "range": 1, "mapping": 0,
        "settle": -0.483, "seek": "constant", "units": "", "blocks": 2_050_860,
    }  # fmt: skip
    drive = read(model_text(disk)).drive
    assert drive_sectors(drive) == 2_050_860
    assert drive.geometry is not None
    first = tracks_of(drive.geometry, 11.0).tracks[0]
    assert divmod(int(first[4]), 14) == (29, 0)


def test_slips_without_spares_push_what_follows() -> None:
    zone = {
        "first": 0, "last": 9, "per_track": 100, "offset": 0.0, "empty": 0, "spares": 0,
        "slips": [5, 150], "skews": (3, 7),
    }  # fmt: skip
    disk = {
        "scheme": 9, "surfaces": 2, "zones": [zone, zone | {"first": 10, "last": 19, "slips": []}],
        "cylinders": 20, "range": 1, "mapping": 0, "settle": 0.5, "seek": "constant", "units": "",
    }  # fmt: skip
    pushed = read(model_text(disk | {"blocks": 3998})).drive
    assert drive_sectors(pushed) == 3998
    counted = read(model_text(disk | {"blocks": 4000})).drive
    assert drive_sectors(counted) == 4000


def test_a_disk_without_seeks_and_a_seek_below_no_time_are_refused() -> None:
    zone = {
        "first": 0, "last": 9, "per_track": 100, "offset": 0.0, "empty": 0, "spares": 0,
        "slips": [], "skews": (3, 7),
    }  # fmt: skip
    disk = {
        "scheme": 0, "surfaces": 2, "zones": [zone], "cylinders": 10, "range": 1, "mapping": 0,
        "settle": 0.5, "seek": "extracted", "units": "", "blocks": 2000,
    }  # fmt: skip
    text = model_text(disk)
    constant = text.replace("trackSwitchPlusRotation", "constant, Constant access time = 9.0")
    with pytest.raises(FileRefused, match="every access the same time"):
        read(constant)
    with pytest.raises(FileRefused, match="no pairs"):
        read(text, "1, -2.5\n9, 4.0\n")


def test_skews_may_be_in_revolutions() -> None:
    zone = {
        "first": 0, "last": 9, "per_track": 100, "offset": 0.0, "empty": 0, "spares": 0,
        "slips": [], "skews": (0.1, 0.25),
    }  # fmt: skip
    disk = {
        "scheme": 0, "surfaces": 2, "zones": [zone], "cylinders": 10, "range": 1, "mapping": 0,
        "settle": 0.5, "seek": "constant", "units": "Skew units = revolutions,", "blocks": 2000,
    }  # fmt: skip
    drive = read(model_text(disk)).drive
    assert drive.geometry is not None
    assert drive.geometry.head_skew_ms == pytest.approx(0.1 * 60_000 / 5400)
    assert drive.geometry.cylinder_skew_ms == pytest.approx(0.25 * 60_000 / 5400)


ONE = LEFT_OVER | {"seek": "extracted"}
CACHE = """Bulk sector transfer time = 0.1, Read miss over. after read = 0.4,
  Number of buffer segments = 2, Segment size (in blks) = 64"""
NAMES = st.lists(
    st.text("abz019_-", min_size=1, max_size=6), min_size=4, max_size=4, unique_by=str.lower
)


def parts_of(disk: dict[str, Any], names: list[str]) -> dict[str, str]:
    """The files of a disk with its layout in one of its own, and a system of it."""
    text = model_text(disk)
    start, end = text.index("dm_layout_g1 {"), text.index(" # end")
    model, layout = text[:start] + f"source a/{names[2]}" + text[end:], text[start:end]
    return {
        names[3]: f"disksim_bus B {{ type = 1 }} # source no.thing\nsource ../{names[0]}\n"
        "instantiate [ d0 .. d8 ] as OWN\ntopology disksim_bus b [ disksim_disk d0 [] ]",
        names[0]: f"disksim_disk OWN {{ Model = source {names[1]}, {CACHE} }} # end",
        names[1]: model,
        names[2]: layout,
        "where.seek": SEEKS,
    }


@ALWAYS_THE_SAME
@given(disks(), NAMES, st.randoms(use_true_random=False))
def test_parts_in_files_of_any_names_and_order_are_the_whole(
    disk: dict[str, Any], names: list[str], order: random.Random
) -> None:
    texts = list(parts_of(disk, names).items())
    order.shuffle(texts)
    found, whole = drive_of_files(dict(texts)), read(model_text(disk)).drive
    assert found.drive.buffer is not None
    assert found.drive.overhead_ms == 0.4
    plain = {"buffer": whole.buffer, "overhead_ms": whole.overhead_ms}
    assert found.drive.model_copy(update=plain) == whole
    assert (found.disks, found.missing) == (("OWN",), ())
    assert found.unused == (() if disk["seek"] == "extracted" else ("where.seek",))


@pytest.mark.parametrize(
    ("left_out", "by", "what"),
    [
        ("o.specs", "o.parv", "its disk"),
        ("o.dm", "o.specs", "its model"),
        ("o.lay", "o.dm", "its layout"),
        ("where.seek", "o.dm", "its seek curve"),
    ],
)
def test_a_file_that_is_missing_is_named(left_out: str, by: str, what: str) -> None:
    texts = parts_of(ONE, ["o.specs", "o.dm", "o.lay", "o.parv"])
    assert drive_of_files(texts).parts == {
        "cache": "o.specs", "model": "o.dm", "layout": "o.lay", "seeks": "where.seek",
    }  # fmt: skip
    del texts[left_out]
    with pytest.raises(FileFault) as refused:
        drive_of_files(texts)
    assert str(refused.value) == f"{by} takes {what} from {left_out}: give that file as well."
    assert refused.value.file == by


@ALWAYS_THE_SAME
@given(st.sets(st.sampled_from(["o.specs", "o.dm", "o.lay", "where.seek"]), min_size=1),
       st.randoms(use_true_random=False))  # fmt: skip
def test_a_file_of_another_name_stands_in_where_it_alone_can(
    others: set[str], order: random.Random
) -> None:
    texts = parts_of(ONE, ["o.specs", "o.dm", "o.lay", "o.parv"])
    found = [(f"my {name}" if name in others else name, text) for name, text in texts.items()]
    order.shuffle(found)
    drive = drive_of_files(dict(found)).drive
    assert drive == drive_of_files(texts).drive
    # Two that could be it stand in for none; a second model or disk is a disk of its own.
    for name in others & {"o.lay", "where.seek"}:
        with pytest.raises(FileFault, match=f"from {name}: give that file as well"):
            drive_of_files(dict(found) | {f"one more {name}": texts[name]})


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("source a", ""),
        ("source b", "source a"),
        ("disksim_disk D { Model = source b }", "dm_disk D { Layout Model = source a }"),
        ("disksim_disk D { Model = source a }", ""),
        ("disksim_disk D { Model = source b }", "source a"),
        ("disksim_disk D { Model = source b }", "dm_disk D { L = [ x { y = source b } ] }"),
    ],
)
def test_files_that_lead_back_to_themselves_are_told(a: str, b: str) -> None:
    with pytest.raises(FileFault, match=r"takes a part from (itself|., which leads back to .)"):
        drive_of_files({"a": a, "b": b})


def test_files_that_name_many_others_many_times_are_soon_done() -> None:
    # Followed one by one, sixteen blocks a file would be followed 16 ** 23 times.
    texts = {
        f"f{n}": "dm_disk D { " + ", ".join(f"k{i} = source f{n + 1}" for i in range(16)) + " }"
        for n in range(23)
    }
    with pytest.raises(FileFault, match="f0 has no zones"):
        drive_of_files(texts | {"f23": "dm_disk D { a = 1 }"})
    tops = {f"f{n}": f"source f{n + 1}\n" * 16 for n in range(23)}
    with pytest.raises(FileFault, match="f0 describes no disk"):
        drive_of_files(tops | {"f23": ""})


def test_of_several_disks_the_first_is_read_or_one_by_name() -> None:
    other = model_text(ONE).replace("MAKER_X_validate", "OTHER").replace("0x1518", "7200")
    texts = {
        "s.parv": "source one.model source two.model source three.model instantiate [ d ] as D",
        "two.model": other, "one.model": model_text(ONE), "where.seek": SEEKS,
    }  # fmt: skip
    first = drive_of_files(texts)
    assert (first.drive.name, first.disks) == ("MAKER X", ("MAKER_X_validate", "OTHER"))
    assert (first.missing, first.unused) == (("three.model",), ("two.model",))
    said = " ".join(notes(first))
    assert "MAKER_X_validate, OTHER" in said
    assert "Not given, so not read: three.model" in said
    assert drive_of_files(texts, "OTHER").drive.speed_rpm == 7200
    with pytest.raises(FileFault, match=r"takes its disk from three\.model"):
        drive_of_files(texts, "THIRD")
    with pytest.raises(FileFault, match="no disk 'THIRD'; there are MAKER_X_validate"):
        drive_of_files({"one.model": model_text(ONE), "where.seek": SEEKS}, "THIRD")


def test_seeks_of_writes_in_a_fourth_column_go_into_the_write_settling() -> None:
    text = model_text(ONE)
    alone = read(text, "1, 1.5, 0.02\n4, 2.5, 0.02\n").drive
    dual = read(text, "1, 1.5, 0.02, 1.75\n4, 2.5, 0.02, 3.0 # the last\n")
    assert dual.write_more_ms == (0.25 + 0.5) / 2
    assert dual.drive == alone.model_copy(update={"write_settle_ms": 0.5 + 0.375})
    assert any("0.375" in note for note in notes(dual))


def test_a_layout_that_cannot_be_read_is_refused_by_its_file() -> None:
    texts = parts_of(ONE, ["o.specs", "o.dm", "o.lay", "o.parv"])
    texts["o.lay"] = "dm_layout_g4 { TP = [ 0, 1087, 1088 ], IDX = [ 1 ] }"
    with pytest.raises(FileFault, match=r"^o\.lay lays out its sectors by 'dm_layout_g4'"):
        drive_of_files(texts)


def test_the_model_refuses_each_fault_at_its_file() -> None:
    def faults(files: dict[str, str]) -> list[tuple[str, str]]:
        given = [{"name": name, "text": text} for name, text in files.items()]
        with pytest.raises(ParamsError) as refused:
            evaluate(SPEC, {"files": given})
        return [(fault.pointer, fault.message) for fault in refused.value.faults]

    texts = parts_of(ONE, ["o.specs", "o.dm", "o.lay", "o.parv"])
    ((where, said),) = faults(texts | {"o.lay": texts["o.lay"].replace("= 71", "= 0")})
    assert where == "/files/3/text"
    assert said == "Zone 1 of o.lay: 'Blocks per track' is 0 and has to be at least 1."
    crowded = texts["o.lay"].replace("Number of spares = ", "Number of spares = 9999")
    ((where, said),) = faults(texts | {"o.lay": crowded})
    assert where == "/files/3/text"
    assert said.startswith("o.lay describes no drive: zones")
    ((where, said),) = faults(texts | {"where.seek": "1, two\n"})
    assert (where, said) == ("/files/4/text", "A seek time of where.seek is not a number.")
    ((where, said),) = faults(texts | {"other/o.dm": ""})
    assert (where, said) == ("/files/5/name", "o.dm is given twice. Leave one out.")
    ((where, said),) = faults({"readme": "Nothing."})
    assert (where, said) == ("/files/0/text", "readme describes no disk.")


def test_the_model_tells_what_it_read_and_where() -> None:
    texts = parts_of(ONE, ["o.specs", "o.dm", "o.lay", "o.parv"])
    given = [{"name": f"up/{name}", "text": text} for name, text in texts.items()]
    told = evaluate(SPEC, {"files": given})
    assert told.drive == drive_of_files(texts).drive
    rows = {row.head: row.cells for row in told.tables[0].rows}
    assert rows["Tracks"] == ("1 surface, 5 cylinders", "o.lay")
    assert rows["Cache"][1] == "o.specs"
    assert rows["Seeks"][1] == "where.seek"
    assert told.taken == ("active_w", "idle_w")


def test_the_shell_reads_what_is_named_in_the_folder_and_nothing_outside(
    tmp_path: Path, capsys: Any
) -> None:
    home = tmp_path / "disk"
    home.mkdir()
    texts = parts_of(ONE, ["o.specs", "o.dm", "o.lay", "o.parv"])
    for name, text in texts.items():
        (home / name).write_text(text)
    assert main(["disksim", str(home / "o.parv")]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == drive_of_files(texts).drive.model_dump(mode="json")
    # It is named ../o.specs.
    (home / "o.specs").rename(tmp_path / "o.specs")
    assert main(["disksim", str(home / "o.parv")]) == 2
    assert "give that file as well" in capsys.readouterr().err


def test_the_shell_says_what_is_wrong_with_any_of_its_files(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "x.model").write_bytes(b"\xff\xfe\x00 dm_disk")
    assert main(["disksim", str(tmp_path / "x.model")]) == 2
    assert main(["disksim", str(tmp_path / "missing.model")]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "missing.model" in said
