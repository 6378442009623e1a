"""Lists of machines, lshw and dmidecode: generated inventories against sums of our own."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports.cells import bytes_of
from capmodels.imports.fleet_match import Group, Known, KnownMachine, match
from capmodels.imports.machine_list import heads
from capmodels.imports.registry import Options, opened, recognised
from capmodels.tests.asking import ask

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.spec import JSONDict


def read(tmp_path: Path, data: bytes) -> tuple[str, JSONDict]:
    path = tmp_path / "fleet"
    path.write_bytes(data)
    file = opened(path)
    item = recognised(file.columns)
    return item.id, item.read(file, lambda _share, _said: None)


@pytest.mark.parametrize(
    ("text", "alone", "found"),
    [
        ("512 GB", "", 512e9),
        ("4Ti", "", 4 * 2**40),
        ("1,5 TiB", "", 1.5 * 2**40),
        ("64G", "", 64e9),
        ("65536", "mi", 65536 * 2**20),
        ("960", "g", 960e9),
        ("0", "k", 0.0),
    ],
)
def test_sizes_with_their_unit(text: str, alone: str, found: float) -> None:
    assert bytes_of(text, alone=alone) == found


@pytest.mark.parametrize("text", ["", "big", "12 parsecs", "GB"])
def test_no_size(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any text that is no size
        bytes_of(text)


@pytest.mark.parametrize(("seed", "delimiter"), [(0, ","), (1, ";"), (2, "\t"), (3, "|")])
@pytest.mark.decisive
def test_an_inventory_is_the_sum_of_its_rows(seed: int, delimiter: str, tmp_path: Path) -> None:
    draw = random.Random(seed)
    unit, factor = draw.choice([("MB", 2**20), ("GB", 2**30), ("GiB", 2**30), ("TB", 2**40)])
    disk_unit, disk_bytes = draw.choice([("GB", 1e9), ("TB", 1e12), ("TiB", 2.0**40)])
    names = {
        "name": draw.choice(["Hostname", "name", "Server"]),
        "cores": draw.choice(["Cores", "CPU cores", "vCPUs", "total_cores"]),
        "ram": draw.choice([f"Memory ({unit})", f"ram_{unit}", f"RAM [{unit}]"]),
        "disk": draw.choice([f"Disk ({disk_unit})", f"storage_{disk_unit}"]),
        "busy": draw.choice(["CPU usage (%)", "cpu_%", "Utilization %"]),
        "count": "Qty",
        "status": "Status",
        "extra": "Comments",
    }
    order = list(names)
    draw.shuffle(order)
    lines, want = [delimiter.join(names[key] for key in order)], [0.0] * 5
    for at in range(60):
        count, cores = draw.randint(1, 5), draw.choice([8, 32, 128])
        ram, disk, busy = draw.randint(1, 900), draw.randint(1, 90), draw.randint(0, 100)
        off = draw.random() < 0.2
        row = {
            "name": f"m{at}", "cores": cores, "ram": ram, "disk": disk, "busy": busy,
            "count": count, "status": "Decommissioned" if off else "Active", "extra": "",
        }  # fmt: skip
        lines.append(delimiter.join(str(row[key]) for key in order))
        if not off:
            sums = (1, cores, ram * factor / 2**30, disk * disk_bytes / 1e12, cores * busy / 100)
            want = [old + count * new for old, new in zip(want, sums, strict=True)]
    kind, found = read(tmp_path, "\n".join(lines).encode())
    assert kind == "machine_list"
    assert found["faults_count"] == 0
    keys = ("machines_count", "cores_count", "ram_gib", "disk_tb", "busy_cores_count")
    assert [found["totals"][key] for key in keys] == pytest.approx(want)


def test_netbox_devices_without_cores_are_counted_and_told(tmp_path: Path) -> None:
    head = b"Name,Status,Role,Manufacturer,Type,Rack,Position\n"
    rows = b"a,Active,Server,Dell,R750,1,3\nb,Offline,Server,Dell,R750,1,5\n"
    kind, found = read(tmp_path, head + rows)
    assert kind == "machine_list"
    totals = found["totals"]
    assert totals["machines_count"] == 1
    assert totals["cores_count"] is None
    assert found["off"]["machines_count"] == 1
    assert "No cores in the file for 1 of 1 machine:" in " ".join(found["notes"])


def test_a_size_without_a_unit_is_not_guessed(tmp_path: Path) -> None:
    _, found = read(tmp_path, b"Name,Cores,Memory\na,8,65536\n")
    assert found["totals"]["ram_gib"] is None
    assert "no unit" in found["faults"][0]["message"]


def test_units_stand_in_the_name_of_a_column() -> None:
    found = heads(frozenset({"Memory (MB)", "power_kw", "CPU usage (%)", "CPU"}))
    assert found["ram"] == ("Memory (MB)", "mb")
    assert found["watts"] == ("power_kw", "kw")
    assert found["busy"] == ("CPU usage (%)", "%")
    assert found["cpu"] == ("CPU", "")


def lshw_of(draw: random.Random) -> tuple[dict[str, Any], tuple[float, float, float]]:
    sockets, cores = draw.choice([1, 2, 4]), draw.choice([8, 64])
    ram, disks = 2 ** draw.randint(33, 41), [draw.randint(10**11, 10**13) for _ in range(3)]
    cpus = [
        {"id": f"cpu:{at}", "class": "processor", "configuration": {"cores": str(cores)}}
        for at in range(sockets)
    ]
    drives = [{"id": f"disk:{at}", "class": "disk", "size": size} for at, size in enumerate(disks)]
    inner = {"id": "core", "class": "bus", "children": [
        {"id": "memory", "class": "memory", "size": ram, "units": "bytes"}, *cpus,
        {"id": "sata", "class": "storage", "children": drives},
        {"id": "cpu:9", "class": "processor", "disabled": True,
         "configuration": {"cores": "99"}}]}  # fmt: skip
    node = {"id": "host", "class": "system", "product": "X", "vendor": "Y", "children": [inner]}
    return node, (sockets * cores, ram / 2**30, sum(disks) / 1e12)


@pytest.mark.parametrize("form", ["one", "list", "lines", "files"])
def test_lshw_of_machines(form: str, tmp_path: Path) -> None:
    draw = random.Random(4)
    made = [lshw_of(draw) for _ in range(1 if form == "one" else 5)]
    nodes = [node for node, _ in made]
    text = {
        "one": lambda: json.dumps(nodes[0]),
        "list": lambda: json.dumps(nodes),
        "lines": lambda: "\n".join(map(json.dumps, nodes)),
        "files": lambda: "".join(json.dumps([node], indent=1) for node in nodes),
    }[form]()
    kind, found = read(tmp_path, text.encode())
    assert kind == "lshw"
    want = [sum(sums) for sums in zip(*(sums for _, sums in made), strict=True)]
    totals = [found["totals"][key] for key in ("cores_count", "ram_gib", "disk_tb")]
    assert totals == pytest.approx(want)
    assert found["totals"]["machines_count"] == len(made)
    assert [name for size in found["sizes"] for name in size["names"]] == ["host"] * len(made)


def test_devices_of_a_board_are_no_machine_and_unknown_cores_no_zero(tmp_path: Path) -> None:
    board = {"id": "pnp00:00", "class": "system", "product": "PnP device", "vendor": "Other"}
    parts = [{"id": "cpu", "class": "processor", "configuration": {"cores": "8"}}, board]
    machine = {"id": "db-1", "class": "system", "product": "R750", "children": parts}
    _, found = read(tmp_path, json.dumps(machine).encode())
    assert [group["model"] for group in found["groups"]] == ["R750"]
    handles = [
        {"handle": str(at), "description": "Processor Information", "values": values}
        for at, values in enumerate(({"core_count": "16"}, {"version": "Xeon"}))
    ]
    _, found = read(tmp_path, json.dumps(handles).encode())
    assert (found["totals"]["sockets_count"], found["totals"]["cores_count"]) == (2, None)


def test_dmidecode_leaves_empty_slots_out(tmp_path: Path) -> None:
    handles = [
        {"handle": "1", "description": "Processor Information",
         "values": {"version": "Xeon", "status": "Unpopulated"}},
        {"handle": "4", "description": "Processor Information",
         "values": {"version": "Xeon", "status": "Populated, Disabled By BIOS", "core_count": "1"}},
        {"handle": "2", "description": "Processor Information",
         "values": {"version": "Xeon", "status": "Populated, Enabled", "core_count": "16"}},
        *({"handle": "3", "description": "Memory Device", "values": {"size": size}}
          for size in ("32 GB", "32768 MB", "No Module Installed", "Unknown")),
    ]  # fmt: skip
    kind, found = read(tmp_path, json.dumps([handles, handles]).encode())
    assert kind == "dmidecode"
    assert found["totals"]["cores_count"] == 32
    assert found["totals"]["ram_gib"] == 128
    assert found["totals"]["machines_count"] == 2


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"id": "x", "class": ', "cannot be read"),
        (b"[" * 100_000, "nested too deeply|cannot be read"),
        (b'{"a": 1}', "no kind"),
        (b"[]", "no kind"),
        (b'[{"handle": 1, "description": "x", "values": 3}]', ""),
    ],
)
def test_json_that_is_no_machine(data: bytes, said: str, tmp_path: Path) -> None:
    if not said:
        _, found = read(tmp_path, data)
        assert found["totals"]["cores_count"] is None
        return
    with pytest.raises(FileRefused, match=said):
        read(tmp_path, data)


def test_a_fleet_carries_only_what_it_says(tmp_path: Path) -> None:
    _, found = read(tmp_path, b"Name,Cores,Memory (GB),CPU %\na,64,512,25\nb,64,512,75\n")
    kind = next(item for item in [recognised(frozenset({"Name", "Cores", "Memory (GB)"}))])
    drafted = kind.draft(found, Options(file_name="list.csv", as_of="2026-10-01"))
    assert drafted.workload == {"kind": "demand", "busy_cores_count": 64.0, "ram_gib": 1024.0}
    assert drafted.provenance["/busy_cores_count"]["source"] == (
        "list.csv, 2 machines, rows 2 to 3"
    )


@pytest.mark.parametrize(
    ("uses", "ram_gib", "said"),
    [
        (("50", "25"), 256 + 128, "RAM is what is in use, as listed."),
        (("50", ""), 256 + 512, "of 1 machine without a use what is built in"),
        (("", ""), 1024, "RAM is what is built in; RAM in use may be less."),
    ],
)
def test_ram_in_use_is_what_the_list_says_is_used(
    uses: tuple[str, str], ram_gib: float, said: str, tmp_path: Path
) -> None:
    rows = "".join(f"{name},64,512,25,{use}\n" for name, use in zip("ab", uses, strict=True))
    _, found = read(tmp_path, f"Name,Cores,Memory (GB),CPU %,RAM %\n{rows}".encode())
    kind = recognised(frozenset({"Name", "Cores", "Memory (GB)"}))
    drafted = kind.draft(found, Options(file_name="list.csv", as_of="2026-10-01"))
    assert drafted.workload["ram_gib"] == pytest.approx(ram_gib)
    assert any(said in point for point in drafted.open_points)


def test_names_of_columns_in_one_word_are_read(tmp_path: Path) -> None:
    """As programs export them: cpuDescription, machineName, memoryGB."""
    kind, found = read(
        tmp_path,
        b"cpuDescription,machineName,memory (GB),coreCount,startTime\n"
        b"Intel Xeon Silver 4114,a,128,20,2022-01-17\nIntel Xeon Silver 4114,b,256,20,2022-01-17\n",
    )
    assert kind == "machine_list"
    totals = found["totals"]
    assert [totals[key] for key in ("machines_count", "cores_count", "ram_gib")] == [2, 40, 384]
    assert found["groups"][0]["cpu"] == "Intel Xeon Silver 4114"


def test_dates_and_prices_are_found_and_what_is_not_read_is_named(tmp_path: Path) -> None:
    kind, found = read(
        tmp_path,
        b"name,cores,RAM GiB,bought on,price,watts,asset tag,owner\n"
        b"a,64,256,2024-03-15,9500,350,1,x\nb,64,256,2024-05-15,9500,350,2,y\n",
    )
    assert kind == "machine_list"
    assert found["totals"]["price_usd"] == 19_000
    assert [group["year"] for group in found["groups"]] == ["2024"]
    assert "Columns that are not read: asset tag, owner." in found["notes"]


def test_custom_fields_of_netbox_are_read_and_switches_left_out(tmp_path: Path) -> None:
    data = (
        b"name,status,role,manufacturer,device_type,cf_cpu_model,cf_cpu_cores,cf_ram_gb\n"
        b"a,active,hypervisor,Dell,R650,Intel Xeon Gold 6338,64,512\n"
        b"b,active,hypervisor,Dell,R650,Intel Xeon Gold 6338,64,512\n"
        b"s,active,access-switch,Arista,7050,,,\n"
        b"p,active,PDU,APC,AP8853,,,\n"
    )
    kind, found = read(tmp_path, data)
    assert kind == "machine_list"
    whole = found["totals"]
    assert (whole["machines_count"], whole["cores_count"], whole["ram_gib"]) == (2, 128, 1024)
    assert found["rows"] == [2, 3, 2]
    assert any(note.startswith("2 devices of other roles") for note in found["notes"])


def test_machines_that_do_nothing_are_told(tmp_path: Path) -> None:
    draw = random.Random(5)
    shares = [draw.choice([0.5, 4.9, 5.1, 40.0]) for _ in range(60)]
    rows = [f"m{at},Xeon Gold 6338,64,{share},2" for at, share in enumerate(shares)]
    _, found = read(tmp_path, "\n".join(["Name,CPU,Cores,CPU usage (%),Count", *rows]).encode())
    idle = 2 * sum(share < 5 for share in shares)
    assert found["totals"]["idle_count"] == idle
    drafted = recognised(frozenset({"Name", "Cores", "CPU"})).draft(
        found, Options(file_name="f", as_of="2026-10-01")
    )
    assert f"{idle} machines less than 5% busy: idle." in drafted.open_points


def test_a_disk_that_can_be_taken_out_is_none_of_the_machine(tmp_path: Path) -> None:
    disks = [
        {"id": "namespace:1", "class": "disk", "units": "bytes", "size": 512_000_000_000},
        {"id": "disk", "class": "disk", "units": "bytes", "size": 64_000_000_000,
         "capabilities": {"removable": "support is removable"}},
        {"id": "namespace:0", "class": "disk"},
    ]  # fmt: skip
    machine = {"id": "laptop", "class": "system", "product": "Notebook", "children": disks}
    _, found = read(tmp_path, json.dumps([machine]).encode())
    assert found["totals"]["disk_tb"] == pytest.approx(0.512)


def test_a_matched_server_draws_as_its_family_with_the_mean_of_its_result() -> None:
    group = Group("PowerEdge R7725", "AMD EPYC 9965", "2025", 3, 384, 768, 2)
    ends = {"power_idle_w": 138.0, "power_max_w": 861.0}
    printed = {"overall_ssj_ops_per_w": 35_920.0, "full_load_ssj_ops_per_s": 40_017_802.0}
    for result in (printed, None):
        overall, operations = result.values() if result else (None, None)
        known = KnownMachine(
            *("r7725", "Dell PowerEdge R7725", "Dell", "AMD EPYC 9965", 2, 384, 768),
            idle_w=138.0,
            peak_w=861.0,
            overall_ssj_ops_per_w=overall,
            full_load_ssj_ops_per_s=operations,
        )
        found = match(group, Known([known]))
        assert found.entry is known
        points = ask("power.curve", family="zen4", **ends, result=result).points
        assert [watts for _, watts in found.points] == pytest.approx(
            [one.family_w for one in points]
        )


# Heads as inventories of a country have them: each meaning, and the unit of RAM and disk there.
_HEADS = {
    "german": ("Servername", "Hersteller", "Modell", "Prozessor", "Kerne", "Arbeitsspeicher (GB)",
               "Festplatte (TB)", "CPU-Auslastung (%)", "Stückzahl", "Zustand", "Außer Betrieb"),
    "netbox in german": ("Name", "Hersteller", "Gerätetyp", "Prozessor", "CPU_Kerne",
                         "Hauptspeicher [GB]", "Speicherplatz [TB]", "Auslastung %", "Anzahl",
                         "Status", "Auf Lager"),
    "french": ("Nom", "Fabricant", "Modèle", "Processeur", "C\u0153urs", "Mémoire (Go)",
               "Disque (To)", "Utilisation CPU (%)", "Nombre", "État", "Hors service"),
    "spanish": ("Nombre", "Fabricante", "Modelo", "Procesador", "Núcleos", "Memoria RAM (GB)",
                "Disco (TB)", "Uso de CPU (%)", "Cantidad", "Estado", "Apagado"),
}  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
@pytest.mark.parametrize("country", _HEADS)
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.decisive
def test_lists_of_other_countries_are_read_as_the_english_one(
    seed: int, country: str, encoding: str, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    *names, off = _HEADS[country]
    if encoding == "latin-1" and country == "french":
        names[4] = "Coeurs"  # Latin-1 has no ligature
    rows, whole = [], {"cores": 0.0, "busy": 0.0, "ram": 0.0, "count": 0}
    for place in range(60):
        count, cores, ram = draw.randint(1, 4), draw.choice([16, 64]), draw.choice([128, 512])
        busy, is_off = draw.randint(0, 1000) / 10, draw.random() < 0.2
        said = [f"s{place}", "Dell", "R750", "Xeon", str(cores), str(ram), "3,84",
                f"{busy:.1f}".replace(".", ","), str(count), off if is_off else "x"]  # fmt: skip
        rows.append(said)
        if not is_off:
            whole["count"] += count
            whole["cores"] += count * cores
            whole["ram"] += count * ram
            whole["busy"] += count * cores * busy / 100
    order = draw.sample(range(len(names)), len(names))
    text = "\n".join(";".join(row[at] for at in order) for row in [names, *rows])
    kind, found = read(tmp_path, text.encode(encoding))
    assert kind == "machine_list"
    english = ["Name", "Manufacturer", "Model", "CPU", "Cores", "Memory (GB)", "Disk (TB)",
               "CPU usage (%)", "Quantity", "Status"]  # fmt: skip
    rows = [[*row[:-1], "offline" if row[-1] == off else "active"] for row in rows]
    text = "\n".join(";".join(row[at] for at in order) for row in [english, *rows])
    assert found == read(tmp_path, text.encode())[1]
    totals = found["totals"]
    assert totals["cores_count"] == whole["cores"]
    assert totals["ram_gib"] == pytest.approx(whole["ram"])
    assert totals["busy_cores_count"] == pytest.approx(whole["busy"])


def test_a_price_in_other_words_is_no_dollar_unless_it_says_so() -> None:
    assert "price" not in heads(frozenset({"Name", "Kerne", "Preis"}))
    assert "price" not in heads(frozenset({"Name", "Kerne", "Preis (EUR)"}))
    assert heads(frozenset({"Name", "Kerne", "Preis (USD)"}))["price"] == ("Preis (USD)", "usd")


def test_switches_of_other_countries_are_left_out(tmp_path: Path) -> None:
    data = "Name;Rolle;Kerne;Arbeitsspeicher (GB);Status\na;Server;8;64;Aktiv\nb;USV;1;1;Aktiv\n"
    kind, found = read(tmp_path, data.encode())
    assert (kind, found["totals"]["cores_count"]) == ("machine_list", 8)
    assert found["notes"][-1].startswith("1 device of other roles")
