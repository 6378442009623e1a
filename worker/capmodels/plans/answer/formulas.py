"""The equations of the plan as the screen shows them, and where they come from."""

from __future__ import annotations

from capmodels.plans.answer.row_formulas import ROW_FORMULAS
from capmodels.plans.causes import FORMULAS as CAUSE_FORMULAS
from capmodels.plans.causes import ZARANEK
from capmodels.spec import Citation, Formula

FORMULAS: tuple[Formula, ...] = (
    *CAUSE_FORMULAS,
    Formula(
        "service",
        "nodes = largest over queries, latency, data, memory, batch, I/O of demand / node",
        "performance.size_for_work; responses by performance.queueing",
    ),
    Formula(
        "array_power",
        "P = n idle + (active - idle) * busy drives + cache + enclosure; a sleeping drive "
        "by its renewal cycle",
        "storage.array_instant (TR 837); storage.spin_down",
    ),
    Formula(
        "array_response",
        "R = wait of an M/G/1 queue per drive + service; the slowest of the parts; small "
        "writes to disks with parity in two phases, to a load of 0.7",
        "Pollaczek and Khinchine; Nelson and Tantawi 1988 for parts of an array, "
        "storage.cluster_code for shards; two phases of storage.array_instant",
    ),
    Formula(
        "instances_by_use",
        "instances = sum over machines of n * p * u * hours",
        ZARANEK + ", section 2.1",
        {
            "n": "instances that stand for the machines, such as nodes * cores / vCPUs",
            "p": "price of an instance-hour",
            "u": "utilisation",
        },
    ),
    Formula(
        "whole_machines",
        "n = max(round up(work of the hour in machines) + spare, sites); mean of n above a level c "
        "= sum over k >= c of the share of hours with n > k",
        "W. Feller, An Introduction to Probability Theory and Its Applications I, 3rd ed., XI.1; "
        "AWS, EC2 On-Demand Pricing: each instance is billed for its hours",
        {
            "n": "machines, owned or rented, none where there is no work",
            "c": "those committed, 0 without commitment",
        },
    ),
    Formula(
        "npv",
        "npv = sum of payments / (1 + discount rate)^(month/12)",
        "months at their ends, purchases when they are made",
    ),
    Formula(
        "break_even",
        "the first month from which on cumulative(challenger, m) < cumulative(incumbent, m)",
        "monthly cash flows, straight lines within a month; held against Zaranek et al. 2008, "
        "section 2.1",
    ),
    Formula(
        "odds",
        "share of the simulations in which a design costs least; triangular(low, value, high)",
        "independent simulations",
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
    Citation(
        text="R. E. Barlow, F. Proschan, Mathematical Theory of Reliability, Wiley 1965",
        section="2 (k-out-of-n), 3 (availability)",
    ),
    Citation(
        text="W. Pitt Turner IV, J. H. Seader, K. G. Brill, Tier Classifications Define Site "
        "Infrastructure Performance, Uptime Institute 2006: availability of sites by tier"
    ),
    Citation(text="IRS Publication 946, How to Depreciate Property, table A-1"),
)

LIMITS: tuple[str, ...] = (
    "Growth is smooth: a rate a year, compounded month by month. Owned nodes are bought "
    "every month, quarter, half year or year for the demand at its end; rented ones follow every "
    "month.",
    "Rented instances are whole ones in every hour, with the spare ones and sites that the work "
    "asks for; those that a hybrid rents above its nodes have no spare ones of their own. GPUs run "
    "all together or not at all, as many hours as their mean is of their peak.",
    "A commitment is renewed only at the start of a year, or at its end when it is shorter.",
    "Ranges are independent. What two designs share, a hybrid's prices or growth, is sampled once.",
    "A design that does not meet demand at the entered values takes no part in the odds.",
    "A point in time of month m is charged in month m + 1 of the monthly series.",
    "Hours above the 99th percentile wait on owned nodes; rented ones serve them.",
    "A disk array is taken with random or sequential requests of one size in closed form; "
    "storage.array simulates it. Of mirrored copies that sleep, those awake answer a write.",
    "A cluster that grows by nodes takes each into itself; moving data onto it costs nothing and "
    "slows no request. Nodes share the drives, and racks the nodes, as evenly as at first.",
    "Failures of drives and nodes are independent unless Failures in batches is entered; no "
    "figure for it is known well enough to be a default.",
    "Data placed by age are deleted at one rate whatever their age; what they were before the "
    "start follows from the growth. What is written, also over old data, enters the hottest tier. "
    "Data move once a day, after requests: moves load drives and take energy, no request waits.",
    "A service runs on nodes that share queries and data evenly, not by rented instances; "
    "memory modules are modelled at the use entered, whatever the load.",
    "What a hybrid's two sides send each other is the objects that the work reads, nothing else; "
    "what it writes into a cloud is free, as on all price lists.",
    "A disk array provides storage only; with busy cores it has to stand in an owned cluster.",
    "Energy and carbon of rented capacity are coefficients, not measurements; GPUs have none.",
    "Hours down are of sites and machines that fail on their own. What fails together, by one "
    "fault of software, by an operator or by a lost network, planned work, and the time in which "
    "other services of a provider are down, are not in them; the term of a provider is what it "
    "pays back for, not a measurement.",
    "Payments promised beyond the horizon are shown, and counted where the work stops.",
)
