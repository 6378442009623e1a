"""The equations of the rows of the comparison, of the years and of the odds."""

from __future__ import annotations

from capmodels.spec import Formula

FLOWS = "monthly cash flows, purchases when they are made"
ARRAYS = "storage.array_instant (TR 837)"
# How what is there follows the demand.
GROWN = {
    "of a cluster": "nodes are added to the one cluster, racks or sites where these are its "
    "failure domain",
    "of arrays": "groups of drives fill an array, bought with all but its drives, before the next",
}
INDEPENDENT = {
    "failures": "each on its own where Failures in batches is 1; real ones come together, so the "
    "figure is then the best case",
    "of a cluster": "by the chain of all nodes and placement groups that are there",
}

ROW_FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="total",
        text="cost = sum over causes of what is paid within the horizon",
        source=FLOWS,
    ),
    Formula(
        id="difference",
        text="difference = cost of the one - cost of the other",
        source="both over the same horizon",
    ),
    Formula(
        id="eac",
        text="annual cost = present value * discount rate / (1 - (1 + discount rate)^-years)",
        source="cost.equivalent_annual_cost: an annuity of the same present value",
    ),
    Formula(
        id="start",
        text="paid at the start = cumulative cost before the first month ends",
        source="purchases, payments in advance and set-up fall due at once",
    ),
    Formula(
        id="year",
        text="cash = capex + opex; capex = purchases less salvage",
        source=FLOWS,
    ),
    Formula(
        id="depreciation",
        text="depreciation = sum over purchases of price * the books' share of the year",
        source="straight line, or IRS Publication 946 table A-1; nothing of what is leased",
    ),
    Formula(
        id="irr",
        text="0 = sum of (payment of the rival - payment) / (1 + rate of return)^(month/12)",
        source="cost.irr; unique where the running sum of gains changes sign once (Norstrom)",
    ),
    Formula(
        id="mirr",
        text="(1 + rate)^(n/12) = sum of gains * (1 + capital)^((n - month)/12) / sum of outlays / "
        "(1 + capital)^(month/12); gain = payment of the rival - payment",
        source="cost.irr, the modified rate (Lin 1976); both rates are the cost of capital",
    ),
    Formula(
        id="owed",
        text="remaining = payments promised for the months after the horizon",
        source="leases, commitments and colocation terms; in the total where the work stops",
    ),
    Formula(
        id="value_left",
        text="work continues: (price - sale * v^life) * (1 - v^left) / (1 - v^life) "
        "+ sale * v^left, and payments in advance for months to come; "
        "work stops: price * (salvage - disposal)",
        source="annuity over the life at the discount rate",
        symbols={"v": "discount factor of a month", "left": "months of its life to come"},
    ),
    Formula(
        id="energy_kwh",
        text="energy = sum over hours of power of what computes and stores * PUE",
        source="power.server; coefficients per vCPU for what is rented",
    ),
    Formula(
        id="carbon_kgco2e",
        text="carbon = operation + making the hardware; operation = energy * carbon intensity",
        source="carbon.operational, carbon.embodied: by the share of its life that is used",
    ),
    Formula(
        id="spare",
        text="spare = 1 - need at peak / what is there, at the tightest year's end",
        source="sizing by the resource in shortest supply",
    ),
    Formula(
        id="mean",
        text="mean over the simulations of what designs are ranked by",
        source="every quantity sampled once a simulation for all fields that use it: "
        "triangular(low, value, high) of each at one uniform number",
    ),
    Formula(
        id="quantiles",
        text="P10: one simulation in ten costs less; P50: half; P90: nine in ten",
        source="the same simulations",
    ),
    Formula(
        id="regret",
        text="mean over the simulations of (its cost - the cheapest of that simulation)",
        source="expected opportunity loss, decision analysis",
    ),
    Formula(
        id="met",
        text="share of the simulations in which the demand of no hour beyond 1% exceeds what "
        "there is",
        source="decisions of the start are the same in all simulations",
    ),
    Formula(
        id="flip",
        text="the value at which another design is as cheap on average, over all the others",
        source="a cubic through the simulations' differences over the quantity",
    ),
    Formula(
        id="array_capacity",
        text="capacity = drives of data * capacity of a drive",
        source=ARRAYS,
        symbols={"drives of data": "drives less copies, parity and spares", **GROWN},
    ),
    Formula(
        id="array_nodes",
        text="nodes = nodes at first + step * ceil((need - nodes at first) / step)",
        source="definition; need is the largest of data, requests and throughput over those of a "
        "node, at the end of each year and the lead time",
        symbols=GROWN,
    ),
    Formula(
        id="work_energy",
        text="work per watt = mean rate of the work / mean power; per watt-hour = work of the "
        "horizon / energy; energy of one unit = energy / work",
        source="as FAWN (SOSP 2009) and SeaMicro (2011) count it, over a study's horizon",
        symbols={
            "work": "requests of the service at mean load (peak / (peak over mean)); else jobs; "
            "else core-hours of the reference core; else data kept, in TB-years",
        },
    ),
    Formula(
        id="work_dollar",
        text="work per dollar = work of the horizon / cost that the verdict goes by",
        source="as FAWN counts it: three years of ownership, here the study's horizon",
    ),
    Formula(
        id="io_ceiling",
        text="ceiling = min(drives * MB/s, nodes * Gbit/s * 125); read once in = data / ceiling",
        source="performance.cluster_io (Zaranek et al. 2008, section 4)",
        symbols={"used": "block throughput at the end of the horizon / ceiling"},
    ),
    Formula(
        id="envelope",
        text="power = contracted power of nodes, arrays, equipment; rack units = sum of heights",
        source="the last year's machines over the limits of the site; beyond the horizon by the "
        "growth within it",
    ),
    Formula(
        id="showback",
        text="team = share of computing * its cost + share of storage * its cost",
        source="cost.showback; storage of what is owned is its share of the purchase price, of "
        "what is rented storage and requests",
    ),
    Formula(
        id="array_ceiling",
        text="most it serves = drives / time on drives per request, unless its cache or "
        "controller ends earlier",
        source=ARRAYS,
    ),
    Formula(
        id="array_share",
        text="per TB-year = whole of the design / (data stored * years)",
        source="each TB bears its part of everything",
    ),
    Formula(
        id="array_loss",
        text="chance of loss = 1 - exp(-year / mean time to data loss)",
        source="reliability.array_loss; failures = drives * -ln(1 - AFR)",
        symbols=INDEPENDENT,
    ),
    Formula(
        id="array_nines",
        text="nines = -log10(chance that an object is lost in a year)",
        source="reliability.array_loss; storage.cluster_code where a code is entered",
        symbols=INDEPENDENT,
    ),
    Formula(
        id="array_rebuild",
        text="rebuild = time to replace or notice + data of a drive / rate of the rebuild",
        source="reliability.array_loss; storage.cluster_code where a code is entered",
        symbols={"rate": "that of the spare drive, or of network and surviving drives together"},
    ),
    Formula(
        id="array_tier",
        text="data older than an age = data then * exp(-replaced a year * age); a tier holds what "
        "lies between its ages; moved = what comes to an age in a year",
        source="data deleted at one rate whatever their age; each tier sized like any array",
        symbols={
            "reads of a tier": "share of those for data so old, less those of colder tiers",
            "writes": "all enter the hottest tier",
        },
    ),
    Formula(
        id="array_wear",
        text="worn out after = endurance / what is written a year, or rated starts / starts a "
        "year; of drives and cache what is worn first",
        source="data sheets of drives; storage.wear",
        symbols={
            "written": "data that reaches the flash: what is written to the drive times its "
            "write amplification"
        },
    ),
    Formula(
        id="service_response",
        text="response = wait in the queue of a node + its service, at the p-th percentile",
        source="performance.queueing",
    ),
    Formula(
        id="memory_idle",
        text="idle = installed - in use; need not be bought = idle less headroom, in whole modules",
        source="memory models, at the use entered",
    ),
    Formula(
        id="memory_saving",
        text="saved = power of all ranks awake - power under the policy",
        source="memory models, at the use entered",
    ),
)
