"""Bills of Oracle Cloud: cost reports as CSV.

Columns by Oracle's page "Cost and Usage Reports Overview", section "Cost Report Schema".
"""

from __future__ import annotations

from capmodels.imports.bill_source import BillSource

# What FOCUS calls categories of services.
_CATEGORIES = {
    "Compute": "COMPUTE|CONTAINER|FUNCTIONS|OKE",
    "Storage": "STORAGE|OBJECTSTORE|FILE|ARCHIVE",
    "Databases": "DATABASE|MYSQL|POSTGRES|NOSQL|ADW|ATP|EXADATA",
    "Networking": "NETWORK|LOAD|FASTCONNECT|DNS|VPN",
}
_CATEGORY = " ".join(
    f"WHEN regexp_matches(UPPER({{productservice}}), '{words}') THEN '{name}'"
    for name, words in reversed(_CATEGORIES.items())
)
_COST = "{#costmycost|costattributedcost}"
_UNIT = "{costbillingunitreadable|costskuunitdescription}"
_SAMPLE = b"""\
lineItem/intervalUsageStart,lineItem/intervalUsageEnd,product/service,product/resource,\
product/region,cost/productSku,product/Description,cost/unitPrice,cost/myCost,cost/currencyCode,\
cost/billingUnitReadable,usage/billedQuantity,lineItem/isCorrection,tags/team
2026-09-01T00:00Z,2026-09-01T01:00Z,COMPUTE,PIC_COMPUTE_E4,eu-frankfurt-1,B93113,\
Compute - Standard - E4 - OCPU,0.025,0.1,EUR,OCPU Per Hour,4,false,web
2026-09-01T00:00Z,2026-09-01T01:00Z,BLOCK_STORAGE,PIC_BLOCK_STORAGE,eu-frankfurt-1,B91961,\
Block Volume Storage,0.0255,2.55,EUR,Gigabyte Storage Capacity Per Month,100,false,web
2026-09-01T01:00Z,2026-09-01T02:00Z,COMPUTE,PIC_COMPUTE_E4,eu-frankfurt-1,B93113,\
Compute - Standard - E4 - OCPU,0.025,-0.02,EUR,OCPU Per Hour,-0.8,true,
"""

SOURCE = BillSource(
    id="oci_cost",
    title="Oracle Cloud cost report",
    needed=("lineitemintervalusagestart", "productservice", "costmycost|costattributedcost"),
    months=("lineitemintervalusagestart",),
    tags=("tags/",),
    charge={
        "category": (
            "CASE WHEN LOWER(COALESCE({lineitemiscorrection}, '')) = 'true' THEN 'refund' "
            "ELSE 'usage' END"
        ),
        "billed": _COST,
        "effective": _COST,
        "list": _COST,
        "quantity": "{#usagebilledquantity}",
        "unit": (
            f"CASE WHEN {_UNIT} ILIKE '%gigabyte%month%' THEN 'GB-month' "
            f"WHEN {_UNIT} ILIKE '%gigabyte%' THEN 'GB' ELSE {_UNIT} END"
        ),
        "currency": "UPPER(TRIM({costcurrencycode}))",
        "provider": "'Oracle Cloud'",
        "service_category": f"CASE {_CATEGORY} ELSE '' END",
        "service": "{productservice}",
        "description": "{productdescription|productresource}",
        "meter": "{productresource}",
        "region": "{productregion}",
    },
    sample=_SAMPLE,
)
IMPORTER = SOURCE.importer()
