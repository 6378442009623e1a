"""The equations of the plan as the screen shows them, and where they come from."""

from __future__ import annotations

from capmodels.plans.answer.row_formulas import ROW_FORMULAS
from capmodels.spec import Citation, Formula

ZARANEK = (
    "A. W. Zaranek, T. Clegg, W. Vandewege, G. M. Church, Free Factories: Unified "
    "Infrastructure for Data Intensive Web Services, USENIX ATC 2008"
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="hardware",
        text="hardware = sum over purchases of nodes bought * price of a node * ratio; "
        "nodes = largest over resources of ceil(need) + spare nodes",
        source="sizing by the resource in shortest supply; purchases at the start of each year "
        "for the "
        "demand at its end and the lead time after it",
        symbols={
            "price of a node": "sum over parts of count * unit price * (1 - discount) * index, "
            "times (1 + change)^years",
            "need": "cores: busy cores * p99/mean / (target * cores per node * speed); RAM: in "
            "use * (1 + headroom) / RAM per node; disk: data * copies / (fill * raw)",
            "ratio": "hardware_price_ratio",
        },
    ),
    Formula(
        id="drives",
        text="drives = arrays * (drives + spares) * price of a drive, and cache devices",
        source="bought with the array, and again with its refresh",
        symbols={
            "arrays": "as entered, or the largest of data / (space * fill) and peak requests / "
            "(IOPS it can serve * target), rounded up",
            "IOPS it can serve": "drives / (time on drives per request): a read takes one "
            "drive, a write every copy, or data and parity twice",
        },
    ),
    Formula(
        id="enclosures",
        text="enclosures = arrays * price of enclosure and controller",
        source="bought with the array",
    ),
    Formula(
        id="replacements",
        text="replacements = price paid for drives out of warranty * rate / (1 - healthy share); "
        "rate = -ln(1 - AFR) * max(1, wear)",
        source="reliability.array_loss; wear beyond the rating is our choice",
        symbols={"wear": "share of rated starts, or of endurance, used up in service"},
    ),
    Formula(
        id="service",
        text="nodes = largest over queries, latency, data, memory, batch, I/O of demand / node",
        source="performance.size_for_work; responses by performance.queueing",
    ),
    Formula(
        id="array_power",
        text="P = n idle + (active - idle) * busy drives + cache + enclosure; a sleeping drive "
        "by its renewal cycle",
        source="storage.array_instant (TR 837); storage.spin_down",
    ),
    Formula(
        id="array_response",
        text="R = wait of an M/G/1 queue per drive + service; the slowest of the parts",
        source="Pollaczek and Khinchine; Nelson and Tantawi 1988 for parts",
    ),
    Formula(
        id="services",
        text="services = sum over lines of amount * growth of its demand * (1 + change)^years",
        source="as on the bill; a line of the design's own provider has its discount and support",
    ),
    Formula(
        id="finance",
        text="finance = payments of leases less their principal; payment = P i / (1 - (1+i)^-n)",
        source="annuity; the principal, P / n a month, is counted as hardware",
    ),
    Formula(
        id="energy",
        text="energy = sum over hours of nodes * P(u s_h) * price_h + demand charge * peak",
        source="Fan, Weber, Barroso 2007 for P with an exponent; else measured points or a line",
        symbols={
            "P": "power of a node at a load",
            "u": "mean load, busy cores / (nodes * cores per node * speed)",
            "s_h": "hourly demand over its mean",
        },
    ),
    Formula(id="cooling", text="cooling = energy * (PUE - 1)", source="definition of PUE"),
    Formula(
        id="space",
        text="space = provisioned kW * price per kW + racks * price per rack + flat price",
        source="colocation contracts: provisioned power is paid, used or not",
    ),
    Formula(
        id="network",
        text="network = transit + cross-connects * price + links + traffic * price per TB",
        source="contracts",
    ),
    Formula(id="site", text="site = sum over sites of set-up + price a year", source=ZARANEK),
    Formula(
        id="staff",
        text="staff = (people * cost of a person + flat sum) * (1 + change)^years",
        source="loaded cost of a full-time person",
    ),
    Formula(
        id="support",
        text="support = share * price paid for what is out of warranty + contract",
        source="maintenance contracts",
    ),
    Formula(
        id="software",
        text="software = nodes * (cores * per core + sockets * per socket + per node) + flat",
        source="licence terms",
    ),
    Formula(
        id="spares", text="spares = share * price paid for what is installed", source="practice"
    ),
    Formula(id="backup", text="backup = TB * price per TB-month", source="contracts"),
    Formula(
        id="migration",
        text="migration = (labour + data * egress price + parallel months * cost of the current "
        "site) * overrun",
        source="planner",
    ),
    Formula(
        id="credits",
        text="credits = -min(bill of the month, credits / months they are valid for)",
        source="planner",
    ),
    Formula(
        id="remaining",
        text="remaining commitments = what leases, commitments and colocation terms still ask, "
        "in full, when the work stops; and what is committed today until it runs off, where "
        "every design owes it",
        source="planner",
    ),
    Formula(
        id="salvage",
        text="salvage = -price * share; declining: -price * share^(age/life); of today's machines "
        "-resale",
        source="planner",
    ),
    Formula(
        id="carbon",
        text="carbon = kWh with cooling * intensity * price of a tonne",
        source="internal price of carbon",
    ),
    Formula(
        id="tax",
        text="tax = -rate * (cost of operation + depreciation + book value left - salvage)",
        source="income tax; depreciation by IRS Publication 946 table A-1, or straight line",
    ),
    Formula(
        id="instances",
        text="instances = sum over months of E[max(0, N(s) - C)] * hours * price * mix",
        source="load-duration curve: N(s) = max(cores s, traffic s, fixed RAM + scaling RAM s)",
        symbols={
            "s": "hourly demand over its mean",
            "C": "instances committed",
            "mix": "1 - spot share + spot share * (1 - discount) / (1 - waste)",
        },
    ),
    Formula(
        id="instances_by_use",
        text="instances = sum over machines of n * p * u * hours",
        source=ZARANEK + ", section 2.1",
        symbols={
            "n": "instances that stand for the machines, such as nodes * cores / vCPUs",
            "p": "price of an instance-hour",
            "u": "utilisation",
        },
    ),
    Formula(
        id="commitment",
        text="commitment = C * price * (1 - discount) * hours; C = N(quantile of s), rounded",
        source="newsvendor: a base of the duration curve, topped up every year",
    ),
    Formula(
        id="cloud_storage",
        text="storage = sum over bands of TB in the band * 1000 * price "
        "+ max(0, peak rate / share in use - included) * price, of IOPS and of throughput; "
        "block TB = data * provisioned over stored; objects: sum over classes of share of the data "
        "* price + share of the use * (requests * price + TB read * retrieval); archive alike",
        source="price lists; discounts agreed on a service come off its part",
    ),
    Formula(
        id="cloud_transfer",
        text="transfer = egress by band + cross-zone + ingress + NAT + others * bill",
        source="price lists; of a hybrid the share that is sent from there, and what owned nodes "
        "read of objects that are rented",
    ),
    Formula(
        id="copy",
        text="copy = copies * hours * full price of an hour; hours = TB * 8e12 / rate / 3600",
        source=ZARANEK + ", section 4.5",
    ),
    Formula(
        id="cloud_support",
        text="support = max(minimum, sum over bands of bill in the band * share)",
        source="support plans",
    ),
    Formula(
        id="npv",
        text="npv = sum of payments / (1 + discount rate)^(month/12)",
        source="months at their ends, purchases when they are made",
    ),
    Formula(
        id="break_even",
        text="the last month m with cumulative(challenger, m) < cumulative(incumbent, m) for good",
        source="monthly cash flows, straight lines within a month",
    ),
    Formula(
        id="odds",
        text="share of the simulations in which a design costs least; triangular(low, value, high)",
        source="independent simulations",
    ),
    *ROW_FORMULAS,
)

