"""Quotes: generated ones in any order of columns and lines, against sums of our own."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.imports import quote
from capmodels.imports.quote_lines import classed
from capmodels.imports.registry import Options, opened, recognised
from capmodels.imports.workbook import written

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.spec import JSONDict

HEADS = {
    "description": ["Description", "Item description", "Product"],
    "part": ["Part Number", "SKU", "Article number"],
    "quantity": ["Qty", "Quantity", "Menge"],
    "unit_price": ["Unit price", "Net price (EUR)", "Price each"],
    "total": ["Total", "Extended Price", "Line total [EUR]"],
}


def read(tmp_path: Path, data: bytes) -> JSONDict:
    path = tmp_path / "quote"
    path.write_bytes(data)
    file = opened(path)
    assert recognised(file.columns) is quote.IMPORTER
    return quote.read(file, lambda _share, _said: None)  # type: ignore[arg-type]  # a table or workbook


def made(seed: int) -> tuple[list[list[Any]], int, dict[str, float]]:
    """Rows with a head, the number of servers, and what one of them has."""
    draw = random.Random(seed)
    servers, sockets, cores = draw.randint(1, 9), draw.choice([1, 2]), draw.choice([16, 64, 96])
    dimms, gib = draw.choice([8, 12, 24]), draw.choice([32, 64, 128])
    drives, tb = draw.randint(1, 12), draw.choice([1.92, 7.68])
    parts = [
        (f"ProLiant DL385 Gen11 {seed}", servers),
        (f"AMD EPYC processor {cores}-Core, 2.4 GHz", servers * sockets),
        (f"{gib} GB RDIMM DDR5-4800", servers * dimms),
        (f"{tb}TB NVMe SSD", servers * drives),
        ("100GbE network adapter, dual port", servers),
        ("Power cable", 2 * servers),
    ]
    draw.shuffle(parts)
    kept = [name for name in HEADS if name != "part" or draw.random() < 0.5]
    draw.shuffle(kept)
    rows: list[list[Any]] = [[draw.choice(HEADS[name]) for name in kept]]
    paid = 0.0
    for text, count in [*parts, ("Care pack 5 years", servers), ("VAT 19%", 1)]:
        each = round(draw.uniform(10, 9000), 2)
        row = {"description": text, "part": "X-1", "quantity": count, "unit_price": each,
               "total": round(count * each, 2)}  # fmt: skip
        rows.append([row[name] for name in kept])
        if (text, count) in parts:
            paid += round(count * each, 2)
    want = {
        "unit_price_usd": paid / servers, "sockets_per_node_count": sockets,
        "cores_per_node_count": sockets * cores, "ram_gib": dimms * gib,
        "ssd_tb": drives * tb, "disks_count": drives, "nic_gbit_per_s": 200,
    }  # fmt: skip
    return rows, servers, want


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("form", ["xlsx", "csv"])
@pytest.mark.decisive
def test_a_server_is_the_sum_of_its_lines(seed: int, form: str, tmp_path: Path) -> None:
    rows, servers, want = made(seed)
    if form == "csv":
        data = "\n".join(";".join(str(cell) for cell in row) for row in rows).encode()
    else:
        data = written({"Offer": [["Offer of a maker"], [None], *rows]})
    preview = read(tmp_path, data)
    rate = 0.8 if preview["currency"] == "EUR" else None
    drafted = quote.draft(preview, Options(file_name="q", as_of="2026-10-01", per_usd=rate))
    values = {
        name: said["value"]
        for name, said in drafted.entry["values"].items()  # type: ignore[index]  # there is one
        if name != "cpu"
    }
    want["unit_price_usd"] /= rate or 1.0
    assert values == pytest.approx(want)
    assert ("one server" if servers == 1 else f"{servers:,} servers") in drafted.open_points[0]
    apart = [point for point in drafted.open_points if "not in the price" in point]
    assert [point.split(":")[0] for point in apart] == ["Support and warranty", "Taxes"]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Intel Xeon Platinum 8592+ 1.9GHz, 64C", "processor"),
        ("NVIDIA H100 80GB PCIe", "gpu"),
        ("16TB SAS 7.2k rpm hard disk", "drive"),
        ("ProSupport and next business day for PowerEdge", "support"),
        ("Windows Server 2025 Datacenter, 16 cores", "licence"),
        ("Mellanox ConnectX-6 25GbE", "network"),
        ("Blank bezel", "other"),
        ("Shipping and handling", "delivery"),
        ("Versandkosten", "delivery"),
        ("Projektrabatt", "discount"),
        ("Wartungsvertrag 60 Monate", "support"),
    ],
)
def test_lines_are_known_by_their_words(text: str, role: str) -> None:
    assert classed(text) == role


def test_what_the_lines_do_not_say_stays_open(tmp_path: Path) -> None:
    data = (
        b"Description,Qty,Unit price\nServer,3,1000\nIntel Xeon Gold 6530,4,2000\nMemory kit,3,9\n"
    )
    drafted = quote.draft(read(tmp_path, data), Options(file_name="q", as_of="2026-10-01"))
    said = " ".join(drafted.open_points)
    assert "do not say cores, RAM, the rate of the network" in said
    assert "do not divide by 3" in said
    assert "ram_gib" not in drafted.entry["values"]  # type: ignore[index]  # there is one


def test_a_foreign_quote_needs_its_rate(tmp_path: Path) -> None:
    preview = read(tmp_path, "Description;Qty;Unit price\nServer;1;1.234,50 €\n".encode())
    assert preview["currency"] == "EUR"
    with pytest.raises(ParamsError, match="how many EUR"):
        quote.draft(preview, Options(file_name="q", as_of="2026-10-01"))
    found = quote.draft(preview, Options(file_name="q", as_of="2026-10-01", per_usd=0.5))
    assert found.entry["values"]["unit_price_usd"]["value"] == pytest.approx(2469.0)  # type: ignore[index]  # there is one


def euros(amount: float) -> str:
    """An amount as German firms write it, whole ones without their cents."""
    text = f"{amount:,.2f}".removesuffix(".00")
    return text.translate(str.maketrans(",.", ".,"))


@pytest.mark.parametrize("seed", range(4))
def test_a_german_quote_below_a_letter_head_comes_to_its_own_sums(
    seed: int, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    parts = [
        ("Server PowerEdge R7615", 4), ("AMD EPYC 9354P 32C", 4), ("64 GB RDIMM", 48),
        ("3,84 TB SSD NVMe", 16), ("Broadcom 57504 Quad Port 10/25GbE", 4), ("Rabatt", 1),
    ]  # fmt: skip
    rows, net = [], 0.0
    for text, count in parts:
        each = -1250.0 if text == "Rabatt" else draw.choice([1250.0, 2999.5, 12000.0, 289.0])
        net += count * each
        rows.append(f"{text};{count};{euros(each)} €;{euros(count * each)} €")
    tax = round(net * 0.19, 2)
    rows += [f"Zwischensumme;;;{euros(net)} €", f"MwSt. 19%;;;{euros(tax)} €",
             f"Gesamtsumme;;;{euros(net + tax)} €"]  # fmt: skip
    head = ["Muster GmbH;;;", ";;;", "Angebot 77;;;26.11.2026", "Bezeichnung;Menge;VK netto;Summe"]
    preview = read(tmp_path, "\r\n".join([*head, *rows]).encode())
    assert preview["headline"] == f"7 priced lines come to {net + tax:,.2f} EUR."
    assert all("read with decimal commas" in note for note in preview["notes"])
    drafted = quote.draft(preview, Options(file_name="q", as_of="2026-10-01", per_usd=1.0))
    values = {name: said["value"] for name, said in drafted.entry["values"].items()}  # type: ignore[index]  # there is one
    assert values["unit_price_usd"] == pytest.approx(net / 4)
    assert (values["ssd_tb"], values["nic_gbit_per_s"]) == (pytest.approx(15.36), 100)
    assert values["ram_gib"] == 768


def test_amounts_in_brackets_are_below_zero_and_a_missing_line_is_told(tmp_path: Path) -> None:
    head = "SKU,Description,Qty,Net Price,Ext. Net Price\n"
    lines = [
        "A,Server,1,\"$5,000.00\",\"$5,000.00\"\n", "B,Xeon 16-core,2,$900.00,\"$1,800.00\"\n",
        ",Trade-in credit,1,,\"($1,500.00)\"\n", ",Estimated Tax,,,$500.00\n",
    ]  # fmt: skip
    whole = ',Grand Total,,,"$5,800.00"\n'
    found = read(tmp_path, "".join([head, *lines, whole]).encode())
    assert (found["headline"], found["notes"]) == ("4 priced lines come to 5,800.00 USD.", [])
    short = read(tmp_path, "".join([head, lines[0], *lines[2:], whole]).encode())
    assert "own total is 5,800.00 USD, its priced lines come to 4,000.00" in short["notes"][0]


HEAD = "Description,Qty,Unit price (USD),Amount (USD)"


@pytest.mark.parametrize(
    ("text", "count", "each", "of_one"),
    [
        ("Rack server R660, 2x Xeon Gold 6430 32C, 512 GB RAM, 2x 960 GB SSD", 4, 10000,
         {"sockets_per_node_count": 2, "cores_per_node_count": 64, "ram_gib": 512, "ssd_tb": 1.92}),
        ("GPU server XE9680 with 8x NVIDIA H100 80GB, 2x Xeon 8480+, 2 TB RAM", 2, 300000,
         {"gpus_per_node_count": 8, "sockets_per_node_count": 2, "ram_gib": 2048}),
        ("Storage server; 1x EPYC 9124 16-core; 128 GB DDR5; 24x 20 TB SAS HDD", 3, 21000,
         {"cores_per_node_count": 16, "ram_gib": 128, "disk_tb": 480, "disks_count": 24}),
        ("Rack server R660 incl. 3 years next business day support", 4, 10000, {}),
        ("ProLiant DL385 + 2 x AMD EPYC 9354 32C + 768 GB RAM", 6, 15500,
         {"sockets_per_node_count": 2, "cores_per_node_count": 64, "ram_gib": 768}),
    ],
)  # fmt: skip
def test_a_line_of_configured_servers_is_read_for_its_parts(
    text: str, count: int, each: float, of_one: dict[str, float], tmp_path: Path
) -> None:
    rows = [HEAD, f'"{text}",{count},{each},{count * each}', f"Total,,,{count * each}"]
    found = read(tmp_path, "\n".join(rows).encode())
    drafted = quote.draft(found, Options(file_name="q", as_of="2026-10-01"))
    assert drafted.entry is not None
    values = {name: one["value"] for name, one in drafted.entry["values"].items()}
    assert values["unit_price_usd"] == pytest.approx(each)
    assert {name: values.get(name) for name in of_one} == pytest.approx(of_one)
    assert not any("own total" in point for point in drafted.open_points)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Server memory kit 64 GB", "memory"),
        ("64GB DDR5 server memory", "memory"),
        ("Supermicro 64GB RDIMM", "memory"),
        ("Windows Server 2025 Standard, 16 cores", "licence"),
        ("Support 3 years for PowerEdge R660", "support"),
        ("PowerEdge R660 Server", "chassis"),
        ("Intel Xeon server processor 6430", "processor"),
    ],
)
def test_what_is_called_after_a_server_is_none(text: str, role: str) -> None:
    assert classed(text) == role


@pytest.mark.parametrize(
    "tax", ["BTW 21%", "Moms 25%", "zzgl. 19% MwSt.", "ALV", "ÁFA 27%", "НДС", "Steuer 19%",
            "Levy of 21.00 %", "DPH", "KDV"],
)  # fmt: skip
def test_a_tax_is_none_of_the_price_whatever_it_is_called(tax: str, tmp_path: Path) -> None:
    rate = next((float(word.rstrip("%")) for word in tax.split() if word[0].isdigit()), 20.0)
    net = 10000.0
    rows = [HEAD, f"Rack server R660,1,{net},{net}", f"Subtotal,,,{net}",
            f"{tax},,,{net * rate / 100}", f"Total,,,{net * (1 + rate / 100)}"]  # fmt: skip
    drafted = quote.draft(
        read(tmp_path, "\n".join(rows).encode()), Options(file_name="q", as_of="2026-10-01")
    )
    assert drafted.entry is not None
    assert drafted.entry["values"]["unit_price_usd"]["value"] == pytest.approx(net)
    assert {"what": "Taxes", "amount": f"{net * rate / 100:.2f}"} in drafted.reconciliation


@pytest.mark.parametrize(
    ("text", "count", "total", "each"),
    [
        ("4x Server R760 with 2 x Xeon Gold 6430 (32 cores) and 16x32GB RDIMM", 1, 40000, 10000),
        ("4x Server R760, 2x Xeon 6430 32C, 512 GB RAM", 4, 40000, 10000),
        ("Rackserver R660 2x Xeon 6430 32C 512GB", 4, 40000, 10000),
        ("Serveur R660, 2x Xeon 6430 32C, 512 Go", 2, 20000, 10000),
        ("Servidor R660, 2x Xeon 6430 32C; 512 GB RAM", 3, 30000, 10000),
    ],
)
def test_servers_in_words_of_their_own(
    text: str, count: int, total: int, each: float, tmp_path: Path
) -> None:
    data = f"Description,Qty,Amount (USD)\n{_quoted(text)},{count},{total}\nTotal,,{total}\n"
    drafted = quote.draft(read(tmp_path, data.encode()), Options(file_name="q", as_of="2026-11-30"))
    assert drafted.entry is not None
    values = {name: said["value"] for name, said in drafted.entry["values"].items()}
    assert values["unit_price_usd"] == each
    assert (values["sockets_per_node_count"], values["cores_per_node_count"]) == (2, 64)
    assert values["ram_gib"] == 512


def _quoted(text: str) -> str:
    return f'"{text}"'


@pytest.mark.parametrize(
    ("heads", "tax", "whole"),
    [
        ("Omschrijving;Aantal;Stukprijs;Bedrag", "BTW 21%", "Totaal"),
        ("Beskrivelse;Antal;Pris;Beløb", "Moms 21%", "I alt"),
        ("Désignation;Quantité;Prix unitaire HT;Montant HT", "TVA 21 %", "Total TTC"),
        ("Beskrivning;Antal;Enhetspris;Belopp", "21%", "Summa"),
    ],
)
def test_quotes_in_other_languages(heads: str, tax: str, whole: str, tmp_path: Path) -> None:
    lines = [heads, "Server R660, 2x Xeon 6430, 512 GB RAM;4;10.000,00;40.000,00"]
    lines += ["SQL Server 2022 licence;4;100,00;400,00"]
    lines += [f"{tax};;;8.484,00", f"{whole};;;48.884,00"]
    drafted = quote.draft(
        read(tmp_path, "\n".join(lines).encode()), Options(file_name="q", as_of="2026-11-30")
    )
    assert drafted.entry is not None
    assert drafted.entry["values"]["unit_price_usd"]["value"] == 10000
    sums = {row["what"]: row["amount"] for row in drafted.reconciliation}
    assert sums["Taxes"] == "8484.00"
    assert sums["Licences"] == "400.00"
