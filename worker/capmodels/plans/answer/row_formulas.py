"""The equations of the rows of the comparison, of the years and of the odds."""

from __future__ import annotations

from capmodels.spec import Formula

FLOWS = (
    "monthly cash flows, purchases when they are made; held against Zaranek et al. 2008, "
    "section 2.1"
)
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
    Formula("total", "cost = sum over causes of what is paid within the horizon", FLOWS),
    Formula(
        "difference",
        "difference = cost of the one - cost of the other",
        "both over the same horizon; held against Zaranek et al. 2008, section 2.1",
    ),
    Formula(
        "eac",
        "annual cost = present value * discount rate / (1 - (1 + discount rate)^-years)",
        "cost.equivalent_annual_cost: an annuity of the same present value",
    ),
    Formula(
        "start",
        "paid at the start = cumulative cost before the first month ends",
        "purchases, payments in advance and set-up fall due at once",
    ),
    Formula("year", "cash = capex + opex; capex = purchases less salvage", FLOWS),
    Formula(
        "depreciation",
        "depreciation = sum over purchases of price * the books' share of the year",
        "straight line, or IRS Publication 946 table A-1; nothing of what is leased and returned",
    ),
    Formula(
        "irr",
        "0 = sum of (payment of the rival - payment) / (1 + rate of return)^(month/12)",
        "cost.irr; unique where the running sum of gains changes sign once (Norstrom)",
    ),
    Formula(
        "mirr",
        "(1 + rate)^(n/12) = sum of gains * (1 + capital)^((n - month)/12) / sum of outlays / "
        "(1 + capital)^(month/12); gain = payment of the rival - payment",
        "cost.irr, the modified rate (Lin 1976); both rates are the cost of capital",
    ),
    Formula(
        "owed",
        "remaining = payments promised for the months after the horizon",
        "leases, commitments and colocation terms; in the total where the work stops",
    ),
    Formula(
        "value_left",
        "work continues: (price - sale * v^life) * (1 - v^left) / (1 - v^life) "
        "+ sale * v^left, and payments in advance for months to come; "
        "work stops: price * (salvage - disposal)",
        "annuity over the life at the discount rate",
        {"v": "discount factor of a month", "left": "months of its life to come"},
    ),
    Formula(
        "energy_kwh",
        "energy = sum over hours of power of what computes and stores * PUE",
        "power.server; of memory modules memory.idle_capacity; of arrays storage.array_instant; "
        "coefficients per vCPU for what is rented; held against the power bill of Zaranek et al. "
        "2008, section 2.1",
    ),
    Formula(
        "carbon_kgco2e",
        "carbon = operation + making the hardware; operation = energy * carbon intensity",
        "carbon.operational, carbon.embodied: by the share of its life that is used",
    ),
    Formula(
        "down_hours",
        "hours down = hours of the year * (1 - A), A = (P0 * product of B0 + P1 * product of B1)",
        "reliability.availability: chance that no more are down than are to spare, each on its "
        "own (Barlow and Proschan 1965); terms as providers publish them",
        {
            "P0": "all sites up; of what is rented the published term, for one zone or several",
            "P1": "one site lost, where the others are sized to carry all",
            "B": "of each kind of machine there, no more down than the rest can do without when "
            "it is full at the 99th percentile; of data, one copy up",
            "down": "repair / (time between failures + repair)",
        },
    ),
    Formula(
        "spare",
        "spare = 1 - needed at peak * limit / there, when least is left before an order",
        "sizing by the resource in shortest supply; of the group that is fullest",
        {
            "limit": "share that may be in use",
            "there": "nodes beside spare ones, with what the loss of a site asks for",
        },
    ),
    Formula(
        "mean",
        "mean over the simulations of what designs are ranked by",
        "every quantity sampled once a simulation for all fields that use it: "
        "triangular(low, value, high) of each at one uniform number",
    ),
    Formula(
        "quantiles",
        "P10: one simulation in ten costs less; P50: half; P90: nine in ten",
        "the same simulations",
    ),
    Formula(
        "regret",
        "mean over the simulations of (its cost - the cheapest of that simulation)",
        "expected opportunity loss, decision analysis",
    ),
    Formula(
        "met",
        "share of the simulations in which the demand of no hour beyond 1% exceeds what there is",
        "decisions of the start are the same in all simulations",
    ),
    Formula(
        "near",
        "share of the simulations in which a design costs at most 1% more than the cheapest",
        "the same simulations",
    ),
    Formula(
        "unmet",
        "mean over the simulations of the hours a year in which demand exceeds what there is",
        "cores and RAM by the hours above what they carry; what hours do not change, all of them",
    ),
    Formula(
        "flip",
        "the value at which another design is as cheap on average, over all the others",
        "a cubic through the simulations' differences over the quantity",
    ),
    Formula(
        "array_capacity",
        "capacity = drives of data * capacity of a drive",
        ARRAYS,
        {"drives of data": "drives less copies, parity and spares", **GROWN},
    ),
    Formula(
        "array_nodes",
        "nodes = nodes at first + step * ceil((need - nodes at first) / step)",
        "definition; need is the largest of data, requests and throughput over those of a "
        "node, at the end of each year and the lead time",
        GROWN,
    ),
    Formula(
        "work_energy",
        "work per watt = mean rate of the work / mean power; per watt-hour = work of the "
        "horizon / energy; energy of one unit = energy / work",
        "as FAWN (SOSP 2009) and SeaMicro (Sudan et al.) count it, over a study's horizon",
        {
            "work": "requests of the service at mean load (peak / (peak over mean)); else jobs; "
            "else core-hours of the reference core; else data kept, in TB-years",
        },
    ),
    Formula(
        "work_dollar",
        "work per dollar = work of the horizon / cost that the verdict goes by",
        "as FAWN counts it: three years of ownership, here the study's horizon",
    ),
    Formula(
        "io_ceiling",
        "ceiling = min(drives * MB/s, nodes * Gbit/s * 125); read once in = data / ceiling",
        "performance.cluster_io (Zaranek et al. 2008, section 4)",
        {"used": "block throughput at the end of the horizon / ceiling"},
    ),
    Formula(
        "envelope",
        "power = contracted power of nodes, arrays, equipment; rack units = sum of heights",
        "the last year's machines over the limits of the site; beyond the horizon by the "
        "growth within it",
    ),
    Formula(
        "showback",
        "team = share of computing * its cost + share of storage * its cost",
        "cost.showback; storage of what is owned is its share of the purchase price, of "
        "what is rented storage and requests",
    ),
    Formula(
        "array_ceiling",
        "most it serves = drives / time on drives per request, unless its cache or "
        "controller ends earlier",
        ARRAYS,
    ),
    Formula(
        "array_share",
        "per TB-year = what bears it / (space for data * years)",
        "each TB bears its part: of the cost that the verdict goes by, or of what of it is rented "
        "storage",
    ),
    Formula(
        "array_loss",
        "chance of loss = 1 - exp(-year / mean time to data loss)",
        "reliability.array_loss; failures = drives * -ln(1 - AFR)",
        INDEPENDENT,
    ),
    Formula(
        "array_nines",
        "nines = -log10(chance that an object is lost in a year)",
        "reliability.array_loss; storage.cluster_code where a code is entered",
        INDEPENDENT,
    ),
    Formula(
        "array_rebuild",
        "rebuild = time to replace or notice + data of a drive / rate of the rebuild",
        "reliability.array_loss; storage.cluster_code where a code is entered",
        {"rate": "that of the spare drive, or of network and surviving drives together"},
    ),
    Formula(
        "array_tier",
        "data older than an age = data then * exp(-replaced a year * age); a tier holds what "
        "lies between its ages; moved = what comes to an age in a year",
        "data deleted at one rate whatever their age; each tier sized like any array",
        {
            "reads of a tier": "share of those for data so old, less those of colder tiers",
            "writes": "all enter the hottest tier",
        },
    ),
    Formula(
        "array_wear",
        "worn out after = endurance / what is written a year, or rated starts / starts a "
        "year; of drives and cache what is worn first",
        "data sheets of drives; storage.wear",
        {
            "written": "data that reaches the flash: what is written to the drive times its "
            "write amplification"
        },
    ),
    Formula(
        "service_response",
        "response = wait in the queue of a node + its service, at the p-th percentile",
        "performance.queueing",
    ),
    Formula(
        "memory_idle",
        "idle = installed - in use; need not be bought = idle less headroom, in whole modules",
        "memory.power_policies_instant, memory.idle_capacity, at the use entered",
    ),
    Formula(
        "memory_saving",
        "saved = power of all ranks awake - power under the policy",
        "memory.power_policies_instant, memory.idle_capacity, at the use entered",
    ),
)