CITATIONS: tuple[Citation, ...] = (
    Citation(text=ZARANEK, section="2.1 (48 nodes), 4.5 (two prototype clusters)"),
    Citation(
        text="X. Fan, W.-D. Weber, L. A. Barroso, Power Provisioning for a Warehouse-sized "
        "Computer, ISCA 2007",
        url="https://doi.org/10.1145/1250662.1250665",
    ),
    Citation(
        text="Cloud Carbon Footprint, Methodology: watts per vCPU, storage, PUE",
        url="https://www.cloudcarbonfootprint.org/docs/methodology/",
    ),
    Citation(
        text="C. J. Norstrom, A sufficient condition for a unique nonnegative internal rate of "
        "return, Journal of Financial and Quantitative Analysis 7, 1972"
    ),
    Citation(
        text="A. E. Papathanasiou, M. L. Scott, Power-efficient Server-class Performance from "
        "Arrays of Laptop Disks, University of Rochester TR 837, May 2004"
    ),
    Citation(
        text="R. Nelson, A. N. Tantawi, Approximate analysis of fork/join synchronization in "
        "parallel queues, IEEE Transactions on Computers 37, 1988"
    ),
    Citation(text="IRS Publication 946, How to Depreciate Property, table A-1"),
)

LIMITS: tuple[str, ...] = (
    "Growth is smooth: a rate a year, compounded month by month. Owned nodes are bought once "
    "a year for the demand at the year's end; rented ones follow every month.",
    "Rented instances are a mean over the hours, so parts of an instance count; commitments "
    "and nodes are whole.",
    "A commitment is renewed only at the start of a year, or at its end when it is shorter.",
    "Ranges are independent. What two designs share, a hybrid's prices or growth, is sampled once.",
    "A design that does not meet demand at the entered values takes no part in the odds.",
    "A point in time of month m is charged in month m + 1 of the monthly series.",
    "Hours above the 99th percentile wait on owned nodes; rented ones serve them.",
    "A disk array is taken with random or sequential requests of one size in closed form; "
    "storage.array simulates it. Of mirrored copies that sleep, those awake answer a write.",
    "A service runs on nodes that share queries and data evenly, not by rented instances; "
    "memory modules are modelled at the use entered, whatever the load.",
    "What a hybrid's two sides send each other is the objects that the work reads, nothing else; "
    "what it writes into a cloud is free, as on all price lists.",
    "A disk array provides storage only; with busy cores it has to stand in an owned cluster.",
    "Energy and carbon of rented capacity are coefficients, not measurements; GPUs have none.",
    "Payments promised beyond the horizon are shown, not counted.",
)
